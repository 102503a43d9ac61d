"""Bootstrap of the estimated τ: its intervals contain the true values of simulated samples."""

import numpy as np
import pytest

from sdcwidgets.core.risk.bootstrap import MOST_CELLS, bootstrapped_tau
from sdcwidgets.core.risk.sample import Crossing, modelled_tau, tau1, tau2

SHAPE = (8, 6, 10)


def shares(rng):
    return np.einsum("a,b,c->abc", *(rng.dirichlet(np.full(size, 2.0)) for size in SHAPE)).ravel()


def sample(rng, probabilities, people=3000):
    population = rng.multinomial(people, probabilities)
    counts = rng.binomial(population, 0.1)
    records = np.repeat(np.arange(counts.size), counts)
    return population, counts, np.column_stack(np.unravel_index(records, SHAPE))


def test_the_intervals_contain_the_true_values_of_most_samples():
    rng = np.random.default_rng(3)
    probabilities = shares(rng)
    inside, errors, stated = [], [], []
    for _ in range(40):
        population, counts, codes = sample(rng, probabilities)
        bootstrap = bootstrapped_tau(codes, np.full(len(codes), 10.0), rng=rng, replicates=80)
        one, two = tau1(counts, population), tau2(counts, population)
        inside += [
            bootstrap.tau1.lower <= one <= bootstrap.tau1.upper,
            bootstrap.tau2.lower <= two <= bootstrap.tau2.upper,
        ]
        errors.append((bootstrap.tau1.estimate - one, bootstrap.tau2.estimate - two))
        stated.append((bootstrap.tau1.error, bootstrap.tau2.error))
    assert 0.8 < np.mean(inside) <= 1
    np.testing.assert_allclose(np.mean(stated, axis=0), np.std(errors, axis=0), rtol=0.4)


def test_the_estimates_are_those_of_the_model():
    rng = np.random.default_rng(4)
    *_, codes = sample(rng, shares(rng))
    weights = rng.uniform(5, 15, len(codes))
    fitted = modelled_tau(codes, weights, [(0, 1)])
    bootstrap = bootstrapped_tau(codes, weights, [(0, 1)], rng=np.random.default_rng(1), replicates=20)
    assert (bootstrap.tau1.estimate, bootstrap.tau2.estimate) == (fitted.tau1, fitted.tau2)
    assert bootstrap.errors.shape == (20, 2)
    assert bootstrap.tau1.error == pytest.approx(bootstrap.errors[:, 0].std(ddof=1))
    again = bootstrapped_tau(
        Crossing.of(codes, weights), margins=[(0, 1)], rng=np.random.default_rng(1), replicates=20
    )
    np.testing.assert_array_equal(again.errors, bootstrap.errors)


def test_a_whole_population_has_no_error():
    rng = np.random.default_rng(5)
    *_, codes = sample(rng, shares(rng))
    bootstrap = bootstrapped_tau(codes, np.ones(len(codes)), rng=rng, replicates=10)
    assert bootstrap.tau1 == (bootstrap.tau1.estimate, 0, 0, bootstrap.tau1.estimate, bootstrap.tau1.estimate)
    np.testing.assert_array_equal(bootstrap.errors, 0)


@pytest.mark.parametrize("wrong", [{"replicates": 1}, {"level": 1.0}])
def test_wrong_numbers_are_refused(wrong):
    with pytest.raises(ValueError, match="replicates"):
        bootstrapped_tau([[0, 0], [1, 1]], [2, 2], rng=np.random.default_rng(1), **wrong)


def test_too_many_cells_are_refused():
    codes = np.repeat(np.arange(1100)[:, np.newaxis], 2, axis=1)
    with pytest.raises(ValueError, match=f"{MOST_CELLS:,}"):
        bootstrapped_tau(codes, np.ones(1100), rng=np.random.default_rng(1))
