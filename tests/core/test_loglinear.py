"""Log-linear fits: equal to another implementation's, with the laws of their margins, and flagged where none exists."""

import itertools
import re
import warnings

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdcwidgets import examples
from sdcwidgets.core.estimate import fit_loglinear
from sdcwidgets.core.estimate.existence import estimate_exists
from sdcwidgets.core.estimate.formula import generators, margins_of, written
from sdcwidgets.core.estimate.matches import main_effects

MODELS = {
    2: [[(0,), (1,)], [(0, 1)], [(1,)]],
    3: [
        [(0,), (1,), (2,)],
        [(0, 1), (2,)],
        [(0, 1), (0, 2)],
        [(0, 1), (0, 2), (1, 2)],
        [(0, 1, 2)],
    ],
    4: [[(0,), (1,), (2,), (3,)], [(0, 1), (1, 2), (2, 3), (0, 3)], [(0, 1, 2), (2, 3)]],
}


@st.composite
def tables(draw, lowest=0, largest=40):
    ndim = draw(st.integers(2, 4))
    shape = draw(st.tuples(*[st.integers(2, 4 if ndim < 4 else 3)] * ndim))
    counts = draw(arrays(np.int64, shape, elements=st.integers(lowest, largest)))
    assume(counts.sum() > 0)
    return counts, draw(st.sampled_from(MODELS[ndim]))


def design(shape, margins):
    """The design matrix of the model, one column a parameter, as statsmodels needs it."""
    terms = {part for m in margins for r in range(len(m) + 1) for part in itertools.combinations(m, r)}
    columns = []
    for term in sorted(terms):
        block = np.ones((1, 1))
        for axis, size in enumerate(shape):
            block = np.kron(block, np.eye(size)[:, 1:] if axis in term else np.ones((size, 1)))
        columns.append(block)
    return np.hstack(columns)


def glm(counts, margins, offset=None):
    model = sm.GLM(
        np.ravel(counts).astype(float),
        design(counts.shape, margins),
        family=sm.families.Poisson(),
        offset=None if offset is None else np.ravel(offset),
    )
    with warnings.catch_warnings():
        # A saturated model has no degrees of freedom left, which it divides by for a scale that is not used.
        warnings.simplefilter("ignore")
        return model.fit(tol=1e-14, maxiter=200)


@settings(max_examples=50)
@given(tables(lowest=1))
def test_fits_equal_those_of_statsmodels(case):
    counts, margins = case
    fit, other = fit_loglinear(counts, margins), glm(counts, margins)
    assert fit.converged
    assert fit.exists
    np.testing.assert_allclose(fit.expected.ravel(), other.fittedvalues, rtol=1e-8, atol=1e-8)
    assert fit.deviance == pytest.approx(other.deviance, abs=1e-8)
    assert fit.pearson == pytest.approx(other.pearson_chi2, abs=1e-7)
    assert fit.df == other.df_resid


@settings(max_examples=50)
@given(tables(largest=3))
def test_fits_with_sampling_zeros_equal_those_of_statsmodels_where_they_exist(case):
    counts, margins = case
    fit = fit_loglinear(counts, margins)
    assume(fit.exists and fit.expected.min() > 1e-3)
    other = glm(counts, margins)
    np.testing.assert_allclose(fit.expected.ravel(), other.fittedvalues, rtol=1e-8, atol=1e-8)
    assert fit.deviance == pytest.approx(other.deviance, abs=1e-8)


@settings(max_examples=50)
@given(tables(lowest=1), st.integers(0, 2**32))
def test_offsets_and_fractions_of_people_equal_those_of_statsmodels(case, seed):
    counts, margins = case
    rng = np.random.default_rng(seed)
    weights, counts = rng.uniform(0.2, 3, counts.shape), counts * rng.uniform(0.5, 2, counts.shape)
    fit, other = fit_loglinear(counts, margins, weights=weights), glm(counts, margins, np.log(weights))
    np.testing.assert_allclose(fit.expected.ravel(), other.fittedvalues, rtol=1e-8, atol=1e-8)
    assert fit.deviance == pytest.approx(other.deviance, abs=1e-8)


@given(tables(largest=3))
def test_kept_margins_are_kept_whether_the_estimate_exists_or_not(case):
    counts, margins = case
    fit = fit_loglinear(counts, margins, iterations=3000)
    for margin in margins:
        others = tuple(a for a in range(counts.ndim) if a not in margin)
        np.testing.assert_allclose(
            fit.expected.sum(axis=others),
            counts.sum(axis=others),
            rtol=0,
            atol=1e-10 if fit.converged else 0.05,
        )
    assert fit.expected.min() >= 0
    assert fit.deviance >= 0


@settings(max_examples=50)
@given(tables(largest=2))
def test_whether_an_estimate_exists_is_what_a_linear_program_over_all_cells_says(case):
    from scipy.optimize import linprog

    counts, margins = case
    X = design(counts.shape, margins)
    # The largest least cell of a table with the same margins: 0 where no such table is positive.
    K = counts.size
    A = np.hstack([X.T, np.zeros((X.shape[1], 1))])
    found = linprog(
        np.append(np.zeros(K), -1),
        A_eq=A,
        b_eq=X.T @ counts.ravel(),
        A_ub=np.hstack([-np.eye(K), np.ones((K, 1))]),
        b_ub=np.zeros(K),
        bounds=[(0, None)] * K + [(None, 1)],
    )
    assert fit_loglinear(counts, margins, iterations=200).exists == (-found.fun > 1e-9)


def test_main_effects_are_the_closed_form():
    counts = examples.load("religion").counts
    fit = fit_loglinear(counts, [(0,), (1,)])
    np.testing.assert_allclose(fit.expected, main_effects(counts), rtol=1e-12)
    assert (fit.df, fit.iterations) == (9 * 8, fit.iterations)


def test_haberman_s_table_has_no_estimate_though_no_margin_is_empty():
    """Two opposite corners of a 2 x 2 x 2 table empty: no three-way interaction, all margins above 0."""
    counts = np.array([[[0, 3], [2, 4]], [[5, 1], [6, 0]]])
    fit = fit_loglinear(counts, [(0, 1), (0, 2), (1, 2)], iterations=300)
    assert fit.empty_margins == 0
    assert fit.sampling_zeros == 2
    assert fit.exists is False
    assert fit_loglinear(counts, [(0, 1), (2,)]).exists is True
    assert not fit.converged


def test_an_empty_margin_is_flagged_and_its_cells_are_fitted_as_0():
    fit = fit_loglinear([[2, 3], [0, 0]], [(0,), (1,)])
    assert fit.expected.tolist() == [[2, 3], [0, 0]]
    assert (fit.exists, fit.empty_margins, fit.converged) == (False, 1, True)


def test_a_large_table_that_is_not_decided_is_not_called_fitted():
    rng = np.random.default_rng(3)
    counts = rng.poisson(1.0, (30, 30, 30))
    fit = fit_loglinear(counts, [(0, 1), (0, 2), (1, 2)], iterations=2)
    assert not fit.converged
    assert fit.exists in (True, None)


def test_a_model_without_margins_makes_all_cells_equal():
    fit = fit_loglinear([[1, 2], [3, 6]], [])
    assert fit.expected.tolist() == [[3, 3], [3, 3]]
    assert fit.df == 3
    assert fit_loglinear([[1, 2], [3, 6]], [()]).expected.tolist() == fit.expected.tolist()


def test_a_formula_names_the_axes_of_a_table():
    table = examples.load("religion")
    area, religion = (axis.name for axis in table.axes)
    assert fit_loglinear(table, f"{area} + {religion}").margins == [(0,), (1,)]
    assert fit_loglinear(table, f"{area}*{religion}").deviance == pytest.approx(0)


@pytest.mark.parametrize(
    ("formula", "margins"),
    [
        ("a*b + c", [(0, 1), (2,)]),
        ("~ a + b:a + b", [(0, 1)]),
        ("(a + b + c)^2", [(0, 1), (0, 2), (1, 2)]),
        ("(a+b+c)**3", [(0, 1, 2)]),
        ("a*(b + c)", [(0, 1), (0, 2)]),
        ("a*b*c", [(0, 1, 2)]),
        ("1", [()]),
        ("1 + b", [(1,)]),
        ("`x + y` * a", [(0, 3)]),
    ],
)
def test_formulas_read_as_in_r(formula, margins):
    assert margins_of(formula, ["a", "b", "c", "x + y"]) == margins


@given(st.lists(st.sets(st.integers(0, 3)), max_size=5))
def test_a_formula_that_is_written_reads_back(terms):
    names = ["a", "Output area", "c:d", "1"]
    closed = generators(terms)
    assert margins_of(written(closed, names), names) == closed


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("a*x", "'x'; the axes are a, b, c"),
        ("a:b", "a:b without a, so the model is not hierarchical; write a*b"),
        ("a*b + a:b:c + c", "not hierarchical; write a*b*c"),
        ("", "is empty"),
        ("a +", "syntax error at its end"),
        ("(a + b", "closing bracket"),
        ("a) + b", "syntax error at ')'"),
        ("a^x", "power x"),
        ("a - b", "syntax error at '-'"),
        ("a^", "1 to 99"),
        ("`a", "syntax error at '`'"),
    ],
)
def test_a_formula_that_cannot_be_read_is_refused_in_one_sentence(formula, words):
    with pytest.raises(ValueError, match=re.escape(words)) as error:
        margins_of(formula, ["a", "b", "c"])
    assert str(error.value).endswith(".")


@pytest.mark.parametrize(
    ("counts", "margins", "options", "words"),
    [
        ([[0, 0]], [(0,)], {}, "counts are 0"),
        ([[1, -1]], [(0,)], {}, "0 or more"),
        ([[1, 1]], [(2,)], {}, "different axes of a 2-way table"),
        ([[1, 1]], [(0, 0)], {}, "different axes"),
        ([[1, 1]], [0], {}, "tuples"),
        ([[1, 1]], "a*b", {}, "named axes"),
        ([[1, 1]], [(0,)], {"weights": [[1, 0]]}, "above 0"),
        ([[1, 1]], [(0,)], {"weights": [1, 1, 1]}, "shape"),
    ],
)
def test_what_cannot_be_fitted_is_refused_in_one_sentence(counts, margins, options, words):
    with pytest.raises(ValueError, match=words):
        fit_loglinear(counts, margins, **options)


def test_a_power_of_a_thousand_terms_ends():
    assert margins_of("(a + b)^99", ["a", "b"]) == [(0, 1)]


def test_whether_an_estimate_exists_does_not_depend_on_where_it_is_looked_for():
    """The first search begins at what was fitted; from anywhere else the answer is the same."""
    haberman = np.ones((2, 2, 2))
    haberman[0, 0, 0] = haberman[1, 1, 1] = 0
    assert estimate_exists(haberman, np.zeros((2, 2, 2)), [(0, 1), (0, 2), (1, 2)]) is False
    counts, apart = np.array([[0.0, 1], [1, 1]]), np.array([[-5.0, 5], [5, -5]])
    assert estimate_exists(counts, counts + apart, [(0,), (1,)]) is True


def test_main_effects_of_a_batch_with_an_empty_table_are_refused():
    with pytest.raises(ValueError, match="counts"):
        main_effects([[[0, 0], [0, 0]], [[1, 2], [3, 4]]], axis=(1, 2))
