"""The sample lab drawn: clouds of estimated risks, and risk over sampling fractions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.plots.style import COLOURS, INK, LEGEND, Plain, figure, layout

if TYPE_CHECKING:
    import pandas as pd

    from sdcwidgets.pages.sample.result import CurvePoint, SampleLab

__all__ = [
    "NAMES",
    "Clouds",
    "Curve",
    "draw_clouds",
    "draw_curve",
    "prepare_clouds",
    "prepare_curve",
]

Floats = NDArray[np.float64]

#: What the models are called, and their colours and marks: never colour alone.
NAMES = {"log-linear": "Log-linear model", "urn": "Pólya urn"}
LOOKS = {"log-linear": (COLOURS[0], "circle"), "urn": (COLOURS[1], "diamond")}

#: So many dots of a cloud are drawn; more would hide each other, and each takes the browser its time.
MOST_DOTS = 150


@dataclass(frozen=True)
class Clouds:
    """The risk of the sample under estimated populations, by model, and the true risk where it is known."""

    risks: Mapping[str, Floats]
    truth: float | None

    @property
    def summary(self) -> str:
        """What the chart says, in words."""
        told = [
            f"{NAMES[name]}: mean {r2.mean():.4f}, middle 95 % from {np.quantile(r2, 0.025):.4f} to "
            f"{np.quantile(r2, 0.975):.4f}, {r2.size:,} populations."
            for name, r2 in self.risks.items()
        ]
        return " ".join(told + ([f"True risk {self.truth:.4f}."] if self.truth is not None else []))

    def to_frame(self) -> pd.DataFrame:
        """Return the numbers as a table, a line a model."""
        import pandas as pd

        lines = [
            {
                "model": NAMES[name],
                "populations": r2.size,
                "mean": float(r2.mean()),
                "st. dev.": float(r2.std(ddof=1)),
                "2.5 %": float(np.quantile(r2, 0.025)),
                "97.5 %": float(np.quantile(r2, 0.975)),
            }
            for name, r2 in self.risks.items()
        ]
        if self.truth is not None:
            nan = float("nan")
            lines.append({"model": "true risk", "mean": self.truth, "populations": 1, "st. dev.": nan})
        return pd.DataFrame(lines)


def prepare_clouds(result: SampleLab) -> Clouds:
    """Return the clouds of a result."""
    return Clouds({name: cloud.risk.r2 for name, cloud in result.clouds.items()}, result.truth)


@figure
def draw_clouds(clouds: Clouds) -> Plain:
    """Return a row of dots for each model, its mean and middle 95 %, and a line at the true risk.

    Words stand at points, and the room for the names is given: plotly.js takes as long for notes, lines of its own and
    margins that it measures as for all dots, and this chart follows a slider.
    """
    traces: list[dict[str, object]] = []
    for row, (name, r2) in enumerate(clouds.risks.items()):
        colour, mark = LOOKS[name]
        shown = r2[:MOST_DOTS]
        # A golden ratio's multiples spread dots evenly without chance, so that nothing moves but what changed.
        spread = row - 0.05 + 0.5 * ((np.arange(shown.size) * 0.6180339887) % 1 - 0.5)
        low, high = np.quantile(r2, [0.025, 0.975])
        traces += [
            {
                "type": "scatter",
                "mode": "markers",
                "x": shown.round(5).tolist(),
                "y": spread.round(3).tolist(),
                "marker": {"color": colour, "size": 5, "opacity": 0.45, "symbol": mark},
                "hovertemplate": f"{NAMES[name]}<br>R₂ = %{{x:.4f}}<extra></extra>",
            },
            {
                "type": "scatter",
                "mode": "lines",
                "x": [round(float(low), 5), round(float(high), 5)],
                "y": [row + 0.28, row + 0.28],
                "line": {"color": colour, "width": 3},
                "hovertemplate": "middle 95 %: %{x:.4f}<extra></extra>",
            },
            {
                "type": "scatter",
                "mode": "markers+text",
                "x": [round(float(r2.mean()), 5)],
                "y": [row + 0.28],
                "text": [f"{r2.mean():.4f}"],
                "textposition": "top center",
                "textfont": {"color": INK},
                "cliponaxis": False,
                "marker": {"color": colour, "size": 13, "symbol": mark, "line": {"color": INK, "width": 1.5}},
                "hovertemplate": f"{NAMES[name]}<br>mean R₂ = %{{x:.4f}}<extra></extra>",
            },
        ]
    rows = len(clouds.risks)
    if clouds.truth is not None:
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+text",
                "x": [clouds.truth, clouds.truth],
                "y": [-0.45, rows - 0.35],
                "text": ["", f"true R₂ {clouds.truth:.4f}"],
                "textposition": "top center",
                "textfont": {"color": INK},
                "cliponaxis": False,
                "line": {"color": INK, "width": 2, "dash": "dash"},
                "hoverinfo": "skip",
            }
        )
    return {
        "data": traces,
        "layout": layout(
            120 + 90 * rows,
            xaxis={
                "title": {"text": "risk of the sample, R₂"},
                "automargin": False,
                "ticklabeloverflow": "allow",
            },
            yaxis={
                "automargin": False,
                "ticklabeloverflow": "allow",
                "range": [-0.5, rows - 0.15],
                "tickvals": list(range(rows)),
                "ticktext": [NAMES[name] for name in clouds.risks],
                "showgrid": False,
            },
            margin={"l": 128, "r": 20, "t": 12, "b": 44},
        ),
    }


@dataclass(frozen=True)
class Curve:
    """Mean true and estimated risk over sampling fractions."""

    points: tuple[CurvePoint, ...]

    @property
    def summary(self) -> str:
        """What the chart says, in words."""
        told = []
        for point in self.points:
            estimates = ", ".join(f"{NAMES[name]} {mean:.4f}" for name, (mean, _) in point.estimates.items())
            told.append(f"{point.fraction:.0%}: true {point.truth:.4f}, {estimates}.")
        return " ".join(told) or "No fraction is computed yet."

    def to_frame(self) -> pd.DataFrame:
        """Return the numbers as a table, a line a fraction."""
        import pandas as pd

        return pd.DataFrame(
            [
                {"fraction": point.fraction, "true risk": point.truth}
                | {
                    key: value
                    for name, (mean, error) in point.estimates.items()
                    for key, value in ((NAMES[name], mean), (f"{NAMES[name]}, error", error))
                }
                for point in self.points
            ]
        )


def prepare_curve(result: SampleLab) -> Curve:
    """Return the curve of a result."""
    return Curve(result.curve)


@figure
def draw_curve(curve: Curve) -> Plain:
    """Return the true risk as a line, and each model's mean with two standard errors."""
    fractions = [point.fraction for point in curve.points]
    traces: list[dict[str, object]] = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": "true risk",
            "x": fractions,
            "y": [round(point.truth, 5) for point in curve.points],
            "line": {"color": INK, "width": 2, "dash": "dash"},
            "marker": {"color": INK, "size": 6},
            "hovertemplate": "n/N = %{x}<br>true R₂ = %{y:.4f}<extra></extra>",
        }
    ]
    for name, (colour, mark) in LOOKS.items():
        some = [point for point in curve.points if name in point.estimates]
        if some:
            traces.append(
                {
                    "type": "scatter",
                    "mode": "lines+markers",
                    "name": NAMES[name],
                    "x": [point.fraction for point in some],
                    "y": [round(point.estimates[name][0], 5) for point in some],
                    "error_y": {
                        "type": "data",
                        "array": [round(2 * point.estimates[name][1], 5) for point in some],
                        "color": colour,
                    },
                    "line": {"color": colour, "width": 2},
                    "marker": {"color": colour, "size": 9, "symbol": mark},
                    "hovertemplate": f"{NAMES[name]}<br>n/N = %{{x}}<br>mean R₂ = %{{y:.4f}}<extra></extra>",
                }
            )
    ticks = [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75]
    return {
        "data": traces,
        "layout": layout(
            300,
            xaxis={
                "type": "log",
                "title": {"text": "sampling fraction n/N"},
                "tickvals": ticks,
                "ticktext": [f"{x:g}" for x in ticks],
                "range": [float(np.log10(0.017)), float(np.log10(0.9))],
            },
            yaxis={"title": {"text": "mean R₂"}},
            **LEGEND,
            margin={"l": 54, "r": 12, "t": 30, "b": 44},
        ),
    }
