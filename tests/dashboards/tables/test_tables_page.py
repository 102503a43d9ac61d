"""The table generator as a page: what its two doors show and do."""

import io

import ipywidgets
import pandas as pd
import pytest
from openpyxl import load_workbook
from stating import stating

from screens import ask, button, control, inside
from sdcwidgets.dashboards import tables
from sdcwidgets.dashboards.tables.state import TablesState
from sdcwidgets.dashboards.tables.texts import RULES
from sdcwidgets.tableserver import Rules
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.page import Page, Text
from sdcwidgets.widgets.readings import Readings
from sdcwidgets.widgets.tabs import Tabs


def press(page, words):
    actions, place = button(page, words)
    sent = []
    actions.send = lambda message, buffers=None: sent.append((message, buffers))
    actions._press(place)
    assert actions.status == ""
    return sent


def ahead(page, words):
    (lead,), (head,) = inside(page, Lead), inside(page, Page)
    assert words in lead.ahead
    lead._hear(None, {"type": "next"}, [])
    assert head.problem == ""


def grid(page, title):
    return next(one for one in inside(page, Grid) if one.title == title)


def readings(page, label):
    return next(one for one in inside(page, Readings) if one.label == label)


@pytest.fixture
def page():
    return tables.app(TablesState().with_request())


def test_the_user_asks_and_gets_a_table(page):
    before = grid(page, "Published table").counts
    ask(control(page, "Third variable"), "Sex")
    ahead(page, "Request")
    layers = control(page, "Sex")
    assert grid(page, "Published table").counts.shape == before.shape
    ask(layers, "0")
    assert grid(page, "Published table").counts.sum() < before.sum() * 0.6


def test_a_table_of_one_variable_is_a_column(page):
    people = grid(page, "Published table").counts.sum()
    ask(control(page, "Columns"), "")
    ahead(page, "Request")
    shown = grid(page, "Published table")
    assert shown.columns == ("People",)
    assert shown.counts.shape == (21, 1)
    assert shown.counts.sum() == pytest.approx(people, rel=0.01)
    ask(control(page, "Columns"), "Sex")
    ahead(page, "Request")
    assert grid(page, "Published table").columns == ("Male", "Female")


def test_two_requests_are_not_compared_and_two_methods_for_one_are(page):
    answer = inside(page, Answer)[0]
    ask(control(page, "Columns"), "Sex")
    ahead(page, "Request")
    assert answer.changed == "Now: Age by Sex"
    ask(control(page, "Columns"), "Citizenship")
    ahead(page, "Request")
    assert answer.changed == "Now: Age by Citizenship"
    ask(control(page, "View"), "agency")
    before = answer.parts
    ask(control(page, "base"), 10)
    assert answer.parts != before
    assert "Now" not in answer.changed


def test_a_refusal_shows_no_table_and_no_number(page):
    ask(control(page, "Rows"), "Sex")
    ask(control(page, "Population by"), "Age")
    ask(control(page, "Age"), "100 and over")
    ahead(page, "Request")
    answer = inside(page, Answer)[0]
    assert (answer.value, answer.parts) == ("Refused", [])
    assert answer.changed == "Now: Sex by Citizenship"
    assert answer.sentence == ""  # the headline and the card of the table state the refusal
    (lead,) = inside(page, Lead)
    _, _, advice = lead.why.rpartition(". ")
    (refusal,) = [part.value for part in inside(page, ipywidgets.HTML) if "sdc-refusal" in part._dom_classes]
    assert "1,000 people" in lead.why
    assert "1,000 people" in refusal
    assert advice not in refusal
    assert "`" not in "".join(text.value for text in inside(page, Text))


def test_the_page_opens_with_a_refusal_its_rule_and_a_way_on():
    page = tables.app()
    (lead,) = inside(page, Lead)
    assert lead.tone == "stop"
    [refusal] = [part.value for part in inside(page, ipywidgets.HTML) if "sdc-refusal" in part._dom_classes]
    assert f"“{RULES['people']}”" in refusal
    assert f"{Rules().people:,}" in refusal
    assert grid(page, "Published table").counts is None
    ahead(page, lead.ahead)
    assert lead.tone == "good"
    assert grid(page, "Published table").counts.shape == (2, 5)


def test_the_users_door_is_sent_nothing_of_the_agency(page):
    assert readings(page, "Query log").rows == []
    assert grid(page, "Original counts").counts is None
    ask(control(page, "View"), "agency")
    assert len(readings(page, "Query log").rows) == 1
    assert grid(page, "Original counts").counts.shape == (21, 5)


def test_the_agencys_tabs_are_offered_at_its_door_only(page):
    (tabs,) = inside(page, Tabs)
    assert (tabs.count, tabs.opened) == (1, 0)
    tabs._hear(4)
    assert tabs.opened == 0
    ask(control(page, "View"), "agency")
    assert (tabs.count, tabs.opened) == (5, 1)
    tabs._hear(4)
    assert tabs.opened == 4
    ask(control(page, "View"), "user")
    assert (tabs.count, tabs.opened) == (1, 0)


def test_the_lead_answers_and_after_a_refusal_its_button_asks_for_a_coarser_table(page):
    (lead,) = inside(page, Lead)
    assert lead.answer == stating("Yes", "protected counts")
    ask(control(page, "Third variable"), "Employment")
    assert lead.answer == stating("not requested")
    assert "Age by Citizenship by Employment. Population: Region: Region 1." in lead.why
    ahead(page, "Request")
    assert (lead.answer.partition(" small")[0], lead.tone) == (
        "No: the requested table could disclose a very",
        "stop",
    )
    assert "Age and Citizenship" in lead.why
    for _ in range(6):
        if not lead.ahead.startswith("Next: request"):
            break
        ahead(page, lead.ahead)
    assert lead.answer == stating("Yes", "protected counts")
    ask(control(page, "View"), "agency")
    ask(control(page, "Method"), "")
    assert "original counts" in lead.answer or lead.answer.startswith("No: ")


def test_the_agency_turns_a_rule_and_the_log_follows(page):
    ask(control(page, "View"), "agency")
    assert readings(page, "Query log").rows[0]["text"] == "protected"
    ask(control(page, "after"), 0.01)
    assert readings(page, "Query log").rows[0]["text"] == "refused: after"
    ask(control(page, "Method"), "cell-key")
    ask(control(page, "D"), 5)
    ask(control(page, "after"), 0.9)
    assert readings(page, "Query log").rows[0]["text"] == "protected"


def test_files_hold_the_table_and_its_metadata(page):
    ((message, (content,)),) = press(page, "(CSV)")
    text = content.decode("utf-8-sig")
    assert message["name"] == "table-study-hypercube.csv"
    assert text.startswith("Data,Study hypercube\nTable,Age by Citizenship\nPopulation: Region,Region 1\n")
    read = pd.read_csv(io.StringIO(text.partition("\n\n")[2] or text.partition('""\n')[2]))
    assert read.iloc[0, 1] == grid(page, "Published table").counts[0, 0]
    ((_, (book,)),) = press(page, "(XLSX)")
    sheets = load_workbook(io.BytesIO(book))
    assert sheets.sheetnames == ["table", "metadata"]
    assert sheets["table"]["B2"].value == grid(page, "Published table").counts[0, 0]


def test_bad_choices_are_told_and_nothing_changes(page):
    people = control(page, "Population by")
    people.request = {"value": "Age", "turn": 1}
    assert people.problem
    ask(control(page, "Third variable"), "Sex")
    ahead(page, "Request")
