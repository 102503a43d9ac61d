"""A small count that published values determine is a violation, also if it is published as another count."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets import FrequencyTable, InputError, protect
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.core.margins import margins

ROUNDED = FrequencyTable([[7, 2], [4, 5]])
LIMITS = ReleaseLimits("Panel", smallest_count=3, all_but_one=1, reading="sure")
#: Methods that publish a changed count in place of a small one.
SETTINGS = [
    ("conventional-rounding", {"base": 3, "margins": "own"}),
    ("conventional-rounding", {"base": 5, "margins": "own"}),
    ("random-rounding", {"base": 3, "margins": "own"}),
    ("barnardisation", {"p": 1.0}),
    ("cell-key", {"D": 2, "V": 1.0}),
]


def small_places(verdict):
    return {stop.where for stop in verdict.stops if stop.kind == "small-count"}


def test_a_rounded_count_that_other_values_determine_is_a_violation():
    release = protect(ROUNDED, "conventional-rounding", base=3, margins="own")
    assert release.cells.tolist() == [[6, 3], [3, 6]]
    lower, upper = release.cell_bounds()
    assert lower[0, 1] == upper[0, 1] == 2
    verdict = judge(ROUNDED, release, LIMITS)
    assert verdict.answer == "not yet"
    (stop,) = (stop for stop in verdict.stops if stop.kind == "small-count")
    assert dict(stop.where) == {"Row": "Row 1", "Column": "Column 2"}
    assert stop.sure
    assert " 2," in stop.words


@pytest.mark.parametrize("least", [0, 1, 2])
def test_counts_from_the_minimum_on_may_be_determined(least):
    release = protect(ROUNDED, "conventional-rounding", base=3, margins="own")
    limits = ReleaseLimits("Panel", smallest_count=least, no_risk_limit="a test", reading="sure")
    assert judge(ROUNDED, release, limits).answer == "release"


def test_a_suppressed_count_that_can_be_recalculated_is_one_violation():
    table = FrequencyTable([[7, 2], [4, 5]])
    verdict = judge(table, protect(table, "threshold-suppression", threshold=3), LIMITS)
    assert {stop.kind for stop in verdict.stops} >= {"recalculable"}
    assert not small_places(verdict)


@given(
    st.lists(st.integers(0, 8), min_size=6, max_size=6).filter(lambda counts: sum(counts) > 1),
    st.sampled_from(SETTINGS),
    st.integers(2, 4),
    st.integers(2**70, 2**80),
)
def test_no_released_table_has_a_small_count_that_its_intervals_state_exactly(counts, setting, least, seed):
    table = FrequencyTable(np.array(counts).reshape(2, 3))
    name, settings = setting
    try:
        release = protect(table, name, seed=seed, **settings)
    except InputError:
        return
    limits = ReleaseLimits("Panel", smallest_count=least, one_cell=0, recalculable=False, reading="sure")
    verdict = judge(table, release, limits)
    lower, upper = (margins(side) for side in release.cell_bounds())
    stated = sum(
        int(((lower[margin] == upper[margin]) & (lower[margin] >= 1) & (lower[margin] < least)).sum())
        for margin in release.values
    )
    assert verdict.number("small-count") >= stated
    if stated:
        assert verdict.answer != "release"
