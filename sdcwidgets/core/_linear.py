"""The least and the greatest value of each unknown of a system of equations, by linear programming."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ._arrays import Floats

#: Unknowns of one linear program; the bounds of more cells are found in several.
MOST_UNKNOWNS = 20_000

CONTRADICTION = "The published margins contradict each other: no table has all of them."


def equations(shape: tuple[int, ...], margins: Mapping[tuple[int, ...], Floats]) -> tuple[Any, Floats]:
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


def extremes(
    matrix: Any, values: Floats, lower: Floats, upper: Floats, wanted: int | None = None
) -> tuple[Floats, Floats]:
    """Return the least and the greatest of the first `wanted` unknowns, many in each linear program.

    A copy of the unknowns for each extreme, side by side, makes one program of many.
    """
    from scipy import sparse
    from scipy.optimize import linprog

    unknowns = matrix.shape[1]
    asked = unknowns if wanted is None else wanted
    found = np.empty(2 * asked)
    size = max(1, MOST_UNKNOWNS // unknowns)
    for start in range(0, 2 * asked, size):
        turns = np.arange(start, min(start + size, 2 * asked))
        copies = len(turns)
        places = np.arange(copies) * unknowns + turns % asked
        cost = np.zeros(copies * unknowns)
        cost[places] = np.where(turns < asked, 1, -1)
        solved = linprog(
            cost,
            A_eq=sparse.kron(sparse.eye_array(copies), matrix, format="csr"),
            b_eq=np.tile(values, copies),
            bounds=np.tile(np.stack([lower, upper], axis=1), (copies, 1)),
            method="highs",
        )
        if solved.status == 2:
            raise ValueError(CONTRADICTION)
        if solved.status != 0:
            raise RuntimeError(f"The linear program was not solved: {solved.message}")
        found[turns] = solved.x[places]
    return found[:asked], found[asked:]
