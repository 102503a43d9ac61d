"""Generation and assessment of replicates, as a whole or in short steps."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from sdcwidgets import measures as registry
from sdcwidgets._util.arguments import check_kind, check_kinds
from sdcwidgets._util.arrays import Floats
from sdcwidgets.assessment.replications.result import ByAxis, Replications, SlicesAfter
from sdcwidgets.assessment.replications.sums import Sums
from sdcwidgets.measures import Batch, Measure
from sdcwidgets.measures.settings import Settings
from sdcwidgets.measures.suppressed_cells import with_midpoints
from sdcwidgets.methods import Method
from sdcwidgets.tables.table import FrequencyTable, table_of

#: Maximum number of cells that are generated and assessed at once, to limit memory.
CHUNK = 2**21

#: Maximum number of cells for which a step computes one of the `later` measures.
PART = 2**17

#: If a step takes this many times the given time, the next one is not larger.
LONG = 3

#: If all replicates took less than this share of the given time before, they are generated in one step.
SHORT = 0.5

#: Maximum number of method-table combinations with a stored computing time; the oldest is removed.
REMEMBERED = 100

#: Number of replicates that are stored for display.
STORED_REPLICATES = 100


class Run:
    """Replicates of one method on one table, assessed during generation; results are available at any time.

    Replicates are assessed in chunks. Only sums, the measures of the whole table and the first replicates are
    stored. Equal seeds give equal results, independent of the division into steps.

    Parameters
    ----------
    table : FrequencyTable
    method : Method
    settings : Settings
    measures : sequence of Measure, optional
        Measures of the table and of all slices; default: the usual measures.
    more : sequence of Measure
        Additional measures of the whole table.
    later : sequence of Measure
        Measures of the whole table that are only computed by `catch_up`; replicates are stored until then, up
        to a limit.
    took : dict, optional
        Computing time in seconds of all replicates, by method and table shape. It is updated by the run. If it
        shows that little time is needed, all replicates are generated in one step.
    clock : callable
        Function that returns the current time in seconds.
    """

    def __init__(
        self,
        table: FrequencyTable,
        method: Method,
        settings: Settings,
        measures: Sequence[Measure] | None = None,
        more: Sequence[Measure] = (),
        later: Sequence[Measure] = (),
        took: dict[tuple[object, ...], float] | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.table, self.method, self.settings = table, method, settings
        self.size = 0
        chosen = usual(table, method, settings) if measures is None else tuple(measures)
        self.measures = (*chosen, *[measure for measure in more if measure not in chosen])
        self.later = tuple([measure for measure in later if measure not in self.measures])
        self._took = {} if took is None else took
        self._transition = method.person_transition(table) if method.follows else None
        self._kind = type(method), table.counts.shape, self.wanted
        self._spent = 0.0
        self._clock = clock
        self._last = 0, 0.0  # number of replicates and seconds of the last step
        self._cheap = True  # whether the time of a step depends little on its size
        self._rng = method.random_numbers(table, settings.seed)
        # Margins use separate random numbers, so that requests for margins do not change the replicates.
        self._margin_chance: dict[int | None, np.random.Generator] = {}
        self._axes = range(table.ndim if table.ndim > 1 else 0)
        sliced = [measure for measure in chosen if measure.sliced]
        self._sums = [Sums(self.measures, None), *(Sums(sliced, axis) for axis in self._axes if sliced)]
        self._late = Sums(self.later, None)
        self._draws: list[Floats] = []
        self._late_draws: list[Floats] = []
        self._waiting: list[Batch] = []  # replicates for which `later` measures are not computed yet
        self._stored: list[Batch] = []  # first replicates

    @property
    def _is_certain(self) -> bool:
        """Whether the result has no standard error, because neither a replicate nor a secret changes it."""
        return self.method.deterministic and not self.method.seeded

    @property
    def wanted(self) -> int:
        """Total number of replicates: as in the settings, or 1 for a deterministic method."""
        return 1 if self.method.deterministic else self.settings.replications

    @property
    def done(self) -> bool:
        """Whether all replicates are generated."""
        return self.size >= self.wanted

    def draw(self, size: int | None = None) -> None:
        """Generate and assess `size` further replicates; default: all remaining ones."""
        missing = self.wanted - self.size if size is None else size
        step = max(1, CHUNK // self.table.cells)
        for start in range(0, missing, step):
            batch = self._next(min(step, missing - start))
            values = [sums.add(batch) for sums in self._sums]
            self._draws.append(values[0])  # the whole table
            if self.size < STORED_REPLICATES:
                self._stored.append(batch.part(0, STORED_REPLICATES - self.size))
            self.size += batch.size
            if self.later:
                self._waiting.append(batch)
                if sum(batch.size for batch in self._waiting) * self.table.cells > CHUNK:
                    self.catch_up()

    def catch_up(self) -> None:
        """Compute the `later` measures of the stored replicates."""
        for _ in self.catching_up():
            pass

    def catching_up(self) -> Iterator[None]:
        """Compute the `later` measures of the stored replicates in short steps, so that the caller can interrupt."""
        while self._waiting:
            batch = self._waiting[0]
            size = max(1, PART // self.table.cells)
            if batch.size > size:
                self._waiting[:1] = [batch.part(0, size), batch.part(size, batch.size)]
            self._late_draws.append((yield from self._late.adding(self._waiting[0])))
            del self._waiting[0]

    def draw_for(self, seconds: float) -> None:
        """Generate as many replicates as fit into the time, estimated from earlier steps, but at least one.

        The first replicate includes the time for loading modules, so a second step follows if there is time.
        Small steps may consist mainly of fixed costs. While a doubled step takes little longer, the size is
        doubled again, even if the time is exceeded.
        """
        begun = start = self._clock()
        end = start + seconds
        if not self.size and self._took.get(self._kind, np.inf) < SHORT * seconds:
            self._last = self.wanted, SHORT * seconds
        while not self.done:
            last, took = self._last
            fit = int((end - start) * last / max(took, 1e-9) + 1e-6) if last else 1
            if start == begun and self._cheap and took < LONG * seconds:
                fit = max(fit, 2 * last)
            part = min(max(fit, 1), self.wanted - self.size)
            self.draw(part)
            now = self._clock()
            if part > last > 0:
                self._cheap = (now - start) / max(took, 1e-9) < (1 + part / last) / 2
            self._spent += now - start
            self._last, start = (part, now - start), now
            if self.done:
                self._remember()
            if now >= end - 1e-9:
                return

    def _remember(self) -> None:
        """Store the computing time of all replicates as the most recent entry."""
        self._took.pop(self._kind, None)
        self._took[self._kind] = self._spent
        while len(self._took) > REMEMBERED:
            del self._took[next(iter(self._took))]

    def stored(self, index: int) -> Batch | None:
        """Return one of the first replicates as a batch; None if it is not generated yet."""
        for part in self._stored:
            if index < part.size:
                batch = part.part(index, index + 1)
                margins = None if self.method.merges else partial(self._margin, batch.published[0])
                return Batch(
                    self.table,
                    batch.published,
                    batch.stayed,
                    chance=batch.chance,
                    margins=margins,
                    reading=batch.reading,
                    midpoints=self._midpoints,
                    transition=self._transition,
                )
            index -= part.size
        return None

    def result(self) -> Replications:
        """Return the results of the replicates so far; at least one is needed."""
        if not self._stored:
            raise ValueError("There are no replicates yet; call the function draw first.")
        whole, draws = (
            self._part(None),
            dict(zip(self.measures, np.concatenate(self._draws, axis=1), strict=True)),
        )
        if self.later and not self._waiting:
            late = self._late.estimates(self._is_certain)
            whole = replace(whole, estimates={**whole.estimates, **late})
            draws |= zip(self.later, np.concatenate(self._late_draws, axis=1), strict=True)
        return Replications(
            table=self.table,
            method=self.method,
            settings=self.settings,
            size=self.size,
            drawn=self._stored[0].published[0],
            slices=ByAxis({self.table.axes[axis].name: self._part(axis) for axis in self._axes}),
            whole_slice=whole,
            draws=draws,
        )

    def _next(self, size: int) -> Batch:
        """Return further replicates, with unchanged records per cell if the method changes individual records."""
        table, method, first = self.table, self.method, not self.size
        if method.follows:
            followed = method.follow(table, size, self._rng)
            chance = not method.deterministic
            return Batch(table, *followed, chance=chance, transition=self._transition)
        published = method.replicate(table, size, self._rng)

        def margins(axis: int | None) -> Floats | None:
            # A method with a secret choice makes the same choice for margins and cells.
            seed = [self.settings.seed, 0 if axis is None else axis + 1]
            chance = np.random.default_rng(self.settings.seed if method.deterministic else seed)
            rng = self._margin_chance.setdefault(axis, chance)
            margin = method.published_margin(table, published, () if axis is None else (axis,), rng)
            if margin is None:
                return None
            drawn = margin.reshape(size, -1).astype(np.float64)
            if first:
                drawn[:1] = self._margin(published[0], axis)
            return drawn

        return Batch(
            table,
            published,
            chance=not method.deterministic,
            margins=margins,
            reading=self.settings.suppressed,
            midpoints=self._midpoints,
        )

    def _midpoints(self, cells: NDArray[np.number]) -> Floats:
        """Return one replicate with midpoints of intervals for its suppressed cells."""
        return _midpoints_of(self.method, self.table, cells.astype(np.float64).tobytes(), self.settings.seed)

    def _margin(self, cells: NDArray[np.number], axis: int | None) -> Floats:
        """Return the margin of the release with these cells, as shown for this replicate."""
        rng = self.method.random_numbers(self.table, self.settings.seed)
        release = self.method.release_from_cells(self.table, cells, rng)
        return np.reshape(release.values[() if axis is None else (axis,)], (1, -1)).astype(np.float64)

    def _part(self, axis: int | None) -> SlicesAfter:
        measured = next((sums for sums in self._sums if sums.axis == axis), None)
        return SlicesAfter(
            name="Table" if axis is None else self.table.axes[axis].name,
            labels=("Table",) if axis is None else self.table.axes[axis].labels,
            estimates=measured.estimates(self._is_certain) if measured else {},
        )


@lru_cache(maxsize=32)
def _midpoints_of(method: Method, table: FrequencyTable, cells: bytes, seed: int) -> Floats:
    """Return midpoints from a cache, because each change of a setting on a page requests them."""
    published = np.frombuffer(cells).reshape(table.shape)
    release = method.release_from_cells(table, published, method.random_numbers(table, seed))
    # Linear programs for each of many replicates would take minutes.
    return with_midpoints(release, table, sharp=method.deterministic)


def usual(table: FrequencyTable, method: Method, settings: Settings) -> tuple[Measure, ...]:
    """Return the measures that are computed by default."""
    names = _usual_names(registry.available())
    if settings.variant == "followed":
        names += ("r2_followed", "r2_star_followed")
    return registry.select(table, settings, followed=method.follows, names=names)


@lru_cache(maxsize=8)
def _usual_names(available: tuple[str, ...]) -> tuple[str, ...]:
    names = []
    for name in available:
        measure = registry.get(name)
        if measure.usual and measure.needs != ("before",):
            names.append(name)
    return tuple(names)


def replicate(
    table: FrequencyTable,
    method: Method,
    settings: Settings | None = None,
    measures: Sequence[Measure] | None = None,
) -> Replications:
    """Generate and assess all replicates of a method on a table; see `Run`.

    Examples
    --------
    >>> from sdcwidgets import examples, methods
    >>> from sdcwidgets.assessment.replications import replicate
    >>> from sdcwidgets.measures.settings import Settings
    >>> replicate(examples.load("sex"), methods.get("random-rounding")(), Settings(replications=5)).size
    5
    """
    table_of(table)
    check_kind("method", method, Method, "a method, such as methods.get('random-rounding')()")
    if settings is not None:
        check_kind("settings", settings, Settings, "the settings of an assessment")
    if measures is not None:
        check_kinds(
            "measures", measures, Measure, "a list of measures, such as [measures.get('hellinger')()]"
        )
    run = Run(table, method, settings or Settings(), measures)
    run.draw()
    return run.result()
