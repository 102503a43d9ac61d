"""How well blanks hide: every record beside every other, one value after the other, and an intruder who tries."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from test_keys import TOY, by_hand

from sdcwidgets.core.microdata.class_sizes import hiding, shares_of
from sdcwidgets.core.microdata.keys import frequencies
from sdcwidgets.core.microdata.population import people
from sdcwidgets.core.microdata.suppression import suppress


def one_by_one(published, truth, shares):
    """The odds of each record against each person's own, and what follows of them."""
    alike, odds, best = [], [], []
    for shown, x in zip(published, truth, strict=True):
        ratios = []
        for other in published:
            ratio = known = 1.0
            for v, value in enumerate(other):
                if x[v] == -1:
                    known *= 1.0 if value == -1 else shares[v][value]
                    continue
                own = shares[v][x[v]] if shown[v] == -1 else 1.0
                ratio *= (shares[v][x[v]] if value == -1 else float(value == x[v])) / own
            ratios.append((ratio, known))
        alike.append(sum(min(1.0, ratio) * known for ratio, known in ratios))
        odds.append(1 / sum(ratio * known for ratio, known in ratios))
        top = max(ratio for ratio, known in ratios if known > 0)
        best.append(
            0.0 if top > 1 + 1e-9 else 1 / sum(known for ratio, known in ratios if abs(ratio - 1) < 1e-9)
        )
    return np.array(alike), np.array(odds), np.array(best)


files = arrays(np.int8, st.tuples(st.integers(1, 14), st.integers(1, 4)), elements=st.integers(-1, 3))


@given(files, st.integers(0, 2**32 - 1))
def test_a_blank_counts_its_share_in_every_pair_of_records(truth, seed):
    published = np.where(np.random.default_rng(seed).random(truth.shape) < 0.3, -1, truth)
    shares = shares_of(truth)
    found = hiding(published, truth)
    alike, odds, best = one_by_one(published.tolist(), truth.tolist(), shares)
    np.testing.assert_allclose(found.alike, alike, rtol=1e-9)
    np.testing.assert_allclose(found.by_odds, odds, rtol=1e-9)
    np.testing.assert_allclose(found.by_best, best, rtol=1e-9)


@given(files, st.integers(0, 2**32 - 1))
def test_it_is_at_most_the_count_in_which_a_blank_matches_all_and_without_blanks_the_same(truth, seed):
    published = np.where(np.random.default_rng(seed).random(truth.shape) < 0.3, -1, truth)
    found = hiding(published, truth)
    assert (found.alike <= frequencies(published) + 1e-9).all()
    assert (found.alike >= 1).all()
    assert (found.by_odds <= 1 / found.alike + 1e-12).all()
    whole = np.maximum(truth, 0)
    assert hiding(whole).alike.tolist() == by_hand(whole).tolist()
    assert hiding(whole).by_best.tolist() == pytest.approx((1 / by_hand(whole)).tolist())


@given(files, st.integers(0, 2**32 - 1))
def test_weights_of_one_size_weigh_all_alike(truth, seed):
    published = np.where(np.random.default_rng(seed).random(truth.shape) < 0.3, -1, truth)
    found = hiding(published, truth, weights=np.full(len(truth), 7.0))
    np.testing.assert_allclose(found.weighted, 7 * found.alike)
    rng = np.random.default_rng(seed)
    whole, weights = np.maximum(truth, 0), rng.uniform(1, 9, len(truth))
    np.testing.assert_allclose(hiding(whole, weights=weights).weighted, by_hand(whole, weights))


def tried(published, truth, shares, rng):
    """Look for each person once: the likeliest record, by lot among equals. How many are found."""
    right = 0
    for person, x in enumerate(truth):
        weight = np.ones(len(published))
        for v, column in enumerate(published.T):
            weight *= np.where(column == -1, shares[v][x[v]], column == x[v])
        best = np.flatnonzero(weight >= weight.max() * (1 - 1e-9))
        right += rng.choice(best) == person
    return right


def test_an_intruder_who_tries_fifty_times_finds_as_many_as_are_told():
    made = people(300, np.random.default_rng(4))
    truth = np.column_stack([made.size, made.age // 5, made.sex, made.citizenship])
    published = suppress(truth, 3)
    shares = shares_of(truth)
    told = hiding(published, truth)
    found = [tried(published, truth, shares, np.random.default_rng(seed)) for seed in range(50)]
    spread = np.sqrt((told.by_best * (1 - told.by_best)).sum() / 50)
    assert abs(np.mean(found) - told.by_best.sum()) < 4 * spread + 1e-9
    assert np.mean(found) <= told.right + 4 * spread


def test_the_german_woman_of_totters_table_5_is_found_whatever_is_blank():
    published = TOY[:12].copy()
    published[[3, 7], 1] = -1
    published[[3, 5, 7, 10], 2] = -1
    assert frequencies(published).min() >= 3
    found = hiding(published, TOY[:12])
    assert found.alike.round(3).tolist()[7] == 1.0
    assert found.by_best[7] == 1.0
    assert found.right == pytest.approx(one_by_one(published, TOY[:12], shares_of(TOY[:12]))[2].sum())


@pytest.mark.parametrize(
    ("published", "truth", "told"),
    [
        ([[0, 1]], [[0, 2]], "neither suppressed"),
        ([[0, 1]], [[0, 1], [1, 1]], r"original values have the shape \(2, 2\)"),
    ],
)
def test_what_is_not_the_same_file_is_refused(published, truth, told):
    with pytest.raises(ValueError, match=told):
        hiding(published, truth)
