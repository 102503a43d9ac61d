"""Where in a sheet the table is: title lines, header, labels of rows, counts, notes below.

The table is the rows that have as many cells as most rows with numbers. Above it is the header, of one line or
several (see `header`); lines above that are titles. Below it a line without numbers is a note. What is left out
is said.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sdcwidgets.errors import InputError
from sdcwidgets.labels import axis_names, counted, from_spreadsheet, place, quoted
from sdcwidgets.sources.adding_up import is_total
from sdcwidgets.sources.cells import (
    extent,
    gaps_only,
    has_numbers,
    is_blank,
    is_mark,
    is_number,
    is_percentage,
    label_of,
    trimmed,
    usual_width,
)
from sdcwidgets.sources.gaps import gap_in, range_in
from sdcwidgets.sources.header import corner_moved, find_head, names_rows, units_below, with_units
from sdcwidgets.sources.how import How, NoNumbers, NoTable
from sdcwidgets.sources.text import Row, Rows

__all__ = ["Outline", "outline"]

#: What may be the name of an axis, and is no group of ages nor of people of whom it isn't known.
_NAME = re.compile(
    r"(?!(unknown|missing|none|others?|not|no|unbekannt|ohne|keine?|sonstige|inconnu)\b)[^\W\d]+([ -][^\W\d]+)*",
    re.IGNORECASE,
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


def _trimmed(cell: Any) -> str:
    return label_of(cell).strip()


def _unescaped(cell: Any) -> str:
    return from_spreadsheet(label_of(cell))


def _trimmed_unescaped(cell: Any) -> str:
    return from_spreadsheet(_trimmed(cell))


def outline(rows: Rows, how: How, *, typed: bool, own: bool = False) -> Outline:
    """Find the parts of a table.

    Parameters
    ----------
    rows : list of list
        The cells; a blank row is empty.
    how : How
    typed : bool
        Whether a cell's type says whether it is a number, as in a workbook or a frame.
    own : bool
        Whether `FrequencyTable.to_csv` wrote it, so that labels are kept with the blanks at their ends.

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
        raise NoTable("The table is empty; it needs a row of column labels, and rows of counts below it.")
    if len(filled) < 2 or max(map(len, rows)) < 2:
        marks = "" if typed else ", separated by comma, semicolon or tab"
        raise NoTable(
            f"There is only one row or one column{marks}; a table needs row labels, column labels and counts."
        )
    width = usual_width(rows)
    first = next((k for k, i in enumerate(filled) if extent(rows[i]) == width and has_numbers(rows[i])), None)
    if first is None:
        _refuse_percentages(rows)
        raise NoNumbers("There are no counts; where each row is a person, choose columns to count by (by).")
    while first > 1 and gaps_only(rows[filled[first - 1]]):
        first -= 1
    start = filled[first]
    head, body = find_head(rows, filled, start, width, how, typed)
    found = _Body(rows, head, body, width, typed)
    width = found.width
    read: Callable[[Any], str] = _unescaped if own else _trimmed if typed else _trimmed_unescaped
    notes = _left_out([row for row in rows[: head[0] if head else body[0]] if row], found.notes) + found.told
    if not head:
        return _without_header(found, how, notes, read)
    upper = [[read(cell) for cell in rows[i]] for i in head]
    upper = [[*line, *[""] * (width - len(line))][:width] for line in upper]
    header = with_units(upper.pop(), found.units)
    if upper:
        corner_moved(header, upper[-1])
    names, depth = axis_names(header)
    named = len(names) > depth
    below = [read(cell) for cell in rows[found.index_names]] if found.index_names is not None else None
    if not named:
        depth = _depth(found.rows, width, below)
        over = header[depth - 1] if below else ""  # pandas writes the name of the columns there
        names = [name if name.strip() else None for name in [*(below or header)[:depth], over]]
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


def _refuse_percentages(rows: Rows) -> None:
    """Say that there are percentages where most cells beside the labels are such."""
    cells = [cell for row in rows[1:] for cell in row[1:] if not is_blank(cell)]
    percentages = [cell for cell in cells if is_percentage(cell)]
    if len(percentages) * 2 > len(cells):
        raise InputError(
            f"These look like percentages, not counts of people ({_such_as(percentages)}); the counts themselves are "
            "needed."
        )


class _Body:
    """The rows with counts, the line that names their axes if there is one, and the notes below.

    Attributes
    ----------
    index_names : int or None
    units : list of str
        What stands in a line of units below the header, for each column; "" where there is none.
    rows : list of list
        Equally long.
    width : int
        How long: as the header, where it is longer than most rows with counts.
    notes : list of list
    told : list of str
        What else was decided.
    """

    def __init__(self, rows: Rows, head: Sequence[int], body: Sequence[int], width: int, typed: bool) -> None:
        self.index_names: int | None = None
        self.told: list[str] = []
        body = list(body)
        self.units = units_below(rows[body[0]], width) if head and len(body) > 1 else []
        if self.units:
            told = _such_as(rows[body.pop(0)], 1)
            self.told.append(f"I left out the line of units below the header ({told}).")
        if (
            len(body) > 1
            and width > 2
            and extent(rows[body[0]]) < width - 1
            and not has_numbers(rows[body[0]])
            and self._names_axes(rows, head, body, width)
        ):
            self.index_names = body.pop(0)
        last = max((i for i in body if has_numbers(rows[i]) or gaps_only(rows[i])), default=None)
        kept, self.notes = [], []
        apart = False
        for i in body:
            row = rows[i]
            apart = apart or (last is not None and i > last and not rows[i - 1])
            is_note = last is not None and i > last and not any(map(is_number, row))
            short = extent(row) < width and not any(map(is_mark, row[1:]))
            if is_note and (apart or short or width < 2):
                self.notes.append(row)
                continue
            kept.append(i)
        self.width = self._widened([rows[i] for i in kept], rows[head[-1]] if head else [], width)
        self.units = [*self.units, *[""] * self.width][: self.width]
        first = rows[head[-1]] if head else [None] * width
        self.rows = [self._even(rows[i], first, typed) for i in kept]
        beside = [cell for i in kept for cell in rows[i][self.width :] if not is_blank(cell)]
        if beside:
            self.told.append(
                f"I left out {counted(len(beside), 'cell')} beside the table ({_such_as(beside)})."
            )

    def _names_axes(self, rows: Rows, head: Sequence[int], body: Sequence[int], width: int) -> bool:
        """Return whether the first line names the rows' axes, as pandas writes it; else it is a row without counts."""
        line = rows[body[0]]
        depth = extent(line)
        if not head:
            return False
        before = [[not is_blank(cell) for cell in rows[i][:depth]] for i in head]
        named = {cells[-1] for cells in before}
        alike = len(named) == 1 and not any(any(cells[:-1]) for cells in before)
        word = label_of(line[0]).strip()
        certain = (
            _NAME.fullmatch(word) and not is_total(word) and names_rows(line, [rows[i] for i in body[1:]])
        )
        if alike and (len(head) > 1 or depth > 1 or certain) and not any(map(is_mark, line[1:])):
            self.told.append(
                f"I took the line {_such_as(line, depth)} for names of the rows: it has no counts."
            )
            return True
        header = rows[head[-1]]
        gap = next(
            (j for j in range(1, min(width, len(header))) if j >= len(line) or is_blank(line[j])), None
        )
        if gap is None or depth > 1 or is_blank(line[0]) or len(body) < 2:
            return False
        raise InputError(
            f"{place([label_of(line[0]), label_of(header[gap])])}: the cell is empty; write 0 where there is nobody, "
            f"or {quoted(label_of(line[0]))} into the first cell of the header if it names the rows."
        )

    def _widened(self, kept: Rows, header: Row, width: int) -> int:
        """Return how wide the table is: as its header, unless below the rest of it are remarks or no totals."""
        most = extent(header)
        beside = [cell for row in kept for cell in row[width:most] if not is_blank(cell)]
        if most <= width or (beside and not any(is_number(cell) or gap_in(cell) for cell in beside)):
            return width
        if not beside and all(is_total(label_of(cell)) for cell in header[width:most]):
            self.told.append(f"I left out the column {quoted(label_of(header[width]))}: it is blank.")
            return width
        return most

    def _even(self, row: Row, first: Row, typed: bool) -> Row:
        """Return the cells of a row up to the table's width, or refuse it where it has more or fewer."""
        fits = len(row) in (self.width, len(first)) or extent(row) == self.width
        ragged = not typed and not (fits and len(first) >= self.width)
        if ragged or any(is_number(cell) or gap_in(cell) for cell in row[self.width :]):
            raise InputError(
                f"Row {quoted(label_of(row[0]))} has {len(row) if ragged else extent(row)} cells and the first line "
                f"{extent(first) or len(first)}; every row must have as many."
            )
        return [*row, *[None] * (self.width - len(row))][: self.width]


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
    """Return the upper headings of each column, their axes' names, and one that stands over all of the header.

    A heading that stands over all columns names the line below it.
    """
    levels, names, spanner = [], [], ""
    for line in upper:
        over = line[depth:]
        different = {cell for cell in over if cell.strip()}
        if len(different) == 1 and not pandas:
            spanner = next(iter(different))
            continue
        levels.append(_filled(over))
        names.append((line[depth - 1].strip() if depth else "") or spanner or None)
        spanner = ""
    return levels, names, spanner


def _left_out(above: Rows, below: Rows) -> list[str]:
    """Say which lines are not part of the table."""
    told = []
    for lines, where in ((above, "above"), (below, "below")):
        if lines:
            told.append(f"{counted(len(lines), 'line')} {where} the table ({_such_as(lines[0], len(lines))})")
    return [f"I left out {' and '.join(told)}."] if told else []


def _such_as(cells: Row, of: int | None = None) -> str:
    """Return the first filled cell in quotes, with dots where there are more of what it stands for."""
    first = quoted(label_of(next(cell for cell in cells if not is_blank(cell))))
    return f"{first}{' ...' if (len(cells) if of is None else of) > 1 else ''}"
