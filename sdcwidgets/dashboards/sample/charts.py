"""Charts of the page Sample: estimated risks, risk by sampling fraction, the Pólya urn, and new cells of two urns."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.dashboards.sample.result import (
    LARGEST_SIZE,
    SecondTermErrors,
    SizeModel,
    cell_size_models,
    second_term_errors,
)
from sdcwidgets.plots import marks
from sdcwidgets.plots.marks import Plotted
from sdcwidgets.plots.style import ACCENT, COLOURS, INK, MUTE, Plain, figure, literal

if TYPE_CHECKING:
    from sdcwidgets.dashboards.sample.result import CurvePoint, SampleResult


#: Labels of the models, with colours and marks, so that colour is not the only difference.
NAMES = {"log-linear": "Log-linear model", "urn": "Pólya urn"}
LOOKS = {"log-linear": (COLOURS[0], "circle"), "urn": (COLOURS[1], "diamond")}

#: Maximum number of dots of a cloud; more dots overlap and slow down the browser.
MOST_DOTS = 150


def prepare_clouds(result: SampleResult) -> Plotted[SampleResult]:
    """Return the risk of the sample for estimated populations by model, and the true risk if it is known."""
    sentences, lines = list[str](), list[dict[str, object]]()
    for name, cloud in result.clouds.items():
        risk, populations, (low, high) = cloud.risk, cloud.risk.r2.size, cloud.risk.interval()
        sentences.append(
            f"{NAMES[name]}: mean risk {risk.mean:.4f} of {populations:,} simulated populations; 95 % of the risks are "
            f"from {low:.4f} to {high:.4f}."
        )
        line = {"model": NAMES[name], "populations": populations, "mean": risk.mean}
        lines.append(line | {"st. dev.": risk.spread, "2.5 %": low, "97.5 %": high})
    if result.truth is not None:
        sentences.append(f"True risk {result.truth:.4f}.")
        lines.append({"model": "true risk", "populations": 1, "mean": result.truth})
    return Plotted(result, " ".join(sentences), lines)


@figure
def draw_clouds(picture: Plotted[SampleResult]) -> Plain:
    """Return the figure: a row of dots per model with its mean and middle 95 %, and a line at the true risk.

    Labels are texts of points, and margins are fixed, because plotly.js is slow with annotations, shapes and measured
    margins, and this chart follows a slider.
    """
    traces: list[Plain] = []
    above: Plain = {"at": "top center", "cliponaxis": False}
    clouds, truth = picture.of.clouds, picture.of.truth
    for row, (name, cloud) in enumerate(clouds.items()):
        colour, mark = LOOKS[name]
        risks = cloud.risk.r2[:MOST_DOTS]
        # Multiples of the golden ratio spread dots evenly without randomness, so only changed dots move.
        spread = row - 0.05 + 0.5 * ((np.arange(risks.size) * 0.6180339887) % 1 - 0.5)
        ends, mean = marks.numbers(cloud.risk.interval(), 5), cloud.risk.mean
        dot: Plain = {"marker": {"opacity": 0.45}, "hover": f"{NAMES[name]}<br>risk: %{{x:.4f}}"}
        ring: Plain = {
            "edge": (INK, 1.5),
            "text": [f"{mean:.4f}"],
            "hover": f"{NAMES[name]}<br>mean risk: %{{x:.4f}}",
        }
        traces += [
            marks.dots(risks.round(5), spread.round(3), colour, 5, mark, **dot),
            marks.line(ends, [row + 0.28] * 2, colour, 3, hover="middle 95 %: %{x:.4f}"),
            marks.dots([round(mean, 5)], [row + 0.28], colour, 13, mark, **ring, **above),
        ]
    rows = len(clouds)
    if truth is not None:
        text = ["", f"true risk {truth:.4f}"]
        ends = [-0.45, rows - 0.35]
        traces.append(marks.line([truth] * 2, ends, INK, 2, "dash", text=text, **above))
    margins = {"automargin": False}
    models = {"tickvals": list(range(rows)), "ticktext": [NAMES[name] for name in clouds]}
    return marks.plot(
        traces,
        120 + 90 * rows,
        xaxis=margins | {"title": "disclosure risk of the sample, from 0 to 1"},
        yaxis=margins | models | {"range": [-0.5, rows - 0.15], "showgrid": False},
        margin={"l": 128, "r": 20, "t": 12, "b": 44},
    )


def prepare_errors(result: SampleResult) -> Plotted[dict[str, SecondTermErrors]]:
    """Return the errors of the second term by model, with the parts of the bound (6.3.6)."""
    errors = second_term_errors(result)
    sentences, lines = list[str](), list[dict[str, object]]()
    for name, error in errors.items():
        sentences.append(
            f"{NAMES[name]}: the mean error of the second term is {error.actual:.4f}. The bound (6.3.6) is "
            f"{error.bound:.4f}, with {error.of_entropy:.4f} for the error of H(X), {error.of_remaining:.4f} for the "
            f"error of H(X|Y), and {error.of_both:.4f} for its second part."
        )
        line: dict[str, object] = {"model": NAMES[name], "actual error": error.actual, "bound": error.bound}
        line |= {"error of H(X)": error.of_entropy, "error of H(X|Y)": error.of_remaining}
        lines.append(line | {"second part": error.of_both, "share within the bound": error.within})
    return Plotted(errors, " ".join(sentences), lines)


@figure
def draw_errors(picture: Plotted[dict[str, SecondTermErrors]]) -> Plain:
    """Return the figure: the parts of the bound as a stacked bar per model, and the actual error as a point."""
    errors = list(picture.of.values())
    positions = list(range(len(errors)))
    parts = {
        "error of the original uncertainty": [error.of_entropy for error in errors],
        "error of the remaining uncertainty": [error.of_remaining for error in errors],
        "second part of the bound": [error.of_both for error in errors],
    }
    traces = []
    for k, (name, lengths) in enumerate(parts.items()):
        hover = f"{name}: %{{x:.4f}}"
        traces.append(
            marks.bars(marks.numbers(lengths, 5), positions, COLOURS[k], across=True, name=name, hover=hover)
        )
    actual = marks.numbers([error.actual for error in errors], 5)
    hover = "actual error of the second term: %{x:.4f}"
    traces.append(
        marks.dots(actual, positions, INK, 12, "diamond", name="actual error of the second term", hover=hover)
    )
    return marks.plot(
        traces,
        150 + 60 * len(errors),
        barmode="stack",
        legend=True,
        xaxis={"title": "mean absolute error, and its bound (6.3.6)", "rangemode": "tozero"},
        yaxis={"tickvals": positions, "ticktext": [NAMES[name] for name in picture.of]},
        margin={"l": 128, "r": 20, "t": 60, "b": 44},
    )


#: Colours of the models of cell sizes.
SIZE_COLOURS = {
    "population": INK,
    "negative binomial": COLOURS[0],
    "Poisson mixture": COLOURS[1],
    "log-normal": COLOURS[2],
}


def prepare_sizes(result: SampleResult) -> Plotted[dict[str, SizeModel]]:
    """Return the estimated numbers of cells by size, and the numbers in the population if it is known."""
    models = cell_size_models(result)
    columns: dict[str, object] = {"count of the cell": list(range(LARGEST_SIZE + 1))}
    columns |= {name: model.cells for name, model in models.items()}
    sentences = []
    for name, model in models.items():
        decimals = 0 if name == "population" else 1  # the population has whole numbers, not estimates
        numbers = (f"{number:.{decimals}f}" for number in model.cells[:2])
        empty, ones = (f"{text} {'cell' if text == '1' else 'cells'}" for text in numbers)
        sentences.append(f"{name.capitalize()}: {empty} with the count 0, {ones} with the count 1.")
    return Plotted(models, " ".join(sentences), columns)


@figure
def draw_sizes(picture: Plotted[dict[str, SizeModel]]) -> Plain:
    """Return the figure: for each cell size, one bar per model with the number of cells."""
    sizes = list(range(LARGEST_SIZE + 1))
    traces = [
        marks.bars(
            sizes,
            marks.numbers(model.cells, 4),
            SIZE_COLOURS[name],
            name=name,
            hover=f"{name}<br>count %{{x}}: %{{y:,.1f}} cells",
        )
        for name, model in picture.of.items()
    ]
    return marks.plot(
        traces,
        300,
        barmode="group",
        legend=True,
        xaxis={"title": "count of a cell", "tickvals": sizes},
        yaxis={"title": "number of cells", "rangemode": "tozero"},
    )


def prepare_curve(result: SampleResult) -> Plotted[tuple[CurvePoint, ...]]:
    """Return the mean true and estimated risks by sampling fraction."""
    sentences, lines = list[str](), list[dict[str, float]]()
    for point in result.curve:
        line = {"fraction": point.fraction, "true risk": point.truth}
        for name, (mean, error) in point.estimates.items():
            line |= {NAMES[name]: mean, f"{NAMES[name]}, error": error}
        means = (f"{NAMES[name]} {mean:.4f}" for name, (mean, _) in point.estimates.items())
        sentences.append(f"{point.fraction:.0%}: true {point.truth:.4f}, {', '.join(means)}.")
        lines.append(line)
    return Plotted(
        result.curve,
        " ".join(sentences) or "No sampling fraction has an estimated risk yet.",
        lines,
    )


@figure
def draw_curve(picture: Plotted[tuple[CurvePoint, ...]]) -> Plain:
    """Return the figure: the true risk as a line, and the mean of each model with two standard errors."""
    fractions, truth = [point.fraction for point in picture.of], [point.truth for point in picture.of]
    look: Plain = {"name": "true risk", "marker": {"color": INK, "size": 6}}
    look["hover"] = "sampling fraction %{x}<br>true risk: %{y:.4f}"
    traces = [marks.line(fractions, marks.numbers(truth, 5), INK, 2, "dash", **look)]
    for name, (colour, mark) in LOOKS.items():
        some = [point for point in picture.of if name in point.estimates]
        if some:
            means, errors = zip(*(point.estimates[name] for point in some), strict=True)
            twice = marks.numbers((2 * error for error in errors), 5)
            look = {"name": NAMES[name], "marker": {"color": colour, "size": 9, "symbol": mark}}
            look["error_y"] = {"type": "data", "array": twice, "color": colour}
            look["hover"] = f"{NAMES[name]}<br>sampling fraction %{{x}}<br>mean risk: %{{y:.4f}}"
            x = [point.fraction for point in some]
            traces.append(marks.line(x, marks.numbers(means, 5), colour, **look))
    ticks = [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75]
    ends = [float(np.log10(0.017)), float(np.log10(0.9))]
    across = {
        "type": "log",
        "tickvals": ticks,
        "ticktext": [f"{tick:g}" for tick in ticks],
        "range": ends,
    }
    return marks.plot(
        traces,
        300,
        xaxis=across | {"title": "sampling fraction"},
        yaxis={"title": "mean disclosure risk"},
        legend=True,
        margin={"l": 54, "r": 12, "t": 30, "b": 44},
    )


#: Colours of the balls by cell; black is reserved for black balls.
FILLS = ("#4a9fd8", "#f08c42", "#34c79b", "#c48ad6", "#e6c229", "#e07a7a", "#8fb35c", "#9aa7b4")

#: Label of balls of cells that are empty in the sample.
NEW = "ball of a new cell"

#: A thin ring makes black balls visible on a dark page.
BLACK = "#000000"


class Urn(NamedTuple):
    """Balls of the urn: the cell of each, or −1 for a black one; balls of the sample come first."""

    cells: NDArray[np.int64]
    sampled: int
    black: float
    new: frozenset[int]
    names: tuple[str, ...]

    @property
    def summary(self) -> str:
        """Summary of the chart in one sentence."""
        drawn, new = int((self.cells >= 0).sum()) - self.sampled, len(self.new)
        cells = (
            "cell that is empty in the sample has" if new == 1 else "cells that are empty in the sample have"
        )
        return (
            f"The urn has {self.sampled:,} balls of the sample, {drawn:,} ball{'s' * (drawn != 1)} added and "
            f"{self.black:.2f} black balls; {new} {cells} balls."
        )

    def to_frame(self) -> marks.Frame:
        """Return the number of balls of each cell, in descending order."""
        cells, counts = np.unique(self.cells[self.cells >= 0], return_counts=True)
        order = np.argsort(-counts, kind="stable")
        order_of_cells = cells[order].tolist()
        new = ["yes" if k in self.new else "" for k in order_of_cells]
        names = [self.names[k] for k in order_of_cells]
        columns = {"cell": [*names, "black"], "balls": [*counts[order], self.black], "new": [*new, ""]}
        return marks.frame(columns)


def prepare_urn(result: SampleResult) -> Urn:
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
    """Return the figure: balls stacked in an urn; balls of new cells have a ring."""
    count = len(urn.cells)
    wide = max(12, int(np.ceil(np.sqrt(2.2 * count))))
    position = np.arange(count)
    y = position // wide
    x = position % wide + 0.5 * (y % 2)
    high = max(4, int(np.ceil(count / wide)) + 1)
    black, is_new = urn.cells < 0, np.isin(urn.cells, list(urn.new))
    size = float(np.clip(420 / wide, 3, 13))
    traces: list[Plain] = []
    looks: list[tuple[str, NDArray[np.bool_], Plain]] = [
        ("a black ball", black, {"edge": (MUTE, 1)}),
        ("ball of the sample", ~black & ~is_new, {}),
        (NEW, is_new, {"edge": (INK, 1.5), "symbol": "star"}),
    ]
    for name, some, look in looks:
        cells = urn.cells[some].tolist()
        colour = BLACK if some is black else [FILLS[k % len(FILLS)] for k in cells]
        look |= {"text": [literal(urn.names[k]) if k >= 0 else "black" for k in cells], "hover": "%{text}"}
        look |= {"name": name, "showlegend": some is black}
        traces.append(marks.dots(x[some], y[some], colour, size * (1.35 if some is is_new else 1), **look))
    traces += [_named("balls of the sample, one colour per cell", "circle"), _named(NEW, "star")]
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
    """Return a legend entry for balls of many colours: their mark without a fill."""
    return marks.dots([None], [None], "rgba(0,0,0,0)", 10, symbol, name=name, edge=(INK, 1.5))


#: Columns of the data behind the comparison of the two urns.
NEW_CELLS = ("new cells", "fast urn", "ball by ball")


def prepare_new_cells(result: SampleResult) -> Plotted[None]:
    """Return the distributions of the number of new cells for the fast urn and the urn drawn ball by ball."""
    if result.new_cells is None:
        return Plotted(
            None,
            "The fast urn and the urn drawn ball by ball are not compared yet.",
            {name: [0] for name in NEW_CELLS},
        )
    most = max(int(replicates.max()) for replicates in result.new_cells)
    least = min(int(replicates.min()) for replicates in result.new_cells)
    counts = [np.bincount(replicates, minlength=most + 1)[least:] for replicates in result.new_cells]
    fast, balls = (float(replicates.mean()) for replicates in result.new_cells)
    summary = (
        f"In {len(result.new_cells[0]):,} populations of each, the fast urn fills {fast:.1f} new cells on average, and "
        f"the urn drawn ball by ball fills {balls:.1f}."
    )
    return Plotted(None, summary, dict(zip(NEW_CELLS, (np.arange(least, most + 1), *counts), strict=True)))


@figure
def draw_new_cells(picture: Plotted[None]) -> Plain:
    """Return the figure: two bars per number of new cells."""
    numbers, *counts = picture.numbers.values()
    traces, looks = [], ((COLOURS[1], ""), (ACCENT, "/"))
    for name, values, (colour, shape) in zip(NEW_CELLS[1:], counts, looks, strict=True):
        hover = f"{name}<br>%{{x}} new cells: %{{y}} populations"
        look = {"pattern": {"shape": shape}}
        traces.append(marks.bars(numbers, values, colour, name=name, marker=look, hover=hover))
    return marks.plot(
        traces,
        240,
        barmode="group",
        xaxis={"title": "number of cells that are empty in the sample and filled by the urn"},
        yaxis={"title": "populations"},
        legend=True,
    )
