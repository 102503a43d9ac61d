"""A method."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from sdcwidgets import methods
from sdcwidgets.parameters import Help, Label, Range


@methods.register
@dataclass(frozen=True)
class TopCoding(methods.PostTabular):
    """Counts above a limit are published as the limit."""

    limit: Annotated[int, Range(3, 1000), Label("Limit"), Help("No count above it is published.")] = 20

    deterministic = True

    def perturb(
        self, counts: NDArray[np.int64], draws: NDArray[np.float64], where: tuple[NDArray[np.int64], ...]
    ) -> NDArray[np.int64]:
        """Return the counts, none above the limit.

        Parameters
        ----------
        counts : ndarray
            Original counts above 0, one per cell.
        draws : ndarray
            Random numbers in [0, 1), one row per replicate.
        where : tuple of ndarray
            Index of each cell along each axis.

        Returns
        -------
        ndarray
            One row per replicate.
        """
        return np.broadcast_to(np.minimum(counts, self.limit), draws.shape)

    def conclusions(self, published: NDArray[np.number]) -> tuple[NDArray[np.number], NDArray[np.number]]:
        """Return the lowest and the highest possible original count: counts below the limit are exact."""
        return published, np.where(published < self.limit, published, np.inf)
