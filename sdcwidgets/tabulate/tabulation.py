"""A table as its populated cells, with the key of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.axis import Axis
from sdcwidgets.core.risk import population
from sdcwidgets.errors import InputError
from sdcwidgets.table import FrequencyTable

__all__ = ["KEYS", "MOST_CELLS", "Tabulation", "merged"]

#: Record keys are whole numbers below this, or numbers below 1 with nine decimals; so are cell keys.
KEYS = 10**9

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
    """

    axes: tuple[Axis, ...]
    places: NDArray[np.int64]
    counts: NDArray[np.int64]
    keys: NDArray[np.int64] | None

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

    def terms(self) -> NDArray[np.float64]:
        """Return the three terms of the risk before protection, from the populated cells only."""
        return population.terms(self.counts, cells=self.cells, undefined="nan")

    def _spread(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        if self.cells > MOST_CELLS:
            raise InputError(
                f"The table would have {self.cells:,} cells; at most {MOST_CELLS:,} can be laid out."
                " Leave a variable out, or select fewer categories."
            )
        dense = np.zeros(self.cells, dtype=np.int64)
        dense[self.places] = values
        return dense.reshape(self.shape)


def merged(
    places: NDArray[np.int64], counts: NDArray[np.int64], keys: NDArray[np.int64] | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64] | None]:
    """Return the populated cells in order, those that fall together as one."""
    order = np.argsort(places)
    places, counts = places[order], counts[order]
    first = np.flatnonzero(np.diff(places, prepend=-1))
    if not first.size:
        return places, counts, keys
    counts = np.add.reduceat(counts, first)
    some = counts > 0
    merged = None if keys is None else (np.add.reduceat(keys[order], first) % KEYS)[some]
    return places[first][some], counts[some], merged
