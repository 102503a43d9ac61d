"""Where in a sheet the table is: title lines, header, labels of rows, counts, notes below.

The table is the rows that have as many cells as most rows with numbers. Above it is the header, of one line or
several (see `header`); lines above that are titles. Below it a line without numbers is a note. What is left out
is said.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import axis_names, counted, from_spreadsheet, listed, quoted
from sdcwidgets.tables.io.formats.base import Row, Rows
from sdcwidgets.tables.io.layout.adding_up import is_total
from sdcwidgets.tables.io.layout.body import (
    around,
    evened,
    one_table,
    such_as,
    with_corner_names,
    with_index_names,
    with_second_header,
    without_units,
)
from sdcwidgets.tables.io.layout.cells import (
    extent,
    flag_beside,
    has_numbers,
    is_blank,
    is_flag,
    is_number,
    is_percentage,
    label_of,
    missing_only,
    trimmed,
    usual_width,
)
from sdcwidgets.tables.io.layout.headings import corner_moved, headed, repeats_corner, with_units
from sdcwidgets.tables.io.layout.indented import blanks_before, indent, told_apart
from sdcwidgets.tables.io.layout.missing import missing_in, range_in
from sdcwidgets.tables.io.layout.sheet import Decisions, TableSheet, settled
from sdcwidgets.tables.io.layout.size import MOST_AXES
from sdcwidgets.tables.io.layout.words import says
from sdcwidgets.tables.io.options import NoCounts, NoNumbers, NoTable, ReadOptions, choice_of
from sdcwidgets.tables.io.questions import doubt


@dataclass(frozen=True)
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
    blanks : dict of str to int
        How many blanks stood before a label of a row.
    """

    names: list[str | None]
    labels: list[list[str]]
    headings: list[list[str]]
    cells: Rows
    notes: list[str] = field(default_factory=list)
    named: bool = False
    blanks: dict[str, int] = field(default_factory=dict)


def _trimmed(cell: object) -> str:
    return label_of(cell).strip()


def _unescaped(cell: object) -> str:
    return from_spreadsheet(label_of(cell))


def _trimmed_unescaped(cell: object) -> str:
    return from_spreadsheet(_trimmed(cell))


def outline(rows: Rows, how: ReadOptions, *, typed: bool, own: bool = False) -> Outline:
    """Find the parts of a table.

    Parameters
    ----------
    rows : list of list
        The cells; a blank row is empty.
    how : ReadOptions
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
    read: Callable[[object], str] = _trimmed_unescaped
    if own:
        read = _unescaped
    elif typed:
        read = _trimmed
    sheet, notes, _ = settled(STAGES, TableSheet(trimmed(rows), typed, own), how)
    return (_with_header if sheet.head else _without_header)(sheet, how, notes, read)


def _unflagged(sheet: TableSheet, how: ReadOptions) -> tuple[TableSheet, Decisions]:
    """Take flags off where a number without one is nowhere, so that the rows with counts are found."""
    if any(map(has_numbers, sheet.rows)):
        return sheet, Decisions()
    at = [(i, j) for i, row in enumerate(sheet.rows) for j, cell in enumerate(row) if j and flag_beside(cell)]
    if not at:
        return sheet, Decisions()
    if how.flags == "ask":
        i, j = at[0]
        where, cell = f"Row {quoted(label_of(sheet.rows[i][0]))}", quoted(label_of(sheet.rows[i][j]))
        return sheet, Decisions(doubts=[doubt("flag", choice_of("flags"), where=where, cell=cell)])
    rows = [list(row) for row in sheet.rows]
    for i, j in at:
        rows[i][j] = (flag_beside(rows[i][j]) or ("",))[0]
    return replace(sheet, rows=rows), Decisions(["Flags next to all counts were removed."])


def _measured(sheet: TableSheet, how: ReadOptions) -> tuple[TableSheet, Decisions]:
    """Find the first row with counts, and how wide such rows are."""
    rows = sheet.rows
    filled = [i for i, row in enumerate(rows) if row]
    if not filled:
        raise NoTable(
            "The table is empty; a table needs a row of column labels, and rows of counts below this row."
        )
    if len(filled) < 2 or max(map(len, rows)) < 2:
        marks = "" if sheet.typed else ", separated by comma, semicolon or tab"
        raise NoTable(
            f"The table has only one row or one column{marks}; a table needs row labels, column labels and counts."
        )
    width = usual_width(rows)
    first = next((k for k, i in enumerate(filled) if extent(rows[i]) == width and has_numbers(rows[i])), None)
    if first is None:
        _refuse_percentages(rows)
        raise NoNumbers(
            "The file has no counts. If each row is one person, choose the columns to count by (by)."
        )
    if sheet.own:
        pass  # its header is one line, whatever a category is called
    elif _is_over(sheet.lines(filled[first : first + 3])):
        first += 2
    elif 0 < first < len(filled) - 1 and repeats_corner(rows[filled[first]], rows[filled[first - 1]]):
        first += 1
    while first > 1 and missing_only(rows[filled[first - 1]]):
        first -= 1
    return replace(sheet, width=width, body=tuple(filled[first:])), Decisions()


def _is_over(lines: Rows) -> bool:
    """Return whether the first of three lines holds years, over labels and counts."""
    if len(lines) < 3:
        return False
    over, below, counts = lines
    corner = label_of(over[0]).strip() == label_of(below[0]).strip() and has_numbers(counts)
    same = list(map(is_blank, over[1:])) == list(map(is_blank, below[1:])) and len(over) == len(below)
    return corner and same and not any(map(is_number, below[1:]))


def _without_flags_beside(sheet: TableSheet, how: ReadOptions) -> tuple[TableSheet, Decisions]:
    """Leave out columns of flags or remarks on the numbers before them: they say so, or have no heading."""
    above, body = sheet.rows[: sheet.body[0]], sheet.lines(sheet.body)
    headings = {j: label_of(row[j]).strip() for row in above for j in range(len(row)) if not is_blank(row[j])}
    flagged = {}
    for j in range(2, max(map(len, sheet.rows))):
        cells = [row[j] for row in body if j < len(row)]
        if _is_beside(cells, headings.get(j)):
            flagged[j] = {label_of(cell).strip() for cell in cells} - {""}
    flags = set[str]().union(*flagged.values())
    if not flags and not headings.keys() & flagged:
        return sheet, Decisions()
    rows = trimmed([[cell for j, cell in enumerate(row) if j not in flagged] for row in sheet.rows])
    named = f" ({listed(sorted(flags))})" if flags else ""
    return replace(sheet, rows=rows, width=usual_width(rows)), Decisions(
        [f"The import omitted columns of flags and remarks{named}."]
    )


def _is_beside(cells: Row, heading: str | None) -> bool:
    """Return whether a column holds remarks on the one before it, or flags without a heading."""
    if heading is None:
        return all(is_blank(cell) or is_flag(cell) for cell in cells)
    return says("remark", heading) and not any(map(is_number, cells))


#: From the cells of a sheet to its table, in order.
STAGES = (
    _unflagged,
    _measured,
    _without_flags_beside,
    headed,
    one_table,
    with_second_header,
    around,
    without_units,
    with_corner_names,
    with_index_names,
    evened,
)


def _with_header(
    sheet: TableSheet, how: ReadOptions, notes: list[str], read: Callable[[object], str]
) -> Outline:
    """Return the parts with the labels of the header, and the axes that it or a line below it names."""
    width, rows = sheet.width, sheet.lines(sheet.body)
    upper = [_texts(line, read, width) for line in sheet.lines(sheet.head)]
    header = with_units(upper.pop(), sheet.units)
    if upper:
        corner_moved(header, upper[-1])
    below = [] if sheet.index_names is None else [read(cell) for cell in sheet.rows[sheet.index_names]]
    names, depth, named = _columns_of_labels(header, below, rows, width)
    levels, level_names, spanner = _levels(upper, depth, bool(below))
    names[-1] = names[-1] or spanner or None
    labels = [[read(cell) for cell in row[:depth]] for row in rows]
    if depth == 1 and not sheet.own:
        labels, rows = _without_headings(labels, rows, notes)
    before = (blanks_before(label_of(cell)) for row in rows for cell in row[:depth])
    blanks = dict(zip(itertools.chain(*labels), before, strict=True))
    filled_in = _fill_down(labels)
    if filled_in:
        words = (
            "repeats the label of the cell above" if filled_in == 1 else "repeat the label of the cell above"
        )
        notes.append(f"{counted(filled_in, 'blank label')} {words}.")
    headings = [list(parts) for parts in zip(*levels, header[depth:], strict=True)]
    filled = [
        bool(header[j].strip()) or not all(is_blank(row[j]) for row in rows) for j in range(depth, width)
    ]
    return Outline(
        names=[*names[:-1], *level_names, names[-1]],
        labels=labels,
        headings=list(itertools.compress(headings, filled)),
        cells=[list(itertools.compress(row[depth:], filled)) for row in rows],
        notes=notes,
        named=named,
        blanks=blanks,
    )


def _texts(line: Sequence[object], read: Callable[[object], str], width: int) -> list[str]:
    """Return the texts of the cells of a line, with as many cells as the sheet has columns."""
    texts = [read(cell) for cell in line]
    return (texts + [""] * width)[:width]


def _without_headings(labels: list[list[str]], rows: Rows, notes: list[str]) -> tuple[list[list[str]], Rows]:
    """Tell the labels of one column apart by those that they stand under; leave out rows that are only headings."""
    texts = [label for (label,) in labels]
    depths = [blanks_before(label_of(row[0])) + indent(text) for row, text in zip(rows, texts, strict=True)]
    blank = [all(map(is_blank, row[1:])) for row in rows]
    over = [
        depth < following and empty
        for depth, following, empty in zip(depths, [*depths[1:], 0], blank, strict=False)
    ]
    if any(over):
        headings = such_as(list(itertools.compress(texts, over)))
        notes.append(
            f"The import omitted {headings}, because these lines have no counts and are headings "
            f"of the lines below."
        )
    apart = zip(told_apart(texts, depths, list(map(is_total, texts))), rows, over, strict=True)
    remaining = [([label], row) for label, row, heading in apart if not heading]
    return [label for label, _ in remaining], [row for _, row in remaining]


def _columns_of_labels(
    header: list[str], below: list[str], rows: Rows, width: int
) -> tuple[list[str | None], int, bool]:
    """Return the names of the axes, how many columns hold labels, and whether the header names all of them."""
    names, depth = axis_names(header)
    if len(names) > depth:
        return names, depth, True
    depth = max(1, extent(below)) if below else _depth(rows, width)
    over = header[depth - 1] if below else ""  # pandas writes the name of the columns there
    return [name if name.strip() else None for name in [*(below or header)[:depth], over]], depth, False


def _refuse_percentages(rows: Rows) -> None:
    """Say that there are percentages where most cells beside the labels are such."""
    cells = [cell for row in rows[1:] for cell in row[1:] if not is_blank(cell)]
    percentages = [cell for cell in cells if is_percentage(cell)]
    if len(percentages) * 2 > len(cells):
        raise InputError(
            "The values look like percentages, not counts of people "
            f"({such_as(percentages)}). Load counts instead."
        )


def _without_header(
    sheet: TableSheet, how: ReadOptions, notes: list[str], read: Callable[[object], str]
) -> Outline:
    """Return the parts with numbered columns, and the rows too where they have no labels."""
    bare = how.first_line == "bare"
    depth, rows = 0 if bare else 1, sheet.lines(sheet.body)
    notes.append(
        "The table has no labels, so its rows and columns are numbered."
        if bare
        else "The table has no header, so its columns are numbered."
    )
    labels = [[f"Row {i + 1}"] if bare else [read(row[0])] for i, row in enumerate(rows)]
    headings = [[f"Column {j + 1}"] for j in range(sheet.width - depth)]
    return Outline([None, None], labels, headings, [row[depth:] for row in rows], notes, named=True)


def _depth(rows: Rows, width: int) -> int:
    """Return how many of the first columns hold labels."""
    depth = 1
    while depth < width - 1 and _are_labels(rows, depth):
        depth += 1
        if depth > MOST_AXES:
            raise NoCounts(
                f"More than {MOST_AXES} columns contain labels. If each row is one person, "
                "choose the columns to count by (by)."
            )
    if depth > 1 or width < 3:
        return depth
    # Numbers may be labels too, such as ages: then the first columns together name each row once, in every
    # combination, and one of them alone does not.
    labels = [_filled([label_of(row[k]) for row in rows]) for k in range(width - 1)]
    keys: list[tuple[str, ...]] = [(label,) for label in labels[0]]
    if len(set(keys)) == len(keys):
        return 1
    for k in range(1, width - 1):
        if k > 3:
            break
        keys = [(*key, label) for key, label in zip(keys, labels[k], strict=True)]
        sizes = [len(set(column)) for column in labels[: k + 1]]
        if len(set(keys)) == len(keys) == math.prod(sizes) and min(sizes) > 1:
            return k + 1
    return 1


def _are_labels(rows: Rows, column: int) -> bool:
    """Return whether a column holds texts and no numbers; ranges only where they tell rows apart, as ages do."""
    cells = [row[column] for row in rows if not is_blank(row[column])]
    if not cells or any(is_number(cell) for cell in cells):
        return False
    gaps = [cell for cell in cells if missing_in(cell)]
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
