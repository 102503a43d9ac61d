"""A table as it is published: cells, sub-totals and totals, and the equations between them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np

from sdcwidgets._util.arrays import Flags, Floats, Whole
from sdcwidgets.core.margins import every_margin
from sdcwidgets.core.risk.cell import a_posteriori, expected, values_left
from sdcwidgets.core.suppression import Relations, Tree, audit, of_trees, with_margins
from sdcwidgets.core.suppression.audit import system
from sdcwidgets.methods.cell_suppression import CellSuppression
from sdcwidgets.methods.threshold_suppression import ThresholdSuppression
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.hierarchy import labels_of, tree_of
from sdcwidgets.tables.nesting import PossibleHierarchy, check_disjoint
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

#: Counts below this are sensitive by default, as are published totals whose suppressed cells hold fewer people.
SMALL = 3

#: Knowledge of data users in addition to the published totals.
READERS = {"sums": "Published totals only", "rule": "Published totals and the suppression rule"}

#: Row and column of a sheet.
Cell: TypeAlias = tuple[int, int]

#: Labels, each with the label that it is part of; "" means the total.
Parents: TypeAlias = tuple[tuple[str, str], ...]


class SheetLine(NamedTuple):
    """Cells of one row or column, and their total."""

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
    """A table with the totals over every subset of its axes.

    Attributes
    ----------
    table : FrequencyTable
        The axes in the rows come first.
    full : ndarray of int
        Cells and totals in two dimensions. Along each axis the categories come first, then sub-totals and the total; an
        axis with one category has no total.
    rows, columns : tuple of str
        Labels of the rows and columns of `full`.
    orders : tuple of tuple of int
        Display order of each axis; a sub-total follows its parts.
    names : tuple of tuple of str
        Labels of the categories, sub-totals and total of each axis.
    trees : tuple of Tree
        Hierarchies of the axes; only the first axis may have sub-totals.
    relations : Relations
        Equations between entries, which are numbered as in `full.ravel()`.
    lines : tuple of SheetLine
        All totals with their parts.
    leaf : ndarray of bool, shape of `full`
        Mask of the cells that are not totals.
    down : int
        Number of axes in the rows.
    reader : str
        Knowledge of data users, one of `READERS`.
    """

    table: FrequencyTable
    full: Whole
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    orders: tuple[tuple[int, ...], ...]
    names: tuple[tuple[str, ...], ...]
    trees: tuple[Tree, ...]
    relations: Relations
    lines: tuple[SheetLine, ...]
    leaf: Flags
    down: int
    reader: str = "sums"

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of cells and totals along each axis."""
        return tuple(map(len, self.names))

    @cached_property
    def possible_hierarchy(self) -> str:
        """Reason why categories seem to be parts of others although there is no hierarchy, "" if they do not."""
        first = self.table.axes[0]
        with_hierarchy = [first.name] if len(self.names[0]) > len(first) + 1 else []
        try:
            check_disjoint(self.table.counts, self.table.axes, with_hierarchy)
        except PossibleHierarchy as error:
            return str(error)
        return ""

    @property
    def order(self) -> tuple[int, ...]:
        """Row indices in display order."""
        numbers = np.arange(len(self.rows)).reshape(self.shape[: self.down])
        return tuple(numbers[np.ix_(*self.orders[: self.down])].ravel().tolist())

    @property
    def last(self) -> Cell:
        """Position of the grand total, which is always published."""
        return self.full.shape[0] - 1, self.full.shape[1] - 1

    @property
    def corner(self) -> str:
        """Heading of the row labels."""
        return " × ".join(axis.name for axis in self.table.axes[: self.down])

    def position(self, cell: Cell) -> tuple[int, ...]:
        """Return the index of a cell along each axis."""
        number = int(np.ravel_multi_index(cell, self.full.shape))
        return tuple(map(int, np.unravel_index(number, self.shape)))

    def cell(self, position: tuple[int, ...]) -> Cell:
        """Return row and column of a cell with these indices along the axes."""
        i, j = np.unravel_index(int(np.ravel_multi_index(position, self.shape)), self.full.shape)
        return int(i), int(j)

    def row(self, i: int) -> str:
        """Return the name of a row for a sentence, such as "Activity 5" or "Total"."""
        return _row(self.table.rows, self.rows[i], i) if self.down == 1 else self.rows[i]

    def called(self, cell: Cell) -> str:
        """Return the name of a cell for a sentence, such as "Activity 5, size 4"."""
        return f"{self.row(cell[0])}, {self.columns[cell[1]]}"

    def through(self, cell: Cell) -> tuple[SheetLine, ...]:
        """Return the totals in which a cell takes part, its row first."""
        lines = (line for line in self.lines if cell in line.cells)
        return tuple(sorted(lines, key=lambda line: cell == line.total))

    def release(self, hidden: tuple[Cell, ...]) -> Release:
        """Return the release with these suppressed cells; it has no sub-totals."""
        whole = np.where(self.mask(hidden), np.nan, self.full).reshape(self.shape)
        sizes = [len(axis) for axis in self.table.axes]
        parts = {
            axes: tuple(slice(size) if k in axes else -1 for k, size in enumerate(sizes))
            for axes in every_margin(len(sizes))
        }
        return Release(self.table.axes, {axes: whole[part] for axes, part in parts.items()})

    def mask(self, cells: tuple[Cell, ...]) -> Flags:
        """Return a mask of these cells in the shape of `full`."""
        flags = np.zeros(self.full.shape, dtype=bool)
        flags[tuple(np.array(cells, dtype=int).reshape(-1, 2).T)] = True
        return flags

    def beforehand(self, hidden: Flags) -> tuple[Floats, Floats]:
        """Return the bounds of each entry that data users know without any total, in the shape of `full`.

        A data user who knows the rule knows the conclusions of the suppression methods. If exactly the small counts are
        suppressed, each suppressed cell is a small count; with secondary cells, it is only known not to be 0. If a
        zero is suppressed, no rule applies.
        """
        full = self.full.astype(np.float64)
        if self.reader == "sums" or not self.full[hidden].all():
            return np.where(hidden, 0.0, full), np.where(hidden, np.inf, full)
        alone = ThresholdSuppression(threshold=SMALL)
        small = alone.hides(self.full)
        # Suppressed cells that are not small counts, or small counts that are not suppressed.
        others = (hidden & ~small) | (small & ~hidden & self.leaf)
        method = CellSuppression(threshold=SMALL) if others.any() else alone
        return method.conclusions(np.where(hidden, np.nan, full))

    def bounds(self, hidden: Flags, supposed: tuple[Cell, float] | None = None) -> tuple[Floats, Floats]:
        """Return the smallest and the largest possible integer of each entry, given these suppressed cells.

        `supposed` is an entry with an assumed value.
        """
        values, known = self.full.astype(np.float64), np.zeros(self.full.shape, dtype=bool)
        if supposed is not None:
            cell, value = supposed
            values[cell] = value
            known[cell] = True
        floor, ceiling = self.beforehand(hidden)
        bounds = audit(self.relations, values, hidden, floor=floor, ceiling=ceiling, known=known)
        lower, upper = (side.reshape(values.shape) for side in bounds)
        return np.ceil(lower - 1e-6) + 0.0, np.floor(upper + 1e-6)

    def small_union(self, hidden: Flags) -> tuple[SheetLine, int] | None:
        """Return a published total whose suppressed cells hold 1 or 2 people together, and this number.

        The result is None if there is no such total.

        If two such people are in different suppressed cells, each of them can locate the other.
        """
        for line in self.lines:
            if not hidden[line.total]:
                together = int(sum(self.full[cell] for cell in line.parts if hidden[cell]))
                if 0 < together < SMALL:
                    return line, together
        return None

    def name(self, cell: Cell) -> str:
        """Return the name of a cell, its row first."""
        return f"{self.rows[cell[0]]}, {self.columns[cell[1]]}"


@dataclass(frozen=True, eq=False)
class Remaining:
    """Audit of a pattern of suppressed cells; it is immutable.

    Attributes
    ----------
    mask : ndarray of bool, shape of the sheet
        Suppressed cells.
    lower, upper : ndarray
        Feasibility interval of each entry; both bounds are equal if it is published.
    unknowns, equations, rank : int
        Size and rank of the system of equations of the suppressed cells.
    """

    mask: Flags
    lower: Floats
    upper: Floats
    unknowns: int
    equations: int
    rank: int

    @cached_property
    def values(self) -> Floats:
        """Number of possible values of each entry."""
        return values_left((self.lower, self.upper))

    @cached_property
    def risk(self) -> Floats:
        """Risk 1/log2 of the number of possible values; infinite for published or recalculable entries."""
        return a_posteriori((self.lower, self.upper))

    @property
    def weakest(self) -> float:
        """Smallest number of possible values of a suppressed cell; nan if no cell is suppressed."""
        return float(self.values[self.mask].min()) if self.unknowns else float("nan")

    @property
    def highest(self) -> float:
        """Highest risk of a suppressed cell; nan if no cell is suppressed."""
        return float(self.risk[self.mask].max()) if self.unknowns else float("nan")

    @property
    def expected(self) -> float:
        """Mean risk of the suppressed cells; nan if no cell is suppressed."""
        return expected((self.lower, self.upper), self.mask) if self.unknowns else float("nan")


def remaining_by(sheet: Sheet, mask: Flags) -> Remaining:
    """Audit a sheet with these suppressed cells."""
    matrix, _, unknown = system(sheet.relations, sheet.full.ravel().astype(np.float64), mask.ravel())
    order = int(np.linalg.matrix_rank(matrix.toarray())) if len(unknown) else 0
    return Remaining(mask, *sheet.bounds(mask), len(unknown), int(matrix.shape[0]), order)


def spread(low: float, high: float) -> str:
    """Return an interval in words.

    Examples
    --------
    >>> spread(0, 1406), spread(3, 3), spread(2, float("inf"))
    ('0 to 1,406', '3', '2 or more')
    """
    if np.isinf(high):
        return f"{low:,.0f} or more"
    return f"{low:,.0f}" if low == high else f"{low:,.0f} to {high:,.0f}"


def _row(axis: Axis, name: str, i: int) -> str:
    return name if i >= len(axis) or name.startswith(axis.name) else f"{axis.name} {name}"


def _crossed(names: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the labels of rows or columns; the total over all of their axes is last and has one word."""
    *labels, last = itertools.product(*names)
    total = last[-1] if all(len(axis_names) > 1 for axis_names in names) else ", ".join(last)
    return (*map(", ".join, labels), total)


def grouped(axis: Axis, group: int) -> Parents:
    """Return a hierarchy with a sub-total of each `group` neighbours, without sub-totals of one or of all categories.

    Examples
    --------
    >>> grouped(Axis("Area", ("a", "b", "c")), 2)
    (('a', 'a to b'), ('b', 'a to b'), ('c', ''))
    """
    labels = axis.labels
    parts = [labels[start : start + group] for start in range(0, len(labels), group)]
    if group == 1 or len(parts) == 1:
        return ()
    return tuple(
        (label, f"{part[0]} to {part[-1]}" if len(part) > 1 else "") for part in parts for label in part
    )


def nodes(axis: Axis, parents: Parents) -> tuple[Tree, tuple[str, ...], list[int]]:
    """Return the hierarchy of an axis, the labels of its nodes, and their display order."""
    if len(axis) == 1:
        return Tree([-1]), axis.labels, [0]
    tree, names = tree_of(axis, dict(parents)), labels_of(axis, dict(parents))
    parts = dict(tree.groups)

    def display_order(node: int) -> list[int]:
        below = sorted(map(display_order, parts.get(node, ())))
        return [*itertools.chain(*below), node]

    return tree, names, display_order(len(names) - 1)


@lru_cache(maxsize=32)
def sheet_of(
    table: FrequencyTable,
    group: int = 1,
    down: int | None = None,
    reader: str = "sums",
    parents: Parents = (),
) -> Sheet:
    """Return a table as a sheet with all totals.

    Parameters
    ----------
    table : FrequencyTable
    group : int, default 1
        Number of neighbouring categories of the first axis under one sub-total; 1 means no sub-totals.
    down : int, optional
        Number of axes in the rows (default: all but the last).
    reader : str, default "sums"
        Knowledge of data users, one of `READERS`.
    parents : tuple of (label, parent)
        Hierarchy of the first axis from a file, which replaces `group`.

    Examples
    --------
    >>> sheet = sheet_of(FrequencyTable([[1, 2], [3, 4], [5, 6]]), group=2)
    >>> sheet.full.tolist()
    [[1, 2, 3], [3, 4, 7], [5, 6, 11], [4, 6, 10], [9, 12, 21]]
    >>> [sheet.rows[i] for i in sheet.order]
    ['Row 1', 'Row 2', 'Row 1 to Row 2', 'Row 3', 'Total']

    Each of three axes has totals at each category of the others and over them:

    >>> sheet = sheet_of(FrequencyTable([[[1, 2], [3, 4]], [[5, 6], [7, 8]]], {"A": "ab", "B": "cd", "C": "ef"}))
    >>> sheet.rows
    ('a, c', 'a, d', 'a, Total', 'b, c', 'b, d', 'b, Total', 'Total, c', 'Total, d', 'Total')
    >>> sheet.full[2].tolist(), len(sheet.lines)
    ([4, 6, 10], 27)
    """
    down = table.ndim - 1 if down is None else down
    first = parents or grouped(table.axes[0], group)
    levels = [nodes(axis, () if k else first) for k, axis in enumerate(table.axes)]
    trees, names = tuple(tree for tree, *_ in levels), tuple(names for _, names, _ in levels)
    rows, columns = _crossed(names[:down]), _crossed(names[down:])
    size, orders = (len(rows), len(columns)), tuple(tuple(order) for *_, order in levels)
    leaf = np.zeros(tuple(map(len, names)), dtype=bool)
    leaf[tuple(slice(len(axis)) for axis in table.axes)] = True
    full, leaf = with_margins(table.counts, trees).reshape(size), leaf.reshape(size)
    lines, relations = tuple(_lines(table, names, trees, down)), of_trees(trees)
    return Sheet(table, full, rows, columns, orders, names, trees, relations, lines, leaf, down, reader)


def _lines(
    table: FrequencyTable, names: Sequence[tuple[str, ...]], trees: Sequence[Tree], down: int
) -> Iterator[SheetLine]:
    """Yield all totals, those along the last axis first."""
    shape = tuple(map(len, names))
    numbers, across = np.arange(math.prod(shape)).reshape(shape), math.prod(shape[down:])
    called = list(names)
    if table.ndim == 2:
        called[0] = tuple(_row(table.rows, name, i) for i, name in enumerate(names[0]))

    for axis in reversed(range(table.ndim)):
        others = [k for k in range(table.ndim) if k != axis]
        moved = np.moveaxis(numbers, axis, -1)
        for at in np.ndindex(moved.shape[:-1]):
            cells = [divmod(number, across) for number in moved[at].tolist()]
            for total, parts in trees[axis].groups:
                nodes_of_axes = zip((*others, axis), (*at, total), strict=True)
                labels = [called[k][i] for k, i in nodes_of_axes if trees[k].parents[i] >= 0]
                inside = tuple(cells[part] for part in parts)
                yield SheetLine(", ".join(labels) or "Total", int(axis >= down), cells[total], inside)
