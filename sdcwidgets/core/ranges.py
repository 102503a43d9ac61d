"""What values that are known within a range only give away about the cells of a table.

Each published value stands for a range of true ones: the base of a rounding tells that the truth is less than
a base away, a gap that it is at least 0. The sum of such ranges over a row need not be the range of its
margin, and where it isn't, the margin tells more about the cells than they do themselves.
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
    r"""Bounds of the cells of a table of which margins and cells are known within ranges.

    The least and the greatest value of each cell over all tables :math:`n \ge 0` with

    .. math:: l_m \le \sum_{i \in m} n_i \le u_m

    for every published value :math:`m`, rounded inwards to whole numbers.

    Parameters
    ----------
    shape : tuple of int
        The table's.
    known : mapping of tuple of int to pair of array_like
        Lower and upper bound of each value, for each published set of axes; all axes are the cells, () the
        total. A bound may be infinite.
    sharp : bool
        Whether linear programming follows the shuttle algorithm. Without it the bounds hold, but some may
        be wider than needed.
    occupied : sequence of array_like of int
        Groups of cells that hold at least one person, by their places in the flat table.

    Returns
    -------
    Bounds
        Float arrays of the shape of the table; an upper bound is infinite where nothing limits a cell.

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
    Random rounding to base 5 publishes 0 and 5, and for their total 0. The truth is less than 5 away from
    each, so the total is at most 4, and the cells are less than they seem:

    >>> lower, upper = cells_within((2,), {(0,): ([0, 1], [4, 9]), (): (0, 4)})
    >>> lower.tolist(), upper.tolist()
    ([0.0, 1.0], [3.0, 4.0])
    """
    every = tuple(range(len(shape)))
    lower, upper = np.zeros(shape), np.full(shape, np.inf)
    rows: _Rows = {}
    for axes, (low, high) in known.items():
        order = tuple(sorted(axes))
        spread = [shape[a] if a in axes else 1 for a in every]
        turn = np.argsort(axes).astype(int)
        pair = [np.transpose(np.asarray(x, dtype=np.float64), turn).reshape(spread) for x in (low, high)]
        pair = [np.ceil(pair[0] - 1e-9) + 0.0, np.floor(pair[1] + 1e-9)]
        if order == every:
            lower, upper = np.maximum(lower, pair[0]), np.minimum(upper, pair[1])
        else:
            rows[order] = (np.maximum(pair[0], 0), pair[1])
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
    """Return lower bounds of cells that alone can hold the person of a group, and the groups that stay open."""
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
    """Return the bounds after rounds of the shuttle algorithm."""
    for _ in range(MOST_ROUNDS):
        before = lower, upper
        for axes, (low, high) in rows.items():
            others = tuple(a for a in range(lower.ndim) if a not in axes)
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
    """Return the bounds that linear programming gives."""
    from scipy import sparse

    tells = {}
    for axes, (low, high) in rows.items():
        others = tuple(a for a in range(len(shape)) if a not in axes)
        # A row says something where the sum of the cells' ranges is not within its own.
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
