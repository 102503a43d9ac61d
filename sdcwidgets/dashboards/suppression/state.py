"""State of the page Suppression: suppressed and sensitive cells of a table, and the requirements.

The default table is Table 1 of Oganian and Domingo-Ferrer 2003 (O&DF); its example documents the recalled numbers.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from typing import Annotated, Any, Self

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import corner, counted, quoted
from sdcwidgets._util.parameters import Choices, Declared, Help, Label, Range
from sdcwidgets._util.values import with_fields
from sdcwidgets.dashboards.suppression import linked_tables
from sdcwidgets.dashboards.suppression.linked_tables import Linked, linked_pattern
from sdcwidgets.dashboards.suppression.optimiser import Costs, PatternRequest
from sdcwidgets.dashboards.suppression.sheet import (
    READERS,
    SMALL,
    Cell,
    Parents,
    Sheet,
    sheet_of,
)
from sdcwidgets.methods.cell_suppression import Together
from sdcwidgets.tables import examples
from sdcwidgets.tables.io.sources import Example, Source
from sdcwidgets.tables.release import CONFIDENTIAL
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.page_state.table_state import SMALLER, TableState

ODF = examples.load("odf-1")
ODF_PATTERN: tuple[Cell, ...] = ((2, 1), (2, 3), (3, 1), (3, 3))

#: Maximum number of cells of a table that is suppressed by hand.
MOST_CELLS = 400

_DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")

#: Fields that contain cells.
GAPS = ("hidden", "sensitive", "frozen")

#: Fields that can be passed with a new table.
PASSED = ("sensitive", "chosen", "suppose", "frozen", "costs", "tables")

#: Fields in a link, except the table and the settings.
SAVED = (*GAPS, "costs", "chosen", "suppose", "pattern_a", "pattern_b", "parents", "tables")


@dataclass(frozen=True)
class SuppressionSettings(Declared):
    """Requirements of a suppression pattern."""

    width: Annotated[
        int,
        Range(2, 1000),
        Label("Minimum interval width"),
        Help("Minimum number of possible values of each sensitive cell."),
    ] = 256
    cost: Annotated[
        str,
        Choices({"value": "Sum of suppressed counts", "cell": "Number of suppressed cells"}),
        Label("Quantity to minimise"),
    ] = "value"
    press: Annotated[
        str,
        Choices(
            {
                "hide": "Suppress",
                "mark": "Mark as sensitive",
                "keep": "Keep published",
                "look": "Show equations",
            }
        ),
        Label("Action"),
        Help(
            "Suppress or publish the selected cell, mark the cell as sensitive so that the optimiser protects it, "
            "exclude the cell from suppression, or only show its equations."
        ),
    ] = "hide"
    group: Annotated[
        int,
        Range(1, 6),
        Label("Number of rows per sub-total"),
        Help("Number of neighbouring rows that are summed to a sub-total. 1 turns sub-totals off."),
    ] = 1
    reader: Annotated[
        str,
        Choices(READERS),
        Label("Knowledge of data users"),
        Help(
            "The suppression rule states that small counts (1 and 2) are suppressed, and zeros are published. A data "
            "user who knows the rule can infer that each suppressed count is at least 1, and at most 2 if there are no "
            "secondary cells."
        ),
    ] = "sums"
    coalition: Together = 1
    disjoint: Annotated[
        bool,
        Label("The categories are disjoint"),
        Help(
            "Confirm that no category is part of another category, although labels or counts look like a hierarchy."
        ),
    ] = False


@dataclass(frozen=True)
class SuppressionState(TableState):
    """A table, its suppressed and sensitive cells, and the requirements.

    Attributes
    ----------
    hidden, sensitive : tuple of (row, column)
        Suppressed cells, and cells that must be protected, as positions in `sheet.full`. For a new table these are the
        small counts.
    chosen : (row, column)
        Suppressed cell whose equations are shown.
    suppose : int, optional
        Assumed value of this cell (default: the middle of its interval).
    pattern_a, pattern_b : tuple of (table, row, column)
        Two patterns of suppressed cells of the linked tables.
    requirements : SuppressionSettings
    frozen : tuple of (row, column)
        Cells that the optimiser must not suppress.
    costs : tuple of ((row, column), float)
        Costs of single cells from a file, which replace those by `requirements`.
    parents : tuple of (label, parent)
        Sub-totals of the rows from a file, which replace those of neighbouring rows.
    begun : tuple
        Table, group size and hierarchy to which the suppressed cells belong.
    tables : tuple of (axis, axis)
        Two-way tables that are published instead of the full table.
    secret : int
        Seed of patterns for publication; links do not contain it.
    """

    table: FrequencyTable = ODF
    source: Source = field(default_factory=lambda: Example("odf-1"))
    hidden: tuple[Cell, ...] = ODF_PATTERN
    sensitive: tuple[Cell, ...] = ((2, 1),)
    chosen: Cell = (2, 1)
    suppose: int | None = None
    pattern_a: Linked = field(default_factory=lambda: linked_pattern(True))
    pattern_b: Linked = field(default_factory=lambda: linked_pattern(False))
    requirements: SuppressionSettings = field(default_factory=SuppressionSettings)
    frozen: tuple[Cell, ...] = ()
    costs: Costs = ()
    parents: Parents = ()
    begun: tuple[Any, ...] = ()
    tables: linked_tables.Pairs = ()
    secret: int = field(default_factory=partial(secrets.randbits, 128), compare=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        cells = self.seen.cells
        if cells > MOST_CELLS:
            raise InputError(
                f"{quoted(self.title)} has {cells:,} cells; the page accepts at most {MOST_CELLS}. {SMALLER}"
            )
        if self.table.unknown_cells:
            unknown = counted(self.table.unknown_cells, "unknown count")
            raise InputError(
                f"{quoted(self.title)} has {unknown}, which this page cannot mark. Enter the missing counts, or use "
                "the page Protect."
            )
        if min(self.seen.shape) < 2:
            raise InputError("The table must have at least two rows and two columns.")
        # Suppressed cells that are passed with a table belong to it.
        usual = ODF if self.hidden == ODF_PATTERN else self.seen
        before, *levels = self.begun or (usual, self.requirements.group, self.parents)
        if before != self.seen:
            if self.begun:
                self._set(parents=())
            self._begin()
        elif levels != [self.requirements.group, self.parents]:
            if levels[0] != self.requirements.group:
                self._set(parents=())
            self._follow(sheet_of(self.unfolded, levels[0], len(self.arrangement.down), parents=levels[1]))
        gaps = {name: {self._inside(*cell) for cell in getattr(self, name)} for name in GAPS}
        self._set(
            begun=(self.seen, self.requirements.group, self.parents),
            **{name: tuple(sorted(cells)) for name, cells in gaps.items()},
            costs=tuple((self._inside(*cell), float(cost)) for cell, cost in self.costs),
            chosen=self._inside(*self.chosen),
            suppose=None if self.suppose is None else int(self.suppose),
            pattern_a=linked_tables.checked_linked(self.pattern_a),
            pattern_b=linked_tables.checked_linked(self.pattern_b),
            tables=linked_tables.checked_pairs(self.tables, self.table),
        )

    def _set(self, **fields: object) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def _inside(self, i: int, j: int) -> Cell:
        """Return a position that may be suppressed.

        Raises
        ------
        InputError
            If it is outside the table or the grand total.
        """
        (rows, columns), cell = self.sheet.full.shape, (int(i), int(j))
        if not (0 <= cell[0] < rows and 0 <= cell[1] < columns) or cell == self.sheet.last:
            raise InputError(
                f"A suppressed cell is outside the table, which has {rows - 1} rows and {columns - 1} columns."
            )
        return cell

    def _begin(self) -> None:
        """Mark and suppress the small counts of a new table."""
        sheet = self.sheet
        # Values that are passed with a new table belong to it; those of another table are replaced.
        kept: dict[str, Any] = {}
        if not self.begun:
            defaults = {item.name: item.default for item in fields(self)}
            kept = {name: getattr(self, name) for name in PASSED if getattr(self, name) != defaults[name]}
        few = sheet.leaf & (sheet.full > 0) & (sheet.full < SMALL)
        small = tuple((int(i), int(j)) for i, j in np.argwhere(few))
        odf = self.seen == ODF
        width = SuppressionSettings.width if odf else min(self.requirements.width, SMALL)
        begun: dict[str, Any] = {
            "hidden": ODF_PATTERN if odf else small,
            "sensitive": ((2, 1),) if odf else small,
            "chosen": (2, 1) if odf else (small or ((0, 0),))[0],
            "suppose": None,
            "frozen": (),
            "costs": (),
            "tables": (),
            # O&DF Table 1 contains amounts, and its suppressed cells do not follow from a rule of small counts.
            "requirements": replace(self.requirements, width=width, reader="sums" if odf else "rule"),
        }
        self._set(**begun | kept)

    def _follow(self, before: Sheet) -> None:
        """Keep suppressed cells and totals after a change of the sub-totals."""
        now, size = self.sheet, len(self.unfolded.rows)

        def moved(cell: Cell) -> Cell | None:
            first, *others = before.position(cell)
            if size <= first < before.shape[0] - 1:
                return None
            return now.cell((first if first < size else now.shape[0] - 1, *others))

        costs = [(moved(cell), cost) for cell, cost in self.costs]
        self._set(
            **{name: tuple(filter(None, map(moved, getattr(self, name)))) for name in GAPS},
            costs=tuple((cell, cost) for cell, cost in costs if cell is not None),
            chosen=moved(self.chosen) or (0, 0),
        )

    @property
    def sheet(self) -> Sheet:
        """The table with its totals, as known to the agency."""
        requirements = self.requirements
        return sheet_of(
            self.unfolded,
            group=requirements.group,
            down=len(self.arrangement.down),
            reader=requirements.reader,
            parents=self.parents,
        )

    @property
    def possible_hierarchy(self) -> str:
        """Reason why categories seem to be parts of others, "" if they do not or the user denied it."""
        return "" if self.requirements.disjoint else self.sheet.possible_hierarchy

    @property
    def coalition(self) -> int:
        """Number of respondents who may share their knowledge; 0 for magnitude tables."""
        return self.requirements.coalition if self.source.unit == "people" else 0

    @property
    def published(self) -> list[list[str | int]]:
        """Rows of the published table with its totals; "c" marks a suppressed cell.

        Examples
        --------
        >>> SuppressionState().published[3]
        ['5', 592, 'c', 329, 'c', 1440, 3898]
        """
        sheet = self.sheet
        *labels, columns = (
            [names[i] for i in order] for names, order in zip(sheet.names, sheet.orders, strict=True)
        )
        printed = np.where(sheet.mask(self.hidden), CONFIDENTIAL, sheet.full.astype(object))
        lines = printed.reshape(sheet.shape)[np.ix_(*sheet.orders)].reshape(-1, len(columns)).tolist()
        header = [*corner([axis.name for axis in sheet.table.axes]), *columns]
        return [header, *([*at, *line] for at, line in zip(itertools.product(*labels), lines, strict=True))]

    @property
    def request(self) -> PatternRequest:
        """Requirements for the optimiser."""
        requirements = self.requirements
        return PatternRequest(
            sensitive=self.sensitive,
            width=requirements.width,
            cost=requirements.cost,
            coalition=self.coalition,
            frozen=self.frozen,
            costs=self.costs,
            disjoint=requirements.disjoint,
        )

    def require(self, **changes: object) -> Self:
        """Return the state with other requirements."""
        return replace(self, requirements=with_fields(self.requirements, **changes))

    def pressed(self, cell: Cell) -> Self:
        """Return the state after a cell was selected, by the action of the settings."""
        changes: dict[str, object] = {"chosen": cell, "suppose": None}
        match self.requirements.press:
            case "mark":
                changes["sensitive"] = set(self.sensitive) ^ {cell}
            case "keep":
                frozen = set(self.frozen) ^ {cell}
                changes |= {"frozen": frozen, "hidden": set(self.hidden) - frozen}
            case "hide":
                changes["hidden"] = set(self.hidden) ^ {cell}
                changes["frozen"] = set(self.frozen) - {cell}
        return self.changed(**changes)

    def linked_pressed(self, cell: tuple[str, int, int], pattern: str = "pattern_a") -> Self:
        """Return the state after a cell of a linked table was selected, in "pattern_a" or "pattern_b"."""
        suppressed: Linked = getattr(self, pattern)
        others = tuple(other for other in suppressed if other != cell)
        cells = others if cell in suppressed else (*suppressed, cell)
        return self.changed(**{pattern: cells})

    def with_pair(self, pair: linked_tables.Pair, on: bool) -> Self:
        """Return the state with a two-way table published or not."""
        return replace(self, tables=tuple(table for table in (*self.tables, pair) if on or table != pair))

    def saved(self) -> dict[str, object]:
        """Return the state as plain values."""
        values = {name: getattr(self, name) for name in SAVED}
        return super().saved() | values | {"requirements": asdict(self.requirements)}

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the state from plain values; saved courses may lack fields that are empty by default."""
        base = TableState.restored(saved)
        requirements = SuppressionSettings(**saved["requirements"])
        values = {"frozen": [], "costs": [], "parents": [], "tables": [], **saved}
        fields = {name: _tuples(values[name]) for name in SAVED}
        begun = (base.seen, requirements.group, fields["parents"])
        return cls(**vars(base), **fields, begun=begun, requirements=requirements)


def _tuples(value: Any) -> Any:
    """Return nested lists as tuples."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
