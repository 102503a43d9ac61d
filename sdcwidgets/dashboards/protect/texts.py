"""Texts of the page Protect: measures with formulas, the replicate, swapped people, and the two formulas of R2."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.formula_lines import Line, Piece, text_lines
from sdcwidgets._util.labels import PEOPLE, and_more, counted, counted_units, quoted
from sdcwidgets.assessment.replications import Estimate
from sdcwidgets.assessment.search import STEPS
from sdcwidgets.dashboards.as_code import arguments, imports, options, script
from sdcwidgets.dashboards.protect.result import ProtectResult
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.measures import Measure
from sdcwidgets.measures.risk import R1, R2Followed
from sdcwidgets.measures.suppressed_cells import READINGS
from sdcwidgets.methods import Method
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.texts import MeasureRow, explain, people

if TYPE_CHECKING:
    import pandas as pd

#: Standard errors below this value are not shown.
LEAST_ERROR = 1e-6

#: Note on the table and the figures if the original table is proposed.
ORIGINAL = (
    "The page shows and saves the original table. The figures below describe the selected method, which is not "
    "applied. To apply the method, tick “Publish the protected table”."
)

#: Maximum number of rows and columns that a note names.
MOST_NAMED = 6

#: Heading of each group of measures, by their direction.
GROUPS = {"risk": "Risk", "protection": "Risk", "loss": "Information loss", "utility": "Utility"}


def equal_replicates(method: Method) -> str:
    """Return why all replicates of a method are equal."""
    if method.seeded:
        return "All replicates are equal, because one secret seed chooses the result of this method."
    return "This method uses no random numbers, so all replicates are equal."


def apparent_groups(true: FrequencyTable, release: Release) -> str:
    """Return which rows and columns seem to have all people in one cell, although their original counts do not.

    The release rules permit such lines: a data user cannot know that the other counts are 0. "" if there are none, or
    if the release has other categories.

    Examples
    --------
    >>> from sdcwidgets import FrequencyTable, protect
    >>> table = FrequencyTable([[1, 9], [8, 7]], {"Area": ["A", "B"], "Sex": ["m", "f"]})
    >>> apparent_groups(table, protect(table, "conventional-rounding", base=3))
    'Published with all people in one cell, although their original counts are in several cells: A and m.'
    """
    if release.shape != true.shape or true.ndim != 2:
        return ""
    names = []
    for axis, one in enumerate(true.axes):
        published = (release.cells != 0).sum(axis=1 - axis)
        original = (true.counts != 0).sum(axis=1 - axis)
        names += [one.labels[at] for at in np.flatnonzero((published == 1) & (original > 1))]
    if not names:
        return ""
    return (
        f"Published with all {true.unit} in one cell, although their original counts are in several cells: "
        f"{and_more(names, MOST_NAMED)}."
    )


def replicate_summary(result: ProtectResult) -> str:
    """Return the figures of the replicate on the page, the means, and the number of replicates within the limits."""
    if result.after.method.deterministic:
        return equal_replicates(result.after.method)
    risk, loss, limits = result.risk_measure, result.loss_measure, result.state.limits
    so_far = "" if result.run.done else " so far"
    risk_text, loss_text = risk.format_value(result.risk), loss.format_value(result.loss)
    means = (
        f"residual risk {risk.format_value(result.mean_risk)}, "
        f"information loss {loss.format_value(result.mean_loss)}"
    )
    sentences = (
        f"Replicate {result.index + 1} of {result.run.wanted:,}: residual risk "
        f"{risk_text}, information loss {loss_text}. "
    )
    sentences += f"Mean of {result.after.size:,} replicates{so_far}: {means}."
    if limits.risk is None and limits.loss is None:
        return sentences
    within_limits = np.ones(result.after.size, dtype=bool)
    for measure, limit in ((risk, limits.risk), (loss, limits.loss)):
        if limit is not None:
            within_limits &= measure.within(result.after.draws[measure], limit)
    keep = f"{int(within_limits.sum()):,} of {result.after.size:,} replicates meet the limits."
    return (
        f"{sentences} {keep} Do not choose a replicate because it meets the limits: "
        "such a choice breaks the guarantees of the method."
    )


def what_is_shown(
    release: Release,
    table: FrequencyTable,
    index: int,
    wanted: int,
    *,
    totals: bool = False,
    private_note: str = "",
    checked: bool = True,
    reading: str = "interval",
) -> str:
    """Return a description of the published table: its marks, the changes of its cells, and warnings.

    Parameters
    ----------
    release : Release
    table : FrequencyTable
        The original table.
    index : int
        Index of the replicate.
    wanted : int
        Number of replicates.
    totals : bool, default False
        Whether the table was read with totals; its files then have totals, too.
    private_note : str
        Internal remark of the method on the replicate.
    checked : bool, default True
        Whether disclosure by suppressed cells was checked.
    reading : {"interval", "mean", "zero"}
        Value of a suppressed cell in the measures.

    Examples
    --------
    >>> table = FrequencyTable([1, 5])
    >>> what_is_shown(Release.of(table), table, 0, 9).partition(" The")[0]
    'Showing replicate 1 of 9: 0 of 2 cells changed, total absolute change 0 (6 people).'
    """
    hidden = release.suppressed
    true = release.regroup(table)
    apart = np.abs(release.cells - true.counts)[~hidden]
    changed, by = int(np.count_nonzero(apart)), f"{round(float(apart.sum()), 4):,.15g}"
    draw = "All replicates are equal" if wanted == 1 else f"Showing replicate {index + 1} of {wanted:,}"
    merged = [
        f"the axis {quoted(axis.name)} has {len(axis)} categories instead of {len(old)}"
        for axis, old in zip(true.axes, table.axes, strict=True)
        if len(axis) < len(old)
    ]
    sentences = [
        f"{draw}: {changed:,} of {true.cells:,} cells changed, total absolute change {by} "
        f"({people(table.total, table.unit)})"
        f"{'; ' if merged else ''}{', '.join(merged)}.",
        "The files of the protected table contain only the published counts.",
    ]
    if true.unknown_cells:
        cells = counted(true.unknown_cells, "cell")
        sentences.insert(
            0, f"The source contains no count of {cells}. These cells, and totals with them, are marked “..”."
        )
    suppressed = int(hidden.sum()) - true.unknown_cells
    if suppressed:
        gaps = f"{suppressed} of {table.cells:,}"
        replacement = "zero" if reading == "zero" else f"the {READINGS[reading]}"
        sentences.insert(
            0,
            f"Suppressed cells are shaded and marked c: {gaps} cells. "
            f"The measures replace each suppressed count with {replacement}.",
        )
    if release.fraction < 1:
        sentences.append(f"{' '.join(release.notes)} The saved files repeat this note below the table.")
    if totals and not release.has_own_totals:
        sentences.append("Totals in the saved files are sums of the published counts.")
    if private_note:
        sentences.append(private_note)
    if checked:
        sentences += release.cautions
    return " ".join(sentences)


#: Maximum number of lines of a list of swapped people; a file contains all of them.
SHOWN_MOVES = 25


def moved(report: pd.DataFrame, title: str, unit: str = PEOPLE) -> list[Line]:
    """Return the people who were moved in a replicate and the reasons; equal moves share one line.

    Examples
    --------
    >>> import pandas as pd
    >>> report = pd.DataFrame({"Area": ["A", "B"], "Sex": ["f", "m"], "to": ["B", "A"], "why": ["risk", "donor"]})
    >>> for line in moved(report.assign(alike=[1, 8]), "Draw 1"):
    ...     print(line[0].text)  # doctest: +ELLIPSIS
    Draw 1: 2 people exchange their categories in pairs. At risk: 1; other people for the swap rate: 0; ...
    "A, f" to "B": 1 of 1 person of this cell, at risk
    "B, m" to "A": 1 of 8 people of this cell, as partner
    """
    number = report["why"].value_counts()
    risk, rate, donors, without_donor = (int(number.get(why, 0)) for why in FATES)
    summary = (
        f"{title}: {counted_units(risk + rate + donors, unit)} exchange their categories in pairs. At risk: {risk:,}; "
        f"other {unit} for the swap rate: {rate:,}; randomly chosen partners: {donors:,}. "
    )
    if without_donor:
        summary += f"At risk without a possible partner, who stay in their cells: {without_donor:,}. "
    keys = [*report.columns[:-3], "to", "why", "alike"]
    groups = report.groupby(keys, sort=False).size().reset_index(name="people")
    groups = groups.sort_values("why", key=lambda column: column.map(list(FATES).index), kind="stable")
    lines = []
    for *labels, to, why, alike, moving in groups.head(SHOWN_MOVES).itertuples(index=False):
        there = "stays" if why == "no donor" else f"to {quoted(to)}"
        people_of_cell = counted_units(alike, unit)
        lines.append(
            f"{quoted(', '.join(labels))} {there}: {moving:,} of {people_of_cell} of this cell, {FATES[why]}"
        )
    more = len(groups) - SHOWN_MOVES
    if more > 0:
        lines.append(f"{more:,} further lines are not shown; the exported file lists every swap.")
    return text_lines(summary + "Keep this list of swaps secret.", *lines)


#: Reasons of moves, in the order of the list.
FATES = {
    "risk": "at risk",
    "rate": "to reach the swap rate",
    "donor": "as partner",
    "no donor": "at risk, without a possible partner",
}


def _certain(result: ProtectResult) -> list[str]:
    """Return a sentence on slices with all people in one cell, where the ratio in R2 is 0/0."""
    parts = (result.before.whole_slice, *result.before.slices.values())
    numbers = [
        (int(((part.people > 0) & (part.zeros == part.cells - 1)).sum()), part.name)
        for part in parts
        if part.cells > 1
    ]
    names = ", ".join(f"{number} of {name}" for number, name in numbers if number)
    if not names:
        return []
    return [
        f"All people are in one cell in {names}. There H(X) = 0; the second term of R₂ equals its value before "
        "protection if the slice is unchanged, and 0 otherwise."
    ]


def steps(result: ProtectResult) -> list[Line]:
    """Return the 15 steps of data protection, with the current one marked."""
    reached = result.deciding.step
    if not result.state.limits.decides:
        reached = 2
    words = (re.sub(" T[₁₂₃]", "", step) for step in STEPS)
    lines = text_lines(*(f"{number}. {step}" for number, step in enumerate(words, start=1)))
    lines[reached - 1] = [Piece(f"→ {lines[reached - 1][0].text}", "unevenness")]
    return lines


def why_two(result: ProtectResult) -> list[Line]:
    """Return an explanation of the two published formulas of R2, and of the meaning of each."""
    whole = result.after.whole
    reveals, unknown = whole["r2"].mean, whole["r2_uncertainty"].mean
    return text_lines(
        "Both formulas begin with the unevenness before protection, 1 − H(X)/log K. Both use H(X|Y), the "
        "uncertainty that "
        "remains about a person's original cell after seeing the published table.",
        "Thesis (3.6.6): (1 − H(X)/log K) · (1 − H(X|Y)/H(X)). This formula measures the information that the "
        "table reveals: "
        f"R₂ = {reveals:.4f}.",
        "If no count is changed, H(X|Y) is 0, and formula (3.6.6) gives the term before protection. More noise lowers "
        "the result. This formula is the default.",
        "PSD 2014 (5): (1 − H(X)/log K) · H(X|Y)/H(X). This formula measures the remaining uncertainty: R₂ = "
        f"{unknown:.4f}.",
        "If no count is changed, formula (5) gives 0. More noise raises the result. Some figures in the tables of "
        "Antal, Shlomo and Elliot 2014 fit neither of the two formulas.",
        _followed(result),
        *_certain(result),
    )


def _followed(result: ProtectResult) -> str:
    """Return a sentence on the version that follows people, with its value for methods that move people."""
    method = result.after.method
    if result.replicate.transition is None:
        return (
            "People followed (thesis, section 3.6.5): record swapping and PRAM move people with known probabilities, "
            f"from which H(X|Y) follows. {method.title} has no such probabilities, so that this version equals (3.6.6)."
        )
    value = result.of_shown(R2Followed.of(result.before.settings))
    return (
        "People followed (thesis, section 3.6.5): the formula is (3.6.6), and H(X|Y) follows from the probabilities "
        f"with which the method moves people: R₂ = {value:.4f} for this replicate. (3.6.6) alone assumes that as few "
        "people as possible changed their cells. It then overstates what data users know, because swapped people "
        "often replace each other."
    )


def grouped(result: ProtectResult) -> tuple[dict[str, list[MeasureRow]], list[MeasureRow]]:
    """Return all measures of the whole table by group, and separately those that are undefined for this table."""
    first, *others = rows(result)
    groups = {name: [first] if name == "Risk" else list[MeasureRow]() for name in GROUPS.values()}
    empty = list[MeasureRow]()
    for measure, row in zip(result.measures, others, strict=True):
        nothing = np.isnan(result.of_shown(measure))
        (empty if nothing else groups[GROUPS[measure.direction]]).append(row)
    return groups, empty


def rows(result: ProtectResult, only: Sequence[str] = ()) -> list[MeasureRow]:
    """Return rows of all measures of the whole table, or of the named ones: value of the replicate, and mean."""
    before, chosen = result.before, result.measures
    r1 = f"{before.whole_slice.r1[0]:.4f}"
    first = [MeasureRow(f"{R1.label}, {R1.symbol}", r1, "", lambda: explain(before, before.whole_slice))]
    if only:
        named = {measure.name: measure for measure in chosen}
        chosen = [result.risk_measure, result.loss_measure, *(named[name] for name in only if name in named)]
        first = []
    return first + [_row(result, measure) for measure in dict.fromkeys(chosen)]


def explained(result: ProtectResult, measure: Measure) -> list[Line]:
    """Return the computation of a measure for the replicate on the page, and its mean."""
    lines = measure.explain(result.replicate)
    mean = result.after.whole_slice.estimates.get(measure)
    return lines if mean is None else [*lines, *text_lines(_mean_of(result, measure, mean))]


def _mean_of(result: ProtectResult, measure: Measure, estimate: Estimate) -> str:
    if result.after.method.deterministic:
        return equal_replicates(result.after.method)
    if result.after.size == 1:
        return "There is only one replicate. With more replicates, this line shows the mean of the measure."
    mean, error = float(estimate.mean.flat[0]), float(estimate.error.flat[0])
    if np.isnan(mean):
        return f"In {result.after.size:,} replicates: {measure.nothing}."
    spread = f", standard error {_short(error)}" if _varies(error) else ""
    return f"Mean of this measure over {result.after.size:,} replicates: {mean:.4f}{spread}."


def _row(result: ProtectResult, measure: Measure) -> MeasureRow:
    value, spread, average = measure.format_value(result.of_shown(measure)), "", "…"
    estimate = result.after.whole_slice.estimates.get(measure)
    if estimate is not None:
        mean, error = float(estimate.mean.flat[0]), float(estimate.error.flat[0])
        average = "–" if np.isnan(mean) else measure.format_value(mean)
        spread = _short(error) if _varies(error) else ""
    strong = measure == result.risk_measure
    return MeasureRow(measure.title, value, spread, lambda: explained(result, measure), strong, average)


def _varies(error: float) -> bool:
    """Return whether a standard error is visible in numbers with four digits; smaller values may be rounding errors."""
    return error >= LEAST_ERROR


def _short(error: float) -> str:
    """Return a number with one significant digit, without an exponent."""
    return np.format_float_positional(float(f"{error:.1g}"), trim="-")


def protect_code(state: ProtectState) -> str:
    """Return the code that assesses a state after protection, and computes the table on the page.

    Examples
    --------
    >>> print(protect_code(ProtectState.of_example("religion")))
    from sdcwidgets import assess, examples, methods
    <BLANKLINE>
    table = examples.load('religion')
    method = methods.get('random-rounding')(base=3, margins='sums')
    assess(table, method).to_frame()
    method.replicate(table, 1, method.random_numbers(table, 1))[-1]  # the replicate on the page
    """
    code = state.source.code(state.table)
    return script(
        imports(code, "methods"),
        "",
        *code.lines,
        f"method = methods.get({state.method.name!r})({arguments(state.method)})",
        f"assess(table, method{options(state)}).to_frame()",
        f"method.replicate(table, {state.shown + 1}, method.random_numbers(table, {state.settings.seed}))[-1]"
        "  # the replicate on the page",
    )
