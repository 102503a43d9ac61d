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
from sdcwidgets.tables.io.formats.base import Format, Row, SheetCells, most_cells, register
from sdcwidgets.tables.io.formats.cube import readable

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"

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
    def _sheets(self) -> dict[str, list[Row]]:
        with readable(self.title, self.called), zipfile.ZipFile(io.BytesIO(self.content)) as archive:
            size, most = archive.getinfo("content.xml").file_size, _MOST_OWN if self.limit is None else _MOST
            if size > most:
                raise InputError(f"The workbook unpacks to {size:,} bytes; at most {most:,} are read.")
            with archive.open("content.xml") as part:
                return self._read(part)

    def _read(self, part: IO[bytes]) -> dict[str, list[Row]]:
        """Return the rows of all sheets, with one blank row in place of several consecutive ones."""
        sheets: dict[str, list[Row]] = {}
        rows: list[Row] = []
        cells = 0
        for event, element in iterparse(part, ("start", "end")):
            if event == "start":
                if element.tag == _TABLE + "table":
                    rows = sheets.setdefault(str(element.get(_TABLE + "name")), [])
                continue
            if element.tag != _TABLE + "table-row":
                continue
            row = list(_cells(element))
            again = int(element.get(_TABLE + "number-rows-repeated", 1)) if row else 1
            element.clear()
            cells += len(row) * again
            if cells > most_cells(self.limit):
                raise InputError(f"The sheet has more than {self.limit:,} cells, the maximum.")
            if row or (rows and rows[-1]):
                rows += [row] * again
        return sheets

    def names(self) -> tuple[str, ...]:
        """Return the names of the sheets."""
        return tuple(self._sheets)

    def sheet(self, name: str) -> SheetCells:
        """Return the cells of a sheet."""
        if name not in self._sheets:
            raise InputError(
                f"The workbook has no sheet {quoted(name)}; it has {listed(list(self._sheets))}."
            )
        return SheetCells(self._sheets[name], typed=True)


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
