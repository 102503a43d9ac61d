"""The marks of a chart as plotly.js reads them, each in one call, the chart that they make, and the numbers behind it.

What a mark says when it is pointed at is `hover`: "" for nothing, None for what plotly.js says by itself. `at` is where
its `text` stands beside it. Whatever else plotly.js knows of a trace is given by its name there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

import numpy as np

from sdcwidgets.plots.style import INK, Plain, layout

if TYPE_CHECKING:
    import pandas as pd

#: The numbers behind a chart.
Frame: TypeAlias = "pd.DataFrame"

#: What a mark shows, one or many: numbers, names or colours, of Python, numpy or pandas.
Data: TypeAlias = object

R = TypeVar("R")

#: A legend in a line above the plot, and the room that is left for it and for the titles of the axes.
LEGEND = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
ROOM = {"l": 54, "r": 8, "t": 30, "b": 44}


def plot(marks: Sequence[Plain], height: int, *, legend: bool | Plain = False, **more: object) -> Plain:
    """Return a chart of marks.

    Parameters
    ----------
    marks : sequence of dict
        Traces, the first one lowest.
    height : int
        In pixels.
    legend : bool or dict
        Whether a legend stands above the plot, or what is otherwise about it.
    **more
        Whatever else plotly.js knows of a layout.

    Returns
    -------
    dict
        A figure as plotly.js reads it.

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
    """Return bars, upwards or `across`.

    Parameters
    ----------
    x, y : sequence or ndarray
        Where each is, and how long.
    colour : str or sequence of str
        Of all, or of each.
    across : bool
        Whether x is their length.
    hover : str
        What a bar says.
    **more
        An `edge`, the colour and the width of a line around each, and what else plotly.js knows of a trace.

    Returns
    -------
    dict
        A trace as plotly.js reads it.
    """
    trace = {"type": "bar", "x": _plain(x), "y": _plain(y)} | ({"orientation": "h"} if across else {})
    return trace | _hover(hover) | _marked({"color": colour}, more)


def line(
    x: Data, y: Data, colour: str, width: float = 2, dash: str = "", *, hover: str | None = "", **more: object
) -> Plain:
    """Return a line; if it has a `marker`, with dots.

    Parameters
    ----------
    x, y : sequence or ndarray
    colour : str
    width : float
        In pixels.
    dash : str
        "dot", "dash"; "" for a whole line.
    hover : str or None
        What a point says.
    **more
        A `shape`, and what else plotly.js knows of a trace.

    Returns
    -------
    dict
        A trace as plotly.js reads it.
    """
    look = {"color": colour, "width": width} | ({"dash": dash} if dash else {})
    if "shape" in more:
        look["shape"] = more.pop("shape")
    return _scatter("lines+markers" if "marker" in more else "lines", x, y, hover, {"line": look} | more)


def dots(
    x: Data, y: Data, colour: Data, size: Data, symbol: Data = "", *, hover: str = "", **more: object
) -> Plain:
    """Return dots.

    Parameters
    ----------
    x, y : sequence or ndarray
    colour, size, symbol : single value or sequence
        Of all, or of each; the size is in pixels.
    hover : str
        What a dot says.
    **more
        An `edge` as that of bars, a `marker` with what else they look like, and what else plotly.js knows of a trace.

    Returns
    -------
    dict
        A trace as plotly.js reads it.
    """
    look = {"color": colour, "size": size} | ({"symbol": symbol} if symbol else {})
    return _scatter("markers", x, y, hover, _marked(look, more))


def note(x: Data, y: Data, text: str, colour: str = INK, size: int = 13, **more: object) -> Plain:
    """Return words on the plot that belong to no mark.

    Parameters
    ----------
    x, y : float
    text, colour : str
    size : int
        Of the letters, in pixels.
    **more
        Whatever else plotly.js knows of an annotation.

    Returns
    -------
    dict
        An annotation as plotly.js reads it.
    """
    font = {"color": colour, "size": size}
    return {"x": x, "y": y, "text": text, "showarrow": False, "font": font} | more


def frame(data: Any, columns: list[str] | None = None) -> Frame:
    """Return the numbers behind a chart as a table; pandas is loaded when somebody wants to see one."""
    import pandas as pd

    return pd.DataFrame(data, columns=columns)


@dataclass(frozen=True, eq=False)
class Plotted(Generic[R]):
    """What a chart shows: results, what they say in words, and the numbers behind it, by column or a line each."""

    of: R
    summary: str
    numbers: Any

    def to_frame(self) -> Frame:
        """Return the numbers as a table."""
        return frame(self.numbers)


def numbers(values: Iterable[float], digits: int = 6) -> list[float | None]:
    """Return numbers with so many digits; None, which plotly.js leaves out, for what is not a finite number."""
    return [round(float(value), digits) if np.isfinite(value) else None for value in values]


def _scatter(mode: str, x: Data, y: Data, hover: str | None, more: Plain) -> Plain:
    if "at" in more:
        mode = f"{mode}+text"
        more = {"textfont": {"color": INK}, "textposition": more.pop("at")} | more
    return {"type": "scatter", "mode": mode, "x": _plain(x), "y": _plain(y)} | _hover(hover) | more


def _marked(look: Plain, more: Plain) -> Plain:
    """Return what a trace is given with the look of its marks."""
    if "edge" in more:
        look["line"] = dict(zip(("color", "width"), more.pop("edge"), strict=True))
    return more | {"marker": look | more.get("marker", {})}


def _hover(hover: str | None) -> Plain:
    if hover is None:
        return {}
    return {"hovertemplate": f"{hover}<extra></extra>"} if hover else {"hoverinfo": "skip"}


def _plain(values: Any) -> list[object]:
    """Return a list, of an array of numpy too."""
    return values.tolist() if hasattr(values, "tolist") else list(values)
