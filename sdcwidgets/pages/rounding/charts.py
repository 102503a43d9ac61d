"""The rounding lab drawn: the distance of the best rounding found, and the bound below it, run by run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sdcwidgets.plots.style import COLOURS, Plain, figure, layout

if TYPE_CHECKING:
    import pandas as pd

    from sdcwidgets.pages.rounding.state import RoundingLab, SolverRun

__all__ = ["Closing", "draw", "prepare"]


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
            showlegend=True,
            legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
            margin={"l": 56, "r": 12, "t": 30, "b": 44},
        ),
    }
