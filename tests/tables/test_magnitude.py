"""Magnitude tables: amounts and contributors, rules, hierarchies, and patterns that insiders cannot undo."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdcwidgets import InputError
from sdcwidgets.core.suppression import audit, of_trees
from sdcwidgets.tables.magnitude import MagnitudeTable

RECORDS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.integers(0, 8), st.integers(1, 200)),
    min_size=4,
    max_size=40,
)
NORTH = {"a": "north", "b": "north", "c": "south", "d": "south"}


made = MagnitudeTable.from_records


def regions(amounts):
    """Four areas in two regions, two kinds, two companies in each cell."""
    records = []
    for k, amount in enumerate(amounts):
        area, kind = "abcd"[k // 2], "xy"[k % 2]
        records += [
            (area, kind, 2 * k, amount),
            (area, kind, 2 * k + 1, amount * 0.6),
            (area, kind, 99 + k, amount * 0.5),
        ]
    return MagnitudeTable.from_records(records, ["Area", "Kind"], {"Area": NORTH})


@given(RECORDS)
@settings(max_examples=40, deadline=None)
def test_values_counts_and_totals_are_those_of_the_records(records):
    table = MagnitudeTable.from_records(records, ["Row", "Column"])
    frame = pd.DataFrame(records, columns=["Row", "Column", "holder", "amount"])
    assert table.full[-1, -1] == frame["amount"].sum()
    sums = frame.groupby(["Row", "Column"])["amount"].sum()
    holders = frame.groupby(["Row", "Column"])["holder"].nunique()
    for (row, column), amount in sums.items():
        at = table.axes[0].position(row), table.axes[1].position(column)
        assert table.full[at] == amount
        assert table.counts.counts[at] == holders[row, column]
    # In a total the contributions of one holder are one.
    largest = frame.groupby("holder")["amount"].sum().max()
    assert table.everywhere.largest(table.full.size, 1)[-1, 0] == largest


@given(RECORDS, st.integers(5, 40))
@settings(max_examples=25, deadline=None)
def test_what_is_sensitive_cannot_be_estimated(records, p):
    table = MagnitudeTable.from_records(records, ["Row", "Column"])
    try:
        pattern = table.suppress("p-percent", p=p)
    except InputError:
        return
    found = table.sensitive("p-percent", p=p)
    assert np.all(pattern.suppressed[found.flags])
    lower, upper = audit(of_trees(table.trees), table.full, pattern.suppressed)
    values = table.full.ravel()
    assert np.all((upper - values)[found.flags] >= found.needed[found.flags] - 1e-6)
    assert np.all(lower <= values + 1e-6)


def test_a_hierarchy_has_its_sub_totals():
    table = regions([100, 80, 60, 90, 70, 50, 40, 30])
    assert table.labels[0] == ("a", "b", "c", "d", "north", "south", "Total")
    frame = table.to_frame()["amount"]
    assert frame["north", "x"] == frame["a", "x"] + frame["b", "x"]
    assert frame["Total", "Total"] == pytest.approx(2.1 * 520)
    top = table.everywhere.largest(table.full.size, 1).reshape(table.full.shape)
    assert top[4, 0] == 100


def test_the_frame_of_a_pattern_says_why():
    table = MagnitudeTable.from_records(
        [("a", "x", 1, 90), ("a", "x", 2, 5), ("a", "y", 3, 40), ("a", "y", 4, 35), ("a", "y", 9, 30),
         ("b", "x", 5, 50), ("b", "x", 6, 45), ("b", "x", 10, 40), ("b", "y", 7, 60), ("b", "y", 8, 55),
         ("b", "y", 11, 50)],
        ["Area", "Kind"],
    )  # fmt: skip
    pattern = table.suppress("dominance", n=1, k=75, choice="optimal")
    frame = table.to_frame(pattern)
    assert frame["suppressed"]["a", "x"] == "primary"
    assert (frame["suppressed"] == "secondary").sum() == 3
    assert pattern.optimal


def test_a_table_of_records_in_a_frame():
    frame = pd.DataFrame({"Area": ["a", "b"], "firm": [1, 2], "turnover": [5.0, 7.5]})
    table = MagnitudeTable.from_frame(frame, ["Area"], "firm", "turnover")
    assert table.full.tolist() == [5.0, 7.5, 12.5]
    table.check([5.0, 7.5])


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: regions([100] * 8).check(np.zeros((4, 2))), 'Row "a", column "x": .* sum to 210, the amount is 0'),
        (lambda: regions([100] * 8).check(np.zeros((4, 3))), "shape"),
        (lambda: made([], ["A"]), "no contributions"),
        (lambda: made([("a", 1)], ["A"]), "needs 1 labels"),
        (lambda: made([("a", 1, -2)], ["A"]), "at least 0"),
        (lambda: made([("a", 1, "x")], ["A"]), "at least 0"),
        (lambda: made([("a", 1, 2), ("b", 1, 2)], ["A"], {"A": {"a": "n"}}), '"b" of axis "A" is missing'),
        (lambda: made([("a", 1, 2)], ["A"], {"A": {"a": "n", "z": "n"}}), "a parent"),
        (lambda: made([("a", 1, 2)], ["A"], {"B": {"a": "n"}}), "an axis"),
        (lambda: made([("a", 1, 2)], ["A"], {"A": {"a": "n", "n": "m", "m": "n"}}), "is inconsistent"),
        (lambda: regions([100] * 8).suppress("magic"), "no rule"),
        (lambda: regions([100] * 8).suppress("dominance", n=1, k=200), "0 < k < 100"),
        (lambda: regions([100] * 8).suppress("dominance", p=1), "settings p"),
        (lambda: regions([100] * 8).suppress(costs=[1]), "numbers above 0"),
        (lambda: MagnitudeTable.from_frame(pd.DataFrame({"A": [1]}), ["A"], "firm", "x"), "no column"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(act, words):
    with pytest.raises(InputError, match=words):
        act()
