"""Table redesign on the page Suppression: what data users still know about the original counts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sdcwidgets._util.arrays import Floats, Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets._util.parameters import Parameter
from sdcwidgets.core.risk.cell import a_posteriori
from sdcwidgets.dashboards.suppression import texts
from sdcwidgets.dashboards.suppression.result import SuppressionResult, SuppressionStudy
from sdcwidgets.dashboards.suppression.sheet import spread
from sdcwidgets.methods.redesign import merge
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.binding import Part
from sdcwidgets.widgets.board import Board, Spot
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.page import Text, heading

__all__ = ["MergedRows", "merged_rows", "merging_rows"]

INTRODUCTION = (
    "Table redesign is an alternative to suppression: two rows become one, and only their sum is published. Select "
    "two rows, and compare the risk with the risk of the suppressed cells. Each original count is then between 0 and "
    "the merged count, so m = merged count + 1 values are possible, and the a posteriori risk is 1/log₂ m (O&DF, "
    "section 4.3). The method Redesign of the page Protect merges more categories."
)


class MergedRows(NamedTuple):
    """Table with two merged rows."""

    published: FrequencyTable
    """Table after merging."""
    counts: Whole
    """Published counts of the merged row, with its total as the last number."""
    risk: Floats
    """A posteriori risk of an original count of the two rows, for each published count of the merged row."""


def merged_rows(table: FrequencyTable, first: int, second: int) -> MergedRows:
    """Merge two rows of a two-way table, and return what data users know about the original rows.

    Parameters
    ----------
    table : FrequencyTable
        Table with two axes.
    first : int
        Index of a row.
    second : int
        Index of the row to merge it with.

    Returns
    -------
    MergedRows

    Raises
    ------
    InputError
        If both indices are equal.

    Examples
    --------
    O&DF, section 4.3: activities 5 and 6 are combined, and the published sums are those of O&DF Table 2.

    >>> from sdcwidgets import examples
    >>> merged = merged_rows(examples.load("odf-1"), 2, 3)
    >>> merged.counts.tolist(), merged.risk.round(3).tolist()
    ([649, 406, 1275, 2382, 3467, 8179], [0.107, 0.115, 0.097, 0.089, 0.085, 0.077])
    """
    labels = table.rows.labels
    if first == second:
        raise InputError(
            f"Select another row than {quoted(labels[first])}, because one row cannot be merged."
        )
    together = [labels[k] for k in sorted((first, second))]
    new_label = " + ".join(together)
    release = merge(table, table.rows.name, {new_label: together})
    published = FrequencyTable(release.cells.astype(np.int64), release.axes)
    row = published.counts[published.rows.position(new_label)]
    counts = np.append(row, row.sum())
    return MergedRows(published, counts, a_posteriori((np.zeros_like(counts), counts)))


def merging_rows(study: SuppressionStudy) -> Part[SuppressionResult]:
    """Return the tab with two selected rows."""
    first = Control(Parameter("first_row", str, "0", "Row to merge", choices={"0": "", "1": ""}))
    second = Control(Parameter("second_row", str, "1", "Row to merge it with", choices={"0": "", "1": ""}))
    verdict = Text()
    published = Board("Published table with the merged row", show_title=False, brief=True).add_class(
        "sdc-board-narrow"
    )
    known = Board("Possible original counts of the merged rows", show_title=False, brief=True).add_class(
        "sdc-board-narrow"
    )
    drawn: list[FrequencyTable] = []

    def show_merged(one: str, other: str) -> None:
        table = study.result.state.seen
        merged = merged_rows(table, int(one), int(other))
        _show_published(published, merged.published)
        _show_known(known, table, merged, (int(one), int(other)))
        verdict.show(comparison(merged, study.result))

    def show(result: SuppressionResult) -> None:
        table = result.state.seen
        if drawn != [table]:
            drawn[:] = [table]
            rows = {str(k): label for k, label in enumerate(table.rows.labels)}
            one, other = _first_rows(result)
            first.offer(str(one), choices=rows)
            second.offer(str(other), choices=rows)
        show_merged(first.value, second.value)

    first.on_change(lambda one: show_merged(one, second.value))
    second.on_change(lambda other: show_merged(first.value, other))
    parts = (
        Text(INTRODUCTION),
        first,
        second,
        verdict,
        heading("What data users know about the original counts"),
        known,
        heading("Published table"),
        published,
    )
    return parts, show


def _first_rows(result: SuppressionResult) -> tuple[int, int]:
    """Return the row of the first suppressed cell and a neighbouring row."""
    rows = len(result.state.seen.rows)
    hidden = [row for row, _ in result.state.hidden if row < rows]
    one = hidden[0] if hidden else 0
    other = next((row for row in hidden if row != one), one + 1 if one + 1 < rows else one - 1)
    return one, other


def comparison(merged: MergedRows, result: SuppressionResult) -> str:
    """Return the largest risk after merging and, if cells are suppressed, the largest risk of suppressed cells."""
    worst = int(np.argmax(merged.risk))
    text = (
        f"After merging, the largest a posteriori risk is {texts.risk(merged.risk[worst])}, with "
        f"{merged.counts[worst] + 1:,.0f} possible values."
    )
    if merged.counts[worst] == 0:
        text += " A merged count of 0 discloses that both original counts are 0."
    if not result.mask.any():
        return text
    return f"{text} The largest risk of the suppressed cells is {texts.risk(float(result.risk[result.mask].max()))}."


def _show_known(board: Board, table: FrequencyTable, merged: MergedRows, rows: tuple[int, int]) -> None:
    columns = [*table.columns.labels, "Total"]
    spots = []
    for row in sorted(rows):
        spots.append(
            [
                Spot(
                    spread(0, count),
                    f"{table.rows.labels[row]}, {column}: {spread(0, count)}, risk {texts.risk(risk)}",
                    end=f"risk {texts.risk(risk)}",
                    look="narrow" if count == 0 else "hidden",
                )
                for column, count, risk in zip(columns, merged.counts, merged.risk, strict=True)
            ]
        )
    board.show(table.rows.name, [table.rows.labels[row] for row in sorted(rows)], columns, spots)


def _show_published(board: Board, table: FrequencyTable) -> None:
    counts = np.column_stack([table.counts, table.counts.sum(axis=1)])
    columns = [*table.columns.labels, "Total"]
    spots = [
        [
            Spot(f"{count:,}", f"{label}, {column}: {count:,}")
            for column, count in zip(columns, line, strict=True)
        ]
        for label, line in zip(table.rows.labels, counts.tolist(), strict=True)
    ]
    board.show(table.rows.name, list(table.rows.labels), columns, spots)
