"""The picture of the wards: first what is in it, then how it is drawn."""

from dataclasses import dataclass

import pandas as pd

from sdcwidgets.plots.style import ACCENT, figure, layout


@dataclass(frozen=True)
class Shares:
    """The share of the people in each ward."""

    shares: tuple

    @property
    def summary(self):
        """What the chart says, in words."""
        return f"{len(self.shares)} wards of the same size."

    def to_frame(self):
        """Return the numbers as a table, a line a ward."""
        return pd.DataFrame({"ward": range(1, len(self.shares) + 1), "share": self.shares})


@figure
def draw(shares):
    """Return a bar for each ward."""
    bars = {
        "type": "bar",
        "x": [f"Ward {k + 1}" for k in range(len(shares.shares))],
        "y": list(shares.shares),
        "marker": {"color": ACCENT},
    }
    return {"data": [bars], "layout": layout(200)}
