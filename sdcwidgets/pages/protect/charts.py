"""The risk before protection and what is left of it, slice by slice, in both variants of the second term."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.assess import Slices
from sdcwidgets.plots import marks
from sdcwidgets.plots.style import ACCENT, COLOURS, INK, MOST_SLICES, Plain, figure, literal, slice_axis
from sdcwidgets.replications import SlicesAfter

NAMES = {"information": "R₂, thesis (3.6.6)", "uncertainty": "R₂, PSD 2014 (5)"}


@dataclass(frozen=True)
class Left:
    """What the chart shows.

    Attributes
    ----------
    kind : str
        The axis whose slices are shown; the last one is the whole table.
    labels : tuple of str
    before : ndarray, shape (n,)
        R1.
    mean, error : dict of ndarray, shape (n,)
        Expected R2 and its Monte Carlo standard error, for each variant.
    loss : ndarray, shape (n,)
        Expected Hellinger distance.
    """

    kind: str
    labels: tuple[str, ...]
    before: NDArray[np.float64]
    mean: dict[str, NDArray[np.float64]]
    error: dict[str, NDArray[np.float64]]
    loss: NDArray[np.float64]

    @property
    def summary(self) -> str:
        """What the chart says, in words."""
        left = self.mean["information"]
        told = f"The table's risk falls from {self.before[-1]:.4f} to {left[-1]:.4f}."
        if len(left) == 1 or np.isnan(left[:-1]).all():
            return told
        worst = int(np.nanargmax(left[:-1]))
        before = self.before[worst]
        return f"{told} Highest left: {self.labels[worst]}, {left[worst]:.3f} after {before:.3f}."

    def to_frame(self) -> marks.Frame:
        """Return the numbers as a table, a line a slice."""
        columns = {self.kind: self.labels, "R₁": self.before}
        for variant, name in NAMES.items():
            columns |= {name: self.mean[variant], f"± {name}": self.error[variant]}
        return marks.frame(columns | {"Hellinger distance": self.loss})


def prepare(before: Slices, after: SlicesAfter, whole: Slices, whole_after: SlicesAfter) -> Left:
    """Return what is left of the risk of each slice of a family, with the whole table as the last one."""
    shown = before.riskiest(MOST_SLICES)
    return Left(
        kind=before.name,
        labels=(*(before.labels[i] for i in shown), "Table"),
        before=np.append(before.r1[shown], whole.r1),
        mean={name: np.append(after.r2[name].mean[shown], whole_after.r2[name].mean) for name in NAMES},
        error={name: np.append(after.r2[name].error[shown], whole_after.r2[name].error) for name in NAMES},
        loss=np.append(after.hellinger.mean[shown], whole_after.hellinger.mean),
    )


@figure
def draw(left: Left) -> Plain:
    """Return R1 as an open bar, and what is left of it as a dot and a diamond with their errors."""
    positions = [float(i) for i in range(len(left.labels))]
    if len(positions) > 1:
        positions[-1] += 0.6
    said: Plain = {"customdata": [literal(label) for label in left.labels]}
    open_bars: Plain = {"name": "R₁ before", "edge": (INK, 1), "width": 0.68}
    open_bars["hover"] = "%{customdata}<br>R₁ before: %{y:.4f}"
    traces = [marks.bars(positions, marks.numbers(left.before), "rgba(0,0,0,0)", **open_bars, **said)]
    looks = {"information": (ACCENT, 10, "circle"), "uncertainty": (COLOURS[1], 10, "diamond")}
    for variant, look in looks.items():
        name, mean = NAMES[variant], marks.numbers(left.mean[variant])
        error: Plain = {"type": "data", "array": marks.numbers(left.error[variant])}
        error |= {"color": look[0], "thickness": 1}
        hover = f"%{{customdata}}<br>{name}: %{{y:.4f}}"
        traces.append(marks.dots(positions, mean, *look, name=name, error_y=error, hover=hover, **said))
    return marks.plot(
        traces,
        290 if len(positions) < 15 else 340,
        xaxis=slice_axis(positions, left.labels),
        yaxis={"rangemode": "tozero", "title": "risk, 0 to 1"},
        legend=True,
        margin={"l": 54, "r": 8, "t": 34, "b": 40},
    )
