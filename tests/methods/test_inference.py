"""Intruders who enumerate every table that a method can publish as the released one, from the documents alone.

Each program below repeats what the documents say about a method, without the code of the method, its intervals or the
verdict. The intervals must be those of the enumeration, and a verdict "release" leaves nobody certain.
"""

import itertools
from functools import cache

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, methods
from sdcwidgets.assessment.verdict import ReleaseLimits, judge

LIMITS = ReleaseLimits("Panel", no_risk_limit="the intruder decides", all_but_one=1, reading="sure")


def tables_with(rows, columns):
    """Yield all tables with these margins."""
    if len(rows) == 1:
        yield (tuple(columns),)
        return
    ranges = [range(min(rows[0], n) + 1) for n in columns]
    for first in itertools.product(*ranges):
        if sum(first) == rows[0]:
            rest = [n - k for n, k in zip(columns, first, strict=True)]
            for others in tables_with(rows[1:], rest):
                yield (first, *others)


@cache
def swapped(counts, pairs):
    """Return every table after so many drawn people exchange their areas with free people of other areas."""
    people = [(i, j) for i, row in enumerate(counts) for j, count in enumerate(row) for _ in range(count)]
    results = set()

    def exchange(waiting, free, table):
        partners = {k for d in waiting for k in free if people[k][0] != people[d][0]}
        if not waiting or not partners:
            results.add(tuple(map(tuple, table)))
            return
        seen = set()
        for d in waiting:
            for k in free:
                if people[k][0] == people[d][0] or (people[d], people[k]) in seen:
                    continue
                seen.add((people[d], people[k]))
                after = [list(row) for row in table]
                (a, x), (b, y) = people[d], people[k]
                after[a][x] -= 1
                after[b][x] += 1
                after[b][y] -= 1
                after[a][y] += 1
                exchange(waiting - {d}, free - {k}, after)

    drawn_kinds = set()
    for drawn in itertools.combinations(range(len(people)), pairs):
        kinds = tuple(sorted(people[d] for d in drawn))
        if kinds in drawn_kinds:
            continue
        drawn_kinds.add(kinds)
        exchange(frozenset(drawn), frozenset(range(len(people))) - set(drawn), counts)
    return frozenset(results)


def certain(true, tables):
    """Return whether somebody in the table, or outside, knows the category of all others in a line."""
    true, tables = np.asarray(true), np.asarray(tables)
    people = [None, *map(tuple, np.argwhere(true))]
    for own in people:
        self = np.zeros_like(true)
        if own is not None:
            self[own] = 1
        kept = tables[(tables >= self).all(axis=(1, 2))] - self
        for axis in (1, 2):
            filled = (kept > 0).any(axis=0).sum(axis=axis - 1) == 1
            if (filled & ((true - self).sum(axis=axis - 1) > 0)).any():
                return True
            sums = kept.sum(axis=3 - axis)
            if (sums > 0).any(axis=0).sum() == 1 and (true - self).sum() > 0:
                return True
    return False


def compared(release, table, origins, *, sharp=True):
    """Compare the stated intervals and the verdict with the possible original tables."""
    origins = np.array(sorted(origins))
    assert (origins == table.counts).all(axis=(1, 2)).any()
    low, high = release.cell_bounds()
    assert (low <= origins.min(axis=0)).all()
    assert (high >= origins.max(axis=0)).all()
    verdict = judge(table, release, LIMITS)
    if sharp or verdict.answer == "release":
        assert np.array_equal(low, origins.min(axis=0))
        assert np.array_equal(high, origins.max(axis=0))
    if verdict.answer == "release":
        assert not certain(table.counts, origins)
    return verdict.answer


def small_tables(number, most=9):
    rng = np.random.default_rng(number)
    while number:
        counts = rng.choice([0, 0, 1, 1, 2, 3, 4], [(2, 2), (2, 3), (3, 2)][rng.integers(3)])
        if 2 <= counts.sum() <= most:
            number -= 1
            yield counts, 3**60 + int(rng.integers(2**40))


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.1, 0.25, 0.4, 0.5])
def test_record_swapping_moves_a_known_number_of_pairs(rate):
    answers = []
    for counts, seed in small_tables(25):
        table = FrequencyTable(counts)
        method = methods.get("record-swapping")(rate=rate)
        release = method.release(table, seed)
        published = tuple(map(tuple, release.cells.astype(int).tolist()))
        pairs = round(rate * counts.sum() / 2)
        origins = [
            one
            for one in tables_with(counts.sum(axis=1).tolist(), counts.sum(axis=0).tolist())
            if published in swapped(one, pairs)
        ]
        answers.append(compared(release, table, origins, sharp=False))
    assert set(answers) <= {"release", "not yet"}


def test_record_swapping_of_too_few_people_publishes_the_original_table():
    table = FrequencyTable([[2, 1], [1, 3]])
    release = methods.get("record-swapping")(rate=0.1).release(table, 3**60)
    assert release.exact
    limits = ReleaseLimits("Panel", smallest_count=3, reading="sure")
    assert {stop.kind for stop in judge(table, release, limits).stops} == {"small-count"}


def test_swapping_where_everybody_differs_discloses_the_original_table():
    """Five and five people in two cells: the one pair that moved came from there."""
    table = FrequencyTable([[4, 1], [1, 4]])
    method = methods.get("record-swapping")(rate=0.2)
    for seed in range(3**60, 3**60 + 60):
        release = method.release(table, seed)
        if release.cells.tolist() == [[5, 0], [0, 5]]:
            low, high = release.cell_bounds()
            assert low.tolist() == high.tolist() == table.counts.tolist()
            return
    pytest.fail("no such release")


@pytest.mark.slow
def test_invariant_perturbation_publishes_only_counts_of_the_table():
    """Takes more than 10 s of processor time, because every table behind each of 40 releases is enumerated."""
    matrix = np.zeros((5, 6))
    matrix[0, 0] = 1
    for i in range(1, 5):
        matrix[i, max(i - 1, 1) : i + 2] = 1
    matrix /= matrix.sum(axis=1, keepdims=True)
    method = methods.get("stochastic-perturbation")(matrix=tuple(map(tuple, matrix.tolist())), invariant=True)
    row = lambda count: min(count, 4)  # noqa: E731
    draws = {
        count: {count - row(count) + j for j in np.flatnonzero(matrix[row(count)])} for count in range(12)
    }
    answers = []
    for counts, seed in small_tables(40, most=30):
        table = FrequencyTable(counts)
        release = method.release(table, seed)
        published = release.cells.astype(int)
        sources = [[i for i in range(12) if draws[i] & draws[count]] for count in published.ravel().tolist()]
        wanted = set(published.ravel().tolist())
        origins = [
            np.reshape(one, counts.shape).tolist()
            for one in itertools.product(*sources)
            if wanted <= set(one)
        ]
        answers.append(compared(release, table, origins))
    assert set(answers) == {"release", "not yet"} or set(answers) == {"not yet"}


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{}, {"redrawn": 0.0}, {"matrix": True}, {"invariant": False}])
def test_post_randomisation_keeps_rows_and_replaces_values(settings):
    answers = []
    for counts, seed in small_tables(30):
        values = counts.shape[1]
        leads = np.ones((values, values), dtype=bool)
        chosen = dict(settings)
        if chosen.pop("matrix", False):
            leads = np.tri(values, dtype=bool)
            matrix = leads / leads.sum(axis=1, keepdims=True)
            chosen |= {"matrix": tuple(map(tuple, matrix.tolist())), "invariant": False}
        if settings.get("redrawn") == 0:
            leads = np.eye(values, dtype=bool)
        table = FrequencyTable(counts)
        release = methods.get("post-randomisation")(**chosen).release(table, seed)
        published = release.cells.astype(int)
        occurs = (
            published.sum(axis=0) > 0 if not chosen.get("matrix") and chosen.get("invariant", True) else None
        )
        rows = [list(rows_before(tuple(row), leads)) for row in published.tolist()]
        origins = [
            one
            for one in itertools.product(*rows)
            if occurs is None or (np.sum(one, axis=0)[occurs] > 0).all()
        ]
        answers.append(compared(release, table, origins))
    assert set(answers) <= {"release", "not yet"}


def rows_before(row, leads):
    """Return every row whose people can have these values after their replacement."""
    people = [k for k, count in enumerate(row) for _ in range(count)]
    choices = [np.flatnonzero(leads[:, k]).tolist() for k in people]
    return {
        tuple(np.bincount(np.array(one, dtype=int), minlength=len(row)).tolist())
        for one in itertools.product(*choices)
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", ["simple-random-sampling", "stratified-sampling"])
def test_samples_state_what_they_publish_of_all_people(name):
    answers = []
    for counts, seed in small_tables(30):
        table = FrequencyTable(counts)
        release = methods.get(name)(fraction=0.6).release(table, seed)
        published = release.cells.astype(int)
        text = " ".join(release.notes)
        assert f"{published.sum()} of {counts.sum()} people" in text
        more = counts.sum() - published.sum()
        ranges = [range(count, count + more + 1) for count in published.ravel().tolist()]
        origins = [
            np.reshape(one, counts.shape) for one in itertools.product(*ranges) if sum(one) == counts.sum()
        ]
        if name == "stratified-sampling":
            sizes = counts.sum(axis=1)
            for label, drawn, size in zip(table.axes[0].labels, published.sum(axis=1), sizes, strict=True):
                assert f"{label}: {drawn} of {size}" in text
            origins = [one for one in origins if (one.sum(axis=1) == sizes).all()]
        answers.append(compared(release, table, [one.tolist() for one in origins]))
    assert set(answers) <= {"release", "not yet"}


def test_a_stratum_of_one_person_is_a_published_small_count():
    table = FrequencyTable([[1, 0], [30, 40]])
    release = methods.get("stratified-sampling")(fraction=0.5).release(table, 3**60)
    limits = ReleaseLimits("Panel", smallest_count=3, one_cell=0)
    where = [stop.where for stop in judge(table, release, limits).stops if stop.kind == "small-count"]
    assert (("Row", "Row 1"),) in where


def test_targeted_swapping_is_released_only_if_its_limitation_is_accepted():
    table = FrequencyTable([[20, 31, 1], [14, 25, 36]])
    release = methods.get("targeted-record-swapping")().release(table, 3**60)
    assert release.limitation in release.cautions
    limits = ReleaseLimits("Panel", no_risk_limit="lines only", one_cell=0)
    verdict = judge(table, release, limits)
    assert [stop.kind for stop in verdict.stops] == ["inference"]
    assert verdict.accepting({"inference": "the table is large"}).answer == "release"
