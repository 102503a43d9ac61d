"""Risk measures of census offices: group attribute disclosure, small cells and thresholds.

`axis` contains the axes of the table within a slice: in a table of rows and columns, 1 gives rows and 0 gives
columns. References: PSD 2014, section 4; handbook chapter 5, section 5.2. For intruders who know some of the
people see `intruder`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Axis, Flags, Floats, Numbers, Whole, as_counts, axes_of, cells_last, plain
from .intruder import directly_disclosive, frank_bound, frank_scenarios, sap

__all__ = [
    "Ratio",
    "directly_disclosive",
    "frank_bound",
    "frank_scenarios",
    "gad",
    "mean_cell_size",
    "sap",
    "small_cells",
    "wgad",
]


class Ratio(NamedTuple):
    """Share of cases together with the number of cases, because the share of no cases is set to 0."""

    value: Floats
    """The share; 0 if there are no cases."""
    cases: Whole
    """Number of slices or cells in the denominator."""

    def __float__(self) -> float:
        return float(self.value)


def gad(F: ArrayLike, G: ArrayLike, axis: Axis = -1, *, stayed: ArrayLike | None = None) -> Ratio:
    """Measure group attribute disclosure (GAD): slices that still show all people in one cell.

    A slice counts if all its people are in one cell of F and the same single cell is populated in G. Without
    `stayed` the measure is GAD* of PSD 2014, from counts alone. With `stayed` the measure is GAD: the cell must
    also contain the same people.

    Parameters
    ----------
    F : array_like, shape (*table)
        Original counts.
    G : array_like, shape (*batch, *table)
        Protected tables.
    axis : int, tuple of int or None
        Axes of the table within a slice.
    stayed : array_like, shape (*batch, *table), optional
        Number of people who are in the cell both before and after, for methods that move single people: the
        diagonal of the matrix of moves.

    Returns
    -------
    Ratio
        From 0 to 1, with the batch's shape. The cases are the slices of F with one populated cell.

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
    """Measure within-group attribute disclosure (WGAD): slices where one person can infer all others.

    A slice counts if F has two populated cells, at least one of them with a count of 1. This person then knows
    the cell of all others. In G the same two cells must be populated, one of them with a count of 1. Without
    `stayed` the measure is WGAD* of PSD 2014. With `stayed` it is WGAD, and both cells must also contain the
    same people. Parameters as for `gad`.

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
    axes = tuple(k - before.ndim for k in axes_of(axis, before.ndim))
    first = cells_last(before, axes).reshape(-1, int(np.prod([before.shape[k] for k in axes], dtype=int)))
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
    """Return the selected slices of protected tables, with shape (*batch, slices, cells)."""
    after = as_counts(G, name)
    if after.shape[after.ndim - before.ndim :] != before.shape:
        raise ValueError(
            f"The original counts F have the shape {before.shape} and the published counts {name} the "
            f"shape {after.shape}; {name} must end in the shape of F."
        )
    # Select the few slices before the cells are moved to one axis, because that copies the array.
    batch, along = after.ndim - before.ndim, len(axes)
    moved = np.moveaxis(after, axes, range(-along, 0))
    selected = concerned.reshape(moved.shape[batch : moved.ndim - along])
    chosen = moved[(slice(None),) * batch + (selected,)]
    cells = math.prod(before.shape[k] for k in axes)
    return chosen.reshape(*after.shape[:batch], int(concerned.sum()), cells)


def _ratio(numerator: ArrayLike, denominator: ArrayLike) -> Ratio:
    cases = np.asarray(denominator, dtype=np.int64)
    return Ratio(plain(np.asarray(numerator) / np.maximum(cases, 1)), cases[()])


def small_cells(F: ArrayLike, axis: Axis = None) -> Floats:
    """Return the share of cells with a count of 1 or 2, from 0 to 1 (thesis, section 3.5.1).

    Examples
    --------
    >>> float(small_cells([0, 1, 2, 7]))
    0.5
    """
    counts = as_counts(F)
    return plain(np.mean((counts == 1) | (counts == 2), axis=axes_of(axis, counts.ndim)))


def mean_cell_size(F: ArrayLike, axis: Axis = None) -> Floats:
    """Return the mean cell size N/K, in people (thesis, section 3.5.1).

    Examples
    --------
    >>> float(mean_cell_size([0, 2, 4]))
    2.0
    """
    counts = as_counts(F)
    return plain(np.mean(counts, axis=axes_of(axis, counts.ndim)))
