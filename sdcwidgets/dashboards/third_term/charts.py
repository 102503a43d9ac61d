"""Chart of the page Third term: the functions by table size, for the chosen ε and other values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.core.risk.population import h1, h2
from sdcwidgets.dashboards.third_term.result import ThirdTermResult
from sdcwidgets.plots import marks
from sdcwidgets.plots.style import ACCENT, COLOURS, INK, MUTE, Plain, figure

#: Values of ε of the thin lines; the published tables have the same values.
FAN = (0.1, 0.3, 0.5, 0.8, 1.0)

#: Number of sizes per power of ten. With 10, a curve looks smooth.
STEPS = 10


def sizes(*people: int) -> NDArray[np.float64]:
    """Return sizes up to a million, or to the next power of ten for a larger table."""
    powers = max(6, int(np.ceil(np.log10(max(people)))))
    return np.geomspace(1, 10**powers, STEPS * powers + 1)


#: Symbols beside the values of the row of counts, where names have no room; the legend and the tab have the names.
_SYMBOLS = {"h1": "h₁", "h2": "h₂", "h3": "h₃"}
_FUNCTIONS = {"h1": h1, "h2": h2}
_LOOKS = ((COLOURS[0], 3, "dash"), (COLOURS[2], 3, "solid"))

#: Names of the curves in the legend.
_LEGEND = {"h1": "power function (h₁)", "h2": "entropy function (h₂)"}

#: Index of the size at which the thin lines are labelled, because they are well separated there.
APART = 13


@dataclass(frozen=True)
class Curves:
    """Data of the chart.

    Attributes
    ----------
    sizes : ndarray
        Numbers of people N, not necessarily whole.
    chosen : dict of str to ndarray
        h1 and h2 for the chosen ε.
    fan : dict of float to ndarray
        Values of the chosen function for other ε.
    result : ThirdTermResult
        The chosen size and the row of counts, which are marked.
    """

    sizes: NDArray[np.float64]
    chosen: Mapping[str, NDArray[np.float64]]
    fan: Mapping[float, NDArray[np.float64]]
    result: ThirdTermResult

    @property
    def summary(self) -> str:
        """Text alternative of the chart."""
        settings, at = self.result.state.settings, self.result.at
        far = [self.chosen[name][6 * STEPS] for name in ("h1", "h2")]
        falls = f"from 1 for one person to {far[0]:.4f} and {far[1]:.4f} for a million people"
        return (
            f"With the exponent {settings.epsilon:g}, the power function (h₁) and the entropy function (h₂) decrease "
            f"{falls}. For {settings.people:,} people, they are {at['h1']:.4f} and {at['h2']:.4f}."
        )

    def to_frame(self) -> marks.Frame:
        """Return the numbers as a table, one row per power of ten."""
        name, settings = self.result.state.settings.fan, self.result.state.settings
        columns = {"N": self.sizes[::10].round().astype(int)}
        columns |= {f"{key}, ε = {settings.epsilon:g}": line[::10] for key, line in self.chosen.items()}
        return marks.frame(
            columns | {f"{name}, ε = {exponent:g}": line[::10] for exponent, line in self.fan.items()}
        )


def prepare(result: ThirdTermResult) -> Curves:
    """Return the curves for the settings of a result."""
    settings = result.state.settings
    every = sizes(settings.people, result.people)
    chosen = {name: function(every, settings.epsilon) for name, function in _FUNCTIONS.items()}
    return Curves(
        every, chosen, {exponent: _FUNCTIONS[settings.fan](every, exponent) for exponent in FAN}, result
    )


@figure
def draw(curves: Curves) -> Plain:
    """Return the curves, with two dots for the chosen size and three diamonds for the row of counts."""
    settings, result, x = curves.result.state.settings, curves.result, curves.sizes.round(3)
    traces, notes = [], []
    for epsilon, values in curves.fan.items():
        look: Plain = {"name": f"ε = {epsilon:g}", "showlegend": False}
        if epsilon == FAN[-1]:
            look = {"name": "other exponents (labelled)"}
        look["hover"] = f"%{{x:,.0f}} people<br>{_LEGEND[settings.fan]}, ε = {epsilon:g}: %{{y:.4f}}"
        traces.append(marks.line(x, values.round(6), MUTE, 1, "dot", **look))
        at = float(np.log10(curves.sizes[APART])), float(values[APART])
        notes.append(marks.note(*at, f"{epsilon:g}", MUTE, yshift=8, xshift=8))
    for (key, values), (colour, width, dash) in zip(curves.chosen.items(), _LOOKS, strict=True):
        hover = f"%{{x:,.0f}} people<br>{_LEGEND[key]} = %{{y:.4f}}"
        traces.append(marks.line(x, values.round(6), colour, width, dash, name=_LEGEND[key], hover=hover))
    look = {"name": "chosen number of people", "hover": "%{x:,} people<br>%{y:.4f}"}
    traces.append(marks.dots([settings.people] * 2, marks.numbers(result.at.values()), INK, 11, **look))
    # The names of the thin lines are to the right of their common place.
    side = "left" if result.people <= curves.sizes[APART] else "right"
    look = {"text": [_SYMBOLS[name] for name in result.terms], "at": f"middle {side}"}
    look |= {"name": "row of counts below", "hover": "row of counts, %{x:,} people<br>%{text} = %{y:.4f}"}
    terms = marks.numbers(result.terms.values())
    traces.append(marks.dots([result.people] * 3, terms, ACCENT, 11, "diamond", **look))
    ends = [-0.1, float(np.log10(curves.sizes[-1]))]
    return marks.plot(
        traces,
        360,
        xaxis={"type": "log", "title": "number of people in the table (N)", "dtick": 2, "range": ends},
        yaxis={"range": [0, 1.05], "title": "third term (x₃)"},
        annotations=notes,
        legend=True,
    )
