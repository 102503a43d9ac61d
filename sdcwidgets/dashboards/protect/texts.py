"""What protection did to a table, in words: each number with its formula, the decision, and why two formulas differ."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.labels import quoted
from sdcwidgets._util.lines import Line, Piece, text_lines
from sdcwidgets.assessment.replications import Estimate
from sdcwidgets.assessment.search import STEPS
from sdcwidgets.dashboards.as_code import arguments, imports, options, script
from sdcwidgets.dashboards.protect.result import ProtectResult
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.measures import Measure
from sdcwidgets.measures.risk import R1
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.texts import MeasureRow, explain, people

if TYPE_CHECKING:
    import pandas as pd

#: A standard error below this is not shown.
LEAST_ERROR = 1e-6

#: What is said of the table and of the figures where the original table is proposed.
ORIGINAL = (
    "The original table is shown and saved. The figures here are of the method, which is not applied; "
    "to apply it, tick “Protect the table anyway”."
)

#: What measures are about, by their direction.
GROUPS = {"risk": "Risk", "protection": "Risk", "loss": "Information lost", "utility": "Utility"}


def replicate_summary(result: ProtectResult) -> str:
    """Return which draw is shown, the means over all of them, and how many keep the limits."""
    if result.after.method.deterministic:
        return "Nothing is left to chance: every draw is the same."
    risk, loss, limits = result.risk_measure, result.loss_measure, result.state.limits
    so_far = "" if result.run.done else " so far"
    risk_text, loss_text = risk.format_value(result.risk), loss.format_value(result.loss)
    means = f"{risk.format_value(result.mean_risk)}, {loss.format_value(result.mean_loss)}"
    sentences = f"Draw {result.index + 1} of {result.run.wanted:,}: risk left {risk_text}, lost {loss_text}. "
    sentences += f"Mean of {result.after.size:,} draws{so_far}: {means}."
    if limits.risk is None and limits.loss is None:
        return sentences
    within_limits = np.ones(result.after.size, dtype=bool)
    for measure, limit in ((risk, limits.risk), (loss, limits.loss)):
        if limit is not None:
            within_limits &= measure.within(result.after.draws[measure], limit)
    keep = f"{int(within_limits.sum()):,} of {result.after.size:,} draws keep the limits"
    return f"{sentences} {keep}. Who picks a draw because it passes changes what the method promises."


def what_is_shown(
    release: Release,
    table: FrequencyTable,
    index: int,
    wanted: int,
    *,
    totals: bool = False,
    private_note: str = "",
    checked: bool = True,
) -> str:
    """Return what the marks of a published table mean, what was done to its cells, and what to beware of.

    `totals` says whether the table was read with totals, so that its files have some, too; `private_note` is what the
    method says of the draw to the one who protects;
    `checked` whether it is known what the gaps give away.

    >>> table = FrequencyTable([1, 5])
    >>> what_is_shown(Release.of(table), table, 0, 9)
    "Draw 1 of 9 is shown; it changes 0 of 2 cells, by 0 in all, of 6 people. The protected table's files hold what is \
published and nothing else."
    """
    hidden = release.hidden
    true = release.regroup(table)
    apart = np.abs(release.cells - true.counts)[~hidden]
    changed, by = int(np.count_nonzero(apart)), f"{round(float(apart.sum()), 4):,.15g}"
    draw = "Every draw is the same" if wanted == 1 else f"Draw {index + 1} of {wanted:,} is shown"
    merged = [
        f"{quoted(axis.name)} has {len(axis)} categories instead of {len(old)}"
        for axis, old in zip(true.axes, table.axes, strict=True)
        if len(axis) < len(old)
    ]
    sentences = [
        f"{draw}; it changes {changed:,} of {true.cells:,} cells, by {by} in all, of {people(table.total)}"
        f"{'; ' if merged else ''}{', '.join(merged)}.",
        "The protected table's files hold what is published and nothing else.",
    ]
    if hidden.any():
        gaps = f"{int(hidden.sum())} of {table.cells:,} cells are gaps; the measures"
        sentences.insert(0, f"Hatched, c: a gap. {gaps} fill each with the mean of all that is hidden.")
    if release.fraction < 1:
        sentences.append(f"{' '.join(release.notes)} Its files say so below the table.")
    if totals and release.plain:
        sentences.append("Their totals are the sums of what is published.")
    return " ".join([*sentences, *filter(None, [private_note]), *(release.cautions if checked else [])])


#: So many lines of a report of who moved are shown; a file has them all.
SHOWN_MOVES = 25


def moved(report: pd.DataFrame, title: str) -> list[Line]:
    """Return who moved in a draw and why, people of one cell with one fate in one line.

    >>> import pandas as pd
    >>> report = pd.DataFrame({"Area": ["A", "B"], "Sex": ["f", "m"], "to": ["B", "A"], "why": ["risk", "donor"]})
    >>> for line in moved(report.assign(alike=[1, 8]), "Draw 1"):
    ...     print(line[0].text)  # doctest: +ELLIPSIS
    Draw 1: 2 people exchange places in pairs: 1 at risk, 0 for the swap rate, 1 as partners who were not asked for. ...
    "A, f" to "B": 1 at risk (of 1 there)
    "B, m" to "A": 1 as partner (of 8 there)
    """
    number = report["why"].value_counts()
    risk, rate, donors, without_donor = (int(number.get(why, 0)) for why in FATES)
    summary = f"{title}: {risk + rate + donors:,} people exchange places in pairs: {risk:,} at risk, "
    summary += f"{rate:,} for the swap rate, {donors:,} as partners who were not asked for. "
    if without_donor:
        summary += f"For {without_donor:,} at risk no donor was left; they stay. "
    keys = [*report.columns[:-3], "to", "why", "alike"]
    groups = report.groupby(keys, sort=False).size().reset_index(name="people")
    groups = groups.sort_values("why", key=lambda column: column.map(list(FATES).index), kind="stable")
    lines = []
    for *labels, to, why, alike, moving in groups.head(SHOWN_MOVES).itertuples(index=False):
        there = "stays" if why == "no donor" else f"to {quoted(to)}"
        lines.append(f"{quoted(', '.join(labels))} {there}: {moving:,} {FATES[why]} (of {alike:,} there)")
    if (more := len(groups) - SHOWN_MOVES) > 0:
        lines.append(f"And {more:,} lines more; the file has every person.")
    return text_lines(f"{summary}Keep this list secret.", *lines)


#: Why somebody moved, in the order in which it is told.
FATES = {
    "risk": "at risk",
    "rate": "for the swap rate",
    "donor": "as partner",
    "no donor": "at risk, no donor left",
}


def _certain(result: ProtectResult) -> list[str]:
    """Return a sentence about slices whose people are all in one cell, where the ratio of R2 is 0/0."""
    parts = (result.before.whole, *result.before.slices.values())
    numbers = [
        (int(((part.people > 0) & (part.zeros == part.cells - 1)).sum()), part.name)
        for part in parts
        if part.cells > 1
    ]
    names = ", ".join(f"{number} of {name}" for number, name in numbers if number)
    if not names:
        return []
    return [
        f"All people are in one cell in {names}: there H(X) = 0, and the second term of R₂ is that of "
        "before while it is published as it is, and 0 once it is changed."
    ]


def steps(result: ProtectResult) -> list[Line]:
    """Return the 15 steps of a data protector, the one that is reached marked."""
    reached = result.deciding.step
    if not result.state.limits.decides:
        reached = 2
    words = (re.sub(" T[₁₂₃]", "", step) for step in STEPS)
    lines = text_lines(*(f"{number}. {step}" for number, step in enumerate(words, start=1)))
    lines[reached - 1] = [Piece(f"→ {lines[reached - 1][0].text}", "unevenness")]
    return lines


def why_two(result: ProtectResult) -> list[Line]:
    """Return why two formulas of R2 are in print, and what each of them claims."""
    whole = result.after.whole
    reveals, unknown = (float(whole.r2[name].mean[0]) for name in ("information", "uncertainty"))
    return text_lines(
        "Both begin with the unevenness before protection, 1 − H(X)/log K, and both use H(X|Y): what the intruder "
        "still does not know about a person after seeing the published table.",
        "Thesis (3.6.6): (1 − H(X)/log K) · (1 − H(X|Y)/H(X)). It counts what the table reveals: "
        f"R₂ = {reveals:.4f}.",
        "If nothing is changed, H(X|Y) = 0 and this is the risk before. More noise lowers it. It is the default here.",
        f"PSD 2014 (5): (1 − H(X)/log K) · H(X|Y)/H(X). It counts what is still unknown: R₂ = {unknown:.4f}.",
        "If nothing is changed this is 0, and more noise raises it. "
        "Not all printed tables of PSD 2014 follow it: some of their figures fit neither formula.",
        *_certain(result),
    )


def grouped(result: ProtectResult) -> tuple[dict[str, list[MeasureRow]], list[MeasureRow]]:
    """Return every measure of the whole table by what it is about, and apart those that have nothing to count."""
    first, *others = rows(result)
    groups = {name: [first] if name == "Risk" else list[MeasureRow]() for name in GROUPS.values()}
    empty = list[MeasureRow]()
    for measure, row in zip(result.measures, others, strict=True):
        nothing = np.isnan(result.of_shown(measure))
        (empty if nothing else groups[GROUPS[measure.direction]]).append(row)
    return groups, empty


def rows(result: ProtectResult, only: Sequence[str] = ()) -> list[MeasureRow]:
    """Return every measure of the whole table, or those of these names: of the shown draw, and its mean."""
    before, chosen = result.before, result.measures
    r1 = f"{before.whole.r1[0]:.4f}"
    first = [MeasureRow(f"{R1.label}, {R1.symbol}", r1, "", lambda: explain(before, before.whole))]
    if only:
        named = {measure.name: measure for measure in chosen}
        chosen = [result.risk_measure, result.loss_measure, *(named[name] for name in only if name in named)]
        first = []
    return first + [_row(result, measure) for measure in dict.fromkeys(chosen)]


def explained(result: ProtectResult, measure: Measure) -> list[Line]:
    """Return how a measure of the shown draw comes about, and that there are more draws."""
    lines = measure.explain(result.replicate)
    mean = result.after.whole.estimates.get(measure)
    return lines if mean is None else [*lines, *text_lines(_mean_of(result, measure, mean))]


def _mean_of(result: ProtectResult, measure: Measure, estimate: Estimate) -> str:
    if result.after.method.deterministic:
        return "Nothing is left to chance: every draw is the same."
    if result.after.size == 1:
        return "There is one draw; with more, the mean follows here."
    mean, error = float(estimate.mean.flat[0]), float(estimate.error.flat[0])
    if np.isnan(mean):
        return f"In {result.after.size:,} draws: {measure.nothing}."
    spread = f", standard error {_short(error)}" if _varies(error) else ""
    return f"Mean over {result.after.size:,} draws: {mean:.4f}{spread}."


def _row(result: ProtectResult, measure: Measure) -> MeasureRow:
    value, spread, average = measure.format_value(result.of_shown(measure)), "", "…"
    if (estimate := result.after.whole.estimates.get(measure)) is not None:
        mean, error = float(estimate.mean.flat[0]), float(estimate.error.flat[0])
        average = "–" if np.isnan(mean) else measure.format_value(mean)
        spread = _short(error) if _varies(error) else ""
    strong = measure == result.risk_measure
    return MeasureRow(measure.title, value, spread, lambda: explained(result, measure), strong, average)


def _varies(error: float) -> bool:
    """Return whether a standard error can be seen in numbers of four digits; less may be rounding only."""
    return error >= LEAST_ERROR


def _short(error: float) -> str:
    """Return one digit that matters, without an exponent."""
    return np.format_float_positional(float(f"{error:.1g}"), trim="-")


def protect_code(state: ProtectState) -> str:
    """Return the code for the assessment of a state after protection, and for the table that is shown.

    Examples
    --------
    >>> print(protect_code(ProtectState.of_example("religion")))
    from sdcwidgets import assess, examples, methods
    import numpy as np
    <BLANKLINE>
    table = examples.load('religion')
    method = methods.get('random-rounding')(base=3, margins='sums')
    assess(table, method).to_frame()
    method.replicate(table, 1, np.random.default_rng(1))[-1]  # the draw that is shown
    """
    code = state.source.code(state.table)
    return script(
        imports(code, "methods"),
        "import numpy as np",
        "",
        *code.lines,
        f"method = methods.get({state.method.name!r})({arguments(state.method)})",
        f"assess(table, method{options(state)}).to_frame()",
        f"method.replicate(table, {state.shown + 1}, np.random.default_rng({state.settings.seed}))[-1]"
        "  # the draw that is shown",
    )
