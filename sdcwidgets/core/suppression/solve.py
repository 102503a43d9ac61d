"""Find and audit a suppression pattern, with a lower bound of its cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from .._arrays import Flags
from .audit import audit
from .elimination import by_elimination
from .exact import at_least, cheapest, covering
from .paths import CycleSearch
from .problem import Pattern, Problem, Unprotectable, Work
from .programs import Programs
from .random_pattern import disguised, with_decoys
from .widening import Failure, Widening

#: Maximum number of entries for the search of a cheapest pattern; larger tables get a good one.
EXACT_ENTRIES = 400

#: Maximum work for the improvement of one pattern of a small table.
MOST_WORK = 1e6


def find_pattern(
    problem: Problem,
    *,
    method: str = "auto",
    work: Work | None = None,
    audited: bool = True,
    secret: int | None = None,
) -> Pattern:
    """Find a protecting suppression pattern and audit it.

    Parameters
    ----------
    problem : Problem
        Table, sensitive entries and required protection.
    method : {"auto", "exact", "heuristic"}
        "exact": cheapest pattern; "heuristic": a good pattern in short time; "auto": "exact" for small tables.
    work : Work, optional
        Limit of the work for improvements. A protecting pattern is always found and proved.
    audited : bool
        Also compute the feasibility interval of each suppressed entry. If the table is not a network, this
        needs two linear programs per entry.
    secret : int, optional
        Seed of the random choice of a pattern close to the cheapest one (see `choice`); the cost then has no
        lower bound. None: the cheapest pattern or a good one, which the counts alone determine.

    Returns
    -------
    Pattern
        The pattern with its cost and intervals.

    Raises
    ------
    Unprotectable
        If the suppression of all usable entries does not protect.
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
        # The cost of the disguised problem is not a bound for this problem.
        pattern, least = _chosen(problem, secret, exact, work), 0.0
    return audited_pattern(problem, pattern, least, audited=audited)


def audited_pattern(problem: Problem, pattern: Flags, least: float = 0.0, *, audited: bool = True) -> Pattern:
    """Return a protecting pattern with its cost and, if `audited` is True, its feasibility intervals."""
    cost = float(problem.weights[pattern & ~problem.primary].sum())
    if not audited:
        bounds = (problem.values, problem.values)
    elif CycleSearch.of(problem) is None:
        bounds = Widening(problem, Programs(problem), pattern, Work(np.inf)).bounds()
    else:
        bounds = audit(
            problem.relations, problem.values, pattern, floor=problem.floor, ceiling=problem.ceiling
        )
    return Pattern(pattern, pattern & ~problem.primary, cost, min(least, cost), *bounds, audited)


def _solved(problem: Problem, exact: bool, work: Work) -> tuple[Flags, float]:
    """Return the cheapest pattern or a good one, and a lower bound of the cost."""
    moves = CycleSearch.of(problem) or Programs(problem)
    pattern, least = _good(problem, moves, work)
    if exact:
        pattern, bound = cheapest(problem, moves, pattern, work)
        least = max(least, bound)
    return pattern, least


def _chosen(problem: Problem, secret: int, exact: bool, work: Work) -> Flags:
    """Return the pattern selected by the secret."""
    disguise, decoys = disguised(problem, secret)

    def solved(disguise: Problem) -> Flags:
        return _solved(disguise, exact, work)[0]

    return _with_decoys(replace(problem, weights=disguise.weights), decoys, solved)


def pattern_with(problem: Problem, decoys: Flags) -> Flags:
    """Return a good pattern that also suppresses decoys, in short time (tables that are networks).

    Parameters
    ----------
    problem : Problem
        Table and required protection.
    decoys : ndarray of bool
        Further entries to suppress, with intervals as wide as those of sensitive entries.

    Returns
    -------
    ndarray of bool
        The suppressed entries.

    Raises
    ------
    Unprotectable
        If the sensitive entries cannot be protected. A decoy that cannot be protected is not suppressed.
    """
    moves = CycleSearch.of(problem)
    assert moves is not None

    def solved(disguise: Problem) -> Flags:
        if problem.expensive.any():
            # One start may suppress an expensive entry that is not necessary.
            return _solved(disguise, False, Work(MOST_WORK))[0]
        widening = Widening(disguise, moves, disguise.primary, Work(MOST_WORK))
        widening.widened()
        return widening.thinned()

    return _with_decoys(problem, decoys, solved, float(problem.width.max()))


def _with_decoys(
    problem: Problem, decoys: Flags, solved: Callable[[Problem], Flags], width: float = 1.0
) -> Flags:
    """Return the pattern of a problem with decoys; decoys that cannot be protected are removed.

    A decoy is also removed if its protection needs an expensive entry.
    """
    if decoys.any() and problem.expensive.any():
        needed = solved(problem)
        problem = replace(problem, usable=problem.usable & (~problem.expensive | needed))
    while True:
        try:
            return solved(with_decoys(problem, decoys, width))
        except Unprotectable as error:
            if not decoys.any():
                raise
            # A decoy may have no other entry in its row that can be suppressed with it.
            decoys = (
                decoys & (np.arange(len(decoys)) != error.entry) if decoys[error.entry] else decoys & False
            )


def tightened(problem: Problem, pattern: Pattern) -> Pattern:
    """Improve the lower bound of a pattern's cost if this is possible in some seconds.

    For large tables, the bound of `find_pattern` uses only that a sum has no single suppressed entry. The
    linear programs of the intruder for all sensitive entries give a better bound. If there are too many, the
    bound does not change.

    Parameters
    ----------
    problem : Problem
        Problem of the pattern.
    pattern : Pattern
        Result of `find_pattern`.

    Returns
    -------
    Pattern
        The same pattern; only `least` can increase.
    """
    if pattern.optimal:
        return pattern
    return replace(pattern, least=min(pattern.cost, max(pattern.least, at_least(problem))))


def is_network(problem: Problem) -> bool:
    """Return whether the sums of a table are a network, so that patterns are found in short time."""
    return CycleSearch.of(problem) is not None


def failures(problem: Problem, pattern: Flags) -> list[Failure]:
    """Return the sensitive entries with intervals that are too narrow, each with a coalition that can infer it.

    The coalition is the first one found for the entry; it is empty for an external intruder.
    """
    moves = CycleSearch.of(problem) or Programs(problem)
    all_failures = Widening(problem, moves, pattern, Work(np.inf)).failures()
    return [failure for failure in all_failures if problem.primary[failure.entry]]


def _good(problem: Problem, moves: CycleSearch | Programs, work: Work) -> tuple[Flags, float]:
    """Return a protecting pattern and a lower bound of the cost: the best result from several starts.

    The starts are the sensitive entries alone, the cheapest pattern without a single suppressed entry in a sum
    and, if the table is not a network, the pattern from elimination.
    """
    costs, least = np.where(problem.primary, 0.0, problem.weights), 0.0
    best: Flags | None = None
    before: list[Flags] = []

    def beginnings() -> Iterator[Flags]:
        nonlocal least
        if isinstance(moves, Programs):
            yield by_elimination(problem)
        # This takes a second for a thousand entries.
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
            # The first start proves whether a pattern exists; a failure from another start only means a bad
            # start.
            if best is None:
                raise
            continue
        if best is None or costs[pattern].sum() < costs[best].sum():
            best = pattern.copy()
        if work.over:
            break
    assert best is not None
    return best, least
