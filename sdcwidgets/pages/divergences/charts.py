"""Pictures of two distributions: inequalities as pairs of bars, the limit of χ², and why the square root."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.pages.divergences.state import Approach, Comparison, Inequality, move_one
from sdcwidgets.plots.style import ACCENT, COLOURS, GRID, INK, LEGEND, MUTE, Plain, figure, layout

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Limit", "Moves", "Pairs", "draw", "limit", "moves", "prepare"]

#: The cells that people come into.
SIZES = (0, 1, 10, 100, 1000)

#: Beside a pair of bars a longer text takes two lines.
MOST_LETTERS = 26


@dataclass(frozen=True)
class Pairs:
    """Inequalities as pairs of bars."""

    inequalities: tuple[Inequality, ...]

    @property
    def summary(self) -> str:
        """What the chart says, in words."""
        tight = [one.name for one in self.inequalities if one.slack == 0]
        broken = sum(one.slack < 0 for one in self.inequalities)
        told = f"In {len(self.inequalities) - broken} of {len(self.inequalities)} pairs the upper bar is not longer."
        return told + (f" Equal: {'; '.join(tight)}." if tight else " In none are the two equal.")

    def to_frame(self) -> pd.DataFrame:
        """Return the numbers as a table, a line an inequality."""
        import pandas as pd

        rows = [
            (one.name, f"{one.lesser[0]} ≤ {one.greater[0]}", one.lesser[1], one.greater[1], one.slack)
            for one in self.inequalities
        ]
        return pd.DataFrame(rows, columns=["", "inequality", "smaller", "greater", "slack"])


@dataclass(frozen=True)
class Limit:
    """Divergences over χ² on the way from P to Q; without steps where there is no way."""

    approach: Approach | None
    reason: str

    @property
    def summary(self) -> str:
        """What the chart says, in words."""
        if self.approach is None:
            return self.reason
        last = {name: values[-1] for name, values in self.approach.ratios.items()}
        told = ", ".join(f"{name} = {value:.4f}" for name, value in last.items())
        return f"A thousandth of the way from Q: {told}. The limits are ½, ½ and ⅛."

    def to_frame(self) -> pd.DataFrame:
        """Return the numbers as a table, a line a step."""
        import pandas as pd

        if self.approach is None:
            return pd.DataFrame({"way left": []})
        columns = {"way left": self.approach.steps[::5]}
        return pd.DataFrame(columns | {name: ratio[::5] for name, ratio in self.approach.ratios.items()})


@dataclass(frozen=True)
class Moves:
    """What three distances say when people come into cells of different sizes."""

    people: int
    sizes: tuple[int, ...]
    distances: Mapping[str, NDArray[np.float64]]

    @property
    def summary(self) -> str:
        """What the chart says, in words."""
        heights = self.distances["hellinger"]
        return (
            f"{_people(self.people)} into an empty cell: HD {heights[0]:.3f}; into a cell of 1,000: {heights[-1]:.3f}. "
            f"N times the total variation is {self.distances['people'][0]:g} each time."
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the numbers as a table, a line a cell."""
        import pandas as pd

        names = {NAMES[name]: values for name, values in self.distances.items()}
        return pd.DataFrame({"people in the cell": self.sizes} | names)


#: What the distances of `move_one` are called.
NAMES = {"people": "N · total variation", "chi squared": "N · χ²", "hellinger": "HD(F, G)"}


def prepare(result: Comparison, about: str) -> Pairs:
    """Return the inequalities about "pair" or about "one" distribution."""
    return Pairs(tuple(one for one in result.inequalities if one.about == about))


def limit(result: Comparison) -> Limit:
    """Return the divergences over χ² while P comes closer to Q."""
    reason = "χ² is infinite: P has a category that Q has not, on the whole way."
    return Limit(result.approach, reason if result.unseen else "P is Q already: there is no way to go.")


def moves(people: int = 1) -> Moves:
    """Return what the distances say when this many people come into a cell."""
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


def _pairs(pairs: Pairs) -> dict[str, object]:
    rows = pairs.inequalities
    traces = []
    for side, colour in (("lesser", ACCENT), ("greater", MUTE)):
        both = [getattr(one, side) for one in rows]
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "y": [3 * k + (0.6 if side == "lesser" else 1.4) for k in range(len(rows))],
                "x": [min(value / one.full, 1.0) for (_, value), one in zip(both, rows, strict=True)],
                "width": 0.74,
                "marker": {"color": colour},
                "hovertemplate": "%{customdata}<extra></extra>",
                "customdata": [f"{symbol} = {_short(value)}" for symbol, value in both],
            }
        )
    # Texts are traces, not annotations: plotly draws three of them in a fraction of the time.
    names = [(0.0, 3 * k - 0.15, f"<b>{one.name}</b>") for k, one in enumerate(rows)]
    slacks = [
        (2.0, 3 * k - 0.15, "equal" if one.slack == 0 else f"slack {_short(one.slack)}")
        for k, one in enumerate(rows)
    ]
    sides = [
        (1.02, 3 * k + shift + line * 0.7, text)
        for k, one in enumerate(rows)
        for shift, sign, (symbol, value) in ((0.6, "", one.lesser), (1.4, "≤ ", one.greater))
        for line, text in enumerate(_lines(f"{sign}{symbol}", f"= {_short(value)}"))
    ]
    traces += [_texts(names, "right", INK), _texts(slacks, "left", MUTE), _texts(sides, "right", INK)]
    return {
        "data": traces,
        "layout": layout(
            66 * len(rows) + 12,
            barmode="overlay",
            xaxis={"range": [0, 2.0], "visible": False},
            yaxis={"range": [3 * len(rows) - 0.8, -0.7], "visible": False},
            margin={"l": 4, "r": 4, "t": 4, "b": 4},
        ),
    }


def _lines(symbol: str, value: str) -> list[str]:
    """Return a text in one line, or in two where a phone has no room for one."""
    return [symbol, value] if len(symbol) + len(value) > MOST_LETTERS else [f"{symbol} {value}"]


def _limit(limit: Limit) -> dict[str, object]:
    approach = limit.approach
    traces, notes = [], []
    if approach is None:
        notes.append(_note(-1.5, 0.76, limit.reason.replace(": ", ":<br>"), INK, xanchor="center"))
    ratios_by_name, steps = (approach.ratios, approach.steps.tolist()) if approach else ({}, [])
    for (name, ratios), colour, dash in zip(
        ratios_by_name.items(), COLOURS, ("solid", "dash", "dot"), strict=False
    ):
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "name": name,
                "x": steps,
                "y": [None if np.isinf(value) else round(float(value), 6) for value in ratios],
                "line": {"color": colour, "width": 3, "dash": dash},
                "hovertemplate": f"%{{x:.3f}} of the way left<br>{name} = %{{y:.4f}}<extra></extra>",
            }
        )
    lines = [
        {
            "type": "line",
            "xref": "paper",
            "x0": 0,
            "x1": 1,
            "y0": y,
            "y1": y,
            "layer": "below",
            "line": {"color": MUTE, "width": 1},
        }
        for y in (1 / 2, 1 / 8)
    ]
    return {
        "data": traces,
        "layout": layout(
            260,
            xaxis={
                "type": "log",
                "range": [0, -3],
                "tickvals": [1, 0.1, 0.01, 0.001],
                "ticktext": ["P", "1/10 left", "1/100", "Q"],
                "title": {"text": "P moves to Q"},
            },
            yaxis={
                "range": [0, 1],
                "title": {"text": "divergence / χ²"},
                "tickvals": [0, 0.125, 0.5, 1],
                "ticktext": ["0", "⅛", "½", "1"],
            },
            shapes=lines,
            annotations=notes,
            **LEGEND,
            margin={"l": 54, "r": 8, "t": 30, "b": 44},
        ),
    }


def _moves(moves: Moves) -> dict[str, object]:
    traces = [
        {
            "type": "bar",
            "name": NAMES[name],
            "x": list(range(len(moves.sizes))),
            "y": values.round(6).tolist(),
            "text": [f"{value:.3f}" if name == "hellinger" else "" for value in values],
            "textposition": "outside",
            "textfont": {"size": 12},
            "constraintext": "none",
            "cliponaxis": False,
            "marker": {"color": colour},
            "hovertemplate": f"{NAMES[name]} = %{{y:.4f}}<extra></extra>",
        }
        for (name, values), colour in zip(moves.distances.items(), (GRID, MUTE, ACCENT), strict=True)
    ]
    return {
        "data": traces,
        "layout": layout(
            260,
            barmode="group",
            xaxis={
                "tickvals": list(range(len(moves.sizes))),
                "ticktext": [f"{size:,}" for size in moves.sizes],
                "title": {"text": "people in the cell before"},
                "showgrid": False,
            },
            yaxis={"rangemode": "tozero", "title": {"text": "distance"}},
            showlegend=True,
            legend={"orientation": "h", "y": 1.04, "yanchor": "bottom", "x": 0},
            margin={"l": 48, "r": 8, "t": 34, "b": 44},
        ),
    }


def _people(count: int) -> str:
    return "1 person" if count == 1 else f"{count} people"


def _short(value: float) -> str:
    if np.isinf(value):
        return "infinite"
    return f"{value:.3g}" if 0 < value < 0.01 else f"{value:.4f}" if value < 100 else f"{value:,.1f}"


def _texts(texts: Sequence[tuple[float, float, str]], side: str, colour: str) -> dict[str, object]:
    x, y, words = zip(*texts, strict=True)
    return {
        "type": "scatter",
        "mode": "text",
        "x": list(x),
        "y": list(y),
        "text": list(words),
        "textposition": f"middle {side}",
        "textfont": {"color": colour, "size": 13},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }


def _note(x: float, y: float, text: str, colour: str, **more: object) -> dict[str, object]:
    return {"x": x, "y": y, "text": text, "showarrow": False, "font": {"color": colour, "size": 13}} | more
