"""Result of the page: four roundings of one table, the conclusions of data users, and the runs of the solver.

References: handbook, chapter 5, section 5.5, Tables 5.18 to 5.22.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.errors import InputError
from sdcwidgets.core import controlled as core
from sdcwidgets.core.margins import margins
from sdcwidgets.dashboards.rounding.state import METHODS, RoundingState
from sdcwidgets.methods import Method
from sdcwidgets.methods.rounding import (
    ControlledRounding,
    ConventionalRounding,
    RandomRounding,
    SemiControlledRounding,
    protection_interval,
)
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

#: Optimality gaps at which the runs of the solver stop, one run per gap.
GAPS = (1e9, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.0)


#: Time limit of the first run, in seconds. It is short, because the page must follow a slider.
FIRST_RUN = 0.06


#: Time limit of the second run, in seconds.
NEXT_RUN = 0.5


#: Maximum time limit of a run, in seconds. The limit doubles after each run that reaches it.
LONGEST_RUN = 2.0


#: The page does not compute the optimum for tables with more cells and margins.
MOST_ENTRIES = 3000


#: A table that is rounded in parts is shown again when its distance falls below this share of the one shown before.
SHOWN_BETTER = 0.99


#: Time limit of the search for better roundings, in seconds.
PATIENCE = 5.0


@dataclass(frozen=True, eq=False)
class RoundedTable:
    """One rounding of the table.

    Attributes
    ----------
    name : str
        One of METHODS.
    release : Release
        Of all axes.
    distance : float
        The sum of |z - a| over cells and margins.
    furthest : int
        The greatest |z - a| among these.
    nonadditive, totals : int
        How many published totals are not the sums of the published cells, and how many there are.
    """

    name: str
    release: Release
    distance: float
    furthest: int
    nonadditive: int
    totals: int


@dataclass(frozen=True)
class SolverRun:
    """One run of the solver, which may stop at an optimality gap: its result and its duration."""

    target_gap: float
    seconds: float
    distance: float
    bound: float

    @property
    def gap(self) -> float:
        """Maximum excess of the distance over the smallest one, as a share of it."""
        return 0.0 if self.distance <= self.bound + 1e-6 else 1 - self.bound / self.distance


@dataclass(frozen=True, eq=False)
class RoundingResult:
    """All numbers of the page Rounding; the object is immutable.

    Attributes
    ----------
    state : RoundingState
    original : FrequencyTable
        What the screen shows of the table.
    roundings : tuple of RoundedTable
        In the order of METHODS. The last one is the closest controlled rounding so far, for teaching.
    chosen_by_secret : RoundedTable or None
        The controlled rounding that the secret of the page selects: shown as a table, and saved. None: not found yet.
    runs : tuple of SolverRun
        Of the solver, each that was made so far; none where RAPID stands in.
    rapid : bool
        Whether no controlled rounding was found yet, and cells to the nearest multiple are shown in its place.
    work : (int, int)
        How many parts of a large table were rounded anew, and at most will be; 0 of 0 where it is rounded at once.
    published : int
        The number that is looked at, a multiple of the base.
    interval : (int, int)
        What a reader concludes from it.
    """

    state: RoundingState
    original: FrequencyTable
    roundings: tuple[RoundedTable, ...]
    runs: tuple[SolverRun, ...]
    rapid: bool
    published: int
    interval: tuple[int, int]
    work: tuple[int, int] = (0, 0)
    chosen_by_secret: RoundedTable | None = None

    @property
    def shown(self) -> tuple[RoundedTable, ...]:
        """The roundings that the page shows as tables, in the order of METHODS; reports save one of them."""
        return (*self.roundings[:-1], self.chosen_by_secret or self.roundings[-1])

    @property
    def chosen(self) -> RoundedTable:
        """The rounding of the chosen published value."""
        return self.shown[METHODS.index(self.state.method)]

    @property
    def release(self) -> Release:
        """The published values."""
        return self.chosen.release

    @property
    def method(self) -> Method:
        """The method for publication; controlled rounding is then selected by a secret."""
        method = methods_of(self.state)[METHODS.index(self.state.method)]
        return replace(method, choice="secret") if isinstance(method, ControlledRounding) else method

    @property
    def ways(self) -> Mapping[str, Mapping[int, float]]:
        """Possible published values of the chosen count by method, with their probabilities.

        The probability is NaN if the value depends on the other cells, as in controlled rounding.
        """
        z, base = self.state.rounding.count, self.state.rounding.base
        below, rest = z - z % base, z % base
        chances = {below: 1 - rest / base, below + base: rest / base} if rest else {z: 1.0}
        reach = (self.state.rounding.steps + 1) * base
        near = [
            multiple
            for multiple in range(max(below - reach, 0), below + reach + 1, base)
            if abs(multiple - z) < reach
        ]
        decided = np.nan if len(near) > 1 else 1.0
        ways = ({(2 * z + base) // (2 * base) * base: 1.0}, chances, chances, dict.fromkeys(near, decided))
        return dict(zip(METHODS, ways, strict=True))

    @property
    def likely(self) -> Floats:
        """Probability of each original count of the interval, given the published value.

        All counts are equally likely before publication. Random and semi-controlled rounding publish a value more
        often for the counts near it; the other methods do not change the probabilities.
        """
        low, high = self.interval
        counts = np.arange(low, high + 1)
        weights = np.ones(len(counts))
        if self.state.method in ("random", "semi-controlled"):
            weights = 1 - np.abs(counts - self.published) / self.state.rounding.base
        shares: Floats = weights / weights.sum()
        return shares

    @property
    def publishing(self) -> Release:
        """The release that a report saves: the table that the page shows.

        Raises
        ------
        InputError
            If the page shows RAPID or the closest rounding in place of a controlled rounding chosen by the secret.
        """
        if self.state.method == "controlled" and self.chosen_by_secret is None:
            raise InputError("No controlled rounding has been found yet. Wait until the solver has finished.")
        return self.chosen.release


def methods_of(
    state: RoundingState,
) -> tuple[ConventionalRounding, RandomRounding, SemiControlledRounding, ControlledRounding]:
    """Return the four methods with the settings of the page."""
    base, steps = state.rounding.base, state.rounding.steps
    return (
        ConventionalRounding(base=base, margins="own"),
        RandomRounding(base=base, margins="own"),
        SemiControlledRounding(base=base, totals="table"),
        ControlledRounding(base=base, steps=steps, choice="optimal"),
    )


def compute(state: RoundingState) -> RoundingResult:
    """Return all numbers of the page, with a first controlled rounding that is computed quickly.

    Raises
    ------
    InputError
        If no rounding is within K steps and adds up.

    Examples
    --------
    The handbook's Table 5.18 in base 5: by chance Table 5.20, as it is printed, is one of those possible.

    >>> result = compute(RoundingState.of_example("handbook-5-18"))
    >>> conventional, _, _, controlled = result.roundings
    >>> conventional.nonadditive, controlled.nonadditive
    (1, 0)
    """
    table = state.table
    conventional, random, semi_controlled, controlled = methods_of(state)
    rng = [np.random.default_rng([state.rounding.draw, k]) for k in range(2)]
    releases = [
        conventional.release(table, rng[0]),
        random.release(table, rng[0]),
        semi_controlled.release(table, rng[1]),
    ]
    roundings = [_rounded(name, table, release) for name, release in zip(METHODS, releases, strict=False)]
    start = time.perf_counter()
    first = _run(state, GAPS[0], FIRST_RUN)
    taken = time.perf_counter() - start
    solution = first or core.controlled(table.counts, controlled.base, goal="rapid")
    best = _rounded("controlled", table, controlled.of(table, solution))
    base, steps = state.rounding.base, state.rounding.steps
    is_quick = table.ndim <= 2 and _entries(table) <= MOST_ENTRIES
    chosen = replace(controlled, choice="secret")
    published = (2 * state.rounding.published + base) // (2 * base) * base
    reach = {"conventional": None, "random": 0, "semi-controlled": 0, "controlled": steps}[state.method]
    if reach is None:
        ends = conventional.conclusions(np.array(published))
    else:
        ends = protection_interval(published, base, reach)
    return RoundingResult(
        state,
        state.seen,
        (*roundings, best),
        () if first is None else (SolverRun(GAPS[0], taken, first.distance, first.bound),),
        first is None,
        published,
        (int(np.asarray(ends[0])), int(np.asarray(ends[1]))),
        chosen_by_secret=_rounded("controlled", table, chosen.release(table, state.secret))
        if is_quick
        else None,
    )


def improve(state: RoundingState, first: RoundingResult) -> Iterator[RoundingResult]:
    """Yield results with better controlled roundings, one per run, until the best one is proved optimal.

    The rounding that the secret selects comes first, unless the table is small. A table that is too large for one run
    is rounded in parts; see `ControlledRounding.search`.
    """
    begun, now, allowed = time.perf_counter(), first, NEXT_RUN
    table, controlled = state.table, methods_of(state)[-1]

    def with_run(solution: core.Rounded, target_gap: float, seconds: float) -> RoundingResult:
        best = _rounded("controlled", table, controlled.of(table, solution))
        if not now.rapid and best.distance > now.roundings[-1].distance:
            best = now.roundings[-1]
        run = SolverRun(target_gap, seconds, solution.distance, solution.bound)
        return replace(now, roundings=(*now.roundings[:-1], best), runs=(*now.runs, run), rapid=False)

    most = core.rounds(_entries(table), controlled.effort)
    if now.chosen_by_secret is None:
        best = None
        for done, solution in enumerate(replace(controlled, choice="secret").search(table, state.secret)):
            if not solution.rapid and solution is not best:
                best = solution
                chosen = _rounded("controlled", table, controlled.of(table, solution))
                now = replace(now, chosen_by_secret=chosen)
            now = replace(now, work=(min(done, most), most))
            yield now
        begun = time.perf_counter()
    if _entries(table) > core.EXACT and table.ndim > 2:
        least = now.roundings[-1].distance if now.runs else np.inf
        for done, solution in enumerate(controlled.search(table)):
            if not solution.rapid and solution.distance < SHOWN_BETTER * least:
                least = solution.distance
                now = with_run(solution, 0.0, time.perf_counter() - begun)
            now = replace(now, work=(min(done, most), most))
            yield now
        return
    for target_gap in GAPS if first.rapid else GAPS[1:]:
        reached = now.runs[-1].gap if now.runs else np.inf
        if reached <= 1e-9 or time.perf_counter() - begun > PATIENCE:
            return
        if reached <= target_gap:
            continue
        start = time.perf_counter()
        run = _run(state, target_gap, allowed)
        if run is None or run.gap > target_gap:
            allowed = min(2 * allowed, LONGEST_RUN)
        if run is not None:
            now = with_run(run, target_gap, time.perf_counter() - start)
            yield now


def _entries(table: FrequencyTable) -> int:
    return sum(array.size for array in margins(table.counts).values())


def _run(state: RoundingState, target_gap: float, seconds: float) -> core.Rounded | None:
    """Return the result of one run; None if there is no result or the table is too large."""
    table, base, steps = state.table, state.rounding.base, state.rounding.steps
    if _entries(table) > (MOST_ENTRIES if table.ndim <= 2 else core.EXACT):
        return None
    try:
        solution = core.controlled(table.counts, base, steps, seconds=seconds, gap=target_gap, effort=0)
    except ValueError as error:
        raise InputError(
            f"{error} The maximum number of steps K is {steps}. Set K to {steps + 1} or more."
        ) from None
    return None if solution.rapid else solution


def _rounded(name: str, table: FrequencyTable, release: Release) -> RoundedTable:
    """Return a release with its distance from the original table, and its number of non-additive totals."""
    truth, sums = margins(table.counts), margins(release.cells)
    away = {axes: np.abs(release.values[axes] - truth[axes]) for axes in truth}
    nonadditive = sum(int(np.sum(np.abs(release.values[axes] - sums[axes]) > 0.5)) for axes in truth)
    totals = sum(array.size for array in truth.values()) - table.cells
    return RoundedTable(
        name,
        release,
        float(sum(array.sum() for array in away.values())),
        int(max(array.max() for array in away.values())),
        nonadditive,
        totals,
    )
