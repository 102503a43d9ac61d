"""Census risk measures, against their definitions told in plain loops and against the printed examples."""

from itertools import combinations
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sdcwidgets.core.risk import census, intruder

tables = st.tuples(st.integers(1, 4), st.integers(2, 4)).flatmap(
    lambda shape: hnp.arrays(np.int64, shape, elements=st.sampled_from([0, 0, 0, 1, 1, 2, 5]))
)


def stars(F, G):
    """GAD* and WGAD* by rows, as printed: shares and numbers of rows."""
    results = []
    for populated in (1, 2):
        rows = [i for i, row in enumerate(F) if np.sum(row > 0) == populated and (populated == 1 or 1 in row)]
        kept = [i for i in rows if ((F[i] > 0) == (G[i] > 0)).all() and (populated == 1 or 1 in G[i])]
        results.append((len(kept) / len(rows) if rows else 0, len(rows)))
    return results


@given(tables, st.integers(0, 2**32 - 1))
def test_group_disclosure_from_counts_is_the_printed_definition(F, seed):
    G = np.random.default_rng(seed).permuted(np.stack([F] * 3), axis=2)
    gad, wgad = census.gad(F, G, axis=1), census.wgad(F, G, axis=1)
    for r in range(3):
        wanted = stars(F, G[r])
        assert [(gad.value[r], gad.cases[r]), (wgad.value[r], wgad.cases[r])] == wanted
    turned = census.gad(F.T, G.transpose(0, 2, 1), axis=0)
    np.testing.assert_array_equal(turned.value, gad.value)


def test_group_disclosure_of_followed_people_needs_the_same_people():
    F = np.array([[4, 0, 0], [3, 1, 0], [2, 2, 0]])
    same = census.gad(F, F, axis=1, stayed=F)
    swapped = census.gad(F, F, axis=1, stayed=F - [[1, 0, 0], [0, 0, 0], [0, 0, 0]])
    assert (float(same), float(swapped)) == (1, 0)
    assert float(census.wgad(F, F, axis=1, stayed=F)) == 1
    assert float(census.wgad(F, F, axis=1, stayed=F - [[0, 0, 0], [0, 1, 0], [0, 0, 0]])) == 0
    # More people in the cell are not the same people, though the counts alone show no difference.
    assert float(census.gad(F, F + [[1, 0, 0]] * 3, axis=1, stayed=F)) == 0
    assert float(census.gad(F, F + [[1, 0, 0]] * 3, axis=1)) == 1


def test_a_share_of_no_rows_is_0_and_says_so():
    gad = census.gad([[1, 2], [3, 4]], [[[1, 2], [3, 4]]], axis=1)
    assert (gad.value.tolist(), gad.cases.tolist()) == ([0], [0])


@given(tables)
def test_frank_and_the_handbook_agree(F):
    one, two, three = np.moveaxis(census.frank_scenarios(F), -1, 0)
    assert np.all(two <= three)
    np.testing.assert_array_equal(one, F.sum(axis=-1) == 1)
    np.testing.assert_array_equal(three, (np.sum(F > 0, axis=-1) == 2) & np.any(F == 1, axis=-1))


@given(tables, st.integers(0, 3))
def test_a_directly_disclosive_cell_leaves_at_most_k_others(F, k):
    flags = census.directly_disclosive(F, k, sensitive=1)
    wanted = [[sum(row) > k and c > 0 and sum(row) - k <= c for c in row] for row in F.tolist()]
    assert flags.tolist() == wanted
    either = census.directly_disclosive(F, k)
    np.testing.assert_array_equal(either, flags | census.directly_disclosive(F, k, sensitive=0))
    # A greater coalition learns no less of the lines that hold others besides.
    others = F.sum(axis=1, keepdims=True) > k + 1
    assert np.all(flags & others <= census.directly_disclosive(F, k + 1, sensitive=1))


@given(tables, st.integers(0, 3), st.integers(0, 4))
def test_empty_lines_disclose_nothing_to_a_coalition(F, k, place):
    """An empty row and an empty column add no disclosive cell."""
    wider = np.insert(np.insert(F, min(place, F.shape[0]), 0, axis=0), min(place, F.shape[1]), 0, axis=1)
    assert census.directly_disclosive(wider, k).sum() == census.directly_disclosive(F, k).sum()
    assert not census.directly_disclosive(np.zeros_like(F), k).any()


@given(st.lists(st.integers(0, 200), min_size=1, max_size=6))
def test_frank_bound_is_the_printed_formula(F):
    assert census.frank_bound(F) == pytest.approx(log(1 + sum(2**c - 1 for c in F)), abs=1e-12)
    assert census.frank_bound(F) <= sum(F) * log(2) + 1e-12


def test_frank_bound_of_large_counts_does_not_overflow():
    assert census.frank_bound([[10**6, 3], [1, 1]], axis=1).tolist() == pytest.approx(
        [10**6 * log(2), log(3)]
    )


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 3), min_size=1, max_size=4), st.integers(0, 12))
def test_sap_counts_the_sets_that_empty_a_cell(F, known):
    people = [cell for cell, count in enumerate(F) for _ in range(count)]
    known = min(known, len(people))
    sets = list(combinations(range(len(people)), known))
    emptied = [
        any(sum(people[i] == cell for i in chosen) == count for cell, count in enumerate(F))
        for chosen in sets
    ]
    assert census.sap(F, known) == pytest.approx(np.mean(emptied))


def test_sap_grows_with_what_the_intruder_knows():
    F = [1, 4, 7, 30, 30, 200]
    chances = [census.sap(F, known) for known in range(0, 60, 5)]
    assert chances == sorted(chances)
    assert chances[1] == pytest.approx(5 / sum(F), rel=0.01)
    assert census.sap([0, 4], 0) == 1
    assert census.sap([3, 4], 7) == 1


def test_simple_measures():
    F = [[0, 1, 2], [3, 9, 0]]
    assert census.small_cells(F, axis=1) == pytest.approx([2 / 3, 0])
    assert census.mean_cell_size(F, axis=1).tolist() == [1, 4]


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="end in the shape"):
        census.gad([[1, 2]], [[1, 2, 3]])
    with pytest.raises(ValueError, match="0 or more"):
        census.directly_disclosive([1, 2], -1)
    with pytest.raises(ValueError, match="from 0 to 3, not 4"):
        census.sap([1, 2], 4)


@pytest.mark.parametrize("known", [0, 1, 3, 6])
def test_subtraction_of_many_tables_is_that_of_each(known):
    tables = np.random.default_rng(known).integers(0, 7, (30, 4)) + (np.arange(30) % 2)[:, None]
    for table, value in zip(tables, intruder.sap_slices(tables, known), strict=True):
        assert np.isnan(value) if table.sum() < known else np.isclose(value, census.sap(table, known))


@pytest.mark.parametrize("known", [1, 10, 20])
def test_subtraction_stays_exact_for_large_counts(known):
    table = np.random.default_rng(0).integers(1, 1000, 90)
    assert float(intruder.sap_slices(table, known)) == pytest.approx(census.sap(table, known), abs=1e-9)
