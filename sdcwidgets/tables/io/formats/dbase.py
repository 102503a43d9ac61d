"""Files of dBase, FoxPro and Clipper (.dbf): the names of the fields, and a row for each record."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.tables.io.encodings import detected
from sdcwidgets.tables.io.formats.base import RIGHT, Format, Row, SheetCells, most_cells, register

#: First bytes of files without memo fields and of files with them; the texts of memo fields are in another file.
_VERSIONS = frozenset(b"\x02\x03\x30\x31\x32\x83\x8b\x8e\xf5")

#: Encodings by the language driver in byte 29.
_ENCODINGS = {
    0x01: "cp437",
    0x02: "cp850",
    0x03: "cp1252",
    0x57: "cp1252",
    0x64: "cp852",
    0x65: "cp866",
    0x7D: "cp1255",
    0x7E: "cp1256",
    0xC8: "cp1250",
    0xC9: "cp1251",
    0xCA: "cp1254",
    0xCB: "cp1253",
    0xCC: "cp1257",
}

#: Size of the description of the file, and of a field; the byte after the last field.
_SIZE, _END = 32, b"\r"

#: Kinds of fields whose values are texts: characters, dates, numbers, and yes or no.
_TEXTS = frozenset("CDNFL")


#: Number of digits of a date such as 19921123.
_DIGITS_OF_DATE = 8


class _Field(NamedTuple):
    """A field of each record."""

    name: bytes
    kind: str
    start: int
    stop: int


@register
@dataclass(frozen=True)
class DBase(Format):
    """The fields of a dBase file; deleted records are not read."""

    content: bytes
    called: str
    limit: int | None = None
    name: ClassVar[str] = "dbase"
    title: ClassVar[str] = "a dBase file"
    suffixes: ClassVar[tuple[str, ...]] = (".dbf",)

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether the content begins with a version, a date, and sizes that fit the fields."""
        if len(content) < 2 * _SIZE or content[0] not in _VERSIONS:
            return False
        start, size = struct.unpack("<HH", content[8:12])
        month, day = content[2:4]
        fields = _fields(content)
        return (
            1 <= month <= 12
            and 1 <= day <= 31
            and bool(fields)
            and fields[-1].stop == size
            and start < len(content)
        )

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the file in these bytes."""
        number, start, size = struct.unpack("<IHH", content[4:12])
        if start + number * size > len(content):
            raise InputError(f"{name} ends before its last record, so the file may be damaged; {RIGHT}.")
        cells, most = number * len(_fields(content)), most_cells(limit)
        if cells > most:
            raise InputError(f"The file has {cells:,} cells; the maximum is {int(most):,}.")
        return cls(content, name, limit)

    def sheet(self, name: str = "") -> SheetCells:
        """Return the names of the fields and the values of each record."""
        return SheetCells(self._rows(), typed=True, remarks=self._remarks)

    def _encoding(self) -> str:
        """Return the stated encoding, or the one that the letters fit best."""
        stated = _ENCODINGS.get(self.content[29])
        return stated or detected(self.content[struct.unpack("<H", self.content[8:10])[0] :]).encoding

    def _rows(self) -> Iterator[Row]:
        encoding = self._encoding()
        fields = [field for field in _fields(self.content) if field.kind in _TEXTS]
        yield [field.name.decode(encoding, "replace").strip() for field in fields]
        number, start, size = struct.unpack("<IHH", self.content[4:12])
        for k in range(number):
            record = self.content[start + k * size : start + (k + 1) * size]
            if record[:1] == b" ":  # any other byte marks a deleted record
                yield [
                    _value(record[field.start : field.stop].decode(encoding, "replace"), field.kind)
                    for field in fields
                ]

    def _remarks(self) -> tuple[str, ...]:
        """Return a note on fields that are not read."""
        unread = [
            quoted(field.name.decode("ascii", "replace"))
            for field in _fields(self.content)
            if field.kind not in _TEXTS
        ]
        return (
            (f"The import did not read the fields {', '.join(unread)} with other contents than text.",)
            if unread
            else ()
        )


def _fields(content: bytes) -> list[_Field]:
    """Return the fields of a record; the first byte of a record states whether it is deleted."""
    fields, start = list[_Field](), 1
    end = min(struct.unpack("<H", content[8:10])[0], len(content))
    for offset in range(_SIZE, end - _SIZE + 1, _SIZE):
        described = content[offset : offset + _SIZE]
        if described.startswith(_END):
            break
        name, kind, length = described[:11].split(b"\0")[0], chr(described[11]), described[16]
        if not name or not kind.isupper() or not length:
            return []
        fields.append(_Field(name, kind, start, start + length))
        start += length
    return fields


def _value(text: str, kind: str) -> object:
    """Return a number as a number, and another value as a text; None for a blank."""
    text = text.strip(" \0")
    if kind == "D" and len(text) == _DIGITS_OF_DATE:
        return f"{text[:4]}-{text[4:6]}-{text[6:]}"
    if kind in "NF" and text:
        try:
            number = float(text)
        except ValueError:
            return text
        return int(number) if number.is_integer() else number
    return text or None
