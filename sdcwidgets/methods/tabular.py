"""Kinds of methods: `PostTabular` ones change counts, `PreTabular` ones move people, `Fixed` ones draw nothing."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets.core.margins import MarginAxes
from sdcwidgets.methods.base import Counts, Matrix, Method, check_size
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

#: People are followed in blocks of replications that hold about this many of them, to bound the memory.
BLOCK = 2**23


class PostTabular(Method):
    """A method that changes the counts of a table, cell by cell."""

    @property
    def alone(self) -> bool:
        """Whether it changes each cell by itself, so that `transition` tells all."""
        try:
            return self.transition(1) is not None
        except InputError:
            return False

    @property
    def works_before(self) -> bool:
        """Whether it changes each cell by itself, once it knows no other counts."""
        return self.of_single_counts().alone

    def changes(self, counts: Counts) -> NDArray[np.bool_]:
        """Return which cells may change; only they take random numbers."""
        return counts > 0

    def of_single_counts(self) -> PostTabular:
        """Return the method that does to a count by itself what this one does to it among others."""
        return self

    @abstractmethod
    def perturb(self, counts: Counts, draws: Matrix, where: tuple[NDArray[np.int64], ...]) -> Counts:
        """Return the published counts of the cells that may change.

        Parameters
        ----------
        counts : ndarray of int64, shape (cells,)
            Their original counts.
        draws : ndarray of float, shape (size, cells)
            Uniform numbers from 0 to 1, one for each cell in each replication.
        where : tuple of ndarray
            Their index along each axis of the table.

        Returns
        -------
        ndarray of int64, shape (size, cells)
            Or of a shape that broadcasts to it.
        """

    def replicate(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> Counts:
        """Return `size` independent protected tables, shape (size, *shape).

        Parameters
        ----------
        table, size, rng : as of `Method.replicate`

        Returns
        -------
        ndarray of int64, shape (size, *shape)
        """
        check_size(size)
        where = np.nonzero(self.changes(table.counts))
        cells = np.ravel_multi_index(where, table.shape)
        published = np.empty((size, table.cells), dtype=np.int64)
        published[:] = table.counts.ravel()
        draws = rng.random((size, cells.size))
        published[:, cells] = self.perturb(table.counts.ravel()[cells], draws, where)
        return published.reshape(size, *table.shape)


class PreTabular(Method):
    """A method that moves people between cells before the table is made."""

    follows = True

    @property
    def works_before(self) -> bool:
        """It does: people are moved in the data."""
        return True

    @abstractmethod
    def moves(
        self, table: FrequencyTable, size: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the cell that each person who was drawn is in before and after.

        Parameters
        ----------
        table : FrequencyTable
        size : int
            How many draws.
        rng : numpy.random.Generator

        Returns
        -------
        origins, destinations : ndarray of int64, shape (size, people)
            Indices into `table.counts.ravel()`. Everyone else stays in place, and so does an entry that
            is equal in both: it may stand for nobody.
        """

    def unchanged_margins(self, table: FrequencyTable) -> list[MarginAxes]:
        """Return the margins that no move changes, by the axes that each keeps; always the number of people."""
        return [()]

    def release_from_cells(
        self, table: FrequencyTable, cells: NDArray[np.number], rng: np.random.Generator
    ) -> Release:
        """Return the cells with their sums as margins; those that no move changes are exact.

        A single cell tells nothing for certain: whoever is counted in it may come from another one.

        Parameters
        ----------
        table, cells, rng : as of `Method.release_from_cells`

        Returns
        -------
        Release
        """
        release = super().release_from_cells(table, cells, rng)
        return release.narrowed(
            {margin: (release.values[margin],) * 2 for margin in self.unchanged_margins(table)}
        )

    def replicate(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> Counts:
        """Return `size` independent protected tables, shape (size, *shape).

        Parameters
        ----------
        table, size, rng : as of `Method.replicate`

        Returns
        -------
        ndarray of int64, shape (size, *shape)
        """
        return self.follow(table, size, rng)[0]

    def follow(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> tuple[Counts, Counts]:
        """Return `size` protected tables, and how many people in each cell did not leave it.

        Parameters
        ----------
        table, size, rng : as of `Method.replicate`

        Returns
        -------
        published, stayed : ndarray of int64, shape (size, *shape)
            The people of a cell are the same before and after if all three counts of it are equal.
        """
        check_size(size)
        published = np.empty((size, table.cells), dtype=np.int64)
        stayed = np.empty_like(published)
        step = max(1, BLOCK // max(table.total, 1))
        for start in range(0, size, step):
            block = slice(start, start + step)
            origins, destinations = self.moves(table, len(stayed[block]), rng)
            moved = origins != destinations
            stayed[block] = table.counts.ravel() - _tally(origins, moved, table.cells)
            published[block] = stayed[block] + _tally(destinations, moved, table.cells)
        shape = (size, *table.shape)
        return published.reshape(shape), stayed.reshape(shape)


class Fixed(Method):
    """A method that protects a table in one way only."""

    deterministic = True

    @abstractmethod
    def cells(self, table: FrequencyTable) -> NDArray[np.number]:
        """Return the cells of every draw, nan for gaps."""

    def replicate(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> NDArray[np.number]:
        """Return the same cells in every draw, shape (size, *shape).

        Parameters
        ----------
        table, size, rng : as of `Method.replicate`

        Returns
        -------
        ndarray, shape (size, *shape)
        """
        check_size(size)
        return np.broadcast_to(self.cells(table), (size, *table.shape))


def _tally(cells: NDArray[np.int64], chosen: NDArray[np.bool_], n_cells: int) -> Counts:
    """Count the chosen people in each cell of each replication, shape (size, n_cells)."""
    size = len(cells)
    places = cells + n_cells * np.arange(size)[:, np.newaxis]
    return np.bincount(places[chosen], minlength=size * n_cells).reshape(size, n_cells)
