"""Every model against people drawn from it: counts of cells within 4 standard errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from sdcwidgets.core.estimate.matches import (
    dispersion,
    expected_cells,
    main_effects,
    match_probability,
)
from sdcwidgets.core.estimate.uniqueness import (
    DirichletMultinomial,
    LogNormal,
    PoissonGamma,
    cell_sizes,
)

CELLS, PEOPLE, FRACTION, DRAWS = 200, 600, 0.2, 2000
GAMMA = PoissonGamma(CELLS, PEOPLE, 0.4)
DIRICHLET = DirichletMultinomial(CELLS, PEOPLE, 0.4)
LOGNORMAL = LogNormal(CELLS, 0.2, 1.3)


def draw_gamma(rng):
    """People in the sample and the others, in each cell of each draw."""
    shares = rng.gamma(GAMMA.alpha, GAMMA.beta, (DRAWS, CELLS))
    return rng.poisson(FRACTION * PEOPLE * shares), rng.poisson((1 - FRACTION) * PEOPLE * shares)


def draw_dirichlet(rng):
    """The first n of N exchangeable people are a simple random sample of them."""
    shares, sampled = rng.dirichlet(np.full(CELLS, DIRICHLET.alpha), DRAWS), round(FRACTION * PEOPLE)
    return rng.multinomial(sampled, shares), rng.multinomial(PEOPLE - sampled, shares)


def draw_lognormal(rng):
    rates = rng.lognormal(LOGNORMAL.mu, LOGNORMAL.sigma, (DRAWS, CELLS))
    return rng.poisson(FRACTION * rates), rng.poisson((1 - FRACTION) * rates)


MODELS = pytest.mark.parametrize(
    ("model", "draw"),
    [(GAMMA, draw_gamma), (DIRICHLET, draw_dirichlet), (LOGNORMAL, draw_lognormal)],
    ids=["Bethlehem", "Takemura", "Skinner and Holmes"],
)


def assert_mean(draws, expected):
    error = draws.std(axis=0, ddof=1) / np.sqrt(len(draws))
    assert np.all(np.abs(draws.mean(axis=0) - expected) <= 4 * error)


def assert_share(cases, of, expected):
    """A ratio of sums over draws; its error is that of the residuals."""
    assert_mean((cases - expected * of) / of.mean(), 0)


@MODELS
def test_cells_of_each_size(model, draw):
    populations = sum(draw(np.random.default_rng(3)))
    sizes = np.arange(5)
    counted = (populations[:, :, None] == sizes).sum(axis=1)
    assert_mean(counted, model.cells_of_size(sizes))
    assert_mean(counted[:, 1], model.uniques())


@MODELS
def test_sample_uniques_that_are_population_uniques(model, draw):
    seen, unseen = draw(np.random.default_rng(4))
    single = seen == 1
    assert_share(
        (single & (unseen == 0)).sum(axis=1),
        single.sum(axis=1),
        model.unique_given_sample_unique(FRACTION),
    )


@MODELS
def test_every_cell_has_some_size(model, draw):
    sizes = np.arange(8_000 if model is LOGNORMAL else PEOPLE + 1 if model is DIRICHLET else 3000)
    expected = model.cells_of_size(sizes)
    assert expected.sum() == pytest.approx(CELLS, rel=1e-9)
    assert expected @ sizes == pytest.approx(model.people, rel=1e-5)


@MODELS
def test_a_whole_sample_tells_the_truth(model, draw):
    assert model.unique_given_sample_unique(1.0) == pytest.approx(1)


@MODELS
def test_a_model_is_found_again_from_its_own_samples(model, draw):
    samples, _ = draw(np.random.default_rng(5))
    sizes = np.stack([(samples == k).sum(axis=1) for k in range(samples.max() + 1)], axis=-1)
    each = type(model).fit(sizes, FRACTION)
    assert each.uniques().shape == (DRAWS,)
    assert np.median(each.uniques()) == pytest.approx(model.uniques(), rel=0.15)
    # The samples together are one large sample of more cells.
    together = type(model).fit(sizes.sum(axis=0), FRACTION)
    assert together.uniques() / DRAWS == pytest.approx(model.uniques(), rel=0.05)


@given(st.floats(0.05, 5), st.integers(2, 500), st.integers(2, 2000), st.floats(0.01, 0.99))
def test_poisson_gamma_has_a_closed_form(alpha, cells, people, fraction):
    model = PoissonGamma(cells, people, alpha)
    scale = people * model.beta
    assert model.uniques() == pytest.approx(people * (1 + scale) ** -(1 + alpha))
    chance = ((1 + fraction * scale) / (1 + scale)) ** (alpha + 1)
    assert model.unique_given_sample_unique(fraction) == pytest.approx(chance)


def test_many_people_in_many_cells_make_takemura_and_bethlehem_alike():
    dirichlet = DirichletMultinomial(100_000, 300_000, 0.7).uniques()
    assert dirichlet == pytest.approx(PoissonGamma(100_000, 300_000, 0.7).uniques(), rel=1e-4)


def test_the_printed_poisson_gamma_formula_is_that_of_another_model():
    """Printed: rates from Gamma(alpha N, beta). Stated: shares from Gamma(alpha, beta)."""
    rng = np.random.default_rng(7)
    model = PoissonGamma(50, 20, 0.1)
    other = rng.poisson(rng.gamma(model.alpha * model.people, model.beta, (4000, 50)))
    assert_mean((other == 1).sum(axis=1), model.uniques_as_printed())
    stated = rng.poisson(model.people * rng.gamma(model.alpha, model.beta, (4000, 50)))
    assert_mean((stated == 1).sum(axis=1), model.uniques())
    assert model.uniques_as_printed() > 2 * model.uniques()


@pytest.mark.parametrize("sigma", [0.3, 1.3, 3.0])
@pytest.mark.parametrize("size", [0, 1, 4, 60])
def test_log_normal_integral(sigma, size):
    from scipy.stats import norm, poisson

    def integrand(z):
        return poisson.pmf(size, np.exp(0.5 + sigma * z)) * norm.pdf(z)

    peak = (np.log(max(size, 0.5)) - 0.5) / sigma
    expected = quad(integrand, -12, 12, points=[np.clip(peak, -11, 11)], limit=500, epsabs=1e-14)[0]
    assert LogNormal(1, 0.5, sigma).cells_of_size(size) == pytest.approx(expected, rel=1e-8, abs=1e-13)


def test_record_level_measure_of_skinner_and_holmes():
    """(2.3.6), its two integrals taken as they are printed."""
    eta, sigma, p = 0.4, 1.1, 0.15

    def integral(rate):
        def integrand(x):
            return np.exp(-rate * x - (np.log(x) - eta) ** 2 / (2 * sigma**2))

        return quad(integrand, 0, np.inf, limit=500)[0]

    found = LogNormal(1, np.array([eta, eta + 1]), sigma).unique_given_sample_unique(p)
    assert found[0] == pytest.approx(integral(1) / integral(p), rel=1e-7)
    assert found[1] < found[0]


def test_a_sample_that_varies_no_more_than_chance_is_fitted_with_equal_rates():
    sizes = [100, 100, 0]
    rate = 0.5 / FRACTION
    for family in (PoissonGamma, LogNormal):
        assert family.fit(sizes, FRACTION).uniques() == pytest.approx(200 * rate * np.exp(-rate), rel=1e-3)
    # With the total fixed: one of N people in a cell, the other N − 1 elsewhere.
    alone = 500 * (1 - 1 / 200) ** 499
    assert DirichletMultinomial.fit(sizes, FRACTION).uniques() == pytest.approx(alone, rel=1e-3)


def test_sizes_of_cells():
    counts = np.random.default_rng(0).poisson(1.0, (7, 9))
    sizes = cell_sizes(counts)
    assert sizes.sum() == counts.size
    assert sizes @ np.arange(len(sizes)) == counts.sum()


@pytest.mark.parametrize("family", [PoissonGamma, DirichletMultinomial, LogNormal])
def test_what_cannot_be_fitted_is_said(family):
    with pytest.raises(ValueError, match="fitted"):
        family.fit([5, 0], 0.1)
    for fraction in (0, 1.5, float("nan")):
        with pytest.raises(ValueError, match="fraction"):
            family.fit([5, 3, 1], fraction)


def test_a_dirichlet_needs_two_cells():
    for sizes in ([3, 0, 1], [0, 0, 1], [4, 1]):
        with pytest.raises(ValueError, match="more cells"):
            DirichletMultinomial.fit(sizes, 0.5)


# The measures on a log-linear fit

RATES = np.array([0.2, 0.9, 1.5, 3.0, 6.0])


def drawn(rates, seed):
    rng = np.random.default_rng(seed)
    rates = np.broadcast_to(rates, (20_000, np.shape(rates)[-1]))
    return rng.poisson(FRACTION * rates), rng.poisson((1 - FRACTION) * rates)


def test_cells_with_both_counts():
    seen, unseen = drawn(RATES, 8)
    population = seen + unseen
    s, r = np.arange(4)[:, None], np.arange(3)
    both = (population[:, :, None, None] == s) & (seen[:, :, None, None] == r)
    expected = expected_cells(RATES, FRACTION, s, r)
    assert expected.shape == (4, 3)
    assert np.all(expected[s < r] == 0)
    assert_mean(both.sum(axis=1), expected)


def test_expected_cells_are_all_cells():
    s, r = np.arange(60)[:, None], np.arange(60)
    assert expected_cells(RATES, FRACTION, s, r).sum() == pytest.approx(len(RATES))
    everybody = expected_cells(RATES, 1.0, s, r)
    assert np.trace(everybody) == pytest.approx(everybody.sum())


def test_uniques_and_matches_of_fixed_rates():
    seen, unseen = drawn(RATES, 9)
    single = seen == 1
    assert_share(single / (1 + unseen), single, match_probability(RATES, FRACTION))


def test_matches_with_a_random_effect():
    shape = 0.8
    effect = np.random.default_rng(10).gamma(shape, 1 / shape, (20_000, len(RATES)))
    seen, unseen = drawn(RATES * effect, 11)
    single = seen == 1
    assert_share(single / (1 + unseen), single, match_probability(RATES, FRACTION, shape))


@given(st.floats(0.01, 50), st.floats(0.01, 0.99), st.floats(0.05, 50))
def test_a_random_effect_is_as_printed_and_vanishes_with_a_large_shape(rate, p, v):
    mu = p * rate
    printed = p * (mu + v) / ((1 - p) * mu * v) * (1 - ((mu + v) / (mu / p + v)) ** v)
    assert match_probability(rate, p, v) == pytest.approx(printed, rel=1e-6)
    assert match_probability(rate, p, 1e9) == pytest.approx(match_probability(rate, p), rel=1e-4)
    assert 0 <= match_probability(rate, p) <= 1


def test_a_match_is_sure_where_all_are_in_the_sample():
    assert match_probability([0.0, 3.0], [0.5, 1.0]).tolist() == [1, 1]


def test_main_effects_keep_the_margins():
    counts = np.random.default_rng(1).integers(0, 9, (3, 4, 2))
    fitted = main_effects(counts)
    for axes in [(0, 1), (0, 2), (1, 2)]:
        np.testing.assert_allclose(fitted.sum(axis=axes), counts.sum(axis=axes))
    outer = np.einsum("i,j,k->ijk", *(counts.sum(axis=a) for a in [(1, 2), (0, 2), (0, 1)]))
    np.testing.assert_allclose(fitted, outer / counts.sum() ** 2)


def test_dispersion_is_found_again():
    rng = np.random.default_rng(12)
    fitted = np.full(200_000, 2.5)
    counts = rng.poisson(fitted * rng.gamma(0.7, 1 / 0.7, fitted.size))
    assert dispersion(counts, fitted) == pytest.approx(0.7, rel=0.05)
    assert dispersion([2, 2], [2, 2]) == np.inf
    # (2 - 0.9)^2 - 0.9 + (0 - 0.9)^2 - 0.9 = 0.22 more than Poisson counts vary
    assert dispersion([2, 0], [0.9, 0.9]) == pytest.approx(2 * 0.81 / 0.22)


def test_bad_input_of_matches():
    with pytest.raises(ValueError, match="fitted"):
        main_effects([[0, 0]])
    with pytest.raises(ValueError, match="shape v"):
        match_probability(1.0, 0.5, 0.0)
