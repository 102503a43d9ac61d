"""Lines of the input file that the release does not repeat, which a user puts back or edits before saving."""

from __future__ import annotations

from functools import partial

import ipywidgets

from sdcwidgets._util.labels import counted
from sdcwidgets._util.parameters import Parameter
from sdcwidgets.dashboards.protect.result import ProtectResult, ProtectStudy
from sdcwidgets.tables.io.writers.as_read import LONGEST_TEXT
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.binding import reveal
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.page import Text, card

#: Maximum number of withheld lines with their own controls.
MOST_CONTROLS = 8

#: Button that publishes a withheld line.
PUT_BACK = "Publish this line as it is"


class WithheldLines:
    """The withheld lines, each with a field for another text and a button that puts the line back."""

    def __init__(self, study: ProtectStudy) -> None:
        self._study = study
        self._words = Text()
        self._rows: list[tuple[Control, Actions, ipywidgets.VBox]] = []
        self._lines: list[str] = []
        self._list = ipywidgets.VBox([])
        self.box = card("Text withheld from the release", self._words, self._list)
        self.box.add_class("sdc-hand").add_class("sdc-withheld")
        reveal(False, self.box)

    def show(self, result: ProtectResult) -> None:
        """Show the lines that a release withholds, once the release is permitted."""
        layout = result.state.as_read
        withheld = [] if layout is None else layout.withheld(result.release)
        is_shown = bool(withheld) and result.deciding.answer == "release"
        reveal(is_shown, self.box)
        if not is_shown:
            return
        more = len(withheld) - MOST_CONTROLS
        others = f" {counted(more, 'further line')} cannot be listed here." if more > 0 else ""
        self._words.show(
            f"{counted(len(withheld), 'line')} of the input file will not be in the release, because a number in the "
            f"line can be a count. Edit the line, or publish it if the number is no count.{others}"
        )
        self._lines = [line.line for line in withheld[:MOST_CONTROLS]]
        for k, line in enumerate(withheld[:MOST_CONTROLS]):
            if k == len(self._rows):
                self._add_row(k)
            field, _, row = self._rows[k]
            field.offer(line.line[:LONGEST_TEXT], label=f"Withheld line {k + 1}", help=f"{line.reason}.")
            reveal(True, row)
        reveal(False, *(row for _, _, row in self._rows[len(self._lines) :]))

    def _add_row(self, k: int) -> None:
        field = Control(Parameter("text", str, "", "Withheld line", "Reason"), show_help=True)
        field.on_change(partial(self._publish, k))
        put_back = Actions({PUT_BACK: lambda: self._publish(k, self._lines[k])})
        row = ipywidgets.VBox([field, put_back])
        self._rows.append((field, put_back, row))
        self._list.children = (*self._list.children, row)

    def _publish(self, k: int, text: object) -> None:
        line = self._lines[k]
        others = tuple(pair for pair in self._study.state.texts if pair[0] != line)
        self._study.change(texts=(*others, (line, str(text).strip()[:LONGEST_TEXT])))
