"""What tables tell together, by all tables of 2 x 2 x 2 that agree with them."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stating import stating

from sdcwidgets import FrequencyTable, InputError, protect
from sdcwidgets.assessment import verdict
from sdcwidgets.assessment.verdict import other_tables
from sdcwidgets.assessment.verdict.limits import ReleaseLimits
from sdcwidgets.assessment.verdict.suppressed_tables import filled_entries
from sdcwidgets.methods.suppressing import suppressed
from sdcwidgets.tables.release import Release

AXES = {name: [f"{name}0", f"{name}1"] for name in "ABC"}
#: What can be added to a table and changes none of the sums over one axis.
PATTERN = np.array([1, -1, -1, 1, -1, 1, 1, -1]).reshape(2, 2, 2)


def sure(tables, people):
    """Who knows which axes of a person learns which other one, by whom of `people`, in all of these tables."""
    for size in range(3):
        for known in itertools.combinations(range(3), size):
            for axis in set(range(3)) - set(known):
                others = tuple({0, 1, 2} - {*known, axis})
                lines = np.moveaxis(
                    tables.sum(axis=tuple(k + 1 for k in others)), 1 + sum(k < axis for k in known), -1
                )
                mine = np.moveaxis(people.sum(axis=others), sum(k < axis for k in known), -1)
                never = (lines == 0).all(axis=0)
                for place in map(tuple, np.argwhere((never.sum(axis=-1) == 1) & (mine.sum(axis=-1) > 0))):
                    yield known, place, axis


#: Opposite corners: with both empty one table fits all three sums, and none of these has an empty cell.
CORNERS = [(0, 7), (3, 4), (5, 2), (6, 1)]


@given(
    st.lists(st.integers(0, 4), min_size=8, max_size=8).filter(any),
    st.sampled_from([(), *CORNERS]),
    st.sets(st.sampled_from("AB"), min_size=1),
)
def test_nobody_is_known_from_tables_together_where_the_answer_is_yes(counts, empty, shared):
    true = np.array(counts).reshape(2, 2, 2)
    if empty:
        true.flat[...] = np.maximum(true.ravel(), 1) * ~np.isin(np.arange(8), empty)
    moves = range(-5, 6) if shared == {"A", "B"} else []
    tables = [true + k * PATTERN for k in moves if (true + k * PATTERN >= 0).all()]
    if shared != {"A", "B"}:  # only one table beside: each cell of the two sums has one number to choose
        kept = min(shared)
        slices = [np.moveaxis(true, "AB".index(kept), 0)[k] for k in (0, 1)]
        fits = [
            [x for x in ([a, r[0] - a, c[0] - a, r[1] - c[0] + a] for a in range(r[0] + 1)) if min(x) >= 0]
            for r, c in ((one.sum(axis=1), one.sum(axis=0)) for one in slices)
        ]
        tables = [
            np.moveaxis(np.array(both).reshape(2, 2, 2), 0, "AB".index(kept))
            for both in itertools.product(*fits)
        ]
    assert any((one == true).all() for one in tables)
    own = FrequencyTable(true.sum(axis=2), {name: AXES[name] for name in "AB"})
    others = [
        FrequencyTable(true.sum(axis="BA".index(name)), {name: AXES[name], "C": AXES["C"]})
        for name in sorted(shared)
    ]
    limits = ReleaseLimits(
        source="a test",
        no_risk_limit="a test of tables beside it",
        one_cell=1,
        linked=True,
        recalculable=True,
    )
    found = verdict.judge(own, None, limits, others=[Release.of(one) for one in others])
    alone = {  # what one of the tables tells by itself
        (known, place, axis)
        for known, place, axis in sure(np.array([true]), true)
        for one in (own, *others)
        if {"ABC"[k] for k in (*known, axis)} <= {each.name for each in one.axes}
    }
    together = set(sure(np.array(tables), true)) - alone
    implied = {
        one
        for one in together
        for less in alone
        if less[2] == one[2] and set(zip(*less[:2], strict=True)) <= set(zip(*one[:2], strict=True))
    }
    if together - implied:
        assert found.answer != "release"


def test_three_tables_without_a_small_count_tell_where_ten_people_are():
    own = FrequencyTable([[10, 20], [20, 10]], {"A": AXES["A"], "B": AXES["B"]})
    others = [
        Release.of(FrequencyTable([[20, 10], [10, 20]], {name: AXES[name], "C": AXES["C"]})) for name in "AB"
    ]
    limits = ReleaseLimits(
        source="a test",
        no_risk_limit="a test of tables beside it",
        one_cell=1,
        linked=True,
        recalculable=True,
    )
    assert verdict.judge(own, None, limits, others=others[:1]).answer == "release"
    found = verdict.judge(own, None, limits, others=others)
    assert found.answer == "not yet"
    assert found.stops[0].words == stating("A0, B0", "C C0")
    assert found.stops[0].people == 10


def test_too_many_combinations_are_refused_and_not_passed(monkeypatch):
    monkeypatch.setattr(other_tables, "MOST_JOINT", 7)
    own = FrequencyTable([[10, 20], [20, 10]], {"A": AXES["A"], "B": AXES["B"]})
    other = Release.of(FrequencyTable([[20, 10], [10, 20]], {"A": AXES["A"], "C": AXES["C"]}))
    with pytest.raises(InputError, match="8 combinations"):
        verdict.judge(
            own, None, ReleaseLimits(source="a test", smallest_count=2, linked=True), others=[other]
        )


def test_a_total_that_is_a_gap_is_filled_by_a_table_beside():
    counts = [[[3, 1], [0, 3]], [[1, 2], [3, 1]], [[0, 1], [0, 3]]]
    whole = FrequencyTable(counts, {"A": ["a0", "a1", "a2"], "B": ["b0", "b1"], "C": ["c0", "c1"]})
    table, other = whole.marginal("A", "B"), whole.marginal("A", "C")
    release = protect(table, "cell-suppression", seed=3**57, threshold=3, coalition=2, choice="optimal")
    assert (
        verdict.judge(table, release, ReleaseLimits("Us", no_risk_limit="a test of tables beside it")).answer
        == "release"
    )
    found = verdict.judge(
        table,
        release,
        ReleaseLimits("Us", no_risk_limit="a test of tables beside it"),
        others=[Release.of(other)],
    )
    assert found.answer == "not yet"
    assert [stop.name for stop in found.stops] == ["linked: a0, total", "linked: a2, total"]


def test_another_table_may_have_an_axis_that_the_suppressed_one_has_not():
    table = FrequencyTable([[1, 5], [6, 9]], {"Area": ["a", "b"], "Sex": ["f", "m"]})
    ages = FrequencyTable([[2, 4], [7, 8]], {"Area": ["a", "b"], "Age": ["young", "old"]})
    gaps = suppressed(table, seed=1)
    assert filled_entries(table, gaps, {}, [Release.of(ages)]) == []
