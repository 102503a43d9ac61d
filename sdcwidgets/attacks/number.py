"""A published value with its bounds and its position."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sdcwidgets._util.labels import number_text


@dataclass(frozen=True)
class Number:
    """A published value with its bounds and its position.

    Attributes
    ----------
    source : str
        Title of the published table.
    labels : tuple of str
        Label on each axis that the value keeps; () is the total.
    value : float
        Published value; nan if suppressed.
    lower, upper : float
        Bounds of the true value, given the published one.
    axes : tuple of int
        Positions of the axes that the value keeps.
    """

    source: str
    labels: tuple[str, ...]
    value: float
    lower: float
    upper: float
    axes: tuple[int, ...] = ()

    def __str__(self) -> str:
        return "a suppressed value" if np.isnan(self.value) else number_text(self.value)

    @property
    def exact(self) -> bool:
        """Whether the true value is known to equal the published one."""
        return self.lower == self.upper == self.value
