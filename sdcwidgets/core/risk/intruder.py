"""Disclosure to an intruder who knows some of the people in a table.

References: Frank 1976 and 1978, Smith and Elliot 2008 (thesis, section 2.3.2.2.1); Lupp and Langsrud 2021
(handbook chapter 5, section 5.9).
"""

from __future__ import annotations

from collections import Counter
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Axis, Flags, Floats, as_counts, axes_of, cells_last, plain


def frank_scenarios(F: ArrayLike, axis: Axis = -1) -> Flags:
    """Return which of Frank's three disclosure scenarios hold in each slice.

    1. The slice has one person: anyone who identifies this person learns the cell.
    2. The slice has two people in different cells: each learns the other's cell.
    3. Two cells are populated and one count is 1: this person learns the cell of all others. The second
       scenario is a special case.

    Parameters
    ----------
    F : array_like
        Counts.
    axis : int, tuple of int or None
        The axes of the table within a slice.

    Returns
    -------
    ndarray of bool, shape (..., 3)
        Mask of the three scenarios.

    References
    ----------
    Frank 1976; thesis, section 2.3.2.2.1.

    Examples
    --------
    >>> frank_scenarios([[0, 1, 0], [1, 1, 0], [6, 1, 0], [2, 2, 0]]).astype(int).tolist()
    [[1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 0, 0]]
    """
    cells = cells_last(as_counts(F), axis)
    N, populated = cells.sum(axis=-1), np.sum(cells > 0, axis=-1)
    pair = populated == 2
    return np.stack([N == 1, pair & (N == 2), pair & np.any(cells == 1, axis=-1)], axis=-1)


def frank_bound(F: ArrayLike, axis: Axis = None) -> Floats:
    r"""Return the maximum entropy that a table can remove from an intruder's prior disclosure set, in nats.

    .. math:: 0 \le H(\mathcal D_A) - H(\mathcal D_B) \le \log\Bigl(1 + \sum_i (2^{F_i} - 1)\Bigr)

    A is the random set of people that the intruder knows before publication, and B the set known after
    publication.

    Parameters
    ----------
    F : array_like
        Counts.
    axis : int, tuple of int or None
        The axes of the table; the other axes are a batch.

    Returns
    -------
    ndarray
        From 0 (no people) to :math:`N \log 2` (all people in one cell).

    References
    ----------
    Frank 1978; thesis, section 2.3.2.2.1.

    Examples
    --------
    >>> round(float(frank_bound([0, 2, 4])), 4)
    2.9444
    """
    cells = cells_last(as_counts(F), axis)
    top = cells.max(axis=-1, keepdims=True).astype(np.float64)
    # Divide by the largest power of 2, so that no power overflows.
    total = np.sum(np.exp2(cells - top) - np.exp2(-top), axis=-1, keepdims=True) + np.exp2(-top)
    return plain((np.log(total) + top * np.log(2))[..., 0])


def directly_disclosive(table: ArrayLike, k: float = 1, *, sensitive: Axis = None) -> Flags:
    r"""Return a mask of the cells in which a coalition of k can locate all other people of a margin.

    A cell c is directly disclosive if it belongs to a margin :math:`p_c`, summed over a sensitive variable, with
    :math:`|p_c| - k \le |c|`. In addition, the margin must have more people than the coalition, and the cell at
    least one: :math:`|p_c| > k` and :math:`|c| > 0`. Otherwise there is nobody to disclose.

    Parameters
    ----------
    table : array_like
        Published counts.
    k : int
        Number of contributors that the attacker knows; 0 for an attacker who knows nobody.
    sensitive : int, tuple of int or None
        The axes of the sensitive variables; each is summed over separately. Default: every axis.

    Returns
    -------
    ndarray of bool, the table's shape
        Its mean is the share of directly disclosive cells.

    Raises
    ------
    ValueError
        If k is negative.

    References
    ----------
    Lupp and Langsrud 2021; handbook chapter 5, section 5.9.

    Examples
    --------
    >>> directly_disclosive([[6, 0], [5, 1], [2, 2]], k=1, sensitive=1).tolist()
    [[True, False], [True, False], [False, False]]

    An empty line, or a line that contains only the coalition, discloses nothing about other people:

    >>> directly_disclosive([[0, 0], [1, 0]], k=1, sensitive=1).tolist()
    [[False, False], [False, False]]
    """
    if not k >= 0:
        raise ValueError(f"The size k of the coalition must be 0 or more, not {k}.")
    counts = as_counts(table)
    axes = axes_of(sensitive, counts.ndim)
    sums = [counts.sum(axis=k, keepdims=True) for k in axes]
    flags: Flags = np.any([(line - k <= counts) & (line > k) & (counts > 0) for line in sums], axis=0)
    return flags


def sap(F: ArrayLike, known: int) -> float:
    r"""Return the probability that an intruder empties a cell by subtraction (SAP).

    The intruder knows a random set of `known` of the N people and subtracts them from the table. If a cell
    becomes empty, nobody else is in it. The number of sets that empty no cell is the coefficient of
    :math:`x^{known}` in :math:`\prod_i ((1+x)^{F_i} - x^{F_i})`; it is computed exactly.

    Parameters
    ----------
    F : array_like
        Counts of one table, whole numbers.
    known : int
        Number of people that the intruder knows, from 0 to N.

    Returns
    -------
    float
        The subtraction-attribution probability; 1 if the table has a zero, because no subtraction is needed.

    Raises
    ------
    ValueError
        If `known` is not in [0, N].

    References
    ----------
    Smith and Elliot 2008; thesis, section 2.3.2.2.1.

    Examples
    --------
    Of the six sets of two people, one empties the first cell and one the second.

    >>> round(sap([2, 2], 2), 4)
    0.3333
    """
    sizes = Counter(as_counts(F).astype(np.int64).ravel().tolist())
    N = sum(size * cells for size, cells in sizes.items())
    if not 0 <= known <= N:
        raise ValueError(f"The number of people that the intruder knows must be from 0 to {N}, not {known}.")
    if sizes[0]:
        return 1.0
    # A cell with more people than the intruder knows cannot be emptied, so only the total of these cells
    # matters.
    product = _binomial_powers(sum(size * number for size, number in sizes.items() if size > known), known)
    for size, cells in sizes.items():
        if size <= known:
            factor = [comb(size, i) for i in range(size)]
            for bit in f"{cells:b}"[::-1]:
                if bit == "1":
                    product = _product(product, factor, known)
                factor = _product(factor, factor, known)
    total = comb(N, known)
    return float((total - product[known]) / total) if known < len(product) else 1.0


def sap_slices(cells: ArrayLike, known: int) -> Floats:
    """Return `sap` of many tables, in floating-point arithmetic.

    Parameters
    ----------
    cells : array_like, shape (..., K)
        Counts; the last axis contains the cells of a table.
    known : int
        Number of people that the intruder knows.

    Returns
    -------
    ndarray, shape (...)
        Probabilities; nan for a table with fewer than `known` people.

    Raises
    ------
    ValueError
        If `known` is negative.

    Examples
    --------
    >>> sap_slices([[2, 2], [5, 0], [1, 0]], 2).round(4).tolist()
    [0.3333, 1.0, nan]
    """
    if known < 0:
        raise ValueError(f"The number of people that the intruder knows must be 0 or more, not {known}.")
    counts = np.asarray(as_counts(cells), dtype=np.float64)
    # Coefficients of (1 + x)^F - x^F: numbers of sets that do not empty the cell.
    choices = _choose(counts, known)
    for degree in range(1, known + 1):
        choices[degree] -= counts == degree
    # The product over cells is the exponential of the sum of their logarithms (power series).
    logs = np.zeros((known + 1, *counts.shape[:-1]))
    each = np.zeros_like(choices)
    for n in range(1, known + 1):
        each[n] = choices[n] - sum(k * each[k] * choices[n - k] for k in range(1, n)) / n
        logs[n] = each[n].sum(axis=-1)
    product = np.ones_like(logs)
    for n in range(1, known + 1):
        product[n] = sum(k * logs[k] * product[n - k] for k in range(1, n + 1)) / n
    ways = _choose(counts.sum(axis=-1), known)[known]
    with np.errstate(divide="ignore", invalid="ignore"):
        chance = np.where((counts == 0).any(axis=-1), 1.0, np.clip(1 - product[known] / ways, 0, 1))
        return plain(np.where(ways > 0, chance, np.nan))


def _choose(sizes: Floats, most: int) -> Floats:
    """Return the binomial coefficients of 0 to `most` from each size."""
    binomials = np.ones((most + 1, *sizes.shape))
    for k in range(1, most + 1):
        binomials[k] = binomials[k - 1] * np.maximum(sizes - k + 1, 0) / k
    return binomials


def _binomial_powers(size: int, degree: int) -> list[int]:
    return [comb(size, i) for i in range(min(size, degree) + 1)]


def _product(first: list[int], second: list[int], degree: int) -> list[int]:
    """Multiply two polynomials with integer coefficients, up to a degree."""
    result = [0] * min(len(first) + len(second) - 1, degree + 1)
    for i, coefficient in enumerate(first[: degree + 1]):
        for j, other in enumerate(second[: degree + 1 - i]):
            result[i + j] += coefficient * other
    return result
