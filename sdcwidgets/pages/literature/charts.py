"""A small chart of a card of the literature gallery: bars, lines and one marked point over a row of numbers."""

from __future__ import annotations

from sdcwidgets.pages.literature.picture import Picture
from sdcwidgets.plots.style import ACCENT, COLOURS, INK, LEGEND, Plain, figure, layout

__all__ = ["draw"]

_DASHES = ("solid", "dash", "dot")


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
            **LEGEND,
            margin={"l": 54, "r": 8, "t": 30, "b": 44},
        ),
    }
