"""Workbooks in the XML of Excel 2003, which many programs save under a name that ends in .xls or .xml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self
from xml.parsers import expat

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed, quoted
from sdcwidgets.tables.io.formats.base import RIGHT, Format, Row, SheetCells, most_cells, register
from sdcwidgets.tables.io.formats.stored_sheets import StoredSheet

_SPACE = "urn:schemas-microsoft-com:office:spreadsheet"
_OPTIONS = "urn:schemas-microsoft-com:office:excel"

#: Maximum numbers of columns of a sheet of Excel, and of sheets.
_MOST_COLUMNS, _MOST_SHEETS = 16_384, 1_000


@register
@dataclass(frozen=True)
class XmlWorkbook(Format):
    """The sheets of a workbook in one file of XML."""

    sheets: Mapping[str, StoredSheet]
    name: ClassVar[str] = "xml-workbook"
    title: ClassVar[str] = "a workbook in the XML of Excel 2003"
    suffixes: ClassVar[tuple[str, ...]] = (".xml", ".xls")
    order: ClassVar[float] = 40

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether the content begins like XML with the names of Excel's workbooks."""
        start = content[:3000]
        return start.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<") and _SPACE.encode() in start

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the workbook in these bytes."""
        try:
            sheets = _Sheets(limit).read(content)
        except expat.ExpatError:
            raise InputError(
                f"{name} begins like {cls.title} but cannot be read, so the file may be damaged; {RIGHT}."
            ) from None
        if not sheets:
            raise InputError(f"{name} is {cls.title} without a sheet; {RIGHT}.")
        return cls(sheets)

    def names(self) -> tuple[str, ...]:
        """Return the names of the sheets."""
        return tuple(self.sheets)

    def visible(self) -> tuple[str, ...]:
        """Return the names of the sheets that are not hidden."""
        return tuple(name for name, sheet in self.sheets.items() if sheet.is_visible)

    def sheet(self, name: str) -> SheetCells:
        """Return the cells of a sheet."""
        if name not in self.sheets:
            raise InputError(f"The workbook has no sheet {quoted(name)}; it has {listed(list(self.sheets))}.")
        return self.sheets[name].cells(name)


class _Sheets:
    """Reader of the cells of all sheets, which keeps no other elements of the file."""

    def __init__(self, limit: int | None) -> None:
        self._most, self._cells = most_cells(limit), 0
        self._sheets: dict[str, StoredSheet] = {}
        self._sheet = StoredSheet()
        self._row: Row = []
        self._number, self._column, self._is_hidden_row = 0, 0, False
        self._kind, self._span = "", 1
        self._text: list[str] | None = None
        self._below: dict[int, int] = {}

    def read(self, content: bytes) -> dict[str, StoredSheet]:
        """Return each sheet."""
        parser = expat.ParserCreate(namespace_separator="}")
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._hear
        parser.EntityDeclHandler = self._refuse
        parser.buffer_text = True
        parser.Parse(content, True)
        return self._sheets

    def _refuse(self, *_: object) -> None:
        raise InputError(f"The workbook declares XML entities, which are not supported; {RIGHT}.")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        space, _, tag = tag.rpartition("}")
        if space == _OPTIONS and tag == "Visible":
            self._text = []
        if space != _SPACE:
            return
        own = {key.rpartition("}")[2]: value for key, value in attributes.items()}
        if tag == "Worksheet":
            if len(self._sheets) == _MOST_SHEETS:
                raise InputError(f"The workbook has more than {_MOST_SHEETS:,} sheets, which is the maximum.")
            name = own.get("Name", f"Sheet {len(self._sheets) + 1}")
            self._sheet = self._sheets.setdefault(name, StoredSheet())
            self._number, self._column, self._below = 0, 0, {}
        elif tag == "Column":
            first = _whole(own, "Index") or self._column + 1
            self._column = first + _whole(own, "Span")
            if _is_hidden(own, "Width"):
                self._sheet.hide_columns(first, self._column)
        elif tag == "Row":
            self._number = max(_whole(own, "Index"), self._number + 1)
            self._is_hidden_row = _is_hidden(own, "Height")
            self._row = []
        elif tag == "Cell":
            self._begin_cell(own)
        elif tag == "Data":
            self._kind, self._text = own.get("Type", "String"), []

    def _begin_cell(self, own: Mapping[str, str]) -> None:
        """Add blank cells up to the cell, and the cell with the blank cells that it spans."""
        row = self._row
        while self._below.get(len(row), 0) > 0:
            self._below[len(row)] -= 1
            row.append("")
        wide = min(_whole(own, "MergeAcross"), _MOST_COLUMNS) + 1
        blank = max(min(_whole(own, "Index"), _MOST_COLUMNS) - 1 - len(row), 0)
        self._cells += wide + blank
        if self._cells > self._most:
            raise InputError(f"There are more than {int(self._most):,} cells; choose a table with fewer.")
        row += [""] * (blank + 1)
        high = _whole(own, "MergeDown")
        for j in range(len(row) - 1, len(row) - 1 + wide) if high else ():
            self._below[j] = high
        row += [""] * (wide - 1)
        self._span = wide

    def _hear(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def _end(self, tag: str) -> None:
        tag = tag.rpartition("}")[2]
        if tag == "Data" and self._text is not None and self._row:
            self._row[-self._span] = _value("".join(self._text), self._kind)
            self._text = None
        elif tag == "Visible" and self._text is not None:
            self._sheet.is_visible = "".join(self._text).strip() not in ("SheetHidden", "SheetVeryHidden")
            self._text = None
        elif tag == "Row":
            while self._row and self._row[-1] == "":
                self._row.pop()
            if self._row:
                self._sheet.add_row(self._number, self._row, is_hidden=self._is_hidden_row)
            self._row = []


def _is_hidden(own: Mapping[str, str], size: str) -> bool:
    """Return whether a row or a column is hidden, or has the height or the width 0."""
    return own.get("Hidden") == "1" or own.get(size) in ("0", "0.0")


def _whole(own: Mapping[str, str], key: str) -> int:
    text = own.get(key, "")
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _value(text: str, kind: str) -> object:
    """Return the number of a cell, or its text."""
    if kind != "Number":
        return text
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else number
