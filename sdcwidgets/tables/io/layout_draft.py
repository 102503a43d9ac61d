"""A draft of a layout in which a user changes the roles of columns and rows; the draft can be incomplete."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from os import PathLike
from typing import Any, NamedTuple, TypeVar

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import NUMBER, count_in, crossed_labels
from sdcwidgets.tables.io.formats.base import Row
from sdcwidgets.tables.io.formats.delimited import DelimitedText
from sdcwidgets.tables.io.layout.cells import (
    flag_beside,
    is_blank,
    is_negative,
    is_number,
    is_percentage,
    joined_text,
    label_of,
    missing_in,
)
from sdcwidgets.tables.io.layout.structure import structured
from sdcwidgets.tables.io.layout_reader import opened
from sdcwidgets.tables.io.layouts import UNKNOWN, FileLayout, LayoutColumn, LayoutHeading, LayoutRow

#: Number of first and of last rows that a preview shows.
FIRST_ROWS, LAST_ROWS = 12, 4

#: Number of rows of counts that are shown below long titles and notes, and the maximum number of first rows.
_ROWS_OF_COUNTS, _MOST_ROWS = 4, 40

#: Maximum number of texts in place of counts whose meaning is chosen.
MOST_TEXTS = 6

#: Maximum number of labels of a column in a choice.
MOST_LABELS = 1_000

#: Maximum number of sheets in which a table is searched.
_MOST_SHEETS = 20

#: Maximum number of different cells that are stored because most cells of a long file repeat.
_MOST_KNOWN = 100_000

#: Keys of a layout that a user selects from a list.
SETTINGS = (
    "sheet",
    "encoding",
    "delimiter",
    "counted",
    "unit",
    "thousands",
    "decimal",
    "rounded",
    "repeated",
    "absent",
)

#: Meanings of a blank in a column of labels, with their texts on a page.
BLANKS: Mapping[str, str] = {
    "error": "is an error",
    "fill": "repeats the label above",
    "leave out": "the import omits the line",
    "category": f'is the category "{UNKNOWN}"',
}


T = TypeVar("T")


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


class CellsOfCounts(NamedTuple):
    """The cells of the rows of counts of a file.

    Attributes
    ----------
    texts : dict of str to (int, int)
        The first texts other than numbers in the columns of counts, including a blank, with the row and the column of
        the first cell.
    blank : frozenset of int
        Numbers of the columns that have a blank in a row of counts.
    """

    texts: dict[str, tuple[int, int]]
    blank: frozenset[int]


def cells_of_counts(content: str | bytes | PathLike[str], layout: FileLayout) -> CellsOfCounts:
    r"""Return the texts in place of counts, and the columns with blanks, in the rows of counts of a file.

    They depend on the rows and on the columns of counts alone, see `key_of_counts`.

    Examples
    --------
    >>> columns = (LayoutColumn(1, "label", "Area"), LayoutColumn(2, "count", "n"))
    >>> cells_of_counts("Area,n\nA,1\n,..\n", FileLayout(columns, header=1, first=2))
    CellsOfCounts(texts={'..': (3, 2)}, blank=frozenset({1}))
    """
    file, _ = opened(content, layout)
    sheet = file.sheet(layout.sheet if layout.sheet else file.names()[0])
    scan = _CountScan(layout)
    unread = {row.number for row in layout.rows if row.role != "count"}
    for number, row in enumerate(sheet.rows, start=1):
        if number >= layout.first and number not in unread and scan.has_cells(row):
            scan.take_texts(number, row)
    return CellsOfCounts(scan.texts, frozenset(scan.blank))


class _CountScan:
    """The texts in place of counts, and the columns with blanks, in the rows that were read."""

    def __init__(self, layout: FileLayout) -> None:
        self._counts = [column.number - 1 for column in layout.of_role("count")]
        self._width = max((column.number for column in layout.columns), default=0)
        self.texts: dict[str, tuple[int, int]] = {}
        self.blank: set[int] = set()
        self._filled, self._figures = set[object](), set[object]()

    def has_cells(self, row: Row) -> bool:
        """Return whether a row is not blank, and store its blank columns if it has counts."""
        if len(row) >= self._width and self._filled.issuperset(row):
            return True
        blanks = {j for j, cell in enumerate(row) if is_blank(cell)}
        if len(blanks) == len(row):
            return False
        if len(self._filled) < _MOST_KNOWN:
            self._filled.update(cell for j, cell in enumerate(row) if j not in blanks)
        blanks.update(range(len(row), self._width))
        if not self._counts or not blanks.issuperset(self._counts):
            self.blank.update(j + 1 for j in blanks)
        return True

    def take_texts(self, number: int, row: Row) -> None:
        """Store the texts in place of counts of a row."""
        for j in self._counts:
            cell = row[j] if j < len(row) else None
            if cell in self._figures and not isinstance(cell, bool):
                continue
            text = label_of(cell).strip()
            if _is_figure(text) and not missing_in(text):
                if len(self._figures) < _MOST_KNOWN:
                    self._figures.add(cell)
            elif len(self.texts) < MOST_TEXTS:
                self.texts.setdefault(text, (number, j + 1))


def _is_figure(text: str) -> bool:
    """Return whether a text is a number, a percentage, or a number with a flag."""
    return not is_negative(text) and bool(
        NUMBER.fullmatch(text) or is_number(text) or is_percentage(text) or flag_beside(text)
    )


def key_of_counts(layout: FileLayout) -> tuple[object, ...]:
    """Return what `cells_of_counts` depends on: the rows and the columns of counts, and how the file is opened."""
    unread = frozenset(row.number for row in layout.rows if row.role != "count")
    counts = tuple(column.number for column in layout.of_role("count"))
    width = max((column.number for column in layout.columns), default=0)
    return layout.encoding, layout.delimiter, layout.sheet, layout.first, unread, counts, width


def texts_in_counts(content: str | bytes | PathLike[str], layout: FileLayout) -> tuple[str, ...]:
    """Return the first texts other than numbers, including a blank, in the columns of counts of a file."""
    return tuple(cells_of_counts(content, layout).texts)


def place_of_text(
    content: str | bytes | PathLike[str], layout: FileLayout, text: str
) -> tuple[int, int] | None:
    """Return the row and the column of the first cell with a text in the columns of counts; None without one."""
    file, _ = opened(content, layout)
    sheet = file.sheet(layout.sheet if layout.sheet else file.names()[0])
    columns = [column.number - 1 for column in layout.of_role("count")]
    for number, row in enumerate(sheet.rows, start=1):
        for j in columns if number >= layout.first and not all(map(is_blank, row)) else ():
            if (label_of(row[j]).strip() if j < len(row) else "") == text:
                return number, j + 1
    return None


def groups_in(content: str | bytes | PathLike[str], layout: FileLayout) -> dict[int, str]:
    """Return the omitted totals that are the sum of the rows below them, by the number of their row.

    Returns
    -------
    dict of int to str
        Empty if the rows below another omitted total are not its parts, or if labels are in several columns.
    """
    labels = layout.of_role("label")
    lines = list(_sums_of_rows(content, layout)) if len(labels) == 1 and layout.of_role("count") else []
    omitted = [k for k, (_, text, _) in enumerate(lines) if text in labels[0].left_out]
    if not omitted or omitted[0] > 0:
        return {}
    groups = dict[int, str]()
    for k, end in itertools.pairwise([*omitted, len(lines)]):
        number, text, total = lines[k]
        parts = [part for _, _, part in lines[k + 1 : end]]
        if parts and sum(parts) != total:
            return {}
        if parts:
            groups[number] = text
    return groups


def _sums_of_rows(content: str | bytes | PathLike[str], layout: FileLayout) -> Iterator[tuple[int, str, int]]:
    """Yield the number, the label and the sum of the counts of each row that may have counts."""
    file, _ = opened(content, layout)
    unread = {row.number for row in layout.rows if row.role not in ("count", "total")}
    label, columns = layout.of_role("label")[0].number - 1, layout.of_role("count")
    for i, row in enumerate(file.sheet(layout.sheet or file.names()[0]).rows, start=1):
        text = label_of(row[label]).strip() if label < len(row) else ""
        if i >= layout.first and i not in unread and text:
            counts = [count_in(row[c.number - 1]) for c in columns if c.number <= len(row)]
            yield i, text, sum(count for count in counts if not isinstance(count, str))


def labels_in(content: str | bytes | PathLike[str], layout: FileLayout, number: int) -> tuple[str, ...]:
    """Return the first labels of a column of a file, in their order; the labels that a layout omits, too."""
    return labels_of_columns(content, layout, [number])[number]


def labels_of_columns(
    content: str | bytes | PathLike[str], layout: FileLayout, numbers: Sequence[int]
) -> dict[int, tuple[str, ...]]:
    r"""Return the first labels of some columns of a file, in their order; the file is read once.

    Examples
    --------
    >>> labels_of_columns("Area,Sex\nA,m\nB,m\n", FileLayout((LayoutColumn(1, "label"),), header=1, first=2), [1, 2])
    {1: ('A', 'B'), 2: ('m',)}
    """
    file, _ = opened(content, layout)
    sheet = file.sheet(layout.sheet if layout.sheet else file.names()[0])
    unread = {row.number for row in layout.rows if row.role not in ("count", "total")}
    labels: dict[int, dict[str, None]] = {number: {} for number in numbers}
    open_columns = {number - 1: (set[object](), labels[number]) for number in numbers}
    for i, row in enumerate(sheet.rows, start=1):
        if i < layout.first or i in unread:
            continue
        for j, (known, of_column) in list(open_columns.items()) if open_columns else ():
            if j >= len(row) or row[j] in known:
                continue
            known.add(row[j])
            text = label_of(row[j]).strip()
            if text:
                of_column[text] = None
            if len(of_column) == MOST_LABELS:
                del open_columns[j]
        if not open_columns:
            break
    return {number: tuple(of_column) for number, of_column in labels.items()}


def first_layout(
    content: str | bytes | PathLike[str], encoding: str = "", sheet: str = "", delimiter: str = ""
) -> FileLayout:
    """Return a layout from the structure of a sheet, by default of the one with the most numbers.

    Raises
    ------
    InputError
        If the file has no row with two cells.
    """
    file, _ = opened(content, encoding=encoding)
    base = FileLayout((LayoutColumn(1, "label"),))
    if isinstance(file, DelimitedText):
        known = "utf-8" if file.encoding == "utf-8-sig" else file.encoding
        file.mark = delimiter or file.mark
        base = replace(base, encoding=known, delimiter=file.mark)
    names, best, most = file.names(), None, -1
    for name in [sheet] if sheet else itertools.islice(file.tried(), _MOST_SHEETS):
        rows = [list(row) for row in file.sheet(name).rows]
        numbers = sum(is_number(cell) for row in rows for cell in row)
        if numbers > most and any(sum(not is_blank(cell) for cell in row) > 1 for row in rows):
            layout = structured(rows, replace(base, sheet=name if len(names) > 1 else ""))
            is_text = (
                base.delimiter == " " and not delimiter and layout is not None and not layout.of_role("count")
            )
            best, most = (best, most) if layout is None or is_text else (layout, numbers)
    if best is not None:
        return best
    raise InputError("The file has no table, because no row has two filled cells.")


#: Keys of a layout whose texts are in the file.
_WITH_TEXTS = ("columns", "headings", "rows", "texts", "flags")

#: The values of `_WITH_TEXTS`, and the labels that columns of counts stated first.
_Texts = tuple[dict[str, Any], dict[int, tuple[str, ...]]]

#: Encodings of a part of a text, which has no byte order mark.
_WITHOUT_MARK = {"utf-16": "utf-16-le"}


def _recoded(value: Any, before: str, encoding: str) -> Any:
    """Return a part of a layout with each text in another encoding of the same bytes."""
    if isinstance(value, str):
        try:
            return value.encode(_WITHOUT_MARK.get(before, before)).decode(
                _WITHOUT_MARK.get(encoding, encoding), "replace"
            )
        except UnicodeError:
            return value
    if isinstance(value, tuple):
        return tuple(_recoded(item, before, encoding) for item in value)
    if isinstance(value, Mapping):
        return {
            _recoded(key, before, encoding): _recoded(item, before, encoding) for key, item in value.items()
        }
    if is_dataclass(value) and not isinstance(value, type):
        values = {
            item.name: _recoded(getattr(value, item.name), before, encoding)
            for item in fields(value)
            if item.name != "role"
        }
        return replace(value, **values)
    return value


def _without(items: tuple[T, ...], k: int) -> tuple[T, ...]:
    """Return a tuple without an item."""
    return (*items[:k], *items[k + 1 :])


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
        #: Columns and headings before only one label of an axis of headings was read, with the axis and the label.
        self._all: tuple[tuple[LayoutColumn, ...], tuple[LayoutHeading, ...], int, str] | None = None
        #: Labels that the columns of counts stated first, by the number of the column.
        self._stated = {
            column.number: column.categories for column in layout.of_role("count") if column.categories
        }
        #: Texts of the layout after the last change of the encoding, and the encoding and texts before all changes.
        self._recoded: _Texts = {}, {}
        self._original: tuple[str, _Texts] = layout.encoding, self._recoded

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
        now = {name: self[name] for name in _WITH_TEXTS}, self._stated
        if self._recoded != now:
            self._original = str(self["encoding"]), now
        # A wrong encoding loses letters, so that the texts of the first encoding are converted.
        before, texts = self._original
        recoded = texts
        if encoding != before:
            values, stated = texts
            recoded = (
                {name: _recoded(value, before, encoding) for name, value in values.items()},
                _recoded(stated, before, encoding),
            )
        self._recoded = recoded
        self._values.update(recoded[0])
        self._headings, self._stated = self["headings"], recoded[1]
        self._values["encoding"] = encoding

    @property
    def counted_by(self) -> tuple[str, ...] | None:
        """Headings of the columns by which the rows are counted, None if there are columns of counts."""
        if self._counts():
            return None
        return tuple(column.heading for column in self["columns"] if column.role == "label")

    def names_of_axes(self) -> dict[str, str]:
        """Return the names of the axes by the place of their labels: the blocks, a column or a line of headings."""
        labels = [column for column in self["columns"] if column.role == "label"]
        has_blocks = any(row.role == "block" for row in self["rows"])
        names = {"blocks": str(self["blocks"])} if has_blocks else {}
        for k, column in enumerate(labels, start=1 + has_blocks):
            names[f"column:{column.number}"] = column.axis or column.heading or f"Row {k}"
        return names | {f"heading:{k}": heading.axis for k, heading in enumerate(self["headings"])}

    def rename_axis(self, place: str, name: str) -> None:
        """Set the name of an axis, by its place; see `names_of_axes`."""
        kind, _, number = place.partition(":")
        if kind == "blocks":
            self._values["blocks"] = name
        elif kind == "column":
            self._values["columns"] = tuple(
                replace(column, axis="" if name == column.heading else name)
                if column.number == int(number)
                else column
                for column in self["columns"]
            )
        else:
            headings = [
                replace(heading, axis=name) if k == int(number) else heading
                for k, heading in enumerate(self["headings"])
            ]
            self._values["headings"] = self._headings = tuple(headings)

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
        special = next((row for row in self["rows"] if row.number == number), None)
        if special is not None:
            return str(special.role)
        if number < self["first"] or not rows.first_text(number) or self._is_skipped(number):
            return "other"
        for column in self["columns"]:
            text = self.label(number, column, rows)
            if text in column.left_out:
                return "total"
            if column.only and text != column.only:
                return "other"
        return "count"

    def heading(self, column: int, rows: FileRows) -> str:
        """Return the heading of a column, from all rows that are joined to one; "" without a row of headings."""
        number = int(self["header"])
        return self._joined_text(number, column, rows) if number else ""

    def _joined_text(self, number: int, column: int, rows: FileRows) -> str:
        """Return the text of a row of headings, joined with the rows above that continue in it."""
        text = rows.cell(number, column)
        joined = {row.number for row in self["rows"] if row.role == "join"}
        while number - 1 in joined:
            number -= 1
            text = joined_text(rows.cell(number, column), text)
        return text

    def labels_of_columns(self, rows: FileRows) -> dict[int, tuple[str, ...]]:
        """Return the labels of each column of counts on the axes of headings."""
        across: dict[int, list[str]] = {column.number: [] for column in self._counts()}
        for heading in self["headings"]:
            last = ""
            for number, labels in across.items():
                text = self._joined_text(heading.row, number, rows) if heading.row else ""
                last = text or last
                labels.append(last if heading.fill else text)
        return {column.number: column.categories or tuple(across[column.number]) for column in self._counts()}

    def axes_of_headings(self, rows: FileRows) -> list[tuple[str, tuple[str, ...], str]]:
        """Return the name of each axis of headings, its labels, and the only one that is read, "" for all."""
        if self._all is not None:
            columns, headings, k, label = self._all
            whole = LayoutDraft(replace(self.layout(), columns=columns, headings=headings))
            axes = whole.axes_of_headings(rows)
            axes[k] = (axes[k][0], axes[k][1], label)
            return axes
        over = list(self.labels_of_columns(rows).values())
        return [
            (heading.axis, tuple(dict.fromkeys(labels[k] for labels in over)), "")
            for k, heading in enumerate(self["headings"])
        ]

    def set_only_heading(self, k: int, label: str, rows: FileRows) -> None:
        """Read only the columns of counts with a label on an axis of headings; "" reads all columns."""
        if self._all is not None:
            self._values["columns"], self._values["headings"] = self._all[:2]
            self._headings, self._all = self["headings"], None
        if not label:
            return
        columns, headings = self["columns"], self["headings"]
        over = self.labels_of_columns(rows)
        kept = {number for number, labels in over.items() if labels[k] == label}
        self._values["columns"] = tuple(
            LayoutColumn(column.number, "other", column.heading)
            if column.role == "count" and column.number not in kept
            else replace(column, categories=_without(column.categories, k))
            if column.role == "count"
            else column
            for column in columns
        )
        self._values["headings"] = self._headings = _without(headings, k)
        self._all = (columns, headings, k, label)

    def set_only(self, number: int, label: str) -> None:
        """Read only the rows with a label in a column, which is then not an axis; "" reads all rows."""
        columns = []
        for column in self["columns"]:
            if column.number == number:
                column = replace(column, role="other" if label else "label", only=label, categories=())
            elif column.of == number and label:
                column = replace(column, role="other", of=0)
            columns.append(column)
        self._values["columns"] = tuple(columns)
        self._values["rows"] = tuple(
            replace(row, categories=()) if row.role == "count" else row for row in self["rows"]
        )
        self._set_headings()

    def set_label(self, number: int, label: str, is_omitted: bool) -> None:
        """Omit all rows with a label in a column, or read them."""
        columns = []
        for column in self["columns"]:
            if column.number == number:
                left_out = tuple(text for text in column.left_out if text != label)
                left_out = (*left_out, label) if is_omitted else left_out
                column = replace(column, left_out=left_out, categories=())
            columns.append(column)
        self._values["columns"] = tuple(columns)
        if not is_omitted:
            self._values["rows"] = tuple(
                row for row in self["rows"] if row.role != "total" or row.label != label
            )

    def _is_skipped(self, number: int) -> bool:
        """Return whether a row is in a part that the import omits."""
        above = [row for row in self["rows"] if row.number < number and row.role in ("skip", "block")]
        return bool(above) and above[-1].role == "skip"

    def label(self, number: int, column: LayoutColumn, rows: FileRows) -> str:
        """Return the text of a row in a column, or the label above that a blank repeats."""
        text = rows.cell(number, column.number)
        if text or not column.fill:
            return text
        above = (rows.cell(i, column.number) for i in sorted(rows.rows, reverse=True) if i < number)
        return next(filter(None, above), "")

    def blanks(self, number: int) -> str:
        """Return the meaning of a blank in a column of labels, which is a key of `BLANKS`."""
        column = next(column for column in self["columns"] if column.number == number)
        if column.fill:
            return "fill"
        if "" in column.left_out:
            return "leave out"
        return "category" if "" in column.renamed else "error"

    def set_blanks(self, number: int, meaning: str) -> None:
        """Set the meaning of a blank in a column of labels."""
        columns = []
        for column in self["columns"]:
            if column.number == number:
                left_out = tuple(label for label in column.left_out if label)
                column = replace(
                    column,
                    fill=meaning == "fill",
                    left_out=(*left_out, "") if meaning == "leave out" else left_out,
                    renamed={"": UNKNOWN} if meaning == "category" else {},
                    categories=(),
                )
            columns.append(column)
        self._values["columns"] = tuple(columns)

    def set_split_of_column(self, number: int, is_split: bool) -> None:
        """Read the labels of a column as several axes, or as one axis."""
        self._values["columns"] = tuple(
            replace(column, split=is_split) if column.number == number else column
            for column in self["columns"]
        )

    def set_groups(self, groups: Mapping[int, str]) -> None:
        """Read the labels of rows, by the number of the row, as headings of the rows below, on an axis of groups."""
        self._allow_any_labels()
        special = {row.number: row for row in self["rows"] if row.role != "count"}
        special |= {number: LayoutRow(number, "block", label) for number, label in groups.items()}
        self._values["rows"] = tuple(special[number] for number in sorted(special))
        self._values["blocks"] = "Group"

    def _counts(self) -> list[LayoutColumn]:
        return [column for column in self["columns"] if column.role == "count"]

    def _label_of(self, column: LayoutColumn) -> str:
        stated = " ".join(self._stated.get(column.number, ()))
        return stated or column.heading or f"Column {column.number}"

    @property
    def is_split(self) -> bool:
        """Whether the headings of the columns of counts are two or more axes, which the columns state."""
        return len(self["headings"]) > 1 and all(heading.row == 0 for heading in self["headings"])

    def parts_of_headings(self) -> list[tuple[str, ...]]:
        """Return the parts of the headings of the columns of counts, none if they do not name two axes."""
        if len(self["headings"]) > 1 and not self.is_split:
            return []
        crossed = crossed_labels([self._label_of(column) for column in self._counts()])
        return crossed or ([column.categories for column in self._counts()] if self.is_split else [])

    def set_split(self, is_split: bool) -> None:
        """Read the headings of the columns of counts as several axes, or as one axis."""
        parts = self.parts_of_headings() if is_split else [(self._label_of(c),) for c in self._counts()]
        named = [heading.axis for heading in self["headings"]] if len(self["headings"]) == 1 else ["Column"]
        axes = [f"Heading {k + 1}" for k in range(len(parts[0]))] if is_split else named
        self._headings = tuple(LayoutHeading(axis) for axis in axes)
        of_column = {column.number: part for column, part in zip(self._counts(), parts, strict=True)}
        self._values["columns"] = tuple(
            replace(column, categories=of_column.get(column.number, column.categories))
            for column in self["columns"]
        )
        self._values["headings"] = self._headings

    def set_column(self, number: int, role: str, rows: FileRows) -> None:
        """Set the role of a column."""
        self._all = None
        kind, _, of = role.partition(":")
        columns = {column.number: column for column in self["columns"]}
        heading = self.heading(number, rows)
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
        self._set_categories()

    def _set_categories(self) -> None:
        """Set the labels that the columns of counts state."""
        known = [column.categories or self._stated.get(column.number, ()) for column in self._counts()]
        self._values["columns"] = tuple(
            replace(column, categories=self._categories(column)) if column.role == "count" else column
            for column in self["columns"]
        )
        is_new = any(len(categories) != len(self["headings"]) for categories in known)
        if is_new and self.is_split and crossed_labels(list(map(self._label_of, self._counts()))):
            self.set_split(True)

    def _categories(self, column: LayoutColumn) -> tuple[str, ...]:
        """Return the label of a column of counts on each axis of headings, if columns state them."""
        headings = self["headings"]
        if not any(heading.row == 0 for heading in headings):
            return ()
        known = column.categories or self._stated.get(column.number, ())
        return known if len(known) == len(headings) else (self._label_of(column),) * len(headings)

    def set_row(self, number: int, role: str, rows: FileRows) -> None:
        """Set the role of a row."""
        self._all = None
        before = next((row.role for row in self["rows"] if row.number == number), "")
        special = {row.number: row for row in self["rows"] if row.number != number}
        self._allow_any_labels()
        if role == "join":
            self._join_row(number, special, rows)
            return
        self._values["rows"] = tuple(special[i] for i in sorted(special))
        self._follow_header(number, before, role, rows)
        role, _, column = role.partition(":")
        if role == "count":
            self._count_row(number, rows)
        elif role == "omit":
            self._omit_label(number, int(column), rows)
        elif role in ("block", "skip") or (role in ("total", "other") and number >= self["first"]):
            special[number] = LayoutRow(number, role, rows.first_text(number))
        if role == "block":
            # The stated labels of rows of counts have the heading in front of them.
            special = {i: row for i, row in special.items() if row.role != "count"}
        self._values["rows"] = tuple(special[i] for i in sorted(special) if self._has_place(special[i]))

    def _follow_header(self, number: int, before: str, role: str, rows: FileRows) -> None:
        """Set the row of headings after a row got a role, and had another role before."""
        if role == "header":
            self._set_header(number, rows)
        elif number == self["header"]:
            self._set_header(0, rows)
        elif before == "join":
            self._set_header(self["header"], rows)

    def _has_place(self, row: LayoutRow) -> bool:
        """Return whether the role of a row is possible at its position, above or below the first row of counts."""
        if row.role == "join":
            return row.number + 1 < int(self["first"])
        return row.number >= int(self["first"]) or row.role in ("block", "skip")

    def _join_row(self, number: int, special: dict[int, LayoutRow], rows: FileRows) -> None:
        """Join the headings of a row with the headings of the row below, which becomes the header row."""
        special.pop(number + 1, None)
        special[number] = LayoutRow(number, "join", rows.first_text(number))
        first = max(self["first"], number + 2)
        self._values["rows"] = tuple(
            row
            for i, row in sorted(special.items())
            if i >= first or row.role in ("block", "skip", "join") or i < self["first"]
        )
        self._headings = tuple(
            replace(heading, row=number + 1) if heading.row == number else heading
            for heading in self._headings
        )
        header = self["header"]
        self._set_header(header if header > number + 1 else number + 1, rows)

    def _allow_any_labels(self) -> None:
        """Remove the stated labels of columns of labels, because with other rows they are others."""
        self._values["columns"] = tuple(
            replace(column, categories=()) if column.role == "label" else column for column in self["columns"]
        )

    def _omit_label(self, number: int, column: int, rows: FileRows) -> None:
        """Omit all rows with the label of a row in a column."""
        self._values["columns"] = tuple(
            replace(known, left_out=(*known.left_out, self.label(number, known, rows)))
            if known.number == column
            else known
            for known in self["columns"]
        )

    def _set_header(self, number: int, rows: FileRows) -> None:
        """Set the row with the headings of the columns, 0 for none."""
        before = self["header"]
        if self.is_split:
            self._headings = (LayoutHeading("Column"),)
        self._stated = {}
        self._values["header"] = number
        self._values["first"] = max(self["first"], number + 1)
        columns = []
        for column in self["columns"]:
            columns.append(replace(column, heading=self.heading(column.number, rows)))
        known = {column.number for column in columns}
        for j in range(1, rows.width + 1):
            if j not in known and self.heading(j, rows):
                columns.append(LayoutColumn(j, "other", self.heading(j, rows)))
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
            text = self.label(number, column, rows)
            if text in column.left_out:
                left_out = tuple(label for label in column.left_out if label != text)
                column = replace(column, left_out=left_out)
            if column.only and text != column.only:
                column = replace(column, only="")
            columns.append(column)
        self._values["columns"] = tuple(columns)
