"""Histograms and box plots of Totter's simulation study, as HTML, like his Figures 2, 7 to 24 and 25 to 32."""

from __future__ import annotations

import math
from html import escape

import numpy as np

from sdcwidgets.core.risk.sample import MODELS
from sdcwidgets.plots.marks import Frame

_COLOURS = ("#5b6770", "#1f6f8b", "#d17b0f", "#8a4f9e", "#3d8b5f")
_DESIGNS = {"equal": "ESS", "oversampling": "POV", "proportional": "PSS", "srs": "SRS"}
_SERIES = {
    "true": "true",
    "standard": "standard",
    "clogg-eliason": "Clogg–Eliason",
    "pseudo-likelihood": "PSE",
    "weighted": "weighted",
}
_SIGNS = {"tau1": "τ₁", "tau2": "τ₂"}

#: Choices of cells and terms in the study, with the choice in Totter's study first.
CELL_TITLES = {
    "occurring": "Combinations of key values in the population, with age and household size as numbers",
    "crossing": "All combinations of categories",
}

#: Number of each figure in Totter's thesis, by its fixed factor (scenario or design), the value of this factor,
#: and its quantity.
FIGURES: dict[int, tuple[str, str, str]] = {
    **{9 + k: ("scenario", "1", quantity) for k, quantity in enumerate(("tau1", "tau2", "eta1", "eta2"))},
    **{15 + k: ("scenario", "2", quantity) for k, quantity in enumerate(("tau1", "tau2", "eta1", "eta2"))},
    **{21 + k: ("scenario", "3", quantity) for k, quantity in enumerate(("tau1", "tau2", "eta1", "eta2"))},
    **{
        25 + 2 * group + k: ("design", design, quantity)
        for group, design in enumerate(("srs", "equal", "proportional", "oversampling"))
        for k, quantity in enumerate(("tau1", "tau2"))
    },
}


#: Number of each histogram in Totter's thesis, by its keys (a sample, or a scenario in the population), and its largest
#: number of people, None for all.
HISTOGRAMS: dict[int, tuple[str, int | None]] = {
    2: ("sample", None),
    7: ("1", None),
    8: ("1", 10),
    13: ("2", None),
    14: ("2", 10),
    19: ("3", None),
    20: ("3", 10),
}

#: Number of intervals of a histogram of all numbers of people.
_INTERVALS = 40


def histograms(sizes: Frame) -> dict[int, dict[str, object]]:
    """Return each histogram of cell sizes as a plotly dictionary, by its number in Totter's thesis.

    Parameters
    ----------
    sizes : DataFrame
        Cell size indices of a study, see `sdcwidgets.microdata.totter.load_sizes`.

    Returns
    -------
    dict of int to dict
        Figures. Figure 2 and the figures of all sizes have intervals of equal width.
    """
    return {number: _histogram(sizes, *about) for number, about in HISTOGRAMS.items()}


def _histogram(sizes: Frame, keys: str, largest: int | None) -> dict[str, object]:
    rows = sizes[sizes["keys"] == keys]
    size, cells = rows["size"].to_numpy(), rows["cells"].to_numpy()
    if largest is not None:
        size, cells = size[size <= largest], cells[size <= largest]
        edges = np.arange(1, largest + 2) - 0.5
    else:
        width = math.ceil(size.max() / _INTERVALS)
        edges = np.arange(0, size.max() + width, width) + 0.5
    number, _ = np.histogram(size, edges, weights=cells)
    people = "records" if keys == "sample" else "people"
    about = "Sample" if keys == "sample" else f"Population, scenario {keys}"
    about += "" if largest is None else f", at most {largest} people"
    trace = {
        "type": "bar",
        "x": ((edges[:-1] + edges[1:]) / 2).tolist(),
        "y": number.astype(int).tolist(),
        "width": (edges[1:] - edges[:-1]).tolist(),
        "marker": {"color": _COLOURS[1]},
    }
    layout = {
        "title": {"text": about},
        "xaxis": {"title": {"text": f"{people} with the same key"}},
        "yaxis": {"title": {"text": "keys"}},
        "bargap": 0,
        "height": 420,
        "template": "plotly_white",
    }
    return {"data": [trace], "layout": layout}


def figures(results: Frame, scaling: str = "formula") -> dict[int, dict[str, object]]:
    """Return each figure as a plotly dictionary, by its number in Totter's thesis.

    For a fixed scenario there is one group of boxes per design, for a fixed design one per scenario. A group
    contains the true value and the estimates of four models, or the differences of the estimates from the true
    value. The results have one choice of cells.
    """
    return {number: _figure(results, scaling, *about) for number, about in FIGURES.items()}


def _figure(results: Frame, scaling: str, kind: str, value: str, quantity: str) -> dict[str, object]:
    rows = results[results[kind] == value]
    across = rows["design"].map(_DESIGNS) if kind == "scenario" else "scenario " + rows["scenario"]
    which = "tau" + quantity[-1]
    difference = quantity.startswith("eta")
    traces = []
    for (name, label), colour in zip(_SERIES.items(), _COLOURS, strict=True):
        if name == "true" and difference:
            continue
        estimates = rows[which] if name == "true" else rows[f"{name} {scaling} {which}"]
        values = estimates - rows[which] if difference else estimates
        traces.append(
            {
                "type": "box",
                "name": label,
                "x": across.tolist(),
                "y": values.round(4).tolist(),
                "marker": {"color": colour},
                "boxpoints": "outliers",
            }
        )
    about = f"scenario {value}" if kind == "scenario" else _DESIGNS[value]
    title = f"{_SIGNS[which]}, {about}" if not difference else f"estimate less {_SIGNS[which]}, {about}"
    return {
        "data": traces,
        "layout": {"title": {"text": title}, "boxmode": "group", "height": 420, "template": "plotly_white"},
    }


def page(results: Frame, sizes: Frame) -> str:
    """Return a self-contained HTML page: histograms of cell sizes, and box plots for each choice of cells and scaling.

    Parameters
    ----------
    results : DataFrame
        Results of a study, see `sdcwidgets.microdata.totter.load`.
    sizes : DataFrame
        Cell size indices of the study, see `sdcwidgets.microdata.totter.load_sizes`.

    Returns
    -------
    str
        HTML.
    """
    import plotly.graph_objects as go
    import plotly.io as pio

    parts = ["<!doctype html><meta charset='utf-8'><title>Totter's study, repeated</title>"]
    parts.append("<style>body{font-family:system-ui,sans-serif;max-width:1000px;margin:2em auto}</style>")
    first = True
    parts.append("<h1>Cell sizes</h1>")
    for number, figure in histograms(sizes).items():
        parts.append(f"<h2>Like Figure {number}</h2>")
        parts.append(pio.to_html(go.Figure(figure), full_html=False, include_plotlyjs=first))
        first = False
    fits = [
        (cells, scaling, f"{CELL_TITLES[cells]}, {rate}")
        for cells in CELL_TITLES
        for scaling, rate in (("formula", "λ = μ/π"), ("sdcmicro", "λ = μ as in sdcMicro"))
    ]
    for cells, scaling, title in fits:
        parts.append(f"<h1>{escape(title)}</h1>")
        chosen = results[results["cells"] == cells]
        for number, figure in sorted(figures(chosen, scaling).items()):
            parts.append(f"<h2>Like Figure {number}</h2>")
            parts.append(pio.to_html(go.Figure(figure), full_html=False, include_plotlyjs=False))
    assert len(MODELS) == len(_SERIES) - 1
    return "\n".join(parts)
