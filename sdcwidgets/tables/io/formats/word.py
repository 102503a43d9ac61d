"""Tables of Word documents (.docx)."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self
from xml.etree.ElementTree import Element, iterparse

from sdcwidgets._util.errors import InputError
from sdcwidgets.tables.io.formats.base import Format, Row, SheetCells, most_cells, register
from sdcwidgets.tables.io.formats.cube import readable

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"

#: The part of a document with its text, maximum number of bytes of it, and of columns that a cell spans.
_DOCUMENT, _MOST, _MOST_SPANNED = "word/document.xml", 40_000_000, 1_000


@register
@dataclass(frozen=True)
class WordDocument(Format):
    """The tables of a Word document, each of which is a sheet."""

    content: bytes
    called: str
    limit: int | None = None
    name: ClassVar[str] = "docx"
    title: ClassVar[str] = "a Word document with a table"
    suffixes: ClassVar[tuple[str, ...]] = (".docx",)

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether the content is a ZIP archive that names the part of a document with its text."""
        return content[:4] == b"PK\x03\x04" and _DOCUMENT.encode() in content

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the document in these bytes."""
        file = cls(content, name, limit)
        if not file._tables:
            raise InputError(f"{name} is a Word document without a table. Load a document with a table.")
        return file

    @cached_property
    def _tables(self) -> list[list[Row]]:
        with readable(self.title, self.called), zipfile.ZipFile(io.BytesIO(self.content)) as archive:
            size = archive.getinfo(_DOCUMENT).file_size
            if size > _MOST:
                raise InputError(f"The document unpacks to {size:,} bytes; at most {_MOST:,} are read.")
            tables, cells, depth = list[list[Row]](), 0, 0
            with archive.open(_DOCUMENT) as part:
                for event, element in iterparse(part, ("start", "end")):
                    if element.tag == f"{_WORD}tbl":
                        depth += 1 if event == "start" else -1
                    if event == "start" or element.tag != f"{_WORD}tbl" or depth:
                        continue
                    tables.append([list(_cells(row)) for row in element.iter(f"{_WORD}tr")])
                    cells += sum(map(len, tables[-1]))
                    element.clear()
                    if cells > most_cells(self.limit):
                        raise InputError(f"The document has more than {self.limit:,} cells, the maximum.")
        return tables

    def names(self) -> tuple[str, ...]:
        """Return names such as "Table 1" for the tables."""
        number = len(self._tables)
        return ("",) if number == 1 else tuple(f"Table {k}" for k in range(1, number + 1))

    def tried(self) -> Iterator[str]:
        """Yield the names of the tables, the table with the most numbers first."""
        numbers = [
            sum(any(map(str.isdigit, cell)) for row in table for cell in row) for table in self._tables
        ]
        order = sorted(range(len(numbers)), key=lambda k: -numbers[k])
        yield from (self.names()[k] for k in order)

    def sheet(self, name: str) -> SheetCells:
        """Return the cells of a table."""
        if name not in self.names():
            raise InputError(f"The document has no {name!r}; it has Table 1 to {len(self._tables)}.")
        return SheetCells(self._tables[self.names().index(name)])


def _cells(row: Element) -> Iterator[str]:
    """Yield the texts of a row; the text of a cell that spans columns or rows is in its first column and row."""
    for cell in row.iterfind(f"{_WORD}tc"):
        about = cell.find(f"{_WORD}tcPr")
        span = None if about is None else about.find(f"{_WORD}gridSpan")
        wide = "1" if span is None else span.get(f"{_WORD}val", "1")
        lines = (
            "".join(text.text or "" for text in line.iter(f"{_WORD}t")) for line in cell.iterfind(f"{_WORD}p")
        )
        yield " ".join(" ".join(lines).split())
        yield from [""] * (min(int(wide), _MOST_SPANNED) - 1 if wide.isdigit() else 0)
