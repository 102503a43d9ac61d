"""Texts of pages name the counted units of the table, such as households, in place of people."""

import json

import pytest

from screens import inside
from sdcwidgets import dashboards
from sdcwidgets.dashboards.protect import headline
from sdcwidgets.dashboards.protect.result import compute
from sdcwidgets.dashboards.protect.state import ProtectState, with_secret_seed
from sdcwidgets.tables.io.sources import File
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.page_state.reporting import title_of
from sdcwidgets.widgets.page_state.table_state import TableState
from sdcwidgets.widgets.texts.caption import caption_of

FILE = "Households by area and tenure\nArea,Owned,Rented,Free\nNorth,17,21,0\nSouth,0,9,0\nWest,12,1,2\n"


def read():
    source = File.from_input(FILE.encode(), "tenure.csv")
    reading = source.read()
    return reading.table, source.light(reading)


def test_state_of_a_table_has_the_unit_of_its_file():
    state = TableState.of_example("religion").with_table(*read())
    assert state.unit == "households"
    assert TableState.restored(json.loads(json.dumps(state.saved()))).unit == "households"
    assert state.edited(state.table.counts + 1).unit == "households"
    assert "households" in caption_of(state)
    assert title_of(state).startswith("Households")
    assert TableState.of_example("religion").unit == "people"


@pytest.mark.parametrize("method", ["random-rounding", "record-swapping", "cell-suppression"])
def test_decision_names_the_unit(method):
    state = ProtectState.of_example("religion").with_table(*read()).with_method(method)
    result = compute(with_secret_seed(state))
    words = f"{headline.answer(result)} {headline.because(result)} {result.deciding}"
    assert "people" not in words
    assert "households" in words


@pytest.mark.parametrize("name", ["explore", "protect"])
def test_first_view_names_the_unit(name):
    screen = getattr(dashboards, name).app()
    (page,) = inside(screen, Page)
    study = page._study
    study.load(study.state.with_table(*read()))
    texts = [text for chart in inside(screen, Chart) for text in (chart.caption, str(chart.figure()))]
    assert any("households" in text for text in texts)
    assert not [text for text in texts if "people" in text]
