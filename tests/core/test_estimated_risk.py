"""R2 of estimated populations: equal to R2 of each, and near the printed figures in a few draws."""

import numpy as np
import pytest

from sdcwidgets import examples
from sdcwidgets.core.channel import second_term_bound
from sdcwidgets.core.estimate import draw_populations, sample_risk
from sdcwidgets.core.estimate.draws import simple_random_samples
from sdcwidgets.core.information import conditional_entropy, entropy
from sdcwidgets.core.risk.population import r2, terms_after

F = examples.load("religion").counts


@pytest.mark.parametrize("model", ["multinomial", "poisson", "urn"])
def test_the_risk_of_each_population_is_r2_of_it(model):
    rng = np.random.default_rng(1)
    f = simple_random_samples(F, 245, 1, rng)[0]
    drawn = draw_populations(f, 2449, 6, rng, model=model)
    found = sample_risk(f, drawn)
    for i, population in enumerate(drawn):
        assert found.r2[i] == pytest.approx(float(r2(population, f)))
        np.testing.assert_allclose(found.terms[i], terms_after(population, f))
        assert found.entropy[i] == pytest.approx(float(entropy(population)))
        assert found.entropy_left[i] == pytest.approx(float(conditional_entropy(population, f)))
    assert found.zeros.tolist() == (drawn == 0).sum(axis=(1, 2)).tolist()
    assert found.mean == pytest.approx(found.r2.mean())
    assert found.interval(0.5) == pytest.approx(tuple(np.quantile(found.r2, [0.25, 0.75])))


def test_the_error_of_the_second_term_is_within_the_bound_of_6_3_6():
    rng = np.random.default_rng(2)
    f = simple_random_samples(F, 245, 1, rng)[0]
    found = sample_risk(f, draw_populations(f, 2449, 200, rng))
    truth = terms_after(F, f)[1]
    true_entropy, true_left = float(entropy(F)), float(conditional_entropy(F, f))
    for term, h, left in zip(found.terms[:, 1], found.entropy, found.entropy_left, strict=True):
        assert abs(term - truth) <= second_term_bound(true_entropy, true_left, h, left)


def test_a_model_with_more_margins_is_used():
    rng = np.random.default_rng(3)
    f = np.array([[30, 0], [0, 30]])
    independent = draw_populations(f, 1000, 50, rng)
    saturated = draw_populations(f, 1000, 50, rng, margins=[(0, 1)])
    assert (saturated[:, 0, 1] == 0).all()
    assert (independent[:, 0, 1] > 0).all()


def test_a_model_that_is_none_and_tables_that_do_not_fit_are_refused():
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="one of multinomial, poisson, urn, not 'other'"):
        draw_populations([1, 2], 10, 1, rng, model="other")
    with pytest.raises(ValueError, match="must end in the shape"):
        sample_risk([1, 2], [[1, 2, 3]])


def test_a_single_population_has_no_spread():
    f = simple_random_samples(F, 245, 1, np.random.default_rng(1))[0]
    found = sample_risk(f, F[np.newaxis])
    assert np.isnan(found.spread)
    assert sample_risk(f, np.stack([F, F])).spread == 0
