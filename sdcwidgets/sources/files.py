"""A file's bytes or a pasted text in, rows of cells out; what the cells mean is decided in `sources.reading`."""

from __future__ import annotations

import codecs
import csv
import io
import re
import warnings
import zipfile
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any

from sdcwidgets.errors import InputError
from sdcwidgets.labels import quoted

__all__ = ["Rows", "decoded", "delimited_rows", "file_bytes", "is_workbook", "workbook_rows"]

Rows = list[list[Any]]

RIGHT = "load a table as CSV text or as an .xlsx workbook"

#: How files that are no tables begin.
_KINDS = {
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"II*\x00": "a picture",
    b"MM\x00*": "a picture",
    b"RIFF": "a picture, a sound or a film",
    b"<svg": "a picture",
    b"PK\x03\x04": "a zip archive that holds no workbook",
    b"PK\x05\x06": "an empty zip archive",
    b"\x1f\x8b": "a compressed file",
    b"7z\xbc\xaf": "a compressed file",
    b"\x7fELF": "a program",
    b"MZ\x90\x00": "a program",
    b"\xd0\xcf\x11\xe0": "an old .xls workbook or one with a password",
    b"{\\rtf": "a word processor's document",
}

_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}

_CONTROL = re.compile("[\x01-\x08\x0e-\x1f\x7f]")
_NUMERIC = re.compile(r"[\d\s.,'’]*\d[\d\s.,'’]*")

#: A workbook that unpacks to more bytes than this is not opened.
_MOST_UNPACKED = 300_000_000


def file_bytes(path: str | PathLike[str]) -> bytes:
    """Return the content of a file.

    Raises
    ------
    InputError
        If there is no such file or it cannot be read.
    """
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "its name is not valid"
        raise InputError(
            f"The file {quoted(path)} cannot be read ({why.lower()}); give the path of a table."
        ) from None


def is_workbook(content: bytes) -> bool:
    """Return whether the bytes are an .xlsx workbook, whatever the file's name says."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return any(name.lower() == "xl/workbook.xml" for name in archive.namelist())
    except Exception:  # a damaged archive fails in many ways; none of them is a workbook
        return False


def decoded(content: bytes, name: str = "The file") -> tuple[str, str]:
    """Return the text of the bytes and the name of its encoding.

    A byte order mark decides; without one the text is UTF-8 if it can be, Windows-1252 (which holds all
    the letters of Latin-1) otherwise.

    Raises
    ------
    InputError
        If the bytes are no text.
    """
    what = next((kind for start, kind in _KINDS.items() if content.lstrip()[: len(start)] == start), None)
    if what is not None:
        raise InputError(f"{name} is {what}, not a table; {RIGHT}.")
    marked = next((code for mark, code in _BYTE_ORDER_MARKS.items() if content.startswith(mark)), None)
    text = None
    for encoding in (marked,) if marked else ("utf-8", "cp1252", "latin-1"):
        try:
            text = content.decode(encoding)
            break
        except UnicodeDecodeError:
            continue
    if text is None or "\0" in text or (encoding in ("cp1252", "latin-1") and _CONTROL.search(text)):
        raise InputError(f"{name} is not text; {RIGHT}.")
    return text, encoding


def delimited_rows(text: str) -> Rows:
    """Return the cells of comma, semicolon or tab separated text; blank lines are left out.

    The separator is the one with which the first rows have equally many cells and the most numbers.
    Spaces before a cell that isn't quoted are left out too.

    Raises
    ------
    InputError
        If the text has no separator at all, or a cell is too long.
    """
    text = text.removeprefix("\ufeff")
    try:
        told = re.match(r"sep=([,;\t])\r?\n", text, re.IGNORECASE)  # which Excel writes and reads
        if told:
            return list(_parsed(text[told.end() :], told[1]))
        scores = {mark: _score(list(islice(_parsed(text, mark), 100))) for mark in "\t;,"}
        best = max(scores, key=scores.__getitem__)
        return list(_parsed(text, best))
    except csv.Error:
        raise InputError(f"A cell is longer than {csv.field_size_limit():,} characters; {RIGHT}.") from None


def _parsed(text: str, mark: str) -> Any:
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=mark, skipinitialspace=True)
    return (row for row in rows if any(cell.strip() for cell in row))


def _score(rows: Rows) -> tuple[float, int]:
    """Return how much these rows look like a table: higher is better."""
    if not rows:
        return 0.0, 0
    widths = [len(row) for row in rows]
    usual = max(set(widths), key=widths.count)
    body = [cell for row in rows[1:] for cell in row[1:]]
    numbers = sum(_NUMERIC.fullmatch(cell) is not None for cell in body)
    if usual < 2:
        return 0.0, max(widths)
    return widths.count(usual) / len(rows) * (1 + numbers) / (1 + len(body)), usual


def workbook_rows(content: bytes, sheet: str | None, limit: int | None) -> tuple[Rows, str, int]:
    """Return the cells of one sheet of an .xlsx workbook, its name, and how many sheets there are.

    Raises
    ------
    InputError
        If the workbook is damaged or too large, or has no such sheet.
    """
    import openpyxl

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked = sum(item.file_size for item in archive.infolist())
        if unpacked > _MOST_UNPACKED:
            raise InputError(
                f"The workbook unpacks to {unpacked:,} bytes; at most {_MOST_UNPACKED:,} are read."
            )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of parts that are not counts, such as styles and filters
            book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
            try:
                names = [page.title for page in book.worksheets]
                if not names or (sheet is not None and sheet not in names):
                    have = ", ".join(map(quoted, names)) or "no sheets"
                    raise InputError(f"The workbook has no sheet {quoted(sheet or '')}; it has {have}.")
                page = book.worksheets[names.index(sheet) if sheet is not None else 0]
                page.reset_dimensions()  # what the file claims of its size is not to be trusted
                rows = _bounded(page.iter_rows(values_only=True), limit)
                return _squared(rows), page.title, len(names)
            finally:
                book.close()
    except InputError:
        raise
    except Exception:  # a damaged workbook fails inside the reader in many ways
        raise InputError(f"The workbook cannot be read, it may be damaged; {RIGHT}.") from None


def _squared(rows: Rows) -> Rows:
    """Give all rows of a sheet the same length, without the blank columns before the table."""
    width = max(map(len, rows), default=0)
    first = min((next(j for j, cell in enumerate(row) if cell not in (None, "")) for row in rows), default=0)
    return [(row + [None] * (width - len(row)))[first:] for row in rows]


def _bounded(rows: Any, limit: int | None) -> Rows:
    """Return the rows that hold something, and stop where they hold too much."""
    kept: Rows = []
    cells = 0
    for row in rows:
        if all(cell is None or cell == "" for cell in row):
            continue
        kept.append(list(row))
        cells += len(row)
        if limit is not None and cells > 2 * limit + 10_000:  # labels and totals come off later
            raise InputError(f"The sheet has more than {limit:,} cells; at most {limit:,} fit here.")
    return kept
