"""Which box protects a count best: what each costs, and how many values it leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets.plots.style import ACCENT, COLOURS, MUTE, Plain, figure, layout
from sdcwidgets.studies.suppression import Suppressed

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Picture", "draw", "prepare"]


@dataclass(frozen=True)
class Picture:
    """A dot for each box, and what is asked."""

    names: tuple[str, ...]
    people: tuple[float, ...]
    left: tuple[float, ...]
    asked: int
    wanted: str

    @property
    def summary(self) -> str:
        """What the chart says, in words."""
        good = [k for k, value in enumerate(self.left) if value >= self.asked]
        if not self.left:
            return "There is no box of four counts above 0 around what is marked."
        if not good:
            return f"No box alone leaves {self.asked:,} values for {self.wanted}."
        cheapest = min(good, key=lambda k: self.people[k])
        return (
            f"{len(good)} of {len(self.left)} boxes leave at least {self.asked:,} values for {self.wanted}; the "
            f"cheapest, with {self.names[cheapest]} across, hides {self.people[cheapest]:,.0f} more."
        )

    def to_frame(self) -> pd.DataFrame:
        """Return a line a box."""
        import pandas as pd

        return pd.DataFrame(
            {"corner across": self.names, "hidden beside it": self.people, "values left": self.left}
        )


def prepare(result: Suppressed) -> Picture:
    """Return the boxes around the first sensitive count."""
    state, boxes = result.state, result.boxes
    row, column = state.table.axes
    if boxes is None:
        return Picture((), (), (), state.settings.width, "nothing")
    names = tuple(f"{row.labels[i]}, {column.labels[j]}" for i, j in boxes.corners)
    i, j = state.sensitive[0]
    return Picture(
        names,
        tuple(boxes.people.tolist()),
        tuple(boxes.left.tolist()),
        state.settings.width,
        f"{row.name} {row.labels[i]}, {column.labels[j]}",
    )


@figure
def draw(picture: Picture) -> Plain:
    """Return the dots and the line of what is asked."""
    people = np.array(picture.people or (1.0,))
    ends = [float(people.min()) * 0.8, float(people.max()) * 1.25]
    enough = [value >= picture.asked for value in picture.left]
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "lines",
                "x": ends,
                "y": [picture.asked] * 2,
                "line": {"color": COLOURS[1], "width": 2, "dash": "dash"},
                "hoverinfo": "skip",
            },
            {
                "type": "scatter",
                "mode": "markers",
                "x": list(picture.people),
                "y": list(picture.left),
                "text": list(picture.names),
                "marker": {
                    "size": 10,
                    "color": [ACCENT if good else MUTE for good in enough],
                    "symbol": ["circle" if good else "x" for good in enough],
                },
                "hovertemplate": "%{text} across<br>%{x:,} hidden beside it<br>%{y:,} values left<extra></extra>",
            },
        ],
        "layout": layout(
            280,
            xaxis={"type": "log", "title": {"text": "hidden beside it"}},
            yaxis={"rangemode": "tozero", "title": {"text": "values left"}},
            margin={"l": 54, "r": 12, "t": 12, "b": 44},
        ),
    }
