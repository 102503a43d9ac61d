"""Files for data users on the page Suppression: the table with its totals, and the notes on its method.

The suppressed cells can be selected by hand, so the notes describe the cells of the file. They depend on the settings
and not on the counts.
"""

from __future__ import annotations

from dataclasses import replace

from sdcwidgets._util.csv_writing import csv_text
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.publication import file_notes, method_lines
from sdcwidgets.dashboards.suppression.result import SuppressionResult
from sdcwidgets.dashboards.suppression.sheet import SMALL
from sdcwidgets.dashboards.suppression.state import SuppressionState
from sdcwidgets.methods.cell_suppression import CellSuppression
from sdcwidgets.methods.suppressing import SuppressedTable
from sdcwidgets.tables.io.writers.workbook import below, book_of_lines
from sdcwidgets.tables.release import Release
from sdcwidgets.widgets.page_state.reporting import title_of


def notes(state: SuppressionState) -> tuple[str, ...]:
    """Return the footnotes of the published table."""
    rule = " Counts of 1 and 2 are suppressed." if _is_rule_known(state) else ""
    if not state.hidden:
        return (f"{CellSuppression.title}: all values are published.{rule}",)
    return f"{CellSuppression.title}: some values are not published.{rule}", "c: confidential."


def method(state: SuppressionState) -> list[tuple[str, str]]:
    """Return the lines on the method, with the settings that are meant for publication."""
    lines = method_lines(CellSuppression(threshold=SMALL))
    return lines if _is_rule_known(state) else lines[:1]


def _is_rule_known(state: SuppressionState) -> bool:
    """Return whether the feasibility intervals on the page assume that data users know the suppression rule."""
    return state.requirements.reader == "rule"


def is_protected(result: SuppressionResult) -> bool:
    """Return whether the table can be saved as a file for data users."""
    return not result.known and {*result.state.sensitive} <= {*result.state.hidden}


def check_protected(result: SuppressionResult) -> None:
    """Raise InputError if the suppression pattern does not protect yet, so that no file for data users is saved.

    Raises
    ------
    InputError
        If a sensitive cell is published, or a suppressed cell can be computed from published values.
    """
    sheet = result.state.sheet
    for cell in result.state.sensitive:
        if cell not in result.state.hidden:
            raise InputError(
                f"The table is not saved, because the sensitive cell {sheet.name(cell)} is published. Suppress this "
                "cell, or apply the optimal pattern."
            )
    for cell in result.known:
        raise InputError(
            f"The table is not saved, because data users can compute the suppressed cell {sheet.name(cell)}. Suppress "
            "further cells, or apply the optimal pattern."
        )


def csv(state: SuppressionState) -> str:
    """Return the published table with its notes as CSV text.

    Examples
    --------
    >>> csv(SuppressionState()).splitlines()[-1]
    'Method: Cell suppression'
    """
    return csv_text(
        [
            *state.published,
            *below((*notes(state), *file_notes(title_of(state, _plain_release(state)), method(state)))),
        ]
    )


def xlsx(state: SuppressionState) -> bytes:
    """Return the published table with its notes as a workbook."""
    labels = len(state.sheet.names) - 1
    return book_of_lines(
        state.published, labels, (title_of(state, _plain_release(state)), ""), notes(state), method(state)
    )


def release(state: SuppressionState) -> Release:
    """Return the release with its notes, for the report."""
    plain = _plain_release(state)
    on_method = file_notes(title_of(state, plain), method(state))[1:]
    return replace(plain, notes=(*notes(state), *on_method))


def _plain_release(state: SuppressionState) -> Release:
    """Return the release without notes."""
    return state.sheet.release(state.hidden)


def linked_csv(gaps: SuppressedTable, title: str) -> str:
    """Return linked tables with their notes as CSV text."""
    tables = gaps.release()
    more = file_notes(title, method_lines(CellSuppression(threshold=SMALL)))
    return replace(tables, notes=(*tables.notes, *more)).to_csv()
