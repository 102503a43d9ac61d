"""Charts of the page Weights: the weighted terms as areas, weights on a sphere, and means of published tables as bars.

The sphere is drawn as a projection in two dimensions, so that WebGL is not needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from sdcwidgets._util.arrays import Floats
from sdcwidgets.assessment.assessment import TERMS
from sdcwidgets.plots import marks
from sdcwidgets.plots.style import ACCENT, COLOURS, INK, MUTE, Plain, figure, literal

if TYPE_CHECKING:
    from sdcwidgets.dashboards.weights.result import Examples, WeightsResult


#: Viewing angle above the horizontal, in degrees.
ELEVATION = 25.0

#: Maximum number of characters per line of a table's title.
LONGEST = 38

#: Number of steps along each side of the octant for which w·x is shown.
STEPS = 20

_AXES = ("w₁ zeros", "w₂ unevenness", "w₃ small size")
_MEAN_LABELS = {
    "weighted": "Weighted mean w·x",
    "geometric": "Geometric mean",
    "rms": "Root mean square of the terms, R₁*",
}


@dataclass(frozen=True)
class Octant:
    """Non-negative weights of length 1 as points of a sphere; all points are in three dimensions.

    Attributes
    ----------
    azimuth : float
        Viewing angle in degrees: 0 along the first axis, 90 along the second.
    lattice : ndarray, shape (points, 3)
        Weights that cover the octant.
    heights : ndarray, shape (points,)
        w·x of each point of the lattice.
    arcs : ndarray, shape (3, points, 3)
        The edges of the octant.
    x, best, chosen, foot : ndarray, shape (3,)
        The terms, the weights of length 1 with the largest w·x, the chosen weights of length 1, and the projection of x
        on the chosen weights.
    angle : float
        Angle between the chosen weights and x, in degrees.
    """

    azimuth: float
    lattice: Floats
    heights: Floats
    arcs: Floats
    x: Floats
    best: Floats
    chosen: Floats
    foot: Floats
    angle: float

    @property
    def summary(self) -> str:
        """Text alternative of the picture."""
        along, length = float(np.linalg.norm(self.foot)), float(np.linalg.norm(self.x))
        return (
            f"The angle between your weights and x is {self.angle:.1f}°, and w·x is {along:.4f}. The maximum of w·x, "
            f"at w = x/‖x‖, is ‖x‖ = {length:.4f}."
        )

    def to_frame(self) -> marks.Frame:
        """Return the points as a table."""
        points = {"x": self.x, "weights with the maximum of w·x": self.best, "your weights": self.chosen}
        rows = [(name, *point, float(point @ self.x)) for name, point in points.items() if name != "x"]
        rows.insert(0, ("x", *self.x, float("nan")))
        return marks.frame(rows, columns=["", "zeros", "unevenness", "small size", "w·x"])


@dataclass(frozen=True)
class WeightedTerms:
    """The three terms of a table as rectangles; a weight is a width, and a term is a height.

    Attributes
    ----------
    x, w : ndarray, shape (3,)
        The terms, and their weights, which sum to 1.
    """

    x: Floats
    w: Floats

    @property
    def risk(self) -> float:
        """The disclosure risk R1: the sum of the areas."""
        return float(self.w @ self.x)

    @property
    def summary(self) -> str:
        """Text alternative of the chart."""
        areas = " + ".join(f"{area:.3f}" for area in self.w * self.x)
        return (
            "The width of a rectangle is the weight of a term, and the height is the term. The sum of the areas is "
            f"the disclosure risk: {areas} = {self.risk:.3f}."
        )

    def to_frame(self) -> marks.Frame:
        """Return the numbers as a table, one row per term."""
        return marks.frame(
            {"term": list(TERMS), "x": self.x, "weight": self.w, "weight times term": self.w * self.x}
        )


@dataclass(frozen=True)
class MeanBars:
    """Three means of the terms of each published table."""

    examples: Examples

    @property
    def summary(self) -> str:
        """Text alternative of the chart."""
        geometric = self.examples.means["geometric"]
        return (
            f"The geometric mean is 0 for {int((geometric < 1e-12).sum())} of {len(geometric)} tables, "
            f"because one of the three terms is 0. The geometric mean is never larger than the root mean square."
        )

    def to_frame(self) -> marks.Frame:
        """Return the numbers as a table, one row per published table."""
        columns: Mapping[str, object] = {name: self.examples.means[key] for key, name in _MEAN_LABELS.items()}
        return marks.frame({"table": self.examples.titles} | dict(columns))


def prepare(result: WeightsResult, azimuth: float) -> Octant:
    """Return the octant for the weights of a table and a viewing angle."""
    quarter = np.linspace(0, np.pi / 2, 31)
    arcs = np.zeros((3, len(quarter), 3))
    for k in range(3):
        arcs[k, :, k], arcs[k, :, (k + 1) % 3] = np.cos(quarter), np.sin(quarter)
    return Octant(
        azimuth,
        _LATTICE,
        _LATTICE @ result.x,
        arcs,
        result.x,
        result.best,
        result.unit,
        result.along * result.unit,
        result.angle,
    )


def weighted_terms(result: WeightsResult) -> WeightedTerms:
    """Return the terms and the weights of a table."""
    return WeightedTerms(result.x, result.w)


def bars(result: WeightsResult) -> MeanBars:
    """Return the means of the published tables."""
    return MeanBars(result.examples)


def project(points: ArrayLike, azimuth: float, elevation: float = ELEVATION) -> Floats:
    """Return the projection of points in three dimensions, without perspective.

    Parameters
    ----------
    points : array_like, shape (..., 3)
    azimuth : float
        Horizontal angle, in degrees.
    elevation : float
        Vertical angle, in degrees.

    Returns
    -------
    ndarray, shape (..., 2)
        Coordinates to the right and upwards.

    Examples
    --------
    >>> project([[1, 0, 0], [0, 1, 0], [0, 0, 1]], azimuth=0, elevation=0).round(6).tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    """
    a, e = np.radians([azimuth, elevation])
    right = np.array([-np.sin(a), np.cos(a), 0.0])
    up = np.array([-np.sin(e) * np.cos(a), -np.sin(e) * np.sin(a), np.cos(e)])
    flat: Floats = np.asarray(points, dtype=np.float64) @ np.stack([right, up], axis=1)
    return flat + 0.0


@figure
def draw_terms(picture: WeightedTerms) -> Plain:
    """Return the rectangles of the terms, and a line at their weighted mean."""
    centres = (np.cumsum(picture.w) - picture.w / 2).round(5)
    # A term with a small weight has a narrow rectangle, so its name is in the legend.
    traces = [
        marks.bars(
            [centre],
            [round(float(term), 5)],
            colour,
            width=round(float(weight), 5),
            name=f"{name}: {weight:.2f} × {term:.3f} = {weight * term:.3f}",
            edge=("var(--sdc-card)", 1),
            hover=f"{name}<br>weight {weight:.2f}, term {term:.3f}",
        )
        for centre, term, weight, colour, name in zip(
            centres, picture.x, picture.w, COLOURS, TERMS, strict=True
        )
    ]
    mean = f"Disclosure risk R₁ = {picture.risk:.3f}"
    traces.append(marks.line([0, 1], [round(picture.risk, 5)] * 2, INK, 2, "dash", name=mean))
    return marks.plot(
        traces,
        300,
        xaxis={"title": "weight (width of a rectangle)", "range": [0, 1]},
        yaxis={"title": "term (height)", "range": [0, 1.02]},
        legend={"traceorder": "normal"},
    )


@figure
def draw(picture: Octant | MeanBars) -> Plain:
    """Return the picture as a figure."""
    return _octant(picture) if isinstance(picture, Octant) else _bars(picture)


def _lattice() -> Floats:
    i, j = np.meshgrid(np.arange(STEPS + 1), np.arange(STEPS + 1))
    inside = i + j <= STEPS
    # Squared weights sum to 1; equal steps of the angles space the points evenly.
    points = np.stack([i, j, STEPS - i - j], axis=-1)[inside].astype(float)
    points = np.sin(np.pi / 2 * points / STEPS)
    lattice: Floats = points / np.linalg.norm(points, axis=-1, keepdims=True)
    return lattice


_LATTICE = _lattice()


def _octant(octant: Octant) -> Plain:
    def line(points: ArrayLike, colour: str, width: float, dash: str = "solid", name: str = "") -> Plain:
        x, y = project(points, octant.azimuth).round(5).T
        named: Plain = {"name": name, "showlegend": True} if name else {"showlegend": False}
        return marks.line(x, y, colour, width, dash, **named)

    def dot(point: Floats, name: str, symbol: str, colour: str) -> Plain:
        x, y = project([point], octant.azimuth).round(5).T
        hover = f"{name} ({', '.join(f'{value:.3f}' for value in point)})"
        return marks.dots(x, y, colour, 14, symbol, name=name, edge=("var(--sdc-card)", 2), hover=hover)

    origin, (x, y) = np.zeros(3), project(octant.lattice, octant.azimuth).round(4).T
    scale: Plain = {"colorscale": [[0, "var(--sdc-soft)"], [1, "var(--sdc-low)"]], "line": {"width": 0}}
    scale |= {"cmin": 0, "cmax": float(np.linalg.norm(octant.x))}
    hover = "w·x = %{marker.color:.3f}"
    heights = octant.heights.round(4).tolist()
    traces = [
        marks.dots(x, y, heights, 19, name="w·x", showlegend=False, marker=scale, hover=hover),
        *(line(arc, MUTE, 1.5) for arc in octant.arcs),
        *(line([origin, 1.1 * axis], MUTE, 1, "dot") for axis in np.eye(3)),
        line([origin, octant.x], INK, 5, name="Terms x"),
        line([origin, octant.chosen], COLOURS[1], 2),
        line([origin, octant.foot], COLOURS[1], 6, name="w·x as length"),
        line([octant.x, octant.foot], MUTE, 2, "dash"),
        dot(octant.best, "Maximum of w·x", "diamond", ACCENT),
        dot(octant.chosen, "Your weights", "circle", COLOURS[1]),
    ]
    ends = project(1.2 * np.eye(3), octant.azimuth).tolist()
    return marks.plot(
        traces,
        470,
        xaxis={"range": [-1.2, 1.2], "visible": False, "constrain": "domain"},
        yaxis={"range": [-0.5, 1.14], "visible": False, "scaleanchor": "x", "constrain": "domain"},
        annotations=[marks.note(x, y, name) for (x, y), name in zip(ends, _AXES, strict=True)],
        legend={"y": 1.0},
        margin={"l": 4, "r": 4, "t": 30, "b": 4},
    )


def _bars(picture: MeanBars) -> Plain:
    titles, traces = list(picture.examples.titles), []
    places = list(range(len(titles)))
    for (key, name), colour in zip(_MEAN_LABELS.items(), (COLOURS[1], MUTE, ACCENT), strict=True):
        look: Plain = {"name": name, "across": True, "customdata": titles}
        look["hover"] = f"%{{customdata}}<br>{name} = %{{x:.4f}}"
        traces.append(marks.bars(picture.examples.means[key].round(6), places, colour, **look))
    names = ["<br>".join(map(literal, wrap(title, LONGEST))) for title in titles]
    down = {"autorange": "reversed", "showgrid": False, "tickfont": {"size": 13}}
    return marks.plot(
        traces,
        80 + 32 * len(titles),
        barmode="group",
        yaxis={"tickvals": places, "ticktext": names} | down,
        xaxis={"range": [0, 1], "title": "risk (0 to 1)"},
        legend={"y": 1.01},
        margin={"l": 250, "r": 8, "t": 34, "b": 44},
    )
