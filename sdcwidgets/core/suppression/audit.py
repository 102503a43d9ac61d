"""Audit of a suppression pattern: the feasibility interval of each suppressed entry.

`audit` computes each interval by two linear programs.

References: handbook chapter 5, section 5.4; Fischetti and Salazar 2001.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Flags, Floats, Sparse, Whole
from .._linear import CONTRADICTION, extremes, solve
from ..bounds import Bounds
from .relations import Relations

TOLERANCE = 1e-6


def system(relations: Relations, values: Floats, suppressed: Flags) -> tuple[Sparse, Floats, Whole]:
    """Return the equations of the suppressed entries: matrix, right side, positions of the entries.

    Raises
    ------
    ValueError
        If the published values contradict each other.
    """
    unknown = np.flatnonzero(suppressed)
    right = -(relations.matrix @ np.where(suppressed, 0.0, values))
    matrix = relations.matrix[:, unknown]
    used = np.diff(matrix.indptr) > 0
    if np.any(np.abs(right[~used]) > TOLERANCE * max(1.0, float(np.abs(values).max(initial=0)))):
        raise ValueError(CONTRADICTION)
    return matrix[np.flatnonzero(used)], right[used], unknown


def audit(
    relations: Relations,
    values: ArrayLike,
    suppressed: ArrayLike,
    *,
    floor: ArrayLike = 0.0,
    ceiling: ArrayLike = np.inf,
    known: ArrayLike | None = None,
) -> Bounds:
    """Return the least and the greatest possible value of each entry, given all published values.

    Parameters
    ----------
    relations : Relations
        Relations between the entries.
    values : array_like
        Value of each entry; values of suppressed entries are ignored.
    suppressed : array_like of bool
        Mask of the suppressed entries.
    floor : array_like of float
        Lower bound of each entry that every data user knows.
    ceiling : array_like of float
        Upper bound of each entry that every data user knows.
    known : array_like of bool, optional
        Suppressed entries whose value the intruder knows, for example as their only contributor.

    Returns
    -------
    Bounds
        Float bounds; both equal the value of a published entry. Upper bounds may be infinite.

    Raises
    ------
    ValueError
        If the published values contradict each other.

    Examples
    --------
    >>> from sdcwidgets.core.suppression.relations import of_shape, with_margins
    >>> full = with_margins([[1, 5, 4], [3, 2, 6], [8, 1, 7]])
    >>> hidden = full * 0 == 1
    >>> hidden[:2, :2] = True
    >>> lower, upper = audit(of_shape((3, 3)), full, hidden)
    >>> lower[hidden.ravel()].tolist(), upper[hidden.ravel()].tolist()
    ([0.0, 2.0, 0.0, 1.0], [4.0, 6.0, 4.0, 5.0])
    """
    published = np.asarray(values, dtype=np.float64).ravel()
    hidden = np.asarray(suppressed, dtype=bool).ravel()
    if known is not None:
        hidden = hidden & ~np.asarray(known, dtype=bool).ravel()
    lower, upper = published.copy(), published.copy()
    if not hidden.any():
        relations.check(published)
        return Bounds(lower, upper)
    matrix, right, unknown = system(relations, published, hidden)
    least = np.broadcast_to(np.asarray(floor, dtype=np.float64).ravel(), published.shape)[unknown]
    most = np.broadcast_to(np.asarray(ceiling, dtype=np.float64).ravel(), published.shape)[unknown]
    if relations.implied is not None:
        # Implied relations must agree with the others; after this check they are redundant.
        solve(np.zeros(len(unknown)), matrix, right, least, most)
        matrix, right, _ = system(relations.lean, published, hidden)
    lower[unknown], upper[unknown] = extremes(matrix, right, least, most)
    return Bounds(lower, upper)
