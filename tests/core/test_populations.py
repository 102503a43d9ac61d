"""Populations behind a sample: the urn drawn fast and ball by ball, its θ, and what every draw keeps."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from sdcwidgets import examples
from sdcwidgets.core.estimate import (
    expected_zeros,
    fit_loglinear,
    sample_multinomial,
    sample_poisson,
    sample_urn,
    urn_balls,
    urn_theta,
)

samples = arrays(
    np.int64, st.tuples(st.integers(1, 4), st.integers(1, 4)), elements=st.integers(0, 6)
).filter(np.any)


def by_balls(counts, theta, people, size, rng):
    """Populations whose balls are drawn one after the other."""
    path = urn_balls(counts, theta, people, size, rng)
    cells = np.ravel(counts)
    return cells + np.stack([(path == cell).sum(axis=0) for cell in range(cells.size)], axis=1)


def alike(first, second):
    """The p-value of the chi-square test that two samples of whole numbers have one distribution."""
    values = np.concatenate([first, second])
    # Classes with at least about 20 values, so that the chi-square distribution holds.
    edges = np.unique(np.quantile(values, np.linspace(0, 1, 15), method="higher"))
    table = [np.bincount(np.searchsorted(edges, x), minlength=len(edges)) for x in (first, second)]
    table = np.array(table)[:, np.sum(table, axis=0) > 20]
    return stats.chi2_contingency(table).pvalue if table.shape[1] > 1 else 1.0


@pytest.mark.parametrize(
    ("counts", "theta", "people"),
    [
        ([5, 3, 0, 1, 0, 0, 2, 0], 2.5, 60),
        ([1, 0, 0, 0, 0, 0, 0, 0], 6.0, 40),
        # As many black balls as fill every empty cell, early on.
        ([4, 2, 0, 0, 0], 30.0, 50),
        ([2, 0, 3], 0.3, 30),
    ],
)
def test_the_fast_urn_and_the_urn_by_balls_have_one_distribution(counts, theta, people):
    rng, size = np.random.default_rng(11), 20_000
    fast, slow = (draw(counts, theta, people, size, rng) for draw in (sample_urn, by_balls))
    chances = [alike(fast[:, cell], slow[:, cell]) for cell in range(len(counts))]
    empty = np.array(counts) == 0
    new = [np.sum(x[:, empty] > 0, axis=1) for x in (fast, slow)]
    largest = [x[:, empty].max(axis=1) for x in (fast, slow)]
    squares = [np.sum(x**2, axis=1) for x in (fast, slow)]
    chances += [alike(*new), alike(*largest), alike(*squares)]
    assert min(chances) > 0.001 / len(chances)


def test_the_urn_fills_as_many_cells_as_its_theta_was_solved_for():
    counts = examples.load("religion").counts
    rng = np.random.default_rng(4)
    f = rng.multivariate_hypergeometric(counts.ravel(), 245).reshape(counts.shape)
    theta = float(urn_theta(f, 2449, zeros=(counts == 0).sum()))
    filled = np.sum((sample_urn(f, theta, 2449, 20_000, rng) > 0) & (f == 0), axis=(1, 2))
    wanted = (f == 0).sum() - (counts == 0).sum()
    # The cells are as many as can be filled, so a little less than the unbounded urn of equation (5).
    assert wanted - 0.3 < filled.mean() < wanted + 4 * filled.std() / np.sqrt(20_000)


@given(samples, st.integers(0, 300), st.floats(0, 20), st.integers(0, 2**32))
def test_every_population_holds_its_sample_and_has_n_people(f, more, theta, seed):
    people, rng = int(f.sum()) + more, np.random.default_rng(seed)
    p = fit_loglinear(f, [(0,), (1,)]).probabilities
    path = urn_balls(f, theta, people, 2, rng)
    assert path.shape == (more, 2)
    for drawn in (sample_multinomial(f, p, people, 5, rng), sample_urn(f, theta, people, 5, rng)):
        assert drawn.shape == (5, *f.shape)
        assert (drawn >= f).all()
        assert (drawn.sum(axis=(1, 2)) == people).all()
    assert (sample_poisson(f, p, people, 5, rng) >= f).all()


def test_a_seed_reproduces_every_draw():
    first, second = (
        [draw([3, 0, 1], x, 50, 9, np.random.default_rng(5)).tolist() for draw, x in pairs]
        for pairs in [
            [(sample_multinomial, [0.5, 0.25, 0.25]), (sample_poisson, [0.5, 0.25, 0.25]), (sample_urn, 2.0)]
        ]
        * 2
    )
    assert first == second


def test_means_of_multinomial_and_poisson_populations():
    f, p = np.array([3, 0, 1]), np.array([0.5, 0.3, 0.2])
    rng = np.random.default_rng(6)
    for draw in (sample_multinomial, sample_poisson):
        drawn = draw(f, p, 104, 20_000, rng)
        assert drawn.mean(axis=0) == pytest.approx(f + 100 * p, abs=0.3)
    assert drawn.sum(axis=1).var() == pytest.approx(100, rel=0.1)


def test_an_urn_without_black_balls_or_empty_cells_leaves_zeros_alone():
    rng = np.random.default_rng(7)
    assert not sample_urn([3, 0, 1], 0.0, 100, 50, rng)[:, 1].any()
    assert (urn_balls([3, 0, 1], 0.0, 30, 50, rng) != 1).all()
    full = sample_urn([3, 1], 1e9, 100, 2000, rng)
    # Without a cell for a new colour the black balls count for nothing: a two-coloured urn.
    expected = stats.betabinom(96, 3, 1).mean() + 3
    assert full[:, 0].mean() == pytest.approx(expected, abs=1.5)


def test_theta_solves_its_equation_for_a_batch_of_samples():
    f = np.array([[4, 0, 0, 0, 1], [2, 1, 1, 1, 0], [5, 0, 0, 0, 0]])
    theta = urn_theta(f, 30, zeros=[1, 0, 4], axis=1)
    for sample, zeros, value in zip(f, [1, 0, 4], theta, strict=True):
        n = sample.sum()
        filled = sum(value / (n + value + z - 1) for z in range(1, 30 - n + 1))
        assert filled == pytest.approx((sample == 0).sum() - zeros)
    assert theta[2] == 0


def test_theta_with_zeros_that_are_estimated():
    f = np.array([[4, 0, 2], [1, 0, 3]])
    zeros = expected_zeros(fit_loglinear(f, [(0,), (1,)]).probabilities, 100)
    assert float(urn_theta(f, 100)) == pytest.approx(float(urn_theta(f, 100, zeros)))
    # A column that nobody was seen in has the estimated probability 0: it stays empty, and θ is 0.
    assert float(zeros) > 2
    assert float(urn_theta(f, 100)) == 0


@settings(max_examples=50)
@given(st.floats(0.01, 1e6), st.integers(1, 5000), st.integers(1, 50_000))
def test_theta_is_found_again_from_the_cells_that_it_fills(theta, n, more):
    filled = np.sum(theta / (n + theta + np.arange(more)))
    cells = int(np.ceil(filled)) + 2
    f = np.zeros(cells + 1, dtype=int)
    f[0] = n
    if not filled < more * (1 - 1e-9):
        return
    again = float(urn_theta(f, n + more, zeros=cells - filled))
    assert np.sum(again / (n + again + np.arange(more))) == pytest.approx(filled, rel=1e-6)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda rng: sample_multinomial([3, 1], [0.5, 0.5], 3, 1, rng),
            "4 people",
        ),
        (lambda rng: sample_multinomial([3, 1], [0.5, 0.6], 9, 1, rng), "sum to 1.1; the sum must be 1"),
        (lambda rng: sample_multinomial([3, 1], [1.0], 9, 1, rng), "shape"),
        (lambda rng: sample_multinomial([3.5, 1], [0.5, 0.5], 9, 1, rng), "whole"),
        (lambda rng: sample_multinomial([3, 1], [0.5, 0.5], 9, 0, rng), "at least 1"),
        (lambda rng: sample_urn([0, 0], 1.0, 9, 1, rng), "sample has no people"),
        (lambda rng: sample_urn([1, 0], -1.0, 9, 1, rng), "0 or more"),
        (lambda rng: sample_urn([1, 0], np.nan, 9, 1, rng), "0 or more"),
        (lambda rng: urn_theta([1, 0, 0, 0], 3, zeros=0), "N is"),
        (lambda rng: urn_theta([5, 0], 3), "more than the 3"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(call, words):
    with pytest.raises(ValueError, match=words):
        call(np.random.default_rng(0))
