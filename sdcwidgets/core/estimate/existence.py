"""Whether the maximum likelihood estimate of a log-linear model exists: every cell has a positive expected count.

It exists if, and only if, some table with all cells above 0 has the margins that the model keeps. Reference: Haberman
1974.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .._arrays import Floats
from .formula import Margins, closure
from .raking import others

#: Above this many cells the linear program that tells whether an estimate exists would take minutes.
MOST_CELLS_ASKED = 20_000


def estimate_exists(counts: Floats, expected: Floats, margins: Margins) -> bool | None:
    """Return whether some table with all cells above 0 has the kept margins of a table with zeros.

    It is looked for near the fit, then by linear programming; None where the table has more than 20,000 cells and the
    first search does not decide.

    Examples
    --------
    Haberman's table: no margin of two axes is empty, and yet there is no estimate.

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
    """Return the projection of a table onto the space of the model: it has the same kept margins."""
    total = np.zeros(values.shape)
    for term, factor in _inclusions(margins):
        total += factor * values.mean(axis=others(term, values.ndim), keepdims=True)
    return total


def _inclusions(margins: Margins) -> Iterator[tuple[tuple[int, ...], int]]:
    """Return the means that the projection consists of, and how often each is added."""
    sets = closure(margins)
    for term in sets:
        factor = sum((-1) ** (len(more) - len(term)) for more in sets if set(term) <= set(more))
        if factor:
            yield term, factor


def _positive_table(counts: Floats, margins: Margins) -> bool:
    """Return whether some table with these margins has no cell of 0.

    That is so if a move that leaves the margins as they are raises every cell that is 0: by how much does not
    matter, since a small enough part of it leaves the others above 0.
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
