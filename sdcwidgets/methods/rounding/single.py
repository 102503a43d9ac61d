"""Rounding of each count independently, or of counts with the same residual together."""

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
    Help("Counts become multiples of b. A larger b gives more protection."),
]


Margins = Annotated[
    str,
    Choices({"sums": "sums of the rounded cells", "own": "rounded independently"}),
    Label("Margins"),
    Help(
        "Independently rounded totals are closer to the original totals, but may differ from the sums of "
        "their cells."
    ),
]

#: Footnote of a table with independently rounded margins.
OWN = "Each total is rounded independently, so the table may not be additive."


def within(
    published: NDArray[np.number], below: int, above: int
) -> tuple[NDArray[np.number], NDArray[np.number]]:
    """Return bounds at most `below` below and `above` above the published counts, but at least 0.

    Parameters
    ----------
    published : ndarray
        Published counts.
    below : int
        Maximum distance below.
    above : int
        Maximum distance above.

    Returns
    -------
    lower, upper : ndarray, of the shape of `published`
        Bounds of the original counts.
    """
    return np.maximum(published - below, 0), published + above


def _nearest(published: NDArray[np.number], base: int) -> tuple[NDArray[np.number], NDArray[np.number]]:
    """Return the bounds of counts whose nearest multiple is the published one; ties are rounded up."""
    return within(published, base // 2, (base - 1) // 2)


class _Rounding(PostTabular):
    """Base class of rounding methods, which keep multiples of the base."""

    base: int
    margins = "sums"  # a setting of subclasses that can round each margin independently
    note_settings = " to base {0.base}"

    def release_from_cells(
        self, table: FrequencyTable, cells: NDArray[Any], rng: np.random.Generator
    ) -> Release:
        """Return the cells with their margins: sums of cells, or rounded independently.

        Parameters
        ----------
        table, cells, rng : as of `Method.release_from_cells`

        Returns
        -------
        Release
            Cells, margins and bounds.
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
        """Return independently rounded margins, or None if margins are sums."""
        if getattr(self, "margins", "sums") == "sums":
            return None
        sums = margins(table.counts)[margin_axes]
        drawn = self.perturb(sums.ravel(), rng.random((len(published), sums.size)), ())
        return drawn.reshape(len(published), *sums.shape)

    def changes(self, counts: Counts) -> NDArray[np.bool_]:
        """Return a mask of the cells that are not multiples of the base."""
        return counts % self.base > 0

    def _transition(self, largest: int, up: Matrix) -> Matrix:
        """Return the transition matrix of a rounding with probability `up` of rounding up for each count."""
        counts = np.arange(largest + 1)
        floor = counts - counts % self.base
        matrix = np.zeros((largest + 1, largest + self.base))
        matrix[counts, floor] = 1 - up
        matrix[counts, floor + np.where(counts > floor, self.base, 0)] += up
        return matrix


@register
@dataclass(frozen=True)
class RandomRounding(_Rounding):
    """Rounds each count that is not a multiple of the base up or down, without bias.

    A count F with residual r = F mod b becomes F - r + b with probability r/b, and F - r otherwise. Cells are
    rounded independently, and multiples of b do not change. The expectation is F.

    References
    ----------
    Antal, Shlomo, Elliot 2014, section 3; handbook, chapter 5, section 5.5.

    Examples
    --------
    For base 3, a count of 1 becomes 0 with probability 2/3 and 3 with probability 1/3:

    >>> RandomRounding(base=3).transition(1).round(4)
    array([[1.    , 0.    , 0.    , 0.    ],
           [0.6667, 0.    , 0.    , 0.3333]])
    """

    base: Base = 3
    margins: Margins = "sums"

    unbiased = True

    def conclusions(self, published: NDArray[np.number]) -> tuple[NDArray[np.number], NDArray[np.number]]:
        """Return the bounds: the original count differs by less than the base."""
        return within(published, self.base - 1, self.base - 1)

    def perturb(self, counts: Counts, draws: Matrix, where: tuple[NDArray[np.int64], ...]) -> Counts:
        """Return the rounded counts; a random number below r/b rounds up.

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
    """Rounds each count to its nearest multiple of the base; ties are rounded up.

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
        """Return the bounds of the counts whose nearest multiple is the published one."""
        return _nearest(published, self.base)

    def perturb(self, counts: Counts, draws: Matrix, where: tuple[NDArray[np.int64], ...]) -> Counts:
        """Return the rounded counts, which are equal in all replicates.

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
            Multiples of the base.
        """
        rounded = (2 * counts + self.base) // (2 * self.base) * self.base
        return np.broadcast_to(rounded, draws.shape)

    def transition(self, table: FrequencyTable | int) -> Matrix:
        """Return the transition matrix, with a single 1 in each row."""
        largest = largest_count(table)
        return self._transition(
            largest, (2 * (np.arange(largest + 1) % self.base) >= self.base).astype(float)
        )


@register
@dataclass(frozen=True)
class SemiControlledRounding(_Rounding):
    """Rounds at random so that the total of the table, of each row or of each column is also rounded.

    Each count is rounded up with probability r/b, its residual divided by the base, so the rounding is
    unbiased. The counts to round up are drawn together, by systematic sampling with a random start. For each
    residual r, the number rounded up differs by less than one from its expectation n_r r/b, and the cells are
    drawn without replacement. The controlled total becomes one of its two adjacent multiples of b, also without
    bias; a multiple does not change. (In the reference, the number of each residual is fixed at its rounded
    expectation. Then small classes would never or always be rounded up, and the total could be wrong by 8 for
    base 5.)

    References
    ----------
    Shlomo, Antal, Elliot 2015, section 3.2 (thesis, section 5.3).

    Examples
    --------
    For base 3, three ones become one three and two zeros:

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
        Label("Controlled totals"),
        Help("Totals that are sums of the rounded cells, and also rounded values of the original totals."),
    ] = "table"

    def of_single_counts(self) -> PostTabular:
        """Return random rounding, which has the same distribution for a single count."""
        return RandomRounding(base=self.base)

    def conclusions(self, published: NDArray[np.number]) -> tuple[NDArray[np.number], NDArray[np.number]]:
        """Return the bounds: the original count differs by less than the base."""
        return within(published, self.base - 1, self.base - 1)

    def release_from_cells(
        self, table: FrequencyTable, cells: NDArray[np.number], rng: np.random.Generator
    ) -> Release:
        """Return the cells with their sums as margins; controlled totals differ by less than the base.

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
        fixed: MarginAxes = {"table": (), "rows": (0,), "columns": (table.ndim - 1,)}[self.totals]
        lower, upper = map(margins, self.conclusions(release.values[fixed]))
        held = {tuple(fixed[k] for k in axes): (lower[axes], upper[axes]) for axes in lower}
        return release.narrowed(held)

    def perturb(self, counts: Counts, draws: Matrix, where: tuple[NDArray[np.int64], ...]) -> Counts:
        """Return the rounded counts, by systematic sampling along the running sums of r/b.

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
            Multiples of the base.
        """
        if not counts.size:
            return np.broadcast_to(counts, draws.shape)
        residual = counts % self.base
        groups = {"table": np.zeros_like(counts), "rows": where[0], "columns": where[-1]}[self.totals]
        _, group, size = np.unique(groups, return_inverse=True, return_counts=True)
        _, member = np.unique(groups * self.base + residual, return_inverse=True)
        # By group, residual and random number: each residual class has the same positions in every replicate.
        order = np.argsort(member + draws, axis=1)
        by_group = np.argsort(group, kind="stable")
        ordered = residual[np.argsort(member, kind="stable")]
        first = np.cumsum(size) - size
        running = np.cumsum(ordered)
        running -= np.repeat(running[first] - ordered[first], size)
        # The sum of a group's random numbers does not depend on their order; its fractional part is uniform.
        start = np.repeat(np.add.reduceat(draws[:, by_group], first, axis=1) % 1, size, axis=1)
        passed = np.floor(running / self.base + start) - np.floor((running - ordered) / self.base + start)
        rounded_up = np.zeros(draws.shape, dtype=np.int64)
        np.put_along_axis(rounded_up, order, passed.astype(np.int64), axis=1)
        return (counts - residual) + self.base * rounded_up


@register
@dataclass(frozen=True)
class SmallCellAdjustment(_Rounding):
    """Rounds counts of cells below the base to 0 or the base, without bias; larger counts of cells do not change.

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
        """Return a mask of the small counts above 0."""
        return (counts > 0) & (counts < self.base)

    def conclusions(self, published: NDArray[np.number]) -> tuple[NDArray[np.number], NDArray[np.number]]:
        """Return the bounds: 0 and the base may have been small counts, other counts are exact."""
        lower = np.where(published == self.base, 1, published)
        return np.where(published == 0, 0, lower), np.where(published == 0, self.base - 1, published)

    def perturb(self, counts: Counts, draws: Matrix, where: tuple[NDArray[np.int64], ...]) -> Counts:
        """Return 0 or the base; a random number below count/b rounds up.

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
            Multiples of the base.
        """
        return self.base * (draws < counts / self.base)

    def transition(self, table: FrequencyTable | int) -> Matrix:
        """Return the probability of each published count for each original count."""
        largest = largest_count(table)
        matrix = np.eye(largest + 1, max(largest, self.base) + 1)
        small = np.arange(1, min(self.base, largest + 1))
        matrix[small, small] = 0
        matrix[small, 0], matrix[small, self.base] = 1 - small / self.base, small / self.base
        return matrix
