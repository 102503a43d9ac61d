"""The only state of a dashboard: a value, its history, and what was computed from it.

A change makes a new value, computes its result once, and only then replaces the old one; so a change that fails
leaves everything as it was, and undo is a list of values.
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

#: What to do where a screen shows fewer cells than a table has.
SMALLER = (
    "Take fewer rows or columns; where a table has a third axis, Explore can show one label of it alone."
)

#: Changes of one control that follow each other faster than this are one step of undo, in seconds.
ONE_GESTURE = 0.8

#: While a result gets better, it is shown again no sooner than after this time, in seconds.
SHOWN_AGAIN = 0.3

#: A result gets better only after this time, in seconds: what was asked for is on the screen first.
SETTLED = 0.1

#: Of so many tables that were loaded it is known where `reset` led back to before.
LOADS = 20


S = TypeVar("S")
R = TypeVar("R")


def begin_with(kind: type[S], state: object) -> S:
    """Return what a page begins with: a state, or one of the table that is given, or the usual one; else refuse."""
    if isinstance(state, kind):
        return state
    make: Callable[..., S] = kind
    if state is not None and not issubclass(kind, TableState):
        raise InputError(f"This page begins with a {kind.__name__}, not with a {type(state).__name__}.")
    return make() if state is None else make(table_of(state))


class Study(traitlets.HasTraits, Generic[S, R]):
    """A state, the result computed from it, and the way back.

    Parameters
    ----------
    start : State
        Where the dashboard begins, and where `reset` leads back to.
    compute : callable
        From a state to its result; an InputError that it raises refuses the change.
    improve : callable, optional
        From a state and its first result to better ones, each made in a moment; a newer change ends it.

    Attributes
    ----------
    state, result
        The present pair.
    turn : int
        Grows by one with each change of the pair; views observe it, since two results may be equal.
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
        """The state that `reset` leads back to."""
        return self._start

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether there is an undone step to do again."""
        return bool(self._future)

    def change(self, gesture: str | None = None, **changes: object) -> None:
        """Change fields of the state; the same `gesture` in quick succession is one step of undo."""
        state: Any = self.state
        self.put(state.changed(**changes), gesture)

    def put(self, state: S, gesture: str | None = None) -> None:
        """Go to another state, as one step that can be undone."""
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
        """Go to a new table or a saved state; `reset` leads back to it from now on, until this is undone."""
        before, start = self.state, self._start
        # Views are told of the new state as one that nothing was done with.
        self._start = state
        try:
            self.put(state)
        except InputError:
            self._start = start
            raise
        self._loads.append((before, start, state))

    def begin(self, state: S) -> None:
        """Begin with a state that a page was opened with: `reset` leads back to it, and there is nothing to undo."""
        result = self._compute(state)
        for steps in (self._past, self._future, self._loads):
            steps.clear()
        self._gesture = (None, 0.0)
        self._start = state
        self._show(state, result)

    def undo(self) -> None:
        """Go one step back."""
        self._travel(self._past, self._future)

    def redo(self) -> None:
        """Do the last undone step again."""
        self._travel(self._future, self._past)

    def reset(self) -> None:
        """Go back to the start; this too can be undone."""
        self.put(self._start)

    @property
    def improving(self) -> bool:
        """Whether a better result of this state is being looked for."""
        return self._sought is not None

    def stop(self) -> None:
        """Be content with the result that is there."""
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
                # A load that is undone takes its start away again, and gives it back when it is done again.
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
        """Show better results one by one, as long as the state is the one that they belong to."""
        last_update = time.monotonic()
        last: R | None = None
        if self._sought is not state:
            return
        for result in results:
            # A message goes through several turns of the kernel's loop; one turn a step would keep it waiting.
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
        # Views are told that nothing better will come, too.
        self._sought, self.result = None, self.result if last is None else last
        self.turn += 1


@dataclass(frozen=True)
class TableState(Linked):
    """A table, where it came from, how it lies on the screen, and how its risk is measured.

    Attributes
    ----------
    table : FrequencyTable
        With two axes or more; a table of one axis is one row.
    source : Source
    settings : Settings
    arrangement : Arrangement
        The usual one if not given, or if it doesn't fit the table.
    """

    table: FrequencyTable
    source: Source = field(default_factory=InMemorySource)
    settings: Settings = field(default_factory=Settings)
    arrangement: Arrangement = None  # type: ignore[assignment]  # filled in below

    def __post_init__(self) -> None:
        cells = table_of(self.table).cells
        if cells > MAX_DASHBOARD_CELLS:
            raise InputError(
                f"The table has {cells:,} cells; a dashboard takes at most {MAX_DASHBOARD_CELLS:,}."
            )
        if cells < 2:
            raise InputError("The table has one cell only; it needs at least two.")
        object.__setattr__(self, "table", _two_or_more(self.table))
        if self.arrangement is None or not self.arrangement.fits(self.table):
            object.__setattr__(self, "arrangement", Arrangement.usual(self.table))

    @classmethod
    def of_example(cls, name: str, settings: Settings | None = None) -> Self:
        """Return the state that begins with one of the examples."""
        source = Example(name)
        return cls(source.original, source, settings or Settings())

    @property
    def title(self) -> str:
        """What the table is called on the screen."""
        return self.source.title

    @property
    def seen(self) -> FrequencyTable:
        """What the screen shows of the table, with two axes."""
        return self.arrangement.seen(self.table)

    @property
    def unfolded(self) -> FrequencyTable:
        """The same with each of its axes, which have sub-totals of their own."""
        return self.arrangement.unfolded(self.table)

    def unchanged(self, start: TableState) -> FrequencyTable | None:
        """Return what changes are marked against, laid out as this table is; None where it has other axes.

        It is the example as it is published, also after a link brought an edited one, or else the table of `start`.
        """
        original = self.source.original
        table = start.table if original is None else _two_or_more(original)
        return self.arrangement.seen(table) if table.axes == self.table.axes else None

    def with_table(self, table: FrequencyTable, source: Source) -> Self:
        """Return the state with a table from another source; what was relative to the one before begins anew."""
        usual = Arrangement.usual(_two_or_more(table))
        return self.changed(table=table, source=source, arrangement=usual)

    def set(self, **changes: object) -> Self:
        """Return the same table under other settings."""
        return self.changed(settings=with_fields(self.settings, **changes))

    def edited(self, counts: ArrayLike) -> Self:
        """Return the state with other counts where the screen shows them."""
        return self.changed(table=self.arrangement.changed(self.table, counts))

    def saved(self) -> dict[str, object]:
        """Return plain values: of an example only its changed cells, of another table also what they were."""
        came = self.source.to_state()
        start = from_state(came).original
        if start is not None and _two_or_more(start).axes != self.table.axes:
            came, start = InMemorySource().to_state(), None  # this table came by another way
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
        """Return the state of such values."""
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
    """Return the cells of a table that differ from another one of the same axes: where each is, and its count."""
    where = np.argwhere(start.counts != table.counts)
    return [[*map(int, cell), int(table.counts[tuple(cell)])] for cell in where]


def _with_cells(table: FrequencyTable, cells: Sequence[Sequence[Any]]) -> FrequencyTable:
    """Return a table with the cells that `_changed` wrote."""
    counts = table.counts.astype(object)
    for *cell, count in cells:
        position = tuple(cell)
        if len(position) != table.ndim or not all(type(i) is int and i >= 0 for i in position):
            raise TypeError(position)
        counts[position] = count
    return table.with_counts(counts)


def background(work: Callable[[], Coroutine[object, object, None]], after: float = 0) -> None:
    """Do work between the messages of the kernel, after so many seconds; where no loop runs, as in a script, now."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work())
        return
    task = loop.create_task(_later(work, after))
    # A loop holds its tasks weakly; this set keeps them until they are done.
    _TASKS.add(task)
    task.add_done_callback(_TASKS.discard)


async def _later(work: Callable[[], Coroutine[object, object, None]], after: float) -> None:
    if after:
        await asyncio.sleep(after)
    await work()


_TASKS: set[asyncio.Task[None]] = set()
