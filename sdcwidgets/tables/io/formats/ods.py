"""Read OpenDocument spreadsheets; repeated cells count towards the size limit before they are expanded."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import IO, ClassVar, Self
from xml.etree.ElementTree import Element, iterparse

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed, quoted
from sdcwidgets.tables.io.formats.base import (
    Format,
    SheetCells,
    most_cells,
    register,
)
from sdcwidgets.tables.io.formats.cube import readable
from sdcwidgets.tables.io.formats.stored_sheets import StoredSheet

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"

#: Groups of rows or columns, which are hidden together.
_GROUPS = (_TABLE + "table-row-group", _TABLE + "table-column-group")

#: Maximum number of bytes of the unpacked cells on a page and without a limit, and maximum number of repeated columns.
_MOST, _MOST_OWN, _MOST_COLUMNS = 40_000_000, 400_000_000, 16_384


@register
@dataclass(frozen=True)
class OpenDocument(Format):
    """The sheets of an .ods workbook."""

    content: bytes
    called: str
    limit: int | None = None
    name: ClassVar[str] = "ods"
    title: ClassVar[str] = "an .ods workbook"
    suffixes: ClassVar[tuple[str, ...]] = (".ods",)

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether the content is a ZIP archive whose first part names the type of spreadsheets."""
        return content[:4] == b"PK\x03\x04" and b"opendocument.spreadsheet" in content[:200]

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the workbook in these bytes."""
        return cls(content, name, limit)

    @cached_property
    def _sheets(self) -> dict[str, StoredSheet]:
        with readable(self.title, self.called), zipfile.ZipFile(io.BytesIO(self.content)) as archive:
            size, most = archive.getinfo("content.xml").file_size, _MOST_OWN if self.limit is None else _MOST
            if size > most:
                raise InputError(f"The workbook unpacks to {size:,} bytes; at most {most:,} are read.")
            with archive.open("content.xml") as part:
                return self._read(part)

    def _read(self, part: IO[bytes]) -> dict[str, StoredSheet]:
        """Return all sheets, with their hidden rows and columns."""
        sheets: dict[str, StoredSheet] = {}
        sheet = StoredSheet()
        hidden_styles: set[str] = set()
        cells, hidden_groups, row_number, column_number = 0, 0, 1, 1
        for event, element in iterparse(part, ("start", "end")):
            if element.tag in _GROUPS and element.get(_TABLE + "display") == "false":
                hidden_groups += 1 if event == "start" else -1
            elif event == "start":
                if element.tag == _TABLE + "table":
                    sheet = sheets.setdefault(str(element.get(_TABLE + "name")), StoredSheet())
                    sheet.is_visible = element.get(_TABLE + "style-name") not in hidden_styles
                    row_number, column_number = 1, 1
            elif element.tag == _STYLE + "style":
                hidden_styles.update(_names_if_hidden(element))
            elif element.tag == _TABLE + "table-column":
                number = int(element.get(_TABLE + "number-columns-repeated", 1))
                if hidden_groups or _is_hidden(element):
                    sheet.hide_columns(column_number, column_number + number - 1)
                column_number += number
            elif element.tag == _TABLE + "table-row":
                row = list(_cells(element))
                number = int(element.get(_TABLE + "number-rows-repeated", 1))
                is_hidden = hidden_groups > 0 or _is_hidden(element)
                element.clear()
                cells += len(row) * number
                if cells > most_cells(self.limit):
                    raise InputError(f"The sheet has more than {self.limit:,} cells, the maximum.")
                if row:
                    sheet.add_row(row_number, row, number, is_hidden=is_hidden)
                row_number += number
        return sheets

    def names(self) -> tuple[str, ...]:
        """Return the names of the sheets."""
        return tuple(self._sheets)

    def visible(self) -> tuple[str, ...]:
        """Return the names of the sheets that are not hidden."""
        return tuple(name for name, sheet in self._sheets.items() if sheet.is_visible)

    def sheet(self, name: str) -> SheetCells:
        """Return the cells of a sheet."""
        if name not in self._sheets:
            raise InputError(
                f"The workbook has no sheet {quoted(name)}; it has {listed(list(self._sheets))}."
            )
        return self._sheets[name].cells(name)


def _names_if_hidden(style: Element) -> Iterator[str]:
    """Yield the name of a style if sheets with this style are hidden."""
    properties = style.find(_STYLE + "table-properties")
    if properties is not None and properties.get(_TABLE + "display") == "false":
        yield str(style.get(_STYLE + "name"))


def _is_hidden(element: Element) -> bool:
    """Return whether a row or a column is hidden, by a user or by a filter."""
    return element.get(_TABLE + "visibility") in ("collapse", "filter")


def _cells(row: Element) -> Iterator[object]:
    """Yield the cells of a row up to the last filled cell."""
    blanks = 0
    for cell in row:
        again = min(int(cell.get(_TABLE + "number-columns-repeated", 1)), _MOST_COLUMNS)
        value = _value(cell)
        if value in (None, ""):
            blanks += again
            continue
        yield from [None] * min(blanks, _MOST_COLUMNS)
        yield from [value] * again
        blanks = 0


def _value(cell: Element) -> object:
    """Return the number of a cell, or its text."""
    kind = cell.get(_OFFICE + "value-type")
    if kind == "float":
        number = float(cell.get(_OFFICE + "value", "nan"))
        return int(number) if number.is_integer() else number
    return "\n".join("".join(line.itertext()) for line in cell.iter(_TEXT + "p"))
