"""Hover texts and names in the charts of all pages: separators in large numbers, and words in place of symbols."""

import re
from contextlib import suppress

import numpy as np
import pytest

from screens import inside
from sdcwidgets import dashboards
from sdcwidgets.widgets.dashboard import _charts
from sdcwidgets.widgets.tabs import Tabs

NAMES = sorted(name for name in dir(dashboards) if name != "index")


def charts(name):
    """Return all charts of a page, with those of its tabs."""
    app = getattr(dashboards, name).app()
    for tabs in inside(app, Tabs):
        for index in range(12):
            with suppress(IndexError):
                tabs.turn_to(index)
    return [figure for figure in (chart.figure() for chart in _charts(app)) if figure is not None]


def largest(values):
    """Return the largest absolute value of the numbers in an array of a trace."""
    flat = np.asarray(values, dtype=object).ravel()
    numbers = [abs(float(value)) for value in flat if isinstance(value, int | float | np.number)]
    return max((number for number in numbers if not np.isnan(number)), default=0)


@pytest.mark.parametrize("name", NAMES)
def test_hover_texts_write_large_numbers_with_separators(name):
    for figure in charts(name):
        for trace in figure.data:
            for variable, form in re.findall(
                r"%\{([a-z]+)(?:\[\d+\])?(?::([^}]*))?\}", trace.hovertemplate or ""
            ):
                values = getattr(trace, variable, None)
                if values is not None and largest(values) >= 1000:
                    assert "," in form, trace.hovertemplate


@pytest.mark.parametrize("name", NAMES)
def test_legends_axes_and_hover_texts_have_names(name):
    for figure in charts(name):
        titles = [figure.layout.xaxis.title.text, figure.layout.yaxis.title.text]
        legends = [trace.name for trace in figure.data if trace.showlegend is not False]
        for text in filter(None, [*titles, *legends]):
            assert not re.fullmatch(r"[A-Za-zε][₁₂₃]?\*?", text), text
            assert not text.startswith(("R₁", "R₂", "n/N")), text
        for trace in figure.data:
            for line in (trace.hovertemplate or "").split("<br>"):
                assert not line.startswith(("R₁", "R₂", "n/N", "mean R", "true R")), line
