"""The state of a dashboard: a value, its history, and the result that was computed from it.

A change computes the result of the new value before it replaces the old one. Therefore a failed change leaves
everything unchanged, and the history is a list of values.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, Self, TypeVar

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.values import turned, with_fields
from sdcwidgets.measures.settings import Settings
from sdcwidgets.tables.arrangement import Arrangement, two_way
from sdcwidgets.tables.io.sources import MAX_DASHBOARD_CELLS, Example, InMemorySource, Source, from_state
from sdcwidgets.tables.table import Axis, FrequencyTable, table_of
from sdcwidgets.widgets.studies.history import History
from sdcwidgets.widgets.studies.links import Linked
from sdcwidgets.widgets.studies.stopping import stoppable

#: Advice if a page shows fewer cells than a table has.
SMALLER = (
    "Use a table with fewer rows or columns. For a table with three or more axes, Explore can show one label of "
    "an axis."
)

#: Maximum time between changes of one control that form one step of undo, in seconds.
ONE_GESTURE = 0.8

#: Minimum time between two updates while a result is being refined, in seconds.
SHOWN_AGAIN = 0.3

#: Delay before a result is refined, in seconds, so that the first result is shown without delay.
SETTLED = 0.1

#: Maximum number of loaded tables for which undo restores the state of `reset`.
LOADS = 20


S = TypeVar("S")
R = TypeVar("R")


def begin_with(kind: type[S], state: object) -> S:
    """Return the initial state of a page: the given state, a state of the given table, or the default.

    Raises
    ------
    InputError
        If the page does not accept a table.
    """
    if isinstance(state, kind):
        return state
    make: Callable[..., S] = kind
    if state is not None and not issubclass(kind, TableState):
        raise InputError(f"The page needs a {kind.__name__} as initial state, not a {type(state).__name__}.")
    return make() if state is None else make(table_of(state))


class Study(traitlets.HasTraits, Generic[S, R]):
    """A state, its result, and its history.

    Parameters
    ----------
    start : State
        Initial state, to which `reset` returns.
    compute : callable
        Function from a state to its result; an InputError rejects the change.
    improve : callable, optional
        Function from a state and its first result to an iterator of refined results. A newer change ends it.

    Attributes
    ----------
    state, result
        Current state and result.
    turn : int
        Counter of updates, which views observe, because two results may be equal.
    """

    turn = traitlets.Int(0)

    def __init__(
        self,
        start: S,
        compute: Callable[[S], R],
        improve: Callable[[S, R], Iterator[R]] | None = None,
    ) -> None:
        super().__init__()
        self._work = compute
        self._improve = improve
        self._sought: S | None = None
        self._start = start
        self._past: History[S] = History()
        self._future: History[S] = History()
        self._loads: deque[tuple[S, S, S]] = deque(maxlen=LOADS)
        self._gesture: tuple[str | None, float] = (None, 0.0)
        self._show(start, compute(start))

    def _compute(self, state: S) -> R:
        with stoppable():
            return self._work(state)

    @property
    def start(self) -> S:
        """The state to which `reset` returns."""
        return self._start

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to redo."""
        return bool(self._future)

    def change(self, gesture: str | None = None, **changes: object) -> None:
        """Change fields of the state; changes with the same `gesture` in quick succession are one step of undo."""
        state: Any = self.state
        self.put(state.changed(**changes), gesture)

    def put(self, state: S, gesture: str | None = None) -> None:
        """Set another state, as one step that can be undone."""
        if state == self.state:
            return
        result = self._compute(state)
        now = time.monotonic()
        last, then = self._gesture
        if gesture is None or gesture != last or now - then > ONE_GESTURE:
            self._past.push(self.state)
        self._gesture = (gesture, now)
        self._future.clear()
        self._show(state, result)

    def load(self, state: S) -> None:
        """Set a new table or a saved state, to which `reset` returns until this step is undone."""
        before, start = self.state, self._start
        # Views must see the new state as an unchanged initial state.
        self._start = state
        try:
            self.put(state)
        except InputError:
            self._start = start
            raise
        self._loads.append((before, start, state))

    def begin(self, state: S) -> None:
        """Set the initial state of an opened page; `reset` returns to it, and the history is cleared."""
        result = self._compute(state)
        for steps in (self._past, self._future, self._loads):
            steps.clear()
        self._gesture = (None, 0.0)
        self._start = state
        self._show(state, result)

    def undo(self) -> None:
        """Undo the last step."""
        self._travel(self._past, self._future)

    def redo(self) -> None:
        """Redo the last undone step."""
        self._travel(self._future, self._past)

    def reset(self) -> None:
        """Return to the initial state; this can be undone."""
        self.put(self._start)

    @property
    def improving(self) -> bool:
        """Whether the result is being refined."""
        return self._sought is not None

    def stop(self) -> None:
        """Stop refining the result."""
        self._sought = None
        self.turn += 1

    def _travel(self, source: History[S], target: History[S]) -> None:
        if source:
            state = source.last
            result = self._compute(state)
            source.pop()
            target.push(self.state)
            self._gesture = (None, 0.0)
            here = self.state
            for before, start, loaded in reversed(self._loads):
                # Undoing a load restores the previous start, and redoing it restores the loaded one.
                if (here, state) in ((before, loaded), (loaded, before)):
                    self._start = start if state == before else loaded
                    break
            self._show(state, result)

    def _show(self, state: S, result: R) -> None:
        self.state, self.result = state, result
        self._sought = None if self._improve is None else state
        self.turn += 1
        if self._improve is not None:
            background(partial(self._better, state, self._improve(state, result)), SETTLED)

    async def _better(self, state: S, results: Iterator[R]) -> None:
        """Show refined results one by one, while their state is current."""
        last_update = time.monotonic()
        last: R | None = None
        if self._sought is not state:
            return
        for result in results:
            # A message takes several turns of the kernel's loop, so one turn per step is too few.
            await asyncio.sleep(0.001)
            if self._sought is not state:
                return
            if result is self.result:
                continue
            last = result
            if time.monotonic() - last_update > SHOWN_AGAIN:
                self.result, last = result, None
                self.turn += 1
                last_update = time.monotonic()
        # Views are also notified of the end of the refinement.
        self._sought, self.result = None, self.result if last is None else last
        self.turn += 1


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
        """Return the state with other settings."""
        return self.changed(settings=with_fields(self.settings, **changes))

    def edited(self, counts: ArrayLike) -> Self:
        """Return the state with other counts in the part of the table on the page."""
        return self.changed(table=self.arrangement.changed(self.table, counts))

    def saved(self) -> dict[str, object]:
        """Return plain values: only changed cells of an example; other tables with their counts and original counts."""
        came = self.source.to_state()
        start = from_state(came).original
        if start is not None and _two_or_more(start).axes != self.table.axes:
            came, start = InMemorySource().to_state(), None  # the table is not a version of the example
        saved: dict[str, object] = {"settings": turned(self.settings)} | came
        if self.arrangement != Arrangement.usual(self.table):
            saved["arrangement"] = self.arrangement.to_state()
        if start is not None:
            return saved | {"cells": _changed(_two_or_more(start), self.table)}
        saved |= {
            "axes": [[axis.name, list(axis.labels)] for axis in self.table.axes],
            "counts": self.table.counts.tolist(),
        }
        if self.table.respondents is not None:
            saved["respondents"] = self.table.respondents.counts.tolist()
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
            axes = [Axis(name, tuple(labels)) for name, labels in saved["axes"]]
            table = FrequencyTable(saved["counts"], axes).with_respondents(saved.get("respondents"))
            source = source.began(_with_cells(table, saved.get("before", [])))
        else:
            table = _with_cells(_two_or_more(source.original), saved["cells"])
        arrangement = Arrangement.from_state(saved["arrangement"]) if "arrangement" in saved else None
        return cls(table, source, settings, arrangement)  # type: ignore[arg-type]  # None is the usual one


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


def background(work: Callable[[], Coroutine[object, object, None]], after: float = 0) -> None:
    """Run work between the messages of the kernel after some seconds; without an event loop, run it now."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work())
        return
    task = loop.create_task(_later(work, after))
    # An event loop has weak references to its tasks; this set keeps them alive.
    _TASKS.add(task)
    task.add_done_callback(_TASKS.discard)


async def _later(work: Callable[[], Coroutine[object, object, None]], after: float) -> None:
    if after:
        await asyncio.sleep(after)
    await work()


_TASKS: set[asyncio.Task[None]] = set()
