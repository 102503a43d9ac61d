"""Frequencies of keys: Totter's tables, and a plain comparison of every record with every other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdcwidgets.core.microdata.keys import (
    cell_size_histogram,
    cell_size_indices,
    cells,
    distinct,
    frequencies,
    matches,
    weighted_frequencies,
)

#: Totter 2014, Table 3: gender (m, w), citizenship (AUT, D, US), occupation (employee, pensioner, student, worker).
TOY = np.array(
    [
        [0, 0, 3],
        [0, 0, 1],
        [1, 0, 2],
        [0, 2, 0],
        [1, 0, 2],
        [0, 0, 0],
        [0, 0, 1],
        [1, 1, 1],
        [0, 0, 3],
        [0, 0, 1],
        [1, 0, 0],
        [1, 0, 2],
        [0, 0, 3],
        [1, 0, 1],
    ]
)
WEIGHTS = [110, 70, 80, 120, 130, 90, 150, 150, 130, 150, 140, 120, 90, 80]


def by_hand(codes, weights=None):
    """Every record beside every other, one variable after the other."""
    codes = np.asarray(codes)
    amount = np.ones(len(codes)) if weights is None else np.asarray(weights)
    agrees = np.ones((len(codes), len(codes)), dtype=bool)
    for column in codes.T:
        agrees &= (column[:, None] == column) | (column[:, None] == -1) | (column == -1)
    return agrees @ amount


def test_table_4_as_printed():
    assert frequencies(TOY[:12]).tolist() == [2, 3, 3, 1, 3, 1, 3, 1, 2, 3, 1, 3]


def test_what_the_text_says_of_table_4():
    found = frequencies(TOY[:12])
    assert ((found < 2).sum(), (found < 3).sum()) == (4, 6)


def test_table_5_as_printed():
    suppressed = TOY[:12].copy()
    suppressed[[3, 7], 1] = -1
    suppressed[[3, 5, 7, 10], 2] = -1
    assert frequencies(suppressed).tolist() == [4, 5, 5, 7, 5, 7, 5, 5, 4, 5, 5, 5]


def test_table_6_as_printed():
    keys = TOY[:, [0, 2]]
    assert frequencies(keys).tolist() == [3, 3, 3, 2, 3, 2, 3, 2, 3, 3, 1, 3, 3, 2]
    printed = [330, 370, 330, 210, 330, 210, 370, 230, 330, 370, 140, 330, 330, 230]
    assert weighted_frequencies(keys, WEIGHTS).tolist() == printed


def test_the_tables_of_counts_and_weights_of_example_2_3():
    first, _, count = distinct(TOY[:, [0, 2]])
    table = np.zeros((2, 4), dtype=int)
    table[tuple(TOY[first][:, [0, 2]].T)] = count
    assert table.tolist() == [[2, 3, 0, 3], [1, 2, 3, 0]]
    assert cell_size_indices(table).tolist() == [2, 1, 2, 3]


codes = arrays(np.int16, st.tuples(st.integers(1, 25), st.integers(1, 4)), elements=st.integers(-1, 3))


@given(codes)
def test_frequencies_are_those_of_a_comparison_of_all_records(array):
    assert frequencies(array).tolist() == by_hand(array).tolist()


@given(codes, st.integers(0, 2**32 - 1))
def test_weighted_frequencies_are_those_of_a_comparison_of_all_records(array, seed):
    weights = np.random.default_rng(seed).uniform(1, 100, len(array))
    np.testing.assert_allclose(weighted_frequencies(array, weights), by_hand(array, weights))


@given(codes)
def test_cell_size_indices_add_up_to_cells_and_records(array):
    _, _, count = distinct(array)
    sizes = cell_size_indices(count)
    assert sizes.sum() == len(count)
    assert sizes @ np.arange(len(sizes)) == len(array)


@given(codes)
def test_blanking_a_value_never_makes_a_record_rarer(array):
    before = frequencies(array)
    blank = array.copy()
    blank[0, 0] = -1
    assert (frequencies(blank) >= before).all()


def test_many_keys_of_many_categories_do_not_overflow():
    rng = np.random.default_rng(5)
    wide = rng.integers(0, 2, (200, 30)) * 1_000_000
    assert frequencies(wide).tolist() == by_hand(wide).tolist()
    assert cells(wide)[1] > 0
    wide[::7, 3] = -1
    assert frequencies(wide).tolist() == by_hand(wide).tolist()


def test_matches_of_a_key_that_nobody_has_are_0():
    assert matches([[5, 5]], [[0, 1]], [1]).tolist() == [0]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (np.zeros((0, 2), int), "at least one row"),
        ([[0.5]], "whole numbers"),
        ([[-2]], "-1 for a missing"),
    ],
)
def test_codes_that_are_none_are_refused(wrong, told):
    with pytest.raises(ValueError, match=told):
        frequencies(wrong)


@pytest.mark.parametrize(("weights", "told"), [([0.5, 1], "at least 1"), ([1], "2 records but 1 weights")])
def test_weights_that_are_none_are_refused(weights, told):
    with pytest.raises(ValueError, match=told):
        weighted_frequencies([[0], [1]], weights)


@given(arrays(np.int64, st.integers(1, 30), elements=st.integers(0, 30_000)))
def test_a_histogram_counts_each_populated_cell_in_its_interval(counts):
    histogram = cell_size_histogram(counts)
    assert sum(number for _, number in histogram) == (counts > 0).sum()
    for label, number in histogram:
        low, _, high = label.removeprefix("more than ").replace(",", "").partition("–")
        first = int(low) + label.startswith("more")
        last = int(high or low) if not label.startswith("more") else 10**9
        assert number == sum(first <= count <= last for count in counts.tolist()), label


def test_a_histogram_ends_with_the_largest_cell():
    assert [label for label, _ in cell_size_histogram([3])] == ["1", "2", "3"]
    assert cell_size_histogram([11, 10_001])[-1] == ("more than 10,000", 1)
    assert cell_size_histogram([10_000])[-1] == ("5,001–10,000", 1)
