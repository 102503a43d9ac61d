"""Merged categories: what is lost, and that it is the least."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdcwidgets import FrequencyTable, InputError, examples, methods
from sdcwidgets.core.information import entropy
from sdcwidgets.methods.redesign import merge, redesign, redesign_all

AGES = FrequencyTable(
    [[1, 4], [2, 3], [9, 9], [0, 1]], {"Age": ["0-4", "5-9", "10-19", "20+"], "Sex": ["Male", "Female"]}
)


def test_merged_counts_are_sums_and_exact():
    release = merge(AGES, "Age", {"young": ["0-4", "5-9"]})
    assert release.exact
    assert release.regroup(AGES).counts.tolist() == release.cells.tolist() == [[3, 7], [9, 9], [0, 1]]


def test_notes_name_the_members_of_merged_categories():
    groups = {"young": ["0-4", "5-9"], "10-19 + 20+": ["10-19", "20+"]}
    notes = merge(AGES, "Age", groups).notes
    named = [note for note in notes if '"young"' in note]
    assert len(named) == 1
    assert all(f'"{label}"' in named[0] for label in groups["young"])
    assert not [note for note in notes if "10-19 + 20+" in note]  # the label names both
    towns = FrequencyTable([[1, 1, 1, 1, 1, 1]], {"Sex": ["f"], "Town": list("abcdef")})
    everything = methods.get("redesign")("Town", together=[list("abcde")]).release(towns, 1)
    assert [note for note in everything.notes if all(f'"{label}"' in note for label in "abcde")]
    for release in (redesign(towns, "Town", 3), redesign_all(towns, 3)):
        assert [note for note in release.notes if '"b"' in note]


@settings(max_examples=40)
@given(
    counts=arrays(np.int64, (5, 2), elements=st.integers(0, 9)),
    smallest=st.integers(1, 6),
    zeros=st.booleans(),
)
def test_no_other_cut_loses_less(counts, smallest, zeros):
    table, best = FrequencyTable(counts), np.inf
    for cuts in itertools.product([False, True], repeat=4):
        parts = np.split(counts, np.flatnonzero(cuts) + 1)
        sums = np.array([part.sum(axis=0) for part in parts])
        if ((sums >= smallest) | ((sums == 0) & zeros)).all() and counts.sum():
            best = min(best, entropy(counts) - entropy(sums))
    if np.isinf(best):
        if counts.sum():
            with pytest.raises(InputError, match="another axis"):
                redesign(table, "Row", smallest, zeros=zeros)
        return
    left = entropy(redesign(table, "Row", smallest, zeros=zeros).cells)
    assert entropy(counts) - left == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize(
    ("groups", "sentence"),
    [
        ({"a": ["0-4"], "b": ["0-4"]}, "groups"),
        ({"20+": ["0-4", "5-9"]}, "a category"),
        ({"a": ["90+"]}, 'has no label "90\\+"'),
    ],
)
def test_groups_that_do_not_fit_are_told(groups, sentence):
    with pytest.raises(InputError, match=sentence):
        merge(AGES, "Age", groups)


REDESIGN = methods.get("redesign")


@settings(max_examples=40)
@given(
    counts=arrays(np.int64, st.sampled_from([(4,), (4, 3), (3, 2, 4)]), elements=st.integers(0, 30)),
    last=st.booleans(),
)
def test_merged_counts_are_spread_evenly_over_the_cells_they_stand_for(counts, last):
    table = FrequencyTable(counts)
    axis = table.axes[-1 if last else 0]
    together = (axis.labels[0], axis.labels[2]) if len(axis) > 2 else axis.labels[:2]
    method = REDESIGN(axis="columns" if last else "rows", together=[together])
    spread = np.moveaxis(method.replicate(table, 1, np.random.default_rng(1))[0], -1 if last else 0, 0)
    truth = np.moveaxis(counts, -1 if last else 0, 0)
    places = [axis.position(label) for label in together]
    np.testing.assert_array_equal(spread[places].sum(axis=0), truth[places].sum(axis=0))
    assert (np.ptp(spread[places], axis=0) <= 1).all()
    others = [k for k in range(len(axis)) if k not in places]
    np.testing.assert_array_equal(spread[others], truth[others])


def test_the_method_publishes_what_the_functions_give():
    assert REDESIGN("Age", smallest=3).release(AGES, 1) == redesign(AGES, "Age", 3)
    by_hand = REDESIGN("Age", together=[["0-4", "20+"]])
    assert by_hand.release(AGES, 1) == merge(AGES, "Age", {"0-4 + 20+": ["0-4", "20+"]})
    assert by_hand.release(AGES, 1).axes[0].labels == ("0-4 + 20+", "5-9", "10-19")
    with pytest.raises(InputError, match=r"release\(\)"):
        by_hand.apply(AGES, 1)


def test_groups_go_when_they_no_longer_fit_and_with_the_smallest_count():
    method = REDESIGN("Age", together=[["0-4", "20+"]])
    assert method.with_valid_axes(AGES) == method
    assert method.with_valid_axes(examples.load("religion")).together == ()
    assert method.changed("smallest", 5) == REDESIGN("Age", smallest=5)
    assert method.changed("axis", "rows").together == ()
    with pytest.raises(InputError, match='has no label "0-4"'):
        REDESIGN(together=[["0-4", "20+"]]).release(examples.load("religion"), 1)
    assert "no cell has a count below 1" in REDESIGN(smallest=1).no_effect_reason(AGES)


@pytest.mark.parametrize(
    ("together", "sentence"),
    [
        ([["0-4"]], "two or more labels"),
        ("0-4", "two or more labels"),
        ([["a", "b"], ["b", "c"]], "groups"),
    ],
)
def test_groups_that_are_none_are_told(together, sentence):
    with pytest.raises(InputError, match=sentence):
        REDESIGN(together=together)


@settings(max_examples=40)
@given(
    counts=arrays(np.int64, (3, 2, 4), elements=st.integers(0, 9)),
    smallest=st.integers(1, 9),
    zeros=st.booleans(),
)
def test_all_axes_are_merged_until_no_cell_is_small(counts, smallest, zeros):
    table = FrequencyTable(counts)
    if table.total < smallest:
        with pytest.raises(InputError, match=str(table.total)):
            redesign_all(table, smallest, zeros=zeros)
        return
    release = redesign_all(table, smallest, zeros=zeros)
    assert ((release.cells >= smallest) | ((release.cells == 0) & zeros)).all()
    assert release.regroup(table).counts.tolist() == release.cells.tolist()
    if (((counts >= smallest) | ((counts == 0) & zeros)).all()):  # fmt: skip
        assert release.axes == table.axes


def test_groups_of_the_user_take_precedence_over_all_variables():
    method = methods.get("redesign")
    groups = (("0-4", "5-9"),)
    by_hand = method(axis="Age", together=groups)
    both = method(axis="Age", together=groups, all_variables=True)
    assert both.release(AGES, 1).axes == by_hand.release(AGES, 1).axes
    assert by_hand.changed("all_variables", True).together == ()
