"""The rounding lab: four ways to round one table side by side, what a reader concludes, and the solver at work.

References: handbook, chapter 5, section 5.5, Tables 5.18 to 5.22.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Annotated, Any, Self

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Declared, Help, Label, Range
from sdcwidgets._util.values import with_fields
from sdcwidgets.core import controlled as core
from sdcwidgets.core.margins import margins
from sdcwidgets.methods import Method
from sdcwidgets.methods.rounding import (
    ControlledRounding,
    ConventionalRounding,
    RandomRounding,
    SemiControlledRounding,
    protection_interval,
)
from sdcwidgets.methods.rounding.controlled import Steps
from sdcwidgets.methods.rounding.single import Base
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.studies.base import TableState

#: The methods, by what they are called in a link, in the order of the page.
METHODS = ("conventional", "random", "semi-controlled", "controlled")

#: The solver is run once for each of these: it may stop where its distance is at most this share above the least.
GAPS = (1e9, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.0)

#: The first run takes no longer than this, in seconds, the next one than that: the page must follow the hand.
FIRST_RUN, NEXT_RUN = 0.06, 0.5

#: A run that stopped for lack of time is followed by one with twice the time, up to this.
LONGEST_RUN = 2.0

#: Tables of more cells and margins are not rounded to the optimum while one looks.
MOST_ENTRIES = 3000

#: In parts, a rounding is shown when its distance is below this share of the one before.
SHOWN_BETTER = 0.99

#: So long is looked for better roundings, in seconds.
PATIENCE = 5.0


@dataclass(frozen=True)
class RoundingSettings(Declared):
    """What can be turned beside the table."""

    base: Base = 5
    steps: Steps = 0
    draw: Annotated[
        int,
        Range(1, 1_000_000),
        Label("Draw number"),
        Help("Each number is another draw of the two methods that use chance."),
    ] = 1
    count: Annotated[
        int,
        Range(0, 60),
        Label("True count z"),
        Help("The count that is followed: where each rounding may put it."),
    ] = 4
    published: Annotated[
        int,
        Range(0, 1_000_000),
        Label("Published value a"),
        Help("The number that a reader sees; press one in a table, or type it."),
    ] = 15


@dataclass(frozen=True)
class RoundingState(TableState):
    """A table, how it is rounded, and the published number that is looked at.

    Attributes
    ----------
    rounding : RoundingSettings
    method : str
        The method that the number was published by, one of METHODS.
    secret : int
        What a controlled rounding for publication is chosen by; a link does not hold it.
    """

    rounding: RoundingSettings = field(default_factory=RoundingSettings)
    method: str = "controlled"
    secret: int = field(default_factory=partial(secrets.randbits, 128), compare=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.method not in METHODS:
            raise InputError(f"There is no rounding {self.method!r}; there are {', '.join(METHODS)}.")

    def rounded(self, **changes: object) -> Self:
        """Return the same table under other settings of the rounding."""
        return replace(self, rounding=with_fields(self.rounding, **changes))

    def saved(self) -> dict[str, object]:
        """Return plain values."""
        return super().saved() | {"rounding": asdict(self.rounding), "method": self.method}

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the state of such values."""
        base = TableState.restored(saved)
        rounding = RoundingSettings(**saved["rounding"])
        return cls(base.table, base.source, base.settings, base.arrangement, rounding, str(saved["method"]))


@dataclass(frozen=True, eq=False)
class ShownRounding:
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
    apart, totals : int
        How many published totals are not the sums of the published cells, and how many there are.
    """

    name: str
    release: Release
    distance: float
    furthest: int
    apart: int
    totals: int


@dataclass(frozen=True)
class SolverRun:
    """A run of the solver that may stop at a gap: what it found, and how long it took."""

    asked: float
    seconds: float
    distance: float
    bound: float

    @property
    def gap(self) -> float:
        """How far the distance may be above the least one, as a share of it."""
        return 0.0 if self.distance <= self.bound + 1e-6 else 1 - self.bound / self.distance


@dataclass(frozen=True, eq=False)
class RoundingLab:
    """Every number that the lab shows; it never changes.

    Attributes
    ----------
    state : RoundingState
    true : FrequencyTable
        What the screen shows of the table.
    roundings : tuple of ShownRounding
        In the order of METHODS.
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
    true: FrequencyTable
    roundings: tuple[ShownRounding, ...]
    runs: tuple[SolverRun, ...]
    rapid: bool
    published: int
    interval: tuple[int, int]
    work: tuple[int, int] = (0, 0)

    @property
    def chosen(self) -> ShownRounding:
        """The rounding that the number that is looked at comes from."""
        return self.roundings[METHODS.index(self.state.method)]

    @property
    def release(self) -> Release:
        """What it publishes."""
        return self.chosen.release

    @property
    def method(self) -> Method:
        """The method that publishes the table: for controlled rounding with the choice by a secret."""
        method = methods_of(self.state)[METHODS.index(self.state.method)]
        return replace(method, choice="secret") if isinstance(method, ControlledRounding) else method

    @property
    def ways(self) -> Mapping[str, Mapping[int, float]]:
        """Where each method may put the count that is followed: multiples with their chances.

        A chance is not a number where a table decides, not chance: in controlled rounding of more than one way.
        """
        z, base = self.state.rounding.count, self.state.rounding.base
        below, rest = z - z % base, z % base
        chances = {below: 1 - rest / base, below + base: rest / base} if rest else {z: 1.0}
        reach = (self.state.rounding.steps + 1) * base
        near = [a for a in range(max(below - reach, 0), below + reach + 1, base) if abs(a - z) < reach]
        decided = np.nan if len(near) > 1 else 1.0
        ways = ({(2 * z + base) // (2 * base) * base: 1.0}, chances, chances, dict.fromkeys(near, decided))
        return dict(zip(METHODS, ways, strict=True))

    @property
    def publishing(self) -> Release:
        """What is published of the whole table by it.

        The page shows the closest controlled rounding. A data user who runs the program could conclude too much from
        it, so one that is chosen by a secret is published.
        """
        if self.rapid and self.state.method == "controlled":
            raise InputError("The solver has not found a controlled rounding yet; wait a moment.")
        if self.state.method == "controlled":
            return self.method.release(self.state.table, self.state.secret)
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


def lab(state: RoundingState) -> RoundingLab:
    """Return every number of the lab, with the first controlled rounding that is found in a moment.

    Raises
    ------
    InputError
        If no rounding is within K steps and adds up.

    Examples
    --------
    The handbook's Table 5.18 in base 5: by chance Table 5.20, as it is printed, is one of those possible.

    >>> found = lab(RoundingState.of_example("handbook-5-18"))
    >>> [(one.name, one.apart) for one in found.roundings if one.name in ("conventional", "controlled")]
    [('conventional', 1), ('controlled', 0)]
    """
    table, (conventional, chance, semi, controlled) = state.table, methods_of(state)
    rng = [np.random.default_rng([state.rounding.draw, k]) for k in range(2)]
    releases = [
        conventional.release(table, rng[0]),
        chance.release(table, rng[0]),
        semi.release(table, rng[1]),
    ]
    roundings = [_rounded(name, table, release) for name, release in zip(METHODS, releases, strict=False)]
    start = time.perf_counter()
    first = _run(state, GAPS[0], FIRST_RUN)
    taken = time.perf_counter() - start
    shown = first or core.controlled(table.counts, controlled.base, goal="rapid")
    best = _rounded("controlled", table, controlled.of(table, shown))
    base, steps = state.rounding.base, state.rounding.steps
    published = (2 * state.rounding.published + base) // (2 * base) * base
    reach = {"conventional": None, "random": 0, "semi-controlled": 0, "controlled": steps}[state.method]
    if reach is None:
        ends = conventional.conclusions(np.array(published))
    else:
        ends = protection_interval(published, base, reach)
    return RoundingLab(
        state,
        state.seen,
        (*roundings, best),
        () if first is None else (SolverRun(GAPS[0], taken, first.distance, first.bound),),
        first is None,
        published,
        (int(np.asarray(ends[0])), int(np.asarray(ends[1]))),
    )


def improve(state: RoundingState, first: RoundingLab) -> Iterator[RoundingLab]:
    """Yield the same with better controlled roundings, a run of the solver each, until none can be better.

    A table that no single run is quick for is rounded in parts; see `ControlledRounding.search`.
    """
    begun, now, allowed = time.perf_counter(), first, NEXT_RUN
    table, controlled = state.table, methods_of(state)[-1]

    def with_run(found: core.Rounded, asked: float, seconds: float) -> RoundingLab:
        best = _rounded("controlled", table, controlled.of(table, found))
        if not now.rapid and best.distance > now.roundings[-1].distance:
            best = now.roundings[-1]
        run = SolverRun(asked, seconds, found.distance, found.bound)
        return replace(now, roundings=(*now.roundings[:-1], best), runs=(*now.runs, run), rapid=False)

    if _entries(table) > core.EXACT and table.ndim > 2:
        least = now.roundings[-1].distance if now.runs else np.inf
        most = core.rounds(_entries(table), controlled.effort)
        for done, found in enumerate(controlled.search(table)):
            if not found.rapid and found.distance < SHOWN_BETTER * least:
                least = found.distance
                now = with_run(found, 0.0, time.perf_counter() - begun)
            now = replace(now, work=(min(done, most), most))
            yield now
        return
    for asked in GAPS if first.rapid else GAPS[1:]:
        reached = now.runs[-1].gap if now.runs else np.inf
        if reached <= 1e-9 or time.perf_counter() - begun > PATIENCE:
            return
        if reached <= asked:
            continue
        start = time.perf_counter()
        run = _run(state, asked, allowed)
        if run is None or run.gap > asked:
            allowed = min(2 * allowed, LONGEST_RUN)
        if run is not None:
            now = with_run(run, asked, time.perf_counter() - start)
            yield now


def _entries(table: FrequencyTable) -> int:
    return sum(array.size for array in margins(table.counts).values())


def _run(state: RoundingState, asked: float, seconds: float) -> core.Rounded | None:
    """Return what one run of the solver found; None if that is nothing, or the table is too large for it."""
    table, base, steps = state.table, state.rounding.base, state.rounding.steps
    if _entries(table) > (MOST_ENTRIES if table.ndim <= 2 else core.EXACT):
        return None
    try:
        found = core.controlled(table.counts, base, steps, seconds=seconds, gap=asked, effort=0)
    except ValueError as error:
        raise InputError(
            f"{error} Every value moves by at most {steps} steps (K); allow K = {steps + 1}."
        ) from None
    return None if found.rapid else found


def _rounded(name: str, table: FrequencyTable, release: Release) -> ShownRounding:
    """Return a release with how far it is from the truth, and whether it adds up."""
    truth, sums = margins(table.counts), margins(release.cells)
    away = {kept: np.abs(release.values[kept] - truth[kept]) for kept in truth}
    apart = sum(int(np.sum(np.abs(release.values[kept] - sums[kept]) > 0.5)) for kept in truth)
    totals = sum(array.size for array in truth.values()) - table.cells
    return ShownRounding(
        name,
        release,
        float(sum(array.sum() for array in away.values())),
        int(max(array.max() for array in away.values())),
        apart,
        totals,
    )
