"""The audit of a pattern: what anyone can compute about each suppressed entry.

`audit` gives the interval of each suppressed entry by two linear programs; `reach` proves that intervals are
wide enough by finding tables that attain values far apart, of which one program gives many.

References: handbook chapter 5, section 5.4; Fischetti and Salazar 2001.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._arrays import Floats
from .._linear import CONTRADICTION, extremes, solve
from ..bounds import Bounds
from .relations import Relations

__all__ = ["audit", "reach", "system"]

Flags = NDArray[np.bool_]

#: Programs that look at many entries at once, before each that is left gets its own.
ROUNDS = 60
TOLERANCE = 1e-6


def system(relations: Relations, values: Floats, suppressed: Flags) -> tuple[Any, Floats, NDArray[np.int64]]:
    """Return the equations of the suppressed entries: matrix, right side, and the entries' numbers.

    Raises
    ------
    ValueError
        If published values contradict each other.
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
    """Return the least and the greatest value that each entry can have, given all that is published.

    Parameters
    ----------
    relations : Relations
    values : array_like
        The value of each entry. Those of suppressed entries are not looked at.
    suppressed : array_like of bool
        The entries that are not published.
    floor, ceiling : array_like of float
        What everybody knows about each entry beforehand.
    known : array_like of bool, optional
        Suppressed entries whose value the intruder knows, as a single contributor does.

    Returns
    -------
    Bounds
        Of float; both equal the value where it is published. The upper one may be infinite.

    Raises
    ------
    ValueError
        If what is published contradicts itself.

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
    given = np.asarray(values, dtype=np.float64).ravel()
    hidden = np.asarray(suppressed, dtype=bool).ravel()
    if known is not None:
        hidden = hidden & ~np.asarray(known, dtype=bool).ravel()
    lower, upper = given.copy(), given.copy()
    if not hidden.any():
        relations.check(given)
        return Bounds(lower, upper)
    matrix, right, unknown = system(relations, given, hidden)
    least = np.broadcast_to(np.asarray(floor, dtype=np.float64).ravel(), given.shape)[unknown]
    most = np.broadcast_to(np.asarray(ceiling, dtype=np.float64).ravel(), given.shape)[unknown]
    lower[unknown], upper[unknown] = extremes(matrix, right, least, most)
    return Bounds(lower, upper)


def reach(
    relations: Relations,
    values: Floats,
    suppressed: Flags,
    lowest: Floats,
    highest: Floats,
    width: Floats,
    floor: Floats,
    ceiling: Floats,
) -> tuple[Bounds, Flags]:
    """Prove that intervals are wide enough, or find those that are not.

    Each linear program gives a table with all that is published, and this table bounds every interval from
    inside. Programs go on until each entry has attained what is asked, or has been looked at alone.

    Parameters
    ----------
    lowest, highest : ndarray of float
        Values that the interval of each entry must include.
    width : ndarray of float
        How far the ends of the interval must lie apart at least.

    Returns
    -------
    bounds : Bounds
        What is attained by tables.
    fails : ndarray of bool
        Entries whose interval is narrower than asked, of which nothing more can be hoped.
    """
    lower, upper = values.copy(), values.copy()
    fails = np.zeros(values.shape, dtype=bool)
    if not suppressed.any():
        return Bounds(lower, upper), fails
    matrix, right, unknown = system(relations, values, suppressed)
    low, high = lower[unknown], upper[unknown]
    least, most = floor[unknown], ceiling[unknown]
    asked = lowest[unknown], highest[unknown], width[unknown]
    # No change needs to be larger than this, and no program is unbounded.
    room = float(np.abs(values).sum() + asked[2].max(initial=0) + np.abs(asked[1] - high).max(initial=0)) + 1
    far, near = np.minimum(most, high + room), np.maximum(least, low - room)
    rng = np.random.default_rng(0)

    def short() -> Flags:
        slack = TOLERANCE * np.maximum(1, np.abs(high))
        flags: Flags = (low > asked[0] + slack) | (high < asked[1] - slack) | (high - low < asked[2] - slack)
        return flags

    for _ in range(ROUNDS):
        left = short()
        if left.sum() <= 8:
            break
        cost = np.where(left, rng.choice([-1.0, 1.0], len(low)) * rng.uniform(0.5, 1, len(low)), 0.0)
        found = solve(cost, matrix, right, near, far).x
        before = left.sum()
        low, high = np.minimum(low, found), np.maximum(high, found)
        found = solve(-cost, matrix, right, near, far).x
        low, high = np.minimum(low, found), np.maximum(high, found)
        if before - short().sum() < 0.02 * before:
            break
    alone = np.flatnonzero(short())
    if len(alone):
        low[alone], high[alone] = extremes(matrix, right, near, far, targets=alone)
    lower[unknown], upper[unknown] = low, high
    fails[unknown] = short()
    return Bounds(lower, upper), fails
