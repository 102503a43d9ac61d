"""A table and a protection method in; what is left of the risk, and what is lost, over many draws out."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdcwidgets import measures as registry
from sdcwidgets.measures import Batch, Measure
from sdcwidgets.measures.census import DR
from sdcwidgets.measures.loss import Hellinger, Utility
from sdcwidgets.measures.risk import R2, R2Star
from sdcwidgets.methods import Method, PreTabular
from sdcwidgets.parameters import declared
from sdcwidgets.release import Release
from sdcwidgets.settings import Settings
from sdcwidgets.table import FrequencyTable

__all__ = ["KEPT", "Estimate", "Replications", "Run", "SlicesAfter", "replicate"]

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

#: Draws are made and assessed in chunks of about this many cells, to bound the memory.
CHUNK = 2**21

#: A part of the draws that took so many times the time that was given is not followed by a larger one.
LONG = 3

#: So many of the first draws are kept, to be looked at one by one.
KEPT = 100


class Estimate(NamedTuple):
    """A mean over replications and its Monte Carlo standard error, which is nan for one replication."""

    mean: Floats
    error: Floats


@dataclass(frozen=True)
class SlicesAfter:
    """What many draws say of every slice along one axis, or of the whole table.

    Attributes
    ----------
    name : str
        The axis, or "Table".
    labels : tuple of str
        One label a slice.
    estimates : dict of Estimate, shape (n,)
        The mean and its error of each measure; nan where the measure is not defined.
    """

    name: str
    labels: tuple[str, ...]
    estimates: Mapping[Measure, Estimate]

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, measure: Measure) -> Estimate:
        return self.estimates[measure]

    @property
    def r2(self) -> dict[str, Estimate]:
        """The weighted risk left, for each variant."""
        return {one.variant: found for one, found in self.estimates.items() if isinstance(one, R2)}

    @property
    def r2_star(self) -> dict[str, Estimate]:
        """The weight-free risk left, for each variant."""
        return {one.variant: found for one, found in self.estimates.items() if isinstance(one, R2Star)}

    @property
    def hellinger(self) -> Estimate:
        """Hellinger distance of the counts before and after."""
        return self.estimates[Hellinger()]

    @property
    def utility(self) -> Estimate:
        """1 - HD / √N."""
        return self.estimates[Utility()]

    def columns(self) -> dict[str, Floats]:
        """Return each number as a column of its own, its error as the next one; shape (n,)."""
        columns: dict[str, Floats] = {}
        for one, (mean, error) in self.estimates.items():
            columns |= {one.column: mean, f"{one.column}_error": error}
        return columns


@dataclass(frozen=True)
class Replications:
    """What a method does to a table, over many draws.

    Attributes
    ----------
    table : FrequencyTable
        The true counts.
    method : Method
    settings : Settings
    size : int
        How many draws were made; one is all where the method leaves nothing to chance.
    drawn : ndarray
        The cells that the first draw publishes.
    slices : dict of SlicesAfter
        One for each axis, by its name; empty for a table of one dimension.
    whole : SlicesAfter
        The whole table as its only slice.
    draws : dict of ndarray, shape (size,)
        Each measure of the whole table in each draw.
    """

    table: FrequencyTable
    method: Method
    settings: Settings
    size: int
    drawn: NDArray[Any]
    slices: Mapping[str, SlicesAfter]
    whole: SlicesAfter
    draws: Mapping[Measure, Floats]

    @cached_property
    def first(self) -> Release:
        """What the first draw publishes; made at first use."""
        return self.method.around(self.table, self.drawn, np.random.default_rng(self.settings.seed))

    @property
    def small_ratio(self) -> Estimate:
        """DR of the whole table; nan where no draw publishes a one or two."""
        mean, error = self.whole[DR()]
        return Estimate(mean[0], error[0])

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists and numbers, ready for JSON; None stands where a number is not defined."""
        parameters = {item.name: getattr(self.method, item.name) for item in declared(type(self.method))}
        return {
            "method": {"name": self.method.name, **parameters},
            "replications": self.size,
            "seed": self.settings.seed,
            "table": _lines(self.whole)[0],
            "slices": {name: _lines(part) for name, part in self.slices.items()},
            "first": _cells(self.first),
        }


class Run:
    """Draws of one method on one table, assessed as they come; it can be looked at after any of them.

    Draws are assessed in chunks, of which only sums and the numbers of the whole table are kept, and the first
    of them as they are. The same seed gives the same numbers, however the draws are divided.

    Parameters
    ----------
    table : FrequencyTable
    method : Method
    settings : Settings
    measures : sequence of Measure, optional
        What is measured, of the table and of all slices; the usual measures if not given.
    more : sequence of Measure
        What is measured besides, of the whole table only.
    later : sequence of Measure
        What is measured of the whole table when `catch_up` is called; until then the draws wait, if they are few.
    clock : callable
        The time, in seconds.
    """

    def __init__(
        self,
        table: FrequencyTable,
        method: Method,
        settings: Settings,
        measures: Sequence[Measure] | None = None,
        more: Sequence[Measure] = (),
        later: Sequence[Measure] = (),
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.table, self.method, self.settings = table, method, settings
        self.size = 0
        chosen = usual(table, method, settings) if measures is None else tuple(measures)
        self.measures = (*chosen, *(one for one in more if one not in chosen))
        self.later = tuple(one for one in later if one not in self.measures)
        self._clock = clock
        self._last = 0, 0.0  # draws of the last part, and its seconds
        self._cheap = True  # whether more draws cost little more
        self._rng = np.random.default_rng(settings.seed)
        self._axes = range(table.ndim if table.ndim > 1 else 0)
        sliced = [one for one in chosen if one.sliced]
        self._sums = [_Sums(self.measures, None), *(_Sums(sliced, axis) for axis in self._axes if sliced)]
        self._late = _Sums(self.later, None)
        self._draws: list[Floats] = []
        self._late_draws: list[Floats] = []
        self._waiting: list[Batch] = []  # draws that are not measured by all yet
        self._kept: list[Batch] = []  # parts of the first draws

    @property
    def wanted(self) -> int:
        """How many draws there will be: those of the settings, or one where nothing is left to chance."""
        return 1 if self.method.deterministic else self.settings.replications

    @property
    def done(self) -> bool:
        """Whether all draws are made."""
        return self.size >= self.wanted

    def draw(self, size: int | None = None) -> None:
        """Draw `size` more protected tables, or all that are wanted, and assess them."""
        missing = self.wanted - self.size if size is None else size
        step = max(1, CHUNK // self.table.cells)
        for start in range(0, missing, step):
            batch = _draw(self.table, self.method, min(step, missing - start), self._rng)
            whole, *_ = [sums.add(batch) for sums in self._sums]
            self._draws.append(whole)
            if self.size < KEPT:
                self._kept.append(batch.part(0, KEPT - self.size))
            self.size += batch.size
            if self.later:
                self._waiting.append(batch)
                if sum(one.size for one in self._waiting) * self.table.cells > CHUNK:
                    self.catch_up()

    def catch_up(self) -> None:
        """Measure the draws that wait."""
        self._late_draws += map(self._late.add, self._waiting)
        self._waiting.clear()

    def draw_for(self, seconds: float) -> None:
        """Draw as many as fit into the time, as the draws before tell; at least one is made, unless all are.

        The first draw also pays for what is loaded at first use; so while there is time, one more is tried. And much of
        the time of few draws is the same for any number of them: while twice as many take little longer, twice as
        many are tried, even if few took all of the time.
        """
        begun = start = self._clock()
        end = start + seconds
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
            self._last, start = (part, now - start), now
            if now >= end - 1e-9:
                return

    def kept(self, index: int) -> Batch | None:
        """Return one of the first draws as a batch of its own; None where it was not drawn yet."""
        for part in self._kept:
            if index < part.size:
                return part.part(index, index + 1)
            index -= part.size
        return None

    def result(self) -> Replications:
        """Return what the draws so far say; there must be at least one."""
        if not self._kept:
            raise ValueError("Nothing was drawn yet; call draw first.")
        whole, draws = (
            self._part(None),
            dict(zip(self.measures, np.concatenate(self._draws, axis=1), strict=True)),
        )
        if self.later and not self._waiting:
            found = self._late.estimates(self.method.deterministic)
            whole = replace(whole, estimates={**whole.estimates, **found})
            draws |= zip(self.later, np.concatenate(self._late_draws, axis=1), strict=True)
        return Replications(
            table=self.table,
            method=self.method,
            settings=self.settings,
            size=self.size,
            drawn=self._kept[0].published[0],
            slices={self.table.axes[axis].name: self._part(axis) for axis in self._axes},
            whole=whole,
            draws=draws,
        )

    def _part(self, axis: int | None) -> SlicesAfter:
        found = next((sums for sums in self._sums if sums.axis == axis), None)
        return SlicesAfter(
            name="Table" if axis is None else self.table.axes[axis].name,
            labels=("Table",) if axis is None else self.table.axes[axis].labels,
            estimates=found.estimates(self.method.deterministic) if found else {},
        )


def usual(table: FrequencyTable, method: Method, settings: Settings) -> tuple[Measure, ...]:
    """Return what is measured without being asked for."""
    names = tuple(
        name
        for name in registry.available()
        if (one := registry.get(name)).usual and one.needs != ("before",)
    )
    return registry.shown(table, settings, followed=isinstance(method, PreTabular), names=names)


def replicate(
    table: FrequencyTable,
    method: Method,
    settings: Settings | None = None,
    measures: Sequence[Measure] | None = None,
) -> Replications:
    """Draw protected tables, assess them all, and return what they say; see `Run`."""
    run = Run(table, method, settings or Settings(), measures)
    run.draw()
    return run.result()


def _cells(release: Release) -> Any:
    """Return the published cells as nested lists of whole numbers, None for a gap."""
    cells = np.nan_to_num(release.cells).astype(np.int64).astype(object)
    cells[release.hidden] = None
    return cells.tolist()


def _lines(part: SlicesAfter) -> list[dict[str, Any]]:
    """Return the numbers of each slice as a dict of plain values."""
    columns = {
        name: [None if np.isnan(x) else float(x) for x in column] for name, column in part.columns().items()
    }
    return [
        {"label": label, **{name: column[i] for name, column in columns.items()}}
        for i, label in enumerate(part.labels)
    ]


def _draw(table: FrequencyTable, method: Method, size: int, rng: np.random.Generator) -> Batch:
    """Return protected tables, with who stayed in each cell where people are followed."""
    if isinstance(method, PreTabular):
        return Batch(table, *method.follow(table, size, rng))
    return Batch(table, method.replicate(table, size, rng))


class _Sums:
    """Sums of measures, and of their squares, over the draws, of each slice: mean and error follow from these."""

    def __init__(self, measures: Sequence[Measure], axis: int | None) -> None:
        self.measures, self.axis = tuple(measures), axis
        self._size = 0
        self._missing = self._shift = self._sum = self._squares = np.zeros(())

    def add(self, batch: Batch) -> Floats:
        """Add draws; what is not defined is no case. Return the numbers of the first slice, (measures, draws)."""
        parts = [one.values(batch, self.axis) for one in self.measures]
        if not parts:
            return np.empty((0, batch.size))
        # All measures are summed at once, and the draws go last, so that every sum adds whole rows of numbers.
        values = np.empty((len(parts), parts[0].shape[1], batch.size))
        for k, part in enumerate(parts):
            values[k] = part.T
        first = values[:, 0].copy()
        if not self._shift.ndim:
            # Numbers are taken from the first draw on, so that no digits are lost in the squares.
            self._shift = np.nan_to_num(values[..., 0])
        values -= self._shift[..., np.newaxis]
        total = values.sum(axis=-1)
        undefined = np.isnan(total)
        if undefined.any():
            some = values[undefined]
            missing = np.isnan(some)
            some[missing] = 0.0
            values[undefined], total[undefined] = some, some.sum(axis=-1)
            self._missing = self._missing + np.zeros(total.shape)
            self._missing[undefined] += missing.sum(axis=-1)
        self._size += batch.size
        self._sum = self._sum + total
        self._squares = self._squares + np.einsum("msd,msd->ms", values, values)
        return first

    def estimates(self, certain: bool) -> dict[Measure, Estimate]:
        """Return the mean and the error of each measure; there is none where nothing is left to chance."""
        number = self._size - self._missing
        some = np.where(number > 0, number, np.nan)
        mean = self._shift + self._sum / some
        if certain:
            error = 0 * mean
        else:
            spread = np.maximum(self._squares - self._sum**2 / some, 0)
            error = np.sqrt(spread / np.where(number > 1, number - 1, np.nan) / some)
        return {one: Estimate(mean[k], error[k]) for k, one in enumerate(self.measures)}
