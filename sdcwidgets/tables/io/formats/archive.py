"""Zip archives with files that contain tables, and files that gzip compressed."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Sequence
from itertools import islice
from pathlib import PurePosixPath
from typing import ClassVar, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.tables.io.formats.base import RIGHT, Format, SheetCells, of, suffixes
from sdcwidgets.tables.io.formats.workbook import sentence
from sdcwidgets.tables.io.layout.cells import is_blank, is_number

#: Maximum number of bytes that the file in an archive unpacks to, on a page and on the user's own machine.
MOST_UNPACKED, MOST_UNPACKED_OWN = 20_000_000, 2_000_000_000

#: A file above the maximum size of a page must not be more than so many times as large as its compressed content.
_MOST_TIMES = 200

#: Maximum number of compressed parts of a gzip file, and number of bytes that are expanded together.
_MOST_PARTS, _BLOCK = 50_000, 65_536

#: First bytes of files that gzip compressed.
_GZIP = b"\x1f\x8b"

#: File endings of texts that accompany a table.
_TEXTS = (".txt", ".htm", ".html", ".tex")

#: Maximum number and size in bytes of files in an archive of which the content is examined.
_MOST_FILES, _MOST_EXAMINED = 20, 20_000_000

#: Number of rows of a file that are examined.
_ROWS = 200


def unpacked(content: bytes, name: str, most: int = MOST_UNPACKED_OWN) -> bytes:
    """Return the content of the only table in a zip archive, or of a gzip file; other content is returned unchanged.

    Parameters
    ----------
    content : bytes
    name : str
        The name of the archive in error messages.
    most : int
        Maximum number of bytes of the unpacked file.

    Raises
    ------
    InputError
        If the archive contains several tables or none, has a password, is damaged, or unpacks to too much.
    """
    if content.startswith(_GZIP):
        content = _expanded(content, name, most)
    # A workbook is an archive, too.
    if not content.startswith(b"PK\x03\x04") or of(content).name != "csv":
        return content
    with sentence("The archive"), zipfile.ZipFile(io.BytesIO(content)) as archive:
        items = _tables_in(archive)
        if not items:
            raise InputError(f"{name} is a zip archive without a workbook or another table; {RIGHT}.")
        return _content_of(archive, items[0], name, most)


def _content_of(archive: zipfile.ZipFile, item: zipfile.ZipInfo, name: str, most: int) -> bytes:
    """Return the content of a file in an archive."""
    if item.flag_bits & 1:
        raise InputError(
            f"{name} has a password: unpack the archive, then load the file {quoted(item.filename)}."
        )
    if item.file_size > most:
        raise InputError(f"{name} unpacks to {item.file_size:,} bytes; at most {most:,} bytes are read.")
    _check_ratio(item.file_size, item.compress_size, name)
    # If a file is larger than the archive states, the checksum differs, and `sentence` raises an InputError.
    inside = archive.read(item)
    return _expanded(inside, name, most) if inside.startswith(_GZIP) else inside


class SeveralTables(Format):
    """A zip archive with several files that may be tables; the name of a sheet is the name of a file."""

    name: ClassVar[str] = "archive"
    title: ClassVar[str] = "a zip archive with several tables"
    suffixes: ClassVar[tuple[str, ...]] = (".zip",)

    def __init__(self, content: bytes, name: str, limit: int | None) -> None:
        self._content, self._name, self._limit = content, name, limit

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether the content is an archive with more than one table."""
        if not content.startswith(b"PK\x03\x04"):
            return False
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                return len(_tables_in(archive)) > 1
        except (OSError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error, NotImplementedError):
            return False

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the archive."""
        return cls(content, name, limit)

    def names(self) -> tuple[str, ...]:
        """Return the names of the files that may be tables."""
        with sentence("The archive"), zipfile.ZipFile(io.BytesIO(self._content)) as archive:
            return tuple(item.filename for item in _tables_in(archive))

    @property
    def must_choose(self) -> bool:
        """True, because the files are different tables."""
        return True

    def sheet(self, name: str) -> SheetCells:
        """Return the first sheet with a table of a file in the archive."""
        from sdcwidgets.tables.io.formats.delimited import opened_bytes

        most = MOST_UNPACKED_OWN if self._limit is None else MOST_UNPACKED
        with sentence("The archive"), zipfile.ZipFile(io.BytesIO(self._content)) as archive:
            item = next((item for item in _tables_in(archive) if item.filename == name), None)
            if item is None:
                raise InputError(
                    f"{self._name} contains no table {quoted(name)}; choose another file (sheet)."
                )
            inside = _content_of(archive, item, self._name, most)
        file = opened_bytes(inside, quoted(name), self._limit)
        return file.sheet(next(file.tried()))


def _expanded(content: bytes, name: str, most: int) -> bytes:
    """Return the content of a gzip file, which may have several parts."""
    blocks, size, at, parts = list[bytes](), 0, 0, 0
    limit = min(most, max(MOST_UNPACKED, _MOST_TIMES * len(content)))
    while content.startswith(_GZIP, at):
        stream, parts = zlib.decompressobj(wbits=31), parts + 1
        if parts > _MOST_PARTS:
            raise InputError(f"{name} has more than {_MOST_PARTS:,} compressed parts, which is the maximum.")
        while not stream.eof:
            block = content[at : at + _BLOCK]
            if not block:
                raise InputError(f"{name} is a gzip file without its end; {RIGHT}.")
            try:
                blocks.append(stream.decompress(block, limit - size + 1))
            except zlib.error:
                raise InputError(f"{name} is a damaged gzip file; {RIGHT}.") from None
            size += len(blocks[-1])
            if size > limit:
                raise InputError(f"{name} unpacks to more than {limit:,} bytes, which is the maximum.")
            at += len(block) - len(stream.unused_data)
    return b"".join(blocks)


def _check_ratio(size: int, compressed: int, name: str) -> None:
    """Raise InputError for a large file that is many times larger than its compressed content."""
    if size > MOST_UNPACKED and size > _MOST_TIMES * max(compressed, 1):
        raise InputError(
            f"{name} unpacks to {size:,} bytes, more than {_MOST_TIMES} times its size; {RIGHT}."
        )


def _tables_in(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return the files of an archive that may be tables; texts only if there is no other such file."""
    items = [item for item in archive.infolist() if not item.is_dir()]
    is_document = any(item.filename == "[Content_Types].xml" for item in items)
    paths = {item.filename: PurePosixPath(item.filename.lower()) for item in items}
    tables = [
        item
        for item in items
        if paths[item.filename].suffix in suffixes()
        and paths[item.filename].suffix != ".zip"
        and not any(part.startswith((".", "__")) for part in paths[item.filename].parts)
    ]
    tables = [item for item in tables if paths[item.filename].suffix not in _TEXTS] or tables
    return [] if is_document else _with_counts(archive, tables)


def _with_counts(archive: zipfile.ZipFile, items: Sequence[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    """Return the files that have a column of numbers; all files if there are none, or too many."""
    size = sum(item.file_size for item in items)
    if (
        not 1 < len(items) <= _MOST_FILES
        or size > _MOST_EXAMINED
        or any(item.flag_bits & 1 for item in items)
    ):
        return list(items)
    return [item for item in items if _has_counts(archive.read(item), item.filename)] or list(items)


def _has_counts(content: bytes, name: str) -> bool:
    """Return whether a sheet has rows of the same length, and a column in which most cells are numbers."""
    if content.startswith((_GZIP, b"PK")):
        return True
    try:
        file = of(content).opened(content, quoted(name), None)
        rows = [row for row in islice(file.sheet(next(file.tried())).rows, _ROWS) if row]
    except InputError:
        return False
    widths = [len(row) for row in rows]
    usual = max(set(widths), key=widths.count, default=0)
    body = [row for row in rows if len(row) == usual][1:]
    columns = ([cell for cell in column if not is_blank(cell)] for column in zip(*body, strict=True))
    has_numbers = any(2 * sum(map(is_number, cells)) > len(cells) for cells in columns if cells)
    return usual > 1 and 4 * len(body) > 3 * (len(rows) - 5) and has_numbers
