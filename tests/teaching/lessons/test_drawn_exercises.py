"""The exercises at the end of the lessons: for every seed one answer is right, and each slip gets its own sentence."""

import re

import pytest

from sdcwidgets import InputError
from sdcwidgets.core.risk.population import r2
from sdcwidgets.dashboards import notebook_pages
from sdcwidgets.teaching.lessons.drawn import EXERCISES, LARGEST, Task, draw, exercises

#: Tasks ask a solver for each check, so fewer of them are drawn.
SEEDS = {False: range(200), True: range(40)}
EVERY = [(lesson, place) for lesson, drawn in sorted(EXERCISES.items()) for place in range(len(drawn))]

every_exercise = pytest.mark.parametrize(("lesson", "place"), EVERY)


def typed(number):
    """What a careful person types: four decimals."""
    return f"{number:.4f}"


@every_exercise
def test_the_answer_is_right_and_each_slip_gets_its_sentence(lesson, place):
    for seed in SEEDS[place == 2]:
        drawn = draw(EXERCISES[lesson][place], seed)
        if isinstance(drawn, Task):
            assert not drawn.check(drawn.start.counts)[0], seed
            solved, sentence = drawn.check(drawn.solution.reshape(drawn.start.counts.shape))
            assert solved, (seed, sentence)
            assert "Not yet" not in sentence
            continue
        assert drawn.check(typed(drawn.answer)) == (True, drawn.right), seed
        assert len(drawn.slips) >= 2
        for number, sentence in drawn.slips:
            assert drawn.check(typed(number)) == (False, sentence), (seed, number)


def test_a_measure_without_a_goal_is_shown_with_its_value():
    task = draw(EXERCISES[10][2], 1)
    before = task.start.counts.squeeze()
    _, sentence = task.check(task.start.counts)
    assert f"residual risk of the thesis = {r2(before, before, variant='uncertainty'):.4g}" in sentence
    assert not any("thesis" in goal for goal in task.goals)


@every_exercise
def test_other_seeds_are_other_numbers(lesson, place):
    texts = {repr(draw(EXERCISES[lesson][place], seed)) for seed in range(20)}
    assert len(texts) >= 8
    again = [draw(EXERCISES[lesson][place], 7) for _ in range(2)]
    assert again[0].text == again[1].text


def test_every_lesson_ends_with_three_and_the_last_is_done():
    texts = [file.read_text("utf-8") for file in notebook_pages.folder("tutorials").glob("*.ipynb")]
    assert sorted(EXERCISES) == sorted(float(re.search(r"exercises\(([\d.]+)\)", text)[1]) for text in texts)
    for lesson in EXERCISES:
        kinds = [isinstance(draw(exercise, 1), Task) for exercise in EXERCISES[lesson]]
        assert kinds == [False, False, True], lesson


def test_what_was_tried_is_marked_and_other_numbers_come():
    asked, *_ = exercises(1).children[0].children
    before = asked.question
    asked.answer("999")
    assert asked.mark == "Version 1. Attempted: 1. Correct: 0."
    asked.answer(typed(draw(EXERCISES[1][0], 1).answer))
    assert asked.mark == "Version 1. Attempted: 1. Correct: 1."
    asked.again()
    assert (asked.mark, asked.feedback, asked.solved) == ("Version 2. Attempted: 1. Correct: 1.", "", False)
    assert asked.question != before
    asked.answer(typed(draw(EXERCISES[1][0], 2).answer))
    assert asked.mark == "Version 2. Attempted: 2. Correct: 2."


@pytest.mark.parametrize("lesson", sorted(EXERCISES))
def test_a_task_is_judged_at_each_change(lesson):
    asked, *_, grid = exercises(lesson).children[2].children
    task = draw(EXERCISES[lesson][2], 1)
    assert asked.feedback == ""
    rows = task.solution.reshape(task.start.counts.shape).tolist()
    grid.edit([(i, j, str(count)) for i, counts in enumerate(rows) for j, count in enumerate(counts)])
    assert asked.solved
    assert asked.mark == "Version 1. Solved: 1."
    asked.again()
    assert not asked.solved
    assert grid.counts.tolist() == draw(EXERCISES[lesson][2], 2).start.counts.tolist()


@pytest.mark.parametrize("lesson", sorted(EXERCISES))
def test_an_unfinished_edit_of_a_table_is_no_attempt(lesson):
    asked, *_, grid = exercises(lesson).children[2].children
    start = grid.counts.tolist()
    grid.edit([(0, 0, str(start[0][0] + 1))])
    assert asked.feedback
    assert not asked.solved
    assert asked.stored_state["attempted"] == []


def test_counts_that_no_exercise_means_are_refused_in_a_sentence():
    *_, grid = exercises(7).children[2].children
    grid.edit([(0, 0, str(LARGEST + 1))])
    assert "exceed 1,000" in grid.problems[0][2]
    grid.edit([(0, j, "0") for j in range(3)])
    assert "at least one person" in grid.problems[0][2].lower()


@pytest.mark.parametrize(("lesson", "seed"), [(99, 1), (1, -1)])
def test_what_is_not_there_is_said(lesson, seed):
    with pytest.raises(InputError):
        exercises(lesson, seed)


def test_the_table_of_counts_to_suppress_has_totals_and_the_marks_their_own_legend():
    _, fixed, marks = exercises(6.5).children[2].children
    assert fixed.row_margin["values"] == [f"{total:,}" for total in fixed.counts.sum(axis=1).tolist()]
    assert fixed.column_margin["values"] == [f"{total:,}" for total in fixed.counts.sum(axis=0).tolist()]
    assert fixed.corner["text"] == f"{fixed.counts.sum():,}"
    assert (fixed.row_name, marks.row_name) == ("Counts", "Suppressed")
    assert "1 = suppressed" in marks.hint
    assert "count of 1 or 2" not in marks.hint
