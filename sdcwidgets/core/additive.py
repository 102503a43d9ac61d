r"""Restore additivity: compute the cells whose sums are nearest to the published cells and margins.

.. math:: \min \sum_i |z_i - p_i|

over all cells and margins, where the z are multiples of a base, at least 0, and each margin is the sum of its
cells. For a two-way table the program is a flow in a network, so its linear relaxation has an integer solution.
For more axes the search stops after `NODES` branches, and the result reports the remaining optimality gap.

Reference: handbook, chapter 5, section 5.4 (additivity of cell keys is restored afterwards).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .margins import MarginAxes

__all__ = ["Adjusted", "adjusted"]

#: Maximum number of branches for three or more axes, and the relative optimality tolerance of the search.
NODES, ENOUGH = 50, 0.01


class Adjusted(NamedTuple):
    """Cells with margins that are their sums, and their distance from the published values."""

    cells: NDArray[np.int64]
    distance: float
    bound: float
    """Lower bound of the distance of any additive table."""


def adjusted(values: Mapping[MarginAxes, NDArray[np.float64]], base: int = 1) -> Adjusted:
    """Return the additive table nearest to the published cells and margins.

    Parameters
    ----------
    values : mapping of tuple of int to ndarray
        Published sums for each set of axes that a margin keeps, as multiples of the base. All sets are
        required,
        including the cells.
    base : int
        Base of rounding.

    Returns
    -------
    Adjusted
        The sums of the published cells if the solver finds no nearer table.

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
    # Each published value is a sum of cells: the cells come first, then the margins.
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
    # Unknowns: the cells, and the distance above and below each published value.
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
