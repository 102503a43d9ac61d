"""Whole record keys, p-tables with the columns pcv, ckey and pvalue, and equal cells with cell-key-perturbation."""

import itertools

import numpy as np
import pandas as pd
import pytest

from sdcwidgets import FrequencyTable, InputError
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.methods import cellkey
from sdcwidgets.methods.cellkey import CellKey, Lookup, handbook_example, parse_p_table, to_csv, to_whole_keys
from sdcwidgets.methods.cellkey.lookup import without_small_counts


def ons_table(keys=256, seed=3):
    """Return a p-table of 750 counts with random noise from -2 to 2."""
    counts, key = np.repeat(np.arange(1, 751), keys), np.tile(np.arange(keys), 750)
    noise = np.random.default_rng(seed).integers(-2, 3, len(counts))
    return pd.DataFrame({"pcv": counts, "ckey": key, "pvalue": np.maximum(noise, -counts)})


def people(records=4000, largest=255, seed=5):
    """Return records with whole record keys; one category of Sex has more than 750 records."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "Area": rng.choice([f"a{k:02}" for k in range(30)], records, p=np.arange(1, 31) / 465),
            "Sex": rng.choice(["f", "m"], records),
            "Job": rng.choice(list("xyz"), records),
            "rkey": rng.integers(0, largest + 1, records),
        }
    )


@pytest.mark.parametrize(
    ("largest", "by", "threshold"),
    [
        (255, ["Area", "Sex"], 10),
        (255, ["Sex"], 10),
        (255, ["Area", "Job"], 0),
        pytest.param(4095, ["Area", "Sex"], 10, marks=pytest.mark.slow),
    ],
)
def test_cells_equal_those_of_cell_key_perturbation(largest, by, threshold):
    """Version 3.1.0 of the package, for the same records, record keys, p-table and threshold."""
    package = pytest.importorskip("cell_key_perturbation.create_perturbed_table")
    table, records = ons_table(largest + 1), people(largest=largest)
    theirs = package.create_perturbed_table(records, table, [], by, "rkey", threshold=threshold)
    ours = cellkey.release_of_records(
        records, by, "rkey", table, secret=None, largest_key=largest, threshold=threshold
    )
    assert len(theirs) == ours.cells.size
    np.testing.assert_array_equal(ours.cells.ravel(), theirs["count"].astype("float64"))
    counts = theirs["pre_sdc_count"]
    assert (counts > 750).any() == (by == ["Sex"])
    assert np.isnan(ours.cells).any() == (by == ["Area", "Sex"])


def test_margins_equal_tables_of_fewer_variables():
    records, table = people(500), ons_table()
    both = cellkey.release_of_records(records, ["Sex", "Job"], "rkey", table, secret=None, largest_key=255)
    one = cellkey.release_of_records(records, ["Job"], "rkey", table, secret=None, largest_key=255)
    np.testing.assert_array_equal(both.marginal("Job"), one.cells)


def test_rows_501_to_750_are_repeated():
    table = ons_table(16)
    counts, keys = np.meshgrid([501, 750, 751, 1000, 1001, 250_501], (np.arange(16) + 0.5) / 16)
    noise = cellkey.noise(counts, keys, table)
    assert (noise[:, [2, 4, 5]] == noise[:, [0]]).all()
    assert (noise[:, 1] == noise[:, 3]).all()
    assert len(set(noise[:, 0].tolist())) > 1
    short = handbook_example()
    assert cellkey.noise([3, 751], [0.9, 0.9], short).tolist() == [1, 1]
    method = CellKey(p_table=table)
    matrix = method.transition(1001)
    np.testing.assert_allclose(matrix[751, 749:754], matrix[501, 499:504])


@pytest.mark.parametrize("make", [handbook_example, lambda: cellkey.p_table(D=3, V=2, js=2)])
def test_p_tables_in_both_formats_give_equal_noise(make):
    table = make()
    both = parse_p_table(to_whole_keys(table, 63))
    assert int(both["i"].iloc[-1]) == 750
    counts, keys = np.meshgrid([0, 1, 2, 3, 9, 750, 2000], (np.arange(64) + 0.5) / 64)
    np.testing.assert_array_equal(cellkey.noise(counts, keys, both), cellkey.noise(counts, keys, table))
    assert parse_p_table(to_csv(both)).equals(both)
    assert to_whole_keys(both, 63) == to_whole_keys(table, 63)


def test_a_p_table_of_whole_keys_is_read_and_written_unchanged():
    text = ons_table(16).to_csv(index=False, lineterminator="\n")
    assert to_whole_keys(parse_p_table(text), 15) == text
    assert to_whole_keys(CellKey(p_table=ons_table(16)).noise_table(), 15) == text


def _changed(change):
    table = ons_table(4)
    change(table)
    return table


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (ons_table(4).drop(columns="pvalue"), ["pvalue"]),
        (ons_table(4).iloc[:40], ["10", "750"]),
        (ons_table(4).iloc[1:], ["ckey"]),
        (pd.concat([ons_table(4), ons_table(4).iloc[:1]]), ["ckey"]),
        (_changed(lambda table: table.isetitem(2, table["pvalue"] + 0.5)), ["pvalue", "whole"]),
        (_changed(lambda table: table.isetitem(2, -table["pcv"] - 1)), ["below 0"]),
        (ons_table(4).iloc[:0], ["750"]),
    ],
)
def test_a_wrong_p_table_of_whole_keys_is_rejected(wrong, named):
    with pytest.raises(InputError) as error:
        parse_p_table(wrong.to_csv(index=False))
    assert all(name in str(error.value) for name in named)


@pytest.mark.parametrize("keys", [[0, 256], [0.5, 1], [-1, 0], [float("nan"), 0]])
def test_record_keys_outside_their_range_are_rejected(keys):
    with pytest.raises(InputError, match="255"):
        cellkey.cell_keys(keys, [0, 0], 1, largest_key=255)


@pytest.mark.parametrize("largest", [0, 2**40, 1.5, True])
def test_the_largest_key_is_a_whole_number(largest):
    with pytest.raises(InputError, match="largest"):
        cellkey.cell_keys([0], [0], 1, largest_key=largest)


@pytest.mark.parametrize("secret", [None, 3**60])
@pytest.mark.parametrize("threshold", [0, 3])
def test_intervals_contain_the_original_counts(secret, threshold):
    table = cellkey.p_table(D=2, V=1)
    rng = np.random.default_rng(8)
    for _ in range(3):
        records = pd.DataFrame(
            {"A": [*"ab", *rng.choice(list("ab"), 9)], "B": [*"xy", *rng.choice(list("xy"), 9)]}
        )
        keys = rng.integers(0, 16, 11)
        release = cellkey.release_of_records(
            records, ["A", "B"], keys, table, secret=secret, largest_key=15, threshold=threshold
        )
        original = FrequencyTable.from_records(records, ["A", "B"]).counts
        lower, upper = release.cell_bounds()
        assert (lower <= original).all()
        assert (original <= upper).all()
        if threshold:
            published = release.to_frame()["value"].dropna()
            assert (published >= threshold).all()


def test_intervals_of_unmixed_whole_keys_are_exact():
    """All tables and whole keys are tried that lead to the same published values."""
    table = cellkey.p_table(D=1, V=0.5)
    lookup, number = Lookup.of(table), 4

    def published(counts, keys):
        every = np.array([*counts, sum(counts)])
        whole = np.array([*keys, sum(keys)]) % number
        noisy = every + lookup.noise(every, (np.where(every > 0, whole, 0) + 0.5) / number)
        return tuple(noisy.tolist())

    origins = {}
    for counts in itertools.product(range(5), repeat=2):
        for keys in itertools.product(*(range(number) if count else [0] for count in counts)):
            origins.setdefault(published(counts, keys), set()).add(counts)
    for values, possible in list(origins.items())[::3]:
        if max(values) > 3:
            continue  # counts above those that were tried could lead to it
        counts = next(iter(possible))
        keys = next(
            keys
            for keys in itertools.product(range(number), repeat=2)
            if published(counts, keys) == values
            and all(c or not k for c, k in zip(counts, keys, strict=True))
        )
        release = cellkey.release(
            FrequencyTable(list(counts)), keys, table, secret=None, largest_key=number - 1
        )
        lower, upper = release.cell_bounds()
        assert lower.tolist() == [min(cell) for cell in zip(*possible, strict=True)]
        assert upper.tolist() == [max(cell) for cell in zip(*possible, strict=True)]


def test_small_counts_are_suppressed_after_perturbation():
    records = people(300)
    plain = cellkey.release_of_records(records, ["Area"], "rkey", ons_table(), secret=5**70, largest_key=255)
    hidden = without_small_counts(plain, Lookup.of(ons_table()), 10)
    small = plain.cells < 10
    assert small.any()
    np.testing.assert_array_equal(np.isnan(hidden.cells), small)
    np.testing.assert_array_equal(hidden.cells[~small], plain.cells[~small])
    assert set(hidden.symbols[0,][small]) == {"c"}
    assert hidden.bounds("Area").upper[small].max() == 11
    assert hidden.bounds("Area").lower[small].max() == 0
    assert len(hidden.notes) == len(plain.notes) + 2


@pytest.mark.parametrize(
    "changes", [{"threshold": 0.5}, {"threshold": -1}, {"margins_own": False}, {"weights": np.ones(300)}]
)
def test_a_threshold_that_does_not_fit_is_rejected(changes):
    arguments = {"threshold": 10, **changes}
    with pytest.raises(InputError, match="threshold"):
        cellkey.release_of_records(
            people(300), ["Area"], "rkey", ons_table(), secret=None, largest_key=255, **arguments
        )


def test_a_p_table_with_many_intervals_is_too_large_for_the_analysis():
    counts = np.full((3, 2), 900)
    counts[1, 1] = 0
    table, limits = FrequencyTable(counts), ReleaseLimits(loss=None)
    keys = np.random.default_rng(2).integers(0, 256, counts.shape) * (counts > 0)
    release = cellkey.release(table, keys, ons_table(), secret=None, largest_key=255)
    stops = judge(table, release, limits).stops
    assert ("one-cell", (("Row", "Row 2"),)) in [(stop.kind, stop.where) for stop in stops]
    hidden = cellkey.release(table, keys, ons_table(), secret=None, largest_key=255, threshold=10)
    assert len(hidden.cautions) == 1
    assert hidden.recalculable[0, 1][1, 1]
