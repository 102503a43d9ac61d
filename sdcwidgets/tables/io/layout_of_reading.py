"""Find the layout with which a file is read as a table that the reader detected."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import NUMBER, count_in, from_spreadsheet, no_value_among
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.filled_files import FilledFile
from sdcwidgets.tables.io.formats.base import Format, Row, Rows, SheetCells, Unsaved
from sdcwidgets.tables.io.formats.delimited import DelimitedText
from sdcwidgets.tables.io.layout.cells import (
    flag_beside,
    is_blank,
    is_dash,
    is_total,
    joined_row,
    label_of,
    missing_in,
    squared,
)
from sdcwidgets.tables.io.layout.contents import ALL, chosen
from sdcwidgets.tables.io.layout.long import observed
from sdcwidgets.tables.io.layout.parts import Outline, outline
from sdcwidgets.tables.io.layout_reader import opened, read
from sdcwidgets.tables.io.layouts import FileLayout, LayoutColumn, LayoutHeading, LayoutRow
from sdcwidgets.tables.io.options import Reading, ReadOptions
from sdcwidgets.tables.table import FrequencyTable

#: Number of rows in which the headings of a long table are searched.
_FIRST_ROWS = 200

#: Maximum number of columns or groups of columns that are compared with a table that is one of them.
_MOST_SLICES = 200

#: Maximum number of columns of which neighbouring ones are summed.
_MOST_SUMMED = 100

#: Maximum number of texts of a column that is not read, if the layout states them.
_MOST_CHECKED = 50

#: Maximum number of rows that are compared in search of a total in a column that is summed over.
_MOST_COMPARED = 20_000


def layout_of_reading(
    source: str | bytes | PathLike[str],
    file: Format,
    reading: Reading,
    how: ReadOptions,
    filled: FilledFile | None = None,
) -> FileLayout | None:
    """Return a layout with which the file is read as the same table, or None.

    With a filled file, the layout reads each of its texts as 0.
    """
    sheet_name = next((choice.chosen[0] for choice in reading.choices if choice.name == "sheet"), "")
    again = filled or opened(source, encoding=how.encoding)[0]
    sheet = again.sheet(sheet_name or again.names()[0])
    rows = [list(row) for row in sheet.rows]
    base = FileLayout((LayoutColumn(1, "label"),), sheet=sheet_name)
    if isinstance(file, DelimitedText):
        encoding = "utf-8" if file.encoding == "utf-8-sig" else file.encoding
        base = replace(base, encoding=encoding, delimiter=file.mark)
    explained = _ExplainedTable(rows, sheet, reading.table, how, base, isinstance(file, DelimitedText))
    zeros = dict.fromkeys(filled.texts, "zero") if filled else {}
    for layout in explained.layouts():
        if zeros:
            layout = replace(layout, texts=zeros)
        try:
            if read(source, layout).table == reading.table:
                return layout
        except InputError:
            continue
    return None


class _PlacedText(str):
    """A text with its place."""

    place: tuple[int, int]


class _PlacedWhole(int):
    """A whole number with its place."""

    place: tuple[int, int]


class _PlacedDecimal(float):
    """A decimal number with its place."""

    place: tuple[int, int]


def _placed(cell: object, i: int, j: int) -> object:
    """Return a cell that keeps its row and its column on its way through the reader."""
    placed: Any
    if type(cell) is str:
        placed = _PlacedText(cell)
    elif type(cell) is int:
        placed = _PlacedWhole(cell)
    elif type(cell) is float:
        placed = _PlacedDecimal(cell)
    else:
        return cell
    placed.place = (i, j)
    return placed


def _unflagged(cell: object) -> object:
    """Return a cell without the flag next to its number."""
    flagged = flag_beside(cell)
    return cell if flagged is None or missing_in(cell) else flagged[0]


@dataclass(frozen=True)
class _ExplainedTable:
    """A table that was read, and the rows of its file."""

    rows: Rows
    sheet: SheetCells
    table: FrequencyTable
    how: ReadOptions
    base: FileLayout
    text: bool
    joined: tuple[LayoutRow, ...] = ()

    def layouts(self) -> Iterator[FileLayout]:
        """Yield layouts that may read the rows as the table, the most probable first."""
        try:
            if self.how.by or self.sheet.by:
                yield from self._long(self.how.column or self.sheet.count)
                return
            seen = (
                observed(replace(self.sheet, rows=self.rows), self.how) if not self.sheet.own else self.sheet
            )
            if seen.by:
                yield from self._long(seen.count)
                return
            yield from self._grid()
        except InputError:
            return

    @cached_property
    def _all_labels(self) -> frozenset[str]:
        return frozenset(label for axis in self.table.axes for label in axis.labels)

    def _label(self, cell: object) -> str:
        text = label_of(cell)
        if self.sheet.own:
            return from_spreadsheet(text)
        return from_spreadsheet(text.strip()) if self.text else text.strip()

    def _at(self, i: int, j: int) -> object:
        return self.rows[i][j] if j < len(self.rows[i]) else None

    def _long(self, count: str) -> Iterator[FileLayout]:
        """Yield layouts of a table with a row for each combination or person."""
        needed = {*(axis.name for axis in self.table.axes), count, self.how.weight} - {""}
        head = self._row_with(needed)
        if head is None:
            return
        header = self._texts(head)
        only = {name: label for name, label in chosen(self.how).items() if label != ALL}
        known = sorted({header.index(name) for name in needed})
        body = range(head + 1, len(self.rows))
        columns = [self._axis_column(axis, header, body, only) for axis in self.table.axes]
        columns += self._number_columns(header, count)
        others = self._other_columns(header, body, known, only)
        notes = [i for i in body if self._is_note(i, known, count)]
        layout = self._layout_of_rows(head, notes, self._counts(header, body, notes, count))
        if count:
            # A year or a unit that is the same in all rows must not be added up with another one next year.
            others = [self._checked(column, body, notes) for column in others]
            yield replace(layout, columns=(*columns, *others), repeated="error")
        yield replace(layout, columns=(*columns, *others))
        without = [self._without_totals(column, body) for column in others]
        yield replace(layout, columns=(*columns, *without))
        if count:
            for summed in self._without_one_label(others, body):
                yield replace(layout, columns=(*columns, *summed))

    def _texts(self, i: int) -> list[str]:
        return [label_of(cell).strip() for cell in self.rows[i]]

    def _row_with(self, needed: Set[str]) -> int | None:
        """Return the first row that has all these texts; None if there is no such row."""
        first_rows = range(min(len(self.rows), _FIRST_ROWS))
        return next((i for i in first_rows if needed <= set(self._texts(i))), None)

    def _axis_column(
        self, axis: Axis, header: Sequence[str], body: range, only: Mapping[str, str]
    ) -> LayoutColumn:
        """Return the column with the labels of an axis of a long table."""
        j = header.index(axis.name)
        labels = dict.fromkeys(self._label(self._at(i, j)) for i in body if self.rows[i])
        gone = no_value_among(labels) if self.how.missing else set()
        known_labels = {*axis.labels, *gone, ""}
        return LayoutColumn(
            j + 1,
            "label",
            header[j],
            categories=axis.labels,
            left_out=tuple(label for label in labels if label not in known_labels),
            renamed=dict.fromkeys(sorted(gone), self.how.missing),
            only=only.get(axis.name, ""),
        )

    def _number_columns(self, header: Sequence[str], count: str) -> list[LayoutColumn]:
        """Return the columns of counts and of weights of a long table."""
        columns = list[LayoutColumn]()
        if count:
            columns.append(LayoutColumn(header.index(count) + 1, "count", count))
        if self.how.weight:
            columns.append(LayoutColumn(header.index(self.how.weight) + 1, "weight", self.how.weight))
        return columns

    def _other_columns(
        self, header: Sequence[str], body: range, known: Sequence[int], only: Mapping[str, str]
    ) -> list[LayoutColumn]:
        """Return the columns of a long table that hold something else."""
        others = list[LayoutColumn]()
        for j in range(max(map(len, self.rows))):
            heading = header[j] if j < len(header) else ""
            if j not in known and (heading or any(not is_blank(self._at(i, j)) for i in body)):
                others.append(LayoutColumn(j + 1, "other", heading, only=only.get(heading, "")))
        return others

    def _counts(self, header: Sequence[str], body: range, notes: Sequence[int], count: str) -> list[object]:
        """Return the counts of a long table; an empty list if each row is one person."""
        if not count:
            return []
        j = header.index(count)
        out = set(notes)
        return [self._at(i, j) for i in body if i not in out]

    def _layout_of_rows(self, head: int, notes: Sequence[int], counts: Sequence[object]) -> FileLayout:
        """Return the layout of a long table, still without its columns."""
        return replace(
            self.base,
            header=head + 1,
            first=head + 2,
            repeated="sum",
            rows=tuple(LayoutRow(i + 1, "other", self._first(i)) for i in notes),
            **self._numbers(counts),
        )

    def _without_one_label(self, others: Sequence[LayoutColumn], body: range) -> Iterator[list[LayoutColumn]]:
        """Yield the columns over which counts are summed, each time with one omitted label of one column."""
        for k, column in enumerate(others):
            seen = dict.fromkeys(self._label(self._at(i, column.number - 1)) for i in body)
            if len(self.rows) * len(seen) <= _MOST_COMPARED:
                for label in seen:
                    yield [*others[:k], replace(column, left_out=(label,)), *others[k + 1 :]]

    def _checked(self, column: LayoutColumn, body: range, notes: Sequence[int]) -> LayoutColumn:
        """Return a column that is not read with its texts, if they are few."""
        out = set(notes)
        cells = [self._label(self._at(i, column.number - 1)) for i in body if self.rows[i] and i not in out]
        texts = tuple(dict.fromkeys(cells))
        is_checked = len(texts) <= _MOST_CHECKED and 2 * len(texts) <= max(len(cells), 2) and texts != ("",)
        return replace(column, categories=texts) if is_checked else column

    def _without_totals(self, column: LayoutColumn, body: range) -> LayoutColumn:
        """Return a column that is summed over, without the totals in it."""
        labels = dict.fromkeys(self._label(self._at(i, column.number - 1)) for i in body)
        return replace(column, left_out=tuple(label for label in labels if is_total(label)))

    def _is_note(self, i: int, known: Sequence[int], count: str) -> bool:
        """Return whether a row of a long table has no labels and at most one text."""
        filled = [j for j, cell in enumerate(self.rows[i]) if not is_blank(cell)]
        if len(filled) != 1 or known == filled:
            return False
        text = self._label(self._at(i, filled[0]))
        is_person = not count and filled[0] in known and text in self._all_labels
        return not is_person

    def _first(self, i: int) -> str:
        return next((label_of(cell).strip() for cell in self.rows[i] if not is_blank(cell)), "")

    def _numbers(self, cells: Sequence[object]) -> dict[str, Any]:
        """Return the keys of a layout on the notation of counts, such as separators, flags and other texts."""
        groups, marks, texts, flags = set[str](), set[str](), dict[str, str](), set[str]()
        for cell in cells:
            if is_blank(cell) and not isinstance(cell, Unsaved) and self.how.empty != "ask":
                texts[""] = "zero"
            elif is_dash(cell) and self.how.empty == "dashes":
                texts[label_of(cell).strip()] = "zero"
            if not isinstance(cell, str) or not cell.strip():
                continue
            text = cell.strip()
            if missing_in(text) and self.how.flags == "out":
                texts[text] = "leave out"
                continue
            flagged = None if self.how.flags == "ask" else flag_beside(text)
            if flagged:
                text = flagged[0].strip()
                flags.add(flagged[1])
            match = NUMBER.fullmatch(text)
            if match is None:
                continue
            if match["group"] and self.how.marks == "decimals":
                marks.add(match["group"])
            elif match["group"]:
                groups.add(match["group"])
            marks |= {match["mark"]} - {None}
        return {
            "thousands": "".join(sorted(groups)),
            "decimal": min(marks, default=""),
            "texts": texts,
            "flags": tuple(sorted(flags)),
        }

    def _grid(self) -> Iterator[FileLayout]:
        """Yield layouts of a table with labels of rows and headings of columns."""
        rows = self.rows if self.how.flags == "ask" else [list(map(_unflagged, row)) for row in self.rows]
        placed = [[_placed(cell, i, j) for j, cell in enumerate(row)] for i, row in enumerate(rows)]
        cells = squared(placed) if self.sheet.typed and not self.sheet.own else placed
        parts = outline(cells, self.how, typed=self.sheet.typed, own=self.sheet.own)
        grid = _GridPlaces(self._with_joined_headings(parts.continued), parts)
        if not grid.is_placed:
            return
        levels = range(len(parts.labels[0]) + len(parts.headings[0]))
        for levels_of_axes in itertools.combinations(levels, self.table.ndim):
            if all(
                set(axis.labels) <= set(grid.level(level))
                for axis, level in zip(self.table.axes, levels_of_axes, strict=True)
            ):
                yield from grid.layouts(levels_of_axes)

    def _with_joined_headings(self, continued: Sequence[int]) -> _ExplainedTable:
        """Return the table with one row of headings in place of two, of which the layout states the upper one."""
        rows, joined = list(self.rows), list[LayoutRow]()
        for i in continued:
            joined.append(LayoutRow(i + 1, "join", self._first(i)))
            rows[i], rows[i + 1] = [], joined_row(rows[i], rows[i + 1])
        return replace(self, rows=rows, joined=tuple(joined)) if continued else self


class _GridPlaces:
    """The parts of a table with labels of rows and headings of columns, and their places in the file."""

    def __init__(self, explained: _ExplainedTable, parts: Outline) -> None:
        self.explained, self.parts = explained, parts
        self.depth = len(parts.labels[0])
        across: list[list[int]] = [[] for _ in parts.headings]
        down: list[list[int]] = [[] for _ in parts.labels]
        for i, row in enumerate(parts.cells):
            for j, cell in enumerate(row):
                place = getattr(cell, "place", None)
                if place is not None:
                    down[i].append(place[0])
                    across[j].append(place[1])
        self.is_placed = all(map(bool, across)) and all(map(bool, down))
        self.lines = [places[0] for places in down if places]
        self.columns = [places[0] for places in across if places]

    def level(self, k: int) -> list[str]:
        """Return the labels of the rows or of the columns on a level."""
        if k < self.depth:
            return [labels[k] for labels in self.parts.labels]
        return [labels[k - self.depth] for labels in self.parts.headings]

    def layouts(self, levels: Sequence[int]) -> Iterator[FileLayout]:
        """Yield layouts in which these levels are the axes."""
        others = [k for k in range(self.depth + len(self.parts.headings[0])) if k not in levels]
        values = [list(dict.fromkeys(self.level(k))) for k in others]
        slices: list[dict[int, str]] = [{}]
        if 1 < math.prod(map(len, values)) <= _MOST_SLICES:
            slices += [dict(zip(others, labels, strict=True)) for labels in itertools.product(*values)]
        for only in slices:
            with suppress(InputError):  # such a layout has columns of counts without an axis
                yield self._layout(levels, only)

    def _layout(self, levels: Sequence[int], only: Mapping[int, str]) -> FileLayout:
        """Return the layout in which these levels are the axes, with one label of other levels."""
        explained = self.explained
        axes = dict(zip(levels, explained.table.axes, strict=True))
        rows, columns = self._read_lines(axes, only)
        first = min(self.lines)
        headings = [self._heading(k, first, columns, axes[k].name) for k in levels if k >= self.depth]
        is_stated = any(heading.row == 0 for heading in headings)
        head = max((heading.row for heading in headings), default=0)
        if not head and not is_stated:
            head = self._header(first)
        header = explained.rows[head - 1] if head else []
        described = self._label_columns(axes, rows, header)
        special = [*explained.joined, *self._special_rows(described, axes, rows)]
        described += self._columns_with_one_label(only, described, header)
        stated = [k - self.depth for k in levels if k >= self.depth] if is_stated else []
        described += self._count_columns(columns, stated, header)
        described += self._unread_columns(described, header)
        special += self._unread_rows(first)
        return replace(
            explained.base,
            columns=tuple(described),
            headings=tuple(headings),
            rows=tuple(sorted(special, key=lambda row: row.number)),
            header=head,
            first=first + 1,
            **explained._numbers(self._counts(rows, columns)),
        )

    def _read_lines(self, axes: Mapping[int, Axis], only: Mapping[int, str]) -> tuple[list[bool], list[bool]]:
        """Return for each row, and for each column, whether all its labels are of the axes or the chosen ones."""
        allowed = {k: frozenset(axis.labels) for k, axis in axes.items()}
        allowed |= {k: frozenset([label]) for k, label in only.items()}
        of_rows = {k: labels for k, labels in allowed.items() if k < self.depth}
        of_columns = {k - self.depth: labels for k, labels in allowed.items() if k >= self.depth}
        rows = [all(labels[k] in of_rows[k] for k in of_rows) for labels in self.parts.labels]
        columns = [all(labels[k] in of_columns[k] for k in of_columns) for labels in self.parts.headings]
        return rows, columns

    def _columns_with_one_label(
        self, only: Mapping[int, str], label_columns: Sequence[LayoutColumn], header: Row
    ) -> list[LayoutColumn]:
        """Return the columns of which only the rows with one label are read."""
        taken = [column.number - 1 for column in label_columns]
        columns = list[LayoutColumn]()
        for k, label in only.items():
            if k < self.depth:
                number = self._column_of(k, taken)
                taken.append(number)
                columns.append(LayoutColumn(number + 1, "other", _text(header, number), only=label))
        return columns

    def _count_columns(
        self, columns: Sequence[bool], stated: Sequence[int], header: Row
    ) -> list[LayoutColumn]:
        """Return the columns of numbers; columns of counts state their labels on the levels `stated` of headings."""
        read = list[LayoutColumn]()
        sums = self._sums(columns)
        for j, column in enumerate(self.columns):
            heading = self.parts.headings[j]
            if columns[j]:
                role, categories = "count", tuple(heading[k] for k in stated)
            else:
                is_sum = j in sums or any(map(is_total, heading))
                role, categories = "total" if is_sum else "other", ()
            read.append(LayoutColumn(column + 1, role, _text(header, column), categories=categories))
        return read

    def _sums(self, columns: Sequence[bool]) -> set[int]:
        """Return the columns that are not read and are the sums of columns that are next to each other and are read."""
        counts = list(itertools.compress(self.columns, columns))
        lines = [[count_in(self.explained._at(i, j)) for j in (*counts, *self.columns)] for i in self.lines]
        full = [line for line in lines if not any(isinstance(count, str) for count in line)]
        if all(columns) or len(counts) > _MOST_SUMMED or not full:
            return set()
        numbers = np.array(full, dtype=np.int64).T
        ends = np.concatenate([np.zeros_like(numbers[:1]), np.cumsum(numbers[: len(counts)], axis=0)])
        sums = {
            (ends[stop] - ends[start]).tobytes()
            for start, stop in itertools.combinations(range(len(ends)), 2)
            if stop > start + 1
        }
        every = enumerate(numbers[len(counts) :])
        return {j for j, line in every if not columns[j] and line.tobytes() in sums}

    def _unread_columns(self, described: Sequence[LayoutColumn], header: Row) -> list[LayoutColumn]:
        """Return the columns that are not blank and are not yet in the layout."""
        explained = self.explained
        known = {column.number - 1 for column in described}
        unread = list[LayoutColumn]()
        for column in range(max(map(len, explained.rows))):
            body = (explained._at(i, column) for i in self.lines)
            if column not in known and (_text(header, column) or not all(map(is_blank, body))):
                unread.append(LayoutColumn(column + 1, "other", _text(header, column)))
        return unread

    def _unread_rows(self, first: int) -> list[LayoutRow]:
        """Return the rows that are not blank and have no counts, such as footnotes."""
        explained, inside = self.explained, set(self.lines)
        return [
            LayoutRow(i + 1, "other", explained._first(i))
            for i in range(first, len(explained.rows))
            if i not in inside and not all(map(is_blank, explained.rows[i]))
        ]

    def _counts(self, rows: Sequence[bool], columns: Sequence[bool]) -> list[object]:
        """Return the cells of the file that are read as counts."""
        counts = list(itertools.compress(self.columns, columns))
        lines = itertools.compress(self.lines, rows)
        return [self.explained._at(i, column) for i in lines for column in counts]

    def _header(self, first: int) -> int:
        """Return the number of the row above the counts with the most different texts; 0 if there is no text."""
        rows = self.explained.rows
        texts = [len({label_of(cell).strip() for cell in rows[i]} - {""}) for i in range(first)]
        most = max(texts, default=0)
        return max((i + 1 for i, number in enumerate(texts) if number == most), default=0) if most else 0

    def _heading(self, k: int, first: int, columns: Sequence[bool], name: str) -> LayoutHeading:
        """Return the heading whose row above the counts has the labels of a level; its row is 0 if no row has them."""
        explained = self.explained
        counts = [column for column, is_read in zip(self.columns, columns, strict=True) if is_read]
        wanted = [label for label, is_read in zip(self.level(k), columns, strict=True) if is_read]
        for i in reversed(range(first)):
            texts = [explained._label(explained._at(i, column)) for column in counts]
            if texts == wanted:
                return LayoutHeading(name, i + 1)
            filled = _filled(texts)
            if any(texts) and filled == wanted:
                return LayoutHeading(name, i + 1, fill=True)
        return LayoutHeading(name)

    def _label_columns(
        self, axes: Mapping[int, Axis], rows: Sequence[bool], header: Row
    ) -> list[LayoutColumn]:
        """Return the columns with the labels of the axes of rows."""
        described = list[LayoutColumn]()
        for k, axis in axes.items():
            if k < self.depth:
                number = self._column_of(k, [column.number - 1 for column in described])
                described.append(self._label_column(k, axis, number, rows, _text(header, number)))
        return described

    def _label_column(
        self, k: int, axis: Axis, number: int, rows: Sequence[bool], heading: str
    ) -> LayoutColumn:
        """Return a column whose texts are the labels of an axis."""
        explained = self.explained
        labels = {label for label, is_read in zip(self.level(k), rows, strict=True) if is_read}
        texts = [explained._label(explained._at(i, number)) for i in self.lines]
        has_blank = any(not text for text, is_read in zip(texts, rows, strict=True) if is_read)
        inside = frozenset(axis.labels) | {""}
        return LayoutColumn(
            number + 1,
            "label",
            heading,
            axis="" if axis.name == heading else axis.name,
            categories=axis.labels if labels == set(axis.labels) else (),
            left_out=tuple(dict.fromkeys(label for label in self.level(k) if label not in inside)),
            fill=has_blank and not explained.sheet.own,
        )

    def _special_rows(
        self, label_columns: Sequence[LayoutColumn], axes: Mapping[int, Axis], rows: Sequence[bool]
    ) -> list[LayoutRow]:
        """Return rows of counts whose labels differ from the labels in their cells, and omitted rows of totals."""
        explained = self.explained
        special = list[LayoutRow]()
        above = [""] * len(label_columns)
        own_levels = [k for k in axes if k < self.depth]
        left_out = [frozenset(column.left_out) for column in label_columns]
        for i, line in enumerate(self.lines):
            texts = [explained._label(explained._at(line, column.number - 1)) for column in label_columns]
            above = [
                text or (over if column.fill else "")
                for text, over, column in zip(texts, above, label_columns, strict=True)
            ]
            labels = [self.parts.labels[i][k] for k in own_levels]
            is_out = any(text in labels_out for text, labels_out in zip(above, left_out, strict=True))
            if rows[i] and above != labels:
                special.append(LayoutRow(line + 1, "count", explained._first(line), tuple(labels)))
            elif not rows[i] and not is_out:
                special.append(LayoutRow(line + 1, "total", explained._first(line)))
        return special

    def _column_of(self, k: int, taken: Sequence[int]) -> int:
        """Return the column of the file whose texts are most often the labels of a level."""
        explained, labels = self.explained, self.level(k)
        free = [
            column
            for column in range(max(map(len, explained.rows)))
            if column not in self.columns and column not in taken
        ]
        return max(
            free,
            key=lambda column: sum(
                2 * (text == label) + (label.endswith(text) and text != "")
                for label, text in zip(
                    labels, (explained._label(explained._at(i, column)) for i in self.lines), strict=True
                )
            ),
            default=0,
        )


def _text(row: Row, column: int) -> str:
    return label_of(row[column]).strip() if column < len(row) else ""


def _filled(texts: Sequence[str]) -> list[str]:
    """Return the texts with each blank as the text before it."""
    filled, last = list[str](), ""
    for text in texts:
        last = text or last
        filled.append(last)
    return filled
