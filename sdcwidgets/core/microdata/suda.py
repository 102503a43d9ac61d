r"""Special uniques: records that are unique on few key variables, and their SUDA and DIS-SUDA scores.

References: Elliot, Manning and Ford 2002; Manning, Haglin and Keane 2008 (SUDA2); Skinner and Elliot 2002 (DIS).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._arrays import Floats, Whole
from .keys import Codes, as_codes, distinct, weighted_frequencies

#: Maximum number of key variables; the number of sets of variables grows exponentially.
MOST_VARIABLES = 16


@dataclass(frozen=True)
class SpecialUniques:
    """Minimal sample uniques of a file.

    Attributes
    ----------
    score : ndarray, shape (n,)
        SUDA score: 0 for a record without minimal sample uniques; higher scores are more special.
    sets : tuple of tuple of int
        Sets of key variables, in ascending size.
    minimal : ndarray of bool, shape (n, sets)
        Whether the record is unique on this set of variables, but on no subset of it.
    contribution : ndarray, shape (n, q)
        Share of the score from sets that include each variable, from 0 to 1.
    """

    score: Floats
    sets: tuple[tuple[int, ...], ...]
    minimal: NDArray[np.bool_]
    contribution: Floats

    @property
    def number(self) -> Whole:
        """Number of minimal sample uniques of each record."""
        count: Whole = self.minimal.sum(axis=1)
        return count


def special_uniques(codes: ArrayLike, largest: int | None = None) -> SpecialUniques:
    r"""Find the minimal sample uniques (MSU) and the SUDA score of each record.

    A set of variables is an MSU of a record if the record is unique on the set, but on no subset of it. Each
    MSU with s of the q variables adds to the record's score

    .. math:: \prod_{i=s}^{M} (q - i), \qquad M = \min(\text{largest}, q - 1),

    so small sets have the largest weights; an MSU of all q variables adds 1.

    Parameters
    ----------
    codes : array_like, shape (n, q)
        Codes of the key variables. A missing value matches every value, so it does not make a record unique.
    largest : int, optional
        Maximum size of the sets to search; default: q.

    Returns
    -------
    SpecialUniques

    Raises
    ------
    ValueError
        If there are more than 16 key variables, or `largest` is below 1 or above their number.

    Notes
    -----
    A record that is unique on a set is unique on every larger set. The sets are therefore searched in ascending
    size, and only records that are unique on all variables are considered.

    References
    ----------
    Elliot, Manning and Ford 2002; the R package sdcMicro.

    Examples
    --------
    The last record is the only record with 1 in the first variable, and the only one with 2 in the second:

    >>> found = special_uniques([[0, 0], [0, 1], [0, 0], [0, 1], [1, 2]])
    >>> found.score.tolist(), found.number.tolist()
    ([0.0, 0.0, 0.0, 0.0, 2.0], [0, 0, 0, 0, 2])
    """
    array = as_codes(codes)
    q = array.shape[1]
    top = q if largest is None else largest
    if q > MOST_VARIABLES:
        raise ValueError(
            f"There are {q} key variables; the search for special uniques allows at most {MOST_VARIABLES}."
        )
    if not 1 <= top <= q:
        raise ValueError(f"The maximum set size must be from 1 to {q}, not {top}.")
    sets = tuple(chosen for size in range(1, top + 1) for chosen in combinations(range(q), size))
    # Records with the same key have the same result, and a large file has few distinct keys.
    first, member, count = distinct(array)
    keys = array[first]
    minimal = np.zeros((len(first), len(sets)), dtype=bool)
    candidates = np.flatnonzero(_unique(keys, count))
    unique: dict[tuple[int, ...], NDArray[np.bool_]] = {}
    for column, chosen in enumerate(sets):
        # Subsets are processed first, and a record that is unique on a subset needs no further check.
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
    r"""Convert SUDA scores to probabilities of a correct match (DIS-SUDA, data intrusion simulation).

    A match with a unique record of a sample is correct with probability

    .. math:: \mathrm{DIS} = \frac{U \delta}{U \delta + P (1 - \delta)}

    over all unique records, where U records are unique, P are in pairs, and \delta is the sampling fraction.
    DIS is distributed over the records by their scores s:

    .. math::
        \mathrm{DIS}_i = \Bigl(1 + \frac{U/\mathrm{DIS} - U}{s_i^Q \sum_j s_j^{-Q}}\Bigr)^{-1},
        \qquad Q = 1 + \frac{8 - q}{20}

    Parameters
    ----------
    scores : array_like, shape (n,)
        SUDA scores, 0 for a record without minimal sample uniques.
    frequencies : array_like, shape (n,)
        Number f of records with the key of each record.
    fraction : float
        Sampling fraction in (0, 1].
    variables : int
        Number q of key variables.

    Returns
    -------
    ndarray, shape (n,)
        From 0 to 1; 0 for a record with score 0.

    Raises
    ------
    ValueError
        If the fraction is not in (0, 1].

    References
    ----------
    Skinner and Elliot 2002; Elliot and Manning 2003; scaling as in the R package sdcMicro.

    Examples
    --------
    Two unique records with equal scores, one pair, and a sampling fraction of 0.1: each has the file's DIS,
    1/10.

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
    # U/DIS − U; U cancels.
    odds = paired * (1 - fraction) / fraction
    power = s[some] ** (1 + (8 - variables) / 20)
    probabilities[some] = 1 / (1 + odds / (power * (1 / power).sum()))
    return probabilities


def _unique(keys: Codes, count: Whole) -> NDArray[np.bool_]:
    """Return the keys that exactly one record can have; `count` is the number of records per key."""
    is_unique: NDArray[np.bool_] = weighted_frequencies(keys, count) == 1
    return is_unique


def _weight(size: int, most: int, variables: int) -> float:
    return float(np.prod([variables - i for i in range(size, most + 1)], dtype=np.float64))
