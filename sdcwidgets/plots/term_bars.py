"""Stacked bars of the three weighted terms of the risk, one bar per slice and one for the table."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.assessment.assessment import TERMS, Assessment, Slices
from sdcwidgets.assessment.replications import replicate
from sdcwidgets.measures import Measure
from sdcwidgets.measures.risk import R2Star, ResidualTerm
from sdcwidgets.plots import marks
from sdcwidgets.plots.style import COLOURS, INK, MOST_SLICES, Plain, figure, literal, slice_axis


@dataclass(frozen=True)
class ResidualBars:
    """Bars after protection, in the order of those before.

    Attributes
    ----------
    heights : ndarray, shape (bars, 3)
        Means of the weighted terms of R2 over the replicates. They measure what data users still know about the
        original counts, and are not the terms of the protected table.
    r2_star : ndarray, shape (bars,)
        Mean unweighted residual risk.
    """

    heights: NDArray[np.float64]
    r2_star: NDArray[np.float64]


@dataclass(frozen=True)
class Bars:
    """Data of the chart.

    Attributes
    ----------
    kind : str
        Name of the axis whose slices are the bars.
    labels : tuple of str
        One label per bar; the last is the whole table.
    heights : ndarray, shape (bars, 3)
        Weighted terms; their sum is R1.
    r1, r1_star : ndarray, shape (bars,)
    positions : tuple of int
        Index of the slice of each bar, without the whole table.
    omitted : int
        Number of slices that are not shown; their risk is lower than that of the shown slices.
    after : ResidualBars, optional
        Bars after protection; None for the bars before protection only.
    """

    kind: str
    labels: tuple[str, ...]
    heights: NDArray[np.float64]
    r1: NDArray[np.float64]
    r1_star: NDArray[np.float64]
    positions: tuple[int, ...]
    omitted: int
    after: ResidualBars | None = None

    @property
    def summary(self) -> str:
        """Summary of the chart in words."""
        whole = f"The table's risk is {self.r1[-1]:.4f}, weight-free {self.r1_star[-1]:.4f}."
        parts = self.r1[:-1]
        if len(parts) == 0 or np.isnan(parts).all():
            return whole
        high, low = int(np.nanargmax(parts)), int(np.nanargmin(parts))
        highest = f"Highest: {self.labels[high]} {parts[high]:.3f}"
        lowest = f"lowest: {self.labels[low]} {parts[low]:.3f}"
        selection = ""
        if self.omitted:
            selection = f" The {len(parts)} highest of {len(parts) + self.omitted} are shown."
        return f"{highest}; {lowest}. {whole}{selection}"

    def to_frame(self) -> marks.Frame:
        """Return the data, one row per bar."""
        columns = {self.kind: self.labels} | {
            f"{name}, weighted": self.heights[:, k] for k, name in enumerate(TERMS)
        }
        return marks.frame(columns | {"risk": self.r1, "weight-free risk": self.r1_star})


def prepare(assessment: Assessment, part: Slices | None) -> Bars:
    """Return the bars of the slices along one axis; with None, of the whole table only."""
    weights = np.asarray(assessment.settings.weights)
    whole = assessment.whole_slice
    if part is None:
        return Bars("Table", whole.labels, whole.terms * weights, whole.r1, whole.r1_star, (), 0)
    riskiest = part.riskiest(MOST_SLICES)
    return Bars(
        kind=part.name,
        labels=(*(part.labels[i] for i in riskiest), "Table"),
        heights=np.concatenate([part.terms[riskiest], whole.terms]) * weights,
        r1=np.concatenate([part.r1[riskiest], whole.r1]),
        r1_star=np.concatenate([part.r1_star[riskiest], whole.r1_star]),
        positions=tuple(riskiest.tolist()),
        omitted=len(part) - len(riskiest),
    )


def with_residual(bars: Bars, assessment: Assessment, part: Slices | None) -> Bars:
    """Return the bars with the terms of R2, from the replicates of the assessment.

    Parameters
    ----------
    bars : Bars
        Result of `prepare`.
    assessment : Assessment
        An assessment with a method.
    part : Slices or None
        The slices of the bars; None for the whole table only.

    Returns
    -------
    Bars
    """
    settings, method = assessment.settings, assessment.after.method
    shared = {name: getattr(settings, name) for name in ("weights", "third", "epsilon", "variant")}
    terms = [ResidualTerm(position=k, **shared) for k in range(len(TERMS))]
    star = R2Star.lines(assessment.table, settings)[0]
    # The same seed gives the replicates of the assessment.
    after = replicate(assessment.table, method, settings, [*terms, star])

    def means(measure: Measure) -> NDArray[np.float64]:
        whole = after.whole_slice[measure].mean
        if part is None:
            return whole
        return np.append(after.slices[part.name][measure].mean[list(bars.positions)], whole)

    heights = np.stack([means(term) for term in terms], axis=1)
    return replace(bars, after=ResidualBars(heights, means(star)))


def _traces_after(after: ResidualBars, positions: list[float], labels: Plain) -> list[Plain]:
    """Return hatched bars, and the unweighted residual risk of each as a filled diamond."""
    traces, heights = [], np.nan_to_num(after.heights).round(6)
    for k, name in enumerate(TERMS):
        hover = f"%{{customdata}}<br>{name}, still known after protection: %{{y:.4f}}"
        trace = marks.bars(
            positions,
            heights[:, k],
            COLOURS[k],
            name=f"{name}, still known",
            width=0.34,
            hover=hover,
            **labels,
        )
        trace["marker"] = {"color": COLOURS[k], "pattern": {"shape": "/", "size": 6}}
        traces.append(trace)
    look: Plain = {"name": "weight-free residual risk", "hover": "%{customdata}<br>%{y:.4f}"}
    traces.append(marks.dots(positions, marks.numbers(after.r2_star), INK, 9, "diamond", **look, **labels))
    return traces


@figure
def draw(picture: Bars) -> Plain:
    """Return the figure: stacked bars, and the unweighted risk of each as a diamond."""
    # The axis uses positions, because two labels may be equal after shortening.
    positions: list[float] = list(range(len(picture.labels)))
    if len(positions) > 1:
        positions[-1] += 0.6
    labels: Plain = {"customdata": [literal(label) for label in picture.labels]}
    ticks, width = positions, 0.68
    if picture.after is not None:
        positions, width = [position - 0.18 for position in ticks], 0.34
    traces, heights = [], np.nan_to_num(picture.heights).round(6)
    for k, name in enumerate(TERMS):
        hover = f"%{{customdata}}<br>{name}: %{{y:.4f}}"
        traces.append(
            marks.bars(positions, heights[:, k], COLOURS[k], name=name, width=width, hover=hover, **labels)
        )
    look: Plain = {"name": "weight-free risk", "marker": {"line": {"width": 1.5}}}
    look["hover"] = "%{customdata}<br>weight-free risk: %{y:.4f}"
    traces.append(
        marks.dots(positions, marks.numbers(picture.r1_star), INK, 9, "diamond-open", **look, **labels)
    )
    if picture.after is not None:
        traces += _traces_after(picture.after, [position + 0.18 for position in ticks], labels)
    return marks.plot(
        traces,
        300 if len(ticks) < 15 else 350,
        barmode="stack",
        xaxis=slice_axis(ticks, picture.labels),
        yaxis={"rangemode": "tozero", "title": "risk, 0 to 1"},
        legend={"traceorder": "normal"},
        margin={"l": 54, "r": 8, "t": 34, "b": 40},
    )
