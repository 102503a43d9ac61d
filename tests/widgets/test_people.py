import pytest
from stating import stating

from sdcwidgets import InputError
from sdcwidgets.widgets.people import NUMBERED, PeopleRow
from sdcwidgets.widgets.steps import Steps


def said_by_browser(widget, **message):
    widget._hear(widget, message, [])


@pytest.fixture
def steps():
    steps = Steps("Y variables")
    steps.went, steps.chose = [], []
    steps.on_go(steps.went.append)
    steps.on_choose(steps.chose.append)
    steps.show(1, 4, "possibility", "Person 3 moved.", {"all": "All 20", "closest": "Only 4"}, "closest")
    return steps


def test_who_came_is_marked_and_said():
    row = PeopleRow("Y")
    row.show(("c1", "c2"), where=[0, 1, 1], before=[0, 0, 1])
    assert [[dot[2] for dot in cell["dots"]] for cell in row.cells] == [[False], [True, False]]
    assert row.cells[1]["words"] == "c2: 2 dots. Person 2, who was in c1. Person 3."


def test_copies_carry_the_number_of_their_person():
    row = PeopleRow("X")
    row.show(("c1", "c2"), where=[0, 0, 0, 1, 1, 1], copies=3)
    assert [[dot[1] for dot in cell["dots"]] for cell in row.cells] == [[1, 1, 1], [2, 2, 2]]


def test_of_many_only_how_many_came_is_said():
    row = PeopleRow("Y")
    row.show(("c1", "c2"), where=[1] * (NUMBERED + 1), before=[0] * 4 + [1] * (NUMBERED - 3))
    assert not row.numbered
    assert row.cells[1]["words"] == stating("c2", "61", "4")
    assert row.cells[0]["words"] == "c1: 0 dots."


@pytest.mark.parametrize(("where", "before"), [([2], None), ([-1], None), ([0, 1], [0]), ([0], [5])])
def test_dots_without_a_cell_are_refused(where, before):
    with pytest.raises(InputError, match="per dot"):
        PeopleRow("Y").show(("c1", "c2"), where, before)


def test_a_browser_may_ask_and_set_nothing(steps):
    for name in ("position", "length", "announcement", "chosen"):
        before = getattr(steps, name)
        steps.set_state({name: "x"})
        assert getattr(steps, name) == before
    row = PeopleRow("Y")
    row.set_state({"cells": [{"name": "<b>"}]})
    assert row.cells == []


def test_steps_and_choices_reach_who_asked(steps):
    said_by_browser(steps, type="go", to=3)
    said_by_browser(steps, type="choose", option="all")
    assert (steps.went, steps.chose) == ([3], ["all"])


@pytest.mark.parametrize("place", [4, -1, 10**30])
def test_a_place_outside_is_answered_with_a_sentence(steps, place):
    turn = steps.turn
    said_by_browser(steps, type="go", to=place)
    assert steps.went == []
    assert steps.problem == f"There is no possibility with the number {place + 1}; the last number is 4."
    assert steps.turn == turn + 1


@pytest.mark.parametrize("place", [None, "2", True, [1], 1.5])
def test_damaged_steps_are_dropped(steps, place):
    said_by_browser(steps, type="go", to=place)
    assert (steps.went, steps.problem) == ([], "")


@pytest.mark.parametrize("option", [None, "none", 1, ["all"]])
def test_a_choice_that_is_not_offered_is_dropped(steps, option):
    said_by_browser(steps, type="choose", option=option)
    assert steps.chose == []


def test_each_question_is_answered_even_where_nothing_changes(steps):
    turn = steps.turn
    said_by_browser(steps, type="go", to=1)
    assert steps.turn > turn
