"""Controlled tabular adjustment: small counts become safe values, and other counts keep the totals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Help, Label, Range, secret_of
from sdcwidgets.core.tabular_adjustment import MOST_CELLS, adjusted
from sdcwidgets.methods.base import Counts, check_size, register
from sdcwidgets.methods.canonical import canonical
from sdcwidgets.methods.tabular import Fixed
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

#: Limitation of every release.
LIMITATION = (
    "Controlled tabular adjustment changes other counts only as far as the totals require. Data users who "
    "apply the method to possible original tables may therefore infer narrower intervals than the published ones."
)


@register
@dataclass(frozen=True)
class ControlledTabularAdjustment(Fixed):
    """Replaces counts below a threshold by 0 or the threshold, and adjusts other counts so that totals change little.

    A count c below the threshold t becomes t with probability c/t, and 0 otherwise. The other positive counts
    change by at most w, so that the totals change as little as possible. Zeros do not change. Like cell
    suppression, the method protects small counts, but it publishes a complete, additive table. Therefore the
    residual risk R2, which assumes changed and not suppressed cells, fits this method (thesis, section 6.2).

    The result is a random choice. Keep the secret, and use it for every release of the table, because the mean
    of several results is close to the original counts.

    References
    ----------
    Dandekar and Cox 2002; thesis, sections 2.4.1.2 and 6.2.

    Examples
    --------
    >>> table = FrequencyTable([[1, 8], [9, 7]], {"Area": ["A", "B"], "Sex": ["f", "m"]})
    >>> release = ControlledTabularAdjustment(threshold=3).release(table, np.random.default_rng(4))
    >>> release.cells.astype(int).tolist(), release.margin("Area").tolist()
    ([[0, 9], [10, 6]], [9, 16])
    """

    threshold: Annotated[
        int,
        Range(2, 20),
        Label("Threshold"),
        Help("Smallest positive count that is published. Smaller counts become 0 or this number."),
    ] = 3
    width: Annotated[
        int,
        Range(1, 50),
        Label("Maximum adjustment"),
        Help("Maximum change of a count that is not below the threshold. A larger value keeps more totals."),
    ] = 5

    note_settings = " of counts below {0.threshold}, with a maximum adjustment of {0.width}"

    @property
    def seeded(self) -> bool:
        """True, because the directions and the adjustments are random."""
        return True

    def no_effect_reason(self, table: FrequencyTable) -> str:
        """Return the reason why no count changes."""
        if not ((table.counts > 0) & (table.counts < self.threshold)).any():
            return f"No count changes, because no count is from 1 to {self.threshold - 1}."
        return ""

    def cells(self, table: FrequencyTable, seed: int | np.random.Generator | None = None) -> Counts:
        """Return the adjusted counts that this secret selects.

        Raises
        ------
        InputError
            If the table has too many cells.
        """
        if table.cells > MOST_CELLS:
            raise InputError(
                f"The table has {table.cells:,} cells; controlled tabular adjustment is possible for at most "
                f"{MOST_CELLS:,} cells. Use small cell adjustment or rounding."
            )
        in_order = canonical(table)
        secret = secret_of(seed)
        rng = np.random.default_rng(0 if secret is None else secret)
        return in_order.restore(adjusted(in_order.table.counts, self.threshold, self.width, rng))

    def replicate(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> Counts:
        """Return equal replicates, shape (size, *shape), because two results would narrow the intervals.

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        size : int
            Number of replicates, 1 or more.
        rng : numpy.random.Generator
            Source of random numbers. The secret is the seed of the generator, whatever was drawn from it before.

        Returns
        -------
        ndarray, shape (size, *shape)
            Adjusted counts.
        """
        check_size(size)
        return np.broadcast_to(self.cells(table, rng), (size, *table.shape))

    def conclusions(self, published: NDArray[np.number]) -> tuple[NDArray[np.number], NDArray[np.number]]:
        """Return the counts that can become each published count."""
        is_replaced = published == self.threshold
        lower = np.where(is_replaced, 1, np.maximum(published - self.width, self.threshold))
        upper = published + self.width
        is_zero = published == 0
        return np.where(is_zero, 0, lower), np.where(is_zero, self.threshold - 1, upper)

    def release_from_cells(
        self, table: FrequencyTable, cells: NDArray[np.number], rng: np.random.Generator
    ) -> Release:
        """Return the adjusted cells with their sums as margins.

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
            Cells, margins and bounds, with a limitation.
        """
        return replace(super().release_from_cells(table, cells, rng), limitation=LIMITATION)
