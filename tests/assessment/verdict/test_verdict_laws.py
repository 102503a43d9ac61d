"""The verdict against brute force: every table that agrees with what is published is looked at."""

import itertools
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from sdcwidgets import FrequencyTable, InputError, methods, protect
from sdcwidgets._util.parameters import declared
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.release import Release

#: So many tables are looked at, by brute force, or none.
MOST = 20_000

SHAPES = [(2, 2), (2, 3), (3, 2), (2, 2, 2), (4,)]


def possible(release):
    """Return all tables of whole numbers that agree with every published value."""
    lower, upper = release.bounds(*(axis.name for axis in release.axes))
    if np.prod(upper - lower + 1) > MOST:
        assume(False)
    ranges = [range(int(low), int(high) + 1) for low, high in zip(lower.ravel(), upper.ravel(), strict=True)]
    tables = np.array(list(itertools.product(*ranges))).reshape(-1, *release.shape)
    for kept in release.values:
        others = tuple(k + 1 for k in range(release.ndim) if k not in kept)
        sums = tables.sum(axis=others)
        inside = (sums >= release.lower[kept]) & (sums <= release.upper[kept])
        tables = tables[inside.reshape(len(tables), -1).all(axis=1)]
    return tables


def known(true, release):
    """Return every (what one knows of a person, the axis that one learns) by looking at all possible tables."""
    tables, found = possible(release), set()
    assert len(tables)
    for size in range(true.ndim):
        for names in itertools.combinations(range(true.ndim), size):
            for axis in set(range(true.ndim)) - set(names):
                if true.shape[axis] < 2:
                    continue
                kept = tuple(sorted((*names, axis)))
                others = tuple(k for k in range(true.ndim) if k not in kept)
                sums = np.moveaxis(tables.sum(axis=tuple(k + 1 for k in others)), kept.index(axis) + 1, -1)
                own = np.moveaxis(true.counts.sum(axis=others), kept.index(axis), -1)
                for place in np.ndindex(own.shape[:-1]):
                    line = sums[(slice(None), *place)]
                    # Who is there is in one category in every table, and in the same one.
                    if own[place].sum() and len(np.flatnonzero(line.any(axis=0))) == 1:
                        found.add((tuple(zip(names, place, strict=True)), axis))
    return found


def known_to_respondents(true, release):
    """Return every (what one knows, the axis) of which a respondent knows where all others are.

    In each table that agrees with what is published, at least one person is in the respondent's own cell.
    """
    every, found = possible(release), set()
    for own in map(tuple, np.argwhere(true.counts)):
        person = np.zeros(true.shape, dtype=int)
        person[own] = 1
        fits = (every >= person).all(axis=tuple(range(1, every.ndim)))
        tables, counts = every[fits] - person, true.counts - person
        for size in range(true.ndim):
            for names in itertools.combinations(range(true.ndim), size):
                for axis in set(range(true.ndim)) - set(names):
                    if true.shape[axis] < 2:
                        continue
                    kept = tuple(sorted((*names, axis)))
                    others = tuple(k for k in range(true.ndim) if k not in kept)
                    sums = np.moveaxis(
                        tables.sum(axis=tuple(k + 1 for k in others)), kept.index(axis) + 1, -1
                    )
                    people = np.moveaxis(counts.sum(axis=others), kept.index(axis), -1)
                    one = sums.any(axis=0).sum(axis=-1) == 1
                    for place in map(tuple, np.argwhere(one & people.any(axis=-1)).tolist()):
                        found.add((tuple(zip(names, place, strict=True)), axis))
    return found


def told(true, verdict, kind="one-cell"):
    """Return the same of a verdict, with what follows from it."""
    names = [axis.name for axis in true.axes]
    found = set()
    for stop in verdict.stops:
        if stop.kind == kind and stop.sure:
            at = {
                names.index(axis): true.axes[names.index(axis)].position(label) for axis, label in stop.where
            }
            found.add(frozenset(at.items()))
    return found


EVERY = (
    "random-rounding",
    "conventional-rounding",
    "threshold-suppression",
    "small-cell-adjustment",
    "cell-suppression",
    "semi-controlled-rounding",
    "record-swapping",
    "redesign",
    "barnardisation",
)


@st.composite
def published(draw, names=EVERY):
    shape = draw(st.sampled_from(SHAPES))
    counts = draw(
        st.lists(st.sampled_from([0, 0, 1, 2, 3]), min_size=int(np.prod(shape)), max_size=int(np.prod(shape)))
    )
    table = FrequencyTable(
        np.reshape(counts, shape), [(f"X{k}", [f"{k}{i}" for i in range(n)]) for k, n in enumerate(shape)]
    )
    assume(table.total)
    cls = methods.get(draw(st.sampled_from(names)))
    chosen = {}
    for one in declared(cls):
        if one.choices:
            chosen[one.name] = draw(st.sampled_from(list(one.choices)))
        elif one.type is bool:
            chosen[one.name] = draw(st.booleans())
        elif one.range is not None and one.type is int:
            low = int(one.range.low)
            chosen[one.name] = draw(st.integers(low, min(int(one.range.high), low + 12)))
        elif one.range is not None and one.type is float:
            low, high = one.range.low, min(one.range.high, one.range.low + 1)
            chosen[one.name] = draw(st.sampled_from([low, (low + high) / 2, high]))
    try:
        return table, cls(**chosen).release(table, draw(st.integers(0, 99)))
    except InputError:  # a method may refuse a table
        assume(False)


@st.composite
def loosely(draw):
    """Draw a table and bounds of its cells and margins that no method has to follow: they tie cells together."""
    shape = draw(st.sampled_from([(2, 2), (2, 3), (4,)]))
    size = int(np.prod(shape))
    counts = np.reshape(draw(st.lists(st.sampled_from([0, 0, 1, 2]), min_size=size, max_size=size)), shape)
    assume(counts.any())
    values, lower, upper = {}, {}, {}
    for kept in itertools.chain.from_iterable(
        itertools.combinations(range(len(shape)), n) for n in range(len(shape) + 1)
    ):
        sums = counts.sum(axis=tuple(k for k in range(len(shape)) if k not in kept))
        if len(kept) < len(shape) and draw(st.booleans()):
            continue
        slack = st.lists(st.sampled_from([0, 0, 1, 2]), min_size=sums.size, max_size=sums.size)
        values[kept] = sums.astype(float)
        lower[kept] = np.maximum(sums - np.reshape(draw(slack), sums.shape), 0)
        upper[kept] = sums + np.reshape(draw(slack), sums.shape)
        values[kept] = np.where(lower[kept] == upper[kept], values[kept], np.nan)
    axes = [(f"X{k}", [f"{k}{i}" for i in range(n)]) for k, n in enumerate(shape)]
    table = FrequencyTable(counts, axes)
    return table, Release(table.axes, values, lower, upper)


@pytest.mark.slow
@settings(max_examples=250, deadline=None)
@given(st.one_of(published(), loosely()), st.sampled_from(["shown", "sure"]), st.integers(1, 3))
def test_it_never_says_release_while_somebody_is_known_for_sure(pair, reading, least):
    """Takes more than 10 s of processor time, because each of 250 tables is judged and attacked by enumeration."""
    table, release = pair
    true = release.regroup(table)
    verdict = judge(
        table,
        release,
        ReleaseLimits("a law", no_risk_limit="a law of lines", one_cell=least, reading=reading),
    )
    sure = known(true, release)
    names = [axis.name for axis in true.axes]

    def people(places):
        return int(
            true.slice(**{names[k]: true.axes[k].labels[i] for k, i in places}).total
            if places
            else true.total
        )

    if any(people(places) >= least for places, _ in sure):
        assert verdict.answer == "not yet"
    # And what it says is sure is known: nothing is stopped for a reason that is not there. After swapping, the verdict
    # uses all pairs together, and `possible` uses single cells, so the verdict may find more.
    if release.origins is None:
        assert told(true, verdict) <= {frozenset(places) for places, _ in sure}


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)
@given(published(("threshold-suppression", "cell-suppression")))
def test_gaps_that_can_be_computed_are_exactly_those_of_brute_force(pair):
    _, release = pair
    assume(release.suppressed.any())
    tables = possible(release)
    for kept, gaps in release.recalculable.items():
        sums = tables.sum(axis=tuple(k + 1 for k in range(release.ndim) if k not in kept))
        single = (sums == sums[0]).all(axis=0)
        np.testing.assert_array_equal(gaps, np.isnan(release.values[kept]) & single)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(st.one_of(published(), loosely()), st.sampled_from(["shown", "sure"]))
def test_it_never_says_release_while_a_respondent_knows_where_all_others_are(pair, reading):
    table, release = pair
    true = release.regroup(table)
    # A line of which an external intruder is certain is a violation of the other kind.
    limits = ReleaseLimits(
        "a law",
        no_risk_limit="a law of lines",
        one_cell=1,
        all_but_one=1,
        recalculable=False,
        reading=reading,
    )
    verdict = judge(true, release, limits)
    sure = known_to_respondents(true, release)
    if sure:
        assert verdict.answer == "not yet"
    if release.origins is None:  # as above
        assert told(true, verdict, "all-but-one") <= {frozenset(places) for places, _ in sure}


def test_a_respondent_can_know_the_others_from_all_swapped_pairs_together():
    """Both people of the first row were swapped, so the people that are published there come from the second row."""
    original, published = np.array([[1, 0, 1], [1, 1, 2]]), np.array([[0, 0, 2], [2, 1, 1]])
    margins = [published.sum(axis=axis) for axis in (0, 1)]
    rows = itertools.product(range(3), repeat=3)
    tables = [np.array([row, margins[0] - row]) for row in rows if sum(row) == margins[1][0]]
    fitting = [table for table in tables if (table[1] >= published[0]).all()]
    assert any((table == original).all() for table in fitting)
    # A person in the last cell of the first row knows that the two others of the last column are in the second row.
    assert {tuple(table[:, 2]) for table in fitting if table[0, 2]} == {(1, 2)}

    table = FrequencyTable(original, (Axis("X0", ("00", "01")), Axis("X1", ("10", "11", "12"))))
    swapping = methods.get("record-swapping")(rate=0.5, axis="rows")
    seeds = (random.Random(number).getrandbits(127) for number in range(50))
    releases = (protect(table, swapping, seed=seed) for seed in seeds)
    release = next(one for one in releases if (np.asarray(one.cells) == published).all())
    limits = ReleaseLimits(
        "a law", no_risk_limit="a law of lines", one_cell=1, all_but_one=1, recalculable=False
    )
    assert frozenset({(1, 2)}) in told(table, judge(table, release, limits), "all-but-one")


def test_of_one_and_one_either_may_know_where_the_other_is():
    """The first row has at most 1 person, the second up to 2: the one in the first row knows to be alone there."""
    true = FrequencyTable([[1, 0], [1, 0]])
    values = {(0, 1): [[2, 0], [1, 0]], (0,): [0, 1], (1,): [2, 0], (): 2}
    rounded = {kept: np.array(value, dtype=float) for kept, value in values.items()}
    release = Release.by_value(true.axes, rounded, lambda shown: (np.maximum(shown - 1, 0), shown + 1))
    limits = ReleaseLimits(
        "a law", no_risk_limit="a law of lines", one_cell=0, all_but_one=1, recalculable=False, reading="sure"
    )
    (stop,) = (stop for stop in judge(true, release, limits).stops if stop.sure)
    assert "whole table" in stop.words
    assert "Row 2 (2 people)" in stop.why


def test_a_rounded_1_is_known_to_the_person_it_counts():
    """In base 3 the row 1, 2 is published as 0, 3: 0 or 1 people, and 2 to 4. The one person is that 1."""
    true = FrequencyTable([[0, 0], [1, 2]])
    release = methods.get("conventional-rounding")(base=3).release(true, 1)
    assert release.cells.tolist() == [[0, 0], [0, 3]]
    assert known(true, release) == set()
    assert known_to_respondents(true, release) == {(((0, 1),), 1)}
    limits = ReleaseLimits(
        "a law", no_risk_limit="a law of lines", one_cell=0, all_but_one=1, recalculable=False, reading="sure"
    )
    (stop,) = (stop for stop in judge(true, release, limits).stops if stop.sure)
    assert (stop.kind, stop.where, stop.people, stop.sure) == ("all-but-one", (("Row", "Row 2"),), 3, True)
    # The published table reads so for the whole table, too.
    stops = judge(true, release, replace(limits, reading="shown")).stops
    assert [(stop.kind, stop.where) for stop in stops] == [("all-but-one", ())]


def test_a_respondent_of_another_row_may_know_where_everyone_of_a_row_is():
    """Three people, two of them in known cells: only the third one knows that nobody is in the second column."""
    true = FrequencyTable([[1, 0], [1, 0], [1, 0]])
    nan = np.nan
    release = Release(
        true.axes,
        {(0, 1): [[1, nan], [nan, nan], [1, nan]], (): 3},
        {(0, 1): [[1, 0], [0, 0], [1, 0]], (): 3},
        {(0, 1): [[1, 1], [1, 1], [1, 1]], (): 3},
    )
    assert known(true, release) == set()
    limits = ReleaseLimits(
        "a law", no_risk_limit="a law of lines", all_but_one=1, recalculable=False, reading="sure"
    )
    (stop,) = (stop for stop in judge(true, release, limits).stops if stop.sure)
    assert (stop.kind, stop.where, stop.people, stop.sure) == ("all-but-one", (), 3, True)
    assert "in Row 2, Column 1" in stop.words
    assert (
        judge(
            true,
            release,
            ReleaseLimits("a law", no_risk_limit="a law of lines", recalculable=False, reading="sure"),
        ).answer
        == "release"
    )


@pytest.mark.parametrize("name", ["targeted-record-swapping", "record-swapping", "post-randomisation"])
def test_a_table_that_swapping_left_as_it_was_is_judged_by_what_it_shows(name):
    table = FrequencyTable([[0, 5, 4], [0, 7, 0]])
    limits = ReleaseLimits("Panel", smallest_count=3, all_but_one=3, reading="sure")
    unchanged = 0
    for seed in range(3**60, 3**60 + 20):
        release = methods.get(name)().release(table, seed)
        if np.array_equal(release.cells, table.counts):
            unchanged += 1
            assert "one-cell" in {stop.kind for stop in judge(table, release, limits, seed=seed).stops}
    assert unchanged > 0
