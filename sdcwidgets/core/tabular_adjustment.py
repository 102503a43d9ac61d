r"""Controlled tabular adjustment: replace small counts by safe values, and adjust other counts to the totals.

A count below the threshold t is replaced by 0 or t. The other positive counts are changed by at most w so that
the totals change as little as possible, and the counts as little as possible:

.. math:: \min \sum_i c_i |z_i - a_i| + C \sum_m |z_m - a_m|

with the other cells i, the margins m and a large C. Cells that are 0 stay 0. The costs :math:`c_i` are random
numbers from 1 to 2, so that the counts alone do not determine the result.

References: Dandekar and Cox 2002; thesis, sections 2.4.1.2 and 6.2.
"""

from __future__ import annotations

import numpy as np

from ._arrays import Whole
from .margins import every_margin

#: Maximum number of cells; the program of larger tables needs too much time.
MOST_CELLS = 20_000

#: Cost of a change of a total by one person.
COST_OF_TOTALS = 20.0

#: Relative gap that is accepted for tables of three or more axes, and the maximum number of branches.
GAP, BRANCHES = 0.05, 50


def adjusted(counts: Whole, threshold: int, width: int, rng: np.random.Generator) -> Whole:
    """Return a table without counts from 1 to `threshold` - 1, with totals as close as possible.

    Parameters
    ----------
    counts : ndarray of int64
        Original counts.
    threshold : int
        Smallest positive count that is published. A smaller count c is replaced by it with probability
        c/threshold, and otherwise by 0.
    width : int
        Maximum change of a count that is not replaced.
    rng : numpy.random.Generator
        Source of the directions and of the costs.

    Returns
    -------
    ndarray of int64
        Adjusted counts.

    Raises
    ------
    ValueError
        If the table has more than `MOST_CELLS` cells.

    Examples
    --------
    The 1 becomes 0 or 3, and the other counts keep the totals 9, 16, 10 and 15:

    >>> table = adjusted(np.array([[1, 8], [9, 7]]), 3, 5, np.random.default_rng(1))
    >>> table.tolist(), table.sum(axis=1).tolist(), table.sum(axis=0).tolist()
    ([[0, 9], [10, 6]], [9, 16], [10, 15])
    """
    from scipy import sparse
    from scipy.optimize import Bounds, LinearConstraint, milp

    if counts.size > MOST_CELLS:
        raise ValueError(f"The table has {counts.size:,} cells, more than the maximum of {MOST_CELLS:,}.")
    flat = counts.ravel()
    up = rng.random(flat.size) * threshold < flat
    costs = 1 + rng.random(flat.size)
    is_small = (flat > 0) & (flat < threshold)
    replaced = np.where(is_small, np.where(up, threshold, 0), flat)
    others = np.flatnonzero(flat >= threshold)
    if not is_small.any() or not others.size:
        return replaced.reshape(counts.shape)
    groups, n_totals = _totals_of_cells(counts.shape)
    # Variables: increases and decreases of the other cells, then those of the totals.
    rows = groups[:, others].ravel()
    columns = np.tile(np.arange(others.size), len(groups))
    ones = sparse.coo_array((np.ones(rows.size), (rows, columns)), (n_totals, others.size)).tocsr()
    identity = sparse.identity(n_totals, format="csr")
    matrix = sparse.hstack([ones, -ones, -identity, identity], format="csr")
    change = np.zeros(n_totals)
    np.add.at(change, groups.ravel(), np.tile(replaced - flat, len(groups)))
    large = float(threshold * flat.size)
    upper = np.concatenate(
        [
            np.full(others.size, width),
            np.minimum(width, flat[others] - threshold),
            np.full(2 * n_totals, large),
        ]
    )
    cost = np.concatenate([costs[others], costs[others], np.full(2 * n_totals, COST_OF_TOTALS)])
    solution = milp(
        cost,
        integrality=np.ones(cost.size),
        bounds=Bounds(0, upper),
        constraints=LinearConstraint(matrix, -change, -change),
        options={"mip_rel_gap": 0.0 if counts.ndim <= 2 else GAP, "node_limit": BRANCHES},
    )
    if solution.x is None:
        return replaced.reshape(counts.shape)
    steps = np.round(solution.x[: 2 * others.size]).astype(np.int64)
    result = replaced.copy()
    result[others] += steps[: others.size] - steps[others.size :]
    return result.reshape(counts.shape)


def _totals_of_cells(shape: tuple[int, ...]) -> tuple[Whole, int]:
    """Return the number of the total that each cell belongs to, one row per kind of margin, and their number."""
    places = np.indices(shape).reshape(len(shape), -1)
    groups, start = [], 0
    for margin in every_margin(len(shape))[1:]:
        sizes = [shape[k] for k in margin]
        group = (
            np.ravel_multi_index(tuple(places[k] for k in margin), sizes)
            if margin
            else np.zeros_like(places[0])
        )
        groups.append(start + group)
        start += int(np.prod(sizes, dtype=int))
    return np.stack(groups).astype(np.int64), start
