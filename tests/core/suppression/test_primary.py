"""Rules of primary suppression, against their definitions and worked numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets.core.suppression import (
    Contributions,
    dominance,
    entropy_rule,
    p_percent,
    pq,
    threshold,
    weigh,
)


def one_cell(*values, holders=None):
    numbers = np.arange(len(values)) if holders is None else np.array(holders)
    return Contributions(np.zeros(len(values), dtype=np.int64), np.array(values, dtype=float), numbers)


VALUES = st.lists(st.integers(1, 500), min_size=1, max_size=7)


@given(VALUES, st.integers(1, 30))
def test_p_percent_is_what_the_second_largest_can_do(values, p):
    """It estimates the largest as the value less its own contribution: too high by what the others have."""
    largest, second, *rest = [*sorted(values, reverse=True), 0]
    estimate = sum(values) - second
    flagged = p_percent(one_cell(*values), 1, p)
    assert flagged.flags[0] == (estimate - largest < p / 100 * largest - 1e-9 * sum(values))
    # With the protection that is needed the estimate is off by p per cent exactly.
    if flagged.flags[0]:
        assert sum(rest) + flagged.needed[0] == pytest.approx(p / 100 * largest)


@given(VALUES, st.integers(1, 3), st.integers(50, 99))
def test_dominance_is_the_share_of_the_largest(values, n, k):
    top = sum(sorted(values, reverse=True)[:n])
    flagged = dominance(one_cell(*values), 1, n, k)
    assert flagged.flags[0] == (top > k / 100 * sum(values) + 1e-9 * sum(values))
    if flagged.flags[0]:
        assert top == pytest.approx(k / 100 * (sum(values) + flagged.needed[0]))


@given(VALUES)
def test_pq_with_no_knowledge_before_is_p_percent(values):
    for left, right in zip(
        pq(one_cell(*values), 1, 15, 100), p_percent(one_cell(*values), 1, 15), strict=True
    ):
        np.testing.assert_array_equal(left, right)


def test_units_of_one_holder_are_one_contribution():
    assert not dominance(one_cell(45, 45, 20, holders=[1, 2, 3]), 1, 1, 75).flags[0]
    assert dominance(one_cell(45, 45, 20, holders=[1, 1, 3]), 1, 1, 75).flags[0]


def test_largest_are_filled_with_zeros():
    given_ = Contributions(np.array([2, 0, 2]), np.array([5.0, 1, 7]), np.arange(3))
    assert given_.largest(3, 2).tolist() == [[1, 0], [0, 0], [7, 5]]


def test_entropy_of_equal_contributions_is_greatest():
    assert not entropy_rule(one_cell(5, 5, 5), 1, 1.0).flags[0]
    assert entropy_rule(one_cell(5), 1, 0.1).flags[0]


@given(VALUES, st.sampled_from([1e-3, 1e3]))
def test_no_rule_depends_on_the_unit(values, unit):
    for rule in (dominance, p_percent, pq, entropy_rule):
        plain, other = rule(one_cell(*values), 1), rule(one_cell(*np.multiply(values, unit)), 1)
        assert plain.flags.tolist() == other.flags.tolist()
        np.testing.assert_allclose(plain.needed * unit, other.needed, rtol=1e-9, atol=1e-9 * unit)


def test_threshold_leaves_zeros():
    assert threshold(np.arange(5), 3).tolist() == [False, True, True, False, False]
    assert not threshold(np.arange(5), 1).any()


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: dominance(one_cell(1), 1, 0), "n >= 1 and 0 < k < 100"),
        (lambda: dominance(one_cell(1), 1, 1, 100), "n >= 1 and 0 < k < 100"),
        (lambda: pq(one_cell(1), 1, 50, 20), "0 < p < q"),
        (lambda: entropy_rule(one_cell(1), 1, 2), "from 0 to 1"),
        (lambda: threshold([1], 0), "at least 1"),
        (lambda: weigh(np.ones(2), by="weight"), "'weight'"),
        (lambda: one_cell(-1), "negative"),
        (lambda: Contributions(np.zeros(2, int), np.ones(1), np.ones(2)), "same length"),
    ],
)
def test_bad_rules_are_said(act, words):
    with pytest.raises(ValueError, match=words):
        act()


def test_dominance_begins_above_three_quarters_of_the_value():
    assert not dominance(one_cell(75, 25), 1).flags[0]
    assert dominance(one_cell(76, 24), 1).flags[0]
