"""Dashboards and lessons are found by their notebooks, and everything in them leads somewhere."""

import json
import re
from urllib.parse import unquote

import pytest

from sdcwidgets import pages
from sdcwidgets.cli import main
from sdcwidgets.dashboards.index import VILLAGE, app
from sdcwidgets.errors import InputError
from sdcwidgets.studies.base import TableState
from sdcwidgets.studies.links import decode
from sdcwidgets.studies.protect import ProtectState

EVERY = (*pages.dashboards(), *pages.lessons())


@pytest.mark.parametrize("entry", EVERY, ids=lambda entry: entry.name)
def test_a_page_says_what_it_is_for(entry):
    assert entry.title
    assert entry.about.endswith(".")
    assert entry.group in pages.GROUPS
    assert set(entry.lessons) <= {lesson.name for lesson in pages.lessons()}


@pytest.mark.parametrize("entry", pages.lessons(), ids=lambda entry: entry.name)
def test_from_each_lesson_a_tool_or_another_lesson_leads_on(entry):
    ways = pages.neighbours(entry.name)
    assert ways["before"] or ways["after"]
    tools = {notebook for _, notebook in ways["tools"]}
    assert tools == {tool.notebook for tool in pages.dashboards() if entry.name in tool.lessons}


@pytest.mark.parametrize("kind", ["notebooks", "tutorials"])
def test_no_notebook_is_left_out(kind):
    files = {file.name for file in pages._folder(kind).glob("*.ipynb")} - {"index.ipynb"}
    assert files <= {entry.notebook for entry in EVERY}


def test_every_link_of_the_landing_page_leads_to_a_page_or_a_place_on_it():
    value = app().value
    targets = set(re.findall(r"href=['\"]([^'\"]+)['\"]", value))
    assert {entry.notebook for entry in EVERY} <= targets
    stories = {target for target in targets if "?state=" in target}
    for target in targets - {entry.notebook for entry in EVERY} - stories:
        assert target.startswith("#")
        assert f'id="{target[1:]}"' in value
    # The story goes on with the same village in other tools.
    for target in stories:
        name, state = target.split("?state=")
        kind = {"explore.ipynb": TableState, "protect.ipynb": ProtectState}[name]
        assert kind.from_state(decode(unquote(state))).table == VILLAGE


def test_the_landing_page_computes_what_annas_row_gives_away():
    assert "The row’s risk is 0.967 of 1." in app().value


def test_a_notebook_that_is_put_there_is_found(tmp_path, monkeypatch):
    told = {"kind": "dashboard", "title": "New <page>", "about": "It is new.", "group": "Lower the risk"}
    (tmp_path / "new.ipynb").write_text(json.dumps({"metadata": {"sdcwidgets": told}, "cells": []}))
    (tmp_path / "other.ipynb").write_text(json.dumps({"metadata": {}, "cells": []}))
    monkeypatch.setattr(pages, "_folder", lambda name: tmp_path)
    assert [entry.title for entry in pages.dashboards()] == ["New <page>"]
    assert pages.lessons() == ()


def test_a_server_gets_every_page_in_one_folder():
    with pages.gathered() as folder:
        assert {file.name for file in folder.iterdir()} == {
            "index.ipynb",
            *(entry.notebook for entry in EVERY),
        }
    assert not folder.exists()


def test_lessons_are_copied_and_what_is_there_is_left_alone(tmp_path, capsys):
    folder = tmp_path / "course"
    assert main(["lessons", str(folder)]) == 0
    assert {file.name for file in folder.iterdir()} == {entry.notebook for entry in pages.lessons()}
    assert f"jupyter lab {folder}" in capsys.readouterr().out
    own = folder / pages.lessons()[0].notebook
    own.write_text("mine")
    assert pages.copy_lessons(folder) == []
    assert own.read_text() == "mine"


def test_where_lessons_cannot_be_copied_one_sentence_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot hold the lessons"):
        pages.copy_lessons(tmp_path / "file")
