"""The courses that come with the project fit their time, and the core solves each of their tasks."""

from dataclasses import replace

import pytest

from sdcwidgets.course import read, ready
from sdcwidgets.course.course import CourseStep, Opening
from sdcwidgets.course.goals import QUANTITIES
from sdcwidgets.course.quantities import _PAGES, met, quantities
from sdcwidgets.errors import InputError
from sdcwidgets.pages.protect.state import ProtectState
from sdcwidgets.studies.links import decode, encode

TASKS = [(name, step) for name in ready() for step in read(name).steps if step.kind == "task"]


@pytest.mark.parametrize("name", ready())
def test_the_minutes_add_up(name):
    course = read(name)
    assert sum(step.minutes for step in course.steps) == course.minutes
    assert {step.kind for step in course.steps} >= {"talk", "lesson", "question", "task"}


@pytest.mark.parametrize(("name", "step"), TASKS, ids=lambda one: getattr(one, "title", one))
def test_a_task_is_not_solved_at_the_start_and_can_be(name, step):
    assert not met(step, step.place.state)[0]
    solved, values = met(step, step.solution.state)
    assert solved, values
    # Not one of its goals comes for nothing with another, but for those that say what must stay.
    first = quantities(step.place, step.place)
    assert {goal.quantity for goal in step.goal} <= {*first} == {*QUANTITIES[step.place.page]}


@pytest.mark.parametrize("name", ready())
def test_every_question_has_one_right_answer(name):
    for step in read(name).steps:
        if step.kind == "question":
            given = [str(k + 1) for k in range(len(step.options))] or [str(step.answer), str(step.answer + 1)]
            assert [step.right(one) for one in given].count(True) == 1
            assert step.why


def test_all_pages_with_quantities_are_measured():
    assert {*_PAGES} == {*QUANTITIES}


def test_another_table_is_no_solution():
    (step,) = (step for _, step in TASKS if step.title == "May it be released?")
    easy = encode(ProtectState.of_example("thesis-3-6-1"))
    with pytest.raises(InputError, match="another table"):
        met(step, easy)
    with pytest.raises(InputError, match="cannot be checked"):
        quantities(Opening("literature"), Opening("literature"))
    with pytest.raises(InputError, match="no goal"):
        met(CourseStep("Coffee", 5), "")


def test_other_weights_do_not_make_a_risk_smaller():
    (step,) = (step for name, step in TASKS if step.title == "Less risk, little lost" and "census" in name)
    state = ProtectState.from_state(decode(step.place.state))
    other = state.changed(settings=replace(state.settings, weights=(1.0, 0.0, 0.0)))
    values = quantities(Opening("protect", encode(other)), step.place)
    assert values["risk"] == pytest.approx(quantities(step.place, step.place)["risk"])
