import asyncio
import base64
import json
import time
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets import InputError
from sdcwidgets.assessment.assessment import Settings
from sdcwidgets.tables.arrangement import two_way
from sdcwidgets.tables.io.sources import InMemorySource, Paste
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.page_state import recomputation as module
from sdcwidgets.widgets.page_state.links import decode, encode
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.page_state.table_state import TableState


def total(state):
    if state.table.total == 13:
        raise InputError("Not thirteen.")
    return state.table.total


@pytest.fixture
def study():
    return Study(TableState(FrequencyTable([[1, 2], [3, 4]])), total)


def edit(study, count, gesture=None):
    study.change(gesture, table=study.state.table.with_count((0, 0), count))


def test_one_change_is_computed_and_told_once(study):
    seen = []
    study.observe(lambda _: seen.append(study.result), "turn")
    edit(study, 5)
    assert seen == [14]


def test_a_refused_change_leaves_everything_as_it_was(study):
    before = study.state
    with pytest.raises(InputError, match="Not thirteen"):
        edit(study, 4)
    assert (study.state, study.result, study.can_undo) == (before, 10, False)


def test_undo_and_redo_walk_the_same_way(study):
    for count in (5, 6, 7):
        edit(study, count)
    study.undo()
    study.undo()
    assert (study.result, study.can_redo) == (14, True)
    study.redo()
    assert study.result == 15
    edit(study, 0)
    assert not study.can_redo


def test_undo_with_nothing_to_undo_does_nothing(study):
    study.undo()
    study.redo()
    assert study.result == 10


def test_reset_goes_to_the_start_and_can_be_undone(study):
    edit(study, 5)
    study.reset()
    assert study.result == 10
    study.undo()
    assert study.result == 14


def test_a_loaded_table_is_the_new_start(study):
    study.load(TableState(FrequencyTable([[7, 0]])))
    edit(study, 9)
    study.reset()
    assert study.result == 7


def test_views_are_told_of_a_loaded_table_as_one_that_nothing_was_done_with(study):
    seen = []
    study.observe(lambda _: seen.append(study.state == study.start), "turn")
    study.load(TableState(FrequencyTable([[7, 0]])))
    study.begin(TableState(FrequencyTable([[7, 1]])))
    assert seen == [True, True]


def test_a_refused_load_leaves_the_start_as_it_was(study):
    with pytest.raises(InputError, match="Not thirteen"):
        study.load(TableState(FrequencyTable([[13, 0]])))
    with pytest.raises(InputError, match="Not thirteen"):
        study.begin(TableState(FrequencyTable([[13, 0]])))
    assert study.start == study.state


def test_what_a_page_was_opened_with_has_nothing_to_undo(study):
    edit(study, 5)
    study.begin(TableState(FrequencyTable([[7, 0]])))
    assert (study.can_undo, study.can_redo) == (False, False)
    edit(study, 9)
    study.undo()
    assert (study.result, study.can_undo) == (7, False)
    study.reset()
    assert study.result == 7


def test_a_drag_is_one_step_of_undo(study, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    for count in (5, 6, 7):
        now[0] += 0.05
        edit(study, count, gesture="cell")
    now[0] += 5
    edit(study, 8, gesture="cell")
    study.undo()
    assert study.result == 16
    study.undo()
    assert study.result == 10


def test_two_tables_of_the_same_total_are_both_told(study):
    seen = []
    study.observe(lambda _: seen.append(study.result), "turn")
    study.change(table=FrequencyTable([[2, 1], [3, 4]]))
    assert study.state.table.counts[0, 0] == 2
    assert seen == [10]


def states():
    counts = st.lists(st.lists(st.integers(0, 500), min_size=3, max_size=3), min_size=1, max_size=4)
    own = counts.map(lambda rows: TableState(FrequencyTable(rows), InMemorySource("Mine & <b>yours</b>")))
    settings = st.builds(Settings, epsilon=st.floats(0, 1), third=st.sampled_from(["h1", "h2", "h3"]))

    def changed(cells):
        state = TableState.of_example("religion")
        counts = state.table.counts.copy()
        for row, column, count in cells:
            counts[row, column] = count
        return TableState(state.table.with_counts(counts), state.source)

    cells = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 8), st.integers(0, 300)), max_size=5)
    return st.tuples(st.one_of(own, cells.map(changed)), settings).map(
        lambda pair: TableState(pair[0].table, pair[0].source, pair[1])
    )


@given(states())
def test_a_link_brings_back_the_same_state(state):
    assert TableState.from_state(decode(encode(state))) == state


@given(st.text())
def test_a_damaged_link_is_refused_with_a_sentence(text):
    with pytest.raises(InputError, match="link"):
        decode(text)


def test_a_link_with_half_a_character_is_refused_as_no_page_could_be_told_it():
    text = base64.urlsafe_b64encode(zlib.compress(json.dumps({"title": "\ud800"}).encode())).decode()
    with pytest.raises(InputError, match="link"):
        decode(text)


@pytest.mark.parametrize(
    "saved",
    [
        {},
        {"version": 2},
        {"version": 1},
        {"version": 1, "settings": {"epsilon": 7}},
        {"version": 1, "settings": {"nonsense": 7}},
        {"version": 1, "settings": {}, "example": "religion", "cells": [[99, 0, 1]]},
        {"version": 1, "settings": {}, "example": "religion", "cells": [[0, 0, -1]]},
        {"version": 1, "settings": {}, "example": "none such", "cells": []},
        {"version": 1, "settings": {}, "axes": 7, "counts": [[1]]},
        {"version": 1, "settings": 3},
    ],
)
def test_a_wrong_state_is_refused(saved):
    with pytest.raises(InputError):
        TableState.from_state(saved)


def test_a_table_too_large_for_a_link_says_so():
    counts = np.random.default_rng(1).integers(0, 1000, (100, 100))
    with pytest.raises(InputError, match="too large for a link"):
        encode(TableState(FrequencyTable(counts)))


def test_a_table_of_three_axes_is_laid_out_flat():
    table = FrequencyTable(np.arange(12).reshape(2, 3, 2), {"A": "ab", "B": "xyz", "C": ["1", "2"]})
    flat = two_way(table)
    assert flat.axes[0].name == "A × B"
    assert flat.axes[0].labels[4] == "b, y"
    assert flat.counts[4, 1] == table.counts[1, 1, 1]


def test_a_newer_change_ends_the_bettering_of_an_older_one():
    shown = []

    def improve(state, first):
        yield from (first + part for part in (1, 2, 3))

    async def use():
        study = Study(TableState(FrequencyTable([[1, 2], [3, 4]])), total, improve)
        study.observe(lambda _: shown.append(study.result), "turn")
        edit(study, 101)
        await asyncio.sleep(0)
        edit(study, 201)
        await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})
        return study.result

    assert asyncio.run(use()) == 213
    assert shown == [110, 210, 213]


def test_a_message_is_answered_between_two_steps_of_bettering():
    """A kernel hands a message on through several turns of its loop; it must not wait for a step at each of them."""
    made = []

    def improve(state, first):
        for part in range(200):
            made.append(part)
            yield first + part

    async def use():
        Study(TableState(FrequencyTable([[1, 2], [3, 4]])), total, improve)
        for _ in range(12):
            await asyncio.sleep(0)
        return len(made)

    assert asyncio.run(use()) < 9


def test_a_table_too_large_for_a_screen_is_refused():
    with pytest.raises(InputError, match="1,001,000 cells; a dashboard accepts at most 1,000,000"):
        TableState(FrequencyTable(np.ones((1001, 1000), dtype=int)))


def test_after_an_undone_load_reset_leads_back_to_where_one_began(study):
    other = TableState(FrequencyTable([[7, 7], [7, 9]]))
    edit(study, 5)
    study.load(other)
    assert study.start == other
    study.undo()
    assert (study.result, study.start.table.total) == (14, 10)
    study.reset()
    assert study.result == 10
    study.undo()
    study.redo()
    assert study.start.table.total == 10
    study.undo()
    study.load(other)
    study.undo()
    study.redo()
    assert study.start == other


def test_a_link_to_an_edited_example_keeps_its_marks():
    """They are marks against the example as it is published, not against what the link brought."""
    example = TableState.of_example("religion")
    edited = example.edited(example.table.with_count((0, 1), 7).counts)
    linked = TableState.from_state(edited.to_state())
    assert linked.unchanged(linked) == example.table != linked.table


def test_a_link_to_an_edited_table_of_ones_own_keeps_its_marks_and_what_was_read():
    source = Paste.from_input("Area\tYes\tNo\tTotal\nNorth\t5\t7\t12\nSouth\t1\t9\t10")
    reading = source.read()
    own = TableState(reading.table, source.light(reading))
    linked = TableState.from_state(decode(encode(own.edited([[5, 7], [1, 3]]))))
    assert linked.table.counts.tolist() == [[5, 7], [1, 3]]
    assert linked.unchanged(linked) == reading.table
    assert (linked.source.notes, linked.source.totals) == (reading.notes, True)
    again = TableState.from_state(decode(encode(linked)))
    assert (again, again.unchanged(again)) == (linked, reading.table)


def test_the_bettering_of_a_result_can_be_stopped():
    def improve(state, first):
        for part in range(1, 1000):
            time.sleep(0.01)
            yield first + part

    async def use():
        study = Study(TableState(FrequencyTable([[1, 2], [3, 4]])), total, improve)
        assert study.improving
        study.observe(lambda _: study.stop() if study.improving and study.result > 10 else None, "turn")
        await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})
        assert not study.improving
        return study.result

    assert 10 < asyncio.run(use()) < 900
