"""Controlled rounding and small cell adjustment: the handbook's tables, and the laws of additive rounding."""

import itertools
import re
from contextlib import nullcontext
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from stating import stating

from sdcwidgets import FrequencyTable, InputError, methods
from sdcwidgets.core import controlled as core
from sdcwidgets.core.margins import margins
from sdcwidgets.core.suppression import Tree, with_margins
from sdcwidgets.methods.rounding import controlled, protection_interval

#: The handbook's Tables 5.18 and 5.21, to base 5.
TABLE = FrequencyTable([[1, 0], [3, 3], [12, 20]], {"Area": ["A", "B", "C"], "Sex": ["Male", "Female"]})
PRINTED = np.array([[5, 0], [0, 5], [10, 20]])


def in_parts():
    """Let even small tables be rounded a part after the other."""
    return patch.multiple(core, MOST_OF_NETWORK=1, MOST_OF_THREE=1, SMALLEST=30, EFFORT=40, ROUNDS=1)


def distance(counts, rounded):
    before, after = margins(counts), margins(rounded)
    return sum(np.abs(before[kept] - after[kept]).sum() for kept in before)


def test_table_5_21_is_a_controlled_rounding_but_not_the_closest():
    printed = {kept: sums.tolist() for kept, sums in margins(PRINTED).items()}
    assert printed[0,] == [5, 5, 30]
    assert printed[1,] == [15, 25]
    assert printed[()] == 40
    for kept, sums in margins(TABLE.counts).items():
        assert (np.abs(np.array(printed[kept]) - sums) < 5).all()
    assert distance(TABLE.counts, PRINTED) == 22
    found = core.controlled(TABLE.counts, 5)
    assert (found.distance, found.gap) == (18, 0)


@settings(max_examples=15)
@given(counts=arrays(np.int64, (2, 3), elements=st.integers(0, 11)))
def test_no_rounding_is_closer(counts):
    base, truth, best = 3, margins(counts), np.inf
    for cells in itertools.product(
        *({z // base * base, -(-z // base) * base} for z in counts.ravel().tolist())
    ):
        rounded = margins(np.reshape(cells, counts.shape))
        if all(np.all(np.abs(rounded[kept] - sums) < base) for kept, sums in truth.items()) and all(
            np.all(rounded[kept][sums % base == 0] == sums[sums % base == 0]) for kept, sums in truth.items()
        ):
            best = min(best, sum(np.abs(rounded[kept] - sums).sum() for kept, sums in truth.items()))
    found = core.controlled(counts, base)
    assert found.distance == pytest.approx(best)
    assert found.gap == 0
    assert core.controlled(counts, base, 1).distance <= found.distance + 1e-9


@settings(max_examples=15)
@given(
    counts=st.sampled_from([(7,), (4, 5), (3, 3, 3)]).flatmap(
        lambda shape: arrays(np.int64, shape, elements=st.integers(0, 40))
    ),
    base=st.integers(2, 10),
    steps=st.integers(0, 2),
    parts=st.booleans(),
)
def test_cells_and_margins_are_multiples_within_k_steps_and_add_up(counts, base, steps, parts):
    with in_parts() if parts else nullcontext():
        try:
            found = core.controlled(counts, base, steps)
        except ValueError:
            # Tables of two axes always have a zero-restricted rounding; of three they may have none.
            assert counts.ndim == 3
            return
    if found.rapid:
        assert parts
        np.testing.assert_array_equal(found.cells, core.nearest(counts, base))
        return
    for kept, sums in margins(counts).items():
        rounded = margins(found.cells)[kept]
        assert (rounded % base == 0).all()
        assert (rounded >= 0).all()
        assert (np.abs(rounded - sums) < (steps + 1) * base).all()
        assert (np.abs(rounded - sums)[sums % base == 0] <= steps * base).all()
    assert found.distance == distance(counts, found.cells)
    assert 0 <= found.gap < 1


def test_parts_are_not_much_further_than_the_whole():
    counts = np.random.default_rng(1).poisson(4, (6, 5, 6))
    whole = core.controlled(counts, 5)
    with in_parts():
        *before, parts = core.search(counts, 5)
    assert not parts.rapid
    assert whole.distance <= parts.distance <= 1.05 * whole.distance
    assert parts.bound <= whole.distance
    # One can look at it and stop at any time.
    assert before[0].rapid
    found = [one for one in before if not one.rapid]
    assert [one.distance for one in found] == sorted((one.distance for one in found), reverse=True)


def test_a_long_table_of_two_axes_has_the_least_distance():
    counts = np.random.default_rng(1).poisson(4, (70, 60))
    found = core.controlled(counts, 5)
    assert found.gap == 0
    with in_parts():
        assert found.distance <= core.controlled(counts, 5).distance <= 1.05 * found.distance


def test_a_table_beyond_all_limits_begins_with_differences_of_rounded_running_sums():
    counts = np.random.default_rng(1).poisson(4, 50)
    with in_parts(), patch.object(core, "MOST_RELAXED", 1):
        found = core.controlled(counts, 5, effort=0)
    assert not found.rapid
    assert (found.cells % 5 == 0).all()
    assert np.abs(found.cells - counts).max() < 5
    assert abs(found.cells.sum() - counts.sum()) < 5


@pytest.mark.slow
def test_four_axes_end_with_a_rounding_whose_gap_is_told_and_it_is_always_the_same():
    """Takes more than 10 s of processor time, because an integer program of 400 cells runs twice."""
    counts = np.random.default_rng(1).poisson(3, (4, 5, 4, 5))
    first, again = (core.controlled(counts, 5, effort=0.25) for _ in range(2))
    np.testing.assert_array_equal(first.cells, again.cells)
    assert not first.rapid
    assert 0 < first.gap < 0.15


def test_where_nothing_is_found_rapid_stands_in_and_says_so():
    table = FrequencyTable(np.random.default_rng(1).poisson(3, (6, 6, 6, 6)))
    method = methods.get("controlled-rounding")(base=5, effort=0, choice="optimal")
    release = method.release(table, 1)
    np.testing.assert_array_equal(release.cells, core.nearest(table.counts, 5))
    assert "RAPID" in release.notes[0]
    assert method.private_note(table).startswith("No rounding within 0 steps (K) was found")
    for kept, truth in margins(table.counts).items():
        assert (release.lower[kept] <= truth).all()
        assert (truth <= release.upper[kept]).all()
    with pytest.raises(InputError, match=r"No rounding was found.*Allow K = 1"):
        controlled(table, 5, effort=0)


@settings(max_examples=20)
@given(
    counts=arrays(np.int64, (6, 5), elements=st.integers(0, 30)),
    base=st.integers(2, 7),
    steps=st.integers(0, 1),
    parts=st.booleans(),
)
def test_sub_totals_are_rounded_within_k_steps_too(counts, base, steps, parts):
    # Three regions of two areas each, two of these in the north; the columns have their total only.
    trees = [Tree([6, 6, 7, 7, 8, 8, 9, 9, 10, 10, -1]), Tree.flat(5)]
    with in_parts() if parts else nullcontext():
        found = core.controlled(counts, base, steps, trees=trees)
    if found.rapid:
        assert parts
        return
    truth, rounded = with_margins(counts, trees), with_margins(found.cells, trees)
    assert rounded.shape == (11, 6)
    assert (rounded % base == 0).all()
    assert (np.abs(rounded - truth) < (steps + 1) * base).all()
    assert (np.abs(rounded - truth)[truth % base == 0] <= steps * base).all()
    assert found.distance == np.abs(rounded - truth).sum()
    if not parts:
        # Without the sub-totals more is allowed, so that cells and margins come at least as near.
        free = core.controlled(counts, base, steps)
        assert free.distance <= distance(counts, found.cells) + 1e-9


#: Zero-restricted rounding in base 2 of a table of ones whose two-way margins leave none (Causey, Cox, Ernst 1985).
def infeasible():
    counts = np.zeros((2, 2, 2), dtype=np.int64)
    counts[0, 0, 0] = counts[0, 1, 1] = counts[1, 0, 1] = counts[1, 1, 0] = 1
    return FrequencyTable(counts)


def test_a_table_without_a_rounding_says_so_and_offers_one_step_more():
    table = infeasible()
    with pytest.raises(InputError, match=r"Allow K = 1"):
        controlled(table, 2)
    assert (controlled(table, 2, steps=1).counts % 2 == 0).all()
    assert (controlled(table, 2, goal="rapid").counts % 2 == 0).all()


def test_the_first_and_the_rapid_solution_are_no_better_than_the_optimal_one():
    table = FrequencyTable(np.random.default_rng(3).poisson(3, (4, 5, 4)))
    best = core.controlled(table.counts, 5)
    for goal in ("first", "rapid"):
        other = core.controlled(table.counts, 5, goal=goal)
        assert other.distance >= best.distance
        assert other.bound <= best.distance + 1e-6
    rapid = controlled(table, 5, goal="rapid")
    nearest = methods.get("conventional-rounding")(base=5).apply(table, np.random.default_rng(1))
    assert rapid == nearest


def test_a_gap_is_told_to_the_one_who_protects_and_to_nobody_else():
    method = methods.get("controlled-rounding")(base=5)
    assert method.private_note(TABLE) == ""
    table = FrequencyTable(np.random.default_rng(3).poisson(3, (4, 5, 4)))
    rapid = methods.get("controlled-rounding")(base=5, goal="rapid")
    assert re.search(r"is [\d,]+ people; .* is [\d,]+, .* [\d.]+%\.$", rapid.private_note(table))
    assert not any("gap" in note for note in rapid.release(table, 1).notes)


def test_the_interval_of_15_in_base_5_with_one_step_is_6_to_24():
    assert [int(x) for x in protection_interval(15, 5, 1)] == [6, 24]
    assert [int(x) for x in protection_interval(0, 5)] == [0, 4]
    assert [int(x) for x in protection_interval(20, 5, printed=True)] == [16, 24]


@given(z=st.integers(0, 60), base=st.integers(2, 8), steps=st.integers(0, 3), data=st.data())
def test_the_interval_holds_every_count_that_may_be_behind(z, base, steps, data):
    residual = z % base
    j = data.draw(st.integers(-steps, steps + (residual > 0)))
    lower, upper = protection_interval(max(0, z // base + j) * base, base, steps)
    assert lower <= z <= upper


def test_the_printed_interval_misses_counts_below_k_plus_one_bases():
    lower, upper = protection_interval(5, 5, 1, printed=True)
    assert (int(lower), int(upper)) == (0, 9)
    assert 12 // 5 - 1 == 1  # one step down from 10, a 12 is published as 5


def test_a_release_bounds_each_margin_as_a_cell():
    release = methods.get("controlled-rounding")(base=5).release(TABLE, np.random.default_rng(1))
    assert release.plain
    assert release.bounds().upper == release.marginal() + 4
    with pytest.raises(InputError, match="at least 2"):
        controlled(TABLE, 1)
    with pytest.raises(InputError, match="one of"):
        controlled(TABLE, 5, goal="best")


class TestSmallCells:
    METHOD = methods.get("small-cell-adjustment")(base=3)

    def test_only_small_cells_change_and_margins_are_their_sums(self):
        release = self.METHOD.release(TABLE, np.random.default_rng(2))
        assert release.cells[1:].tolist() == TABLE.counts[1:].tolist()
        assert release.cells[0, 0] in (0, 3)
        assert release.additive

    def test_large_counts_are_known(self):
        release = self.METHOD.release(TABLE, np.random.default_rng(2))
        assert release.lower[0, 1][2].tolist() == release.upper[0, 1][2].tolist() == [12, 20]
        assert release.lower[0, 1][1].tolist() == [1, 1]


def test_the_method_rounds_sub_totals_of_neighbouring_rows():
    table = FrequencyTable(np.random.default_rng(2).poisson(2, (7, 4)))
    method = methods.get("controlled-rounding")(base=5, group=3)
    rounded = method.release(table, 1)
    assert rounded.notes[-1] == stating("every 3 rows")
    for start in (0, 3, 6):
        part = slice(start, start + 3)
        for axis in (0, None):
            away = np.abs(rounded.cells[part].sum(axis=axis) - table.counts[part].sum(axis=axis))
            assert (away < 5).all()


@pytest.mark.parametrize(
    ("rows", "group", "parts"),
    [(6, 2, [(0, 1), (2, 3), (4, 5)]), (7, 3, [(0, 1, 2), (3, 4, 5), (6,)]), (4, 3, [(0, 1, 2), (3,)])],
)
def test_each_row_is_under_the_sub_total_of_its_neighbours(rows, group, parts):
    method = methods.get("controlled-rounding")(group=group)
    tree, *others = method.trees(FrequencyTable(np.ones((rows, 2))))
    assert [below for _, below in tree.groups] == [*parts, tuple(range(rows, rows + len(parts)))]
    assert others == [Tree.flat(2)]


@pytest.mark.parametrize(
    ("hierarchies", "sentence"),
    [
        ({"Area": {"A": "north"}}, 'Label "B" of axis "Area" is missing in the hierarchy'),
        ({"Town": {}}, 'The hierarchy "Town" does not belong'),
        ({"Area": {"A": "n", "B": "n", "C": "s", "n": "s", "s": "n"}}, "is inconsistent"),
    ],
)
def test_a_hierarchy_with_a_gap_is_told(hierarchies, sentence):
    with pytest.raises(InputError, match=sentence):
        controlled(TABLE, 5, hierarchies=hierarchies)
