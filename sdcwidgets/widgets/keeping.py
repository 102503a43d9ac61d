"""What a page hands to its tab after each change, so that a reload, Back or a new session finds it again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sdcwidgets.errors import InputError
from sdcwidgets.labels import quoted, whole
from sdcwidgets.studies.base import Study, TableState
from sdcwidgets.studies.links import decode, encode

if TYPE_CHECKING:
    from sdcwidgets.widgets.page import Page

__all__ = ["keep"]

#: Seconds after a change until it is handed over; the changes of one gesture are handed over once.
WAIT = 0.2

#: A whole table in a tab, as text: characters packed, and bytes unpacked.
MOST_PACKED, MOST_UNPACKED = 4_000_000, 40_000_000

#: A page's name in a notice, in characters.
MOST_NAME = 60


def keep(page: Page, study: Study[Any, Any], restore: Callable[[dict[str, Any]], Any]) -> None:
    """Let the tab of a page remember the state of its study, and its table for the next dashboard.

    Parameters
    ----------
    page : Page
    study : Study
    restore : callable
        From the dict of a link to a state.
    """
    first = study.state
    sent: list[Any] = [first]
    timer: list[asyncio.TimerHandle] = []

    def send() -> None:
        state = study.state
        if state is not sent[0]:
            sent[0] = state
            try:
                own = isinstance(state, TableState) and state.source != study.start.source
                page.send(
                    {"type": "keep", "state": _packed(state), "table": _table(state, first), "own": own}
                )
            except InputError:  # too much for a tab: rather nothing than what was there before
                page.send({"type": "keep", "state": None, "table": None})

    def later(_: Any) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # a script, which no tab shows
            return
        while timer:
            timer.pop().cancel()
        timer.append(loop.call_later(WAIT, send))

    kept: list[Any] = []  # the source of the table that the tab had kept

    def came(words: str) -> None:
        kept[:] = [study.state.source]
        page.came = words

    def mark(_: Any) -> None:
        state = study.state
        if page.came and (state.source != kept[0] or state.table == first.table):
            page.came = ""

    def back(message: dict[str, Any]) -> None:
        study.put(restore(decode(str(message.get("state")), MOST_UNPACKED)))
        state = study.state
        if isinstance(state, TableState) and state.table not in (first.table, study.start.table):
            came(f"“{state.title}” was kept in this tab; it stays until you close the tab.")

    def bring(message: dict[str, Any]) -> None:
        if isinstance(study.state, TableState):
            other = TableState.from_state(decode(str(message.get("table")), MOST_UNPACKED))
            try:
                study.change(table=other.table, source=other.source, arrangement=other.arrangement)
            except InputError as error:
                raise InputError(
                    f"The table {quoted(other.title)} came along but is not shown here; this is the example. {error}"
                ) from None
            came(f"“{other.title}” came along from {whole(str(message.get('from')))[:MOST_NAME]}.")

    def example() -> None:
        study.change(table=first.table, source=first.source, arrangement=first.arrangement)

    def forget() -> None:
        study.begin(first)
        page.came = ""
        page.send({"type": "say", "text": "Forgotten"})

    study.observe(later, "turn")
    study.observe(mark, "turn")
    page.hear("restore", lambda message, _: page.attempt(lambda: back(message)))
    page.hear("bring", lambda message, _: page.attempt(lambda: bring(message)))
    page.hear("example", lambda *_: page.attempt(example))
    page.hear("forget", lambda *_: page.attempt(forget))


def _packed(state: Any) -> str:
    return encode(state, MOST_PACKED)


def _table(state: Any, first: Any) -> str | None:
    """Return the table alone, if it is another one than the page begins with."""
    if not isinstance(state, TableState) or state.table == first.table:
        return None
    return _packed(TableState(state.table, state.source, arrangement=state.arrangement))
