"""τ1 and τ2: counted, modelled, against another implementation and against known populations."""

from itertools import product

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets.core.estimate import fit_loglinear
from sdcwidgets.core.microdata.keys import distinct
from sdcwidgets.core.risk._crossing import Crossing
from sdcwidgets.core.risk.sample import MODELS, _fitted, modelled_tau, modelled_taus, tau1, tau2, two_way

SHAPE = (4, 3, 5, 2)
MARGINS = ((0, 1), (1, 2))


def file(records=400, seed=1):
    rng = np.random.default_rng(seed)
    columns = [rng.choice(size, records, p=(np.arange(size) + 1) / sum(range(size + 1))) for size in SHAPE]
    return np.column_stack(columns), rng.uniform(2, 30, records)


def glm(codes, weights):
    """The four models by statsmodels, on the whole crossing, as Totter's R code has them."""
    cells = np.ravel_multi_index(tuple(codes.T), SHAPE)
    f = np.bincount(cells, minlength=int(np.prod(SHAPE))).astype(float)
    F = np.bincount(cells, weights, minlength=f.size)
    grid = np.array(list(product(*map(range, SHAPE))))
    design = [np.ones(f.size)]
    for axes in [(0,), (1,), (2,), (3,), *MARGINS]:
        for level in product(*(range(1, SHAPE[axis]) for axis in axes)):
            design.append((grid[:, axes] == level).all(axis=1).astype(float))
    X, poisson = np.column_stack(design), sm.families.Poisson()
    z = np.log(np.divide(f, F, out=np.zeros_like(f), where=F > 0) + 0.1)
    return {
        "standard": sm.GLM(f, X, poisson).fit(),
        "clogg-eliason": sm.GLM(f, X, poisson, offset=z).fit(),
        "pseudo-likelihood": sm.GLM(np.round(F * f.sum() / F.sum()), X, poisson).fit(),
        "weighted": sm.GLM(f, np.column_stack([X, F / F.max()]), poisson).fit(),
    }


@pytest.fixture(scope="module")
def sample():
    codes, weights = file()
    return codes, weights, glm(codes, weights)


@pytest.mark.parametrize("model", MODELS)
def test_expected_counts_are_those_of_statsmodels(sample, model):
    codes, weights, fits = sample
    crossing = Crossing.of(codes, weights)
    fit = _fitted(crossing, MARGINS, model)
    place = np.ravel_multi_index(tuple(crossing.cells.T), SHAPE)
    np.testing.assert_allclose(fit.expected, fits[model].mu[place], rtol=1e-4)
    assert fit.exists
    assert fit.converged


def test_the_estimates_are_the_formulas_19_and_20_with_lambda_mu_over_pi(sample):
    codes, weights, fits = sample
    first, member, count = distinct(codes)
    F = np.bincount(member, weights)
    unique = count == 1
    pi = 1 / F[unique]
    mu = fits["standard"].mu[np.ravel_multi_index(tuple(codes[first][unique].T), SHAPE)]
    for scaling, rate in (("formula", mu / pi), ("sdcmicro", mu)):
        found = modelled_tau(codes, weights, MARGINS, scaling=scaling)
        hidden = rate * (1 - pi)
        assert found.tau1 == pytest.approx(np.exp(-hidden).sum())
        assert found.tau2 == pytest.approx(((1 - np.exp(-hidden)) / hidden).sum())


def independent_population(seed=11):
    """A population in which four variables are independent but for one pair, with rare categories."""
    rng = np.random.default_rng(seed)
    n = 20_000
    a = rng.choice(8, n, p=np.geomspace(1, 0.02, 8) / np.geomspace(1, 0.02, 8).sum())
    tilt = rng.dirichlet(np.ones(10) * 0.7, size=8)
    b = (rng.random((n, 1)) > tilt.cumsum(axis=1)[a]).sum(axis=1)
    rest = [rng.choice(k, n, p=np.geomspace(1, 0.01, k) / np.geomspace(1, 0.01, k).sum()) for k in (12, 9)]
    return np.column_stack([a, b, *rest])


@pytest.fixture(scope="module")
def repeated():
    population = independent_population()
    _, member, F = distinct(population)
    rng = np.random.default_rng(5)
    truth, said = [], []
    for _ in range(200):
        records = rng.choice(len(population), 2000, replace=False)
        f = np.bincount(member[records], minlength=len(F))
        truth.append((tau1(f, F), tau2(f, F)))
        taus = modelled_taus(
            population[records],
            np.full(2000, 10.0),
            [(0, 1)],
            scalings=("formula", "sdcmicro"),
        )
        said.append([(found.tau1, found.tau2) for found in taus.values()])
    return np.mean(truth, axis=0), dict(zip(taus, np.mean(said, axis=0), strict=True))


@pytest.mark.parametrize("model", ["standard", "pseudo-likelihood", "weighted"])
def test_a_correct_model_is_within_15_percent_of_the_truth_on_average_of_200_samples(repeated, model):
    truth, said = repeated
    assert truth[0] > 20
    np.testing.assert_allclose(said[model, "formula"], truth, rtol=0.15)


def test_the_printed_offset_of_clogg_and_eliason_makes_it_underestimate(repeated):
    # All weights are equal here, so an offset should change nothing. But f/F + 0.1 is 0.2 where a record is and
    # 0.1 elsewhere: the fit is too high where the uniques are, whatever the scaling.
    truth, said = repeated
    assert (said["clogg-eliason", "formula"] < 0.85 * truth).all()


def test_with_the_sampling_fraction_as_offset_in_every_cell_clogg_and_eliason_are_right():
    # The cause: it is the offset of the empty cells. With the one that an equal weight has in all cells, f/F = 0.1
    # without anything added, nothing changes, and the estimate is that of the standard model, which is right.
    population = independent_population()
    records = np.random.default_rng(5).choice(len(population), 2000, replace=False)
    crossing = Crossing.of(population[records], np.full(2000, 10.0))
    offset = crossing.counts / crossing.weighted
    standard = crossing.standard(crossing.counts, ((0, 1), (2,), (3,))).expected
    equal = crossing.multiplied(((0, 1), (2,), (3,)), 0.1, lambda _: offset, offset).expected
    np.testing.assert_allclose(equal, standard, rtol=1e-3)
    printed = _fitted(crossing, ((0, 1),), "clogg-eliason").expected
    unique = crossing.counts == 1
    assert (printed > standard)[unique].all()
    assert printed[unique].sum() > 1.2 * standard[unique].sum()


def test_the_scaling_of_sdcmicro_overestimates_several_times(repeated):
    truth, said = repeated
    assert said["standard", "sdcmicro"][0] > 3 * truth[0]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 6)), min_size=1, max_size=20))
def test_tau_by_hand(cells):
    f = [sampled for sampled, _ in cells]
    F = [sampled + hidden for sampled, hidden in cells]
    assert tau1(f, F) == sum(s == 1 and t == 1 for s, t in zip(f, F, strict=True))
    assert tau2(f, F) == pytest.approx(sum(1 / t for s, t in zip(f, F, strict=True) if s == 1))
    assert tau1(f, F) <= tau2(f, F) + 1e-12 <= f.count(1) + 1e-9


@given(st.integers(0, 2**32 - 1), st.sampled_from(MODELS), st.sampled_from(("formula", "sdcmicro")))
def test_probabilities_are_in_order(seed, model, scaling):
    codes, weights = file(60, seed)
    found = modelled_tau(codes, weights, MARGINS, model=model, scaling=scaling)
    assert ((found.unique >= 0) & (found.unique <= found.match + 1e-12) & (found.match <= 1)).all()


def test_a_census_has_no_doubt():
    codes, _ = file()
    count = distinct(codes)[2]
    found = modelled_tau(codes, np.ones(len(codes)), MARGINS)
    assert found.tau1 == found.tau2 == (count == 1).sum()


def test_an_estimate_that_does_not_exist_is_flagged():
    codes = np.array([[0, 0], [0, 1], [1, 0]])
    assert modelled_tau(codes, [2, 2, 2], [(0, 1)]).exists is False
    assert modelled_tau(codes, [2, 2, 2]).exists is True


def test_a_record_that_rounding_leaves_without_people_counts_as_found():
    """Pseudo maximum likelihood rounds 2·12/332 to 0, so that the only record of its margin is fitted as nobody."""
    codes = np.array([[0, 0]] * 6 + [[0, 1]] * 5 + [[1, 0]])
    found = modelled_tau(codes, [30.0] * 11 + [2.0], model="pseudo-likelihood")
    assert found.unique.tolist() == [1.0]
    assert found.exists is False


def test_a_model_that_falls_into_parts_is_that_of_the_whole_crossing():
    codes, weights = file(150, 4)
    whole = np.bincount(np.ravel_multi_index(tuple(codes.T), SHAPE), minlength=int(np.prod(SHAPE)))
    fit = fit_loglinear(whole.reshape(SHAPE), [(0, 1), (2,), (3,)])
    crossing = Crossing.of(codes, weights)
    apart = _fitted(crossing, ((0, 1),), "standard")
    np.testing.assert_allclose(apart.expected, fit.expected[tuple(crossing.cells.T)], rtol=1e-6)


def test_two_way_terms_of_many_wide_variables_are_refused_with_a_way_out():
    rng = np.random.default_rng(1)
    wide = rng.integers(0, 300, (5000, 3))
    with pytest.raises(ValueError, match=r"27,000,000 cells; at most 4,000,000"):
        modelled_tau(wide, np.full(5000, 2.0), two_way(3))
    assert modelled_tau(wide, np.full(5000, 2.0), [(0, 1)]).tau1 > 0


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"model": "best"}, "'best'.* standard, clogg-eliason"),
        ({"scaling": "mine"}, "'mine'.* formula, sdcmicro"),
        ({"margins": [(0, 9)]}, "variables from 0 to 1"),
        ({"codes": [[0, -1], [1, 1]]}, "missing values"),
        ({"weights": [0.5, 2]}, "at least 1"),
    ],
)
def test_what_cannot_be_estimated_is_refused(how, told):
    with pytest.raises(ValueError, match=told):
        modelled_tau(**{"codes": [[0, 0], [1, 1]], "weights": [2, 2], **how})


@pytest.mark.parametrize(("f", "F", "told"), [([1, 2], [1], "same cells"), ([2], [1], "more records")])
def test_a_sample_is_of_its_population(f, F, told):
    with pytest.raises(ValueError, match=told):
        tau1(f, F)
