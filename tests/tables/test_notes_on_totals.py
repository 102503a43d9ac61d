"""Footnotes of a release state how its totals were made, if its files have totals."""

import json

import pytest

from sdcwidgets import FrequencyTable, methods, protect
from sdcwidgets.tables.io.sources import File
from sdcwidgets.tables.release import SUMS_NOTE
from sdcwidgets.tables.sums_over_times import as_in_files

TABLE = FrequencyTable([[1, 9], [7, 4]], {"Area": ["A", "B"], "Sex": ["m", "f"]})
SEED = 0x9E3779B97F4A7C15F39CC0605CEDC834


@pytest.mark.parametrize(
    ("name", "settings", "are_sums"),
    [
        ("random-rounding", {}, True),
        ("small-cell-adjustment", {}, True),
        ("barnardisation", {}, True),
        ("controlled-tabular-adjustment", {}, True),
        ("random-rounding", {"margins": "own"}, False),
        ("cell-key", {}, False),
        ("cell-key", {"margins": "sums"}, True),
        ("threshold-suppression", {}, False),
    ],
)
def test_a_release_states_that_its_totals_are_sums(name, settings, are_sums):
    assert (SUMS_NOTE in protect(TABLE, name, seed=SEED, **settings).notes) == are_sums


@pytest.mark.parametrize("totals", [True, False])
def test_only_files_with_totals_have_the_note(totals):
    release = protect(TABLE, "random-rounding", seed=SEED)
    assert (SUMS_NOTE in release.to_csv(margins=totals)) == totals
    assert (SUMS_NOTE in release.to_px(margins=totals)) == totals
    assert (SUMS_NOTE in json.loads(release.to_json_stat(margins=totals))["note"]) == totals
    assert (SUMS_NOTE in as_in_files(release, None, totals=totals).notes) == totals
    text = b"Area,m,f\nA,1,9\nB,7,4\n"
    source = File.from_input(text + b"All,8,13\n" if totals else text, "areas.csv")
    reading = source.choose(margins="drop").read() if totals else source.read()
    release = protect(reading.table, "random-rounding", seed=SEED)
    assert (SUMS_NOTE in as_in_files(release, reading.as_read, totals=reading.totals).notes) == totals


def test_small_cell_adjustment_promises_nothing_about_totals():
    note = methods.get("small-cell-adjustment")().note()
    assert "counts of cells do not change" in note
