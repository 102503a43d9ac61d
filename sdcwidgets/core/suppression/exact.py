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

from typing import NamedTuple

import numpy as np

from .._arrays import Flags, Floats, Sparse
from .._linear import solve
from .problem import Problem, Unprotectable, Work
from .seats import Seated
from .widening import Failure, Ways, Widening, weak_relations

TOLERANCE = 1e-6

#: Branches that the search for a covering pattern looks at.
MOST_NODES = 200

#: Rounds of cuts on the relaxed master before whole numbers are asked for.
RELAXED_ROUNDS = 30


#: What a branch of the search costs for each entry.
NODE = 300

#: Unknowns of all the intruder's programs of `at_least` together: it takes some seconds then.
MOST_COPIES = 1_500_000


class _Ask(NamedTuple):
    """How far an entry must be able to go, within the room that somebody leaves each entry."""

    entry: int
    above: float
    below: float
    width: float
    up: Floats
    down: Floats


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

    def add_if(self, row: Floats, least: float, entry: int) -> None:
        """Keep one that must be fulfilled where an entry is suppressed."""
        coefficients = np.minimum(row, least) / least
        coefficients[entry] -= 1
        self.rows.append(coefficients)
        self.least.append(0.0)

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


def cheapest(problem: Problem, moves: Ways, start: Flags, work: Work) -> tuple[Flags, float]:
    """Return the cheapest pattern that protects, or `start` where the work ends before, and what none costs less than.

    Parameters
    ----------
    problem : Problem
    moves : Ways
    start : ndarray of bool
        A pattern known to protect; its cost bounds the search.
    work : Work
    """
    cuts, costs = cover(problem), np.where(problem.primary, 0.0, problem.weights)
    attack, least, price = _Attack(problem), 0.0, float(costs[start].sum())
    for _ in range(RELAXED_ROUNDS):
        if work.over:
            return start, least
        x, bound = _master(problem, cuts, costs, whole=False, work=work)
        least = max(least, bound)
        if x is None or not attack.cut(x, cuts, violated=0.05, work=work):
            break
    while not work.over and least < price - 1e-6:
        x, bound = _master(problem, cuts, costs, whole=True, work=work)
        least = max(least, bound)
        if x is None:
            break
        pattern = x > 0.5
        added = attack.cut(pattern.astype(np.float64), cuts, violated=TOLERANCE, work=work)
        added |= _unions(problem, pattern, cuts)
        if added:
            continue
        # Who is inside, and what is suppressed without being sensitive, is looked at where it matters only.
        failing = Widening(problem, moves, pattern, work).failures()
        if not failing:
            return pattern, float(costs[pattern].sum())
        attack.ask(failing)
        attack.cut(pattern.astype(np.float64), cuts, violated=TOLERANCE, work=work)
    return start, min(least, price)


def at_least(problem: Problem) -> float:
    """Return what every pattern that protects costs at least, by some rounds of cuts; 0 for too large a problem.

    Half an entry may be suppressed here, so the cheapest pattern may cost more.
    """
    copies = 2 * int(problem.primary.sum()) * int(problem.usable.sum())
    rounds = min(RELAXED_ROUNDS, MOST_COPIES // max(copies, 1))
    if not rounds:
        return 0.0
    cuts, costs = cover(problem), np.where(problem.primary, 0.0, problem.weights)
    attack, least, work = _Attack(problem), 0.0, Work(np.inf)
    for _ in range(rounds):
        x, bound = _master(problem, cuts, costs, whole=False, work=work)
        if x is None:
            break
        slow, least = bound <= 1.01 * least, max(least, bound)
        if slow or not attack.cut(x, cuts, violated=0.05, work=work):
            break
    return least


def _master(
    problem: Problem, cuts: Cuts, costs: Floats, *, whole: bool, work: Work
) -> tuple[Floats | None, float]:
    """Return the cheapest x that fulfils the cuts, None if the work ends before, and a bound on the cost."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    matrix, least = cuts.system()
    nodes = (work.most - work.done) / NODE / len(costs)
    solved = milp(
        costs,
        integrality=np.full(len(costs), int(whole)),
        bounds=Bounds(problem.primary.astype(float), problem.usable.astype(float)),
        constraints=LinearConstraint(matrix, least, np.inf) if len(least) else (),
        options={"mip_rel_gap": 1e-7, **({"node_limit": int(max(nodes, 1))} if np.isfinite(nodes) else {})},
    )
    work.spend(NODE * len(costs) * (1 + (solved.get("mip_node_count") or 0)))
    if solved.status == 2:
        raise _no_pattern(int(np.flatnonzero(problem.primary)[0]))
    bound = solved.mip_dual_bound if whole else solved.fun
    if solved.status != 0:
        return None, float(bound) if bound is not None else 0.0
    return np.clip(solved.x, 0, 1), float(bound if bound is not None else solved.fun)


class _Attack:
    """The intruder's linear programs, solved side by side: for sensitive entries, and what was found to fail."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.columns = np.flatnonzero(problem.usable)
        room = problem.room
        self.down = np.minimum(problem.values - problem.floor, room)[self.columns]
        self.up = np.minimum(problem.ceiling - problem.values, room)[self.columns]
        self.requests: list[_Ask] = []
        for entry in np.flatnonzero(problem.primary).tolist():
            above, below, width = (
                float(values[entry]) for values in (problem.above, problem.below, problem.width)
            )
            self.requests.append(_Ask(entry, above, below, width, self.up, self.down))
        self._seated = None if problem.seats is None else Seated(problem, problem.seats)

    def ask(self, failing: list[Failure]) -> None:
        """Look at some entries from some seats from now on."""
        problem = self.problem
        for entry, who in failing:
            up, down, below = self.up, self.down, float(problem.below[entry])
            if who:
                assert self._seated is not None
                limits = self._seated.limits(who)
                usable = problem.usable[limits.entries]
                at = np.searchsorted(self.columns, limits.entries[usable])
                up, down = up.copy(), down.copy()
                up[at], down[at] = (
                    np.minimum(up[at], limits.up[usable]),
                    np.minimum(down[at], limits.down[usable]),
                )
                below = min(below, float(problem.values[entry]) - self._seated.share(entry, who))
            width = float(problem.required[2][entry])
            self.requests.append(_Ask(entry, float(problem.above[entry]), below, width, up, down))

    def cut(self, x: Floats, cuts: Cuts, violated: float, work: Work) -> bool:
        """Add a cut for each protection that x does not give; return whether there was one."""
        if not self.requests:
            return False
        problem, added = self.problem, False
        reach, weights = self._far(x)
        work.spend(2 * len(self.requests) * len(self.columns))
        for ask, (up, down), (over, under) in zip(self.requests, reach, weights, strict=True):
            chosen = float(x[ask.entry])
            parts = ((up, ask.above, over), (down, ask.below, under), (up + down, ask.width, over + under))
            for got, wanted, coefficients in parts:
                if got >= wanted * chosen * (1 - violated) - TOLERANCE:
                    continue
                row = np.zeros(len(problem.values))
                row[self.columns] = coefficients
                if problem.primary[ask.entry]:
                    cuts.add(row, wanted)
                else:
                    cuts.add_if(row, wanted, ask.entry)
                added = True
        return added

    def _far(self, x: Floats) -> tuple[Floats, Floats]:
        """Return how far each goes up and down, shape (asked, 2), and the coefficients of cuts, (asked, 2, columns)."""
        from scipy import sparse

        size, used = len(self.columns), x[self.columns]
        cost = np.zeros((2 * len(self.requests), size))
        places = np.searchsorted(self.columns, [ask.entry for ask in self.requests])
        order = 2 * np.arange(len(self.requests))
        cost[order, places], cost[order + 1, places] = -1, 1
        up = np.repeat(np.stack([ask.up for ask in self.requests]), 2, axis=0)
        down = np.repeat(np.stack([ask.down for ask in self.requests]), 2, axis=0)
        matrix = sparse.kron(
            sparse.eye_array(len(cost)), self.problem.relations.matrix[:, self.columns], format="csr"
        )
        solved = solve(
            cost.ravel(), matrix, np.zeros(matrix.shape[0]), (-down * used).ravel(), (up * used).ravel()
        )
        reduced = (cost.ravel() - matrix.T @ solved.eqlin.marginals).reshape(cost.shape)
        weights = np.maximum(-reduced, 0) * up + np.maximum(reduced, 0) * down
        reach = -np.sum(cost * solved.x.reshape(cost.shape), axis=1)
        return reach.reshape(-1, 2), weights.reshape(-1, 2, size)


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
