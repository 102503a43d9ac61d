"""Bounds of the cells of a table, given ranges of its published values.

Each published value corresponds to a range of original values: a rounded value differs by less than the base,
and a suppressed count is at least 0. The sum of the ranges over a row can be wider than the range of its
margin. The margin then narrows the ranges of the cells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Floats, Whole
from ._linear import CONTRADICTION, equations, extremes, sums_of
from .bounds import MOST_ROUNDS, Bounds

__all__ = ["cells_within"]

Ranges: TypeAlias = Mapping[tuple[int, ...], tuple[ArrayLike, ArrayLike]]
_Rows: TypeAlias = dict[tuple[int, ...], tuple[Floats, Floats]]


def cells_within(
    shape: tuple[int, ...], known: Ranges, *, sharp: bool = True, occupied: Sequence[ArrayLike] = ()
) -> Bounds:
    r"""Return bounds of the cells of a table, given ranges of its margins and cells.

    The bounds of a cell are its least and greatest value over all tables :math:`n \ge 0` with

    .. math:: l_m \le \sum_{i \in m} n_i \le u_m

    for every published value :math:`m`, rounded inwards to whole numbers.

    Parameters
    ----------
    shape : tuple of int
        Shape of the table.
    known : mapping of tuple of int to pair of array_like
        Lower and upper bound of each published value, for each set of axes that a margin keeps: all axes are
        the cells, () the total. Bounds may be infinite.
    sharp : bool
        Run linear programs after the shuttle algorithm. If False, the bounds are valid, but not always sharp.
    occupied : sequence of array_like of int
        Groups of cells that contain at least one person, as positions in the flattened table.

    Returns
    -------
    Bounds
        Float arrays with the shape of the table; an upper bound is infinite if nothing limits the cell.

    Raises
    ------
    ValueError
        If no table is within all ranges.

    References
    ----------
    Buzzigoli and Giusti 1999 (the shuttle algorithm); handbook, chapter 5, section 5.5.1.2 (the interval of
    a rounded value).

    Examples
    --------
    Random rounding to base 5 publishes 0 and 5, and the total as 0. Each original value differs by less than 5,
    so the total is at most 4. This narrows the ranges of the cells:

    >>> lower, upper = cells_within((2,), {(0,): ([0, 1], [4, 9]), (): (0, 4)})
    >>> lower.tolist(), upper.tolist()
    ([0.0, 1.0], [3.0, 4.0])
    """
    every = tuple(range(len(shape)))
    lower, upper = np.zeros(shape), np.full(shape, np.inf)
    rows: _Rows = {}
    for axes, (low, high) in known.items():
        order = tuple(sorted(axes))
        spread = [shape[axis] if axis in axes else 1 for axis in every]
        turn = np.argsort(axes).astype(int)
        least = np.transpose(np.asarray(low, dtype=np.float64), turn).reshape(spread)
        most = np.transpose(np.asarray(high, dtype=np.float64), turn).reshape(spread)
        least, most = np.ceil(least - 1e-9) + 0.0, np.floor(most + 1e-9)
        if order == every:
            lower, upper = np.maximum(lower, least), np.minimum(upper, most)
        else:
            rows[order] = (np.maximum(least, 0), most)
    lower, upper = _propagate(rows, lower, upper)
    groups = [np.asarray(group, dtype=np.int64) for group in occupied]
    while groups:
        lower, groups, changed = _fill(groups, lower, upper)
        if not changed:
            break
        lower, upper = _propagate(rows, lower, upper)
    if np.any(lower > upper):
        raise ValueError(CONTRADICTION)
    return _sharpen(shape, rows, groups, lower, upper) if sharp else Bounds(lower, upper)


def _fill(groups: list[Whole], lower: Floats, upper: Floats) -> tuple[Floats, list[Whole], bool]:
    """Return lower bounds, raised if one cell of a group must hold its person, and the open groups."""
    filled, open_, changed = lower.copy(), [], False
    for group in groups:
        if filled.flat[group].sum() >= 1:
            continue
        room = group[upper.flat[group] > 0]
        if len(room) == 0:
            raise ValueError(CONTRADICTION)
        if len(room) == 1:
            filled.flat[room] = 1
            changed = True
        else:
            open_.append(group)
    return filled, open_, changed


def _propagate(rows: _Rows, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """Return the bounds after the shuttle algorithm."""
    for _ in range(MOST_ROUNDS):
        before = lower, upper
        for axes, (low, high) in rows.items():
            others = tuple([axis for axis in range(lower.ndim) if axis not in axes])
            rest = lower.sum(axis=others, keepdims=True) - lower
            upper = np.minimum(upper, high - rest)
            endless = np.isinf(upper)
            finite = np.where(endless, 0, upper)
            rest = finite.sum(axis=others, keepdims=True) - finite
            others_endless = endless.sum(axis=others, keepdims=True) - endless
            lower = np.maximum(lower, np.where(others_endless > 0, -np.inf, low - rest))
            if np.any(lower > upper):
                return lower, upper
        if np.array_equal(before[0], lower) and np.array_equal(before[1], upper):
            break
    return lower, upper


def _sharpen(
    shape: tuple[int, ...], rows: _Rows, groups: list[Whole], lower: Floats, upper: Floats
) -> Bounds:
    """Return the bounds after linear programming."""
    from scipy import sparse

    tells = {}
    for axes, (low, high) in rows.items():
        others = tuple(axis for axis in range(len(shape)) if axis not in axes)
        # A margin restricts the cells if the sum of their ranges is not within its own range.
        more = (lower.sum(axis=others, keepdims=True) < low) | (upper.sum(axis=others, keepdims=True) > high)
        if more.any():
            tells[axes] = (np.where(more, low, np.nan), np.where(more, high, np.nan))
    unknown = np.flatnonzero((lower < upper).ravel())
    if not (tells or groups) or not unknown.size:
        return Bounds(lower, upper)
    matrix, low, high = sums_of(groups, lower.size), np.ones(len(groups)), np.full(len(groups), np.inf)
    if tells:
        of_margins, least = equations(shape, {axes: pair[0] for axes, pair in tells.items()})
        most = equations(shape, {axes: pair[1] for axes, pair in tells.items()})[1]
        matrix = sparse.vstack([of_margins, matrix], format="csr")
        low, high = np.concatenate([least, low]), np.concatenate([most, high])
    known = np.where(lower < upper, 0, lower).ravel()
    low, high = low - matrix @ known, high - matrix @ known
    matrix = matrix[:, unknown]
    used = np.flatnonzero(np.diff(matrix.indptr))
    matrix, low, high = matrix[used], low[used], high[used]
    ends = extremes(matrix, (low, high), lower.ravel()[unknown], upper.ravel()[unknown])
    sharp_lower, sharp_upper = lower.copy(), upper.copy()
    sharp_lower.flat[unknown] = np.ceil(ends[0] - 1e-6) + 0.0
    sharp_upper.flat[unknown] = np.floor(ends[1] + 1e-6)
    return Bounds(sharp_lower, sharp_upper)
