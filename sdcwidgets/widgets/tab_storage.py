"""Storage of the state of a page in its browser tab, so that reloads, Back and new sessions restore it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted, whole
from sdcwidgets.tables.io.sources import Example
from sdcwidgets.widgets.page_state.links import State, decode, encode
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.page_state.table_state import TableState

if TYPE_CHECKING:
    from sdcwidgets.widgets.page import Page

#: Delay in seconds before a change is stored, so that one gesture is stored once.
WAIT = 0.2

#: Maximum sizes of a table in a tab: packed, in characters, and unpacked, in bytes.
MOST_PACKED, MOST_UNPACKED = 4_000_000, 40_000_000

#: Maximum length of the name of a page in a notice, in characters.
MOST_NAME = 60


class TabStorage:
    """Stores the state of a study in the tab of its page, and its table for the next dashboard.

    Parameters
    ----------
    page : Page
    study : Study
    restore : callable
        Function from the dict of a link to a state.
    """

    def __init__(
        self, page: Page, study: Study[Any, Any], restore: Callable[[dict[str, object]], object]
    ) -> None:
        self._page, self._study, self._restore = page, study, restore
        self._first = self._sent = study.state
        self._source: object = None  # source of the table that was restored from the tab
        # Source of the table with which the page, or its address, began.
        self._begun = getattr(study.state, "source", None)
        self._timer: asyncio.TimerHandle | None = None
        study.observe(self._later, "turn")
        study.observe(self._mark, "turn")
        page.hear("restore", lambda message, _: page.attempt(lambda: self._back(message)))
        page.hear("bring", lambda message, _: page.attempt(lambda: self._bring(message)))
        page.hear("example", lambda *_: page.attempt(self._example))
        page.hear("forget", lambda *_: page.attempt(self._forget))

    def _send(self) -> None:
        state = self._study.state
        if state is self._sent:
            return
        self._sent = state
        try:
            own = isinstance(state, TableState) and state.source != self._begun
            brought = own and not isinstance(state.source, Example)
            table = _table(state, self._first)
            message = {"state": _packed(state), "table": table, "own": own, "brought": brought}
        except InputError:  # too large for a tab: store nothing rather than an old state
            message = {"state": None, "table": None}
        self._page.send({"type": "keep", **message})

    def _later(self, _: object) -> None:
        """Store the change after the gesture has ended."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # a script has no tab
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = loop.call_later(WAIT, self._send)

    def _came(self, words: str) -> None:
        self._source, self._page.came = self._study.state.source, words

    def _mark(self, _: object) -> None:
        """Remove the notice about the source of a table that is no longer shown."""
        state = self._study.state
        if state is self._study.start and not self._study.can_undo:
            self._begun = getattr(state, "source", None)
        if self._page.came and (state.source != self._source or state.table == self._first.table):
            self._page.came = ""

    def _back(self, message: dict[str, object]) -> None:
        """Restore the state that the tab has stored."""
        self._study.put(self._restore(decode(str(message.get("state")), MOST_UNPACKED)))
        state = self._study.state
        if isinstance(state, TableState) and state.table not in (self._first.table, self._study.start.table):
            self._came(
                f"“{state.title}” was restored. The table is stored in this tab until you close the tab."
            )

    def _bring(self, message: dict[str, object]) -> None:
        """Show the table of another page."""
        if not isinstance(self._study.state, TableState):
            return
        other = TableState.from_state(decode(str(message.get("table")), MOST_UNPACKED))
        try:
            self._show(other)
        except InputError as error:
            raise InputError(
                f"The table {quoted(other.title)} cannot be shown on this page, so the example is shown. {error}"
            ) from None
        self._came(f"“{other.title}” was opened from {whole(str(message.get('from')))[:MOST_NAME]}.")

    def _show(self, state: TableState) -> None:
        self._study.change(table=state.table, source=state.source, arrangement=state.arrangement)

    def _example(self) -> None:
        self._show(self._first)

    def _forget(self) -> None:
        self._study.begin(self._first)
        self._page.came = ""
        self._page.send({"type": "say", "text": "Deleted"})


def _packed(state: State) -> str:
    return encode(state, MOST_PACKED)


def _table(state: object, first: TableState) -> str | None:
    """Return the table alone, None if it is the initial table of the page."""
    if not isinstance(state, TableState) or state.table == first.table:
        return None
    return _packed(TableState(state.table, state.source, arrangement=state.arrangement))
