"""The Pólya urn drawn: its balls, and how many new cells it fills beside the urn that is drawn at once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.plots import marks
from sdcwidgets.plots.marks import Picture
from sdcwidgets.plots.style import ACCENT, COLOURS, INK, MUTE, Plain, figure, literal

if TYPE_CHECKING:
    from sdcwidgets.pages.sample.result import SampleLab

#: Fills of the cells' balls; black is kept for the black balls.
FILLS = ("#4a9fd8", "#f08c42", "#34c79b", "#c48ad6", "#e6c229", "#e07a7a", "#8fb35c", "#9aa7b4")

#: What a ball of a cell is called that was empty in the sample.
NEW = "of a new cell"

#: On a dark page a thin ring keeps it apart from the ground.
BLACK = "#000000"


@dataclass(frozen=True)
class Urn:
    """The balls of the urn: the cell of each, or −1 for a black one, those of the sample first."""

    cells: NDArray[np.int64]
    sampled: int
    black: float
    new: frozenset[int]
    names: tuple[str, ...]

    @property
    def summary(self) -> str:
        """What the chart says, in words."""
        drawn, new = int((self.cells >= 0).sum()) - self.sampled, len(self.new)
        cells = (
            "cell that was empty in the sample has"
            if new == 1
            else "cells that were empty in the sample have"
        )
        return (
            f"The urn has {self.sampled:,} balls of the sample, {drawn:,} ball{'s' * (drawn != 1)} added and "
            f"{self.black:.2f} black balls; {new} {cells} balls."
        )

    def to_frame(self) -> marks.Frame:
        """Return the balls of each cell, most first."""
        cells, counts = np.unique(self.cells[self.cells >= 0], return_counts=True)
        order = np.argsort(-counts, kind="stable")
        shown = cells[order].tolist()
        return marks.frame(
            {
                "cell": [*(self.names[k] for k in shown), "black"],
                "balls": [*counts[order], self.black],
                "new": [*("yes" if k in self.new else "" for k in shown), ""],
            }
        )


def prepare_urn(result: SampleLab) -> Urn:
    """Return the urn after the balls drawn so far."""
    f, theta = result.sample.counts.ravel(), result.theta or 0.0
    drawn = np.empty(0, dtype=np.int64) if result.path is None else result.path[: result.state.ball]
    first = np.repeat(np.arange(f.size), f)
    names = tuple(map(", ".join, product(*(axis.labels for axis in result.sample.axes))))
    black = np.full(int(np.ceil(theta)), -1)
    new = frozenset(np.unique(drawn[f[drawn] == 0]).tolist())
    return Urn(np.concatenate([black, first, drawn]), int(f.sum()), theta, new, names)


@figure
def draw_urn(urn: Urn) -> Plain:
    """Return the balls stacked in an urn from the bottom up, those of new cells with a ring."""
    count = len(urn.cells)
    wide = max(12, int(np.ceil(np.sqrt(2.2 * count))))
    place = np.arange(count)
    y = place // wide
    x = place % wide + 0.5 * (y % 2)
    high = max(4, int(np.ceil(count / wide)) + 1)
    black, is_new = urn.cells < 0, np.isin(urn.cells, list(urn.new))
    size = float(np.clip(420 / wide, 3, 13))
    traces: list[Plain] = []
    looks: list[tuple[str, NDArray[np.bool_], Plain]] = [
        ("a black ball", black, {"edge": (MUTE, 1)}),
        ("of the sample", ~black & ~is_new, {}),
        (NEW, is_new, {"edge": (INK, 1.5), "symbol": "star"}),
    ]
    for name, some, look in looks:
        cells = urn.cells[some].tolist()
        colour = BLACK if some is black else [FILLS[k % len(FILLS)] for k in cells]
        look |= {"text": [literal(urn.names[k]) if k >= 0 else "black" for k in cells], "hover": "%{text}"}
        look |= {"name": name, "showlegend": some is black}
        traces.append(marks.dots(x[some], y[some], colour, size * (1.35 if some is is_new else 1), **look))
    traces += [_named("of the sample, a colour a cell", "circle"), _named(NEW, "star")]
    path = f"M -1.2,{high} L -1.2,-0.9 L {wide + 0.7},-0.9 L {wide + 0.7},{high}"
    return marks.plot(
        traces,
        260,
        xaxis={"visible": False, "range": [-1.8, wide + 1.3]},
        yaxis={"visible": False, "range": [-1.2, high + 0.2]},
        shapes=[{"type": "path", "path": path, "line": {"color": MUTE, "width": 3}}],
        legend={"y": 1.0},
        margin={"l": 8, "r": 8, "t": 26, "b": 6},
    )


def _named(name: str, symbol: str) -> Plain:
    """Return what stands in the legend for balls of many colours: their mark without any of these."""
    return marks.dots([None], [None], "rgba(0,0,0,0)", 10, symbol, name=name, edge=(INK, 1.5))


#: The numbers behind the comparison of the two urns.
NEW_CELLS = ("new cells", "fast urn", "ball by ball")


def prepare_new_cells(result: SampleLab) -> Picture[None]:
    """Return how often each number of new cells came out of the fast urn, and of the one drawn ball by ball."""
    if result.new_cells is None:
        return Picture(None, "The two urns are not compared yet.", {name: [0] for name in NEW_CELLS})
    most = max(int(x.max()) for x in result.new_cells)
    least = min(int(x.min()) for x in result.new_cells)
    counts = [np.bincount(x, minlength=most + 1)[least:] for x in result.new_cells]
    fast, balls = (float(x.mean()) for x in result.new_cells)
    told = (
        f"In {len(result.new_cells[0]):,} populations of each, the fast urn fills {fast:.1f} new cells on average, "
        f"the urn drawn ball by ball {balls:.1f}."
    )
    return Picture(None, told, dict(zip(NEW_CELLS, (np.arange(least, most + 1), *counts), strict=True)))


@figure
def draw_new_cells(picture: Picture[None]) -> Plain:
    """Return two bars for each number of new cells."""
    numbers, *counts = picture.numbers.values()
    traces = []
    for name, values, colour, shape in zip(
        NEW_CELLS[1:], counts, (COLOURS[1], ACCENT), ("", "/"), strict=True
    ):
        hover = f"{name}<br>%{{x}} new cells: %{{y}} populations"
        look = {"pattern": {"shape": shape}}
        traces.append(marks.bars(numbers, values, colour, name=name, marker=look, hover=hover))
    return marks.plot(
        traces,
        240,
        barmode="group",
        xaxis={"title": "cells, empty in the sample, that the urn filled"},
        yaxis={"title": "populations"},
        legend=True,
    )
