"""Perturbation: a count is replaced by a random one near it, with probabilities that are known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Help, Label, Range, StochasticMatrix
from sdcwidgets.core.microdata.pram import made_invariant
from sdcwidgets.methods.base import Chances, Counts, Matrix, largest_count, register
from sdcwidgets.methods.tabular import PostTabular
from sdcwidgets.tables.table import FrequencyTable

#: Rows of the invariant matrix that a screen shows.
MOST_SHOWN = 12


@register
@dataclass(frozen=True)
class Barnardisation(PostTabular):
    """Each count goes up or down by one with probability p/2 each, right on average; zeros stay.

    The thesis (section 2.4.1.2) prints probabilities that leave none for a count to stay as it is; those of
    the handbook are used.

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
        Label("Probability of a change p"),
        Help("How likely a count that is not zero changes by one; a larger p protects more."),
    ] = 0.2

    unbiased = True

    def conclusions(self, published: NDArray[np.number]) -> tuple[NDArray[np.number], NDArray[np.number]]:
        """Return that the true count is at most one away, and 0 only where 0 is published."""
        if self.p == 0:
            return published, published
        lower = np.where(published > 0, np.maximum(published - 1, 1), 0)
        # Where every count changes, a published 1 was 2: a count of 1 cannot stay, and 0 is never raised.
        return (np.where(published == 1, 2, lower) if self.p == 1 else lower), published + 1

    def perturb(self, counts: Counts, draws: Matrix, where: tuple[NDArray[np.int64], ...]) -> Counts:
        """Return the counts with their steps; the lowest draws step down, the highest up.

        Parameters
        ----------
        counts, draws, where : as of `PostTabular.perturb`

        Returns
        -------
        ndarray of int64, shape (size, cells)
        """
        up = draws >= 1 - self.p / 2
        return counts + up - (draws < self.p / 2)

    def transition(self, table: FrequencyTable | int) -> Matrix:
        """Return the matrix with p/2, 1 - p and p/2 around its diagonal."""
        largest = largest_count(table)
        matrix = np.eye(largest + 1, largest + 2)
        counts = np.arange(1, largest + 1)
        matrix[counts, counts] = 1 - self.p
        matrix[counts, counts - 1] = matrix[counts, counts + 1] = self.p / 2
        return matrix


def published_example() -> tuple[tuple[float, ...], ...]:
    """Return the matrix of Shlomo, Antal, Elliot 2015, Table 3, for the counts 0 to 10.

    This is a reading of the print. Rows 1 and 2 have lost entries there (they sum to 0.75 and 0.875); here
    they have 0.5 on the diagonal and 0.125 on the four other counts from 1 to 5. The rows from 3 on have 0.9
    on the diagonal and 1/60, printed 0.0167, on six other counts: the three on each side, moved up where
    this would reach 0. The printed rows for counts above 10, by their residual to base 5, all have the noise
    of row 10, which therefore serves them all.
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
    """Each count is replaced by one that is drawn from its row of a matrix of probabilities.

    Row i of the matrix P has the distribution of what is published for a count of i. A count above the last
    row moves like the last rows do: with residual base 1 like the last one, with residual base m like that
    of the last m rows which has the same residual to m.

    The invariant version publishes, after a first draw j, the original count of a random cell of this
    table among those that lead to j: R = P Q with Q_jk = t_k P_kj / (tP)_j, where t has the number of cells
    with each count. Then tR = t: the frequencies of the counts stay the same in expectation.

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
        Help("Row i: how likely each published count is where the original count is i."),
    ] = published_example()
    residual_base: Annotated[
        int,
        Range(1, 20),
        Label("Residual base above the last row"),
        Help("Larger counts use the last rows in turn, by their residual to this base."),
    ] = 1
    invariant: Annotated[
        bool,
        Label("Invariant"),
        Help("Keep the frequencies of the counts in expectation, tP = t."),
    ] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.residual_base > len(self.matrix):
            raise InputError(
                f"The residual base is {self.residual_base}, but the matrix has {len(self.matrix)} rows;"
                " it must have at least as many."
            )

    def of_single_counts(self) -> PostTabular:
        """Return the version that knows no other counts."""
        return replace(self, invariant=False) if self.invariant else self

    def changes(self, counts: Counts) -> NDArray[np.bool_]:
        """Return which cells do not stay for sure."""
        if self.invariant:
            return np.ones_like(counts, dtype=bool)
        matrix = np.asarray(self.matrix)
        stays = np.zeros(len(matrix), dtype=bool)
        square = min(matrix.shape)
        stays[:square] = matrix.diagonal() == 1
        return ~stays[self._row(counts)]

    def conclusions(self, published: NDArray[np.number]) -> tuple[Matrix, Matrix]:
        """Return the least and the greatest count that the matrix leads from to the published one.

        The invariant version leads from a count to every one that it shares a first draw with.
        """
        values, member = np.unique(published, return_inverse=True)
        if not self.invariant:
            low, high = self._sources(values)
        else:
            steps = self._steps(values)
            first, index = np.unique(steps, return_inverse=True)
            # From each published count on to the first draws that it shares with others, and from these back.
            shared = self._leads(values[:, np.newaxis], steps)
            low, high = (end[index.reshape(steps.shape)] for end in self._sources(first))
            low = np.where(shared, low, np.inf).min(axis=1)
            high = np.where(shared, high, -np.inf).max(axis=1)
        return low[member].reshape(published.shape), high[member].reshape(published.shape)

    def perturb(self, counts: Counts, draws: Matrix, where: tuple[NDArray[np.int64], ...]) -> Counts:
        """Return the drawn counts, by inversion of each row's distribution.

        Parameters
        ----------
        counts, draws, where : as of `PostTabular.perturb`

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
        """Return the matrix for the counts of a table; the invariant version needs the table itself."""
        largest = largest_count(table)
        if not self.invariant:
            return self._dense(np.arange(largest + 1))
        if not isinstance(table, FrequencyTable):
            raise InputError(
                "The invariant matrix depends on the table; give the table, not its largest count."
            )
        values, frequencies = np.unique(table.counts, return_counts=True)
        matrix = np.eye(largest + 1)
        matrix[np.ix_(values, values)] = self._invariant(values, frequencies.astype(float))
        return matrix

    def chances(self, table: FrequencyTable) -> tuple[Chances, Chances | None]:
        """Return P, and of the invariant version R for the smallest counts of the table."""
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
        """Return all counts that the matrix may lead to or from each of these, and some more; a row a count."""
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
        """Return the least and the greatest count that can become each of these; 0 and inf where none can."""
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
        """Return P with a row for each of the values and a column for each count that one of them may lead to."""
        rows = self._row(values)
        source = np.asarray(self.matrix)
        columns, column = np.unique(
            (values - rows)[:, np.newaxis] + np.arange(source.shape[1]), return_inverse=True
        )
        dense = np.zeros((len(values), len(columns)))
        np.put_along_axis(dense, column.reshape(len(values), -1), source[rows], axis=1)
        return dense

    def _invariant(self, values: Counts, frequencies: Matrix) -> Matrix:
        """Return R = P Q among the values that the table has, shape (values, values)."""
        return made_invariant(self._dense(values), frequencies)


def invert(matrix: Matrix, rows: Counts, draws: Matrix) -> Counts:
    """Return for each draw the column of its row at which the cumulative probability passes the draw.

    Parameters
    ----------
    matrix : ndarray of float, shape (rows, columns)
        Probabilities; each row sums to 1.
    rows : ndarray of int
        The row of each draw, of a shape that broadcasts to that of the draws.
    draws : ndarray of float
        From 0 to below 1.

    Returns
    -------
    ndarray of int64, of the shape of the draws
    """
    n_rows, n_columns = matrix.shape
    cumulative = matrix.cumsum(axis=1)
    # From the last column with a probability on the sum is 1, whatever was lost in adding up.
    cumulative[matrix[:, ::-1].cumsum(axis=1)[:, ::-1] <= 0] = 1
    last = n_columns - 1 - (matrix[:, ::-1] > 0).argmax(axis=1)
    cumulative[np.arange(n_rows), last] = 1
    # All rows lie behind each other on one line, row i from i to i + 1, so that one search serves them all.
    line = (cumulative + np.arange(n_rows)[:, np.newaxis]).ravel()
    keys = np.minimum(draws + rows, np.nextafter(rows + 1.0, 0.0))
    columns: Counts = np.searchsorted(line, keys, side="right") - rows * n_columns
    return columns
