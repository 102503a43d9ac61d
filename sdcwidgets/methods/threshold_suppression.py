"""Threshold suppression: small counts are suppressed, without secondary suppression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.parameters import Help, Label, Range
from sdcwidgets.core.margins import margins
from sdcwidgets.methods.base import register
from sdcwidgets.methods.tabular import Fixed
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable


@register
@dataclass(frozen=True)
class ThresholdSuppression(Fixed):
    r"""Suppresses counts below a threshold in cells and margins, without secondary suppression.

    A single suppressed cell in a row or column is the difference of published values. The method shows why
    primary suppression alone is not enough. Published values are exact, and a suppressed count is known to be
    below the threshold.

    References
    ----------
    Handbook, chapter 5, section 5.3 (cell suppression); Antal 2016, section 2.4.1.2.

    Examples
    --------
    The 1 is suppressed, but its row total is 5:

    >>> table = FrequencyTable([[1, 4], [6, 7]], {"Area": ["A", "B"], "Sex": ["m", "f"]})
    >>> release = ThresholdSuppression(threshold=3).release(table, np.random.default_rng(1))
    >>> for line in release.lines():
    ...     print(*line)
    Area \ Sex m f Total
    A c 4 5
    B 6 7 13
    Total 7 11 18
    >>> release.cell_bounds().upper[0].tolist()
    [1.0, 4.0]
    """

    threshold: Annotated[
        int,
        Range(2, 20),
        Label("Threshold"),
        Help("Smallest positive count that is published. A larger threshold gives more protection."),
    ] = 3
    zeros: Annotated[
        bool,
        Label("Suppress zeros"),
        Help(
            "If this option is off, zeros are published, so a suppressed cell reveals that its count is "
            "not zero."
        ),
    ] = False

    note_settings = " of counts below {0.threshold}"
    suppresses = True

    def hides(self, counts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return a mask of the counts to suppress."""
        return (counts < self.threshold) & ((counts > 0) | self.zeros)

    def cells(self, table: FrequencyTable) -> NDArray[np.float64]:
        """Return the counts, with nan for suppressed cells."""
        return np.where(self.hides(table.counts), np.nan, table.counts)

    def conclusions(self, published: NDArray[np.number]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the published counts, and the range below the threshold for suppressed cells."""
        gaps = np.isnan(published)
        return (
            np.where(gaps, 0 if self.zeros else 1, published),
            np.where(gaps, self.threshold - 1, published),
        )

    def release_from_cells(
        self, table: FrequencyTable, cells: NDArray[np.number], rng: np.random.Generator
    ) -> Release:
        """Return the original cells and margins, each suppressed if it is below the threshold.

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
            Cells and margins, with nan for suppressed values.
        """
        values = {
            margin: np.where(self.hides(sums), np.nan, sums) for margin, sums in margins(table.counts).items()
        }
        has_suppressed = any(np.isnan(array).any() for array in values.values())
        notes = (self.note(), "c: confidential.") if has_suppressed else (self.no_change_note(),)
        return Release.by_value(table.axes, values, self.conclusions, notes)
