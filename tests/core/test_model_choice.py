"""Which model: the statistics of Skinner and Shlomo, AIC and BIC beside statsmodels, and the search."""

import numpy as np
import pytest
from test_sample_risk import MARGINS, SHAPE, file, glm, independent_population

from sdcwidgets.core.estimate import fit_loglinear
from sdcwidgets.core.microdata.keys import distinct
from sdcwidgets.core.risk.model_choice import _slopes2, forward_search, model_fit
from sdcwidgets.core.risk.sample import modelled_tau, two_way


def by_hand(f, mu, pi, h):
    """The statistic cell by cell, with derivatives by differences."""
    bias = spread = 0.0
    for count, m in zip(f.ravel(), mu.ravel(), strict=True):
        rate, e = m / pi, 1e-4
        first = (h(rate + e) - h(rate - e)) / (2 * e)
        second = (h(rate + e) - 2 * h(rate) + h(rate - e)) / e**2
        a = -rate * np.exp(-m) * first
        b = rate * np.exp(-m) * second / (2 * pi)
        bias += a * (count - m) + b * ((count - m) ** 2 - count)
        spread += a**2 * m + b**2 * 2 * m**2
    return bias / np.sqrt(spread)


def test_statistics_and_criteria_are_those_of_the_formula_and_of_statsmodels():
    codes, _ = file()
    weights = np.full(len(codes), 8.0)
    found = model_fit(codes, weights, MARGINS)
    fit = glm(codes, weights)["standard"]
    f = np.bincount(np.ravel_multi_index(tuple(codes.T), SHAPE), minlength=int(np.prod(SHAPE)))
    pi = 1 / 8
    for said, h in (
        (found.b1, lambda rate: np.exp(-rate * (1 - pi))),
        (found.b2, lambda rate: (1 - np.exp(-rate * (1 - pi))) / (rate * (1 - pi))),
    ):
        assert said == pytest.approx(by_hand(f, fit.mu, pi, h), rel=1e-3)
    assert found.aic == pytest.approx(fit.aic, rel=1e-6)
    assert found.parameters == len(fit.params)
    assert found.bic == pytest.approx(-2 * fit.llf + np.log(len(codes)) * len(fit.params), rel=1e-6)
    assert found.exists


def test_the_derivatives_of_the_second_measure_meet_at_the_end_of_the_series():
    for one, other in zip(_slopes2(np.array([0.00999])), _slopes2(np.array([0.01001])), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4)


def test_if_the_model_holds_the_statistics_are_about_standard_normal():
    rng = np.random.default_rng(3)
    shares = [rng.dirichlet(np.ones(size) * 3) for size in (10, 12, 8)]
    drawn = []
    for _ in range(150):
        codes = np.column_stack([rng.choice(len(p), 800, p=p) for p in shares])
        fit = model_fit(codes, np.full(800, 10.0))
        drawn.append((fit.b1, fit.b2))
    drawn = np.array(drawn)
    assert np.abs(drawn.mean(axis=0)).max() < 0.5
    assert (drawn.std(axis=0) < 1.6).all()
    assert (drawn > 1.96).mean() < 0.1


@pytest.fixture(scope="module")
def sampled():
    population = independent_population()
    _, member, F = distinct(population)
    records = np.random.default_rng(5).choice(len(population), 2000, replace=False)
    unique = np.bincount(member[records], minlength=len(F)) == 1
    return population[records], np.full(2000, 10.0), float((1 / F[unique]).sum())


def test_a_model_without_the_pair_underfits_and_overestimates_and_the_search_finds_the_pair(sampled):
    codes, weights, truth = sampled
    without, with_pair = model_fit(codes, weights), model_fit(codes, weights, [(0, 1)])
    assert without.underfits
    assert without.b2 > 3 > with_pair.b2
    assert modelled_tau(codes, weights).tau2 > 1.1 * truth
    for criterion in ("b2", "bic"):
        *_, found = forward_search(codes, weights, criterion=criterion)
        assert found.margins == ((0, 1),)
    *_, by_aic = forward_search(codes, weights, criterion="aic")
    assert (0, 1) in by_aic.margins
    assert by_aic.aic <= model_fit(codes, weights, [(0, 1)]).aic


def test_no_model_is_found_whose_estimate_does_not_exist():
    rng = np.random.default_rng(2)
    a = rng.integers(0, 12, 300)
    codes = np.column_stack([a, (a + rng.integers(0, 2, 300)) % 12, rng.integers(0, 3, 300)])
    weights = np.full(300, 6.0)
    assert model_fit(codes, weights, two_way(3)).exists is False
    for fit in forward_search(codes, weights, criterion="aic", existing=True):
        assert fit.exists
    *_, limit = forward_search(codes, weights, criterion="b2")
    assert (0, 1) in limit.margins


@pytest.mark.parametrize(
    ("how", "told"),
    [
        (lambda: model_fit([[0], [1]], [1, 1]), "whole population"),
        (lambda: next(forward_search([[0], [1]], [2, 2], criterion="r2")), "criterion 'r2' is unknown"),
        (lambda: model_fit(np.repeat(np.arange(300)[:, None], 3, 1), np.full(300, 2.0)), "27,000,000 cells"),
    ],
)
def test_what_cannot_be_told_is_refused(how, told):
    with pytest.raises(ValueError, match=told):
        how()


def test_coefficients_and_errors_are_those_of_statsmodels():
    codes, weights = file()
    f = np.bincount(np.ravel_multi_index(tuple(codes.T), SHAPE), minlength=int(np.prod(SHAPE))).astype(float)
    told = fit_loglinear(f.reshape(SHAPE), [*MARGINS, (3,)]).coefficients
    fit = glm(codes, weights)["standard"]
    assert len(told) == len(fit.params)
    assert told[0].axes == ()
    ours = sorted((one.estimate, one.error) for one in told)
    theirs = sorted(zip(fit.params, fit.bse, strict=True))
    np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=1e-7)
    main = {(one.axes, one.levels): one for one in told}
    assert main[(0,), (1,)].estimate == pytest.approx(fit.params[1])
    assert main[(0,), (1,)].z == pytest.approx(fit.tvalues[1], rel=1e-4)


def test_an_estimate_that_does_not_exist_has_no_coefficients():
    with pytest.raises(ValueError, match="not exist"):
        _ = fit_loglinear([[1, 0], [2, 3]], [(0, 1)]).coefficients
