"""Find a pattern, audit it, and say how far it may be from the cheapest one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from .._arrays import Flags
from .audit import audit
from .choice import disguised, with_decoys
from .elimination import by_elimination
from .exact import at_least, cheapest, covering
from .paths import Rings
from .problem import Pattern, Problem, Unprotectable, Work
from .programs import Programs
from .widening import Failure, Widening

#: Up to so many entries the cheapest pattern is looked for, above only a good one.
EXACT_ENTRIES = 400


def find_pattern(
    problem: Problem,
    *,
    method: str = "auto",
    work: Work | None = None,
    audited: bool = True,
    secret: int | None = None,
) -> Pattern:
    """Return a pattern that protects, audited.

    Parameters
    ----------
    problem : Problem
    method : {"auto", "exact", "heuristic"}
        The cheapest pattern, or a good one in short time; "auto" looks for the cheapest on small tables.
    work : Work, optional
        How much may be done to find something better. A pattern is found and proved whatever it is.
    audited : bool
        Whether to compute the bounds of each gap, too: of a table that is no network two programs a gap.
    secret : int, optional
        Choose a pattern that is close to the cheapest by this secret (see `choice`); no bound on the cost is given.
        None: the cheapest pattern, or a good one, which the counts alone determine.

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
    work = Work() if work is None else work
    if not problem.primary.any():
        nothing = np.zeros(problem.primary.shape, dtype=bool)
        return Pattern(nothing, nothing, 0.0, 0.0, problem.values, problem.values, True)
    exact = method == "exact" or (method == "auto" and len(problem.values) <= EXACT_ENTRIES)
    if secret is None:
        pattern, least = _solved(problem, exact, work)
    else:
        # What the disguised problem costs says nothing about the cheapest pattern of this one.
        pattern, least = _chosen(problem, secret, exact, work), 0.0
    cost = float(problem.weights[pattern & ~problem.primary].sum())
    if not audited:
        bounds = (problem.values, problem.values)
    elif Rings.of(problem) is None:
        bounds = Widening(problem, Programs(problem), pattern, Work(np.inf)).bounds()
    else:
        bounds = audit(
            problem.relations, problem.values, pattern, floor=problem.floor, ceiling=problem.ceiling
        )
    return Pattern(pattern, pattern & ~problem.primary, cost, min(least, cost), *bounds, audited)


def _solved(problem: Problem, exact: bool, work: Work) -> tuple[Flags, float]:
    """Return the cheapest pattern, or a good one, and what none costs less than."""
    moves = Rings.of(problem) or Programs(problem)
    pattern, least = _good(problem, moves, work)
    if exact:
        pattern, bound = cheapest(problem, moves, pattern, work)
        least = max(least, bound)
    return pattern, least


def _chosen(problem: Problem, secret: int, exact: bool, work: Work) -> Flags:
    """Return a pattern that the secret chooses, without the decoys that cannot be protected.

    A decoy that can only be protected by an expensive entry counts as one that cannot be protected.
    """
    disguise, decoys = disguised(problem, secret)
    usable = problem.usable
    if decoys.any() and problem.expensive.any():
        needed = _solved(replace(problem, weights=disguise.weights), exact, work)[0]
        usable = usable & (~problem.expensive | needed)
        disguise = replace(disguise, usable=usable)
    while True:
        try:
            return _solved(disguise, exact, work)[0]
        except Unprotectable as error:
            if not decoys.any():
                raise
            # A decoy may have no other entry in its row to be suppressed with it.
            decoys = (
                decoys & (np.arange(len(decoys)) != error.entry) if decoys[error.entry] else decoys & False
            )
            disguise = with_decoys(replace(problem, weights=disguise.weights, usable=usable), decoys)


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


def failures(problem: Problem, pattern: Flags) -> list[Failure]:
    """Return the sensitive entries that these gaps leave narrower than asked, each with who knows so much.

    Who that is, is a coalition of the problem's seats, and nobody for an outsider: of each entry the first one found.
    """
    moves = Rings.of(problem) or Programs(problem)
    all_failures = Widening(problem, moves, pattern, Work(np.inf)).failures()
    return [failure for failure in all_failures if problem.primary[failure.entry]]


def _good(problem: Problem, moves: Rings | Programs, work: Work) -> tuple[Flags, float]:
    """Return a pattern that protects, and what none costs less than: the cheapest of those from several beginnings.

    One begins with the sensitive entries alone, one with the cheapest pattern in which no gap is alone in a sum, and,
    where the table is no network, one with elimination.
    """
    costs, least = np.where(problem.primary, 0.0, problem.weights), 0.0
    best: Flags | None = None
    before: list[Flags] = []

    def beginnings() -> Iterator[Flags]:
        nonlocal least
        if isinstance(moves, Programs):
            yield by_elimination(problem)
        # It costs a second where there are a thousand entries, so that it is done while there is work left.
        covered, least = covering(problem)
        yield problem.primary
        if covered is not None:
            yield covered

    for start in beginnings():
        if best is not None and (
            costs[best].sum() <= least or any(np.array_equal(start, earlier) for earlier in before)
        ):
            continue
        before.append(start)
        try:
            widening = Widening(problem, moves, start, work)
            widening.widened()
            pattern = widening.thinned()
        except Unprotectable:
            # What protects at all is proved by the first; another beginning may only be a bad one.
            if best is None:
                raise
            continue
        if best is None or costs[pattern].sum() < costs[best].sum():
            best = pattern.copy()
        if work.over:
            break
    assert best is not None
    return best, least
