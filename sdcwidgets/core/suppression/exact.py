r"""The cheapest pattern: cutting planes that an intruder's failures write.

A pattern x (1 where suppressed) protects an entry k if an intruder finds a table, within
:math:`a_i - L_i x_i \le z_i \le a_i + U_i x_i`, whose :math:`z_k` is far enough from :math:`a_k`. Where the best
such table is not far enough, the dual of that linear program is an inequality that every protecting pattern
fulfils and this one does not:

.. math:: \sum_i (\alpha_i U_i + \beta_i L_i) x_i \ge \text{what is asked}

The master program chooses the cheapest x with all inequalities found so far; at the end it protects, and none
cheaper does.

Reference: Fischetti and Salazar 2001, Solving the cell suppression problem on tabular data with linear constraints.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from .._arrays import Floats, Sparse
from .._linear import solve
from .problem import Problem, Unprotectable

__all__ = ["Cuts", "at_least", "cheapest", "cover", "covering"]

Flags = NDArray[np.bool_]
TOLERANCE = 1e-6

#: Branches that the search for a covering pattern looks at.
MOST_NODES = 200

#: Rounds of cuts on the relaxed master before whole numbers are asked for.
RELAXED_ROUNDS = 30


#: Unknowns of all the intruder's programs of `at_least` together: it takes some seconds then.
MOST_COPIES = 1_500_000


class Cuts:
    """Inequalities that every protecting pattern fulfils."""

    def __init__(self, entries: int) -> None:
        self.rows: list[Floats] = []
        self.least: list[float] = []
        self._entries = entries

    def add(self, row: Floats, least: float) -> None:
        """Keep one, with coefficients above what is asked lowered to it: x is 0 or 1."""
        self.rows.append(np.minimum(row, least) / least)
        self.least.append(1.0)

    def system(self) -> tuple[Sparse, Floats]:
        """Return the matrix and the least value of each row."""
        from scipy import sparse

        if not self.rows:
            return sparse.csr_array((0, self._entries)), np.empty(0)
        return sparse.csr_array(np.stack(self.rows)), np.asarray(self.least)


def cover(problem: Problem, *, lonely: bool = True) -> Cuts:
    """Return what holds whatever the values: no suppressed entry is alone in a relation.

    For a sensitive entry there must be another; with `lonely`, also for each entry that is chosen.
    """
    cuts = Cuts(len(problem.values))
    usable = problem.usable.astype(np.float64)
    for row in problem.relations.matrix:
        members = row.indices[problem.usable[row.indices]]
        inside = members[problem.primary[members]]
        others = np.zeros(len(usable))
        others[members] = 1
        if len(inside) == 1:
            alone = others.copy()
            alone[inside] = 0
            if not alone.any():
                raise _no_pattern(int(inside[0]))
            cuts.add(alone, 1.0)
        elif lonely and not len(inside):
            for entry in members:
                not_alone = others.copy()
                not_alone[entry] = -1
                cuts.rows.append(not_alone)
                cuts.least.append(0.0)
    return cuts


def covering(problem: Problem) -> tuple[Flags | None, float]:
    """Return the cheapest pattern in which no gap is alone in a sum, and what no pattern costs less than.

    Each pattern that protects is such a one; the converse does not hold, but little is missing in a dense table. The
    pattern is None where the search takes too long.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    matrix, least = cover(problem).system()
    if not len(least):
        return problem.primary.copy(), 0.0
    solved = milp(
        np.where(problem.primary, 0.0, problem.weights),
        integrality=np.ones(len(problem.values)),
        bounds=Bounds(problem.primary.astype(float), problem.usable.astype(float)),
        constraints=LinearConstraint(matrix, least, np.inf),
        # So many nodes, not so much time: the pattern must not depend on the machine.
        options={"node_limit": MOST_NODES, "mip_rel_gap": 1e-3},
    )
    bound = 0.0 if solved.mip_dual_bound is None else max(float(solved.mip_dual_bound), 0.0)
    return None if solved.x is None else solved.x > 0.5, bound


def cheapest(
    problem: Problem, start: Flags | None = None, seconds: float = 60.0
) -> tuple[Flags | None, float, bool]:
    """Return the cheapest pattern that protects, what no pattern can cost less than, and whether it is done.

    Parameters
    ----------
    problem : Problem
    start : ndarray of bool, optional
        A pattern known to protect; its cost bounds the search.
    seconds : float
        After this time the search ends, and the pattern is None unless it was done.

    Raises
    ------
    Unprotectable
        If suppressing everything that may be suppressed doesn't protect.
    """
    until = time.monotonic() + seconds
    cuts = cover(problem)
    costs = np.where(problem.primary, 0.0, problem.weights)
    attack = _Attack(problem)
    attack.check_possible()
    for _ in range(RELAXED_ROUNDS):
        x, least = _master(problem, cuts, costs, whole=False, seconds=until - time.monotonic())
        if x is None or time.monotonic() > until or not attack.cut(x, cuts, violated=0.05):
            break
    while True:
        left = until - time.monotonic()
        if left <= 0:
            return None, least, False
        x, found = _master(problem, cuts, costs, whole=True, seconds=left)
        least = max(least, found)
        if x is None:
            return None, least, False
        pattern = x > 0.5
        added = attack.cut(pattern.astype(np.float64), cuts, violated=TOLERANCE)
        added |= _unions(problem, pattern, cuts)
        if not added:
            return pattern, float(costs[pattern].sum()), True
        if start is not None and least >= costs[start].sum() - 1e-6:
            return start, least, True


def at_least(problem: Problem) -> float:
    """Return what every pattern that protects costs at least, by some rounds of cuts; 0 for too large a problem.

    Half an entry may be suppressed here, so the cheapest pattern may cost more.
    """
    copies = 2 * int(problem.primary.sum()) * int(problem.usable.sum())
    rounds = min(RELAXED_ROUNDS, MOST_COPIES // max(copies, 1))
    if not rounds:
        return 0.0
    cuts, costs = cover(problem), np.where(problem.primary, 0.0, problem.weights)
    attack, least = _Attack(problem), 0.0
    for _ in range(rounds):
        x, found = _master(problem, cuts, costs, whole=False, seconds=60.0)
        if x is None:
            break
        slow, least = found <= 1.01 * least, max(least, found)
        if slow or not attack.cut(x, cuts, violated=0.05):
            break
    return least


def _master(
    problem: Problem, cuts: Cuts, costs: Floats, *, whole: bool, seconds: float
) -> tuple[Floats | None, float]:
    """Return the cheapest x that fulfils the cuts, and a bound on the cost."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    matrix, least = cuts.system()
    solved = milp(
        costs,
        integrality=np.full(len(costs), int(whole)),
        bounds=Bounds(problem.primary.astype(float), problem.usable.astype(float)),
        constraints=LinearConstraint(matrix, least, np.inf) if len(least) else (),
        options={"time_limit": max(seconds, 0.01), "mip_rel_gap": 1e-7},
    )
    if solved.status == 2:
        raise _no_pattern(int(np.flatnonzero(problem.primary)[0]))
    bound = solved.mip_dual_bound if whole else solved.fun
    if solved.status != 0:
        return None, float(bound) if bound is not None else 0.0
    return np.clip(solved.x, 0, 1), float(bound if bound is not None else solved.fun)


class _Attack:
    """The intruder's linear programs for all sensitive entries, solved side by side."""

    def __init__(self, problem: Problem) -> None:
        from scipy import sparse

        self.problem = problem
        self.entries = np.flatnonzero(problem.primary)
        self.columns = np.flatnonzero(problem.usable)
        matrix = problem.relations.matrix[:, self.columns]
        room = problem.room
        self.down = np.minimum(problem.values - problem.floor, room)[self.columns]
        self.up = np.minimum(problem.ceiling - problem.values, room)[self.columns]
        self.place = np.searchsorted(self.columns, self.entries)
        self.copies = 2 * len(self.entries)
        self.matrix = sparse.kron(sparse.eye_array(self.copies), matrix, format="csr")
        # Copy k pushes the entry up, copy k + P down.
        self.cost = np.zeros((self.copies, len(self.columns)))
        order = np.arange(len(self.entries))
        self.cost[order, self.place] = -1
        self.cost[order + len(order), self.place] = 1

    def far(self, x: Floats) -> tuple[Floats, Floats]:
        """Return how far each sensitive entry can go up and down, and each copy's coefficients of a cut."""
        used = x[self.columns]
        solved = solve(
            self.cost.ravel(),
            self.matrix,
            np.zeros(self.matrix.shape[0]),
            np.tile(-self.down * used, self.copies),
            np.tile(self.up * used, self.copies),
        )
        reduced = (self.cost.ravel() - self.matrix.T @ solved.eqlin.marginals).reshape(self.cost.shape)
        weights = np.maximum(-reduced, 0) * self.up + np.maximum(reduced, 0) * self.down
        reach = -np.sum(self.cost * solved.x.reshape(self.cost.shape), axis=1)
        return reach, weights

    def cut(self, x: Floats, cuts: Cuts, violated: float) -> bool:
        """Add a cut for each protection that x does not give; return whether there was one."""
        if not len(self.entries):
            return False
        reach, weights = self.far(x)
        size = len(self.entries)
        problem, asked = self.problem, self.entries
        up, down = reach[:size], reach[size:]
        parts = [
            (up, problem.above[asked], weights[:size]),
            (down, problem.below[asked], weights[size:]),
            (up + down, problem.width[asked], weights[:size] + weights[size:]),
        ]
        added = False
        for got, wanted, rows in parts:
            for k in np.flatnonzero(got < wanted * (1 - violated) - TOLERANCE):
                row = np.zeros(len(problem.values))
                row[self.columns] = rows[k]
                cuts.add(row, float(wanted[k]))
                added = True
        return added

    def check_possible(self) -> None:
        """Raise Unprotectable if suppressing all that may be suppressed doesn't protect."""
        if not len(self.entries):
            return
        reach, _ = self.far(self.problem.usable.astype(np.float64))
        size = len(self.entries)
        asked = self.entries
        fails = (reach[:size] < self.problem.above[asked] - TOLERANCE) | (
            reach[size:] < self.problem.below[asked] - TOLERANCE
        )
        fails |= reach[:size] + reach[size:] < self.problem.width[asked] - TOLERANCE
        if fails.any():
            raise _no_pattern(int(asked[np.argmax(fails)]))


def suppressed_parts(problem: Problem, pattern: Flags) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return relation and entry of each suppressed part whose sum is published."""
    entries = problem.relations.matrix.tocoo()
    total = np.zeros(entries.shape[0], dtype=np.int64)
    total[entries.row[entries.data < 0]] = entries.col[entries.data < 0]
    kept = (entries.data > 0) & pattern[entries.col] & ~pattern[total][entries.row]
    return entries.row[kept].astype(np.int64), entries.col[kept].astype(np.int64)


def weak_relations(problem: Problem, pattern: Flags) -> NDArray[np.int64]:
    """Return the relations whose suppressed parts are sensitive together."""
    if problem.union is None:
        return np.empty(0, dtype=np.int64)
    return problem.union(*suppressed_parts(problem, pattern))


def _unions(problem: Problem, pattern: Flags, cuts: Cuts) -> bool:
    weak = weak_relations(problem, pattern)
    for relation in weak:
        members = problem.relations.matrix[[relation]].indices
        inside = members[pattern[members]]
        others = members[~pattern[members] & problem.usable[members]]
        if not len(others):
            raise _no_pattern(int(inside[0]))
        row = np.zeros(len(problem.values))
        row[others] = 1
        row[inside] = -1
        cuts.rows.append(row)
        cuts.least.append(1.0 - len(inside))
    return len(weak) > 0


def _no_pattern(entry: int) -> Unprotectable:
    return Unprotectable(
        entry,
        f"No pattern protects entry {entry} as asked: even all that may be suppressed leaves it too narrow.",
    )
