"""Charts of the convergence of the average over Y variables, and heat maps of the matrices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.dashboards.who.result import WhoResult
from sdcwidgets.plots import marks
from sdcwidgets.plots.style import ACCENT, INK, Plain, figure

#: Maximum number of points of a line.
MOST_POINTS = 300

#: Minimum length of the axis, so that the first steps do not fill it.
SHORTEST = 4


@dataclass(frozen=True)
class Convergence:
    """Content of the chart.

    Attributes
    ----------
    seen : ndarray of int
        Numbers of averaged Y variables; a selection if there are many.
    differences : ndarray
        Largest difference between the average and the matrix of the theorem.
    personal : ndarray
        The same difference for single people, whose averages converge more slowly than those of cells.
    end : int
        End of the axis: the number of all possibilities or draws.
    noun : str
        Name of the averaged objects.
    """

    seen: NDArray[np.int64]
    differences: NDArray[np.float64]
    personal: NDArray[np.float64]
    end: int
    noun: str

    @property
    def summary(self) -> str:
        """Summary of the chart in one sentence."""
        if not len(self.seen):
            return "The chart is empty, because no possibilities have been averaged yet."
        count = "1 possibility" if len(self.seen) == 1 else f"{self.seen[-1]:,} {self.noun}"
        return (
            f"Largest difference between averaged and exact probabilities after {count}: "
            f"{self.differences[-1]:.3f} for "
            f"a whole cell, {self.personal[-1]:.3f} for one person."
        )

    def to_frame(self) -> marks.Frame:
        """Return the numbers of the chart, one row per point."""
        columns = {"cell": self.differences, "person": self.personal}
        return marks.frame(
            {self.noun: self.seen} | {f"largest, {k}": values for k, values in columns.items()}
        )


def prepare(result: WhoResult) -> Convergence:
    """Return the lines up to the current place."""
    count = len(result.differences)
    places = np.unique(np.linspace(0, count - 1, min(count, MOST_POINTS)).round().astype(np.int64))
    places = places[places >= 0]
    end = max(count if result.drawn else result.length, SHORTEST)
    noun = "draws" if result.drawn else "possibilities"
    return Convergence(places + 1, result.differences[places], result.personal[places], end, noun)


@figure
def draw(convergence: Convergence) -> Plain:
    """Return the figure: a line for cells and one for single people, with dots at the current place."""
    x = convergence.seen
    data: list[Plain] = []
    for name, values, colour, symbol, dash in (
        ("one person", convergence.personal, INK, "square", "dot"),
        ("a whole cell", convergence.differences, ACCENT, "circle", "solid"),
    ):
        y = values.round(6)
        labels: Plain = {"name": name, "legendgroup": name}
        labels["hover"] = f"{name}, after %{{x:,}} {convergence.noun}: %{{y:.4f}}"
        data.append(marks.line(x, y, colour, 2, dash, **labels))
        data.append(marks.dots(x[-1:], y[-1:], colour, 9, symbol, showlegend=False, **labels))
    top = max(float(convergence.personal.max(initial=0.0)), 0.1) * 1.08
    # An axis with few integers must not have ticks between them.
    whole = {"tickformat": ",d", "dtick": 1 if convergence.end <= 10 else None}
    return marks.plot(
        data,
        160,
        legend={"orientation": "v", "x": 1, "xanchor": "right", "y": 1, "yanchor": "top"},
        xaxis={"title": f"{convergence.noun} averaged", "range": [0.5, convergence.end + 0.5]} | whole,
        yaxis={"title": "largest difference", "range": [-0.02 * top, top]},
        margin={"l": 54, "r": 10, "t": 8, "b": 42},
    )


def heat_map(channel: NDArray[np.float64], before: tuple[int, ...]) -> dict[str, object]:
    """Return the texts and shades of a matrix: blue for people who stay, orange for people who move.

    Rows of empty cells have no probabilities.

    Examples
    --------
    >>> shown = heat_map(np.array([[0, 0], [0.25, 0.75]]), (0, 4))
    >>> shown["texts"], shown["shade"].tolist()
    ([['–', '–'], ['0.25', '0.75']], [[0.0, 0.0], [0.25, -0.75]])
    """
    texts = [
        [f"{share:.2f}" if people else "–" for share in row]
        for row, people in zip(channel.tolist(), before, strict=True)
    ]
    return {"texts": texts, "shade": np.where(np.eye(len(before), dtype=bool), -channel, channel) + 0.0}
