"""Find a pattern, audit it, and say how far it may be from the cheapest one."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .._arrays import Floats
from ..bounds import Bounds
from .audit import ALONE, audit, reach
from .exact import at_least, cheapest, covering, weak_relations
from .heuristic import by_cubes, by_flow
from .paths import Rings
from .problem import Pattern, Problem, Unfinished, Unprotectable
from .relations import Tree

__all__ = ["find_pattern", "tightened"]

Flags = NDArray[np.bool_]

#: Up to so many entries the cheapest pattern is looked for, above only a good one.
EXACT_ENTRIES = 400
#: A covering pattern that lacks more flows than this is given up.
MOST_MENDED = 8
#: Up to so many suppressed entries linear programs compute each interval; above they only prove it wide enough.
EXACT_INTERVALS = 600


def find_pattern(
    problem: Problem,
    trees: tuple[tuple[Tree, ...], ...] | None = None,
    *,
    method: str = "auto",
    seconds: float = 20.0,
    patience: float = 120.0,
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
    patience : float
        How many seconds a good one may take. Tables of two axes never need so many.

    Returns
    -------
    Pattern

    Raises
    ------
    Unfinished
        If there is none after that time. A pattern that is not proved to protect is never returned.
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
    rings = Rings.of(problem)
    pattern, attained = _good(problem, rings, trees, covered, (costs, least), patience)
    if method == "exact" or (method == "auto" and len(problem.values) <= EXACT_ENTRIES):
        pattern, found = _best(problem, pattern, seconds)
        least = max(least, found)
        attained = None
    cost = float(costs[pattern].sum())
    secondary = pattern & ~problem.primary
    exact = rings is not None or int(pattern.sum()) <= EXACT_INTERVALS
    if exact:
        bounds = audit(
            problem.relations, problem.values, pattern, floor=problem.floor, ceiling=problem.ceiling
        )
    else:
        bounds = _proved(problem, pattern)[0] if attained is None else attained
    return Pattern(pattern, secondary, cost, min(least, cost), *bounds, exact)


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


def _proved(
    problem: Problem, pattern: Flags, attained: Bounds | None = None, alone: int | None = None
) -> tuple[Bounds, Flags, Flags]:
    return reach(
        problem.relations,
        problem.values,
        pattern,
        problem.asked,
        (problem.floor, problem.ceiling),
        attained,
        int(pattern.sum()) if alone is None else alone,
    )


def _good(
    problem: Problem,
    rings: Rings | None,
    trees: tuple[tuple[Tree, ...], ...],
    covered: Flags | None,
    price: tuple[Floats, float],
    patience: float,
) -> tuple[Flags, Bounds | None]:
    """Return a pattern that protects, and what it attains where that was needed: the cheaper one of two.

    One begins with the sensitive entries alone where rings can be found, else with boxes. The other begins with the
    cheapest pattern in which no gap is alone in a sum; it is given up if too much is missing, and not begun if the
    first costs no more than what none can cost less than.
    """
    until, (costs, least) = time.monotonic() + patience, price

    def mended(start: Flags, boxes: bool, most: float = np.inf) -> tuple[Flags, Bounds | None] | None:
        if rings is not None:
            return _by_rings(problem, rings, start)
        return _mended(problem, start, trees if boxes else None, most, until, patience)

    begun = problem.primary if rings is not None else by_cubes(problem, problem.primary, trees)
    first = mended(begun, True)
    assert first is not None  # without a limit it ends with a pattern, or raises
    other = None
    # What protects at all was proved above; this beginning may only be a bad one.
    with suppress(Unprotectable, Unfinished):
        if covered is not None and costs[first[0]].sum() > least and not np.array_equal(covered, begun):
            other = mended(covered, False, MOST_MENDED)
    if other is not None and costs[other[0]].sum() <= costs[first[0]].sum():
        return other
    return first


def _by_rings(problem: Problem, rings: Rings, pattern: Flags) -> tuple[Flags, None]:
    """Return the pattern with what is missing, and without what is not needed."""
    while True:
        pattern = rings.widened(pattern)
        if not _join(problem, pattern):
            return rings.thinned(pattern), None


def _join(problem: Problem, pattern: Flags) -> bool:
    """Suppress one more part of each sum whose suppressed parts are sensitive together; say whether there was one."""
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
    return len(weak) > 0


def _mended(
    problem: Problem,
    pattern: Flags,
    trees: tuple[tuple[Tree, ...], ...] | None,
    most: float,
    until: float,
    patience: float,
) -> tuple[Flags, Bounds] | None:
    """Return the pattern with what is missing, and what proves it: flows are added until the audit finds nothing.

    None if more than `most` are needed. With `trees` boxes are looked for again where sums were too small.
    """
    flows, attained = 0, None
    while True:
        if _join(problem, pattern):
            if trees is not None:
                pattern = by_cubes(problem, pattern, trees)
            continue
        # A table that was possible stays so with more gaps: nothing is proved twice.
        attained, fails, doubtful = _proved(problem, pattern, attained, ALONE)
        if not (fails.any() or doubtful.any()):
            return pattern, attained
        before, failing = pattern, np.flatnonzero(fails)
        need = np.maximum(problem.above + problem.below, problem.width)[failing]
        for entry in failing[np.argsort(-need, kind="stable")].tolist():
            if time.monotonic() > until:
                raise Unfinished(patience, int((fails | doubtful).sum()))
            more = by_flow(problem, pattern, entry)
            flows += not np.array_equal(more, pattern)
            if flows > most:
                return None
            pattern = more
        if fails.any() and np.array_equal(before, pattern):
            raise Unprotectable(int(failing[0]), f"No pattern protects entry {failing[0]} as asked.")
        if time.monotonic() > until:
            raise Unfinished(patience, int((fails | doubtful).sum()))


def _best(problem: Problem, start: Flags, seconds: float) -> tuple[Flags, float]:
    """Return the cheapest pattern, or the one to start from, and what none can cost less than."""
    asked = problem
    while True:
        costs = np.where(problem.primary, 0.0, problem.weights)
        pattern, least, done = cheapest(asked, start, seconds)
        if not done or pattern is None:
            return start, least
        _, fails, _ = _proved(problem, pattern)
        more = fails & pattern & ~asked.primary
        if not more.any():
            return pattern, least
        # Where three-way sums leave less than a step, a secondary entry must be asked for too.
        asked = asked.demanding(more)
        if costs[start].sum() <= least:
            return start, least
