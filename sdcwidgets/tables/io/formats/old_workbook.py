"""Read workbooks of Excel 97 to 2003 (.xls) with xlrd; hidden rows and indents are treated as in .xlsx workbooks."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.tables.io.formats.base import RIGHT, Row, register
from sdcwidgets.tables.io.formats.workbook import Workbook, sentence

_SIGNATURE = b"\xd0\xcf\x11\xe0"

#: Maximum number of bytes, on a page and on the user's own machine. Up to 20 cells have the size of 40 bytes.
_MOST, _MOST_OWN = 10_000_000, 100_000_000

#: Names of parts of an archive with an encrypted .xlsx workbook, and with a document of a word processor.
_ENCRYPTED, _DOCUMENT = ("EncryptedPackage".encode("utf-16-le"), "WordDocument".encode("utf-16-le"))


@register
@dataclass(frozen=True)
class OldWorkbook(Workbook):
    """The sheets of an .xls workbook."""

    name: ClassVar[str] = "xls"
    title: ClassVar[str] = "an .xls workbook"
    suffixes: ClassVar[tuple[str, ...]] = (".xls",)
    order: ClassVar[float] = 11

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether the bytes begin like a file of Excel 97, with or without a password."""
        return content.startswith(_SIGNATURE)

    @cached_property
    def _book(self) -> tuple[Any, dict[str, Any]]:
        """Workbook of xlrd, and the number and state of its sheets."""
        import xlrd

        most = _MOST_OWN if self.limit is None else _MOST
        if len(self.content) > most:
            raise InputError(f"The workbook has {len(self.content):,} bytes; at most {most:,} are read.")
        if _ENCRYPTED in self.content:
            raise _password()
        if _DOCUMENT in self.content:
            raise InputError(f"The file is a document of a word processor, not an .xls workbook; {RIGHT}.")
        with sentence(self.called):
            try:
                book = xlrd.open_workbook(
                    file_contents=self.content,
                    logfile=io.StringIO(),
                    formatting_info=True,
                    ragged_rows=True,
                )
            except xlrd.XLRDError as error:
                if "encrypted" in str(error):
                    raise _password() from None
                raise
        states = ["hidden" if sheet.visibility else "visible" for sheet in book.sheets()]
        return book, dict(zip(book.sheet_names(), enumerate(states), strict=True))

    def tried(self) -> Iterator[str]:
        """Yield the names of the sheets, hidden sheets last."""
        known = self._book[1]
        yield from sorted(known, key=lambda name: known[name][1] != "visible")

    def rows(self, name: str) -> Iterator[Row]:
        """Yield the rows of a sheet up to their last filled cell, from row 1 to the last filled row."""
        book, known = self._book
        if name not in known:
            have = ", ".join(map(quoted, known)) or "no sheets"
            raise InputError(f"The workbook has no sheet {quoted(name)}; it has {have}.")
        with sentence(self.called):
            sheet = book.sheet_by_name(name)
            yield from self._filled(_Sheet(book, sheet))


class _Sheet:
    """Sheet of xlrd, with the interface of the parser of .xlsx workbooks."""

    def __init__(self, book: Any, sheet: Any) -> None:
        self._book, self._sheet = book, sheet
        self.row_dimensions = {
            str(number + 1): {"hidden": str(int(row.hidden))} for number, row in sheet.rowinfo_map.items()
        }
        self.column_dimensions = {
            number: {"min": number + 1, "max": number + 1, "hidden": str(int(column.hidden))}
            for number, column in sheet.colinfo_map.items()
        }

    def parse(self) -> Iterator[tuple[int, list[dict[str, Any]]]]:
        """Yield the number and the cells of each row."""
        for i in range(self._sheet.nrows):
            yield (
                i + 1,
                [
                    {"column": j + 1, "value": self._value(cell), "indent": self._indent(cell)}
                    for j, cell in enumerate(self._sheet.row(i))
                ],
            )

    def _indent(self, cell: Any) -> int:
        return int(self._book.xf_list[cell.xf_index].alignment.indent_level)

    def _value(self, cell: Any) -> object:
        """Return the text, number, date or error of a cell."""
        import xlrd

        if cell.ctype == xlrd.XL_CELL_NUMBER:
            return int(cell.value) if cell.value.is_integer() else cell.value
        if cell.ctype == xlrd.XL_CELL_DATE:
            date = xlrd.xldate_as_datetime(cell.value, self._book.datemode)
            return date if cell.value >= 1 else date.time()
        if cell.ctype == xlrd.XL_CELL_BOOLEAN:
            return bool(cell.value)
        if cell.ctype == xlrd.XL_CELL_ERROR:
            return xlrd.error_text_from_code.get(cell.value, "#N/A")
        return cell.value


def _password() -> InputError:
    return InputError("The workbook has a password: save it without a password in Excel, then load it again.")
