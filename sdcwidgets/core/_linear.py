"""The least and the greatest value of each unknown of a system of equations.

By linear programming; where each unknown stands in two equations, as the cells of a table with its rows and columns do,
by flows in a network, which is the same and takes a small part of the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import Floats, Sparse
from ._network import MOST, Network

#: Unknowns of one linear program; more are slower than several programs.
MOST_UNKNOWNS = 2_000

CONTRADICTION = "The published margins contradict each other: no table has all of them."


def equations(shape: tuple[int, ...], margins: Mapping[tuple[int, ...], Floats]) -> tuple[Sparse, Floats]:
    """Return the sparse matrix and the right side of what is published: one row a published value."""
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


def solve(
    cost: Floats, matrix: Sparse, values: Floats | tuple[Floats, Floats], lower: Floats, upper: Floats
) -> Any:
    """Return the solution of a linear program whose equations may be ranges, or raise what is wrong."""
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


def extremes(
    matrix: Sparse,
    values: Floats | tuple[Floats, Floats],
    lower: Floats,
    upper: Floats,
    targets: NDArray[np.int64] | None = None,
) -> tuple[Floats, Floats]:
    """Return the least and the greatest of each unknown: by flows, or many of them in each linear program.

    Unknowns that no chain of equations ties together are independent: one program finds an extreme in each
    such group. And a copy of the unknowns for each extreme, side by side, makes one program of many.

    Parameters
    ----------
    matrix : sparse array, shape (equations, unknowns)
    values : ndarray or pair of ndarray
        The right side, or the least and the greatest that it may be.
    lower, upper : ndarray
        What is known about each unknown; the upper bound may be infinite.
    targets : ndarray of int, optional
        The unknowns that are asked for; default: all of them.

    Returns
    -------
    tuple of ndarray
        A number for each target; infinite where nothing bounds it.
    """
    low, high = values if isinstance(values, tuple) else (values, values)
    wanted = np.arange(matrix.shape[1]) if targets is None else targets
    # What has no bound gets one far out: then no program is unbounded. What is bounded stays below the sum of all
    # that is known; what is not goes on up to that bound, less what shares it.
    known = np.concatenate([low, high, lower, upper])
    near = 1 + float(np.abs(known[np.isfinite(known)]).sum())
    if not isinstance(values, tuple):
        flows = _by_flows(matrix, values, lower, upper, wanted, near)
        if flows is not None:
            return flows
    far = 100 * near
    upper = np.where(np.isfinite(upper), upper, far)
    columns, rows, sizes = _by_group(matrix, wanted)
    place = np.empty(matrix.shape[1], dtype=np.int64)
    place[columns] = np.arange(len(columns))
    matrix = matrix[rows][:, columns]
    low, high, lower, upper = low[rows], high[rows], lower[columns], upper[columns]
    # The turn of a target within its group; groups with many targets stand first.
    asked = np.sort(place[wanted])
    first = np.repeat(np.cumsum(sizes.targets) - sizes.targets, sizes.targets)
    turn = np.arange(len(asked)) - first
    least, most = np.empty(matrix.shape[1]), np.empty(matrix.shape[1])
    copies = [(t, sign) for t in range(int(sizes.targets[0])) for sign in (1, -1)]
    while copies:
        batch: list[tuple[NDArray[np.int64], int, int, int]] = []
        used = 0
        while copies and (not batch or used < MOST_UNKNOWNS):
            t, sign = copies.pop()
            groups = int(np.searchsorted(-sizes.targets, -t))  # those with more than t targets
            width, height = int(sizes.columns[:groups].sum()), int(sizes.rows[:groups].sum())
            batch.append((asked[turn == t], sign, width, height))
            used += width
        found = _together(batch, matrix, (low, high), lower, upper)
        for (goals, sign, *_), solution in zip(batch, found, strict=True):
            (least if sign > 0 else most)[goals] = solution[goals]
    least, most = least[place[wanted]], most[place[wanted]]
    return least, np.where(most > 3 * near, np.inf, most)


def whole_scale(*numbers: Floats) -> int | None:
    """Return what makes all these numbers whole: 1, 10, 100 or 1,000; None if none of them does."""
    every = np.concatenate([one[np.isfinite(one)] for one in numbers])
    for scale in (1, 10, 100, 1000):
        if np.all(np.abs(every * scale - np.rint(every * scale)) < 1e-9 * scale):
            return scale
    return None


def _by_flows(
    matrix: Sparse, values: Floats, lower: Floats, upper: Floats, wanted: NDArray[np.int64], near: float
) -> tuple[Floats, Floats] | None:
    """Return the extremes as flows from one solution, or None if this is no network of whole numbers."""
    scale = whole_scale(values, lower, upper)
    if scale is None or 4 * near * scale > MOST or not np.all(np.isfinite(lower)):
        return None
    network = Network.of(matrix)
    if network is None:
        return None
    start = np.rint(scale * solve(np.zeros(len(lower)), matrix, values, lower, upper).x)
    # 0.29 times 100 is a little less than 29: a network cuts such a number off.
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


class _Sizes:
    """How many targets, columns and rows each group has."""

    def __init__(
        self, targets: NDArray[np.int64], columns: NDArray[np.int64], rows: NDArray[np.int64]
    ) -> None:
        self.targets, self.columns, self.rows = targets, columns, rows


def _by_group(
    matrix: Sparse, wanted: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], _Sizes]:
    """Return columns and rows sorted by the group they belong to, the group with most targets first."""
    from scipy import sparse
    from scipy.sparse import csgraph

    n_rows, n_columns = matrix.shape
    entries = matrix.tocoo()
    graph = sparse.csr_array(
        (np.ones(len(entries.row)), (entries.row, entries.col + n_rows)), shape=(n_rows + n_columns,) * 2
    )
    number, label = csgraph.connected_components(graph, directed=False)
    targets = np.bincount(label[n_rows + wanted], minlength=number)
    order = np.argsort(-targets, kind="stable")
    position = np.empty(number, dtype=np.int64)
    position[order] = np.arange(number)
    of_row, of_column = position[label[:n_rows]], position[label[n_rows:]]
    sizes = _Sizes(
        targets[order], np.bincount(of_column, minlength=number), np.bincount(of_row, minlength=number)
    )
    return np.argsort(of_column, kind="stable"), np.argsort(of_row, kind="stable"), sizes


def _together(
    batch: list[tuple[NDArray[np.int64], int, int, int]],
    matrix: Sparse,
    values: tuple[Floats, Floats],
    lower: Floats,
    upper: Floats,
) -> list[Floats]:
    """Solve several programs as one: each has the first rows and columns of the matrix, and goals to add up."""
    from scipy import sparse

    cost = np.zeros(sum(width for _, _, width, _ in batch))
    starts = np.cumsum([0] + [width for _, _, width, _ in batch])
    for (goals, sign, _, _), start in zip(batch, starts, strict=False):
        cost[start + goals] = sign
    whole = sparse.block_diag([matrix[:height, :width] for _, _, width, height in batch], format="csr")
    low, high = (np.concatenate([side[:height] for *_, height in batch]) for side in values)
    bounds = (np.concatenate([side[:width] for _, _, width, _ in batch]) for side in (lower, upper))
    solution = solve(cost, whole, (low, high), *bounds).x
    return [solution[start : start + width] for start, (_, _, width, _) in zip(starts, batch, strict=False)]
