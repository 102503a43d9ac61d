"""What labels and cells are that a spreadsheet or an office changed: ages taken for dates, gaps in place of counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sdcwidgets._util.labels import count_in, counted, listed, quoted
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.layout.adding_up import find_sums, is_total
from sdcwidgets.tables.io.layout.cells import is_blank
from sdcwidgets.tables.io.layout.counts import may_be_nobody
from sdcwidgets.tables.io.layout.missing import missing_in, range_in
from sdcwidgets.tables.io.layout.outline import Outline
from sdcwidgets.tables.io.layout.sheet import Decisions
from sdcwidgets.tables.io.layout.words import words
from sdcwidgets.tables.io.options import ReadOptions, choice_of

#: How a spreadsheet shows "1-4" that it took for a day of this year, or keeps it.
_DATE = re.compile(
    rf"\d{{1,2}}[-. ]({words('month')})\.?|({words('month')})[-. ]\d{{2}}|\d{{4}}-\d\d-\d\d", re.IGNORECASE
)


def dates_for_ranges(axes: Sequence[Sequence[str]]) -> list[str]:
    """Say which labels are dates where others are ranges, as a spreadsheet makes them of ages.

    Examples
    --------
    >>> dates_for_ranges([["0", "4-Jan", "5-9", "10-14"]])
    ['"4-Jan" stands among ranges such as "5-9": a spreadsheet takes ages such as "1-4" for dates; look at the label.']
    """
    notes = []
    for labels in axes:
        dates = [label for label in dict.fromkeys(labels) if _DATE.fullmatch(label.strip())]
        ranges = [label for label in labels if range_in(label)]
        if dates and ranges:
            stand = "stands" if len(dates) == 1 else "stand"
            look = "label" if len(dates) == 1 else "labels"
            notes.append(
                f"{listed(dates)} {stand} among ranges such as {quoted(ranges[0])}: a spreadsheet takes ages such as "
                f'"1-4" for dates; look at the {look}.'
            )
    return notes


def without_empty(parts: Outline, how: ReadOptions) -> tuple[Outline, Decisions]:
    """Return the parts with 0 in empty cells of rows with counts, where that was chosen."""
    empty = [[may_be_nobody(cell, row) for cell in row] for row in parts.cells] if how.empty == "zero" else []
    many = sum(map(sum, empty))
    if not many:
        return parts, Decisions()
    cells = [
        [0 if nobody else cell for cell, nobody in zip(row, line, strict=True)]
        for row, line in zip(parts.cells, empty, strict=True)
    ]
    note = f"{counted(many, 'empty cell')} {('was' if many == 1 else 'were')} read as 0."
    return replace(parts, cells=cells), Decisions([note], [choice_of("empty", "zero")])


def without_missing(parts: Outline, how: ReadOptions) -> tuple[Outline, Decisions]:
    """Return the parts without rows that have a gap in place of a count, where that was chosen.

    Totals go with them, as people of these rows are in them; what adds up in the columns without gaps is one, too.
    """
    if how.flags != "out" or len(parts.labels[0]) > 1:  # a row less would be read as one of nobody
        return parts, Decisions()
    gaps = [any(missing_in(cell) or is_blank(cell) for cell in row) for row in parts.cells]
    totals = _totals(parts) if any(gaps) and how.margins != "keep" else []
    out = [i for i, gap in enumerate(gaps) if gap and i not in totals]
    rows = [i for i, gap in enumerate(gaps) if not gap and i not in totals]
    if not out or not rows:
        return parts, Decisions()
    notes = [
        f"The import omitted {counted(len(out), 'row')} with a missing value in place of a count: {_rows(parts, out)}."
    ]
    if totals:
        many = "they count" if len(totals) > 1 else "it counts"
        notes.append(
            f"The import omitted the totals {_rows(parts, totals)}: {many} people of rows that are left out."
        )
    remaining = replace(parts, labels=[parts.labels[i] for i in rows], cells=[parts.cells[i] for i in rows])
    return remaining, Decisions(notes)


def _rows(parts: Outline, rows: Sequence[int]) -> str:
    return listed([", ".join(parts.labels[i]) for i in rows])


def _totals(parts: Outline) -> list[int]:
    """Return the rows that are totals, by their labels or as they add up in the columns without gaps."""
    labels = [row[0] for row in parts.labels]
    named = {i for i, label in enumerate(labels) if is_total(label)}
    columns = [[count_in(cell) for cell in column] for column in zip(*parts.cells, strict=True)]
    full = [column for column in columns if not any(isinstance(count, str) for count in column)]
    if full and all(labels) and len(set(labels)) == len(labels):
        sums = find_sums(
            np.array(full, dtype=np.int64).T, Axis("Row", tuple(labels)), ask=False, doubts=False
        )
        named |= set(sums.sure)
    return sorted(named) if len(named) < len(labels) else []
