"""A list of measures; each opens its formula."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import traitlets

from sdcwidgets.widgets.base import STATIC
from sdcwidgets.widgets.lazy_widget import LazyWidget
from sdcwidgets.widgets.texts import Line, MeasureRow
from sdcwidgets.widgets.texts.glossary import linked


class Measures(LazyWidget):
    """A list of measures; selecting one calls the handler of `on_explain`.

    Parameters
    ----------
    label : str
        Accessible name.
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
        """Show the rows that `measures` returns, when the list is visible; `heads` are the column headings."""

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
        """Call `handler(name, lines)` when a measure is selected."""

        def explain(index: object) -> None:
            if type(index) is int and 0 <= index < len(self._rows):
                handler(self._rows[index].name, self._rows[index].lines())

        self.hear("explain", lambda message, _: explain(message.get("index")))
