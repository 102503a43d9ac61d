"""A published number, as an intruder points at it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sdcwidgets._util.labels import number_text


@dataclass(frozen=True)
class Number:
    """A published number that one can point at.

    Attributes
    ----------
    source : str
        The table that it stands in.
    labels : tuple of str
        Its label on each axis that it keeps; () is the total.
    value : float
        What is printed; nan at a gap.
    lower, upper : float
        What the reader may conclude about the truth behind it.
    axes : tuple of int
        The axes of its table that it keeps, by their positions.
    """

    source: str
    labels: tuple[str, ...]
    value: float
    lower: float
    upper: float
    axes: tuple[int, ...] = ()

    def __str__(self) -> str:
        return "a gap" if np.isnan(self.value) else number_text(self.value)

    @property
    def exact(self) -> bool:
        """Whether the truth is what is printed."""
        return self.lower == self.upper == self.value
