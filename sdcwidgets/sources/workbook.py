"""A workbook's bytes in, rows of cells out. What it unpacks to is counted before it is unpacked for good."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any

from sdcwidgets.errors import InputError
from sdcwidgets.labels import quoted
from sdcwidgets.sources.text import RIGHT, Rows, most_cells

__all__ = ["Sheets", "is_workbook"]

#: The most bytes that the parts of a workbook unpack to: its sheets are read bit by bit, its texts are kept.
_MOST_OF_SHEET, _MOST_OF_TEXTS, _MOST_OF_OTHERS = 400_000_000, 40_000_000, 8_000_000

#: The most rows, and the most where the sheet does not begin with its size: then all of it is searched for it.
_MOST_ROWS, _MOST_UNSIZED_ROWS = 1_048_576, 100_000

#: The most texts, and the most pieces that are neither rows, cells nor values: each takes time and memory.
_MOST_TEXTS, _MOST_PIECES = 150_000, 200_000

#: What is hidden in a sheet, and the numbers of it.
_HIDDEN = re.compile(
    rb"""<(?:\w{1,20}:)?(?:row|col)\s[^<>]{0,1000}?\bhidden=["'](?:1|true)["'][^<>]{0,1000}>"""
)
_NUMBERS = re.compile(rb"""\s(r|min|max)=["'](\d{1,7})["']""")
_LONGEST_TAG, _MOST_COLUMNS = 5_000, 16_384

#: A table has no gap of more empty rows than this.
_LONGEST_GAP = 50_000


def is_workbook(content: bytes) -> bool:
    """Return whether the bytes are an .xlsx workbook, whatever the file's name says."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return any(name.lower() == "xl/workbook.xml" for name in archive.namelist())
    except Exception:  # a damaged archive fails in many ways; none of them is a workbook
        return False


@dataclass(frozen=True)
class Sheets:
    """The sheets of an .xlsx workbook.

    Parameters
    ----------
    content : bytes
    limit : int or None
        The most cells of a table.

    Raises
    ------
    InputError
        If the workbook is damaged or unpacks to too much.
    """

    content: bytes
    limit: int | None = None
    #: Which part of the workbook holds a sheet that was read: to open all of it again takes long.
    _parts: dict[str, str] = field(default_factory=dict, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        with _sentence(), zipfile.ZipFile(io.BytesIO(self.content)) as archive:
            for item in archive.infolist():
                _weigh(archive, item, self.limit)

    def names(self) -> tuple[str, ...]:
        """Return the names of the sheets with cells, in their order."""
        with _sentence(), _opened(self.content) as book:
            return tuple(page.title for page in book.worksheets)

    def rows(self, name: str) -> Rows:
        """Return the cells of a sheet; rows are equally long and a blank one is empty.

        Formulas have the values that were saved with them.

        Raises
        ------
        InputError
            If there is no such sheet, or it holds too much.
        """
        with _sentence(), _opened(self.content) as book:
            titles = [page.title for page in book.worksheets]
            if name not in titles:
                have = ", ".join(map(quoted, titles)) or "no sheets"
                raise InputError(f"The workbook has no sheet {quoted(name)}; it has {have}.")
            page = book.worksheets[titles.index(name)]
            self._parts[name] = page._worksheet_path
            page.reset_dimensions()  # what the file claims of its size is not to be trusted
            return _squared(_bounded(page.iter_rows(values_only=True), self.limit))

    def hidden(self, name: str) -> tuple[int, int]:
        """Return how many rows and columns with cells are hidden in a sheet that was read."""
        with (
            _sentence(),
            zipfile.ZipFile(io.BytesIO(self.content)) as archive,
            archive.open(self._parts[name]) as part,
        ):
            rows, columns = _hidden(part)
        if not rows and not columns:
            return 0, 0
        with _sentence(), _opened(self.content) as book:
            page = next(page for page in book.worksheets if page.title == name)
            page.reset_dimensions()
            down, across = 0, set()
            for number, row in enumerate(page.iter_rows(values_only=True), start=1):
                filled = [j for j, cell in enumerate(row, start=1) if cell not in (None, "")]
                down += bool(filled) and number in rows
                across |= columns.intersection(filled)
            return down, len(across)


@contextmanager
def _sentence() -> Iterator[None]:
    """Say in one sentence what a damaged workbook makes fail in many ways."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of parts that are not counts, such as styles and filters
            yield
    except InputError:
        raise
    except Exception:
        raise InputError(f"The workbook cannot be read, it may be damaged; {RIGHT}.") from None


@contextmanager
def _opened(content: bytes) -> Iterator[Any]:
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    try:
        yield book
    finally:
        book.close()


def _weigh(archive: zipfile.ZipFile, item: zipfile.ZipInfo, limit: int | None) -> None:
    """Refuse a part that would take too much memory or time; on one's own machine only what no memory holds."""
    name = item.filename.lower()
    if not name.endswith((".xml", ".rels")):
        return  # pictures and the like are never opened
    sheet, texts = "/worksheets/" in f"/{name}", name.endswith("sharedstrings.xml")
    most = _MOST_OF_SHEET if sheet else _MOST_OF_TEXTS if texts else _MOST_OF_OTHERS
    if limit is None:
        most *= 10
    if item.file_size > most:
        raise InputError(
            f"The workbook unpacks to {item.file_size:,} bytes or more; at most {most:,} are read."
        )
    if limit is None:
        return
    counts = dict.fromkeys((b"<", b"</", b"<c", b"<v", b"<t", b"<si", b"<row", b"<!"), 0)
    rows = _MOST_UNSIZED_ROWS
    with archive.open(item) as part:
        while chunk := part.read(2**20):
            for piece in counts:
                counts[piece] += chunk.count(piece)
            cells = counts[b"<c"]
            known = counts[b"</"] + cells + counts[b"<v"] + counts[b"<row"] if sheet else counts[b"</"]
            if texts:
                known += counts[b"<t"] + counts[b"<si"]
            if b"<dimension" in chunk[:5000]:
                rows = _MOST_ROWS
            if sheet and cells > most_cells(limit) + _MOST_PIECES:
                raise _too_large(limit)
            if (
                counts[b"<row"] > rows
                or counts[b"<!"] > 1000
                or counts[b"<si"] > _MOST_TEXTS
                or counts[b"<"] - known > _MOST_PIECES
            ):
                raise InputError(f"The workbook holds more than a table needs; {RIGHT}, without formats.")


def _too_large(limit: int | None) -> InputError:
    return InputError(f"The sheet has more than {limit:,} cells; at most {limit:,} fit here.")


def _hidden(part: IO[bytes]) -> tuple[set[int], set[int]]:
    """Return the numbers of the hidden rows and columns of the XML of a sheet, read bit by bit."""
    rows: set[int] = set()
    columns: set[int] = set()
    rest = b""
    while chunk := part.read(2**20):
        text = rest + chunk
        rest = text[text.rfind(b"<") :][:_LONGEST_TAG]
        for tag in _HIDDEN.findall(text) if b"hidden=" in text else ():
            found = {name: int(number) for name, number in _NUMBERS.findall(tag)}
            if b"r" in found:
                rows.add(found[b"r"])
            elif b"min" in found:
                columns.update(range(found[b"min"], min(found.get(b"max", 0), _MOST_COLUMNS) + 1))
    return rows, columns


def _squared(rows: Rows) -> Rows:
    """Give all rows of a sheet the same length, without the blank columns before the table."""
    filled = [row for row in rows if row]
    width = max(map(len, filled), default=0)
    first = min(
        (next(j for j, cell in enumerate(row) if cell not in (None, "")) for row in filled), default=0
    )
    return [(row + [None] * (width - len(row)))[first:] if row else [] for row in rows]


def _bounded(rows: Any, limit: int | None) -> Rows:
    """Return the rows, and stop where they hold too much; of several blank ones one is kept."""
    kept: Rows = []
    cells, gap, most = 0, 0, most_cells(limit)
    for row in rows:
        width = next((j for j in range(len(row), 0, -1) if row[j - 1] not in (None, "")), 0)
        if not width:
            gap += 1
            if gap > _LONGEST_GAP:
                raise InputError(
                    f"The sheet has more than {_LONGEST_GAP:,} empty rows in one place; delete them, or save "
                    "the table in a sheet of its own."
                )
            if gap == 1 and kept:
                kept.append([])
            continue
        gap = 0
        kept.append(list(row[:width]))
        cells += width
        if cells > most:
            raise _too_large(limit)
    return kept
