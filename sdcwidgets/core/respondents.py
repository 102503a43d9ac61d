"""Conclusions of a single respondent with the knowledge that their own cell is not empty."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._arrays import Flags, Floats, Sparse
from ._linear import CONTRADICTION
from .fixed_sums import MOST_NODES

__all__ = ["Unknowns", "certain_pairs"]

#: Limit of the number of programs for the remaining pairs, multiplied by the number of unknowns.
MOST_WORK = 100_000

#: Number of programs with random weights that try to refute many pairs at once.
BULK = 6


class Unknowns(NamedTuple):
    """Published numbers as sums of unknown counts, and the bounds of each count."""

    matrix: Sparse
    low: Floats
    high: Floats
    lower: Floats
    upper: Floats


def certain_pairs(
    known: Unknowns,
    members: Sparse,
    needed: Floats,
    sums: Sparse,
    true: Floats,
    pairs: Flags,
    counts: Floats | None = None,
) -> Flags:
    r"""Return the pairs for which the member is certain that the sum does not exceed its original value.

    A pair of a member and a sum is refuted by a feasible integer table in which the member's cell holds the
    count that the member knows, and the sum exceeds its original value. Programs with random weights refute
    many pairs at the same time. For each sum, separate programs then refute the remaining pairs, until one of
    them shows that no other pair can be refuted.

    Parameters
    ----------
    known : Unknowns
        Published numbers and bounds of the unknowns.
    members : sparse array, shape (members, unknowns)
        Cell of each member. A row without entries is an external intruder.
    needed : ndarray, shape (members,)
        Smallest count of the member's own cell that the member knows.
    sums : sparse array, shape (sums, unknowns)
        Sums to examine.
    true : ndarray, shape (sums,)
        Original value of each sum.
    pairs : ndarray of bool, shape (members, sums)
        Pairs to examine.
    counts : ndarray, shape (unknowns,), optional
        Original counts, if available.

    Returns
    -------
    ndarray of bool, shape (members, sums)
        True if the member is certain. Pairs are also True if the search reaches its limit before it refutes
        them.

    Raises
    ------
    ValueError
        If no feasible integer table exists.

    Examples
    --------
    Two cells have 1 person in total. Only the person in the first cell knows that the second cell is empty:

    >>> from scipy import sparse
    >>> one = np.ones(1)
    >>> known = Unknowns(sparse.csr_array([[1.0, 1.0]]), one, one, np.zeros(2), np.ones(2))
    >>> members, second = sparse.csr_array([[0.0, 0.0], [1.0, 0.0]]), sparse.csr_array([[0.0, 1.0]])
    >>> certain_pairs(known, members, np.array([0.0, 1.0]), second, np.zeros(1), np.ones((2, 1), dtype=bool)).tolist()
    [[False], [True]]
    """
    undecided = pairs.copy()
    # Cells with known counts are removed; a sum of such cells is certain for everyone.
    free = np.flatnonzero(known.lower < known.upper)
    fixed = np.where(known.lower < known.upper, 0, known.lower)
    rest, needed, true = known.matrix @ fixed, needed - members @ fixed, true - sums @ fixed
    sums = sums[:, free]
    settled = np.diff(sums.indptr) == 0
    undecided[:, settled] = False
    known = Unknowns(
        known.matrix[:, free], known.low - rest, known.high - rest, known.lower[free], known.upper[free]
    )
    search = _PairSearch(known, members[:, free], needed, sums, true, undecided)
    if counts is not None:
        search.add_one(counts[free])
    weights = np.random.default_rng(1)
    for _ in range(BULK):
        if undecided.sum() < 2 or not search.several(weights):
            break
    budget = max(20, MOST_WORK // max(1, len(known.lower)))
    for k in np.flatnonzero(undecided.any(axis=0)).tolist():
        while budget > 0 and undecided[:, k].any():
            budget -= 1
            if not search.single(k):
                break
    undecided[:, settled] = pairs[:, settled]
    return undecided


class _PairSearch:
    """Search for feasible tables that refute pairs; `undecided` is updated in place."""

    def __init__(
        self, known: Unknowns, members: Sparse, needed: Floats, sums: Sparse, true: Floats, undecided: Flags
    ) -> None:
        self.known, self.members, self.needed = known, members, needed
        self.sums, self.true, self.undecided = sums, true, undecided
        known.matrix.indices, known.matrix.indptr = (
            part.astype(np.int32) for part in (known.matrix.indices, known.matrix.indptr)
        )
        far = np.concatenate([known.low, known.high, known.lower, known.upper, needed, true])
        self.far = 2 + float(np.abs(far[np.isfinite(far)]).sum())
        self.upper = np.where(np.isfinite(known.upper), known.upper, self.far)

    def add_one(self, counts: Floats) -> None:
        """Refute pairs by adding one person to the original counts, in each cell where this is feasible."""
        known = self.known
        at = known.matrix @ counts
        if ((at < known.low) | (at > known.high)).any() or (counts < known.lower).any():
            return
        full = (at >= known.high).astype(float)
        free = (counts < self.upper) & (known.matrix.T @ full == 0)
        above = (self.sums @ free.astype(float)) > 0
        self.undecided[np.ix_(self.members @ counts >= self.needed, above)] = False

    def several(self, rng: np.random.Generator) -> bool:
        """Refute pairs of several sums by one program; return whether it refuted at least one pair."""
        from scipy import sparse

        columns = np.flatnonzero(self.undecided.any(axis=0))
        above = sparse.hstack([self.sums[columns], -sparse.eye_array(len(columns))], format="csr")
        return self._solve(columns, above, rng) is True

    def single(self, column: int) -> bool:
        """Refute pairs of one sum by a separate program; return whether it refuted at least one pair."""
        columns = np.array([column])
        return self._solve(columns, None, None) is True

    def _solve(
        self, columns: NDArray[np.intp], above: Sparse | None, rng: np.random.Generator | None
    ) -> bool:
        from scipy import sparse
        from scipy.optimize import Bounds, LinearConstraint, milp

        known, size = self.known, len(self.known.lower)
        rows = np.flatnonzero(self.undecided[:, columns].any(axis=1) & (self.needed > 0))
        more = 0 if above is None else len(columns)
        # One flag per member: the member's cell holds at least the count that the member knows.
        holds = sparse.hstack(
            [self.members[rows], sparse.csr_array((len(rows), more)), -sparse.diags_array(self.needed[rows])],
            format="csr",
        )
        constraints = [LinearConstraint(holds, 0, np.inf)] if len(rows) else []
        if known.matrix.shape[0]:
            wide = sparse.hstack(
                [known.matrix, sparse.csr_array((known.matrix.shape[0], more + len(rows)))], format="csr"
            )
            constraints.append(LinearConstraint(wide, known.low, known.high))
        if above is None:
            wide = sparse.hstack(
                [self.sums[columns], sparse.csr_array((len(columns), len(rows)))], format="csr"
            )
            constraints.append(LinearConstraint(wide, self.true[columns] + 1, np.inf))
            least_above = np.zeros(0)
        else:
            wide = sparse.hstack([above, sparse.csr_array((more, len(rows)))], format="csr")
            constraints.append(LinearConstraint(wide, self.true[columns], np.inf))
            least_above = -self.true[columns]
        weights = np.ones(more + len(rows)) if rng is None else rng.uniform(0, 1, more + len(rows))
        whole = int((self.needed[rows] > 1).any())
        solved = milp(
            np.concatenate([np.zeros(size), -weights]),
            integrality=np.repeat([1, 0, whole], [size, more, len(rows)]),
            bounds=Bounds(
                np.concatenate([known.lower, least_above, np.zeros(len(rows))]),
                np.concatenate([self.upper, np.ones(more + len(rows))]),
            ),
            constraints=constraints,
            options={"node_limit": MOST_NODES},
        )
        if solved.status == 2 and above is not None:
            raise ValueError(CONTRADICTION)
        if solved.x is None:
            return False
        point = np.rint(solved.x[:size])
        refuted = (
            np.outer(self.members @ point >= self.needed, self.sums @ point > self.true) & self.undecided
        )
        self.undecided &= ~refuted
        return bool(refuted[:, columns].any())
