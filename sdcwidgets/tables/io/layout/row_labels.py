"""The labels of people in the columns that are counted by: blanks off, and who has no value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sdcwidgets._util.labels import counted, is_perhaps_no_value, no_value_among, quoted, shortened
from sdcwidgets.tables.io.layout.cells import label_of
from sdcwidgets.tables.io.layout.indented import blanks_before

Key = tuple[str, ...]


class RowLabels:
    """The labels of rows in some columns.

    Parameters
    ----------
    names : sequence of str
        The columns.
    what : str
        What is counted: "rows", or "people" where each row stands for several.

    Attributes
    ----------
    blanks : dict of str to int
        How many blanks stood before a label.

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
        """Return the labels in the cells of a row, or of many alike, without blanks around them."""
        texts = tuple(map(label_of, cells))
        labels = tuple(map(str.strip, texts))
        if labels != texts:
            self.blanks |= {label: blanks_before(cell) for label, cell in zip(labels, texts, strict=True)}
            self._trimmed += times * sum(
                label not in ("", text) for label, text in zip(labels, texts, strict=True)
            )
        return labels

    def add(self, labels: Key, times: int = 1) -> None:
        """Take a row in, or many alike."""
        self._rows[labels] += times

    def known(self, rows: Sequence[Key]) -> list[Key]:
        """Return which of these rows, without some of their labels, have others that rows have which are full."""
        columns = [column for _, column, _ in self._columns()]
        return [
            labels
            for labels in rows
            if any(label and label in column for label, column in zip(labels, columns, strict=True))
        ]

    def gaps(self) -> str:
        """Return how many rows have no value, and in which columns; "" where all have."""
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
        """Return what a person should know of the labels: who has no value, who perhaps, and what was taken off."""
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
        """Return sums by labels, and perhaps by more, with the name of a category for those without a value."""
        marks = [gone for _, _, gone in self._columns()]
        if not any(marks):
            return sums
        named: Counter[Key] = Counter()
        for key, count in sums.items():
            labels = tuple(missing if name in gone else name for name, gone in zip(key, marks, strict=False))
            named[labels + key[len(labels) :]] += count
        return named

    def _columns(self) -> list[tuple[str, Counter[str], set[str]]]:
        """Return for each column its name, the rows of each label, and the labels that stand for no value."""
        columns = []
        for j, name in enumerate(self._names):
            column: Counter[str] = Counter()
            for labels, times in self._rows.items():
                column[labels[j]] += times
            columns.append((name, column, no_value_among(column)))
        return columns


def in_words(labels: Sequence[str], names: Sequence[str]) -> str:
    """Return labels with the names of their columns, as a sentence names a row.

    Examples
    --------
    >>> in_words(["North", "m"], ["Region", "Sex"])
    'Region "North", Sex "m"'
    """
    return ", ".join(f"{shortened(name)} {quoted(label)}" for name, label in zip(names, labels, strict=True))


def perhaps_without_value(name: str, column: dict[str, int]) -> list[str]:
    """Say which labels of a column are counted as categories and may stand for no value.

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
    """Say that blanks were taken off."""
    return f"Blanks before or after {counted(number, 'value')} were removed."


def marks_in_words(marks: set[str]) -> str:
    """Return what stands for no value, in brackets; "" where it is an empty cell only."""
    words = [quoted(mark) for mark in sorted(marks) if mark]
    if words and "" in marks:
        words.append("an empty cell")
    return f" ({' or '.join(words)})" if words else ""
