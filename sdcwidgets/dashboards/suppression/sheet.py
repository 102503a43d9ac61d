"""A table as it is published: its numbers, sub-totals and totals, and which of them add up to which."""

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
from sdcwidgets.methods.hiding import ThresholdSuppression
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.hierarchy import labels_of, tree_of
from sdcwidgets.tables.nesting import PossibleHierarchy, check_disjoint
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

#: Counts below this are sensitive at first, and so are published sums of gaps that hold fewer people together.
SMALL = 3

#: What a reader may know beside the sums in print.
READERS = {"sums": "Numbers are 0 or more", "rule": "The rule of gaps too"}

#: A row and a column of a sheet.
Cell: TypeAlias = tuple[int, int]

#: Labels with what they are part of; "" is the total of all.
Parents: TypeAlias = tuple[tuple[str, str], ...]


class SheetLine(NamedTuple):
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
    """A table with all its totals, of every set of its axes.

    Attributes
    ----------
    table : FrequencyTable
        The axes that go down come first.
    full : ndarray of int
        The numbers as they lie on the screen, with two dimensions. Along each axis categories come first, then
        sub-totals and the total; an axis of one category has none.
    rows, columns : tuple of str
        The label of each row and column of `full`.
    orders : tuple of tuple of int
        For each axis the order in which it is shown: each sub-total stands below what it is the sum of.
    names : tuple of tuple of str
        What the categories, sub-totals and total of each axis are called.
    trees : tuple of Tree
        One for each axis; only the first may have sub-totals.
    relations : Relations
        Entries are numbered as in `full.ravel()`.
    lines : tuple of SheetLine
        Every sum.
    leaf : ndarray of bool, shape of `full`
        Which numbers are no totals.
    down : int
        How many axes go down.
    reader : str
        One of `READERS`: who looks at the table.
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
        """How many numbers lie along each axis, with its totals."""
        return tuple(map(len, self.names))

    @cached_property
    def possible_hierarchy(self) -> str:
        """Why categories seem to be part of others although no hierarchy is given, "" where they do not."""
        first = self.table.axes[0]
        with_hierarchy = [first.name] if len(self.names[0]) > len(first) + 1 else []
        try:
            check_disjoint(self.table.counts, self.table.axes, with_hierarchy)
        except PossibleHierarchy as error:
            return str(error)
        return ""

    @property
    def order(self) -> tuple[int, ...]:
        """The rows as they are shown."""
        numbers = np.arange(len(self.rows)).reshape(self.shape[: self.down])
        return tuple(numbers[np.ix_(*self.orders[: self.down])].ravel().tolist())

    @property
    def last(self) -> Cell:
        """Where the grand total is, which stays published."""
        return self.full.shape[0] - 1, self.full.shape[1] - 1

    @property
    def corner(self) -> str:
        """What the rows are labels of."""
        return " × ".join(axis.name for axis in self.table.axes[: self.down])

    def position(self, cell: Cell) -> tuple[int, ...]:
        """Return the index of a cell along each axis."""
        number = int(np.ravel_multi_index(cell, self.full.shape))
        return tuple(map(int, np.unravel_index(number, self.shape)))

    def cell(self, position: tuple[int, ...]) -> Cell:
        """Return the row and the column of a cell with these indices along the axes."""
        i, j = np.unravel_index(int(np.ravel_multi_index(position, self.shape)), self.full.shape)
        return int(i), int(j)

    def row(self, i: int) -> str:
        """Return what a row is called in a sentence: Activity 5, Total."""
        return _row(self.table.rows, self.rows[i], i) if self.down == 1 else self.rows[i]

    def called(self, cell: Cell) -> str:
        """Return what a cell is called in a sentence: Activity 5, size 4."""
        return f"{self.row(cell[0])}, {self.columns[cell[1]]}"

    def through(self, cell: Cell) -> tuple[SheetLine, ...]:
        """Return the sums that a number is part of, its row first."""
        lines = (line for line in self.lines if cell in line.cells)
        return tuple(sorted(lines, key=lambda line: cell == line.total))

    def release(self, hidden: tuple[Cell, ...]) -> Release:
        """Return what is published with these gaps, which says what a reader can conclude."""
        whole = np.where(self.mask(hidden), np.nan, self.full).reshape(self.shape)
        every = range(self.table.ndim)
        parts = {
            axes: tuple(slice(-1) if k in axes else -1 for k in every) for axes in every_margin(len(every))
        }
        return Release(self.table.axes, {axes: whole[part] for axes, part in parts.items()})

    def mask(self, cells: tuple[Cell, ...]) -> Flags:
        """Return where these cells are, in the shape of `full`."""
        flags = np.zeros(self.full.shape, dtype=bool)
        flags[tuple(np.array(cells, dtype=int).reshape(-1, 2).T)] = True
        return flags

    def beforehand(self, hidden: Flags) -> tuple[Floats, Floats]:
        """Return what the reader knows of each number without any sum, if these are gaps; in the shape of `full`.

        Who knows the rule knows what the methods of suppression say of a gap: that it is a small count where gaps are
        exactly these, and not 0 where others are gaps too. Where a zero is a gap there is no rule to know.
        """
        full = self.full.astype(np.float64)
        if self.reader == "sums" or not self.full[hidden].all():
            return np.where(hidden, 0.0, full), np.where(hidden, np.inf, full)
        alone = ThresholdSuppression(threshold=SMALL)
        small = alone.hides(self.full)
        # Gaps that are no small counts, or small counts that are none.
        others = (hidden & ~small) | (small & ~hidden & self.leaf)
        method = CellSuppression(threshold=SMALL) if others.any() else alone
        return method.conclusions(np.where(hidden, np.nan, full))

    def bounds(self, hidden: Flags, supposed: tuple[Cell, float] | None = None) -> tuple[Floats, Floats]:
        """Return the least and the greatest that each can be if these are gaps, whole, in the shape of `full`.

        `supposed` says what one of them is taken to be.
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

    mask: Flags
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


def remaining_by(sheet: Sheet, mask: Flags) -> Remaining:
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


def _row(axis: Axis, name: str, i: int) -> str:
    return name if i >= len(axis) or name.startswith(axis.name) else f"{axis.name} {name}"


def _crossed(names: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the labels of rows or columns; the sum over all of their axes, which is last, is one word."""
    *labels, last = itertools.product(*names)
    total = last[-1] if all(len(axis_names) > 1 for axis_names in names) else ", ".join(last)
    return (*map(", ".join, labels), total)


def grouped(axis: Axis, group: int) -> Parents:
    """Return a hierarchy with a sub-total of each `group` neighbours; none of one, or of all.

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
    """Return the hierarchy of an axis, what is called how in it, and the order in which it is shown."""
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
    """Return a table as a sheet, with a sub-total of each `group` neighbours on its first axis; 1 is none.

    `parents` are the sub-totals of a file instead: each label of the first axis, and each sub-total, with its own.

    `down` is how many axes go down: all but the last one by default; `reader` says who looks, one of `READERS`.

    Examples
    --------
    >>> sheet = sheet_of(FrequencyTable([[1, 2], [3, 4], [5, 6]]), group=2)
    >>> sheet.full.tolist()
    [[1, 2, 3], [3, 4, 7], [5, 6, 11], [4, 6, 10], [9, 12, 21]]
    >>> [sheet.rows[i] for i in sheet.order]
    ['Row 1', 'Row 2', 'Row 1 to Row 2', 'Row 3', 'Total']

    Of three axes each has its sums, at each category of the others and over them:

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
    """Yield every sum, those along the last axis first."""
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
