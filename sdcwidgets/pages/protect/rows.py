"""The measures of a protected table in words: a row for each, of the draw that is shown and its mean over the draws."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdcwidgets.lines import Line, said
from sdcwidgets.measures import Measure
from sdcwidgets.measures.risk import R1
from sdcwidgets.pages.protect.state import Protected
from sdcwidgets.replications import Estimate
from sdcwidgets.words import MeasureRow, explain

#: A standard error below this is not shown.
LEAST_ERROR = 1e-6


#: What measures are about, by their direction.
GROUPS = {"risk": "Risk", "protection": "Risk", "loss": "Information lost", "utility": "Utility"}


def grouped(result: Protected) -> tuple[dict[str, list[MeasureRow]], list[MeasureRow]]:
    """Return every measure of the whole table by what it is about, and apart those that have nothing to count."""
    first, *others = rows(result)
    groups = {name: list[MeasureRow]() for name in GROUPS.values()}
    groups["Risk"].append(first)
    empty: list[MeasureRow] = []
    for measure, row in zip(result.measures, others, strict=True):
        nothing = np.isnan(result.of_shown(measure))
        (empty if nothing else groups[GROUPS[measure.direction]]).append(row)
    return groups, empty


def rows(result: Protected, only: Sequence[str] = ()) -> list[MeasureRow]:
    """Return every measure of the whole table, or those of these names: of the shown draw, and its mean."""
    before = result.before
    if only:
        named = {one.name: one for one in result.measures}
        chosen = [result.risk_measure, result.loss_measure, *(named[name] for name in only if name in named)]
        return [_row(result, one, strong=one == result.risk_measure) for one in dict.fromkeys(chosen)]
    found = [
        MeasureRow(
            R1.label + ", " + R1.symbol,
            f"{before.whole.r1[0]:.4f}",
            "",
            lambda: explain(before, before.whole),
        )
    ]
    return found + [_row(result, one, strong=one == result.risk_measure) for one in result.measures]


def explained(result: Protected, measure: Measure) -> list[Line]:
    """Return how a measure of the shown draw comes about, and that there are more draws."""
    told = measure.explain(result.shown)
    mean = result.after.whole.estimates.get(measure)
    return told if mean is None else [*told, *said(_mean_of(result, measure, mean))]


def _mean_of(result: Protected, measure: Measure, estimate: Estimate) -> str:
    if result.after.method.deterministic:
        return "Nothing is left to chance: every draw is the same."
    if result.after.size == 1:
        return "There is one draw; with more, the mean follows here."
    mean, error = float(estimate.mean.flat[0]), float(estimate.error.flat[0])
    if np.isnan(mean):
        return f"In {result.after.size:,} draws: {measure.nothing}."
    spread = f", standard error {_short(error)}" if _varies(error) else ""
    return f"Mean over {result.after.size:,} draws: {mean:.4f}{spread}."


def _row(result: Protected, measure: Measure, *, strong: bool) -> MeasureRow:
    shown, spread, average = measure.told(result.of_shown(measure)), "", "…"
    if (estimate := result.after.whole.estimates.get(measure)) is not None:
        mean, error = float(estimate.mean.flat[0]), float(estimate.error.flat[0])
        spread, average = (
            _short(error) if _varies(error) else "",
            "–" if np.isnan(mean) else measure.told(mean),
        )
    return MeasureRow(measure.title, shown, spread, lambda: explained(result, measure), strong, average)


def _varies(error: float) -> bool:
    """Return whether a standard error can be seen in numbers of four digits; less may be rounding only."""
    return error >= LEAST_ERROR


def _short(error: float) -> str:
    """Return one digit that matters, without an exponent."""
    return np.format_float_positional(float(f"{error:.1g}"), trim="-")
