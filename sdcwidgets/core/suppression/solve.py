"""Find a pattern, audit it, and say how far it may be from the cheapest one."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .._arrays import Floats
from ..bounds import Bounds
from .audit import audit, reach
from .exact import at_least, cheapest, covering, weak_relations
from .heuristic import by_cubes, by_flow
from .problem import Pattern, Problem, Unprotectable
from .relations import Tree

__all__ = ["find_pattern", "tightened"]

Flags = NDArray[np.bool_]

#: Up to so many entries the cheapest pattern is looked for, above only a good one.
EXACT_ENTRIES = 400
#: A covering pattern that lacks more flows than this is given up.
MOST_MENDED = 8
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
    covered, least = covering(problem)
    costs = np.where(problem.primary, 0.0, problem.weights)
    pattern, proved = _good(problem, trees, covered, costs)
    if method == "exact" or (method == "auto" and len(problem.values) <= EXACT_ENTRIES):
        pattern, found = _best(problem, pattern, seconds)
        least = max(least, found)
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


def tightened(problem: Problem, pattern: Pattern) -> Pattern:
    """Return a pattern with a better bound of what it must cost at least, where some seconds can find one.

    What `find_pattern` proves of a large table at once counts only sums with a gap alone. Here the intruder's programs
    for all sensitive entries say what else must be suppressed. Where there are too many, the bound stays as it is.

    Parameters
    ----------
    problem : Problem
    pattern : Pattern
        Found for it.

    Returns
    -------
    Pattern
        The same one; only `least` may be greater.
    """
    if pattern.optimal:
        return pattern
    return replace(pattern, least=min(pattern.cost, max(pattern.least, at_least(problem))))


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


def _good(
    problem: Problem, trees: tuple[tuple[Tree, ...], ...], covered: Flags | None, costs: Floats
) -> tuple[Flags, Bounds]:
    """Return a pattern that protects, and what proves it: the cheaper one of two that are begun differently.

    One begins with boxes. The other begins with the cheapest pattern in which no gap is alone in a sum; it is given up
    if too much is missing.
    """
    boxes = _mended(problem, by_cubes(problem, problem.primary, trees), trees)
    assert boxes is not None  # without a limit it ends with a pattern, or raises
    other = None
    # What protects at all was proved above; this beginning may only be a bad one.
    with suppress(Unprotectable):
        other = None if covered is None else _mended(problem, covered, None, most=MOST_MENDED)
    if other is not None and costs[other[0]].sum() <= costs[boxes[0]].sum():
        return other
    return boxes


def _mended(
    problem: Problem, pattern: Flags, trees: tuple[tuple[Tree, ...], ...] | None, most: float = np.inf
) -> tuple[Flags, Bounds] | None:
    """Return the pattern with what is missing, and what proves it: flows are added until the audit finds nothing.

    None if more than `most` are needed. With `trees` boxes are looked for again where sums were too small.
    """
    flows = 0
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
            if trees is not None:
                pattern = by_cubes(problem, pattern, trees)
            continue
        bounds, fails = _proved(problem, pattern)
        if not fails.any():
            return pattern, bounds
        if flows >= most:
            return None
        flows += 1
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
