"""Figure of the risk-utility map: residual risk against information loss."""

from __future__ import annotations

from itertools import compress
from textwrap import wrap
from typing import Any

import numpy as np

from sdcwidgets._util.labels import PEOPLE
from sdcwidgets.plots import marks
from sdcwidgets.plots.point_labels import LINE, Anchor, free_lines, place_names, ties
from sdcwidgets.plots.risk_utility.map import Map
from sdcwidgets.plots.style import ACCENT, COLOURS, INK, MUTE, Plain, figure, literal

#: Axes of the limit lines, in the order of the first shapes of the map.
LINES = ("risk", "loss")

HEIGHT, TOP, BOTTOM = 320, 10, 44

#: Approximate width of the plot, in pixels.
WIDE = 800.0

#: Smallest usual width of the plot of a figure that is not part of a page, in pixels.
FIGURE_WIDTH = 560.0

#: Height of the plot, in pixels.
HIGH = float(HEIGHT - TOP - BOTTOM)

#: Maximum number of characters in a line of the title of the vertical axis.
TITLE_WIDTH = 36

#: Maximum distance, in pixels, at which two means count as hidden by each other.
HIDDEN = 9

#: Maximum number of hidden points that are listed.
LISTED = 4

#: Minimum range of an axis; smaller differences are below the rounding of the coordinates.
LEAST_SPAN = 1e-4

#: Maximum number of settings for which all replicates are drawn. With more settings, only the replicates of
#: the selected setting are drawn.
FEW = 8

#: Points whose loss exceeds the limit by this factor are left out.
FAR = 2.5

#: Maximum length of a setting's label that stays visible on narrow screens.
SHORT = 34

#: Name of annotations that the browser leaves out of narrow charts.
ROOMY = "wide"


@figure
def draw(drawn: Map) -> Plain:
    """Return the figure; trace 0 contains the means, and the first two shapes are the limits."""
    risk, loss = drawn.axes
    wide, high = ranges(drawn)
    front = drawn.front
    lines, notes, taken = _limits(drawn, wide, high)
    names = _names(drawn, wide, high, taken)
    across, upwards = ties([name for name in names if "xref" not in name], _up(high))
    counted_unit = literal(drawn.points[0].table.unit)
    unit = f", {loss.unit.replace(PEOPLE, counted_unit)}" if loss.unit else ""
    here = drawn.original
    sizes = [10 if best else 7 for best in drawn.best]
    colours = [ACCENT if best else MUTE for best in drawn.best]
    opacity = [1 if best else 0.6 for best in drawn.best]
    means: Plain = {"name": "mean", "marker": {"opacity": opacity}, "text": _near(drawn, wide, high)}
    means["customdata"] = [literal(name) for name in drawn.names]
    means["hover"] = "%{customdata}, mean<br>loss %{x:.3f}, residual risk %{y:.4f}<br>"
    means["hover"] += "click to select it%{text}"
    way = marks.numbers([here[0], *drawn.loss[front]], 4), marks.numbers([here[1], *drawn.risk[front]])
    true: Plain = {"name": "original table", "edge": (INK, 2), "hover": "original table<br>risk %{y:.4f}"}
    traces = [
        marks.dots(marks.numbers(drawn.loss, 4), marks.numbers(drawn.risk), colours, sizes, **means),
        marks.line(*way, MUTE, 1, "dot", name="Pareto front", shape="hv"),
        marks.dots(*_point(*here), INK, 12, "asterisk-open", **true),
        _ring("selected", *_mean(drawn), "circle-open", 18),
        _replicate(drawn),
        marks.line(across, upwards, MUTE, 1),
    ]
    digits = 2 + max(0, int(np.ceil(-np.log10((high[1] - high[0]) / 5))))
    axis = {"automargin": False}
    title = wrap(risk.title, TITLE_WIDTH)
    # An axis has about five tick labels, so a short range needs more decimals and a wider margin.
    left = max(66, round(30 + 7.5 * digits)) + 18 * (len(title) - 1)
    return marks.plot(
        traces,
        HEIGHT,
        xaxis={"title": f"{loss.title}{unit}", "range": list(wide), **axis},
        yaxis={"title": "<br>".join(title), "range": list(high), **axis},
        margin={"l": left, "r": 12, "t": TOP, "b": BOTTOM},
        hoverdistance=8,
        shapes=[*lines, _region(drawn, wide, high), *_clouds(drawn, 0.005 * (wide[1] - wide[0]))],
        annotations=[*notes, *names],
    )


def ranges(drawn: Map) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the ranges of both axes: all points up to the farthest loss, and limits that are near them."""
    clouds = [drawn.clouds[drawn.current]]
    if drawn.is_complete and len(drawn.points) <= FEW:
        clouds = list(drawn.clouds)
    dots = np.concatenate([*clouds, np.array([drawn.original]), drawn.means])
    dots = dots[~(dots[:, 0] > _farthest(drawn))]
    ends = []
    for k, limit in enumerate(reversed(drawn.limits)):
        values = dots[:, k][~np.isnan(dots[:, k])]
        low, top = (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)
        same = top - low < LEAST_SPAN
        span = max(abs(top), 0.1) * 0.1 if same else top - low
        if limit is not None and low - span < limit < top + span:
            low, top = min(low, limit), max(top, limit)
        span = span if same else top - low
        ends.append((low - (0.06 if k == 0 else 0.12) * span, top + (0.06 if k == 0 else 0.15) * span))
    return ends[0], ends[1]


def _farthest(drawn: Map) -> float:
    """Return the maximum loss on the map; points far beyond the limit of the loss are left out."""
    limit = drawn.limits[1]
    if limit is None or drawn.is_complete or drawn.axes[1].more_is_better:
        return float("inf")
    mine = np.append(drawn.clouds[drawn.current][:, 0], drawn.loss[drawn.current])
    return max(FAR * limit, float(np.nanmax(np.append(mine, limit))))


def _up(high: tuple[float, float]) -> float:
    """Return the length of one pixel in units of the vertical axis."""
    return (high[1] - high[0]) / HIGH


def _mean(drawn: Map) -> tuple[float, float]:
    return float(drawn.loss[drawn.current]), float(drawn.risk[drawn.current])


def _ring(name: str, x: float, y: float, symbol: str, size: int, **more: Any) -> Plain:
    return marks.dots(*_point(x, y), INK, size, symbol, name=name, edge=(INK, 2.5), **more)


def _point(x: float, y: float) -> tuple[list[float | None], list[float | None]]:
    return marks.numbers([x], 4), marks.numbers([y])


def _replicate(drawn: Map) -> Plain:
    """Return the shown replicate as a small open marker."""
    point = drawn.points[drawn.current]
    risk, loss = drawn.axes
    at = (float("nan"), float("nan"))
    if drawn.replicate is not None and drawn.replicate < point.size:
        at = float(point.draws[loss][drawn.replicate]), float(point.draws[risk][drawn.replicate])
    name = "shown table" if point.method.deterministic else f"replicate {(drawn.replicate or 0) + 1}, shown"
    hover = f"{name}<br>loss %{{x:.3f}}, residual risk %{{y:.4f}}"
    return _ring(name, *at, "diamond-open", 11, hover=hover, hoverinfo="x")


def _clouds(drawn: Map, width: float) -> list[dict[str, object]]:
    """Return the replicates of the other settings and of the selected one, each as one path of short dashes.

    One path is one element of the page, which the browser draws about 12 ms faster than separate markers.
    """
    paths = []
    for colour, mine in ((MUTE, False), (ACCENT, True)):
        clouds = [cloud for i, cloud in enumerate(drawn.clouds) if (i == drawn.current) is mine]
        if not mine and len(drawn.points) > FEW:
            clouds = []
        dots = np.concatenate([np.empty((0, 2)), *clouds])
        dots = dots[~np.isnan(dots).any(axis=1)]
        strokes = [
            f"M{loss - width / 2:.4f},{risk:.5f}H{loss + width / 2:.4f}" for loss, risk in dots.tolist()
        ]
        path = {"type": "path", "path": "".join(strokes) or "M0,0", "layer": "between", "opacity": 0.35}
        paths.append(path | {"line": {"width": 4, "color": colour}})
    return paths


def _region(drawn: Map, wide: tuple[float, float], high: tuple[float, float]) -> dict[str, object]:
    """Return the region of the map within both limits."""
    ends = []
    for measure, limit, (low, top) in zip(drawn.axes, drawn.limits, (high, wide), strict=True):
        at = top
        if limit is not None and not measure.more_is_better:
            at = float(np.clip(limit, low, top))
        start = low if limit is None or not measure.more_is_better else float(np.clip(limit, low, top))
        ends.append((start, at))
    return {
        "type": "rect",
        "x0": ends[1][0],
        "x1": ends[1][1],
        "y0": ends[0][0],
        "y1": ends[0][1],
        "layer": "below",
        "line": {"width": 0},
        "fillcolor": COLOURS[2],
        "opacity": 0 if drawn.limits == (None, None) else 0.1,
    }


def _limits(
    drawn: Map, wide: tuple[float, float], high: tuple[float, float]
) -> tuple[list[Plain], list[Plain], list[float]]:
    """Return the limit lines in the order of LINES, their labels, and the text lines that the labels occupy.

    The label of a limit outside the map has an arrow that points towards it.
    """
    shapes: list[Plain] = []
    notes: list[Plain] = []
    taken: list[float] = [0.0]  # label of the selected setting
    for k, (measure, limit, (low, top)) in enumerate(
        zip(drawn.axes, drawn.limits, (high, wide), strict=True)
    ):
        line = {"type": "line", "line": {"color": COLOURS[2], "width": 2, "dash": "dash"}}
        value = low if limit is None else limit
        ends = {"xref": "paper", "x0": 0, "x1": 1, "y0": value, "y1": value}
        if k:
            ends = {"yref": "paper", "y0": 0, "y1": 1, "x0": value, "x1": value}
        shapes.append(line | ends | {"visible": limit is not None})
        if limit is None:
            continue
        at = min(max(limit, low), top)
        most = "least" if measure.more_is_better else "most"
        words = "residual risk"
        if k:
            words = "utility" if measure.more_is_better else "loss"
        arrow = ""
        if at != limit:
            upper, lower = "→←" if k else "↑↓"
            arrow = upper if limit > top else lower
        text = f"{words}: at {most} {limit:g} {arrow}".rstrip()
        wanted = HIGH - LINE if k else (top - at) / _up(high) - LINE
        (slot,) = free_lines([wanted], taken, HIGH)
        taken.append(slot)
        to_right = k == 1 and (at - low) / (top - low) < 0.5
        anchor = {"x": at, "xanchor": "left" if to_right else "right", "xshift": 4 if to_right else -4}
        notes.append(_text(text, slot) | (anchor if k else {"xref": "paper", "x": 1, "xanchor": "right"}))
    beyond = int((drawn.loss > _farthest(drawn)).sum())
    if beyond:
        (slot,) = free_lines([HIGH - LINE], taken, HIGH)
        taken.append(slot)
        notes.append(
            _text(f"{beyond} more settings with a higher information loss →", slot)
            | {"xref": "paper", "x": 1, "xanchor": "right"}
        )
    return shapes, notes, taken


def _text(text: str, line: float) -> Plain:
    """Return an annotation on the text line that begins this many pixels from the top."""
    return marks.note(0, 1, text, yref="paper", yanchor="middle", yshift=-line - LINE / 2)


def _names(
    drawn: Map, wide: tuple[float, float], high: tuple[float, float], taken: list[float]
) -> list[dict[str, Any]]:
    """Return the labels of the original table, of Pareto-optimal settings, and of the selected setting."""
    pixel = _up(high)

    def spot(x: float, y: float) -> Anchor:
        return Anchor((x - wide[0]) / (wide[1] - wide[0]), (high[1] - y) / pixel)

    dots = [drawn.original, *((float(drawn.loss[i]), float(drawn.risk[i])) for i in drawn.named)]
    words = ["original table", *(literal(drawn.names[i]) for i in drawn.named)]
    # A risk can be undefined before protection, and plotly reports an error for a label without a position.
    defined = [not np.isnan(dot).any() for dot in dots]
    dots, words = list(compress(dots, defined)), list(compress(words, defined))
    free = [spot(x, y) for x, y in drawn.means[~np.isnan(drawn.means).any(axis=1)].tolist()]
    width = FIGURE_WIDTH if drawn.is_fully_named else None
    positions = place_names([spot(*dot) for dot in dots], words, free, taken, HIGH, width)
    names = []
    for (x, y), text, position in zip(dots, words, positions, strict=True):
        at = {"x": x, "y": y, "yref": "y", "yshift": position["yshift"], "name": ROOMY}
        sides = {key: position[key] for key in ("xanchor", "xshift")}
        names.append(
            _text(text, position["line"]) | at | sides | {"bgcolor": "var(--sdc-card)", "borderpad": 1}
        )
    if drawn.is_fully_named:
        return names
    chosen = drawn.names[drawn.current]
    top = _text(f"<b>selected: {literal(chosen)}</b>", 0.0) | {"xref": "paper", "x": 1, "xanchor": "right"}
    return [*names, top | ({"name": ROOMY} if len(chosen) > SHORT else {})]


def _near(drawn: Map, wide: tuple[float, float], high: tuple[float, float]) -> list[str]:
    """Return, for each mean, a list of the settings whose means are hidden by it, nearest first."""
    scale = np.array([WIDE / (wide[1] - wide[0]), 1 / _up(high)])
    dots = np.nan_to_num(drawn.means, nan=np.inf) * scale
    with np.errstate(invalid="ignore"):
        away = np.hypot(*(dots[:, np.newaxis] - dots).transpose(2, 0, 1))
    np.fill_diagonal(away, np.inf)
    texts = []
    for i, near in enumerate((away <= HIDDEN).sum(axis=1).tolist()):
        nearest = np.argsort(away[i], kind="stable")[: min(near, LISTED)]
        lines = []
        if near:
            lines = ["", "settings at nearly the same position:", *(literal(drawn.names[k]) for k in nearest)]
        if near > LISTED:
            lines.append(f"and {near - LISTED} more")
        texts.append("<br>".join(lines))
    return texts
