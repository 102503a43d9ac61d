"""Blanks in groups: k counted by brute force, few and cheap blanks, and what an intruder still finds."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from test_class_sizes import one_by_one, tried
from test_keys import TOY

from sdcwidgets.core.microdata.class_sizes import hiding, shares_of
from sdcwidgets.core.microdata.grouped_suppression import blank_out
from sdcwidgets.core.microdata.population import people

files = arrays(np.int8, st.tuples(st.integers(4, 24), st.integers(1, 4)), elements=st.integers(0, 3))


def as_likely(published, truth):
    """How many records are at least as likely as each person's own, whatever the shares: by pairs."""
    z, x = np.asarray(published), np.asarray(truth)
    counts = np.zeros(len(z), dtype=int)
    for row in range(len(z)):
        counts[row] = ((z == x[row]) | ((z == -1) & (z[row] == -1))).all(axis=1).sum()
    return counts


@given(files, st.integers(1, 4))
def test_whatever_the_shares_k_records_are_as_likely(truth, k):
    found = blank_out(truth, k)
    assert as_likely(found.tolist(), truth.tolist()).min() >= k
    kept = found != -1
    assert (found[kept] == truth[kept]).all()
    assert hiding(found, truth).right <= len(truth) / k + 1e-9


@given(arrays(np.int8, st.tuples(st.integers(4, 20), st.integers(1, 4)), elements=st.integers(-1, 3)))
def test_with_gaps_in_the_file_each_is_hidden_by_two(truth):
    found = blank_out(truth, 2)
    alike, _, _ = one_by_one(found.tolist(), truth.tolist(), shares_of(truth))
    assert alike.min() >= 2 - 1e-9


@given(arrays(np.int8, (16, 4), elements=st.integers(0, 2)), st.integers(1, 3))
def test_each_set_of_so_many_keys_is_hidden_and_costs_no_more_than_all(truth, known):
    found = blank_out(truth, 2, known=known)
    for chosen in combinations(range(4), known):
        assert hiding(found[:, chosen], truth[:, chosen]).alike.min() >= 2 - 1e-9


@given(arrays(np.int8, (20, 3), elements=st.integers(0, 2)))
def test_fixed_values_stay_and_each_is_hidden_within_them(truth):
    truth[:, 0] = np.arange(20) % 4
    found = blank_out(truth, 3, fixed=[0])
    assert (found[:, 0] == truth[:, 0]).all()
    for stratum in range(4):
        rows = truth[:, 0] == stratum
        assert as_likely(found[rows].tolist(), truth[rows].tolist()).min() >= 3


def cheapest(truth, k, costs):
    """The least cost over all ways to blank, by trying them all."""
    records, q = truth.shape
    ways = [set_ for size in range(q + 1) for set_ in combinations(range(q), size)]
    price = [sum(costs[v] for v in way) for way in ways]
    best = [np.inf]

    def go(array, row, cost):
        if cost >= best[0]:
            return
        if row == records:
            if hiding(array, truth, shares_of(truth)).alike.min() >= k - 1e-9:
                best[0] = cost
            return
        for way, extra in zip(ways, price, strict=True):
            new = array.copy()
            new[row, list(way)] = -1
            go(new, row + 1, cost + extra)

    start = blank_out(truth, k, costs=costs)
    best[0] = float(((start == -1) * np.array(costs)).sum()) + 1e-9
    go(truth.copy(), 0, 0.0)
    return best[0]


@pytest.mark.slow
@pytest.mark.parametrize("costs", [(1, 1), (3, 1)])
def test_the_blanks_cost_little_more_than_the_least_possible(costs):
    rng = np.random.default_rng(0)
    tried_files = [rng.integers(0, 3, (6, 2)) for _ in range(12)]
    ours = sum(float(((blank_out(f, 2, costs=costs) == -1) * np.array(costs)).sum()) for f in tried_files)
    best = sum(cheapest(f, 2, costs) for f in tried_files)
    assert best - 1e-6 <= ours <= 1.15 * best


def test_a_dear_variable_is_kept_where_another_will_do():
    truth = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    assert (blank_out(truth, 2, costs=[1, 9])[:, 1] != -1).all()
    assert (blank_out(truth, 2, costs=[9, 1])[:, 0] != -1).all()


def test_only_some_records_are_touched():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 5, (200, 3))
    only = rng.random(200) < 0.4
    found = blank_out(truth, 3, only=only)
    assert (found[~only] == truth[~only]).all()
    needy = only & (hiding(truth).alike < 3)
    assert hiding(found, truth).alike[needy].min() >= 3
    assert (found[only & ~needy] == truth[only & ~needy]).mean() > 0.9
    few = np.zeros(200, dtype=bool)
    few[np.flatnonzero(needy)[:2]] = True
    assert (
        blank_out(truth, 3, only=few)[few] == -1
    ).all()  # two can't be hidden by three: all that can be done


def eusilc_like(seed, records=400):
    made = people(records, np.random.default_rng(seed))
    return np.column_stack([made.size, made.age // 3, made.sex, made.citizenship]).astype(np.int64)


@pytest.mark.slow
def test_over_fifty_seeds_an_intruder_is_right_no_more_often_than_told():
    found, told, spread = 0, 0.0, 0.0
    for seed in range(50):
        truth = eusilc_like(seed)
        published = blank_out(truth, 3)
        hidden = hiding(published, truth)
        assert as_likely(published.tolist(), truth.tolist()).min() >= 3
        assert hidden.right <= len(truth) / 3
        found += tried(published, truth, shares_of(truth), np.random.default_rng(seed))
        told += hidden.right
        spread += float((hidden.by_best * (1 - hidden.by_best)).sum())
    assert found <= told + 3 * np.sqrt(spread)


def test_shares_of_a_population_help_an_intruder_no_further_than_one_in_k():
    population = eusilc_like(1000, 20_000)
    for seed in range(5):
        truth = population[np.random.default_rng(seed).choice(len(population), 500, replace=False)]
        published = blank_out(truth, 3)
        by_population = hiding(published, truth, shares_of(population))
        assert by_population.alike.min() >= 3 - 1e-9
        assert by_population.by_best.max() <= 1 / 3 + 1e-9


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"k": 0}, "is (0|13);.*12"),
        ({"k": 13}, "is (0|13);.*12"),
        ({"costs": [1, 0, 1]}, "3 costs.* above 0"),
        ({"costs": [1, 1]}, "3 costs.* above 0"),
        ({"known": 4}, "from 1 to 3, not 4"),
        ({"fixed": [0, 1, 2]}, "0 key variables.*1 to 12"),
        ({"fixed": [1]}, "has the same fixed values"),
    ],
)
def test_what_cannot_be_done_is_refused(how, told):
    with pytest.raises(ValueError, match=told):
        blank_out(TOY[:12], **{"k": 2, **how})
