"""Assemble a table from the parts of a sheet: read counts, build axes from labels, and omit totals."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import (
    MOST_PEOPLE,
    and_more,
    cell_name,
    count_error,
    count_in,
    counted,
    listed,
    quoted,
)
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.formats.base import Row, Rows, Unsaved
from sdcwidgets.tables.io.layout.absent import absent_doubts
from sdcwidgets.tables.io.layout.categories import added_doubts
from sdcwidgets.tables.io.layout.cells import (
    are_lettered,
    check_axes,
    check_size,
    flag_beside,
    holds_no_counts,
    is_blank,
    is_dash,
    is_number,
    is_percentage,
    is_rounded,
    is_total,
    label_of,
    missing_in,
    named_once,
    range_in,
    says,
    says_counts,
    unpublished,
)
from sdcwidgets.tables.io.layout.contents import (
    TOTALS,
    drop_non_counts,
    is_scaled_unit,
    persons_doubts,
    says_thousands,
    sliced,
    thousands,
    title_says_thousands,
    unknown_unit_doubts,
)
from sdcwidgets.tables.io.layout.parts import Decisions, Outline, settled
from sdcwidgets.tables.io.layout.records import in_words
from sdcwidgets.tables.io.layout.totals import TotalLabels, find_sums, grand_totals, kept_totals, totals_out
from sdcwidgets.tables.io.options import (
    ROWS,
    Choice,
    NoCounts,
    Reading,
    ReadOptions,
    Remark,
    RemarkOnColumns,
    choice_of,
)
from sdcwidgets.tables.io.questions import Doubt, by_and_count, doubt
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sdcwidgets._util.arrays import Whole

    Keys = list[list[str]]


def axis_names(names: Sequence[str | None], depth: int) -> list[str]:
    """Return the names of the axes; an axis without a name is called "Row", "Upper heading" or "Column".

    The first `depth` names belong to columns of labels, and the other names to lines of headings.
    """
    over = max(len(names) - depth - 1, 0)
    usual = [*_numbered("Row", depth), *_numbered("Upper heading", over), "Column"]
    named = [name or usual[k] for k, name in enumerate(names)]
    if names[-1] is None and named[-1] in named[:-1]:
        named[-1] = "Columns"
    return named


def _numbered(name: str, number: int) -> list[str]:
    """Return `number` names such as "Row", "Row 2" and "Row 3"."""
    return [name, *(f"{name} {k}" for k in range(2, number + 1))][:number]


def without_codes(
    labels: Keys, own_names: list[str | None], names: list[str], notes: list[str]
) -> tuple[Keys, list[str | None]]:
    """Omit columns of labels that name the same rows as another column, such as codes of areas, with a note."""
    columns = [list(column) for column in zip(*labels, strict=True)]
    sizes = [len(set(column)) for column in columns]
    differ = _that_differ(columns, sizes, own_names, names, notes)
    remaining = named_once(differ, columns)
    if math.prod(sizes[k] for k in remaining) > len(labels):
        # If the labels of one column are unique, the other columns are attributes of its rows, not axes.
        remaining = [k for k in remaining if sizes[k] == len(labels)][:1] or remaining
    same = _four(names, set(differ) - set(remaining))
    if same:
        name = quoted(names[remaining[0]])
        sentence = f"The import omitted the labels in {same}, because {name} names the same rows."
        notes.append(RemarkOnColumns(sentence))
    return [[row[k] for k in remaining] for row in labels], [own_names[k] for k in remaining]


def _that_differ(
    columns: Keys, sizes: Sequence[int], own_names: list[str | None], names: list[str], notes: list[str]
) -> list[int]:
    """Return the columns of labels that differ between rows, and are not row numbers."""
    differ = [k for k, size in enumerate(sizes) if size > 1] or [0]
    gap = next((k for k, column in enumerate(columns) if k and k not in differ and missing_in(column[0])), 0)
    if gap:
        raise InputError(f"Column {quoted(names[gap])}: {count_error(columns[gap][0])}.")
    alike = _four(names, set(range(len(columns))) - set(differ))
    if alike:
        each = "each" if len(columns) - len(differ) > 1 else "it"
        notes.append(Remark(f"The import omitted {alike}, because {each} has the same label in all rows."))
    if not own_names[0] and _numbers_rows(columns[0]) and _tell_apart([columns[k] for k in differ if k]):
        notes.append(Remark("The import omitted the column of row numbers."))
        differ = [k for k in differ if k]
    return differ


def _four(names: Sequence[str], those: Collection[int]) -> str:
    """Return up to four of the names at the positions `those` as a text; "" if there are none."""
    return and_more([quoted(names[k]) for k in sorted(those)], 4) if those else ""


def _numbers_rows(labels: Sequence[str]) -> bool:
    """Return whether labels are running numbers from 0 or 1, as R and pandas write them."""
    return any(list(labels) == list(map(str, range(start, start + len(labels)))) for start in (0, 1))


def _tell_apart(columns: Sequence[Sequence[str]]) -> bool:
    """Return whether the labels of some columns together are unique."""
    return bool(columns) and len(set(zip(*columns, strict=True))) == len(columns[0])


def without_margins(keys: Keys, counts: Whole, k: int, notes: list[str]) -> tuple[Keys, Whole]:
    """Omit lines with a label only on the first of several axes, which are margins of pandas or of a pivot table."""
    alone = _with_one_label(keys)
    if not alone.any() or alone.all():
        return keys, counts
    wrong = _not_a_sum(np.moveaxis(counts, k, 0), alone, keys)
    word = "row" if k == 0 else "column"
    if wrong is not None:
        raise InputError(
            f"{word.capitalize()} {quoted(keys[wrong][0])} has one label, but other lines have {len(keys[wrong])}. "
            "Add the missing labels, because the line is not the sum of the others."
        )
    totals = [quoted(key[0]) for key, out in zip(keys, alone, strict=True) if out]
    words = f"{word}{'s' * (len(totals) > 1)} {and_more(totals, 4)}"
    notes.append(Remark(f"The import omitted the totals {words} as sums of other lines."))
    return [key for key, out in zip(keys, alone, strict=True) if not out], counts.compress(~alone, axis=k)


def _with_one_label(keys: Keys) -> NDArray[np.bool_]:
    """Return a mask of lines with a label only on the first of several axes."""
    return np.array([len(key) > 1 and not any(map(str.strip, key[1:])) for key in keys])


def _not_a_sum(lines: Whole, alone: NDArray[np.bool_], keys: Keys) -> int | None:
    """Return the first line with one label that is not a sum; None if each is the sum of all lines or of a block.

    A block is the group of lines between the line and the previous or next line with one label. If the lines contain
    sub-totals, a line is the sum of the lines with the same further labels, such as all sub-totals.
    """
    further = [tuple(key[1:]) for key in keys]
    same = [
        lines[[other == labels for other in further]]
        for labels in dict.fromkeys(further[i] for i in np.flatnonzero(~alone).tolist())
    ]
    ends = [-1, *np.flatnonzero(alone).tolist(), len(lines)]
    for before, i, after in zip(ends, ends[1:], ends[2:], strict=False):
        parts = (lines[~alone], lines[before + 1 : i], lines[i + 1 : after], *same)
        if not any(len(part) and np.array_equal(lines[i], part.sum(axis=0)) for part in parts):
            return int(i)
    return None


def axes_of(keys: Keys, names: Sequence[str]) -> list[Axis]:
    """Return an axis for each part of the keys, with labels in the order of their first occurrence."""
    if len(names) == 1:
        return [Axis(names[0], tuple(key[0] for key in keys))]  # The axis rejects labels that occur twice.
    parts = zip(*keys, strict=True)
    return [Axis(name, tuple(dict.fromkeys(part))) for name, part in zip(names, parts, strict=True)]


def crossed(
    counts: Whole,
    rows: list[Axis],
    down: Keys,
    columns: list[Axis],
    across: Keys,
    limit: int | None,
    notes: list[str],
    *,
    keeps_totals: bool,
) -> tuple[Whole, list[Axis]]:
    """Return the counts with a dimension for each axis; missing combinations have the count 0 and a note.

    Missing totals are no counts of 0, unless totals are kept as categories.
    """
    axes = [*rows, *columns]
    names = [axis.name for axis in axes]
    sizes = math.prod(map(len, rows)), math.prod(map(len, columns))
    check_size(sizes, 10**8 if limit is None else limit)
    check_axes(len(axes))
    places = _places(rows, down, names), _places(columns, across, names[len(rows) :])
    for positions, size, part, keys in zip(places, sizes, (rows, columns), (down, across), strict=True):
        if len(positions) == size:
            continue
        labels = [
            {label: None for label in axis if keeps_totals or not is_total(label)}  # in their order
            for axis in part
        ]
        there = {tuple(key) for key in keys if all(map(dict.__contains__, labels, key))}
        missing = math.prod(map(len, labels)) - len(there)
        if missing:
            first = next(key for key in itertools.product(*labels) if key not in there)
            words = in_words(first, [axis.name for axis in part])
            many = f"The count is 0 in {missing:,} combinations that the file does not contain, such as"
            notes.append(
                f"{many} {words}."
                if missing > 1
                else f"The file does not contain {words}, so its count is 0."
            )
    table = np.zeros(sizes, dtype=np.int64)
    table[np.ix_(*places)] = counts
    return table.reshape([len(axis) for axis in axes]), axes


def _places(axes: Sequence[Axis], keys: Keys, names: Sequence[str]) -> NDArray[np.intp]:
    """Return the position of each key among all combinations of the axes' labels."""
    if not axes:
        return np.zeros(1, dtype=np.intp)
    if len(axes) > 1:
        twice = next((key for key, times in Counter(map(tuple, keys)).items() if times > 1), None)
        if twice is not None:
            raise InputError(
                f"The file contains {in_words(twice, names[: len(axes)])} twice. Every "
                "combination must occur once."
            )
        blank = next((key for key in keys if not all(map(str.strip, key))), None)
        if blank is not None:
            raise InputError(f"{cell_name(blank, names)}: a label is empty. Every row needs all its labels.")
    positions = [{label: i for i, label in enumerate(axis)} for axis in axes]
    codes = [np.array([where[key[k]] for key in keys]) for k, where in enumerate(positions)]
    return np.ravel_multi_index(tuple(codes), tuple(map(len, axes)))


def _count_of(cell: object) -> int | str:
    """Return the count in a cell, or the reason why it is not a count."""
    if type(cell) is int and 0 <= cell <= MOST_PEOPLE:
        return cell  # a fast path for most cells of a workbook
    return _ROUNDED if is_rounded(cell) else count_in(cell)


def counts_of(
    names: list[str], labels: list[list[str]], headings: list[list[str]], cells: Rows, how: ReadOptions
) -> tuple[Whole, list[Doubt]]:
    """Return the counts in the cells, and a doubt about the first cell that may be a count but cannot be read.

    Raise InputError for a cell that is not a count.
    """
    counts = np.empty((len(labels), len(headings)), dtype=np.int64)
    for i, row in enumerate(cells):
        read = [_count_of(cell) for cell in row]
        for j, count in enumerate(read):
            if isinstance(count, str):
                where = cell_name([*labels[i], *headings[j]], names)
                column = [line[j] for line in cells]
                doubts = [] if are_lettered(column) else _doubts(where, row[j], count, row, column)
                if doubts:
                    return counts, doubts
                if len(labels[i]) == 1 and how.flags != "out" and _may_go(row[j], cells):
                    return counts, [
                        doubt("gap", choice_of("flags"), where=where, gap=quoted(missing_in(row[j])))
                    ]
                kind, why = _why_none(row[j], count, column)
                raise kind(f"{where}: {why}.")
        counts[i] = read
    # Totals and sub-totals count people several times, so this limit is higher. The table checks its counts again.
    if counts.sum(dtype=np.float64) > 2.0**61 or (counts > MOST_PEOPLE).any():
        raise InputError(
            f"The counts sum to more than {MOST_PEOPLE:,}, the largest total that can be stored exactly."
        )
    return counts, []


def _doubts(where: str, cell: object, why: str, row: Row, column: Row) -> list[Doubt]:
    """Return a doubt if a cell may be a count with a flag, or a blank that means 0 as in a pivot table."""
    if flag_beside(cell) and missing_in(cell) is None:
        return [doubt("flag", choice_of("flags"), where=where, cell=quoted(cell))]
    if is_dash(cell):
        return [
            doubt("dash", choice_of("empty"), choice_of("flags"), where=where, gap=quoted(missing_in(cell)))
        ]
    if may_be_nobody(cell, row) and any(map(is_number, column)):
        return [doubt("empty", choice_of("empty"), where=where, why=why.partition(";")[0])]
    return []


def _may_go(cell: object, cells: Rows) -> bool:
    """Return whether a cell is a missing value, and at least two rows have no missing values and can be read."""
    gap = missing_in(cell)
    is_bounded = gap is not None and gap[0] in "<≤>≥"
    if gap is None or is_dash(cell) or (range_in(cell) and not is_bounded):
        return False
    return sum(not any(missing_in(cell) or is_blank(cell) for cell in row) for row in cells) > 1


def may_be_nobody(cell: object, row: Row) -> bool:
    """Return whether a cell is empty in a row that has counts."""
    return is_blank(cell) and not isinstance(cell, Unsaved) and any(map(is_number, row))


#: Reason why a number such as "1.2E+05" is not a count.
_ROUNDED = "the number was rounded by the spreadsheet program; save the file with all digits"


def _why_none(cell: object, why: str, column: Row) -> tuple[type[InputError], str]:
    """Return the class and the end of the message of the error for a cell that is not a count."""
    gap = missing_in(cell)
    if gap:
        why = unpublished(gap)
    elif is_percentage(cell):
        why = f"{quoted(cell)} is a percentage; load counts instead of percentages"
    elif isinstance(cell, Unsaved):
        why = (
            "the cell contains a formula that was saved without its value; open the workbook in a "
            "spreadsheet program, and save the workbook"
        )
    if range_in(cell):
        return NoCounts, f"{why}; if this is a group of people, choose the columns to count by (by)"
    if gap or is_blank(cell) or not isinstance(cell, str):
        return InputError, why
    if all(isinstance(cell, str) and isinstance(count_in(cell), str) for cell in column):
        why += "; if each row is one person, choose columns to count by (by)"
    return NoCounts, why


def _may_be_a_date(label: str) -> bool:
    """Return whether a label may be a date: short parts with dashes between, such as "4-Jan" and "2024-01-04"."""
    parts = label.split("-")
    return (
        len(parts) > 1 and len(label) < 11 and all(map(str.isalnum, parts)) and any(map(str.isdecimal, parts))
    )


def dates_for_ranges(axes: Sequence[Sequence[str]]) -> list[str]:
    """Return notes on labels that may be dates among ranges, because spreadsheets convert ages such as "1-4".

    Examples
    --------
    >>> dates_for_ranges([["0", "4-Jan", "5-9", "10-14"]])
    ['"4-Jan" stands among ranges such as "5-9": a spreadsheet takes ages such as "1-4" for dates; look at the label.']
    """
    notes = []
    for labels in axes:
        ranges = [label for label in labels if range_in(label)]
        others = [label for label in dict.fromkeys(labels) if not range_in(label)]
        dates = [label for label in others if _may_be_a_date(label.strip())]
        if dates and ranges:
            stand = "stands" if len(dates) == 1 else "stand"
            look = "label" if len(dates) == 1 else "labels"
            notes.append(
                f"{listed(dates)} {stand} among ranges such as {quoted(ranges[0])}: a spreadsheet takes ages such as "
                f'"1-4" for dates; look at the {look}.'
            )
    return notes


def without_empty(parts: Outline, how: ReadOptions) -> tuple[Outline, Decisions]:
    """Replace empty cells in rows with counts, and dashes, by 0, if the option `empty` states it."""
    dashes = how.empty == "dashes"
    empty = [
        [may_be_nobody(cell, row) or (dashes and is_dash(cell)) for cell in row]
        for row in (parts.cells if how.empty != "ask" else [])
    ]
    many = sum(map(sum, empty))
    if not many:
        return parts, Decisions()
    cells = [
        [0 if nobody else cell for cell, nobody in zip(row, line, strict=True)]
        for row, line in zip(parts.cells, empty, strict=True)
    ]
    kind = "empty cell or dash" if dashes else "empty cell"
    plural = "empty cells or dashes" if dashes else "empty cells"
    note = f"{counted(many, kind, plural)} {('was' if many == 1 else 'were')} read as 0."
    return replace(parts, cells=cells), Decisions([note], [choice_of("empty", how.empty)])


def without_missing(parts: Outline, how: ReadOptions) -> tuple[Outline, Decisions]:
    """Omit rows with a missing value in place of a count, if the option `flags` is "out".

    Rows of totals are also omitted, because they include the people of these rows. A row is a total by its label, or if
    it is the sum of other rows in all columns without missing values.
    """
    if how.flags != "out" or len(parts.labels[0]) > 1:  # With more axes, an omitted row would count 0.
        return parts, Decisions()
    gaps = [any(missing_in(cell) or is_blank(cell) for cell in row) for row in parts.cells]
    totals = _totals(parts) if any(gaps) and how.margins != "keep" else []
    out = [i for i, gap in enumerate(gaps) if gap and i not in totals]
    rows = [i for i, gap in enumerate(gaps) if not gap and i not in totals]
    if not out or not rows:
        return parts, Decisions()
    notes = [
        f"The import omitted {counted(len(out), 'row')} with a missing value in place of a count: {_rows(parts, out)}."
    ]
    if totals:
        many = "they count" if len(totals) > 1 else "it counts"
        notes.append(
            f"The import omitted the totals {_rows(parts, totals)}: {many} people of rows that are left out."
        )
    remaining = replace(parts, labels=[parts.labels[i] for i in rows], cells=[parts.cells[i] for i in rows])
    return remaining, Decisions(notes)


def _rows(parts: Outline, rows: Sequence[int]) -> str:
    return listed([", ".join(parts.labels[i]) for i in rows])


def _totals(parts: Outline) -> list[int]:
    """Return the rows that are totals, by their labels or by their sums in the columns without missing values."""
    labels = [row[0] for row in parts.labels]
    named = {i for i, label in enumerate(labels) if is_total(label)}
    columns = [[count_in(cell) for cell in column] for column in zip(*parts.cells, strict=True)]
    full = [column for column in columns if not any(isinstance(count, str) for count in column)]
    if full and all(labels) and len(set(labels)) == len(labels):
        sums = find_sums(np.array(full, dtype=np.int64).T, Axis("Row", tuple(labels)), ask=False, doubts=True)
        named |= set(sums.sure)
    return sorted(named) if len(named) < len(labels) else []


#: Maximum number of rows after one that may be their sum.
_MOST_PARTS = 100

#: Minimum number of rows in which numbers that increase by 1 are read as row numbers.
_MANY = 5

#: Digits in groups of three.
_GROUPS = re.compile(r"[1-9]\d{0,2}(?:[.,]\d{3})+")

#: Four or more digits before a single mark, which then separates decimals.
_DECIMALS = re.compile(r"\d{4,}([.,])\d+")


class Written:
    """Reader of numbers as texts, which notes flags, and points or commas that may be decimal marks.

    Examples
    --------
    >>> written = Written()
    >>> [written.read(cell, ReadOptions()) for cell in ("5,000", "1,000")], written.doubt
    (['5,000', '1,000'], '5,000')
    >>> Written().read("5,000", ReadOptions(marks="decimals")), Written().read("1,234", ReadOptions(marks="decimals"))
    (5.0, 1.234)
    """

    def __init__(self) -> None:
        self.doubt: str | None = None
        self._marked: str | None = None
        self._several = False
        self._sure = False
        self._flags: Counter[str] = Counter()
        self._decimal = ""

    def read(self, cell: object, how: ReadOptions) -> object:
        """Return a cell without its flag; if marks are decimal marks by the options, return a number."""
        marks = how.marks
        flagged = None if how.flags == "ask" else flag_beside(cell)
        if flagged:
            cell = flagged[0]
            self._flags[flagged[1]] += 1
        if not isinstance(cell, str):
            self._sure = True
            return cell
        text = cell.strip()
        if not self._decimal and _DECIMALS.fullmatch(text):
            self._decimal = text
        if _GROUPS.fullmatch(text):
            whole, *rest = text.replace(",", ".").split(".")
            self._marked = self._marked or text
            self._several = self._several or len(rest) > 1
            if marks == "decimals":
                if len(rest) > 1:
                    raise InputError(
                        f"{quoted(text)} has {len(rest)} marks, so the marks separate "
                        "thousands and not decimals; choose thousands."
                    )
                return float(f"{whole}.{rest[0]}")
        if _GROUPS.fullmatch(text) and text.endswith("000") and len(text) < len("1,000,000"):
            self.doubt = self.doubt or text
            return cell
        if text and text not in ("0.000", "0,000"):
            self._sure = True  # This number settles the meaning of the mark.
        return cell

    def doubts(self, how: ReadOptions) -> list[Doubt]:
        """Return a doubt if the meaning of the mark is ambiguous in all numbers, or contradictory."""
        if how.marks != "ask":
            return []
        if self._marked and self._decimal and set(self._marked) & set(self._decimal) & {".", ","}:
            facts = {"text": quoted(self._marked), "decimal": quoted(self._decimal)}
            return [doubt("two marks", _marks(self._marked, "decimals"), **facts)]
        if self.doubt is None or self._sure:
            return []
        return [doubt("mark", _marks(self.doubt), text=quoted(self.doubt), few=self.doubt[:-4])]

    def decided(self, how: ReadOptions) -> tuple[tuple[str, ...], tuple[Choice, ...]]:
        """Return notes on removed flags and on the first number with a mark, and the choices to change both.

        Examples
        --------
        >>> written = Written()
        >>> [written.read(cell, ReadOptions()) for cell in ("1.000", "1.234")], written.decided(ReadOptions())[0]
        (['1.000', '1.234'], ('"1.000" was read as 1000: the mark separates thousands.',))
        """
        notes: tuple[str, ...] = ()
        if self._flags:
            many = counted(self._flags.total(), "count")
            notes = (f"A flag next to {many} ({listed(sorted(self._flags))}) was removed.",)
        chosen = () if how.flags == "ask" else (choice_of("flags", how.flags),)
        if self._marked is None:
            return notes, chosen
        taken = "decimals" if how.marks == "decimals" else "thousands"
        note = f"{quoted(self._marked)} was read as {_as(self._marked, taken)}: the mark separates {taken}."
        return (*notes, Remark(note)), chosen if self._several else (*chosen, _marks(self._marked, taken))


def _marks(text: str, *chosen: str) -> Choice:
    """Return the choice between thousands and decimals as the meaning of the mark of a number."""
    options = {taken: f"{taken}: {_as(text, taken)} people" for taken in ("thousands", "decimals")}
    return Choice("marks", options, chosen)


def _as(text: str, taken: str) -> str:
    """Return a number such as "5,000" without marks, or with a decimal point, by the meaning `taken`."""
    if taken == "thousands":
        return text.replace(",", "").replace(".", "")
    return text.replace(",", ".").rstrip("0").rstrip(".")


def rows_doubts(
    header: Sequence[str], rows: Sequence[Row], wanted: Sequence[int]
) -> tuple[bool, list[Doubt]]:
    """Return a doubt whether each row is a person, if a column that was not chosen may have counts.

    A column of whole numbers may have counts if its heading names counts, or if the rows look like the cells of a table
    by the columns of labels. A column in which each label is unique is ignored unless it was chosen, because it can
    identify people or cells. Ages, incomes, years and running numbers are not counts.

    Parameters
    ----------
    header : sequence of str
        Names of the columns.
    rows : sequence of list
    wanted : sequence of int
        Positions of the columns by which the rows are counted.

    Returns
    -------
    bool
        Whether a column that was not chosen may have counts, so that a note must state what was counted.
    list of Doubt
    """
    columns = [[row[j] if j < len(row) else None for row in rows] for j in range(len(header))]
    counts, labels = _counts_and_labels(header, columns, wanted)
    if not counts or len(rows) < 2:
        return False, []
    once, filled = _cells_of_a_table(columns, wanted, labels)
    labelled = [j for j in counts if says_counts(header[j])]
    if not (once or labelled or filled):
        return True, []
    names = [header[j] for j in (counts if once else labelled or counts)]
    facts = {
        "once": "Each row is there once and " * once,
        "first": quoted(names[0]),
        "column": names[0] if len(names) == 1 else "a column",
    }
    return True, [doubt("rows", *by_and_count(header, tuple(header[j] for j in wanted), names), **facts)]


def _cells_of_a_table(
    columns: Sequence[Sequence[object]], wanted: Sequence[int], labels: Sequence[int]
) -> tuple[bool, bool]:
    """Return whether each combination of labels occurs once, and whether the rows fill much of a table of them."""
    number = len(columns[0])
    texts = {j: [label_of(cell).strip() for cell in columns[j]] for j in {*wanted, *labels}}
    telling = [texts[j] for j in wanted] + [texts[j] for j in labels if len(set(texts[j])) < number]
    different = len(set(zip(*telling, strict=True)))
    # In a long table, most cells have exactly one row. Records of people rarely fill a table in this way.
    filled = 4 * different >= math.prod(len(set(column)) for column in telling) and 2 * different > number
    return different == number, filled


def _counts_and_labels(
    header: Sequence[str], columns: Sequence[Sequence[object]], wanted: Sequence[int]
) -> tuple[list[int], list[int]]:
    """Return the columns that were not chosen and may have counts, and the other columns with labels or years."""
    counts, labels = [], []
    for j, (heading, column) in enumerate(zip(header, columns, strict=True)):
        if j in wanted or not _are_counts(column):
            if not any(map(is_number, column)):
                labels.append(j)
        elif not says_counts(heading) and _are_years(column):
            labels.append(j)
        elif heading and not holds_no_counts(heading) and (says_counts(heading) or not _are_numbered(column)):
            counts.append(j)
    return counts, labels


def numbered_doubts(parts: Outline) -> list[Doubt]:
    """Return a doubt on the columns to count by, if rows differ mainly by a running number, as of persons."""
    names = [name for name in parts.names[: len(parts.labels[0])] if name]
    columns = list(zip(*parts.labels, strict=True))
    if len(names) < len(columns) or len(columns) < 2 or len(parts.labels) < _MANY:
        return []
    for k, column in enumerate(columns):
        others = list(zip(*(columns[j] for j in range(len(columns)) if j != k), strict=True))
        if _are_numbered(column) and 2 * len(set(others)) <= len(others):
            known = [*names, *(heading[-1].strip() for heading in parts.headings)]
            choices = by_and_count(known[:60], (), known[:60], (ROWS,))
            return [doubt("records", *choices, columns=quoted(names[k]))]
    return []


def crossed_doubts(parts: Outline) -> list[Doubt]:
    """Return a doubt on the columns to count by, if labels of rows without equal ones are crossed in other columns.

    A table of areas has their regions beside them, but not the sex and the triage of a person.
    """
    names = [name for name in parts.names[: len(parts.labels[0])] if name]
    columns = list(zip(*parts.labels, strict=True))
    if len(names) < len(columns) or len(parts.labels) < _MANY or len(parts.headings) > 1:
        return []
    different = [column for column in columns if len(set(column)) == len(column)]
    few = [k for k, column in enumerate(columns) if 1 < len(set(column)) <= len(column) // 10]
    for first, second in itertools.combinations(few, 2):
        sizes = [len(set(columns[first])), len(set(columns[second]))]
        pairs = set(zip(columns[first], columns[second], strict=True))
        if len(different) > 1 and len(pairs) == math.prod(sizes):
            return [_records(parts, names, [names[first], names[second]])]
    return []


def coded_doubts(parts: Outline) -> list[Doubt]:
    """Return a doubt on the columns to count by, if two or more columns of many rows only have a few codes from 1."""
    names = [name for name in parts.names[: len(parts.labels[0])] if name]
    if not names or len(parts.labels) < 5 * _MANY or len(set(map(tuple, parts.labels))) < len(parts.labels):
        return []
    codes = []
    for heading, column in zip(parts.headings, zip(*parts.cells, strict=True), strict=True):
        values = {label_of(cell).strip() for cell in column}
        if 1 < len(values) < 10 and all(len(value) == 1 and value in "123456789" for value in values):
            codes.append(heading[-1].strip())
    return [_records(parts, names, codes)] if len(codes) > 1 else []


def _records(parts: Outline, names: Sequence[str], telling: Sequence[str]) -> Doubt:
    """Return the doubt whether each row is a person, which some columns suggest."""
    known = [*names, *(heading[-1].strip() for heading in parts.headings)]
    choices = by_and_count(known[:60], (), known[:60], (ROWS,))
    return doubt("records", *choices, columns=listed(list(telling)))


def twice_doubt(where: str, names: Sequence[str], column: str) -> Doubt:
    """Return the doubt about a long table in which a combination of labels occurs twice."""
    choices = by_and_count((*names, column), tuple(names), [column])
    return doubt("twice", *choices, where=where, heading=quoted(column), column=column)


def heading_doubts(headings: Sequence[Sequence[str]], names: Sequence[str | None]) -> list[Doubt]:
    """Return a doubt whether each row is a person, if all headings name attributes of a person, such as an age."""
    last_headings = [heading[-1].strip() for heading in headings]
    if not last_headings or not all(map(holds_no_counts, last_headings)):
        return []
    known = [name for name in names if name]
    return [
        doubt(
            "heading",
            *by_and_count((*known, *last_headings), (), (*last_headings, *known)),
            column=quoted(last_headings[0]),
        )
    ]


def records_doubts(headings: Sequence[Sequence[str]], names: Sequence[str | None]) -> list[Doubt]:
    """Return a doubt on the columns to count by, if several headings are typical of microdata, such as of IPUMS."""
    known = [*(str(name) for name in names if name), *(heading[-1].strip() for heading in headings)]
    telling = [name for name in known if says("record", name)]
    if len(telling) < 2:
        return []
    choices = by_and_count(known[:60], (), known[:60], (ROWS,))
    return [doubt("records", *choices, columns=listed(telling))]


def _are_years(column: Sequence[object]) -> bool:
    """Return whether all numbers of a column may be years."""
    counts = [count_in(cell) for cell in column if not is_blank(cell)]
    return all(isinstance(count, int) and 1800 <= count <= 2100 for count in counts)


def _are_numbered(column: Sequence[object]) -> bool:
    """Return whether a column has running numbers in at least `_MANY` rows."""
    counts = [count_in(cell) for cell in column]
    return len(counts) >= _MANY and all(
        isinstance(count, int) and isinstance(other, int) and other == count + 1
        for count, other in itertools.pairwise(counts)
    )


def _are_counts(column: Sequence[object]) -> bool:
    """Return whether all cells of a column are counts, missing values or blanks, and at least one is a count."""
    cells = [cell for cell in column if not is_blank(cell)]
    kinds = [not isinstance(count_in(cell), str) for cell in cells]
    return any(kinds) and all(kind or missing_in(cell) for kind, cell in zip(kinds, cells, strict=True))


@dataclass(frozen=True)
class Layout:
    """A table between two stages of `assemble`: its parts, its counts, and finally its axes.

    Attributes
    ----------
    parts : Outline
    limit : int or None
        Maximum number of cells; None for no limit.
    codes : bool
        Whether columns of labels may be codes of another column, which are omitted.
    own : bool
        Whether `FrequencyTable.to_csv` wrote the sheet.
    counts, axes
        Counts in rows and columns; after `_with_axes`, counts with a dimension for each axis.
    optional : bool
        Whether lines were omitted that the user can keep.
    totals : bool
        Whether the sheet had totals in addition to the cells.
    grand_totals : tuple of tuple of str
        Labels of omitted totals over a whole axis, per axis.
    down, down_names
        Labels of each row, also of omitted totals, and the names of their axes.
    """

    parts: Outline
    limit: int | None
    codes: bool
    own: bool
    counts: Whole
    axes: tuple[Axis, ...] = ()
    optional: bool = False
    totals: bool = False
    grand_totals: TotalLabels = ()
    down: Keys = field(default_factory=list)
    down_names: tuple[str, ...] = ()


def assemble(
    parts: Outline, how: ReadOptions, limit: int | None, *, codes: bool = True, own: bool = False
) -> Reading:
    """Assemble a table from its parts; each of `STAGES` changes the layout, and returns its decisions.

    Parameters
    ----------
    parts : Outline
    how : ReadOptions
    limit : int or None
        Maximum number of cells; None for no limit.
    codes : bool
        Whether columns of labels may be codes of another column, which are omitted.
    own : bool
        Whether `FrequencyTable.to_csv` wrote the sheet, which then has no totals.

    Raises
    ------
    Question, InputError
        See `reading.read_bytes`.
    """
    if not parts.labels or not parts.headings:
        raise InputError("The table is empty; it needs at least one row and one column of counts.")
    check_size((len(parts.labels), len(parts.headings)), limit)
    layout = Layout(parts, limit, codes, own, np.zeros((0, 0), dtype=np.int64))
    stages = [stage for stage, also_own in STAGES if also_own or not own]
    layout, notes, choices = settled(stages, layout, how)
    if own:
        choices.append(replace(TOTALS, chosen=("keep",)))
    table = FrequencyTable(layout.counts, layout.axes)
    totals = tuple(map(tuple, layout.grand_totals))
    doubts = (*_added_together(layout, how), *([] if own else _absent(layout)))
    return Reading(table, (*parts.notes, *notes), tuple(choices), layout.totals, totals, doubts=doubts)


def _names_of_axes(parts: Outline) -> list[str]:
    """Return the names of axes that may contain the unit of the counts; axes with ranges of numbers are excluded.

    If there are several columns of labels, only the names of axes above the counts are returned.
    """
    depth = len(parts.labels[0])
    levels = [*zip(*parts.labels, strict=True), *zip(*parts.headings, strict=True)]
    named = [(k, name) for k, name in enumerate(parts.names) if name and (depth == 1 or k >= depth)]
    return [name for k, name in named if not any(map(range_in, levels[k]))]


def _only_people(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Omit columns and rows without counts of people, and return doubts about units and about records."""
    parts, optional, decided = drop_non_counts(layout.parts, how)
    doubts = persons_doubts(layout.parts, tuple(decided.doubts))
    if doubts:
        return replace(layout, parts=parts, optional=optional), Decisions(doubts=doubts)
    if layout.codes and not any(map(title_says_thousands, parts.titles)):
        headings = [heading[-1] for heading in parts.headings]
        units = unknown_unit_doubts(parts.titles, headings, _names_of_axes(parts))
        decided = decided._replace(doubts=(*decided.doubts, *units))
    return replace(layout, parts=parts, optional=optional), decided


def _not_records(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Return doubts if each row may be a record, or if the counts may be thousands; return notes on dates."""
    parts = layout.parts
    depth = len(parts.labels[0])
    doubts = list[Doubt]()
    if not parts.named and layout.codes:
        doubts += records_doubts(parts.headings, parts.names[:depth]) or numbered_doubts(parts)
        doubts += [] if doubts else crossed_doubts(parts) or coded_doubts(parts)
        if depth > 1:
            doubts += heading_doubts(parts.headings, parts.names[:depth])
    scale = Decisions()
    title = next(filter(title_says_thousands, parts.titles), "")
    name = next(filter(says_thousands, _names_of_axes(parts)), "") if layout.codes else ""
    units = [column[0] for column in zip(*parts.labels, strict=True) if len(set(column)) == 1 < len(column)]
    unit = next(filter(is_scaled_unit, units), "") if layout.codes and depth > 1 else ""
    if title:
        scale = thousands("A line above the table", title, how)
    elif name:
        scale = thousands("The name of an axis", name, how)
    elif unit:
        scale = thousands("Each row", unit, how)
    notes = dates_for_ranges([*zip(*parts.labels, strict=True), *zip(*parts.headings, strict=True)])
    return layout, scale._replace(notes=(*notes, *scale.notes), doubts=(*doubts, *scale.doubts))


def _as_written(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Read points, commas and flags in numbers."""
    written, parts = Written(), layout.parts
    if how.marks == "ask" and _has_decimal_mark(parts.cells):
        how = replace(how, marks="decimals")
    cells = [[written.read(cell, how) for cell in row] for row in parts.cells]
    return replace(layout, parts=replace(parts, cells=cells)), Decisions(
        *written.decided(how), written.doubts(how)
    )


def _has_decimal_mark(rows: Iterable[Row]) -> bool:
    """Return whether the numbers have only one mark, which follows four or more digits and so is a decimal mark.

    Examples
    --------
    >>> _has_decimal_mark([["9668.000", "707.000"]]), _has_decimal_mark([["1,234.000"], ["5678.000"]])
    (True, False)
    """
    texts = [cell.strip() for row in rows for cell in row if isinstance(cell, str) and not cell.isdecimal()]
    marks = {match[1] for match in map(_DECIMALS.fullmatch, texts) if match is not None}
    grouped = (text for text in texts if _GROUPS.fullmatch(text))
    return len(marks) == 1 and all(
        text.count(next(iter(marks))) == 1 == sum(map(text.count, ".,")) for text in grouped
    )


def _without_missing(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Replace empty cells by 0, and omit rows with missing values, as the options state."""
    parts, filled = without_empty(layout.parts, how)
    parts, gone = without_missing(parts, how)
    return replace(layout, parts=parts), Decisions(
        (*filled.notes, *gone.notes), (*filled.choices, *gone.choices)
    )


def _with_counts(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Read the counts in the cells."""
    parts = layout.parts
    names = axis_names(parts.names, len(parts.labels[0]))
    counts, doubts = counts_of(names, parts.labels, parts.headings, parts.cells, how)
    return replace(layout, counts=counts), Decisions(doubts=doubts)


def _without_blank_totals(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Omit a row or column without a label that is the sum of all others."""
    parts, counts, notes = layout.parts, layout.counts, list[str]()
    row = _blank_total(parts.labels, counts) if how.margins != "keep" else None
    if row is not None:
        counts = np.delete(counts, row, axis=0)
        parts = replace(
            parts,
            labels=[key for i, key in enumerate(parts.labels) if i != row],
            cells=[cells for i, cells in enumerate(parts.cells) if i != row],
        )
        notes.append(
            "The import omitted the totals row without a label, because its counts are the sums of "
            "the other rows."
        )
    column = _blank_total(parts.headings, counts.T) if how.margins != "keep" else None
    if column is not None:
        counts = np.delete(counts, column, axis=1)
        parts = replace(
            parts,
            headings=[key for j, key in enumerate(parts.headings) if j != column],
            cells=[[cell for j, cell in enumerate(cells) if j != column] for cells in parts.cells],
        )
        notes.append(
            "The import omitted the totals column without a label, because its counts are the sums "
            "of the other columns."
        )
    layout = replace(layout, parts=parts, counts=counts, totals=layout.totals or bool(notes))
    return layout, Decisions(notes)


def _blank_total(labels: Sequence[Sequence[str]], counts: Whole) -> int | None:
    """Return the only line without a label if it is the sum of at least two others; else None."""
    blank = [i for i, key in enumerate(labels) if not any(label.strip() for label in key)]
    if len(blank) != 1 or len(labels) < 3 or not counts.any():
        return None
    line = blank[0]
    return line if np.array_equal(2 * counts[line], counts.sum(axis=0)) else None


def _once(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Return a doubt about labels that occur twice; raise InputError for a pivot table in compact form.

    In a compact pivot table, a row is the sum of the following rows.
    """
    labels = [key[0].strip() for key in layout.parts.labels]
    if len(layout.parts.labels[0]) == 1 and len(set(labels)) < len(labels):
        sums = np.concatenate([np.zeros_like(layout.counts[:1]), np.cumsum(layout.counts, axis=0)])
        for i in range(len(labels)):
            parts = sums[i + 3 : i + _MOST_PARTS] - sums[i + 1]
            if layout.counts[i].any() and (parts == layout.counts[i]).all(axis=1).any():
                raise InputError(
                    f"The label {quoted(next(label for label in labels if labels.count(label) > 1))} is there twice, "
                    f"and row {quoted(labels[i])} is the sum of the following rows, so the first column contains "
                    "labels of several fields, as a pivot table in compact form does. In the spreadsheet program, "
                    "choose the tabular form with repeated labels, and load that table."
                )
    return layout, Decisions(doubts=_twice(layout.parts))


def _with_axes(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Return counts with a dimension for each axis, without columns of codes and without margins of pandas."""
    parts, notes = layout.parts, list[str]()
    names, depth = list(parts.names), len(parts.labels[0])
    down, down_names, counts = parts.labels, names[:depth], layout.counts
    alone = _with_one_label(down)
    if alone.any() and not alone.all() and _not_a_sum(counts, alone, down) is None:
        down, counts = without_margins(down, counts, 0, notes)
    if layout.codes and depth > 1 and not parts.named:
        down, down_names = without_codes(down, down_names, axis_names(names, depth), notes)
    across, across_names = parts.headings, names[depth:]
    single = len(across) == 1 and len(across[0]) == 1 and across_names[-1] is None
    names_to_complete = list(down_names) if single else [*down_names, *across_names]
    all_names = axis_names(names_to_complete, len(down_names))
    lines = len(parts.labels) + len(across)
    down, counts = without_margins(down, counts, 0, notes)
    across, counts = without_margins(across, counts, 1, notes)
    totals = len(down) + len(across) < lines
    axes = axes_of(down, all_names[: len(down_names)])
    columns = [] if single else axes_of(across, all_names[len(down_names) :])
    if not single and len(across[0]) == 1 and len(down_names) == 1:
        axes += columns
    else:
        is_kept = how.margins == "keep"
        counts, axes = crossed(counts, axes, down, columns, across, layout.limit, notes, keeps_totals=is_kept)
    names_down = tuple(all_names[: len(down_names)])
    layout = replace(layout, down=down, down_names=names_down, totals=totals)
    return replace(layout, counts=counts, axes=tuple(axes)), Decisions(notes)


def _absent(layout: Layout) -> list[Doubt]:
    """Return the doubt whether combinations of labels of rows that the sheet does not contain have the count 0."""
    axes = {axis.name: axis for axis in layout.axes}
    of_rows = [k for k, name in enumerate(layout.down_names) if name in axes]
    keys = ([key[k] for k in of_rows] for key in layout.down)
    return absent_doubts(keys, [axes[layout.down_names[k]] for k in of_rows], layout.counts)


def _one_slice(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Read the chosen label of an axis, and return a doubt if another axis has times."""
    counts, axes, decided = sliced(layout.counts, layout.axes, how)
    return replace(layout, counts=counts, axes=tuple(axes)), decided


def _without_totals(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Omit totals, or return notes on totals that are kept."""
    if not layout.axes:  # The user chose one cell.
        return layout, Decisions()
    if how.margins == "keep":
        return layout, Decisions(
            kept_totals(layout.counts, layout.axes, layout.parts.blanks), (replace(TOTALS, chosen=("keep",)),)
        )
    ask = how.margins == "ask"
    doubts = not (layout.parts.named and ask)
    counts, axes, decided = totals_out(
        layout.counts, layout.axes, ask=ask, doubts=doubts, blanks=layout.parts.blanks
    )
    choices = (replace(TOTALS, chosen=("drop",)),) if decided.notes or layout.optional else ()
    totals = layout.totals or bool(decided.notes)
    grand = grand_totals(layout.counts, layout.axes, axes)
    layout = replace(layout, counts=counts, axes=axes, totals=totals, grand_totals=grand)
    return layout, decided._replace(choices=choices)


def _added_together(layout: Layout, how: ReadOptions) -> list[Doubt]:
    """Return a doubt if columns may be measures, such as residents and households, which must not be added."""
    parts, axes = layout.parts, layout.axes
    if not layout.codes or layout.own or len(parts.headings[0]) > 1 or not axes or how.margins == "keep":
        return []
    sums = [bool(labels) for labels in layout.grand_totals] or [False] * len(axes)
    named = parts.names[0] is not None, parts.names[-1] is not None
    return added_doubts(layout.counts, axes, named, sums) if len(parts.headings) > 1 else []


def _is_a_table(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Raise InputError if the table has only one cell, or all counts are 0."""
    if layout.counts.size == 1:
        raise InputError("The table has one cell only; it needs at least two.")
    if not layout.counts.any():
        raise InputError("All counts are 0; a table needs at least one person.")
    return layout, Decisions()


def _percentage_notes(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Return a note if the lines sum to 100."""
    return layout, Decisions(_percentages(layout.counts))


#: Stages of `assemble` in order, each with whether it also applies to sheets that `FrequencyTable.to_csv` wrote.
STAGES = (
    (_not_records, False),
    (_only_people, False),
    (_as_written, False),
    (_without_missing, False),
    (_with_counts, True),
    (_without_blank_totals, False),
    (_once, False),
    (_with_axes, True),
    (_one_slice, False),
    (_without_totals, False),
    (_is_a_table, True),
    (_percentage_notes, False),
)


def _percentages(table: Whole) -> list[str]:
    """Return a note if all lines along an axis sum to about 100, so that the numbers may be percentages."""
    for k in range(table.ndim - 1, -1, -1):
        sums = table.sum(axis=k)
        if table.ndim > 1 and table.shape[k] > 1 and sums.size > 2 and (abs(sums - 100) <= 1).all():
            line = ("column", "row")[k] if table.ndim == 2 else "line"
            about = "" if (sums == 100).all() else "about "
            return [
                f"Every {line} sums to {about}100, so the numbers look like percentages, not like "
                f"counts of people."
            ]
    return []


def _twice(parts: Outline) -> list[Doubt]:
    """Return doubts about combinations of labels that occur twice in a long table."""
    names = parts.names[:-1]
    heading = parts.headings[0][-1].strip()
    if len(parts.headings) > 1 or len(parts.headings[0]) > 1 or not heading:
        return []
    if parts.named or not all(names) or len({*names, heading}) <= len(names):
        return []
    known = [str(name).strip() for name in names]
    times = Counter(map(tuple, parts.labels))
    return [twice_doubt(in_words(key, known), known, heading) for key, many in times.items() if many > 1]
