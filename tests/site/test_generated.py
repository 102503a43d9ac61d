"""Pages of the documentation that are made of the program, without a build of the whole site."""

import importlib
import re
import sys

import pytest

from pins import ROOT
from sdcwidgets.cli import _parser
from sdcwidgets.dashboards import notebook_pages


@pytest.fixture(scope="module")
def generated():
    pytest.importorskip("mkdocs")
    sys.path.insert(0, str(ROOT / "docs/site"))
    yield importlib.import_module("generated")
    sys.path.remove(str(ROOT / "docs/site"))


def test_the_page_of_commands_has_the_help_of_each_command_in_any_terminal(generated, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    page = generated._commands()
    assert [name for name in _parser().commands() if f"## {name}\n" not in page] == []
    monkeypatch.setenv("COLUMNS", "200")
    assert generated._commands() == page


def test_each_page_and_each_lesson_has_a_picture():
    entries = [*notebook_pages.dashboards(), *notebook_pages.lessons()]
    pictures = {file.stem for file in (ROOT / "docs/pictures").glob("*.jpg")}
    assert {entry.name for entry in entries} - pictures == set()


def test_a_warning_of_mkdocs_is_an_error():
    (command,) = re.findall(r"mkdocs build.*", (ROOT / "Makefile").read_text("utf-8"))
    assert "--strict" in command
    assert "--quiet" not in command  # mkdocs counts the warnings that it prints
