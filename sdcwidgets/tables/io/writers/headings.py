"""Headings of a table in its file: the lines with labels of columns, and the columns with labels of rows."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from sdcwidgets._util.errors import InputError

if TYPE_CHECKING:
    from sdcwidgets.core.margins import MarginAxes
    from sdcwidgets.tables.axis import Axis
    from sdcwidgets.tables.release import Release

#: Labels of one column or row, one per axis; a label that is no category stands for a total.
Labels = tuple[str, ...]

#: Maximum number of texts of headings that a link stores.
MOST_STORED = 4_000


@dataclass(frozen=True)
class Headings:
    """Texts of the headings in their file. A blank text repeats the label before it, as in merged cells.

    Attributes
    ----------
    corners : tuple of tuple of str
        Texts to the left of each heading line.
    across, down : tuple of int
        Position of the axis of each heading line, and of each column of labels. Without an axis across, the only
        heading line has the name of the counts.
    columns : tuple of tuple of str
        Texts of each heading line.
    rows : tuple of tuple of str
        Texts of the labels in each row.

    Examples
    --------
    >>> headings = Headings((("Area",), ("",)), (1, 2), (0,), (("f", "", "m", ""), ("x", "y") * 2), (("A",), ("All",)))
    >>> headings.column_labels
    (('f', 'x'), ('f', 'y'), ('m', 'x'), ('m', 'y'))
    """

    corners: tuple[Labels, ...]
    across: tuple[int, ...]
    down: tuple[int, ...]
    columns: tuple[Labels, ...]
    rows: tuple[Labels, ...]

    @cached_property
    def column_labels(self) -> tuple[Labels, ...]:
        """Labels of each column, by heading line; without axes across, one column without labels."""
        return filled(list(zip(*self.columns, strict=True))) if self.across else ((),)

    @cached_property
    def row_labels(self) -> tuple[Labels, ...]:
        """Labels of each row, by column of labels."""
        return filled(self.rows)

    def cell(self, row: Labels, column: Labels, axes: Sequence[Axis]) -> tuple[MarginAxes, tuple[int, ...]]:
        """Return the positions of the axes of a count that are no total, and its position on each of them."""
        pairs = sorted([*zip(self.down, row, strict=True), *zip(self.across, column, strict=True)])
        known = [(k, axes[k].position(label)) for k, label in pairs if label in axes[k]]
        return tuple(k for k, _ in known), tuple(at for _, at in known)

    def cells(self, axes: Sequence[Axis]) -> Iterator[tuple[int, int, tuple[MarginAxes, tuple[int, ...]]]]:
        """Yield the row, the column and the position of each count."""
        for i, row in enumerate(self.row_labels):
            for j, column in enumerate(self.column_labels):
                yield i, j, self.cell(row, column, axes)

    def fits(self, release: Release) -> bool:
        """Return whether a release has all categories of these headings, no others, and all totals."""
        if sorted((*self.down, *self.across)) != list(range(release.ndim)):
            return False
        known = _labels_by_axis(self)
        if any(not set(axis.labels) <= known[k] for k, axis in enumerate(release.axes)):
            return False
        totals = [known[k] - {*axis.labels, ""} for k, axis in enumerate(release.axes)]
        if any(len(others) > 1 for others in totals):
            return False
        return {margin for _, _, (margin, _) in self.cells(release.axes)} <= set(release.values)

    def lines(self, release: Release, total_of: Mapping[str, str]) -> Iterator[list[str | float]]:
        """Yield the heading lines and the rows of a release that fits; `total_of` replaces labels of totals."""
        for corner, texts in zip(self.corners, self.columns, strict=True):
            yield [total_of.get(text, text) for text in (*corner, *texts)]
        for i, row in enumerate(self.rows):
            line: list[str | float] = [total_of.get(text, text) for text in row]
            for column in self.column_labels:
                margin, index = self.cell(self.row_labels[i], column, release.axes)
                symbol = str(release.symbols[margin][index])
                value = float(release.values[margin][index])
                line.append(symbol or (int(value) if value.is_integer() else value))
            yield line

    def free_texts(self, axes: Sequence[Axis]) -> list[str]:
        """Return the texts of the headings that are no categories: corners, and labels of totals."""
        texts = [*itertools.chain(*self.corners, *self.columns, *self.rows)]
        categories = {label for axis in axes for label in axis.labels}
        return [text for text in dict.fromkeys(texts) if text and text not in categories]

    def to_state(self) -> dict[str, object]:
        """Return plain values for a link, {} if there are too many texts."""
        texts = [self.corners, self.columns, self.rows]
        if sum(len(line) for lines in texts for line in lines) > MOST_STORED:
            return {}
        return {
            "corners": [list(line) for line in self.corners],
            "across": list(self.across),
            "down": list(self.down),
            "columns": [list(line) for line in self.columns],
            "rows": [list(line) for line in self.rows],
        }

    @classmethod
    def from_state(cls, saved: Mapping[str, Any]) -> Self:
        """Return the headings from plain values.

        Examples
        --------
        >>> headings = Headings((("Area",),), (), (0,), (("Persons",),), (("A",), ("B",)))
        >>> Headings.from_state(headings.to_state()) == headings
        True
        """
        corners, columns, rows = (
            tuple(tuple(map(str, line)) for line in saved[name]) for name in ("corners", "columns", "rows")
        )
        across, down = (tuple(map(int, saved[name])) for name in ("across", "down"))
        is_square = all(len(line) == len(down) for line in (*corners, *rows))
        if not is_square or len(columns) != max(1, len(across)) or len({len(line) for line in columns}) > 1:
            raise InputError("The link is damaged: the headings of its table do not have the same length.")
        return cls(corners, across, down, columns, rows)


def filled(lines: Sequence[Labels]) -> tuple[Labels, ...]:
    """Return lines of labels without blanks, which repeat the label before them; "" is left for a total.

    Below a new label of an outer axis, a blank label of an inner axis is not repeated: it stands for the total.

    Examples
    --------
    >>> filled([("f", "x"), ("", "y"), ("All", "")])
    (('f', 'x'), ('f', 'y'), ('All', ''))
    """
    result: list[Labels] = []
    for line in lines:
        last = result[-1] if result else ("",) * len(line)
        first_new = next((k for k, text in enumerate(line) if text), len(line))
        result.append(tuple(last[k] if k < first_new else text for k, text in enumerate(line)))
    return tuple(result)


def _labels_by_axis(headings: Headings) -> dict[int, set[str]]:
    """Return the labels of each axis, with those of totals."""
    pairs = [
        *zip(headings.down, zip(*headings.row_labels, strict=True), strict=True),
        *zip(headings.across, zip(*headings.column_labels, strict=True), strict=True),
    ]
    return {k: set(labels) for k, labels in pairs}
