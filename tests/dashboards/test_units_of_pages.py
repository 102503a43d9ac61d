"""Texts of pages name the counted units of the table, such as households, in place of people."""

import json
import re

import pytest

from screens import inside
from sdcwidgets import dashboards
from sdcwidgets.dashboards.protect import headline
from sdcwidgets.dashboards.protect.result import compute
from sdcwidgets.dashboards.protect.state import ProtectState, with_secret_seed
from sdcwidgets.tables.io.sources import File
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.page import Page, Text
from sdcwidgets.widgets.page_state.reporting import title_of
from sdcwidgets.widgets.page_state.table_state import TableState
from sdcwidgets.widgets.tabs import Tabs
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


@pytest.mark.parametrize("name", ["sample", "suppression", "cell_key"])
def test_texts_and_buttons_name_the_unit(name):
    screen = getattr(dashboards, name).app()
    (page,) = inside(screen, Page)
    study = page._study
    study.load(study.state.with_table(*read()))
    for tabs in inside(screen, Tabs):
        for index in range(len(tabs._parts)):
            tabs.turn_to(index)
    texts = [text.value for text in inside(screen, Text)]
    texts += [f"{lead.answer} {lead.why}" for lead in inside(screen, Lead)]
    texts += [label for row in inside(screen, Actions) for label in row.labels]
    texts += [f"{chart.caption} {chart.summary} {chart.figure()}" for chart in inside(screen, Chart)]
    foot = [text for text in texts if "kept only in this browser" in text]
    texts = [text.replace("the key of person A", "") for text in texts]  # an example of the handbook
    wrong = [text for text in texts if text not in foot and re.search(r"\bpeople\b|\bperson\b", text)]
    assert wrong == []
    assert any("household" in text for text in texts)
