"""Read a file with a layout: nothing is detected, and a file that does not fit the layout raises InputError."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from operator import attrgetter, itemgetter
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import (
    MOST_PEOPLE,
    NUMBER,
    and_more,
    count_error,
    counted,
    crossed_labels,
    from_spreadsheet,
    listed,
    quoted,
    shortened,
)
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.formats.aligned import ALIGNED
from sdcwidgets.tables.io.formats.archive import unpacked
from sdcwidgets.tables.io.formats.base import Format, Row, SheetCells, file_bytes, hidden_note, of
from sdcwidgets.tables.io.formats.delimited import MOST_OF_PEOPLE, DelimitedText, opened_bytes
from sdcwidgets.tables.io.layout.absent import absent_doubts
from sdcwidgets.tables.io.layout.cells import (
    check_axes,
    check_size,
    flag_beside,
    is_blank,
    is_negative,
    is_number,
    joined_row,
    label_of,
)
from sdcwidgets.tables.io.layout.contents import axes_doubts
from sdcwidgets.tables.io.layout.long import by_numbers
from sdcwidgets.tables.io.layout.records import weight_in
from sdcwidgets.tables.io.layouts import FileLayout, LayoutColumn, LayoutRow
from sdcwidgets.tables.io.options import Reading
from sdcwidgets.tables.io.original import as_stated, joint_of
from sdcwidgets.tables.io.plausibility import alarms
from sdcwidgets.tables.io.questions import Doubt
from sdcwidgets.tables.sub_totals import SubTotals, sums_of_levels
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    from sdcwidgets._util.arrays import Flags, Whole

#: Maximum number of cells of a table without another limit.
_MOST_CELLS = 10**8

#: Maximum number of cells of a text that is read with a layout; its labels and counts are not stored by row.
_MOST_OF_FILE = 20_000_000

#: Roles of columns that can be below a merged heading.
_ROLES_ACROSS = ("count", "total", "other")

#: Maximum number of higher levels that a note names.
_MOST_LEVELS = 8

#: Maximum number of categories without a row that notes name.
_MOST_CATEGORIES = 8

#: Maximum number of different texts whose labels or counts are stored.
_MOST_KNOWN = 10_000

#: Number of first rows and of last rows of a file that are stored for the title and notes of a release.
_FIRST_ROWS, _LAST_ROWS = 50_000, 1_000

Labels = tuple[str, ...]


class _StoredRows:
    """Rows that are read once, of which the first and the last are stored; a row takes about 500 bytes."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = rows
        self._first: list[Row] = []
        self._last: deque[Row] = deque(maxlen=_LAST_ROWS)

    def __iter__(self) -> Iterator[Row]:
        for row in self._rows:
            if len(self._first) < _FIRST_ROWS:
                self._first.append(row)
            else:
                self._last.append(row)
            yield row

    def stored(self) -> list[Row]:
        """Return the stored rows."""
        return [*self._first, *self._last]


def read(
    source: str | bytes | PathLike[str],
    layout: FileLayout,
    *,
    limit: int | None = None,
    texts: bool = False,
) -> Reading:
    r"""Read a file as a layout states.

    Parameters
    ----------
    source : str, bytes or path
        Text of more than one line, the content of a file, or the path of a file.
    layout : FileLayout
    limit : int, optional
        Maximum number of cells.
    texts : bool
        Whether the reading has the layout of the file with its title, source and notes, for a release.

    Returns
    -------
    Reading
        The table, with a note for each total within rounding, each overlap of ranges and each line that hardly varies.

    Raises
    ------
    InputError
        If the file does not fit the layout.

    Examples
    --------
    >>> from sdcwidgets.tables.io.layouts import LayoutColumn, FileLayout
    >>> columns = (LayoutColumn(1, "label", "Area", left_out=("All",)), LayoutColumn(2, "count", "People"))
    >>> layout = FileLayout(columns, first=2, header=1, delimiter=";")
    >>> read("Area;People\nBath;302\nHull;199\nAll;501\n", layout).summary
    '501 people in 2 cells: Area (2).'
    """
    file, name = opened(source, layout, limit)
    sheet = file.sheet(layout.sheet if layout.sheet else file.names()[0])
    cells = _Cells(layout, name, text=isinstance(file, DelimitedText), own=sheet.own)
    has_texts = texts and bool(layout.of_role("count"))
    rows = _StoredRows(sheet.rows) if has_texts else sheet.rows
    table, tally, axes, absent = _counted(cells, rows, limit)
    totals = any(column.left_out or column.role == "total" for column in layout.columns) or any(
        row.role == "total" for row in layout.rows
    )
    # A layout can declare axes that count people several times, for example an axis of years.
    doubts = (*alarms(table), *axes_doubts(table.axes))
    hidden = _hidden_notes(sheet, layout)
    notes = (*tally.notes(), *hidden, *(doubt.statement for doubt in (*doubts, *absent)))
    open_doubts = () if sheet.own else tuple(absent)
    return Reading(
        table,
        () if sheet.own else notes,
        totals=totals,
        counted=layout.counted,
        doubts=open_doubts,
        as_read=as_stated(rows.stored(), sheet, table, layout, joint_of(file))
        if isinstance(rows, _StoredRows)
        else None,
        omitted=tally.omitted_labels,
        levels=tally.levels,
        sub_totals=tally.sub_totals(axes),
    )


def _hidden_notes(sheet: SheetCells, layout: FileLayout) -> tuple[str, ...]:
    """Return a note on hidden rows and columns that the layout uses."""
    unread = {row.number for row in layout.rows if row.role in ("other", "skip", "total")}
    columns = {column.number for column in layout.columns if column.role != "other" or column.only}
    hidden = sheet.hidden()
    rows = {number for number in hidden.get("row", ()) if number >= layout.first} - unread
    where = f"The sheet {quoted(layout.sheet)}" if layout.sheet else "The file"
    return hidden_note({"row": rows, "column": set(hidden.get("column", ())) & columns}, where)


def opened(
    source: str | bytes | PathLike[str],
    layout: FileLayout | None = None,
    limit: int | None = None,
    encoding: str = "",
) -> tuple[Format, str]:
    """Return an opened file and its name in sentences; with a layout, a text has its encoding and delimiter."""
    name = "The file"
    if isinstance(source, str) and ("\n" in source or "\r" in source or not source.strip()):
        if layout is not None and layout.sheet:
            raise _without_sheets("The text", layout)
        return _text(source, "The text", layout, limit), "The text"
    content = text_content(source)
    if not isinstance(source, bytes | bytearray):
        name = shortened(Path(source).name)
    kind = of(content)
    if kind is not DelimitedText or layout is None:
        # The default of a layout, UTF-8, does not state an encoding of such a file.
        stated = (
            layout.encoding if layout is not None and kind.stated_encoding(content) is not None else "utf-8"
        )
        file = opened_bytes(content, name, limit, encoding if stated == "utf-8" else stated)
        if layout is not None and layout.sheet and layout.sheet not in file.names():
            if tuple(file.names()) == ("",):
                raise _without_sheets(name, layout)
            raise InputError(f"{name} has no sheet {quoted(layout.sheet)}; it has {listed(file.names())}.")
        return file, name
    if layout.sheet:
        raise _without_sheets(name, layout)
    try:
        text = content.decode(layout.encoding)
    except (UnicodeDecodeError, LookupError):
        raise InputError(
            f"{name} is not a text in the encoding {shortened(layout.encoding)} of the layout; change the encoding."
        ) from None
    return _text(text.removeprefix("\ufeff"), name, layout, limit), name


def _without_sheets(name: str, layout: FileLayout) -> InputError:
    return InputError(
        f"{name} has no sheets, so it has no sheet {quoted(layout.sheet)}; remove the key sheet of the layout."
    )


def text_content(source: str | bytes | PathLike[str]) -> bytes:
    """Return the content of a file or of a text."""
    if isinstance(source, bytes | bytearray):
        return unpacked(bytes(source), "The file")
    if isinstance(source, str) and ("\n" in source or "\r" in source or not source.strip()):
        return source.encode("utf-8", "surrogatepass")
    return file_bytes(source)


def _text(text: str, name: str, layout: FileLayout | None, limit: int | None) -> DelimitedText:
    file = DelimitedText(text, name, None if limit is None else max(limit, MOST_OF_PEOPLE))
    file.count_people(_MOST_OF_FILE)
    if layout is not None:
        if len(layout.delimiter) != 1 and layout.delimiter != ALIGNED:
            raise InputError(f"The delimiter is {quoted(layout.delimiter)}; it must be one character.")
        file.mark = layout.delimiter
    return file


@dataclass(frozen=True)
class _Cells:
    """The cells of a file, as a layout sees them."""

    layout: FileLayout
    name: str
    text: bool
    own: bool

    def label(self, cell: object) -> str:
        """Return the text of a cell as a label."""
        if isinstance(cell, str) and cell in self._known_labels:
            return self._known_labels[cell]
        text = label_of(cell)
        stripped = text if self.own else text.strip()
        label = from_spreadsheet(stripped) if self.own or self.text else stripped
        if isinstance(cell, str) and len(self._known_labels) < _MOST_KNOWN:
            self._known_labels[cell] = label
        return label

    @cached_property
    def _known_labels(self) -> dict[str, str]:
        """Labels of texts, since most labels of a long file repeat."""
        return {}

    @cached_property
    def _known_counts(self) -> dict[str, int]:
        """Counts of texts, since most counts of a long file repeat."""
        return {}

    def changed(self, why: str) -> InputError:
        """Return the error that a file does not fit its layout."""
        return InputError(f"{self.name} does not fit the layout: {why}.")

    @cached_property
    def _number(self) -> re.Pattern[str]:
        groups = f"[{re.escape(self.layout.thousands)}]" if self.layout.thousands else "(?!)"
        decimals = f"(?:{re.escape(self.layout.decimal)}(\\d*))?" if self.layout.decimal else "()"
        return re.compile(rf"\+?(\d{{1,3}}(?:{groups}\d{{3}})+|\d+){decimals}")

    def _advice(self, text: str) -> str:
        """Return advice about the key of a layout with which a text in place of a count can be read."""
        number = NUMBER.fullmatch(text)
        if number is None or not number["group"] or number["group"] in self.layout.thousands:
            return "state its meaning in texts"
        return f"state the separator by thousands = {quoted(self.layout.thousands + number['group'])}"

    def is_unknown(self, cell: object) -> bool:
        """Return whether the text of a cell marks an unknown count."""
        return bool(self.layout.texts) and self.layout.texts.get(label_of(cell).strip()) == "unknown"

    def count(self, row: int, column: LayoutColumn, cell: object) -> int | None:
        """Return the count in a cell, or None if the row is not read."""
        if not isinstance(cell, str):
            return self._count(row, column, cell)
        if cell in self._known_counts:
            return self._known_counts[cell]
        count = self._count(row, column, cell)
        if count is not None and len(self._known_counts) < _MOST_KNOWN:
            self._known_counts[cell] = count
        return count

    def _count(self, row: int, column: LayoutColumn, cell: object) -> int | None:
        if is_blank(cell) or isinstance(cell, str) or is_negative(cell):
            text = label_of(cell).strip()
            if text in self.layout.texts:
                return None if self.layout.texts[text] == "leave out" else 0
            flagged = flag_beside(cell) if self.layout.flags else None
            if flagged and flagged[1] in self.layout.flags:
                text = flagged[0].strip()
            match = self._number.fullmatch(text)
            if match is None:
                found = quoted(text) if text else "blank"
                raise self.changed(
                    f"row {row:,}, column {column.number} is {found}, which is not a count; {self._advice(text)}, or "
                    "correct the file"
                )
            number = Decimal(re.sub(r"\D", "", match[1]) + "." + (match[2] or "0"))
        else:
            error = count_error(cell)
            may_have_decimals = (self.layout.unit > 1 or self.layout.rounded) and is_number(cell)
            if error and not may_have_decimals:
                raise self.changed(f"row {row:,}, column {column.number}: {error}")
            number = Decimal(str(cell))
        number *= self.layout.unit
        if self.layout.rounded and number.is_finite():
            number = number.to_integral_value()
        if number != int(number) or not 0 <= number <= MOST_PEOPLE:
            raise self.changed(
                f"row {row:,}, column {column.number} stands for {number.normalize():f} people; a count must be "
                f"a whole number from 0 to {MOST_PEOPLE:,}"
            )
        return int(number)


def _counted(
    cells: _Cells, rows: Iterable[Row], limit: int | None
) -> tuple[FrequencyTable, _Tally, list[Axis], list[Doubt]]:
    """Return the table of a layout, the counted rows, the axes of rows, and the doubt about absent combinations."""
    layout = cells.layout
    numbered = enumerate(rows, start=1)
    top = list(itertools.islice(numbered, layout.first - 1))
    if len(top) < layout.first - 1:
        raise cells.changed(f"it has {len(top):,} rows, and counts start at row {layout.first:,}")
    above = {number: row for number, row in top}
    joined = dict(above)
    for number in layout.joined_rows:
        joined[number + 1] = joined_row(joined.get(number, []), joined.get(number + 1, []))
    _check_headings(cells, joined.get(layout.header, []))
    across = _headings(cells, joined)
    tally = _Tally(cells, len(across), _MOST_CELLS if limit is None else limit)
    for number, row in above.items():
        tally.take_heading(number, row)
        if number > layout.header:
            tally.omit(row)
    for number, row in numbered:
        tally.take(number, row)
    tally.check_end()
    tally.check_categories()
    table, axes = _table(cells, tally, across, limit)
    is_known = not tally.counts or layout.absent != ""
    absent = [] if is_known else absent_doubts(tally.sums, axes, table.counts)
    tally.count_absent(axes)
    return table, tally, axes, absent


def _check_headings(cells: _Cells, header: Row) -> None:
    """Raise InputError if a column has another heading than in the layout, or is not in the layout."""
    if not cells.layout.header:
        return
    for column in cells.layout.columns:
        found = _heading(header, column.number)
        if found != column.heading:
            raise cells.changed(
                f"column {column.number} has the heading {quoted(found)} in place of {quoted(column.heading)}"
            )
    known = {column.number for column in cells.layout.columns}
    for number, cell in enumerate(header, start=1):
        if number not in known and not is_blank(cell):
            raise cells.changed(f"column {number} ({quoted(label_of(cell).strip())}) is not in the layout")


def _heading(row: Row, number: int) -> str:
    return label_of(row[number - 1]).strip() if number <= len(row) else ""


def _columns_below_headings(layout: FileLayout) -> list[LayoutColumn]:
    """Return the columns of counts, and the columns right of the first labels that can be below a merged heading."""
    first = min((column.number for column in layout.of_role("count")), default=0)
    labels = (column.number for column in layout.of_role("label"))
    start = max((number for number in labels if number < first), default=0)
    across = [column for column in layout.columns if column.role in _ROLES_ACROSS and column.number > start]
    return sorted(across, key=attrgetter("number"))


def _headings(cells: _Cells, above: Mapping[int, Row]) -> list[Labels]:
    """Return the labels of each column of counts on the axes of headings."""
    layout = cells.layout
    columns = layout.of_role("count")
    below = _columns_below_headings(layout)
    found = list[list[str]]()
    for heading in layout.headings:
        row = above.get(heading.row, [])
        if heading.row >= layout.first:
            raise InputError(
                f"The headings are in row {heading.row} and the counts start at row {layout.first}; the "
                "headings must be above the counts."
            )
        labels, last = dict[int, str](), ""
        # The cell of a merged heading can be above a column that is not read, such as that of another year.
        for column in below:
            label = cells.label(row[column.number - 1]) if column.number <= len(row) else ""
            last = label or last
            labels[column.number] = last if heading.fill else label
        found.append([labels[column.number] for column in columns])
    across = [column.categories or tuple(labels[k] for labels in found) for k, column in enumerate(columns)]
    for column, labels_of_column in zip(columns, across, strict=True):
        if not all(label.strip() for label in labels_of_column):
            raise cells.changed(f"column {column.number} has no heading")
    if len(set(across)) < len(across):
        twice = next(labels for k, labels in enumerate(across) if labels in across[:k])
        raise cells.changed(f"two columns of counts have the heading {listed(twice)}")
    return across


class _TotalsCheck:
    """The totals of a file that are not read, compared with the sums of the counts that are read.

    Attributes
    ----------
    is_complete : bool
        Whether each row of counts is read, so that a row of totals must be their sum.
    """

    def __init__(self, cells: _Cells) -> None:
        layout = cells.layout
        self._cells, self._counts = cells, layout.of_role("count")
        labels, totals = layout.of_role("label"), layout.of_role("total")
        self._column = totals[0] if len(totals) == 1 and self._counts else None
        out = [(column.number, label) for column in labels for label in column.left_out]
        self._label = out[0] if len(out) == len(labels) == 1 and self._counts else None
        self._row: tuple[int, list[int]] | None = None
        self._wrong: list[tuple[int, int, int]] = []
        self.is_complete = all(row.role in ("other", "block", "join") for row in layout.rows)

    def take(self, number: int, row: Row, counts: Sequence[float]) -> None:
        """Compare the total in a row with its counts."""
        if self._column is None:
            return
        for total in self.readable(number, row, [self._column]):
            if total != sum(counts):
                self._wrong.append((number, total, int(sum(counts))))

    def take_total(self, number: int, row: Row, texts: Mapping[int, str]) -> None:
        """Store the counts of an omitted row if it is the row of totals."""
        if self._label is not None and texts.get(self._label[0]) == self._label[1]:
            self._row = number, self.readable(number, row, self._counts)

    def readable(self, number: int, row: Row, columns: Sequence[LayoutColumn]) -> list[int]:
        """Return the counts of a row in some columns; an empty list if one of the cells is not a count."""
        counts = list[int]()
        for column in columns:
            try:
                cell = row[column.number - 1] if column.number <= len(row) else None
                counts.append(self._cells.count(number, column, cell) or 0)
            except InputError:
                return []
        return counts

    def notes(self, sums: Mapping[Labels, Sequence[float]]) -> tuple[str, ...]:
        """Return a note on a column of totals and a note on a row of totals, if the totals differ from the sums."""
        notes = list[str]()
        if self._column is not None and self._wrong:
            number, total, counts = self._wrong[0]
            notes.append(
                f"The totals in column {self._column.number} ({quoted(self._column.heading)}) differ from the sums of "
                f"the counts in {len(self._wrong):,} of {len(sums):,} rows: row {number:,} has {total:,} instead of "
                f"{counts:,}."
            )
        row = self._row if self._row is not None and self.is_complete else (0, [])
        lines = zip(self._counts, row[1], zip(*sums.values(), strict=True), strict=False)
        wrong = [(column, total, int(sum(line))) for column, total, line in lines if total != sum(line)]
        if wrong:
            column, total, counts = wrong[0]
            notes.append(
                f"The total in row {row[0]:,}, column {column.number} is {total:,}, but the counts sum to {counts:,}."
            )
        return tuple(notes)


class _Tally:
    """The counts of rows, by their labels."""

    def __init__(self, cells: _Cells, across: int, limit: int) -> None:
        layout = cells.layout
        self.cells, self.across, self.limit = cells, max(across, 1), limit
        self.labels = layout.of_role("label")
        self.counts = layout.of_role("count")
        self.weight = next(iter(layout.of_role("weight")), None)
        self.others = [column for column in layout.columns if column.of]
        self.compared = list(filter(_is_compared, layout.columns))
        self._restricted = [
            (column, frozenset(column.left_out)) for column in self.compared if column.left_out or column.only
        ]
        #: Names of the texts of each compared column, since most labels of a long file repeat.
        self._names: dict[int, dict[str, str]] = {column.number: {} for column in self.compared}
        #: Labels of the rows of records, by the texts that the layout compares.
        self._records: dict[tuple[object, ...], Labels] = {}
        self.special: dict[int, LayoutRow] = {row.number: row for row in layout.rows}
        self.has_blocks = layout.has_blocks
        self._block, self._is_in_skipped_part = "", False
        self._is_after_blank_row = False
        #: Number and cells of the first row that may be a note below the table.
        self._first_note: tuple[int, Row] | None = None
        self._record = self._cells_of_record()
        self.known = {column.number for column in layout.columns}
        self._width = next(number for number in itertools.count() if number + 1 not in self.known)
        self.sums: dict[Labels, list[float]] = {}
        self.respondents: dict[Labels, int] = {}
        #: Columns with an unknown count, by the labels of their row.
        self.unknown: dict[Labels, list[bool]] = {}
        self._above = dict.fromkeys(self.known, "")
        checked = [column for column in layout.columns if column.role == "label" or _is_checked(column)]
        self._categories = [(column, frozenset(column.categories)) for column in checked]
        self._belongs: dict[tuple[int, str], str] = {}
        self.check = _TotalsCheck(cells)
        #: Number of cells with each text in place of a count.
        self.meanings: Counter[str] = Counter()
        #: Number of combinations of labels of rows without a row, if their counts are unknown.
        self._absent = 0
        #: Labels of each row that is omitted, by its role or because of a text in place of a count.
        self._omitted: list[Labels] = []
        #: Labels of the rows that are omitted because of one of their labels, by column.
        self._omitted_by_labels: dict[int, set[str]] = {column.number: set() for column in self.labels}
        #: Counts of omitted rows by each of their labels; None if the row has a text in place of a count.
        self._omitted_counts: dict[str, list[int] | None] = {}

    def notes(self) -> tuple[str, ...]:
        """Return notes on higher levels, on totals, and on texts in place of counts that the file has."""
        notes = []
        if self.levels:
            noun = "level" if len(self.levels) == 1 else "levels"
            names = and_more([quoted(level) for level in self.levels], _MOST_LEVELS)
            notes.append(
                f"The import omits rows with sub-totals of the higher {noun} {names}. The release decision states if "
                "these sub-totals must stay unpublished."
            )
        for text, meaning in self.cells.layout.texts.items():
            number = self.meanings[text]
            cells = counted(number, "cell") + (f" with {quoted(text)}" if text else " without a text")
            if number and meaning == "zero":
                notes.append(f"The import read {cells} as the count 0.")
            elif number and meaning == "unknown":
                notes.append(_note_on_unknown(cells, number))
            elif number:
                notes.append(f"The import omitted the rows of {cells} in place of a count.")
        if not self.cells.layout.absent:
            for label, axis, _ in self._categories_without_row()[:_MOST_CATEGORIES]:
                notes.append(
                    f"No row that is read has {quoted(label)} of {quoted(axis)}, so its counts are 0."
                )
        if self._of_omitted_rows:
            cells = counted(self._of_omitted_rows, "cell")
            notes.append(
                f"The count of {cells} of the table is 0, because the rows of these combinations were omitted."
            )
        if self._absent:
            cells = counted(self._absent, "combination")
            notes.append(_note_on_unknown(f"{cells} without a row", self._absent))
        return (*self.check.notes(self.sums), *notes)

    @property
    def levels(self) -> tuple[str, ...]:
        """Names of the columns of higher levels, whose sub-totals are not in the table."""
        return tuple(_level_name(column) for column in self.others if column.role == "level")

    def sub_totals(self, axes: Sequence[Axis]) -> tuple[SubTotals, ...]:
        """Return the totals of the higher levels of each axis of rows."""
        sums = list[SubTotals | None]()
        for column, axis in zip(self.labels, axes[int(self.has_blocks) :], strict=True):
            labels_above = {
                _level_name(level): [self._belongs.get((level.number, label), "") for label in axis]
                for level in self.others
                if level.role == "level" and int(level.of) == column.number
            }
            if labels_above and not column.split:
                sums.append(sums_of_levels(axis, labels_above))
        return tuple(of_axis for of_axis in sums if of_axis is not None)

    @property
    def _of_omitted_rows(self) -> int:
        return 0 if self._absent else len(self.omitted_rows()) * self.across

    def count_absent(self, axes: Sequence[Axis]) -> None:
        """Count the combinations of the axes of rows without a row that is read, if their counts are unknown."""
        if self.cells.layout.absent == "unknown" and self.counts:
            self._absent = math.prod(map(len, axes)) - len(self.sums)

    @property
    def omitted_labels(self) -> tuple[str, ...]:
        """Labels of omitted rows that are no categories of the table, except sums of all its rows."""
        known = {label for labels in self.sums for label in labels}
        totals = [round(sum(counts)) for counts in zip(*self.sums.values(), strict=True)]
        return tuple(
            label for label, counts in self._omitted_counts.items() if label not in known and counts != totals
        )

    def _leave(self, labels: Sequence[str], counts: list[int] | None) -> None:
        """Store the labels of an omitted row."""
        for label in labels:
            if label.strip():
                self._omitted_counts.setdefault(label, counts)

    def omitted_rows(self) -> list[Labels]:
        """Return the labels of omitted rows that are categories of the table, so that their counts are unknown."""
        known = [set(labels) for labels in zip(*self.sums, strict=True)]
        for column, of_column in zip(self.labels, known[int(self.has_blocks) :], strict=True):
            of_column.update(column.categories)
        omitted = dict.fromkeys(labels for labels in self._omitted if labels not in self.sums)
        return [
            labels for labels in omitted if all(label in of for label, of in zip(labels, known, strict=True))
        ]

    def take_heading(self, number: int, row: Row) -> None:
        """Process a row above the counts if the layout states its role."""
        special = self.special.get(number)
        if special is not None and special.role in ("block", "skip", "join"):
            self._is_read(number, row, self.special.pop(number))

    def omit(self, row: Row) -> None:
        """Store the labels of a row that is not read."""
        if self.labels:
            labels = tuple(self._text(row, column) for column in self.labels)
            self._omitted.append((self._block, *labels) if self.has_blocks else labels)

    def _omit_special(self, number: int, row: Row, special: LayoutRow) -> None:
        """Store the labels of a row that the layout does not read because of its role."""
        if special.role not in ("total", "block"):
            self.omit(row)
        counts = self.check.readable(number, row, self.counts) if special.role == "other" else []
        if counts:
            self._leave([self._text(row, column) for column in self.labels], counts)

    def _omit_by_labels(self, number: int, row: Row, texts: Mapping[int, str]) -> None:
        """Store the labels of a row that the layout does not read because of one of its labels."""
        self.check.take_total(number, row, texts)
        for column in self.compared:
            if column.only and texts[column.number] != column.only:
                self._leave([texts[column.number]], [])
        for column in self.labels:
            self._omitted_by_labels[column.number].add(texts[column.number])

    def take(self, number: int, row: Row) -> None:
        """Add the counts of a row."""
        special = self.special.pop(number, None)
        if special is not None and not self._is_read(number, row, special):
            self._omit_special(number, row, special)
            return
        if self._is_in_skipped_part or self._is_blank(row):
            return
        self._check_width(number, row)
        if self._is_after_blank_row and special is None and self._takes_note(number, row):
            return
        key = self._key_of_record(row)
        if key in self._records:
            self._count_record(self._records[key])
            return
        texts = self._compared_texts(row, special)
        if special is not None and special.role == "total":
            return
        if self._is_skipped(texts):
            self._omit_by_labels(number, row, texts)
            return
        labels = self._labels(number, texts)
        if self.has_blocks and not self._block:
            raise self.cells.changed(
                f"row {number:,} is above the first heading of rows; its role must be other or total"
            )
        if self.has_blocks:
            labels = (self._block, *labels)
        self._check_codes(number, texts)
        self._add(number, row, labels)
        if key and len(self._records) < _MOST_KNOWN:
            self._records[key] = labels

    def _is_blank(self, row: Row) -> bool:
        """Return whether a row is blank, and store that notes can follow."""
        is_empty = all(map(is_blank, row))
        self._is_after_blank_row |= is_empty
        return is_empty

    def _takes_note(self, number: int, row: Row) -> bool:
        """Return whether a row below a blank row may be a note below the table, and store the first such row.

        If a row of counts follows, the stored row is read as a row of counts.
        """
        if self._is_note(row):
            self._first_note = self._first_note or (number, row)
            return True
        if self._first_note is not None:
            first_note, self._first_note, self._is_after_blank_row = self._first_note, None, False
            self.take(*first_note)
        return False

    def _is_note(self, row: Row) -> bool:
        """Return whether a row has a text that is no label, and no count."""
        if not self.counts or "" in self.cells.layout.texts:
            return False
        filled = [j for j, cell in enumerate(row) if not is_blank(cell)]
        if len(filled) != 1 or is_number(row[filled[0]]):
            return False
        text = label_of(row[filled[0]]).strip()
        labels = itertools.chain(*((*column.categories, *column.left_out) for column in self.labels))
        return filled[0] + 1 not in [column.number for column in self.counts] and text not in labels

    def _cells_of_record(self) -> Callable[[Row], tuple[object, ...]] | None:
        """Return what finds the compared texts of a row, if each row is a person and no row depends on another."""
        layout = self.cells.layout
        are_records = not self.counts and self.weight is None and layout.repeated == "sum"
        depends = bool(layout.rows) or self.has_blocks or any(column.fill for column in self.compared)
        numbers = [column.number - 1 for column in self.compared]
        if not are_records or depends or len(numbers) < 2 or not self.cells.text or self.cells.own:
            return None
        return itemgetter(*numbers)

    def _key_of_record(self, row: Row) -> tuple[object, ...]:
        """Return the compared texts of a row; () if rows with the same texts are not counted in the same way."""
        return self._record(row) if self._record is not None and len(row) == self._width else ()

    def _count_record(self, labels: Labels) -> None:
        """Count one more person with labels that are known."""
        self.sums[labels][0] += 1
        self.respondents[labels] += 1

    def _is_read(self, number: int, row: Row, special: LayoutRow) -> bool:
        """Return whether a row of the layout can have counts; raise InputError if the file has another row there."""
        first = next((label_of(cell).strip() for cell in row if not is_blank(cell)), "")
        if first != special.label:
            raise self.cells.changed(
                f"row {number:,} starts with {quoted(first)} in place of {quoted(special.label)}"
            )
        if special.role == "block":
            self._block = special.categories[0] if special.categories else special.label
            self._is_in_skipped_part = False
        elif special.role == "skip":
            self._is_in_skipped_part = True
        return special.role not in ("other", "block", "skip")

    def _check_width(self, number: int, row: Row) -> None:
        for j in range(self._width, len(row)):
            if j + 1 not in self.known and not is_blank(row[j]):
                raise self.cells.changed(
                    f"row {number:,} has {quoted(label_of(row[j]).strip())} in column {j + 1}, "
                    "which is not in the layout"
                )

    def _compared_texts(self, row: Row, special: LayoutRow | None) -> dict[int, str]:
        """Return the text of each compared column; the layout can state other labels for a row of counts."""
        texts = {column.number: self._text(row, column) for column in self.compared}
        stated = special.categories if special is not None and special.role == "count" else ()
        for column, text in zip(self.labels, stated, strict=False):
            texts[column.number] = text
        return texts

    def _text(self, row: Row, column: LayoutColumn) -> str:
        """Return the label of a row in a column, with its other name."""
        cell = row[column.number - 1] if column.number <= len(row) else None
        names = self._names[column.number]
        if isinstance(cell, str) and cell in names and not column.fill:
            return names[cell]
        text = self.cells.label(cell)
        if not text.strip() and column.fill:
            text = self._above[column.number]
        self._above[column.number] = text
        name = column.renamed.get(text, text)
        if isinstance(cell, str) and len(names) < _MOST_KNOWN:
            names[cell] = name
        return name

    def _is_skipped(self, texts: Mapping[int, str]) -> bool:
        for column, left_out in self._restricted:
            text = texts[column.number]
            if text in left_out or (column.only != "" and text != column.only):
                return True
        return False

    def _labels(self, number: int, texts: Mapping[int, str]) -> Labels:
        """Return the labels of a row."""
        for column, known in self._categories:
            text = texts[column.number]
            if known and text not in known:
                raise self.cells.changed(
                    f"{quoted(text)} in row {number:,}, column {column.number} is not among its categories; add it to "
                    "categories, or to left_out"
                )
            if not text.strip() and column.role == "label":
                raise self.cells.changed(f"row {number:,}, column {column.number} has no label")
        return tuple(texts[column.number] for column in self.labels)

    def _check_codes(self, number: int, texts: Mapping[int, str]) -> None:
        """Raise InputError if a label has two codes or two higher levels."""
        for column in self.others:
            label, text = texts[int(column.of)], texts[column.number]
            first = self._belongs.setdefault((column.number, label), text)
            if first != text:
                raise self.cells.changed(
                    f"{quoted(label)} has {quoted(text)} in row {number:,}, column {column.number}, and "
                    f"{quoted(first)} above it"
                )
            owner = (
                self._belongs.setdefault((-column.number, text), label) if column.role == "code" else label
            )
            if owner != label:
                raise self.cells.changed(
                    f"{quoted(text)} in row {number:,}, column {column.number} is the code of {quoted(owner)} and of "
                    f"{quoted(label)}"
                )

    def _add(self, number: int, row: Row, labels: Labels) -> None:
        """Add the counts of a row."""
        counts, unknown = list[float](), list[bool]()
        for column in self.counts:
            cell = row[column.number - 1] if column.number <= len(row) else None
            count = self.cells.count(number, column, cell)
            if (count is None or count == 0) and self.cells.layout.texts:
                self.meanings[label_of(cell).strip()] += 1
            if count is None:
                self.check.is_complete = False
                self._omitted.append(labels)
                self._leave(labels, None)
                return
            unknown.append(self.cells.is_unknown(cell))
            counts.append(count)
        if any(unknown):
            self.check.is_complete = False
            earlier = self.unknown.get(labels, [False] * len(unknown))
            self.unknown[labels] = [first or second for first, second in zip(earlier, unknown, strict=True)]
        else:
            self.check.take(number, row, counts)
        if self.weight is not None:
            cell = row[self.weight.number - 1] if self.weight.number <= len(row) else None
            counts = [weight_in(cell, number, self.weight.heading)]
        counts = counts or [1]
        self.respondents[labels] = self.respondents.get(labels, 0) + 1
        if labels not in self.sums:
            if (len(self.sums) + 1) * self.across > self.limit:
                raise InputError(f"The table has more cells than the maximum of {self.limit:,}.")
            self.sums[labels] = counts
        elif self.cells.layout.repeated == "sum":
            self.sums[labels] = [
                first + second for first, second in zip(self.sums[labels], counts, strict=True)
            ]
        else:
            twice = (
                f"{listed(labels)} of row {number:,} is there twice"
                if any(labels)
                else f"row {number:,} is a second row of counts, and no column has labels"
            )
            raise self.cells.changed(
                f"{twice}; set repeated to sum if the counts of both rows are to be added"
            )

    def check_end(self) -> None:
        """Raise InputError if a row of the layout is missing in the file, or if there are no counts."""
        if self.special:
            number = min(self.special)
            raise self.cells.changed(
                f"row {number:,} ({quoted(self.special[number].label)}) of the layout is missing in the file"
            )
        if not self.sums:
            raise self.cells.changed("the file has no row of counts")

    def check_categories(self) -> None:
        """Raise InputError if a category of a table of counts has no row, and its count is not stated."""
        if not self.counts or self.cells.layout.absent:
            return
        for label, axis, number in self._categories_without_row():
            if number and label in self._omitted_by_labels[number]:
                continue
            raise self.cells.changed(
                f"no row has {quoted(label)} of {quoted(axis)}; remove it from categories, or set absent to zero"
            )

    def _categories_without_row(self) -> list[tuple[str, str, int]]:
        """Return the categories that no row has, with their axis and column; the column of blocks is 0."""
        stated = [(column.axis or column.heading, column.number, column.categories) for column in self.labels]
        if self.has_blocks:
            stated.insert(0, (self.cells.layout.blocks, 0, self._labels_of_blocks()))
        missing = list[tuple[str, str, int]]()
        for k, (axis, number, categories) in enumerate(stated):
            rows = itertools.chain(self.sums, self._omitted) if categories else ()
            present = {labels[k] for labels in rows}
            missing += [(label, axis, number) for label in categories if label not in present]
        return missing

    def _labels_of_blocks(self) -> Labels:
        """Return the labels that the layout states for the axis of blocks."""
        blocks = (row for row in self.cells.layout.rows if row.role == "block")
        return tuple(row.categories[0] if row.categories else row.label for row in blocks)


def _note_on_unknown(cells: str, number: int) -> str:
    """Return the note on cells whose counts are unknown."""
    counts, them = ("an unknown count", "it") if number == 1 else ("unknown counts", "them")
    return f'The import read {cells} as {counts}. Measures use 0 for {them}, and pages show {them} as "..".'


def _level_name(column: LayoutColumn) -> str:
    """Return the name of a higher level in sentences."""
    return column.heading or f"column {column.number}"


def _is_compared(column: LayoutColumn) -> bool:
    """Return whether the texts of a column decide which labels a row has, or whether it is read."""
    return column.role == "label" or bool(column.of or column.only or column.left_out) or _is_checked(column)


def _is_checked(column: LayoutColumn) -> bool:
    """Return whether a column that is not read may only have the texts of the layout."""
    return column.role == "other" and bool(column.categories)


def _table(
    cells: _Cells, tally: _Tally, across: Sequence[Labels], limit: int | None
) -> tuple[FrequencyTable, list[Axis]]:
    """Return the counts with an axis for each column of labels and each row of headings, and the axes of rows."""
    axes = _axes_of_labels(cells, tally)
    for k, heading in enumerate(cells.layout.headings):
        axes.append(Axis(heading.axis, tuple(dict.fromkeys(labels[k] for labels in across))))
    check_axes(len(axes))
    n = len(tally.labels) + tally.has_blocks
    shape = [len(axis) for axis in axes]
    check_size(shape, _MOST_CELLS if limit is None else limit)
    rows, columns = _places(axes[:n], list(tally.sums)), _places(axes[n:], across or [()])
    counts = np.zeros((math.prod(shape[:n]), math.prod(shape[n:])), dtype=np.int64)
    values = np.array([[round(count) for count in line] for line in tally.sums.values()], dtype=np.int64)
    counts[np.ix_(rows, columns)] = values
    if not counts.any():
        raise cells.changed("all counts of the file are 0")
    of_rows = axes[:n]
    order, axes = _split_axes(cells, tally, axes)
    shape = [len(axis) for axis in axes]
    table = FrequencyTable(counts.ravel()[order].reshape(shape), axes)
    unknown = _unknown_counts(tally, of_rows, rows, columns, counts.shape)
    table = table.with_unknown(unknown.ravel()[order].reshape(shape))
    if tally.weight is None:
        return table, of_rows
    behind = np.zeros(math.prod(shape), dtype=np.int64)
    behind[rows] = list(tally.respondents.values())
    return table.with_respondents(behind[order].reshape(shape)), of_rows


def _unknown_counts(
    tally: _Tally,
    of_rows: Sequence[Axis],
    rows: Sequence[int],
    columns: Sequence[int],
    shape: tuple[int, ...],
) -> Flags:
    """Return a mask of the counts that the file does not contain, one row per combination of labels of rows."""
    unknown = np.zeros(shape, dtype=bool)
    if tally.counts and tally.cells.layout.absent == "unknown":
        unknown[:] = True
        unknown[rows] = False
    unknown[_places(of_rows, tally.omitted_rows())] = True
    for place, flags in zip(_places(of_rows, list(tally.unknown)), tally.unknown.values(), strict=True):
        unknown[place, columns] = flags
    return unknown


def _split_axes(cells: _Cells, tally: _Tally, axes: list[Axis]) -> tuple[Whole, list[Axis]]:
    """Return the order of the cells, and the axes, after labels that combine several axes are split."""
    order = np.arange(math.prod(map(len, axes))).reshape([len(axis) for axis in axes])
    made = list[Axis]()
    for k, axis in enumerate(axes):
        j = k - tally.has_blocks
        if not (0 <= j < len(tally.labels) and tally.labels[j].split):
            made.append(axis)
            continue
        parts = crossed_labels(axis.labels)
        if not parts:
            raise cells.changed(
                f"the labels of column {tally.labels[j].number} are not all combinations of several axes; set split to "
                "false"
            )
        levels = [tuple(dict.fromkeys(level)) for level in zip(*parts, strict=True)]
        places = [parts.index(combined) for combined in itertools.product(*levels)]
        order = order.take(places, axis=k)
        made += [Axis(f"{axis.name} {n}", level) for n, level in enumerate(levels, start=1)]
    return order.ravel(), made


def _axes_of_labels(cells: _Cells, tally: _Tally) -> list[Axis]:
    """Return the axis of blocks, if any, and an axis for each column of labels."""
    axes = list[Axis]()
    if tally.has_blocks:
        axes.append(Axis(cells.layout.blocks, tuple(dict.fromkeys(labels[0] for labels in tally.sums))))
    for k, column in enumerate(tally.labels, start=len(axes)):
        seen = dict.fromkeys(labels[k] for labels in tally.sums)
        name = column.axis or column.heading or f"Row {k + 1}"
        if name in [axis.name for axis in axes]:
            name = f"{name} {k + 1}"
        # Without columns of counts, each row is a person.
        observed = not tally.counts and not column.categories
        axes.append(Axis(name, column.categories or tuple(seen), observed))
    _sort_labels(axes, tally)
    return axes


def _sort_labels(axes: list[Axis], tally: _Tally) -> None:
    """Sort the labels of axes without stated categories, if combinations without a row are missing.

    Without rows for empty cells, the order in which labels first appear discloses empty cells.
    """
    if len(tally.sums) == math.prod(len(axis) for axis in axes[: len(tally.labels) + tally.has_blocks]):
        return
    for k, column in enumerate(tally.labels, start=int(tally.has_blocks)):
        if not column.categories:
            axes[k] = replace(axes[k], labels=tuple(sorted(axes[k].labels, key=by_numbers)))


def _places(axes: Sequence[Axis], keys: Sequence[Labels]) -> list[int]:
    """Return the position of each key among all combinations of labels."""
    positions = [{label: i for i, label in enumerate(axis)} for axis in axes]
    places = list[int]()
    for key in keys:
        place = 0
        for k, label in enumerate(key):
            place = place * len(axes[k]) + positions[k][label]
        places.append(place)
    return places
