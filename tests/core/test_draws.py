"""Samples of a known population: their distributions, strata, and what cannot be drawn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sdcwidgets.core.estimate.draws import allocate, simple_random_samples, stratified_samples


def test_simple_random_samples_are_hypergeometric():
    drawn = simple_random_samples([[6, 0], [3, 11]], 5, 20_000, np.random.default_rng(1))
    for place, count in (((0, 0), 6), ((1, 0), 3), ((1, 1), 11)):
        seen = np.bincount(drawn[:, *place], minlength=6)
        chance = stats.hypergeom(20, count, 5).pmf(np.arange(6)) * 20_000
        some = chance > 10
        assert stats.chisquare(seen[some], chance[some] * seen[some].sum() / chance[some].sum()).pvalue > 1e-4
    assert not drawn[:, 0, 1].any()


def test_stratified_samples_are_hypergeometric_in_each_stratum():
    F = np.array([[6, 4], [30, 20], [3, 0]])
    drawn = stratified_samples(F.T, [5, 20, 3], 20_000, np.random.default_rng(2), axis=1)
    assert (drawn.sum(axis=1) == [5, 20, 3]).all()
    for k, n in enumerate((5, 20)):
        seen = np.bincount(drawn[:, 0, k], minlength=n + 1)
        chance = stats.hypergeom(F[k].sum(), F[k, 0], n).pmf(np.arange(n + 1)) * 20_000
        some = chance > 10
        assert stats.chisquare(seen[some], chance[some] * seen[some].sum() / chance[some].sum()).pvalue > 1e-4
    assert (drawn[:, 0, 2] == 3).all()


@given(
    st.lists(st.integers(0, 50), min_size=1, max_size=8).filter(any),
    st.floats(0, 1),
    st.sampled_from(["proportional", "equal"]),
)
def test_an_allocation_uses_everyone_asked_for_and_overdraws_nobody(strata, share, rule):
    n = round(share * sum(strata))
    found = allocate(strata, n, rule)
    assert found.sum() == n
    assert (found >= 0).all()
    assert (found <= strata).all()
    if rule == "proportional":
        assert np.abs(found - n * np.array(strata) / sum(strata)).max() < 1
    else:
        # Who gives less than another by more than the rounding gives all.
        short = found < found.max() - 1
        assert (found[short] == np.array(strata)[short]).all()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda rng: simple_random_samples([3, 4], 8, 1, rng), "8 must"),
        (lambda rng: simple_random_samples([10**9, 4], 8, 1, rng), "fewer than 1,000,000,000"),
        (lambda rng: stratified_samples([[3], [9]], [4, 1], 1, rng), "Stratum 1 has 3 people.* 4"),
        (lambda rng: stratified_samples([[3], [9]], [4], 1, rng), "2 sample sizes"),
        (lambda rng: allocate([3, 4], 9), "9 must"),
        (lambda rng: allocate([3, 4], 2, "half"), "proportional, equal"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(call, words):
    with pytest.raises(ValueError, match=words):
        call(np.random.default_rng(0))
