"""Readings of suppressed cells: zero, mean and the midpoint of the interval of a data user."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdcwidgets import FrequencyTable, InputError, assess, compare, examples, measures, methods
from sdcwidgets.assessment.replications import Run
from sdcwidgets.measures import Batch, suppressed_cells
from sdcwidgets.measures.settings import Settings
from sdcwidgets.measures.suppressed_cells import MOST_PROGRAMS, READINGS, with_midpoints

RELIGION = examples.load("religion")


def distance(F, G):
    return float(np.sqrt(((np.sqrt(F) - np.sqrt(G)) ** 2).sum() / 2))


@pytest.mark.parametrize(("reading", "published"), [("zero", 8.54), ("mean", 5.13), ("interval", 1.28)])
def test_hellinger_distance_of_the_religion_table(reading, published):
    method = methods.get("cell-suppression")(choice="optimal")
    after = assess(RELIGION, method, suppressed=reading).after.whole
    assert after.hellinger.mean == pytest.approx(published, abs=0.005)


def test_readings_are_those_of_a_plain_computation():
    method = methods.get("cell-suppression")(choice="optimal")
    gaps, F = np.isnan(method.cells(RELIGION)), RELIGION.counts
    for reading, value in (("zero", 0), ("mean", F[gaps].mean())):
        expected = distance(F, np.where(gaps, value, F))
        assert assess(RELIGION, method, suppressed=reading).after.whole.hellinger.mean == pytest.approx(
            expected
        )


@pytest.mark.parametrize("name", ["religion", "travel"])
def test_recalculable_cells_have_no_effect(name):
    table = examples.load(name)
    method = methods.get("threshold-suppression")()
    release = method.release(table, 1)
    assert release.suppressed.any()
    assert np.array_equal(release.suppressed, release.recalculable[release.every])
    result = assess(table, method)
    assert result.after.whole.hellinger.mean == 0
    assert result.after.whole.r2.mean == pytest.approx(result.whole.r1, abs=1e-12)
    for axis in table.axes:
        after, before = result.after.slices[axis.name], result.slices[axis.name]
        np.testing.assert_allclose(after["r2"].mean, before.r1, atol=1e-12)


def every_table(release):
    """Return all tables of whole counts that agree with the published values of a 2 x 3 table."""
    gaps = np.argwhere(np.isnan(release.cells)).tolist()
    cells = np.nan_to_num(release.cells)
    tables = []
    for counts in itertools.product(range(13), repeat=len(gaps)):
        for at, count in zip(gaps, counts, strict=True):
            cells[tuple(at)] = count
        sums = {(0, 1): cells, (0,): cells.sum(1), (1,): cells.sum(0), (): cells.sum()}
        bounds = ((sums[margin], release.lower[margin], release.upper[margin]) for margin in release.values)
        if all(np.all((low <= value) & (value <= high)) for value, low, high in bounds):
            tables.append(cells.copy())
    return np.array(tables)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(0, 4), min_size=6, max_size=6).filter(sum))
def test_midpoints_are_those_of_all_feasible_tables(counts):
    table = FrequencyTable(np.reshape(counts, (2, 3)))
    release = methods.get("threshold-suppression")().release(table, 1)
    if release.suppressed.sum() > 4:
        return
    tables = every_table(release)
    middle = (tables.min(axis=0) + tables.max(axis=0)) / 2
    np.testing.assert_allclose(with_midpoints(release, table), middle)


def test_a_cell_without_limit_counts_as_the_mean():
    from sdcwidgets import Release

    table = FrequencyTable([4, 6, 5])
    shown = [{(0,): [np.nan, np.nan, 5]}, {(0,): [0, 0, 5]}, {(0,): [np.inf, np.inf, 5]}]
    assert with_midpoints(Release(table.axes, *shown), table).tolist() == [5, 5, 5]


def test_all_readings_agree_without_suppressed_cells():
    results = [
        assess(RELIGION, "random-rounding", replications=5, suppressed=reading) for reading in READINGS
    ]
    assert len({result.after.whole.r2.mean for result in results}) == 1


def test_verdict_and_comparison_use_the_reading():
    method = methods.get("cell-suppression")(choice="optimal")
    release = method.release(RELIGION, 1)
    hellinger = measures.get("hellinger")()
    for reading in READINGS:
        expected = assess(RELIGION, method, suppressed=reading).after.whole.hellinger.mean
        batch = Batch.of_release(RELIGION, release, reading)
        assert hellinger.values(batch)[0, 0] == pytest.approx(expected)
        frame = compare(RELIGION, [method], suppressed=reading).to_frame()
        assert frame["hellinger"].iloc[0] == pytest.approx(expected)


def test_a_stored_replicate_has_the_reading_of_the_settings():
    run = Run(RELIGION, methods.get("cell-suppression")(choice="optimal"), Settings(suppressed="zero"))
    run.draw()
    stored = run.stored(0)
    assert np.array_equal(stored.filled, np.nan_to_num(stored.published))


def test_an_unknown_reading_is_rejected():
    with pytest.raises(InputError):
        assess(RELIGION, "cell-suppression", suppressed="median")


@pytest.fixture
def solved(monkeypatch):
    """Numbers of intervals that linear programs sharpened, one number per call."""
    from sdcwidgets.core import ranges

    numbers = []
    extremes = ranges.extremes

    def counting(matrix, limits, lower, upper):
        numbers.append(len(lower))
        return extremes(matrix, limits, lower, upper)

    monkeypatch.setattr(ranges, "extremes", counting)
    return numbers


def test_linear_programs_run_only_where_the_quick_bounds_are_not_exact(solved):
    with_midpoints(methods.get("threshold-suppression")().release(RELIGION, 1), RELIGION)
    assert solved == []
    release = methods.get("cell-suppression")(choice="optimal").release(RELIGION, 1)
    with_midpoints(release, RELIGION)
    assert 0 < sum(solved) <= release.suppressed.sum() <= MOST_PROGRAMS


@pytest.mark.parametrize(("spare", "sharpens"), [(0, True), (-1, False)])
def test_linear_programs_run_up_to_a_maximum_of_suppressed_cells(spare, sharpens, solved, monkeypatch):
    release = methods.get("cell-suppression")(choice="optimal").release(RELIGION, 1)
    monkeypatch.setattr(suppressed_cells, "MOST_PROGRAMS", int(release.suppressed.sum()) + spare)
    with_midpoints(release, RELIGION)
    assert bool(solved) == sharpens
