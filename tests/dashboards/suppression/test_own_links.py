"""Tables by two axes in place of one of all: what one may read of them, by linear programs over the cells alone."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from refusing import sentence
from scipy.optimize import linprog

from screens import ask, button, inside
from sdcwidgets.dashboards import suppression
from sdcwidgets.dashboards.suppression.linked_tables import MOST_NUMBERS, own_linked_tables
from sdcwidgets.dashboards.suppression.result import compute
from sdcwidgets.dashboards.suppression.state import ODF, SuppressionState
from sdcwidgets.methods.cell_suppression import CellSuppression
from sdcwidgets.tables.io.sources import InMemorySource
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.board import Board
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.page import Text

AXES = {"Area": "nes", "Age": "yo", "Job": "abc"}


def cube(seed=3):
    counts = np.random.default_rng(seed).poisson(0.8, [len(labels) for labels in AXES.values()])
    return FrequencyTable(counts, AXES)


def seen(table, tables, gaps):
    """The sums over the cells that are printed, and those that are small and are not."""
    names = [axis.name for axis in table.axes]
    printed, small = [], []
    for pair in tables:
        kept = [names.index(name) for name in pair]
        _, counts, kinds = gaps.table(*pair)
        for at in np.ndindex(counts.shape):
            where = [slice(None)] * table.ndim
            for k, i in zip(kept, at, strict=True):
                where[k] = i if i < table.shape[k] else slice(None)
            row = np.zeros(table.shape)
            row[tuple(where)] = 1
            assert row.ravel() @ table.counts.ravel() == counts[at]
            assert (kinds[at] == "primary") == (1 <= counts[at] <= 2) or row.all()
            (small if kinds[at] == "primary" else printed if not kinds[at] else []).append(row.ravel())
    return np.array(printed), small


@pytest.mark.parametrize("seed", range(4))
def test_no_small_sum_of_linked_tables_can_be_computed(seed):
    table, tables = cube(seed), (("Area", "Age"), ("Area", "Job"))
    gaps = own_linked_tables(table, tables, 3, "value", 1, secret=1).suppressed
    printed, small = seen(table, tables, gaps)
    assert small
    for row in small:
        low, high = (
            sign * linprog(sign * row, A_eq=printed, b_eq=printed @ table.counts.ravel()).fun
            for sign in (1, -1)
        )
        assert high - low >= 2 - 1e-7


def test_tables_are_chosen_on_the_page_saved_in_links_and_forgotten_with_their_table():
    page = suppression.app(SuppressionState(cube(), InMemorySource()))
    page._page.turn_to(4)
    switches = {one.parameter.label: one for one in inside(page, Control) if one.parameter.name == "table"}
    assert list(switches) == [" by ".join(pair) for pair in itertools.combinations(AXES, 2)]
    assert any("two-way tables" in one.value for one in inside(page, Text))
    ask(switches["Area by Job"], True)
    ask(switches["Area by Age"], True)
    state = page._study.state
    assert state.tables == (("Area", "Age"), ("Area", "Job"))
    boards = {one.title: one for one in inside(page, Board)}
    assert {"Area by Age", "Area by Job"} <= boards.keys()
    assert boards["Area by Age"].frame["columns"] == ["y", "o", "Total"]
    marks = [[spot["text"] == "×" for spot in row] for row in boards["Area by Age"].spots]
    kinds = page._study.result.own_linked_tables.suppressed.table("Area", "Age")[2]
    assert marks == [[bool(kind) for kind in row] for row in kinds]
    assert any(map(any, marks))
    files = button(page, "linked tables")[0]
    assert files.layout.display is None
    assert SuppressionState.restored(state.saved()) == state
    assert state.with_pair(("Area", "Job"), False).tables == (("Area", "Age"),)
    assert state.with_table(FrequencyTable([[1, 2], [3, 4]]), InMemorySource()).tables == ()


def test_the_exported_file_has_the_notes_of_the_method(monkeypatch):
    page = suppression.app(SuppressionState(cube(), InMemorySource()))
    page._page.turn_to(4)
    for pair in (("Area", "Age"), ("Area", "Job")):
        page._study.put(page._study.state.with_pair(pair, True))
    files = button(page, "linked tables")[0]
    written = []
    monkeypatch.setattr(files, "file", lambda name, content, title: written.append(content))
    files._press(button(page, "linked tables")[1])
    [content] = written
    gaps = page._study.result.own_linked_tables.suppressed
    lines = content.splitlines()
    assert lines[0] == "Area,Age,Job,count"
    notes = [
        *CellSuppression(threshold=3).notes(),
        "Table: People by Area, Age and Job",
        "Method: Cell suppression; Threshold: 3",
    ]
    assert len(lines) == 1 + len(gaps.counts) + 1 + len(notes)
    assert [line.strip('"') for line in lines[-len(notes) :]] == notes


def test_what_cannot_be_linked_is_told():
    assert "three axes" in compute(SuppressionState()).own_linked_tables.sentence
    state = SuppressionState(cube(), InMemorySource())
    assert "an axis" in sentence(replace, state, tables=(("Area", "Sex"),))
    assert "two-way table" in sentence(replace, state, tables=(("Area", "Area"),))
    assert "two-way table" in sentence(
        replace, SuppressionState(), tables=(tuple(axis.name for axis in ODF.axes),)
    )
    wide = FrequencyTable(np.ones((40, 40, 2), int), {"A": range(40), "B": range(40), "C": "ab"})
    assert (
        f"at most {MOST_NUMBERS:,}"
        in own_linked_tables(wide, (("A", "B"),), 3, "value", 1, secret=1).sentence
    )
    few = FrequencyTable(np.ones((2, 2, 2), int), {"A": "ab", "B": "ab", "C": "ab"})
    assert "pattern protects" in own_linked_tables(few, (("A", "B"),), 200, "value", 1, secret=1).sentence
