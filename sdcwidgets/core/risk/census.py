"""Risk measures of census offices: group attribute disclosure, small cells, and who can be told from whom.

Where a table is one of many, ``axis`` says along which axes of the table a slice runs: in a table of rows and
columns 1 is for rows, 0 for columns. References: PSD 2014, section 4; thesis, section 2.3.2.2.1 (Frank
1976, 1978; Smith and Elliot 2008); handbook chapter 5, sections 5.2 and 5.9 (Lupp and Langsrud 2021).
"""

from __future__ import annotations

from collections import Counter
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._arrays import Axis, Floats, Numbers, as_counts, axes_of, cells_last, plain

__all__ = [
    "Disclosures",
    "Ratio",
    "directly_disclosive",
    "disclosures",
    "frank_bound",
    "frank_scenarios",
    "gad",
    "mean_cell_size",
    "sap",
    "small_cell_ratio",
    "small_cells",
    "threshold_rule",
    "wgad",
]

Flags = NDArray[np.bool_]


class Ratio(NamedTuple):
    """A share of cases, with the number of cases, since 0 of none is printed as 0."""

    value: Floats
    """The share; 0 where there was no case."""
    cases: NDArray[np.int64]
    """How many slices or cells the share is of."""

    def __float__(self) -> float:
        return float(self.value)


def gad(F: ArrayLike, G: ArrayLike, axis: Axis = -1, *, stayed: ArrayLike | None = None) -> Ratio:
    """Group attribute disclosure: the share of slices with all people in one cell that are published so.

    Without `stayed` the measure is GAD* of PSD 2014, from counts alone: the same single cell is populated
    before and after. With it the measure is GAD: the cell must also hold the same people.

    Parameters
    ----------
    F : array_like, shape (*table)
        The original table.
    G : array_like, shape (*batch, *table)
        Protected tables.
    axis : int, tuple of int or None
        Axes of the table that a slice runs along.
    stayed : array_like, shape (*batch, *table), optional
        How many people are in this cell both before and after, where a method follows them: the diagonal of
        the counts from cell to cell.

    Returns
    -------
    Ratio
        Between 0 and 1, of the batch's shape; its cases are the slices of F with one populated cell.

    References
    ----------
    PSD 2014, section 4.

    Examples
    --------
    >>> gad([[3, 0], [0, 5], [1, 1]], [[3, 0], [3, 3], [0, 2]], axis=1)
    Ratio(value=np.float64(0.5), cases=np.int64(2))
    """
    return _disclosed(F, G, axis, stayed, populated=1)


def wgad(F: ArrayLike, G: ArrayLike, axis: Axis = -1, *, stayed: ArrayLike | None = None) -> Ratio:
    """Within group attribute disclosure: the share of slices where one person sees all others that stay so.

    These slices have two populated cells, at least one of them a 1, whose person learns where all others
    are. In the protected slice the same two cells are populated and one is a 1. Without `stayed` the
    measure is WGAD* of PSD 2014; with it both cells must also hold the same people, and the measure is
    WGAD. Parameters as for `gad`.

    References
    ----------
    PSD 2014, section 4.

    Examples
    --------
    >>> wgad([[5, 1], [4, 1]], [[6, 1], [3, 3]], axis=1)
    Ratio(value=np.float64(0.5), cases=np.int64(2))
    """
    return _disclosed(F, G, axis, stayed, populated=2)


def _disclosed(F: ArrayLike, G: ArrayLike, axis: Axis, stayed: ArrayLike | None, populated: int) -> Ratio:
    before = as_counts(F)
    axes = tuple(a - before.ndim for a in axes_of(axis, before.ndim))
    first = cells_last(before, axes).reshape(-1, int(np.prod([before.shape[a] for a in axes], dtype=int)))
    concerned = np.sum(first > 0, axis=-1) == populated
    if populated == 2:
        concerned &= np.any(first == 1, axis=-1)
    first = first[concerned]
    second = _concerned(before, G, "G", axes, concerned)
    same = np.all((second > 0) == (first > 0), axis=-1)
    if populated == 2:
        same &= np.any(second == 1, axis=-1)
    if stayed is not None:
        followed = _concerned(before, stayed, "stayed", axes, concerned)
        same &= np.all((followed == first) & (followed == second), axis=-1)
    return _ratio(np.sum(same, axis=-1), np.full(same.shape[:-1], len(first)))


def _concerned(before: Numbers, G: ArrayLike, name: str, axes: tuple[int, ...], concerned: Flags) -> Numbers:
    """Return the slices of protected tables that are concerned, of shape (*batch, slices, cells)."""
    after = as_counts(G, name)
    if after.shape[after.ndim - before.ndim :] != before.shape:
        raise ValueError(
            f"F has the shape {before.shape} and {name} {after.shape}: {name} must end in the shape of F."
        )
    cells = cells_last(after, axes)
    batch = after.shape[: after.ndim - before.ndim]
    slices: Numbers = cells.reshape(*batch, -1, cells.shape[-1])[..., concerned, :]
    return slices


def _ratio(numerator: ArrayLike, denominator: ArrayLike) -> Ratio:
    cases = np.asarray(denominator, dtype=np.int64)
    return Ratio(plain(np.asarray(numerator) / np.maximum(cases, 1)), cases[()])


def small_cell_ratio(F: ArrayLike, G: ArrayLike, axis: Axis = None) -> Ratio:
    r"""DR: the share of the published ones and twos that are true.

    .. math:: DR = \frac{|D_1 \cap E_1| + |D_2 \cap E_2|}{|E_1 \cup E_2|}

    with D1, D2 the cells of 1 and 2 in F, and E1, E2 in G.

    Parameters
    ----------
    F, G : array_like
        Counts before and after, of shapes that broadcast.
    axis : int, tuple of int or None
        The axes that a table consists of.

    Returns
    -------
    Ratio
        Between 0 and 1; its cases are the ones and twos of G.

    References
    ----------
    PSD 2014, section 4.

    Examples
    --------
    >>> small_cell_ratio([1, 2, 2, 7], [1, 2, 1, 7])
    Ratio(value=np.float64(0.6666666666666666), cases=np.int64(3))
    """
    before, after = np.broadcast_arrays(as_counts(F), as_counts(G, "G"))
    axes = axes_of(axis, after.ndim)
    small = (after == 1) | (after == 2)
    return _ratio(np.sum(small & (before == after), axis=axes), np.sum(small, axis=axes))


def small_cells(F: ArrayLike, axis: Axis = None) -> Floats:
    """Share of cells with a count of 1 or 2, between 0 and 1 (thesis, section 3.5.1).

    Examples
    --------
    >>> float(small_cells([0, 1, 2, 7]))
    0.5
    """
    counts = as_counts(F)
    return plain(np.mean((counts == 1) | (counts == 2), axis=axes_of(axis, counts.ndim)))


def mean_cell_size(F: ArrayLike, axis: Axis = None) -> Floats:
    """Mean cell size N/K, in people (thesis, section 3.5.1).

    Examples
    --------
    >>> float(mean_cell_size([0, 2, 4]))
    2.0
    """
    counts = as_counts(F)
    return plain(np.mean(counts, axis=axes_of(axis, counts.ndim)))


def threshold_rule(F: ArrayLike, limit: float = 2) -> Flags:
    """Cells at risk by the threshold rule (PSD 2014, section 1): populated, with a count of at most `limit`.

    Examples
    --------
    >>> threshold_rule([0, 1, 2, 3]).tolist()
    [False, True, True, False]
    """
    counts = as_counts(F)
    flags: Flags = (counts > 0) & (counts <= limit)
    return flags


def frank_scenarios(F: ArrayLike, axis: Axis = -1) -> Flags:
    """Frank's three scenarios of disclosure, for each slice.

    1. One person is in the slice: who identifies them learns their cell.
    2. Two people are in it, in different cells: each learns the other's.
    3. Two cells are populated and one is a 1: its person learns the cell of all others. The second scenario
    is
       a case of this one.

    Parameters
    ----------
    F : array_like
        Counts.
    axis : int, tuple of int or None
        The axes that a slice runs along.

    Returns
    -------
    ndarray of bool, shape (..., 3)
        Whether each scenario holds.

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
    r"""Greatest entropy that a table can take away from an intruder's prior disclosure set, in nats.

    .. math:: 0 \le H(\mathcal D_A) - H(\mathcal D_B) \le \log\Bigl(1 + \sum_i (2^{F_i} - 1)\Bigr)

    A is the random set of people that the intruder knows before, B the set known after the table is
    published.

    Parameters
    ----------
    F : array_like
        Counts.
    axis : int, tuple of int or None
        The axes that a table consists of.

    Returns
    -------
    ndarray
        The bound, between 0 (nobody) and :math:`N \log 2` (all in one cell).

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
    # Divided by the greatest power of 2, so that no power overflows.
    total = np.sum(np.exp2(cells - top) - np.exp2(-top), axis=-1, keepdims=True) + np.exp2(-top)
    return plain((np.log(total) + top * np.log(2))[..., 0])


def directly_disclosive(table: ArrayLike, k: float = 1, *, sensitive: Axis = None) -> Flags:
    r"""Cells that tell a coalition of k contributors where all others are.

    A cell c is directly disclosive if it contributes to a margin :math:`p_c`, summed over a sensitive
    variable, with
    :math:`|p_c| - k \le |c|`.

    Parameters
    ----------
    table : array_like
        Published counts.
    k : int
        How many contributors the attacker knows; 0 is an attacker who knows nobody.
    sensitive : int, tuple of int or None
        The axes of the sensitive variables; each is summed over by itself. Default: every axis.

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
    """
    if not k >= 0:
        raise ValueError(f"The size k of the coalition must be 0 or more, not {k}.")
    counts = as_counts(table)
    axes = axes_of(sensitive, counts.ndim)
    flags: Flags = np.any([counts.sum(axis=a, keepdims=True) - k <= counts for a in axes], axis=0)
    return flags


class Disclosures(NamedTuple):
    """What a table discloses: the first for each cell, the others for each slice."""

    identification: Flags
    """A cell of 1: its person can be identified."""
    attribute: Flags
    """A slice with one person, whose other attribute is told."""
    group_attribute: Flags
    """A slice whose two or more people are all in one cell (or in at most `most` cells)."""
    within_group: Flags
    """A slice with two populated cells, one of them a 1, whose person learns where all others are."""


def disclosures(F: ArrayLike, axis: Axis = -1, *, most: int = 1) -> Disclosures:
    """Disclosures of the handbook, for each cell and slice.

    Parameters
    ----------
    F : array_like
        Counts.
    axis : int, tuple of int or None
        The axes that a slice runs along.
    most : int
        Group attribute disclosure is told up to this number of populated cells.

    Returns
    -------
    Disclosures

    References
    ----------
    Handbook chapter 5, section 5.2.

    Examples
    --------
    Table 5.3 of the handbook: all married people work full time, and the one divorced person in part time
    knows that all other divorced people work full time.

    >>> flags = disclosures([[6, 0], [5, 1], [2, 2]])
    >>> flags.group_attribute.tolist(), flags.within_group.tolist()
    ([True, False, False], [False, True, False])
    """
    counts = as_counts(F)
    cells = cells_last(counts, axis)
    N, populated = cells.sum(axis=-1), np.sum(cells > 0, axis=-1)
    return Disclosures(
        identification=counts == 1,
        attribute=N == 1,
        group_attribute=(N > 1) & (populated <= most),
        within_group=(populated == 2) & np.any(cells == 1, axis=-1),
    )


def sap(F: ArrayLike, known: int) -> float:
    r"""Subtraction-attribution probability: the chance that an intruder empties a cell by subtraction.

    The intruder knows a random `known` of the N people and subtracts them from the table. Where a cell
    becomes empty, everyone else is known not to be in it. The number of sets of people that empty no cell
    is the coefficient of :math:`x^{known}` in :math:`\prod_i ((1+x)^{F_i} - x^{F_i})`; it is counted exactly.

    Parameters
    ----------
    F : array_like
        Counts of one table, whole numbers.
    known : int
        How many people the intruder knows, 0 to N.

    Returns
    -------
    float
        The probability; 1 if the table has a zero, for which no subtraction is needed.

    Raises
    ------
    ValueError
        If `known` is not between 0 and N.

    References
    ----------
    Smith and Elliot 2008; thesis, section 2.3.2.2.1.

    Examples
    --------
    Of the six sets of two people, one is the pair in the first cell and one the pair in the second.

    >>> round(sap([2, 2], 2), 4)
    0.3333
    """
    sizes = Counter(as_counts(F).astype(np.int64).ravel().tolist())
    N = sum(size * cells for size, cells in sizes.items())
    if not 0 <= known <= N:
        raise ValueError(f"The intruder must know between 0 and {N} of the people, not {known}.")
    if sizes[0]:
        return 1.0
    # A cell of more people than the intruder knows can't be emptied: only its size matters.
    product = _binomial_powers(sum(s * c for s, c in sizes.items() if s > known), known)
    for size, cells in sizes.items():
        if size <= known:
            factor = [comb(size, i) for i in range(size)]
            for bit in f"{cells:b}"[::-1]:
                if bit == "1":
                    product = _product(product, factor, known)
                factor = _product(factor, factor, known)
    total = comb(N, known)
    return float((total - product[known]) / total) if known < len(product) else 1.0


def _binomial_powers(size: int, degree: int) -> list[int]:
    return [comb(size, i) for i in range(min(size, degree) + 1)]


def _product(left: list[int], right: list[int], degree: int) -> list[int]:
    """Multiply two polynomials with whole coefficients, up to a degree."""
    result = [0] * min(len(left) + len(right) - 1, degree + 1)
    for i, a in enumerate(left[: degree + 1]):
        for j, b in enumerate(right[: degree + 1 - i]):
            result[i + j] += a * b
    return result
