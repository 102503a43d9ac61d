"""Numbers with their names, one below the other; each opens its formula."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import traitlets

from sdcwidgets.widgets.base import STATIC
from sdcwidgets.widgets.lazy_widget import LazyWidget
from sdcwidgets.widgets.texts import Line, MeasureRow
from sdcwidgets.widgets.texts.glossary import linked


class Measures(LazyWidget):
    """A list of measures; pressing one calls what `on_explain` was given.

    Parameters
    ----------
    label : str
        What a screen reader calls it.
    """

    _esm = STATIC / "measures.js"
    _css = STATIC / "measures.css"

    label = traitlets.Unicode().tag(sync=True)
    measures: traitlets.List[dict[str, object]] = traitlets.List().tag(sync=True)
    heads = traitlets.List(traitlets.Unicode()).tag(sync=True)

    def __init__(self, label: str) -> None:
        super().__init__(label=label)
        self._rows: list[MeasureRow] = []

    def show(self, measures: Callable[[], Sequence[MeasureRow]], heads: Sequence[str] = ()) -> None:
        """Show what `measures` returns, once it is seen; `heads` are what stands above the columns, if anything."""

        def draw() -> None:
            self._rows = list(measures())
            self.heads = list(heads)
            self.measures = [
                {
                    "name": [list(piece) for piece in linked(row.name)],
                    "value": row.value,
                    "error": row.error,
                    "strong": row.strong,
                    "mean": row.mean,
                }
                for row in self._rows
            ]

        self.make(draw)

    def on_explain(self, handler: Callable[[str, list[Line]], None]) -> None:
        """Call `handler(name, lines)` when a measure is pressed."""

        def explain(index: object) -> None:
            if type(index) is int and 0 <= index < len(self._rows):
                handler(self._rows[index].name, self._rows[index].lines())

        self.hear("explain", lambda message, _: explain(message.get("index")))
