"""Results of the page Cell key: a p-table, the noise of a table, and the noise of one cell and its margins.

References: handbook, chapter 5, section 5.4; Giessing 2016.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.arrays import Floats, Whole
from sdcwidgets.core.margins import margins
from sdcwidgets.dashboards.cell_key.state import Cell, CellKeyState
from sdcwidgets.methods import cellkey
from sdcwidgets.methods.cellkey import parse_p_table
from sdcwidgets.methods.cellkey.keys import GRID, LISTED
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    import pandas as pd


#: Maximum number of people in a cell whose record keys are all shown.
FEW = 6


@dataclass(frozen=True)
class NoiseStep:
    """Noise of one count: the selected cell or one of its margins.

    Attributes
    ----------
    level : "cell", "row", "column" or "total"
    count : int
        Original count.
    key : float
        Cell key.
    line : int
        Row of the p-table for this count.
    low, high : float
        Interval of cell keys with this noise; the upper end is not included.
    noise, published : int
    """

    level: str
    count: int
    key: float
    line: int
    low: float
    high: float
    noise: int
    published: int


@dataclass(frozen=True, eq=False)
class CellKeyResult:
    """All numbers of the page Cell key; the object is immutable.

    Attributes
    ----------
    state : CellKeyState
    p_table : DataFrame
    checks : DataFrame
        Checks of each row of the p-table; see `cellkey.checks`.
    original : FrequencyTable
        The original table, in the arrangement of the screen.
    release : Release
        The published table; the noise of each margin depends on its own cell key.
    cell : (row, column)
        The selected cell.
    record_key, others_key : float
        Record key of the selected person, and the fractional part of the sum of the other record keys.
    path : tuple of NoiseStep
        Noise of the cell, its row total, its column total and the grand total; () if the cell is empty.
    fresh : ndarray of int, shape (asks,)
        Results of the requests with independent noise.
    keys : tuple of float
        All record keys in the cell, if there are at most FEW.
    """

    state: CellKeyState
    p_table: pd.DataFrame
    checks: pd.DataFrame
    original: FrequencyTable
    release: Release
    cell: Cell
    record_key: float
    others_key: float
    path: tuple[NoiseStep, ...]
    fresh: Whole
    keys: tuple[float, ...]

    @property
    def people(self) -> int:
        """Number of people in the cell who have a record key of their own."""
        return min(int(self.original.counts[self.cell]), LISTED)

    @property
    def margin_discrepancies(self) -> dict[tuple[int, ...], Whole]:
        """Difference between each published margin and the sum of its published cells."""
        names = [axis.name for axis in self.release.axes]
        return {
            axes: self.release.discrepancy(*(names[axis] for axis in axes)).astype(np.int64)
            for axes in ((0,), (1,), ())
        }


def compute(state: CellKeyState) -> CellKeyResult:
    """Return all numbers of the page.

    Raises
    ------
    InputError
        If the file does not contain a valid p-table.

    Examples
    --------
    >>> result = compute(CellKeyState.of_example("religion"))
    >>> [step.level for step in result.path]
    ['cell', 'row', 'column', 'total']
    >>> round((result.record_key + result.others_key) % 1, 9) == result.path[0].key
    True
    """
    noise = state.noise
    p_table = _read(state.p_table_text) if state.p_table_text else _p_table(noise)
    lookup = cellkey.Lookup.of(p_table)
    original = state.seen
    keys = _seen_keys(state)
    release = cellkey.release(original, keys, p_table, secret=None)
    cell = _selected_cell(state, original)
    count = int(original.counts[cell])
    key = float(keys[cell])
    record_key = 0.0
    others_key = 0.0
    record_keys: tuple[float, ...] = ()
    if count:
        number = int(state.arrangement.positions(state.table)[cell])
        person = state.person % min(count, LISTED)
        record_key = float(cellkey.record_keys(number, person, state.seed))
        others_key = round((key - record_key) % 1, 9) % 1
        if count <= FEW:
            record_keys = tuple(float(cellkey.record_keys(number, k, state.seed)) for k in range(count))
    rng = np.random.default_rng([state.seed, *cell, 7])
    fresh = np.full(state.asks, count)
    fresh = fresh + lookup.noise(fresh, rng.random(state.asks))
    return CellKeyResult(
        state,
        p_table,
        cellkey.checks(p_table),
        original,
        release,
        cell,
        record_key,
        others_key,
        steps_of(original.counts, keys, release, lookup, cell) if count else (),
        fresh,
        record_keys,
    )


def steps_of(
    counts: Whole, keys: Floats, release: Release, lookup: cellkey.Lookup, cell: Cell
) -> tuple[NoiseStep, ...]:
    """Return the noise of a cell, its row total, its column total and the grand total."""
    sums, whole = margins(counts), margins(np.rint(keys * GRID))
    names = [axis.name for axis in release.axes]
    steps = []
    for level, axes in (("cell", (0, 1)), ("row", (0,)), ("column", (1,)), ("total", ())):
        at = tuple(cell[axis] for axis in axes)
        count = int(sums[axes][at])
        published = int(release.marginal(*(names[axis] for axis in axes))[at])
        line = min(count, len(lookup.first) - 1)
        key = float(whole[axes][at] % GRID / GRID)
        low, high = lookup.interval(np.array(count), np.array(key))
        steps.append(
            NoiseStep(level, count, key, line, float(low), float(high), published - count, published)
        )
    return tuple(steps)


@lru_cache(maxsize=32)
def _p_table(noise: cellkey.CellKey) -> pd.DataFrame:
    return noise.noise_table()


@lru_cache(maxsize=4)
def _read(text: str) -> pd.DataFrame:
    return parse_p_table(text)


@lru_cache(maxsize=2)
def _keys(table: FrequencyTable, seed: int) -> Floats:
    keys = cellkey.table_keys(table.counts, seed)
    keys.flags.writeable = False
    return keys


def _seen_keys(state: CellKeyState) -> Floats:
    """Return the cell keys of the displayed cells."""
    return _keys(state.table, state.seed).ravel()[state.arrangement.positions(state.table)]


def _selected_cell(state: CellKeyState, original: FrequencyTable) -> Cell:
    """Return the selected cell, or the first cell with a few people if it is not in this table."""
    rows, columns = original.shape
    if state.cell is not None and state.cell[0] < rows and state.cell[1] < columns and min(state.cell) >= 0:
        return state.cell
    for fits in ((original.counts > 2) & (original.counts < 10), original.counts > 0):
        if fits.any():
            row, column = np.argwhere(fits)[0]
            return int(row), int(column)
    return 0, 0
