"""Snapshots in the HTML of pages: the beginning of each page, as the library computes it, and nothing of a visitor."""

import re
from html import unescape
from importlib import import_module

import pytest
from ipywidgets import Widget

from sdcwidgets import FrequencyTable
from sdcwidgets.dashboards import notebook_pages
from sdcwidgets.server.snapshots import FOLDER, snapshot
from sdcwidgets.tables.examples import load
from sdcwidgets.tables.io.sources import InMemorySource
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.page_state.links import encode
from sdcwidgets.widgets.page_state.table_state import TableState
from visiting import EXPLORE, Visitor, connected, kernel_of, snapshot_of

NAMES = [entry.name for entry in notebook_pages.dashboards()]

#: Maximum number of bytes of all snapshots together.
MOST_BYTES = 400_000


def lead_of(widget):
    if isinstance(widget, Lead):
        return widget
    return next(filter(None, map(lead_of, getattr(widget, "children", ()))), None)


@pytest.mark.parametrize("name", NAMES)
def test_a_snapshot_has_the_lead_that_the_library_computes(name):
    markup = (FOLDER / f"{name}.html").read_text("utf-8")
    lead = lead_of(import_module(f"sdcwidgets.dashboards.{name}.page").app())
    # A page refines some numbers after it is shown; the browser test compares them when it has finished.
    texts = re.sub(r"\d", "0", unescape(re.sub(r"<[^>]*>", "", markup)))
    parts = [re.sub(r"\d", "0", part) for part in (lead.question, lead.answer, lead.why, lead.ahead)]
    missing = [part for part in parts if part not in texts]
    assert missing == [], "The snapshot is not what the page shows; run `make snapshots` and commit it."
    assert markup.count("<h1") == 1
    Widget.close_all()


@pytest.mark.parametrize("name", NAMES)
def test_nothing_in_a_snapshot_acts(name):
    markup = (FOLDER / f"{name}.html").read_text("utf-8")
    assert re.findall(r"<(script|iframe|object|form|link|style|img)\b", markup) == []
    assert re.findall(r"<[^>]*\s(on\w+|src|srcset|action)=", markup) == []
    assert [link for link in re.findall(r' href="([^"]*)"', markup) if not link.endswith(".ipynb")] == []
    fields = re.findall(r"<(?:input|select|textarea|button)\b[^>]*>", markup)
    assert [field for field in fields if "inert" not in field and "readonly" not in field] == []


def test_a_stage_is_shown_once_it_is_parsed_as_a_whole():
    text = snapshot("explore.ipynb")
    before, after = ".sdc-stage { visibility: hidden; }", "<style>.sdc-stage{visibility:visible}</style>"
    assert text.index(before) < text.index(' sdc-stage"') < text.rindex("</table>") < text.index(after)
    assert after not in snapshot("explore.ipynb", whole=False)


def test_the_numbers_are_those_of_the_example():
    fields = re.findall(r'<input inputmode="numeric"[^>]*>', snapshot("explore.ipynb"))
    values = [int(re.search(r' value="(\d+)"', field)[1]) for field in fields]
    assert values == load("religion").counts.ravel().tolist()
    assert 'aria-label="Area 1, Christian"' in fields[0]


def test_snapshots_are_small():
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < MOST_BYTES


def test_what_a_visitor_does_is_in_no_snapshot(served):
    before, html = snapshot_of(served)
    kernel = kernel_of(html)
    secret = FrequencyTable([[7, 0], [4, 71]], {"Secret axis": ["Secret row", "B"], "Sex": ["C", "D"]})
    with connected(served, kernel) as channel:
        visitor = Visitor(channel)
        page = visitor.widget(lambda state: "can_undo" in state)
        visitor.say(
            page, {"type": "state", "state": encode(TableState(secret, InMemorySource("Secret title")))}
        )
        assert any("Secret row" in str(state.get("frame")) for state in Visitor(channel).widgets.values())
    after, html = snapshot_of(served)
    assert "Secret" not in html
    assert after == before != ""


def test_a_link_with_another_state_gets_the_frame_only(served):
    assert 'class="sdc-lead-top"' in snapshot_of(served)[0]
    state = encode(
        TableState(FrequencyTable([[7, 0], [4, 71]], {"A": "ab", "B": "cd"}), InMemorySource("Own"))
    )
    for query in (f"state={state}", "story=2", "anything"):
        frame, html = snapshot_of(served, f"{EXPLORE}?{query}")
        assert "<header" in frame
        assert 'class="sdc-lead-top"' not in frame
        assert 'class="lm-Widget sdc sdc-grid"' not in frame
        assert 'id="loading"' in html


def test_a_notebook_without_a_snapshot_has_none():
    assert snapshot("some.ipynb") == ""
