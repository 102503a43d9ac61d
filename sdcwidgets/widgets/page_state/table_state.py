"""The part of a page's state that pages with one table share: table, source, arrangement and settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import PEOPLE
from sdcwidgets._util.parameters import declared
from sdcwidgets._util.values import turned, with_fields
from sdcwidgets.measures.settings import Settings
from sdcwidgets.tables.arrangement import Arrangement, two_way
from sdcwidgets.tables.io.sources import MAX_DASHBOARD_CELLS, Example, InMemorySource, Source, from_state
from sdcwidgets.tables.io.writers.as_read import AsRead
from sdcwidgets.tables.table import Axis, FrequencyTable, table_of
from sdcwidgets.widgets.page_state.links import Linked

#: Advice if a page shows fewer cells than a table has.
SMALLER = (
    "Use a table with fewer rows or columns. For a table with three or more axes, the page Explore can show "
    "the part of the table with one label of an axis."
)


#: Maximum number of characters of the counted units in a link.
LONGEST_UNIT = 60


@dataclass(frozen=True)
class TableState(Linked):
    """A table, its source, its arrangement on the page, and the settings of its risk.

    Attributes
    ----------
    table : FrequencyTable
        Table with at least two axes; a table with one axis becomes one row.
    source : Source
    settings : Settings
    arrangement : Arrangement
        Arrangement of the axes (default: the usual one, also if it does not fit the table).

    A page declares further settings as annotated fields of a derived class. They are checked and are part of links. A
    page with fields of other types overrides `saved` and `restored`.
    """

    table: FrequencyTable
    source: Source = field(default_factory=InMemorySource)
    settings: Settings = field(default_factory=Settings)
    arrangement: Arrangement = None  # type: ignore[assignment]  # set in __post_init__

    def __post_init__(self) -> None:
        cells = table_of(self.table).cells
        if cells > MAX_DASHBOARD_CELLS:
            raise InputError(
                f"The table has {cells:,} cells; a dashboard accepts at most {MAX_DASHBOARD_CELLS:,}."
            )
        if cells < 2:
            raise InputError("The table has one cell only; it needs at least two.")
        for parameter in declared(type(self)):
            object.__setattr__(self, parameter.name, parameter.check(getattr(self, parameter.name)))
        object.__setattr__(self, "table", _two_or_more(self.table))
        if self.arrangement is None or not self.arrangement.fits(self.table):
            object.__setattr__(self, "arrangement", Arrangement.usual(self.table))

    @classmethod
    def of_example(cls, name: str, settings: Settings | None = None) -> Self:
        """Return the initial state of an example."""
        source = Example(name)
        return cls(source.original, source, settings or Settings())

    @property
    def title(self) -> str:
        """Title of the table."""
        return self.source.title

    @property
    def unit(self) -> str:
        """Noun for the counted units: that of the example or layout, or that of the table."""
        return self.table.unit if self.source.unit == PEOPLE else self.source.unit

    @property
    def as_read(self) -> AsRead | None:
        """Layout of the table in its file, in which files of a release are written; None if it is unknown."""
        return self.source.as_read

    @property
    def seen(self) -> FrequencyTable:
        """Two-way table on the page."""
        return self.arrangement.seen(self.table)

    @property
    def unfolded(self) -> FrequencyTable:
        """The table on the page with all of its axes."""
        return self.arrangement.unfolded(self.table)

    def unchanged(self, start: TableState) -> FrequencyTable | None:
        """Return the reference for marked changes in the arrangement of this table, None if its axes differ.

        The reference is the original example, even if a link has changed it, or otherwise the table of `start`.
        """
        original = self.source.original
        table = start.table if original is None else _two_or_more(original)
        return self.arrangement.seen(table) if table.axes == self.table.axes else None

    def with_table(self, table: FrequencyTable, source: Source) -> Self:
        """Return the state with a table from another source, in the usual arrangement."""
        usual = Arrangement.usual(_two_or_more(table))
        return self.changed(table=table, source=source, arrangement=usual)

    def set(self, **changes: object) -> Self:
        """Return the state with other settings, of the risk or of the page."""
        own = {parameter.name for parameter in declared(type(self))} & changes.keys()
        of_risk = {name: value for name, value in changes.items() if name not in own}
        settings = with_fields(self.settings, **of_risk)
        return self.changed(settings=settings, **{name: changes[name] for name in own})

    def edited(self, counts: ArrayLike, settled: ArrayLike | None = None) -> Self:
        """Return the state with other counts in the part of the table on the page.

        Parameters
        ----------
        counts : array_like of int
        settled : array_like of bool, optional
            Cells whose counts were unknown and are known now, also if they are 0.
        """
        return self.changed(table=self.arrangement.changed(self.table, counts, settled))

    def saved(self) -> dict[str, object]:
        """Return plain values: only changed cells of an example; other tables with their counts and original counts."""
        came = self.source.to_state()
        start = from_state(came).original
        if start is not None and _two_or_more(start).axes != self.table.axes:
            came, start = InMemorySource().to_state(), None  # the table is not a version of the example
        saved: dict[str, object] = {"settings": turned(self.settings)} | came
        for parameter in declared(type(self)):
            saved[parameter.name] = getattr(self, parameter.name)
        if self.arrangement != Arrangement.usual(self.table):
            saved["arrangement"] = self.arrangement.to_state()
        if start is not None:
            return saved | {"cells": _changed(_two_or_more(start), self.table)}
        saved |= {
            "axes": [[axis.name, list(axis.labels)] for axis in self.table.axes],
            "counts": self.table.counts.tolist(),
        }
        observed = [axis.name for axis in self.table.axes if axis.observed]
        if observed:
            saved["observed"] = observed
        if self.table.unit != PEOPLE:
            saved["unit"] = self.table.unit
        if self.table.respondents is not None:
            saved["respondents"] = self.table.respondents.counts.tolist()
        if self.table.unknown is not None:
            saved["unknown"] = np.flatnonzero(self.table.unknown).tolist()
        original = self.source.original
        before = None if original is None else _two_or_more(original)
        if before is None or before.axes != self.table.axes or before == self.table:
            return saved
        return saved | {"before": _changed(self.table, before)}

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the state from plain values."""
        settings, source = Settings(**saved["settings"]), from_state(saved)
        if source.original is None:
            observed = saved.get("observed", ())
            axes = [Axis(name, tuple(labels), name in observed) for name, labels in saved["axes"]]
            table = FrequencyTable(saved["counts"], axes).with_respondents(saved.get("respondents"))
            table = table.with_unit(str(saved.get("unit", PEOPLE))[:LONGEST_UNIT])
            if saved.get("unknown"):
                places = np.isin(np.arange(table.cells), saved["unknown"])
                table = table.with_unknown(places.reshape(table.shape))
            source = source.began(_with_cells(table, saved.get("before", [])))
        else:
            table = _with_cells(_two_or_more(source.original), saved["cells"])
        arrangement = Arrangement.from_state(saved["arrangement"]) if "arrangement" in saved else None
        own = {parameter.name: saved[parameter.name] for parameter in declared(cls)}
        return cls(table, source, settings, arrangement, **own)  # type: ignore[arg-type]  # None is the usual one


def _two_or_more(table: FrequencyTable) -> FrequencyTable:
    return two_way(table) if table.ndim == 1 else table


def _changed(start: FrequencyTable, table: FrequencyTable) -> list[list[int]]:
    """Return the cells that differ between two tables with the same axes: their position and new count."""
    where = np.argwhere(start.counts != table.counts)
    return [[*map(int, cell), int(table.counts[tuple(cell)])] for cell in where]


def _with_cells(table: FrequencyTable, cells: Sequence[Sequence[Any]]) -> FrequencyTable:
    """Return a table with changes in the format of `_changed`."""
    counts = table.counts.astype(object)
    for *cell, count in cells:
        position = tuple(cell)
        if len(position) != table.ndim or not all(type(i) is int and i >= 0 for i in position):
            raise TypeError(position)
        counts[position] = count
    return table.with_counts(counts)
