import numpy as np
import pytest
import traitlets
from hypothesis import given
from hypothesis import strategies as st
from stating import stating

from sdcwidgets import InputError, methods
from sdcwidgets.tables.release import Release, completed
from sdcwidgets.tables.table import Axis, FrequencyTable
from sdcwidgets.widgets.change_grid import ChangeGrid
from sdcwidgets.widgets.grid import UNKNOWN_MARK, WINDOW, Grid

COUNTS = [[181, 0, 1], [138, 2, 4]]


@pytest.fixture
def grid():
    return Grid(rows=("Area 1", "Area 2"), columns=("Christian", "Buddhist", "Hindu"), counts=COUNTS)


def ask(grid, kind, /, **message):
    """Do what the browser side does."""
    grid._hear(grid, {"type": kind} | message, [])


def shown(grid, name="counts"):
    shape = len(grid.frame["rows"]), len(grid.frame["columns"])
    return np.frombuffer(grid.cells[name], "<f8").reshape(shape)


def test_a_grid_alone_keeps_an_edit(grid):
    ask(grid, "edit", turn=7, cells=[[0, 1, "12"]])
    assert grid.counts.tolist() == [[181, 12, 1], [138, 2, 4]]
    assert shown(grid).tolist() == grid.counts.tolist()
    assert grid.reply == {"turn": 7, "problems": []}


def test_the_owner_of_a_grid_decides_about_an_edit(grid):
    heard = []
    grid.on_edit(lambda counts: heard.append(counts.tolist()))
    ask(grid, "edit", turn=1, cells=[[0, 0, "5"], [1, 2, "6"]])
    assert heard == [[[5, 0, 1], [138, 2, 6]]]
    assert grid.counts.tolist() == COUNTS


@pytest.mark.parametrize(
    ("text", "says"),
    [("", "empty"), ("two", "two"), ("-1", "-1"), ("1.5", "1.5"), ("9007199254740993", "too large")],
)
def test_an_invalid_text_keeps_the_old_count_and_says_why(grid, text, says):
    ask(grid, "edit", turn=1, cells=[[1, 2, text]])
    assert grid.counts.tolist() == COUNTS
    [[row, column, sentence]] = grid.problems
    assert (row, column) == (1, 2)
    assert sentence.startswith("Area 2, Hindu: ")
    assert says in sentence


def test_valid_cells_of_a_block_are_one_edit(grid):
    heard = []
    grid.on_edit(lambda counts: heard.append(counts.tolist()))
    ask(grid, "edit", turn=1, cells=[[0, 0, "1"], [0, 1, "x"], [0, 2, "3"]])
    assert heard == [[[1, 0, 3], [138, 2, 4]]]
    assert [problem[:2] for problem in grid.problems] == [[0, 1]]


def test_an_edit_that_changes_nothing_is_answered_but_not_handed_on(grid):
    grid.on_edit(lambda counts: pytest.fail("nothing changed"))
    ask(grid, "edit", turn=3, cells=[[0, 0, "0181"]])
    assert grid.reply == {"turn": 3, "problems": []}


def test_an_owner_refuses_with_a_sentence(grid):
    def refuse(counts):
        raise InputError("All counts would be zero.")

    grid.on_edit(refuse)
    ask(grid, "edit", turn=1, cells=[[1, 0, "0"]])
    assert grid.counts.tolist() == COUNTS
    assert grid.problems == [[1, 0, "All counts would be zero."]]
    grid.refuse(0, 0, "Nor this.")
    assert grid.problems[-1] == [0, 0, "Nor this."]


def test_a_handler_that_fails_leaves_the_edit_answered(grid):
    grid.on_edit(lambda counts: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        ask(grid, "edit", turn=9, cells=[[1, 0, "0"]])
    assert grid.reply["turn"] == 9


def test_problems_go_away_with_the_next_counts(grid):
    ask(grid, "edit", turn=1, cells=[[0, 0, "x"]])
    ask(grid, "edit", turn=2, cells=[[0, 0, "3"]])
    assert grid.problems == []
    ask(grid, "edit", turn=3, cells=[[0, 0, "x"]])
    grid.counts = COUNTS
    assert grid.problems == []


def test_the_browser_sets_no_trait(grid):
    before = grid.cells
    grid.set_state({"cells": {}, "frame": {}, "counts": [], "editable": False, "_esm": "alert(1)"})
    assert grid.cells == before
    assert grid.frame["rows"] == ["Area 1", "Area 2"]


def test_a_grid_that_is_not_editable_ignores_edits(grid):
    grid.editable = False
    ask(grid, "edit", turn=1, cells=[[0, 0, "5"]])
    assert grid.counts.tolist() == COUNTS
    assert not grid.frame["editable"]


@pytest.mark.parametrize(
    "cells",
    [
        None,
        3,
        [3],
        [[0, 0]],
        [[2, 0, "1"]],
        [[0, -1, "1"]],
        [[0, True, "1"]],
        [[0, 0, 1]],
        [[0, 0, "1" * 101]],
    ],
)
def test_a_malformed_edit_is_dropped(grid, cells):
    ask(grid, "edit", turn=1, cells=cells)
    assert grid.reply == {"turn": 0, "problems": []}
    assert grid.counts.tolist() == COUNTS


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(
    kind=st.sampled_from(["edit", "explain", "page", "undo", "redo", "other"]),
    message=st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(["cells", "turn", "kind", "index", "rows", "columns"], _json),
    ),
)
def test_no_message_breaks_a_grid(kind, message):
    grid = Grid(rows=("a",), columns=("b",), counts=[[4]])
    ask(grid, kind, **message)
    assert grid.counts.tolist() == [[4]]
    assert grid.origin == (0, 0)


def test_explain_hands_on_what_exists(grid):
    heard = []
    assert not grid.frame["explain"]
    grid.on_explain(lambda kind, index: heard.append((kind, index)))
    assert grid.frame["explain"]
    for kind, index in [
        ("row", 1),
        ("row", 2),
        ("column", 2),
        ("table", 0),
        ("table", 1),
        ("cell", 5),
        ("cell", 6),
        ("nonsense", 0),
        ("row", -1),
    ]:
        ask(grid, "explain", kind=kind, index=index)
    assert heard == [("row", 1), ("column", 2), ("table", 0), ("cell", 5)]


def test_undo_and_redo_are_handed_on(grid):
    heard = []
    grid.on_undo(lambda: heard.append("undo"))
    grid.on_redo(lambda: heard.append("redo"))
    ask(grid, "undo")
    ask(grid, "redo")
    assert heard == ["undo", "redo"]


def test_arrays_must_fit_the_labels_and_a_wrong_one_changes_nothing(grid):
    with pytest.raises(
        traitlets.TraitError, match=r"counts has the shape \(1, 1\), but the labels have \(2, 3\)"
    ):
        grid.counts = [[1]]
    with pytest.raises(traitlets.TraitError, match="shade has the shape"):
        grid.update(rows=("A",), columns=("B",), counts=[[1]], shade=[[0.1, 0.2]])
    with pytest.raises(traitlets.TraitError, match="row_margin has 1 values; it must have 2"):
        grid.row_margin = {"title": "Row risk", "values": ["0.1"]}
    with pytest.raises(traitlets.TraitError, match="int64"):
        grid.counts = [[0.5, 1, 2], [3, 4, 5]]
    with pytest.raises(traitlets.TraitError, match="two dimensions; it has 1"):
        grid.counts = [1, 2, 3]
    assert grid.rows == ("Area 1", "Area 2")
    assert grid.counts.tolist() == COUNTS


def test_labels_and_counts_change_their_size_together(grid):
    grid.update(rows=("A",), columns=("B",), counts=[[3]])
    assert grid.frame["rows"] == ["A"]
    assert shown(grid).tolist() == [[3]]


def test_counts_are_a_copy_that_nobody_can_change(grid):
    counts = np.array(COUNTS)
    grid.counts = counts
    counts[0, 0] = 0
    assert grid.counts[0, 0] == 181
    with pytest.raises(ValueError, match="read-only"):
        grid.counts[0, 0] = 0


def test_the_largest_count_reaches_the_browser_exactly(grid):
    grid.counts = [[2**53, 2**53 - 1, 0], [1, 2, 3]]
    assert [int(count) for count in shown(grid)[0]] == [2**53, 2**53 - 1, 0]


def test_a_table_is_shown_with_its_names():
    table = FrequencyTable(COUNTS, [Axis("Area", ("1", "2")), Axis("Religion", ("a", "b", "<i>c</i>"))])
    before = FrequencyTable(np.array(COUNTS) + 1, table.axes)
    grid = Grid(title="Religion by area")
    grid.show(table, before)
    assert (grid.frame["row_name"], grid.frame["column_name"]) == ("Area", "Religion")
    assert grid.frame["columns"] == ["a", "b", "<i>c</i>"]
    assert (shown(grid, "reference") - shown(grid) == 1).all()
    assert "changed" in grid.frame["hint"]


def test_a_table_of_more_or_fewer_axes_lies_flat():
    grid = Grid()
    grid.show(FrequencyTable([3, 4], [Axis("Area", ("1", "2"))]))
    assert (grid.rows, grid.columns) == (("All",), ("1", "2"))
    grid.show(FrequencyTable([[[1, 2], [3, 4]]], {"a": "x", "b": "yz", "c": "uv"}))
    assert (grid.rows, grid.counts.tolist()) == (("x, y", "x, z"), [[1, 2], [3, 4]])


def test_margins_are_sent_as_text_and_bars(grid):
    grid.row_margin = {"title": "Row risk", "values": ["0.4", "–"], "parts": [[0.1, 0.2, 0.1], [np.nan] * 3]}
    assert grid.frame["row_title"] == "Row risk"
    assert grid.margins["row"]["values"] == ["0.4", "–"]
    assert grid.margins["row"]["parts"] == [[0.1, 0.2, 0.1], [0, 0, 0]]


def test_a_heat_map_is_not_editable(grid):
    grid.update(texts=[["+1", "0", "-1"]] * 2, shade=[[1, 0, -1]] * 2, best=(0, 2, "lowers the risk most"))
    assert not grid.frame["editable"]
    assert grid.cells["texts"] == ["+1", "0", "-1"] * 2
    assert grid.cells["best"] == [0, 2, "lowers the risk most"]
    assert grid.frame["hint"] == ""


def test_only_a_window_of_a_large_table_is_sent():
    counts = np.arange(1_000_000).reshape(1000, 1000)
    labels = tuple(map(str, range(1000)))
    grid = Grid(rows=labels, columns=labels, counts=counts, row_margin={"title": "Sum", "values": labels})
    assert shown(grid).shape == WINDOW
    ask(grid, "page", rows=1, columns=0)
    ask(grid, "page", rows=0, columns=1)
    assert grid.origin == WINDOW
    assert shown(grid)[0, 0] == counts[WINDOW]
    assert grid.margins["row"]["values"][0] == "100"
    assert grid.frame["where"] == (stating("101 to 200 of 1,000", "61 to 120 of 1,000"))
    ask(grid, "edit", turn=1, cells=[[101, 61, "5"]])
    assert shown(grid)[1, 1] == 5
    for _ in range(20):
        ask(grid, "page", rows=-1, columns=1)
    assert grid.origin == (0, 960)
    grid.update(rows=("A",), columns=("B",), counts=[[3]], row_margin=None)
    assert grid.origin == (0, 0)
    assert grid.frame["where"] == ""


class TestReleases:
    """A published table: gaps as texts, margins of their own, and marks that don't rely on colour."""

    TABLE = FrequencyTable([[1, 0], [3, 3], [12, 20]], {"Area": ["A", "B", "C"], "Sex": ["Male", "Female"]})

    def shown(self, name, **settings):
        release = methods.get(name)(**settings).release(self.TABLE, np.random.default_rng(1))
        grid = Grid(editable=False)
        grid.show_release(release, self.TABLE)
        return grid

    def test_a_gap_is_a_text_and_no_count(self):
        grid = self.shown("threshold-suppression", threshold=4)
        assert grid.cells["suppressed"] == ["c", "", "c", "c", "", ""]
        assert not grid.frame["editable"]
        assert grid.margins["row"]["values"] == ["c", "6", "32"]
        assert grid.margins["corner"]["text"] == "39"

    def test_a_margin_that_is_no_sum_is_marked(self):
        grid = self.shown("conventional-rounding", base=5, margins="own")
        assert grid.margins["row"]["values"] == ["0", "≠ 5", "30"]
        assert grid.margins["column"]["values"] == ["15", "25"]
        assert grid.cells["suppressed"] is None

    def test_margins_that_are_only_sums_take_no_room(self):
        assert self.shown("controlled-rounding", base=5).margins == {
            "row": None,
            "column": None,
            "corner": None,
        }

    def test_the_next_table_has_no_gaps(self):
        grid = self.shown("threshold-suppression", threshold=4)
        grid.show(self.TABLE)
        assert grid.cells["suppressed"] is None

    def test_three_axes_are_refused(self):
        with pytest.raises(InputError, match="has 1 axes"):
            Grid().show_release(Release.of(FrequencyTable([1, 2])))


def table_with_unknown_counts():
    return FrequencyTable([[12, 0, 0], [9, 0, 7]]).with_unknown([[False, True, True], [False, False, False]])


def test_an_unknown_count_is_no_zero():
    grid = Grid(table_with_unknown_counts())
    assert grid.cells["unknown"] == [False, True, True, False, False, False]
    assert UNKNOWN_MARK in grid.frame["hint"]
    assert UNKNOWN_MARK not in Grid(FrequencyTable([[1, 0], [0, 1]])).frame["hint"]


def test_a_number_also_0_settles_an_unknown_count():
    grid = Grid(table_with_unknown_counts())
    ask(grid, "edit", turn=1, cells=[[0, 1, "0"]])
    assert grid.table.unknown.tolist() == [[False, False, True], [False, False, False]]
    ask(grid, "edit", turn=2, cells=[[0, 2, "4"]])
    assert (grid.table.unknown, grid.table.total) == (None, 32)
    assert not any(grid.cells["unknown"])


def test_the_sign_of_an_unknown_count_leaves_it_unknown():
    grid = Grid(table_with_unknown_counts())
    ask(grid, "edit", turn=1, cells=[[0, 1, ".."], [1, 1, ".."]])
    assert grid.table.unknown_cells == 2
    assert [problem[:2] for problem in grid.problems] == [[1, 1]]


def test_the_owner_of_a_grid_knows_which_unknown_counts_an_edit_settles():
    grid, settled = Grid(table_with_unknown_counts()), []
    grid.on_edit(lambda counts: settled.append(grid.settled.tolist()))
    ask(grid, "edit", turn=1, cells=[[0, 1, "0"], [1, 0, "8"]])
    assert settled == [[[False, True, False], [False, False, False]]]


@pytest.mark.parametrize(("look", "text"), [("change", ""), ("difference", ".."), ("after", "..")])
def test_totals_with_an_unknown_count_are_unknown(look, text):
    table = table_with_unknown_counts()
    grid = ChangeGrid()
    grid.show_change(table, completed(Release.of(table), table), look, "Total", ((), ()))
    shown_texts = grid.cells["after"] if look == "change" else grid.cells["suppressed"]
    assert shown_texts[1:3] == [text] * 2
    assert grid.cells["unknown"] == [False, True, True, False, False, False]
    assert UNKNOWN_MARK in grid.frame["hint"]
    assert grid.margins["row"]["values"][0] == ".."
    assert grid.margins["column"]["values"][1] == ".."
    assert grid.margins["corner"]["text"] == ".."
