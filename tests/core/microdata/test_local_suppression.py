"""Local suppression: k-anonymity counted independently, Totter's Table 5, and few blanks."""

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from test_keys import TOY, by_hand

from sdcwidgets.core.microdata.keys import partial_frequencies
from sdcwidgets.core.microdata.population import people
from sdcwidgets.core.microdata.suppression import suppress


def test_table_5_the_same_six_values_as_printed():
    found = suppress(TOY[:12], 3)
    printed = TOY[:12].copy()
    printed[[3, 7], 1] = -1
    printed[[3, 5, 7, 10], 2] = -1
    assert found.tolist() == printed.tolist()
    assert (found == -1).sum(axis=0).tolist() == [0, 2, 4]


@given(
    arrays(np.int8, st.tuples(st.integers(4, 30), st.integers(1, 4)), elements=st.integers(-1, 4)),
    st.integers(1, 4),
)
def test_every_record_may_have_the_same_key_as_k_records(codes, k):
    found = suppress(codes, k)
    assert by_hand(found).min() >= k
    kept = found != -1
    assert (found[kept] == codes[kept]).all()


def counted_by_sdcmicro(codes, alpha):
    """Count pair by pair: who shows the same, who misses nothing, and who misses a value and counts alpha."""
    found = []
    for one in codes:
        alike = [
            other for other in codes if all(a == b or -1 in (a, b) for a, b in zip(one, other, strict=True))
        ]
        found.append(sum(1 if (other == one).all() or -1 not in other else alpha for other in alike))
    return np.array(found)


@given(
    arrays(np.int8, st.tuples(st.integers(2, 20), st.integers(1, 3)), elements=st.integers(-1, 2)),
    st.floats(0, 1),
)
def test_a_partial_frequency_is_that_of_a_count_pair_by_pair(codes, alpha):
    np.testing.assert_allclose(partial_frequencies(codes, alpha), counted_by_sdcmicro(codes, alpha))


@pytest.mark.parametrize(
    ("alpha", "printed"), [(1, [3, 3, 3, 3, 5]), (0.4, [2.4, 2.4, 2.4, 2.4, 5]), (0, [2, 2, 2, 2, 5])]
)
def test_the_figures_in_the_tests_of_sdcmicro(alpha, printed):
    """Region, status and age of its test_freqCalc.R, where the widow's status was blanked."""
    codes = [[0, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 0], [0, -1, 0]]
    assert partial_frequencies(codes, alpha).tolist() == printed


@given(
    arrays(np.int8, st.tuples(st.integers(6, 20), st.integers(1, 3)), elements=st.integers(0, 3)),
    st.floats(0.3, 1),
)
def test_with_alpha_a_match_by_a_blank_counts_for_less(codes, alpha):
    assert counted_by_sdcmicro(suppress(codes, 2, alpha=alpha), alpha).min() >= 2 - 1e-9


@given(arrays(np.int8, (20, 2), elements=st.integers(0, 1)))
def test_a_file_that_is_k_anonymous_is_left_as_it_is(codes):
    k = int(by_hand(codes).min())
    assert suppress(codes, k).tolist() == codes.tolist()


def fewest(codes, k):
    places = list(np.ndindex(*codes.shape))
    for number in range(len(places) + 1):
        for chosen in combinations(places, number):
            blank = codes.copy()
            blank[tuple(np.array(chosen, dtype=int).reshape(-1, 2).T)] = -1
            if by_hand(blank).min() >= k:
                return number
    raise AssertionError


def test_there_are_few_blanks_beside_the_fewest_possible():
    rng = np.random.default_rng(0)
    files = [rng.integers(0, 3, (5, 3)) for _ in range(12)]
    ours = sum(int((suppress(file, 2) == -1).sum()) for file in files)
    best = sum(fewest(file, 2) for file in files)
    assert best <= ours <= 1.5 * best


def test_a_file_of_thousands_is_k_anonymous_after_it_with_missing_values_in_it():
    made = people(4000, np.random.default_rng(2))
    codes = np.column_stack([made.region, made.size, made.age // 5, made.sex])
    codes[np.random.default_rng(3).random(codes.shape) < 0.02] = -1
    found = suppress(codes, 3)
    assert by_hand(found).min() >= 3
    assert 0 < (found == -1).sum() - (codes == -1).sum() < 0.1 * codes.size


def test_an_important_variable_is_kept_if_another_will_do():
    codes = np.array([[0, 0], [0, 0], [0, 0], [1, 0], [0, 1]])
    keep_first, keep_second = suppress(codes, 2, [0, 1]), suppress(codes, 2, [1, 0])
    assert by_hand(keep_first).min() >= 2
    assert by_hand(keep_second).min() >= 2
    twins = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    assert (suppress(twins, 2, [0, 1])[:, 0] != -1).all()
    assert (suppress(twins, 2, [1, 0])[:, 1] != -1).all()


@pytest.mark.parametrize(
    ("k", "importance", "told"),
    [
        (0, None, "to 12, the number of records"),
        (13, None, "to 12, the number of records"),
        (2, [0, 0, 1], "each of the 3"),
    ],
)
def test_what_cannot_be_done_is_refused(k, importance, told):
    with pytest.raises(ValueError, match=told):
        suppress(TOY[:12], k, importance)


@pytest.mark.parametrize("alpha", [0.0, 0.05, 1.5])
def test_an_alpha_with_which_nothing_helps_is_refused(alpha):
    with pytest.raises(ValueError, match="alpha is"):
        suppress(TOY[:12], 3, alpha=alpha)


def test_the_least_alpha_that_is_told_will_do():
    with pytest.raises(ValueError, match="it must be from") as refused:
        suppress(TOY[:12], 3, alpha=0.05)
    least = float(re.search("from ([0-9.]+) to 1", str(refused.value))[1])
    assert partial_frequencies(suppress(TOY[:12], 3, alpha=least + 5e-4), least + 5e-4).min() >= 3
