"""The only state of a dashboard: a value, its history, and what was computed from it.

A change makes a new value, computes its result once, and only then replaces the old one; so a change that fails
leaves everything as it was, and undo is a list of values.
"""

from __future__ import annotations

import asyncio
import base64
import json
import time
import zlib
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, field, fields, replace
from itertools import product
from typing import Any, Generic, Protocol, Self, TypeVar

import numpy as np
import traitlets

from sdcwidgets import examples
from sdcwidgets.errors import InputError
from sdcwidgets.settings import Settings
from sdcwidgets.sources import MAX_DASHBOARD_CELLS
from sdcwidgets.studies.history import History
from sdcwidgets.table import Axis, FrequencyTable

__all__ = ["State", "Study", "TableState", "background", "decode", "encode", "two_way"]

#: Changes of one control that follow each other faster than this are one step of undo, in seconds.
ONE_GESTURE = 0.8

#: While a result gets better, it is shown again no sooner than after this time, in seconds.
SHOWN_AGAIN = 0.3

#: A link may be this long; browsers and mail programs cut longer ones.
LONGEST_LINK = 8_000


S = TypeVar("S")
R = TypeVar("R")


class State(Protocol):
    """What a study holds: a frozen dataclass that can be written as one versioned dict."""

    def to_state(self) -> dict[str, Any]:
        """Return plain values from which `from_state` makes an equal state."""

    @classmethod
    def from_state(cls, saved: dict[str, Any]) -> Self:
        """Return the state that `to_state` wrote, or raise InputError."""


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
        self._compute = compute
        self._improve = improve
        self._start = start
        self._past: History[S] = History()
        self._future: History[S] = History()
        self._gesture: tuple[str | None, float] = (None, 0.0)
        self._show(start, compute(start))

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

    def change(self, gesture: str | None = None, **changes: Any) -> None:
        """Replace fields of the state; the same `gesture` in quick succession is one step of undo."""
        state: Any = self.state
        self.put(replace(state, **changes), gesture)

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
        """Go to a new table or a saved state; `reset` leads back to it from now on."""
        self.put(state)
        self._start = state

    def undo(self) -> None:
        """Go one step back."""
        self._travel(self._past, self._future)

    def redo(self) -> None:
        """Do the last undone step again."""
        self._travel(self._future, self._past)

    def reset(self) -> None:
        """Go back to the start; this too can be undone."""
        self.put(self._start)

    def _travel(self, source: History[S], target: History[S]) -> None:
        if source:
            state = source.last
            result = self._compute(state)
            source.pop()
            target.push(self.state)
            self._gesture = (None, 0.0)
            self._show(state, result)

    def _show(self, state: S, result: R) -> None:
        self.state, self.result = state, result
        self.turn += 1
        if self._improve is not None:
            background(self._better(state, self._improve(state, result)))

    async def _better(self, state: S, results: Iterator[R]) -> None:
        """Show better results one by one, as long as the state is the one that they belong to."""
        shown = time.monotonic()
        last: R | None = None
        for result in results:
            await asyncio.sleep(0)
            if self.state is not state:
                return
            last = result
            if time.monotonic() - shown > SHOWN_AGAIN:
                self.result, last = result, None
                self.turn += 1
                shown = time.monotonic()
        if last is not None:
            self.result = last
            self.turn += 1


@dataclass(frozen=True)
class TableState:
    """A table, where it came from, and how its risk is measured.

    Attributes
    ----------
    table : FrequencyTable
        With two axes; a table of other dimensions is laid out flat.
    source : str
        The name of an example, or "" for a table of the user's own.
    title : str
        What the table is called on the screen.
    settings : Settings
    """

    table: FrequencyTable
    source: str = ""
    title: str = "Your table"
    settings: Settings = field(default_factory=Settings)

    def __post_init__(self) -> None:
        if self.table.counts.size > MAX_DASHBOARD_CELLS:
            raise InputError(
                f"The table has {self.table.counts.size:,} cells; a dashboard takes at most {MAX_DASHBOARD_CELLS:,}."
            )
        object.__setattr__(self, "table", two_way(self.table))

    @classmethod
    def of_example(cls, name: str, settings: Settings | None = None) -> Self:
        """Return the state that begins with one of the examples."""
        return cls(examples.load(name), name, examples.get(name).title, settings or Settings())

    def set(self, **changes: Any) -> Self:
        """Return the same table under other settings."""
        return replace(self, settings=replace(self.settings, **changes))

    def to_state(self) -> dict[str, Any]:
        """Return plain values; of an example only the changed cells are written."""
        default = Settings()
        changed = {
            item.name: getattr(self.settings, item.name)
            for item in fields(Settings)
            if getattr(self.settings, item.name) != getattr(default, item.name)
        }
        saved: dict[str, Any] = {"version": 1, "settings": changed}
        if self.source:
            original = two_way(examples.load(self.source)).counts
            where = np.argwhere(original != self.table.counts)
            cells = [[*map(int, cell), int(self.table.counts[tuple(cell)])] for cell in where]
            return saved | {"example": self.source, "cells": cells}
        axes = [[axis.name, list(axis.labels)] for axis in self.table.axes]
        return saved | {"title": self.title, "axes": axes, "counts": self.table.counts.tolist()}

    @classmethod
    def from_state(cls, saved: dict[str, Any]) -> Self:
        """Return the state that `to_state` wrote, or raise InputError."""
        if not isinstance(saved, dict) or saved.get("version") != 1:
            raise InputError(
                "This link was not made by this version of the dashboard; open the page without it."
            )
        try:
            settings = Settings(**saved["settings"])
            if "example" in saved:
                state = cls.of_example(saved["example"], settings)
                counts = state.table.counts.copy()
                for *cell, count in saved["cells"]:
                    counts[tuple(cell)] = count
                return replace(state, table=state.table.with_counts(counts))
            axes = [Axis(name, tuple(labels)) for name, labels in saved["axes"]]
            table = FrequencyTable(saved["counts"], axes)
        except InputError:
            raise
        except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
            raise InputError("This link is damaged; copy it again from the page that made it.") from error
        return cls(table, title=str(saved.get("title", "Your table")), settings=settings)


def two_way(table: FrequencyTable) -> FrequencyTable:
    """Return a table with two axes: one row for a table of one axis, all but the last axis crossed for more.

    Examples
    --------
    >>> two_way(FrequencyTable([0, 2, 4], {"Cell": ["c1", "c2", "c3"]}))
    FrequencyTable(Table: 1, Cell: 3; 6 people)
    """
    if table.ndim == 2:
        return table
    *crossed, last = table.axes
    if not crossed:
        rows = Axis("Table", ("All",))
    else:
        rows = Axis(" × ".join(axis.name for axis in crossed), tuple(map(", ".join, product(*crossed))))
    return FrequencyTable(table.counts.reshape(len(rows), len(last)), [rows, last])


def background(work: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
    """Do work between the messages of the kernel; where no loop runs, as in a script, do it now."""
    try:
        task = asyncio.get_running_loop().create_task(work)
    except RuntimeError:
        asyncio.run(work)
        return None
    # A loop holds its tasks weakly; this set keeps them until they are done.
    _TASKS.add(task)
    task.add_done_callback(_TASKS.discard)
    return task


_TASKS: set[asyncio.Task[None]] = set()


def encode(state: State, longest: int = LONGEST_LINK) -> str:
    """Return a state as text for a link, of at most so many characters.

    Raises
    ------
    InputError
        If the table is too large for a link.
    """
    plain = json.dumps(state.to_state(), separators=(",", ":"), ensure_ascii=False).encode()
    text = base64.urlsafe_b64encode(zlib.compress(plain, 9)).decode().rstrip("=")
    if len(text) > longest:
        raise InputError("This table is too large for a link; save it as a file and send that.")
    return text


def decode(text: str, most: int = 1_000_000) -> dict[str, Any]:
    """Return the dict that a link's text stands for, at most so many bytes unpacked, or raise InputError."""
    try:
        packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        unpacked = zlib.decompressobj().decompress(packed, most)
        saved = json.loads(unpacked)
    except (ValueError, zlib.error, UnicodeDecodeError) as error:
        raise InputError("This link is damaged; copy it again from the page that made it.") from error
    if not isinstance(saved, dict):
        raise InputError("This link is damaged; copy it again from the page that made it.")
    return saved
