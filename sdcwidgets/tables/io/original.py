"""Detect a simple layout of a table in its file, so that a release can be written with the same layout."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from sdcwidgets.core.margins import margins
from sdcwidgets.tables.io.formats.base import Rows
from sdcwidgets.tables.io.layout.cells import extent, label_of
from sdcwidgets.tables.io.layout.totals import TotalLabels
from sdcwidgets.tables.io.writers.as_read import AsRead
from sdcwidgets.tables.table import FrequencyTable

#: A number in a line of text.
_NUMBER = re.compile(r"(?<![\w.])\d[\d,.’' \u00a0\u2009\u202f]*")
#: Numbers that are read as years.
_YEARS = (1900, 2100)
#: The number of a table at the start of its title, which is not a possible count.
_NUMBERED = re.compile(r"^\W*(table|tab\.?|figure|sheet)\s+[\d.]+", re.IGNORECASE)


def as_read(rows: Rows, table: FrequencyTable, totals: TotalLabels) -> AsRead | None:
    """Return the layout of a table of two axes in the rows of a sheet, or None if the layout is not simple.

    For a table with more axes, the result has only the lines above and below the table.

    In a simple layout, one row has the labels of the columns, one column has the labels of the rows, and each axis has
    at most one total. Any other label must be one of `totals`, the labels of totals over a whole axis. A release would
    otherwise have a total below the heading of a column that was omitted, for example a median.

    Examples
    --------
    >>> rows = [["Religion"], ["Area", "All", "x", "y"], ["A", 3, 1, 2], ["B", 7, 3, 4], ["England", 10, 4, 6]]
    >>> rows += [["Source: us, 2011"], ["There are 3 people in A."]]
    >>> found = as_read(rows, FrequencyTable([[1, 2], [3, 4]], {"Area": "AB", "R": "xy"}), (["England"], ["All"]))
    >>> found.columns, found.total_column, found.total_row, found.above, found.below
    (('All', 'x', 'y'), 'All', 'England', ('Religion',), ('Source: us, 2011',))
    """
    if table.ndim < 2:
        return None
    if table.ndim > 2:
        return _lines_around(rows, table)
    texts = _without_left_blanks([[label_of(cell).strip() for cell in row] for row in rows])
    down, across = (axis.labels for axis in table.axes)
    head = next((i for i, row in enumerate(texts) if row[1:] and _order(row[1:], across) is not None), None)
    if head is None:
        return None
    columns = texts[head][1 : extent(texts[head])]
    body = _rows_below(texts, head, len(columns))
    named = [texts[i][0] for i in body]
    total_column, total_row = _order(columns, across), _order(named, down)
    if total_column is None or total_row is None:
        return None
    if not _are_totals((total_row, total_column), totals or ((), ())):
        return None
    numbers = _counts_of(table)
    if any(_tells(label, numbers) for label in (texts[head][0], total_row, total_column)):
        return None
    last = body[-1] if body else head
    above = _publishable_lines(texts[:head], numbers)
    below = _publishable_lines(texts[last + 1 :], numbers)
    return AsRead(texts[head][0], tuple(named), tuple(columns), total_row, total_column, above, below)


def _counts_of(table: FrequencyTable) -> set[int]:
    """Return all positive counts and sums of a table."""
    return {int(value) for sums in margins(table.counts).values() for value in sums.ravel()} - {0}


def _lines_around(rows: Rows, table: FrequencyTable) -> AsRead | None:
    """Return the lines above the first row and below the last row with several filled cells, None without any."""
    texts = [[label_of(cell).strip() for cell in row] for row in rows]
    wide = [i for i, row in enumerate(texts) if sum(map(bool, row)) > 1]
    if not wide:
        return None
    numbers = _counts_of(table)
    above, below = (_publishable_lines(lines, numbers) for lines in (texts[: wide[0]], texts[wide[-1] + 1 :]))
    return AsRead("", (), (), above=above, below=below) if above or below else None


def _without_left_blanks(texts: list[list[str]]) -> list[list[str]]:
    """Return rows without blank columns on the left, for example if the table begins in the cell B2."""
    begins = [next((j for j, text in enumerate(row) if text), len(row)) for row in texts if any(row)]
    first = min(begins, default=0)
    return [row[first:] for row in texts]


def _are_totals(labels: Sequence[str], totals: TotalLabels) -> bool:
    """Return whether each label is empty or a label of a total of its axis."""
    return all(
        not label or label in map(str.strip, known) for label, known in zip(labels, totals, strict=True)
    )


def _publishable_lines(rows: Sequence[Sequence[str]], numbers: set[int]) -> tuple[str, ...]:
    lines = (" ".join(filter(None, row)) for row in rows)
    return tuple(line for line in lines if line and not _tells(line, numbers))


def _rows_below(texts: Sequence[Sequence[str]], head: int, width: int) -> list[int]:
    """Return the indices of the rows below the header with `width` filled cells, up to the first other row."""
    rows = (i for i in range(head + 1, len(texts)) if any(texts[i]))
    return list(itertools.takewhile(lambda i: all(texts[i][1 : width + 1]) and len(texts[i]) > width, rows))


def _order(names: Sequence[str], labels: Sequence[str]) -> str | None:
    """Return the only name that is not a label, or "" if there is none; None if the names do not fit the labels."""
    known = set(labels)
    others = [label for label in names if label and label not in known]
    if [label for label in names if label in known] != list(labels) or len(others) > 1 or "" in names[:-1]:
        return None
    return others[0] if others else ""


def _tells(line: str, numbers: set[int]) -> bool:
    """Return whether a text has a number that may follow from the original counts and must not be published.

    Only years that are not counts of the table are allowed. If other numbers that are not counts were allowed, then the
    title "aged 3 and over" would disclose that no cell is 3.
    """
    rest = _NUMBERED.sub("", line)
    digits = [re.sub(r"\D", "", text)[:15] for text in _NUMBER.findall(rest)]
    values = [int(text) for text in digits if text]
    return any(not _YEARS[0] <= number <= _YEARS[1] or number in numbers for number in values)
