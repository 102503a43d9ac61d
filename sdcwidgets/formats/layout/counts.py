"""Cells in, counts out, or where a cell holds none and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sdcwidgets.errors import InputError
from sdcwidgets.formats.base import Row, Rows
from sdcwidgets.formats.how import NoCounts
from sdcwidgets.formats.layout.cells import flag_beside, is_blank, is_percentage, is_rounded
from sdcwidgets.formats.layout.doubts import ask_flag
from sdcwidgets.formats.layout.gaps import gap_in, range_in
from sdcwidgets.labels import MOST_PEOPLE, count_in, place, quoted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]

__all__ = ["counts_of"]


def counts_of(names: list[str], labels: list[list[str]], headings: list[list[str]], cells: Rows) -> Counts:
    """Return the counts in the cells."""
    counts = np.empty((len(labels), len(headings)), dtype=np.int64)
    for i, row in enumerate(cells):
        read = [_ROUNDED if is_rounded(cell) else count_in(cell) for cell in row]
        for j, count in enumerate(read):
            if isinstance(count, str):
                where = place([*labels[i], *headings[j]], names)
                if flag_beside(row[j]) and gap_in(row[j]) is None:
                    raise ask_flag(where, row[j])
                kind, why = _why_none(row[j], count, [line[j] for line in cells])
                raise kind(f"{where}: {why}.")
        counts[i] = read
    # Each axis may carry a total and totals of parts; what is left is checked again by the table.
    if counts.sum(dtype=np.float64) > 2.0**61 or (counts > MOST_PEOPLE).any():
        raise InputError(f"The counts sum to more than {MOST_PEOPLE:,}, the most that is kept exactly.")
    return counts


#: Why a number such as "1.2E+05" is no count.
_ROUNDED = "the number is rounded, as digits do not fit; save the file with all of them"


def _why_none(cell: Any, why: str, column: Row) -> tuple[type[InputError], str]:
    """Return what to raise for a cell of a column that holds no count, and the end of the sentence."""
    gap = gap_in(cell)
    if gap == "-":
        why = '"-" may mean nobody or a count that is not published; write 0 where there is nobody'
    elif gap:
        why = f"{quoted(gap)} stands for a count that is not published; the counts themselves are needed"
    elif is_percentage(cell):
        why = f"{quoted(cell)} is a percentage; the counts themselves are needed"
    if range_in(cell):
        return NoCounts, f"{why}; where it is a group of people, choose columns to count by (by)"
    if gap or is_blank(cell) or not isinstance(cell, str):
        return InputError, why
    if all(isinstance(one, str) and isinstance(count_in(one), str) for one in column):
        why += "; if each row is one person, choose columns to count by (by)"
    return NoCounts, why
