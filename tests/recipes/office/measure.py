"""A measure."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from sdcwidgets import measures
from sdcwidgets.parameters import Help, Label, Range


@measures.register
@dataclass(frozen=True)
class MostMoved(measures.Measure):
    """How far the cell is moved that is moved most, or that is left when those that are moved more are left out."""

    left_out: Annotated[int, Range(0, 5), Label("Cells left out"), Help("Those that are moved most.")] = 0

    direction = "loss"
    unit = "people"
    high: ClassVar[float] = np.inf
    source = "The office's handbook, section 3"

    def values(self, batch: measures.Batch, axis: int | None = None) -> NDArray[np.float64]:
        """Return the greatest difference of each slice in each draw."""
        before, after = batch.cells(axis)
        moved = np.sort(np.abs(after - before), axis=-1)
        return moved[..., -1 - min(self.left_out, moved.shape[-1] - 1)].astype(float)

    def explain(self, batch: measures.Batch) -> list[measures.Line]:
        """Return the number in words."""
        return measures.text_lines(f"One cell is moved by {self.values(batch)[0, 0]:g}, none by more.")
