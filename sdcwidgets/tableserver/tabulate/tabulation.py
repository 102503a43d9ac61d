"""Sparse table: populated cells with counts, cell keys and weights."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets.core.risk import population
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.table import FrequencyTable

Number = TypeVar("Number", np.int64, np.float64)

#: Number of different record keys and cell keys. Record keys are integers below this, or numbers below 1 with
#: nine decimals.
KEYS = 10**9

#: Weights are summed as integers in units of 1/WEIGHT_PARTS, so that the sum does not depend on the order of
#: rows.
WEIGHT_PARTS = 10**6

#: Maximum number of cells of a complete table. The risk of a larger table is computed from its populated
#: cells.
MOST_CELLS = 5_000_000


@dataclass(frozen=True, eq=False)
class Tabulation:
    """Table as a list of its populated cells.

    Attributes
    ----------
    axes : tuple of Axis
    places : ndarray of int64, shape (n,)
        Flat index of each populated cell, ascending.
    counts : ndarray of int64, shape (n,)
        Number of people, at least 1.
    keys : ndarray of int64, shape (n,), or None
        Cell keys from 0 to 999,999,999; None without record keys.
    sums : ndarray of float64, shape (n,), or None
        Sums of weights; None without weights.
    """

    axes: tuple[Axis, ...]
    places: NDArray[np.int64]
    counts: NDArray[np.int64]
    keys: NDArray[np.int64] | None
    sums: NDArray[np.float64] | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of categories of each axis."""
        return tuple(map(len, self.axes))

    @property
    def cells(self) -> int:
        """Number of cells, including empty ones."""
        return int(np.prod(self.shape, dtype=object))

    @property
    def people(self) -> int:
        """Number of people in the table."""
        return int(self.counts.sum())

    @cached_property
    def table(self) -> FrequencyTable:
        """Complete table; raises InputError if it has more than 5,000,000 cells."""
        return FrequencyTable(self._spread(self.counts), self.axes)

    @cached_property
    def cell_keys(self) -> NDArray[np.int64]:
        """Key of every cell, 0 for empty cells; raises InputError without record keys."""
        if self.keys is None:
            raise InputError("The data have no record keys. Name the column of record keys.")
        return self._spread(self.keys)

    @cached_property
    def weighted(self) -> NDArray[np.float64]:
        """Sum of weights of every cell; the count if there are no weights."""
        return self._spread((self.counts if self.sums is None else self.sums).astype(np.float64))

    def terms(self) -> NDArray[np.float64]:
        """Return the three terms of the risk before protection, from the populated cells."""
        return population.terms(self.counts, cells=self.cells, undefined="nan")

    def _spread(self, values: NDArray[Number]) -> NDArray[Number]:
        if self.cells > MOST_CELLS:
            raise InputError(
                f"The table would have {self.cells:,} cells; the maximum is {MOST_CELLS:,}."
                " Leave a variable out, or select fewer categories."
            )
        dense = np.zeros(self.cells, dtype=values.dtype)
        dense[self.places] = values
        return dense.reshape(self.shape)


def merged(
    places: NDArray[np.int64],
    counts: NDArray[np.int64],
    keys: NDArray[np.int64] | None,
    sums: NDArray[np.int64] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64] | None, NDArray[np.float64] | None]:
    """Merge equal cells, and return the populated cells in ascending order.

    Parameters
    ----------
    places : ndarray of int
        Index of each cell; an index may occur several times.
    counts : ndarray of int
        Number of records of each cell.
    keys : ndarray of int or None
        Sum of the record keys of each cell.
    sums : ndarray of int, optional
        Sum of the weights of each cell, in units of 1 / `WEIGHT_PARTS`.

    Returns
    -------
    places, counts : ndarray of int
    key : ndarray of int or None
        Cell keys.
    weight : ndarray of float or None
        Sums of the weights.
    """
    order = np.argsort(places)
    places, counts = places[order], counts[order]
    first = np.flatnonzero(np.diff(places, prepend=-1))

    def together(values: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.add.reduceat(values, first) if first.size else values

    counts = together(counts)
    some = counts > 0
    key = None if keys is None else (together(keys[order]) % KEYS)[some]
    weight = None if sums is None else together(sums[order])[some] / WEIGHT_PARTS
    return places[first][some], counts[some], key, weight
