"""Count rows with one person each, or sum the counts of a long table with one row per combination of categories.

If one heading of a long table names counts, the table is read as a cube, so that counts are not summed over times and
kinds of figures. The columns to the left of the counts are dimensions, often both as codes and as labels, and the
columns to the right are remarks.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import NUMBER, count_in, counted, listed, quoted
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.formats.base import Row, Rows, SheetCells
from sdcwidgets.tables.io.layout.absent import absent_doubts
from sdcwidgets.tables.io.layout.assemble import Written, rows_doubts
from sdcwidgets.tables.io.layout.cells import (
    MOST_AXES,
    check_axes,
    check_size,
    extent,
    flag_beside,
    is_blank,
    is_dash,
    is_number,
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
    ALL,
    TOTALS,
    are_kinds,
    are_times,
    chosen,
    currency_doubts,
    is_scaled_unit,
    offered,
    scaled,
    thousands,
    time_doubt,
)
from sdcwidgets.tables.io.layout.parts import Decisions, accepted_or_asked
from sdcwidgets.tables.io.layout.records import (
    MOST_COMPARED,
    RowLabels,
    column_of_weights,
    in_words,
    of_respondents,
    second_header_doubts,
    unweighted,
    usual_weight,
    weight_in,
    weighted,
)
from sdcwidgets.tables.io.layout.totals import kept_totals, without_totals
from sdcwidgets.tables.io.options import ROWS, Choice, Question, Reading, ReadOptions, choice_of
from sdcwidgets.tables.io.plausibility import near_sums, without_near_sums
from sdcwidgets.tables.io.questions import Doubt, ask, by_and_count, doubt, offering
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Text in place of a missing value if the file does not state a reason.
_NO_VALUE = ".."


def observed(sheet: SheetCells, how: ReadOptions) -> SheetCells:
    """Return a sheet with the names of its dimensions and counts, if it is a long table; otherwise the same sheet.

    Examples
    --------
    >>> rows = [["Area", "Sex", "Year", "Count"], ["A", "m", "2021", "3"], ["A", "f", "2021", "4"]]
    >>> rows += [["B", "m", "2021", "5"], ["B", "f", "2021", "6"]]
    >>> found = observed(SheetCells(rows), ReadOptions())
    >>> found.by, found.count
    (('Area', 'Sex'), 'Count')
    >>> observed(SheetCells([["Area", "m", "f"], ["A", "3", "5"]]), ReadOptions()).by
    ()
    """
    lines, above = iter(sheet.rows), list[Row]()
    for row in lines:
        above.append(row)
        if row:
            break
    again = replace(sheet, rows=itertools.chain(above, lines))
    header = [label_of(cell).strip() for cell in above[-1]] if above else []
    while header and not header[-1]:
        header.pop()
    if how.count == ROWS or not _says_where(header, bool(how.by and (how.count or not how.only))):
        return again
    rows = list(lines)
    filled = [row for row in rows if extent(row) > 1]
    return _observations(sheet, header, filled, how) or replace(sheet, rows=[*above, *rows])


def _says_where(header: Sequence[str], chosen: bool) -> bool:
    """Return whether a header names counts, and has at least two other columns.

    If the user has chosen columns, the header must also name kinds of figures, over which counts are not summed.
    """
    if len(header) < 3 or "" in header or len(set(header)) < len(header):
        return False
    return (any(map(says_counts, header)) or is_total(header[-1])) and (
        not chosen or any(says("measure", name) for name in header)
    )


def _observations(
    sheet: SheetCells, header: Sequence[str], rows: Rows, how: ReadOptions
) -> SheetCells | None:
    """Return a sheet with the dimensions and the counts of a long table; None if labels do not identify its rows."""
    columns = [[label_of(cell).strip() for cell in _column(rows, j)] for j in range(len(header))]
    value = _column_of_counts(header, rows)
    if value is None or len(rows) < 2:
        return None
    dimensions = _dimensions_around(value, columns)
    names = tuple(header[j] for j in dimensions)
    if not names or not set(how.by) <= set(names) or how.count not in ("", header[value]):
        return None
    apart = [j for j in range(len(header)) if j != value and says("measure", header[j])]
    labels = dict.fromkeys([*dimensions, *apart])
    lines = [
        [*(columns[j][i] for j in labels), _reason(columns[value + 1 :], i) if is_blank(cell) else cell]
        for i, cell in enumerate(_column(rows, value))
    ]
    head = [*(header[j] for j in labels), header[value]]
    return replace(
        sheet,
        rows=[head, *lines],
        typed=True,
        by=names,
        count=header[value],
        apart=tuple(header[j] for j in apart),
        unit="" if apart else _unit_of_rows(columns, value),
    )


def _unit_of_rows(columns: Sequence[Sequence[str]], value: int) -> str:
    """Return the unit that all rows have in one column, if it is thousands or another power of ten; otherwise "".

    The result is also "" for numbers such as 32.255, because their point may separate thousands.
    """
    if all(match is None or match["group"] for match in map(NUMBER.fullmatch, columns[value])):
        return ""
    constant = [column[0] for j, column in enumerate(columns) if j != value and len(set(column)) == 1]
    return next((text for text in constant if any(map(str.isalpha, text)) and is_scaled_unit(text)), "")


def _column_of_counts(header: Sequence[str], rows: Rows) -> int | None:
    """Return the only column of counts whose heading names counts, or else a last column whose heading is a total.

    If other columns have decimals, a total is not accepted, because the decimals may be its parts.
    """
    named = [j for j, name in enumerate(header) if says_counts(name) and _hold_counts(_column(rows, j))]
    last = len(header) - 1
    if not named and is_total(header[-1]) and _hold_counts(_column(rows, last)) and not _has_decimals(rows):
        named = [last]
    return named[0] if len(named) == 1 else None


def _has_decimals(rows: Rows) -> bool:
    """Return whether most rows have a decimal number before their last column, which may be a part of its total."""
    decimals = sum(
        any(is_number(cell) and isinstance(count_in(cell), str) for cell in row[:-1]) for row in rows
    )
    return 2 * decimals > len(rows)


def _dimensions_around(value: int, columns: Sequence[Sequence[str]]) -> list[int]:
    """Return the dimensions to the left of the counts; if these do not identify the rows, also to the right.

    The list is empty if another column may also have counts.
    """
    several = [j for j in range(len(columns)) if j != value and len(set(columns[j])) > 1]
    before = [j for j in several if j < value]
    dimensions = _dimensions(before, columns) or _dimensions(several, columns)
    others = (j for j in several if j not in dimensions)
    return [] if any(_may_be_counts(j, columns, dimensions) for j in others) else dimensions


def _column(rows: Rows, j: int) -> list[object]:
    return [row[j] if j < len(row) else None for row in rows]


def _hold_counts(cells: Sequence[object]) -> bool:
    """Return whether cells are counts, perhaps with flags, or mark counts that were not published."""
    others = [cell for cell in cells if not (is_blank(cell) or is_number(cell) or missing_in(cell))]
    return _are_counts(cells) and all(flag_beside(cell) for cell in others)


def _are_counts(cells: Sequence[object]) -> bool:
    """Return whether there are numbers in cells, and all of them are counts."""
    numbers = [cell for cell in cells if is_number(cell)]
    return bool(numbers) and not any(isinstance(count_in(cell), str) for cell in numbers)


def _dimensions(those: Sequence[int], columns: Sequence[Sequence[str]]) -> list[int]:
    """Return the columns whose labels together identify the rows; an empty list if there are none."""
    apart = _unique_names(named_once(those, columns), columns)
    texts = [j for j in apart if not _holds_numbers(columns[j]) or are_times(list(dict.fromkeys(columns[j])))]
    many = len(columns[0])
    is_stated = _number_of(texts, columns) == many or any(2 * len(set(columns[j])) > many for j in apart)
    if len(texts) < len(apart) and is_stated:
        return []  # Numbers such as ages are labels only if the texts do not identify the rows.
    full = not any("" in columns[j] for j in apart)
    return apart if full and len(apart) <= MOST_AXES and _number_of(apart, columns) == many else []


def _may_be_counts(j: int, columns: Sequence[Sequence[str]], dimensions: Sequence[int]) -> bool:
    """Return whether a column has whole numbers that are neither times nor codes of a dimension."""
    labels = columns[j]
    if not _are_counts(labels) or are_times(list(dict.fromkeys(labels))):
        return False
    # If there is only one dimension, codes cannot be distinguished from counts.
    return len(dimensions) == 1 or all(_number_of([k, j], columns) > len(set(columns[k])) for k in dimensions)


def _holds_numbers(labels: Sequence[str]) -> bool:
    """Return whether all labels of a column are numbers, or marks of suppressed counts between numbers."""
    texts = [label for label in labels if isinstance(count_in(label), str)]
    return len(texts) < len(labels) and all(missing_in(text) and not range_in(text) for text in texts)


def _number_of(those: Sequence[int], columns: Sequence[Sequence[str]]) -> int:
    """Return the number of different rows in some columns."""
    return len(set(zip(*(columns[j] for j in those), strict=True)))


def _reason(statuses: Sequence[Sequence[str]], row: int) -> str:
    """Return the reason for a missing value from the columns of statuses; "" if there are no such columns."""
    if not statuses:
        return ""
    return next((column[row] for column in statuses if missing_in(column[row])), _NO_VALUE)


def _unique_names(dimensions: Sequence[int], columns: Sequence[Sequence[str]]) -> list[int]:
    """Return the columns without columns of unique labels, if the other columns together identify the rows."""
    many = len(columns[0])
    shared = [j for j in dimensions if len(set(columns[j])) < many]
    return shared if _number_of(shared, columns) == many else list(dimensions)


#: Maximum number of rows from the top in which the header is searched.
_FIRST_ROWS = 200

#: Maximum number of columns in the choice of columns to count by.
_MOST_COLUMNS = 60

#: Maximum number of rows that are checked for a column of counts. Longer files are microdata.
_MOST_SEEN = 200_000

#: Maximum number of cells that are checked for a column of counts.
_MOST_CELLS_SEEN = 1_000_000

#: Maximum number of combinations of categories by which a page counts records, because all are held in memory.
_MOST_COMBINATIONS = 500_000


def count_by(
    rows: Iterable[Row],
    how: ReadOptions,
    limit: int | None,
    *,
    summed: bool = False,
    apart: Sequence[str] = (),
) -> Reading:
    """Count rows, or sum their counts, by the chosen columns.

    The counts are summed over other columns with labels, without the totals in these columns. The categories of a long
    table keep the order of the file if it has a row for each combination; the categories of records are sorted.

    Parameters
    ----------
    rows : iterable of list
        The rows of the file, including its header.
    how : ReadOptions
    limit : int or None
        Maximum number of cells; None for no limit.
    summed : bool
        Whether each row is a count of a database, and not a row of a file.
    apart : sequence of str
        Columns over which counts must not be summed.

    Raises
    ------
    Question
        If a column has missing values, if a column that was not chosen may have counts, or if counts would be summed
        over times or kinds of figures.
    InputError
        If a column does not exist, or a cell is not a count.
    """
    check_axes(len(how.by))
    header, body, skipped, first = _from_header(iter(rows), how)
    tally = _RowCounts(header, how, summed)
    for number, row in enumerate(body, start=first):
        tally.take(number, row)
        if limit is not None and not how.column and len(tally.sums) > _MOST_COMBINATIONS:
            raise InputError(
                f"The records have more than {_MOST_COMBINATIONS:,} combinations of "
                f"{listed(list(how.by))}. Choose columns with fewer categories."
            )
    below = tally.finish()
    labelled, written = tally.labelled, tally.written
    many = len(tally.seen) == tally.most_seen
    rows_left, doubts = (True, []) if many else rows_doubts(header, tally.seen, tally.wanted)
    doubts += written.doubts(how)
    columns = _columns(header, how)
    gaps = labelled.gaps()
    if gaps:
        columns = (*columns, Choice("missing", chosen=(how.missing,) if how.missing else ()))
        if not how.missing:
            doubts.append(doubt("no value", *columns, gaps=gaps))
    others = [header[j] for j in tally.others]
    ask((*doubts, *_times(tally.sums, how, others, columns, apart)))
    read_so, marks = written.decided(how)
    notes = [f"The import omitted {counted(skipped, 'line')} above the header."] if skipped else []
    notes += accepted_or_asked(tally.second_header(), how)
    notes += [f"Only {quoted(label)} of {quoted(header[j])} was read." for j, label in tally.only.items()]
    notes += [*read_so, *labelled.notes(how.missing), *_added_up(tally.again, [*how.by, *others])]
    notes += tally.notes()
    notes += [f"The import omitted {counted(below, 'line')} without labels."] if below else []
    if how.weight:
        notes.append(weighted(how.weight, tally.respondents.total()))
    elif rows_left:
        notes.append(f"Each row was counted as one person: {tally.sums.total():,}.")
    if not how.column and not how.weight:
        notes += unweighted(header, how.by)
        weight = usual_weight(set(header) - set(how.by))
        if weight:
            names = {"": "no column: each row is one person", weight: weight}
            columns = (*columns, Choice("weight", names, ("",)))
    sums = labelled.named(tally.whole(), how.missing)
    reading = _cube(sums, how, others, limit, notes, labelled.blanks)
    if how.weight:
        behind = labelled.named(tally.respondents, how.missing)
        reading = replace(reading, table=of_respondents(reading.table, behind))
    return replace(reading, choices=(*reading.choices, *marks, *columns))


def _times(
    sums: Counter[tuple[str, ...]],
    how: ReadOptions,
    others: Sequence[str],
    columns: tuple[Choice, ...],
    apart: Sequence[str],
) -> Iterator[Doubt]:
    """Yield a doubt for each other column of times or kinds of figures, over which people would be counted twice.

    The doubts include the columns `apart` with several labels.
    """
    only, n = chosen(how), len(how.by)
    for k, name in enumerate(others):
        labels = list(dict.fromkeys(key[n + k] for key in sums))
        is_apart = are_times(labels) or are_kinds(labels) or (name in apart and len(labels) > 1)
        if name not in only and is_apart:
            times = time_doubt(name, labels, [(axis, ()) for axis in only if axis != name], how)
            yield times._replace(choices=(*times.choices, *columns))


def read_cube(sheet: SheetCells, how: ReadOptions, limit: int | None) -> Reading:
    """Read a cube, whose format states the columns of labels and of counts.

    By default, the axes are all dimensions with several labels, except times and kinds of figures.
    """
    rows, only = list(sheet.rows), chosen(how)
    several = _several(rows, sheet.by, how)
    times = [
        name
        for name in several
        if name in sheet.apart or are_times(several[name]) or are_kinds(several[name])
    ]
    by = how.by or _usual_axes(sheet.by, only, set(several) - set(times))
    how = replace(how, by=by, count=sheet.count)
    axes = Choice("by", {name: name for name in sheet.by}, by, several=True)
    choices = (offered(several.items(), how), axes)
    open_ = [name for name in times if name not in (*by, *only)]
    ask(time_doubt(name, several[name], (), how)._replace(choices=choices) for name in open_)
    scale = _scale(rows, sheet, only, how)
    scaling = [one._replace(choices=(*one.choices, *choices)) for one in scale.doubts]
    notes = accepted_or_asked(scaling, how)
    try:
        reading = count_by(rows, how, limit, apart=sheet.apart)
    except Question:
        raise
    except InputError as error:  # The user may choose a slice without the error.
        raise offering(error, *choices) from None
    remaining = [choice for choice in reading.choices if choice.name not in ("by", "count", "only")]
    scales = [choice for choice in scale.choices if choice.name not in {choice.name for choice in remaining}]
    return replace(
        reading, notes=(*reading.notes, *scale.notes, *notes), choices=(*remaining, *scales, *choices)
    )


def _usual_axes(names: Sequence[str], only: Mapping[str, str], several: Collection[str]) -> tuple[str, ...]:
    """Return the dimensions that are axes by default; at least one."""
    free = [name for name in names if only.get(name, ALL) == ALL]
    return tuple(name for name in free if name in several or name in only) or tuple(free)[:1]


def _scale(rows: Rows, sheet: SheetCells, only: Mapping[str, str], how: ReadOptions) -> Decisions:
    """Return the decision on a cube whose values are thousands, and doubts about units that are currencies."""
    if is_scaled_unit(sheet.unit):
        return thousands("Each row", sheet.unit, how)
    doubts = list[Doubt]()
    for name in sheet.apart:
        j = rows[0].index(name)
        labels = {row[j] for row in rows[1:]} if only.get(name, ALL) == ALL else {only[name]}
        unit = scaled(sorted(map(str, labels)))
        if unit:
            return thousands(f"The column {quoted(name)}", unit, how)
        if len(labels) == 1:
            doubts += currency_doubts(name, str(*labels))
    return Decisions(doubts=doubts)


def _several(rows: Rows, names: Sequence[str], how: ReadOptions) -> dict[str, list[str]]:
    """Return the labels of the columns with several labels, by default without codes of another column."""
    columns = {name: [str(row[j]) for row in rows[1:]] for name, j in ((n, rows[0].index(n)) for n in names)}
    different = [name for name in names if len(set(columns[name])) > 1]
    if not how.by:
        named = named_once(range(len(different)), [columns[name] for name in different])
        different = [different[j] for j in named]
    return {name: list(dict.fromkeys(columns[name])) for name in different}


class _RowCounts:
    """Counts of the rows of a file, which are added one by one.

    Attributes
    ----------
    wanted, others : list of int
        The columns to count by, and the other columns of a long table.
    sums, respondents, again : Counter
        Number of people, number of rows, and number of rows after the first, per combination of labels.
    seen : list of list
        The first rows, if it is not certain that each row is one person.
    """

    def __init__(self, header: list[str], how: ReadOptions, summed: bool) -> None:
        self._how, self._width, self._summed = how, len(header), summed
        self.wanted = [header.index(name) for name in how.by]
        self._where = where = header.index(how.column) if how.column else None
        self._weight = column_of_weights(header, how.weight)
        only = {name: label for name, label in chosen(how).items() if label != ALL}
        missing = [name for name in only if name not in header]
        if missing:
            raise InputError(
                f"The column {quoted(missing[0])}, which the argument only names, does not exist. The "
                f"columns are {listed(list(filter(None, header)))}."
            )
        self.only = {header.index(name): label for name, label in only.items()}
        apart = {*self.wanted, where, *self.only}
        self.others = [] if where is None else [j for j in range(len(header)) if j not in apart]
        self.sums: Counter[tuple[str, ...]] = Counter()
        self.respondents: Counter[tuple[str, ...]] = Counter()
        self.again: Counter[tuple[str, ...]] = Counter()
        #: Number of blank counts that are read as 0.
        self.blanks = 0
        self.seen: Rows = []
        self.most_seen = min(_MOST_SEEN, _MOST_CELLS_SEEN // max(self._width, 1) + 1)
        self.written, self.labelled = Written(), RowLabels(how.by, "people" if summed else "rows")
        self._alone: list[tuple[str, ...]] = []
        #: Number of the first row of people, and the first rows.
        self._first, self._people = 0, list[Row]()

    def take(self, number: int, row: Row) -> None:
        """Add a row of the file, with its number, to the counts."""
        row = row + [None] * (self._width - len(row))
        if any(label_of(row[j]).strip() != label for j, label in self.only.items()):
            return
        labels = self.labelled.of([row[j] for j in self.wanted])
        if not all(labels) and sum(bool(label_of(cell).strip()) for cell in row) <= 1:
            self._alone.append(labels)  # The row is blank, a note, or a person with missing values.
            return
        if self._where is None:
            self._first = self._first or number
            if len(self._people) < MOST_COMPARED:
                self._people.append(row)
            self.labelled.add(labels)
            # Rows with weights are people, so no column is checked for counts.
            if not self._how.count and self._weight is None and len(self.seen) < self.most_seen:
                self.seen.append(row)
            self.respondents[labels] += 1
            weight = 1 if self._weight is None else weight_in(row[self._weight], number, self._how.weight)
            self.sums[labels] += weight
            return
        count = self._count_of(row[self._where], number, labels)
        self.labelled.add(labels, count if self._summed else 1)
        key = labels + tuple(label_of(row[j]).strip() for j in self.others)
        if key in self.sums and not self._summed:
            self.again[key] += 1
        self.sums[key] += count

    def _count_of(self, cell: object, number: int, labels: tuple[str, ...]) -> int:
        """Return the count in a cell; raise InputError if the cell is not a count."""
        if self._how.empty != "ask" and self._is_zero(cell):
            self.blanks += 1
            return 0
        count = count_in(self.written.read(cell, self._how))
        if not isinstance(count, str):
            return count
        where = f"Row {number:,} ({in_words(labels, self._how.by)}), column {quoted(self._how.column)}"
        if is_blank(cell) and not self._summed:
            ask([doubt("empty", choice_of("empty"), where=where, why=count.partition(";")[0])])
        if is_dash(cell) and not self._summed:
            ask([doubt("dash", choice_of("empty"), where=where, gap=quoted(missing_in(cell)))])
        gap = missing_in(cell)
        raise InputError(f"{where}: {unpublished(gap) if gap else count}.")

    def _is_zero(self, cell: object) -> bool:
        """Return whether a cell means 0 by the option `empty`."""
        return is_blank(cell) or (self._how.empty == "dashes" and is_dash(cell))

    def second_header(self) -> list[Doubt]:
        """Return the doubt whether the line below the header is a person."""
        return second_header_doubts(self._people, self._first)

    def whole(self) -> Counter[tuple[str, ...]]:
        """Return the sums, which can be sums of weights, rounded to whole numbers."""
        return Counter({labels: round(total) for labels, total in self.sums.items()})

    def notes(self) -> list[str]:
        """Return a note on blank counts that were read as 0."""
        if not self.blanks:
            return []
        return [f"{counted(self.blanks, 'empty cell')} {'was' if self.blanks == 1 else 'were'} read as 0."]

    def finish(self) -> int:
        """Count the rows with one label if other rows also have this label; return the number of omitted rows."""
        if not self.sums and self.only:
            raise InputError(
                f"No row has {listed(self._how.only)}, as the argument only requires. Choose labels that "
                "occur in the file."
            )
        if not self.sums:
            raise InputError("The file has no records or no columns. At least one of each is needed.")
        people = [] if self._where is not None else self.labelled.known(self._alone)
        for labels in people:
            self.labelled.add(labels)
            self.respondents[labels] += 1
            self.sums[labels] += 1
        return len(self._alone) - len(people)


def _added_up(again: Counter[tuple[str, ...]], names: Sequence[str]) -> list[str]:
    """Return a note on combinations of a long table that occur more than once."""
    twice = list(again)
    if not twice:
        return []
    first = in_words(twice[0], names)
    if len(twice) == 1:
        return [f"{first} occurs {again[twice[0]] + 1} times in the file; the counts were added."]
    return [
        f"{len(twice):,} combinations occur more than once, such as {first}; the counts of equal "
        f"combinations were added."
    ]


def _columns(header: Sequence[str], how: ReadOptions) -> tuple[Choice, ...]:
    """Return the choices of the columns to count by and of the column of counts."""
    names = (*header[:_MOST_COLUMNS], *how.by, how.column)
    return by_and_count(names, how.by, counted=(how.count or ROWS,))


def _from_header(rows: Iterator[Row], how: ReadOptions) -> tuple[list[str], Iterable[Row], int, int]:
    """Return the header, the rows below it, the number of filled rows above it, and the number of the row below it."""
    needed = list(how.by)
    if how.column:
        needed.append(how.column)
    best: list[str] = []
    above = 0
    for number in range(1, _FIRST_ROWS + 1):
        row = next(rows, None)
        if row is None:
            break
        header = [label_of(cell).strip() for cell in row]
        if set(needed) <= set(header):
            for name in needed:
                if header.count(name) > 1:
                    raise InputError(f"Several columns are named {quoted(name)}; give them different names.")
            return header, rows, above, number + 1
        above += bool(row)
        if sum(map(bool, header)) > sum(map(bool, best)):
            best = header
    missing = next((name for name in needed if name not in best), needed[0])
    have = f"the columns are {listed([name for name in best if name])}" if best else "the file is empty"
    raise InputError(f"There is no column {quoted(missing)}; {have}.")


def _cube(
    sums: Counter[tuple[str, ...]],
    how: ReadOptions,
    others: list[str],
    limit: int | None,
    notes: list[str],
    blanks: Mapping[str, int],
) -> Reading:
    """Return the table of the counts of combinations, summed over the columns that were not chosen."""
    columns = [list(column) for column in zip(*sums, strict=True)]
    n = len(how.by)
    extra = [n + j for j in range(len(others)) if how.column and _is_axis(columns, n + j, n)]
    counts, axes = _array(
        sums, columns, [*range(n), *extra], [*how.by, *others], limit if extra else None, how
    )
    if counts is None:
        extra = []
        counts, axes = _array(sums, columns, list(range(n)), list(how.by), None, how)
    check_size([len(axis) for axis in axes[:n]], 10**8 if limit is None else limit)
    assert counts is not None
    if how.column and len(set(zip(*columns[:n], strict=True))) < math.prod(len(axis) for axis in axes[:n]):
        counts, axes, ordered = _in_natural_order(counts, axes)
        notes += ordered
    dropped: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    if how.column and how.margins != "keep":
        counts, remaining, dropped = without_totals(counts, axes, ask=how.margins == "ask", blanks=blanks)
        axes = list(remaining)
        notes += dropped
        choices = (replace(TOTALS, chosen=("drop",)),) if dropped else ()
    elif how.column:
        notes += kept_totals(counts, axes, blanks)
        choices = (replace(TOTALS, chosen=("keep",)),)
    if extra:
        whole, gone = _without_near_sums(FrequencyTable(counts, axes), how)
        counts, axes = whole.counts, list(whole.axes)
        notes += gone
        notes.append(
            f"The table is summed over the categories of {listed([axis.name for axis in axes[n:]])}."
        )
    table = FrequencyTable(counts.sum(axis=tuple(range(n, counts.ndim))), axes[:n])
    if table.total == 0:
        raise InputError("All counts are 0; a table needs at least one person.")
    doubts, noted = _absent(sums, table, how)
    return Reading(table, (*notes, *noted), choices, totals=bool(dropped), doubts=doubts)


def _absent(
    sums: Counter[tuple[str, ...]], table: FrequencyTable, how: ReadOptions
) -> tuple[tuple[Doubt, ...], tuple[str, ...]]:
    """Return the doubt about combinations without a row of a long table, and a note if it is answered."""
    if not how.column:
        return (), ()
    doubts = tuple(absent_doubts((key[: table.ndim] for key in sums), table.axes, table.counts))
    if not doubts or how.empty == "ask":
        return doubts, ()
    number = counted(int(str(doubts[0].facts["absent"])), "combination")
    return doubts, (f"The import read {number} without a row as the count 0.",)


def _without_near_sums(table: FrequencyTable, how: ReadOptions) -> tuple[FrequencyTable, list[str]]:
    """Omit rounded totals, or raise a question about them, before counts are summed over their axis."""
    if how.margins == "keep":
        return table, []
    if how.margins == "ask" and how.doubts == "ask":
        ask(near_sums(table))
    table, gone = without_near_sums(table)
    return table, [total.note for total in gone]


def _is_axis(columns: list[list[str]], j: int, n: int) -> bool:
    """Return whether a column that was not chosen has labels that divide the chosen combinations."""
    labels = set(columns[j])
    if len(labels) < 2 or "" in labels or all(not isinstance(count_in(label), str) for label in labels):
        return False
    chosen = list(zip(*columns[:n], strict=True))
    return len(set(zip(chosen, columns[j], strict=True))) > len(set(chosen)) and 2 * len(labels) <= len(
        columns[j]
    )


def _array(
    sums: Counter[tuple[str, ...]],
    columns: list[list[str]],
    chosen: list[int],
    names: list[str],
    limit: int | None,
    how: ReadOptions,
) -> tuple[NDArray[np.int64] | None, list[Axis]]:
    """Return the counts by some columns, or None if there would be too many cells, and their axes."""
    axes = []
    for j in chosen:
        labels = list(dict.fromkeys(columns[j]))
        if not how.column:
            labels.sort(key=natural)
            if how.missing in labels:
                labels.append(labels.pop(labels.index(how.missing)))
        axes.append(Axis(names[j], tuple(labels), observed=not how.column))
    shape = tuple(map(len, axes))
    if math.prod(shape) > (limit if limit is not None else 10**8):
        if limit is None:
            check_size(shape, 10**8)
        return None, axes
    codes = []
    for axis, j in zip(axes, chosen, strict=True):
        position = {label: i for i, label in enumerate(axis)}
        codes.append([position[label] for label in columns[j]])
    counts = np.zeros(shape, dtype=np.int64)
    np.add.at(
        counts, tuple(map(np.array, codes)), np.fromiter(sums.values(), dtype=np.int64, count=len(sums))
    )
    return counts, axes


def _in_natural_order(
    counts: NDArray[np.int64], axes: Sequence[Axis]
) -> tuple[NDArray[np.int64], list[Axis], list[str]]:
    """Return counts, axes and notes with the labels of each axis in natural order.

    In a file without rows for empty cells, the order in which labels first appear discloses empty cells.
    """
    ordered, names = list[Axis](), list[str]()
    for k, axis in enumerate(axes):
        order = sorted(range(len(axis)), key=[by_numbers(label) for label in axis].__getitem__)
        if order != list(range(len(axis))):
            names.append(axis.name)
        ordered.append(replace(axis, labels=tuple(axis.labels[i] for i in order)))
        counts = counts.take(order, axis=k)
    if not names:
        return counts, list(axes), []
    note = (
        f"The categories of {listed(names)} were sorted, because combinations without a row are missing in the file: "
        "the order in which categories first appear would show which cells are empty."
    )
    return counts, ordered, [note]


def by_numbers(label: str) -> tuple[tuple[int, float, str], tuple[str | int, ...]]:
    """Return a key that sorts labels by the numbers in them, such as "5-9" before "10-14"."""
    parts = re.split(r"([0-9]+)", label)
    # Every second part is a run of digits.
    runs = tuple(int(part) if k % 2 else part for k, part in enumerate(parts))
    number = natural(label)
    return (*number[:2], ""), (runs if number[0] else ())


def natural(label: str) -> tuple[int, float, str]:
    """Return a key that sorts labels: numbers by their value, before texts."""
    try:
        number = float(label)
    except ValueError:
        return 1, 0.0, label
    return (0, number, label) if math.isfinite(number) else (1, 0.0, label)
