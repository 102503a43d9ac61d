"""Where the table of a dashboard comes from: an example, a file or a paste."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import traitlets

from sdcwidgets import examples
from sdcwidgets.errors import InputError
from sdcwidgets.sources import Reading, read_block, read_bytes
from sdcwidgets.studies.base import Study
from sdcwidgets.widgets.base import Widget, browser_side, style
from sdcwidgets.words import people

__all__ = ["Source"]

#: The largest file that is read, in bytes; the server must let messages of this size through.
LARGEST_FILE = 20 * 2**20


class Source(Widget):
    """A list of examples, "Open a file", "Paste" and "Save as CSV", bound to a study of tables.

    What cannot be read is told in one sentence, and the table that was there stays.
    """

    _esm = browser_side("source")
    _css = style("source")

    examples: traitlets.List[Any] = traitlets.List().tag(sync=True)
    chosen = traitlets.Unicode().tag(sync=True)
    title = traitlets.Unicode().tag(sync=True)
    size = traitlets.Unicode().tag(sync=True)
    notes = traitlets.Unicode().tag(sync=True)
    problem = traitlets.Unicode().tag(sync=True)
    limit = traitlets.Int(LARGEST_FILE).tag(sync=True)

    def __init__(self, study: Study[Any, Any]) -> None:
        super().__init__(examples=[[one.name, one.title] for one in examples.available().values()])
        self._study = study
        self.hear("example", lambda message, _: self._attempt(lambda: self._example(message.get("name"))))
        self.hear(
            "file", lambda message, buffers: self._attempt(lambda: self._file(message.get("name"), buffers))
        )
        self.hear("paste", lambda message, _: self._attempt(lambda: self._paste(message.get("text"))))
        self.hear(
            "save",
            lambda *_: self.send({"type": "save", "name": "table.csv", "text": study.state.table.to_csv()}),
        )
        study.observe(lambda _: self._follow(), "turn")
        self._follow()

    def _attempt(self, action: Callable[[], None]) -> None:
        with self.hold_sync():
            self.problem = self.notes = ""
            try:
                action()
            except InputError as error:
                self.problem = str(error)
                # The list shows what was asked for; it must show again what is there.
                self.send_state("chosen")

    def _example(self, name: Any) -> None:
        example = examples.get(str(name))
        self._study.load(
            replace(self._study.state, table=example.table, source=example.name, title=example.title)
        )

    def _file(self, name: Any, buffers: list[memoryview]) -> None:
        if len(buffers) != 1:
            raise InputError("No file came through; choose one file.")
        content = bytes(buffers[0])
        if len(content) > LARGEST_FILE:
            raise InputError(f"{name} is larger than {LARGEST_FILE // 2**20} MB; choose a smaller file.")
        self._read(read_bytes(str(name), content), str(name))

    def _paste(self, text: Any) -> None:
        if not isinstance(text, str) or len(text) > LARGEST_FILE:
            raise InputError("The pasted text is not a table; copy cells in a spreadsheet and paste them.")
        self._read(read_block(text), "Pasted table")

    def _read(self, reading: Reading, title: str) -> None:
        self._study.load(replace(self._study.state, table=reading.table, source="", title=title))
        self.notes = " ".join(reading.notes)

    def _follow(self) -> None:
        state = self._study.state
        with self.hold_sync():
            self.chosen, self.title, self.problem = state.source, state.title, ""
            self.size = f"{people(state.table.total)} in {state.table.counts.size:,} cells"
