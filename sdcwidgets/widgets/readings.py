"""A list of quantities: name, number, and formula with numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import traitlets

from sdcwidgets.widgets.base import STATIC, Labelled
from sdcwidgets.widgets.texts import Quantity
from sdcwidgets.widgets.texts.glossary import linked


class Readings(Labelled):
    """A list of quantities; selecting a number requests its computation.

    Parameters
    ----------
    label : str
        Accessible name of the list.
    """

    _esm = STATIC / "readings.js"
    _css = STATIC / "readings.css"

    rows: traitlets.List[dict[str, object]] = traitlets.List().tag(sync=True)
    turn = traitlets.Int(0).tag(sync=True)

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self._explained: list[Callable[[int], None]] = []
        self.hear("explain", lambda message, _: self._hear_explain(message.get("index")))

    def show(self, readings: Sequence[Quantity]) -> None:
        """Show other quantities."""
        with self.hold_sync():
            self.rows = [
                {
                    "label": quantity.label,
                    "name": [list(piece) for piece in linked(quantity.label)],
                    "text": quantity.text,
                    "formula": [list(piece) for piece in quantity.formula],
                }
                for quantity in readings
            ]
            self.turn += 1

    def on_explain(self, handler: Callable[[int], None]) -> None:
        """Call `handler(index)` when the number of a row is selected."""
        self._explained.append(handler)

    def _hear_explain(self, index: object) -> None:
        if type(index) is int and 0 <= index < len(self.rows):
            for handler in self._explained:
                handler(index)
