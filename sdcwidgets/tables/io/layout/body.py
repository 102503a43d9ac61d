"""The rows of a sheet that hold the counts: what is no row of them, what names them, and how wide they are."""

from __future__ import annotations

import re
from dataclasses import replace

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import cell_name, counted, quoted
from sdcwidgets.tables.io.formats.base import Row, Rows, Unsaved
from sdcwidgets.tables.io.layout.adding_up import is_total
from sdcwidgets.tables.io.layout.cells import (
    extent,
    has_numbers,
    is_blank,
    is_mark,
    is_number,
    label_of,
    missing_only,
)
from sdcwidgets.tables.io.layout.headings import names_rows, units_below
from sdcwidgets.tables.io.layout.indented import indent
from sdcwidgets.tables.io.layout.missing import missing_in
from sdcwidgets.tables.io.layout.scale import says_thousands, thousands
from sdcwidgets.tables.io.layout.sheet import Decisions, TableSheet
from sdcwidgets.tables.io.layout.words import words
from sdcwidgets.tables.io.options import ReadOptions

#: Texts in place of numbers may stand for them; longer ones are headings.
_WORDS = 8

#: What may be the name of an axis, and is no group of ages nor of people of whom it isn't known.
_NAME = re.compile(rf"(?!({words('unknown')})\b)[^\W\d]+([ -][^\W\d]+)*", re.IGNORECASE)

#: A code with its name, as "SEXP Sex" in Australia.
_CODE = re.compile(r"[A-Z][A-Z0-9]{2,} .+")


def around(sheet: TableSheet, how: ReadOptions) -> tuple[TableSheet, Decisions]:
    """Leave out titles above and notes below: lines without numbers that are apart or short."""
    rows, below = sheet.rows, _notes_below(sheet)
    top = (sheet.head or sheet.body)[0]
    parts = [
        f"{counted(len(lines), 'line')} {where} the table ({such_as(lines[0], len(lines))})"
        for lines, where in (([row for row in rows[:top] if row], "above"), (sheet.lines(below), "below"))
        if lines
    ]
    body = tuple(i for i in sheet.body if i not in below)
    notes, scale = [f"The import omitted {' and '.join(parts)}."] if parts else [], Decisions()
    titles = (label_of(cell).strip() for row in rows[:top] for cell in row)
    title = next(filter(says_thousands, titles), "")
    if title:
        scale = thousands("A line above the table", title, how)
    return replace(sheet, body=body), scale._replace(notes=(*notes, *scale.notes))


def _notes_below(sheet: TableSheet) -> list[int]:
    """Return the lines without numbers below the last counts that are apart from them, or short."""
    rows, below, apart = sheet.rows, list[int](), False
    last = max((i for i in sheet.body if has_numbers(rows[i]) or missing_only(rows[i])), default=len(rows))
    for i in (i for i in sheet.body if i > last):
        apart = apart or not rows[i - 1]
        short = extent(rows[i]) < sheet.width and not any(map(is_mark, rows[i][1:]))
        if (apart or short or sheet.width < 2) and not any(map(is_number, rows[i])):
            below.append(i)
    return below


def without_units(sheet: TableSheet, how: ReadOptions) -> tuple[TableSheet, Decisions]:
    """Leave out a line of units below the header."""
    if not sheet.head or len(sheet.body) < 2:
        return sheet, Decisions()
    first, *below = sheet.body
    units = units_below(sheet.rows[first], sheet.width)
    if not units:
        return sheet, Decisions()
    note = f"The import omitted the line of measurement units below the header ({such_as(sheet.rows[first], 1)})."
    return replace(sheet, body=tuple(below), units=tuple(units)), Decisions([note])


def one_table(sheet: TableSheet, how: ReadOptions) -> tuple[TableSheet, Decisions]:
    """Refuse a sheet with several tables, one below the other, each with the same header."""
    header = [cell for cell in sheet.rows[sheet.head[-1]] if not is_blank(cell)] if sheet.head else []
    if len(header) > 1 and any(
        [cell for cell in row if not is_blank(cell)] == header for row in sheet.lines(sheet.body)
    ):
        raise InputError(
            f"The header ({such_as(header)}) occurs again further below, so the sheet "
            "contains several tables. Keep one of them, or combine them into one long table "
            "with a column that identifies each table."
        )
    return sheet, Decisions()


def with_second_header(sheet: TableSheet, how: ReadOptions) -> tuple[TableSheet, Decisions]:
    """Take a first line of other texts over numbers for the header, where codes stand above it."""
    if not sheet.body:
        return sheet, Decisions()
    first, *below = sheet.body
    line, rows = [label_of(cell).strip() for cell in sheet.rows[first]], sheet.lines(below)
    numbers = [
        j for j in range(sheet.width) if rows and all(len(row) > j and is_number(row[j]) for row in rows)
    ]
    over = [line[j] for j in numbers if j < len(line)]
    if len(sheet.head) != 1 or len(numbers) < 2 or len(over) < len(numbers) or len(set(line)) < sheet.width:
        return sheet, Decisions()
    if any(not label or is_mark(label) or len(label) < _WORDS for label in over):
        return sheet, Decisions()
    note = f"The import used the second line of the file as the header ({such_as(line)})."
    return replace(sheet, head=(first,), body=tuple(below)), Decisions([note])


def with_corner_names(sheet: TableSheet, how: ReadOptions) -> tuple[TableSheet, Decisions]:
    """Take the names of both axes as SuperWEB2 writes them: the columns' over a blank column, the rows' below it."""
    if not sheet.head or len(sheet.body) < 2:
        return sheet, Decisions()
    heads, (first, *below) = sheet.lines(sheet.head), sheet.body
    next_cells = [row[1] for row in sheet.lines(below) if len(row) > 1]
    named = all(is_blank(head[0]) and not is_blank(head[1]) for head in heads) and all(
        map(is_blank, next_cells)
    )
    if extent(sheet.rows[first]) != 1 or not named:
        return sheet, Decisions()
    rows = [[*row[:1], *row[2:]] for row in sheet.rows]
    for i, head in zip(sheet.head, heads, strict=True):
        rows[i][0] = head[1]
    return replace(sheet, rows=rows, width=sheet.width - 1, body=tuple(below), index_names=first), Decisions()


def with_index_names(sheet: TableSheet, how: ReadOptions) -> tuple[TableSheet, Decisions]:
    """Take a first line without counts for names of the rows' axes, as pandas writes it, or refuse it."""
    if not sheet.head or len(sheet.body) < 2 or sheet.width < 3 or sheet.index_names is not None:
        return sheet, Decisions()
    first, *below = sheet.body
    line = sheet.rows[first]
    depth = extent(line)
    if depth >= sheet.width - 1 or has_numbers(line):
        return sheet, Decisions()
    if _names_axes(sheet, line, sheet.lines(below)):
        note = f"The import used the line {such_as(line, depth)} as names of the rows: it has no counts."
        return replace(sheet, body=tuple(below), index_names=first), Decisions([note])
    header = sheet.rows[sheet.head[-1]]
    across = range(1, min(sheet.width, len(header)))
    gap = next((j for j in across if j >= len(line) or is_blank(line[j])), None)
    heading = indent(label_of(line[0])) < indent(label_of(sheet.rows[below[0]][0]))
    if gap is None or depth > 1 or is_blank(line[0]) or heading:
        return sheet, Decisions()
    raise InputError(
        f"{cell_name([label_of(line[0]), label_of(header[gap])])}: the cell is empty; write 0 if the cell "
        f"has no people, "
        f"or {quoted(label_of(line[0]))} into the first cell of the header if it names the rows."
    )


def _names_axes(sheet: TableSheet, line: Row, below: Rows) -> bool:
    """Return whether a line without counts names the rows' axes: the header has no names in their place."""
    depth, word = extent(line), label_of(line[0]).strip()
    before = [[not is_blank(cell) for cell in row[:depth]] for row in sheet.lines(sheet.head)]
    if len({cells[-1] for cells in before}) > 1 or any(any(cells[:-1]) for cells in before):
        return False
    named = _NAME.fullmatch(word) and not is_total(word) and names_rows(line, below)
    codes = all(_CODE.fullmatch(label_of(cell).strip()) for cell in (sheet.rows[sheet.head[-1]][0], line[0]))
    certain = named or codes or word.endswith(("(Labels)", "(Codes)"))  # as Eurostat writes it
    return bool(len(sheet.head) > 1 or depth > 1 or certain) and not any(map(is_mark, line[1:]))


def evened(sheet: TableSheet, how: ReadOptions) -> tuple[TableSheet, Decisions]:
    """Give all rows the width of the table, and leave out what stands beside it."""
    lines, header = sheet.lines(sheet.body), sheet.rows[sheet.head[-1]] if sheet.head else []
    width, notes = _widened(lines, header, sheet.width)
    rows = list(sheet.rows)
    for i in sheet.body:
        rows[i] = _even(rows[i], header or [None] * sheet.width, width, sheet.typed)
    outside = [cell for row in lines for cell in row[width:] if not is_blank(cell)]
    if outside:
        notes.append(
            f"The import omitted {counted(len(outside), 'cell')} outside the table ({such_as(outside)})."
        )
    units = (tuple(sheet.units) + ("",) * width)[:width]
    return replace(sheet, rows=rows, width=width, units=units), Decisions(notes)


def _widened(rows: Rows, header: Row, width: int) -> tuple[int, list[str]]:
    """Return how wide the table is: as its header, unless below the rest of it are remarks or no totals."""
    most = extent(header)
    outside = [cell for row in rows for cell in row[width:most] if not is_blank(cell)]
    if most <= width or (outside and not any(is_number(cell) or missing_in(cell) for cell in outside)):
        return width, []
    if not outside and all(is_total(label_of(cell)) for cell in header[width:most]):
        is_unsaved = any(isinstance(row[width], Unsaved) for row in rows if len(row) > width)
        why = "the formulas of the column were saved without values" if is_unsaved else "the column is blank"
        return width, [f"The import omitted the column {quoted(label_of(header[width]))}: {why}."]
    return most, []


def _even(row: Row, first: Row, width: int, typed: bool) -> Row:
    """Return the cells of a row up to the table's width, or refuse it where it has more or fewer."""
    fits = len(row) in (width, len(first)) or extent(row) == width
    ragged = not typed and not (fits and len(first) >= width)
    if ragged or any(is_number(cell) or missing_in(cell) for cell in row[width:]):
        raise InputError(
            f"Row {quoted(label_of(row[0]))} has {len(row) if ragged else extent(row)} cells and the first line "
            f"{extent(first) or len(first)}; every row must have the same number."
        )
    return (list(row) + [None] * (width - len(row)))[:width]


def such_as(cells: Row, of: int | None = None) -> str:
    """Return the first filled cell in quotes, with dots where there are more of what it stands for."""
    first = quoted(label_of(next(cell for cell in cells if not is_blank(cell))))
    number = len(cells) if of is None else of
    return f"{first} ..." if number > 1 else first
