"""The curve of the third term against the size of a table, with this table's N on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.assessment.assessment import Assessment
from sdcwidgets.core.risk.population import h1, h2
from sdcwidgets.plots import marks
from sdcwidgets.plots.style import ACCENT, COLOURS, MUTE, Plain, figure

#: The curve reaches a million people, and as many powers of ten more as the table needs.
POWERS = 6

#: It is drawn at so many sizes in each power of ten, so that it looks smooth.
STEPS = 20


def sizes(people: int) -> NDArray[np.float64]:
    """Return the sizes at which the curve is drawn for a table of so many people."""
    powers = max(POWERS, int(np.ceil(np.log10(max(people, 1)))))
    return np.geomspace(1, 10**powers, STEPS * powers + 1)


@dataclass(frozen=True)
class SizeCurve:
    """What the chart shows.

    Attributes
    ----------
    function : {"h1", "h2", "h3"}
    epsilon : float
    sizes : ndarray
        N, not only whole numbers.
    heights : dict of str to ndarray
        h1 and h2 at each size; h3 depends on each cell and has no curve of its own.
    people : int
        This table's N.
    value : float
        This table's third term; nan for a table of nobody.
    """

    function: str
    epsilon: float
    sizes: NDArray[np.float64]
    heights: dict[str, NDArray[np.float64]]
    people: int
    value: float

    @property
    def summary(self) -> str:
        """What the chart says, in words."""
        if np.isnan(self.value):
            return "Nobody is counted in this table."
        name = {"h1": "h₁", "h2": "h₂", "h3": "h₃"}[self.function]
        sentence = f"With ε = {self.epsilon:g} and N = {self.people:,}, {name} gives {self.value:.4f}."
        return sentence + (
            " h₃ looks at each cell, so it has no curve over N." if self.function == "h3" else ""
        )

    def to_frame(self) -> marks.Frame:
        """Return the numbers as a table, a line a size."""
        columns = {"N": self.sizes[::20].round().astype(int)}
        return marks.frame(columns | {name: values[::20] for name, values in self.heights.items()})


def prepare(assessment: Assessment) -> SizeCurve:
    """Return the curves for the settings of an assessment, and its table's place on them."""
    settings, whole = assessment.settings, assessment.whole
    people = int(whole.people[0])
    every = sizes(people)
    values = {"h1": h1(every, settings.epsilon), "h2": h2(every, settings.epsilon)}
    return SizeCurve(settings.third, settings.epsilon, every, values, people, float(whole.terms[0, 2]))


@figure
def draw(curve: SizeCurve) -> Plain:
    """Return the curves, the chosen one strong, and this table as a ringed dot."""
    x, lines = curve.sizes.round(3), []
    for name, values in curve.heights.items():
        look = (COLOURS[2], 3) if name == curve.function else (MUTE, 1)
        hover = f"N = %{{x:,.0f}}<br>{name}: %{{y:.4f}}"
        lines.append(marks.line(x, values.round(6), *look, name=name, hover=hover))
    here = ([], []) if np.isnan(curve.value) else ([curve.people], [round(curve.value, 6)])
    hover = "this table, N = %{x:,}<br>%{y:.4f}"
    return marks.plot(
        [*lines, marks.dots(*here, COLOURS[2], 12, edge=(ACCENT, 2), name="this table", hover=hover)],
        220,
        xaxis={"type": "log", "title": "people in the table, N", "dtick": 1},
        yaxis={"range": [0, 1.02], "title": "small size x₃"},
        legend=True,
    )
