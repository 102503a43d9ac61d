import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets import InputError, assess, examples, methods
from sdcwidgets.core.utility import absolute_distance, hellinger, relative_distance, utility
from sdcwidgets.teaching.lessons.loss import live_loss, turn_method

ROWS = st.lists(st.integers(0, 30), min_size=3, max_size=3)


def texts(readout):
    return [reading["text"] for reading in readout.readings]


@given(ROWS.filter(any), ROWS)
def test_readings_are_the_numbers_of_the_core_and_their_bars_fit(before, after):
    _, readout = live_loss(before, after).children
    measures = (absolute_distance, relative_distance, hellinger, utility)
    expected = [float(measure(before, after)) for measure in measures]
    assert [float(text) for text in texts(readout)] == pytest.approx(expected, abs=0.6e-4)
    assert all(0 <= share <= 1 + 1e-9 for reading in readout.readings for share, _ in reading["parts"])


def test_a_typed_count_is_followed_and_can_be_undone():
    grid, readout = live_loss([0, 2, 4], [0, 3, 3]).children
    assert texts(readout) == ["0.6667", "0.3750", "0.2940", "0.8800"]
    grid._hear(grid, {"type": "edit", "turn": 1, "cells": [[1, 1, "2"], [1, 2, "4"]]}, [])
    assert texts(readout) == ["0.0000", "0.0000", "0.0000", "1.0000"]
    grid._hear(grid, {"type": "undo"}, [])
    assert texts(readout)[2] == "0.2940"
    grid._hear(grid, {"type": "redo"}, [])
    assert texts(readout)[2] == "0.0000"


@pytest.mark.parametrize(
    ("after", "range"), [([0, 3, 3], "√N = 2.4495"), ([3, 3, 6], "√((N + M)/2) = 3.0000")]
)
def test_the_range_of_the_hellinger_distance_uses_m_only_if_it_differs_from_n(after, range):
    words = live_loss([0, 2, 4], after).children[1].readings[2]["formula"][0][0]
    assert range in words
    assert ("M" in words) == (sum(after) != 6)


def test_a_row_before_of_nobody_is_refused_beside_the_cell():
    grid, _ = live_loss([0, 1], [0, 0]).children
    grid._hear(grid, {"type": "edit", "turn": 1, "cells": [[0, 1, "0"]]}, [])
    assert "at least one person" in grid.problems[0][2]
    assert grid.counts.tolist() == [[0, 1], [0, 0]]
    with pytest.raises(InputError, match="row before"):
        live_loss([0, 0], [1, 0])


def test_a_turned_base_changes_the_table_and_the_means():
    table = examples.load("religion")
    base, draw, grid, readout = turn_method(table, "random-rounding", "base").children
    assert (draw.value, base.value) == (1, 3)
    first = texts(readout)
    after = assess(table, methods.get("random-rounding")(base=3), replications=200, seed=1).after
    assert first[0] == f"{after.whole_slice.hellinger.mean[0]:.4f}"
    assert first[2] == f"{after.whole_slice.r2.mean[0]:.4f}"
    assert "R₁ = 0.2315" in readout.readings[2]["formula"][0][0]

    base.request = {"value": 10}
    assert not (grid.counts % 10).any()
    assert (grid.reference == table.counts).all()
    assert float(texts(readout)[0]) > float(first[0])
    assert float(texts(readout)[1]) < float(first[1])

    shown, means = grid.counts.copy(), texts(readout)
    draw.request = {"value": 2}
    assert (grid.counts != shown).any()
    assert texts(readout) == means


def test_a_turned_swap_rate_keeps_the_areas_sizes():
    table = examples.load("sex")
    rate, _, grid, readout = turn_method(table, "record-swapping", "rate").children
    for value in (0.0, 0.3):
        rate.request = {"value": value}
        assert (grid.counts.sum(axis=1) == table.counts.sum(axis=1)).all()
        assert np.isclose(float(texts(readout)[0]), 0) == (value == 0)


def test_a_setting_out_of_its_range_changes_nothing():
    base, _, _, readout = turn_method(examples.load("sex"), "random-rounding", "base").children
    before = texts(readout)
    base.request = {"value": 1000}
    assert base.problem
    assert (base.value, texts(readout)) == (3, before)
