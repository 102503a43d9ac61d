"""Rounding of each count by itself, or of a class of counts together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.parameters import Choices, Help, Label, Range
from sdcwidgets.core.margins import MarginAxes, margins
from sdcwidgets.methods.base import Counts, Matrix, largest_count, register
from sdcwidgets.methods.tabular import PostTabular
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

Base = Annotated[
    int,
    Range(2, 20),
    Label("Rounding base b"),
    Help("Counts become multiples of b; a larger b protects more."),
]


Margins = Annotated[
    str,
    Choices({"sums": "sums of the rounded cells", "own": "rounded by themselves"}),
    Label("Margins"),
    Help("Margins rounded by themselves are closer to the truth, but the table does not add up."),
]

#: A note below a table of which margins were rounded by themselves.
OWN = "Each total is rounded by itself, so the figures may not add up."


def within(
    published: NDArray[np.number], below: int, above: int
) -> tuple[NDArray[np.number], NDArray[np.number]]:
    """Return the lowest and the highest count, at least 0, that are so far below and above at most.

    Parameters
    ----------
    published : ndarray
    below, above : int

    Returns
    -------
    lower, upper : ndarray, of the shape of `published`
    """
    return np.maximum(published - below, 0), published + above


def _nearest(published: NDArray[np.number], base: int) -> tuple[NDArray[np.number], NDArray[np.number]]:
    """Return the lowest and the highest count whose nearest multiple is the published one; a tie went up."""
    return within(published, base // 2, (base - 1) // 2)


class _Rounding(PostTabular):
    """What all rounding shares: multiples of the base stay as they are."""

    base: int
    margins = "sums"  # a setting of those that may also round each margin by itself
    note_settings = " to base {0.base}"

    def release_from_cells(
        self, table: FrequencyTable, cells: NDArray[Any], rng: np.random.Generator
    ) -> Release:
        """Return the cells with their margins: their sums, or each rounded by itself as a cell is.

        Parameters
        ----------
        table, cells, rng : as of `Method.release_from_cells`

        Returns
        -------
        Release
        """
        if self.margins == "sums":
            return super().release_from_cells(table, cells, rng)
        values: dict[MarginAxes, NDArray[np.int64]] = margins(table.counts)
        for margin, sums in values.items():
            drawn = self.perturb(sums.ravel(), rng.random((1, sums.size)), ())
            values[margin] = cells if margin == tuple(range(table.ndim)) else drawn.reshape(sums.shape)
        return Release.by_value(table.axes, values, self.conclusions, (self.note(), OWN))

    def published_margin(
        self,
        table: FrequencyTable,
        published: NDArray[Any],
        margin_axes: MarginAxes,
        rng: np.random.Generator,
    ) -> NDArray[np.number] | None:
        """Return margins that are rounded by themselves; otherwise None, for the sums."""
        if getattr(self, "margins", "sums") == "sums":
            return None
        sums = margins(table.counts)[margin_axes]
        drawn = self.perturb(sums.ravel(), rng.random((len(published), sums.size)), ())
        return drawn.reshape(len(published), *sums.shape)

    def changes(self, counts: Counts) -> NDArray[np.bool_]:
        """Return which cells are not multiples of the base."""
        return counts % self.base > 0

    def _transition(self, largest: int, up: Matrix) -> Matrix:
        """Return the matrix of a rounding that goes up with probability `up` for each original count."""
        counts = np.arange(largest + 1)
        floor = counts - counts % self.base
        matrix = np.zeros((largest + 1, largest + self.base))
        matrix[counts, floor] = 1 - up
        matrix[counts, floor + np.where(counts > floor, self.base, 0)] += up
        return matrix


@register
@dataclass(frozen=True)
class RandomRounding(_Rounding):
    """Each count goes to one of its two nearest multiples of the base, right on average.

    A count F with residual r = F mod b becomes F - r + b with probability r/b and F - r otherwise, each
    cell on its own; a multiple of b stays. The expectation is F.

    References
    ----------
    Antal, Shlomo, Elliot 2014, section 3; handbook, chapter 5, section 5.5.

    Examples
    --------
    In base 3 a count of 1 goes to 0 with probability 2/3 and to 3 with 1/3:

    >>> RandomRounding(base=3).transition(1).round(4)
    array([[1.    , 0.    , 0.    , 0.    ],
           [0.6667, 0.    , 0.    , 0.3333]])
    """

    base: Base = 3
    margins: Margins = "sums"

    unbiased = True

    def conclusions(self, published: NDArray[np.number]) -> tuple[NDArray[np.number], NDArray[np.number]]:
        """Return that the true count is less than a base away."""
        return within(published, self.base - 1, self.base - 1)

    def perturb(self, counts: Counts, draws: Matrix, where: tuple[NDArray[np.int64], ...]) -> Counts:
        """Return the rounded counts; a draw below r/b rounds up.

        Parameters
        ----------
        counts, draws, where : as of `PostTabular.perturb`

        Returns
        -------
        ndarray of int64, shape (size, cells)
            Multiples of the base.
        """
        residual = counts % self.base
        return (counts - residual) + self.base * (draws < residual / self.base)

    def transition(self, table: FrequencyTable | int) -> Matrix:
        """Return the probability of each multiple given each original count."""
        largest = largest_count(table)
        return self._transition(largest, np.arange(largest + 1) % self.base / self.base)


@register
@dataclass(frozen=True)
class ConventionalRounding(_Rounding):
    """Each count goes to its nearest multiple of the base, always the same; a tie goes up.

    References
    ----------
    Handbook, chapter 5, section 5.5.

    Examples
    --------
    >>> ConventionalRounding(base=5).transition(3).argmax(axis=1)
    array([0, 0, 0, 5])
    """

    base: Base = 3
    margins: Margins = "sums"

    deterministic = True

    def conclusions(self, published: NDArray[np.number]) -> tuple[NDArray[np.number], NDArray[np.number]]:
        """Return the counts that are nearest to the published multiple."""
        return _nearest(published, self.base)

    def perturb(self, counts: Counts, draws: Matrix, where: tuple[NDArray[np.int64], ...]) -> Counts:
        """Return the rounded counts, the same for every draw.

        Parameters
        ----------
        counts, draws, where : as of `PostTabular.perturb`

        Returns
        -------
        ndarray of int64, shape (size, cells)
            Multiples of the base.
        """
        rounded = (2 * counts + self.base) // (2 * self.base) * self.base
        return np.broadcast_to(rounded, draws.shape)

    def transition(self, table: FrequencyTable | int) -> Matrix:
        """Return the matrix with a single 1 a row."""
        largest = largest_count(table)
        return self._transition(
            largest, (2 * (np.arange(largest + 1) % self.base) >= self.base).astype(float)
        )


@register
@dataclass(frozen=True)
class SemiControlledRounding(_Rounding):
    """Random rounding that also keeps the total of the table, of each row or of each column, rounded.

    Each count goes up with probability r/b, its residual over the base, so it is right on average; but the counts that
    go up are drawn together, by systematic sampling with a random start. Of each residual r the number that goes up is
    within one of its expectation n_r r/b, and which cells these are is drawn without replacement. The total kept is
    one of its two adjacent multiples of b, right on average too; a multiple stays. (With each number fixed beforehand
    at its expectation, rounded, as the reference words it, small classes would never or always go up, and the total
    could be off by 8 in base 5.)

    References
    ----------
    Shlomo, Antal, Elliot 2015, section 3.2 (thesis, section 5.3).

    Examples
    --------
    Three ones in base 3 become one three and two zeros:

    >>> import numpy as np
    >>> from sdcwidgets.tables.table import Axis
    >>> table = FrequencyTable([1, 1, 1], [Axis("area", ("A", "B", "C"))])
    >>> int(SemiControlledRounding(base=3).apply(table, np.random.default_rng(1)).counts.sum())
    3
    """

    title = "Semi-controlled rounding"
    unbiased = True

    base: Base = 3
    totals: Annotated[
        str,
        Choices({"table": "the table", "rows": "each row", "columns": "each column"}),
        Label("Totals kept"),
        Help("The totals that are the sums of rounded cells and rounded themselves."),
    ] = "table"

    def of_single_counts(self) -> PostTabular:
        """Return random rounding: which cells go up is drawn among others, each as likely."""
        return RandomRounding(base=self.base)

    def conclusions(self, published: NDArray[np.number]) -> tuple[NDArray[np.number], NDArray[np.number]]:
        """Return that the true count is less than a base away."""
        return within(published, self.base - 1, self.base - 1)

    def release_from_cells(
        self, table: FrequencyTable, cells: NDArray[np.number], rng: np.random.Generator
    ) -> Release:
        """Return the cells with their sums as margins; the totals kept are less than a base away.

        Parameters
        ----------
        table, cells, rng : as of `Method.release_from_cells`

        Returns
        -------
        Release
        """
        release = super().release_from_cells(table, cells, rng)
        fixed: MarginAxes = {"table": (), "rows": (0,), "columns": (table.ndim - 1,)}[self.totals]
        lower, upper = map(margins, self.conclusions(release.values[fixed]))
        held = {tuple(fixed[k] for k in axes): (lower[axes], upper[axes]) for axes in lower}
        return release.narrowed(held)

    def perturb(self, counts: Counts, draws: Matrix, where: tuple[NDArray[np.int64], ...]) -> Counts:
        """Return the rounded counts: along the running sums of r/b from the start on, those at a whole number go up.

        Parameters
        ----------
        counts, draws, where : as of `PostTabular.perturb`

        Returns
        -------
        ndarray of int64, shape (size, cells)
            Multiples of the base.
        """
        if not counts.size:
            return np.broadcast_to(counts, draws.shape)
        residual = counts % self.base
        groups = {"table": np.zeros_like(counts), "rows": where[0], "columns": where[-1]}[self.totals]
        _, group, size = np.unique(groups, return_inverse=True, return_counts=True)
        _, member = np.unique(groups * self.base + residual, return_inverse=True)
        # By group, then residual, then draw: each class fills the same places in every replication.
        order = np.argsort(member + draws, axis=1)
        by_group = np.argsort(group, kind="stable")
        ordered = residual[np.argsort(member, kind="stable")]
        first = np.cumsum(size) - size
        running = np.cumsum(ordered)
        running -= np.repeat(running[first] - ordered[first], size)
        # The sum of the draws of a group is independent of their order, and uniform in its fractional part.
        start = np.repeat(np.add.reduceat(draws[:, by_group], first, axis=1) % 1, size, axis=1)
        passed = np.floor(running / self.base + start) - np.floor((running - ordered) / self.base + start)
        rounded_up = np.zeros(draws.shape, dtype=np.int64)
        np.put_along_axis(rounded_up, order, passed.astype(np.int64), axis=1)
        return (counts - residual) + self.base * rounded_up


@register
@dataclass(frozen=True)
class SmallCellAdjustment(_Rounding):
    """Counts below the base go to 0 or to the base, right on average; larger ones and the sums follow.

    References
    ----------
    Handbook, chapter 5, section 5.5.

    Examples
    --------
    >>> SmallCellAdjustment(base=3).transition(4).round(4)
    array([[1.    , 0.    , 0.    , 0.    , 0.    ],
           [0.6667, 0.    , 0.    , 0.3333, 0.    ],
           [0.3333, 0.    , 0.    , 0.6667, 0.    ],
           [0.    , 0.    , 0.    , 1.    , 0.    ],
           [0.    , 0.    , 0.    , 0.    , 1.    ]])
    """

    base: Base = 3

    unbiased = True

    def changes(self, counts: Counts) -> NDArray[np.bool_]:
        """Return which cells are small, but not empty."""
        return (counts > 0) & (counts < self.base)

    def conclusions(self, published: NDArray[np.number]) -> tuple[NDArray[np.number], NDArray[np.number]]:
        """Return that a 0 and a base may have been small; every other count is true."""
        lower = np.where(published == self.base, 1, published)
        return np.where(published == 0, 0, lower), np.where(published == 0, self.base - 1, published)

    def perturb(self, counts: Counts, draws: Matrix, where: tuple[NDArray[np.int64], ...]) -> Counts:
        """Return 0 or the base; a draw below count/b rounds up.

        Parameters
        ----------
        counts, draws, where : as of `PostTabular.perturb`

        Returns
        -------
        ndarray of int64, shape (size, cells)
            Multiples of the base.
        """
        return self.base * (draws < counts / self.base)

    def transition(self, table: FrequencyTable | int) -> Matrix:
        """Return the probability of 0, of the base and of no change given each original count."""
        largest = largest_count(table)
        matrix = np.eye(largest + 1, max(largest, self.base) + 1)
        small = np.arange(1, min(self.base, largest + 1))
        matrix[small, small] = 0
        matrix[small, 0], matrix[small, self.base] = 1 - small / self.base, small / self.base
        return matrix
