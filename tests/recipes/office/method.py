"""A method."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from sdcwidgets import methods
from sdcwidgets.parameters import Help, Label, Range


@methods.register
@dataclass(frozen=True)
class TopCoding(methods.PostTabular):
    """Counts above a limit are published as the limit."""

    limit: Annotated[int, Range(3, 1000), Label("Limit"), Help("No count above it is published.")] = 20

    deterministic = True

    def perturb(self, counts, draws, where):
        """Return the counts, none above the limit."""
        return np.broadcast_to(np.minimum(counts, self.limit), draws.shape)

    def conclusions(self, published):
        """Return what a count is at least and at most: it is true below the limit."""
        return published, np.where(published < self.limit, published, np.inf)
