"""Merged categories: what is lost, and that it is the least."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdcwidgets import FrequencyTable, InputError
from sdcwidgets.core.information import entropy
from sdcwidgets.methods.redesign import information_lost, merge, redesign

AGES = FrequencyTable(
    [[1, 4], [2, 3], [9, 9], [0, 1]], {"Age": ["0-4", "5-9", "10-19", "20+"], "Sex": ["Male", "Female"]}
)


def test_merged_counts_are_sums_and_exact():
    release = merge(AGES, "Age", {"young": ["0-4", "5-9"]})
    assert release.exact
    assert release.regroup(AGES).counts.tolist() == release.cells.tolist() == [[3, 7], [9, 9], [0, 1]]
    assert information_lost(AGES, release) == pytest.approx(entropy(AGES.counts) - entropy(release.cells))


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
            with pytest.raises(InputError, match="merge another axis first"):
                redesign(table, "Row", smallest, zeros=zeros)
        return
    assert information_lost(table, redesign(table, "Row", smallest, zeros=zeros)) == pytest.approx(
        best, abs=1e-9
    )


@pytest.mark.parametrize(
    ("groups", "sentence"),
    [
        ({"a": ["0-4"], "b": ["0-4"]}, "merged twice"),
        ({"20+": ["0-4", "5-9"]}, "has the label of one that stays"),
        ({"a": ["90+"]}, 'has no label "90\\+"'),
    ],
)
def test_groups_that_do_not_fit_are_told(groups, sentence):
    with pytest.raises(InputError, match=sentence):
        merge(AGES, "Age", groups)
