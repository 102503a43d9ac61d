r"""Cheapest pattern by cutting planes (Benders decomposition).

A pattern x (1 = suppressed) protects an entry k if a table exists, within
:math:`a_i - L_i x_i \le z_i \le a_i + U_i x_i`, in which :math:`z_k` is far enough from :math:`a_k`. If no such
table exists, the dual of the linear program gives an inequality that holds for every protecting pattern, but
not for this one:

.. math:: \sum_i (\alpha_i U_i + \beta_i L_i) x_i \ge \text{required distance}

The master program finds the cheapest x for all inequalities so far. At the end its solution protects all
entries, and no cheaper pattern does.
Reference: Fischetti and Salazar 2001, Solving the cell suppression problem on tabular data with linear constraints.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._arrays import Flags, Floats, Sparse
from .._linear import solve
from .insiders import InsiderView
from .problem import Problem, Unprotectable, Work
from .widening import ChangeOracle, Failure, Widening, weak_relations

TOLERANCE = 1e-6

#: Maximum number of branches of the search for a covering pattern.
MOST_NODES = 200

#: Maximum number of rounds of cuts for the relaxed master program.
RELAXED_ROUNDS = 30


#: Work of one branch per entry.
NODE = 300

#: Maximum number of unknowns of all programs in `at_least`, for a running time of some seconds.
MOST_COPIES = 1_500_000


class _Ask(NamedTuple):
    """Required distances of an entry, and the limits of the change of each entry as the intruder sees them."""

    entry: int
    above: float
    below: float
    width: float
    up: Floats
    down: Floats


class Cuts:
    """Inequalities that every protecting pattern satisfies."""

    def __init__(self, entries: int) -> None:
        self.rows: list[Floats] = []
        self.least: list[float] = []
        self._entries = entries

    def add(self, row: Floats, least: float) -> None:
        """Add an inequality; coefficients above the right side are lowered to it, because x is 0 or 1."""
        self.rows.append(np.minimum(row, least) / least)
        self.least.append(1.0)

    def add_if(self, row: Floats, least: float, entry: int) -> None:
        """Add an inequality that must hold only if an entry is suppressed."""
        coefficients = np.minimum(row, least) / least
        coefficients[entry] -= 1
        self.rows.append(coefficients)
        self.least.append(0.0)

    def system(self) -> tuple[Sparse, Floats]:
        """Return the matrix and the right sides."""
        from scipy import sparse

        if not self.rows:
            return sparse.csr_array((0, self._entries)), np.empty(0)
        return sparse.csr_array(np.stack(self.rows)), np.asarray(self.least)


def cover(problem: Problem, *, lonely: bool = True) -> Cuts:
    """Return cuts that hold for all values: no suppressed entry is alone in a relation.

    Each relation with one sensitive entry needs another suppressed entry. If `lonely` is True, the same holds
    for every suppressed entry.
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
    """Return the cheapest pattern without a single suppressed entry in a sum, and a lower bound of the cost.

    Every protecting pattern has this property. The converse is false, but in a dense table few entries are
    missing. The pattern is None if the search takes too long.
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
        # A limit of nodes instead of time: the pattern must not depend on the speed of the computer.
        options={"node_limit": MOST_NODES, "mip_rel_gap": 1e-3},
    )
    bound = 0.0 if solved.mip_dual_bound is None else max(float(solved.mip_dual_bound), 0.0)
    return None if solved.x is None else solved.x > 0.5, bound


def cheapest(problem: Problem, moves: ChangeOracle, start: Flags, work: Work) -> tuple[Flags, float]:
    """Return the cheapest protecting pattern (or `start` if the work ends), and a lower bound of the cost.

    Parameters
    ----------
    problem : Problem
        Problem to solve.
    moves : Ways
        Search for the largest changes of entries.
    start : ndarray of bool
        A protecting pattern; its cost bounds the search.
    work : Work
        Limit of the computations.
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
        # Insider views and suppressed entries that are not sensitive are checked only for patterns that pass so
        # far.
        failing = Widening(problem, moves, pattern, work).failures()
        if not failing:
            return pattern, float(costs[pattern].sum())
        attack.ask(failing)
        attack.cut(pattern.astype(np.float64), cuts, violated=TOLERANCE, work=work)
    return start, min(least, price)


def at_least(problem: Problem) -> float:
    """Return a lower bound of the cost of every protecting pattern; 0 if the problem is too large.

    The bound comes from some rounds of cuts of the relaxed program, so the cheapest pattern may cost more.
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
    """Return the cheapest x for the cuts (None if the work ends), and a lower bound of the cost."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    matrix, least = cuts.system()
    nodes = (work.most - work.done) / NODE / len(costs)
    options = {"mip_rel_gap": 1e-7}
    if np.isfinite(nodes):
        options["node_limit"] = int(max(nodes, 1))
    solved = milp(
        costs,
        integrality=np.full(len(costs), int(whole)),
        bounds=Bounds(problem.primary.astype(float), problem.usable.astype(float)),
        constraints=LinearConstraint(matrix, least, np.inf) if len(least) else (),
        options=options,
    )
    work.spend(NODE * len(costs) * (1 + (solved.get("mip_node_count") or 0)))
    if solved.status == 2:
        raise _no_pattern(int(np.flatnonzero(problem.primary)[0]))
    bound = solved.mip_dual_bound if whole else solved.fun
    if solved.status != 0:
        return None, float(bound) if bound is not None else 0.0
    return np.clip(solved.x, 0, 1), float(bound if bound is not None else solved.fun)


class _Attack:
    """Linear programs of the intruder, solved together, for sensitive entries and for known failures."""

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
        self._insider_view = None if problem.insiders is None else InsiderView(problem, problem.insiders)

    def ask(self, failing: list[Failure]) -> None:
        """Add entries, with the insider view in which each of them fails."""
        problem = self.problem
        for entry, who in failing:
            up, down, below = self.up, self.down, float(problem.below[entry])
            if who:
                assert self._insider_view is not None
                limits = self._insider_view.limits(who)
                usable = problem.usable[limits.entries]
                at = np.searchsorted(self.columns, limits.entries[usable])
                up, down = up.copy(), down.copy()
                up[at], down[at] = (
                    np.minimum(up[at], limits.up[usable]),
                    np.minimum(down[at], limits.down[usable]),
                )
                below = min(below, float(problem.values[entry]) - self._insider_view.share(entry, who))
            width = float(problem.required[2][entry])
            self.requests.append(_Ask(entry, float(problem.above[entry]), below, width, up, down))

    def cut(self, x: Floats, cuts: Cuts, violated: float, work: Work) -> bool:
        """Add a cut for each protection that x lacks; return whether at least one was added."""
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
        """Return the reach of each entry, shape (requests, 2), and cut coefficients, (requests, 2, columns)."""
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
        f"No pattern protects the cell at position {entry}: its interval is too narrow even if all permitted cells "
        "are suppressed.",
    )
