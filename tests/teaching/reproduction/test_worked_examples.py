"""Worked examples of the handbook: what follows from two published tables."""

from types import SimpleNamespace

import pytest

from sdcwidgets.tables import examples
from sdcwidgets.teaching.reproduction import worked_examples
from sdcwidgets.teaching.reproduction.figure import DIFFERS, REPRODUCES

GROUPS = {
    worked_examples.marginal_tables: 16,
    worked_examples.differenced_tables: 27,
    worked_examples.random_rounding: 23,
}


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.__name__)
def test_every_figure_reproduces(group):
    assert [figure.verdict for figure in group()] == [REPRODUCES] * GROUPS[group]


@pytest.mark.parametrize(
    "name", ["handbook-5-2", "handbook-5-6", "handbook-5-9", "handbook-5-13", "handbook-5-18"]
)
def test_a_changed_count_differs(name, monkeypatch):
    def changed(asked):
        counts = original(asked).counts.copy()
        counts[(0,) * counts.ndim] += 7 * (asked == name)
        return SimpleNamespace(counts=counts)

    original = examples.load
    monkeypatch.setattr(examples, "load", changed)
    verdicts = [figure.verdict for group in GROUPS for figure in group()]
    assert DIFFERS in verdicts


def test_an_impossible_value_of_random_rounding_differs():
    figures = worked_examples._possible_values(
        {"base": 5, "cells": [[0, 0], [5, 0], [10, 20]], "rows": [0, 5, 40], "columns": [15, 20], "total": 40}
    )
    assert [figure.subject for figure in figures if figure.verdict == DIFFERS] == ["row 3"]
