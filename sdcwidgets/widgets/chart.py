"""A plotly figure that is sent once; after that a change sends only the arrays that changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import traitlets

from sdcwidgets import plotlyjs
from sdcwidgets.widgets.base import Widget, browser_side, style

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

__all__ = ["Chart", "split"]


class Chart(Widget):
    """A figure with a summary in words and its numbers as a table.

    Parameters
    ----------
    label : str
        What the chart shows, for a screen reader and as the name of its picture.
    config : dict, optional
        plotly.js configuration, such as `{"editable": ...}`.
    """

    _esm = browser_side("chart")
    _css = style("chart")

    label = traitlets.Unicode().tag(sync=True)
    address = traitlets.Unicode(plotlyjs.ROUTE).tag(sync=True)
    version = traitlets.Unicode().tag(sync=True)
    frame = traitlets.Dict({"data": [], "layout": {}}).tag(sync=True)
    arrays = traitlets.Dict().tag(sync=True)
    summary = traitlets.Unicode("").tag(sync=True)
    numbers = traitlets.Dict().tag(sync=True)
    config = traitlets.Dict().tag(sync=True)

    def __init__(self, label: str, config: dict[str, Any] | None = None) -> None:
        super().__init__(label=label, version=plotlyjs.version(), config=config or {})
        self._table: Callable[[], pd.DataFrame] | None = None
        self._open = False
        self.hear("plotly", lambda *_: self.send({"type": "plotly"}, [plotlyjs.compressed()]))
        self.hear("numbers", lambda message, _: self._toggle(message.get("open") is True))

    def show(self, figure: go.Figure, summary: str, numbers: Callable[[], pd.DataFrame]) -> None:
        """Show a figure, what it says in words, and the numbers behind it, made only when they are looked at.

        Raises
        ------
        ValueError
            If the figure has a trace of a kind that the plotly.js of this package does not draw.
        """
        frame, arrays = split(figure.to_dict())
        unknown = {trace.get("type", "scatter") for trace in frame["data"]} - plotlyjs.TRACES
        if unknown:
            raise ValueError(
                f"A chart draws traces of the kinds {', '.join(sorted(plotlyjs.TRACES))}, "
                f"not {', '.join(sorted(unknown))}."
            )
        self._table = numbers
        with self.hold_sync():
            self.frame, self.arrays, self.summary = frame, arrays, summary
            if self._open:
                self.numbers = _cells(numbers())

    def _toggle(self, is_open: bool) -> None:
        self._open = is_open
        if is_open and self._table is not None:
            self.numbers = _cells(self._table())


def split(figure: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a figure without its arrays, and the arrays by their path, such as "data/0/marker/color".

    The first part changes seldom, so that traitlets sends it seldom.
    """
    arrays: dict[str, Any] = {}

    def strip(value: Any, path: str) -> Any:
        if isinstance(value, dict) and "bdata" not in value:
            kept = {key: strip(item, f"{path}/{key}") for key, item in value.items()}
            return {key: item for key, item in kept.items() if item is not None}
        if isinstance(value, dict | list | tuple) or hasattr(value, "dtype"):
            arrays[path] = value.tolist() if hasattr(value, "tolist") else value
            return None
        return value

    frame = {
        "data": [strip(trace, f"data/{index}") for index, trace in enumerate(figure.get("data", ()))],
        "layout": strip(figure.get("layout", {}), "layout"),
    }
    return frame, arrays


def _cells(frame: pd.DataFrame) -> dict[str, Any]:
    """Return a frame as the words of a table."""

    def words(value: Any) -> str:
        if isinstance(value, float):
            return "–" if value != value else f"{value:.4f}"
        return f"{value:,}" if isinstance(value, int) else str(value)

    return {
        "columns": [str(name) for name in frame.columns],
        "rows": [[words(value) for value in row] for row in frame.astype(object).to_numpy().tolist()],
    }
