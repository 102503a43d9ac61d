"""Risk-utility map of releases, with thresholds of residual risk and utility."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from sdcwidgets.plots import marks
from sdcwidgets.plots.marks import Plotted
from sdcwidgets.plots.point_labels import Anchor, place_around
from sdcwidgets.plots.style import ACCENT, COLOURS, INK, MUTE, Plain, figure, literal

if TYPE_CHECKING:
    from sdcwidgets.dashboards.tables.result import TablesResult


class Look(NamedTuple):
    """A colour, and a shape for readers who cannot distinguish colours."""

    colour: str
    shape: str


#: Kinds of points, which also differ by shape. Rounding before and after tabulation is the same method, so both have
#: the same colour.
KINDS = {
    "protected": Look(ACCENT, "circle"),
    "unchanged": Look(INK, "square"),
    "refused": Look(MUTE, "x"),
    "RS": Look("var(--sdc-warn)", "x"),
    "RR": Look(MUTE, "square"),
    "SP": Look(ACCENT, "cross"),
    "RRP": Look(MUTE, "diamond"),
}


#: Height of the map in pixels, and height of a map with more than `MANY` points.
HEIGHT, CROWDED, MANY = 340, 520, 20

#: Margins above and below the map in pixels.
ABOVE, BELOW = 40, 44


class Point(NamedTuple):
    """A table on the map."""

    name: str
    kind: str
    printed: bool
    words: str
    utility: float
    risk: float


class RequestMap(NamedTuple):
    """Points and thresholds of the map; None means that there is no threshold."""

    points: tuple[Point, ...]
    after: float | None
    least: float | None
    summary: str

    def to_frame(self) -> marks.Frame:
        """Return the points, one row each."""
        return marks.frame(
            self.points, ["table", "answer", "published", "description", "utility", "residual risk"]
        )


def patience(by_requests: marks.Frame) -> Plotted[marks.Frame]:
    """Return the chart of the results of `tableserver.averaging.averaged`."""
    summary = "No table was released, so a data user has no counts to average."
    if not by_requests.empty:
        first, last = by_requests.iloc[0], by_requests.iloc[-1]
        summary = (
            f"With 1 to {by_requests.index[-1]} tables, the share of counts from 10 that are estimated correctly "
            "goes from "
            f"{first['large']:.0%} to {last['large']:.0%}, and the error from {first['rmse']:.2f} to "
            f"{last['rmse']:.2f}."
        )
    return Plotted(by_requests, summary, by_requests.reset_index())


def prepare(result: TablesResult) -> RequestMap:
    """Return the map of all answers with a risk, by their true figures."""
    points = []
    for number, request in enumerate(result.server.log, start=1):
        risk = request.true.after
        if not np.isnan(risk):
            kind = "refused" if request.words.startswith("refused") else request.words
            points.append(Point(str(number), kind, False, request.query.words, request.true.utility, risk))
    released = [point for point in points if point.kind != "refused"]
    rules = result.server.rules
    summary = f"{len(released)} of {len(result.server.log)} requested tables were released"
    if released:
        most = max(released, key=lambda point: point.risk)
        summary += f"; table {most.name} has the highest residual risk, {most.risk:.3f}"
    return RequestMap(tuple(points), rules.after, rules.utility, f"{summary}.")


def comparison(compared: marks.Frame, printed: bool = True) -> RequestMap:
    """Return Figure 2 of the comparison study: four tables with four methods, recomputed and as published.

    Parameters
    ----------
    compared : DataFrame
        Result of `tableserver.comparison.compare`.
    printed : bool
        Whether the published points are drawn, as hollow marks.
    """
    points = []
    for key, line in compared.iterrows():
        table, method = cast("tuple[int, str]", key)
        if method == "original":
            continue
        points.append(_comparison_point(line, table, method, printed=False))
        if printed:
            points.append(_comparison_point(line, table, method, printed=True))
    here = [point for point in points if not point.printed and point.risk < 0.15]
    best = max(here, key=lambda point: point.utility) if here else None
    remark = (
        ""
        if best is None
        else (f" Of these combinations, the highest utility has {best.words}, {best.utility:.3f}.")
    )
    below = (
        f"{len(here)} of the 16 recomputed combinations of table and method have a residual risk below "
        f"0.15.{remark}"
    )
    return RequestMap(tuple(points), 0.15, None, below)


def _comparison_point(line: Any, table: int, method: str, printed: bool) -> Point:
    column = " printed" if printed else ""
    return Point(
        name=f"T{table}",
        kind=method,
        printed=printed,
        words=f"Table {table}, {method}{', published' if printed else ''}",
        utility=line[f"utility{column}"],
        risk=line[f"risk{column}"],
    )


@figure
def draw(picture: RequestMap) -> Plain:
    """Return the figure: points, one trace per kind, and the thresholds as lines."""
    wide = _range([point.utility for point in picture.points], picture.least)
    wide = wide[0], min(wide[1], 1 + (1 - wide[0]) * 0.1)
    high = _range([point.risk for point in picture.points], picture.after)
    height = CROWDED if len(picture.points) > MANY else HEIGHT
    spots = [
        Anchor(
            (point.utility - wide[0]) / (wide[1] - wide[0]),
            (high[1] - point.risk) / (high[1] - high[0]) * (height - ABOVE - BELOW),
        )
        for point in picture.points
    ]
    positions = dict(zip(picture.points, place_around(spots), strict=True))
    traces: list[Plain] = []
    hover = "%{customdata}<br>utility %{x:.4f}<br>residual risk %{y:.4f}"
    for kind, printed in dict.fromkeys((point.kind, point.printed) for point in picture.points):
        points = [point for point in picture.points if (point.kind, point.printed) == (kind, printed)]
        colour, shape = KINDS[kind]
        options: Plain = {
            "text": [point.name for point in points],
            "customdata": [literal(point.words) for point in points],
            "name": kind,
            "at": [positions[point] for point in points],
            "hover": hover,
        }
        if printed:
            options |= {"name": f"{kind}, published"}
            shape = f"{shape}-open"
        x, y = [point.utility for point in points], [point.risk for point in points]
        traces.append(marks.dots(x, y, colour, 11, shape, **options))
    lines, notes = [], []
    dashed = {"type": "line", "layer": "below", "line": {"color": COLOURS[1], "width": 2, "dash": "dash"}}
    corner = {"showarrow": False, "xanchor": "right", "yanchor": "bottom"}
    value = picture.after
    if value is not None:
        lines.append(dashed | {"y0": value, "y1": value, "x0": wide[0], "x1": wide[1]})
        notes.append(corner | {"x": wide[1], "y": value, "text": "maximum risk"})
    value = picture.least
    if value is not None:
        lines.append(dashed | {"x0": value, "x1": value, "y0": high[0], "y1": high[1]})
        notes.append(corner | {"x": value, "y": high[1], "text": "minimum utility"})
    return marks.plot(
        traces,
        height,
        legend=True,
        margin={"l": 58, "r": 16, "t": ABOVE, "b": BELOW},
        xaxis={"title": "utility (1: unchanged)", "range": list(wide)},
        yaxis={"title": "residual risk", "range": list(high)},
        shapes=lines,
        annotations=notes,
    )


@figure
def draw_patience(picture: Plotted[marks.Frame]) -> Plain:
    """Return the figure: shares of correctly estimated counts over the number of tables."""
    at = [str(number) for number in picture.of.index]
    small, large = (marks.numbers(picture.of[name], 16) for name in ("small", "large"))
    return marks.plot(
        [
            marks.line(at, small, ACCENT, 2, "solid", name="counts of 1 and 2", hover=None),
            marks.line(at, large, INK, 2, "dash", name="counts from 10", hover=None),
        ],
        260,
        legend=True,
        margin={"l": 58, "r": 16, "t": 40, "b": 44},
        xaxis={"title": "released tables", "type": "category"},
        yaxis={"title": "estimated correctly", "range": [0, 1], "tickformat": ".0%"},
    )


def _range(values: Sequence[float], limit: float | None) -> tuple[float, float]:
    """Return the range of an axis: all values, and a threshold if it is near."""
    some = list(values) or ([] if limit is None else [limit])
    low, high = (min(some), max(some)) if some else (0.0, 1.0)
    span = max(high - low, 0.02)
    if limit is not None and low - span < limit < high + span:
        low, high = min(low, limit), max(high, limit)
    return low - 0.12 * span, high + 0.18 * span
