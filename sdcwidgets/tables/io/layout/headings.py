"""Which lines above the counts are headings, and which of them only look like it: rows whose counts are no numbers.

A line with as many filled cells as the table is wide is no title, so the highest of them is the header, unless it
stands over the labels of a second one: merged or repeated labels over lower ones.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import axis_names, quoted
from sdcwidgets.tables.io.formats.base import Row, Rows
from sdcwidgets.tables.io.layout.cells import (
    extent,
    has_numbers,
    is_blank,
    is_number,
    label_of,
    says_percentages,
)
from sdcwidgets.tables.io.layout.doubts import says_counts
from sdcwidgets.tables.io.layout.missing import range_in
from sdcwidgets.tables.io.layout.sheet import Decisions, TableSheet
from sdcwidgets.tables.io.options import ReadOptions, choice_of
from sdcwidgets.tables.io.questions import doubt


def headed(sheet: TableSheet, how: ReadOptions) -> tuple[TableSheet, Decisions]:
    """Find the lines of the header; what is below it are rows, or names of their axes."""
    rows, start, width = sheet.rows, sheet.body[0], sheet.width
    above = [i for i in range(start) if rows[i]]
    if how.first_line in ("counts", "bare"):
        return sheet, Decisions()
    nearest = _header(rows, above, start, width)
    if nearest is None or _is_title(rows[nearest], width):
        return _first_line(sheet, how)
    below = tuple(i for i in above if i > nearest)
    head = _spanned(rows, above, nearest, start, width)
    return replace(sheet, head=tuple(head), body=(*below, *sheet.body)), Decisions()


def _is_title(line: Row, width: int) -> bool:
    """Return whether a line has one filled cell, as no header has."""
    return extent(line) == 1 and (width > 2 or (not is_blank(line[0]) and len(line) != width))


def _spanned(rows: Rows, above: Sequence[int], nearest: int, start: int, width: int) -> list[int]:
    """Return the lowest line of the header with those above it that stand over its labels."""
    head = [nearest]
    for i in reversed([i for i in above if i < nearest]):
        row, over = rows[i], sum(not is_blank(cell) for cell in rows[i][1:])
        if i != head[0] - 1 or over == 0:
            break
        if not is_blank(row[0]) and not _stands_over(rows, i, head[0], start, width):
            if over > 1:
                _refuse_two_lines(row, rows[head[0]], width)
            break
        head.insert(0, i)
    return head


def _header(rows: Rows, above: Sequence[int], start: int, width: int) -> int | None:
    """Return the line whose labels are those of the columns: the highest that is filled and over no second one."""
    full = [i for i in above if _is_full(rows[i], width)]
    if (
        width == 2
    ):  # two cells in a line may be a title and what it says, so they have to be next to the table
        last = above[-1] if above else 0
        full = [i for i in full if not any(not rows[j] for j in range(i, last))]
    if not full:
        return above[-1] if above else None
    header = full[0]
    while header + 1 in above and _stands_over(rows, header, header + 1, start, width):
        header += 1
    return header


def _is_full(row: Row, width: int) -> bool:
    """Return whether no cell of a line is blank but the first."""
    return len(row) >= width and not any(map(is_blank, row[1:width]))


def repeats_corner(line: Row, above: Row) -> bool:
    """Return whether a line with numbers begins with the label of the header above it, as one of years does."""
    corner = label_of(line[0]).strip() if has_numbers(line) and not has_numbers(above) else ""
    return corner != "" and corner == label_of(above[0]).strip()


def _stands_over(rows: Rows, i: int, below: int, start: int, width: int) -> bool:
    """Return whether a line holds upper headings of the line below it, as merged cells or pandas leave them."""
    upper, lower = rows[i], rows[below]
    if repeats_corner(lower, upper):
        return True
    if extent(lower) == 1 and is_blank(upper[0]) and not is_blank(lower[0]):
        return False
    after = rows[below + 1] if below + 1 < start else []
    if after and extent(after) < width - 1 and names_rows(after, rows[below + 2 :]):
        return True
    labels = [label_of(cell).strip() for cell in upper[1:width]]
    if all(labels) and len(set(labels)) == len(labels) == width - 1:
        return False  # it is a header of its own
    if is_blank(upper[0]):
        return True
    # pandas writes the names of the rows' axes in a line of their own, below the header
    return extent(after) == 1 or (_groups(upper, lower, width) is not None)


def _groups(upper: Row, lower: Row, width: int) -> list[str] | None:
    """Return the upper labels if the same two or more lower labels stand under each, with a total at most beside."""
    under: dict[str, list[str]] = {}
    above = ""
    for cell, label in itertools.zip_longest(upper[1:width], lower[1:width]):
        over, below = label_of(cell).strip(), label_of(label).strip()
        if not under and (not over or not below or over == below):
            continue  # of a column of row labels
        above = over or above
        under.setdefault(above, []).append(below)
    crossed = [labels for labels in under.values() if labels != [""]]
    same = len({frozenset(labels) for labels in crossed}) == 1
    if len(crossed) < 2 or not same or any("" in labels for labels in crossed):
        return None
    return list(under) if all(len(set(labels)) == len(labels) > 1 for labels in crossed) else None


def _refuse_two_lines(upper: Row, lower: Row, width: int) -> None:
    """Say that there are two lines of labels where those of the lower one are not enough."""
    labels = [label_of(cell).strip() for cell in lower[1:width]]
    if all(label not in labels[:k] for k, label in enumerate(labels) if label):
        return
    over = [quoted(label_of(cell)) for cell in upper[1:] if not is_blank(cell)]
    raise InputError(
        f"The header has two lines, and under {', '.join(over[:3])}{' ...' if len(over) > 3 else ''} are not the same "
        "labels; give each column a label of its own in one line."
    )


def names_rows(line: Row, below: Sequence[Row]) -> bool:
    """Return whether a line without counts surely names the axes of the rows: it has a text over numbers.

    Examples
    --------
    >>> names_rows(["age", None, None], [[9, 1, 2], [10, 3, 4]]), names_rows(["North"], [["South", 1, 2]])
    (True, False)
    """
    for k in range(extent(line)):
        cells = [row[k] for row in below if extent(row) > k + 1 and not is_blank(row[k])]
        numbers = [is_number(cell) or range_in(cell) for cell in cells]
        if sum(numbers) > 1 and sum(numbers) >= len(numbers) - 1 and not is_number(line[k]):
            return not range_in(line[k])  # one of the labels may be that of a total
    return False


def units_below(line: Row, width: int) -> list[str]:
    """Return the cells of a line of units below a header, each a word for counts or percentages; of another line none.

    Examples
    --------
    >>> units_below(["", "Number", "in %"], 3), units_below(["North", "Number", "Number"], 3)
    (['', 'Number', 'in %'], [])
    """
    units = [label_of(cell).strip() for cell in line[:width]]
    named_units = list(itertools.dropwhile(lambda unit: not unit, units))
    if not 1 < len(named_units) < len(units) == width:
        return []
    counts = {unit for unit in named_units if not says_percentages(unit)}
    return units if len(counts) < 2 and all(map(says_counts, counts)) else []


def with_units(header: Sequence[str], units: Sequence[str]) -> list[str]:
    """Return the labels of a header, with the unit where it says that a column holds percentages."""
    return [
        f"{label} {unit}".strip() if says_percentages(unit) else label
        for label, unit in zip(header, units, strict=True)
    ]


def corner_moved(header: list[str], upper: list[str]) -> None:
    """Move names of the rows' axes from the upper line to the lower one, where merged cells leave them above."""
    for k, (label, over) in enumerate(zip(header, upper, strict=False)):
        if label.strip():
            return
        header[k], upper[k] = over, ""


def _first_line(sheet: TableSheet, how: ReadOptions) -> tuple[TableSheet, Decisions]:
    """Decide what a first line with numbers is, or leave it open."""
    row, below = sheet.rows[sheet.body[0]], sheet.body[1:]
    values = [cell for cell in row[1:] if not is_blank(cell)]
    texts = [cell for cell in values if not is_number(cell)]
    written = sheet.typed and all(isinstance(cell, str) for cell in values)
    two_names = isinstance(row[0], str) and len(axis_names([row[0], ""])[0]) > 1
    if how.first_line == "labels" or texts or written or two_names or is_blank(row[0]) or not below:
        return replace(sheet, head=sheet.body[:1], body=below), Decisions()
    line = ", ".join(quoted(label_of(cell)) for cell in row[:4]) + (" ..." if len(row) > 4 else "")
    return sheet, Decisions(doubts=[doubt("first line", choice_of("first_line"), line=line)])
