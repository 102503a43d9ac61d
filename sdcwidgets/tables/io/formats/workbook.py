"""Read the sheets of .xlsx workbooks, and reject workbooks that unpack to too much data."""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.tables.io.formats.base import (
    RIGHT,
    Format,
    Row,
    SheetCells,
    Unsaved,
    blank_rows,
    hidden_note,
    most_cells,
    register,
)

#: Maximum number of bytes of an unpacked sheet, of the shared texts, and of any other part. Only sheets are streamed.
_MOST_OF_SHEET, _MOST_OF_TEXTS, _MOST_OF_OTHERS = 400_000_000, 40_000_000, 8_000_000

#: Maximum number of bytes that all parts of a workbook unpack to, on a page and on the user's own machine.
MOST_UNPACKED, MOST_UNPACKED_OWN = 500_000_000, 2_000_000_000

#: Maximum number of shared texts, and of tags other than rows, cells and values.
_MOST_TEXTS, _MOST_PIECES = 150_000, 200_000

#: Maximum number of rows, columns, and cells without a value, which take computing time although they are blank.
_MOST_ROWS, _MOST_COLUMNS, _MOST_BLANKS = 1_048_576, 16_384, 200_000

#: Maximum number of sheets, and number of bytes after which the search for a sheet with a table ends.
_MOST_SHEETS, _MOST_TRIED = 1_000, 1_000_000

#: Maximum number of cells of the sheets that are parsed once and then repeated, because a proposal reads a sheet often.
_MOST_REPEATED = 300_000


_ParsedSheet = tuple[list[Row], dict[str, set[int]]]


class _ParsedSheets:
    """Rows and hidden parts of the sheets of the workbook that was read last, so that each sheet is parsed once."""

    def __init__(self) -> None:
        # One attribute, so that another thread sees either all of one workbook or all of the next.
        self._workbook: tuple[tuple[bytes, int | None], dict[str, _ParsedSheet]] = ((b"", None), {})

    def get(self, content: bytes, limit: int | None, name: str) -> _ParsedSheet | None:
        """Return the rows and hidden parts of a sheet, or None if it was not parsed or is large."""
        workbook, sheets = self._workbook
        return sheets.get(name) if workbook == (content, limit) else None

    def put(self, content: bytes, limit: int | None, name: str, sheet: _ParsedSheet) -> None:
        """Record a sheet, and drop those of other workbooks and of more cells than the maximum."""
        workbook, sheets = self._workbook
        sheets = {**sheets, name: sheet} if workbook == (content, limit) else {name: sheet}
        if sum(len(row) for rows, _ in sheets.values() for row in rows) > _MOST_REPEATED:
            sheets = {name: sheet}
        self._workbook = (content, limit), sheets


_PARSED = _ParsedSheets()


@register
@dataclass(frozen=True)
class Workbook(Format):
    """The sheets of an .xlsx workbook.

    Parameters
    ----------
    content : bytes
    limit : int or None
        Maximum number of cells of a table; None for no limit.
    called : str
        Name of the file at the start of a sentence.

    Raises
    ------
    InputError
        If the workbook is damaged or unpacks to too much.
    """

    content: bytes
    limit: int | None = None
    called: str = field(default="The workbook", compare=False)
    name: ClassVar[str] = "xlsx"
    title: ClassVar[str] = "an .xlsx workbook"
    suffixes: ClassVar[tuple[str, ...]] = (".xlsx", ".xlsm")
    order: ClassVar[float] = 10
    #: Positions from 1 of hidden rows, among the rows that were yielded, and of hidden columns with cells.
    hidden: dict[str, set[int]] = field(
        default_factory=lambda: {"row": set(), "column": set()}, init=False, compare=False
    )

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether the bytes are an archive with the main part of an .xlsx workbook."""
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                return any(name.lower() == "xl/workbook.xml" for name in archive.namelist())
        except Exception:  # A damaged archive can raise many different errors.
            return False

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the workbook in these bytes."""
        return cls(content, limit, name)

    @cached_property
    def _book(self) -> tuple[Any, dict[str, Any]]:
        """The openpyxl reader of the workbook, and the part and state of each sheet. No sheet is read yet."""
        from openpyxl.reader.excel import ExcelReader
        from openpyxl.styles.stylesheet import apply_stylesheet

        with sentence(self.called):
            self._check_size()
            book = ExcelReader(io.BytesIO(self.content), read_only=True, data_only=True, keep_links=False)
            for item in book.archive.infolist():
                if not _is_sheet(item):
                    _weigh(book.archive, item, self.limit)
            book.read_manifest()
            book.read_strings()
            book.read_workbook()
            apply_stylesheet(book.archive, book.wb)
            known = {
                sheet.name: (relation.target, sheet.state)
                for sheet, relation in book.parser.find_sheets()
                if "chartsheet" not in relation.Type and relation.target in book.valid_files
            }
            if len(known) > _MOST_SHEETS:
                raise InputError(
                    f"The workbook has {len(known):,} sheets; at most {_MOST_SHEETS:,} are read."
                )
            return book, known

    def _check_size(self) -> None:
        """Raise InputError if all parts together unpack to too much, before any part is read.

        The directory of the archive states the sizes. If a part is larger than stated, zipfile reads only the stated
        size. The checksum then differs, and the workbook is rejected as damaged.
        """
        most = MOST_UNPACKED_OWN if self.limit is None else MOST_UNPACKED
        with zipfile.ZipFile(io.BytesIO(self.content)) as archive:
            size = sum(item.file_size for item in archive.infolist())
        if size > most:
            raise InputError(f"The workbook unpacks to {size:,} bytes; at most {most:,} bytes are read.")

    def tried(self) -> Iterator[str]:
        """Yield the names of the sheets, hidden sheets last; with a limit, stop after about 1 MB of sheets."""
        book, known = self._book
        done = 0
        for name, (part, _) in sorted(known.items(), key=lambda sheet: sheet[1][1] != "visible"):
            if self.limit is not None and done > _MOST_TRIED:
                return
            yield name
            done += book.archive.getinfo(part).file_size

    def names(self) -> tuple[str, ...]:
        """Return the names of the sheets in their order, without sheets that contain only a chart."""
        return tuple(self._book[1])

    def visible(self) -> tuple[str, ...]:
        """Return the names of the sheets that are not hidden."""
        return tuple(name for name, (_, state) in self._book[1].items() if state == "visible")

    def sheet(self, name: str) -> SheetCells:
        """Return the cells of a sheet."""
        return SheetCells(
            self.rows(name),
            typed=True,
            remarks=lambda: self._hidden(name),
            hidden=lambda: self.hidden,
        )

    def _hidden(self, name: str) -> tuple[str, ...]:
        """Return a sentence with the numbers of hidden rows and columns that were read, if there are any."""
        return hidden_note(self.hidden, f"The sheet {quoted(name)}")

    def rows(self, name: str) -> Iterator[Row]:
        """Yield the rows of a sheet up to their last filled cell, from row 1 to the last filled row.

        A cell with a formula has the value that the file stores. The stated size of the sheet is ignored, because
        it can be wrong.

        Raises
        ------
        InputError
            If there is no such sheet, or the sheet is too large.
        """
        parsed = _PARSED.get(self.content, self.limit, name)
        if parsed is not None:
            self._hide(parsed[1])
            yield from map(list, parsed[0])
            return
        rows: list[Row] = []
        cells = 0
        for row in self._parsed(name):
            cells += len(row)
            if cells <= _MOST_REPEATED:
                rows.append(list(row))
            yield row
        if cells <= _MOST_REPEATED:
            hidden = {part: set(numbers) for part, numbers in self.hidden.items()}
            _PARSED.put(self.content, self.limit, name, (rows, hidden))

    def _hide(self, hidden: Mapping[str, set[int]]) -> None:
        """Replace the positions of hidden rows and columns."""
        for part, numbers in self.hidden.items():
            numbers.clear()
            numbers |= hidden[part]

    def _parsed(self, name: str) -> Iterator[Row]:
        """Yield the rows of a sheet from its part in the archive."""
        book, known = self._book
        if name not in known:
            have = ", ".join(map(quoted, known)) or "no sheets"
            raise InputError(f"The workbook has no sheet {quoted(name)}; it has {have}.")
        with sentence(self.called):
            _weigh(book.archive, book.archive.getinfo(known[name][0]), self.limit)
        # The parser and the formats are private. `load_workbook` takes 1.13 times the processor time, and does not
        # distinguish formulas without saved values from blank cells.
        try:
            from openpyxl.worksheet._reader import FORMULA_TAG, WorkSheetParser

            formats = {"date_formats": book.wb._date_formats, "timedelta_formats": book.wb._timedelta_formats}
            indents = [book.wb._alignments[style.alignmentId].indent for style in book.wb._cell_styles]
        except (ImportError, AttributeError, IndexError):  # the last one in a damaged file
            with sentence(self.called):
                yield from self._filled(_Loaded(self.content, name))
            return

        class CellsAndFormulas(WorkSheetParser):  # type: ignore[misc]
            """Parser of cells that marks formulas whose values are not in the file."""

            def parse_cell(self, element: Any) -> dict[str, object]:
                cell: dict[str, Any] = super().parse_cell(element)
                if cell["value"] is None and element.find(FORMULA_TAG) is not None:
                    cell["value"] = Unsaved()
                cell["indent"] = indents[cell["style_id"]] if cell["style_id"] else 0
                return cell

        with sentence(self.called), book.archive.open(known[name][0]) as part:
            parser = CellsAndFormulas(
                part,
                book.shared_strings,
                data_only=True,
                epoch=book.wb.epoch,
                **formats,
            )
            yield from self._filled(parser)

    def _filled(self, parser: Any) -> Iterator[Row]:
        last, cells, most = 0, 0, most_cells(self.limit)
        used: set[int] = set()
        yielded = 0
        for numbers in self.hidden.values():
            numbers.clear()
        for number, row in parser.parse():
            values = ((cell["column"], _indented(cell)) for cell in row)
            there = {j: value for j, value in values if value not in (None, "") or isinstance(value, Unsaved)}
            if not there:
                continue
            blank = blank_rows(number - last - 1)
            yielded += len(blank)
            yield from blank
            last, width = max(number, last), max(there)
            cells += width
            if cells > most or width > _MOST_COLUMNS:
                raise _too_large(self.limit)
            used.update(there)
            yielded += 1
            if _is_hidden(parser.row_dimensions.pop(str(number), {}), "ht"):
                self.hidden["row"].add(yielded)
            yield [there.get(column) for column in range(1, width + 1)]
        for column in parser.column_dimensions.values():
            if _is_hidden(column, "width"):
                self.hidden["column"] |= {j for j in used if int(column["min"]) <= j <= int(column["max"])}


def _is_hidden(dimension: Mapping[str, Any], size: str) -> bool:
    """Return whether a row or a column is hidden, or has the height or the width 0."""
    if dimension.get("hidden") in ("1", "true"):
        return True
    stated = str(dimension.get(size) or "")
    return stated.replace(".", "", 1).isdigit() and float(stated) == 0


def _indented(cell: dict[str, Any]) -> object:
    """Return the value of a cell; a text begins with two blanks per level of indentation."""
    value, steps = cell["value"], int(cell["indent"] or 0)
    return " " * 2 * steps + value if steps and isinstance(value, str) else value


class _Loaded:
    """Sheet read with `load_workbook`, with the interface of the private parser of openpyxl."""

    def __init__(self, content: bytes, name: str) -> None:
        from openpyxl import load_workbook

        self._sheet = load_workbook(io.BytesIO(content), data_only=True)[name]
        self.row_dimensions = {
            str(number): {"hidden": str(int(row.hidden)), "ht": str(row.height)}
            for number, row in self._sheet.row_dimensions.items()
        }
        self.column_dimensions = {
            name: {
                "min": column.min,
                "max": column.max,
                "hidden": str(int(column.hidden)),
                "width": str(column.width),
            }
            for name, column in self._sheet.column_dimensions.items()
        }

    def parse(self) -> Iterator[tuple[int, list[dict[str, Any]]]]:
        """Yield the number and the cells of each row."""
        for number, row in enumerate(self._sheet.iter_rows(), start=1):
            yield (
                number,
                [
                    {
                        "column": column,
                        "value": cell.value,
                        "style_id": cell.has_style,
                        "indent": cell.alignment.indent,
                    }
                    for column, cell in enumerate(row, start=1)
                ],
            )


@contextmanager
def sentence(called: str = "The workbook") -> Iterator[None]:
    """Replace any other exception by an InputError with one sentence: a damaged file can fail in many ways."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about parts without counts, such as styles and filters
            yield
    except InputError:
        raise
    except Exception:
        raise InputError(f"{called} cannot be read, so the file may be damaged; {RIGHT}.") from None


def _is_sheet(item: zipfile.ZipInfo) -> bool:
    return "/worksheets/" in f"/{item.filename.lower()}"


def _weigh(archive: zipfile.ZipFile, item: zipfile.ZipInfo, limit: int | None) -> None:
    """Raise InputError if a part would take too much memory or time; without a limit, only for very large parts."""
    name = item.filename.lower()
    if not name.endswith((".xml", ".rels")) and not _is_sheet(item):
        return  # Other parts, such as pictures, are never opened.
    sheet, texts = _is_sheet(item), name.endswith("sharedstrings.xml")
    if sheet:
        most = _MOST_OF_SHEET
    elif texts:
        most = _MOST_OF_TEXTS
    else:
        most = _MOST_OF_OTHERS
    if limit is None:
        most *= 10
    if item.file_size > most:
        raise InputError(
            f"The workbook unpacks to {item.file_size:,} bytes or more; at most {most:,} are read."
        )
    if limit is not None:
        pieces = _Pieces(sheet, texts)
        with archive.open(item) as part:
            while chunk := part.read(2**20):
                pieces.take(chunk)
                if sheet and min(pieces.cells, pieces.filled) > most_cells(limit):
                    raise _too_large(limit)
                if pieces.is_heavy:
                    raise InputError(
                        f"The workbook contains more data than a table needs; {RIGHT}, without formats."
                    )


class _Pieces:
    """Number of tags of each kind in a part, counted without parsing.

    Attributes
    ----------
    is_heavy : bool
        Whether the part contains more data than a table needs.
    """

    def __init__(self, sheet: bool, texts: bool) -> None:
        self._sheet, pieces = sheet, "</"
        if sheet:
            pieces = "</ <c <v <row"
        elif texts:
            pieces = "</ <t <si"
        self._known = pieces.encode().split()
        self._counts = dict.fromkeys((b"<", b"</", b"<c", b"<v", b"<is", b"<t", b"<si", b"<row", b"<!"), 0)
        self._across = 0
        self.is_heavy = False

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self._counts[b"<c"]

    @property
    def filled(self) -> int:
        """Number of cells with a value."""
        return self._counts[b"<v"] + self._counts[b"<is"]

    def take(self, chunk: bytes) -> None:
        """Add the tags of the next bytes of the part to the counts."""
        counts = self._counts
        for piece in counts:
            counts[piece] += chunk.count(piece)
        widths = [row.count(b"<c") for row in chunk.split(b"<row")]
        widths[0] += self._across
        self._across = widths[-1]
        self.is_heavy = (
            b"<" not in chunk  # A text or tag of 1 MB is longer than any cell.
            or (self._sheet and (max(widths) > _MOST_COLUMNS or self.cells > self.filled + _MOST_BLANKS))
            or counts[b"<row"] > _MOST_ROWS
            or counts[b"<!"] > 1000
            or counts[b"<si"] > _MOST_TEXTS
            or counts[b"<"] - sum(map(counts.__getitem__, self._known)) > _MOST_PIECES
        )


def _too_large(limit: int | None) -> InputError:
    return InputError(f"The sheet has more than {limit:,} cells, the maximum.")
