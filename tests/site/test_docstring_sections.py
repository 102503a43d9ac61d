"""Docstrings that the site would show wrongly, and those that it shows right."""

import importlib.util
from pathlib import Path

import pytest

import sdcwidgets

FILE = Path(sdcwidgets.__path__[0]).parent / "docs/site/docstring_sections.py"
SPEC = importlib.util.spec_from_file_location("docstring_sections", FILE)
checks = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(checks)

PARAMETERS = "Add.\n\nParameters\n----------\n{}\n    A number.\n\nExamples\n--------\n>>> 1\n1"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (PARAMETERS.format("a : int"), 0),
        (PARAMETERS.format("a, b : int"), 1),
        (PARAMETERS.format("a, b"), 1),
        (PARAMETERS.format("a : int, float"), 0),
        ("Add.\n\n>>> 1\n1", 1),
        ("Add.\n\nReturns\n-------\nint\n\n>>> 1\n1", 1),
    ],
)
def test_badly_shown_docstrings_are_reported(text, number):
    assert len(checks.badly_shown("add", text)) == number
