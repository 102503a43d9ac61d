"""Find sums of cells that have the same value in every table that agrees with the published values.

Bounds of single cells are not enough: two suppressed cells can each be from 0 to 4 while their sum is 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import Floats, Sparse
from ._linear import CONTRADICTION, sums_of
from .ranges import cells_within

if TYPE_CHECKING:
    from scipy.optimize import Bounds

__all__ = ["always_zero", "among_tables", "fixed_sums", "of_table"]

#: Maximum number of nodes of the integer search; sums that are still open then count as determined.
MOST_NODES = 200


def fixed_sums(
    matrix: Sparse, low: Floats, high: Floats, lower: Floats, upper: Floats, sums: Sparse
) -> NDArray[np.bool_]:
    r"""Return which sums are constant over all feasible integer tables.

    Two tables maximise and minimise a sum of all sums with random weights. A sum with different values in these
    tables varies and is removed. If maximum and minimum are equal, the remaining sums are constant with
    probability 1.

    Parameters
    ----------
    matrix : sparse array, shape (numbers, unknowns)
        The unknowns that each published number sums.
    low : ndarray, shape (numbers,)
        Lower bound of each published number.
    high : ndarray, shape (numbers,)
        Upper bound of each published number.
    lower : ndarray, shape (unknowns,)
        Lower bound of each unknown.
    upper : ndarray, shape (unknowns,)
        Upper bound of each unknown, which may be infinite.
    sums : sparse array, shape (sums, unknowns)
        The sums to examine.

    Returns
    -------
    ndarray of bool, shape (sums,)
        True if the sum is constant. Sums are also True if the search reaches its limit before it shows that
        they vary.

    Raises
    ------
    ValueError
        If no feasible integer table exists.

    Examples
    --------
    Two suppressed cells in a row with the total 4: neither cell is determined, but their sum is.

    >>> from scipy import sparse
    >>> row, no = sparse.csr_array([[1.0, 1.0]]), np.zeros(2)
    >>> sums = sparse.csr_array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> fixed_sums(row, np.array([4.0]), np.array([4.0]), no, no + np.inf, sums).tolist()
    [False, False, True]
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    known = np.concatenate([low, high, lower, upper])
    far = 1 + float(np.abs(known[np.isfinite(known)]).sum())
    box = Bounds(lower, np.where(np.isfinite(upper), upper, far))
    # SciPy before 1.15 accepts only 32-bit indices.
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32)
    rules = [LinearConstraint(matrix, low, high)] if matrix.shape[0] else []
    weights = np.random.default_rng(1).uniform(1, 2, sums.shape[0])
    fixed = np.ones(sums.shape[0], dtype=bool)
    seen: Floats | None = None
    # The linear relaxation is fast, and its solutions are mostly integers. Next come integer solutions with a
    # large gap, and only the sums that are still open need the exact optimum.
    for whole, gap in ((0, 0.0), (1, 0.9), (1, 0.0)):
        while fixed.any():
            before, ends = fixed.copy(), []
            for sign in (-1, 1):
                solved = milp(
                    sign * (np.where(fixed, weights, 0) @ sums),
                    integrality=whole,
                    bounds=box,
                    constraints=rules,
                    options={"node_limit": MOST_NODES, "mip_rel_gap": gap},
                )
                if solved.status == 2:
                    raise ValueError(CONTRADICTION)
                if solved.x is None:
                    return fixed
                ends.append(solved.fun * sign)
                point = np.rint(solved.x)
                if not whole and not _fits(matrix, low, high, box, point):
                    continue
                values = np.rint(sums @ point)
                if seen is not None:
                    fixed &= values == seen
                seen = values if seen is None else seen
            if not gap and seen is not None and abs(ends[1] - ends[0]) < 1e-6:
                return fixed
            if np.array_equal(before, fixed):
                break
    return fixed


def always_zero(
    matrix: Sparse, low: Floats, high: Floats, lower: Floats, upper: Floats
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    r"""Return which unknowns are 0 in all feasible integer tables, and which remain undecided.

    A single linear program shows which unknowns can be positive in real numbers. Feasible numbers and all
    bounds may be multiplied by :math:`t \ge 1`, so that each unknown that can be positive is at least 1. For
    these unknowns, integer programs maximise the number of positive ones until no further unknown becomes
    positive.

    Parameters
    ----------
    matrix : sparse array, shape (numbers, unknowns)
        The unknowns that each published number sums.
    low : ndarray, shape (numbers,)
        Lower bound of each published number.
    high : ndarray, shape (numbers,)
        Upper bound of each published number.
    lower : ndarray, shape (unknowns,)
        Lower bound of each unknown, at least 0.
    upper : ndarray, shape (unknowns,)
        Upper bound of each unknown, which may be infinite.

    Returns
    -------
    never, open : ndarray of bool, shape (unknowns,)
        Unknowns that are always 0, and unknowns that are undecided because the search reached its limit.

    Raises
    ------
    ValueError
        If no feasible integer table exists.

    Examples
    --------
    At most one of each pair of three numbers is 1. A sum of 3/2 would be possible with halves, but not with
    integers.

    >>> from scipy import sparse
    >>> pairs = sparse.csr_array([[1.0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 0], [1, 1, 1, 1]])
    >>> low, high = np.array([0.0, 0, 0, 1]), np.array([1.0, 1, 1, 1])
    >>> [flags.tolist() for flags in always_zero(pairs, low, high, np.zeros(4), np.full(4, np.inf))]
    [[False, False, False, False], [False, False, False, False]]
    """
    from scipy import sparse
    from scipy.optimize import Bounds, LinearConstraint, milp

    size = len(lower)
    identity = sparse.eye_array(size, format="csr")
    # A count of positive unknowns: a variable per unknown, at most 1 and at most the unknown.
    counted = LinearConstraint(sparse.hstack([identity, -identity], format="csr"), 0, np.inf)
    known = sparse.vstack([matrix, identity], format="csr")
    ends = np.concatenate([low, lower]), np.concatenate([high, upper])
    sides = []
    for sign, end in zip((1, -1), ends, strict=True):
        rows = np.flatnonzero(np.isfinite(end))
        sides.append(sparse.hstack([sign * known[rows], sparse.csr_array(-sign * end[rows][:, None])]))
    both = sparse.vstack(sides)
    times = sparse.hstack([both[:, :-1], sparse.csr_array((both.shape[0], size)), both[:, -1:]], format="csr")
    above = sparse.hstack([counted.A, sparse.csr_array((size, 1))], format="csr")
    solved = milp(
        np.concatenate([np.zeros(size), -np.ones(size), [0.0]]),
        bounds=Bounds(
            np.repeat([0.0, 1.0], [2 * size, 1]), np.repeat([np.inf, 1.0, np.inf], [size, size, 1])
        ),
        constraints=[LinearConstraint(times, 0, np.inf), LinearConstraint(above, 0, np.inf)],
    )
    if solved.status == 2:
        raise ValueError(CONTRADICTION)
    open_ = np.ones(size, dtype=bool) if solved.x is None else solved.x[size:-1] > 0.5
    gone = ~open_
    for gap in (0.9, 0.0):
        while open_.any():
            solved = milp(
                np.concatenate([np.zeros(size), -open_.astype(float)]),
                integrality=np.repeat([1, 0], size),
                bounds=Bounds(
                    np.concatenate([lower, np.zeros(size)]), np.concatenate([upper, np.ones(size)])
                ),
                constraints=[
                    LinearConstraint(sparse.hstack([matrix, sparse.csr_array(matrix.shape)]), low, high),
                    counted,
                ],
                options={"node_limit": MOST_NODES, "mip_rel_gap": gap},
            )
            if solved.status == 2:
                raise ValueError(CONTRADICTION)
            seen = np.zeros(size, dtype=bool) if solved.x is None else open_ & (np.rint(solved.x[:size]) > 0)
            open_ &= ~seen
            if not seen.any():
                if solved.status == 0 and not gap:
                    return gone | open_, np.zeros(size, dtype=bool)
                break
    return gone, open_


def _fits(matrix: Sparse, low: Floats, high: Floats, box: Bounds, point: Floats) -> bool:
    """Return whether whole numbers satisfy the sums and the bounds."""
    sums = matrix @ point
    within = (sums >= low) & (sums <= high)
    return bool(within.all() and (point >= box.lb).all() and (point <= box.ub).all())


def among_tables(
    shape: tuple[int, ...],
    known: Mapping[tuple[int, ...], tuple[ArrayLike, ArrayLike]],
    sums: Sequence[ArrayLike],
    occupied: Sequence[ArrayLike] = (),
) -> NDArray[np.bool_]:
    """Return which sums of cells are constant, given ranges of the cells and margins of a table.

    Parameters
    ----------
    shape : tuple of int
        Shape of the table.
    known : mapping of tuple of int to pair of array_like
        As for `core.ranges.cells_within`, with the axes in ascending order.
    sums : sequence of array_like of int
        The cells of each sum, as positions in the flattened table.
    occupied : sequence of array_like of int
        Groups of cells that contain at least one person, as positions in the flattened table.

    Raises
    ------
    ValueError
        If no table agrees with the ranges.

    Examples
    --------
    A row has three suppressed cells, one visible cell of 7, and the published total 7:

    >>> lower, upper = [[0, 0, 0, 7]], [[2, 2, 2, 7]]
    >>> among_tables((1, 4), {(0, 1): (lower, upper), (0,): ([7], [7])}, [[0], [1], [2]]).tolist()
    [True, True, True]
    """
    rows, lows, highs, lower, upper = of_table(shape, known, occupied)
    size = len(lower)
    places = [np.asarray(cells, dtype=np.int64).ravel() for cells in sums]
    wanted = sums_of(places, size)
    if not rows.shape[0]:
        # No equation connects the cells, so each takes any value within its bounds.
        fixed: NDArray[np.bool_] = (wanted @ (lower < upper)) == 0
        return fixed
    free = np.flatnonzero(lower < upper)
    if not free.size:
        return np.ones(len(places), dtype=bool)
    rest = rows @ np.where(lower < upper, 0, lower)
    return fixed_sums(rows[:, free], lows - rest, highs - rest, lower[free], upper[free], wanted[:, free])


def of_table(
    shape: tuple[int, ...],
    known: Mapping[tuple[int, ...], tuple[ArrayLike, ArrayLike]],
    occupied: Sequence[ArrayLike] = (),
) -> tuple[Sparse, Floats, Floats, Floats, Floats]:
    """Return the equations and bounds of the cells of a table, as `fixed_sums` expects them.

    Parameters
    ----------
    shape : tuple of int
        Shape of the table.
    known : mapping of tuple of int to pair of array_like
        As for `core.ranges.cells_within`, with the axes in ascending order.
    occupied : sequence of array_like of int
        Groups of cells that contain at least one person, as positions in the flattened table.

    Returns
    -------
    matrix, low, high, lower, upper
        Margins and groups that restrict the cells further than their bounds do, and the bounds of the cells.

    Raises
    ------
    ValueError
        If no table agrees with the ranges.
    """
    from scipy import sparse

    lower, upper = (side.ravel() for side in cells_within(shape, known, sharp=False, occupied=occupied))
    rows, lows, highs = _telling(shape, known, lower, upper)
    if len(occupied):
        groups = sums_of([np.asarray(group, dtype=np.int64) for group in occupied], len(lower))
        groups = groups[np.flatnonzero(groups @ lower < 1)]
        rows = sparse.vstack([rows, groups], format="csr")
        lows = np.concatenate([lows, np.ones(groups.shape[0])])
        highs = np.concatenate([highs, np.full(groups.shape[0], np.inf)])
    return rows, lows, highs, lower, upper


def _telling(
    shape: tuple[int, ...],
    known: Mapping[tuple[int, ...], tuple[ArrayLike, ArrayLike]],
    lower: Floats,
    upper: Floats,
) -> tuple[Sparse, Floats, Floats]:
    """Return the matrix and the bounds of the margins that restrict the cells further than their bounds do."""
    from scipy import sparse

    cells = np.arange(int(np.prod(shape))).reshape(shape)
    blocks, lows, highs = [sparse.csr_array((0, cells.size))], [np.zeros(0)], [np.zeros(0)]
    for axes, (low, high) in known.items():
        if len(axes) == len(shape):
            continue
        spread = [shape[axis] if axis in axes else 1 for axis in range(len(shape))]
        low, high = (np.asarray(side, dtype=np.float64).ravel() for side in (low, high))
        row = np.broadcast_to(np.arange(len(low)).reshape(spread), shape).ravel()
        block = sparse.csr_array((np.ones(cells.size), (row, cells.ravel())), shape=(len(low), cells.size))
        says = (block @ lower < low) | (block @ upper > high)
        blocks.append(block[np.flatnonzero(says)])
        lows.append(np.ceil(low[says] - 1e-9))
        highs.append(np.floor(high[says] + 1e-9))
    return sparse.vstack(blocks, format="csr"), np.concatenate(lows), np.concatenate(highs)
