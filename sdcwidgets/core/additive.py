r"""Make a table add up after the fact: the cells whose sums are nearest to what was published of cells and margins.

.. math:: \min \sum_i |z_i - p_i|

over all cells and margins, where the z are multiples of a base, at least 0, and margins are sums of cells. Of two axes
the program is a flow in a network, whose linear relaxation has a solution in whole numbers; of more it is stopped after
so many branches, and the gap is told.

Reference: handbook, chapter 5, section 5.4 (additivity of cell keys is restored afterwards).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .margins import MarginAxes

__all__ = ["Adjusted", "adjusted"]

#: Branches of the program of a table of three and more axes, and the share above the least that is good enough there.
NODES, ENOUGH = 50, 0.01


class Adjusted(NamedTuple):
    """Cells whose margins are their sums, and how far all of that is from what was published."""

    cells: NDArray[np.int64]
    distance: float
    bound: float
    """No such table is nearer."""


def adjusted(values: Mapping[MarginAxes, NDArray[np.float64]], base: int = 1) -> Adjusted:
    """Return the table that adds up and is nearest to published cells and margins.

    Parameters
    ----------
    values : mapping of tuple of int to ndarray
        For each set of axes the published sums over the others, multiples of the base; all sets, the cells too.
    base : int

    Returns
    -------
    Adjusted
        The sums of the published cells where the solver finds nothing nearer.

    Examples
    --------
    >>> found = adjusted({(0,): np.array([5.0, 5.0]), (): np.array(15.0)}, base=5)
    >>> found.distance, int(found.cells.sum())
    (5.0, 10)
    """
    from scipy import sparse
    from scipy.optimize import Bounds, LinearConstraint, milp

    cells = max(values, key=len)
    shape, start = values[cells].shape, np.rint(values[cells] / base).astype(np.int64)
    size = int(np.prod(shape))
    # Each entry is a sum of cells: cells first, then each margin.
    wanted, rows = list[NDArray[np.float64]](), list[NDArray[np.int64]]()
    places = np.indices(shape).reshape(len(shape), -1)
    for margin, published in values.items():
        sizes = tuple(shape[k] for k in margin)
        at = (
            np.ravel_multi_index(tuple(places[k] for k in margin), sizes)
            if margin
            else np.zeros(size, np.int64)
        )
        rows.append(at.astype(np.int64) + sum(map(len, wanted)))
        wanted.append(published.ravel() / base)
    target = np.concatenate(wanted)
    number = len(target)
    across = np.tile(np.arange(size), len(rows))
    sums = sparse.csr_array((np.ones(len(across)), (np.concatenate(rows), across)), shape=(number, size))
    own = sparse.identity(number, format="csr")
    # Cells, and of each entry how far it is above and below what was published.
    matrix = sparse.csc_array(sparse.hstack([sums, -own, own]))
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32)
    price = np.concatenate([np.zeros(size), np.ones(2 * number)])
    whole = np.concatenate([np.ones(size), np.zeros(2 * number)])
    solved = milp(
        price,
        integrality=whole,
        bounds=Bounds(0, np.inf),
        constraints=[LinearConstraint(matrix, target, target)],
        options={} if len(shape) < 3 else {"node_limit": NODES, "mip_rel_gap": ENOUGH},
    )

    def distance(candidate: NDArray[np.int64]) -> float:
        return float(base * np.abs(sums @ candidate.ravel() - target).sum())

    best = start
    if solved.x is not None:
        solution = np.rint(solved.x[:size]).astype(np.int64).reshape(shape)
        best = min(start, solution, key=distance)
    least = 0.0 if solved.mip_dual_bound is None else base * float(solved.mip_dual_bound)
    return Adjusted(base * best, distance(best), min(max(least, 0.0), distance(best)))
