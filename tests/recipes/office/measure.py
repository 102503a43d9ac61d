"""A measure."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sdcwidgets import measures
from sdcwidgets.lines import said


@measures.register
@dataclass(frozen=True)
class MostMoved(measures.Measure):
    """How far the cell is moved that is moved most."""

    unit = "people"
    high: ClassVar[float] = np.inf
    source = "The office's handbook, section 3"

    def values(self, batch, axis=None):
        """Return the greatest difference of each slice in each draw."""
        before, after = batch.cells(axis)
        return np.abs(after - before).max(axis=-1).astype(float)

    def explain(self, batch):
        """Return the number in words."""
        return said(f"One cell is moved by {self.values(batch)[0, 0]:g}, none by more.")
