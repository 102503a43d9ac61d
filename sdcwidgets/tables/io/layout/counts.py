"""Cells in, counts out, or where a cell holds none and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import MOST_PEOPLE, cell_name, count_in, quoted
from sdcwidgets.tables.io.formats.base import Row, Rows, Unsaved
from sdcwidgets.tables.io.layout.cells import flag_beside, is_blank, is_number, is_percentage, is_rounded
from sdcwidgets.tables.io.layout.missing import missing_in, range_in
from sdcwidgets.tables.io.options import NoCounts, ReadOptions, choice_of
from sdcwidgets.tables.io.questions import Doubt, doubt

if TYPE_CHECKING:
    from sdcwidgets._util.arrays import Whole


def counts_of(
    names: list[str], labels: list[list[str]], headings: list[list[str]], cells: Rows, how: ReadOptions
) -> tuple[Whole, list[Doubt]]:
    """Return the counts in the cells, and what the first cell without one leaves open."""
    counts = np.empty((len(labels), len(headings)), dtype=np.int64)
    for i, row in enumerate(cells):
        read = [_ROUNDED if is_rounded(cell) else count_in(cell) for cell in row]
        for j, count in enumerate(read):
            if isinstance(count, str):
                where = cell_name([*labels[i], *headings[j]], names)
                column = [line[j] for line in cells]
                doubts = _doubts(where, row[j], count, row, column)
                if doubts:
                    return counts, doubts
                if len(labels[i]) == 1 and how.flags != "out" and _may_go(row[j], cells):
                    return counts, [
                        doubt("gap", choice_of("flags"), where=where, gap=quoted(missing_in(row[j])))
                    ]
                kind, why = _why_none(row[j], count, column)
                raise kind(f"{where}: {why}.")
        counts[i] = read
    # Each axis may carry a total and totals of parts; what is left is checked again by the table.
    if counts.sum(dtype=np.float64) > 2.0**61 or (counts > MOST_PEOPLE).any():
        raise InputError(
            f"The counts sum to more than {MOST_PEOPLE:,}, the largest total that can be stored exactly."
        )
    return counts, []


def _doubts(where: str, cell: object, why: str, row: Row, column: Row) -> list[Doubt]:
    """Return what a cell may be: a count with a flag beside it, or nobody, as in a pivot table."""
    if flag_beside(cell) and missing_in(cell) is None:
        return [doubt("flag", choice_of("flags"), where=where, cell=quoted(cell))]
    if may_be_nobody(cell, row) and any(map(is_number, column)):
        return [doubt("empty", choice_of("empty"), where=where, why=why.partition(";")[0])]
    return []


def _may_go(cell: object, cells: Rows) -> bool:
    """Return whether a cell is a gap, and rows with all their counts are left without those with gaps."""
    gap = missing_in(cell)
    if gap in (None, "-") or range_in(cell):
        return False
    return sum(not any(missing_in(cell) or is_blank(cell) for cell in row) for row in cells) > 1


def may_be_nobody(cell: object, row: Row) -> bool:
    """Return whether a cell is empty in a row that has counts."""
    return is_blank(cell) and not isinstance(cell, Unsaved) and any(map(is_number, row))


#: Why a number such as "1.2E+05" is no count.
_ROUNDED = "the number was rounded by the spreadsheet program; save the file with all digits"


def _why_none(cell: object, why: str, column: Row) -> tuple[type[InputError], str]:
    """Return what to raise for a cell of a column that holds no count, and the end of the sentence."""
    gap = missing_in(cell)
    if gap == "-":
        why = '"-" may mean zero or an unpublished count; write 0 for zero, or state its meaning as a text of a layout'
    elif gap:
        why = f"{quoted(gap)} marks a count that was not published; load a table with all counts"
    elif is_percentage(cell):
        why = f"{quoted(cell)} is a percentage; load counts instead of percentages"
    elif isinstance(cell, Unsaved):
        why = (
            "the cell contains a formula that was saved without its value; open the workbook in a "
            "spreadsheet program, and save the workbook"
        )
    if range_in(cell):
        return NoCounts, f"{why}; if this is a group of people, choose the columns to count by (by)"
    if gap or is_blank(cell) or not isinstance(cell, str):
        return InputError, why
    if all(isinstance(cell, str) and isinstance(count_in(cell), str) for cell in column):
        why += "; if each row is one person, choose columns to count by (by)"
    return NoCounts, why
