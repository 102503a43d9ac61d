"""The page of a generator in a folder: one user's door on the state that all doors share."""

import numpy as np
import pandas as pd
import pytest
from stating import stating

from screens import ask, button, control, inside
from sdcwidgets.dashboards import tables
from sdcwidgets.dashboards.tables import result, state
from sdcwidgets.tableserver import Rules
from sdcwidgets.tableserver.generator import TableGenerator
from sdcwidgets.tableserver.policy import Policy
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.readings import Readings


@pytest.fixture
def generator(tmp_path, monkeypatch):
    rng = np.random.default_rng(1)
    people = {"Area": list("NES"), "Age": ["old", "young"], "Job": list("abc")}
    frame = pd.DataFrame({name: rng.choice(labels, 4000) for name, labels in people.items()})
    rules = Rules(mean=0, after=1, utility=0, apart=(("Age", "Job"),))
    policy = Policy("public", rules, groups={"Area": [{"N and E": ("N", "E")}]}, rate=4)
    made = TableGenerator.init(tmp_path / "made", frame, policy)
    monkeypatch.setenv(state.FOLDER, str(made.folder))
    yield made
    state.served.cache_clear()
    state.variables_of.cache_clear()
    result._server_of.cache_clear()


@pytest.fixture
def page(generator):
    for cached in (state.served, state.variables_of, result._server_of):
        cached.cache_clear()
    return tables.app()


def press(page):
    (lead,), (head,) = inside(page, Lead), inside(page, Page)
    assert "Request" in lead.ahead
    lead._hear(None, {"type": "next"}, [])
    return head.problem


def test_nothing_is_asked_until_someone_asks_and_then_it_is_in_the_log(page, generator):
    (answer,) = inside(page, Answer)
    assert "No table" in answer.sentence
    assert generator.store.log() == []
    assert not inside(page, Readings)
    ask(control(page, "Rows"), "Area")
    ask(control(page, "Area in groups"), True)
    assert press(page) == ""
    (line,) = generator.store.log()
    assert line["door"] == "dashboard"
    assert line["user"].startswith("session ")
    grid = next(one for one in inside(page, Grid) if one.title == "Published table")
    shown = generator.ask(["Area", "Age"], groups={"Area": 1}).answer
    assert grid.counts.tolist() == shown.cells.tolist()
    assert "public seed" not in answer.sentence


def test_a_refusal_names_the_rule_of_the_policy_and_too_many_questions_are_told(page, generator):
    ask(control(page, "Rows"), "Job")
    assert press(page) == ""
    (answer,) = inside(page, Answer)
    assert answer.value == "Refused"
    (lead,) = inside(page, Lead)
    assert lead.answer == "No: these variables must not be combined in one request."
    for other in ("Area", "Age", "Area"):
        ask(control(page, "Columns"), other)
        assert press(page) == ""
    ask(control(page, "Columns"), "Age")
    assert "The limit of 4" in press(page)
    assert len(generator.store.log()) == 4


def test_only_the_agency_sees_the_log_of_all_doors(page, generator, monkeypatch):
    generator.ask(["Area"], user="ann", door="http")
    monkeypatch.setenv(state.AGENCY, "yes")
    watched = tables.app()
    (log,) = (one for one in inside(watched, Readings))
    assert [row["text"] for row in log.rows] == ["protected"]
    assert "ann, http" in str(log.rows)
    chart = next(one for one in inside(watched, Chart) if one.label == stating("averaging attack"))
    simulate, place = button(watched, "averaging attack")
    simulate._press(place)
    assert simulate.status == ""
    assert len(chart.frame["data"]) == 2
    assert len(generator.store.log()) == 1
