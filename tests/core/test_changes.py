"""Tests of changes and the analysis of variance, against scipy and statsmodels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from sdcwidgets.core.changes import rounding_test, signed_rank, variance_between
from sdcwidgets.core.utility import chi_squared, cramers_v

RNG = np.random.default_rng(4)


@given(
    arrays(np.int64, 30, elements=st.integers(0, 20)), arrays(np.int64, (3, 30), elements=st.integers(0, 20))
)
def test_signed_rank_is_scipys(F, G):
    mine = signed_rank(F, G)
    for p, drawn in zip(mine, G, strict=True):
        if (drawn == F).all():
            assert p == 1
            continue
        theirs = stats.wilcoxon(drawn - F, zero_method="wilcox", correction=False, method="asymptotic")
        assert p == pytest.approx(theirs.pvalue, abs=1e-12)


@given(st.integers(1, 40), st.data(), st.integers(2, 7))
def test_one_residual_is_scipys_exact_binomial_test(n, data, base):
    up, r = data.draw(st.integers(0, n)), data.draw(st.integers(1, base - 1))
    F = np.full(n, base + r)
    G = np.where(np.arange(n) < up, 2 * base, base)
    assert rounding_test(F, G, base) == pytest.approx(stats.binomtest(up, n, r / base).pvalue, abs=1e-9)


def test_each_residual_is_tested_and_the_least_counts():
    F = np.array([1] * 20 + [2] * 20)
    G = np.array([3] * 20 + [3] * 13 + [0] * 7)
    wanted = min(stats.binomtest(20, 20, 1 / 3).pvalue, stats.binomtest(13, 20, 2 / 3).pvalue) * 2
    assert rounding_test(F, G, 3) == pytest.approx(wanted)
    assert rounding_test([3, 6], [3, 6], 3) == 1


def test_fair_rounding_is_seldom_refused_and_unfair_one_mostly():
    F = RNG.integers(0, 60, 400)
    r = F % 5
    fair = F - r + 5 * (RNG.random((2000, 400)) < r / 5)
    unfair = F - r + 5 * (RNG.random((500, 400)) < (r / 5) ** 2)
    assert (rounding_test(F, fair, 5) < 0.05).mean() < 0.06
    assert (rounding_test(F, unfair, 5) < 0.05).mean() > 0.9


def test_the_variance_between_rows_is_that_of_an_analysis_of_variance():
    import pandas as pd
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    counts = RNG.integers(1, 9, (4, 2))
    row, column = np.indices(counts.shape)
    people = pd.DataFrame(
        {
            "row": np.repeat(row.ravel(), counts.ravel()),
            "there": np.repeat((column.ravel() == 1) * 1.0, counts.ravel()),
        }
    )
    fit = ols("there ~ C(row)", people).fit()
    found = variance_between(counts)
    assert found.explained == pytest.approx(fit.rsquared)
    # Both columns have the same sum of squares.
    assert found.between == pytest.approx(2 * anova_lm(fit)["sum_sq"].iloc[0] / counts.sum())


@given(arrays(np.int64, (3, 4), elements=st.integers(1, 30)))
def test_chi_squared_is_scipys(counts):
    theirs = stats.chi2_contingency(counts, correction=False).statistic
    assert chi_squared(counts) == pytest.approx(theirs, abs=1e-9)
    assert cramers_v(counts) == pytest.approx(stats.contingency.association(counts), abs=1e-9)
