"""What the page says of those in the table holds: by linear programs over cells alone, from every seat."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog
from stating import stating

from screens import button
from sdcwidgets import InputError
from sdcwidgets.dashboards import suppression
from sdcwidgets.dashboards.suppression import texts
from sdcwidgets.dashboards.suppression.optimiser import costs_in
from sdcwidgets.dashboards.suppression.result import compute
from sdcwidgets.dashboards.suppression.state import SuppressionState
from sdcwidgets.dashboards.suppression.texts import lead
from sdcwidgets.tables.io.sources import InMemorySource
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.board import Board
from sdcwidgets.widgets.controls import Control

TABLE = FrequencyTable([[1, 5, 20], [6, 1, 20], [20, 20, 20]])
SQUARE = ((0, 0), (0, 1), (1, 0), (1, 1))


def within(part):
    yield part
    for child in getattr(part, "children", ()):
        yield from within(child)


def sums_of(shape):
    """Each cell, margin and the total as a row of 0 and 1 over the cells."""
    rows = []
    for i, j in np.ndindex(shape[0] + 1, shape[1] + 1):
        row = np.zeros(shape)
        row[slice(None) if i == shape[0] else i, slice(None) if j == shape[1] else j] = 1
        rows.append(row.ravel())
    return np.array(rows)


def fewest_values(counts, hidden, sensitive, least):
    """How many values a sensitive number keeps at least for outsiders, and for one who is in the table."""
    sums = sums_of(counts.shape)
    values, hidden = sums @ counts.ravel(), hidden.ravel()
    kept = {True: np.inf, False: np.inf}
    for seat in (None, *np.flatnonzero(counts)):
        own = np.zeros(len(values)) if seat is None else sums[:, seat]
        known = ~hidden | ((own == values) & (values > 0))
        floors = np.where(values > 0, np.maximum(own, least), 0.0)
        for target in sensitive:
            if own[target] == values[target]:
                continue
            ends = [
                linprog(sign * sums[target], -sums, -floors, sums[known], values[known], bounds=(0, None))
                for sign in (1, -1)
            ]
            assert all(end.status in (0, 3) for end in ends)
            low, high = (np.inf if end.status == 3 else end.fun for end in ends)
            kept[seat is None] = min(kept[seat is None], -high - low + 1)
    return kept[True], kept[False]


def made(table, **changes):
    state = SuppressionState(table, InMemorySource(), **changes)
    return replace(state, requirements=replace(state.requirements, width=3, reader="rule"))


def test_who_is_in_the_square_is_told_and_the_optimiser_stops_them():
    state = made(TABLE, hidden=SQUARE, sensitive=((0, 0), (1, 1)))
    found = compute(state)
    said = texts.protects_more(found)
    assert said == stating("Row 2, Column 2", "Row 1, Column 1", "3 possible")
    assert texts.proof(found) != texts.proof(compute(state.require(coalition=0)))
    alone = compute(state.require(coalition=0))
    assert "respondents in" not in texts.protects_more(alone)
    assert "only" in texts.proof(alone)
    assert alone.best.cells < found.best.cells


def test_nobody_is_counted_in_amounts():
    state = SuppressionState()
    assert state.requirements.coalition == 1
    assert state.coalition == 0
    assert "against external" in texts.proof(compute(state))


@pytest.mark.parametrize("seed", range(12))
def test_what_is_said_is_what_linear_programs_find(seed):
    rng = np.random.default_rng(seed)
    counts = rng.poisson(rng.gamma(0.8, 10, tuple(rng.integers(2, 5, 2))))
    if np.count_nonzero(counts) < 3:
        counts += 1
    state = made(FrequencyTable(counts))
    found = compute(state)
    last = counts.shape[1] + 1
    marked = [i * last + j for i, j in state.sensitive]
    if not marked:
        assert found.best.hidden is None
        return
    if found.best.hidden is not None:
        assert min(fewest_values(counts, found.best.hidden, marked, 1)) >= 3 - 1e-6
    outsider, insider = fewest_values(counts, found.mask | found.state.sheet.mask(state.sensitive), marked, 0)
    sums = compute(state.require(reader="sums"))
    assert (sums.values[tuple(np.transpose(state.sensitive))] >= 3).all() == (outsider >= 3 - 1e-6)
    if outsider >= 3 - 1e-6:
        assert (sums.insider is not None) == (insider < 3 - 1e-6)


def test_the_answer_at_the_top_is_for_whom_it_says():
    ones = ((0, 0), (1, 1))
    for coalition, answer, whom in (
        (1, "Not against", "external intruders"),
        (0, "Yes: ", "know more"),
    ):
        state = made(TABLE, sensitive=ones, hidden=SQUARE).require(coalition=coalition)
        said, why, _ = lead(compute(state))
        assert said.startswith(answer)
        assert whom in why
    best = compute(made(TABLE, sensitive=ones)).best
    cells = tuple((int(i), int(j)) for i, j in np.argwhere(best.hidden))
    said, why, tone = lead(compute(made(TABLE, sensitive=ones, hidden=cells)))
    assert (said[:4], tone) == ("Yes:", "good")
    assert "each respondent" in why


def test_each_gap_is_needed_for_somebody():
    found = compute(made(TABLE, sensitive=((0, 0), (1, 1))))
    reasons = [(one.values < 3) or one.together or one.insider is not None for one in found.cell_effects]
    assert all(reasons)
    assert any(one.insider is not None for one in found.cell_effects)
    text = "".join(piece.text for piece in itertools.chain(*texts.why(found)))
    assert "respondents in" in text


def test_sub_totals_of_a_file_are_sums_in_print_and_go_with_the_slider_and_another_table():
    counts = [[1, 9, 8], [7, 20, 5], [6, 5, 30], [9, 8, 7]]
    table = FrequencyTable(counts, {"Area": "abcd", "Age": "xyz"})
    tree = (("a", "north"), ("b", "north"), ("c", "south"), ("d", "south"))
    state = replace(SuppressionState(table, InMemorySource()), parents=tree)
    sheet = state.sheet
    assert sheet.rows == ("a", "b", "c", "d", "north", "south", "Total")
    assert [sheet.rows[i] for i in sheet.order] == ["a", "b", "north", "c", "d", "south", "Total"]
    assert sheet.full[4].tolist() == [8, 29, 13, 50]
    assert state.sensitive == ((0, 0),)
    best = compute(state).best
    assert best.hidden is not None
    assert best.hidden[:2].sum() == 4 or best.hidden[4].any()
    assert SuppressionState.restored(state.saved()).parents == tree
    assert state.require(group=2).parents == ()
    assert state.with_table(FrequencyTable([[1, 2], [3, 4]]), InMemorySource()).parents == ()
    with pytest.raises(InputError, match="the hierarchy"):
        replace(state, parents=tree[:2])


def test_a_file_of_sub_totals_is_loaded_and_a_wrong_one_is_told():
    page = suppression.app(FrequencyTable([[1, 9, 8], [7, 20, 5], [6, 5, 30]], {"Area": "abc", "Age": "xyz"}))
    (files,) = [
        one for one in within(page) if isinstance(one, Actions) and "sub-totals" in " ".join(one.labels)
    ]
    index = len(files.labels) - 1
    for content, said in (
        (b"north\n@a\n@b\n@@@c\n", "level deeper"),
        (b"north\n@a\n@b\nc\n", ""),
    ):
        files._opened({"index": index, "name": "areas.hrc"}, [memoryview(content)])
        assert said in files.status
        assert bool(said) == bool(files.status)
    assert any("north" in str(one.get_state()) for one in within(page) if isinstance(one, Board))


FOUR = FrequencyTable([[1, 9, 8], [7, 20, 5], [6, 5, 30], [9, 8, 7]], {"Area": "abcd", "Age": "xyz"})


def test_what_is_kept_in_print_is_spared_by_the_optimiser_and_stays_in_a_link():
    state = SuppressionState(FOUR, InMemorySource()).require(width=3)
    before = compute(state).best.hidden
    spared = next((int(i), int(j)) for i, j in np.argwhere(before) if (i, j) not in state.sensitive)
    kept = state.require(press="keep").pressed(spared)
    assert kept.frozen == (spared,)
    assert kept.hidden == state.hidden
    after = compute(kept).best.hidden
    assert after is not None
    assert not after[spared]
    assert all(after[cell] for cell in state.sensitive)
    assert SuppressionState.restored(kept.saved()) == kept
    assert kept.pressed(spared).frozen == ()
    # What is kept in print is no gap, and what becomes a gap is not kept.
    gap = state.sensitive[0]
    assert gap not in state.require(press="keep").pressed(gap).hidden
    assert kept.require(press="hide").pressed(spared).frozen == ()
    # Gaps follow their cells when sub-totals come, and another table begins anew.
    assert kept.require(group=2).frozen == (spared if spared[0] < 4 else (6, spared[1]),)
    assert kept.with_table(FrequencyTable([[1, 2], [3, 4]]), InMemorySource()).frozen == ()
    both = compute(kept.pressed(state.sensitive[0])).best
    assert both.hidden is None
    assert both.problem.startswith("The cell a, x is marked")
    every = tuple((i, j) for i in range(5) for j in range(4) if (i, j) not in ((4, 3), *state.sensitive))
    assert "kept published" in compute(replace(kept, frozen=every)).best.problem


def test_costs_of_a_file_move_the_gaps_and_a_wrong_file_is_told():
    state = SuppressionState(FOUR, InMemorySource()).require(width=3)
    sheet = state.sheet
    before = compute(state).best.hidden
    dear = [(int(i), int(j)) for i, j in np.argwhere(before) if (i, j) not in state.sensitive]
    lines = ["Area,Age,cost", *(f"{sheet.rows[i]},{sheet.columns[j]},100000" for i, j in dear)]
    costs = costs_in(sheet, "costs.csv", "\n".join(lines).encode())
    assert dict(costs) == dict.fromkeys(dear, 100000.0)
    with_costs = replace(state, costs=costs)
    best = compute(with_costs).best
    assert best.hidden is not None
    assert not any(best.hidden[cell] for cell in dear)
    assert SuppressionState.restored(with_costs.saved()) == with_costs
    assert with_costs.require(group=2).costs
    assert with_costs.with_table(FrequencyTable([[1, 2], [3, 4]]), InMemorySource()).costs == ()
    for text, said in (
        ("Area,Age,cost\na,q,3", '"q" as "Age"'),
        ("Area,Age,cost\na,x,0", "must be positive"),
    ):
        with pytest.raises(InputError, match=said):
            costs_in(sheet, "costs.csv", text.encode())


def test_costs_are_loaded_on_the_page_and_forgotten():
    page = suppression.app(FOUR)
    (files, opening), (without, removing) = (
        button(page, words) for words in ("of suppression costs", "the suppression costs")
    )
    assert without.layout.display == "none"
    content = [memoryview(b"Area,Age,cost\na,y,5000\n")]
    files._opened({"index": opening, "name": "costs.csv"}, content)
    assert files.status == ""
    assert without.layout.display is None
    without._press(removing)
    assert without.layout.display == "none"


@pytest.mark.parametrize(("table", "there"), [(None, False), (TABLE, True)])
def test_how_many_share_what_they_know_is_asked_of_people_only(table, there):
    page = suppression.app(None if table is None else SuppressionState(table, InMemorySource()))
    (together,) = (
        one for one in within(page) if isinstance(one, Control) and one.parameter.name == "coalition"
    )
    assert (together.layout.display is None) == there
