"""Each picture that is saved says what it shows, what it was made from, and by whom."""

from importlib import import_module

import pytest

from screens import inside
from sdcwidgets import notebook_pages
from sdcwidgets.dashboards import explore
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control


@pytest.mark.parametrize("name", [entry.name for entry in notebook_pages.dashboards()])
def test_every_picture_has_a_title_and_a_source(name):
    for chart in inside(import_module(f"sdcwidgets.dashboards.{name}").app(), Chart):
        assert chart.label
        assert len(chart.caption) > 40


def test_a_caption_follows_the_settings():
    screen = explore.app()
    chart = inside(screen, Chart)[0]
    assert "Religion by output area, 2,449 people in 90 cells. Weights 0.1/0.8/0.1" in chart.caption
    assert "Antal, Shlomo and Elliot 2014, section 2" in chart.caption
    for elsewhere in ("after protection", "Replications", "Seed", "stays in this session"):
        assert elsewhere not in chart.caption
    epsilon = next(one for one in inside(screen, Control) if one.spec["label"] == "ε")
    epsilon.asked = {"value": 0.25}
    assert "ε 0.25" in chart.caption
