"""Looking up: from counts and keys to noise, and to what is published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets.core.key_noise import KeyNoise
from sdcwidgets.core.margins import MarginAxes, margins
from sdcwidgets.methods.base import Counts, Matrix
from sdcwidgets.methods.cellkey.keys import GRID, check_keys, mixed_keys
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    import pandas as pd

#: A note below a table whose margins have noise of their own.
WEIGHTED = "Each figure is a number of records with noise, times their mean weight."
OWN = "Each total has noise of its own, so the figures may not add up."


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
        With columns i, v and p_int_ub, rows in rising order of i and p_int_ub; noise may stand in any order and in
        several intervals, as `modify` leaves it.
    bound : {"lower", "upper"}
        Which end belongs to an interval: lower <= key < upper, or lower < key <= upper as the handbook has it.

    Returns
    -------
    ndarray of int64

    Raises
    ------
    InputError
        If a count is negative or no whole number, a key is not from 0 to below 1, or their shapes do not fit.

    Examples
    --------
    The handbook's Tables 5.16 and 5.17: a count of 3 with the key 0.8 becomes 4.

    >>> from sdcwidgets.methods.cellkey import handbook_example
    >>> noise([3], [0.8], handbook_example(), bound="upper")
    array([1])
    """
    whole, keys = np.asarray(counts, dtype=np.float64), np.asarray(cell_keys, dtype=np.float64)
    broken = whole[~((whole >= 0) & (whole == np.floor(whole)) & np.isfinite(whole))]
    if broken.size:
        raise InputError(f"A count is {broken[0]:g}; counts are whole numbers from 0.")
    check_keys(keys, "cell")
    try:
        whole, keys = np.broadcast_arrays(whole, keys)
    except ValueError:
        raise InputError(
            f"The counts have the shape {whole.shape} and the cell keys {keys.shape}; each count needs one key."
        ) from None
    return Lookup.of(p_table).noise(whole.astype(np.int64), keys, bound)


def weighted(published: ArrayLike, counts: ArrayLike, sums: ArrayLike) -> NDArray[np.float64]:
    """Return weighted counts with noise: each published count times the mean weight of its records.

    Parameters
    ----------
    published, counts, sums : array_like, of shapes that broadcast
        The published counts, the true ones, and the sums of the weights of their records.

    Returns
    -------
    ndarray of float
        0 where the true count is 0.

    Examples
    --------
    Three people who stand for 36 are published as four:

    >>> weighted([4, 0], [3, 0], [36.0, 0.0])
    array([48.,  0.])
    """
    before = np.asarray(counts, dtype=np.float64)
    mean = np.divide(np.asarray(sums, dtype=np.float64), before, out=np.zeros(before.shape), where=before > 0)
    return np.asarray(published) * mean


def release(
    table: FrequencyTable,
    keys: ArrayLike,
    p_table: pd.DataFrame,
    *,
    secret: int | None,
    margins_own: bool = True,
    notes: tuple[str, ...] = (),
    weights: ArrayLike | None = None,
) -> Release:
    """Return what is published of a table whose cells have these keys.

    The key of a margin is the fractional part of the sum of the keys of its cells, as it is of its records.

    Parameters
    ----------
    table : FrequencyTable
    keys : array_like of float, of the shape of the table
        From 0 to below 1.
    p_table : DataFrame
        As for `noise`.
    secret : int or None
        The secret that each key is mixed with before the look-up, the same for all tables of the same records. None
        leaves the keys unmixed, as in the handbook and the R package cellKey. Then the noise of the parts of a total
        bounds the noise of the total, and `Release.intervals` and the verdict take that into account.
    margins_own : bool
        Whether margins have noise of their own; otherwise they are the sums of the published cells.
    notes : tuple of str
        What stands below the table, before what this says itself.
    weights : array_like of float, of the shape of the table, optional
        The sum of the weights of each cell's records: then weighted counts are published, see `weighted`. Nobody but
        the agency knows how many records are behind one, so that nothing is concluded from it.

    Returns
    -------
    Release
    """
    cell = np.rint(np.asarray(keys, dtype=np.float64) * GRID)
    lookup = Lookup.of(p_table)
    if weights is None:
        return publish(
            table, lookup, _noisy(table, cell, lookup, secret), margins_own, notes, secret is not None
        )
    noisy = _noisy(table, cell, lookup, secret)
    sums, counts = margins(np.asarray(weights, dtype=np.float64)), margins(table.counts)
    values = {margin: np.rint(weighted(noisy[margin], counts[margin], sums[margin])) for margin in counts}
    if not margins_own:
        values = margins(values[max(values, key=len)])

    def anything(published: NDArray[np.number]) -> tuple[Matrix, Matrix]:
        return np.zeros(published.shape), np.full(published.shape, np.inf)

    own = (OWN,) if margins_own else ()
    return Release.by_value(table.axes, values, anything, (*notes, WEIGHTED, *own))


def publish(
    table: FrequencyTable,
    lookup: Lookup,
    noisy: Mapping[MarginAxes, Counts],
    own: bool,
    notes: tuple[str, ...],
    mixed: bool,
) -> Release:
    """Return the release of a table with these counts with noise.

    Parameters
    ----------
    table : FrequencyTable
    lookup : Lookup
    noisy : mapping of tuple of int to ndarray of int64
        The cells and the margins with noise.
    own : bool
        Whether margins have noise of their own; otherwise they are the sums of the published cells.
    notes : tuple of str
    mixed : bool
        Whether the keys are mixed with a secret.

    Returns
    -------
    Release
    """
    cells = noisy[tuple(range(table.ndim))]
    if not own:
        return Release.of(table.with_counts(cells), *lookup.conclusions(cells), notes=notes)
    release = Release.by_value(table.axes, noisy, lookup.conclusions, (*notes, OWN))
    return replace(release, key_noise=lookup.key_noise(mixed=mixed))


def _noisy(
    table: FrequencyTable, cell: NDArray[np.float64], lookup: Lookup, secret: int | None
) -> dict[MarginAxes, Counts]:
    """Return the cells and margins with noise of their own."""
    keys_of = margins(cell)
    noisy = {}
    for margin, sums in margins(table.counts).items():
        keys = np.remainder(keys_of[margin], GRID)
        noisy[margin] = sums + lookup.noise(sums, keys / GRID if secret is None else mixed_keys(keys, secret))
    return noisy


@dataclass(frozen=True)
class Lookup:
    """A p-table as arrays: the intervals of all rows behind each other on one line, row i from i to i + 1."""

    line: NDArray[np.float64]
    row: Counts
    v: Counts
    first: Counts
    last: Counts
    width: NDArray[np.float64]

    @classmethod
    def of(cls, table: pd.DataFrame) -> Lookup:
        """Return the arrays of a p-table, rows in rising order."""
        i, upper = table["i"].to_numpy(), table["p_int_ub"].to_numpy(dtype=np.float64)
        v = table["v"].to_numpy().astype(np.int64)
        rows = int(i[-1]) + 1
        first, last = (
            np.searchsorted(i, np.arange(rows)),
            np.searchsorted(i, np.arange(rows), side="right") - 1,
        )
        before = np.where(np.arange(len(i)) == first[i], 0, np.roll(upper, 1))
        return cls(upper + i, i.astype(np.int64), v, first, last, upper - before)

    def key_noise(self, *, mixed: bool) -> KeyNoise:
        """Return the p-table as `Release` takes it, with the ends of the intervals of keys."""
        high = self.line - self.row
        return KeyNoise(self.row, self.v, np.maximum(high - self.width, 0), high, mixed)

    def noise(self, counts: Counts, keys: NDArray[np.float64], bound: str = "lower") -> Counts:
        """Return the noise of each count with its key; see `noise`.

        Parameters
        ----------
        counts : ndarray of int64
        keys : ndarray of float, of the same shape
            From 0 to below 1.
        bound : {"lower", "upper"}

        Returns
        -------
        ndarray of int64, of the same shape
            0 for a count of 0.
        """
        return np.where(counts > 0, self.v[self._index(counts, keys, bound)], 0)

    def interval(self, counts: Counts, keys: NDArray[np.float64]) -> tuple[Matrix, Matrix]:
        """Return the ends of the interval of keys that each count's key is in."""
        index = self._index(counts, keys, "lower")
        upper = self.line[index] - self.row[index]
        return np.maximum(upper - self.width[index], 0), upper  # a difference may end below 0 by a rounding

    def _index(self, counts: Counts, keys: NDArray[np.float64], bound: str) -> Counts:
        rows = np.minimum(counts, len(self.first) - 1)
        index = np.searchsorted(self.line, keys + rows, side="right" if bound == "lower" else "left")
        # A sum such as 29 + 0.99999999999999999 falls on the next row.
        return np.clip(index, self.first[rows], self.last[rows])

    def keys_with_noise(self, counts: Counts, noise: Counts, draws: Matrix, grid: int) -> Matrix:
        """Return cell keys that give this noise, as whole numbers from 0 to below `grid`.

        A noise may have several intervals of keys in a row of the p-table; each key in them is equally probable.

        Parameters
        ----------
        counts, noise : ndarray of int64
        draws : ndarray of float, of the same shape
            Uniform random numbers from 0 to below 1.
        grid : int
            The number of different keys.

        Returns
        -------
        ndarray of float, of the same shape
        """
        upper = np.rint((self.line - self.row) * grid).astype(np.int64)
        width = np.rint(self.width * grid).astype(np.int64)
        least, span = int(self.v.min()), int(np.ptp(self.v)) + 1
        # Negative noise must not fall into the group of the count below.
        group = self.row * span + self.v - least
        order = np.argsort(group, kind="stable")
        ends = np.cumsum(width[order])
        wanted = np.minimum(counts, len(self.first) - 1) * span + noise - least
        first = np.searchsorted(group[order], wanted, side="left")
        last = np.searchsorted(group[order], wanted, side="right") - 1
        # A count of 0 has no noise, whatever its row of the p-table says.
        first, last = np.clip(first, 0, len(order) - 1), np.clip(last, 0, len(order) - 1)
        start = ends[first] - width[order][first]
        place = start + np.floor(draws * (ends[last] - start)).astype(np.int64)
        interval = np.searchsorted(ends, place, side="right")
        interval = np.clip(interval, first, last)
        line = order[interval]
        keys: Matrix = (upper[line] - (ends[interval] - place)).astype(np.float64)
        return keys

    def conclusions(self, published: NDArray[np.number]) -> tuple[Matrix, Matrix]:
        """Return the least and the greatest count from which the p-table leads to each published one."""
        values, member = np.unique(np.asarray(published), return_inverse=True)
        v, row = np.unique(self.v), np.arange(len(self.first))
        possible = np.zeros((len(row), len(v)), dtype=bool)
        there = self.width > 0
        possible[self.row[there], np.searchsorted(v, self.v[there])] = True
        counts = values[:, np.newaxis] - v
        there = (counts >= 0) & ((counts > 0) | (v == 0))
        used = np.clip(counts, 0, len(row) - 1).astype(np.int64)
        there &= possible[used, np.arange(len(v))]
        low = np.where(there, counts, np.inf).min(axis=1)
        high = np.where(there, counts, -np.inf).max(axis=1)
        none = ~there.any(axis=1)
        low, high = np.where(none, 0, low), np.where(none, np.inf, high)
        return low[member].reshape(np.shape(published)), high[member].reshape(np.shape(published))
