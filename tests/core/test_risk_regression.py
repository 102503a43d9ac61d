"""Models over the keys of a population and with numbers: equal to statsmodels, and to the full crossing."""

from itertools import product

import numpy as np
import pytest
import statsmodels.api as sm

from sdcwidgets.core.risk.sample import MODELS, modelled_tau, modelled_taus

SHAPE = (3, 6, 2)
SIZES = np.array([1.0, 2.0, 3.0, 5.0, 8.0, 13.0])


def study(seed=3):
    """A population, a sample of it as codes, and weights."""
    rng = np.random.default_rng(seed)
    people = np.column_stack([rng.choice(n, 900, p=np.arange(n, 0, -1) / sum(range(n + 1))) for n in SHAPE])
    people = people[~((people[:, 0] == 2) & (people[:, 1] > 3))]
    return people, people[rng.choice(len(people), 120, replace=False)], rng.uniform(2, 12, 120)


def by_statsmodels(grid, codes, weights, model):
    """μ of each cell of a grid, with a number for the second variable and its product with the first."""
    place = {tuple(key): number for number, key in enumerate(grid)}
    f, F = np.zeros(len(grid)), np.zeros(len(grid))
    for key, weight in zip(codes, weights, strict=True):
        f[place[tuple(key)]] += 1
        F[place[tuple(key)]] += weight
    a, size, b = grid[:, 0], SIZES[grid[:, 1]], grid[:, 2]
    X = np.column_stack([np.ones(len(grid)), a == 1, a == 2, size, b == 1, (a == 1) * size, (a == 2) * size])
    response, offset = f, None
    if model == "pseudo-likelihood":
        response = np.round(F * f.sum() / F.sum())
    if model == "clogg-eliason":
        offset = np.log(np.where(F > 0, f / np.where(F > 0, F, 1), 0) + 0.1)
    if model == "weighted":
        X = np.column_stack([X, F / 100])
    fit = sm.GLM(response, X.astype(float), sm.families.Poisson(), offset=offset).fit(tol=1e-12)
    pi = (f / np.where(F > 0, F, 1))[f == 1]
    rate = fit.mu[f == 1] / (f.sum() / F.sum() if model == "pseudo-likelihood" else pi)
    hidden = rate * (1 - pi)
    return np.exp(-hidden).sum(), ((1 - np.exp(-hidden)) / hidden).sum(), X.shape[1]


@pytest.mark.parametrize("cells", ["crossing", "occurring"])
@pytest.mark.parametrize("model", MODELS)
def test_estimates_with_numbers_are_those_of_statsmodels(model, cells):
    people, codes, weights = study()
    keys = np.unique(people, axis=0)
    assert len(keys) < np.prod(SHAPE)
    grid = keys if cells == "occurring" else np.array(list(product(*map(np.unique, codes.T))))
    tau = modelled_tau(
        codes,
        weights,
        [(1, 0)],
        model=model,
        cells=cells,
        numeric={1: SIZES},
        population=people if cells == "occurring" else None,
    )
    tau1, tau2, parameters = by_statsmodels(grid, codes, weights, model)
    assert (tau.tau1, tau.tau2) == (pytest.approx(tau1, rel=1e-5), pytest.approx(tau2, rel=1e-5))
    assert tau.parameters == parameters
    assert tau.exists
    assert tau.converged


@pytest.mark.parametrize("model", MODELS)
def test_categories_over_the_crossing_are_the_same_by_regression_and_by_fitting_margins(model):
    _, codes, weights = study(5)
    crossed = np.array(list(product(*map(np.unique, codes.T))))
    listed = modelled_tau(codes, weights, [(0, 2)], model=model, cells="occurring", population=crossed)
    fitted = modelled_tau(codes, weights, [(0, 2)], model=model)
    assert listed.parameters == fitted.parameters
    np.testing.assert_allclose(listed.unique, fitted.unique, rtol=1e-3)


def test_a_number_may_have_any_unit_and_origin():
    people, codes, weights = study(7)
    one, other = (
        modelled_taus(codes, weights, [(0, 1)], cells="occurring", population=people, numeric={1: values})
        for values in (SIZES, 40 * SIZES - 900)
    )
    for name in one:
        assert one[name].tau2 == pytest.approx(other[name].tau2, rel=1e-6)


def test_an_interaction_without_records_is_0_and_the_estimate_does_not_exist():
    codes = np.array([[0, 0], [0, 1], [1, 0], [0, 0]])
    people = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    tau = modelled_tau(codes, [2, 2, 2, 2], [(0, 1)], cells="occurring", population=people)
    assert tau.exists is False
    assert np.isfinite(tau.tau1)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"cells": "all"}, "'all'.* crossing, occurring"),
        ({"cells": "occurring"}, "the keys"),
        ({"population": [[0, 0], [1, 1]]}, "the keys"),
        ({"cells": "occurring", "population": [[0, 0]]}, "not occur"),
        ({"cells": "occurring", "population": [[0], [1]]}, "2 key variables"),
        ({"numeric": {5: [1, 2]}}, "from 0 to 1"),
        ({"numeric": {0: [1]}}, "finite number"),
        ({"numeric": {0: [1, 2]}, "margins": [(0, 9)]}, "variables from 0 to 1"),
    ],
)
def test_cells_and_numbers_that_cannot_be_used_are_refused(how, words):
    with pytest.raises(ValueError, match=words):
        modelled_tau(**{"codes": [[0, 0], [1, 1]], "weights": [2, 2], **how})
