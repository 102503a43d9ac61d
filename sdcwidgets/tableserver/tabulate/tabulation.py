"""A table as its populated cells, with the key of each."""

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

#: Record keys are whole numbers below this, or numbers below 1 with nine decimals; so are cell keys.
KEYS = 10**9

#: Weights are added up as whole numbers of such parts, so that the sum is the same in whatever order they come.
WEIGHT_PARTS = 10**6

#: A whole table is made of at most this many cells; a larger one is assessed from its populated cells.
MOST_CELLS = 5_000_000


@dataclass(frozen=True, eq=False)
class Tabulation:
    """A table as its populated cells.

    Attributes
    ----------
    axes : tuple of Axis
    places : ndarray of int64, shape (n,)
        The position of each populated cell in the table laid out flat, rising.
    counts : ndarray of int64, shape (n,)
        Its people, at least 1.
    keys : ndarray of int64, shape (n,), or None
        Its cell key, from 0 to 999,999,999; None where the source has no record keys.
    sums : ndarray of float64, shape (n,), or None
        The sum of the weights of its people; None where they have none.
    """

    axes: tuple[Axis, ...]
    places: NDArray[np.int64]
    counts: NDArray[np.int64]
    keys: NDArray[np.int64] | None
    sums: NDArray[np.float64] | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of categories of each axis."""
        return tuple(map(len, self.axes))

    @property
    def cells(self) -> int:
        """The number of cells of the table, empty ones too."""
        return int(np.prod(self.shape, dtype=object))

    @property
    def people(self) -> int:
        """The number of people in the table."""
        return int(self.counts.sum())

    @cached_property
    def table(self) -> FrequencyTable:
        """The table with all its cells, or InputError where they are more than 5,000,000."""
        return FrequencyTable(self._spread(self.counts), self.axes)

    @cached_property
    def cell_keys(self) -> NDArray[np.int64]:
        """The key of every cell, 0 where nobody is, or InputError where there are no record keys."""
        if self.keys is None:
            raise InputError("The data have no record keys; name the column that holds them.")
        return self._spread(self.keys)

    @cached_property
    def weighted(self) -> NDArray[np.float64]:
        """The sum of weights of every cell; its people where they have no weights."""
        return self._spread((self.counts if self.sums is None else self.sums).astype(np.float64))

    def terms(self) -> NDArray[np.float64]:
        """Return the three terms of the risk before protection, from the populated cells only."""
        return population.terms(self.counts, cells=self.cells, undefined="nan")

    def _spread(self, values: NDArray[Number]) -> NDArray[Number]:
        if self.cells > MOST_CELLS:
            raise InputError(
                f"The table would have {self.cells:,} cells; at most {MOST_CELLS:,} can be laid out."
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
