"""Find a pattern, audit it, and say how far it may be from the cheapest one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._arrays import Floats
from ..bounds import Bounds
from .audit import audit, reach
from .exact import cheapest, cover, weak_relations
from .heuristic import by_cubes, by_flow
from .problem import Pattern, Problem, Unprotectable
from .relations import Tree

__all__ = ["find_pattern"]

Flags = NDArray[np.bool_]

#: Up to so many entries the cheapest pattern is looked for, above only a good one.
EXACT_ENTRIES = 400
#: Up to so many suppressed entries each interval is computed, above only proved to be wide enough.
EXACT_INTERVALS = 600


def find_pattern(
    problem: Problem,
    trees: tuple[tuple[Tree, ...], ...] | None = None,
    *,
    method: str = "auto",
    seconds: float = 20.0,
) -> Pattern:
    """Return a pattern that protects, audited.

    Parameters
    ----------
    problem : Problem
    trees : tuple of tuples of Tree, optional
        The hierarchies of each table; default: each axis has its total last.
    method : {"auto", "exact", "heuristic"}
        The cheapest pattern, or a good one in short time; "auto" looks for the cheapest on small tables.
    seconds : float
        How long to look for the cheapest; after that the good one counts, with the bound reached.

    Returns
    -------
    Pattern

    Raises
    ------
    Unprotectable
        If suppressing everything that may be suppressed doesn't protect.
    ValueError
        If the method is unknown.
    """
    if method not in ("auto", "exact", "heuristic"):
        raise ValueError(f'The method must be "auto", "exact" or "heuristic", not {method!r}.')
    if trees is None:
        trees = tuple(
            tuple(Tree.flat(size - 1) for size in table.shape) for table in problem.relations.tables
        )
    if not problem.primary.any():
        nothing = np.zeros(problem.primary.shape, dtype=bool)
        return Pattern(nothing, nothing, 0.0, 0.0, problem.values, problem.values, True)
    pattern, proved = _good(problem, trees)
    costs = np.where(problem.primary, 0.0, problem.weights)
    if method == "exact" or (method == "auto" and len(problem.values) <= EXACT_ENTRIES):
        pattern, least = _best(problem, pattern, seconds)
    else:
        least = _bound(problem)
    cost = float(costs[pattern].sum())
    secondary = pattern & ~problem.primary
    if pattern.sum() <= EXACT_INTERVALS:
        bounds = audit(
            problem.relations, problem.values, pattern, floor=problem.floor, ceiling=problem.ceiling
        )
        return Pattern(pattern, secondary, cost, min(least, cost), *bounds, True)
    if method == "exact":
        proved, _ = _proved(problem, pattern)
    return Pattern(pattern, secondary, cost, min(least, cost), *proved, False)


def _asked(problem: Problem, pattern: Flags) -> tuple[Floats, Floats, Floats]:
    """Return what each suppressed entry must attain: below, above, and width; one step where not sensitive."""
    width = np.where(problem.primary, problem.width, np.where(pattern, 1.0, 0.0))
    return problem.values - problem.below, problem.values + problem.above, width


def _proved(problem: Problem, pattern: Flags) -> tuple[Bounds, Flags]:
    return reach(
        problem.relations,
        problem.values,
        pattern,
        *_asked(problem, pattern),
        problem.floor,
        problem.ceiling,
    )


def _good(problem: Problem, trees: tuple[tuple[Tree, ...], ...]) -> tuple[Flags, Bounds]:
    """Return a pattern that protects, and what proves it: boxes, then flows, until the audit finds nothing."""
    pattern = by_cubes(problem, problem.primary, trees)
    while True:
        weak = weak_relations(problem, pattern)
        for relation in weak:
            members = problem.relations.matrix[[relation]].indices
            free = members[problem.usable[members] & ~pattern[members]]
            if not len(free):
                inside = members[pattern[members]]
                raise Unprotectable(
                    int(inside[0]),
                    "The suppressed parts of a sum are sensitive together, and no other can join.",
                )
            pattern[free[np.argmin(problem.weights[free])]] = True
        if len(weak):
            pattern = by_cubes(problem, pattern, trees)
            continue
        bounds, fails = _proved(problem, pattern)
        if not fails.any():
            return pattern, bounds
        entry = int(np.flatnonzero(fails)[np.argmax(fails[fails] * _need(problem)[fails])])
        more = by_flow(problem, pattern, entry)
        if np.array_equal(more, pattern):
            raise Unprotectable(entry, f"No pattern protects entry {entry} as asked.")
        pattern = more


def _need(problem: Problem) -> Floats:
    return np.maximum(problem.above + problem.below, problem.width) + 1


def _best(problem: Problem, start: Flags, seconds: float) -> tuple[Flags, float]:
    """Return the cheapest pattern, or the one to start from, and what none can cost less than."""
    asked = problem
    while True:
        costs = np.where(problem.primary, 0.0, problem.weights)
        pattern, least, done = cheapest(asked, start, seconds)
        if not done or pattern is None:
            return start, least
        _, fails = _proved(problem, pattern)
        more = fails & pattern & ~asked.primary
        if not more.any():
            return pattern, least
        # Where three-way sums leave less than a step, a secondary entry must be asked for too.
        asked = asked.demanding(more)
        if costs[start].sum() <= least:
            return start, least


def _bound(problem: Problem) -> float:
    """Return what no pattern costs less than: each sensitive entry needs another in each of its sums."""
    from scipy.optimize import Bounds as Limits
    from scipy.optimize import LinearConstraint, milp

    cuts = cover(problem, lonely=False)
    matrix, least = cuts.system()
    if not len(least):
        return 0.0
    solved = milp(
        np.where(problem.primary, 0.0, problem.weights),
        bounds=Limits(problem.primary.astype(float), problem.usable.astype(float)),
        constraints=LinearConstraint(matrix, least, np.inf),
    )
    return float(solved.fun) if solved.status == 0 else 0.0
