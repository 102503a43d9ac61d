"""The sample lab drawn: clouds of estimated risks, and risk over sampling fractions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets.plots import marks
from sdcwidgets.plots.marks import Picture
from sdcwidgets.plots.style import COLOURS, INK, Plain, figure

if TYPE_CHECKING:
    from sdcwidgets.pages.sample.result import CurvePoint, SampleLab


#: What the models are called, and their colours and marks: never colour alone.
NAMES = {"log-linear": "Log-linear model", "urn": "Pólya urn"}
LOOKS = {"log-linear": (COLOURS[0], "circle"), "urn": (COLOURS[1], "diamond")}

#: So many dots of a cloud are drawn; more would hide each other, and each takes the browser its time.
MOST_DOTS = 150


def prepare_clouds(result: SampleLab) -> Picture[SampleLab]:
    """Return the risk of the sample under estimated populations, by model, and the true risk where it is known."""
    told, lines = list[str](), list[dict[str, object]]()
    for name, cloud in result.clouds.items():
        risk, populations, (low, high) = cloud.risk, cloud.risk.r2.size, cloud.risk.interval()
        middle = f"middle 95 % from {low:.4f} to {high:.4f}"
        told.append(f"{NAMES[name]}: mean {risk.mean:.4f}, {middle}, {populations:,} populations.")
        line = {"model": NAMES[name], "populations": populations, "mean": risk.mean}
        lines.append(line | {"st. dev.": risk.spread, "2.5 %": low, "97.5 %": high})
    if result.truth is not None:
        told.append(f"True risk {result.truth:.4f}.")
        lines.append({"model": "true risk", "populations": 1, "mean": result.truth})
    return Picture(result, " ".join(told), lines)


@figure
def draw_clouds(picture: Picture[SampleLab]) -> Plain:
    """Return a row of dots for each model, its mean and middle 95 %, and a line at the true risk.

    Words stand at points, and the room for the names is given: plotly.js takes as long for notes, lines of its own and
    margins that it measures as for all dots, and this chart follows a slider.
    """
    traces: list[Plain] = []
    above: Plain = {"at": "top center", "cliponaxis": False}
    clouds, truth = picture.of.clouds, picture.of.truth
    for row, (name, cloud) in enumerate(clouds.items()):
        colour, mark = LOOKS[name]
        shown = cloud.risk.r2[:MOST_DOTS]
        # A golden ratio's multiples spread dots evenly without chance, so that nothing moves but what changed.
        spread = row - 0.05 + 0.5 * ((np.arange(shown.size) * 0.6180339887) % 1 - 0.5)
        ends, mean = marks.numbers(cloud.risk.interval(), 5), cloud.risk.mean
        dot: Plain = {"marker": {"opacity": 0.45}, "hover": f"{NAMES[name]}<br>R₂ = %{{x:.4f}}"}
        ring: Plain = {
            "edge": (INK, 1.5),
            "text": [f"{mean:.4f}"],
            "hover": f"{NAMES[name]}<br>mean R₂ = %{{x:.4f}}",
        }
        traces += [
            marks.dots(shown.round(5), spread.round(3), colour, 5, mark, **dot),
            marks.line(ends, [row + 0.28] * 2, colour, 3, hover="middle 95 %: %{x:.4f}"),
            marks.dots([round(mean, 5)], [row + 0.28], colour, 13, mark, **ring, **above),
        ]
    rows = len(clouds)
    if truth is not None:
        text = ["", f"true R₂ {truth:.4f}"]
        ends = [-0.45, rows - 0.35]
        traces.append(marks.line([truth] * 2, ends, INK, 2, "dash", text=text, **above))
    given = {"automargin": False}
    models = {"tickvals": list(range(rows)), "ticktext": [NAMES[name] for name in clouds]}
    return marks.plot(
        traces,
        120 + 90 * rows,
        xaxis=given | {"title": "risk of the sample, R₂"},
        yaxis=given | models | {"range": [-0.5, rows - 0.15], "showgrid": False},
        margin={"l": 128, "r": 20, "t": 12, "b": 44},
    )


def prepare_curve(result: SampleLab) -> Picture[tuple[CurvePoint, ...]]:
    """Return mean true and estimated risk over sampling fractions."""
    told, lines = list[str](), list[dict[str, float]]()
    for point in result.curve:
        line = {"fraction": point.fraction, "true risk": point.truth}
        for name, (mean, error) in point.estimates.items():
            line |= {NAMES[name]: mean, f"{NAMES[name]}, error": error}
        means = (f"{NAMES[name]} {mean:.4f}" for name, (mean, _) in point.estimates.items())
        told.append(f"{point.fraction:.0%}: true {point.truth:.4f}, {', '.join(means)}.")
        lines.append(line)
    return Picture(result.curve, " ".join(told) or "No fraction is computed yet.", lines)


@figure
def draw_curve(picture: Picture[tuple[CurvePoint, ...]]) -> Plain:
    """Return the true risk as a line, and each model's mean with two standard errors."""
    fractions, truth = [point.fraction for point in picture.of], [point.truth for point in picture.of]
    look: Plain = {"name": "true risk", "marker": {"color": INK, "size": 6}}
    look["hover"] = "n/N = %{x}<br>true R₂ = %{y:.4f}"
    traces = [marks.line(fractions, marks.numbers(truth, 5), INK, 2, "dash", **look)]
    for name, (colour, mark) in LOOKS.items():
        some = [point for point in picture.of if name in point.estimates]
        if some:
            means, errors = zip(*(point.estimates[name] for point in some), strict=True)
            twice = marks.numbers((2 * error for error in errors), 5)
            look = {"name": NAMES[name], "marker": {"color": colour, "size": 9, "symbol": mark}}
            look["error_y"] = {"type": "data", "array": twice, "color": colour}
            look["hover"] = f"{NAMES[name]}<br>n/N = %{{x}}<br>mean R₂ = %{{y:.4f}}"
            x = [point.fraction for point in some]
            traces.append(marks.line(x, marks.numbers(means, 5), colour, **look))
    ticks = [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75]
    across = {"type": "log", "tickvals": ticks, "ticktext": [f"{x:g}" for x in ticks]}
    across["range"] = [float(np.log10(0.017)), float(np.log10(0.9))]
    return marks.plot(
        traces,
        300,
        xaxis=across | {"title": "sampling fraction n/N"},
        yaxis={"title": "mean R₂"},
        legend=True,
        margin={"l": 54, "r": 12, "t": 30, "b": 44},
    )
