"""The charts of each page are plotly figures in Python, with the data of the screen."""

import json

import numpy as np
import plotly.graph_objects as go
import pytest

from sdcwidgets import dashboards
from sdcwidgets.plots.style import resolved
from sdcwidgets.widgets.chart import split
from sdcwidgets.widgets.dashboard import Dashboard, _charts

#: Pages whose first view has no chart: they are tables, or wait for a request.
WITHOUT = {"attack", "tables"}


NAMES = sorted(name for name in dir(dashboards) if name != "index")


def plain_text(arrays):
    return json.dumps(arrays, default=lambda value: np.asarray(value).tolist())


@pytest.mark.parametrize("name", NAMES)
def test_the_figures_of_a_page_are_those_of_the_screen(name, tmp_path):
    app = getattr(dashboards, name).app()
    assert isinstance(app, Dashboard)
    figures = app.figures()
    charts = [chart for chart in _charts(app) if chart.figure() is not None]
    assert len(figures) == len(charts)
    assert bool(figures) == (name not in WITHOUT)
    for figure, chart in zip(figures.values(), charts, strict=True):
        assert isinstance(figure, go.Figure)
        plain = chart._figure.func.plain(*chart._figure.args)
        frame, arrays = split(plain)
        assert chart.frame == frame
        assert plain_text(chart.arrays) == plain_text(arrays)
        assert figure.to_json() == go.Figure(resolved(plain)).to_json()
    if figures:
        next(iter(figures.values())).write_html(tmp_path / "chart.html", include_plotlyjs=False)
        assert (tmp_path / "chart.html").stat().st_size > 1000


def test_figures_follow_the_page():
    app = dashboards.explore.app()
    before = {name: figure.to_json() for name, figure in app.figures().items()}
    app.settings = {"epsilon": 0.2}
    assert any(figure.to_json() != before[name] for name, figure in app.figures().items())
