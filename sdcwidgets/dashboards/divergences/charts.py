"""Charts of the page Divergences: inequalities as pairs of bars, ratios to χ², and distances by cell size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.dashboards.divergences.result import Approach, DivergencesResult, Inequality, move_one
from sdcwidgets.plots import marks
from sdcwidgets.plots.style import ACCENT, COLOURS, GRID, INK, MUTE, Plain, figure

#: Counts of the cells to which people are added.
SIZES = (0, 1, 10, 100, 1000)

#: Maximum number of characters in one line of text next to a pair of bars.
MOST_LETTERS = 26


@dataclass(frozen=True)
class Pairs:
    """Inequalities as pairs of bars."""

    inequalities: tuple[Inequality, ...]

    @property
    def summary(self) -> str:
        """Text alternative of the chart."""
        equal = [inequality.name for inequality in self.inequalities if inequality.slack == 0]
        broken = sum(inequality.slack < 0 for inequality in self.inequalities)
        holding = (
            f"In {len(self.inequalities) - broken} of {len(self.inequalities)} inequalities, the upper bar "
            f"is not longer than the lower bar."
        )
        return holding + (
            f" In these inequalities, both bars have the same length: {'; '.join(equal)}."
            if equal
            else " In no inequality do both bars have the same length."
        )

    def to_frame(self) -> marks.Frame:
        """Return the numbers as a table, one row per inequality."""
        rows = [
            (row.name, f"{row.lesser[0]} ≤ {row.greater[0]}", row.lesser[1], row.greater[1], row.slack)
            for row in self.inequalities
        ]
        return marks.frame(rows, columns=["", "inequality", "smaller", "greater", "difference"])


@dataclass(frozen=True)
class Limit:
    """Divergences divided by χ² as P approaches Q; without data if P equals Q or χ² is infinite."""

    approach: Approach | None
    reason: str

    @property
    def summary(self) -> str:
        """Text alternative of the chart."""
        if self.approach is None:
            return self.reason
        last = {name: values[-1] for name, values in self.approach.ratios.items()}
        ratios = ", ".join(f"{name} = {value:.4f}" for name, value in last.items())
        return (
            "At 1/1,000 of the original difference between P and Q, the divergences "
            f"divided by chi-squared are: {ratios}. As P approaches Q, these ratios approach ½, ½ and ⅛."
        )

    def to_frame(self) -> marks.Frame:
        """Return the numbers as a table, one row per step."""
        if self.approach is None:
            return marks.frame({"share of the original difference between P and Q": []})
        columns = {"share of the original difference between P and Q": self.approach.steps[::5]}
        return marks.frame(columns | {name: ratio[::5] for name, ratio in self.approach.ratios.items()})


@dataclass(frozen=True)
class Moves:
    """The values of three distances when people join cells of different sizes."""

    people: int
    sizes: tuple[int, ...]
    distances: Mapping[str, NDArray[np.float64]]

    @property
    def summary(self) -> str:
        """Text alternative of the chart."""
        heights = self.distances["hellinger"]
        return (
            f"If {_people(self.people)} added to an empty cell, the Hellinger distance is {heights[0]:.3f}. For a cell "
            f"of 1,000, it is {heights[-1]:.3f}. N times the total variation is the same for each cell: "
            f"{self.distances['people'][0]:g}."
        )

    def to_frame(self) -> marks.Frame:
        """Return the numbers as a table, one row per cell."""
        names = {NAMES[name]: values for name, values in self.distances.items()}
        return marks.frame({"number of people in the cell": self.sizes} | names)


#: The labels of the distances of `move_one`.
NAMES = {"people": "N · total variation", "chi squared": "N · χ²", "hellinger": "Hellinger distance"}


def prepare(result: DivergencesResult, about: str) -> Pairs:
    """Return the inequalities about a "pair" of distributions or about "one" distribution."""
    return Pairs(tuple(row for row in result.inequalities if row.about == about))


def limit(result: DivergencesResult) -> Limit:
    """Return the divergences divided by χ² as P approaches Q."""
    reason = "χ² is infinite: P has people in a category that is empty in Q."
    return Limit(result.approach, reason if result.unseen else "P and Q are equal, so all distances are 0.")


def moves(people: int = 1) -> Moves:
    """Return the distances if this number of people is added to a cell."""
    return Moves(people, SIZES, move_one(np.array(SIZES), people))


@figure
def draw(picture: Pairs | Limit | Moves) -> Plain:
    """Return the picture as a figure."""
    match picture:
        case Pairs():
            return _pairs(picture)
        case Limit():
            return _limit(picture)
        case Moves():
            return _moves(picture)


def _pairs(pairs: Pairs) -> Plain:
    rows = pairs.inequalities
    traces = []
    for side, colour, below in (("lesser", ACCENT, 0.6), ("greater", MUTE, 1.4)):
        both = [getattr(row, side) for row in rows]
        lengths = [min(value / row.full, 1.0) for (_, value), row in zip(both, rows, strict=True)]
        heights = [3 * k + below for k in range(len(rows))]
        labels = [f"{symbol} = {_short(value)}" for symbol, value in both]
        look: Plain = {"across": True, "width": 0.74, "customdata": labels, "hover": "%{customdata}"}
        traces.append(marks.bars(lengths, heights, colour, **look))
    # Texts are traces, not annotations: plotly draws three of them in a fraction of the time.
    names = [(0.0, 3 * k - 0.15, f"<b>{row.name}</b>") for k, row in enumerate(rows)]
    slacks = [
        (2.0, 3 * k - 0.15, "equal" if row.slack == 0 else f"difference {_short(row.slack)}")
        for k, row in enumerate(rows)
    ]
    sides = [
        (1.02, 3 * k + shift + line * 0.7, text)
        for k, row in enumerate(rows)
        for shift, sign, (symbol, value) in ((0.6, "", row.lesser), (1.4, "≤ ", row.greater))
        for line, text in enumerate(_lines(f"{sign}{symbol}", f"= {_short(value)}"))
    ]
    traces += [_texts(names, "right", INK), _texts(slacks, "left", MUTE), _texts(sides, "right", INK)]
    return marks.plot(
        traces,
        66 * len(rows) + 12,
        barmode="overlay",
        xaxis={"range": [0, 2.0], "visible": False},
        yaxis={"range": [3 * len(rows) - 0.8, -0.7], "visible": False},
        margin={"l": 4, "r": 4, "t": 4, "b": 4},
    )


def _lines(symbol: str, value: str) -> list[str]:
    """Return a text in one line, or in two lines if one would be too long for a phone."""
    return [symbol, value] if len(symbol) + len(value) > MOST_LETTERS else [f"{symbol} {value}"]


def _limit(limit: Limit) -> Plain:
    approach, traces, notes = limit.approach, [], []
    if approach is None:
        notes.append(marks.note(-1.5, 0.76, limit.reason.replace(": ", ":<br>"), xanchor="center"))
    else:
        for (name, ratios), colour, dash in zip(
            approach.ratios.items(), COLOURS, ("solid", "dash", "dot"), strict=False
        ):
            hover = f"%{{x:.3f}} of the difference<br>{name} = %{{y:.4f}}"
            y = marks.numbers(ratios)
            traces.append(marks.line(approach.steps, y, colour, 3, dash, name=name, hover=hover))
    level: Plain = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "layer": "below"}
    level |= {"line": {"color": MUTE, "width": 1}}
    way = {"tickvals": [1, 0.1, 0.01, 0.001], "ticktext": ["1", "1/10", "1/100", "1/1,000"]}
    heights = {"tickvals": [0, 0.125, 0.5, 1], "ticktext": ["0", "⅛", "½", "1"]}
    return marks.plot(
        traces,
        260,
        xaxis={"type": "log", "range": [0, -3], "title": "share of the original difference between P and Q"}
        | way,
        yaxis={"range": [0, 1], "title": "divergence / χ²"} | heights,
        shapes=[level | {"y0": height, "y1": height} for height in (1 / 2, 1 / 8)],
        annotations=notes,
        legend=True,
    )


def _moves(moves: Moves) -> Plain:
    places = list(range(len(moves.sizes)))
    look: Plain = {
        "textposition": "outside",
        "textfont": {"size": 13},
        "constraintext": "none",
        "cliponaxis": False,
    }
    traces = []
    for (key, values), colour in zip(moves.distances.items(), (GRID, MUTE, ACCENT), strict=True):
        text = [f"{value:.3f}" if key == "hellinger" else "" for value in values]
        name, hover = NAMES[key], f"{NAMES[key]} = %{{y:.4f}}"
        traces.append(marks.bars(places, values.round(6), colour, name=name, text=text, hover=hover, **look))
    sizes: Plain = {"tickvals": places, "ticktext": [f"{size:,}" for size in moves.sizes]}
    return marks.plot(
        traces,
        260,
        barmode="group",
        xaxis=sizes | {"title": "number of people in the cell before people are added", "showgrid": False},
        yaxis={"rangemode": "tozero", "title": "distance"},
        legend={"y": 1.04},
        margin={"l": 48, "r": 8, "t": 34, "b": 44},
    )


def _people(count: int) -> str:
    return "1 person is" if count == 1 else f"{count} people are"


def _short(value: float) -> str:
    if np.isinf(value):
        return "infinite"
    if 0 < value < 0.01:
        return f"{value:.3g}"
    return f"{value:.4f}" if value < 100 else f"{value:,.1f}"


def _texts(texts: Sequence[tuple[float, float, str]], side: str, colour: str) -> Plain:
    x, y, words = zip(*texts, strict=True)
    look = {"textposition": f"middle {side}", "textfont": {"color": colour, "size": 13}, "cliponaxis": False}
    return {"type": "scatter", "mode": "text", "x": x, "y": y, "text": words, "hoverinfo": "skip"} | look
