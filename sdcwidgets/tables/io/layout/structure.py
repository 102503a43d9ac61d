"""Derive a layout from the structure of a sheet: the positions of numbers, texts and blanks.

If the import cannot read a file, it proposes this layout, and a user can correct the roles of columns and rows.
Columns of numbers are counts, unless they are decimals, codes, years or running numbers. Columns of texts are labels if
they distinguish the rows and do not follow from each other. Rows above the numbers are headings. A row of one text
between rows of counts is a note, or the heading of a block if the labels below it occur again in the next block.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import NUMBER, count_in, crossed_labels, from_spreadsheet
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.formats.base import Row, Rows
from sdcwidgets.tables.io.layout.cells import (
    are_tags,
    flag_beside,
    grouping,
    is_blank,
    is_continued,
    is_negative,
    is_number,
    is_percentage,
    is_total,
    joined_row,
    label_of,
    missing_in,
    named_once,
    says,
    says_counts,
    says_figures,
    says_percentages,
    units_in,
)
from sdcwidgets.tables.io.layout.contents import (
    is_rate,
    is_sum_of,
    says_thousands,
    scaled,
    title_says_thousands,
    unit_in,
)
from sdcwidgets.tables.io.layout.levels import upper_rows
from sdcwidgets.tables.io.layout.totals import totals_out
from sdcwidgets.tables.io.layouts import UNKNOWN, FileLayout, LayoutColumn, LayoutHeading, LayoutRow
from sdcwidgets.tables.io.plausibility import without_near_sums
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.tables.weight_names import is_weight_name

if TYPE_CHECKING:
    from sdcwidgets._util.arrays import Flags, Floats, Whole

Key = tuple[str, ...]

#: Maximum number of examined rows, of rows of headings, and of cells of a table in which totals are searched.
_MOST_ROWS, _MOST_HEADINGS, _MOST_CELLS = 5_000, 6, 1_000_000

#: Maximum number of columns of labels that are axes, and of texts in place of counts that a layout lists.
_MOST_AXES, _MOST_TEXTS = 6, 8

#: Minimum number of rows of a file of records, maximum number of combinations of labels per row of a table, and
#: maximum number of different labels of a column by which records are counted.
_LEAST_RECORDS, _MOST_SPARSE, _MOST_GROUPS = 40, 100, 20

#: Minimum number of rows with a rate, and maximum relative difference of a rate and the ratio of two counts.
_LEAST_RATES, _NEAR_RATE = 4, 0.02

#: Label that replaces a blank label during the search for totals.
_NO_LABEL = "(blank)"

#: Numbers that are read as years.
_YEARS = range(1850, 2101)


def structured(rows: Rows, base: FileLayout) -> FileLayout | None:
    """Return a layout from the structure of rows; None if no row has two filled cells, or the layout is not valid.

    Parameters
    ----------
    rows : list of list
        All rows of the sheet.
    base : FileLayout
        Layout with the sheet, the encoding and the delimiter.

    Examples
    --------
    >>> rows = [["Area", "Code", "Men", "Women"], ["Bath", "E1", "3", "-"], ["Hull", "E2", "5", "6"], ["Source: us"]]
    >>> layout = structured(rows, FileLayout((LayoutColumn(1, "label"),)))
    >>> [column.role for column in layout.columns], [row.number for row in layout.rows], layout.first
    (['label', 'other', 'count', 'count'], [4], 2)
    """
    if not any(sum(not is_blank(cell) for cell in row) > 1 for row in rows[:_MOST_ROWS]):
        return None
    with suppress(InputError):  # A layout without an axis is not valid.
        return _Structure(rows[:_MOST_ROWS], base).layout()
    return None


def _is_count(cell: object) -> bool:
    return not is_blank(cell) and not isinstance(count_in(cell), str)


def _is_figure(cell: object) -> bool:
    """Return whether a cell is a number, perhaps with a flag or a percent sign."""
    if isinstance(cell, str) and NUMBER.fullmatch(cell.strip()):
        return True
    return (
        is_number(cell) or is_percentage(cell) or (flag_beside(cell) is not None and missing_in(cell) is None)
    )


def _is_one_word(words: Set[str]) -> bool:
    """Return whether there is one text, and it has no digits, which a code such as "T001038" has."""
    return len(words) == 1 and not any(map(str.isdigit, next(iter(words))))


def _is_written_whole(cell: object) -> bool:
    """Return whether a cell is a count, perhaps with a flag, that is written without decimals, unlike "30.00"."""
    match = NUMBER.fullmatch(cell.strip()) if isinstance(cell, str) else None
    return flag_beside(cell) is not None or (_is_count(cell) and (match is None or match["mark"] is None))


def _is_decimal(cell: object) -> bool:
    """Return whether a cell is a number that cannot be a count with a separator of thousands."""
    match = NUMBER.fullmatch(cell.strip()) if isinstance(cell, str) else None
    return isinstance(count_in(cell), str) and (match is None or not match["group"])


def _unflagged(cell: object) -> object:
    """Return a cell without the flag next to its number, for example of a provisional year."""
    flagged = flag_beside(cell)
    return cell if flagged is None else flagged[0].strip()


def _value(cell: object, decimal: str) -> float:
    """Return the number in a cell; 0 if there is no number."""
    if isinstance(cell, int | float):
        return float(cell) if cell == cell else 0.0
    text = label_of(cell).strip()
    flagged = flag_beside(text) if missing_in(text) is None else None
    text = flagged[0] if flagged else text
    if NUMBER.fullmatch(text.strip()) is None:
        return 0.0
    whole, _, fraction = text.partition(decimal) if decimal else (text, "", "")
    return float(f"{_digits(whole) or '0'}.{_digits(fraction) or '0'}")


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _follows(labels: Sequence[object], others: Sequence[object]) -> bool:
    """Return whether each label always occurs with the same other label."""
    return len(set(zip(labels, others, strict=True))) == len(set(labels))


class _Structure:
    """The rows of a sheet and their structure.

    Attributes
    ----------
    numeric : list of int
        The columns of numbers.
    first, last : int
        The first row of counts and the last row with a number, from 0.
    joined : list of LayoutRow
        The rows whose headings are joined with the headings of the row below.
    head : list of int
        The rows of headings from the top.
    body : list of int
        The rows of counts.
    is_scaled : bool
        Whether a title states that the numbers are thousands or millions.
    """

    def __init__(self, rows: Rows, base: FileLayout) -> None:
        self.rows, self.base = rows, base
        self.width = max(map(len, rows))
        self._labels = dict[tuple[int, ...], tuple[list[int], list[set[object]], set[int]]]()
        self.numeric = self._columns_of_numbers(range(len(rows)), 0.5)
        self.first, self.last = self._extent()
        self.joined = self._join_headings()
        self.numeric = self._columns_of_numbers(range(self.first, self.last + 1), 4)
        self.head = self._headings()
        headings = {tuple(self._texts(i)) for i in self.head}
        inside = range(self.first, self.last + 1)
        self.is_scaled = any(map(title_says_thousands, self._titles()))
        others = [i for i in inside if tuple(self._texts(i)) not in headings]
        self.body = [i for i in others if (self._has_counts(i) if self.numeric else len(self._filled(i)) > 0)]
        self.body = self._without_percentages()
        upper = self._upper_rows()
        self.body = [i for i in self.body if i not in upper]

    def _at(self, i: int, j: int) -> object:
        return self.rows[i][j] if j < len(self.rows[i]) else None

    def text(self, i: int, j: int) -> str:
        """Return the text of a cell as a label."""
        return from_spreadsheet(label_of(self._at(i, j)).strip())

    def _texts(self, i: int) -> list[str]:
        return [self.text(i, j) for j in range(self.width)]

    def _filled(self, i: int) -> list[int]:
        return [j for j in range(self.width) if not is_blank(self._at(i, j))]

    def _columns_of_numbers(self, rows: range, times: float) -> list[int]:
        """Return the columns with at least `times` as many numbers as texts, or with many numbers beside one text."""
        numbers, texts, plain, words = Counter[int](), Counter[int](), set[int](), dict[int, set[str]]()
        for i in rows:
            filled = self._filled(i)
            if len(filled) < 2 or not any(_is_figure(self._at(i, j)) for j in filled):
                continue
            for j in filled:
                cell = self._at(i, j)
                if _is_figure(cell) and not label_of(cell).strip().startswith("00"):
                    numbers[j] += 1
                    plain |= {j} if flag_beside(cell) is None else set()
                elif missing_in(cell) is None:
                    texts[j] += 1
                    words.setdefault(j, set()).add(label_of(cell).strip())
        most = max(numbers.values(), default=0)
        of_words = [j for j in plain if texts[j] == 1 or _is_one_word(words.get(j, set()))]
        few = [j for j in of_words if numbers[j] > 1 and 2 * numbers[j] > most]
        return [j for j in sorted(plain) if j in few or numbers[j] >= times * texts[j]]

    def _has_counts(self, i: int) -> bool:
        """Return whether a row has a number in a column of numbers, or only missing values in these columns."""
        cells = [self._at(i, j) for j in self.numeric if not is_blank(self._at(i, j))]
        is_missing = len(cells) > 1 or len(self._filled(i)) > 2
        is_missing = is_missing and bool(cells) and all(map(missing_in, cells))
        return any(map(_is_figure, cells)) or is_missing or self._has_labels_of_counts(i)

    def _has_labels_of_counts(self, i: int) -> bool:
        """Return whether a row has a text in place of its counts, and the labels of a row with counts.

        Between rows with numbers, such a row may also have labels that no other row has. It then has a text in each
        column in which all rows with numbers have one, and no heading in place of its counts.
        """
        words = {self.text(i, j) for j in self.numeric}
        columns = [j for j in self._filled(i) if j not in self.numeric]
        if len(words) != 1 or not all(words) or not columns:
            return False
        with_numbers, labels, needed = self._rows_with_numbers(tuple(self.numeric))
        known = [j for j in columns if self._at(i, j) in labels[j]]
        if not with_numbers or not needed or not needed <= set(columns):
            return False
        if with_numbers[0] < i < with_numbers[-1]:
            above = (self.text(k, j) for k in range(with_numbers[0]) for j in self.numeric)
            return len(known) == len(columns) or not words & set(above)
        return len(columns) > 1 and 2 * len(known) >= len(columns)

    def _rows_with_numbers(self, numeric: tuple[int, ...]) -> tuple[list[int], list[set[object]], set[int]]:
        """Return the rows with a number in a column of numbers, their labels by column, and their full columns."""
        if numeric not in self._labels:
            rows = [i for i in range(len(self.rows)) if any(_is_figure(self._at(i, j)) for j in numeric)]
            labels = [{self._at(i, j) for i in rows} for j in range(self.width)]
            others = [j for j in range(self.width) if j not in numeric]
            full = {j for j in others if all(not is_blank(self._at(i, j)) for i in rows)}
            self._labels[numeric] = rows, labels, full
        return self._labels[numeric]

    def _without_percentages(self) -> list[int]:
        """Return the rows of counts, without rows of percentages or decimals that seem to be a second table."""
        decimals, whole = list[int](), list[int]()
        for i in self.body:
            numbers = [self._at(i, j) for j in self.numeric if _is_figure(self._at(i, j))]
            is_whole = sum(map(_is_written_whole, numbers))
            has_decimals = not self.is_scaled and 2 * is_whole < len(numbers)
            if has_decimals or (numbers and all(map(is_percentage, numbers))):
                decimals.append(i)
            elif is_whole == len(numbers) or not any(map(_is_decimal, numbers)):
                whole.append(i)
        # Listings of SAS and Stata have lines of percentages without a label below each line of counts.
        is_below = not any(self.text(i, 0) for i in decimals) and all(self.text(i, 0) for i in whole)
        is_second_table = len(whole) >= len(decimals) or (len(whole) > 1 and is_below)
        is_second_table = is_second_table and len(whole) + len(decimals) == len(self.body)
        return whole if decimals and is_second_table else self.body

    def _upper_rows(self) -> list[int]:
        """Return the rows of higher levels, whose labels of lower levels are blank, and which are sums."""
        columns = [j for j in range(self.width) if j not in self.numeric]
        full = [j for j in self.numeric if all(_is_count(self._at(i, j)) for i in self.body)]
        full = [j for j in full if columns and j > max(columns)]
        if len(columns) < 2 or not full or not self.body:
            return []
        counts = np.array([[count_in(self._at(i, j)) for j in full] for i in self.body], dtype=np.int64)
        return upper_rows({i: self.rows[i] for i in self.body}, columns, counts)

    def _extent(self) -> tuple[int, int]:
        """Return the first row of counts and the last row with a number."""
        with_numbers = [i for i in range(len(self.rows)) if self._has_counts(i) and self._filled(i)[-1] > 0]
        if not with_numbers:
            head = next(i for i in range(len(self.rows)) if len(self._filled(i)) > 1)
            return min(head + 1, len(self.rows) - 1), len(self.rows) - 1
        sizes = [sum(_is_figure(self._at(i, j)) for j in self.numeric) for i in with_numbers]
        usual = sorted(sizes)[len(sizes) // 2]
        for i, size in zip(with_numbers, sizes, strict=True):
            is_full = 2 * size >= usual or self._has_labels_of_counts(i)
            if is_full and not self._is_heading_of_numbers(i, with_numbers):
                return i, with_numbers[-1]
        return with_numbers[0], with_numbers[-1]

    def _is_heading_of_numbers(self, i: int, with_numbers: Sequence[int]) -> bool:
        """Return whether a row above the counts has years, or running numbers of the columns."""
        columns = [j for j in self.numeric if _is_figure(self._at(i, j))]
        below = [k for k in with_numbers if k > i][:9]
        under = [count_in(self._at(k, j)) for k in below for j in columns]
        if len(columns) > 1 and all(count_in(_unflagged(self._at(i, j))) in _YEARS for j in columns):
            return sum(number in _YEARS for number in under) * 2 < len(under)
        return bool(below) and self._is_numbering(i)

    def _is_numbering(self, i: int) -> bool:
        """Return whether the numbers of a row are running numbers of the columns."""
        columns = [j for j in self.numeric if _is_figure(self._at(i, j))]
        numbers = [count_in(self._at(i, j)) for j in columns]
        in_order = [range(first, first + len(numbers)) for first in (0, 1, 2)]
        return len(numbers) > 2 and (
            any(numbers == list(order) for order in in_order) or numbers == [j + 1 for j in columns]
        )

    def _join_headings(self) -> list[LayoutRow]:
        """Join headings that continue in the row below, and return the rows with their first lines."""
        joined = list[LayoutRow]()
        for i in range(self.first - 1):
            upper, lower = self.rows[i], self.rows[i + 1]
            if is_continued(upper, lower):
                label = label_of(upper[self._filled(i)[0]]).strip()
                joined.append(LayoutRow(i + 1, "join", label))
                self.rows = [*self.rows[:i], [], joined_row(upper, lower), *self.rows[i + 2 :]]
        return joined

    def _headings(self) -> list[int]:
        """Return the rows directly above the counts that have a text above a column of numbers."""
        start = min(self.numeric, default=1)
        head = list[int]()
        blank = 0
        for i in reversed(range(self.first)):
            filled = self._filled(i)
            if not filled:
                blank += 1
                if head or blank > 1:
                    break
                continue
            over = [j for j in filled if j >= start]
            if over and (self._is_numbering(i) or are_tags(self.rows[i])):
                continue
            if over and (len(filled) > 1 or over[0] > 0) and len(head) < _MOST_HEADINGS:
                head.insert(0, i)
            elif head:
                break
        return head

    def layout(self) -> FileLayout:
        """Return the layout."""
        roles = _Roles(self)
        counts, labels = roles.counts, roles.labels
        header = self._header()
        blocks = self._blocks(labels)
        totals, left_out = self._totals(labels, counts, roles.filled, blocks)
        read = [j for j in counts if j not in totals]
        headings, stated = self._axes_of_headings(read)
        categories = dict(zip(read, stated, strict=True)) if stated else {}
        names = {j: "" if header is None else self.text(header, j) for j in range(self.width)}
        columns = [
            self._column_of_labels(j, names[j], left_out.get(j, ()), j in roles.filled) for j in labels
        ]
        columns, headings = self._with_names(columns, headings, labels, counts, blocks)
        if header in blocks:  # The text over the labels is the heading of a block.
            columns = [replace(column, axis="Row") for column in columns]
        for j in range(self.width):
            if j in counts:
                role = "total" if j in totals else "count"
                columns.append(LayoutColumn(j + 1, role, names[j], categories=categories.get(j, ())))
            elif j not in labels and (names[j] or self._holds(j)):
                columns.append(LayoutColumn(j + 1, "other", names[j]))
        below = self._below_header(blocks)
        groups, decimal, flags = self._numbers(counts)
        return replace(
            self.base,
            columns=tuple(columns),
            headings=tuple(headings) if len(read) > 1 or not labels else (),
            rows=(*self.joined, *self._special_rows(labels, blocks)),
            header=header + 1 if header is not None else 0,
            first=min([self.first, *below]) + 1,
            repeated="error" if counts else "sum",
            unit=self._unit(roles),
            thousands=groups,
            decimal=decimal,
            flags=flags,
        )

    def _names_of_labels(
        self, labels: Sequence[int], counts: Sequence[int], blocks: Mapping[int, str]
    ) -> dict[int, str]:
        """Return the names of columns of labels in a row of headings without labels of counts, if there is one.

        A heading of a block is no such row.
        """
        header = self._header()
        if header is None:
            return {}
        has_corner = any(self.text(header, j) for j in labels)
        above = [] if has_corner else [i for i in self.head if i < header]
        below = [i for i in range(header + 1, self.first) if i not in blocks]
        for i in (*above, *below):
            names = {j: self.text(i, j) for j in labels}
            above_counts = {self.text(i, j) for j in counts} - {""}
            are_names = len(set(names.values()) - {""}) == len(labels) and len(above_counts) < 2
            # A text with digits is a title or a date.
            if are_names and not any(map(str.isdigit, "".join(names.values()))):
                return names
        return {}

    def _with_names(
        self,
        columns: list[LayoutColumn],
        headings: list[LayoutHeading],
        labels: Sequence[int],
        counts: Sequence[int],
        blocks: Mapping[int, str],
    ) -> tuple[list[LayoutColumn], list[LayoutHeading]]:
        """Return columns of labels, and headings, with the names of their axes in a row of names, if there is one.

        The corner above the labels then names the only axis of headings.
        """
        names = self._names_of_labels(labels, counts, blocks)
        if not names:
            return columns, headings
        header = self._header()
        corner = next(
            (self.text(header, j) for j in labels if header is not None and self.text(header, j)), ""
        )
        if corner and len(headings) == 1:
            headings = [replace(headings[0], axis=corner)]
        return [replace(column, axis=names[column.number - 1]) for column in columns], headings

    def _below_header(self, blocks: Mapping[int, str]) -> list[int]:
        """Return the rows that are headings of rows and are below the row of headings."""
        header = self._header()
        return [i for i in blocks if header is None or i > header]

    def _holds(self, j: int) -> bool:
        return any(not is_blank(self._at(i, j)) for i in range(self.first, len(self.rows)))

    def _column_of_labels(self, j: int, heading: str, left_out: tuple[str, ...], fill: bool) -> LayoutColumn:
        column = LayoutColumn(j + 1, "label", heading, left_out=left_out, fill=fill)
        has_blank = any(not self.text(i, j) for i in self.body) and not fill and "" not in left_out
        column = replace(column, renamed={"": UNKNOWN}) if has_blank and self._has_other_labels(j) else column
        texts = [self.text(i, j) for i in self.body]
        labels = [text for text in texts if text not in left_out]
        return replace(column, split=len(set(labels)) == len(labels) and bool(crossed_labels(labels)))

    def _has_other_labels(self, j: int) -> bool:
        """Return whether rows without a label in a column have one in another."""
        return all(len(self._filled(i)) > 2 for i in self.body if not self.text(i, j))

    def _header(self) -> int | None:
        """Return the row of headings with the most different texts."""
        if not self.head:
            return None
        return max(reversed(self.head), key=lambda i: len(set(self._texts(i)) - {""}))

    def _names_across(self, counts: Sequence[int]) -> tuple[dict[int, list[str]], str]:
        """Return the labels of the columns in each row of headings with different texts, and a name above all."""
        lines, name = dict[int, list[str]](), ""
        for i in self.head:
            texts = [self.text(i, j) for j in counts]
            if i == self.head[-1] and len(self.head) > 1 and not self._is_name(i, counts):
                filled = [text or self._above(i, j) for text, j in zip(texts, counts, strict=True)]
            else:
                filled = self._filled_across(i, counts)
            if len(set(filled)) > 1 and all(filled):
                lines[i] = filled
            elif len(set(texts) - {""}) == 1 and len(counts) > 1:
                name = next(text for text in texts if text)
        return lines, name

    def _is_name(self, i: int, counts: Sequence[int]) -> bool:
        """Return whether a row of headings only names the counts.

        The row has the same text above all columns, or it has one text and is below complete headings.
        """
        texts = [self.text(i, j) for j in counts]
        above = [self._above(i, j) for j in counts]
        is_below_headings = all(above) and len(set(above)) == len(above)
        return len(set(texts)) == 1 or (len(list(filter(None, texts))) == 1 and is_below_headings)

    def _above(self, i: int, j: int) -> str:
        return next((self.text(k, j) for k in reversed(self.head) if k < i and self.text(k, j)), "")

    def _stated(self, counts: Sequence[int]) -> list[str]:
        """Return a unique label for each column of counts, which joins all its headings."""
        lines, _ = self._names_across(counts)
        seen, stated = Counter[str](), list[str]()
        for k, j in enumerate(counts):
            label = " ".join(dict.fromkeys(line[k] for line in lines.values())) or f"Column {j + 1}"
            seen[label] += 1
            stated.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
        return stated

    def _crossed(self, counts: Sequence[int]) -> list[tuple[str, ...]]:
        """Return the labels of the columns in several rows of headings, if each combination of labels occurs once."""
        lines, _ = self._names_across(counts)
        kept = named_once(range(len(lines)), list(lines.values()))
        keys = list(zip(*(list(lines.values())[k] for k in kept), strict=True))
        sizes = [len(set(part)) for part in zip(*keys, strict=True)]
        return keys if len(sizes) > 1 and len(set(keys)) == len(counts) == math.prod(sizes) else []

    def _axes_of_headings(self, counts: Sequence[int]) -> tuple[list[LayoutHeading], list[tuple[str, ...]]]:
        """Return the axes of headings, and the labels of each column if the columns must state the labels."""
        if len(counts) < 2:
            return [], []
        lines, name = self._names_across(counts)
        rows = list(lines)
        kept = [rows[k] for k in named_once(range(len(rows)), list(lines.values()))]
        unique = [i for i in kept if len(set(lines[i])) == len(counts)]
        kept = unique[-1:] or kept
        keys = list(zip(*(lines[i] for i in kept), strict=True))
        if not kept or len(set(keys)) < len(counts):
            return [LayoutHeading(name or "Column")], [(label,) for label in self._stated(counts)]
        crossed = crossed_labels([key[0] for key in keys]) if len(kept) == 1 else []
        if crossed:
            return [LayoutHeading(f"Heading {k + 1}") for k in range(len(crossed[0]))], crossed
        names = ["Column"] if len(kept) == 1 else [f"Heading {k + 1}" for k in range(len(kept))]
        names[-1] = name or names[-1]
        return self._rows_of_headings(dict(zip(kept, names, strict=True)), lines, counts, keys)

    def _rows_of_headings(
        self, names: Mapping[int, str], lines: Mapping[int, list[str]], counts: Sequence[int], keys: list[Key]
    ) -> tuple[list[LayoutHeading], list[Key]]:
        """Return axes whose labels are the texts of rows; if blanks prevent this, let the columns state the labels."""
        made = list[LayoutHeading]()
        for i, axis in names.items():
            plain = [self.text(i, j) for j in counts]
            if plain != lines[i] and _filled_down(plain) != lines[i]:
                return [LayoutHeading(axis) for axis in names.values()], keys
            made.append(LayoutHeading(axis, i + 1, fill=plain != lines[i]))
        return made, []

    def _filled_across(self, i: int, counts: Sequence[int]) -> list[str]:
        """Return the headings of columns; a blank, as in merged cells, has the heading of the column before."""
        last, filled = "", dict[int, str]()
        # Headings of tables side by side begin above the labels of each table.
        is_above_labels = not set(self._filled(i)) & {*self.numeric, *counts}
        start = 0 if is_above_labels else min([*self.numeric, *counts], default=0)
        for j in range(start, self.width):
            last = self.text(i, j) or last
            filled[j] = last
        return [filled[j] for j in counts]

    def _blocks(self, labels: Sequence[int]) -> dict[int, str]:
        """Return the rows that are headings of the rows below, with their labels."""
        if len(labels) != 1:
            return {}
        texts = {i: self.text(i, labels[0]) for i in self.body}
        times = Counter(texts.values())
        if len(times) == len(texts):
            return {}
        between = self._rows_between()
        once = [i for i in self.body if times[texts[i]] == 1]
        corners = self._corners(labels[0])
        for candidates in (corners, self._titles_of_parts(), between, once):
            parts = _parts_after(candidates, self.body)
            if candidates is once and not all(self._may_be_sum(i, parts[i]) for i in once if parts[i]):
                continue
            has_own_label = candidates is once or candidates is corners
            blocks = {
                i: self.text(i, labels[0] if has_own_label else self._filled(i)[-1])
                for i in candidates
                if parts[i]
            }
            if _are_different(list(blocks.values())) and all(
                len({texts[k] for k in parts[i]}) == len(parts[i]) for i in blocks
            ):
                return blocks
        return {}

    def _may_be_sum(self, i: int, parts: Sequence[int]) -> bool:
        """Return whether a row may be the total of other rows, which can include sub-totals.

        Then, each of its counts is between the largest count of the other rows and their sum. Such a row is not the
        heading of a block, because its counts would be skipped.
        """
        for j in self.numeric:
            total = count_in(self._at(i, j))
            counts = [count_in(self._at(part, j)) for part in parts]
            numbers = [count for count in counts if not isinstance(count, str)]
            if isinstance(total, str) or len(numbers) < len(counts):
                continue
            tolerance = max(5 * len(parts), total / 20)
            if not max(numbers, default=0) - tolerance <= total <= sum(numbers) + tolerance:
                return False
        return True

    def _corners(self, label: int) -> list[int]:
        """Return the rows with the same headings if the column of labels has another text in each of them."""
        if not self.head:
            return []
        headings = [self._texts(i) for i in range(self.last)]
        behind = headings[self.head[-1]][label + 1 :]
        rows = [i for i, texts in enumerate(headings) if texts[label + 1 :] == behind and texts[label]]
        return rows if len({headings[i][label] for i in rows}) == len(rows) > 1 and any(behind) else []

    def _titles_of_parts(self) -> list[int]:
        """Return, for each occurrence of the same headings, the last row above it that occurs nowhere else."""
        repeated = [i for i in range(self.last) if self.head and self._texts(i) == self._texts(self.head[-1])]
        between = list[dict[Key, int]]()
        for start, stop in zip([-1, *repeated], repeated, strict=False):
            end = max((i for i in self.body if i < stop), default=start)
            rows = [i for i in range(end + 1, stop) if self._filled(i)]
            between.append({tuple(self._texts(i)): i for i in rows})
        times = Counter(itertools.chain(*between))
        own = [[i for texts, i in part.items() if times[texts] == 1] for part in between]
        return [part[-1] for part in own] if len(own) > 1 and all(own) else []

    def _rows_between(self) -> list[int]:
        """Return the rows of one or two texts between rows of counts."""
        inside = set(self.body)
        rows = range(max([*self.head, -1]) + 1, self.last)
        return [
            i for i in rows if i not in inside and 0 < len(self._filled(i)) < 3 and not self._has_counts(i)
        ]

    def _block_of(self, blocks: Mapping[int, str]) -> dict[int, str]:
        """Return the label of the block of each row of counts."""
        above, result = "", dict[int, str]()
        for i in sorted({*self.body, *blocks}):
            above = blocks.get(i, above)
            if i not in blocks and (above or not blocks):
                result[i] = above
        return result

    def _keys(self, labels: Sequence[int], filled: Set[int], blocks: Mapping[int, str]) -> dict[int, Key]:
        """Return the labels of each row of counts; the first one is the label of its block."""
        keys, above, block_of = dict[int, Key](), dict[int, str](), self._block_of(blocks)
        for i, block in block_of.items():
            for j in labels:
                text = self.text(i, j) or (above.get(j, "") if j in filled else "")
                above[j] = text or _NO_LABEL
            keys[i] = (*((block,) if blocks else ()), *(above[j] for j in labels))
        return keys

    def _values(self, lines: Sequence[int], counts: Sequence[int]) -> tuple[Floats, Flags]:
        """Return the numbers in some rows and columns, and a mask of the cells with a number."""
        decimal = self._numbers(counts)[1]
        cells = [[self._at(i, j) for j in counts] for i in lines]
        values = np.array([[_value(cell, decimal) for cell in line] for line in cells])
        return values, np.array([[_is_figure(cell) for cell in line] for line in cells])

    def _totals(
        self, labels: Sequence[int], counts: Sequence[int], filled: Set[int], blocks: Mapping[int, str]
    ) -> tuple[set[int], dict[int, tuple[str, ...]]]:
        """Return the columns of totals, and the labels of totals of each column of labels."""
        stated = self._stated(counts)
        across = self._crossed(counts) or crossed_labels(stated) or [(label,) for label in stated]
        keys = _with_labels(self._keys(labels, filled, blocks))
        self.total_blocks = set[str]()
        if not counts or not keys or len(set(keys.values())) < len(keys):
            return {j for j, key in zip(counts, across, strict=True) if any(map(is_total, key))}, {}
        values, known = self._values(list(keys), counts)
        out = _totals_of(list(keys.values()), across, values, known)
        if blocks:
            self.total_blocks = out.pop(0)
        n = len(labels)
        columns = {j for j, key in zip(counts, across, strict=True) if _is_among(key, out[n:])}
        left_out = dict[int, tuple[str, ...]]()
        for k, j in enumerate(labels):
            seen = dict.fromkeys(key[k + bool(blocks)] for key in keys.values())
            left_out[j] = tuple("" if label == _NO_LABEL else label for label in seen if label in out[k])
        return columns, left_out

    def _special_rows(self, labels: Sequence[int], blocks: Mapping[int, str]) -> list[LayoutRow]:
        """Return the rows below the header row that are not read as counts."""
        special = list[LayoutRow]()
        block_of = self._block_of(blocks)
        inside = set(self.body)
        start = min([self.first, *blocks])
        for i in range(start, len(self.rows)):
            filled = self._filled(i)
            if not filled:
                continue
            label = label_of(self._at(i, filled[0])).strip()
            if i in blocks:
                is_total = blocks[i] in self.total_blocks
                own = (blocks[i],) if not is_total and blocks[i] != label else ()
                special.append(LayoutRow(i + 1, "skip" if is_total else "block", label, own))
            elif i < self.first:
                continue
            elif i not in inside:
                special.append(LayoutRow(i + 1, "other", label))
            elif i not in block_of or (labels and all(not self.text(i, j) for j in labels)):
                special.append(LayoutRow(i + 1, "total", label))
        return special

    def _titles(self) -> list[str]:
        return [self.text(i, j) for i in range(self.first) for j in self._filled(i)]

    def _unit(self, roles: _Roles) -> int:
        """Return the number of people of a count of 1, by the titles and by labels that all rows have.

        The headings of columns that are not read are ignored, because they do not concern the counts.
        """
        header, read = self._header(), {*roles.counts, *roles.labels}
        places = [(i, j) for i in range(self.first) for j in self._filled(i)]
        titles = [self.text(i, j) for i, j in places if i not in self.head]
        headings = [
            self.text(i, j)
            for i, j in places
            if i in self.head and (i != header or j in read or j not in self.numeric)
        ]
        units = [*filter(title_says_thousands, titles), *filter(says_thousands, headings)]
        units += filter(title_says_thousands, roles.constant.values())
        unit = next(itertools.filterfalse(is_rate, units), "")
        for name, label in roles.constant.items():
            if says("measure", name) and not is_rate(label.replace("_", " ")):
                unit = unit or scaled([label])
        return unit_in(unit) if unit else 1

    def _numbers(self, counts: Sequence[int]) -> tuple[str, str, tuple[str, ...]]:
        """Return the separators of thousands, the decimal mark and the flags of the counts."""
        groups, marks, flags = set[str](), set[str](), set[str]()
        cells = (self._at(i, j) for i in self.body for j in counts)
        for cell in cells:
            if not isinstance(cell, str) or missing_in(cell):
                continue
            flagged = flag_beside(cell)
            if flagged:
                flags.add(flagged[1])
            match = NUMBER.fullmatch((flagged[0] if flagged else cell).strip())
            if match is not None:
                groups |= {match["group"]} - {None, ""}
                marks |= {match["mark"]} - {None}
        decimal = min(marks, default="")
        return "".join(sorted(groups - {decimal})), decimal, tuple(sorted(flags))


class _Roles:
    """The columns of counts and of labels.

    Attributes
    ----------
    counts, labels : list of int
    filled : set of int
        Columns of labels whose blanks repeat the label above.
    rates : set of int
        Columns of rates of the counts.
    constant : dict of str to str
        Labels that all rows have, by the headings of the columns.
    """

    def __init__(self, structure: _Structure) -> None:
        self.structure, self.body = structure, structure.body
        self.columns = {j: [structure.text(i, j) for i in self.body] for j in range(structure.width)}
        names = structure._header()
        self.names = ["" if names is None else structure.text(names, j) for j in range(structure.width)]
        self.filled = {j for j in self.columns if self._repeats(j)}
        self.texts = {
            j: _filled_down(column) if j in self.filled else column for j, column in self.columns.items()
        }
        self.rates = set[int]()
        self.counts = self._columns_of_counts()
        self.labels = self._columns_of_labels()
        self._choose_numbers()
        if self._are_records():
            self.counts, self.labels = [], self._groups()
        texts = {j: column for j, column in self.columns.items() if j not in self.counts and column}
        self.constant = {self.names[j]: column[0] for j, column in texts.items() if len(set(column)) == 1}

    def _repeats(self, j: int) -> bool:
        """Return whether the blanks of a column repeat the label above, as in merged cells."""
        column = self.columns[j]
        blanks = sum(not text for text in column)
        if (
            not blanks
            or not column[0]
            or (j in self.structure.numeric and not _are_years([text for text in column if text]))
            or j > min(self.structure.numeric, default=0)
        ):
            return False
        if any(text and text == before for text, before in itertools.pairwise(column)):
            return False
        # If a label starts twice, a blank may be a separate category.
        starts = [text for text, before in zip(column, ["", *column], strict=False) if text]
        return len(set(starts)) == len(starts) or blanks >= len(starts)

    def _over(self, j: int) -> str:
        """Return the headings of a column, without one text above the first of several columns, which is above all."""
        structure = self.structure
        over = {i: [k for k in structure.numeric if structure.text(i, k)] for i in structure.head}
        columns = sorted({k for row in over.values() for k in row})
        return " ".join(structure.text(i, j) for i in over if len(columns) < 2 or over[i] != columns[:1])

    def _columns_of_counts(self) -> list[int]:
        """Return the columns of counts: whole numbers that are not codes, years or other figures; else decimals."""
        cells = {j: [self.structure._at(i, j) for i in self.body] for j in self.structure.numeric}
        numeric = [j for j, column in cells.items() if any(self.columns[j]) and not _are_differences(column)]
        whole = [j for j in numeric if self._may_count(j, cells[j]) and not self._is_code(j)]
        rest = [j for j in numeric if j not in whole and not self._says_figures(j)]
        whole, decimal = self._decimals(whole, rest, cells)
        if self.structure.is_scaled:
            counts = sorted([*whole, *decimal])
        elif not decimal or any(_is_varied(self.columns[j]) for j in whole) or len(whole) > 1:
            counts = whole or decimal
        else:
            counts = decimal  # If the file has decimals, whole numbers that occur many times are codes.
        counts = self._behind_labels(counts)
        return self._named_counts(self._under_headings(counts))

    def _decimals(
        self, whole: list[int], rest: Sequence[int], cells: dict[int, Row]
    ) -> tuple[list[int], list[int]]:
        """Return the columns of whole numbers, and the columns of decimals with their totals."""
        decimal = [j for j in rest if self._are_decimals(cells[j]) and not self._is_attribute(j)]
        varied = [j for j in decimal if len(set(self.columns[j])) > 1]
        decimal = varied or decimal
        totals = [j for j in whole if is_sum_of(cells[j], [cells[k] for k in decimal])]
        return [j for j in whole if j not in totals], sorted([*decimal, *totals])

    def _is_attribute(self, j: int) -> bool:
        """Return whether a column has the same number in all rows of a label, such as the latitude of a district."""
        numbers = self.columns[j]
        for k, column in self.columns.items():
            labels = set(column)
            is_label = k not in self.structure.numeric and 1 < 2 * len(labels) <= len(numbers)
            if (
                is_label
                and len(set(zip(column, numbers, strict=True))) == len(labels)
                and len(set(numbers)) > 1
            ):
                return True
        return False

    def _behind_labels(self, counts: list[int]) -> list[int]:
        """Return the columns to the right of the first column of texts, because numbers to its left are codes."""
        texts = (j for j, column in self.columns.items() if j not in self.structure.numeric and any(column))
        start = next(texts, 0)
        return [j for j in counts if j > start] or counts

    def _named_counts(self, counts: list[int]) -> list[int]:
        """Return the only column whose heading names counts, if the file is a long table; otherwise all columns."""
        named = [j for j in counts if says_counts(self.names[j])]
        texts = [j for j in self.columns if j not in self.structure.numeric and len(set(self.columns[j])) > 1]
        is_long = len(texts) > 1 or not all(_is_varied(self.columns[j]) for j in counts)
        rates = {j: self._rate_of(j, named) for j in counts if len(named) == 1 and j not in named}
        cases = [j for j, rate in rates.items() if rate is not None]
        if is_long and len(cases) == 1:
            self.rates = {rate for rate in rates.values() if rate is not None}
            return cases  # The named column is the population of a rate, such as that of deaths.
        return named if len(named) == 1 and len(self.structure.head) == 1 and is_long else counts

    def _rate_of(self, cases: int, populations: Sequence[int]) -> int | None:
        """Return the column of the cases per 100, 1,000, 10,000 or 100,000 people of a population, if there is one."""
        for population, rate in itertools.product(populations, self.columns):
            columns = (self.columns[j] for j in (cases, population, rate))
            rows = [line for line in zip(*columns, strict=True) if all(map(NUMBER.fullmatch, line))]
            values = np.array([[_value(text, ".") for text in line] for line in rows]).reshape(-1, 3)
            values = values[(values > 0).all(axis=1)]
            if len(values) < _LEAST_RATES or rate in (cases, population):
                continue
            shares = values[:, 0] / values[:, 1]
            if any((np.abs(values[:, 2] / shares / 10**k - 1) < _NEAR_RATE).all() for k in (2, 3, 4, 5)):
                return rate
        return None

    def _under_headings(self, counts: list[int]) -> list[int]:
        """Return columns without one or two at the start, if these lack a heading that the other columns have."""
        structure = self.structure
        for i in structure.head:
            over = [j for j in counts if structure.text(i, j)]
            before = [j for j in counts if over and j < over[0] and not structure._above(i, j)]
            if len(over) > 1 and 0 < len(before) < 3:
                return [j for j in counts if j not in before]
        return counts

    def _may_count(self, j: int, cells: Row) -> bool:
        """Return whether a column may have counts."""
        cells = [cell for cell in cells if not is_negative(cell)]
        numbers = [count_in(cell) for cell in cells if _is_figure(cell) and flag_beside(cell) is None]
        counts = [number for number in numbers if isinstance(number, int)]
        percentages = sum(map(is_percentage, cells))
        if 2 * len(counts) < len(numbers) or 2 * percentages >= len(cells) or self._says_figures(j):
            return False
        over = self._over(j)
        names_counts = says_counts(over) or units_in(over) == ["people"]
        are_numbers = _are_running(counts) and not (names_counts and _have_equal_steps(counts))
        return not (are_numbers or self._are_labels(j, counts) or is_weight_name(over))

    def _are_labels(self, j: int, counts: Sequence[int]) -> bool:
        """Return whether whole numbers are years, have a leading zero, or are constant in one of several columns."""
        column = [text for text in self.columns[j] if text]
        if len(counts) > 1 and all(number in _YEARS for number in counts):
            return True
        if any(len(text) > 1 and text.startswith("0") and text.isdecimal() for text in column):
            return True
        return len(column) > 2 and len(set(column)) == 1 and self.structure.numeric != [j]

    def _is_code(self, j: int) -> bool:
        """Return whether a column of numbers follows from a column of texts, or increases beside the names of rows."""
        own = self.columns[j]
        counts = [count_in(text) for text in own]
        numbers = [number for number in counts if isinstance(number, int)]
        is_increasing = all(number < after for number, after in itertools.pairwise(numbers))
        is_before_text = (
            j + 1 in self.columns and j + 1 not in self.structure.numeric and any(self.columns[j + 1])
        )
        if len(numbers) == len(own) > 3 and is_increasing and is_before_text:
            return True
        for k, texts in self.texts.items():
            if (
                k not in self.structure.numeric
                and 1 < len(set(texts)) < len(self.body)
                and _follows(texts, own)
            ):
                return True
        return False

    def _says_figures(self, j: int) -> bool:
        over = self._over(j).replace("_", " ")
        return says_percentages(over) or says_figures(over)

    def _are_decimals(self, cells: Row) -> bool:
        numbers = [cell for cell in cells if _is_figure(cell)]
        return any(isinstance(count_in(cell), str) for cell in numbers) and not any(map(is_percentage, cells))

    def _columns_of_labels(self) -> list[int]:
        """Return the columns of texts that distinguish the rows, without columns that follow from another column."""
        candidates = self._candidates()
        candidates = [j for j in candidates if not self._is_key(j, candidates)]
        kept = [
            candidates[k] for k in named_once(range(len(candidates)), [self.texts[j] for j in candidates])
        ]
        for j in sorted(kept, key=lambda j: j not in self.structure.numeric):
            others = [k for k in kept if k != j]
            is_unique = len(set(self.texts[j])) == len(self.body)
            if others and is_unique and self._identifies_rows(others):
                kept.remove(j)  # The labels identify rows, which the other columns also do.
        for j in list(kept):
            if any(k != j and _follows(self.texts[k], self.texts[j]) for k in kept):
                kept.remove(j)
        return kept[:_MOST_AXES] or candidates[:1]

    def _is_key(self, j: int, candidates: Sequence[int]) -> bool:
        """Return whether the labels of a column combine two or more other columns, as keys of time series do."""
        own = self.texts[j]
        groups = {grouping(self.texts[k]) for k in candidates if _follows(own, self.texts[k])} - {
            grouping(own)
        }
        sizes = [len(set(group)) for group in groups]
        together = len(set(zip(*groups, strict=True)))
        return len(groups) > 1 and together == len(set(own)) == math.prod(sizes)

    def _candidates(self) -> list[int]:
        """Return the columns with several texts, without columns of flags and remarks if there are other columns."""
        numeric = self.structure.numeric
        unread = {*self.counts, *self.rates}
        several = [j for j, texts in self.texts.items() if j not in unread and len(set(texts)) > 1]
        several = [j for j in several if j not in numeric or _are_years(self.texts[j])]
        last = max(self.counts, default=self.structure.width)
        first = min(self.counts, default=last)
        if any(j < first for j in several):
            several = [j for j in several if j < first or not self._is_own(j)]
        beside = [j for j in several if j < last or all(self.texts[j]) or len(set(self.texts[j])) > 2]
        return [j for j in beside if 2 * sum(not text for text in self.texts[j]) <= len(self.body)] or beside

    def _is_own(self, j: int) -> bool:
        """Return whether most rows have different texts in a column, such as remarks or intervals."""
        return 3 * len(set(self.texts[j])) > 2 * len(self.body)

    def _choose_numbers(self) -> None:
        """Use columns of numbers as labels if the labels do not distinguish the rows.

        If the rows are still not distinguished, each row is a person, and there are no columns of counts.
        """
        if self.labels and (self._identifies_rows(self.labels) or self.structure._blocks(self.labels)):
            return
        whole = self._whole_numbers()
        # Counts mostly differ from row to row. Such a column behind codes that distinguish the rows has the counts.
        codes = [j for j in whole if not self._is_own(j)]
        if codes == whole[:-1] and self._identifies_rows([*self.labels, *codes]):
            whole = codes
        if self._take_crossed(whole) or self._take_one(whole) or self._take_several(whole):
            return
        if self._number_of(self.labels) * 2 <= len(self.body) or not self.labels:
            self.counts = []  # Each row is one person.
        if not self.labels:
            self.labels = [j for j, texts in self.texts.items() if any(texts) and j not in self.counts][:1]

    def _are_records(self) -> bool:
        """Return whether each row is probably a person, by its identifier or by the many combinations of labels.

        Most columns of numbers beside an identifier have few different numbers, which are codes, or the labels have
        many times more combinations than rows.
        """
        rows = len(self.body)
        if rows < _LEAST_RECORDS or not self.counts:
            return False
        sizes = {j: len(set(self.texts[j])) for j in (*self.labels, *self.counts)}
        if math.prod(sizes[j] for j in self.labels) > _MOST_SPARSE * rows:
            return True
        identifiers = [j for j in self.labels if sizes[j] == rows and self._are_identifiers(j)]
        coded = [j for j in self.counts if 3 * sizes[j] <= rows]
        return bool(identifiers) and 2 * len(coded) >= len(self.counts) > 1

    def _are_identifiers(self, j: int) -> bool:
        """Return whether the labels of a column have digits but no letters, and do not number the rows."""
        texts = [_digits(text) for text in self.texts[j]]
        has_letters = any(letter.isalpha() for text in self.texts[j] for letter in text)
        return all(texts) and not has_letters and not _are_running(list(map(int, texts)))

    def _groups(self) -> list[int]:
        """Return columns with few different labels, in which people can be counted."""
        sizes = {j: len(set(texts)) for j, texts in self.texts.items()}
        grouped, cells = list[int](), 1
        for j in sorted(sizes, key=lambda j: (j in self.structure.numeric, j)):
            if 1 < sizes[j] <= _MOST_GROUPS and cells * sizes[j] * 2 <= len(self.body):
                grouped, cells = [*grouped, j], cells * sizes[j]
        return sorted(grouped) or [j for j in sizes if sizes[j] > 1][:1]

    def _whole_numbers(self) -> list[int]:
        """Return the columns of whole numbers that may distinguish rows and do not follow from labels."""
        whole = [j for j in self.structure.numeric if all(text.isdecimal() for text in self.texts[j] if text)]
        whole = [j for j in whole if len(set(self.texts[j])) > 1 and self.counts and self.counts != [j]]
        return [j for j in whole if not any(_follows(self.texts[k], self.texts[j]) for k in self.labels)]

    def _take_one(self, whole: Sequence[int]) -> bool:
        """Use a column of numbers as labels if it distinguishes the rows together with the other labels."""
        for j in sorted(whole, key=lambda j: len(set(self.texts[j])) == len(self.body)):
            if j not in self.labels and self._identifies_rows([*self.labels, j]):
                self._take(j)
                return True
        return False

    def _take_crossed(self, whole: Sequence[int]) -> bool:
        """Use two columns of numbers as labels if each combination of their numbers is in exactly one row."""
        for first, second in itertools.combinations(whole, 2):
            number = len(set(self.texts[first])) * len(set(self.texts[second]))
            if not self.labels and number == len(self.body) and self._identifies_rows([first, second]):
                self._take(first)
                self._take(second)
                return True
        return False

    def _take_several(self, whole: Sequence[int]) -> bool:
        """Use columns with few different numbers as labels, until the labels distinguish the rows."""
        for j in whole:
            if 3 * len(set(self.texts[j])) <= len(self.body) + 3 and self.counts != [j]:
                self._take(j)
            if self._identifies_rows(self.labels):
                return True
        return False

    def _take(self, j: int) -> None:
        """Use a column of numbers as labels, and not as counts."""
        self.counts = [k for k in self.counts if k != j]
        self.labels = sorted([*self.labels, j])

    def _number_of(self, those: Sequence[int]) -> int:
        return len(set(zip(*(self.texts[j] for j in those), strict=True)))

    def _identifies_rows(self, those: Sequence[int]) -> bool:
        return self._number_of(those) == len(self.body)


def _with_labels(keys: dict[int, Key]) -> dict[int, Key]:
    """Return rows with a label; keep rows without labels if blanks occur on each axis of the other rows."""
    labelled = {i: key for i, key in keys.items() if set(key) != {_NO_LABEL}}
    is_category = all(_NO_LABEL in part for part in zip(*labelled.values(), strict=True))
    return keys if is_category else labelled


def _totals_of(keys: Sequence[Key], across: Sequence[Key], values: Floats, known: Flags) -> list[set[str]]:
    """Return the labels of totals on each axis of a table with these labels of rows and of columns."""
    axes = [tuple(dict.fromkeys(part)) for part in (*zip(*keys, strict=True), *zip(*across, strict=True))]
    if math.prod(map(len, axes)) > _MOST_CELLS or len(axes) > _MOST_AXES + 3:
        return [set[str]() for _ in axes]
    scale = 1 if (values == np.floor(values)).all() else 1000
    table = np.zeros([len(axis) for axis in axes], dtype=np.int64)
    gaps = np.zeros(table.shape, dtype=np.bool_)
    positions = [{label: k for k, label in enumerate(axis)} for axis in axes]
    for i, key in enumerate(keys):
        for j, over in enumerate(across):
            place = tuple(where[label] for where, label in zip(positions, (*key, *over), strict=True))
            table[place], gaps[place] = round(values[i, j] * scale), not known[i, j]
    named = [Axis(f"Axis {k}", axis) for k, axis in enumerate(axes)]
    if not gaps.any():
        remaining = _without_totals(table, named)
        return [set(axis) - set(rest.labels) for axis, rest in zip(axes, remaining, strict=True)]
    out = list[set[str]]()
    for k, axis in enumerate(named):
        # Only lines without missing values show which labels are sums of others.
        full = ~gaps.any(axis=k).ravel()
        lines = np.moveaxis(table, k, 0).reshape(len(axis), -1)[:, full]
        if not lines.any():
            out.append(set())
            continue
        cells = Axis("Cell", tuple(map(str, range(lines.shape[1]))))
        out.append(set(axis) - set(_without_totals(lines, [axis, cells])[0]))
    return out


def _without_totals(table: Whole, axes: Sequence[Axis]) -> Sequence[Axis]:
    """Return axes without the labels that are totals or rounded totals."""
    if not table.any():
        return axes
    kept, remaining, _ = totals_out(table, axes, ask=False, doubts=True, is_structure=True)
    if not kept.any() or kept.size < 2:
        return remaining
    return without_near_sums(FrequencyTable(kept, remaining))[0].axes


def _is_among(key: Key, out: Sequence[set[str]]) -> bool:
    """Return whether a label of a key is one of the labels in `out` for its axis."""
    return any(label in gone for label, gone in zip(key, out, strict=True))


def _are_different(headings: Sequence[str]) -> bool:
    """Return whether there are several headings, all different and none blank."""
    return len(set(headings)) == len(headings) > 1 and all(headings)


def _parts_after(starts: Sequence[int], body: Sequence[int]) -> dict[int, list[int]]:
    """Return the rows of counts after each start, up to the next start."""
    ends = [*starts[1:], max(body, default=0) + 1][: len(starts)]
    return {i: [k for k in body if i < k < end] for i, end in zip(starts, ends, strict=True)}


def _filled_down(texts: Sequence[str]) -> list[str]:
    """Replace each blank by the text before it."""
    last, filled = "", list[str]()
    for text in texts:
        last = text or last
        filled.append(last)
    return filled


def _are_differences(cells: Row) -> bool:
    """Return whether cells have several different negative numbers, as differences and coordinates have."""
    return len({label_of(cell).strip() for cell in cells if is_negative(cell)}) > 1


def _are_running(counts: Sequence[int]) -> bool:
    """Return whether numbers change by one step, or increase slowly from a large number, as identifiers do."""
    steps = {second - first for first, second in itertools.pairwise(counts)}
    if len(counts) < 4:
        return False
    rises_slowly = min(steps) > 0 and 100 * (counts[-1] - counts[0]) < counts[0] and len(counts) > 5
    return rises_slowly or (len(steps) == 1 and steps != {0})


def _have_equal_steps(counts: Sequence[int]) -> bool:
    """Return whether numbers change by one step that is larger than 1, as numbers of rows hardly do."""
    steps = {abs(second - first) for first, second in itertools.pairwise(counts)}
    return len(steps) == 1 and min(steps) > 1


def _are_years(labels: Sequence[str]) -> bool:
    return all(label.isdecimal() and int(label) in _YEARS for label in labels)


def _is_varied(labels: Sequence[str]) -> bool:
    """Return whether a column has more different values than half the number of rows."""
    return 2 * len(set(labels)) > len(labels)
