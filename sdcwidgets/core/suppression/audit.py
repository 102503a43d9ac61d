"""The audit of a pattern: what anyone can compute about each suppressed entry.

`audit` gives the interval of each suppressed entry by two linear programs; `reach` proves that intervals are
wide enough by finding tables that attain values far apart, of which one program gives many.

References: handbook chapter 5, section 5.4; Fischetti and Salazar 2001.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._arrays import Floats, Sparse
from .._linear import CONTRADICTION, extremes, solve
from ..bounds import Bounds
from .relations import Relations

__all__ = ["audit", "reach", "system"]

Flags = NDArray[np.bool_]

#: Programs that look at many entries at once, before each that is left gets its own.
ROUNDS = 60
#: Entries that are then looked at alone before those that fail are mended.
ALONE = 50
TOLERANCE = 1e-6


def system(
    relations: Relations, values: Floats, suppressed: Flags
) -> tuple[Sparse, Floats, NDArray[np.int64]]:
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
    if relations.implied is not None:
        # What is implied must agree with the rest, and is not needed then.
        solve(np.zeros(len(unknown)), matrix, right, least, most)
        matrix, right, _ = system(relations.lean, given, hidden)
    lower[unknown], upper[unknown] = extremes(matrix, right, least, most)
    return Bounds(lower, upper)


def reach(
    relations: Relations,
    values: Floats,
    suppressed: Flags,
    asked: tuple[Floats, Floats, Floats],
    known: tuple[Floats, Floats],
    attained: Bounds | None = None,
    alone: int = ALONE,
) -> tuple[Bounds, Flags, Flags]:
    """Prove that intervals are wide enough, or find some that are not.

    Each linear program gives a table with all that is published, and this table bounds every interval from
    inside. Programs go on until each entry has attained what is asked, or few are left, of which some are looked at
    alone.

    Parameters
    ----------
    asked : tuple of ndarray of float
        Values that the interval of each entry must include, the lowest and the highest, and how far its ends must lie
        apart at least.
    known : tuple of ndarray of float
        What everybody knows about each entry beforehand.
    attained : Bounds, optional
        Values that tables attain, found for a part of what is suppressed.
    alone : int
        How many entries to look at alone.

    Returns
    -------
    bounds : Bounds
        What is attained by tables.
    fails : ndarray of bool
        Entries whose interval is narrower than asked, of which nothing more can be hoped.
    doubtful : ndarray of bool
        Entries that were not looked at alone and have not attained what is asked.
    """
    lower, upper = (
        (values.copy(), values.copy()) if attained is None else (attained[0].copy(), attained[1].copy())
    )
    fails, doubtful = np.zeros(values.shape, dtype=bool), np.zeros(values.shape, dtype=bool)
    if not suppressed.any():
        return Bounds(lower, upper), fails, doubtful
    matrix, right, unknown = system(relations.lean, values, suppressed)
    truth, low, high = values[unknown], lower[unknown], upper[unknown]
    lowest, highest, width = (one[unknown] for one in asked)
    # No change needs to be larger than this, and no program is unbounded.
    room = float(np.abs(values).sum() + width.max(initial=0) + np.abs(highest - truth).max(initial=0)) + 1
    near, far = np.maximum(known[0][unknown], truth - room), np.minimum(known[1][unknown], truth + room)
    rng = np.random.default_rng(0)

    def short() -> Flags:
        slack = TOLERANCE * np.maximum(1, np.abs(high))
        flags: Flags = (low > lowest + slack) | (high < highest - slack) | (high - low < width - slack)
        return flags

    for _ in range(ROUNDS):
        left = short()
        if left.sum() <= 8:
            break
        cost = np.where(left, rng.choice([-1.0, 1.0], len(low)) * rng.uniform(0.5, 1, len(low)), 0.0)
        before = left.sum()
        for side in (cost, -cost):
            found = solve(side, matrix, right, near, far).x
            low, high = np.minimum(low, found), np.maximum(high, found)
        if before - short().sum() < 0.02 * before:
            break
    open_ = np.flatnonzero(short())
    looked = open_[np.argsort(-width[open_], kind="stable")][:alone]
    if len(looked):
        low[looked], high[looked] = extremes(matrix, right, near, far, targets=looked)
    lower[unknown], upper[unknown] = low, high
    narrow = np.flatnonzero(short())
    fails[unknown[np.intersect1d(narrow, looked)]] = True
    doubtful[unknown[np.setdiff1d(narrow, looked)]] = True
    return Bounds(lower, upper), fails, doubtful
