"""Text of an assessment: one row per slice, and the meaning of the columns."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sdcwidgets.assessment.assessment import Assessment, Slices
    from sdcwidgets.assessment.replications import Replications


def assessment_text(assessment: Assessment) -> str:
    """Return the assessment as a text: a row for each slice, and the meaning of the columns."""
    from sdcwidgets.measures.risk import R2

    frame, lines = assessment.to_frame(), []
    if assessment.after_protection is not None:
        usual = (
            ()
            if assessment.requested
            else (R2.lines(assessment.table, assessment.settings)[0].name, "hellinger")
        )
        if usual:
            columns = [name for column in usual for name in (column, f"{column}_error")]
            frame = frame[["slice", "label", "people", "r1", *columns, "utility"]]
        shown = set(frame.columns)
        lines = ["", *_original(assessment.whole_slice, shown), *_whole(assessment.after, skipped=shown)]
    table = frame.to_string(index=False, na_rep="-", float_format=lambda number: f"{number:.4f}")
    return "\n".join([str(table), "", *_columns(assessment, list(frame.columns)), *lines])


def _columns(assessment: Assessment, columns: list[str]) -> list[str]:
    """Return the meaning of each column, in their order."""
    after = assessment.after_protection
    measured = set(assessment.whole_slice.measured)
    if after is not None:
        measured.update(after.whole_slice.estimates)
    titles = {measure.column: measure.title for measure in measured}
    lines = [f"{name}: {titles[name]}" for name in columns if name in titles]
    if "x1" in columns:
        lines.insert(0, "x1, x2, x3: terms of R₁ for zeros, unevenness and small size, each from 0 to 1")
    if any(name.endswith("_error") for name in columns):
        lines.append("..._error: standard error of the mean over the replicates of the method")
    return lines


def _original(whole: Slices, shown: Collection[str]) -> list[str]:
    """Return the measures of the original table without a column, if further measures were requested."""
    if all(measure.usual for measure in whole.measured):
        return []
    return [
        f"{measure.title}: {measure.format_value(values[0]) if values[0] != values[0] else f'{values[0]:.4f}'}"
        for measure, values in whole.measured.items()
        if measure.column not in shown
    ]


def _whole(after: Replications, skipped: set[str]) -> list[str]:
    """Return the mean and the standard error of each measure of the whole table without a column."""
    lines = []
    for measure, (mean, error) in after.whole_slice.estimates.items():
        if measure.column not in skipped:
            spread = "" if error[0] != error[0] else f" ± {error[0]:.4f}"
            value = measure.format_value(mean[0]) if mean[0] != mean[0] else f"{mean[0]:.4f}{spread}"
            lines.append(f"{measure.title}: {value}")
    return lines
