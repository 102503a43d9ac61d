"""Controlled tabular adjustment: no small counts, totals as close as possible, intervals that hold."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdcwidgets import FrequencyTable, InputError, assess, examples, methods
from sdcwidgets.core.tabular_adjustment import MOST_CELLS, adjusted

METHOD = methods.get("controlled-tabular-adjustment")


def margins(counts):
    return np.concatenate([counts.sum(axis=axis).ravel() for axis in range(counts.ndim)] + [[counts.sum()]])


@settings(max_examples=40, deadline=None)
@given(
    arrays(np.int64, st.tuples(st.integers(2, 4), st.integers(2, 4)), elements=st.integers(0, 12)),
    st.integers(0, 9),
)
def test_each_count_is_in_its_interval_and_none_is_small(counts, seed):
    published = adjusted(counts, 3, 4, np.random.default_rng(seed))
    assert not ((published > 0) & (published < 3)).any()
    assert (published[counts == 0] == 0).all()
    small = (counts > 0) & (counts < 3)
    assert set(published[small].tolist()) <= {0, 3}
    assert (np.abs(published - counts)[~small] <= 4).all()
    lower, upper = METHOD(threshold=3, width=4).conclusions(published)
    assert ((lower <= counts) & (counts <= upper)).all()


@pytest.mark.parametrize("seed", range(6))
def test_the_change_of_the_totals_is_the_least(seed):
    counts = np.random.default_rng(seed).integers(0, 9, (2, 3))
    published = adjusted(counts, 3, 2, np.random.default_rng(seed))
    small = (counts > 0) & (counts < 3)
    # All tables with the same replaced counts, by trial.
    choices = [
        [published[place]]
        if small[place] or counts[place] == 0
        else range(max(3, counts[place] - 2), counts[place] + 3)
        for place in np.ndindex(counts.shape)
    ]
    tables = (np.reshape(table, counts.shape) for table in itertools.product(*choices))
    least = min(np.abs(margins(table) - margins(counts)).sum() for table in tables)
    assert np.abs(margins(published) - margins(counts)).sum() == least


@pytest.mark.slow
def test_a_small_count_keeps_its_expectation():
    drawn = [adjusted(np.array([[1, 8], [9, 7]]), 3, 5, np.random.default_rng(seed)) for seed in range(600)]
    assert np.mean(drawn, axis=0)[0, 0] == pytest.approx(1, abs=0.2)
    assert all(
        (table.sum(axis=0) == [10, 15]).all() and (table.sum(axis=1) == [9, 16]).all() for table in drawn
    )


def test_the_residual_risk_of_religion_falls():
    assessment = assess(examples.load("religion"), METHOD())
    assert assessment.after.whole.r2.mean < assessment.whole.r1
    assert assessment.after.whole.hellinger.mean > 0


def test_a_release_is_additive_and_states_its_limitation():
    table = examples.load("travel")
    release = METHOD().release(table, 3**60)
    assert release.additive
    assert release.limitation
    assert (release.cells != table.counts).any()
    again = METHOD().release(table, 3**60)
    assert (release.cells == again.cells).all()


def test_the_order_of_rows_does_not_matter():
    table = examples.load("religion")
    order = np.random.default_rng(1).permutation(table.shape[0])
    turned = FrequencyTable(
        table.counts[order],
        {"Area": [table.axes[0].labels[k] for k in order], "Religion": list(table.axes[1].labels)},
    )
    cells = METHOD().release(table, 3**60).cells
    assert (METHOD().release(turned, 3**60).cells == cells[order]).all()


def test_without_small_counts_nothing_changes():
    table = FrequencyTable([[0, 3], [4, 5]])
    assert METHOD().no_effect_reason(table)
    assert (METHOD().cells(table, 3**60) == table.counts).all()
    assert not METHOD().no_effect_reason(FrequencyTable([[1, 3]]))


def test_a_table_with_only_small_counts():
    assert set(adjusted(np.array([1, 2, 0]), 3, 1, np.random.default_rng(1)).tolist()) <= {0, 3}


def test_a_very_large_table_is_refused():
    table = FrequencyTable(np.ones((MOST_CELLS // 100 + 1, 100), dtype=int))
    with pytest.raises(InputError, match=f"{MOST_CELLS:,}"):
        METHOD().cells(table)
