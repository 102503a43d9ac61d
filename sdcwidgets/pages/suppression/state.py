"""Suppressing by hand: which counts are gaps, what each can still be, and what the optimiser would do.

The first table is Table 1 of Oganian and Domingo-Ferrer 2003 (O&DF); its example says what is recalled of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any, Self, TypeVar

import numpy as np

from sdcwidgets import examples
from sdcwidgets.arrays import Flags, Floats
from sdcwidgets.errors import InputError
from sdcwidgets.labels import corner, quoted
from sdcwidgets.pages.suppression.asked import SuppressionSettings
from sdcwidgets.pages.suppression.best import (
    Best,
    Boxes,
    Costs,
    Freed,
    Knowing,
    boxes_around,
    freed,
    optimise,
    who_knows,
)
from sdcwidgets.pages.suppression.levels import Parents
from sdcwidgets.pages.suppression.links import Linked, Links, check_linked, linked_pattern, links
from sdcwidgets.pages.suppression.own_links import OwnLinks, Pair, Pairs, checked_pairs, own_links
from sdcwidgets.pages.suppression.sheet import READERS, SMALL, Cell, Remaining, Sheet, remaining_by, sheet_of
from sdcwidgets.release import CONFIDENTIAL
from sdcwidgets.sources import Example, Source
from sdcwidgets.studies.base import SMALLER, TableState
from sdcwidgets.table import FrequencyTable
from sdcwidgets.values import with_fields

T = TypeVar("T")

ODF = examples.load("odf-1")
ODF_PATTERN: tuple[Cell, ...] = ((2, 1), (2, 3), (3, 1), (3, 3))

#: What is said of a link whose gaps can't be found any more.
OLDER = (
    "This link is of an earlier version, which counted the places in a table of three axes otherwise: its gaps are "
    "left out, and the small counts are suppressed."
)

#: A table of more cells is not suppressed by hand.
MOST_CELLS = 400

_DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True)
class Suppressing(TableState):
    """A table, its gaps, and what is asked.

    Attributes
    ----------
    hidden, sensitive : tuple of (row, column)
        The gaps, and the numbers that must be protected, in `sheet.full`; of another table its ones and twos.
    chosen : (row, column)
        The gap whose equations are shown.
    suppose : int, optional
        What the chosen gap is supposed to be; the middle of what it can be if not given.
    linked, beside : tuple of (table, row, column)
        Two patterns of gaps of the linked tables.
    asked : SuppressionSettings
    frozen : tuple of (row, column)
        What the optimiser leaves in print.
    costs : tuple of ((row, column), float)
        What single numbers cost as a gap, as a file tells them, instead of what `asked` says.
    parents : tuple of (label, parent)
        The sub-totals of the rows as a file tells them, instead of those of so many neighbours.
    begun, levels : tuple
        The table, its sub-totals of neighbours, and those of a file, that the gaps belong to.
    older : bool
        Whether the gaps of a link were left out, until one is chosen or another table comes.
    tables : tuple of (axis, axis)
        Tables by two of the axes that are published instead of one of all.
    """

    table: FrequencyTable = ODF
    source: Source = field(default_factory=lambda: Example("odf-1"))
    hidden: tuple[Cell, ...] = ODF_PATTERN
    sensitive: tuple[Cell, ...] = ((2, 1),)
    chosen: Cell = (2, 1)
    suppose: int | None = None
    linked: Linked = field(default_factory=lambda: linked_pattern(True))
    beside: Linked = field(default_factory=lambda: linked_pattern(False))
    asked: SuppressionSettings = field(default_factory=SuppressionSettings)
    frozen: tuple[Cell, ...] = ()
    costs: Costs = ()
    parents: Parents = ()
    begun: tuple[Any, ...] = ()
    levels: Parents = ()
    older: bool = field(default=False, compare=False)
    tables: Pairs = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        set_ = object.__setattr__
        cells = self.seen.cells
        if cells > MOST_CELLS:
            raise InputError(
                f"{quoted(self.title)} shows {cells:,} cells; by hand at most {MOST_CELLS} are suppressed. {SMALLER}"
            )
        if min(self.seen.shape) < 2:
            raise InputError("A table to suppress needs two rows and two columns at least.")
        # Gaps that are given with a table are of that table.
        before = self.begun[0] if self.begun else ODF if self.hidden == ODF_PATTERN else self.seen
        if before != self.seen:
            if self.begun:
                set_(self, "older", False)
                set_(self, "parents", ())
            self._begin()
        elif self.begun and (self.begun[1], self.levels) != (self.asked.group, self.parents):
            if self.begun[1] != self.asked.group:
                set_(self, "parents", ())
            down = len(self.arrangement.down)
            self._follow(sheet_of(self.unfolded, self.begun[1], down, parents=self.levels))
        set_(self, "begun", (self.seen, self.asked.group))
        set_(self, "levels", self.parents)
        for name in ("hidden", "sensitive", "frozen"):
            set_(self, name, tuple(sorted({self._inside(*cell) for cell in getattr(self, name)})))
        set_(self, "costs", tuple((self._inside(*cell), float(cost)) for cell, cost in self.costs))
        set_(self, "chosen", self._inside(*self.chosen))
        check_linked(self.linked)
        check_linked(self.beside)
        set_(self, "tables", checked_pairs(self.tables, self.table))

    def _inside(self, i: int, j: int) -> Cell:
        """Return a place of the table where a gap may be, or raise InputError."""
        (rows, columns), cell = self.sheet.full.shape, (int(i), int(j))
        if not (0 <= cell[0] < rows and 0 <= cell[1] < columns) or cell == self.sheet.last:
            raise InputError(
                f"A gap lies outside of the table, which has {rows - 1} rows and {columns - 1} columns."
            )
        return cell

    def _begin(self) -> None:
        """Mark and suppress the small counts of another table."""
        sheet = self.sheet
        few = sheet.leaf & (sheet.full > 0) & (sheet.full < SMALL)
        small = tuple((int(i), int(j)) for i, j in np.argwhere(few))
        odf = self.seen == ODF
        width = SuppressionSettings.width if odf else min(self.asked.width, SMALL)
        changed = {
            "hidden": ODF_PATTERN if odf else small,
            "sensitive": ((2, 1),) if odf else small,
            "chosen": (2, 1) if odf else (small or ((0, 0),))[0],
            "suppose": None,
            "frozen": (),
            "costs": (),
            "tables": (),
            # The paper's numbers are no counts of people, and no rule of small counts made their gaps.
            "asked": replace(self.asked, width=width, reader="sums" if odf else "rule"),
        }
        for name, value in changed.items():
            object.__setattr__(self, name, value)

    def _follow(self, before: Sheet) -> None:
        """Keep the gaps of cells and totals; sub-totals are others now."""
        now, size = self.sheet, len(self.unfolded.rows)

        def moved(cell: Cell) -> Cell | None:
            first, *others = before.place(cell)
            if size <= first < before.shape[0] - 1:
                return None
            return now.cell((first if first < size else now.shape[0] - 1, *others))

        for name in ("hidden", "sensitive", "frozen"):
            cells = tuple(place for cell in getattr(self, name) if (place := moved(cell)) is not None)
            object.__setattr__(self, name, cells)
        costs = tuple((place, cost) for cell, cost in self.costs if (place := moved(cell)) is not None)
        object.__setattr__(self, "costs", costs)
        object.__setattr__(self, "chosen", moved(self.chosen) or (0, 0))

    @property
    def sheet(self) -> Sheet:
        """The table with its totals, which the agency knows."""
        down, asked = len(self.arrangement.down), self.asked
        return sheet_of(self.unfolded, asked.group, down, asked.reader, self.parents)

    @property
    def coalition(self) -> int:
        """How many people may share what they know; 0 of amounts, since nobody is counted in them."""
        return self.asked.coalition if self.source.unit == "people" else 0

    @property
    def published(self) -> list[list[str | int]]:
        """The lines of the table as it is published: with its totals, and "c" in each gap.

        >>> Suppressing().published[3]
        ['5', 592, 'c', 329, 'c', 1440, 3898]
        """
        sheet = self.sheet
        gaps = sheet.mask(self.hidden)
        lines: list[list[str | int]] = [[*corner([axis.name for axis in sheet.table.axes]), *sheet.names[-1]]]
        printed = np.where(gaps, CONFIDENTIAL, sheet.full.astype(object)).reshape(sheet.shape)
        for place in itertools.product(*sheet.orders[:-1]):
            labels = [names[i] for names, i in zip(sheet.names[:-1], place, strict=True)]
            lines.append([*labels, *printed[place].tolist()])
        return lines

    def ask(self, **changes: object) -> Self:
        """Return the same where something else is asked."""
        return replace(self, asked=with_fields(self.asked, **changes))

    def pressed(self, cell: Cell) -> Self:
        """Return the state after a press on a cell: suppressed or freed, marked, kept in print or not, or looked at."""
        if self.asked.press == "look":
            return replace(self, chosen=cell, suppose=None)
        if self.asked.press == "mark":
            return replace(self, sensitive=_toggled(self.sensitive, cell), chosen=cell, suppose=None)
        if self.asked.press == "keep":
            frozen = _toggled(self.frozen, cell)
            free = tuple(one for one in self.hidden if one not in frozen)
            return replace(self, hidden=free, frozen=frozen, chosen=cell, suppose=None)
        kept = tuple(one for one in self.frozen if one != cell)
        hidden = _toggled(self.hidden, cell)
        return replace(self, hidden=hidden, frozen=kept, chosen=cell, suppose=None, older=False)

    def linked_pressed(self, cell: tuple[str, int, int], pattern: str = "linked") -> Self:
        """Return the state after a press on a cell of a linked table, in the pattern "linked" or "beside"."""
        return self.linked_put(pattern, _toggled(getattr(self, pattern), cell))

    def linked_put(self, pattern: str, gaps: Linked) -> Self:
        """Return the same with these gaps in the pattern "linked" or "beside"."""
        return replace(self, beside=gaps) if pattern == "beside" else replace(self, linked=gaps)

    def with_pair(self, pair: Pair, on: bool) -> Self:
        """Return the state in which a table by two axes is published, or is not."""
        return replace(self, tables=tuple(one for one in (*self.tables, pair) if on or one != pair))

    def saved(self) -> dict[str, object]:
        """Return plain values."""
        names = (
            *("hidden", "sensitive", "frozen", "costs", "chosen", "suppose", "linked", "beside", "parents"),
            "tables",
        )
        return super().saved() | {name: getattr(self, name) for name in names} | {"asked": asdict(self.asked)}

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the state of such values."""
        base = TableState.restored(saved)
        hidden, sensitive = (tuple(map(tuple, saved[one])) for one in ("hidden", "sensitive"))
        i, j = saved["chosen"]
        asked = SuppressionSettings(**saved["asked"])
        # Before a link said what a reader knows, its places were those of a table flattened to two axes.
        frozen = tuple(map(tuple, saved.get("frozen", ())))
        costs = tuple((tuple(cell), float(cost)) for cell, cost in saved.get("costs", ()))
        parents = tuple((str(one), str(other)) for one, other in saved.get("parents", ()))
        older = base.table.ndim > 2 and "reader" not in saved["asked"]
        if older:
            hidden, sensitive, (i, j) = ODF_PATTERN, (), cls.chosen  # which another table begins anew
        return cls(
            **vars(base),
            hidden=hidden,
            sensitive=sensitive,
            chosen=(int(i), int(j)),
            suppose=None if saved["suppose"] is None else int(saved["suppose"]),
            linked=_gaps(saved["linked"]),
            beside=_gaps(saved.get("beside", linked_pattern(False))),
            asked=asked,
            frozen=frozen,
            costs=costs,
            parents=parents,
            begun=() if older else (base.seen, asked.group),
            levels=parents,
            older=older,
            tables=tuple((str(one), str(other)) for one, other in saved.get("tables", ())),
        )


@dataclass(frozen=True, eq=False)
class Suppressed(Remaining):
    """Every number about a pattern; it never changes.

    Attributes
    ----------
    state : Suppressing
    supposed : int, optional
        What the chosen gap is supposed to be; None where no gap is chosen, or nothing is left to suppose.
    then_lower, then_upper : ndarray
        What each number can be if that is so.
    """

    state: Suppressing
    supposed: int | None
    then_lower: Floats
    then_upper: Floats

    def symbol(self, cell: Cell) -> str:
        """Return what a gap is called in equations: x₁, x₂, ... in the order of the table."""
        return f"x{str(self.state.hidden.index(cell) + 1).translate(_DIGITS)}"

    @property
    def narrow(self) -> Flags:
        """The gaps with fewer values than asked."""
        return self.mask & (self.values < self.state.asked.width)

    @cached_property
    def others(self) -> Remaining:
        """What the gaps leave for the other reader, who knows more or less."""
        other = next(reader for reader in READERS if reader != self.state.asked.reader)
        return remaining_by(replace(self.state.sheet, reader=other), self.mask)

    @cached_property
    def best(self) -> Best:
        """What the optimiser does."""
        state, asked = self.state, self.state.asked
        wishes = state.frozen, state.costs
        return optimise(state.sheet, state.sensitive, asked.width, asked.cost, state.coalition, *wishes)

    @cached_property
    def freed(self) -> list[Freed]:
        """What would be left without each gap that the optimiser adds."""
        state = self.state
        return freed(state.sheet, state.sensitive, self.best, state.asked.width, state.coalition)

    @cached_property
    def inside(self) -> Knowing | None:
        """Who in the table knows a sensitive number that these gaps hide better than is asked."""
        state = self.state
        marked = tuple(cell for cell in state.sensitive if cell in state.hidden)
        return who_knows(state.sheet, self.mask, marked, state.asked.width, state.coalition)

    @cached_property
    def boxes(self) -> Boxes | None:
        """The boxes of the first sensitive count."""
        return boxes_around(self.state.sheet, self.state.sensitive)

    @cached_property
    def links(self) -> tuple[Links, Links]:
        """The rank of the linked tables under each of the two patterns."""
        return links(self.state.linked), links(self.state.beside)

    @cached_property
    def own_links(self) -> OwnLinks:
        """The gaps of the tables by two axes that are published."""
        state, asked = self.state, self.state.asked
        return own_links(state.table, state.tables, asked.width, asked.cost, state.coalition)


def suppress(state: Suppressing) -> Suppressed:
    """Return every number about a pattern.

    Examples
    --------
    O&DF, section 4.1: each of the four gaps keeps 407 values, a risk of 0.115.

    >>> found = suppress(Suppressing())
    >>> found.values[found.mask].tolist(), found.risk[found.mask].round(3).tolist(), found.rank
    ([407.0, 407.0, 407.0, 407.0], [0.115, 0.115, 0.115, 0.115], 3)
    """
    sheet = state.sheet
    full, hidden = sheet.full.astype(np.float64), sheet.mask(state.hidden)
    left = remaining_by(sheet, hidden)
    lower, upper = left.lower, left.upper
    supposed, then = None, (lower, upper)
    low, high = lower[state.chosen], upper[state.chosen]
    if hidden[state.chosen] and low < high:
        # What nothing bounds is supposed to be at most twice the total.
        high = min(high, 2 * full[-1, -1])
        supposed = int((low + high) // 2 if state.suppose is None else min(max(state.suppose, low), high))
        then = sheet.bounds(hidden, (state.chosen, supposed))
    return Suppressed(hidden, lower, upper, left.unknowns, left.equations, left.rank, state, supposed, *then)


def _gaps(saved: Any) -> Linked:
    return tuple((str(name), int(i), int(j)) for name, i, j in saved)


def _toggled(cells: tuple[T, ...], cell: T) -> tuple[T, ...]:
    return tuple(one for one in cells if one != cell) if cell in cells else (*cells, cell)
