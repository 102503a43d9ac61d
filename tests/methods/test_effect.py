"""What a method did to a table, as verdicts and reports state it."""

from dataclasses import replace

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, examples, methods, protect
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.methods.effect import effect_of
from sdcwidgets.tables.release import Release

SEED = 2**60 + 12345


@pytest.mark.parametrize("name", methods.available())
def test_a_verdict_names_the_method_and_its_effect(name):
    table = examples.load("religion")
    release = protect(table, name, seed=SEED)
    effect = effect_of(table, release)
    assert effect.method
    for limits in (None, ReleaseLimits("Panel", risk=1.0), ReleaseLimits("Panel", risk=0.0)):
        verdict = judge(table, release, limits)
        assert effect.words in str(verdict)
        assert verdict.to_dict()["method"] == effect.sentence


def test_swapping_moves_people_and_suppresses_nothing():
    table = examples.load("religion")
    release = protect(table, "record-swapping", seed=SEED)
    words = effect_of(table, release).words
    assert str(release.moved) in words
    assert "Area" in words
    assert "suppress" not in words
    assert protect(table, "random-rounding", seed=SEED).moved is None


def test_number_of_moved_people_is_not_published(tmp_path):
    table = examples.load("religion")
    release = protect(table, "record-swapping", seed=SEED)
    assert replace(release, moved=None).to_csv() == release.to_csv()
    assert not any(str(release.moved) in note for note in release.notes)


@pytest.mark.parametrize("name", methods.available())
def test_notes_of_a_released_file_name_the_method(name):
    release = protect(examples.load("religion"), name, seed=SEED)
    if not methods.get(name).merges:
        assert any(note.startswith(methods.get(name).title) for note in release.notes)


def test_unit_of_the_table_is_in_the_words():
    table = FrequencyTable([[20, 30], [0, 7]]).with_unit("households")
    release = protect(table, "record-swapping", seed=SEED, rate=0.5)
    assert "households" in effect_of(table, release).words
    verdict = judge(table, release, ReleaseLimits("Panel", smallest_count=3))
    assert "people" not in str(judge(table, None, ReleaseLimits("Panel", smallest_count=3)))
    assert "people" not in str(verdict)


def test_unit_stays_with_the_table():
    table = FrequencyTable(np.arange(8).reshape(2, 2, 2)).with_unit("farms")
    parts = (table.with_count((0, 0, 0), 3), table.marginal("Row"), table.with_counts(table.counts + 1))
    assert {part.unit for part in parts} == {"farms"}
    assert FrequencyTable.from_csv("Households by tenure\n,Owned,Rented\nA,3,4\nB,5,6\n").unit == "households"


@pytest.mark.parametrize("name", ["random-rounding", "cell-key", "conventional-rounding"])
def test_totals_that_change_more_than_counts_are_stated(name):
    table = examples.load("religion")
    release = protect(table, name, seed=SEED)
    original = Release.of(table).values
    changes = {axes: np.nanmax(np.abs(values - original[axes])) for axes, values in release.values.items()}
    largest = max(change for axes, change in changes.items() if len(axes) < table.ndim)
    cells = changes[tuple(range(table.ndim))]
    words = effect_of(table, release).words
    assert (f"totals by at most {largest:g}" in words) == (largest > cells)
    assert f"counts by at most {cells:g}" in words
