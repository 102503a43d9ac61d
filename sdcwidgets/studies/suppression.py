"""Suppressing by hand: which counts are gaps, what each can still be, and what the optimiser would do.

The first table is Table 1 of Oganian and Domingo-Ferrer 2003 (O&DF). Our copy of the paper lacks eight of its numbers,
all in activities 5 and 6: those here are recalled and meet every sum that is printed, and x1 to x4 are one choice
among the 407 that agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from sdcwidgets import examples
from sdcwidgets.core.risk.cell import a_posteriori, rank, values_left
from sdcwidgets.core.suppression import (
    Problem,
    Unprotectable,
    audit,
    find_pattern,
    of_shape,
    weigh,
    with_margins,
)
from sdcwidgets.core.suppression.audit import system
from sdcwidgets.errors import InputError
from sdcwidgets.parameters import Choices, Declared, Help, Label, Range
from sdcwidgets.table import Axis, FrequencyTable

__all__ = [
    "LINKED",
    "ODF",
    "SHAPE",
    "SOURCES",
    "Best",
    "Boxes",
    "Links",
    "Suppressed",
    "Suppressing",
    "linked_pattern",
    "suppress",
]

Cell = tuple[int, int]
Floats = NDArray[np.float64]

#: O&DF Table 1; see the head of this module.
ODF = FrequencyTable(
    [
        [80, 253, 54, 0, 0],
        [641, 3694, 2062, 746, 0],
        [592, 100, 329, 1437, 1440],
        [57, 306, 946, 945, 2027],
        [78, 0, 890, 1719, 1743],
    ],
    [
        Axis("Activity", ("2,3", "4", "5", "6", "7")),
        Axis("Size", ("size 4", "size 5", "size 6", "size 7", "size 8")),
    ],
)
ODF_PATTERN: tuple[Cell, ...] = ((2, 1), (2, 3), (3, 1), (3, 3))

#: A table of more cells is not suppressed by hand.
MOST_CELLS = 144


def _fits(table: FrequencyTable) -> bool:
    return table.ndim == 2 and table.cells <= MOST_CELLS and min(table.shape) > 1


#: The tables that can be chosen.
SOURCES: Mapping[str, str] = {"odf": "Oganian and Domingo-Ferrer, Table 1"} | {
    name: example.title for name, example in examples.available().items() if _fits(examples.load(name))
}

#: Three activities, four sizes, three regions (O&DF, section 4.4), and the tables of two of them.
SHAPE = (3, 4, 3)
LINKED: Mapping[str, tuple[int, int]] = {"AS": (0, 1), "AR": (0, 2), "SR": (1, 2)}

Linked = tuple[tuple[str, int, int], ...]


def linked_pattern(alike: bool) -> Linked:
    """Return a primary cell and three more in each of the linked tables, in the same rows and columns or elsewhere."""
    corners = {"AS": (1, 2), "AR": (1, 2) if alike else (2, 1), "SR": (2, 2) if alike else (3, 2)}
    return tuple(
        (name, i, j) for name, (row, column) in corners.items() for i in (0, row) for j in (0, column)
    )


@dataclass(frozen=True)
class SuppressionSettings(Declared):
    """What is asked of a pattern."""

    width: Annotated[
        int,
        Range(2, 1000),
        Label("Values asked, at least"),
        Help("How many values each suppressed count must keep."),
    ] = 256
    cost: Annotated[
        str,
        Choices({"value": "What is hidden", "cell": "Number of gaps"}),
        Label("The optimiser saves"),
    ] = "value"
    press: Annotated[
        str,
        Choices({"hide": "Suppresses it", "mark": "Marks it as sensitive", "look": "Shows its sums"}),
        Label("Pressing a number"),
        Help("The optimiser protects what is marked as sensitive."),
    ] = "hide"


@dataclass(frozen=True)
class Suppressing:
    """A table, its gaps, and what is asked.

    Attributes
    ----------
    source : str
        One of SOURCES.
    hidden, sensitive : tuple of (row, column)
        The gaps, and the counts that must be protected.
    chosen : (row, column)
        The gap whose equations are shown.
    linked : tuple of (table, row, column)
        The gaps of the linked tables.
    settings : SuppressionSettings
    """

    source: str = "odf"
    hidden: tuple[Cell, ...] = ODF_PATTERN
    sensitive: tuple[Cell, ...] = ((2, 1),)
    chosen: Cell = (2, 1)
    linked: Linked = field(default_factory=lambda: linked_pattern(True))
    settings: SuppressionSettings = field(default_factory=SuppressionSettings)

    def __post_init__(self) -> None:
        if self.source not in SOURCES:
            raise InputError(f"There is no table {self.source!r}; there are {', '.join(SOURCES)}.")
        rows, columns = self.table.shape
        for name in ("hidden", "sensitive"):
            cells = tuple(sorted({(int(i), int(j)) for i, j in getattr(self, name)}))
            if any(not (0 <= i < rows and 0 <= j < columns) for i, j in cells):
                raise InputError(
                    f"A cell lies outside of the table, which has {rows} rows and {columns} columns."
                )
            object.__setattr__(self, name, cells)
        for name, i, j in self.linked:
            if name not in LINKED or not (
                0 <= i < SHAPE[LINKED[name][0]] and 0 <= j < SHAPE[LINKED[name][1]]
            ):
                raise InputError(f"There is no cell {i + 1}, {j + 1} in a linked table {name}.")

    @property
    def table(self) -> FrequencyTable:
        """The true counts, which the agency knows."""
        return _table(self.source)

    def set(self, **changes: Any) -> Self:
        """Return the same under other settings."""
        return replace(self, settings=replace(self.settings, **changes))

    def pressed(self, cell: Cell) -> Self:
        """Return the state after a press on a cell: suppressed or freed, marked as sensitive or not, or looked at."""
        if self.settings.press == "look":
            return replace(self, chosen=cell)
        if self.settings.press == "mark":
            return replace(self, sensitive=_toggled(self.sensitive, cell), chosen=cell)
        return replace(self, hidden=_toggled(self.hidden, cell), chosen=cell)

    def linked_pressed(self, cell: tuple[str, int, int]) -> Self:
        """Return the state after a press on a cell of a linked table."""
        linked = tuple(one for one in self.linked if one != cell)
        return replace(self, linked=linked if cell in self.linked else (*self.linked, cell))

    def at(self, source: str) -> Self:
        """Return another table, its ones and twos marked as sensitive and suppressed."""
        if source == "odf":
            return type(self)(linked=self.linked, settings=replace(self.settings, width=256))
        counts = _table(source).counts
        small = tuple((int(i), int(j)) for i, j in np.argwhere((counts > 0) & (counts < 3)))
        first = small[0] if small else (0, 0)
        return replace(
            self,
            source=source,
            hidden=small,
            sensitive=small,
            chosen=first,
            settings=replace(self.settings, width=3),
        )

    def to_state(self) -> dict[str, Any]:
        """Return plain values for a link."""
        return {
            "version": 1,
            "source": self.source,
            "hidden": self.hidden,
            "sensitive": self.sensitive,
            "chosen": self.chosen,
            "linked": self.linked,
            "settings": asdict(self.settings),
        }

    @classmethod
    def from_state(cls, saved: dict[str, Any]) -> Self:
        """Return the state that `to_state` wrote, or raise InputError."""
        try:
            if saved["version"] != 1:
                raise KeyError("version")
            cells = {
                name: tuple((int(i), int(j)) for i, j in saved[name]) for name in ("hidden", "sensitive")
            }
            linked = tuple((str(name), int(i), int(j)) for name, i, j in saved["linked"])
            i, j = saved["chosen"]
            return cls(
                source=str(saved["source"]),
                chosen=(int(i), int(j)),
                linked=linked,
                settings=SuppressionSettings(**saved["settings"]),
                **cells,
            )
        except InputError:
            raise
        except (KeyError, TypeError, ValueError) as error:
            raise InputError("This link is damaged; copy it again from the page that made it.") from error


@dataclass(frozen=True, eq=False)
class Best:
    """The optimiser's pattern for the sensitive counts, or why there is none."""

    hidden: NDArray[np.bool_] | None
    """With margins, which may have to be gaps too."""
    people: int = 0
    cells: int = 0
    narrowest: float = 0.0
    optimal: bool = True
    problem: str = ""


@dataclass(frozen=True, eq=False)
class Boxes:
    """Each box that protects the first sensitive count: three more gaps, at its other corners."""

    corners: tuple[Cell, ...]
    """The corner across."""
    people: Floats
    left: Floats
    """How many values it leaves."""


@dataclass(frozen=True)
class Links:
    """The rank of what linked tables say about the table behind them, for one, two and three tables."""

    names: tuple[str, ...]
    equations: tuple[int, ...]
    whole: tuple[int, ...]
    left: tuple[int, ...]
    unknowns: int


@dataclass(frozen=True, eq=False)
class Suppressed:
    """Every number about a pattern; it never changes.

    Attributes
    ----------
    state : Suppressing
    lower, upper : ndarray, shape of the table
        What anyone can compute of each count; equal where it is published.
    values : ndarray
        How many values each count can have.
    risk : ndarray
        1/log2 of that; infinite where it is published or can be computed.
    unknowns, equations, rank : int
        Of the suppressed counts.
    best : Best
    boxes : Boxes or None
    links : Links
    """

    state: Suppressing
    lower: Floats
    upper: Floats
    values: Floats
    risk: Floats
    unknowns: int
    equations: int
    rank: int
    best: Best
    boxes: Boxes | None
    links: Links

    @property
    def mask(self) -> NDArray[np.bool_]:
        """Which counts are gaps."""
        return _mask(self.state.table.shape, self.state.hidden)

    @property
    def narrow(self) -> NDArray[np.bool_]:
        """The gaps with fewer values than asked."""
        flags: NDArray[np.bool_] = self.mask & (self.values < self.state.settings.width)
        return flags

    @property
    def weakest(self) -> float:
        """The least number of values that a gap can have; nan if there is none."""
        return float(self.values[self.mask].min()) if self.state.hidden else float("nan")


def suppress(state: Suppressing) -> Suppressed:
    """Return every number about a pattern.

    Examples
    --------
    O&DF, section 4.1: each of the four gaps keeps 407 values, a risk of 0.115.

    >>> found = suppress(Suppressing())
    >>> found.values[found.mask].tolist(), found.risk[found.mask].round(3).tolist(), found.rank
    ([407.0, 407.0, 407.0, 407.0], [0.115, 0.115, 0.115, 0.115], 3)
    """
    counts = state.table.counts
    full = with_margins(counts)
    relations = of_shape(counts.shape)
    mask = _mask(counts.shape, state.hidden)
    hidden = np.zeros(full.shape, dtype=bool)
    hidden[:-1, :-1] = mask
    bounds = [side.reshape(full.shape)[:-1, :-1] for side in audit(relations, full, hidden)]
    lower, upper = np.ceil(bounds[0] - 1e-6) + 0.0, np.floor(bounds[1] + 1e-6)
    matrix, _, unknown = system(relations, full.ravel().astype(np.float64), hidden.ravel())
    order = int(np.linalg.matrix_rank(matrix.toarray())) if len(unknown) else 0
    return Suppressed(
        state,
        lower,
        upper,
        values_left((lower, upper)),
        a_posteriori((lower, upper)),
        len(unknown),
        int(matrix.shape[0]),
        order,
        _best(state.source, state.sensitive, state.settings.width, state.settings.cost),
        _boxes(state),
        _links(state.linked),
    )


def _toggled(cells: tuple[Cell, ...], cell: Cell) -> tuple[Cell, ...]:
    return tuple(one for one in cells if one != cell) if cell in cells else (*cells, cell)


def _mask(shape: tuple[int, ...], cells: tuple[Cell, ...]) -> NDArray[np.bool_]:
    mask = np.zeros(shape, dtype=bool)
    for cell in cells:
        mask[cell] = True
    return mask


@lru_cache(maxsize=16)
def _table(source: str) -> FrequencyTable:
    return ODF if source == "odf" else examples.load(source)


@lru_cache(maxsize=32)
def _best(source: str, sensitive: tuple[Cell, ...], width: int, cost: str) -> Best:
    if not sensitive:
        return Best(None, problem="No number is marked as sensitive, so nothing needs to be suppressed.")
    counts = _table(source).counts
    full = with_margins(counts)
    primary = np.zeros(full.shape, dtype=bool)
    primary[:-1, :-1] = _mask(counts.shape, sensitive)
    values = full.ravel().astype(np.float64)
    usable = values > 0
    usable[-1] = False
    try:
        problem = Problem.of(
            of_shape(counts.shape),
            values,
            primary,
            width=width - 1.0,
            weights=weigh(values, cost),
            usable=usable,
        )
        found = find_pattern(problem, seconds=5.0)
    except Unprotectable:
        return Best(None, problem="No pattern keeps so many values for what is marked; ask for fewer.")
    shape = full.shape
    left = np.floor(found.upper + 1e-6) - np.ceil(found.lower - 1e-6) + 1
    return Best(
        found.suppressed.reshape(shape),
        int(values[found.secondary].sum()),
        int(found.secondary.sum()),
        float(left[primary.ravel()].min()),
        found.optimal,
    )


def _boxes(state: Suppressing) -> Boxes | None:
    """Return the boxes of the first sensitive count. Along a box counts move by the least of two opposite corners."""
    if not state.sensitive:
        return None
    counts = state.table.counts.astype(np.float64)
    i, j = state.sensitive[0]
    rows, columns = np.indices(counts.shape)
    across, down, side = counts, counts[i, :][None, :] + 0 * counts, counts[:, j][:, None] + 0 * counts
    values = np.minimum(counts[i, j], across) + np.minimum(down, side) + 1
    people = across + down + side
    kept = (rows != i) & (columns != j) & (values > 1)
    corners = tuple((int(r), int(c)) for r, c in np.argwhere(kept))
    return Boxes(corners, people[kept], values[kept])


@lru_cache(maxsize=64)
def _links(linked: Linked) -> Links:
    def released(names: tuple[str, ...], gaps: bool) -> dict[tuple[int, ...], Floats]:
        tables: dict[tuple[int, ...], Floats] = {}
        for name, axes in LINKED.items():
            array = np.full([SHAPE[a] for a in axes], 0.0 if name in names else np.nan)
            for table, i, j in linked if gaps else ():
                if table == name:
                    array[i, j] = np.nan
            tables[axes] = array
        return tables

    sets = (("AS",), ("AS", "AR"), ("AS", "AR", "SR"))
    return Links(
        tuple(", ".join(names) for names in sets),
        tuple(sum(SHAPE[a] * SHAPE[b] for a, b in (LINKED[name] for name in names)) for names in sets),
        tuple(rank(released(names, False)) for names in sets),
        tuple(rank(released(names, True)) for names in sets),
        int(np.prod(SHAPE)),
    )
