"""Numbers with their names, one below the other; each opens its formula."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import traitlets

from sdcwidgets.widgets.base import browser_side, style
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

    _esm = browser_side("measures")
    _css = style("measures")

    label = traitlets.Unicode().tag(sync=True)
    measures: traitlets.List[dict[str, object]] = traitlets.List().tag(sync=True)
    heads = traitlets.List(traitlets.Unicode()).tag(sync=True)

    def __init__(self, label: str) -> None:
        super().__init__(label=label)
        self._shown: list[MeasureRow] = []

    def show(self, measures: Callable[[], Sequence[MeasureRow]], heads: Sequence[str] = ()) -> None:
        """Show what `measures` returns, once it is seen; `heads` are what stands above the columns, if anything."""

        def draw() -> None:
            self._shown = list(measures())
            self.heads = list(heads)
            self.measures = [
                {
                    "name": [list(piece) for piece in linked(one.name)],
                    "value": one.value,
                    "error": one.error,
                    "strong": one.strong,
                    "mean": one.mean,
                }
                for one in self._shown
            ]

        self.make(draw)

    def on_explain(self, handler: Callable[[str, list[Line]], None]) -> None:
        """Call `handler(name, lines)` when a measure is pressed."""

        def explain(index: object) -> None:
            if type(index) is int and 0 <= index < len(self._shown):
                handler(self._shown[index].name, self._shown[index].lines())

        self.hear("explain", lambda message, _: explain(message.get("index")))
