"""The risk-utility map as a figure: the risk left against the information lost."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.methods import Method
from sdcwidgets.plots.methods import look
from sdcwidgets.plots.naming import HEIGHT as TALL
from sdcwidgets.plots.naming import WIDTH, apart, named, ties
from sdcwidgets.plots.risk_utility.map import Map
from sdcwidgets.plots.style import COLOURS, INK, MUTE, Plain, figure, layout
from sdcwidgets.search import Thresholds

__all__ = ["LINES", "draw"]

#: The thresholds in the order of the lines on the map.
LINES = tuple(item.name for item in fields(Thresholds))

#: What the lines are called.
SYMBOLS = {"before": "T₁", "after": "T₂", "loss": "T₃"}

HEIGHT = 430

#: Dots of means whose middles are no further apart than this, in pixels, hide each other; so many are told.
HIDDEN, TOLD = 9, 4

#: Dots are drawn with so many digits that less than this is no difference.
LEAST_SPAN = 1e-4


@figure
def draw(drawn: Map) -> Plain:
    """Return the means as trace 0, the front, the shown draw, and the thresholds as the first shapes."""
    looks = [look(method.name) for method in drawn.methods]
    risk, loss = drawn.axes
    wide, high = _ranges(drawn)
    order = np.argsort(loss.worse(1.0) * np.nan_to_num(drawn.loss))
    front = [int(i) for i in order if drawn.best[i]]
    unit = f", {loss.unit}" if loss.unit else ""
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": "mean",
            "x": _plain(drawn.loss, 4),
            "y": _plain(drawn.risk, 6),
            "customdata": list(drawn.names),
            "text": _beside(drawn, wide, high),
            "marker": {
                "size": [16 if i == drawn.current else 11 for i in range(len(looks))],
                "color": [one.colour for one in looks],
                "symbol": [one.shape for one in looks],
                "line": {"width": [2 if best else 0 for best in drawn.best], "color": INK},
            },
            "hovertemplate": "%{customdata}, on average<br>loss %{x:.3f}, risk %{y:.4f}<br>"
            "click to go back to it%{text}<extra></extra>",
            "showlegend": False,
        },
        {
            "type": "scatter",
            "mode": "lines",
            "name": "nothing beats these (Pareto front)",
            "x": _plain(np.append(drawn.original[0], drawn.loss[front]), 4),
            "y": _plain(np.append(drawn.original[1], drawn.risk[front]), 6),
            "line": {"color": MUTE, "width": 1, "dash": "dot", "shape": "hv"},
            "hoverinfo": "skip",
        },
        {
            "type": "scatter",
            "mode": "markers+text",
            "name": "original",
            "x": _plain(np.array([drawn.original[0]]), 4),
            "y": _plain(np.array([drawn.original[1]]), 6),
            "text": ["  original"],
            "textposition": "middle right",
            "textfont": {"color": INK},
            "marker": {"size": 12, "color": INK, "symbol": "asterisk-open"},
            "hovertemplate": "original<br>risk %{y:.4f}<extra></extra>",
        },
        _shown(drawn),
        *(
            {
                "type": "scatter",
                "mode": "markers",
                "name": family.title,
                "x": [None],
                "y": [None],
                "marker": {"size": 11, "color": look(family.name).colour, "symbol": look(family.name).shape},
                "hoverinfo": "skip",
            }
            for family in drawn.families
        ),
    ]
    lines, notes = _lines(drawn, wide, high)
    region = _region(drawn, wide, high)
    every = dict.fromkeys([*drawn.kinds, *drawn.families])
    names = _names(drawn, wide, high, notes, region)
    across, upwards = ties(names, wide, high)
    traces.append(
        {
            "type": "scatter",
            "mode": "lines",
            "x": across,
            "y": upwards,
            "line": {"width": 1, "color": MUTE},
            "hoverinfo": "skip",
            "showlegend": False,
        }
    )
    clouds = [_cloud(drawn, family, 0.005 * (wide[1] - wide[0])) for family in every]
    return {
        "data": traces,
        "layout": layout(
            HEIGHT,
            xaxis={
                "title": {"text": f"{loss.title}{unit}"},
                "range": list(wide),
                "automargin": False,
                "ticklabeloverflow": "allow",
            },
            yaxis={
                "title": {"text": risk.title},
                "range": list(high),
                "automargin": False,
                "ticklabeloverflow": "allow",
            },
            margin={"l": _left(high), "r": 12, "t": 10, "b": 44},
            hoverdistance=8,
            shapes=[*lines, region, *clouds],
            annotations=[*notes, *names],
        ),
    }


def _ranges(drawn: Map) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return what both axes reach over: all dots, and T2 and T3 where they are not far away."""
    dots = np.concatenate([*drawn.clouds, np.array([drawn.original])])
    dots = np.concatenate([dots, np.stack([drawn.loss, drawn.risk], axis=1)])
    ends = []
    for k, limit in enumerate((drawn.thresholds.loss, drawn.thresholds.after)):
        values = dots[:, k][~np.isnan(dots[:, k])]
        low, top = (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)
        same = top - low < LEAST_SPAN
        span = max(abs(top), 0.1) * 0.1 if same else top - low
        if low - span < limit < top + span:
            low, top = min(low, limit), max(top, limit)
        span = span if same else top - low
        ends.append((low - (0.06 if k == 0 else 0.12) * span, top + (0.2 if k == 0 else 0.15) * span))
    return ends[0], ends[1]


def _left(high: tuple[float, float]) -> int:
    """Return the room that the numbers of the axis upwards and its name need, in pixels.

    There are about five numbers, so those of a narrow axis have many digits.
    """
    digits = 2 + max(0, int(np.ceil(-np.log10((high[1] - high[0]) / 5))))
    return max(66, round(30 + 7.5 * digits))


def _shown(drawn: Map) -> dict[str, Any]:
    """Return the draw that is shown as a ring with its name."""
    point = drawn.points[drawn.current]
    some = drawn.shown is not None and drawn.shown < point.size
    risk, loss = drawn.axes
    at = [(point.draws[loss][drawn.shown], point.draws[risk][drawn.shown])] if some else []
    name = "the shown table" if point.method.deterministic else f"draw {(drawn.shown or 0) + 1}, shown"
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": [None if np.isnan(x) else round(float(x), 4) for x, _ in at],
        "y": [None if np.isnan(y) else round(float(y), 6) for _, y in at],
        "marker": {"size": 15, "symbol": "circle-open-dot", "color": INK, "line": {"width": 2.5}},
        "hovertemplate": f"{name}<br>loss %{{x:.3f}}, risk %{{y:.4f}}<extra></extra>",
    }


def _cloud(drawn: Map, family: type[Method], width: float) -> dict[str, Any]:
    """Return the draws of one kind of method as one path of short strokes.

    A path is a single element of the page; the same as markers takes a browser a dozen milliseconds more.
    """
    clouds = [
        cloud for method, cloud in zip(drawn.methods, drawn.clouds, strict=True) if type(method) is family
    ]
    dots = np.concatenate([np.empty((0, 2)), *clouds])
    dots = dots[~np.isnan(dots).any(axis=1)]
    strokes = (f"M{loss - width / 2:.4f},{risk:.5f}H{loss + width / 2:.4f}" for loss, risk in dots.tolist())
    return {
        "type": "path",
        "path": "".join(strokes) or "M0,0",
        "layer": "between",
        "line": {"width": 4, "color": look(family.name).colour},
        "opacity": 0.35,
    }


def _region(drawn: Map, wide: tuple[float, float], high: tuple[float, float]) -> dict[str, Any]:
    """Return the part of the map where T2 and T3 are kept."""
    risk, loss = drawn.axes
    x, y = drawn.thresholds.loss, drawn.thresholds.after
    return {
        "type": "rect",
        "x0": np.clip(x, *wide).item() if loss.more_is_better else wide[0],
        "x1": wide[1] if loss.more_is_better else np.clip(x, *wide).item(),
        "y0": np.clip(y, *high).item() if risk.more_is_better else high[0],
        "y1": high[1] if risk.more_is_better else np.clip(y, *high).item(),
        "layer": "below",
        "line": {"width": 0},
        "fillcolor": COLOURS[2],
        "opacity": 0.08,
    }


def _lines(
    drawn: Map, wide: tuple[float, float], high: tuple[float, float]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the lines of the thresholds in the order of LINES, and their names; off the map, an arrow to them."""
    line = {"color": COLOURS[1], "width": 1.5, "dash": "dash"}
    name = {"showarrow": False, "font": {"color": COLOURS[1], "size": 12}, "bgcolor": "var(--sdc-card)"}
    shapes, notes = [], []
    for which in LINES:
        value, symbol = getattr(drawn.thresholds, which), SYMBOLS[which]
        across = which != "loss"
        low, top = high if across else wide
        inside = low <= value <= top
        at = min(max(value, low), top)
        text = f"{symbol} {value:g}"
        if not inside:
            text += (" ↑" if value > top else " ↓") if across else (" →" if value > top else " ←")
        if across:
            shapes.append(
                {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": value, "y1": value, "line": line}
            )
            # Of two lines that are near each other the name of the lower one stands below it.
            other = drawn.thresholds.after if which == "before" else drawn.thresholds.before
            near = 0 < min(max(other, low), top) - at < 0.06 * (top - low)
            edge = top if at >= top - 0.06 * (top - low) else low if at <= low + 0.06 * (top - low) else None
            anchor = "top" if edge == top or (near and edge is None) else "bottom"
            notes.append(
                name | {"xref": "paper", "x": 1, "xanchor": "right", "y": at, "yanchor": anchor, "text": text}
            )
        else:
            shapes.append(
                {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": value, "x1": value, "line": line}
            )
            notes.append(
                name | {"yref": "paper", "x": at, "xanchor": "right", "y": 1, "yanchor": "top", "text": text}
            )
    return shapes, apart(notes, wide, high)


def _names(
    drawn: Map,
    wide: tuple[float, float],
    high: tuple[float, float],
    notes: list[dict[str, Any]],
    region: dict[str, Any],
) -> list[dict[str, Any]]:
    """Return the name of each kind of method beside its cloud, none upon another or upon a note.

    Where they stand does not depend on what is chosen: the chosen setting gets its name after all others have theirs,
    instead of that of its kind. No name of what does not pass stands where settings pass, if there is other room.
    """
    means = np.stack([drawn.loss, drawn.risk], axis=1)
    corners = np.array([[region["x0"], region["y0"]], [region["x1"], region["y1"]]])

    def placed(which: list[int], texts: list[str], there: list[dict[str, Any]]) -> list[dict[str, Any]]:
        colours = [look(drawn.methods[i].name).colour for i in which]
        avoided = [None if drawn.allowed[i] else corners for i in which]
        return named([means[i] for i in which], texts, colours, means, wide, high, there, avoided)

    known: NDArray[np.bool_] = ~np.isnan(drawn.loss + drawn.risk)
    middles: dict[str, int] = {}
    for family in drawn.families:
        which = [i for i, method in enumerate(drawn.methods) if type(method) is family and known[i]]
        if which:
            middles[family.title] = which[int(np.argsort(drawn.loss[which])[len(which) // 2])]
    names = placed(list(middles.values()), list(middles), notes)
    if not known[drawn.current]:
        return names
    kind = type(drawn.methods[drawn.current]).title
    names = [name for name in names if name["text"] != kind]
    return names + placed([drawn.current], [drawn.names[drawn.current]], [*notes, *names])


def _beside(drawn: Map, wide: tuple[float, float], high: tuple[float, float]) -> list[str]:
    """Return for each mean the names of those whose dots it hides or is hidden by, nearest first."""
    scale = np.array([WIDTH / (wide[1] - wide[0]), TALL / (high[1] - high[0])])
    dots = np.nan_to_num(np.stack([drawn.loss, drawn.risk], axis=1), nan=np.inf) * scale
    with np.errstate(invalid="ignore"):
        away = np.hypot(*(dots[:, np.newaxis] - dots).transpose(2, 0, 1))
    np.fill_diagonal(away, np.inf)
    told = []
    for i, near in enumerate((away <= HIDDEN).sum(axis=1).tolist()):
        nearest = np.argsort(away[i], kind="stable")[: min(near, TOLD)]
        lines = ["", "in nearly the same place:", *(drawn.names[k] for k in nearest)] if near else []
        told.append("<br>".join([*lines, f"and {near - TOLD} more"] if near > TOLD else lines))
    return told


def _plain(values: NDArray[np.float64], digits: int) -> list[float | None]:
    return [None if np.isnan(value) else round(float(value), digits) for value in values]
