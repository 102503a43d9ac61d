"""Zip archives with one file that contains a table."""

from __future__ import annotations

import io
import zipfile
from pathlib import PurePosixPath

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import and_more, quoted
from sdcwidgets.tables.io.formats.base import RIGHT, of, suffixes
from sdcwidgets.tables.io.formats.workbook import sentence

#: Maximum number of bytes that the file in an archive unpacks to, on a page and on the user's own machine.
MOST_UNPACKED, MOST_UNPACKED_OWN = 20_000_000, 2_000_000_000

#: File endings of texts that accompany a table.
_TEXTS = (".txt", ".htm", ".html")


def unpacked(content: bytes, name: str, most: int = MOST_UNPACKED_OWN) -> bytes:
    """Return the content of the only table in a zip archive; any other content is returned unchanged.

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
        If the archive contains several tables or none, has a password, or unpacks to too much.
    """
    # A workbook is an archive, too.
    if not content.startswith(b"PK\x03\x04") or of(content).name != "csv":
        return content
    with sentence("archive"), zipfile.ZipFile(io.BytesIO(content)) as archive:
        item = _table_in(archive, name)
        if item.flag_bits & 1:
            raise InputError(
                f"{name} has a password: unpack the archive, then load the file {quoted(item.filename)}."
            )
        if item.file_size > most:
            raise InputError(f"{name} unpacks to {item.file_size:,} bytes; at most {most:,} bytes are read.")
        # If a file is larger than the archive states, the checksum differs, and `sentence` raises an InputError.
        return archive.read(item)


def _table_in(archive: zipfile.ZipFile, name: str) -> zipfile.ZipInfo:
    """Return the only file of an archive that may be a table; texts only if there is no other such file.

    Raise InputError if there are several such files or none.
    """
    items = [item for item in archive.infolist() if not item.is_dir()]
    is_document = any(item.filename == "[Content_Types].xml" for item in items)
    paths = {item.filename: PurePosixPath(item.filename.lower()) for item in items}
    tables = [
        item
        for item in items
        if paths[item.filename].suffix in suffixes()
        and not any(part.startswith((".", "__")) for part in paths[item.filename].parts)
    ]
    tables = [item for item in tables if paths[item.filename].suffix not in _TEXTS] or tables
    if is_document or not tables:
        raise InputError(f"{name} is a zip archive without a workbook or another table; {RIGHT}.")
    if len(tables) > 1:
        names = and_more([quoted(item.filename) for item in tables], 6)
        raise InputError(
            f"{name} contains {len(tables):,} files that may be tables ({names}): unpack the archive, then load one of "
            "them."
        )
    return tables[0]
