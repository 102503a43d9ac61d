"""Information loss and utility of the protected table for data users."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.formula_lines import Line, signed, text_lines
from sdcwidgets.core import utility as core
from sdcwidgets.core.information import hellinger
from sdcwidgets.measures.base import Direction, Measure, register
from sdcwidgets.measures.batch import Batch
from sdcwidgets.tables.table import FrequencyTable


class _Loss(Measure):
    """Base class of losses."""

    order: ClassVar[float] = 20
    direction: ClassVar[Direction] = "loss"
    high: ClassVar[float] = np.inf
    digits: ClassVar[int] = 3


@register
@dataclass(frozen=True)
class Hellinger(_Loss):
    """Hellinger distance of the counts before and after protection.

    References
    ----------
    PSD 2014, section 2.3; thesis, section 3.4.
    """

    label = "Hellinger distance"
    symbol = "HD"
    unit = "√people"
    source = "Antal, Shlomo and Elliot 2014 (PSD 2014), section 2.3; Antal 2016, section 3.4"
    digits = 2
    usual = True

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return ‖√F − √G‖ / √2 of each slice in each replicate; 0 for a slice that is empty before and after."""
        return batch.hellinger(axis)

    def greatest(self, table: FrequencyTable) -> float:
        """Return √N, the distance of two tables of N people without a common populated cell."""
        return float(np.sqrt(table.total))

    def explain(self, batch: Batch) -> list[Line]:
        """Return the formula with its value."""
        F, G = batch.table.counts, batch.filled[0]
        squares, most = float(((np.sqrt(F) - np.sqrt(G)) ** 2).sum()), self.greatest(batch.table)
        maximum = f"the maximum is √N = {most:.1f}"
        if np.sqrt(squares / 2) > most:
            maximum = f"√N = {most:.1f} is no maximum, because the table after protection sums to more people"
        return text_lines(
            "HD(F, G) = √(Σ (√F − √G)² / 2)",
            f"In this replicate: √({squares:.4f} / 2) = {np.sqrt(squares / 2):.4f}; {maximum}.",
            *_grossed_up(batch),
        )


@register
@dataclass(frozen=True)
class Utility(Measure):
    """Utility of the protected table, 1 − HD/√N.

    References
    ----------
    Shlomo, Antal and Elliot 2015; thesis, section 5.3.
    """

    label = "Utility"
    symbol = "1 − HD/√N"
    low = -np.inf
    order: ClassVar[float] = 20
    direction = "utility"
    source = "Shlomo, Antal and Elliot 2015; Antal 2016, section 5.3"
    nothing = "no people"
    usual = True

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return 1 − HD/√N of each slice in each replicate."""
        people = batch.people(axis)
        return 1 - Hellinger().values(batch, axis) / np.sqrt(np.where(people > 0, people, np.nan))

    def explain(self, batch: Batch) -> list[Line]:
        """Return the formula with its values."""
        distance, people = float(Hellinger().values(batch)[0, 0]), batch.table.total
        return text_lines(
            "1 − HD/√N is 1 for an unchanged table, and 0 or more if the number of people is unchanged.",
            f"In this replicate: 1 − {distance:.4f}/√{people:,} = {float(self.values(batch)[0, 0]):.4f}.",
            *_grossed_up(batch),
        )


def _grossed_up(batch: Batch) -> list[str]:
    """Return both measures for counts of a sample that a data user multiplies by N/n, if this applies.

    The published distance uses the counts as they are, even if the tables have different totals.
    """
    F, G = batch.table.counts, batch.published[0]
    N, n = batch.table.total, float(np.nansum(G))
    if not (0 < n < N and (G <= F).all()):
        return []
    distance = float(hellinger(F, G * N / n))
    return [
        "The published counts are compared without weights, and no published count exceeds the original "
        f"count. If the table counts a sample, a data user multiplies each count by N/n = {N / n:.4g}. Then "
        f"HD is {distance:.4f}, and 1 − HD/√N is {1 - distance / np.sqrt(N):.4f}."
    ]


@register
@dataclass(frozen=True)
class AbsoluteDistance(_Loss):
    """Average absolute distance between published and original counts, in people.

    References
    ----------
    Gomatam and Karr 2003; handbook, section 5.8.
    """

    label = "Average absolute distance per cell"
    symbol = "Σ|F − G|/K"
    unit = "people"
    source = "Gomatam and Karr 2003; SDC handbook, section 5.8"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the mean of |F − G| over the cells of each slice in each replicate."""
        return core.absolute_distance(*batch.cells(axis), -1)

    def greatest(self, table: FrequencyTable) -> float:
        """Return 2N/K, the value if all people change their cell."""
        return 2 * table.total / table.cells

    def explain(self, batch: Batch) -> list[Line]:
        """Return the sum and the number of cells."""
        total = float(np.abs(batch.table.counts - batch.filled[0]).sum())
        cells = batch.table.cells
        return text_lines(
            f"Σ|F − G|/K = {total:,.6g}/{cells} = {total / cells:.4f} people on average over all {cells} cells."
        )


@register
@dataclass(frozen=True)
class RelativeDistance(_Loss):
    """Average relative distance between published and original counts.

    References
    ----------
    Handbook, section 5.8.
    """

    label = "Average relative distance of populated cells"
    symbol = "mean of |F − G|/F"
    source = "SDC handbook, section 5.8"
    nothing = "no people"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the mean of |F − G|/F over the populated cells of each slice in each replicate."""
        return core.relative_distance(*batch.cells(axis), -1)

    def greatest(self, table: FrequencyTable) -> float:
        """Return the value if all people are moved to the smallest populated cell, at least 1."""
        counts = table.counts[table.counts > 0]
        if counts.size == 0:
            return 1.0
        least = float(counts.min())
        return max(1.0, ((table.total - least) / least + counts.size - 1) / counts.size)

    def explain(self, batch: Batch) -> list[Line]:
        """Return the mean relative distance of the populated cells, with an example."""
        cells = int(np.count_nonzero(batch.table.counts))
        value = float(self.values(batch)[0, 0])
        return text_lines(
            f"The mean of |F − G|/F over the {cells} cells with F > 0 is {value:.4f}.",
            "For example, a count of 1 published as 3 contributes 2, and a count of 100 published as 98 "
            "contributes 0.02.",
        )


@register
@dataclass(frozen=True)
class CramersV(_Loss):
    """Absolute change in Cramér's V, the association of rows and columns.

    References
    ----------
    Handbook, section 5.8.
    """

    label = "Absolute change in Cramér's V"
    symbol = "|V(G) − V(F)|"
    source = "SDC handbook, section 5.8"
    nothing = "fewer than two rows or columns with people"
    high = 1.0
    sliced = False
    digits = 4

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return |V(G) − V(F)| of the whole table; with three or more axes, all but the last are crossed to rows."""
        before, after = _association(batch.table.counts[np.newaxis]), _association(batch.filled)
        return np.abs(after - before)[:, np.newaxis]

    def explain(self, batch: Batch) -> list[Line]:
        """Return V before and after protection."""
        before = float(_association(batch.table.counts[np.newaxis])[0])
        after = float(_association(batch.filled)[0])
        if np.isnan(before - after):
            return text_lines(f"Cramér's V is undefined: {self.nothing}.")
        return text_lines(
            "Cramér's V = √(χ²/(N · (min(rows, columns) − 1))) is 0 if rows and columns are independent, and "
            "at most 1.",
            f"Cramér's V is {before:.4f} before protection and {after:.4f} in this replicate, a change of "
            f"{signed(after - before, 4)}.",
        )


def _association(tables: NDArray[np.number]) -> Floats:
    """Return V of each table of a batch, with all axes but the last crossed to rows."""
    crossed = tables.reshape(len(tables), -1, tables.shape[-1])
    return np.atleast_1d(core.cramers_v(crossed))


@register
@dataclass(frozen=True)
class RankCorrelation(Measure):
    """Spearman's rank correlation of the cells before and after protection.

    References
    ----------
    Handbook, section 5.8.
    """

    label = "Rank correlation of original and published counts"
    symbol = "Spearman ρ"
    low = -1.0
    order: ClassVar[float] = 20
    direction = "utility"
    source = "SDC handbook, section 5.8"
    nothing = "all counts are equal"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return ρ of each slice in each replicate."""
        return core.rank_correlation(*batch.cells(axis), -1)

    def explain(self, batch: Batch) -> list[Line]:
        """Return the meaning of the value."""
        value = float(self.values(batch)[0, 0])
        if np.isnan(value):
            return text_lines(
                "All counts are equal before or after protection, so the rank correlation is undefined."
            )
        return text_lines(
            f"The {batch.table.cells} cells are ranked by their counts, before and after protection; equal "
            f"counts have the same rank.",
            f"The correlation of the ranks is {value:.4f}; the correlation is 1 if the order of the counts "
            f"is unchanged.",
        )


@register
@dataclass(frozen=True)
class VarianceOfCounts(_Loss):
    """Relative change in the variance of the cell counts.

    References
    ----------
    Shlomo and Young 2005; SDC handbook, section 5.8.
    """

    label = "Relative change in the variance of counts"
    symbol = "|var(G)/var(F) − 1|"
    source = "Shlomo and Young 2005; SDC handbook, section 5.8"
    digits = 4
    nothing = "all counts are equal, or the table has only one cell"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return |var(G)/var(F) − 1| of each slice in each replicate."""
        F, G = batch.cells(axis)
        before, after = np.atleast_1d(core.variance_of_counts(F, -1)), core.variance_of_counts(G, -1)
        return np.abs(after / np.where(before > 0, before, np.nan) - 1)

    def greatest(self, table: FrequencyTable) -> float:
        """Return the value if all people are moved to one cell, at least 1."""
        before = float(core.variance_of_counts(table.counts))
        return max(1.0, table.total**2 / table.cells / before - 1) if before > 0 else 1.0

    def explain(self, batch: Batch) -> list[Line]:
        """Return the variance before and after protection."""
        before = float(core.variance_of_counts(batch.table.counts))
        after = float(core.variance_of_counts(batch.filled[0]))
        if not before > 0:
            return text_lines(f"The relative change of the variance is undefined: {self.nothing}.")
        return text_lines(
            "The variance of the counts is Σ (F − N/K)²/(K − 1). "
            "If this variance decreases, the counts have become more similar; if it increases, more "
            "different.",
            f"The variance is {before:,.6g} before protection and {after:,.6g} in this replicate, a change of "
            f"{signed(100 * (after / before - 1), 2)}%.",
        )
