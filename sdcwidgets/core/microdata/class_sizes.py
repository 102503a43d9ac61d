r"""Number of records that protect a person if values are suppressed, with weights for suppressed values.

An intruder who knows the key of a person and the share of each category searches for the person's record. A
record with a different visible value is excluded. A record with a suppressed value is possible, with the share
of the person's category as its weight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._arrays import Floats, Whole
from .keys import MISSING, Codes, as_codes, as_weights, cells, closed_up, distinct

Shares = Sequence[Floats]

# Tolerance for equal odds: products in another order differ by rounding errors.
_SAME = 1e-9


@dataclass(frozen=True)
class Hiding:
    """Protection of each record from an intruder who knows the person's key and the shares.

    Attributes
    ----------
    alike : ndarray, shape (n,)
        Number of records that are as likely as the person's own, from 1 to n. The own record counts 1, and each
        other record its odds relative to the own record, at most 1. The file is k-anonymous in this sense if no
        number is below k.
    weighted : ndarray, shape (n,)
        The same sum with the sampling weight of each record: a number of people in the population.
    by_odds, by_best : ndarray, shape (n,)
        Probability of a correct match if the intruder guesses in proportion to the odds, and if the intruder
        always selects the most likely record (at random among ties).
    """

    alike: Floats
    weighted: Floats
    by_odds: Floats
    by_best: Floats

    @property
    def right(self) -> float:
        """Expected number of correct matches under the better of the two strategies."""
        return float(max(self.by_odds.sum(), self.by_best.sum()))


def shares_of(codes: ArrayLike, weights: ArrayLike | None = None) -> list[Floats]:
    """Return the share of each category among the non-missing values of each key variable.

    Examples
    --------
    >>> [share.round(2).tolist() for share in shares_of([[0, 1], [0, -1], [1, 1]])]
    [[0.67, 0.33], [0.0, 1.0]]
    """
    array = as_codes(codes)
    amount = None if weights is None else np.asarray(weights, dtype=np.float64)
    shares = []
    for column in array.T:
        known = column != MISSING
        summed = np.bincount(column[known], None if amount is None else amount[known], minlength=1)
        shares.append(summed / max(summed.sum(), np.finfo(float).tiny))
    return shares


def hiding(
    published: ArrayLike,
    truth: ArrayLike | None = None,
    shares: Shares | None = None,
    weights: ArrayLike | None = None,
) -> Hiding:
    r"""Return the number of records that protect each person, and the probabilities of a correct match.

    The person of record i has the key x. The likelihood that record j belongs to the person is proportional to

    .. math:: w_j(x) = \prod_{v \text{ shown}} 1(z_{jv} = x_v) \prod_{v \text{ blank}} s_v(x_v),

    so :math:`a_i = \sum_j \min(1, w_j/w_i)` records protect the person. A guess in proportion to the odds is
    correct with probability :math:`w_i / \sum_j w_j \le 1/a_i`.

    Parameters
    ----------
    published : array_like, shape (n, q)
        The released keys, with -1 for suppressed values.
    truth : array_like, shape (n, q), optional
        The original keys; default: the released keys. If a value is missing in the original file, nobody knows
        it, and a record with a visible value counts with the share of that value.
    shares : sequence of ndarray, optional
        Share of each category for each variable; default: those of `truth`.
    weights : array_like, shape (n,), optional
        Sampling weights; default: 1 each.

    Returns
    -------
    Hiding

    Raises
    ------
    ValueError
        If the arrays have different shapes, or a visible value differs from the original value.

    Notes
    -----
    Without suppressed values, `alike` is the frequency of the key. In general it is at most the frequency of
    Totter and sdcMicro, in which a missing value matches every value.

    Examples
    --------
    Three men of 100 have unique jobs. If one job is suppressed, the man is still identified, because no other
    person is possible. If two are suppressed, these two men protect each other, and the third slightly: a
    suppressed value is his job with probability 0.01.

    >>> job = np.array([[1], [2], [3]] + [[0]] * 97)
    >>> one, two = job.copy(), job.copy()
    >>> one[0], two[:2] = -1, -1
    >>> hiding(one, job).alike[:2].tolist(), hiding(two, job).alike[:3].round(2).tolist()
    ([1.0, 1.01], [2.0, 2.0, 1.02])
    """
    after = as_codes(published)
    before = after if truth is None else as_codes(truth)
    if before.shape != after.shape:
        raise ValueError(
            f"The original values have the shape {before.shape} and the published values have the "
            f"shape {after.shape}; both must be equal."
        )
    if ((after != before) & (after != MISSING)).any():
        raise ValueError(
            "A published value is neither suppressed nor equal to the original value. Only "
            "suppression may change values."
        )
    share = shares_of(before) if shares is None else shares
    weight = None if weights is None else as_weights(weights, len(after))
    # Distinct pairs of a key and a suppression pattern; a large file has few of them.
    _, key, _ = distinct(before)
    first, member, count = distinct(np.column_stack([key, _blank(after)]))
    heavy_of = count if weight is None else np.bincount(member, weight)
    published_keys = after[first]
    x, blank, unknown = before[first], after[first] == MISSING, before[first] == MISSING
    # Logarithm of the weight of a suppressed value for the person's category; shares of 0 are replaced by
    # 1e-300.
    worth = np.stack(
        [
            np.log(np.maximum(_share(values, column), 1e-300))
            for values, column in zip(share, x.T, strict=True)
        ],
        axis=1,
    )
    worth[unknown] = 0
    own = np.where(blank, worth, 0).sum(axis=1)
    alike, people, summed, ties = (np.zeros(len(x)) for _ in range(4))
    beaten = np.zeros(len(x), dtype=bool)
    for hidden, rows in _patterns(published_keys):
        with np.errstate(over="ignore"):
            odds = np.exp(worth[:, hidden].sum(axis=1) - own)
        amount, heavy = _shown_as(
            x, unknown, published_keys[rows], count[rows], heavy_of[rows], hidden, share
        )
        alike += amount * np.minimum(odds, 1)
        people += heavy * np.minimum(odds, 1)
        summed += amount * np.minimum(odds, 1e300)
        ties += np.where(np.abs(odds - 1) <= _SAME, amount, 0)
        beaten |= (odds > 1 + _SAME) & (amount > 0)
    best = np.where(beaten, 0, 1 / np.maximum(ties, 1))
    return Hiding(alike[member], people[member], (1 / np.maximum(summed, 1))[member], best[member])


def _share(values: Floats, column: Codes) -> Floats:
    """Return the share of each code, or 0 for a code without a share."""
    code = np.minimum(np.maximum(column, 0), len(values) - 1)
    return np.where((column >= 0) & (column < len(values)), values[code], 0.0)


def _blank(array: Codes) -> Whole:
    """Return the suppressed variables of each record as the bits of a number."""
    bits = np.zeros(len(array), dtype=np.int64)
    for variable, column in enumerate(array.T):
        bits += (column == MISSING).astype(np.int64) << variable
    return bits


def _patterns(array: Codes) -> Iterator[tuple[list[int], NDArray[np.intp]]]:
    """Yield each set of suppressed variables that occurs, with its records."""
    bits = _blank(array)
    order = np.argsort(bits, kind="stable")
    patterns, start = np.unique(bits[order], return_index=True)
    for bit, rows in zip(patterns.tolist(), np.split(order, start[1:]), strict=True):
        yield [variable for variable in range(array.shape[1]) if bit >> variable & 1], rows


def _shown_as(
    x: Codes,
    unknown: NDArray[np.bool_],
    published: Codes,
    count: NDArray[np.number],
    weight: NDArray[np.number],
    hidden: list[int],
    shares: Shares,
) -> tuple[Floats, Floats]:
    """Return the number and the total weight of the records that can belong to the person of each key.

    `count` and `weight` are the number of records with each published key and the sum of their weights. If a
    value of the person's key is missing, a visible value counts with its share.
    """
    total, heavy = np.zeros(len(x)), np.zeros(len(x))
    for gaps, rows in _patterns(np.where(unknown, MISSING, 0)):
        apart = [variable for variable in gaps if variable not in hidden]
        columns = [
            variable for variable in range(x.shape[1]) if variable not in hidden and variable not in gaps
        ]
        amount, weighted = count.astype(np.float64), weight.astype(np.float64)
        for variable in apart:
            odds = _share(shares[variable], published[:, variable])
            amount *= odds
            weighted *= odds
        if not columns:
            total[rows], heavy[rows] = amount.sum(), weighted.sum()
            continue
        number, bound = closed_up(*cells(np.concatenate([x[rows][:, columns], published[:, columns]])))
        queried, published_keys = number[: len(rows)], number[len(rows) :]
        total[rows] = np.bincount(published_keys, amount, minlength=bound)[queried]
        heavy[rows] = np.bincount(published_keys, weighted, minlength=bound)[queried]
    return total, heavy
