"""Information loss, against scipy where it has the measure."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats
from scipy.stats.contingency import association

from sdcwidgets.core import utility as loss

tables = hnp.arrays(np.int64, (3, 4), elements=st.integers(0, 20)).filter(
    lambda F: F.sum(axis=0).all() and F.sum(axis=1).all()
)


@given(tables, tables)
def test_utility_is_1_only_for_the_same_table(F, G):
    assert loss.utility(F, F) == 1
    assert loss.utility(F, G) <= 1
    assert (loss.utility(F, G) == 1) == np.array_equal(F, G)
    swapped = np.random.default_rng(0).permutation(F.ravel()).reshape(F.shape)
    assert loss.utility(F, swapped) >= 0


@given(tables, tables)
def test_average_distances(F, G):
    assert loss.absolute_distance(F, G, axis=1) == pytest.approx(
        [np.mean(abs(f - g)) for f, g in zip(F, G, strict=True)]
    )
    populated = F > 0
    wanted = np.mean(abs(F - G)[populated] / F[populated])
    assert loss.relative_distance(F, G) == pytest.approx(wanted)


@given(tables)
def test_variance_and_association_are_scipys(F):
    assert loss.variance_of_counts(F) == pytest.approx(np.var(F, ddof=1))
    assert loss.cramers_v(F) == pytest.approx(association(F, method="cramer"), abs=1e-9)


@given(tables, tables)
def test_rank_correlation_is_scipys(F, G):
    if np.ptp(F) and np.ptp(G):
        wanted = stats.spearmanr(F.ravel(), G.ravel()).statistic
        assert loss.rank_correlation(F, G) == pytest.approx(wanted, abs=1e-9)


def test_replications_are_a_batch():
    rng = np.random.default_rng(0)
    F, G = rng.integers(1, 9, (3, 4)), rng.integers(1, 9, (5, 3, 4))
    for measure in (loss.utility, loss.absolute_distance, loss.relative_distance, loss.rank_correlation):
        assert measure(F, G, axis=(-2, -1)).shape == (5,)
        assert measure(F, G, axis=(-2, -1))[3] == pytest.approx(float(measure(F, G[3])))
    assert loss.cramers_v(G).shape == (5,)
    assert loss.cramers_v(G, axes=(0, 2)).shape == (3,)


def test_what_is_not_defined_is_nan():
    assert np.isnan(loss.utility([0, 0], [1, 2]))
    assert np.isnan(loss.relative_distance([0, 0], [1, 2]))
    assert np.isnan(loss.variance_of_counts([4]))
    assert np.isnan(loss.cramers_v([[1, 2]]))
    assert np.isnan(loss.rank_correlation([1, 1], [1, 2]))


def test_empty_rows_do_not_weaken_the_association():
    assert loss.cramers_v([[5, 0, 0], [0, 5, 0], [0, 0, 0]]) == 1


@given(tables, tables)
def test_ranks_are_the_same_counted_and_sorted(F, G):
    large = loss.rank_correlation(F * 10_000, G * 10_000)
    np.testing.assert_allclose(large, loss.rank_correlation(F, G), atol=1e-12)
