"""A small chart of a card of the literature gallery: bars, lines and one marked point over a row of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from sdcwidgets.plots.style import ACCENT, COLOURS, INK, Plain, figure, layout

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Picture", "draw", "prepare"]

_DASHES = ("solid", "dash", "dot")


@dataclass(frozen=True)
class Picture:
    """What the chart shows.

    Attributes
    ----------
    x : tuple of float
        The positions of all bars and of all points of the lines.
    x_title, y_title : str
    bars, lines : mapping of str to tuple of float
        By the name that the legend shows.
    mark : tuple of (float, float), optional
        A point to ring: where the controls stand.
    summary : str
        What the chart says, in words.
    """

    x: tuple[float, ...]
    x_title: str
    y_title: str
    bars: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    lines: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    mark: tuple[float, float] | None = None
    summary: str = ""

    def to_frame(self) -> pd.DataFrame:
        """Return the numbers as a table, a line a position."""
        import pandas as pd

        return pd.DataFrame({self.x_title: self.x} | dict(self.bars) | dict(self.lines))


def prepare(
    x: ArrayLike,
    titles: Sequence[str],
    *,
    bars: Mapping[str, ArrayLike] | None = None,
    lines: Mapping[str, ArrayLike] | None = None,
    mark: tuple[float, float] | None = None,
    summary: str,
) -> Picture:
    """Return the chart of these numbers; a line that is one number is level.

    Raises
    ------
    ValueError
        If bars or lines do not have a value for each position.
    """
    positions = np.asarray(x).tolist()

    def spread(series: Mapping[str, ArrayLike] | None) -> dict[str, tuple[float, ...]]:
        return {
            name: tuple(np.broadcast_to(np.asarray(values), len(positions)).tolist())
            for name, values in (series or {}).items()
        }

    x_title, y_title = titles
    return Picture(tuple(positions), x_title, y_title, spread(bars), spread(lines), mark, summary)


@figure
def draw(picture: Picture) -> Plain:
    """Return the chart as a figure; lines differ in dash as well as in colour."""
    x = list(picture.x)
    few = len(x) <= 12
    heights = [value for values in (*picture.bars.values(), *picture.lines.values()) for value in values]
    # A count has no halves on its axis.
    counted = max(heights) <= 6 and all(float(value).is_integer() for value in heights)
    traces = [
        {
            "type": "bar",
            "name": name,
            "x": x,
            "y": list(values),
            "marker": {"color": COLOURS[0]},
            "hovertemplate": f"{picture.x_title} %{{x}}<br>{name}: %{{y:.4g}}<extra></extra>",
        }
        for name, values in picture.bars.items()
    ]
    traces += [
        {
            "type": "scatter",
            "mode": "lines+markers" if few else "lines",
            "name": name,
            "x": x,
            "y": list(values),
            "line": {"color": COLOURS[1 - index % 2], "width": 2, "dash": _DASHES[index % 3]},
            "marker": {"size": 8},
            "hovertemplate": f"{picture.x_title} %{{x}}<br>{name}: %{{y:.4g}}<extra></extra>",
        }
        for index, (name, values) in enumerate(picture.lines.items())
    ]
    if picture.mark is not None:
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": "here",
                "x": [picture.mark[0]],
                "y": [picture.mark[1]],
                "marker": {"size": 12, "color": INK, "line": {"color": ACCENT, "width": 2}},
                "hovertemplate": "%{x}: %{y:.4g}<extra></extra>",
            }
        )
    return {
        "data": traces,
        "layout": layout(
            240,
            xaxis={"title": {"text": picture.x_title}} | ({"dtick": 1} if few else {}),
            yaxis={"title": {"text": picture.y_title}, "rangemode": "tozero"}
            | ({"dtick": 1} if counted else {}),
            showlegend=True,
            legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
            margin={"l": 54, "r": 8, "t": 30, "b": 44},
        ),
    }
