"""The layout of a simple table, to write a release back in it: found again by the labels of the table that was read."""

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

#: A number in a line of text, unless it only counts tables.
_NUMBER = re.compile(r"(?<![\w.])\d[\d,.’' \u00a0\u2009\u202f]*")
#: Numbers that are taken for years.
_YEARS = (1900, 2100)
_NUMBERED = re.compile(r"^\W*(table|tab\.?|figure|sheet)\s+[\d.]+", re.IGNORECASE)


def as_read(rows: Rows, table: FrequencyTable, totals: TotalLabels) -> AsRead | None:
    """Return how a table of two axes stands in these rows, None where it is no simple one.

    It is simple where one line names the columns, one column names the rows, and there is at most one sum of each.
    Any other label must be one of `totals`, the labels of totals over a whole axis. A release would otherwise have a
    total below the heading of a column that the reader left out, for example a median.

    Examples
    --------
    >>> rows = [["Religion"], ["Area", "All", "x", "y"], ["A", 3, 1, 2], ["B", 7, 3, 4], ["England", 10, 4, 6]]
    >>> rows += [["Source: us, 2011"], ["There are 3 people in A."]]
    >>> found = as_read(rows, FrequencyTable([[1, 2], [3, 4]], {"Area": "AB", "R": "xy"}), (["England"], ["All"]))
    >>> found.columns, found.total_column, found.total_row, found.above, found.below
    (('All', 'x', 'y'), 'All', 'England', ('Religion',), ('Source: us, 2011',))
    """
    if table.ndim != 2:
        return None
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
    numbers = {int(value) for sums in margins(table.counts).values() for value in sums.ravel()} - {0}
    if any(_tells(label, numbers) for label in (texts[head][0], total_row, total_column)):
        return None
    last = body[-1] if body else head
    above = _publishable_lines(texts[:head], numbers)
    below = _publishable_lines(texts[last + 1 :], numbers)
    return AsRead(texts[head][0], tuple(named), tuple(columns), total_row, total_column, above, below)


def _without_left_blanks(texts: list[list[str]]) -> list[list[str]]:
    """Return rows without columns on the left that are blank in all rows, as of a table that begins at B2."""
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
    """Return where below its header a table has rows of so many cells, up to the first that has fewer."""
    rows = (i for i in range(head + 1, len(texts)) if any(texts[i]))
    return list(itertools.takewhile(lambda i: all(texts[i][1 : width + 1]) and len(texts[i]) > width, rows))


def _order(names: Sequence[str], labels: Sequence[str]) -> str | None:
    """Return the one label that is more than these, "" where there is none; None where they are others."""
    known = set(labels)
    others = [label for label in names if label and label not in known]
    if [label for label in names if label in known] != list(labels) or len(others) > 1 or "" in names[:-1]:
        return None
    return others[0] if others else ""


def _tells(line: str, numbers: set[int]) -> bool:
    """Return whether a text has a number that may follow from the original counts, so that it is not published.

    Only years are kept. If smaller numbers were kept where they are no count of the table, then "aged 3 and over"
    above a table would disclose that no cell is 3.
    """
    rest = _NUMBERED.sub("", line)
    digits = [re.sub(r"\D", "", text)[:15] for text in _NUMBER.findall(rest)]
    values = [int(text) for text in digits if text]
    return any(not _YEARS[0] <= number <= _YEARS[1] or number in numbers for number in values)
