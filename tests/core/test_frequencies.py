"""Frequencies of frequencies three ways, their entropies, and the series for E(F log F)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import integrate, stats

from sdcwidgets import examples
from sdcwidgets.core.estimate.frequencies import (
    entropy_of,
    expected_entropy,
    expected_flogf,
    log_normal,
    log_normal_sigma,
    negative_binomial,
    poisson_mixture,
)
from sdcwidgets.core.estimate.matches import expected_cells, main_effects
from sdcwidgets.core.estimate.uniqueness import cell_sizes
from sdcwidgets.core.information import entropy

counts = arrays(np.int64, st.integers(1, 12), elements=st.integers(0, 30)).filter(np.any)


@given(counts)
def test_the_entropy_of_the_sizes_is_that_of_the_table(F):
    assert float(entropy_of(cell_sizes(F))) == pytest.approx(float(entropy(F)), abs=1e-12)


def test_the_entropies_of_many_tables_are_those_of_each():
    sizes = np.array([[1, 0, 1, 0, 1], [3, 1, 2, 0, 0], [0, 5, 0, 0, 2]])
    assert entropy_of(sizes).tolist() == [entropy_of(row) for row in sizes]


def test_negative_binomial_is_that_of_its_printed_parameters():
    f, p = np.array([0, 0, 1, 4, 0, 2, 9, 1]), 0.2
    K, n = f.size, f.sum()
    mu1, mu2 = n / K, np.sum(f * (f - 1)) / K
    theta1, theta2 = mu1 / p, p * mu1 / (mu2 - mu1**2)
    other = K * stats.nbinom(theta1 * theta2, theta2 / (1 + theta2)).pmf(np.arange(200))
    np.testing.assert_allclose(negative_binomial(f, p, 199), other, rtol=1e-9)
    # Its mean and variance are those of the mixture: θ1, and θ1 + θ1/θ2.
    long = negative_binomial(f, p)
    r = np.arange(len(long))
    mean = long @ r / K
    assert mean == pytest.approx(theta1, rel=1e-5)
    assert long @ r**2 / K - mean**2 == pytest.approx(theta1 + theta1 / theta2, rel=1e-3)


def test_poisson_mixture_sums_the_cells_over_all_sample_counts():
    rates, p = np.array([0.0, 0.5, 3.0, 8.0]), 0.3
    found = poisson_mixture(rates, 30)
    for s in (0, 1, 5):
        by_sample = sum(float(expected_cells(rates, p, s, r)) for r in range(s + 1))
        assert found[s] == pytest.approx(by_sample)
    np.testing.assert_allclose(
        found, stats.poisson(rates[:, None]).pmf(np.arange(31)).sum(axis=0), rtol=1e-10
    )


def test_log_normal_is_its_integral():
    f, mean, p = np.array([6, 0, 1, 5]), np.array([3.0, 3.0, 2.0, 4.0]), 0.5
    sigma = log_normal_sigma(f, mean)
    assert sigma > 0
    found = log_normal(f, mean, p, 10)

    def one(r, mu):
        def inside(x):
            return stats.poisson(mu / p * np.exp(sigma * x - sigma**2 / 2)).pmf(r) * stats.norm.pdf(x)

        return integrate.quad(inside, -9, 9, epsabs=1e-10)[0]

    for r in (0, 4):
        assert found[r] == pytest.approx(sum(one(r, mu) for mu in mean), rel=1e-8)


def test_log_normal_without_variation_is_the_poisson_mixture():
    f, mean = np.array([2, 2, 0]), np.array([2.0, 2.0, 0.0])
    assert log_normal_sigma(f, mean) == 0
    np.testing.assert_allclose(log_normal(f, mean, 0.5, 9), poisson_mixture(mean / 0.5, 9))


def test_a_cell_that_is_fitted_as_0_is_empty_in_every_mixture():
    f, mean = np.array([6, 0, 1, 5, 0]), np.array([3.0, 3.0, 2.0, 4.0, 0.0])
    more, fewer = log_normal(f, mean, 0.5, 9), log_normal(f[:4], mean[:4], 0.5, 9)
    assert (more - fewer).tolist() == pytest.approx([1] + [0] * 9, abs=1e-12)


def test_all_three_count_all_cells_and_people_of_the_religion_table():
    F = examples.load("religion").counts
    f = np.random.default_rng(1).multivariate_hypergeometric(F.ravel(), 245).reshape(F.shape)
    p, mean = 245 / F.sum(), main_effects(f)
    for found in (negative_binomial(f, p), poisson_mixture(mean / p), log_normal(f, mean, p)):
        assert found.sum() == pytest.approx(90, abs=1e-4)
        assert found @ np.arange(len(found)) == pytest.approx(2449, rel=2e-6)
        assert float(entropy_of(found)) == pytest.approx(float(entropy(F)), abs=0.2)


@settings(max_examples=60)
@given(st.integers(0, 40), st.just(0.0) | st.floats(1e-6, 3000), st.sampled_from([0.01, 0.1, 0.5, 1.0]))
def test_the_series_and_its_error_hold_the_expectation(r, rate, p):
    found = expected_flogf(r, rate, p)
    S = stats.poisson((1 - p) * rate)
    s = np.arange(int(S.ppf(1 - 1e-15)) + 200 if S.mean() else 1)
    people = (s + r).astype(float)
    other = np.sum(S.pmf(s) * people * np.log(np.where(people > 0, people, 1)))
    assert float(found.value) == pytest.approx(other, rel=1e-9, abs=1e-12)
    assert 0 <= float(found.error) <= 1e-8 * max(1.0, other)


@given(st.integers(0, 20), st.floats(0.5, 30), st.integers(0, 60))
def test_what_the_series_leaves_out_is_at_most_its_error(r, rate, terms):
    short, whole = expected_flogf(r, rate, 0.4, terms), expected_flogf(r, rate, 0.4)
    assert float(short.value) <= float(whole.value) + 1e-9
    assert float(whole.value) <= float(short.value) + float(short.error) + 1e-9


def test_the_series_works_for_many_cells_of_all_sizes_at_once():
    rng = np.random.default_rng(2)
    r, rates = rng.integers(0, 50, 300), 10 ** rng.uniform(-3, 5, 300)
    together = expected_flogf(r, rates, 0.1)
    alone = [float(expected_flogf(a, b, 0.1).value) for a, b in zip(r, rates, strict=True)]
    np.testing.assert_allclose(together.value, alone, rtol=1e-12)


def test_the_expected_entropy_is_near_that_of_drawn_populations():
    f, rates, p = np.array([4, 0, 7, 1]), np.array([35.0, 12.0, 70.0, 3.0]), 0.1
    found = expected_entropy(f, rates, p, people=120)
    rng = np.random.default_rng(3)
    F = f + rng.poisson((1 - p) * rates, (100_000, 4))
    drawn = np.log(120) - np.sum(F * np.log(np.maximum(F, 1)), axis=1) / 120
    assert float(found.value) == pytest.approx(drawn.mean(), abs=4 * drawn.std() / np.sqrt(100_000))
    assert float(found.error) < 1e-8


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: entropy_of([3, 0]), "without people"),
        (lambda: negative_binomial([0, 0], 0.5), "is empty"),
        (lambda: negative_binomial([1, 2], 1.5), "at most 1"),
        (lambda: poisson_mixture([1.0], -1), "from 0 to"),
        (lambda: expected_flogf(1, -1.0, 0.5), "0 or more"),
        (lambda: expected_entropy([1], [1.0], 0.5, 0), "at least 1"),
    ],
)
def test_what_cannot_be_estimated_is_refused_in_one_sentence(call, words):
    with pytest.raises(ValueError, match=words):
        call()
