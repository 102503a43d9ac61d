"""Charts of the page Rounding: the possible published values of a count, and the solver's runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sdcwidgets.plots import marks
from sdcwidgets.plots.style import ACCENT, COLOURS, INK, MUTE, Plain, figure

if TYPE_CHECKING:
    from sdcwidgets.dashboards.rounding.result import RoundingResult, SolverRun


@dataclass(frozen=True)
class Destinations:
    """Possible published values of one count by method: multiples of the base, with their probabilities."""

    count: int
    base: int
    by_method: Mapping[str, Mapping[int, float]]

    def label(self, name: str, multiple: int) -> str:
        """Return a multiple with its probability, unless that is 1 or depends on the other cells."""
        probability = self.by_method[name][multiple]
        return f"{multiple}: {probability:.0%}" if 0 < probability < 1 else f"{multiple}"

    @property
    def summary(self) -> str:
        """Text alternative of the chart."""
        parts = [
            f"{name}: {' or '.join(self.label(name, multiple) for multiple in ways)}"
            for name, ways in self.by_method.items()
        ]
        return f"Possible published values of {self.count} in base {self.base}. {'; '.join(parts)}."

    def to_frame(self) -> marks.Frame:
        """Return one row per method and published value; the probability is missing if it depends on other cells."""
        lines = [
            (name, multiple, probability)
            for name, ways in self.by_method.items()
            for multiple, probability in ways.items()
        ]
        return marks.frame(lines, columns=["rounding", "published", "probability"])


def prepare_ways(result: RoundingResult, names: Mapping[str, str]) -> Destinations:
    """Return the possible published values of the chosen count, by the label of the method."""
    rounding = result.state.rounding
    return Destinations(
        rounding.count, rounding.base, {names[name]: dict(ways) for name, ways in result.ways.items()}
    )


@figure
def draw_ways(picture: Destinations) -> Plain:
    """Return a number line per method: the original count, and an arrow to each possible published value."""
    names = list(picture.by_method)[::-1]
    rows = {name: height for height, name in enumerate(names)}
    heights = list(rows.values())
    ends = [(name, multiple) for name, ways in picture.by_method.items() for multiple in ways]
    multiples = [multiple for _, multiple in ends]
    low = min(0 if picture.count < 3 * picture.base else picture.count, *multiples)
    high = max(picture.count, low + picture.base, *multiples)
    room = 0.12 * (high - low)
    arrow: Plain = {
        "ax": picture.count,
        "xref": "x",
        "axref": "x",
        "yref": "y",
        "ayref": "y",
        "showarrow": True,
    }
    arrow |= {"text": "", "arrowhead": 2, "arrowwidth": 2, "arrowcolor": ACCENT, "standoff": 9}
    published = marks.dots(
        multiples,
        [rows[name] for name, _ in ends],
        ACCENT,
        13,
        "square",
        text=[picture.label(name, multiple) for name, multiple in ends],
        at="top center",
        textfont={"color": INK, "size": 14},
        cliponaxis=False,
        hover="published %{text}",
    )
    count, dot = [picture.count] * len(names), {"size": 9, "color": INK, "symbol": "circle"}
    steps: Plain = {"tickmode": "linear", "tick0": low - low % picture.base, "dtick": picture.base}
    methods: Plain = {"tickmode": "array", "tickvals": heights, "ticktext": names, "showgrid": False}
    return marks.plot(
        [published, marks.line(count, heights, MUTE, 1, "dot", marker=dot, hover="original count %{x}")],
        400,
        xaxis=steps | {"title": "Dot = original, square = published", "range": [low - room, high + room]},
        yaxis=methods | {"range": [-0.5, len(names) - 0.4]},
        annotations=[
            arrow | {"x": multiple, "y": rows[name], "ay": rows[name]}
            for name, multiple in ends
            if multiple != picture.count
        ],
    )


@dataclass(frozen=True)
class OriginalCounts:
    """Original counts that are possible for a published value, with their probabilities."""

    published: int
    first: int
    probabilities: tuple[float, ...]

    @property
    def counts(self) -> list[int]:
        """Possible original counts."""
        return [self.first + k for k in range(len(self.probabilities))]

    @property
    def summary(self) -> str:
        """Text alternative of the chart."""
        likely = max(range(len(self.probabilities)), key=self.probabilities.__getitem__)
        if min(self.probabilities) == self.probabilities[likely]:
            return f"All {len(self.probabilities)} original counts have the probability {self.probabilities[0]:.1%}."
        return (
            f"The most likely original count of a published {self.published:,} is {self.first + likely:,}, with "
            f"probability {self.probabilities[likely]:.1%}."
        )

    def to_frame(self) -> marks.Frame:
        """Return one row per original count."""
        return marks.frame({"original count": self.counts, "probability": self.probabilities})


def prepare_original_counts(result: RoundingResult) -> OriginalCounts:
    """Return the probabilities of the original counts of the published value."""
    return OriginalCounts(result.published, result.interval[0], tuple(result.likely.tolist()))


@figure
def draw_original_counts(picture: OriginalCounts) -> Plain:
    """Return one bar per possible original count."""
    return marks.plot(
        [
            marks.bars(
                picture.counts,
                picture.probabilities,
                ACCENT,
                hover="original count %{x}: %{y:.1%}",
            )
        ],
        230,
        xaxis={"title": "Original count"},
        yaxis={"title": "Probability", "tickformat": ".0%", "rangemode": "tozero"},
    )


@dataclass(frozen=True)
class Closing:
    """The solver's runs in order, with the optimality gap at which each run stopped."""

    runs: tuple[SolverRun, ...]
    names: tuple[str, ...]

    @property
    def summary(self) -> str:
        """Text alternative of the chart."""
        if not self.runs:
            return "No run of the solver has found an additive rounding yet."
        last = self.runs[-1]
        return (
            f"{len(self.runs)} run{'s' * (len(self.runs) > 1)} of the solver. After the last run the distance is "
            f"{last.distance:,.0f}, the lower bound {last.bound:,.1f} and the optimality gap {last.gap:.1%}."
        )

    def to_frame(self) -> marks.Frame:
        """Return one row per run."""
        return marks.frame(
            {
                "target gap": self.names,
                "seconds": [run.seconds for run in self.runs],
                "distance": [run.distance for run in self.runs],
                "bound": [run.bound for run in self.runs],
                "gap": [run.gap for run in self.runs],
            }
        )


def prepare(result: RoundingResult) -> Closing:
    """Return the runs so far."""

    def name(run: SolverRun) -> str:
        if run.target_gap > 1:
            return "first rounding"
        return f"{run.target_gap:.0%}" if run.target_gap else "optimal"

    return Closing(result.runs, tuple(map(name, result.runs)))


@figure
def draw(picture: Closing) -> Plain:
    """Return the distance and the lower bound of each run, and the gap between them."""
    positions = list(range(len(picture.runs)))
    distances, bounds = [run.distance for run in picture.runs], [run.bound for run in picture.runs]
    ends = [*distances, *bounds] or [0.0, 1.0]
    room = max(1.0, 0.12 * (max(ends) - min(ends)))
    above: Plain = {"name": "Smallest distance so far", "marker": {"size": 9, "symbol": "diamond"}}
    above |= {"hover": "distance %{y:,}<br>%{text}", "text": [f"{run.seconds:.3f} s" for run in picture.runs]}
    below: Plain = above | {"name": "Lower bound of the distance", "marker": {"size": 8}}
    below |= {"hover": "bound %{y:,.1f}<br>%{text}", "fill": "tonexty", "fillcolor": "rgba(128,140,160,0.15)"}
    gap_axis: Plain = {
        "tickmode": "array",
        "tickvals": positions,
        "ticktext": list(picture.names),
        "showgrid": False,
    }
    gap_axis |= {
        "title": "Optimality gap at which a run of the solver ends",
        "range": [-0.4, max(len(positions) - 0.6, 0.6)],
    }
    return marks.plot(
        [
            marks.line(positions, distances, COLOURS[1], 2.5, **above),
            marks.line(positions, bounds, COLOURS[0], 2.5, "dot", **below),
        ],
        230,
        xaxis=gap_axis,
        yaxis={"title": "Σ |z − a|", "range": [min(ends) - room, max(ends) + room]},
        legend=True,
        margin={"l": 56, "r": 12, "t": 30, "b": 44},
    )
