"""The risk of flexible table generators against the print, laws and a plain loop."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets.core.risk import flexible, population

#: Shlomo, Antal and Elliot 2015, Tables 2, 5: people, cells, cells of 0 to 5, risk before and after rounding to base 3.
PRINTED = {
    1: (854_539, 2457, (1534, 44, 35, 27, 20, 17), 0.318, 0.135),
    2: (645_461, 210, (49, 14, 2, 5, 4, 1), 0.248, 0.072),
    3: (736_355, 585, (275, 16, 9, 3, 9, 5), 0.339, 0.127),
    4: (96_656, 234, (84, 9, 4, 6, 1, 4), 0.298, 0.105),
}

tables = st.lists(st.integers(0, 40), min_size=2, max_size=30).filter(any)


def rounding(largest, base=3):
    counts = np.arange(largest + 1)
    down, chance = counts // base * base, counts % base / base
    return counts, np.stack([down, down + base], axis=1), np.stack([1 - chance, chance], axis=1)


def by_loop(cells):
    people = sum(cells)
    if people == 0:
        return 0.0
    if len(cells) == 1:
        return 1.0
    entropy = -sum(x / people * math.log(x / people) for x in cells if x)
    return 1 - entropy / math.log(len(cells))


@given(tables, st.integers(1, 20))
def test_terms_are_those_of_a_plain_loop(counts, split):
    small = [x for x in counts if x <= split]
    large = [x for x in counts if x > split]
    root = math.sqrt(sum(counts))
    expected = [counts.count(0) / len(counts), by_loop(small), by_loop(large), (1 + math.log(root)) / root]
    np.testing.assert_allclose(flexible.terms(counts, split=split), expected, atol=1e-12)


@given(tables)
def test_every_term_is_a_share_and_order_does_not_matter(counts):
    terms = flexible.terms(counts)
    assert np.all((terms >= 0) & (terms <= 1))
    np.testing.assert_allclose(flexible.terms(counts[::-1]), terms, atol=1e-12)


@given(st.lists(st.integers(0, 6), min_size=2, max_size=30).filter(any))
def test_a_table_of_small_counts_has_the_terms_of_population_risk(counts):
    zeros, unevenness, size = population.terms(counts)
    np.testing.assert_allclose(flexible.terms(counts), [zeros, unevenness, 0, size], atol=1e-12)


@given(tables, st.integers(0, 100))
def test_empty_cells_need_not_be_listed(counts, more):
    whole = counts + [0] * more
    listed = [x for x in counts if x]
    np.testing.assert_allclose(flexible.terms(listed, cells=len(whole)), flexible.terms(whole), atol=1e-12)
    published = [x // 3 * 3 for x in counts]
    spread = rounding(40)
    pairs = [(f, g) for f, g in zip(counts, published, strict=True) if f]
    np.testing.assert_allclose(
        flexible.terms_after(*zip(*pairs, strict=True), spread, cells=len(whole)),
        flexible.terms_after(whole, published + [0] * more, spread),
        atol=1e-12,
    )


@given(tables)
def test_nothing_changed_and_everybody_sure_leaves_the_risk(counts):
    known = np.arange(41)
    spread = known, known[:, np.newaxis], np.ones((41, 1))
    np.testing.assert_allclose(
        flexible.terms_after(counts, counts, spread), flexible.terms(counts), atol=1e-12
    )


@given(tables, st.randoms(use_true_random=False))
def test_rounding_never_raises_a_term(counts, random):
    spread = rounding(40)
    published = [x // 3 * 3 + 3 * (random.random() < x % 3 / 3) for x in counts]
    after = flexible.terms_after(counts, published, spread)
    before = flexible.terms(counts)
    assert after[0] <= before[0] + 1e-12
    assert after[3] == before[3]


def test_expected_counts_of_the_printed_example():
    # Section 4.2: zeros hold [1 n1 2/3 + 2 n2 1/3]/n'0, threes [n1/3 + 4 n2/3 + 3 n3 + 8 n4/3 + 5 n5/3]/n'3.
    n = {0: 5, 1: 7, 2: 4, 3: 6, 4: 3, 5: 2}
    counts = np.repeat(list(n), list(n.values()))
    published = np.where(counts >= 2, 3, 0)
    values, times, expected = flexible.expected_counts(counts, published, rounding(5))
    zeros = (7 * 2 / 3 + 2 * 4 / 3) / 12
    threes = (7 / 3 + 2 * 4 * 2 / 3 + 3 * 6 + 4 * 3 * 2 / 3 + 5 * 2 / 3) / 15
    assert values.tolist() == [0, 3]
    assert times.tolist() == [12, 15]
    np.testing.assert_allclose(expected, [zeros, threes])


@pytest.mark.parametrize("table", PRINTED)
@pytest.mark.parametrize("sixes", [2, 4, 8])
def test_the_printed_risks_fit_this_reading_of_the_split(table, sixes):
    """The risk before gives what the print leaves out, the evenness of large counts; the one after checks it."""
    people, cells, small, before, after = PRINTED[table]
    zeros = small[0] / cells
    size = (1 + math.log(people) / 2) / math.sqrt(people)
    number = np.array([*small, sixes, sixes, sixes])  # cells of 0 to 8
    uneven = flexible.terms(np.repeat(np.arange(7), number[:7]))[1]
    large = (before - 0.1 * zeros - 0.7 * uneven - 0.1 * size) / 0.1
    assert 0 < large < 1
    # Rounded in expectation: how many cells become 0, 3 and 6, and the people behind each.
    counts = np.arange(9)
    down, up = counts // 3 * 3, counts % 3 / 3
    published = np.bincount(np.append(down, down + 3), np.append(number * (1 - up), number * up))[[0, 3, 6]]
    behind = np.bincount(
        np.append(down, down + 3), np.append(counts * number * (1 - up), counts * number * up)
    )[[0, 3, 6]]
    entropy = math.log(behind.sum()) - behind @ np.log(behind / published) / behind.sum()
    uneven_after = 1 - entropy / math.log(published.sum())
    zeros_after = zeros ** (published[0] / small[0])
    found = 0.1 * zeros_after + (0.7 * uneven_after + 0.1 * large) / 3 + 0.1 * size
    assert found == pytest.approx(after, abs=0.006)


@pytest.mark.parametrize("table", PRINTED)
def test_two_shares_that_add_up_cannot_be_meant(table):
    _, cells, small, before, _ = PRINTED[table]
    # Of x2 = sum of p (log K + log p)/log K the small counts have at most 0, and x2 is at most 1.
    assert 0.1 * small[0] / cells + 0.1 + 0.01 < before


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: flexible.terms([0, 0]), "without people"),
        (lambda: flexible.terms([1, 2, 3], cells=2), "stated number of cells, which is 2"),
        (lambda: flexible.terms_after([1, 2], [1], rounding(3)), "same cells"),
        (lambda: flexible.terms_after([1, 9], [0, 9], rounding(3)), "transition probabilities"),
        (lambda: flexible.risk([0, 0, 0, 0], (1, 1, 0, 0)), "sum 1"),
        (lambda: flexible.risk([0, 0, 0, 0], (0.8, 0.8, -0.6, 0)), "sum 1"),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
