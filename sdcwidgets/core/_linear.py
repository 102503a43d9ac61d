"""Least and greatest value of each unknown of a system of linear equations.

The general case needs linear programs. If each unknown occurs in exactly two equations, like a cell in its
row and column
total, maximum flows in a network give the same extremes in a small part of the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import Floats, Sparse
from ._network import MOST, Network

CONTRADICTION = "The published margins contradict each other: no table has all of them."


def equations(shape: tuple[int, ...], margins: Mapping[tuple[int, ...], Floats]) -> tuple[Sparse, Floats]:
    """Return the sparse matrix and the right side of the equations, one row per published value."""
    from scipy import sparse

    cells = np.arange(int(np.prod(shape))).reshape(shape)
    blocks, values = [], []
    for array in margins.values():
        rows = np.broadcast_to(np.arange(array.size).reshape(array.shape), shape)
        size = (array.size, cells.size)
        block = sparse.csr_array((np.ones(cells.size), (rows.ravel(), cells.ravel())), shape=size)
        known = np.flatnonzero(~np.isnan(array.ravel()))
        blocks.append(block[known])
        values.append(array.ravel()[known])
    return sparse.vstack(blocks, format="csr"), np.concatenate(values)


def sums_of(places: Sequence[NDArray[np.int64]], size: int) -> Sparse:
    """Return a sparse matrix in which each row sums the unknowns at these positions."""
    from scipy import sparse

    counts = [len(cells) for cells in places]
    columns = np.concatenate([*places, np.zeros(0, dtype=np.int64)])
    return sparse.csr_array(
        (np.ones(len(columns)), columns, np.cumsum([0, *counts])), shape=(len(places), size)
    )


def solve(
    cost: Floats, matrix: Sparse, values: Floats | tuple[Floats, Floats], lower: Floats, upper: Floats
) -> Any:
    """Solve a linear program with equations or ranges, or raise an error with the reason.

    Raises
    ------
    ValueError
        If no solution satisfies the equations.
    RuntimeError
        If the solver stops for another reason.
    """
    from scipy import sparse
    from scipy.optimize import linprog

    low, high = values if isinstance(values, tuple) else (values, values)
    same = low == high
    over, under = np.flatnonzero(~same & np.isfinite(high)), np.flatnonzero(~same & np.isfinite(low))
    ranged = len(over) + len(under) > 0
    solved = linprog(
        cost,
        A_ub=sparse.vstack([matrix[over], -matrix[under]], format="csr") if ranged else None,
        b_ub=np.concatenate([high[over], -low[under]]) if ranged else None,
        A_eq=matrix[np.flatnonzero(same)] if ranged else matrix,
        b_eq=low[same],
        bounds=np.stack([lower, upper], axis=1),
        method="highs",
    )
    if solved.status == 2:
        raise ValueError(CONTRADICTION)
    if solved.status != 0:
        raise RuntimeError(f"The linear program was not solved: {solved.message}")
    return solved


def silent_solver() -> Any:
    """Return a HiGHS solver without output that starts from its last solution."""
    import highspy

    class Silent(highspy.Highs):
        def enableCallbacks(self) -> None:
            """Do nothing: with callbacks, HiGHS 1.16 prints its licence before output can be turned off."""

    solver = Silent()  # type: ignore[no-untyped-call]
    for name, value in (("output_flag", False), ("threads", 1), ("presolve", "off"), ("solver", "simplex")):
        solver.setOptionValue(name, value)
    return solver


def extremes(
    matrix: Sparse,
    values: Floats | tuple[Floats, Floats],
    lower: Floats,
    upper: Floats,
    targets: NDArray[np.int64] | None = None,
) -> tuple[Floats, Floats]:
    """Return the least and the greatest value of each unknown.

    Parameters
    ----------
    matrix : sparse array, shape (equations, unknowns)
    values : ndarray or pair of ndarray
        The right side, or its least and greatest values.
    lower : ndarray
        Lower bound of each unknown.
    upper : ndarray
        Upper bound of each unknown, which may be infinite.
    targets : ndarray of int, optional
        The unknowns to bound; default: all.

    Returns
    -------
    tuple of ndarray
        One number per target; the greatest value is infinite if the equations do not bound the unknown.

    Raises
    ------
    ValueError
        If no solution satisfies the equations.
    RuntimeError
        If the solver stops for another reason.
    """
    low, high = values if isinstance(values, tuple) else (values, values)
    wanted = np.arange(matrix.shape[1]) if targets is None else targets
    # Unbounded unknowns get a distant upper bound, so that no program is unbounded. A bounded unknown is less
    # than
    # `near`. An unbounded one reaches the distant bound, minus the unknowns that share its equations.
    known = np.concatenate([low, high, lower, upper])
    near = 1 + float(np.abs(known[np.isfinite(known)]).sum())
    if not isinstance(values, tuple):
        flows = _by_flows(matrix, values, lower, upper, wanted, near)
        if flows is not None:
            return flows
    upper = np.where(np.isfinite(upper), upper, 100 * near)
    least, most = _by_programs(matrix, (low, high), (lower, upper), wanted)
    return least, np.where(most > 3 * near, np.inf, most)


def _by_programs(
    matrix: Sparse, sides: tuple[Floats, Floats], bounds: tuple[Floats, Floats], wanted: NDArray[np.int64]
) -> tuple[Floats, Floats]:
    """Return the extremes of the unknowns in `wanted`; each program starts from the last solution."""
    import highspy

    solver = silent_solver()
    program = highspy.HighsLp()
    program.num_row_, program.num_col_ = matrix.shape
    program.col_cost_ = np.zeros(matrix.shape[1])
    program.col_lower_, program.col_upper_ = bounds
    program.row_lower_, program.row_upper_ = sides
    columns = matrix.tocsc()
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    program.a_matrix_.start_ = columns.indptr.astype(np.int32)
    program.a_matrix_.index_ = columns.indices.astype(np.int32)
    program.a_matrix_.value_ = columns.data.astype(float)
    solver.passModel(program)
    extremes_of_sides = []
    for sign, ends in zip((1.0, -1.0), bounds, strict=True):
        reached = np.full(matrix.shape[1], np.nan)
        for unknown in wanted.tolist():
            if not np.isnan(reached[unknown]):
                continue
            solver.changeColCost(unknown, sign)
            solver.run()
            status = solver.getModelStatus()
            if status == highspy.HighsModelStatus.kInfeasible:
                raise ValueError(CONTRADICTION)
            if status != highspy.HighsModelStatus.kOptimal:
                raise RuntimeError(f"The linear program was not solved: {solver.modelStatusToString(status)}")
            solver.changeColCost(unknown, 0.0)
            solution = np.asarray(solver.getSolution().col_value)
            # An unknown that already has the value of its bound needs no program.
            there = np.abs(solution - ends) <= 1e-9
            reached[there] = ends[there]
            reached[unknown] = solution[unknown]
        extremes_of_sides.append(reached[wanted])
    return extremes_of_sides[0], extremes_of_sides[1]


def whole_scale(*numbers: Floats) -> int | None:
    """Return a factor of 1, 10, 100 or 1,000 that makes all numbers whole, or None if there is none."""
    every = np.concatenate([array[np.isfinite(array)] for array in numbers])
    for scale in (1, 10, 100, 1000):
        if np.all(np.abs(every * scale - np.rint(every * scale)) < 1e-9 * scale):
            return scale
    return None


def _by_flows(
    matrix: Sparse, values: Floats, lower: Floats, upper: Floats, wanted: NDArray[np.int64], near: float
) -> tuple[Floats, Floats] | None:
    """Return the extremes by maximum flows, or None if the system is not a network with whole numbers."""
    scale = whole_scale(values, lower, upper)
    if scale is None or 4 * near * scale > MOST or not np.all(np.isfinite(lower)):
        return None
    network = Network.of(matrix)
    if network is None:
        return None
    start = np.rint(scale * solve(np.zeros(len(lower)), matrix, values, lower, upper).x)
    # 0.29 times 100 is slightly less than 29, and the network would truncate it to 28.
    up, down = np.rint(scale * upper) - start, start - np.rint(scale * lower)
    if np.any(matrix @ start != np.rint(scale * values)) or np.any(up < 0) or np.any(down < 0):
        return None
    most = 4 * near * scale
    network.allow(np.minimum(up, most), down)
    least, greatest = np.empty(len(wanted)), np.empty(len(wanted))
    for k, unknown in enumerate(wanted.tolist()):
        fall, _ = network.push(unknown, -1)
        rise, _ = network.push(unknown, 1)
        least[k], greatest[k] = start[unknown] - fall, start[unknown] + rise
    least += 0.0  # no -0
    return least / scale, np.where(greatest > 3 * near * scale, np.inf, greatest / scale)
