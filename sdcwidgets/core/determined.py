"""Which sums of the cells of a table are the same in every table of whole numbers that agrees with what is published.

Bounds of each cell by itself do not tell it: two hidden cells may each be anything from 0 to 4 while their sum is 4.
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

__all__ = ["among_tables", "determined", "never", "of_table"]

#: So many nodes of the search for whole numbers are looked at; what is open then counts as determined.
MOST_NODES = 200


def determined(
    matrix: Sparse, low: Floats, high: Floats, lower: Floats, upper: Floats, sums: Sparse
) -> NDArray[np.bool_]:
    r"""Return which sums have one value only in all whole numbers that fit.

    Of two tables that maximise and minimise a sum of all sums with random weights, each shows sums that vary. They are
    left out, until both are of one value: then no other one is possible, but by a chance of 0.

    Parameters
    ----------
    matrix : sparse array, shape (numbers, unknowns)
        Which unknowns each published number is the sum of.
    low, high : ndarray, shape (numbers,)
        The least and the greatest that each number may stand for.
    lower, upper : ndarray, shape (unknowns,)
        What is known about each unknown; the upper bound may be infinite.
    sums : sparse array, shape (sums, unknowns)
        What is asked for.

    Returns
    -------
    ndarray of bool, shape (sums,)
        Where the search is given up, after a fixed amount of work, True: it is not shown that the sum varies.

    Raises
    ------
    ValueError
        If no whole numbers fit.

    Examples
    --------
    Two hidden cells in a row with the total 4: neither is known, and their sum is.

    >>> from scipy import sparse
    >>> row, no = sparse.csr_array([[1.0, 1.0]]), np.zeros(2)
    >>> sums = sparse.csr_array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> determined(row, np.array([4.0]), np.array([4.0]), no, no + np.inf, sums).tolist()
    [False, False, True]
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    known = np.concatenate([low, high, lower, upper])
    far = 1 + float(np.abs(known[np.isfinite(known)]).sum())
    box = Bounds(lower, np.where(np.isfinite(upper), upper, far))
    # SciPy before 1.15 takes short indices only.
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32)
    rules = [LinearConstraint(matrix, low, high)] if matrix.shape[0] else []
    weights = np.random.default_rng(1).uniform(1, 2, sums.shape[0])
    fixed = np.ones(sums.shape[0], dtype=bool)
    seen: Floats | None = None
    # Without asking for whole numbers the ends are found at once, and are mostly whole all the same.
    # Whole numbers that merely fit are cheap; only what they leave open is worth the very ends.
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


def never(
    matrix: Sparse, low: Floats, high: Floats, lower: Floats, upper: Floats
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    r"""Return which unknowns are 0 in all whole numbers that fit, and of which that is not settled.

    Whether one can be more than 0 in any numbers is seen in a single linear program: numbers that fit may be
    multiplied by :math:`t \ge 1` with all that is known, so that each unknown that can be above 0 is at least 1. Of
    those, whole numbers with as many of them above 0 as possible are looked for, until none more is found.

    Parameters
    ----------
    matrix, low, high, lower, upper
        As `determined` takes them; no lower bound is below 0.

    Returns
    -------
    never, open : ndarray of bool, shape (unknowns,)
        Where the search is given up, after a fixed amount of work, those that are left are open.

    Raises
    ------
    ValueError
        If no whole numbers fit.

    Examples
    --------
    Three numbers, two of which at a time are 1 together or less: halves would do for a sum of 3 / 2, whole ones do not.

    >>> from scipy import sparse
    >>> pairs = sparse.csr_array([[1.0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 0], [1, 1, 1, 1]])
    >>> low, high = np.array([0.0, 0, 0, 1]), np.array([1.0, 1, 1, 1])
    >>> [flags.tolist() for flags in never(pairs, low, high, np.zeros(4), np.full(4, np.inf))]
    [[False, False, False, False], [False, False, False, False]]
    """
    from scipy import sparse
    from scipy.optimize import Bounds, LinearConstraint, milp

    size = len(lower)
    identity = sparse.eye_array(size, format="csr")
    # What is at least 0 and seen to be more: 1 of each unknown that is above 0.
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
    """Return whether whole numbers agree with all that is known."""
    sums = matrix @ point
    within = (sums >= low) & (sums <= high)
    return bool(within.all() and (point >= box.lb).all() and (point <= box.ub).all())


def among_tables(
    shape: tuple[int, ...],
    known: Mapping[tuple[int, ...], tuple[ArrayLike, ArrayLike]],
    sums: Sequence[ArrayLike],
    occupied: Sequence[ArrayLike] = (),
) -> NDArray[np.bool_]:
    """Return `determined` of sums of cells of a table of which cells and margins are known within ranges.

    Parameters
    ----------
    shape : tuple of int
        The table's.
    known : mapping of tuple of int to pair of array_like
        As `core.ranges.cells_within` takes it; the positions of the axes rise.
    sums : sequence of array_like of int
        The cells of each sum, by their places in the flat table.
    occupied : sequence of array_like of int
        Groups of cells that hold at least one person, by their places in the flat table.

    Raises
    ------
    ValueError
        If no table fits.

    Examples
    --------
    A row of three hidden cells whose printed total, 7, stands beside its only visible cell, 7:

    >>> lower, upper = [[0, 0, 0, 7]], [[2, 2, 2, 7]]
    >>> among_tables((1, 4), {(0, 1): (lower, upper), (0,): ([7], [7])}, [[0], [1], [2]]).tolist()
    [True, True, True]
    """
    rows, lows, highs, lower, upper = of_table(shape, known, occupied)
    size = len(lower)
    places = [np.asarray(cells, dtype=np.int64).ravel() for cells in sums]
    wanted = sums_of(places, size)
    if not rows.shape[0]:
        # Nothing ties the cells together: each takes any value of its own.
        fixed: NDArray[np.bool_] = (wanted @ (lower < upper)) == 0
        return fixed
    free = np.flatnonzero(lower < upper)
    if not free.size:
        return np.ones(len(places), dtype=bool)
    rest = rows @ np.where(lower < upper, 0, lower)
    return determined(rows[:, free], lows - rest, highs - rest, lower[free], upper[free], wanted[:, free])


def of_table(
    shape: tuple[int, ...],
    known: Mapping[tuple[int, ...], tuple[ArrayLike, ArrayLike]],
    occupied: Sequence[ArrayLike] = (),
) -> tuple[Sparse, Floats, Floats, Floats, Floats]:
    """Return what is known of the cells of a table, as `determined` takes it.

    Parameters
    ----------
    shape, known, occupied
        As `among_tables` takes them.

    Returns
    -------
    matrix, low, high, lower, upper
        The margins and the groups that say more than the bounds of their cells, and the bounds of the cells.

    Raises
    ------
    ValueError
        If no table fits.
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
    """Return the margins that say more than the bounds of their cells: which cells each sums, and its bounds."""
    from scipy import sparse

    cells = np.arange(int(np.prod(shape))).reshape(shape)
    blocks, lows, highs = [sparse.csr_array((0, cells.size))], [np.zeros(0)], [np.zeros(0)]
    for axes, (low, high) in known.items():
        if len(axes) == len(shape):
            continue
        spread = [shape[a] if a in axes else 1 for a in range(len(shape))]
        low, high = (np.asarray(side, dtype=np.float64).ravel() for side in (low, high))
        row = np.broadcast_to(np.arange(len(low)).reshape(spread), shape).ravel()
        block = sparse.csr_array((np.ones(cells.size), (row, cells.ravel())), shape=(len(low), cells.size))
        says = (block @ lower < low) | (block @ upper > high)
        blocks.append(block[np.flatnonzero(says)])
        lows.append(np.ceil(low[says] - 1e-9))
        highs.append(np.floor(high[says] + 1e-9))
    return sparse.vstack(blocks, format="csr"), np.concatenate(lows), np.concatenate(highs)
