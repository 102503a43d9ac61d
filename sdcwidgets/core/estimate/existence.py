"""Existence of the maximum likelihood estimate of a log-linear model.

The estimate exists if and only if some table with all cells above 0 has the margins of the model. All expected
counts are then positive. Reference: Haberman 1974.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .._arrays import Floats
from .formula import Margins, closure
from .raking import others

#: Maximum number of cells for the linear program; larger tables would take minutes.
MOST_CELLS_ASKED = 20_000


def estimate_exists(counts: Floats, expected: Floats, margins: Margins) -> bool | None:
    """Return whether some table with all cells above 0 has the margins of the model.

    The search begins near the fit and continues with a linear program. The result is None if the first search
    does not decide and the table has more than 20,000 cells.

    Examples
    --------
    Haberman's table: no two-way margin contains a zero, but the estimate does not exist.

    >>> counts = np.ones((2, 2, 2))
    >>> counts[0, 0, 0] = counts[1, 1, 1] = 0
    >>> estimate_exists(counts, counts, [(0, 1), (0, 2), (1, 2)])
    False
    """
    near = expected + _projected(counts - expected, margins)
    if near.min() > 1e-13 * max(1.0, float(counts.max())):
        return True
    return _positive_table(counts, margins) if counts.size <= MOST_CELLS_ASKED else None


def _projected(values: Floats, margins: Margins) -> Floats:
    """Return the projection of a table onto the space of the model, which keeps the margins."""
    total = np.zeros(values.shape)
    for term, factor in _inclusions(margins):
        total += factor * values.mean(axis=others(term, values.ndim), keepdims=True)
    return total


def _inclusions(margins: Margins) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield each mean in the projection with its factor."""
    sets = closure(margins)
    for term in sets:
        factor = sum((-1) ** (len(more) - len(term)) for more in sets if set(term) <= set(more))
        if factor:
            yield term, factor


def _positive_table(counts: Floats, margins: Margins) -> bool:
    """Return whether some table with these margins has no zero cell.

    Such a table exists if a move that keeps the margins raises every zero cell. The size of the move is
    irrelevant, because a small enough fraction of it leaves the other cells above 0.
    """
    from scipy.optimize import linprog

    from .._linear import equations

    published = {margin: counts.sum(axis=others(margin, counts.ndim), keepdims=True) for margin in margins}
    matrix, _ = equations(counts.shape, published)
    lowest = np.where(counts.ravel() > 0, -np.inf, 1.0)
    bounds = np.stack([lowest, np.full(lowest.shape, np.inf)], axis=1)
    solved = linprog(
        np.zeros(counts.size), A_eq=matrix, b_eq=np.zeros(matrix.shape[0]), bounds=bounds, method="highs"
    )
    if solved.status not in (0, 2):
        raise RuntimeError(f"The linear program was not solved: {solved.message}")
    return bool(solved.status == 0)
