"""Suppressing by hand: O&DF's figures, the numbers of two patterns, and links."""

import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stating import stating

from sdcwidgets import InputError, examples
from sdcwidgets.core.bounds import intervals, margins_of
from sdcwidgets.core.risk.cell import a_posteriori
from sdcwidgets.dashboards.suppression import charts as plots
from sdcwidgets.dashboards.suppression import texts as words
from sdcwidgets.dashboards.suppression.linked_tables import LINKED, TURNOVER, linked_ranks
from sdcwidgets.dashboards.suppression.optimiser import PatternRequest, box, optimise
from sdcwidgets.dashboards.suppression.result import compute
from sdcwidgets.dashboards.suppression.sheet import sheet_of
from sdcwidgets.dashboards.suppression.state import ODF, SuppressionState
from sdcwidgets.methods.cell_suppression import CellSuppression
from sdcwidgets.methods.threshold_suppression import ThresholdSuppression
from sdcwidgets.tables.arrangement import Arrangement
from sdcwidgets.tables.io.sources import Example, InMemorySource
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.page_state.links import decode, encode
from sdcwidgets.widgets.page_state.table_state import TableState

CELLS = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12)


def test_table_1_of_odf():
    found = compute(SuppressionState())
    assert found.lower[found.mask].tolist() == [0, 1131, 0, 845]
    assert found.upper[found.mask].tolist() == [406, 1537, 406, 1251]
    assert found.weakest == 407
    assert (found.unknowns, found.equations, found.rank) == (4, 4, 3)
    lines = ["".join(piece.text for piece in line) for line in words.equations(found)]
    assert lines == [
        "Activity 5: x₁ + x₂ = 3,898 − 592 − 329 − 1,440 = 1,537",
        "size 5: x₁ + x₃ = 4,353 − 253 − 3,694 = 406",
        "Therefore 0 ≤ x₁ ≤ 406: m = 407 possible values, disclosure risk 1/log₂ m = 0.115",
    ]


def test_the_recalled_numbers_meet_every_printed_sum():
    assert ODF.counts.sum() == 20139
    assert ODF.counts.sum(axis=0).tolist() == [1448, 4353, 4281, 4847, 5210]
    assert (ODF.counts[2] + ODF.counts[3]).tolist() == [649, 406, 1275, 2382, 3467]


def test_too_narrow_and_the_optimisers_pattern():
    state = SuppressionState(sensitive=((0, 2),))
    for cell in ((0, 0), (0, 2), (4, 0), (4, 2)):
        state = state.pressed(cell)
    found = compute(state)
    assert (found.weakest, found.unknowns, found.rank) == (135, 8, 6)
    assert found.risk[0, 0].round(3) == 0.141
    assert np.argwhere(found.narrow).tolist() == [[0, 2]]
    best = found.best
    # 253 and 100 in column 5, 329 across: the box is cheapest, though x1 is no gap of the optimiser's before.
    assert (best.people, best.cells, best.narrowest, best.optimal) == (253 + 329 + 100, 3, 308, True)


@pytest.mark.parametrize(
    ("frozen", "pattern"),
    [
        (((1, 0), (1, 1), (0, 2)), [(0, 0), (0, 1), (2, 0), (2, 1)]),
        (((0, 0), (1, 0), (1, 1), (2, 0)), None),  # only the total of the table would protect the cell
    ],
)
def test_totals_of_columns_are_suppressed_but_never_the_total_of_the_table(frozen, pattern):
    table = FrequencyTable([[8, 5], [7, 9]])
    found = optimise(sheet_of(table), PatternRequest(((0, 1),), 3, frozen=frozen))
    if pattern is None:
        assert found.hidden is None
        assert found.problem
    else:
        assert [tuple(cell) for cell in np.argwhere(found.hidden).tolist()] == pattern


def test_secondary_cells_need_no_width_of_their_own():
    hidden = ((0, 0), (0, 2), (4, 0), (4, 2))
    state = SuppressionState(sensitive=((0, 2),), hidden=hidden).require(width=100)
    judged = compute(state)
    assert np.argwhere(judged.required).tolist() == [[0, 2]]
    assert judged.fewest == judged.values[0, 2] >= judged.weakest
    unmarked = compute(replace(state, sensitive=()))
    assert np.array_equal(unmarked.required, unmarked.mask)
    assert unmarked.fewest == unmarked.weakest


@given(CELLS)
@settings(max_examples=25, deadline=None)
def test_bounds_are_those_of_linear_programming(cells):
    found = compute(SuppressionState(hidden=tuple(cells)))
    published = np.where(found.mask[:-1, :-1], np.nan, ODF.counts)
    bounds = intervals({(0, 1): published, (0,): ODF.counts.sum(axis=1), (1,): ODF.counts.sum(axis=0)})
    np.testing.assert_array_equal(found.lower[:-1, :-1], bounds.lower)
    np.testing.assert_array_equal(found.upper[:-1, :-1], bounds.upper)
    np.testing.assert_array_equal(found.risk[:-1, :-1], a_posteriori(bounds))
    assert found.rank <= min(found.unknowns, found.equations)
    assert words.weakest(found)
    assert SuppressionState.from_state(found.state.to_state()) == found.state


def test_boxes_are_what_the_audit_says():
    state = SuppressionState(hidden=(), sensitive=((0, 2),))
    boxes = compute(state).boxes
    i, j = state.sensitive[0]
    for (row, column), people, left in zip(boxes.corners, boxes.people, boxes.values, strict=True):
        corners = ((i, j), (i, column), (row, j), (row, column))
        found = compute(SuppressionState(hidden=corners))
        assert found.values[i, j] == left
        assert people == sum(ODF.counts[cell] for cell in corners[1:])
    assert "256 possible" in plots.prepare(compute(state)).summary


def test_linked_tables():
    """Proposition 2: the same rows and columns lower the rank by 7, others by 4 (O&DF, section 4.5.3)."""
    found = compute(SuppressionState())
    alike, elsewhere = found.linked_ranks
    assert (alike.equations, alike.full_ranks, alike.ranks) == ((12, 21, 33), (12, 18, 24), (8, 12, 17))
    assert elsewhere.ranks == (8, 13, 20)
    # What the propositions say of entropy and risk, on turnovers of ours: the rank that falls more protects more.
    assert alike.risk[0] == elsewhere.risk[0]
    assert alike.risk[1] < elsewhere.risk[1]
    assert alike.risk[2] < elsewhere.risk[2]
    assert words.linked_comparison(found).endswith("0.133 with A and 0.163 with B. Pattern A protects more.")
    free = compute(SuppressionState(pattern_a=(), pattern_b=()))
    assert free.linked_ranks[0].ranks == (12, 18, 24)
    assert all(one <= bare for one, bare in zip(elsewhere.risk, free.linked_ranks[0].risk, strict=True))
    assert "Pattern" not in words.linked_comparison(free)


def test_the_risk_of_linked_turnovers_is_that_of_their_bounds():
    """O&DF, equation (8), where nothing is suppressed."""
    whole = {axes: TURNOVER.sum(axis=3 - sum(axes)) for axes in LINKED.values()}
    risk = a_posteriori(intervals(whole))
    assert linked_ranks(()).risk[-1] == pytest.approx(risk.mean())


def test_which_pattern_protects_more_is_told():
    found = compute(SuppressionState())
    rows = {name: numbers for name, *numbers in words.compared(found)}
    assert rows[words.MEASURES[0]] == ["2,688", "636"]
    assert rows[words.MEASURES[4]] == ["0.115", "0.121"]
    assert rows[words.MEASURES[5]] == ["4 − 3 = 1", "4 − 3 = 1"]
    assert found.expected == pytest.approx(found.risk[found.mask].mean())
    assert found.best.remaining.expected == pytest.approx(1 / np.log2(308))
    told = words.protects_more(found)
    assert "protects more" in told
    assert re.findall(r"[0-9.,]*[0-9]", told) == ["0.115", "0.121", "2,688", "636"]
    assert "one possible" in words.protects_more(compute(SuppressionState(hidden=((2, 1),))))
    assert "sensitive cell" in words.protects_more(compute(SuppressionState(hidden=())))
    taken = compute(SuppressionState(hidden=tuple(map(tuple, np.argwhere(found.best.hidden).tolist()))))
    assert "Both patterns" in words.protects_more(taken)
    assert np.isnan(compute(SuppressionState(hidden=())).expected)


def test_what_is_not_proved_says_what_its_bound_is_worth():
    found = compute(SuppressionState())
    for least, worth in ((500.0, "may exist."), (32.0, "is weak")):
        open_ = replace(found.best, optimal=False, least=least)
        found.__dict__["best"] = open_
        told = words.proof(found)
        assert re.findall(r"\d+", told)[:2] == ["636", f"{least:.0f}"]
        assert worth in told


def test_a_trainees_table_of_three_hundred_cells_is_suppressed():
    rng = np.random.default_rng(1)
    table = FrequencyTable(rng.poisson(rng.gamma(0.7, 20, (25, 12))))
    found = compute(SuppressionState(table))
    assert found.unknowns == found.state.sheet.mask(found.state.hidden).sum() == 51
    assert words.weakest(found)


SMALL_TABLES = [
    name
    for name in examples.available()
    if examples.load(name).ndim == 2 and min(examples.load(name).shape) > 1
]


@pytest.mark.parametrize("name", SMALL_TABLES)
def test_every_table_can_be_chosen(name):
    start = SuppressionState()
    found = compute(replace(start, table=examples.load(name), source=Example(name), arrangement=None))
    counts = examples.load(name).counts
    if name != "odf-1":
        assert found.state.hidden == tuple(map(tuple, np.argwhere((counts > 0) & (counts < 3)).tolist()))
    assert words.proof(found)
    assert words.compared(found)
    plots.draw(plots.prepare(found))
    plots.draw_chain(plots.chain(found, words.supposition(found)))
    assert SuppressionState.from_state(decode(encode(found.state))) == found.state
    assert TableState.from_state(found.state.to_state()).table == found.state.table
    back = replace(found.state, table=ODF, source=start.source, arrangement=None)
    assert (back.hidden, back.sensitive, back.requirements) == (
        start.hidden,
        start.sensitive,
        start.requirements,
    )


def test_a_table_of_three_axes_is_suppressed_as_it_is_seen():
    table = FrequencyTable(np.arange(24).reshape(2, 3, 4))
    state = SuppressionState(table, InMemorySource())
    assert state.sheet.full.shape == (3 * 4, 5)
    one = replace(state, arrangement=state.arrangement.placed(table.axes[0].name, table.axes[0].labels[1]))
    assert one.sheet.table.counts.tolist() == table.counts[1].tolist()
    assert one.hidden == ()


#: Region × Sex × Age, as a person brought it.
PEOPLE = FrequencyTable(
    [[[7, 2, 7], [4, 6, 5]], [[5, 4, 3], [3, 5, 5]], [[2, 4, 8], [3, 3, 3]]],
    {"Region": ("Nord", "Süd", "West"), "Sex": ("m", "w"), "Age": ("0-17", "18-64", "65+")},
)


def taken(state):
    """Return the state with the optimiser's gaps."""
    return replace(state, hidden=tuple(map(tuple, np.argwhere(compute(state).best.hidden).tolist())))


def test_three_axes_have_the_sums_of_each():
    """Four gaps between two rows are no pattern: Region × Age less the women gives the men."""
    state = SuppressionState(PEOPLE, InMemorySource()).require(reader="sums")
    rows = {name: i for i, name in enumerate(state.sheet.rows)}
    four = tuple((rows[row], j) for row in ("Nord, m", "West, m") for j in (0, 1))
    found = compute(replace(state, hidden=four))
    assert [found.values[cell] for cell in four] == [1] * 4
    assert "3 other" in words.weakest(found)
    best = taken(state)
    assert len(best.hidden) == 8
    told = words.weakest(compute(best))
    assert compute(best).fewest == 6
    told = ["".join(piece.text for piece in line) for line in words.equations(compute(best))]
    assert [line.split(":")[0] for line in told[:3]] == ["Nord, m", "Nord, 18-64", "m, 18-64"]
    chain = plots.chain(compute(best), "")
    drawn = plots.draw_chain.plain(chain)["data"]
    # The sums over Region pass the women of Nord, and are bent around them.
    assert sum(x not in (*chain.x, None) for x in drawn[1]["x"]) == 4
    # A sum stands on the other side of its line than the names of the gaps do.
    names = dict(zip(drawn[-1]["y"], drawn[-1]["textposition"], strict=True))
    sums = zip(drawn[2]["y"], drawn[2]["textposition"], strict=True)
    assert [(names[y], where) for y, where in sums] == [("top center", "bottom center")] + [
        ("bottom center", "top center")
    ] * 3
    space = {}
    exec(words.as_code(best), space)
    bounds = space["bounds"]
    assert np.array_equal(bounds[1].ravel(), compute(best).upper.ravel())


@pytest.mark.parametrize("across", [("Age",), ("Sex", "Age"), ("Sex",)])
def test_what_is_left_of_three_axes_is_what_an_intruder_computes(across):
    down = tuple(name for name in ("Region", "Sex", "Age") if name not in across)
    start = replace(SuppressionState(PEOPLE, InMemorySource()), arrangement=Arrangement(down, across))
    state = taken(start.require(reader="sums"))
    found = compute(state)
    table = state.unfolded
    every = [kept for n in range(4) for kept in combinations(range(3), n)]
    printed = margins_of(table.counts, every)
    gaps = found.mask.reshape(state.sheet.shape)
    for kept in every:
        at = tuple(slice(None, -1) if axis in kept else -1 for axis in range(3))
        printed[kept] = np.where(gaps[at], np.nan, printed[kept])
    lower, upper = intervals(printed)
    assert np.array_equal(lower.ravel(), found.lower[state.sheet.leaf])
    assert np.array_equal(upper.ravel(), found.upper[state.sheet.leaf])
    assert found.weakest >= state.requirements.width
    release = Release(table.axes, {kept: np.asarray(values, dtype=float) for kept, values in printed.items()})
    assert state.published == list(release.lines())
    assert SuppressionState.from_state(decode(encode(state))) == state


def test_boxes_of_three_axes_have_eight_corners_and_change_no_sum():
    state = SuppressionState(PEOPLE, InMemorySource())
    boxes = compute(state).boxes
    assert len(boxes.corners) == 2 * 1 * 2
    for corner, left in zip(boxes.corners, boxes.values, strict=True):
        cells = box(state.sheet, boxes.around, corner)
        assert len(cells) == 8
        assert compute(replace(state, hidden=cells)).weakest == left


def test_sub_totals_of_the_first_axis_of_three():
    state = taken(SuppressionState(PEOPLE, InMemorySource()).require(group=2))
    assert [state.sheet.names[0][i] for i in state.sheet.orders[0]] == [
        *("Nord", "Süd", "Nord to Süd", "West", "Total")
    ]
    assert [line[0] for line in state.published[1::3]] == ["Nord", "Süd", "Nord to Süd", "West", "Total"]
    assert state.sheet.rows[-6:] == (
        *("Nord to Süd, m", "Nord to Süd, w", "Nord to Süd, Total", "Total, m", "Total, w", "Total"),
    )
    assert compute(state).weakest >= state.requirements.width
    # Gaps of cells and of totals stay where they are, those of sub-totals go.
    cells = [(0, 0, 0), (3, 0, 0), (4, 1, 0)]
    tied = replace(state, hidden=tuple(map(state.sheet.cell, cells)))
    free = tied.require(group=1)
    assert list(map(free.sheet.position, free.hidden)) == [(0, 0, 0), (3, 1, 0)]


def test_an_axis_of_one_category_has_no_total():
    table = FrequencyTable(PEOPLE.counts[:, :1], [PEOPLE.axes[0], ("Sex", ("m",)), PEOPLE.axes[2]])
    state = SuppressionState(table)
    flat = SuppressionState(FrequencyTable(PEOPLE.counts[:, 0]))
    assert state.sheet.full.tolist() == flat.sheet.full.tolist()
    assert compute(state).best.people == compute(flat).best.people
    assert compute(state).boxes.people.tolist() == compute(flat).boxes.people.tolist()


def test_a_hierarchy_adds_sums_and_closes_intervals():
    """Rows 4 and 5 under one sub-total: a box across two sub-totals is no box any more."""
    box = ((2, 1), (2, 3), (1, 1), (1, 3))
    free = compute(SuppressionState(hidden=box))
    tied = compute(SuppressionState(hidden=box).require(group=2))
    assert free.weakest > 1
    assert [tied.state.sheet.rows[i] for i in tied.state.sheet.order] == [
        *("2,3", "4", "2,3 to 4", "5", "6", "5 to 6", "7", "Total")
    ]
    assert [tied.values[cell] for cell in box] == [1] * 4
    assert "3 other" in words.weakest(tied)
    told = words.equations(compute(SuppressionState().require(group=2)))
    assert told[1][0].text == "size 5, 5 to 6: x₁ + x₃ = 406"
    again = replace(tied.state, hidden=((2, 1), (2, 3), (3, 1), (3, 3), (6, 0), (7, 0)))
    assert again.require(group=1).hidden == ((2, 1), (2, 3), (3, 1), (3, 3), (5, 0))
    # The optimiser's pattern holds with its totals, whatever is marked.
    for marked in (((0, 2),), ((0, 0), (4, 2))):
        state = replace(tied.state, sensitive=marked)
        kept = compute(taken(state))
        assert min(kept.values[cell] for cell in marked) >= state.requirements.width


def test_totals_may_be_gaps_but_not_the_grand_total():
    state = SuppressionState(hidden=((2, 1), (2, 5), (3, 1), (3, 5)))
    found = compute(state)
    assert found.values[2, 5] == 407
    told = ["".join(piece.text for piece in line) for line in words.equations(found)]
    assert told[0] == "Activity 5: x₂ = x₁ + 592 + 329 + 1,437 + 1,440"
    # A lone hidden total follows from the grand total, and the count from it.
    assert compute(SuppressionState(hidden=((2, 1), (2, 5), (5, 1)))).weakest == 1
    with pytest.raises(InputError, match="outside"):
        SuppressionState(hidden=((5, 5),))


def test_what_is_supposed_of_one_gap_tells_the_others():
    found = compute(replace(SuppressionState(), suppose=100))
    assert (
        found.then_lower[found.mask].tolist()
        == found.then_upper[found.mask].tolist()
        == [100, 1437, 306, 945]
    )
    picture = plots.chain(found, words.supposition(found))
    assert picture.then == ("100", "1,437", "306", "945")
    assert sorted(text for *_, text in picture.links) == ["1,251", "1,537", "2,382", "406"]
    assert "3 other" in picture.summary
    assert compute(replace(SuppressionState(), suppose=9999)).supposed == 406
    known = compute(SuppressionState(hidden=((2, 1),)))
    assert known.supposed is None


@given(CELLS, st.integers(0, 3000))
@settings(max_examples=20, deadline=None)
def test_supposing_never_widens_an_interval(cells, value):
    state = SuppressionState(hidden=tuple(cells))
    found = compute(replace(state, chosen=(state.hidden or ((0, 0),))[0], suppose=value))
    assert np.all((found.lower <= found.then_lower) & (found.then_upper <= found.upper))
    plots.draw_chain(plots.chain(found, words.supposition(found)))


def test_why_nothing_cheaper_holds():
    found = compute(SuppressionState())
    each = found.cell_effects
    assert len(each) == found.best.cells == 3
    for one in each:
        hidden = found.best.hidden.copy()
        hidden[one.cell] = False
        less = compute(replace(found.state, hidden=tuple(map(tuple, np.argwhere(hidden).tolist()))))
        assert less.values[one.weakest] == one.values < found.state.requirements.width
    told = ["".join(piece.text for piece in line) for line in words.why(found)]
    assert told[1] == stating("253 (2,3, size 5)", "5, size 5")
    assert "None of 16 " in told[4]


def test_sums_of_a_sheet_add_up():
    for group in (1, 2, 3, 6):
        sheet = sheet_of(ODF, group)
        sheet.relations.check(sheet.full)
        assert len(sheet.lines) == sheet.relations.matrix.shape[0]
        for line in sheet.lines:
            assert sheet.full[line.total] == sum(sheet.full[cell] for cell in line.parts)


@pytest.mark.parametrize(("counts", "together"), [((1, 1), 2), ((1, 2), None), ((0, 1), 1), ((0, 0), None)])
def test_one_or_two_people_in_the_suppressed_cells_of_a_total(counts, together):
    sheet = SuppressionState(FrequencyTable([[*counts, 9], [8, 7, 9], [6, 5, 4]])).sheet
    hidden = np.zeros(sheet.full.shape, dtype=bool)
    hidden[:2, :2] = True
    union = sheet.small_union(hidden)
    assert (union and union[1]) == together


def test_two_ones_in_a_row_are_told_and_the_optimiser_leaves_no_such_sum():
    """The trap of singletons: the gaps of a row hold two people, and each knows where the other is."""
    table = FrequencyTable([[1, 1, 9, 7], [1, 1, 8, 9], [9, 8, 7, 8]])
    state = SuppressionState(table, hidden=((0, 0), (0, 1), (1, 0), (1, 1)), sensitive=((0, 0),))
    state = replace(state, requirements=replace(state.requirements, width=2))
    found = compute(replace(state, source=InMemorySource()))
    assert found.values[0, 0] >= 2
    assert "a total of 2 people" in words.protects_more(found)
    amounts = words.protects_more(compute(state))
    assert "a total of 2 of turnover." in amounts
    assert "infer" not in amounts
    assert found.best.optimal
    assert state.sheet.small_union(found.best.hidden) is None
    told = "".join(piece.text for line in words.why(found) for piece in line)
    assert "infer each" in told or "be recalculated" in told


@pytest.mark.parametrize(
    ("make", "words_"),
    [
        (
            lambda: SuppressionState(FrequencyTable(np.ones((21, 20), int))),
            "420 cells; the page accepts at most 400",
        ),
        (lambda: SuppressionState(FrequencyTable([[1, 2]])), "two rows"),
        (lambda: SuppressionState(hidden=((9, 0),)), "outside the"),
        (lambda: SuppressionState(pattern_a=(("AA", 0, 0),)), "no cell"),
        (lambda: SuppressionState.from_state({"version": 1}), "damaged"),
        (lambda: SuppressionState.from_state({"version": 2}), "another version"),
    ],
)
def test_bad_states_are_refused(make, words_):
    with pytest.raises(InputError, match=words_):
        make()


RELIGION = examples.load("religion")


def _beginning(**asked):
    start = replace(SuppressionState(), table=RELIGION, source=Example("religion"), arrangement=None)
    return start.require(**asked)


def test_gaps_of_exactly_the_small_counts_hide_as_little_here_as_in_protect():
    """Zeros are printed, so who knows the rule reads ones and twos: the method says so, and so does this page."""
    release = ThresholdSuppression(threshold=3).release(RELIGION, np.random.default_rng(1))
    found = compute(_beginning())
    open_ = release.recalculable
    assert found.unknowns == sum(int(np.isnan(values).sum()) for values in release.values.values()) == 21
    np.testing.assert_array_equal((found.values == 1)[:-1, :-1] & found.mask[:-1, :-1], open_[0, 1])
    assert int((found.values[found.mask] == 1).sum()) == 21
    told = words.weakest(found)
    assert "20 other" in told
    assert "are 1 or 2" in told
    assert told == stating("not negative", "4 of 21")


def test_each_sum_of_the_chain_is_told_once():
    found = compute(_beginning(reader="sums"))
    state = replace(found.state, chosen=next(cell for cell in found.state.hidden if found.values[cell] > 1))
    picture = plots.chain(compute(state), "")
    sums = [text for *_, text in picture.links if text]
    sheet, shown = state.sheet, set(picture.cells)
    gaps = [[sheet.name(one) for one in line.cells if one in state.hidden] for line in sheet.lines]
    wanted = sorted(len(inside) for inside in gaps if len(inside) > 1 and shown.issuperset(inside))
    assert wanted[-1] > 2
    assert len(sums) == len(wanted)


def test_a_reader_of_sums_alone_is_named_and_the_other_told():
    found = compute(_beginning(reader="sums"))
    assert int((found.values[found.mask] == 1).sum()) == 4
    told = words.weakest(found)
    assert told == stating("3 other", "not negative")
    assert told == stating("1 or 2", "21 of 21")
    assert "not negative" in words.weakest(compute(SuppressionState()))


def test_more_gaps_than_the_small_counts_are_read_as_cell_suppression_reads_them():
    method = CellSuppression(threshold=3)
    release = method.release(RELIGION, np.random.default_rng(1))
    gaps = np.argwhere(method.pattern(RELIGION, 1).suppressed.reshape(11, 10))
    found = compute(replace(_beginning(), hidden=tuple(map(tuple, gaps.tolist()))))
    lower, upper = release.cell_bounds()
    np.testing.assert_array_equal(found.lower[:-1, :-1], lower)
    np.testing.assert_array_equal(found.upper[:-1, :-1], upper)
    assert "at least 1" in words.weakest(found)
    # A zero that is a gap breaks the rule, and nobody can read anything from it.
    zero = tuple(np.argwhere(RELIGION.counts == 0)[0].tolist())
    broken = compute(replace(found.state, hidden=(*found.state.hidden, zero)))
    assert broken.lower[zero] == 0
    assert "not negative" in words.weakest(broken)


def test_boxes_and_the_optimiser_reckon_with_the_same_reader():
    table = FrequencyTable([[2, 9, 8, 4], [7, 20, 5, 6], [6, 5, 30, 9]])
    state = replace(SuppressionState(), table=table, source=InMemorySource(), arrangement=None)
    found = compute(state)
    for (row, column), left in zip(found.boxes.corners, found.boxes.values, strict=True):
        corners = ((0, 0), (0, column), (row, 0), (row, column))
        assert compute(replace(state, hidden=corners)).values[0, 0] == left
    best = found.best
    assert compute(taken(state)).weakest == best.remaining.weakest
    assert best.narrowest >= state.requirements.width


def test_code_of_the_bounds_gives_those_that_are_shown():
    for state in (SuppressionState(), _beginning(), _beginning(reader="sums")):
        told: dict = {}
        *lines, _ = words.as_code(state).splitlines()
        exec("\n".join(lines), told)
        lower, upper = told["bounds"]
        found = compute(state)
        np.testing.assert_array_equal(lower, found.lower)
        np.testing.assert_array_equal(upper, found.upper)


def test_ones_and_twos_that_guard_each_other_guard_from_nobody_who_knows_the_rule():
    table = FrequencyTable([[1, 2, 9], [2, 1, 8], [9, 8, 7]])
    state = replace(SuppressionState(), table=table, source=InMemorySource(), arrangement=None)
    found = compute(state)
    assert found.values[0, 0] == 2
    best = found.best
    assert best.hidden is None or best.remaining.weakest >= state.requirements.width


THREE_WAY = FrequencyTable(
    np.array([[[9, 2], [14, 30]], [[7, 8], [1, 12]], [[20, 11], [13, 6]]]),
    {"Area": ("a", "b", "c"), "Age": ("x", "y"), "Job": ("k", "l")},
)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tables", (("Area", "Age"), ("Age", "Job"))),
        ("frozen", ((0, 0),)),
        ("sensitive", ((1, 1),)),
        ("costs", (((1, 0), 5.0),)),
        ("chosen", (0, 1)),
    ],
)
def test_what_is_passed_with_a_new_table_is_kept_and_that_of_another_table_is_not(name, value):
    state = SuppressionState(THREE_WAY, InMemorySource(), **{name: value})
    assert getattr(state, name) == value
    assert getattr(SuppressionState.restored(state.saved()), name) == value
    other = state.changed(table=THREE_WAY.with_counts(THREE_WAY.counts + 3))
    assert getattr(other, name) == getattr(SuppressionState(other.table, InMemorySource()), name)


def test_a_rectangle_with_exactly_the_required_values_is_sufficient():
    state = SuppressionState()
    values = compute(state).boxes.values
    width = int(np.sort(values)[len(values) // 2])
    state = replace(state, requirements=replace(state.requirements, width=width))
    boxes = compute(state).boxes
    summary = plots.prepare(compute(state)).summary
    assert (boxes.values == width).any()
    assert summary.startswith(f"{int((boxes.values >= width).sum())} of {len(boxes.values)} ")
