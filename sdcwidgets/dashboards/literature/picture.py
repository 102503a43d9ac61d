"""Data of a card's chart: bars, lines and one marked point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Picture:
    """Data of a card's chart.

    Attributes
    ----------
    x : tuple of float
        Positions of the bars and of the points of the lines.
    x_title, y_title : str
    bars, lines : mapping of str to tuple of float
        Values by the name in the legend.
    mark : tuple of (float, float), optional
        The point of the current settings, which is marked.
    summary : str
        Text alternative of the chart.
    """

    x: tuple[float, ...]
    x_title: str = ""
    y_title: str = ""
    bars: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    lines: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    mark: tuple[float, float] | None = None
    summary: str = ""

    def to_frame(self) -> pd.DataFrame:
        """Return the numbers as a table, one row per position."""
        import pandas as pd

        return pd.DataFrame({self.x_title: self.x} | dict(self.bars) | dict(self.lines))


def prepare(
    x: ArrayLike,
    titles: Sequence[str] = ("", ""),
    *,
    bars: Mapping[str, ArrayLike] | None = None,
    lines: Mapping[str, ArrayLike] | None = None,
    mark: tuple[float, float] | None = None,
    summary: str = "",
) -> Picture:
    """Return the chart of these numbers; a line with a single number is horizontal.

    Raises
    ------
    ValueError
        If bars or lines do not have a value for each position.
    """
    positions = np.asarray(x).tolist()

    def spread(series: Mapping[str, ArrayLike] | None) -> dict[str, tuple[float, ...]]:
        return {
            name: tuple(np.broadcast_to(np.asarray(values), len(positions)).tolist())
            for name, values in (series or {}).items()
        }

    x_title, y_title = titles
    return Picture(tuple(positions), x_title, y_title, spread(bars), spread(lines), mark, summary)
