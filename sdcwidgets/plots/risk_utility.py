"""The risk-utility map: the risk left against the information lost, each method and setting a cloud of draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.measures.loss import Hellinger
from sdcwidgets.measures.risk import R2
from sdcwidgets.methods import Method
from sdcwidgets.parameters import Parameter, declared
from sdcwidgets.plots.style import COLOURS, INK, MUTE, Plain, figure, layout
from sdcwidgets.replications import Replications
from sdcwidgets.search import Thresholds, pareto_front

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["LINES", "Map", "describe", "draw", "prepare"]

#: So many dots of a cloud are drawn, more hide each other; and so many at most in all, more take long to draw.
DOTS, ALL_DOTS = 60, 480

#: The thresholds in the order of the lines on the map.
LINES = tuple(item.name for item in fields(Thresholds))

#: Colours of methods, told apart by people who do not see all colours; each has a shape of its own too.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7B61C4", "#8A6D3B")
SHAPES = ("circle", "square", "diamond", "triangle-up", "cross", "pentagon", "star", "hexagon")


@dataclass(frozen=True)
class Map:
    """What the map shows.

    Attributes
    ----------
    methods : tuple of Method
        One a point.
    names : tuple of str
        The methods with their settings, in words.
    risk, loss : ndarray, shape (n,)
        Expected R2 and Hellinger distance.
    clouds : tuple of ndarray, shape (dots, 2)
        Loss and risk of some single draws of each.
    best : ndarray of bool, shape (n,)
        The Pareto front: no other point has less risk and not more loss, or the other way round.
    current : int
        The point of the setting that is chosen.
    original : float
        R1 of the table, which has lost nothing.
    thresholds : Thresholds
    """

    methods: tuple[Method, ...]
    names: tuple[str, ...]
    risk: NDArray[np.float64]
    loss: NDArray[np.float64]
    clouds: tuple[NDArray[np.float64], ...]
    best: NDArray[np.bool_]
    current: int
    original: float
    thresholds: Thresholds

    @property
    def families(self) -> list[type[Method]]:
        """The kinds of method, each with a colour and a shape."""
        return list(dict.fromkeys(map(type, self.methods)))

    @property
    def summary(self) -> str:
        """What the map says, in words."""
        here = f"{self.names[self.current]}: risk {self.risk[self.current]:.4f}, loss {self.loss[self.current]:.2f}."
        if len(self.names) == 1:
            return f"{here} Try other settings, or sweep all methods, to see what else there is."
        allowed = (self.risk < self.thresholds.after) & (self.loss <= self.thresholds.loss)
        if not allowed.any():
            return f"{here} None of the {len(self.names)} settings is below T₂ and within T₃."
        least = int(np.flatnonzero(allowed)[np.argmin(self.loss[allowed])])
        return (
            f"{here} {int(allowed.sum())} of {len(self.names)} settings may be released; "
            f"{self.names[least]} loses least of them."
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the numbers as a table, a line a point."""
        import pandas as pd

        allowed = (self.risk < self.thresholds.after) & (self.loss <= self.thresholds.loss)
        return pd.DataFrame(
            {
                "method": self.names,
                "risk left R₂": self.risk,
                "Hellinger distance": self.loss,
                "on the Pareto front": np.where(self.best, "yes", "no"),
                "may be released": np.where(allowed, "yes", "no"),
            }
        )


def describe(method: Method) -> str:
    """Return a method with the settings that matter, in a few words.

    Examples
    --------
    >>> from sdcwidgets import methods
    >>> describe(methods.get("random-rounding")(base=5))
    'Random rounding, base 5'
    """
    told = [_setting(one, getattr(method, one.name)) for one in declared(type(method)) if one.kind is None]
    return ", ".join([method.title, *(words for words in told if words)])


def prepare(
    points: Sequence[Replications], variant: str, original: float, thresholds: Thresholds, current: int
) -> Map:
    """Return the map of what several methods and settings do to one table."""
    dots = max(6, min(DOTS, ALL_DOTS // len(points)))
    risk = np.array([point.whole.r2[variant].mean[0] for point in points])
    loss = np.array([point.whole.hellinger.mean[0] for point in points])
    return Map(
        methods=tuple(point.method for point in points),
        names=tuple(describe(point.method) for point in points),
        risk=risk,
        loss=loss,
        clouds=tuple(
            np.stack([point.draws[Hellinger()], point.draws[R2.of(point.settings, variant=variant)]], axis=1)[
                :dots
            ]
            for point in points
        ),
        best=pareto_front(np.append(risk, original), np.append(loss, 0.0))[:-1],
        current=current,
        original=original,
        thresholds=thresholds,
    )


@figure
def draw(drawn: Map) -> Plain:
    """Return the means as trace 0, the front, the thresholds as the first shapes, and the clouds as the others."""
    kinds = [drawn.families.index(type(method)) % len(PALETTE) for method in drawn.methods]
    dots = np.concatenate(drawn.clouds)
    order = np.argsort(drawn.loss)
    front = [i for i in order if drawn.best[i]]
    wide = max(float(dots[:, 0].max()), 0.5) * 1.25
    named = sorted({drawn.current, *(front if len(front) <= 6 else ())})
    traces = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": "mean",
            "x": drawn.loss.round(4).tolist(),
            "y": drawn.risk.round(6).tolist(),
            "customdata": list(drawn.names),
            "marker": {
                "size": [16 if i == drawn.current else 11 for i in range(len(kinds))],
                "color": [PALETTE[kind] for kind in kinds],
                "symbol": [SHAPES[kind] for kind in kinds],
                "line": {"width": [2 if best else 0 for best in drawn.best], "color": INK},
            },
            "hovertemplate": "%{customdata}<br>loss %{x:.3f}, risk %{y:.4f}<br>click to go back to it<extra></extra>",
        },
        {
            "type": "scatter",
            "mode": "lines",
            "name": "Pareto front",
            "x": [0.0, *drawn.loss[front].round(4).tolist()],
            "y": [drawn.original, *drawn.risk[front].round(6).tolist()],
            "line": {"color": MUTE, "width": 1, "dash": "dot", "shape": "hv"},
            "hoverinfo": "skip",
        },
        {
            "type": "scatter",
            "mode": "markers+text",
            "name": "original",
            "x": [0.0],
            "y": [round(drawn.original, 6)],
            "text": ["  original"],
            "textposition": "middle right",
            "textfont": {"color": INK},
            "marker": {"size": 12, "color": INK},
            "hovertemplate": "original<br>risk %{y:.4f}<extra></extra>",
        },
        {
            # Not with the means: plotly loses names that come to points which had none.
            "type": "scatter",
            "mode": "text",
            "name": "names",
            "x": drawn.loss[named].round(4).tolist(),
            "y": drawn.risk[named].round(6).tolist(),
            "text": [f"  {drawn.names[i]}  " for i in named],
            # A name to the right of a point near the right edge would be cut off.
            "textposition": ["middle left" if drawn.loss[i] > wide / 2 else "middle right" for i in named],
            "textfont": {"color": INK},
            "hoverinfo": "skip",
        },
    ]
    top, low = max(float(dots[:, 1].max()), drawn.original), min(float(dots[:, 1].min()), drawn.original)
    span = (top - low) or 0.01
    lines, notes = _lines(drawn.thresholds)
    clouds = [
        _cloud(drawn, family, colour, 0.005 * wide) for family, colour in zip(drawn.families, cycle(PALETTE))
    ]
    return {
        "data": traces,
        "layout": layout(
            430,
            xaxis={
                "title": {"text": "information lost, Hellinger distance"},
                "range": [-0.03 * wide, wide],
                "automargin": False,
                "ticklabeloverflow": "allow",
            },
            yaxis={
                "title": {"text": "risk left, R₂"},
                "range": [low - 0.12 * span, top + 0.15 * span],
                "automargin": False,
                "ticklabeloverflow": "allow",
            },
            margin={"l": 62, "r": 12, "t": 10, "b": 44},
            shapes=[*lines, *clouds],
            annotations=notes,
        ),
    }


def _cloud(drawn: Map, family: type[Method], colour: str, width: float) -> dict[str, Any]:
    """Return the draws of one kind of method as one path of short strokes.

    A path is a single element of the page; the same as markers takes a browser a dozen milliseconds more.
    """
    clouds = [
        cloud for method, cloud in zip(drawn.methods, drawn.clouds, strict=True) if type(method) is family
    ]
    dots = np.concatenate(clouds).tolist()
    strokes = (f"M{loss - width / 2:.4f},{risk:.5f}H{loss + width / 2:.4f}" for loss, risk in dots)
    return {
        "type": "path",
        "path": "".join(strokes),
        "layer": "between",
        "line": {"width": 4, "color": colour},
        "opacity": 0.35,
    }


def _lines(thresholds: Thresholds) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the lines of the thresholds and their names, in the order of LINES."""
    line = {"color": COLOURS[1], "width": 1.5, "dash": "dash"}
    across = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "line": line}
    name = {"showarrow": False, "font": {"color": COLOURS[1], "size": 12}}
    shapes = [across | {"y0": value, "y1": value} for value in (thresholds.before, thresholds.after)]
    shapes.append(
        {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "line": line}
        | dict.fromkeys(("x0", "x1"), thresholds.loss)
    )
    beside = name | {"xref": "paper", "x": 1, "xanchor": "right", "yanchor": "bottom"}
    notes = [
        beside | {"y": thresholds.before, "text": "highest risk before, T₁"},
        beside | {"y": thresholds.after, "text": "highest risk to release, T₂"},
        name
        | {
            "x": thresholds.loss,
            "yref": "paper",
            "y": 0,
            "xanchor": "right",
            "yanchor": "bottom",
            "text": "most loss, T₃ ",
        },
    ]
    return shapes, notes


def _setting(parameter: Parameter, value: object) -> str:
    """Return a setting in words, "" for one that is off."""
    if parameter.choices:
        return parameter.choices[str(value)]
    if isinstance(value, bool):
        return parameter.label.lower() if value else ""
    word = parameter.name.replace("_", " ")
    if parameter.range is not None and parameter.range.high <= 1:
        return f"{word} {value:.0%}"
    return f"{word} {value:g}"
