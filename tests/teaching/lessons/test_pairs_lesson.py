import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets import InputError
from sdcwidgets.core.information import conditional_entropy, entropy
from sdcwidgets.core.risk.population import terms, terms_after
from sdcwidgets.teaching.lessons.pairs import live_pair, step_through
from sdcwidgets.teaching.lessons.quantities import pair_readings

ROWS = st.lists(st.integers(0, 30), min_size=3, max_size=3).filter(any)


def texts(readout):
    return [reading["text"] for reading in readout.readings]


@given(ROWS, ROWS)
def test_readings_are_the_numbers_of_the_core_and_their_bars_fit(before, after):
    _, channel, readout = live_pair(before, after).children
    expected = [
        entropy(before),
        conditional_entropy(before, after),
        terms(before)[1],
        terms_after(before, after)[1],
    ]
    assert [float(text) for text in texts(readout)] == pytest.approx([float(x) for x in expected], abs=1e-4)
    assert all(0 <= share <= 1 + 1e-9 for reading in readout.readings for share, _ in reading["parts"])
    assert (abs(channel.shade) <= 1).all()


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ([0, 1, 9], [0, 0, 9], "x₂ · (1 − H(X|Y)/H(X)) = "),
        ([0, 0, 9], [0, 0, 9], "x₂ = 1: "),
        ([0, 0, 6], [0, 0, 12], "x₂ = 1: "),
        ([0, 0, 6], [0, 3, 3], "0: "),
        ([0, 0, 6], [0, 6, 0], "0: "),
    ],
)
def test_the_words_on_the_unevenness_after_state_its_value(before, after, words):
    reading = pair_readings(np.array(before), np.array(after))[-1]
    assert reading.formula[0].text.startswith(words)
    assert "H(X) = 0" in reading.formula[0].text or float(entropy(before)) > 0
    stated = {"x₂ = 1: ": 1, "0: ": 0}.get(words, float(terms_after(before, after)[1]))
    assert float(reading.text) == pytest.approx(stated, abs=1e-4)


def test_a_typed_count_is_followed_and_can_be_undone():
    grid, channel, readout = live_pair([0, 2, 4], [0, 3, 3]).children
    assert texts(readout)[:2] == ["0.6365", "0.3183"]
    grid._hear(grid, {"type": "edit", "turn": 1, "cells": [[1, 1, "2"], [1, 2, "4"]]}, [])
    assert texts(readout)[1] == "0.0000"
    assert channel.texts[1].tolist() == ["0", "1", "0"]
    grid._hear(grid, {"type": "undo"}, [])
    assert texts(readout)[1] == "0.3183"
    grid._hear(grid, {"type": "redo"}, [])
    assert texts(readout)[1] == "0.0000"


def test_a_row_of_nobody_is_refused_beside_the_cell():
    grid, _, readout = live_pair([0, 1], [1, 0]).children
    before = texts(readout)
    grid._hear(grid, {"type": "edit", "turn": 1, "cells": [[1, 0, "0"]]}, [])
    assert "one person" in grid.problems[0][2]
    assert grid.counts.tolist() == [[0, 1], [1, 0]]
    assert texts(readout) == before


def test_the_slider_goes_through_table_3_6_1():
    slider, grid, readout = step_through([0, 2, 4], [0, 3, 3]).children
    stays = []
    for number in range(1, 21):
        slider.request = {"value": number, "turn": number}
        before, after = grid.texts.tolist()
        assert (sorted(before), sorted(after)) == (list("BBCCCC"), list("BBBCCC"))
        assert (grid.shade[1] == [x != y for x, y in zip(before, after, strict=True)]).all()
        stays.append(texts(readout)[0])
    assert stays == ["5 of 6"] * 4 + ["3 of 6"] * 12 + ["1 of 6"] * 4
    slider.request = {"value": 21, "turn": 21}
    assert slider.value == 20
    assert "20" in slider.problem


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ([2, 4], [3, 4], "6 people before and 7 after"),
        ([2, 0], [2, 0], "have 1 Y variables"),
        ([9, 9], [9, 9], "have 48,620 Y variables"),
        ([6], [6], "two cells"),
        ([1, 2], [1, 2, 0], "different lengths"),
    ],
)
def test_what_cannot_be_stepped_through_is_told(before, after, told):
    with pytest.raises(InputError, match=told):
        step_through(before, after)


def test_a_pair_needs_people_on_both_sides():
    with pytest.raises(InputError, match="one person"):
        live_pair([1, 2], [0, 0])
