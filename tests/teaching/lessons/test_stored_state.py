"""Stored states of exercises and interactive parts: a new kernel restores them, and ignores invalid ones."""

import pytest

from sdcwidgets.tables import examples
from sdcwidgets.teaching.lessons.drawn import EXERCISES, draw, exercises
from sdcwidgets.teaching.lessons.loss import turn_method
from sdcwidgets.teaching.lessons.pairs import live_pair, step_through
from sdcwidgets.teaching.lessons.protection import live_count
from sdcwidgets.teaching.lessons.row import live_row


def restore(widget, state):
    widget._hear(widget, {"type": "restore", "state": state}, [])


def question_of(box):
    return box.children[0]


def test_an_exercise_restores_its_version_answer_and_results():
    question = question_of(exercises(1).children[0])
    right = f"{draw(EXERCISES[1][0], 1).answer:.4f}"
    question.answer(right)
    question.again()
    question.answer("0.5")
    question.answer("0.6")
    later = question_of(exercises(1).children[0])
    assert later.stored_name == question.stored_name
    restore(later, question.stored_state)
    for trait in ("question", "mark", "feedback", "solved", "stored_state"):
        assert getattr(later, trait) == getattr(question, trait), trait
    assert later.last_answer == "0.6"


def test_a_task_restores_its_table():
    box = exercises(1).children[2]
    question, grid = box.children
    question.again()
    grid.edit([(0, 0, "3"), (0, 3, "8")])
    later_question, later_grid = exercises(1).children[2].children
    restore(later_question, question.stored_state)
    assert later_grid.counts.tolist() == grid.counts.tolist()
    assert later_question.feedback == question.feedback != ""
    assert later_question.mark == question.mark


@pytest.mark.parametrize(
    "state",
    [
        None,
        [],
        {},
        {"version": -1, "attempted": [], "correct": [], "answer": "", "counts": None},
        {"version": "2", "attempted": 5, "correct": [], "answer": "", "counts": None},
        {"version": 10**9, "attempted": [10**9], "correct": [10**9], "answer": "", "counts": None},
        {"version": 1, "attempted": [], "correct": [1], "answer": "", "counts": [["x"]]},
        {"version": 1, "attempted": [], "correct": [1], "answer": "", "counts": [[1, 2], [3]]},
        {"version": 1, "attempted": [], "correct": [1], "answer": "", "counts": [[-4, 1, 1, 1]]},
    ],
)
def test_an_invalid_state_of_an_exercise_changes_nothing(state):
    for box, other in zip(exercises(1).children, exercises(1).children, strict=True):
        restore(question_of(box), state)
        assert question_of(box).mark == question_of(other).mark
        assert question_of(box).question == question_of(other).question
        assert [grid.counts.tolist() for grid in box.children[1:]] == [
            grid.counts.tolist() for grid in other.children[1:]
        ]


def test_a_row_restores_typed_counts_and_sliders():
    def box():
        return live_row([3, 2, 1], show=["risk"], turn=["times", "empty", "weights"])

    grid, readout, times, empty, weights = box().children
    grid.edit([(0, 0, "9")])
    times.request = {"value": 3}
    empty.request = {"value": 2}
    weights.request = {"value": [0, 0.5]}
    later = box()
    restore(later.children[1], readout.stored_state)
    assert later.children[0].counts.tolist() == [[27, 6, 3, 0, 0]] == grid.counts.tolist()
    assert later.children[1].readings == readout.readings
    assert [control.value for control in later.children[2:]] == [3, 2, weights.value]


def test_other_interactive_parts_restore_their_inputs():
    grid, _, readout = live_pair([0, 2, 4], [0, 3, 3]).children
    restore(readout, {"values": [], "counts": [[1, 2, 3], [3, 2, 1]]})
    assert grid.counts.tolist() == [[1, 2, 3], [3, 2, 1]]
    slider, _, readout = step_through([0, 2, 4], [0, 3, 3]).children
    restore(readout, {"values": [4], "counts": None})
    assert slider.value == 4
    count, base, readout = live_count("random-rounding", "base", 2).children
    restore(readout, {"values": [7, 5], "counts": None})
    assert (count.value, base.value) == (7, 5)
    base, replicate, grid, readout = turn_method(examples.load("sex"), "random-rounding", "base").children
    restore(readout, {"values": [10, 3], "counts": None})
    assert (base.value, replicate.value) == (10, 3)
    assert not (grid.counts % 10).any()


@pytest.mark.parametrize("values", [None, [], [4, 4], ["x"], [0], [10**9], [[1]]])
def test_invalid_inputs_change_nothing(values):
    slider, _, readout = step_through([0, 2, 4], [0, 3, 3]).children
    restore(readout, {"values": values, "counts": None})
    assert slider.value == 1
