"""Labels and weights of records of people that are counted: missing values, removed blanks, and sampling weights."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import (
    and_more,
    counted,
    is_perhaps_no_value,
    listed,
    no_value_among,
    quoted,
    shortened,
)
from sdcwidgets.tables.io.layout.cells import blanks_before, is_number, label_of
from sdcwidgets.tables.io.options import choice_of
from sdcwidgets.tables.io.questions import Doubt, doubt
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.tables.weight_names import is_weight_name

Key = tuple[str, ...]

#: Maximum number of rows of records that are compared with the line below the header.
MOST_COMPARED = 1_000

#: Minimum number of rows of records below a line that may be a second header.
_LEAST_COMPARED = 8

#: Minimum number of rows per category of a column of categories.
_ROWS_PER_CATEGORY = 4


class RowLabels:
    """Counts of the labels of rows in some columns.

    Parameters
    ----------
    names : sequence of str
        Names of the columns.
    noun : str
        Noun for the counted units in messages: "rows", or "people" if a row can count several people.

    Attributes
    ----------
    blanks : dict of str to int
        Number of blanks before a label.

    Examples
    --------
    >>> labelled = RowLabels(["Job"])
    >>> for cell in ("a", "b ", "NA"):
    ...     labelled.add(labelled.of([cell]))
    >>> labelled.gaps()
    '1 of 3 rows has no value in "Job" ("NA")'
    >>> labelled.notes("Unknown")[1]
    'Blanks before or after 1 value were removed.'
    """

    def __init__(self, names: Sequence[str], noun: str = "rows") -> None:
        self._noun = noun
        self._names = tuple(names)
        self._rows: Counter[Key] = Counter()
        self._trimmed = 0
        self.blanks: dict[str, int] = {}

    def of(self, cells: Sequence[object], times: int = 1) -> Key:
        """Return the labels of a row, or of `times` equal rows, without blanks at their ends."""
        texts = tuple(map(label_of, cells))
        labels = tuple(map(str.strip, texts))
        if labels != texts:
            self.blanks |= {label: blanks_before(cell) for label, cell in zip(labels, texts, strict=True)}
            self._trimmed += times * sum(
                label not in ("", text) for label, text in zip(labels, texts, strict=True)
            )
        return labels

    def add(self, labels: Key, times: int = 1) -> None:
        """Add a row, or `times` equal rows."""
        self._rows[labels] += times

    def known(self, rows: Sequence[Key]) -> list[Key]:
        """Return the rows with missing labels that have another label in common with the rows added so far."""
        columns = [column for _, column, _ in self._columns()]
        return [
            labels
            for labels in rows
            if any(label and label in column for label, column in zip(labels, columns, strict=True))
        ]

    def gaps(self) -> str:
        """Return a clause with the number of rows with missing values per column; "" if there are none."""
        gaps = []
        for name, column, marks in self._columns():
            number = sum(column[mark] for mark in marks)
            if number:
                gaps.append((number, f"{quoted(name)}{marks_in_words(marks)}"))
        if not gaps:
            return ""
        number, rest = self._rows.total(), "".join(f", and {many:,} in {where}" for many, where in gaps[1:])
        verb = "has" if gaps[0][0] == 1 else "have"
        return f"{gaps[0][0]:,} of {number:,} {self._noun} {verb} no value in {gaps[0][1]}{rest}"

    def notes(self, missing: str) -> list[str]:
        """Return notes on missing values, on labels that may mean missing values, and on removed blanks."""
        notes = []
        gaps = self.gaps()
        if gaps:
            notes.append(f"{gaps}; these rows are counted as {quoted(missing)}.")
        if self._trimmed:
            notes.append(trimmed(self._trimmed))
        for name, column, marks in self._columns():
            notes += perhaps_without_value(
                name, {label: times for label, times in column.items() if label not in marks}
            )
        return notes

    def named(self, sums: Counter[Key], missing: str) -> Counter[Key]:
        """Return sums by labels, in which `missing` replaces labels that mean a missing value."""
        marks = [gone for _, _, gone in self._columns()]
        if not any(marks):
            return sums
        named: Counter[Key] = Counter()
        for key, count in sums.items():
            labels = tuple(missing if name in gone else name for name, gone in zip(key, marks, strict=False))
            named[labels + key[len(labels) :]] += count
        return named

    def _columns(self) -> list[tuple[str, Counter[str], set[str]]]:
        """Return the name of each column, its number of rows per label, and its labels that mean a missing value."""
        columns = []
        for j, name in enumerate(self._names):
            column: Counter[str] = Counter()
            for labels, times in self._rows.items():
                column[labels[j]] += times
            columns.append((name, column, no_value_among(column)))
        return columns


def in_words(labels: Sequence[str], names: Sequence[str]) -> str:
    """Return the labels of a row with the names of their columns, for messages.

    Examples
    --------
    >>> in_words(["North", "m"], ["Region", "Sex"])
    'Region "North", Sex "m"'
    """
    return ", ".join(f"{shortened(name)} {quoted(label)}" for name, label in zip(names, labels, strict=True))


def perhaps_without_value(name: str, column: dict[str, int]) -> list[str]:
    """Return notes on labels of a column that are counted as categories and may mean a missing value.

    Examples
    --------
    >>> perhaps_without_value("Job", {"a": 4, "?": 2})
    ['"?" in "Job" (2 rows) was read as a category. If this text stands for a missing value, replace the \
text with NA.']
    """
    return [
        f"{quoted(label)} in {quoted(name)} ({counted(times, 'row')}) was read as a category. "
        "If this text stands for a missing value, replace the text with NA."
        for label, times in column.items()
        if is_perhaps_no_value(label)
    ]


def trimmed(number: int) -> str:
    """Return a note on removed blanks."""
    return f"Blanks before or after {counted(number, 'value')} were removed."


def marks_in_words(marks: set[str]) -> str:
    """Return the texts that mean a missing value, in brackets; "" if there are only empty cells."""
    words = [quoted(mark) for mark in sorted(marks) if mark]
    if words and "" in marks:
        words.append("an empty cell")
    return f" ({' or '.join(words)})" if words else ""


def usual_weight(names: Iterable[str]) -> str | None:
    """Return the first name that is a usual name of a sampling weight, if there is one.

    Examples
    --------
    >>> usual_weight(["Area", " Weight"])
    ' Weight'
    """
    return next((name for name in names if is_weight_name(name)), None)


def unweighted(columns: Iterable[object], by: Sequence[str]) -> list[str]:
    """Return a note that rows were counted without weights, if a column looks like sampling weights.

    Examples
    --------
    >>> unweighted(["Area", "Sex"], ["Area"])
    []
    """
    weight = usual_weight({str(name) for name in columns} - set(by))
    if weight is None:
        return []
    return [
        f"{quoted(weight)} looks like a sampling weight, but each row was counted as one "
        "person. The table is therefore a table of the sample, not of the population. Name the column of "
        "weights (weight), or use the page Sample lab."
    ]


def weighted(weight: str, rows: int) -> str:
    """Return a note on a table whose counts are sums of weights."""
    return (
        f"The counts are rounded sums of {quoted(weight)}: estimates from a sample of "
        f"{counted(rows, 'record')}. Rules for small counts apply to these records. The page "
        "Sample lab shows the disclosure risk of the sample."
    )


def column_of_weights(header: Sequence[str], weight: str) -> int | None:
    """Return the position of the column with the weights; None if there are no weights."""
    if not weight:
        return None
    if weight not in header:
        raise InputError(f"The column {quoted(weight)} does not exist. The columns are {listed(header)}.")
    return list(header).index(weight)


def weight_in(cell: object, number: int, weight: str) -> Any:
    """Return the weight in a cell of a row.

    Examples
    --------
    >>> weight_in("10,5", 1, "weight"), weight_in(0, 2, "weight")
    (10.5, 0.0)
    """
    with suppress(ValueError):
        value = float(label_of(cell).strip().replace(",", "."))
        if 0 <= value < math.inf:
            return value
    raise InputError(
        f"Row {number:,}, column {quoted(weight)}: {quoted(label_of(cell))} is not a weight; "
        "a weight must be a number of at least 0."
    )


def of_respondents(table: FrequencyTable, rows: Counter[tuple[str, ...]]) -> FrequencyTable:
    """Return a table of weighted counts with the number of records in each cell."""
    counts = np.zeros(table.shape, dtype=np.int64)
    for labels, number in rows.items():
        counts[tuple(axis.position(label) for axis, label in zip(table.axes, labels, strict=True))] += number
    return table.with_respondents(counts)


def second_header_doubts(rows: Sequence[Sequence[object]], number: int) -> list[Doubt]:
    """Return the doubt whether the first row of records is a line of questions, and not a person.

    None of its texts occurs in the other rows, and in at least two columns these have categories or only numbers.

    Parameters
    ----------
    rows : sequence of list
        The first rows below the header.
    number : int
        Number of the first row in the file.

    Examples
    --------
    >>> rows = [[str(k), "fm"[k % 2]] for k in range(8)]
    >>> [len(second_header_doubts([line, *rows], 2)) for line in (["Number", "Sex?"], ["9", "x"], ["9", "f"])]
    [1, 0, 0]
    """
    if len(rows) <= _LEAST_COMPARED:
        return []
    line, evidence = [label_of(cell).strip() for cell in rows[0]], 0
    for j, label in enumerate(line):
        below = filter(None, (label_of(row[j]).strip() for row in rows[1:] if j < len(row)))
        texts = list(below)
        if label and label in texts:
            return []
        if label and len(texts) >= _LEAST_COMPARED:
            if all(map(is_number, texts)):
                evidence += not is_number(label)
            else:
                evidence += _ROWS_PER_CATEGORY * len(set(texts)) <= len(texts)
    if evidence < 2:
        return []
    named = and_more([quoted(shortened(label)) for label in line if label], 3)
    return [doubt("second header", choice_of("doubts"), line=named, row=number, first=number + 1)]
