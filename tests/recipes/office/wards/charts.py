"""The chart of the page: its data, then its drawing."""

from dataclasses import dataclass

import pandas as pd

from office.wards.result import WardsResult
from sdcwidgets.plots.style import ACCENT, Plain, figure, layout


@dataclass(frozen=True)
class Shares:
    """The data of the chart."""

    shares: tuple[float, ...]

    @property
    def summary(self) -> str:
        """The chart in words, for screen readers."""
        return f"{len(self.shares)} wards of the same size."

    def to_frame(self) -> pd.DataFrame:
        """Return the data of the chart, one row per ward."""
        return pd.DataFrame({"ward": range(1, len(self.shares) + 1), "share": self.shares})


def prepare(result: WardsResult) -> Shares:
    """Return the data of the chart for a result."""
    return Shares(result.shares)


@figure
def draw(data: Shares) -> Plain:
    """Return one bar per ward."""
    bars = {
        "type": "bar",
        "x": [f"Ward {k + 1}" for k in range(len(data.shares))],
        "y": list(data.shares),
        "marker": {"color": ACCENT},
    }
    return {"data": [bars], "layout": layout(200)}
