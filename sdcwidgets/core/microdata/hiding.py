r"""How many records hide a person, where values are blanked: a blank counts for the share of what it may stand for.

An intruder who knows the key of a person and what share each category has looks for the person's record. A record that
shows another value isn't it; one that hides a value is it as likely as a value drawn from the shares is the person's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._arrays import Floats, Whole
from .keys import MISSING, Codes, as_codes, as_weights, cells, closed_up, distinct

Shares = Sequence[Floats]

# Odds that differ by less than this are the same, whatever the order in which shares were multiplied.
_SAME = 1e-9


@dataclass(frozen=True)
class Hiding:
    """How well each record is hidden from an intruder who knows its person's key and the shares.

    Attributes
    ----------
    alike : ndarray, shape (n,)
        How many records are as likely to be the person's, from 1 to n: the record itself, and of each other one its
        odds to the record's own, at most 1. The file is k-anonymous by worth if none is below k.
    weighted : ndarray, shape (n,)
        The same with the sampling weight of each record: how many people of the population.
    by_odds, by_best : ndarray, shape (n,)
        How likely an intruder is right who guesses by the odds, and one who always takes the likeliest record, by
        chance among equals.
    """

    alike: Floats
    weighted: Floats
    by_odds: Floats
    by_best: Floats

    @property
    def right(self) -> float:
        """How many people an intruder finds who looks for each once: the better of the two ways to guess."""
        return float(max(self.by_odds.sum(), self.by_best.sum()))


def shares_of(codes: ArrayLike, weights: ArrayLike | None = None) -> list[Floats]:
    """Return for each key variable the share of each category among the values that are not missing.

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
    r"""Return how many records hide each person, and how likely an intruder who knows the shares is right.

    The person of record i has the key x. Record j is the person's as likely as

    .. math:: w_j(x) = \prod_{v \text{ shown}} 1(z_{jv} = x_v) \prod_{v \text{ blank}} s_v(x_v),

    so that the record is hidden by :math:`a_i = \sum_j \min(1, w_j/w_i)` records, and a guess by the odds is right with
    probability :math:`w_i / \sum_j w_j \le 1/a_i`.

    Parameters
    ----------
    published : array_like, shape (n, q)
        The keys as they are given away; -1 where a value is blank.
    truth : array_like, shape (n, q), optional
        The keys of the persons, which the owner of the file knows; those published if not given. Where a value is
        missing in the file as it came nobody knows it: a record that shows a value there counts the share of it.
    shares : sequence of ndarray, optional
        For each variable the share of each category; by default those of `truth`.
    weights : array_like, shape (n,), optional
        Sampling weights; 1 each if not given.

    Returns
    -------
    Hiding

    Raises
    ------
    ValueError
        If the two do not have the same records, or a published value isn't the true one.

    Notes
    -----
    Without blanks `alike` is the frequency of the key. It is at most the frequency in which a blank matches everything,
    Totter's and that of sdcMicro, which takes a blank for a match in full.

    Examples
    --------
    Three men of 100 have jobs of their own. One job is blanked, and the man is found still: nobody else can be meant.
    With two blanked, they hide each other, and the third a little: a blank is his job once in 100.

    >>> job = np.array([[1], [2], [3]] + [[0]] * 97)
    >>> one, two = job.copy(), job.copy()
    >>> one[0], two[:2] = -1, -1
    >>> hiding(one, job).alike[:2].tolist(), hiding(two, job).alike[:3].round(2).tolist()
    ([1.0, 1.01], [2.0, 2.0, 1.02])
    """
    after = as_codes(published)
    before = after if truth is None else as_codes(truth)
    if before.shape != after.shape:
        raise ValueError(f"There are {before.shape} true and {after.shape} published values.")
    if ((after != before) & (after != MISSING)).any():
        raise ValueError("A published value is not the true one; only blanks are allowed for here.")
    share = shares_of(before) if shares is None else shares
    weight = None if weights is None else as_weights(weights, len(after))
    # A key and what of it is blank; of a file of many records there are few.
    _, key, _ = distinct(before)
    first, member, count = distinct(np.column_stack([key, _blank(after)]))
    heavy_of = count if weight is None else np.bincount(member, weight)
    published_keys = after[first]
    x, blank, unknown = before[first], after[first] == MISSING, before[first] == MISSING
    # What a blank is worth against the value of x, in logarithms; a share of 0 is as good as none.
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
    """Return the share of each code; 0 for one that has none."""
    code = np.minimum(np.maximum(column, 0), len(values) - 1)
    return np.where((column >= 0) & (column < len(values)), values[code], 0.0)


def _blank(array: Codes) -> Whole:
    """Return which variables of each record are blank, as the bits of a number."""
    bits = np.zeros(len(array), dtype=np.int64)
    for v, column in enumerate(array.T):
        bits += (column == MISSING).astype(np.int64) << v
    return bits


def _patterns(array: Codes) -> Iterator[tuple[list[int], NDArray[np.intp]]]:
    """Yield the sets of variables that are blank in some record, and the records of each."""
    bits = _blank(array)
    order = np.argsort(bits, kind="stable")
    patterns, start = np.unique(bits[order], return_index=True)
    for bit, rows in zip(patterns.tolist(), np.split(order, start[1:]), strict=True):
        yield [v for v in range(array.shape[1]) if bit >> v & 1], rows


def _shown_as(
    x: Codes,
    unknown: NDArray[np.bool_],
    published: Codes,
    count: NDArray[np.number],
    weight: NDArray[np.number],
    hidden: list[int],
    shares: Shares,
) -> tuple[Floats, Floats]:
    """Return for each key how many of the records that show these values may be its person, and their weights.

    `count` and `weight` are how many records show each, and the sum of their weights.

    Where the key itself is unknown, a value that is shown counts its share.
    """
    total, heavy = np.zeros(len(x)), np.zeros(len(x))
    for gaps, rows in _patterns(np.where(unknown, MISSING, 0)):
        apart = [v for v in gaps if v not in hidden]
        columns = [v for v in range(x.shape[1]) if v not in hidden and v not in gaps]
        amount, weighted = count.astype(np.float64), weight.astype(np.float64)
        for v in apart:
            odds = _share(shares[v], published[:, v])
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
