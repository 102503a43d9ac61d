import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets import InputError, assess, examples
from sdcwidgets.core.information import entropy
from sdcwidgets.core.risk.population import r1, r1_star, terms
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.teaching.lessons.quantities import READINGS
from sdcwidgets.teaching.lessons.row import live_row

ROWS = st.lists(st.integers(0, 50), min_size=2, max_size=8).filter(any)


def parts(lesson):
    grid, readout, *sliders = lesson.children
    return grid, readout, sliders


def typed(grid, column, text):
    """Say what a browser would say when a number is typed."""
    grid._hear(grid, {"type": "edit", "turn": 1, "cells": [[0, column, text]]}, [])


def turned(slider, value):
    slider.request = {"value": value, "turn": 1}


@given(ROWS)
def test_readings_are_the_numbers_of_the_core_and_their_bars_fit(counts):
    result = assess(FrequencyTable(counts, {"Cell": list("ABCDEFGH")[: len(counts)]}))
    readings = {name: reading(result) for name, reading in READINGS.items()}
    zeros, unevenness, size = terms(counts)
    expected = {
        "guess": max(counts) / sum(counts),
        "entropy": float(entropy(counts)),
        "zeros": zeros,
        "unevenness": unevenness,
        "size": size,
        "risk": r1(counts),
        "weight-free": r1_star(counts),
    }
    assert readings.keys() == expected.keys()
    for name, reading in readings.items():
        assert float(reading.text) == pytest.approx(float(expected[name]), abs=1e-4)
        assert 0 <= sum(share for share, _ in reading.parts) <= 1 + 1e-9


def test_a_typed_number_is_followed_and_can_be_undone():
    grid, readout, _ = parts(live_row([0, 2, 4], show=["unevenness"]))
    typed(grid, 0, "12")
    assert readout.cells[0] == ["A", 12, 1.0]
    assert readout.readings[0]["text"] != "0.4206"
    grid._hear(grid, {"type": "undo"}, [])
    assert grid.counts.tolist() == [[0, 2, 4]]
    assert readout.readings[0]["text"] == "0.4206"
    grid._hear(grid, {"type": "redo"}, [])
    assert grid.counts.tolist() == [[12, 2, 4]]


def test_nobody_is_refused_beside_the_cell():
    grid, readout, _ = parts(live_row([0, 6], show=["guess"]))
    typed(grid, 1, "0")
    assert grid.counts.tolist() == [[0, 6]]
    assert "at least one person" in grid.problems[0][2].lower()
    assert readout.readings[0]["text"] == "1.0000"


def test_copies_change_the_size_but_no_share():
    grid, readout, (times,) = parts(live_row([1, 1, 2], show=["unevenness", "size"], turn=["times"]))
    before = [reading["text"] for reading in readout.readings]
    turned(times, 10)
    after = [reading["text"] for reading in readout.readings]
    assert grid.counts.tolist() == [[10, 10, 20]]
    assert after[0] == before[0]
    assert after[1] < before[1]
    typed(grid, 0, "11")
    assert (grid.counts.tolist(), times.value) == ([[11, 10, 20]], 1)


def test_empty_cells_change_the_zeros_but_not_the_unevenness_of_one_full_cell():
    grid, readout, (empty,) = parts(live_row([6, 0], show=["unevenness", "zeros"], turn=["empty"]))
    turned(empty, 4)
    assert [reading["text"] for reading in readout.readings] == ["1.0000", "0.8333"]
    assert grid.columns == ("A", "B", "cell 3", "cell 4", "cell 5", "cell 6")
    typed(grid, 2, "3")
    assert (grid.counts.tolist(), empty.value) == ([[6, 0, 3, 0, 0, 0]], 0)
    turned(empty, 1)
    assert len(set(grid.columns)) == 7


def test_weights_are_those_of_the_sliders():
    _, readout, (weights,) = parts(live_row([0, 2, 4], show=["risk"], turn=["weights"]))
    assert readout.readings[0]["text"] == "0.4472"
    turned(weights, [0, 1])
    assert readout.readings[0]["text"] == "0.3333"


def test_a_published_row_keeps_its_labels():
    row = examples.load("religion").slice(Area="Area 6")
    grid, readout, _ = parts(live_row(row, show=["risk"]))
    assert grid.columns == row.columns.labels
    assert readout.readings[0]["text"] == "0.5460"


@pytest.mark.parametrize("row", [[6], examples.load("sex")], ids=["one cell", "two axes"])
def test_only_a_row_of_cells_is_shown(row):
    with pytest.raises(InputError, match="one row with at least two cells"):
        live_row(row)


def test_a_browser_changes_nothing_by_itself():
    _, readout, _ = parts(live_row([0, 2, 4]))
    before = readout.readings
    readout.set_state({"readings": []})
    assert readout.readings == before
