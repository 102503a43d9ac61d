"""Minimal sample uniques and their score against brute force."""

from itertools import combinations
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from test_keys import by_hand

from sdcwidgets.core.microdata.suda import dis_scores, special_uniques

files = arrays(np.int8, st.tuples(st.integers(1, 14), st.integers(1, 5)), elements=st.integers(0, 3))


def brute(codes, largest):
    """Every record, every set of variables, every part of it."""
    n, q = codes.shape
    score = np.zeros(n)
    found = [set() for _ in range(n)]
    for record in range(n):
        for size in range(1, largest + 1):
            for chosen in combinations(range(q), size):
                parts = [part for less in range(1, size + 1) for part in combinations(chosen, less)]
                alone = [by_hand(codes[:, part])[record] == 1 for part in parts]
                if alone[-1] and not any(alone[:-1]):
                    found[record].add(chosen)
                    weight = 1
                    for i in range(size, min(largest, q - 1) + 1):
                        weight *= q - i
                    score[record] += weight
    return score, found


@given(files)
def test_sets_and_scores_are_those_of_brute_force(codes):
    result = special_uniques(codes)
    score, found = brute(codes, codes.shape[1])
    assert result.score.tolist() == score.tolist()
    for record, sets in enumerate(found):
        assert {result.sets[place] for place in np.flatnonzero(result.minimal[record])} == sets
    assert result.number.tolist() == [len(sets) for sets in found]


@given(files, st.data())
def test_small_sets_only_and_missing_values(codes, data):
    largest = data.draw(st.integers(1, codes.shape[1]))
    blank = codes.copy()
    blank[codes == 3] = -1
    assert special_uniques(blank, largest).score.tolist() == brute(blank, largest)[0].tolist()


@pytest.mark.parametrize("q", [2, 3, 4, 5])
def test_one_variable_that_makes_unique_scores_the_number_of_ways_to_all_of_them(q):
    codes = np.zeros((3, q), dtype=int)
    codes[0, 0] = 1
    assert special_uniques(codes).score.tolist() == [factorial(q - 1), 0, 0]


@given(files)
def test_contributions_are_shares_and_name_what_the_sets_hold(codes):
    result = special_uniques(codes)
    assert ((result.contribution >= 0) & (result.contribution <= 1 + 1e-12)).all()
    holds = np.array([[v in chosen for v in range(codes.shape[1])] for chosen in result.sets])
    assert ((result.contribution > 0) == (result.minimal.astype(int) @ holds > 0)).all()


@pytest.mark.parametrize(
    ("codes", "largest", "told"), [(np.zeros((2, 17), int), None, "at most 16"), ([[0, 1]], 3, "from 1 to 2")]
)
def test_what_cannot_be_searched_is_refused(codes, largest, told):
    with pytest.raises(ValueError, match=told):
        special_uniques(codes, largest)


@given(files, st.floats(0.01, 1))
def test_dis_scores_are_probabilities_in_the_order_of_the_scores(codes, fraction):
    found, f = special_uniques(codes), by_hand(codes)
    dis = dis_scores(found.score, f, fraction, codes.shape[1])
    assert ((dis >= 0) & (dis <= 1)).all()
    assert ((dis > 0) == (found.score > 0)).all()
    order = np.argsort(found.score)
    assert (np.diff(dis[order]) >= -1e-12).all()
    unique, paired = (f == 1).sum(), (f == 2).sum()
    if unique and len(set(found.score[found.score > 0])) == 1:
        # With one score for all each has the probability of the whole file.
        whole = unique * fraction / (unique * fraction + paired * (1 - fraction))
        np.testing.assert_allclose(dis[f == 1], whole)


def test_dis_scores_as_sdcmicro_computes_them():
    """The C++ of sdcMicro 5.7 (Suda2.h), written out for one file: U = 3, P = 2, scores 6, 4, 2, four variables."""
    U, P, delta, scores, Q = 3, 2, 0.05, (6.0, 4.0, 2.0), 1 + (8 - 4) / 20
    whole = U * delta / (U * delta + P * (1 - delta))
    factor = sum(1 / s**Q for s in scores)
    wanted = [1 / (1 + (U / whole - U) / (s**Q * factor)) for s in scores]
    found = dis_scores([6, 0, 4, 2, 0], [1, 2, 1, 1, 2], delta, 4)
    np.testing.assert_allclose(found[[0, 2, 3]], wanted)


@pytest.mark.parametrize("fraction", [0, 1.5, float("nan")])
def test_a_fraction_that_is_none_is_refused(fraction):
    with pytest.raises(ValueError, match="at most 1"):
        dis_scores([1.0], [1], fraction, 2)
