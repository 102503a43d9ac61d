"""The courses that come with the project fit their time, and the core solves each of their tasks."""

from dataclasses import replace
from importlib import import_module

import pytest
from stating import stating

from sdcwidgets import InputError, methods
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.dashboards.sample.state import SampleState
from sdcwidgets.dashboards.suppression.state import SuppressionState
from sdcwidgets.dashboards.tables.state import TablesState
from sdcwidgets.dashboards.who.result import compute
from sdcwidgets.dashboards.who.state import WhoState
from sdcwidgets.teaching.course import read, ready
from sdcwidgets.teaching.course.course import CourseStep, Opening
from sdcwidgets.teaching.course.goals import QUANTITIES, condition
from sdcwidgets.teaching.course.quantities import _PAGES, met, quantities, setting
from sdcwidgets.teaching.course.reading import text_of_part
from sdcwidgets.widgets.page_state.links import decode, encode

TITLE = "Find a method with low risk and little information loss"
TASKS = [(name, step) for name in ready() for step in read(name).steps if step.kind == "task"]


@pytest.mark.parametrize("name", ready())
def test_the_minutes_add_up(name):
    course = read(name)
    assert sum(step.minutes for step in course.steps) == course.minutes
    assert {step.kind for step in course.steps} >= {"talk", "lesson", "question", "task"}


@pytest.mark.parametrize("name", ready())
def test_the_parts_of_lessons_exist(name):
    openings = [step.opening for step in read(name).steps if step.kind == "lesson"]
    assert openings
    for opening in openings:
        assert text_of_part(opening.page, opening.part).strip()


#: Lesson that explains the quantities of a page.
NEEDED_LESSON = {
    "explore": "01b-from-entropy-to-risk",
    "protect": "02-protect-a-table",
    "rounding": "03-rounding",
    "cell_key": "04-cell-keys",
    "attack": "06-intruders-and-suppression",
    "suppression": "06b-suppress-cells",
    "who": "07-what-the-reader-still-does-not-know",
    "sample": "11-sampling-as-protection",
    "tables": "14-a-table-generator",
}


@pytest.mark.parametrize(("name", "step"), TASKS, ids=lambda one: getattr(one, "title", one))
def test_a_task_needs_only_a_lesson_before_it(name, step):
    assert {*NEEDED_LESSON} == {*QUANTITIES}
    steps = read(name).steps
    lessons = [before.opening.page for before in steps[: steps.index(step)] if before.kind == "lesson"]
    assert NEEDED_LESSON[step.opening.page] in lessons


@pytest.mark.parametrize(("name", "step"), TASKS, ids=lambda one: getattr(one, "title", one))
def test_a_task_on_a_random_method_is_judged_by_expected_values(name, step):
    assert {"risk", "loss"}.isdisjoint(goal.quantity for goal in step.goal) or step.opening.page == "explore"


def test_a_lucky_sample_does_not_meet_the_goal():
    """Sample 18 with the fraction 0.08 has a risk below 0.16, but the mean risk of such samples is 0.164."""
    step = task("Draw a sample with a low disclosure risk")
    state = SampleState.from_state(decode(step.opening.state))
    solved, values = met(step, encode(state.sampled(fraction=0.08)))
    assert values["risk"] < 0.16
    assert values["expected risk"] == pytest.approx(0.164, abs=0.001)
    assert not solved


def test_a_part_that_does_not_exist_is_named():
    page = next(step.opening.page for step in read(ready()[0]).steps if step.kind == "lesson")
    with pytest.raises(InputError, match="no part"):
        text_of_part(page, "Coffee")


@pytest.mark.parametrize(("name", "step"), TASKS, ids=lambda one: getattr(one, "title", one))
def test_a_task_is_not_solved_at_the_start_and_can_be(name, step):
    assert not met(step, step.opening.state)[0]
    solved, values = met(step, step.solution.state)
    assert solved, values
    # Not one of its goals comes for nothing with another, but for those that say what must stay.
    first = quantities(step.opening, step.opening)
    assert {goal.quantity for goal in step.goal} <= {*first} == {*QUANTITIES[step.opening.page]}


@pytest.mark.parametrize("name", ready())
def test_every_question_has_one_right_answer(name):
    for step in read(name).steps:
        if step.kind == "question":
            given = [str(k + 1) for k in range(len(step.options))] or [str(step.answer), str(step.answer + 1)]
            assert [step.right(one) for one in given].count(True) == 1
            assert step.why


def test_a_goal_has_thousands_separators_and_names_its_risk():
    by_hand, method = (task(title) for title in ("Lower the disclosure risk of a table by hand", TITLE))
    assert [condition(goal, "explore") for goal in by_hand.goal] == [
        "disclosure risk R₁ below 0.222",
        "at most 20 people moved",
        "exactly 2,449 people",
    ]
    assert condition(method.goal[0], "protect") == "expected residual risk R₂ below 0.212"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["frequency-tables-and-entropy", "protecting-census-tables"])
def test_no_method_meets_the_goal_of_the_comparison_with_its_defaults(name):
    """Takes 9 s, because the risk of all methods is computed."""
    step = next(step for step in read(name).steps if step.opening and step.title == TITLE)
    state = ProtectState.from_state(decode(step.opening.state))
    solved = [
        name
        for name in methods.available()
        if met(step, encode(state.changed(method=methods.get(name)())))[0]
    ]
    assert solved == []


def test_more_assignments_are_not_more_uncertainty():
    """The explanation of the task compares three published rows."""
    step = task("Which cells are possible for a data user?")
    start = WhoState.from_state(decode(step.opening.state))
    shares = {}
    for after in ((0, 3, 3), (2, 2, 2), (0, 4, 2)):
        result = compute(replace(start, after=after))
        shares[after] = (result.sizes["closest"].exact, round(100 * result.unknown))
    assert shares == {(0, 3, 3): (4, 50), (2, 2, 2): (6, 0), (0, 4, 2): (6, 73)}


def test_all_pages_with_quantities_are_measured():
    assert {*_PAGES} == {*QUANTITIES}


def test_another_table_is_no_solution():
    (step,) = (step for _, step in TASKS if step.title == "Release decision")
    easy = encode(ProtectState.of_example("thesis-3-6-1"))
    with pytest.raises(InputError, match="the task"):
        met(step, easy)
    with pytest.raises(InputError, match="be checked"):
        quantities(Opening("literature"), Opening("literature"))
    with pytest.raises(InputError, match="no goal"):
        met(CourseStep("Coffee", 5), "")


def task(title):
    return next(step for _, step in TASKS if step.title == title)


def test_what_is_accepted_stands_and_limits_are_those_of_the_task():
    step = task("Release decision")
    state = ProtectState.from_state(decode(step.opening.state))
    first = quantities(step.opening, step.opening)
    assert first["violations"] >= 1
    for other in (
        replace(state, accepted=(("seed", "nobody tries"),)),
        replace(state, limits=replace(state.limits, smallest_count=0, one_cell=0, all_but_one=0, seed=False)),
    ):
        assert (
            quantities(Opening("protect", encode(other)), step.opening)["violations"] == first["violations"]
        )


def test_a_row_that_is_half_typed_is_of_other_people():
    step = task("Which cells are possible for a data user?")
    state = WhoState.from_state(decode(step.opening.state))
    half, whole = (encode(replace(state, after=after)) for after in ((1, 2, 4), (1, 1, 4)))
    assert [met(step, one)[1]["people"] for one in (half, whole)] == [7, 6]
    assert not met(step, half)[0]


def test_another_reader_and_other_rules_make_no_task_easier():
    step = task("Secondary suppression")
    state = SuppressionState.from_state(decode(step.solution.state))
    known = {
        reader: quantities(
            Opening(
                "suppression", encode(replace(state, requirements=replace(state.requirements, reader=reader)))
            ),
            step.opening,
        )
        for reader in ("sums", "rule")
    }
    assert known["sums"] == known["rule"]
    step = task("Request three tables without disclosure")
    state = TablesState.from_state(decode(step.solution.state))
    with pytest.raises(InputError, match="the task"):
        met(step, encode(state.ruled(people=1)))


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("Additive rounding", stating("Controlled", "5")),
        ("Set a p-table with little noise", stating("Cell key", "D 2", "V 0.5")),
        ("Which cells are possible for a data user?", stating("(0, 3, 3)")),
        ("Find out how many hours Anna works", stating("")),
    ],
)
def test_a_setting_is_said_in_words_that_are_whole(title, words):
    said = setting(task(title).solution)
    assert said == words
    assert len(said) <= 122
    assert "Small noise is" not in said or "Monotone probabilities True" in said


def test_other_weights_do_not_make_a_risk_smaller():
    (step,) = (
        step
        for name, step in TASKS
        if step.title == "Find a method with low risk and little information loss" and "census" in name
    )
    state = ProtectState.from_state(decode(step.opening.state))
    other = state.changed(settings=replace(state.settings, weights=(1.0, 0.0, 0.0)))
    values = quantities(Opening("protect", encode(other)), step.opening)
    assert values["risk"] == pytest.approx(quantities(step.opening, step.opening)["risk"])


#: Fields that states in course files may lack, by page.
OPTIONAL = {
    "protect": ("beside", "rule", "required", "protects"),
    "attack": ("intruder",),
    "suppression": ("frozen", "costs", "parents", "tables"),
}


@pytest.mark.parametrize("page", OPTIONAL)
def test_a_course_may_lack_fields_that_have_a_default(page):
    module = import_module(f"sdcwidgets.dashboards.{page}.state")
    kind = getattr(module, f"{page.capitalize()}State")
    state = kind.of_example("religion") if page == "protect" else kind()
    saved = state.to_state()
    assert {*OPTIONAL[page]} <= {*saved}
    assert kind.from_state({name: saved[name] for name in saved if name not in OPTIONAL[page]}) == state


@pytest.mark.parametrize("name", ["frequency-tables-and-entropy", "protecting-census-tables"])
def test_a_lucky_replicate_does_not_meet_the_goal_of_the_comparison(name):
    """Record swapping of 10 % has a replicate within the limits, but its expected risk is above 0.212."""
    step = next(step for step in read(name).steps if step.opening and step.title == TITLE)
    state = ProtectState.from_state(decode(step.solution.state))
    swapping = replace(state.method, rate=0.1)
    # Fewer replicates do not help, because the task determines their number.
    one = replace(state, method=swapping, settings=replace(state.settings, replications=1))
    solved, values = met(step, encode(one))
    assert values["risk"] < 0.212
    assert values["loss"] < 3
    assert values["expected risk"] > 0.215
    assert not solved
