"""Detect the layout of a table in its file, so that a release can be written with the same layout."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sdcwidgets._util.labels import count_in
from sdcwidgets.core.margins import margins
from sdcwidgets.tables.io.formats.base import Format, Rows, SheetCells
from sdcwidgets.tables.io.layout.cells import extent, is_number, label_of
from sdcwidgets.tables.io.layout.contents import title_says_thousands
from sdcwidgets.tables.io.layout.totals import TotalLabels
from sdcwidgets.tables.io.layouts import FileLayout
from sdcwidgets.tables.io.writers.as_read import AsRead
from sdcwidgets.tables.io.writers.copied import numbers_in
from sdcwidgets.tables.io.writers.headings import Headings, Labels
from sdcwidgets.tables.io.writers.positions import Cell, PlacedText, Position
from sdcwidgets.tables.table import FrequencyTable

#: Maximum number of cells of a table whose headings are detected if it does not have two axes.
_MOST_CELLS = 100_000

#: Maximum number of heading lines, and of columns with labels.
_MOST_HEADINGS = 4


def as_read(rows: Rows, table: FrequencyTable, totals: TotalLabels, joint: str = " ") -> AsRead | None:
    """Return the layout of a table in the rows of a sheet, or None if the sheet has neither a known layout nor texts.

    In a simple layout, one row has the labels of the columns, one column has the labels of the rows, and each axis has
    at most one total. Any other label must be one of `totals`, the labels of totals over a whole axis. A release would
    otherwise have a total below the heading of a column that was omitted, for example a median. For another number of
    axes, the layout has the headings if each number of the sheet is the count that they describe. For other layouts,
    the result has only the lines above and below the table. The text `joint` is between the cells of such a line.

    Examples
    --------
    >>> rows = [["Religion"], ["Area", "All", "x", "y"], ["A", 3, 1, 2], ["B", 7, 3, 4], ["England", 10, 4, 6]]
    >>> rows += [["Source: us, 2011"], ["There are 3 people in A."]]
    >>> found = as_read(rows, FrequencyTable([[1, 2], [3, 4]], {"Area": "AB", "R": "xy"}), (["England"], ["All"]))
    >>> found.columns, found.total_column, found.total_row, found.above, found.below
    (('All', 'x', 'y'), 'All', 'England', ('Religion',), ('Source: us, 2011', 'There are 3 people in A.'))
    """
    texts = [[label_of(cell).strip() for cell in row] for row in rows]
    column = _first_column(texts, rows)
    layout = _simple_layout(texts, column, table, totals, joint) if table.ndim == 2 else None
    if layout is not None:
        return _with_sums(layout, rows, table)
    first, last = _bounds(texts, rows, table)
    above, below = _lines(texts[:first], joint), _lines(texts[last + 1 :], joint)
    inner = [row[column:] for row in texts[first : last + 1]]
    headings = _headings(inner, table) if table.ndim != 2 else None
    if not above and not below and headings is None:
        return None
    layout = _with_lines(AsRead("", (), (), headings=headings), above, below, (first + 1, column + 1))
    return _with_sums(layout, rows, table)


def as_stated(
    rows: Rows, sheet: SheetCells, table: FrequencyTable, layout: FileLayout, joint: str = " "
) -> AsRead | None:
    """Return the layout of a table that was read with a layout file, for its release.

    Lines that state a unit such as "in thousands" are left out if the counts were multiplied by this unit.

    Examples
    --------
    >>> from sdcwidgets.tables.io.layouts import LayoutColumn
    >>> rows = [["People by area"], ["Area", "n"], ["A", 3], ["B", 7], ["All", 10], ["Source: us"]]
    >>> columns = (LayoutColumn(1, "label", "Area", left_out=("All",)), LayoutColumn(2, "count", "n"))
    >>> layout = FileLayout(columns, header=2, first=3)
    >>> found = as_stated(rows, SheetCells(rows), FrequencyTable([3, 7], {"Area": "AB"}), layout)
    >>> found.above, found.below
    (('People by area',), ('Source: us',))
    """
    if sheet.own or not layout.of_role("count"):
        return None
    if sheet.by:
        return as_declared(table, sheet) if sheet.above or sheet.below else None
    texts = [[label_of(cell).strip() for cell in row] for row in rows]
    column = _first_column(texts, rows)
    simple = _simple_layout(texts, column, table, _omitted_labels(layout), joint) if table.ndim == 2 else None
    if simple is not None and _has_counts_of(simple, [row[column:] for row in texts], table):
        return _with_sums(simple, rows, table)
    first = _first_line(layout) - 1
    last = max(first, _bounds(texts, rows, table)[1])
    after = [[] if _has_no_count(row, layout) else row for row in texts[last + 1 :]]
    above, below = (
        [line for line in lines if layout.unit == 1 or not title_says_thousands(line.text)]
        for lines in (_lines(texts[:first], joint), _lines(after, joint))
    )
    if not above and not below:
        return None
    return _with_sums(_with_lines(AsRead("", (), ()), above, below, (first + 1, column + 1)), rows, table)


def _with_lines(
    layout: AsRead, above: Sequence[PlacedText], below: Sequence[PlacedText], cell: Cell
) -> AsRead:
    """Return a layout with the lines around its table, and with the position of the table and of these lines."""
    cells = (tuple((line.row, line.column) for line in lines) for lines in (above, below))
    return replace(
        layout,
        above=tuple(line.text for line in above),
        below=tuple(line.text for line in below),
        position=Position(*cell, *cells),
    )


def _has_no_count(texts: Sequence[str], layout: FileLayout) -> bool:
    """Return whether a line of labels has only texts in place of counts."""
    cells = [texts[column.number - 1] for column in layout.of_role("count") if column.number <= len(texts)]
    return any(cells) and all(cell in layout.texts for cell in cells)


def _omitted_labels(layout: FileLayout) -> TotalLabels:
    """Return the labels of rows and of columns that a layout omits."""
    rows = [label for column in layout.of_role("label") for label in column.left_out]
    rows += [row.label for row in layout.rows if row.role == "total"]
    return rows, [column.heading for column in layout.of_role("total")]


def _first_line(layout: FileLayout) -> int:
    """Return the number of the first line of a layout that is a heading or has counts."""
    headings = [layout.header, *(heading.row for heading in layout.headings)]
    rows = [row.number for row in layout.rows if row.role not in ("other", "skip")]
    return min(number for number in (layout.first, *headings, *rows) if number)


def _has_counts_of(layout: AsRead, texts: Sequence[Sequence[str]], table: FrequencyTable) -> bool:
    """Return whether the numbers below the headings of a layout are the counts and the totals of a table."""
    counts = np.pad(table.counts, ((0, 1), (0, 1)))
    counts[-1] = counts.sum(axis=0)
    counts[:, -1] = counts.sum(axis=1)
    down, across = table.axes
    columns = [-1 if label == layout.total_column else across.position(label) for label in layout.columns]
    body = iter(layout.rows)
    label = next(body, None)
    for row in texts:
        if label is not None and row[:1] == [label]:
            line = counts[-1 if label == layout.total_row else down.position(label)]
            if [count_in(text) for text in row[1 : len(columns) + 1]] != line[columns].tolist():
                return False
            label = next(body, None)
    return label is None


def as_declared(table: FrequencyTable, sheet: SheetCells) -> AsRead:
    """Return the layout of a format that states which axes are rows and columns, and texts on its table.

    Examples
    --------
    >>> table = FrequencyTable([[1, 2], [3, 4]], {"Area": "AB", "Sex": "fm"})
    >>> layout = as_declared(table, SheetCells((), by=("Area", "Sex"), above=("Of 3 people",), below=("Register",)))
    >>> layout.headings.columns, layout.headings.rows, layout.texts(None)
    ((('f', 'm'),), (('A',), ('B',)), ((), ('Register',)))
    """
    positions = {axis.name: k for k, axis in enumerate(table.axes)}
    headed = sheet.by[len(sheet.by) - sheet.across :]
    across = tuple(positions[name] for name in headed if name in positions)
    down = tuple(k for k in positions.values() if k not in across)
    headings = None
    if down and table.cells <= _MOST_CELLS:
        columns = tuple(zip(*itertools.product(*(table.axes[k].labels for k in across)), strict=True))
        names = tuple(table.axes[k].name for k in down)
        blank = ("",) * len(names)
        corners = (*[blank] * (len(across) - 1), names)
        rows = tuple(itertools.product(*(table.axes[k].labels for k in down)))
        headings = Headings(corners, across, down, columns or (("Count",),), rows)
    return AsRead("", (), (), above=sheet.above, below=sheet.below, headings=headings, table=table)


def _simple_layout(
    texts: Sequence[Sequence[str]], first: int, table: FrequencyTable, totals: TotalLabels, joint: str
) -> AsRead | None:
    """Return the layout of a table of two axes from a column on, None if it is not a simple one."""
    lines, texts = texts, [row[first:] for row in texts]
    down, across = (axis.labels for axis in table.axes)
    head = next((i for i, row in enumerate(texts) if row[1:] and _order(row[1:], across) is not None), None)
    if head is None:
        return None
    columns = texts[head][1 : extent(list(texts[head]))]
    body = _rows_below(texts, head, len(columns))
    named = [texts[i][0] for i in body]
    total_column, total_row = _order(columns, across), _order(named, down)
    if total_column is None or total_row is None:
        return None
    if not _are_totals((total_row, total_column), totals or ((), ())):
        return None
    last = body[-1] if body else head
    layout = AsRead(texts[head][0], tuple(named), tuple(columns), total_row, total_column)
    above, below = _lines(lines[:head], joint), _lines(lines[last + 1 :], joint)
    return _with_lines(layout, above, below, (head + 1, first + 1))


def _with_sums(layout: AsRead, rows: Rows, table: FrequencyTable) -> AsRead:
    """Return a layout with the original counts, and with other numbers of the sheet that its lines contain."""
    of_lines = set().union(*map(numbers_in, (*layout.above, *layout.below)))
    if not of_lines:
        return replace(layout, table=table)
    # CSV text has several cells in a line of text with commas.
    lines = {_without_marks(line) for line in (*layout.above, *layout.below)}
    filled = ([cell for cell in row if label_of(cell).strip()] for row in rows)
    wide = (
        row for row in filled if len(row) > 1 and _without_marks("".join(map(label_of, row))) not in lines
    )
    cells = itertools.chain.from_iterable(wide)
    numbers = {count for cell in cells if isinstance(count := count_in(cell), int)} & of_lines
    known = {
        int(value) for sums in margins(table.counts).values() for value in sums.ravel() if value in numbers
    }
    return replace(layout, table=table, sums=tuple(sorted(numbers - known)))


def _without_marks(text: str) -> str:
    return text.replace(",", "").replace(" ", "")


def _bounds(texts: Sequence[Sequence[str]], rows: Rows, table: FrequencyTable) -> tuple[int, int]:
    """Return the first and the last row of a table: from the first row with labels to the last row with numbers."""
    known = {label for axis in table.axes for label in (axis.name, *axis.labels)}
    wide = [i for i, row in enumerate(texts) if sum(map(bool, row)) > 1]
    numeric = [i for i in wide if any(map(is_number, rows[i]))]
    headed = (i for i in wide if known.intersection(texts[i]))
    first = next(headed, wide[0] if wide else len(texts))
    return first, max(numeric, default=wide[-1] if wide else len(texts))


def _headings(texts: Sequence[Sequence[str]], table: FrequencyTable) -> Headings | None:
    """Return the headings of a table, if each number below them is the count of the table that they describe."""
    if table.cells > _MOST_CELLS:
        return None
    width = max(map(len, texts), default=0)
    lines = [(*row, *[""] * (width - len(row))) for row in texts if any(row)]
    for labels in range(1, min(table.ndim, _MOST_HEADINGS) + 1):
        headings = _with_label_columns(lines, labels, table)
        if headings is not None and _describes(headings, lines, table):
            return headings
    return None


def _with_label_columns(lines: Sequence[Labels], labels: int, table: FrequencyTable) -> Headings | None:
    """Return the headings with a number of columns with labels, None if a line or column does not fit an axis."""
    heads = max(1, table.ndim - labels)
    if len(lines) <= heads or len(lines[0]) <= labels:
        return None
    columns = [line[labels:] for line in lines[:heads]] if labels < table.ndim else []
    down = [tuple(line[k] for line in lines[heads:]) for k in range(labels)]
    axes = _axes_of([*down, *columns], table)
    if axes is None or (not columns and len(lines[0]) != labels + 1):
        return None
    return Headings(
        tuple(line[:labels] for line in lines[:heads]),
        tuple(axes[labels:]),
        tuple(axes[:labels]),
        tuple(line[labels:] for line in lines[:heads]),
        tuple(line[:labels] for line in lines[heads:]),
    )


def _axes_of(texts: Sequence[Labels], table: FrequencyTable) -> list[int] | None:
    """Return the axis of each line or column of labels; None if one has other labels than an axis and its total."""
    result: list[int] = []
    for labels in texts:
        filled = set(labels) - {""}
        fitting = (
            k
            for k, axis in enumerate(table.axes)
            if k not in result and filled >= set(axis.labels) and len(filled) <= len(axis) + 1
        )
        result.append(next(fitting, -1))
    return None if -1 in result else result


def _describes(headings: Headings, lines: Sequence[Labels], table: FrequencyTable) -> bool:
    """Return whether the headings describe each count of a table, and the counts are those of the lines."""
    counts, numbers = margins(table.counts), _numbers_of(lines[len(headings.corners) :], len(headings.down))
    seen = set()
    for i, j, cell in headings.cells(table.axes):
        margin, index = cell
        if cell in seen or numbers[i][j] != counts[margin][index]:
            return False
        seen.add(cell)
    every = tuple(range(table.ndim))
    return sum(margin == every for margin, _ in seen) == table.cells


def _numbers_of(lines: Sequence[Labels], labels: int) -> list[list[int | str]]:
    """Return the counts to the right of the labels, or texts in place of other values."""
    return [[count_in(text) for text in line[labels:]] for line in lines]


def _first_column(texts: Sequence[Sequence[str]], rows: Rows) -> int:
    """Return the index of the first column of a table, for example 1 if the table begins in the cell B2."""
    wide = [i for i, row in enumerate(texts) if sum(map(bool, row)) > 1]
    lines = [texts[i] for i in wide if any(map(is_number, rows[i]))] or [row for row in texts if any(row)]
    return min((next(j for j, text in enumerate(row) if text) for row in lines), default=0)


def _are_totals(labels: Sequence[str], totals: TotalLabels) -> bool:
    """Return whether each label is empty or a label of a total of its axis."""
    return all(
        not label or label in map(str.strip, known) for label, known in zip(labels, totals, strict=True)
    )


def joint_of(file: Format) -> str:
    r"""Return the text between the cells of a line above or below a table, which a comma of CSV text may separate.

    Examples
    --------
    >>> from sdcwidgets.tables.io.formats.delimited import DelimitedText
    >>> joint_of(DelimitedText("Area,n\nA,3\n", "The text"))
    ', '
    """
    return ", " if getattr(file, "mark", "") == "," else " "


def _lines(rows: Sequence[Sequence[str]], joint: str) -> list[PlacedText]:
    """Return the text of each row with a filled cell, in its first filled cell; rows are counted from 1."""
    return [
        PlacedText(
            number, next(j for j, text in enumerate(row, start=1) if text), joint.join(filter(None, row))
        )
        for number, row in enumerate(rows, start=1)
        if any(row)
    ]


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
