"""Estimate original counts from a protected table, as a data user would.

A refusal that depends on original counts discloses a fact about them, and users choose the facts by choosing
tables. For example, if a table has one large and one small cell, the refusal "too many cells hold one or two
people" reveals the small count. The utility 1 - HD/sqrt(N) of this table reveals it exactly. Rules, risks and
the published utility are therefore computed from the protected table alone, through an estimate of its
original counts.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from sdcwidgets._util.arrays import Floats, Whole
from sdcwidgets.methods.tabular import PostTabular
from sdcwidgets.tableserver.noise import spread

#: Largest published count that is estimated; larger counts are used as they are.
SMALL = 150

#: Largest original count in the estimate. The largest rounding base is 20 and the largest noise is 25.
LARGEST = 200

#: First count of each range. All counts of a range have the same probability.
RANGES = (0, 1, 3, 6, 11, 21, 51)

#: Weight of the prior in cells. The prior decreases with the count, because a single published zero must not
#: count as a certain zero.
BEFOREHAND = 1.0

#: Number of iterations of the expectation-maximisation.
ROUNDS = 100


def taken_for(method: PostTabular, published: Whole) -> Whole:
    """Return a deterministic estimate of the original counts of a protected table.

    The frequencies of ranges of original counts are fitted to the published counts by
    expectation-maximisation. Cells with the same published count get the quantiles of the posterior
    distribution of the original count.

    Parameters
    ----------
    method : PostTabular
        A method that perturbs each cell independently.
    published : ndarray of int64

    Returns
    -------
    ndarray of int64
        Estimated counts, in the shape of `published`.

    Examples
    --------
    Of 100 cells with published count 0, and one cell with 3, nearly all are estimated to be empty:

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
        # The k-th of n cells with a published value gets the quantile (k + 1/2)/n of the posterior.
        order = np.argsort(member, kind="stable")
        rank = np.empty(where.size, dtype=np.int64)
        rank[order] = np.arange(where.size) - np.repeat(np.cumsum(times) - times, times)
        wanted = member + (rank + 0.5) / times[member]
        lines = (np.minimum(cumulated, 1.0) + np.arange(len(values))).T.ravel()
        result[where] = np.searchsorted(lines, wanted) - member * len(likely)
    return result.reshape(published.shape)


def expected_utility(method: PostTabular, published: Whole, people: int) -> float:
    """Return the expected utility 1 - HD/√N, computed from the protected table alone.

    Parameters
    ----------
    method : PostTabular
        Method and settings, which are public.
    published : ndarray of int64
        Published counts.
    people : int
        Published total N.

    Returns
    -------
    float
        Utility from 0 to 1.

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
    """Return P(original count | published count), shape (LARGEST + 1, n)."""
    likelihood = _likelihood(method)[:, values]
    likely = likelihood * _fitted(likelihood, times)[:, np.newaxis]
    posterior: Floats = likely / likely.sum(axis=0)
    return posterior


def _fitted(likelihood: Floats, times: Whole) -> Floats:
    """Return the fitted probability of each original count, constant within a range."""
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
    """Return P(published count | original count), one row per original count."""
    known, values, chances = spread(method, np.arange(LARGEST + 1))
    table = np.zeros((len(known), int(values.max()) + 1))
    np.add.at(table, (known[:, np.newaxis], values), chances)
    return table
