"""What a reader of a protected table takes the true counts to be; whatever is decided on them gives nothing away.

A refusal that looks at the true counts answers a question about them, and a user who chooses the table chooses the
question: of a table with one large and one small cell, "too many cells hold one or two people" tells the small one.
The utility 1 - HD/sqrt(N) of such a table tells it to the person. So rules, risks and the utility that a user is told
are taken from the protected table alone, through an estimate of the counts behind it.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from sdcwidgets._util.arrays import Floats, Whole
from sdcwidgets.methods.tabular import PostTabular
from sdcwidgets.tableserver.noise import spread

#: Published counts up to this one are estimated; above it they stand for themselves.
SMALL = 150

#: True counts up to this one may lie behind them; the greatest base is 20, the greatest noise 25.
LARGEST = 200

#: Where ranges of counts begin; within each, all counts are taken to be as frequent.
RANGES = (0, 1, 3, 6, 11, 21, 51)

#: The fit begins as if so many more cells had been seen, whose counts are the rarer the larger: of a single zero nobody
#: can say that it is a true one.
BEFOREHAND = 1.0

#: Rounds in which the frequencies of the ranges are fitted.
ROUNDS = 100


def taken_for(method: PostTabular, published: Whole) -> Whole:
    """Return counts that may lie behind a protected table, in its shape; the same table always gives the same.

    How frequent each range of true counts is, is fitted to the published ones by expectation-maximisation; behind the
    cells of one published value stand the quantiles of what is likely there.

    Parameters
    ----------
    method : PostTabular
        One that protects each cell by itself.
    published : ndarray of int64

    Examples
    --------
    Of 100 cells that are published as 0, and one as 3, nearly all are taken to be empty:

    >>> from sdcwidgets import methods
    >>> counts = taken_for(methods.get("random-rounding")(base=3), np.array([0] * 100 + [3]))
    >>> np.bincount(counts).tolist()
    [99, 1, 1]
    """
    flat = published.ravel()
    result = flat.copy()
    where = np.flatnonzero(flat <= SMALL)
    if where.size:
        values, member, times = np.unique(flat[where], return_inverse=True, return_counts=True)
        likely = _likely(method, values, times)
        cumulated = np.cumsum(likely, axis=0)
        # The k-th cell of a value has the quantile (k + 1/2)/n of what is likely behind it.
        order = np.argsort(member, kind="stable")
        rank = np.empty(where.size, dtype=np.int64)
        rank[order] = np.arange(where.size) - np.repeat(np.cumsum(times) - times, times)
        wanted = member + (rank + 0.5) / times[member]
        lines = (np.minimum(cumulated, 1.0) + np.arange(len(values))).T.ravel()
        result[where] = np.searchsorted(lines, wanted) - member * len(likely)
    return result.reshape(published.shape)


def expected_utility(method: PostTabular, published: Whole, people: int) -> float:
    """Return the utility 1 - HD/√N that a reader expects of a protected table, from it alone.

    Parameters
    ----------
    method : PostTabular
        As it is published.
    published : ndarray of int64
        The cells.
    people : int
        N, as it is published.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> from sdcwidgets import methods
    >>> round(expected_utility(methods.get("random-rounding")(base=3), np.array([900, 3]), 903), 4)
    0.992
    """
    flat = published.ravel()
    values, times = np.unique(flat[flat <= SMALL], return_counts=True)
    if not values.size or people < 1:
        return 1.0
    apart = (np.sqrt(np.arange(LARGEST + 1))[:, np.newaxis] - np.sqrt(values)) ** 2
    squared = float(((_likely(method, values, times) * apart).sum(axis=0) * times).sum()) / 2
    return max(0.0, 1 - float(np.sqrt(squared / people)))


def _likely(method: PostTabular, values: Whole, times: Whole) -> Floats:
    """Return how likely each true count is behind each published value, shape (LARGEST + 1, n); columns sum to 1."""
    likelihood = _likelihood(method)[:, values]
    likely = likelihood * _fitted(likelihood, times)[:, np.newaxis]
    posterior: Floats = likely / likely.sum(axis=0)
    return posterior


def _fitted(likelihood: Floats, times: Whole) -> Floats:
    """Return how frequent each true count is, equal within each range."""
    sizes = np.diff([*RANGES, LARGEST + 1])
    kind = np.repeat(np.arange(len(RANGES)), sizes)
    means = np.add.reduceat(likelihood, RANGES) / sizes[:, np.newaxis]
    rarer = np.add.reduceat(1 / np.arange(1, LARGEST + 2), RANGES)
    more = BEFOREHAND * rarer / rarer.sum()
    shares = sizes / sizes.sum()
    for _ in range(ROUNDS):
        shares = (shares * (means @ (times / (shares @ means))) + more) / (times.sum() + BEFOREHAND)
    frequencies: Floats = (shares / sizes)[kind]
    return frequencies


@lru_cache(maxsize=16)
def _likelihood(method: PostTabular) -> Floats:
    """Return how likely each true count leads to each published one, shape (LARGEST + 1, more)."""
    known, values, chances = spread(method, np.arange(LARGEST + 1))
    table = np.zeros((len(known), int(values.max()) + 1))
    np.add.at(table, (known[:, np.newaxis], values), chances)
    return table
