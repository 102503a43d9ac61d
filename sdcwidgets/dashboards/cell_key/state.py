"""The cell key lab: a p-table, the noise that it gives to a table, and one person followed into it.

A table brings no records, so each person in it is given a record key by cell and number, as an office gives one to
each of its records once. The keys are unmixed, as in the handbook.

References: handbook, chapter 5, section 5.4; Giessing 2016.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from sdcwidgets._util.arrays import Floats, Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.values import with_fields
from sdcwidgets.core.margins import margins
from sdcwidgets.methods import cellkey
from sdcwidgets.methods.cellkey.keys import GRID, LISTED
from sdcwidgets.methods.ptables import read_p_table
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.studies.base import TableState

if TYPE_CHECKING:
    import pandas as pd

#: A file of a p-table is at most so long.
MOST_LETTERS = 300_000

#: So often is asked at most.
MOST_ASKED = 200

Cell = tuple[int, int]


@dataclass(frozen=True)
class KeyState(TableState):
    """A table, the p-table of its noise, and who is followed.

    Attributes
    ----------
    noise : CellKey
        What the p-table is made for.
    given : str
        A p-table from a file, as text; "" where it is made for `noise`.
    cell : (row, column), optional
        The cell that is looked at, as the screen shows the table; the first with a few people if not given.
    person : int
        Who of its people is followed, from 0.
    seed : int
        Another seed is other record keys for everybody.
    asks : int
        How often the count of the cell was asked for.
    """

    noise: cellkey.CellKey = field(default_factory=partial(cellkey.CellKey, cell_keys="plain"))
    given: str = ""
    cell: Cell | None = None
    person: int = 0
    seed: int = 1
    asks: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.given) > MOST_LETTERS:
            raise InputError(
                f"The p-table has {len(self.given):,} letters; at most {MOST_LETTERS:,} are read."
            )
        for name, value, most in (("seed", self.seed, 10**6), ("number of asks", self.asks, MOST_ASKED)):
            if type(value) is not int or not 1 <= value <= most:
                raise InputError(f"The {name} is {value}; it must be a whole number from 1 to {most:,}.")
        if type(self.person) is not int or self.person < 0:
            raise InputError(f"There is no person {self.person}; they are counted from 0.")
        if self.cell is not None:
            object.__setattr__(self, "cell", (int(self.cell[0]), int(self.cell[1])))

    def noised(self, **changes: object) -> Self:
        """Return the same table with a p-table that is made for other settings."""
        return replace(self, noise=with_fields(self.noise, **changes), given="")

    def saved(self) -> dict[str, object]:
        """Return plain values."""
        own = {name: getattr(self, name) for name in ("given", "cell", "person", "seed", "asks")}
        return super().saved() | {"noise": asdict(self.noise)} | own

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the state of such values."""
        base = TableState.restored(saved)
        cell = None if saved["cell"] is None else (saved["cell"][0], saved["cell"][1])
        own = {name: saved[name] for name in ("person", "seed", "asks")}
        # The page shows the unmixed keys of the handbook; older links do not name the setting.
        noise, given = cellkey.CellKey(**{**saved["noise"], "cell_keys": "plain"}), str(saved["given"])
        return cls(**vars(base), noise=noise, given=given, cell=cell, **own)


#: So many people's keys stand beside each other.
FEW = 6


@dataclass(frozen=True)
class NoiseStep:
    """How one count gets its noise: a cell or a margin that the person is counted in.

    Attributes
    ----------
    place : "cell", "row", "column" or "total"
    count : int
        The true count.
    key : float
        The key of the people in it.
    line : int
        The row of the p-table that serves this count.
    low, high : float
        The keys with this noise, from the one to below the other.
    noise, published : int
    """

    place: str
    count: int
    key: float
    line: int
    low: float
    high: float
    noise: int
    published: int


@dataclass(frozen=True, eq=False)
class KeyLab:
    """Every number that the lab shows; it never changes.

    Attributes
    ----------
    state : KeyState
    p_table : DataFrame
    checks : DataFrame
        Of each row of the p-table; see `cellkey.checks`.
    true : FrequencyTable
        What the screen shows of the table.
    release : Release
        What is published of it, each margin with noise of its own.
    cell : (row, column)
        The cell that is looked at.
    own, others : float
        The key of the person who is followed, and the fractional part of the sum of the others' keys.
    path : tuple of NoiseStep
        The cell, its row, its column and the total; () where the cell is empty.
    fresh : ndarray of int, shape (asks,)
        What would have been answered if the noise were drawn anew each time.
    keys : tuple of float
        The record keys of everyone in the cell, where they are few.
    """

    state: KeyState
    p_table: pd.DataFrame
    checks: pd.DataFrame
    true: FrequencyTable
    release: Release
    cell: Cell
    own: float
    others: float
    path: tuple[NoiseStep, ...]
    fresh: Whole
    keys: tuple[float, ...]

    @property
    def people(self) -> int:
        """The people of the cell whose own keys can be followed."""
        return min(int(self.true.counts[self.cell]), LISTED)

    @property
    def apart(self) -> dict[tuple[int, ...], Whole]:
        """How much each published margin is above the sum of its published cells."""
        names = [axis.name for axis in self.release.axes]
        kept = ((0,), (1,), ())
        return {axes: self.release.discrepancy(*(names[k] for k in axes)).astype(np.int64) for axes in kept}


def lab(state: KeyState) -> KeyLab:
    """Return every number of the lab.

    Raises
    ------
    InputError
        If the p-table of a file is none, or the person is not in the cell.

    Examples
    --------
    >>> found = lab(KeyState.of_example("religion"))
    >>> [step.place for step in found.path]
    ['cell', 'row', 'column', 'total']
    >>> round((found.own + found.others) % 1, 9) == found.path[0].key
    True
    """
    noise = state.noise
    p_table = _read(state.given) if state.given else _made(noise)
    lookup = cellkey.Lookup.of(p_table)
    true, keys = state.seen, _seen_keys(state)
    release = cellkey.release(true, keys, p_table, secret=None)
    cell = _looked_at(state, true)
    count, key = int(true.counts[cell]), float(keys[cell])
    own, others = 0.0, 0.0
    each: tuple[float, ...] = ()
    if count:
        number = int(state.arrangement.positions(state.table)[cell])
        person = state.person % min(count, LISTED)
        own = float(cellkey.record_keys(number, person, state.seed))
        others = round((key - own) % 1, 9) % 1
        if count <= FEW:
            each = tuple(float(cellkey.record_keys(number, k, state.seed)) for k in range(count))
    rng = np.random.default_rng([state.seed, *cell, 7])
    fresh = np.full(state.asks, count)
    fresh = fresh + lookup.noise(fresh, rng.random(state.asks))
    return KeyLab(
        state,
        p_table,
        cellkey.checks(p_table),
        true,
        release,
        cell,
        own,
        others,
        steps_of(true.counts, keys, release, lookup, cell) if count else (),
        fresh,
        each,
    )


def steps_of(
    counts: Whole, keys: Floats, release: Release, lookup: cellkey.Lookup, cell: Cell
) -> tuple[NoiseStep, ...]:
    """Return how a cell, its row, its column and the total come to what is published of them."""
    sums, whole = margins(counts), margins(np.rint(keys * GRID))
    names = [axis.name for axis in release.axes]
    steps = []
    for place, kept in (("cell", (0, 1)), ("row", (0,)), ("column", (1,)), ("total", ())):
        at = tuple(cell[k] for k in kept)
        count, published = int(sums[kept][at]), int(release.margin(*(names[k] for k in kept))[at])
        line = min(count, len(lookup.first) - 1)
        key = float(whole[kept][at] % GRID / GRID)
        low, high = lookup.interval(np.array(count), np.array(key))
        steps.append(
            NoiseStep(place, count, key, line, float(low), float(high), published - count, published)
        )
    return tuple(steps)


@lru_cache(maxsize=32)
def _made(noise: cellkey.CellKey) -> pd.DataFrame:
    return noise.p_table()


@lru_cache(maxsize=4)
def _read(text: str) -> pd.DataFrame:
    return read_p_table(text)


@lru_cache(maxsize=2)
def _keys(table: FrequencyTable, seed: int) -> Floats:
    keys = cellkey.table_keys(table.counts, seed)
    keys.flags.writeable = False
    return keys


def _seen_keys(state: KeyState) -> Floats:
    """Return the keys of the cells that the screen shows."""
    return _keys(state.table, state.seed).ravel()[state.arrangement.positions(state.table)]


def _looked_at(state: KeyState, true: FrequencyTable) -> Cell:
    """Return the cell that was chosen, or the first with a few people where that is none of this table."""
    rows, columns = true.shape
    if state.cell is not None and state.cell[0] < rows and state.cell[1] < columns and min(state.cell) >= 0:
        return state.cell
    for fits in ((true.counts > 2) & (true.counts < 10), true.counts > 0):
        if fits.any():
            row, column = np.argwhere(fits)[0]
            return int(row), int(column)
    return 0, 0
