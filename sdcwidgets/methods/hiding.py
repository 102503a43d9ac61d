"""Hiding: small counts are left out, and the text of a gap stands in their place."""

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
    r"""Counts below a threshold are hidden, in cells and in margins; nothing else is.

    Without secondary suppression a lone gap in a row or column is the difference of what is published: the
    method shows why hiding small counts is not enough. Whatever is published is exact; of a gap a reader
    knows that it is below the threshold.

    References
    ----------
    Handbook, chapter 5, section 5.3 (cell suppression); Antal 2016, section 2.4.1.2.

    Examples
    --------
    The 1 is hidden, but its row total is 5:

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
        Label("Smallest count shown"),
        Help("Counts below it are hidden; a larger one protects more."),
    ] = 3
    zeros: Annotated[
        bool,
        Label("Hide zeros too"),
        Help("Whether nobody is a count to hide; where it is not, a gap tells that somebody is there."),
    ] = False

    note_settings = " of counts below {0.threshold}"
    gaps = True

    def hides(self, counts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which counts are hidden."""
        return (counts < self.threshold) & ((counts > 0) | self.zeros)

    def cells(self, table: FrequencyTable) -> NDArray[np.float64]:
        """Return the counts, nan where they are hidden."""
        return np.where(self.hides(table.counts), np.nan, table.counts)

    def conclusions(self, published: NDArray[np.number]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return what is published, and that a gap stands for a count below the threshold."""
        gaps = np.isnan(published)
        return (
            np.where(gaps, 0 if self.zeros else 1, published),
            np.where(gaps, self.threshold - 1, published),
        )

    def release_from_cells(
        self, table: FrequencyTable, cells: NDArray[np.number], rng: np.random.Generator
    ) -> Release:
        """Return the cells and the true margins, each hidden if it is below the threshold.

        Parameters
        ----------
        table, cells, rng : as of `Method.release_from_cells`

        Returns
        -------
        Release
            With nan for each gap.
        """
        values = {
            margin: np.where(self.hides(sums), np.nan, sums) for margin, sums in margins(table.counts).items()
        }
        return Release.by_value(table.axes, values, self.conclusions, (self.note(), "c: confidential."))
