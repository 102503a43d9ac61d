"""Post-randomisation: an invariant matrix, and values that follow it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets.core.microdata._drawing import drawn
from sdcwidgets.core.microdata.pram import invariant_transition, made_invariant, post_randomise


@given(st.lists(st.integers(0, 100), min_size=1, max_size=8).filter(any), st.floats(0, 1))
def test_the_distribution_stays_in_expectation(counts, redrawn):
    matrix = invariant_transition(counts, redrawn)
    np.testing.assert_allclose(matrix.sum(axis=1), 1)
    np.testing.assert_allclose(np.array(counts) @ matrix, counts, atol=1e-9)
    assert (matrix >= 0).all()


def test_shares_and_counts_have_the_same_invariant_matrix():
    transition = [[0.7, 0.3, 0.0], [0.2, 0.8, 0.0], [0.5, 0.5, 0.0]]
    by_counts = made_invariant(transition, [60, 30, 10])
    np.testing.assert_allclose(made_invariant(transition, [0.6, 0.3, 0.1]), by_counts, atol=1e-12)
    np.testing.assert_allclose([0.6, 0.3, 0.1] @ by_counts, [0.6, 0.3, 0.1])


def test_values_change_as_often_as_the_matrix_says():
    matrix = np.array([[0.5, 0.5, 0], [0, 0.25, 0.75], [1, 0, 0]])
    before = np.repeat([0, 1, 2], 40_000)
    after = post_randomise(before, matrix, np.random.default_rng(4))
    seen = np.zeros((3, 3))
    np.add.at(seen, (before, after), 1 / 40_000)
    np.testing.assert_allclose(seen, matrix, atol=0.015)
    assert (seen[matrix == 0] == 0).all()


def test_missing_stays_missing_and_nothing_changes_without_chance():
    codes = np.array([0, -1, 2, 1], dtype=np.int8)
    same = post_randomise(codes, invariant_transition([1, 1, 1], 0), np.random.default_rng(1))
    assert same.tolist() == codes.tolist()
    assert same.dtype == codes.dtype


@pytest.mark.parametrize(("counts", "redrawn"), [([0, 0], 0.1), ([-1, 2], 0.1), ([1, 1], 1.5)])
def test_matrices_that_are_none_are_refused(counts, redrawn):
    with pytest.raises(ValueError, match="must be"):
        invariant_transition(counts, redrawn)


@pytest.mark.parametrize("matrix", [[[0.5, 0.4], [0, 1]], [[1.0]], [[1, 0]]])
def test_codes_need_a_row_each(matrix):
    with pytest.raises(ValueError, match=r"row|rows"):
        post_randomise([0, 1], matrix, np.random.default_rng(1))


class Largest:
    """A generator that draws the largest number below 1."""

    def random(self, size, dtype=np.float64):
        return np.full(size, np.nextafter(dtype(1), dtype(0)))


def test_the_largest_random_number_gives_the_last_category_that_is_possible():
    matrix = np.array([[0.5, 0.5, 0], [0, 0.25, 0.75], [1, 0, 0]])
    assert post_randomise([0, 1, 2, -1], matrix, Largest()).tolist() == [1, 2, 0, -1]
    assert drawn(matrix, np.arange(3), Largest()).tolist() == [1, 2, 0]


def test_a_category_is_drawn_as_often_as_its_probability_says():
    matrix = np.array([[0, 0.5, 0.5], [0.25, 0, 0.75], [0.1, 0.9, 0]])
    rows = np.repeat([0, 1, 2], 40_000)
    seen = np.zeros((3, 3))
    np.add.at(seen, (rows, drawn(matrix, rows, np.random.default_rng(5))), 1 / 40_000)
    np.testing.assert_allclose(seen, matrix, atol=0.015)
    assert (seen[matrix == 0] == 0).all()
