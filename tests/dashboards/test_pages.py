"""Dashboards and lessons are found by their notebooks, and everything in them leads somewhere."""

import json
import re
from dataclasses import replace
from html import unescape
from urllib.parse import parse_qs

import pytest

from screens import inside
from sdcwidgets import InputError, protect
from sdcwidgets.assessment.search import candidates, sweep
from sdcwidgets.cli import main
from sdcwidgets.dashboards import notebook_pages, story
from sdcwidgets.dashboards import protect as protect_page
from sdcwidgets.dashboards.index.dots import BASE, WIDTH, dots
from sdcwidgets.dashboards.index.page import app
from sdcwidgets.dashboards.page_heads import DASHBOARDS, page_for
from sdcwidgets.dashboards.protect import headline
from sdcwidgets.dashboards.protect.recommended import recommended
from sdcwidgets.dashboards.protect.result import compute, improve
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.dashboards.protect.texts import what_is_shown
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.page_state.links import decode
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.page_state.table_state import TableState

EVERY = (*notebook_pages.dashboards(), *notebook_pages.lessons())


@pytest.mark.parametrize("entry", EVERY, ids=lambda entry: entry.name)
def test_a_page_says_what_it_is_for(entry):
    assert entry.title
    assert entry.about.endswith(".")
    assert entry.group in notebook_pages.GROUPS
    assert set(entry.lessons) <= {lesson.name for lesson in notebook_pages.lessons()}


@pytest.mark.parametrize("entry", notebook_pages.lessons(), ids=lambda entry: entry.name)
def test_from_each_lesson_a_tool_or_another_lesson_leads_on(entry):
    ways = notebook_pages.neighbours(entry.name)
    assert ways["before"] or ways["after"]
    tools = {notebook for _, notebook in ways["tools"]}
    assert tools == {tool.notebook for tool in notebook_pages.dashboards() if entry.name in tool.lessons}


@pytest.mark.parametrize("kind", ["notebooks", "tutorials"])
def test_no_notebook_is_left_out(kind):
    files = {file.name for file in notebook_pages.folder(kind).glob("*.ipynb")} - {"index.ipynb"}
    assert files <= {entry.notebook for entry in EVERY}


def test_every_link_of_the_landing_page_leads_to_a_page_or_a_place_on_it():
    value = app().value
    targets = set(re.findall(r"href=['\"]([^'\"]+)['\"]", value))
    assert {entry.notebook for entry in EVERY} <= targets
    stories = {unescape(target) for target in targets if "?story=" in target}
    assert story.PASTE in targets
    for target in {*map(unescape, targets)} - {entry.notebook for entry in EVERY} - stories - {story.PASTE}:
        assert target.startswith("#")
        assert f'id="{target[1:]}"' in value
    # The story goes on with the same village in other tools.
    assert len(stories) == len(story.STORY) - 1
    for target in stories:
        assert opened(target).table == story.VILLAGE


def opened(target):
    """Return the state that a link of the story leads to."""
    name, asked = target.split("?")
    kind = {"explore.ipynb": TableState, "protect.ipynb": ProtectState}[name]
    return kind.from_state(decode(parse_qs(asked)["state"][0]))


def test_the_story_says_on_each_page_what_to_do_and_leads_on_and_back():
    page, sent = page_for("protect"), []
    page.send = sent.append
    for step in range(2, len(story.STORY) + 1):
        page._hear(page, {"type": "story", "step": step}, [])
        told = sent.pop()
        assert told["told"] == f"Step {step} of 4, {story.STORY[step - 1].title}."
        assert told["task"]
        (returning, back), (_, ahead) = told["ways"]
        assert story.STORY[step - 2].title in returning
        assert back == story.link(step - 1)
        assert ahead == (story.link(step + 1) if step < 4 else 5)
    page._hear(page, {"type": "story", "step": 5}, [])
    told = sent.pop()
    assert told["told"]
    assert "0.967" in told["task"]
    assert "0.2569" in told["task"]
    assert [to for _, to, *_ in told["ways"]] == [story.PASTE, notebook_pages.lessons()[0].notebook]
    for wrong in (1, 6, -1, True, "2", None):
        page._hear(page, {"type": "story", "step": wrong}, [])
    assert sent == []


def finished(state):
    return Study(state, compute, improve).result


def test_the_story_opens_where_anna_is_still_found():
    state = opened(story.link(3))
    result = finished(state)
    assert state.limits.decides
    assert headline.next_step(result, 1, [], 16).kind == "sweep"
    assert result.deciding.sentence.startswith("Not yet: Age 25–29 still shows all people in one cell")


def test_the_primary_button_says_that_methods_are_compared_and_does_not_stop_that(monkeypatch):
    state = opened(story.link(3))
    monkeypatch.setattr(ProtectState, "of_example", lambda _: state)
    [lead] = inside(protect_page.app(), Lead)
    pressed = []
    monkeypatch.setattr(Actions, "work", lambda *_: pressed.append(True))
    monkeypatch.setattr(Actions, "working", property(lambda _: bool(pressed)))
    before = lead.ahead
    lead._hear(lead, {"type": "next"}, [])
    assert lead.ahead != before
    assert "omparing" in lead.ahead
    lead._hear(lead, {"type": "next"}, [])
    assert pressed == [True]


def test_the_last_step_of_the_story_begins_and_ends_with_what_may_be_released():
    """Success is not taken back: who only reads on has a table that may be released at the end of the story."""
    before, state = opened(story.link(3)), opened(story.link(4))
    assert state == replace(before.with_method("conventional-rounding"), protects=False)
    result = finished(state)
    assert result.deciding.answer == "release"
    assert headline.next_step(result, 1, [], 16).kind == "save"


@pytest.mark.slow
def test_what_the_blue_button_takes_after_a_sweep_hides_anna():
    state = opened(story.link(3)).set(replications=60, seed=3**33)
    found = {}
    for one in sweep(state.table, state.settings, candidates(table=state.table)):
        if one is not None:
            found[one.method] = one
    offers = recommended(state, list(found.values()))
    assert len(offers) == 3
    act = headline.next_step(finished(state), len(found), offers, 16)
    assert act.words == headline.NEXT["take"].format(16, offers[0].offer.name)
    assert offers[0].offer.against == ""
    result = finished(state.changed(method=offers[0].method))
    assert result.deciding.answer == "release"


def test_what_the_story_calls_lost_is_counted_below_the_tables():
    # 2, 11, 0 | 7, 4, 3 | 0, 0, 1 | 9, 1, 2 to base 3: one up or down in seven cells.
    result = finished(opened(story.link(4)).with_method("conventional-rounding"))
    told = what_is_shown(result.published, result.before.table, result.index, result.run.wanted)
    assert re.findall(r"\d+", told.partition("7 of 12 cells")[2])[:2] == ["7", "40"]


def test_the_landing_page_computes_what_annas_row_gives_away():
    assert ">0.967<" in app().value


def test_the_landing_page_and_lesson_1b_lead_to_the_comparison_of_risks():
    lesson = "13-the-risk-of-a-file.ipynb"
    tutorials = notebook_pages.folder("tutorials")
    assert "## Five measures of risk" in (tutorials / lesson).read_text("utf-8")
    assert f"]({lesson})" in (tutorials / "01b-from-entropy-to-risk.ipynb").read_text("utf-8")
    assert f'<a href="{lesson}">five measures of risk</a>' in app().value


def test_a_notebook_that_is_put_there_is_found(tmp_path, monkeypatch):
    told = {
        "kind": "dashboard",
        "title": "New <page>",
        "about": "It is new.",
        "group": notebook_pages.GROUPS[1],
    }
    (tmp_path / "new.ipynb").write_text(json.dumps({"metadata": {"sdcwidgets": told}, "cells": []}))
    (tmp_path / "other.ipynb").write_text(json.dumps({"metadata": {}, "cells": []}))
    monkeypatch.setattr(notebook_pages, "folder", lambda name: tmp_path)
    assert [entry.title for entry in notebook_pages.dashboards()] == ["New <page>"]
    assert notebook_pages.lessons() == ()


def test_a_server_gets_every_page_in_one_folder():
    with notebook_pages.gathered() as folder:
        assert {file.name for file in folder.iterdir()} == {
            "index.ipynb",
            *(entry.notebook for entry in EVERY),
        }
    assert not folder.exists()


def test_lessons_are_copied_and_what_is_there_is_left_alone(tmp_path, capsys):
    folder = tmp_path / "course"
    assert main(["lessons", str(folder)]) == 0
    assert {file.name for file in folder.iterdir()} == {entry.notebook for entry in notebook_pages.lessons()}
    assert f"jupyter lab {folder}" in capsys.readouterr().out
    own = folder / notebook_pages.lessons()[0].notebook
    own.write_text("mine")
    assert notebook_pages.copy_lessons(folder) == []
    assert own.read_text() == "mine"


def test_where_lessons_cannot_be_copied_one_sentence_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="another folder"):
        notebook_pages.copy_lessons(tmp_path / "file")


def test_the_dots_of_the_landing_page_are_the_people_of_the_village():
    markup = dots()
    assert len(re.findall("class='(?:anna-)?dot'", markup)) == story.VILLAGE.total
    assert markup.count("class='anna-dot'") == story.VILLAGE.counts[story.ANNA].sum() == 1
    release = protect(story.VILLAGE, "conventional-rounding", base=BASE)
    possible = int((release.upper[0, 1][story.ANNA] > 0).sum())
    assert f"{possible} cells" in markup
    assert possible > 1
    assert markup.count("class='ring'") == possible
    places = re.findall(r"--[xy][012]:(-?\d+)px", markup)
    assert len(places) == 6 * story.VILLAGE.total
    assert all(0 <= int(place) <= WIDTH for place in places)


@pytest.mark.parametrize("name", ["explore", "weights"])
def test_a_page_names_its_lessons_only(name):
    page = page_for(name)
    (entry,) = [entry for entry in DASHBOARDS if entry.name == name]
    assert 0 < len(page.lessons) < len(notebook_pages.lessons())
    assert [notebook for _, notebook in page.lessons] == [f"{lesson}.ipynb" for lesson in entry.lessons]
