"""Recomputation of a page after each change of a control or cell: its state, its result and its history.

A change computes the result of the new value before it replaces the old one. Therefore a failed change leaves
everything unchanged, and the history is a list of values.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from typing import Any, Generic, TypeVar

import traitlets

from sdcwidgets._util.errors import InputError, type_with_article
from sdcwidgets.tables.table import table_of
from sdcwidgets.widgets.page_state.history import History
from sdcwidgets.widgets.page_state.stopping import stoppable
from sdcwidgets.widgets.page_state.table_state import TableState

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
        raise InputError(
            f"The page needs a {kind.__name__} as initial state, not {type_with_article(state)}."
        )
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

    def changed_within(self, seconds: float) -> bool:
        """Return whether the state changed in the last seconds."""
        return time.monotonic() - self._changed_at < seconds

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
        self._changed_at = time.monotonic()
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


def background(work: Callable[[], Coroutine[object, object, None]], after: float = 0) -> None:
    """Run work between the messages of the kernel after some seconds; without an event loop, run it now."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(_alone(work))
        return
    task = loop.create_task(_later(work, after))
    # An event loop has weak references to its tasks; this set keeps them alive.
    _TASKS.add(task)
    task.add_done_callback(_TASKS.discard)


async def _alone(work: Callable[[], Coroutine[object, object, None]]) -> None:
    """Run work, and then the work that it has left in the background."""
    await work()
    here = asyncio.get_running_loop()
    while waiting := [task for task in _TASKS if task.get_loop() is here]:
        await asyncio.gather(*waiting)


async def _later(work: Callable[[], Coroutine[object, object, None]], after: float) -> None:
    if after:
        await asyncio.sleep(after)
    await work()


_TASKS: set[asyncio.Task[None]] = set()
