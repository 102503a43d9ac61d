"""Perturbation: each count is replaced by a random count with known probabilities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Help, Label, Range, StochasticMatrix
from sdcwidgets.core.microdata.pram import made_invariant
from sdcwidgets.core.possible_originals import Origins, of_occurring_counts
from sdcwidgets.methods.base import Chances, Counts, Matrix, largest_count, register
from sdcwidgets.methods.tabular import PostTabular
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

#: Number of rows of the invariant matrix that are displayed.
MOST_SHOWN = 12


@register
@dataclass(frozen=True)
class Barnardisation(PostTabular):
    """Adds or subtracts 1 with probability p/2 each, without bias; zeros do not change.

    The probabilities of the thesis (section 2.4.1.2) leave no probability for an unchanged count, so the
    handbook's probabilities are used.

    References
    ----------
    Handbook, chapter 5, section 5.3.

    Examples
    --------
    >>> Barnardisation(p=0.2).transition(2)
    array([[1. , 0. , 0. , 0. ],
           [0.1, 0.8, 0.1, 0. ],
           [0. , 0.1, 0.8, 0.1]])
    """

    p: Annotated[
        float,
        Range(0, 1, 0.01),
        Label("Probability of a change (p)"),
        Help("Probability that a positive count changes by one. A larger p gives more protection."),
    ] = 0.2

    unbiased = True

    def conclusions(self, published: NDArray[np.number]) -> tuple[NDArray[np.number], NDArray[np.number]]:
        """Return bounds: the original count differs by at most one, and is 0 only if 0 is published."""
        if self.p == 0:
            return published, published
        lower = np.where(published > 0, np.maximum(published - 1, 1), 0)
        # If p = 1, every positive count changes and 0 is never raised, so a published 1 was 2.
        return (np.where(published == 1, 2, lower) if self.p == 1 else lower), published + 1

    def perturb(self, counts: Counts, draws: Matrix, where: tuple[NDArray[np.int64], ...]) -> Counts:
        """Return the perturbed counts; the lowest random numbers give -1, the highest +1.

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
        """
        up = draws >= 1 - self.p / 2
        return counts + up - (draws < self.p / 2)

    def transition(self, table: FrequencyTable | int) -> Matrix:
        """Return the matrix with 1 - p on the diagonal and p/2 next to it."""
        largest = largest_count(table)
        matrix = np.eye(largest + 1, largest + 2)
        counts = np.arange(1, largest + 1)
        matrix[counts, counts] = 1 - self.p
        matrix[counts, counts - 1] = matrix[counts, counts + 1] = self.p / 2
        return matrix


def published_example() -> tuple[tuple[float, ...], ...]:
    """Return the matrix of Shlomo, Antal, Elliot 2015, Table 3, for the counts 0 to 10.

    This is an interpretation of the publication. Rows 1 and 2 are incomplete there (their sums are 0.75 and
    0.875); here they have 0.5 on the diagonal and 0.125 for the four other counts from 1 to 5. From row 3 on
    there is 0.9 on the diagonal, and 1/60 (published as 0.0167) for the three counts on each side, shifted
    upwards if they would include 0. The published rows for counts above 10, by residual to base 5, all have the
    noise of row 10, so this row applies to them.
    """
    matrix = np.zeros((11, 14))
    matrix[0, 0] = 1
    matrix[1:3, 1:6] = 0.125
    for count in range(3, 11):
        low = max(1, count - 3)
        matrix[count, low : low + 7] = 1 / 60
    counts = np.arange(1, 11)
    matrix[counts, counts] = np.where(counts < 3, 0.5, 0.9)
    return tuple(tuple(row) for row in matrix.tolist())


@register
@dataclass(frozen=True)
class StochasticPerturbation(PostTabular):
    """Replaces each count by a random count, drawn from the count's row of a transition matrix.

    Row i of the matrix P is the distribution of the published count for an original count i. Counts above the
    last row use the noise of the last row if the residual base is 1. With residual base m they use the row
    among the last m rows with the same residual modulo m.

    The invariant version has two steps. After a first draw j, it publishes the original count of a random cell
    of this table among those that lead to j: R = P Q with Q_jk = t_k P_kj / (tP)_j, where t is the number of
    cells with each count. Then tR = t, so the expected frequencies of the counts are unchanged.

    References
    ----------
    Shlomo, Antal, Elliot 2015, section 3.3 and Table 3 (thesis, section 5.3).

    Examples
    --------
    >>> StochasticPerturbation(matrix=[[1, 0], [0.25, 0.75]]).transition(2)
    array([[1.  , 0.  , 0.  ],
           [0.25, 0.75, 0.  ],
           [0.  , 0.25, 0.75]])
    """

    matrix: Annotated[
        tuple[tuple[float, ...], ...],
        StochasticMatrix(),
        Label("Probabilities P"),
        Help(
            "Row i of the matrix contains the probability of each published count if the original count is i."
        ),
    ] = published_example()
    residual_base: Annotated[
        int,
        Range(1, 20),
        Label("Base of residuals for large counts"),
        Help(
            "Counts above the last row of the matrix use one of the last rows, selected by the residual of "
            "the count to this base."
        ),
    ] = 1
    invariant: Annotated[
        bool,
        Label("Invariant"),
        Help("If this option is on, the matrix preserves the expected frequency of each count (tP = t)."),
    ] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.residual_base > len(self.matrix):
            raise InputError(
                f"The residual base of the matrix is {self.residual_base}; it must be at most "
                f"{len(self.matrix)}, the number of rows."
            )

    def of_single_counts(self) -> PostTabular:
        """Return the version that uses no other counts of the table."""
        return replace(self, invariant=False) if self.invariant else self

    def changes(self, counts: Counts) -> NDArray[np.bool_]:
        """Return a mask of the cells that can change."""
        if self.invariant:
            return np.ones_like(counts, dtype=bool)
        matrix = np.asarray(self.matrix)
        stays = np.zeros(len(matrix), dtype=bool)
        square = min(matrix.shape)
        stays[:square] = matrix.diagonal() == 1
        return ~stays[self._row(counts)]

    def release_from_cells(
        self, table: FrequencyTable, cells: NDArray[np.number], rng: np.random.Generator
    ) -> Release:
        """Return the release; a data user of the invariant version knows that every published count occurs.

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
        if not self.invariant:
            return release
        published = np.asarray(cells, dtype=np.int64).ravel()
        possible, system = of_occurring_counts(published, self._shared_sources(published))
        low, high = (
            np.array([end(counts) for counts in possible]).reshape(table.shape) for end in (np.min, np.max)
        )
        release = release.narrowed({release.every: (low, high)})
        return release if system is None else replace(release, origins=Origins(None, system))

    def _shared_sources(self, published: Counts) -> list[Counts]:
        """Return the counts that share a first draw with each published count."""
        counts = np.unique(published)
        sources = dict[int, Counts]()
        for count, first in zip(counts.tolist(), self._steps(counts), strict=True):
            first = first[self._leads(np.full_like(first, count), first)]
            steps = self._steps(first)
            sources[count] = np.unique(steps[self._leads(steps, first[:, np.newaxis])])
        return [sources[count] for count in published.tolist()]

    def conclusions(self, published: NDArray[np.number]) -> tuple[Matrix, Matrix]:
        """Return the least and the greatest count that can become the published one.

        In the invariant version these are all counts that share a first draw with the published count.
        """
        values, member = np.unique(published, return_inverse=True)
        if not self.invariant:
            low, high = self._sources(values)
        else:
            steps = self._steps(values)
            first, index = np.unique(steps, return_inverse=True)
            # From each published count to its possible first draws, and from these back to their sources.
            shared = self._leads(values[:, np.newaxis], steps)
            low, high = (end[index.reshape(steps.shape)] for end in self._sources(first))
            low = np.where(shared, low, np.inf).min(axis=1)
            high = np.where(shared, high, -np.inf).max(axis=1)
        return low[member].reshape(published.shape), high[member].reshape(published.shape)

    def perturb(self, counts: Counts, draws: Matrix, where: tuple[NDArray[np.int64], ...]) -> Counts:
        """Return the random counts, by inversion of each row's distribution.

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
        """
        if not self.invariant:
            rows = self._row(counts)
            return (counts - rows) + invert(np.asarray(self.matrix), rows, draws)
        values, member = np.unique(counts, return_inverse=True)
        frequencies = np.bincount(member).astype(float)
        return values[invert(self._invariant(values, frequencies), member, draws)]

    def transition(self, table: FrequencyTable | int) -> Matrix:
        """Return the transition matrix for the counts of a table; the invariant version needs the table."""
        largest = largest_count(table)
        if not self.invariant:
            return self._dense(np.arange(largest + 1))
        if not isinstance(table, FrequencyTable):
            raise InputError(
                "The invariant matrix depends on the table. Pass the table instead of its largest count."
            )
        values, frequencies = np.unique(table.counts, return_counts=True)
        matrix = np.eye(largest + 1)
        matrix[np.ix_(values, values)] = self._invariant(values, frequencies.astype(float))
        return matrix

    def chances(self, table: FrequencyTable) -> tuple[Chances, Chances | None]:
        """Return P and, for the invariant version, R for the smallest counts of the table."""
        rows, columns = (tuple(map(str, range(size))) for size in np.shape(self.matrix))
        fixed = Chances(np.asarray(self.matrix), rows, columns)
        if not self.invariant:
            return fixed, None
        values, frequencies = np.unique(table.counts, return_counts=True)
        part = self._invariant(values, frequencies.astype(float))[:MOST_SHOWN]
        reached = part.any(axis=0)
        return fixed, Chances(
            part[:, reached],
            tuple(map(str, values[:MOST_SHOWN].tolist())),
            tuple(map(str, values[reached].tolist())),
        )

    def _steps(self, counts: Counts) -> Counts:
        """Return all counts that can be a source or a result of each count, one row per count."""
        reach = max(len(self.matrix), len(self.matrix[0]))
        return counts[:, np.newaxis] + np.arange(-reach, reach + 1)

    def _leads(self, counts: Counts, published: Counts) -> NDArray[np.bool_]:
        """Return whether each count can become the published one, elementwise."""
        matrix = np.asarray(self.matrix)
        rows = self._row(np.maximum(counts, 0))
        columns = published - counts + rows
        there = (counts >= 0) & (columns >= 0) & (columns < matrix.shape[1])
        possible: NDArray[np.bool_] = there & (matrix[rows, np.where(there, columns, 0)] > 0)
        return possible

    def _sources(self, published: Counts) -> tuple[Matrix, Matrix]:
        """Return the least and the greatest count that can become each of these; 0 and inf if there is none."""
        steps = self._steps(published)
        leads = self._leads(steps, published[:, np.newaxis])
        low = np.where(leads, steps, np.inf).min(axis=1)
        high = np.where(leads, steps, -np.inf).max(axis=1)
        none = ~leads.any(axis=1)
        return np.where(none, 0, low), np.where(none, np.inf, high)

    def _row(self, counts: Counts) -> Counts:
        """Return the row of the matrix that each count uses."""
        last, base = len(self.matrix) - 1, self.residual_base
        return np.where(counts <= last, counts, last - (last - counts) % base)

    def _dense(self, values: Counts) -> Matrix:
        """Return P with one row per value and one column per count that a value can become."""
        rows = self._row(values)
        source = np.asarray(self.matrix)
        columns, column = np.unique(
            (values - rows)[:, np.newaxis] + np.arange(source.shape[1]), return_inverse=True
        )
        dense = np.zeros((len(values), len(columns)))
        np.put_along_axis(dense, column.reshape(len(values), -1), source[rows], axis=1)
        return dense

    def _invariant(self, values: Counts, frequencies: Matrix) -> Matrix:
        """Return R = P Q for the values in the table, shape (values, values)."""
        return made_invariant(self._dense(values), frequencies)


def invert(matrix: Matrix, rows: Counts, draws: Matrix) -> Counts:
    """Return, for each random number, the column of its row by inversion of the cumulative probability.

    Parameters
    ----------
    matrix : ndarray of float, shape (rows, columns)
        Probabilities; each row has the sum 1.
    rows : ndarray of int
        Row of each random number, with a shape that broadcasts to theirs.
    draws : ndarray of float
        Random numbers in [0, 1).

    Returns
    -------
    ndarray of int64, of the shape of the draws
        Columns.
    """
    n_rows, n_columns = matrix.shape
    cumulative = matrix.cumsum(axis=1)
    # The cumulative sum is 1 from the last column with positive probability, despite rounding errors.
    cumulative[matrix[:, ::-1].cumsum(axis=1)[:, ::-1] <= 0] = 1
    last = n_columns - 1 - (matrix[:, ::-1] > 0).argmax(axis=1)
    cumulative[np.arange(n_rows), last] = 1
    # The cumulative row i is shifted to the range from i to i + 1, so that one search serves all rows.
    line = (cumulative + np.arange(n_rows)[:, np.newaxis]).ravel()
    keys = np.minimum(draws + rows, np.nextafter(rows + 1.0, 0.0))
    columns: Counts = np.searchsorted(line, keys, side="right") - rows * n_columns
    return columns
