"""What a page shows before its session is there: its beginning, as computed, and nothing of a visitor."""

import re
from html import unescape
from importlib import import_module

import pytest
from ipywidgets import Widget

from sdcwidgets import FrequencyTable
from sdcwidgets.dashboards import explore, notebook_pages
from sdcwidgets.server.first_view import FirstViews, first_view
from sdcwidgets.tables.examples import load
from sdcwidgets.tables.io.sources import InMemorySource
from sdcwidgets.widgets.board import Board
from sdcwidgets.widgets.drawn import drawn
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.studies.base import TableState
from sdcwidgets.widgets.studies.links import encode
from visiting import EXPLORE, Visitor, connected, drawn_at, kernel_of, picture

NOTEBOOKS = {entry.name: entry.file for entry in notebook_pages.dashboards()}
HOSTILE = "<img src=x onerror=alert(1)>"


def inside(widget, kind):
    if widget.layout.display == "none":
        return
    if isinstance(widget, kind):
        yield widget
    for child in getattr(widget, "children", ()):
        yield from inside(child, kind)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_it_says_and_shows_what_the_library_computes(name):
    text = re.sub(r"<style>.*?</style>", "", first_view(NOTEBOOKS[name]), flags=re.DOTALL)
    app = import_module(f"sdcwidgets.dashboards.{name}.page").app()
    lead = next(inside(app, Lead))
    said = unescape(re.sub(r"<[^>]*>", "\n", text)).split("\n")
    assert {lead.question, lead.answer, lead.why, lead.ahead} <= {*said, ""}
    assert text.count("<h1>") == 1
    stage = next(part for part in app.children if "sdc-stage" in part._dom_classes)
    grids, boards = list(inside(stage, Grid)), list(inside(stage, Board))
    tables = re.findall(r"<tbody>.*?</tbody>", re.sub(r"<noscript>.*?</noscript>", "", text))
    assert len(tables) == len(grids) + len([board for board in boards if board.frame])
    if len(grids) == 1:
        cells = re.findall(
            r'<td(?: class="(?!sdc-margin)[^"]*")?>(?:<input[^>]* value="(\d+)"|([\d,]+)<)', tables[0]
        )
        if grids[0].texts is None and grids[0].gaps is None:
            assert [int((one or two).replace(",", "")) for one, two in cells] == grids[
                0
            ].counts.ravel().tolist()
    Widget.close_all()


def test_the_numbers_are_those_of_the_example():
    text = first_view(NOTEBOOKS["explore"])
    fields = re.findall(r'<input size="1" value="(\d+)" disabled aria-label="([^"]*)">', text)
    assert [int(value) for value, _ in fields] == load("religion").counts.ravel().tolist()
    assert fields[0][1] == "Area 1, Christian"


def test_labels_are_data_and_nothing_in_it_can_be_used():
    table = FrequencyTable([[3, 0], [4, 1]], {HOSTILE: [HOSTILE, "B"], "<b>": ["<i>C", "D & E"]})
    text = drawn(explore.app(table))
    assert "<img" not in text
    assert "<i>C" not in text
    assert "D &amp; E" in text
    assert "<script" not in text


def test_what_a_visitor_does_is_in_nobodys(served):
    before, html = drawn_at(served)
    kernel = kernel_of(html)
    secret = FrequencyTable([[7, 0], [4, 71]], {"Secret axis": ["Secret row", "B"], "Sex": ["C", "D"]})
    with connected(served, kernel) as channel:
        visitor = Visitor(channel)
        page = visitor.widget(lambda state: "can_undo" in state)
        visitor.say(
            page, {"type": "state", "state": encode(TableState(secret, InMemorySource("Secret title")))}
        )
        assert any("Secret row" in str(state.get("frame")) for state in Visitor(channel).widgets.values())
    after, html = picture(served)
    assert "Secret" not in html
    assert after == before != ""


def test_who_asks_for_another_beginning_gets_no_picture(served):
    assert drawn_at(served)[0]
    state = encode(
        TableState(FrequencyTable([[7, 0], [4, 71]], {"A": "ab", "B": "cd"}), InMemorySource("Own"))
    )
    for query in (f"state={state}", "story=2", "anything"):
        found, html = picture(served, f"{EXPLORE}?{query}")
        assert found == ""
        assert 'id="loading"' in html


def test_a_notebook_without_a_dashboard_has_none(tmp_path):
    (tmp_path / "some.ipynb").write_text('{"cells": [{"cell_type": "code", "source": ["1 + 1"]}]}')
    assert first_view(tmp_path / "some.ipynb") == ""
    assert FirstViews().get("some.ipynb", "") == ""
