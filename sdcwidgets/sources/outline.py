"""Where in a sheet the table is: title lines, header, labels of rows, counts, notes below.

The table is the rows that have as many cells as most rows with numbers. Above it the nearest line is the
header; lines above that are titles, or upper headings where they stand over the counts only. Below it a line
without numbers is a note. What is left out is said.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sdcwidgets.errors import InputError
from sdcwidgets.labels import axis_names, from_spreadsheet, quoted
from sdcwidgets.sources.cells import (
    extent,
    gaps_only,
    has_numbers,
    is_blank,
    is_number,
    label_of,
    trimmed,
    usual_width,
)
from sdcwidgets.sources.gaps import gap_in, range_in
from sdcwidgets.sources.how import Choice, How, NoCounts, Question
from sdcwidgets.sources.text import Rows

__all__ = ["Outline", "outline"]

#: What can be chosen of a first line of numbers.
_FIRST_LINE = Choice(
    "first_line",
    {
        "labels": "labels of the columns",
        "counts": "counts, after a row's label",
        "bare": "counts, as all columns are",
    },
)


@dataclass
class Outline:
    r"""The parts of a table.

    Attributes
    ----------
    names : list of (str or None)
        The axes of the columns with labels, then those of the headings, None where they have no name.
    labels : list of list of str
        For each row its labels.
    headings : list of list of str
        For each column its labels, one an upper heading and one of the header.
    cells : list of list
    notes : list of str
        What was left out or filled in.
    named : bool
        Whether the first cell names the axes of rows and columns, as in `Area \ Religion`.
    """

    names: list[str | None]
    labels: list[list[str]]
    headings: list[list[str]]
    cells: Rows
    notes: list[str] = field(default_factory=list)
    named: bool = False


def _unescaped(cell: Any) -> str:
    return from_spreadsheet(label_of(cell))


def outline(rows: Rows, how: How, *, typed: bool, unescape: bool) -> Outline:
    """Find the parts of a table.

    Parameters
    ----------
    rows : list of list
        The cells; a blank row is empty.
    how : How
    typed : bool
        Whether a cell's type says whether it is a number, as in a workbook or a frame.
    unescape : bool
        Whether labels may have been made safe for spreadsheets.

    Raises
    ------
    Question
        If the first line has numbers that may be labels or counts.
    InputError
        If there is no table.
    """
    rows = trimmed(rows)
    filled = [i for i, row in enumerate(rows) if row]
    if not filled:
        raise InputError("The table is empty; it needs a row of column labels, and rows of counts below it.")
    if len(filled) < 2 or max(map(len, rows)) < 2:
        raise InputError(
            "There is only one row or one column, separated by comma, semicolon or tab; "
            "a table needs row labels, column labels and counts."
        )
    width = usual_width(rows)
    first = next((k for k, i in enumerate(filled) if extent(rows[i]) == width and has_numbers(rows[i])), None)
    if first is None:
        raise NoCounts("There are no counts; where each row is a person, choose columns to count by (by).")
    while first > 1 and gaps_only(rows[filled[first - 1]]):
        first -= 1
    start = filled[first]
    head, body = _head(rows, filled, start, width, how, typed)
    found = _Body(rows, body, width)
    read: Callable[[Any], str] = _unescaped if unescape else label_of
    notes = _left_out([row for row in rows[: head[0] if head else body[0]] if row], found.notes)
    if not head:
        return _without_header(found, how, notes, read)
    header = [read(cell) for cell in rows[head[-1]]]
    header += [""] * (width - len(header))
    names, depth = axis_names(header)
    named = len(names) > depth
    below = [read(cell) for cell in rows[found.index_names]] if found.index_names is not None else None
    if not named:
        depth = _depth(found.rows, width, below)
        over = header[depth - 1] if below else ""  # pandas writes the name of the columns there
        names = [name if name.strip() else None for name in [*(below or header)[:depth], over]]
    upper = [[read(cell) for cell in rows[i]] for i in head[:-1]]
    upper = [[*line, *[""] * (width - len(line))] for line in upper]
    levels, level_names, spanner = _levels(upper, depth, bool(below))
    if spanner and names[-1] is None:
        names[-1] = spanner
    labels = [[read(cell) for cell in row[:depth]] for row in found.rows]
    headings = [list(parts) for parts in zip(*levels, header[depth:], strict=True)]
    blank = [
        j
        for j in range(depth, width)
        if not header[j].strip() and all(is_blank(row[j]) for row in found.rows)
    ]
    keep = [j for j in range(depth, width) if j not in set(blank)]
    filled_in = _fill_down(labels)
    if filled_in:
        notes.append(f"{filled_in:,} blank labels repeat the label above them.")
    return Outline(
        names=[*names[:-1], *level_names, names[-1]],
        labels=labels,
        headings=[headings[j - depth] for j in keep],
        cells=[[row[j] for j in keep] for row in found.rows],
        notes=notes,
        named=named,
    )


def _head(
    rows: Rows, filled: Sequence[int], start: int, width: int, how: How, typed: bool
) -> tuple[list[int], list[int]]:
    """Return which rows are headings, from the top, and which are below them."""
    above = [i for i in filled if i < start]
    if how.first_line in ("counts", "bare"):
        return [], [i for i in filled if i >= start]
    nearest = above[-1] if above else None
    if (
        nearest is not None
        and extent(rows[nearest]) == 1 < width - 1
        and len(above) > 1
        and nearest - above[-2] == 1
        and extent(rows[above[-2]]) >= width - 1
        and not is_blank(rows[above[-2]][0])
    ):
        # pandas writes the names of the rows' axes in a line of their own, below the header
        above, nearest = above[:-1], above[-2]
    if (
        nearest is None
        or extent(rows[nearest]) == 1 < width - 1
        or (extent(rows[nearest]) == 1 and not is_blank(rows[nearest][0]) and len(rows[nearest]) != width)
    ):
        return _first_line(rows, filled, start, width, how, typed)
    if not typed and len(rows[nearest]) != width and extent(rows[nearest]) != width:
        first = rows[start]
        raise InputError(
            f"Row {quoted(label_of(first[0]))} has {len(first)} cells and the first row {len(rows[nearest])}; "
            f"every row must have as many, up to column {quoted(label_of(rows[nearest][-1]))}."
        )
    head = [nearest]
    for i in reversed(above[:-1]):
        row = rows[i]
        over = sum(not is_blank(cell) for cell in row[1:])
        apart = not row or i != head[0] - 1 or over == 0
        if apart or not (is_blank(row[0]) or _is_level(rows, head[0], start, over)):
            break
        head.insert(0, i)
    return head, [i for i in filled if i > nearest]


def _is_level(rows: Rows, below: int, start: int, over: int) -> bool:
    """Return whether a line with a first cell is a level of headings, as pandas writes them."""
    return over > 1 and any(extent(rows[j]) == 1 and rows[j] for j in range(below + 1, start))


def _first_line(
    rows: Rows, filled: Sequence[int], start: int, width: int, how: How, typed: bool
) -> tuple[list[int], list[int]]:
    """Decide what a first line with numbers is, or ask."""
    row = rows[start]
    below = [i for i in filled if i > start]
    values = [cell for cell in row[1:] if not is_blank(cell)]
    texts = [cell for cell in values if not is_number(cell)]
    written = typed and all(isinstance(cell, str) for cell in values)
    two_names = isinstance(row[0], str) and len(axis_names([row[0], ""])[0]) > 1
    if how.first_line == "labels" or texts or written or two_names or is_blank(row[0]) or not below:
        return [start], below
    shown = ", ".join(quoted(label_of(cell)) for cell in row[:4]) + (" ..." if len(row) > 4 else "")
    raise Question(
        f"The first line, {shown}, has numbers: choose whether they are labels or counts "
        "(first_line: labels, counts, or bare, where the first column holds counts too).",
        _FIRST_LINE,
    )


class _Body:
    """The rows with counts, the line that names their axes if there is one, and the notes below."""

    def __init__(self, rows: Rows, body: Sequence[int], width: int) -> None:
        self.index_names: int | None = None
        body = list(body)
        if (
            len(body) > 1
            and width > 2
            and extent(rows[body[0]]) < width - 1
            and not has_numbers(rows[body[0]])
        ):
            self.index_names = body.pop(0)
        last = max((i for i in body if has_numbers(rows[i]) or gaps_only(rows[i])), default=None)
        kept, self.notes = [], []
        apart = False
        for i in body:
            row = rows[i]
            apart = apart or (last is not None and i > last and not rows[i - 1])
            is_note = last is not None and i > last and not any(map(is_number, row))
            if is_note and (apart or extent(row) < width or width < 2):
                self.notes.append(row)
                continue
            kept.append(i)
        self.rows = []
        for i in kept:
            row = rows[i]
            if len(row) != width and extent(row) != width and len(row) != len(rows[kept[0]]):
                raise InputError(
                    f"Row {quoted(label_of(row[0]))} has {len(row)} cells and the first row {width}; "
                    f"every row must have as many."
                )
            self.rows.append([*row, *[None] * (width - len(row))][:width])


def _without_header(found: _Body, how: How, notes: list[str], read: Callable[[Any], str]) -> Outline:
    """Return the parts with numbered columns, and the rows too where they have no labels."""
    bare = how.first_line == "bare"
    depth = 0 if bare else 1
    width = len(found.rows[0]) - depth
    notes.append(
        "There are no labels, so rows and columns are numbered."
        if bare
        else "There is no header, so columns are numbered."
    )
    labels = [[f"Row {i + 1}"] if bare else [read(row[0])] for i, row in enumerate(found.rows)]
    headings = [[f"Column {j + 1}"] for j in range(width)]
    return Outline([None, None], labels, headings, [row[depth:] for row in found.rows], notes, named=True)


def _depth(rows: Rows, width: int, below: list[str] | None) -> int:
    """Return how many of the first columns hold labels."""
    if below is not None:
        return max(1, extent(below))
    depth = 1
    while depth < width - 1 and _are_labels(rows, depth):
        depth += 1
    if depth > 1 or width < 3:
        return depth
    # Numbers may be labels too, such as ages: then the first columns together name each row once, in every
    # combination, and one of them alone does not.
    labels = [_filled([label_of(row[k]) for row in rows]) for k in range(width - 1)]
    keys: list[tuple[str, ...]] = [(one,) for one in labels[0]]
    if len(set(keys)) == len(keys):
        return 1
    for k in range(1, width - 1):
        if k > 3:
            break
        keys = [(*key, one) for key, one in zip(keys, labels[k], strict=True)]
        sizes = [len(set(column)) for column in labels[: k + 1]]
        if len(set(keys)) == len(keys) == math.prod(sizes) and min(sizes) > 1:
            return k + 1
    return 1


def _are_labels(rows: Rows, column: int) -> bool:
    """Return whether a column holds texts and no numbers; ranges only where they tell rows apart, as ages do."""
    cells = [row[column] for row in rows if not is_blank(row[column])]
    if not cells or any(is_number(cell) for cell in cells):
        return False
    gaps = [cell for cell in cells if gap_in(cell)]
    if not gaps:
        return True
    if not all(map(range_in, gaps)):
        return False
    before = [_filled([label_of(row[k]) for row in rows]) for k in range(column)]
    return len(set(zip(*before, strict=True))) < len(rows)


def _filled(labels: list[str]) -> list[str]:
    """Return the labels with each blank one as the one above it."""
    above = ""
    filled = []
    for label in labels:
        above = label if label.strip() else above
        filled.append(above)
    return filled


def _fill_down(labels: list[list[str]]) -> int:
    """Fill blank labels but those of the last column from above, and return how many were blank.

    A row whose other labels are all blank is a total of them, and stays as it is.
    """
    filled = 0
    for above, row in itertools.pairwise(labels):
        if not row[-1].strip():
            continue
        for k in range(len(row) - 1):
            if row[k].strip():
                break  # what is named begins anew below it
            row[k] = above[k]
            filled += 1
    return filled


def _levels(
    upper: list[list[str]], depth: int, pandas: bool
) -> tuple[list[list[str]], list[str | None], str]:
    """Return the upper headings of each column, their axes' names, and a heading that stands over all of them."""
    levels, names, spanner = [], [], ""
    for line in upper:
        over = line[depth:]
        different = {cell for cell in over if cell.strip()}
        if len(different) == 1 and not pandas:
            spanner = next(iter(different))
            continue
        levels.append(_filled(over))
        names.append(line[depth - 1].strip() or None if depth else None)
    return levels, names, spanner


def _left_out(above: Rows, below: Rows) -> list[str]:
    """Say which lines are not part of the table."""
    told = []
    for lines, where in ((above, "above"), (below, "below")):
        if lines:
            first = next(cell for cell in lines[0] if not is_blank(cell))
            number = "1 line" if len(lines) == 1 else f"{len(lines)} lines"
            told.append(
                f"{number} {where} the table ({quoted(label_of(first))}{' ...' if len(lines) > 1 else ''})"
            )
    return [f"I left out {' and '.join(told)}."] if told else []
