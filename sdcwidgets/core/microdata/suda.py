r"""Special uniques: records that few of their values make unique, and the score that says how special they are.

References: Elliot, Manning and Ford 2002; Manning, Haglin and Keane 2008 (SUDA2); Skinner and Elliot 2002 (DIS).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._arrays import Floats, Whole
from .keys import Codes, as_codes, distinct, weighted_frequencies

#: With more key variables there are too many sets of them.
MOST_VARIABLES = 16


@dataclass(frozen=True)
class SpecialUniques:
    """The minimal sample uniques of a file.

    Attributes
    ----------
    score : ndarray, shape (n,)
        0 for a record without one; the higher, the more special.
    sets : tuple of tuple of int
        The sets of key variables, small ones first.
    minimal : ndarray of bool, shape (n, sets)
        Whether the record is unique on this set of variables and on no part of it.
    contribution : ndarray, shape (n, q)
        The share of the score that comes from sets with each variable, from 0 to 1.
    """

    score: Floats
    sets: tuple[tuple[int, ...], ...]
    minimal: NDArray[np.bool_]
    contribution: Floats

    @property
    def number(self) -> Whole:
        """How many minimal sample uniques each record has."""
        count: Whole = self.minimal.sum(axis=1)
        return count


def special_uniques(codes: ArrayLike, largest: int | None = None) -> SpecialUniques:
    r"""Find the minimal sample uniques (MSU) of each record, and its SUDA score.

    A set of variables is an MSU of a record if the record is unique on it and on no part of it. Each MSU of
    s of the q variables adds to the score of its record

    .. math:: \prod_{i=s}^{M} (q - i), \qquad M = \min(\text{largest}, q - 1),

    so that small sets weigh most; one of all q variables adds 1.

    Parameters
    ----------
    codes : array_like, shape (n, q)
        A missing value matches every value, so it makes nobody unique.
    largest : int, optional
        The size of the largest sets looked for; all if not given.

    Returns
    -------
    SpecialUniques

    Raises
    ------
    ValueError
        If there are more than 16 key variables, or `largest` is below 1 or above their number.

    Notes
    -----
    A record that is unique on some variables is unique on more of them. So the sets are gone through by size, and
    of each only the records count that are unique on all variables.

    References
    ----------
    Elliot, Manning and Ford 2002; the R package sdcMicro.

    Examples
    --------
    The last record is the only one with 1 in the first variable, and the only one with 2 in the second:

    >>> found = special_uniques([[0, 0], [0, 1], [0, 0], [0, 1], [1, 2]])
    >>> found.score.tolist(), found.number.tolist()
    ([0.0, 0.0, 0.0, 0.0, 2.0], [0, 0, 0, 0, 2])
    """
    array = as_codes(codes)
    q = array.shape[1]
    top = q if largest is None else largest
    if q > MOST_VARIABLES:
        raise ValueError(f"There are {q} key variables; at most {MOST_VARIABLES} can be searched.")
    if not 1 <= top <= q:
        raise ValueError(f"The largest set must have from 1 to {q} variables, not {top}.")
    sets = tuple(chosen for size in range(1, top + 1) for chosen in combinations(range(q), size))
    # Records of one key have the same, and in a file of many records there are few keys.
    first, member, count = distinct(array)
    keys = array[first]
    minimal = np.zeros((len(first), len(sets)), dtype=bool)
    candidates = np.flatnonzero(_unique(keys, count))
    unique: dict[tuple[int, ...], NDArray[np.bool_]] = {}
    for column, chosen in enumerate(sets):
        # A part is found before the whole, so most records need no look.
        parts = [unique[part] for part in combinations(chosen, len(chosen) - 1) if part]
        known = np.logical_or.reduce(parts) if parts else np.zeros(len(candidates), dtype=bool)
        is_unique = _unique(keys[:, chosen], count)[candidates] if not known.all() else known
        unique[chosen] = is_unique
        minimal[candidates, column] = is_unique & ~known
    weight = np.array([_weight(len(chosen), min(top, q - 1), q) for chosen in sets])
    score = minimal @ weight
    holds = np.array([[variable in chosen for variable in range(q)] for chosen in sets], dtype=np.float64)
    parts_of = minimal @ (weight[:, np.newaxis] * holds)
    contribution = np.divide(parts_of, score[:, np.newaxis], out=np.zeros_like(parts_of), where=parts_of > 0)
    return SpecialUniques(score[member], sets, minimal[member], contribution[member])


def dis_scores(scores: ArrayLike, frequencies: ArrayLike, fraction: float, variables: int) -> Floats:
    r"""Scale SUDA scores to probabilities that a match is right, with data intrusion simulation (DIS-SUDA).

    Somebody who matches a unique record of a sample is right with probability

    .. math:: \mathrm{DIS} = \frac{U \delta}{U \delta + P (1 - \delta)}

    over all unique records, where U records are unique, P are in pairs, and \delta is the sampling fraction. It is
    spread over the records by their scores s:

    .. math::
        \mathrm{DIS}_i = \Bigl(1 + \frac{U/\mathrm{DIS} - U}{s_i^Q \sum_j s_j^{-Q}}\Bigr)^{-1},
        \qquad Q = 1 + \frac{8 - q}{20}

    Parameters
    ----------
    scores : array_like, shape (n,)
        The SUDA scores, 0 for a record that has none.
    frequencies : array_like, shape (n,)
        f, how many records have the key of each.
    fraction : float
        The sampling fraction, above 0 and at most 1.
    variables : int
        q, the number of key variables.

    Returns
    -------
    ndarray, shape (n,)
        From 0 to 1; 0 for a record without a score.

    Raises
    ------
    ValueError
        If the fraction is none.

    References
    ----------
    Skinner and Elliot 2002; Elliot and Manning 2003; the scaling is that of the R package sdcMicro.

    Examples
    --------
    Two unique records of the same score and one pair, a tenth of the people: each has the file's DIS, 1/10.

    >>> dis_scores([6, 6, 0, 0], [1, 1, 2, 2], 0.1, 3).round(12).tolist()
    [0.1, 0.1, 0.0, 0.0]
    """
    if not 0 < fraction <= 1:
        raise ValueError(f"The sampling fraction is {fraction}; it must be above 0 and at most 1.")
    s, f = np.asarray(scores, dtype=np.float64), np.asarray(frequencies)
    paired = int((f == 2).sum())
    probabilities: Floats = np.zeros(s.shape)
    some = s > 0
    if not some.any():
        return probabilities
    # U/DIS − U, in which U cancels out.
    odds = paired * (1 - fraction) / fraction
    power = s[some] ** (1 + (8 - variables) / 20)
    probabilities[some] = 1 / (1 + odds / (power * (1 / power).sum()))
    return probabilities


def _unique(keys: Codes, count: Whole) -> NDArray[np.bool_]:
    """Return which keys one record only may have, where so many have each."""
    is_unique: NDArray[np.bool_] = weighted_frequencies(keys, count) == 1
    return is_unique


def _weight(size: int, most: int, variables: int) -> float:
    return float(np.prod([variables - i for i in range(size, most + 1)], dtype=np.float64))
