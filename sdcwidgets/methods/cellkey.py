"""The cell key method: noise that a cell's people determine, the same wherever the cell appears.

Every record has a key from 0 to below 1. The key of a cell is the fractional part of the sum of the keys of its
records; together with the count it says in a p-table what is added. A margin is a cell like any other, with a
key of its own, so that published margins need not be the sums of the published cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdcwidgets.core.margins import margins
from sdcwidgets.core.ptable import Design, noise_distributions
from sdcwidgets.errors import InputError
from sdcwidgets.methods.base import Counts, Matrix, PostTabular, largest_count, register
from sdcwidgets.parameters import Choices, Help, Label, Range
from sdcwidgets.release import Release
from sdcwidgets.table import FrequencyTable

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COLUMNS", "CellKey", "cell_keys", "checks", "noise", "p_table", "release", "weighted"]

#: The columns of a p-table, as the R package ptable names them.
COLUMNS = ("i", "j", "p", "v", "p_int_lb", "p_int_ub")

#: Keys count with nine decimals: whole numbers below this are added without any rounding, in any order.
GRID = 10**9

#: So many records are added at a time: their sum is below 2^53, so that a float holds it exactly.
MOST_ADDED = 2**23

#: A note below a table whose margins have noise of their own.
OWN = "Each total has noise of its own, so the figures may not add up."


def p_table(
    D: int,
    V: float,
    js: int = 0,
    pstay: float | None = None,
    monotone: bool = True,
    equality: bool = False,
) -> pd.DataFrame:
    """Return the p-table of most entropy: for each count i the chance of each published count j.

    Parameters
    ----------
    D : int
        The greatest noise, from 1.
    V : float
        The variance of the noise, at most; exactly where `equality` is set. With js > 0 it must be above
        k (js + 1 - k) for each k = 1..js: so much variance it takes to leave out the counts 1..js.
    js : int
        Counts 1..js are never published.
    pstay : float, optional
        The least chance of no change, from 0 to below 1.
    monotone : bool
        Whether the chance must not fall from the lowest noise up to none, as in the R package ptable.
    equality : bool
        Whether the variance is V.

    Returns
    -------
    DataFrame
        Columns i, j, p, v = j - i, p_int_lb and p_int_ub, the interval of keys with this noise, with eight
        decimals. Its last row of i serves all larger counts.

    Raises
    ------
    InputError
        If there is no such table; the sentence says what would do.

    References
    ----------
    Handbook, chapter 5, section 5.4; Giessing 2016. See `core.ptable`.

    Examples
    --------
    >>> table = p_table(D=1, V=0.5)
    >>> table[table.i == 1].round(4).to_dict("list")["p"]
    [0.25, 0.5, 0.25]
    """
    import pandas as pd

    design = _design(D, V, js, pstay, monotone, equality)
    i, column = np.nonzero(design.allowed)
    v, p = design.v[column], design.p[i, column]
    upper = np.cumsum(design.p, axis=1).round(8)
    last = len(design.v) - 1 - design.allowed[:, ::-1].argmax(axis=1)
    upper[np.arange(len(upper)), last] = 1.0
    lower = np.where(np.diff(i, prepend=-1) > 0, 0.0, np.roll(upper[i, column], 1))
    return pd.DataFrame(dict(zip(COLUMNS, (i, i + v, p, v, lower, upper[i, column]), strict=True)))


def checks(table: pd.DataFrame) -> pd.DataFrame:
    """Return for each count of a p-table what its noise is like.

    Returns
    -------
    DataFrame
        A line for each i: `total`, the sum of p (1); `mean` (0) and `variance` of the noise; `stay`, the chance
        of no change; `entropy` in nats.

    Examples
    --------
    >>> checks(p_table(D=2, V=1)).round(6).loc[2].to_dict()
    {'total': 1.0, 'mean': 0.0, 'variance': 1.0, 'stay': 0.382963, 'entropy': 1.407757}
    """
    parts = {
        "total": table["p"],
        "mean": table["p"] * table["v"],
        "variance": table["p"] * table["v"] ** 2,
        "stay": table["p"] * (table["v"] == 0),
        "entropy": -table["p"] * np.log(table["p"].where(table["p"] > 0, 1)),
    }
    found = table[["i"]].assign(**parts).groupby("i").sum()
    return found.assign(variance=found["variance"] - found["mean"] ** 2)


def cell_keys(record_keys: ArrayLike, cells: ArrayLike, n_cells: int) -> NDArray[np.float64]:
    """Return the key of each cell: the fractional part of the sum of the keys of its records.

    Parameters
    ----------
    record_keys : array_like of float, shape (records,)
        From 0 to below 1, counted with nine decimals: so the sum is exact, and the order of the records
        does not matter.
    cells : array_like of int, shape (records,)
        The cell that each record is in, from 0.
    n_cells : int

    Returns
    -------
    ndarray of float, shape (n_cells,)
        From 0 to below 1; 0 for an empty cell.

    Raises
    ------
    InputError
        If a key is not from 0 to below 1, or a cell is not one of them.

    Examples
    --------
    The three men of the handbook's Table 5.17:

    >>> cell_keys([0.9, 0.3, 0.6], [0, 0, 0], 2)
    array([0.8, 0. ])
    """
    keys, places = np.asarray(record_keys, dtype=np.float64), np.asarray(cells)
    if keys.shape != places.shape or keys.ndim != 1:
        raise InputError("Every record needs one key and one cell; the two lists have different lengths.")
    if keys.size and not (keys.min() >= 0 and keys.max() < 1):
        wrong = keys[~((keys >= 0) & (keys < 1))][0]
        raise InputError(f"A record key is {wrong:g}; it must be from 0 to below 1.")
    if places.size and not (places.min() >= 0 and places.max() < n_cells):
        raise InputError(f"A record is in cell {places.max()}; there are {n_cells}, from 0.")
    whole = np.rint(keys * GRID)
    found = np.zeros(n_cells)
    for start in range(0, keys.size, MOST_ADDED):
        part = slice(start, start + MOST_ADDED)
        found = np.remainder(found + np.bincount(places[part], whole[part], n_cells), GRID)
    return found / GRID


def noise(
    counts: ArrayLike, cell_keys: ArrayLike, p_table: pd.DataFrame, *, bound: str = "lower"
) -> NDArray[np.int64]:
    """Return the noise that a p-table gives to each count with its key.

    Parameters
    ----------
    counts, cell_keys : array_like, of shapes that fit each other
        Counts, and keys from 0 to below 1. A count above the last row of the table uses the last row, and a
        count of 0 stays.
    p_table : DataFrame
        With columns i, v and p_int_ub, rows in rising order.
    bound : {"lower", "upper"}
        Which end belongs to an interval: lower <= key < upper, or lower < key <= upper as the handbook has it.

    Returns
    -------
    ndarray of int64

    Examples
    --------
    The handbook's Tables 5.16 and 5.17: a count of 3 with the key 0.8 becomes 4.

    >>> from sdcwidgets.methods.ptables import handbook_example
    >>> noise([3], [0.8], handbook_example(), bound="upper")
    array([1])
    """
    lookup = _Lookup.of(p_table)
    return lookup.noise(np.asarray(counts), np.asarray(cell_keys, dtype=np.float64), bound)


def weighted(published: ArrayLike, counts: ArrayLike, sums: ArrayLike) -> NDArray[np.float64]:
    """Return weighted counts with noise: each published count times the mean weight of its records.

    Examples
    --------
    Three people who stand for 36 are published as four:

    >>> weighted([4, 0], [3, 0], [36.0, 0.0])
    array([48.,  0.])
    """
    before = np.asarray(counts, dtype=np.float64)
    mean = np.divide(np.asarray(sums, dtype=np.float64), before, out=np.zeros(before.shape), where=before > 0)
    found: NDArray[np.float64] = np.asarray(published) * mean
    return found


def release(
    table: FrequencyTable,
    keys: ArrayLike,
    p_table: pd.DataFrame,
    *,
    margins_own: bool = True,
    notes: tuple[str, ...] = (),
) -> Release:
    """Return what is published of a table whose cells have these keys.

    Each margin has the fractional part of the sum of its cells' keys for a key, which is that of its records.

    Parameters
    ----------
    keys : array_like of float, of the shape of the table
    margins_own : bool
        Whether margins have noise of their own; otherwise they are the sums of the published cells.
    """
    cell = np.rint(np.asarray(keys, dtype=np.float64) * GRID)
    return _release(table, cell, _Lookup.of(p_table), margins_own, notes)


def _release(
    table: FrequencyTable, cell: NDArray[np.float64], lookup: _Lookup, own: bool, notes: tuple[str, ...]
) -> Release:
    """Return the release of a table whose cells have these keys, as whole numbers below GRID."""
    published = table.counts + lookup.noise(table.counts, cell / GRID)
    if not own:
        return Release.of(table.with_counts(published), *lookup.conclusions(published), notes=notes)
    keys_of = margins(cell)
    values = {
        kept: sums + lookup.noise(sums, np.remainder(keys_of[kept], GRID) / GRID)
        for kept, sums in margins(table.counts).items()
    }
    return Release.by_value(table.axes, values, lookup.conclusions, (*notes, OWN))


@dataclass(frozen=True)
class _Lookup:
    """A p-table as arrays: the intervals of all rows behind each other on one line, row i from i to i + 1."""

    line: NDArray[np.float64]
    row: Counts
    v: Counts
    first: Counts
    last: Counts
    width: NDArray[np.float64]

    @classmethod
    def of(cls, table: pd.DataFrame) -> _Lookup:
        i, upper = table["i"].to_numpy(), table["p_int_ub"].to_numpy(dtype=np.float64)
        v = table["v"].to_numpy().astype(np.int64)
        rows = int(i[-1]) + 1
        first, last = (
            np.searchsorted(i, np.arange(rows)),
            np.searchsorted(i, np.arange(rows), side="right") - 1,
        )
        before = np.where(np.arange(len(i)) == first[i], 0, np.roll(upper, 1))
        return cls(upper + i, i.astype(np.int64), v, first, last, upper - before)

    def noise(self, counts: Counts, keys: NDArray[np.float64], bound: str = "lower") -> Counts:
        rows = np.minimum(counts, len(self.first) - 1)
        found = np.searchsorted(self.line, keys + rows, side="right" if bound == "lower" else "left")
        # A sum such as 29 + 0.99999999999999999 falls on the next row.
        found = np.clip(found, self.first[rows], self.last[rows])
        drawn: Counts = np.where(counts > 0, self.v[found], 0)
        return drawn

    def place(self, counts: Counts, noise: Counts) -> Counts:
        """Return the line of the p-table that has the noise of each count."""
        span = int(self.v.max() - self.v.min()) + 1
        rows = np.minimum(counts, len(self.first) - 1)
        found: Counts = np.searchsorted(self.v + span * self.row, noise + span * rows)
        return found

    def conclusions(self, published: NDArray[Any]) -> tuple[Matrix, Matrix]:
        """Return the least and the greatest count from which the p-table leads to each published one."""
        values, member = np.unique(np.asarray(published), return_inverse=True)
        v, row = np.unique(self.v), np.arange(len(self.first))
        possible = np.zeros((len(row), len(v)), dtype=bool)
        possible[self.row, np.searchsorted(v, self.v)] = self.width > 0
        counts = values[:, np.newaxis] - v
        there = (counts >= 0) & ((counts > 0) | (v == 0))
        used = np.clip(counts, 0, len(row) - 1).astype(np.int64)
        there &= possible[used, np.arange(len(v))]
        low = np.where(there, counts, np.inf).min(axis=1)
        high = np.where(there, counts, -np.inf).max(axis=1)
        none = ~there.any(axis=1)
        low, high = np.where(none, 0, low), np.where(none, np.inf, high)
        return low[member].reshape(np.shape(published)), high[member].reshape(np.shape(published))


@register
@dataclass(frozen=True)
class CellKey(PostTabular):
    """Each count gets noise that a key made of its people chooses: the same cell, the same noise, everywhere.

    Without records, the keys of the people behind a table are drawn: then the key of a cell is uniform, and
    that of a margin the fractional part of the sum of the keys of its cells. Zeros stay.

    References
    ----------
    Handbook, chapter 5, section 5.4; Thompson, Broadfoot and Elazar 2013.

    Examples
    --------
    Counts of 1 and 2 are never published:

    >>> table = FrequencyTable([[1, 2], [3, 14]])
    >>> drawn = CellKey(D=5, V=3, js=2).replicate(table, 100, np.random.default_rng(1))
    >>> bool(np.isin(drawn, [1, 2]).any())
    False
    """

    D: Annotated[
        int,
        Range(1, 25),
        Label("Greatest noise D"),
        Help("No count changes by more than this; a larger D protects more."),
    ] = 3
    V: Annotated[
        float,
        Range(0.05, 100, 0.05),
        Label("Variance V"),
        Help("How much the noise varies; a larger V protects more."),
    ] = 1.0
    js: Annotated[
        int,
        Range(0, 8),
        Label("Counts left out, 1 to js"),
        Help("Counts from 1 to js are never published; 0: none is left out. It needs more variance."),
    ] = 0
    pstay: Annotated[
        float,
        Range(0, 0.95, 0.05),
        Label("Least chance of no change"),
        Help("How likely a count stays as it is, at least; 0 leaves it to the rest."),
    ] = 0.0
    monotone: Annotated[
        bool,
        Label("Small noise is likelier"),
        Help("The chance does not fall from the lowest noise up to none."),
    ] = True
    margins: Annotated[
        str,
        Choices({"own": "with noise of their own", "sums": "sums of the published cells"}),
        Label("Margins"),
        Help("With noise of their own they are closer to the truth, but the table does not add up."),
    ] = "own"

    unbiased = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self._design()

    def _design(self) -> Design:
        return _design(self.D, self.V, self.js, self.pstay or None, self.monotone, False)

    def _lookup(self) -> _Lookup:
        return _lookup(self.D, self.V, self.js, self.pstay or None, self.monotone)

    def p_table(self) -> pd.DataFrame:
        """Return the p-table that the noise comes from; see `cellkey.p_table`."""
        return p_table(self.D, self.V, self.js, self.pstay or None, self.monotone)

    def perturb(self, counts: Counts, draws: Matrix, where: tuple[NDArray[np.int64], ...]) -> Counts:
        """Return the counts with their noise; a draw is the key of a cell."""
        return counts + self._lookup().noise(np.broadcast_to(counts, draws.shape), draws)

    def conclusions(self, published: NDArray[Any]) -> tuple[Matrix, Matrix]:
        """Return the counts from which the p-table leads to the published one."""
        return self._lookup().conclusions(published)

    def around(self, table: FrequencyTable, cells: NDArray[Any], rng: np.random.Generator) -> Release:
        """Return the cells with margins that have the keys of the people in them."""
        lookup = self._lookup()
        place = lookup.place(table.counts, cells - table.counts)
        # Given its noise, the key of a cell is anywhere in the interval of that noise, each place as likely.
        upper = np.rint((lookup.line[place] - lookup.row[place]) * GRID)
        width = np.rint(lookup.width[place] * GRID)
        keys = upper - width + np.floor(rng.random(table.shape) * width)
        own = self.margins == "own"
        return _release(table, np.where(table.counts > 0, keys, 0), lookup, own, (self.summary(),))

    def transition(self, table: FrequencyTable | int) -> Matrix:
        """Return the chance of each published count given each original one."""
        largest, design = largest_count(table), self._design()
        counts = np.arange(largest + 1)
        rows = np.minimum(counts, len(design.p) - 1)
        matrix = np.zeros((largest + 1, largest + 1 + 2 * self.D))
        np.put_along_axis(matrix, counts[:, np.newaxis] + np.arange(2 * self.D + 1), design.p[rows], axis=1)
        return matrix[:, self.D :]


@lru_cache(maxsize=64)
def _lookup(D: int, V: float, js: int, pstay: float | None, monotone: bool) -> _Lookup:
    """Return the p-table of these settings, made once."""
    return _Lookup.of(p_table(D, V, js, pstay, monotone))


@lru_cache(maxsize=256)
def _design(D: int, V: float, js: int, pstay: float | None, monotone: bool, equality: bool) -> Design:
    """Return the distributions, computed once for each setting, or raise InputError."""
    if pstay is not None and not 0 <= pstay < 1:
        raise InputError(f"The chance of no change is {pstay:g}; it must be from 0 to below 1.")
    if D < 1 or js < 0:
        raise InputError(f"D is {D} and js is {js}; D must be at least 1 and js at least 0.")
    try:
        return noise_distributions(D, V, js, pstay, monotone=monotone, equality=equality)
    except ValueError as error:
        raise InputError(str(error)) from None
