"""Chart of a card of the page Literature: bars, lines and one marked point."""

from __future__ import annotations

from sdcwidgets.dashboards.literature.picture import Picture
from sdcwidgets.plots import marks
from sdcwidgets.plots.style import ACCENT, COLOURS, INK, Plain, figure

_DASHES = ("solid", "dash", "dot")


@figure
def draw(picture: Picture) -> Plain:
    """Return the chart as a figure; lines differ in dash as well as in colour."""
    x = picture.x
    few = len(x) <= 12
    heights = [value for values in (*picture.bars.values(), *picture.lines.values()) for value in values]
    # Counts need whole numbers on the axis.
    counted = max(heights) <= 6 and all(float(value).is_integer() for value in heights)

    def hover(name: str) -> str:
        return f"{picture.x_title} %{{x}}<br>{name}: %{{y:.4g}}"

    traces = [
        marks.bars(x, values, COLOURS[0], name=name, hover=hover(name))
        for name, values in picture.bars.items()
    ]
    dotted: Plain = {"marker": {"size": 8}} if few else {}
    traces += [
        marks.line(x, y, COLOURS[1 - k % 2], 2, _DASHES[k % 3], name=name, hover=hover(name), **dotted)
        for k, (name, y) in enumerate(picture.lines.items())
    ]
    if picture.mark is not None:
        here, high = picture.mark
        look: Plain = {"name": "Current setting", "edge": (ACCENT, 2), "hover": "%{x}: %{y:.4g}"}
        traces.append(marks.dots([here], [high], INK, 12, **look))
    return marks.plot(
        traces,
        240,
        xaxis={"title": picture.x_title} | ({"dtick": 1} if few else {}),
        yaxis={"title": picture.y_title, "rangemode": "tozero"} | ({"dtick": 1} if counted else {}),
        legend=True,
    )
