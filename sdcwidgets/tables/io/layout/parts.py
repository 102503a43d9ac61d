"""Find the parts of a sheet with a table: titles, header, labels of rows, counts, and footnotes.

The table consists of the rows with the same number of cells as most rows with numbers. The header above the table has
one or more lines, and the lines above the header are titles. A line whose cells are all filled is not a title.
Therefore, the first such line is the header, unless its labels are upper headings of the next line. Lines without
numbers below the table are footnotes. A note reports each part that is omitted.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import (
    axis_names,
    cell_name,
    count_in,
    counted,
    from_spreadsheet,
    listed,
    quoted,
)
from sdcwidgets.tables.io.formats.base import Row, Rows, Unsaved
from sdcwidgets.tables.io.layout.cells import (
    MOST_AXES,
    are_codes,
    are_lettered,
    are_tags,
    blanks_before,
    extent,
    flag_beside,
    has_numbers,
    indent,
    is_blank,
    is_bracketed,
    is_continued,
    is_flag,
    is_mark,
    is_number,
    is_percentage,
    is_total,
    joined_row,
    label_of,
    missing_in,
    missing_only,
    range_in,
    says_counts,
    says_percentages,
    texts_over,
    trimmed,
    usual_width,
)
from sdcwidgets.tables.io.layout.levels import levels_in, may_be_levels
from sdcwidgets.tables.io.layout.translations import are_translations
from sdcwidgets.tables.io.options import (
    Choice,
    NoCounts,
    NoNumbers,
    NoTable,
    ReadOptions,
    Remark,
    RemarkOnRelease,
    choice_of,
)
from sdcwidgets.tables.io.questions import Doubt, ask, doubt


@dataclass(frozen=True)
class TableSheet:
    """The cells of a sheet, and the positions of the parts that the stages have found.

    Attributes
    ----------
    rows : list of list
        The cells; a blank row is an empty list.
    typed : bool
        Whether the types of the cells distinguish numbers from texts, as in a workbook or a frame.
    own : bool
        Whether `FrequencyTable.to_csv` wrote the sheet.
    width : int
        Number of cells of most rows with counts; after the last stage, the number of columns of the table.
    head, body : tuple of int
        The lines of the header from the top, and the rows with counts.
    index_names : int or None
        The line with the names of the axes of the rows, as pandas writes it.
    units : tuple of str
        Unit of each column, from a line of units below the header.
    titles : tuple of str
        The texts above the table.
    continued : tuple of int
        The lines whose headings continue in the line below, which has the joined headings.
    """

    rows: Rows
    typed: bool = False
    own: bool = False
    width: int = 0
    head: tuple[int, ...] = ()
    body: tuple[int, ...] = ()
    index_names: int | None = None
    units: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    continued: tuple[int, ...] = ()

    def lines(self, numbers: Iterable[int]) -> Rows:
        """Return some of the rows."""
        return [self.rows[i] for i in numbers]


class Decisions(NamedTuple):
    """Decisions of a stage: notes for the user, options that change the decisions, and doubts."""

    notes: Iterable[str] = ()
    choices: Iterable[Choice] = ()
    doubts: Iterable[Doubt] = ()


#: Maximum number of characters of a flag.
_FLAG_LENGTH = 3

State = TypeVar("State")


def accepted_or_asked(doubts: Iterable[Doubt], how: ReadOptions, of: str = "doubts") -> list[str]:
    """Return the accepted doubts as notes, or raise the question of the first doubt that is not accepted.

    A doubt is accepted if the option `doubts` is "accept", and the option `of` is one of its choices. Any other doubt
    needs its own answer.
    """
    notes, every = list[str](), tuple(doubts)
    for k, one in enumerate(every):
        if how.doubts != "accept" or all(choice.name != of for choice in one.choices):
            ask(every[k:])
        notes.append(one.statement)
    return notes


def settled(
    stages: Iterable[Callable[[State, ReadOptions], tuple[State, Decisions]]], state: State, how: ReadOptions
) -> tuple[State, list[str], list[Choice]]:
    """Apply stages to a state one after the other, and return the final state, the notes and the choices.

    Raises
    ------
    Question
        If a stage has a doubt that is not accepted. The next stage is then not applied.
    """
    notes, choices = list[str](), list[Choice]()
    for stage in stages:
        state, decided = stage(state, how)
        notes += accepted_or_asked(decided.doubts, how)
        notes += decided.notes
        choices += decided.choices
    return state, notes, choices


def headed(sheet: TableSheet, how: ReadOptions) -> tuple[TableSheet, Decisions]:
    """Find the lines of the header; the lines below are rows, or names of the axes of the rows."""
    if how.first_line in ("counts", "bare"):
        return sheet, Decisions()
    sheet = _without_translations(_without_column_numbers(_without_tags(sheet)))
    sheet = _with_joined_headings(sheet)
    rows, start, width = sheet.rows, sheet.body[0], sheet.width
    above = [i for i in range(start) if rows[i]]
    nearest = _header(rows, above, start, width)
    if nearest is None or _is_title(rows[nearest], width):
        return _first_line(sheet, how)
    below = tuple(i for i in above if i > nearest)
    head = _spanned(rows, above, nearest, start, width)
    doubts = _line_doubts(rows[head[0] - 1], rows[head[0]]) if head[0] else []
    return replace(sheet, head=tuple(head), body=(*below, *sheet.body)), Decisions(doubts=doubts)


def _line_doubts(upper: Row, lower: Row, codes: Sequence[str] = ()) -> list[Doubt]:
    """Return a doubt if a line above the header may belong to its headings; a line of codes does not."""
    over = texts_over(upper, lower)
    if not over or (codes and are_codes(codes)):
        return []
    facts = {"named": quoted(over[0][0]), "heading": quoted(over[0][1])}
    return [doubt("heading line", choice_of("doubts"), **facts)]


def _without_tags(sheet: TableSheet) -> TableSheet:
    """Replace each line of tags below a header by a blank line."""
    tagged = [i for i in range(1, sheet.body[0]) if are_tags(sheet.rows[i]) and sheet.rows[i - 1]]
    rows = [[] if i in tagged else row for i, row in enumerate(sheet.rows)] if tagged else sheet.rows
    return replace(sheet, rows=rows)


def _without_column_numbers(sheet: TableSheet) -> TableSheet:
    """Replace the lines that number the columns below a header, such as "(1)", "(2)" and "(3)", by blank lines."""
    rows, first = sheet.rows, sheet.body[0]
    numbered = [i for i in range(1, first) if rows[i - 1] and _are_column_numbers(rows[i])]
    if not numbered:
        return sheet
    return replace(sheet, rows=[[] if i in numbered else row for i, row in enumerate(rows)])


def _are_column_numbers(row: Row) -> bool:
    """Return whether a line has at least three consecutive numbers in parentheses, and nothing else."""
    filled = [label_of(cell).strip() for cell in row if not is_blank(cell)]
    first = filled[0].strip("()") if len(filled) > 2 else ""
    return first.isdecimal() and filled == [f"({int(first) + k})" for k in range(len(filled))]


def _without_translations(sheet: TableSheet) -> TableSheet:
    """Omit lines of headings that repeat the line above in another language; the lines above move down."""
    first = sheet.body[0]
    texts = [[label_of(cell).strip() for cell in row[: sheet.width]] for row in sheet.rows[:first]]
    repeated = [i for i in range(1, first) if are_translations(texts[i - 1], texts[i])]
    if not repeated:
        return sheet
    remaining = [row for i, row in enumerate(sheet.rows) if i not in repeated]
    return replace(sheet, rows=[*([] for _ in repeated), *remaining])


def _with_joined_headings(sheet: TableSheet) -> TableSheet:
    """Join each two lines above the counts if the headings of the upper line continue in the lower line."""
    rows, continued = list(sheet.rows), list[int]()
    for i in range(sheet.body[0] - 1):
        if rows[i] and rows[i + 1] and is_continued(rows[i][: sheet.width], rows[i + 1][: sheet.width]):
            rows[i], rows[i + 1] = [], joined_row(rows[i], rows[i + 1])
            continued.append(i)
    return replace(sheet, rows=rows, continued=tuple(continued)) if continued else sheet


def _is_title(line: Row, width: int) -> bool:
    """Return whether a line has only one filled cell, and so is a title and not a header."""
    return extent(line) == 1 and (width > 2 or (not is_blank(line[0]) and len(line) != width))


def _spanned(rows: Rows, above: Sequence[int], nearest: int, start: int, width: int) -> list[int]:
    """Return the lowest line of the header, and the lines with upper headings above it."""
    head = [nearest]
    for i in reversed([i for i in above if i < nearest]):
        row, over = rows[i], sum(not is_blank(cell) for cell in rows[i][1:])
        is_unit = over == 1 and is_bracketed(label_of(next(filter(None, row[1:]), "")).strip())
        if i != head[0] - 1 or over == 0 or (is_unit and len(head) > 1):
            break
        is_upper = _stands_over(rows, i, head[0], start, width) or _completes(row, rows[head[0]], width)
        if not is_blank(row[0]) and not is_upper:
            if over > 1:
                _refuse_two_lines(row, rows[head[0]], width)
            break
        head.insert(0, i)
    return head


def _completes(upper: Row, lower: Row, width: int) -> bool:
    """Return whether the blanks of a line have their headings in the line above, as in cells merged vertically.

    Examples
    --------
    >>> _completes(["Area", "All", "Size"], ["", "", "large", "small"], 4)
    True
    """
    texts = [[label_of(cell).strip() for cell in [*row, *[""] * width][:width]] for row in (upper, lower)]
    pairs = list(zip(*texts, strict=True))
    headings = [below or over for over, below in pairs]
    while len(headings) > 2 and not headings[1]:  # A column of labels often has no heading.
        del headings[1]
    has_group = any(over and below for over, below in pairs)
    return not pairs[0][1] and has_group and all(headings) and len(set(headings)) == len(headings)


def _header(rows: Rows, above: Sequence[int], start: int, width: int) -> int | None:
    """Return the line with the labels of the columns: the first full line that has no upper headings."""
    full = [i for i in above if _is_full(rows[i], width)]
    # With two columns, a full line may be a property of the table such as its source. The header is next to the table.
    if width == 2:
        last = above[-1] if above else 0
        full = [i for i in full if not any(not rows[j] for j in range(i, last))]
    if not full:
        return above[-1] if above else None
    header = full[0]
    while header + 1 in above and _stands_over(rows, header, header + 1, start, width):
        header += 1
    return header


def _is_full(row: Row, width: int) -> bool:
    """Return whether all cells of a line except the first are filled."""
    return len(row) >= width and not any(map(is_blank, row[1:width]))


def repeats_corner(line: Row, above: Row) -> bool:
    """Return whether a line with numbers begins with the same label as the header above, as a line of years does."""
    corner = label_of(line[0]).strip() if has_numbers(line) and not has_numbers(above) else ""
    return corner != "" and corner == label_of(above[0]).strip()


def _stands_over(rows: Rows, i: int, below: int, start: int, width: int) -> bool:
    """Return whether a line has upper headings of the line below it, as with merged cells or pandas."""
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
        return False  # The line alone is a header.
    if is_blank(upper[0]):
        return True
    if is_blank(lower[0]) and _is_full(lower, width) and len(set(labels) - {""}) == 1:
        return True  # The name of the rows is in the upper line, beside one heading above all columns.
    # pandas writes the names of the axes of the rows in a separate line below the header.
    return extent(after) == 1 or (_groups(upper, lower, width) is not None)


def _groups(upper: Row, lower: Row, width: int) -> list[str] | None:
    """Return the upper labels if each has the same two or more lower labels; None otherwise.

    An upper label without lower labels, such as a total, is ignored.
    """
    under: dict[str, list[str]] = {}
    above = ""
    for cell, label in itertools.zip_longest(upper[1:width], lower[1:width]):
        over, below = label_of(cell).strip(), label_of(label).strip()
        if not under and (not over or not below or over == below):
            continue  # This is a column of row labels.
        above = over or above
        under.setdefault(above, []).append(below)
    crossed = [labels for labels in under.values() if labels != [""]]
    same = len({frozenset(labels) for labels in crossed}) == 1
    if len(crossed) < 2 or not same or any("" in labels for labels in crossed):
        return None
    return list(under) if all(len(set(labels)) == len(labels) > 1 for labels in crossed) else None


def _refuse_two_lines(upper: Row, lower: Row, width: int) -> None:
    """Raise InputError if the labels of the lower of two lines of headings are not unique."""
    labels = [label_of(cell).strip() for cell in lower[1:width]]
    if all(label not in labels[:k] for k, label in enumerate(labels) if label):
        return
    over = [quoted(label_of(cell)) for cell in upper[1:] if not is_blank(cell)]
    raise InputError(
        f"The header has two lines, and under {', '.join(over[:3])}{' ...' if len(over) > 3 else ''} are not the same "
        "labels; give each column a label of its own in one line."
    )


def names_rows(line: Row, below: Sequence[Row]) -> bool:
    """Return whether a line without counts names the axes of the rows, because one of its texts is above numbers.

    Examples
    --------
    >>> names_rows(["age", None, None], [[9, 1, 2], [10, 3, 4]]), names_rows(["North"], [["South", 1, 2]])
    (True, False)
    """
    for k in range(extent(line)):
        cells = [row[k] for row in below if extent(row) > k + 1 and not is_blank(row[k])]
        numbers = [is_number(cell) or range_in(cell) for cell in cells]
        if sum(numbers) > 1 and sum(numbers) >= len(numbers) - 1 and not is_number(line[k]):
            return not range_in(line[k])  # One of the cells below may be the label of a total.
    return False


def units_below(line: Row, width: int) -> list[str]:
    """Return the units in a line below a header, which are words for counts or percentages; [] for any other line.

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
    """Return the labels of a header; the labels of columns of percentages include their unit."""
    return [
        f"{label} {unit}".strip() if says_percentages(unit) else label
        for label, unit in zip(header, units, strict=True)
    ]


def corner_moved(header: list[str], upper: list[str]) -> None:
    """Move names of the axes of the rows from the upper line, where merged cells have them, to the lower line."""
    for k, (label, over) in enumerate(zip(header, upper, strict=False)):
        if label.strip():
            return
        header[k], upper[k] = over, ""


def _first_line(sheet: TableSheet, how: ReadOptions) -> tuple[TableSheet, Decisions]:
    """Decide if a first line with numbers has labels of columns, or return a doubt."""
    row, below = sheet.rows[sheet.body[0]], sheet.body[1:]
    values = [cell for cell in row[1:] if not is_blank(cell)]
    texts = [cell for cell in values if not is_number(cell)]
    written = sheet.typed and all(isinstance(cell, str) for cell in values)
    two_names = isinstance(row[0], str) and len(axis_names([row[0], ""])[0]) > 1
    if how.first_line == "labels" or texts or written or two_names or is_blank(row[0]) or not below:
        return replace(sheet, head=sheet.body[:1], body=below), Decisions()
    line = ", ".join(quoted(label_of(cell)) for cell in row[:4]) + (" ..." if len(row) > 4 else "")
    return sheet, Decisions(doubts=[doubt("first line", choice_of("first_line"), line=line)])


_WORDS = 8


def around(sheet: TableSheet, how: ReadOptions) -> tuple[TableSheet, Decisions]:
    """Separate titles above the table and footnotes below it from the counts, with a note."""
    rows, below = sheet.rows, _notes_below(sheet)
    top = (sheet.head or sheet.body)[0]
    parts = [
        f"{counted(len(lines), 'line')} of text {where} the table ({such_as(lines[0], len(lines))})"
        for lines, where in (([row for row in rows[:top] if row], "above"), (sheet.lines(below), "below"))
        if lines
    ]
    body = tuple(i for i in sheet.body if i not in below)
    repeated = " A release repeats each line of text, unless a number in the line can be a count."
    text = f"The file has {' and '.join(parts)}.{'' if sheet.own else repeated}"
    notes = [RemarkOnRelease(text)] if parts else []
    titles = tuple(label_of(cell).strip() for row in rows[:top] for cell in row)
    return replace(sheet, body=body, titles=titles), Decisions(notes)


def _notes_below(sheet: TableSheet) -> list[int]:
    """Return the lines of footnotes: lines without numbers below the counts that are short or after a blank line."""
    rows, below, apart = sheet.rows, list[int](), False
    last = max((i for i in sheet.body if has_numbers(rows[i]) or missing_only(rows[i])), default=len(rows))
    for i in (i for i in sheet.body if i > last):
        apart = apart or not rows[i - 1]
        short = extent(rows[i]) < sheet.width and not any(map(is_mark, rows[i][1:]))
        if (apart or short or sheet.width < 2) and not any(map(is_number, rows[i])):
            below.append(i)
    return below


def without_units(sheet: TableSheet, how: ReadOptions) -> tuple[TableSheet, Decisions]:
    """Omit a line of units below the header, with a note."""
    if not sheet.head or len(sheet.body) < 2:
        return sheet, Decisions()
    first, *below = sheet.body
    units = units_below(sheet.rows[first], sheet.width)
    if not units:
        return sheet, Decisions()
    note = f"The import omitted the line of measurement units below the header ({such_as(sheet.rows[first], 1)})."
    return replace(sheet, body=tuple(below), units=tuple(units)), Decisions([Remark(note)])


def one_table(sheet: TableSheet, how: ReadOptions) -> tuple[TableSheet, Decisions]:
    """Raise InputError if the header occurs again below, so that the sheet has several tables."""
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
    """Use the second line as the header if it has long, unique texts above numbers; the first line may be codes."""
    if len(sheet.head) != 1 or not sheet.body or has_numbers(sheet.rows[sheet.body[0]]):
        return sheet, Decisions()
    first, *below = sheet.body
    line, rows = [label_of(cell).strip() for cell in sheet.rows[first]], sheet.lines(below)
    numbers = [
        j for j in range(sheet.width) if rows and all(len(row) > j and is_number(row[j]) for row in rows)
    ]
    over = [line[j] for j in numbers if j < len(line)]
    if len(numbers) < 2 or len(over) < len(numbers) or len(set(line)) < sheet.width:
        return sheet, Decisions()
    if any(not label or is_mark(label) or len(label) < _WORDS for label in over):
        return sheet, Decisions()
    note = f"The import used the second line of the file as the header ({such_as(line)})."
    above = sheet.rows[sheet.head[0]]
    codes = [label_of(above[j]) for j in numbers]
    doubts = _line_doubts(above, sheet.rows[first], codes)
    return replace(sheet, head=(first,), body=tuple(below)), Decisions([note], doubts=doubts)


def with_corner_names(sheet: TableSheet, how: ReadOptions) -> tuple[TableSheet, Decisions]:
    """Read the names of both axes from sheets of SuperWEB2.

    The name of the columns is above a blank column, and the name of the rows is in a line below the header.
    """
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
    """Read the names of the axes of the rows from a first line without counts, as pandas writes it.

    Raise InputError if the line may be a row with an empty cell.
    """
    if not sheet.head or len(sheet.body) < 2 or sheet.width < 3 or sheet.index_names is not None:
        return sheet, Decisions()
    first, *below = sheet.body
    line = sheet.rows[first]
    depth = extent(line)
    if depth >= sheet.width - 1 or has_numbers(line):
        return sheet, Decisions()
    if _names_axes(sheet, line, sheet.lines(below)):
        note = f"The import used the line {such_as(line, depth)} as names of the rows: it has no counts."
        return replace(sheet, body=tuple(below), index_names=first), Decisions([Remark(note)])
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
    """Return whether a line without counts names the axes of the rows, for which the header has no names."""
    depth, word = extent(line), label_of(line[0]).strip()
    if depth > 1 and all(map(is_blank, line[: depth - 1])):
        return False  # The text is a unit below the heading of a column.
    before = [[not is_blank(cell) for cell in row[:depth]] for row in sheet.lines(sheet.head)]
    if len({cells[-1] for cells in before}) > 1 or any(any(cells[:-1]) for cells in before):
        return False
    is_word = all(part.isalpha() for part in word.replace("-", " ").split())
    named = is_word and not is_total(word) and names_rows(line, below)
    corner = label_of(sheet.rows[sheet.head[-1]][0]).strip()
    codes = corner.partition(" ")[0].isupper() and word.partition(" ")[0].isupper() and " " in word
    # Eurostat writes names such as "GEO (Labels)", and the statistical office of Australia "SEXP Sex".
    certain = named or codes or word.endswith(")")
    return bool(len(sheet.head) > 1 or depth > 1 or certain) and not any(map(is_mark, line[1:]))


def with_one_level(sheet: TableSheet, how: ReadOptions) -> tuple[TableSheet, Decisions]:
    """Read the rows of one level if a column states the level of each row, or return a doubt about the level."""
    header = [label_of(cell).strip() for cell in sheet.rows[sheet.head[-1]]] if sheet.head else []
    for j in _columns_of_levels(header, sheet.lines(sheet.body)):
        if how.level:
            return _of_level(sheet, j, header[j], how.level)
        levels = _levels_of(sheet, j) if how.margins != "keep" else []
        if levels:
            known = list(map(str, sorted(set(levels))))
            choice = Choice("level", {level: f"level {level}" for level in known}, (known[-1],))
            facts = {"column": quoted(header[j]), "levels": " or ".join(known)}
            return sheet, Decisions(doubts=[doubt("levels", choice, **facts)])
    if how.level:
        raise InputError(
            f"No column states the level {quoted(how.level)} of rows; leave out the level (level)."
        )
    return sheet, Decisions()


def _levels_of(sheet: TableSheet, j: int) -> list[int]:
    """Return the level of each row if column j states it; [] otherwise."""
    lines = sheet.lines(sheet.body)
    texts = [label_of(line[j]).strip() for line in lines]
    if not may_be_levels(texts):
        return []
    width = min(sheet.width, _MOST_COMPARED)
    numeric = [k for k in range(j + 1, width) if all(_is_count(line[k]) for line in lines)]
    named = [k for k in range(width) if not any(is_number(line[k]) for line in lines)]
    if not numeric or not named:
        return []
    counts = np.array([[count_in(line[k]) for k in numeric] for line in lines], dtype=np.int64)
    return levels_in(texts, [label_of(line[named[-1]]).strip() for line in lines], counts)


def _of_level(sheet: TableSheet, j: int, name: str, level: str) -> tuple[TableSheet, Decisions]:
    """Return the rows of a level, without the column of levels."""
    body = tuple(i for i in sheet.body if label_of(sheet.rows[i][j]).strip() == level)
    if not body:
        raise InputError(
            f"No row has the level {quoted(level)} in {quoted(name)}; choose another level (level)."
        )
    inside = {*sheet.head, *body, sheet.index_names}
    rows = [[*row[:j], *row[j + 1 :]] if i in inside else row for i, row in enumerate(sheet.rows)]
    units = (*sheet.units[:j], *sheet.units[j + 1 :])
    note = f"The import read the rows of which {quoted(name)} is {quoted(level)}."
    return replace(sheet, rows=rows, units=units, width=sheet.width - 1, body=body), Decisions([note])


#: Number of first columns of which one may state levels, and of first columns that are compared.
_MOST_PLACES, _MOST_COMPARED = 8, 40


def _columns_of_levels(header: Sequence[str], lines: Rows) -> list[int]:
    """Return the first columns, without the last one, whose cells are whole numbers of one digit."""
    one_digit = [
        j
        for j in range(min(max(len(header) - 1, 0), _MOST_PLACES))
        if header[j] and all(len(label_of(line[j]).strip()) == 1 and is_number(line[j]) for line in lines)
    ]
    return one_digit if len(lines) > 1 else []


def _is_count(cell: object) -> bool:
    return not is_blank(cell) and not isinstance(count_in(cell), str)


def with_equal_widths(sheet: TableSheet, how: ReadOptions) -> tuple[TableSheet, Decisions]:
    """Give all rows the same number of cells as the table has columns; omit cells outside the table, with a note."""
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
    """Return the number of columns of the table, and notes.

    The table is as wide as its header, without columns of remarks and without blank columns of totals.
    """
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
    """Return a row with `width` cells, or raise InputError if the row has another number of cells."""
    fits = len(row) in (width, len(first)) or extent(row) == width
    ragged = not typed and not (fits and len(first) >= width)
    if ragged or any(is_number(cell) or missing_in(cell) for cell in row[width:]):
        raise InputError(
            f"Row {quoted(label_of(row[0]))} has {len(row) if ragged else extent(row)} cells and the first line "
            f"{extent(first) or len(first)}; every row must have the same number."
        )
    return (list(row) + [None] * (width - len(row)))[:width]


def such_as(cells: Row, of: int | None = None) -> str:
    """Return the first filled cell in quotes, followed by " ..." if there are more than one, or `of` is above 1."""
    first = quoted(label_of(next(cell for cell in cells if not is_blank(cell))))
    number = len(cells) if of is None else of
    return f"{first} ..." if number > 1 else first


@dataclass(frozen=True)
class Outline:
    r"""The parts of a table.

    Attributes
    ----------
    names : list of (str or None)
        Names of the axes of the columns of labels, then of the lines of headings; None for an axis without a name.
    labels : list of list of str
        The labels of each row.
    headings : list of list of str
        The labels of each column: one label per line of upper headings, and the label in the header.
    cells : list of list
        The cells of each row to the right of its labels.
    notes : list of str
        Notes on omitted parts and on repeated labels.
    named : bool
        Whether the first cell names the axes of rows and columns, as in `Area \ Religion`.
    blanks : dict of str to int
        Number of blanks before a label of a row.
    titles : tuple of str
        The texts above the table.
    continued : tuple of int
        The lines whose headings continue in the line below.
    """

    names: list[str | None]
    labels: list[list[str]]
    headings: list[list[str]]
    cells: Rows
    notes: list[str] = field(default_factory=list)
    named: bool = False
    blanks: dict[str, int] = field(default_factory=dict)
    titles: tuple[str, ...] = ()
    continued: tuple[int, ...] = ()


def _trimmed(cell: object) -> str:
    return label_of(cell).strip()


def _unescaped(cell: object) -> str:
    return from_spreadsheet(label_of(cell))


def _trimmed_unescaped(cell: object) -> str:
    return from_spreadsheet(_trimmed(cell))


def outline(rows: Rows, how: ReadOptions, *, typed: bool, own: bool = False) -> Outline:
    """Find the parts of a table in the rows of a sheet.

    Parameters
    ----------
    rows : list of list
        The cells; a blank row is an empty list.
    how : ReadOptions
    typed : bool
        Whether the types of the cells distinguish numbers from texts, as in a workbook or a frame.
    own : bool
        Whether `FrequencyTable.to_csv` wrote the sheet, so that blanks at the ends of labels are kept.

    Raises
    ------
    Question
        If a stage has a doubt, for example if the first line has numbers that may be labels or counts.
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
    """Remove flags if each number has a flag, so that the next stage finds the rows with counts."""
    if any(map(has_numbers, sheet.rows)):
        return sheet, Decisions()
    rows = [list(row) for row in sheet.rows]
    lettered = {
        j
        for j in range(max(map(len, rows), default=0))
        if are_lettered([row[j] for row in rows[1:] if j < len(row)])
    }
    at = [
        (i, j)
        for i, row in enumerate(rows)
        for j, cell in enumerate(row)
        if j and j not in lettered and flag_beside(cell)
    ]
    if not at:
        return sheet, Decisions()
    if how.flags == "ask":
        i, j = at[0]
        where, cell = f"Row {quoted(label_of(sheet.rows[i][0]))}", quoted(label_of(sheet.rows[i][j]))
        return sheet, Decisions(doubts=[doubt("flag", choice_of("flags"), where=where, cell=cell)])
    for i, j in at:
        rows[i][j] = (flag_beside(rows[i][j]) or ("",))[0]
    return replace(sheet, rows=rows), Decisions(["Flags next to all counts were removed."])


def _measured(sheet: TableSheet, how: ReadOptions) -> tuple[TableSheet, Decisions]:
    """Find the first row with counts, and the usual number of cells of such rows."""
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
        pass  # The header is one line, even if a category is a number.
    elif _is_over(sheet.lines(filled[first : first + 3])):
        first += 2
    elif 0 < first < len(filled) - 1 and repeats_corner(rows[filled[first]], rows[filled[first - 1]]):
        first += 1
    while first > 1 and missing_only(rows[filled[first - 1]]):
        first -= 1
    return replace(sheet, width=width, body=tuple(filled[first:])), Decisions()


def _is_over(lines: Rows) -> bool:
    """Return whether the first of three lines is a line of headings with numbers, such as years, above a header."""
    if len(lines) < 3:
        return False
    over, below, counts = lines
    corner = label_of(over[0]).strip() == label_of(below[0]).strip() and has_numbers(counts)
    same = list(map(is_blank, over[1:])) == list(map(is_blank, below[1:])) and len(over) == len(below)
    return corner and same and not any(map(is_number, below[1:]))


def _without_flags_beside(sheet: TableSheet, how: ReadOptions) -> tuple[TableSheet, Decisions]:
    """Omit columns of flags or remarks to the right of numbers."""
    body = sheet.lines(sheet.body)
    beside = {}
    width = max(map(len, sheet.rows))
    number = sum(any(map(is_number, row)) for row in body)  # without notes below the table
    # The first column with a number to the right of the first column.
    first = min(
        (next((k for k in range(1, len(row)) if is_number(row[k])), width) for row in body[:9]), default=width
    )
    for j in range(2, width):
        cells = [row[j] for row in body if j < len(row)]
        heading = any(j < len(row) and not is_blank(row[j]) for row in sheet.rows[: sheet.body[0]])
        if first < j and _is_beside(cells, number, heading):
            beside[j] = {label_of(cell).strip() for cell in cells} - {""}
    flags = set[str]().union(*beside.values())
    if not flags:
        return sheet, Decisions()
    rows = trimmed([[cell for j, cell in enumerate(row) if j not in beside] for row in sheet.rows])
    note = f"The import omitted columns of flags and remarks ({listed(sorted(flags))})."
    return replace(sheet, rows=rows, width=usual_width(rows)), Decisions([note])


def _is_beside(cells: Row, number: int, heading: bool) -> bool:
    """Return whether a column has no numbers, but flags without a heading, or texts in few of its rows."""
    first = next((cell for cell in cells if not is_blank(cell)), None)
    if is_number(first):
        return False  # a fast path for most columns
    texts = [cell for cell in cells if not is_blank(cell)]
    if any(map(is_number, texts)) or not all(isinstance(cell, str) for cell in texts):
        return False
    if not heading:
        return all(is_flag(cell) or missing_in(cell) for cell in texts)
    short = all(len(str(cell).strip()) <= _FLAG_LENGTH for cell in texts)
    return len(texts) < number if short else 2 * len(texts) <= number


#: Stages of `outline`, in order.
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
    with_equal_widths,
    with_one_level,
)


def _with_header(
    sheet: TableSheet, how: ReadOptions, notes: list[str], read: Callable[[object], str]
) -> Outline:
    """Return the parts of a table with a header."""
    width, rows = sheet.width, sheet.lines(sheet.body)
    upper = [_texts(line, read, width) for line in sheet.lines(sheet.head)]
    header = with_units(upper.pop(), sheet.units)
    if upper:
        corner_moved(header, upper[-1])
    below = [] if sheet.index_names is None else [read(cell) for cell in sheet.rows[sheet.index_names]]
    names, depth, named = _columns_of_labels(header, below, rows, width)
    upper, header = (upper, header) if below else _with_merged(upper, header, depth)
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
        notes.append(Remark(f"{counted(filled_in, 'blank label')} {words}."))
    headings = [list(parts) for parts in zip(*levels, header[depth:], strict=True)]
    filled = _filled_columns(header, rows, range(depth, width))
    return Outline(
        names=[*names[:-1], *level_names, names[-1]],
        labels=labels,
        headings=list(itertools.compress(headings, filled)),
        cells=[list(itertools.compress(row[depth:], filled)) for row in rows],
        notes=notes,
        named=named,
        blanks=blanks,
        titles=sheet.titles,
        continued=sheet.continued,
    )


def _filled_columns(header: Sequence[str], rows: Rows, columns: range) -> list[bool]:
    """Return for some columns whether they have a heading or a filled cell."""
    return [bool(header[j].strip()) or not all(is_blank(row[j]) for row in rows) for j in columns]


def _with_merged(upper: list[list[str]], header: list[str], depth: int) -> tuple[list[list[str]], list[str]]:
    """Return the lines of the header, with headings of the line above in place of blanks, as in merged cells.

    The line above is then omitted. The lines are unchanged if no heading is in the line above, or if the headings are
    then not different.

    Examples
    --------
    >>> _with_merged([["Area", "All", "Size", ""]], ["", "", "large", "small"], 1)
    ([], ['', 'All', 'large', 'small'])
    >>> _with_merged([["Area", "Men", "", "Women", ""]], ["", "young", "old", "young", "old"], 1)[0]
    [['Area', 'Men', '', 'Women', '']]
    """
    if not upper:
        return upper, header
    merged = [
        *header[:depth],
        *(below or over for over, below in zip(upper[-1][depth:], header[depth:], strict=True)),
    ]
    headings = merged[depth:]
    is_one_line = merged != header and len(set(headings)) == len(headings) and all(headings)
    return (upper[:-1], merged) if is_one_line else (upper, header)


def _texts(line: Sequence[object], read: Callable[[object], str], width: int) -> list[str]:
    """Return the texts of the cells of a line, with `width` cells."""
    texts = [read(cell) for cell in line]
    return (texts + [""] * width)[:width]


def _without_headings(labels: list[list[str]], rows: Rows, notes: list[str]) -> tuple[list[list[str]], Rows]:
    """Omit rows that are only headings of the rows below, and add the headings to labels that are not unique."""
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
    apart = zip(unique_labels(texts, depths, list(map(is_total, texts))), rows, over, strict=True)
    remaining = [([label], row) for label, row, heading in apart if not heading]
    return [label for label, _ in remaining], [row for _, row in remaining]


def _columns_of_labels(
    header: list[str], below: list[str], rows: Rows, width: int
) -> tuple[list[str | None], int, bool]:
    """Return the names of the axes, the number of columns of labels, and whether the first cell names both axes."""
    names, depth = axis_names(header)
    if len(names) > depth:
        return names, depth, True
    depth = max(1, extent(below)) if below else _depth(rows, width)
    over = header[depth - 1] if below else ""  # pandas writes the name of the columns into this cell.
    return [name if name.strip() else None for name in [*(below or header)[:depth], over]], depth, False


def _refuse_percentages(rows: Rows) -> None:
    """Raise InputError if most cells except labels are percentages."""
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
    """Return the parts of a table without a header; columns, and rows without labels, get numbers as labels."""
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


#: Maximum number of first columns of numbers that are labels.
_MOST_NUMBERED = 4


def _depth(rows: Rows, width: int) -> int:
    """Return the number of columns of labels."""
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
    # Numbers such as ages are labels if the first columns together have each combination of their values exactly once,
    # but the first column alone does not identify the rows.
    labels = [_filled([label_of(row[k]) for row in rows]) for k in range(min(width - 1, _MOST_NUMBERED))]
    keys: list[tuple[str, ...]] = [(label,) for label in labels[0]]
    if len(set(keys)) == len(keys):
        return 1
    for k in range(1, len(labels)):
        keys = [(*key, label) for key, label in zip(keys, labels[k], strict=True)]
        sizes = [len(set(column)) for column in labels[: k + 1]]
        if len(set(keys)) == len(keys) == math.prod(sizes) and min(sizes) > 1:
            return k + 1
    return 1


def _are_labels(rows: Rows, column: int) -> bool:
    """Return whether a column has texts without numbers; ranges, such as ages, only if they distinguish rows."""
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
    """Replace each blank label by the label above it."""
    above = ""
    filled = []
    for label in labels:
        above = label if label.strip() else above
        filled.append(above)
    return filled


def _fill_down(labels: list[list[str]]) -> int:
    """Replace blank labels at the start of rows by the labels above, and return the number of replaced labels.

    A row with a blank label in the last column is not changed, because it is a total.
    """
    filled = 0
    for above, row in itertools.pairwise(labels):
        if not row[-1].strip():
            continue
        for k in range(len(row) - 1):
            if row[k].strip():
                break  # A new group begins in this row.
            row[k] = above[k]
            filled += 1
    return filled


def _levels(
    upper: list[list[str]], depth: int, pandas: bool
) -> tuple[list[list[str]], list[str | None], str]:
    """Return the upper headings of each column, the names of their axes, and the name of the axis of the header.

    A heading above all columns is the name of the axis of the next line.
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


def parents(depths: Sequence[int], totals: Sequence[bool]) -> list[int | None]:
    """Return the parent of each label: the nearest label above it with less indentation that is not a total.

    If the first label is indented more than the last one, each parent is below its parts.

    Examples
    --------
    >>> parents([0, 2, 2, 4, 0], [False] * 5), parents([0, 2, 4], [True, False, False])
    ([None, 0, 0, 2, None], [None, None, 1])
    >>> parents([2, 2, 0, 2, 0], [False] * 5)
    [2, 2, None, 4, None]
    """
    others = [depth for depth, total in zip(depths, totals, strict=True) if not total]
    if others and others[0] > others[-1]:
        last = len(depths) - 1
        return [None if at is None else last - at for at in parents(depths[::-1], totals[::-1])][::-1]
    over, nearest = list[tuple[int, int]](), list[int | None]()
    for i, depth in enumerate(depths):
        while over and over[-1][0] >= depth:
            over.pop()
        nearest.append(over[-1][1] if over else None)
        if not totals[i]:
            over.append((depth, i))
    return nearest


def unique_labels(labels: Sequence[str], depths: Sequence[int], totals: Sequence[bool]) -> list[str]:
    """Return the labels, and add the label of the parent to each label that occurs more than once.

    Examples
    --------
    >>> unique_labels(["Male:", "0-4", "Female:", "0-4"], [0, 2, 0, 2], [False] * 4)
    ['Male:', 'Male: 0-4', 'Female:', 'Female: 0-4']
    """
    times, apart, over = Counter(labels), list(labels), parents(depths, totals)
    for i in sorted(range(len(labels)), key=depths.__getitem__):
        parent = over[i]
        if times[labels[i]] > 1 and parent is not None:
            apart[i] = f"{apart[parent].rstrip(' :')}: {labels[i]}"
    return apart
