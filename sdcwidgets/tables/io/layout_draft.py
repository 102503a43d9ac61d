"""A layout while a person changes the roles of columns and rows; it need not be complete."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from os import PathLike
from typing import Any

from sdcwidgets._util.errors import InputError
from sdcwidgets.tables.io.formats.base import Row
from sdcwidgets.tables.io.formats.delimited import DelimitedText
from sdcwidgets.tables.io.layout.cells import is_blank, is_number, label_of
from sdcwidgets.tables.io.layout.structure import structured
from sdcwidgets.tables.io.layout_reader import opened
from sdcwidgets.tables.io.layouts import FileLayout, LayoutColumn, LayoutHeading, LayoutRow

#: Number of first and of last rows that a preview shows.
FIRST_ROWS, LAST_ROWS = 12, 4

#: Number of rows of counts that are shown below long titles and notes, and the maximum number of first rows.
_ROWS_OF_COUNTS, _MOST_ROWS = 4, 40

#: Maximum number of texts in place of counts whose meaning is chosen.
MOST_TEXTS = 6

#: Maximum number of sheets in which a table is looked for.
_MOST_SHEETS = 20

#: Keys of a layout that a person chooses from a list.
SETTINGS = ("sheet", "encoding", "delimiter", "unit", "thousands", "decimal", "repeated")


@dataclass(frozen=True)
class FileRows:
    """The first and last rows of a file.

    Attributes
    ----------
    rows : mapping of int to list
        Cells of each shown row, by the number of the row from 1.
    total : int
        Number of rows of the file.
    width : int
        Number of columns of the shown rows.
    sheets : tuple of str
        Names of the sheets of a workbook.
    text : bool
        Whether the file is a delimited text.
    """

    rows: Mapping[int, Row]
    total: int
    width: int
    sheets: tuple[str, ...]
    text: bool

    def cell(self, row: int, column: int) -> str:
        """Return the text of a cell."""
        cells = self.rows.get(row, [])
        return label_of(cells[column - 1]).strip() if column <= len(cells) else ""

    def first_text(self, row: int) -> str:
        """Return the first text of a row."""
        return next((label_of(cell).strip() for cell in self.rows.get(row, []) if not is_blank(cell)), "")


def file_rows(content: str | bytes | PathLike[str], layout: FileLayout | None = None) -> FileRows:
    """Return the first and last rows of a file, decoded as the layout states."""
    file, _ = opened(content, layout)
    sheets = file.names()
    sheet = file.sheet(layout.sheet if layout is not None and layout.sheet else sheets[0])
    numbered = enumerate(sheet.rows, start=1)
    first = 0 if layout is None else layout.first
    top = list(itertools.islice(numbered, min(max(FIRST_ROWS, first + _ROWS_OF_COUNTS), _MOST_ROWS)))
    bottom = deque(numbered, maxlen=LAST_ROWS)
    rows = {number: list(row) for number, row in (*top, *bottom)}
    width = max(map(len, rows.values()), default=0)
    return FileRows(rows, max(rows, default=0), width, sheets, isinstance(file, DelimitedText))


def texts_in_counts(content: str | bytes | PathLike[str], layout: FileLayout) -> tuple[str, ...]:
    """Return the first texts without a digit, and a blank, in the columns of counts of a file."""
    file, _ = opened(content, layout)
    sheet = file.sheet(layout.sheet if layout.sheet else file.names()[0])
    unread = {row.number for row in layout.rows if row.role != "count"}
    columns = [column.number - 1 for column in layout.of_role("count")]
    texts: dict[str, None] = {}
    for number, row in enumerate(sheet.rows, start=1):
        if number < layout.first or number in unread or all(map(is_blank, row)):
            continue
        for j in columns:
            text = label_of(row[j]).strip() if j < len(row) else ""
            if len(texts) < MOST_TEXTS and not any(map(str.isdigit, text)):
                texts[text] = None
        if len(texts) == MOST_TEXTS:
            break
    return tuple(texts)


def first_layout(content: str | bytes | PathLike[str], encoding: str = "") -> FileLayout:
    """Return a layout from the structure of the sheet with the most numbers.

    Raises
    ------
    InputError
        If the file has no row with two cells.
    """
    file, _ = opened(content, encoding=encoding)
    base = FileLayout((LayoutColumn(1, "label"),))
    if isinstance(file, DelimitedText):
        known = "utf-8" if file.encoding == "utf-8-sig" else file.encoding
        base = replace(base, encoding=known, delimiter=file.mark)
    names, best, most = file.names(), None, -1
    for name in itertools.islice(file.tried(), _MOST_SHEETS):
        rows = [list(row) for row in file.sheet(name).rows]
        numbers = sum(is_number(cell) for row in rows for cell in row)
        if numbers > most and any(sum(not is_blank(cell) for cell in row) > 1 for row in rows):
            layout = structured(rows, replace(base, sheet=name if len(names) > 1 else ""))
            is_text = base.delimiter == " " and layout is not None and not layout.of_role("count")
            best, most = (best, most) if layout is None or is_text else (layout, numbers)
    if best is not None:
        return best
    raise InputError("The file has no table, because no row has two filled cells.")


def _recoded(value: Any, before: str, encoding: str) -> Any:
    """Return a part of a layout with each text in another encoding of the same bytes."""
    if isinstance(value, str):
        try:
            return value.encode(before).decode(encoding)
        except UnicodeError:
            return value
    if isinstance(value, tuple):
        return tuple(_recoded(item, before, encoding) for item in value)
    if isinstance(value, Mapping):
        return {_recoded(key, before, encoding): item for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        values = {item.name: _recoded(getattr(value, item.name), before, encoding) for item in fields(value)}
        return replace(value, **values)
    return value


class LayoutDraft:
    r"""A layout whose roles are changed one at a time.

    Parameters
    ----------
    layout : FileLayout

    Examples
    --------
    >>> rows = file_rows(b"Area,Men,Women,All\nA,1,2,3\nB,3,4,7\n")
    >>> columns = [LayoutColumn(1, "label", "Area")]
    >>> columns += [LayoutColumn(n, "count", name) for n, name in enumerate(("Men", "Women", "All"), start=2)]
    >>> draft = LayoutDraft(FileLayout(tuple(columns), (LayoutHeading("Sex", 1),), first=2, header=1))
    >>> draft.set_column(4, "total", rows)
    >>> [column.role for column in draft.layout().columns]
    ['label', 'count', 'count', 'total']
    """

    def __init__(self, layout: FileLayout) -> None:
        self._values: dict[str, Any] = {item.name: getattr(layout, item.name) for item in fields(layout)}
        self._headings, self._repeated = layout.headings, layout.repeated

    def layout(self) -> FileLayout:
        """Return the layout.

        Raises
        ------
        InputError
            If the roles do not go together.
        """
        return FileLayout(**self._values)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def set(self, name: str, value: Any) -> None:
        """Set a key of the layout."""
        self._values[name] = value
        if name == "repeated":
            self._repeated = value

    def set_encoding(self, encoding: str) -> None:
        """Set the encoding, and write the texts of the layout as the file has them in this encoding."""
        before = str(self["encoding"])
        for name in ("columns", "headings", "rows", "texts", "flags"):
            self._values[name] = _recoded(self[name], before, encoding)
        self._headings = self["headings"]
        self._values["encoding"] = encoding

    def set_meaning(self, text: str, meaning: str) -> None:
        """Set the meaning of a text in place of a count; an empty meaning removes it."""
        texts = {known: value for known, value in self["texts"].items() if known != text}
        self._values["texts"] = texts | ({text: meaning} if meaning else {})

    def role_of_column(self, number: int) -> str:
        """Return the role of a column, as in "count", or "code:1" for the code of column 1."""
        column = next((column for column in self["columns"] if column.number == number), None)
        if column is None:
            return "other"
        return f"{column.role}:{column.of}" if column.of else str(column.role)

    def role_of_row(self, number: int, rows: FileRows) -> str:
        """Return the role of a row: header, count, total or other."""
        if number == self["header"] or any(heading.row == number for heading in self["headings"]):
            return "header"
        if number < self["first"] or not rows.first_text(number):
            return "other"
        special = next((row for row in self["rows"] if row.number == number), None)
        if special is not None:
            return str(special.role)
        for column in self["columns"]:
            text = rows.cell(number, column.number)
            if text in column.left_out:
                return "total"
            if column.only and text != column.only:
                return "other"
        return "count"

    def set_column(self, number: int, role: str, rows: FileRows) -> None:
        """Set the role of a column."""
        kind, _, of = role.partition(":")
        columns = {column.number: column for column in self["columns"]}
        heading = rows.cell(self["header"], number) if self["header"] else ""
        columns[number] = LayoutColumn(number, kind, heading, of=int(of or 0))
        labels = [column for column in columns.values() if column.role == "label"]
        known = {column.number for column in labels}
        for column in columns.values():
            if column.of and column.of not in known:
                columns[column.number] = LayoutColumn(column.number, "other", column.heading)
        others = [columns[number] for number in sorted(columns) if number not in known]
        self._values["columns"] = (*labels, *others)
        self._values["rows"] = tuple(
            replace(row, categories=())
            if row.role == "count" and len(row.categories) not in (0, len(labels))
            else row
            for row in self["rows"]
        )
        self._set_headings()

    def _set_headings(self) -> None:
        """Set the axis of the headings of the columns of counts."""
        counts = [column for column in self["columns"] if column.role == "count"]
        labels = [column for column in self["columns"] if column.role == "label"]
        is_person = not counts and not any(column.role == "weight" for column in self["columns"])
        self._values["repeated"] = "sum" if is_person else self._repeated
        if not counts or (len(counts) == 1 and labels and len(self._headings) < 2):
            headings: tuple[LayoutHeading, ...] = ()
        else:
            headings = self._headings or (LayoutHeading("Column", self["header"]),)
        self._values["headings"] = headings
        stated = any(heading.row == 0 for heading in headings)
        columns = []
        for column in self["columns"]:
            if column.role == "count" and not stated:
                column = replace(column, categories=())
            elif column.role == "count" and len(column.categories) != len(headings):
                label = column.heading or f"Column {column.number}"
                column = replace(column, categories=(label,) * len(headings))
            columns.append(column)
        self._values["columns"] = tuple(columns)

    def set_row(self, number: int, role: str, rows: FileRows) -> None:
        """Set the role of a row."""
        special = {row.number: row for row in self["rows"] if row.number != number}
        # With other rows, the columns have other labels.
        self._values["columns"] = tuple(
            replace(column, categories=()) if column.role == "label" else column for column in self["columns"]
        )
        if role == "header":
            self._set_header(number, rows)
        elif number == self["header"]:
            self._set_header(0, rows)
        if role == "count":
            self._count_row(number, rows)
        elif role == "block" or (role in ("total", "other") and number >= self["first"]):
            self._values["first"] = min(self["first"], max(number, self["header"] + 1))
            special[number] = LayoutRow(number, role, rows.first_text(number))
        first = self["first"]
        self._values["rows"] = tuple(special[number] for number in sorted(special) if number >= first)

    def _set_header(self, number: int, rows: FileRows) -> None:
        """Set the row with the headings of the columns, 0 for none."""
        before = self["header"]
        self._values["header"] = number
        self._values["first"] = max(self["first"], number + 1)
        columns = []
        for column in self["columns"]:
            heading = rows.cell(number, column.number) if number else ""
            columns.append(replace(column, heading=heading))
        known = {column.number for column in columns}
        for j in range(1, rows.width + 1 if number else 0):
            if j not in known and rows.cell(number, j):
                columns.append(LayoutColumn(j, "other", rows.cell(number, j)))
        self._values["columns"] = tuple(columns)
        self._headings = tuple(
            replace(heading, row=number) if heading.row in (0, before) else heading
            for heading in self._headings
        )
        self._set_headings()

    def _count_row(self, number: int, rows: FileRows) -> None:
        """Read the counts of a row."""
        self._values["first"] = min(self["first"], number)
        if self["header"] >= number:
            self._set_header(0, rows)
            self._values["first"] = number
        columns = []
        for column in self["columns"]:
            text = rows.cell(number, column.number)
            if text in column.left_out:
                left_out = tuple(label for label in column.left_out if label != text)
                column = replace(column, left_out=left_out)
            if column.only and text != column.only:
                column = replace(column, only="")
            columns.append(column)
        self._values["columns"] = tuple(columns)
