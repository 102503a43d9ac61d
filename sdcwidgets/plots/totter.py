"""Box plots of Totter's simulation study in the layout of his Figures 9 to 12, 15 to 18 and 21 to 32, as HTML."""

from __future__ import annotations

from html import escape

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


def page(results: Frame) -> str:
    """Return a self-contained HTML page with all figures, for each choice of cells and each scaling."""
    import plotly.graph_objects as go
    import plotly.io as pio

    parts = ["<!doctype html><meta charset='utf-8'><title>Totter's study, repeated</title>"]
    parts.append("<style>body{font-family:system-ui,sans-serif;max-width:1000px;margin:2em auto}</style>")
    first = True
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
            parts.append(pio.to_html(go.Figure(figure), full_html=False, include_plotlyjs=first))
            first = False
    assert len(MODELS) == len(_SERIES) - 1
    return "\n".join(parts)
