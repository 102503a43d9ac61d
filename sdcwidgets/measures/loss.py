"""Information loss and utility: what a reader of the protected table no longer has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.lines import Line, signed, text_lines
from sdcwidgets.core import utility as core
from sdcwidgets.core.information import hellinger
from sdcwidgets.measures.base import Direction, Measure, register
from sdcwidgets.measures.batch import Batch
from sdcwidgets.tables.table import FrequencyTable


class _Loss(Measure):
    """What all losses share."""

    order: ClassVar[float] = 20
    direction: ClassVar[Direction] = "loss"
    high: ClassVar[float] = np.inf
    digits: ClassVar[int] = 3


@register
@dataclass(frozen=True)
class Hellinger(_Loss):
    """Hellinger distance of the counts before and after.

    References
    ----------
    PSD 2014, section 2.3; thesis, section 3.4.
    """

    label = "Information lost"
    symbol = "HD"
    unit = "√people"
    source = "PSD 2014, section 2.3; thesis, section 3.4"
    digits = 2
    usual = True

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return ‖√F − √G‖ / √2 of each slice in each draw; 0 for a slice where nobody was and nobody is."""
        return batch.hellinger(axis)

    def greatest(self, table: FrequencyTable) -> float:
        """Return √N, the distance of two tables of N people that have no cell in common."""
        return float(np.sqrt(table.total))

    def explain(self, batch: Batch) -> list[Line]:
        """Return the formula and its sum."""
        F, G = batch.table.counts, batch.filled[0]
        squares = float(((np.sqrt(F) - np.sqrt(G)) ** 2).sum())
        return text_lines(
            "HD(F, G) = √(Σ (√F − √G)² / 2)",
            f"In this draw: √({squares:.4f} / 2) = {np.sqrt(squares / 2):.4f}; "
            f"at most √N = {self.greatest(batch.table):.1f}.",
            *_grossed_up(batch),
        )


@register
@dataclass(frozen=True)
class Utility(Measure):
    """Share of the information that is kept, 1 − HD/√N.

    References
    ----------
    Shlomo, Antal and Elliot 2015; thesis, section 5.3.
    """

    label = "Information kept"
    symbol = "1 − HD/√N"
    low = -np.inf
    order: ClassVar[float] = 20
    direction = "utility"
    source = "Shlomo, Antal and Elliot 2015; thesis, section 5.3"
    nothing = "nobody there"
    usual = True

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return 1 − HD/√N of each slice in each draw."""
        people = batch.people(axis)
        return 1 - Hellinger().values(batch, axis) / np.sqrt(np.where(people > 0, people, np.nan))

    def explain(self, batch: Batch) -> list[Line]:
        """Return the formula with its two numbers."""
        distance, people = float(Hellinger().values(batch)[0, 0]), batch.table.total
        return text_lines(
            "1 − HD/√N: 1 for an unchanged table; 0 or more where the number of people is kept.",
            f"In this draw: 1 − {distance:.4f}/√{people:,} = {float(self.values(batch)[0, 0]):.4f}.",
            *_grossed_up(batch),
        )


def _grossed_up(batch: Batch) -> list[str]:
    """Return what both measures are of counts of a sample that a reader multiplies by N/n; nothing where they are none.

    The printed distance takes the counts as they are published, also where two tables have not the same total.
    """
    F, G = batch.table.counts, batch.published[0]
    N, n = batch.table.total, float(np.nansum(G))
    if not (0 < n < N and (G <= F).all()):
        return []
    distance = float(hellinger(F, G * N / n))
    return [
        "Counts are compared as they are published; no one is above the true one here. If they are those of a sample,"
        f" a reader multiplies them by N/n = {N / n:.4g}: then HD is {distance:.4f}, and 1 − HD/√N "
        f"{1 - distance / np.sqrt(N):.4f}."
    ]


@register
@dataclass(frozen=True)
class AbsoluteDistance(_Loss):
    """Mean distance of a published count from the true one, in people.

    References
    ----------
    Gomatam and Karr 2003; handbook, section 5.8.
    """

    label = "Mean change of a cell"
    symbol = "Σ|F − G|/K"
    unit = "people"
    source = "Gomatam and Karr 2003; handbook, section 5.8"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the mean of |F − G| over the cells of each slice in each draw."""
        return core.absolute_distance(*batch.cells(axis), -1)

    def greatest(self, table: FrequencyTable) -> float:
        """Return 2N/K: all people in other cells than before."""
        return 2 * table.total / table.cells

    def explain(self, batch: Batch) -> list[Line]:
        """Return the sum and the number of cells."""
        total = float(np.abs(batch.table.counts - batch.filled[0]).sum())
        cells = batch.table.cells
        return text_lines(
            f"Σ|F − G|/K = {total:,.6g}/{cells} = {total / cells:.4f} people, the mean over all {cells} cells."
        )


@register
@dataclass(frozen=True)
class RelativeDistance(_Loss):
    """Mean distance of a published count from the true one, as a share of the true one.

    References
    ----------
    Handbook, section 5.8.
    """

    label = "Mean relative change of a populated cell"
    symbol = "mean of |F − G|/F"
    source = "handbook, section 5.8"
    nothing = "nobody there"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the mean of |F − G|/F over the populated cells of each slice in each draw."""
        return core.relative_distance(*batch.cells(axis), -1)

    def greatest(self, table: FrequencyTable) -> float:
        """Return what it is where all people are put into the smallest populated cell, at least 1."""
        counts = table.counts[table.counts > 0]
        if counts.size == 0:
            return 1.0
        least = float(counts.min())
        return max(1.0, ((table.total - least) / least + counts.size - 1) / counts.size)

    def explain(self, batch: Batch) -> list[Line]:
        """Return the number of cells, and what one of the populated cells is changed by in the mean."""
        cells = int(np.count_nonzero(batch.table.counts))
        value = float(self.values(batch)[0, 0])
        return text_lines(
            f"|F − G|/F, the mean over the {cells} cells with F > 0: {value:.4f}.",
            "A cell of one that is published as three counts as 2, a cell of 100 published as 98 as 0.02.",
        )


@register
@dataclass(frozen=True)
class CramersV(_Loss):
    """How far the association of rows and columns moves, up or down.

    References
    ----------
    Handbook, section 5.8.
    """

    label = "Change of the association"
    symbol = "|V(G) − V(F)|"
    source = "handbook, section 5.8"
    nothing = "fewer than two rows or columns with people"
    high = 1.0
    sliced = False
    digits = 4

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return |V(G) − V(F)| of the whole table; with three and more axes all but the last are crossed."""
        before, after = _association(batch.table.counts[np.newaxis]), _association(batch.filled)
        return np.abs(after - before)[:, np.newaxis]

    def explain(self, batch: Batch) -> list[Line]:
        """Return V before and after."""
        before = float(_association(batch.table.counts[np.newaxis])[0])
        after = float(_association(batch.filled)[0])
        if np.isnan(before - after):
            return text_lines(f"Cramér's V is not defined: {self.nothing}.")
        return text_lines(
            "Cramér's V = √(χ²/(N · (min(rows, columns) − 1))): 0 where rows and columns are independent, at most 1.",
            f"Before {before:.4f}, in this draw {after:.4f}: {signed(after - before, 4)}.",
        )


def _association(tables: NDArray[np.number]) -> Floats:
    """Return V of each table of a batch, its last axis against all others crossed."""
    crossed = tables.reshape(len(tables), -1, tables.shape[-1])
    return np.atleast_1d(core.cramers_v(crossed))


@register
@dataclass(frozen=True)
class RankCorrelation(Measure):
    """Whether the cells keep their order of size: Spearman's rank correlation of before and after.

    References
    ----------
    Handbook, section 5.8.
    """

    label = "Order of the cells kept"
    symbol = "Spearman ρ"
    low = -1.0
    order: ClassVar[float] = 20
    direction = "utility"
    source = "handbook, section 5.8"
    nothing = "all cells are equal"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return ρ of each slice in each draw."""
        return core.rank_correlation(*batch.cells(axis), -1)

    def explain(self, batch: Batch) -> list[Line]:
        """Return what the number compares."""
        value = float(self.values(batch)[0, 0])
        if np.isnan(value):
            return text_lines("All cells are equal, before or after, so they have no order.")
        return text_lines(
            f"Each of the {batch.table.cells} cells has a rank before and one after; equal counts share a rank.",
            f"The correlation of both lists of ranks is {value:.4f}: 1 where the order is kept.",
        )


@register
@dataclass(frozen=True)
class VarianceOfCounts(_Loss):
    """How far the variance of the cell counts moves, as a share of the original one.

    References
    ----------
    Shlomo and Young 2005; handbook, section 5.8.
    """

    label = "Change of the variance of the counts"
    symbol = "|var(G)/var(F) − 1|"
    source = "Shlomo and Young 2005; handbook, section 5.8"
    digits = 4
    nothing = "all cells are equal, or there is one only"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return |var(G)/var(F) − 1| of each slice in each draw."""
        F, G = batch.cells(axis)
        before, after = np.atleast_1d(core.variance_of_counts(F, -1)), core.variance_of_counts(G, -1)
        return np.abs(after / np.where(before > 0, before, np.nan) - 1)

    def greatest(self, table: FrequencyTable) -> float:
        """Return what it is where all people are put into one cell, at least 1."""
        before = float(core.variance_of_counts(table.counts))
        return max(1.0, table.total**2 / table.cells / before - 1) if before > 0 else 1.0

    def explain(self, batch: Batch) -> list[Line]:
        """Return the variance before and after."""
        before = float(core.variance_of_counts(batch.table.counts))
        after = float(core.variance_of_counts(batch.filled[0]))
        if not before > 0:
            return text_lines(f"There is no variance to compare: {self.nothing}.")
        return text_lines(
            "The variance of the counts about their mean, Σ (F − N/K)²/(K − 1); "
            "less means that the table became more even, more that it became more uneven.",
            f"Before {before:,.6g}, in this draw {after:,.6g}: {signed(100 * (after / before - 1), 2)}%.",
        )
