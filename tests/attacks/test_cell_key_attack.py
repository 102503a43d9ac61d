"""An intruder who enumerates counts and keys learns no more of cell keys than intervals and verdict state."""

from dataclasses import replace

import numpy as np
import pytest
from key_attack import certain_lines, possible_lines, possible_tables

from sdcwidgets import FrequencyTable, methods
from sdcwidgets.assessment.verdict import judge, rule_file
from sdcwidgets.core.key_noise import MOST_VALUES
from sdcwidgets.methods import cellkey

CellKey = methods.get("cell-key")

#: The rule census-cell-key, whatever is lost.
LIMITS = replace(rule_file.load("census-cell-key").limits, loss=None, no_risk_limit="the attack decides")


def attacked(method, table, release):
    """The tables of 2 x 2 that agree with a release."""
    cells, rows, columns, total = (release.values[kept].astype(int) for kept in ((0, 1), (0,), (1,), ()))
    plain = method.cell_keys == "plain"
    found = possible_tables(method.noise_table(), cells, rows, columns, int(total), plain=plain, tries=100)
    assert (found == table.counts).all(axis=(1, 2)).any()
    return found


def assert_intervals_hold(found, release):
    lower, upper = release.cell_bounds()
    np.testing.assert_array_equal(lower, found.min(axis=0))
    np.testing.assert_array_equal(upper, found.max(axis=0))


@pytest.mark.slow
def test_sixty_releases_by_default_settings_hold_against_enumeration():
    released = 0
    method = CellKey()
    for seed in range(60):
        rng = np.random.default_rng([seed, 1])
        table = FrequencyTable(rng.integers(0, 3, (2, 2)))
        release = method.release(table, rng)
        found = attacked(method, table, release)
        assert_intervals_hold(found, release)
        if judge(table, release, LIMITS).answer == "release":
            released += 1
            assert certain_lines(found, table.counts) == 0
    assert released > 40


@pytest.mark.parametrize("secret", [1, 0x8F3A1C5D9E2B47606B1D0C9FA4E7385])
def test_releases_from_record_keys_hold_against_enumeration(secret):
    method = CellKey(D=2)
    rng = np.random.default_rng(secret % 1000)
    for _ in range(10):
        people = rng.integers(0, 4, int(rng.integers(1, 9)))
        counts = np.bincount(people, minlength=4).reshape(2, 2)
        keys = cellkey.cell_keys(rng.integers(0, 10**9, len(people)) / 10**9, people, 4).reshape(2, 2)
        table = FrequencyTable(counts)
        release = cellkey.release(table, keys, method.noise_table(), secret=secret)
        found = attacked(method, table, release)
        assert_intervals_hold(found, release)
        if judge(table, release, LIMITS).answer == "release":
            assert certain_lines(found, counts) == 0


def test_the_verdict_on_plain_keys_follows_their_sums():
    method = CellKey(D=1, V=0.5, cell_keys="plain")
    refused = certain = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        table = FrequencyTable(rng.integers(0, 5, (2, 2)))
        release = method.release(table, rng)
        found = attacked(method, table, release)
        assert_intervals_hold(found, release)
        lines = certain_lines(found, table.counts)
        answer = judge(table, release, LIMITS).answer
        assert answer == ("not yet" if lines else "release")
        # Each value by itself would release some of them.
        refused += judge(table, replace(release, key_noise=None), LIMITS).answer == "release" and lines > 0
        certain += lines > 0
    assert refused > 0
    assert certain < 12


@pytest.mark.parametrize(("keys", "least", "most"), [("mixed", 0, 0), ("plain", 100, 400)])
def test_four_hundred_columns_with_an_empty_cell(keys, least, most):
    """The category is certain in many columns with plain keys, and in none with mixed keys."""
    method, certain = CellKey(D=2, cell_keys=keys), 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        counts = rng.integers(1, 8, 10) * (np.arange(2)[:, None] == rng.integers(0, 2, 10))
        release = method.release(FrequencyTable(counts), rng)
        totals = release.values[1,].astype(int)
        for k, pair in enumerate(release.cells.T.astype(int)):
            found = possible_lines(method.noise_table(), *pair, totals[k], plain=keys == "plain")
            assert (found == counts[:, k]).all(axis=1).any()
            certain += (found > 0).any(axis=0).sum() == 1
    assert least <= certain <= most


def test_larger_releases_with_plain_keys_are_refused_whatever_the_original_counts():
    counts = np.full((8, 6), 9)
    method, rng = CellKey(cell_keys="plain"), np.random.default_rng(1)
    assert counts.size > MOST_VALUES
    even = FrequencyTable(counts)
    assert [stop.kind for stop in judge(even, method.release(even, rng), LIMITS).stops] == ["inference"]
    counts[2, 1:] = 0
    table = FrequencyTable(counts)
    verdict = judge(table, method.release(table, rng), LIMITS)
    places = [(stop.kind, stop.where) for stop in verdict.stops]
    assert places == [("one-cell", (("Row", "Row 3"),)), ("inference", ())]
