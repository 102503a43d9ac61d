"""Kinds of methods: `PostTabular` changes counts, `PreTabular` moves people, `Fixed` is deterministic."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets.core.margins import MarginAxes
from sdcwidgets.methods.base import Counts, Matrix, Method, check_size
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable, table_of

#: Number of people per block of replicates, which limits the memory.
BLOCK = 2**23


class PostTabular(Method):
    """Base class of methods that change the counts of a table cell by cell."""

    @property
    def alone(self) -> bool:
        """Whether cells are perturbed independently, so that `transition` describes the method completely."""
        try:
            return self.transition(1) is not None
        except InputError:
            return False

    @property
    def works_before(self) -> bool:
        """Whether the version for single counts perturbs cells independently."""
        return self.of_single_counts().alone

    def changes(self, counts: Counts) -> NDArray[np.bool_]:
        """Return a mask of the cells that can change; only these use random numbers."""
        return counts > 0

    def of_single_counts(self) -> PostTabular:
        """Return the method with the same distribution for a single count, without other counts of a table."""
        return self

    @abstractmethod
    def perturb(self, counts: Counts, draws: Matrix, where: tuple[NDArray[np.int64], ...]) -> Counts:
        """Return the published counts of the cells that may change.

        Parameters
        ----------
        counts : ndarray of int64, shape (cells,)
            Original counts of these cells.
        draws : ndarray of float, shape (size, cells)
            Uniform random numbers in [0, 1), one per cell and replicate.
        where : tuple of ndarray
            Index of the cells along each axis of the table.

        Returns
        -------
        ndarray of int64, shape (size, cells)
            Published counts, or an array that broadcasts to this shape.
        """

    def replicate(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> Counts:
        """Return `size` independent protected tables, shape (size, *shape).

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        size : int
            Number of replicates, 1 or more.
        rng : numpy.random.Generator
            Source of random numbers.

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
        changed = self.perturb(table.counts.ravel()[cells], draws, where)
        published[:, cells] = fitting_counts(self, "perturb", changed, draws.shape)
        return published.reshape(size, *table.shape)


class PreTabular(Method):
    """Base class of methods that move people between cells before the table is counted."""

    follows = True

    @property
    def works_before(self) -> bool:
        """True, because people are moved in the data."""
        return True

    @abstractmethod
    def moves(
        self, table: FrequencyTable, size: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the cells of the drawn people before and after.

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        size : int
            Number of replicates.
        rng : numpy.random.Generator
            Source of random numbers.

        Returns
        -------
        origins, destinations : ndarray of int64, shape (size, people)
            Indices into `table.counts.ravel()`. All other people stay in their cell. An entry with equal
            indices has no effect, and need not be a person.
        """

    def unchanged_margins(self, table: FrequencyTable) -> list[MarginAxes]:
        """Return the margins that no move changes, by the axes that each keeps; at least the total."""
        return [()]

    def release_from_cells(
        self, table: FrequencyTable, cells: NDArray[np.number], rng: np.random.Generator
    ) -> Release:
        """Return the cells with their sums as margins; margins that no move changes are exact.

        A single cell gives no certain information, because its people may come from other cells.

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        cells : ndarray, of the shape of the table
            One replicate of `replicate`.
        rng : numpy.random.Generator
            Source of further random numbers, for example for margins.

        Returns
        -------
        Release
            Cells, margins and bounds.
        """
        release = super().release_from_cells(table, cells, rng)
        known = {margin: (release.values[margin],) * 2 for margin in self.unchanged_margins(table)}
        return replace(release.narrowed(known), is_moved=True)

    def replicate(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> Counts:
        """Return `size` independent protected tables, shape (size, *shape).

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        size : int
            Number of replicates, 1 or more.
        rng : numpy.random.Generator
            Source of random numbers.

        Returns
        -------
        ndarray of int64, shape (size, *shape)
        """
        return self.follow(table, size, rng)[0]

    def release(self, table: FrequencyTable, rng: np.random.Generator | int) -> Release:
        """Return the release of the table, with the number of people who moved.

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        rng : numpy.random.Generator or int
            A generator, or a seed that must stay secret.

        Returns
        -------
        Release
        """
        table = table_of(table)
        rng = self.random_numbers(table, rng)
        published, stayed = self.follow(table, 1, rng)
        release = self.release_from_cells(table, published[0], rng)
        return replace(release.made_by(self), moved=table.total - int(stayed[0].sum()))

    def follow(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> tuple[Counts, Counts]:
        """Return `size` protected tables, and the number of people who stayed in each cell.

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        size : int
            Number of replicates, 1 or more.
        rng : numpy.random.Generator
            Source of random numbers.

        Returns
        -------
        published, stayed : ndarray of int64, shape (size, *shape)
            If all three counts of a cell are equal, its people are the same before and after.
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
    """Base class of deterministic methods, with the same result in every replicate."""

    deterministic = True

    @abstractmethod
    def cells(self, table: FrequencyTable) -> NDArray[np.number]:
        """Return the cells, with nan for suppressed ones."""

    def replicate(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> NDArray[np.number]:
        """Return equal replicates, shape (size, *shape).

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        size : int
            Number of replicates, 1 or more.
        rng : numpy.random.Generator
            Source of random numbers.

        Returns
        -------
        ndarray, shape (size, *shape)
        """
        check_size(size)
        cells = fitting_counts(self, "cells", self.cells(table), table.shape)
        return np.broadcast_to(cells, (size, *table.shape))


def fitting_counts(method: Method, function: str, result: Any, shape: tuple[int, ...]) -> NDArray[np.number]:
    """Return the counts that a function of a method computed, or raise InputError if they do not fit.

    Parameters
    ----------
    method : Method
    function : str
        Name of the function, for the message.
    result : array_like
        Counts; nan for suppressed cells of a method that suppresses.
    shape : tuple of int
        Shape to which the counts must broadcast.

    Returns
    -------
    ndarray

    Raises
    ------
    InputError
        If the counts have another shape, are not numbers, or are not whole.
    """
    subject = f"{type(method).__name__}.{function}"
    try:
        counts = np.asarray(result)
        fitted = np.broadcast_to(counts, shape)
    except ValueError:
        raise InputError(
            f"{subject} returned an array of the shape {np.shape(result)}; it must return counts of the shape {shape}."
        ) from None
    if counts.dtype.kind not in "iuf":
        raise InputError(f"{subject} returned {type(result).__name__}; it must return an array of counts.")
    if counts.dtype.kind == "f":
        is_whole = (counts == np.floor(counts)) | (method.suppresses & np.isnan(counts))
        if not is_whole.all():
            wrong = counts[~is_whole][0]
            raise InputError(f"{subject} returned the count {wrong:g}; it must return whole numbers.")
    return fitted


def _tally(cells: NDArray[np.int64], chosen: NDArray[np.bool_], n_cells: int) -> Counts:
    """Count the selected people in each cell of each replicate, shape (size, n_cells)."""
    size = len(cells)
    places = cells + n_cells * np.arange(size)[:, np.newaxis]
    return np.bincount(places[chosen], minlength=size * n_cells).reshape(size, n_cells)
