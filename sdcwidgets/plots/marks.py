"""Traces, annotations and charts as plain dictionaries for plotly.js.

In all functions `hover` is the text on hovering over a mark: "" disables it, and None keeps the default of
plotly.js. `at` is the position of the `text` of a mark. Other keyword arguments are passed on as properties of
the trace.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

import numpy as np

from sdcwidgets.plots.style import INK, Plain, layout

if TYPE_CHECKING:
    import pandas as pd

#: Data of a chart.
Frame: TypeAlias = "pd.DataFrame"

#: Values of one or many marks: numbers, names or colours, as Python, numpy or pandas objects.
Data: TypeAlias = object

R = TypeVar("R")

#: Legend in one line above the plot, and margins with space for it and for the axis titles.
LEGEND = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
ROOM = {"l": 54, "r": 8, "t": 30, "b": 44}


def plot(marks: Sequence[Plain], height: int, *, legend: bool | Plain = False, **more: object) -> Plain:
    """Return a chart with these traces.

    Parameters
    ----------
    marks : sequence of dict
        Traces; the first is drawn lowest.
    height : int
        Height in pixels.
    legend : bool or dict
        Whether to show a legend above the plot, or changes to its default properties.
    **more
        Other properties of the layout.

    Returns
    -------
    dict
        Figure with the keys "data" and "layout".

    Examples
    --------
    >>> plot([line([0, 1], [2, 3], INK)], 200, xaxis={"title": "N"})["layout"]["xaxis"]["title"]["text"]
    'N'
    """
    if legend:
        above = LEGEND if legend is True else LEGEND | legend
        more = {"showlegend": True, "legend": above, "margin": ROOM} | more
    return {"data": list(marks), "layout": layout(height, **more)}


def bars(x: Data, y: Data, colour: Data, *, across: bool = False, hover: str = "", **more: object) -> Plain:
    """Return a bar trace, vertical, or horizontal if `across` is true.

    Parameters
    ----------
    x : sequence or ndarray
        Position of each bar; with `across` its length.
    y : sequence or ndarray
        Length of each bar; with `across` its position.
    colour : str or sequence of str
        Colour of all bars, or one colour per bar.
    across : bool
        Whether the bars are horizontal, with lengths in `x`.
    hover : str
        Text on hovering over a bar.
    **more
        `edge`, a pair of colour and width of the outline, and other properties of the trace.

    Returns
    -------
    dict
        Trace.
    """
    trace = {"type": "bar", "x": _plain(x), "y": _plain(y)} | ({"orientation": "h"} if across else {})
    return trace | _hover(hover) | _marked({"color": colour}, more)


def line(
    x: Data, y: Data, colour: str, width: float = 2, dash: str = "", *, hover: str | None = "", **more: object
) -> Plain:
    """Return a line trace; with `marker` in `more`, its points are drawn as well.

    Parameters
    ----------
    x : sequence or ndarray
        Horizontal positions.
    y : sequence or ndarray
        Vertical positions.
    colour : str
    width : float
        Width in pixels.
    dash : str
        Dash style, "dot" or "dash"; "" for a solid line.
    hover : str or None
        Text on hovering over a point.
    **more
        `shape`, the shape of the line, and other properties of the trace.

    Returns
    -------
    dict
        Trace.
    """
    look = {"color": colour, "width": width} | ({"dash": dash} if dash else {})
    if "shape" in more:
        look["shape"] = more.pop("shape")
    return _scatter("lines+markers" if "marker" in more else "lines", x, y, hover, {"line": look} | more)


def dots(
    x: Data, y: Data, colour: Data, size: Data, symbol: Data = "", *, hover: str = "", **more: object
) -> Plain:
    """Return a trace of points.

    Parameters
    ----------
    x : sequence or ndarray
        Horizontal positions.
    y : sequence or ndarray
        Vertical positions.
    colour : str or sequence of str
        Colour of all points, or one per point.
    size : float or sequence of float
        Size of all points, or one per point, in pixels.
    symbol : str or sequence of str
        Symbol of all points, or one per point.
    hover : str
        Text on hovering over a point.
    **more
        `edge` as for bars, `marker` with further properties of the points, and other properties of the trace.

    Returns
    -------
    dict
        Trace.
    """
    look = {"color": colour, "size": size} | ({"symbol": symbol} if symbol else {})
    return _scatter("markers", x, y, hover, _marked(look, more))


def note(x: Data, y: Data, text: str, colour: str = INK, size: int = 13, **more: object) -> Plain:
    """Return an annotation without an arrow.

    Parameters
    ----------
    x : float
        Horizontal position.
    y : float
        Vertical position.
    text : str
        Text of the annotation.
    colour : str
        Colour of the text.
    size : int
        Font size in pixels.
    **more
        Other properties of the annotation.

    Returns
    -------
    dict
        Annotation.
    """
    font = {"color": colour, "size": size}
    return {"x": x, "y": y, "text": text, "showarrow": False, "font": font} | more


def frame(data: Any, columns: list[str] | None = None) -> Frame:
    """Return the data of a chart as a data frame; pandas is only loaded by this call."""
    import pandas as pd

    return pd.DataFrame(data, columns=columns)


@dataclass(frozen=True, eq=False)
class Plotted(Generic[R]):
    """Content of a chart: results, a summary in words, and the data by column or as rows."""

    of: R
    summary: str
    numbers: Any

    def to_frame(self) -> Frame:
        """Return the data as a data frame."""
        return frame(self.numbers)


def numbers(values: Iterable[float], digits: int = 6) -> list[float | None]:
    """Return the values rounded to `digits` decimals; None, which plotly.js omits, for nan and infinite values."""
    return [round(float(value), digits) if np.isfinite(value) else None for value in values]


def _scatter(mode: str, x: Data, y: Data, hover: str | None, more: Plain) -> Plain:
    if "at" in more:
        mode = f"{mode}+text"
        more = {"textfont": {"color": INK}, "textposition": more.pop("at")} | more
    return {"type": "scatter", "mode": mode, "x": _plain(x), "y": _plain(y)} | _hover(hover) | more


def _marked(look: Plain, more: Plain) -> Plain:
    """Return the properties of a trace, with the appearance of its marks under `marker`."""
    if "edge" in more:
        look["line"] = dict(zip(("color", "width"), more.pop("edge"), strict=True))
    return more | {"marker": look | more.get("marker", {})}


def _hover(hover: str | None) -> Plain:
    if hover is None:
        return {}
    return {"hovertemplate": f"{hover}<extra></extra>"} if hover else {"hoverinfo": "skip"}


def _plain(values: Any) -> list[object]:
    """Return the values as a list; numpy arrays are converted to Python numbers."""
    return values.tolist() if hasattr(values, "tolist") else list(values)
