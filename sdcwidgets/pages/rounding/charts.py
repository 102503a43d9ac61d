"""The rounding lab drawn: where a count may go, and how the solver closes in on the best rounding, run by run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sdcwidgets.plots.style import ACCENT, COLOURS, INK, LEGEND, MUTE, Plain, figure, layout

if TYPE_CHECKING:
    import pandas as pd

    from sdcwidgets.pages.rounding.state import RoundingLab, SolverRun

__all__ = ["Closing", "Destinations", "draw", "draw_ways", "prepare", "prepare_ways"]


@dataclass(frozen=True)
class Destinations:
    """Where each method may put one count: multiples of the base, with their chances."""

    count: int
    base: int
    by_method: Mapping[str, Mapping[int, float]]

    def label(self, name: str, place: int) -> str:
        """Return a place with its chance, where that is not 1 and not for the other cells to decide."""
        chance = self.by_method[name][place]
        return f"{place}: {chance:.0%}" if 0 < chance < 1 else f"{place}"

    @property
    def summary(self) -> str:
        """What the chart says, in words."""
        told = [
            f"{name}: {' or '.join(self.label(name, place) for place in ways)}"
            for name, ways in self.by_method.items()
        ]
        return f"Where {self.count} goes in base {self.base}. {'; '.join(told)}."

    def to_frame(self) -> pd.DataFrame:
        """Return a line a way; no chance where the other cells decide."""
        import pandas as pd

        lines = [
            (name, place, chance) for name, ways in self.by_method.items() for place, chance in ways.items()
        ]
        return pd.DataFrame(lines, columns=["rounding", "published", "chance"])


def prepare_ways(result: RoundingLab, names: Mapping[str, str]) -> Destinations:
    """Return where the count that is followed may go, by what the methods are called."""
    rounding = result.state.rounding
    return Destinations(
        rounding.count, rounding.base, {names[name]: dict(ways) for name, ways in result.ways.items()}
    )


@figure
def draw_ways(picture: Destinations) -> Plain:
    """Return a number line for each method: the true count, and an arrow to each place it may go to."""
    names = list(picture.by_method)[::-1]
    rows = {name: place for place, name in enumerate(names)}
    ends = [(name, place) for name, ways in picture.by_method.items() for place in ways]
    low = min(0 if picture.count < 3 * picture.base else picture.count, *(place for _, place in ends))
    high = max(picture.count, low + picture.base, *(place for _, place in ends))
    room = 0.12 * (high - low)
    arrows = [
        {
            "x": place,
            "y": rows[name],
            "ax": picture.count,
            "ay": rows[name],
            **dict.fromkeys(("xref", "axref"), "x"),
            **dict.fromkeys(("yref", "ayref"), "y"),
            "showarrow": True,
            "text": "",
            "arrowhead": 2,
            "arrowwidth": 2,
            "arrowcolor": ACCENT,
            "standoff": 9,
        }
        for name, place in ends
        if place != picture.count
    ]
    first = low - low % picture.base
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "markers+text",
                "x": [place for _, place in ends],
                "y": [rows[name] for name, _ in ends],
                "text": [picture.label(name, place) for name, place in ends],
                "textposition": "top center",
                "textfont": {"color": INK, "size": 14},
                "marker": {"size": 13, "color": ACCENT, "symbol": "square"},
                "cliponaxis": False,
                "hovertemplate": "published %{text}<extra></extra>",
            },
            {
                "type": "scatter",
                "mode": "lines+markers",
                "x": [picture.count] * len(names),
                "y": list(rows.values()),
                "line": {"color": MUTE, "width": 1, "dash": "dot"},
                "marker": {"size": 9, "color": INK, "symbol": "circle"},
                "hovertemplate": "true count %{x}<extra></extra>",
            },
        ],
        "layout": layout(
            400,
            xaxis={
                "title": {"text": "dots: true; squares: published"},
                "tickmode": "linear",
                "tick0": first,
                "dtick": picture.base,
                "range": [low - room, high + room],
            },
            yaxis={
                "tickmode": "array",
                "tickvals": list(rows.values()),
                "ticktext": names,
                "range": [-0.5, len(names) - 0.4],
                "showgrid": False,
            },
            annotations=arrows,
        ),
    }


@dataclass(frozen=True)
class Closing:
    """The runs of the solver, in their order, and what each was content with, in words."""

    runs: tuple[SolverRun, ...]
    names: tuple[str, ...]

    @property
    def summary(self) -> str:
        """What the chart says, in words."""
        if not self.runs:
            return "No run of the solver has found a rounding yet."
        last = self.runs[-1]
        return (
            f"{len(self.runs)} run{'s' * (len(self.runs) > 1)} of the solver. After the last one the distance is "
            f"{last.distance:,.0f}, the bound {last.bound:,.1f}, the gap {last.gap:.1%}."
        )

    def to_frame(self) -> pd.DataFrame:
        """Return a line a run."""
        import pandas as pd

        return pd.DataFrame(
            {
                "content with": self.names,
                "seconds": [run.seconds for run in self.runs],
                "distance": [run.distance for run in self.runs],
                "bound": [run.bound for run in self.runs],
                "gap": [run.gap for run in self.runs],
            }
        )


def prepare(result: RoundingLab) -> Closing:
    """Return the runs made so far."""

    def name(run: SolverRun) -> str:
        return "first found" if run.asked > 1 else f"{run.asked:.0%}" if run.asked else "closest"

    return Closing(result.runs, tuple(map(name, result.runs)))


@figure
def draw(picture: Closing) -> Plain:
    """Return distance and bound of each run, and the gap between them."""
    places = list(range(len(picture.runs)))
    distances, bounds = [run.distance for run in picture.runs], [run.bound for run in picture.runs]
    ends = [*distances, *bounds] or [0.0, 1.0]
    room = max(1.0, 0.12 * (max(ends) - min(ends)))
    told = [f"{run.seconds:.3f} s" for run in picture.runs]
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": "distance of the rounding found",
                "x": places,
                "y": distances,
                "text": told,
                "line": {"color": COLOURS[1], "width": 2.5},
                "marker": {"size": 9, "symbol": "diamond"},
                "hovertemplate": "distance %{y:,}<br>%{text}<extra></extra>",
            },
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": "no rounding is closer than",
                "x": places,
                "y": bounds,
                "text": told,
                "line": {"color": COLOURS[0], "width": 2.5, "dash": "dot"},
                "marker": {"size": 8},
                "fill": "tonexty",
                "fillcolor": "rgba(128,140,160,0.15)",
                "hovertemplate": "bound %{y:,.1f}<br>%{text}<extra></extra>",
            },
        ],
        "layout": layout(
            230,
            xaxis={
                "title": {"text": "the solver may stop within"},
                "tickmode": "array",
                "tickvals": places,
                "ticktext": list(picture.names),
                "range": [-0.4, max(len(places) - 0.6, 0.6)],
                "showgrid": False,
            },
            yaxis={"title": {"text": "Σ |z − a|"}, "range": [min(ends) - room, max(ends) + room]},
            **LEGEND,
            margin={"l": 56, "r": 12, "t": 30, "b": 44},
        ),
    }
