"""l-diversity and t-closeness: disclosure of a sensitive variable by the records with the same key.

References: Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007; Li, Li and Venkatasubramanian 2007; the R
package sdcMicro.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Floats, Whole, logs
from .keys import MISSING, as_codes, distinct, matches


def distinct_diversity(codes: ArrayLike, sensitive: ArrayLike) -> Whole:
    """Return the number of distinct sensitive values in the equivalence class of each record.

    Parameters
    ----------
    codes : array_like, shape (n, q)
        Codes of the key variables; a missing value matches every value.
    sensitive : array_like of int, shape (n,)
        Sensitive variable; missing values are not counted.

    Returns
    -------
    ndarray of int, shape (n,)
        The file is l-diverse if no number is below l. If it is 1, an intruder learns the sensitive value
        without identifying the record.

    References
    ----------
    Machanavajjhala et al. 2007.

    Examples
    --------
    >>> distinct_diversity([[0], [0], [0], [1], [1]], [3, 4, 4, 7, 7]).tolist()
    [2, 2, 2, 1, 1]
    """
    counts, member = _counts(codes, sensitive)
    values: Whole = (counts > 0).sum(axis=1)[member]
    return values


def entropy_diversity(codes: ArrayLike, sensitive: ArrayLike) -> Floats:
    r"""Return the exponential of the entropy of the sensitive variable in each record's equivalence class.

    .. math:: \ell_i = \exp\Bigl(-\sum_s p_{is} \log p_{is}\Bigr)

    Parameters
    ----------
    codes : array_like, shape (n, q)
        Codes of the key variables; a missing value matches every value.
    sensitive : array_like of int, shape (n,)
        Sensitive variable; missing values are not counted.

    Returns
    -------
    ndarray, shape (n,)
        From 1 to the number of distinct values, which is attained if all are equally frequent.

    References
    ----------
    Machanavajjhala et al. 2007.

    Examples
    --------
    >>> entropy_diversity([[0], [0], [1]], [3, 4, 7]).round(12).tolist()
    [2.0, 2.0, 1.0]
    """
    counts, member = _counts(codes, sensitive)
    shares = _shares(counts)
    effective: Floats = np.exp(-np.sum(shares * logs(shares), axis=1))[member]
    return effective


def recursive_diversity(codes: ArrayLike, sensitive: ArrayLike, c: float = 1.0) -> Whole:
    r"""Return the largest l for which each record's equivalence class is recursively (c, l)-diverse.

    With :math:`r_1 \ge r_2 \ge \dots` the counts of the values in the class, the condition is

    .. math:: r_1 < c\,(r_l + r_{l+1} + \dots + r_m):

    the most frequent value is not too frequent, even if an intruder can exclude the next :math:`l - 2` values.

    Parameters
    ----------
    codes : array_like, shape (n, q)
        Codes of the key variables; a missing value matches every value.
    sensitive : array_like of int, shape (n,)
        Sensitive variable; missing values are not counted.
    c : float
        Constant above 0; smaller values are stricter.

    Returns
    -------
    ndarray of int, shape (n,)
        From 1 (not 2-diverse) to the number of distinct values.

    Raises
    ------
    ValueError
        If c is not above 0.

    References
    ----------
    Machanavajjhala et al. 2007, Definition 4.3.

    Examples
    --------
    Three values with counts 2, 2 and 1: 2 < 2 + 1 holds, but 2 < 1 does not.

    >>> recursive_diversity([[0]] * 5, [3, 3, 4, 4, 5]).tolist()
    [2, 2, 2, 2, 2]
    """
    if not c > 0:
        raise ValueError(f"The parameter c of recursive (c, l)-diversity is {c}; it must be above 0.")
    counts, member = _counts(codes, sensitive)
    ordered = -np.sort(-counts, axis=1)
    rest = ordered[:, ::-1].cumsum(axis=1)[:, ::-1]
    holds = ordered[:, :1] < c * rest[:, 1:]
    level: Whole = (1 + holds.sum(axis=1))[member]
    return level


def closeness(codes: ArrayLike, sensitive: ArrayLike, positions: Sequence[float] | None = None) -> Floats:
    r"""Return the distance between the sensitive distribution of each record's class and of the file.

    For values without an order it is the variational distance,

    .. math:: t_i = \tfrac12 \sum_s |p_{is} - p_s|,

    for ordered values the earth mover's distance, relative to the range,

    .. math:: t_i = \sum_s \frac{v_{s+1} - v_s}{v_m - v_1} \Bigl|\sum_{r \le s} (p_{ir} - p_r)\Bigr|.

    Parameters
    ----------
    codes : array_like, shape (n, q)
        Codes of the key variables; a missing value matches every value.
    sensitive : array_like of int, shape (n,)
        Sensitive variable; missing values are not counted.
    positions : sequence of float, optional
        Positions of the values 0, 1, 2, ..., ascending, for an ordered variable: numeric values or ranks.

    Returns
    -------
    ndarray, shape (n,)
        From 0 to 1; 0 if all sensitive values of the class are missing. The file is t-close if no distance is
        above t.

    Raises
    ------
    ValueError
        If the positions are not ascending, or there are fewer positions than values.

    References
    ----------
    Li, Li and Venkatasubramanian 2007, sections 4.2 and 4.3.

    Examples
    --------
    Li et al. 2007, section 4.3: nine salaries from 3k to 11k. The class with 3k, 4k and 5k has the distance
    0.375, the class with 6k, 8k and 11k has 0.167.

    >>> codes, salary = [[0]] * 3 + [[1]] * 3 + [[2]] * 3, [0, 1, 2, 3, 5, 8, 4, 6, 7]
    >>> closeness(codes, salary, range(9)).round(3).tolist()[2:4]
    [0.375, 0.167]
    """
    counts, member = _counts(codes, sensitive)
    value = as_codes(sensitive)[:, 0]
    seen = np.unique(value[value != MISSING])
    whole = np.bincount(np.searchsorted(seen, value[value != MISSING])).astype(np.float64)
    apart = np.where(counts.any(axis=1, keepdims=True), _shares(counts) - whole / whole.sum(), 0.0)
    if positions is None:
        distance: Floats = 0.5 * np.abs(apart).sum(axis=1)
        return distance[member]
    position = np.asarray(positions, dtype=np.float64)
    if len(position) <= seen[-1] or (np.diff(position) <= 0).any():
        raise ValueError(
            "The positions must be increasing numbers, one for each value of the sensitive variable."
        )
    position = position[seen]
    if len(position) == 1:
        return np.zeros(len(member))
    step = np.diff(position) / (position[-1] - position[0])
    carried: Floats = np.abs(apart.cumsum(axis=1)[:, :-1]) @ step
    return carried[member]


def _shares(counts: Floats) -> Floats:
    total = counts.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)
    return shares


def _counts(codes: ArrayLike, sensitive: ArrayLike) -> tuple[Floats, Whole]:
    """Return the counts of sensitive values per class, shape (classes, values), and the class of each record."""
    array, value = as_codes(codes), as_codes(sensitive)[:, 0]
    if len(array) != len(value):
        raise ValueError(
            f"There are {len(array)} records but {len(value)} sensitive values; the numbers must be equal."
        )
    known = value != MISSING
    if not known.any():
        raise ValueError("All sensitive values are missing; at least one is required.")
    first, member, _ = distinct(array)
    values, code = np.unique(value[known], return_inverse=True)
    cell = member[known] * len(values) + code
    counts = np.bincount(cell, minlength=len(first) * len(values)).astype(np.float64)
    counts = counts.reshape(len(first), len(values))
    if array.min() == MISSING:
        keys = array[first]
        counts = np.stack([matches(keys, keys, column) for column in counts.T], axis=1)
    return counts, member
