"""What single cells and rows of a sheet are: blank, a number, a label, a gap."""

from __future__ import annotations

import datetime
import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sdcwidgets._util.labels import count_in, is_decimal
from sdcwidgets.tables.io.layout.missing import missing_in
from sdcwidgets.tables.io.layout.words import words

if TYPE_CHECKING:
    from sdcwidgets.tables.io.formats.base import Row, Rows

#: Most texts are seen at once to be no numbers.
_DIGITS = re.compile(r"\s*[+\-−.,]?\d(?:[\d\s.,'’]|[eE][+\-]?)*")

_WORD = re.compile(r"[^\W\d_]{2}")
#: Words for percentages, with no number before them.
_PERCENT = re.compile(rf"(?<!\d)(?<!\d\s)([%‰]|\b({words('percentage')})\b)", re.IGNORECASE)

_SCIENTIFIC = re.compile(r"\d([.,]\d+)?E\+?\d+", re.IGNORECASE)

#: A number with letters or signs behind it, as statistical offices flag provisional, estimated, revised figures.
_FLAGGED = re.compile(r"(\d[\d.,'’ ]*?)\s*([(\[]?[A-Za-z]{1,3}[)\]]?|[*†‡]{1,3}|[(\[]\d[)\]])")

_FLAG = re.compile("[a-z]{1,3}")

_PERCENTAGE = re.compile(r"[+\-−]?\d[\d.,]*\s?%")


def label_of(cell: object) -> str:
    """Return a cell as the text of a label."""
    if isinstance(cell, str):
        return cell
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    return str(cell)


def grouping(labels: Sequence[str]) -> tuple[int, ...]:
    """Return for each label where it is first; columns that tell the same rows apart have the same.

    Examples
    --------
    >>> grouping(["A", "B", "A"]) == grouping(["05", "07", "05"])
    True
    """
    first: dict[str, int] = {}
    return tuple(first.setdefault(label, i) for i, label in enumerate(labels))


def is_blank(cell: object) -> bool:
    """Return whether there is nothing in a cell but spaces."""
    return (
        cell is None
        or (isinstance(cell, str) and not cell.strip())
        or (isinstance(cell, float) and cell != cell)
    )


def extent(row: Row) -> int:
    """Return how many cells there are up to the last that isn't blank."""
    return next((j for j in range(len(row), 0, -1) if not is_blank(row[j - 1])), 0)


def is_number(cell: object) -> bool:
    """Return whether a cell is a number, if no count."""
    if isinstance(cell, str):
        return _DIGITS.fullmatch(cell) is not None and (
            not isinstance(count_in(cell), str) or is_decimal(cell)
        )
    return isinstance(cell, int | float) and not isinstance(cell, bool) and cell == cell


def flag_beside(cell: object) -> tuple[str, str] | None:
    """Return the number and the flag of a cell that holds both.

    Examples
    --------
    >>> flag_beside("12 p"), flag_beside("1,234(b)"), flag_beside("12 %"), flag_beside("12")
    (('12', 'p'), ('1,234', 'b'), None, None)
    """
    flagged = _FLAGGED.fullmatch(cell.strip()) if isinstance(cell, str) and len(cell) < 40 else None
    return None if flagged is None else (flagged[1], flagged[2].strip(" ()[]"))


def is_flag(cell: object) -> bool:
    """Return whether a cell holds a flag and nothing else.

    Examples
    --------
    >>> is_flag("p"), is_flag("bep"), is_flag("few"), is_flag("Area")
    (True, True, True, False)
    """
    return isinstance(cell, str) and _FLAG.fullmatch(cell.strip()) is not None


def is_rounded(cell: object) -> bool:
    """Return whether a cell is a number such as "1.2E+05", of which digits are lost."""
    return isinstance(cell, str) and _SCIENTIFIC.fullmatch(cell.strip()) is not None


def is_percentage(cell: object) -> bool:
    """Return whether a cell is a number with a percent sign."""
    return isinstance(cell, str) and len(cell) < 20 and _PERCENTAGE.fullmatch(cell.strip()) is not None


def says_percentages(label: str) -> bool:
    """Return whether a label says that what stands below or beside it is percentages.

    Examples
    --------
    >>> says_percentages("Total in %"), says_percentages("over 50 %")
    (True, False)
    """
    return _PERCENT.search(label) is not None


def is_mark(cell: object) -> bool:
    """Return whether a cell is a text that may stand in place of a count: short, and no word.

    Examples
    --------
    >>> [is_mark(cell) for cell in ("(5)", "/", "k.A.", "c", "12 %", "Source", "A", 5)]
    [True, True, True, True, True, False, False, False]
    """
    if not isinstance(cell, str) or not 0 < len(cell.strip()) < 20:
        return False
    return missing_in(cell) is not None or (not cell.strip().isalpha() and _WORD.search(cell) is None)


def has_numbers(row: Row) -> bool:
    """Return whether there is a number beside the first cell."""
    return any(map(is_number, row[1:]))


def missing_only(row: Row) -> bool:
    """Return whether all cells but the first are gaps."""
    return len(row) > 1 and all(missing_in(cell) for cell in row[1:])


def squared(rows: Rows) -> Rows:
    """Give all rows of a sheet the same length, without the blank columns before the table; blank rows are empty."""
    filled = [row for row in rows if extent(row)]
    width = max(map(len, filled), default=0)
    first = min((next(j for j, cell in enumerate(row) if not is_blank(cell)) for row in filled), default=0)
    return [(row + [None] * (width - len(row)))[first:] if extent(row) else [] for row in rows]


def trimmed(rows: Rows) -> Rows:
    """Drop the blank columns at the end, and blank rows at both ends."""
    width = 0
    for row in rows:
        if len(row) > width:
            width = max(width, extent(row))
    rows = [row[:width] for row in rows]
    rows = [row if extent(row) else [] for row in rows]
    while rows and not rows[-1]:
        rows.pop()
    return rows


def usual_width(rows: Rows) -> int:
    """Return how many cells most rows with numbers have; of equal cases, as the line above them, or the most."""
    widths = Counter(extent(row) for row in rows if has_numbers(row))
    if not widths:
        return 0
    most = max(widths.values())
    tied = {width for width, times in widths.items() if times == most}
    first = next(i for i, row in enumerate(rows) if has_numbers(row))
    header = next((extent(row) for row in reversed(rows[:first]) if row), 0)
    return header if header in tied else max(tied)
