"""A table as it is published: its numbers, sub-totals and totals, and which of them add up to which."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.core.risk.cell import a_posteriori, expected, values_left
from sdcwidgets.core.suppression import Relations, Tree, audit, of_trees, with_margins
from sdcwidgets.core.suppression.audit import system
from sdcwidgets.table import FrequencyTable

__all__ = ["SMALL", "Cell", "Remaining", "Sheet", "SheetLine", "remaining_by", "sheet_of", "spread"]

Floats = NDArray[np.float64]

#: Counts below this are sensitive at first, and so are published sums of gaps that hold fewer people together.
SMALL = 3

#: A row and a column of a sheet.
Cell: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class SheetLine:
    """Numbers of one row or column and what they sum to."""

    name: str
    axis: int
    total: Cell
    parts: tuple[Cell, ...]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The parts and their total."""
        return (*self.parts, self.total)


@dataclass(frozen=True, eq=False)
class Sheet:
    """A table with all its totals.

    Attributes
    ----------
    table : FrequencyTable
        With two axes.
    full : ndarray of int
        Cells first; then, downwards, sub-totals and the total of each column; across, the total of each row.
    rows, columns : tuple of str
        The label of each row and column of `full`.
    order : tuple of int
        The rows as they are shown: each sub-total stands below what it is the sum of.
    trees : tuple of Tree
    relations : Relations
    lines : tuple of SheetLine
        Every sum.
    """

    table: FrequencyTable
    full: NDArray[np.int64]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    order: tuple[int, ...]
    trees: tuple[Tree, Tree]
    relations: Relations
    lines: tuple[SheetLine, ...]

    @property
    def inner(self) -> tuple[int, int]:
        """How many rows and columns are no totals."""
        rows, columns = self.table.shape
        return rows, columns

    @property
    def last(self) -> Cell:
        """Where the grand total is, which stays published."""
        return self.full.shape[0] - 1, self.full.shape[1] - 1

    def row(self, i: int) -> str:
        """Return what a row is called in a sentence: Activity 5, Total."""
        return _row(self.table.rows.name, self.rows, i, self.inner[0])

    def through(self, cell: Cell) -> tuple[SheetLine, ...]:
        """Return the sums that a number is part of, its row first."""
        return tuple(line for line in self.lines if cell in line.parts) + tuple(
            line for line in self.lines if cell == line.total
        )

    def mask(self, cells: tuple[Cell, ...]) -> NDArray[np.bool_]:
        """Return where these cells are, in the shape of `full`."""
        flags = np.zeros(self.full.shape, dtype=bool)
        for cell in cells:
            flags[cell] = True
        return flags

    def bounds(
        self, hidden: NDArray[np.bool_], values: NDArray[Any] | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the least and the greatest that each can be if these are gaps, whole, in the shape of `full`.

        `values` stand in print instead of the true ones, if given.
        """
        given = np.asarray(self.full if values is None else values, dtype=np.float64)
        lower, upper = (side.reshape(given.shape) for side in audit(self.relations, given, hidden))
        return np.ceil(lower - 1e-6) + 0.0, np.floor(upper + 1e-6)

    def told_together(self, hidden: NDArray[np.bool_]) -> tuple[SheetLine, int] | None:
        """Return a published sum whose gaps hold one or two people together, and how many; None if there is none.

        Of two suppressed ones each of the two people knows where the other is.
        """
        for line in self.lines:
            if not hidden[line.total]:
                together = int(sum(self.full[cell] for cell in line.parts if hidden[cell]))
                if 0 < together < SMALL:
                    return line, together
        return None

    def name(self, cell: Cell) -> str:
        """Return what a cell is called, its row first."""
        return f"{self.rows[cell[0]]}, {self.columns[cell[1]]}"


@dataclass(frozen=True, eq=False)
class Remaining:
    """What a pattern of gaps leaves for anyone to compute; it never changes.

    Attributes
    ----------
    mask : ndarray of bool, shape of the sheet
        The gaps.
    lower, upper : ndarray
        What anyone can compute of each number; equal where it is published.
    unknowns, equations, rank : int
        Of the gaps.
    """

    mask: NDArray[np.bool_]
    lower: Floats
    upper: Floats
    unknowns: int
    equations: int
    rank: int

    @cached_property
    def values(self) -> Floats:
        """How many values each number can have."""
        return values_left((self.lower, self.upper))

    @cached_property
    def risk(self) -> Floats:
        """1/log2 of that; infinite where a number is published or can be computed."""
        return a_posteriori((self.lower, self.upper))

    @property
    def weakest(self) -> float:
        """The least number of values that a gap can have; nan if there is none."""
        return float(self.values[self.mask].min()) if self.unknowns else float("nan")

    @property
    def highest(self) -> float:
        """The greatest risk of a gap; nan if there is none."""
        return float(self.risk[self.mask].max()) if self.unknowns else float("nan")

    @property
    def expected(self) -> float:
        """The risk of a gap, each as likely to be looked for; nan if there is none."""
        return expected((self.lower, self.upper), self.mask) if self.unknowns else float("nan")


def remaining_by(sheet: Sheet, mask: NDArray[np.bool_]) -> Remaining:
    """Return what these gaps leave of a sheet."""
    matrix, _, unknown = system(sheet.relations, sheet.full.ravel().astype(np.float64), mask.ravel())
    order = int(np.linalg.matrix_rank(matrix.toarray())) if len(unknown) else 0
    return Remaining(mask, *sheet.bounds(mask), len(unknown), int(matrix.shape[0]), order)


def spread(low: float, high: float) -> str:
    """Return what a number can be, in words.

    >>> spread(0, 1406), spread(3, 3), spread(2, float("inf"))
    ('0 to 1,406', '3', '2 or more')
    """
    if np.isinf(high):
        return f"{low:,.0f} or more"
    return f"{low:,.0f}" if low == high else f"{low:,.0f} to {high:,.0f}"


def _row(name: str, rows: tuple[str, ...], i: int, inner: int) -> str:
    return rows[i] if i >= inner or rows[i].startswith(name) else f"{name} {rows[i]}"


@lru_cache(maxsize=32)
def sheet_of(table: FrequencyTable, group: int = 1) -> Sheet:
    """Return a table as a sheet, with a sub-total of each `group` neighbouring rows; 1 is none.

    Examples
    --------
    >>> sheet = sheet_of(FrequencyTable([[1, 2], [3, 4], [5, 6]]), group=2)
    >>> sheet.full.tolist()
    [[1, 2, 3], [3, 4, 7], [5, 6, 11], [4, 6, 10], [9, 12, 21]]
    >>> [sheet.rows[i] for i in sheet.order]
    ['Row 1', 'Row 2', 'Row 1 to Row 2', 'Row 3', 'Total']
    """
    size, labels = len(table.rows), table.rows.labels
    # A group of one row, or of all of them, has its sum already.
    starts = [start for start in range(0, size, group) if 1 < min(group, size - start) < size]
    root = size + len(starts)
    parents, order = [root] * size, list[int]()
    subtotals = list[str]()
    for start in range(0, size, group):
        inside = range(start, min(start + group, size))
        order += list(inside)
        if start in starts:
            node = size + len(subtotals)
            for row in inside:
                parents[row] = node
            subtotals.append(f"{labels[inside[0]]} to {labels[inside[-1]]}")
            order.append(node)
    trees = (Tree([*parents, *[root] * len(starts), -1]), Tree.flat(len(table.columns)))
    rows, columns = (*labels, *subtotals, "Total"), (*table.columns.labels, "Total")
    lines = [
        SheetLine(
            _row(table.rows.name, rows, i, size),
            1,
            (i, total),
            tuple((i, j) for j in parts),
        )
        for i in range(len(rows))
        for total, parts in trees[1].groups
    ]
    lines += [
        SheetLine(
            columns[j] if total == root else f"{columns[j]}, {rows[total]}",
            0,
            (total, j),
            tuple((i, j) for i in parts),
        )
        for j in range(len(columns))
        for total, parts in trees[0].groups
    ]
    return Sheet(
        table,
        with_margins(table.counts, trees),
        rows,
        columns,
        (*order, root),
        trees,
        of_trees(trees),
        tuple(lines),
    )
