"""Threshold suppression: what it hides, and that a lone gap can be subtracted."""

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, methods
from sdcwidgets.core import bounds

#: The handbook's Table 5.1: one single woman.
MARITAL = FrequencyTable(
    [[38, 17], [7, 4], [3, 1]],
    {"Marital status": ["Married", "Divorced", "Single"], "Sex": ["Male", "Female"]},
)


def release(table=MARITAL, **settings):
    return methods.get("threshold-suppression")(**settings).release(table, np.random.default_rng(1))


def test_a_lone_gap_is_the_difference_of_what_is_published():
    published = release()
    assert published.display_texts("Marital status", "Sex")[2].tolist() == ["3", "c"]
    assert published.bounds("Marital status", "Sex").upper[2].tolist() == [3, 2]
    lower, upper = published.cell_bounds()
    np.testing.assert_array_equal(lower, MARITAL.counts)
    np.testing.assert_array_equal(upper, MARITAL.counts)
    np.testing.assert_array_equal(bounds.intervals(published.published()).upper, MARITAL.counts)


def test_margins_below_the_threshold_are_hidden_too():
    published = release(threshold=5)
    assert published.marginal("Marital status").tolist() == pytest.approx([55, 11, np.nan], nan_ok=True)
    assert not published.exact
    assert not published.plain
    assert published.additive  # no published margin contradicts a sum of published cells


def test_a_gap_tells_that_somebody_is_there_unless_zeros_hide_too():
    table = FrequencyTable([[0, 1], [9, 9]])
    assert np.isnan(release(table).cells).tolist() == [[False, True], [False, False]]
    assert release(table).lower[0, 1].tolist() == [[0, 1], [9, 9]]
    both = release(table, zeros=True)
    assert np.isnan(both.cells).tolist() == [[True, True], [False, False]]
    assert both.lower[0, 1].tolist() == [[0, 0], [9, 9]]
    assert both.marginal("Row").tolist() == pytest.approx([np.nan, 18], nan_ok=True)


@pytest.mark.parametrize("threshold", range(2, 12))
@pytest.mark.parametrize("zeros", [False, True])
def test_a_gap_stands_for_just_the_counts_that_are_hidden(threshold, zeros):
    method = methods.get("threshold-suppression")(threshold=threshold, zeros=zeros)
    counts = np.arange(20)
    low, high = method.conclusions(np.array([np.nan]))
    assert [low[0], high[0]] == [counts[method.hides(counts)].min(), counts[method.hides(counts)].max()]
