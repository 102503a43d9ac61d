"""A plotly figure; after the first message, only changed arrays are sent."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import traitlets

from sdcwidgets._util.arguments import check_kind
from sdcwidgets.plots.marks import Frame
from sdcwidgets.plots.style import Drawing, Plain
from sdcwidgets.widgets import plotlyjs
from sdcwidgets.widgets.base import STATIC
from sdcwidgets.widgets.lazy_widget import LazyWidget

if TYPE_CHECKING:
    import plotly.graph_objects as go


class Drawable(Protocol):
    """Content of a chart, with a summary in words and its numbers."""

    @property
    def summary(self) -> str:
        """Summary in words."""

    def to_frame(self) -> Frame:
        """Return the numbers as a table."""


P = TypeVar("P", bound=Drawable)


class Chart(LazyWidget):
    """A figure with a summary in words and its numbers as a table.

    Parameters
    ----------
    label : str
        Accessible name of the chart, and title of the saved image.
    config : dict, optional
        plotly.js configuration, such as `{"editable": ...}`.
    places : bool
        Whether clicks outside all marks are sent too, as "place" with x and y, positions of a dragged pointer as
        "drag", and arrow keys as "step" with 1 or -1.

    Attributes
    ----------
    caption : str
        Caption of the saved image: table, settings and source.
    """

    _esm = STATIC / "chart.js"
    _css = STATIC / "chart.css"

    label = traitlets.Unicode().tag(sync=True)
    address = traitlets.Unicode(plotlyjs.ROUTE).tag(sync=True)
    version = traitlets.Unicode().tag(sync=True)
    frame: traitlets.Dict[str, Any] = traitlets.Dict({"data": [], "layout": {}}).tag(sync=True)
    arrays = traitlets.Dict().tag(sync=True)
    summary = traitlets.Unicode("").tag(sync=True)
    numbers = traitlets.Dict().tag(sync=True)
    config = traitlets.Dict().tag(sync=True)
    places = traitlets.Bool(False).tag(sync=True)
    dragged = traitlets.Int(0).tag(sync=True)  # counter of the answered positions of a dragged pointer
    caption = traitlets.Unicode("").tag(sync=True)

    def __init__(self, label: str, config: dict[str, object] | None = None, *, places: bool = False) -> None:
        if config is not None:
            check_kind("config", config, dict, "a dictionary")
        super().__init__(label=label, version=plotlyjs.version(), config=config or {}, places=places)
        self._table: Callable[[], Frame] | None = None
        self._figure: Callable[[], go.Figure] | None = None
        self._open = False
        self.hear("drag", lambda *_: self._answer_drag())
        self.hear("plotly", lambda *_: self.send({"type": "plotly"}, [plotlyjs.compressed()]))
        self.hear("numbers", lambda message, _: self._toggle(message.get("open") is True))

    def show(self, draw: Drawing[P], picture: P) -> None:
        """Show a chart with its summary and its numbers.

        The figure is drawn when it is visible or the browser is idle. The numbers are computed on request.

        Parameters
        ----------
        draw : Drawing
            Function from the content to a figure.
        picture : Drawable
            Content of the chart.

        Raises
        ------
        ValueError
            If plotly.js of this package does not support a trace of the figure.
        """
        self._table, self._figure = picture.to_frame, partial(draw, picture)
        with self.hold_sync():
            self.summary = picture.summary
            self.make(partial(self._draw, draw, picture))
            if self._open:
                self.numbers = _cells(picture.to_frame())

    def figure(self) -> go.Figure | None:
        """Return what the chart shows as a plotly figure, None if it shows nothing."""
        return None if self._figure is None else self._figure()

    def _draw(self, draw: Drawing[P], picture: P) -> None:
        frame, arrays = split(draw.plain(picture))
        unknown = {trace.get("type", "scatter") for trace in frame["data"]} - plotlyjs.TRACES
        if unknown:
            raise ValueError(
                f"Supported traces are {', '.join(sorted(plotlyjs.TRACES))}, "
                f"but the chart has {', '.join(sorted(unknown))}."
            )
        self.frame, self.arrays = frame, arrays

    def _answer_drag(self) -> None:
        """Ask the browser for the next position; the answer is sent with all effects of this one."""
        self.dragged += 1

    def _toggle(self, is_open: bool) -> None:
        self._open = is_open
        if is_open and self._table is not None:
            self.numbers = _cells(self._table())


def split(figure: Plain) -> tuple[Plain, dict[str, object]]:
    """Return a figure without its arrays, and the arrays by path, such as "data/0/marker/color".

    The part without arrays rarely changes, so it is rarely sent.
    """
    arrays: dict[str, object] = {}

    def strip(value: object, path: str) -> object:
        if isinstance(value, dict):
            stripped: dict[object, object] = {}
            for key, item in value.items():
                is_nested = isinstance(item, dict | list | tuple)
                part = strip(item, f"{path}/{key}") if is_nested else item
                if part is not None:
                    stripped[key] = part
            return stripped
        if isinstance(value, list | tuple):
            arrays[path] = value
            return None
        return value

    frame = {
        "data": [strip(trace, f"data/{index}") for index, trace in enumerate(figure.get("data", ()))],
        "layout": strip(figure.get("layout", {}), "layout"),
    }
    return frame, arrays


def _cells(frame: Frame) -> dict[str, object]:
    """Return the cells of a frame as texts."""

    def words(value: object) -> str:
        if isinstance(value, float):
            return "–" if value != value else f"{value:z.4f}"  # no -0.0000
        return f"{value:,}" if isinstance(value, int) else str(value)

    return {
        "columns": [str(name) for name in frame.columns],
        "rows": [[words(value) for value in row] for row in frame.astype(object).to_numpy().tolist()],
    }
