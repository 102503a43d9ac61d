"""Chart of the third term of the risk against the table total N, with this table as a point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.labels import PEOPLE
from sdcwidgets.assessment.assessment import Assessment
from sdcwidgets.core.risk.population import h1, h2
from sdcwidgets.plots import marks
from sdcwidgets.plots.style import ACCENT, COLOURS, MUTE, Plain, figure, literal

#: Minimum number of powers of ten on the axis of N.
POWERS = 6

#: Number of points per power of ten.
STEPS = 20

#: Names of the functions of the third term.
NAMES = {
    "h1": "power function (h₁)",
    "h2": "entropy function (h₂)",
    "h3": "mean entropy function of the cells (h₃)",
}


def sizes(people: int) -> NDArray[np.float64]:
    """Return the values of N at which the curves are drawn; the table total is within their range."""
    powers = max(POWERS, int(np.ceil(np.log10(max(people, 1)))))
    return np.geomspace(1, 10**powers, STEPS * powers + 1)


@dataclass(frozen=True)
class SizeCurve:
    """Content of the chart.

    Attributes
    ----------
    function : {"h1", "h2", "h3"}
    epsilon : float
    sizes : ndarray
        Values of N, not necessarily integers.
    heights : dict of str to ndarray
        h1 and h2 at each size; h3 depends on each cell, so it has no curve.
    people : int
        N of this table.
    value : float
        Third term of this table; nan for an empty table.
    unit : str
        Noun for the counted units.
    """

    function: str
    epsilon: float
    sizes: NDArray[np.float64]
    heights: dict[str, NDArray[np.float64]]
    people: int
    value: float
    unit: str = PEOPLE

    @property
    def summary(self) -> str:
        """Summary of the chart in one or two sentences."""
        if np.isnan(self.value):
            return f"The table has no {self.unit}."
        sentence = (
            f"With the exponent {self.epsilon:g}, the {NAMES[self.function]} is {self.value:.4f} for {self.people:,} "
            f"{self.unit}."
        )
        return sentence + (
            " This function depends on the count of each cell, so it has no curve over the number of "
            f"{self.unit}."
            if self.function == "h3"
            else ""
        )

    def to_frame(self) -> marks.Frame:
        """Return the numbers of the chart, one row per size."""
        columns = {"N": self.sizes[::20].round().astype(int)}
        return marks.frame(columns | {name: values[::20] for name, values in self.heights.items()})


def prepare(assessment: Assessment) -> SizeCurve:
    """Return the curves for the settings of an assessment, and the point of its table."""
    settings, whole = assessment.settings, assessment.whole_slice
    people = int(whole.people[0])
    every = sizes(people)
    values = {"h1": h1(every, settings.epsilon), "h2": h2(every, settings.epsilon)}
    unit = assessment.table.unit
    return SizeCurve(settings.third, settings.epsilon, every, values, people, float(whole.terms[0, 2]), unit)


@figure
def draw(curve: SizeCurve) -> Plain:
    """Return the figure: two curves, the selected one emphasised, and this table as a ringed dot."""
    unit = literal(curve.unit)
    x, lines = curve.sizes.round(3), []
    for name, values in curve.heights.items():
        look = (COLOURS[2], 3) if name == curve.function else (MUTE, 1)
        hover = f"%{{x:,.0f}} {unit}<br>{NAMES[name]}: %{{y:.4f}}"
        lines.append(marks.line(x, values.round(6), *look, name=NAMES[name], hover=hover))
    here = ([], []) if np.isnan(curve.value) else ([curve.people], [round(curve.value, 6)])
    hover = f"this table, %{{x:,}} {unit}<br>%{{y:.4f}}"
    return marks.plot(
        [*lines, marks.dots(*here, COLOURS[2], 12, edge=(ACCENT, 2), name="this table", hover=hover)],
        220,
        xaxis={"type": "log", "title": f"number of {unit} in the table", "dtick": 1},
        yaxis={"range": [0, 1.02], "title": "small size, from 0 to 1"},
        legend=True,
    )
