"""Y variables against brute force, the theorems against enumeration, PRAM against all of its outcomes."""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import comb, exp, factorial

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare, poisson

from sdcwidgets.core import assignment as who
from sdcwidgets.core.information import conditional_entropy, entropy
from sdcwidgets.core.risk.population import terms_after


@st.composite
def small_pairs(draw, same_total=True):
    """Tables of at most 6 people, so that all assignments can be listed one by one."""
    k, n = draw(st.integers(2, 4)), draw(st.integers(1, 6 if same_total else 3))
    cells = st.integers(0, k - 1)
    people = [
        draw(st.lists(cells, min_size=m, max_size=m))
        for m in (n, n if same_total else draw(st.integers(1, 3)))
    ]
    return tuple(np.bincount(x, minlength=k) for x in people)


def brute_force(F, G, closest):
    X = [i for i, n in enumerate(F) for _ in range(n)]
    Y = sorted(set(permutations([j for j, n in enumerate(G) for _ in range(n)])))
    if closest:
        stays = [sum(x == y for x, y in zip(X, variable, strict=True)) for variable in Y]
        Y = [variable for variable, n in zip(Y, stays, strict=True) if n == max(stays)]
    return Y


def test_table_361_of_the_thesis():
    F, G = [0, 2, 4], [0, 3, 3]
    listed = np.array(list(who.enumerate_assignments(F, G)))
    assert len(listed) == who.count(F, G) == 20
    stays = np.sum(listed == who.people(F), axis=1)
    assert np.flatnonzero(stays == stays.max()).tolist() == [0, 1, 2, 3]
    assert listed[4].tolist() == [1, 2, 1, 1, 2, 2]
    assert listed[19].tolist() == [2, 2, 2, 1, 1, 1]
    assert who.count(F, G, closest=True) == 4
    np.testing.assert_array_equal(list(who.enumerate_assignments(F, G, closest=True)), listed[:4])
    each = who.conditional_probabilities(F, listed)
    assert each[0, 1, 1] == 1
    assert each[:, 1, 1].mean() == 0.5


@settings(max_examples=60, deadline=None)
@given(small_pairs(), st.booleans())
def test_enumeration_is_all_of_them_in_order(pair, closest):
    F, G = pair
    wanted = brute_force(F, G, closest)
    assert [tuple(Y) for Y in who.enumerate_assignments(F, G, closest)] == wanted
    assert who.count(F, G, closest) == len(wanted)


@settings(max_examples=60, deadline=None)
@given(small_pairs(), st.booleans())
def test_theorems_1_and_2_are_the_average_over_all_assignments(pair, closest):
    F, G = pair
    expected = who.expected_channel(F, G, closest)
    each = who.conditional_probabilities(F, brute_force(F, G, closest))
    np.testing.assert_allclose(expected, each.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(who.average_channel(F, G, closest), expected, atol=1e-12)
    np.testing.assert_allclose(who.running_averages(F, brute_force(F, G, closest))[-1], expected, atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(small_pairs(same_total=False), st.booleans())
def test_theorems_3_and_4_are_the_average_over_the_copies(pair, closest):
    F, G = pair
    assume(who.count(F, G, closest) <= 3000)
    np.testing.assert_allclose(
        who.average_channel(F, G, closest), who.expected_channel(F, G, closest), atol=1e-12
    )


@settings(max_examples=60, deadline=None)
@given(small_pairs(same_total=False))
def test_closed_form_is_the_entropy_of_the_enumerated_channel(pair):
    F, G = pair
    left = float(conditional_entropy(F, G))
    if who.count(F, G, closest=True) <= 3000:
        assert who.channel_entropy(F, who.average_channel(F, G, closest=True)) == pytest.approx(
            left, abs=1e-9
        )
    channel = who.expected_channel(F, G)
    assert who.channel_entropy(F, channel) == pytest.approx(left, abs=1e-9)
    assert sum(who.decompose(F, G)) == pytest.approx(left, abs=1e-9)
    assert min(who.decompose(F, G)) >= -1e-12


@settings(max_examples=60)
@given(small_pairs(same_total=False))
def test_theorem_1_lowers_nothing(pair):
    F, G = pair
    channel = who.expected_channel(F, G, closest=False)
    assert who.channel_entropy(F, channel) == pytest.approx(float(entropy(F)), abs=1e-12)
    assert who.mutual_information(F, channel) == pytest.approx(0, abs=1e-12)


@settings(max_examples=60)
@given(small_pairs(same_total=False))
def test_what_is_told_of_x_is_what_is_not_left(pair):
    F, G = pair
    channel = who.expected_channel(F, G)
    shares = who.joint(F, channel)
    np.testing.assert_allclose(shares.sum(axis=0), G / G.sum(), atol=1e-12)
    left = float(who.channel_entropy(F, channel))
    assert who.mutual_information(F, channel) == pytest.approx(float(entropy(F)) - left, abs=1e-9)


def test_a_proportional_table_moves_nobody():
    np.testing.assert_array_equal(who.expected_channel([2, 0, 4], [1, 0, 2]), np.diag([1, 0, 1]))
    assert who.count([2, 0, 4], [1, 0, 2], closest=True) == 1
    assert who.decompose([2, 0, 4], [1, 0, 2]) == (0, 0, 0)


def test_sizes_have_any_length():
    F, G = [400, 300, 300], [300, 300, 400]
    assert who.count(F, G) == factorial(1000) // (factorial(300) ** 2 * factorial(400))
    assert who.count(F, G, closest=True) == comb(400, 300)
    with pytest.raises(ValueError, match="limit of 1000000"):
        next(who.enumerate_assignments(F, G))


@pytest.mark.parametrize("closest", [False, True])
def test_draws_are_uniform(closest):
    F, G = [3, 2, 0, 1], [1, 2, 1, 2]
    drawn = who.draw_assignments(F, G, 20_000, np.random.default_rng(3), closest)
    found = Counter(map(tuple, drawn.tolist()))
    every = brute_force(F, G, closest)
    assert set(found) == set(every)
    assert chisquare([found[Y] for Y in every]).pvalue > 1e-4


def test_draws_beyond_the_limit_converge_to_the_theorem():
    F, G = [30, 12, 0, 8], [20, 15, 5, 10]
    drawn = who.draw_assignments(F, G, 4000, np.random.default_rng(4), closest=True)
    average = who.conditional_probabilities(F, drawn).mean(axis=0)
    np.testing.assert_allclose(average, who.expected_channel(F, G), atol=0.02)
    assert np.array_equal(drawn, who.draw_assignments(F, G, 4000, np.random.default_rng(4), closest=True))


def test_chunks_make_the_same_list():
    F, G = [4, 4, 3], [3, 3, 5]
    chunks = list(who.assignment_chunks(F, G))
    assert sum(map(len, chunks)) == who.count(F, G) == 9240
    listed = np.concatenate(chunks)
    assert np.all(np.diff(listed @ 3 ** np.arange(11)[::-1]) > 0)
    np.testing.assert_allclose(who.average_channel(F, G), who.expected_channel(F, G, closest=False))


def test_mixture_is_the_average_of_the_channels():
    rng = np.random.default_rng(5)
    F, G = np.array([[6, 0], [1, 3]]), rng.integers(1, 9, (6, 2, 2))
    T = rng.dirichlet(np.ones(6))
    for closest in (True, False):
        each = who.expected_channel(F, G, closest)
        assert each.shape == (6, 4, 4)
        np.testing.assert_allclose(who.mixture(F, G, T, closest), np.tensordot(T, each, 1), atol=1e-12)
        np.testing.assert_allclose(who.mixture(F, G, closest=closest), each.mean(axis=0), atol=1e-12)
    with pytest.raises(ValueError, match="sum 1"):
        who.mixture(F, G, [1, 1, 1, 1, 1, 1])


def test_pram_is_the_sum_over_all_of_its_outcomes():
    F = np.array([2, 1, 2])
    P = np.random.default_rng(6).dirichlet(np.ones(3), 3)
    X = who.people(F)
    wanted = Counter()
    for Y in product(range(3), repeat=5):
        wanted[tuple(np.bincount(Y, minlength=3))] += float(np.prod(P[X, list(Y)]))
    for G, probability in wanted.items():
        assert who.pram_probability(F, G, P) == pytest.approx(probability)
    assert sum(wanted.values()) == pytest.approx(1)
    assert who.pram_probability(F, [1, 1, 1], P) == 0
    with pytest.raises(ValueError, match=r"1.6e\+07 sub-tables"):
        who.pram_probability([0, 4000, 4000], [0, 4000, 4000], np.eye(3))


def test_poisson_approximates_pram():
    P = np.full((3, 3), 0.1) + 0.7 * np.eye(3)
    F, G = np.array([2, 1, 2]), np.array([2, 2, 1])
    assert who.pram_poisson(F, G, P) == pytest.approx(np.prod(poisson.pmf(G, F @ P)))
    assert who.pram_poisson(F, [G, F], P).shape == (2,)
    # Where everyone goes anywhere the total is all that the approximation gets wrong.
    even = np.full((3, 3), 1 / 3)
    given_total = who.pram_poisson(F, G, even) / poisson.pmf(5, 5)
    assert given_total == pytest.approx(who.pram_probability(F, G, even))
    assert who.pram_poisson([3, 0, 0], [3, 0, 0], np.eye(3)) == pytest.approx(27 * exp(-3) / 6)


entropies = st.floats(0.01, 3)


@given(entropies, entropies, st.floats(0, 1), st.floats(0, 1), st.integers(21, 100))
def test_bound_on_the_second_term(H, H_hat, share, share_hat, K):
    left, left_hat = share * H, share_hat * H_hat

    def second(entropy, left):
        return (1 - entropy / np.log(K)) * (1 - left / entropy)

    error = abs(second(H, left) - second(H_hat, left_hat))
    bound = who.second_term_bound(H, left, H_hat, left_hat)
    simple = (abs(H - H_hat) + abs(left - left_hat)) / H_hat
    assert error <= simple + 1e-12
    assert simple <= bound


def test_bound_on_the_second_term_is_of_the_terms_of_the_risk():
    F, F_hat, G = [8, 4, 2, 2], [7, 5, 2, 2], [6, 6, 3, 0]
    values = [(float(entropy(x)), float(conditional_entropy(x, G))) for x in (F, F_hat)]
    error = abs(terms_after(F, G)[1] - terms_after(F_hat, G)[1])
    assert 0 < error <= who.second_term_bound(*values[0], *values[1])


def test_worked_example_in_fractions():
    channel = who.expected_channel([0, 2, 4], [0, 3, 3])
    assert [[Fraction(x).limit_denominator() for x in row] for row in channel[1:]] == [
        [0, 1, 0],
        [0, Fraction(1, 4), Fraction(3, 4)],
    ]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: who.count([1, 2], [1, 1, 1]), "same table"),
        (lambda: who.count([1.5, 2], [1, 2]), "whole numbers"),
        (lambda: who.count([0, 0], [1, 2]), "F has no people"),
        (lambda: who.count([2**40, 0], [2**41, 1]), r"2\^62"),
        (lambda: who.expected_channel([1, 2], [0, 0]), "M = 0"),
        (lambda: who.expected_channel([1, 2], [1, 2, 3]), "end in the shape"),
        (lambda: who.conditional_probabilities([1, 2], [0, 1]), "3 cells"),
        (lambda: who.joint([1, 2], [[1, 1], [0, 1]]), "sum to 1"),
        (lambda: who.joint([1, 2], [[1, 0]]), "row for"),
        (lambda: who.joint([0, 0], np.eye(2)), "N = 0"),
        (lambda: who.pram_probability([300] * 4, [300] * 4, np.eye(4)), "sub-tables"),
        (lambda: who.second_term_bound(0, 0, 1, 1), "above 0"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_mixture_leaves_out_tables_without_people_or_probability():
    some = [[0, 2, 4], [0, 3, 3]]
    with_impossible = who.mixture([0, 2, 4], [*some, [9, 0, 0]], [0.5, 0.5, 0])
    np.testing.assert_allclose(with_impossible, who.mixture([0, 2, 4], some, [0.5, 0.5]))
    with_empty = who.mixture([0, 2, 4], [*some, [0, 0, 0]], [0.3, 0.3, 0.4])
    np.testing.assert_allclose(with_empty, who.mixture([0, 2, 4], some, [0.5, 0.5]))
    np.testing.assert_allclose(
        who.mixture([0, 2, 4], [*some, [0, 0, 0]], closest=False), who.mixture([0, 2, 4], some, closest=False)
    )
    with pytest.raises(ValueError, match="N = 0 or M = 0"):
        who.mixture([0, 2, 4], [[0, 0, 0]])
