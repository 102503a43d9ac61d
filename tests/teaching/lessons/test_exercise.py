"""Numbers are taken as people type them."""

import pytest

from sdcwidgets.teaching.course.course import CourseStep
from sdcwidgets.teaching.lessons.drawn import EXERCISES, exercises
from sdcwidgets.teaching.lessons.exercise import Exercise, choice, number


@pytest.mark.parametrize("given", ["1/3", "0.3333", "0,333", "33.3%", "33.3 %", " 1 / 3 "])
def test_a_share_may_be_a_fraction_or_percent(given):
    assert number("Which share?", 1 / 3, right="Yes.", hint="No.").answer(given)


@pytest.mark.parametrize(
    "typed", ["3*0.6931", "3 × 0.6931", "3 · log 2", "log 8", "ln(8)", "Log(64) / 2", "-3*log(1/2)"]
)
def test_products_quotients_and_logarithms_are_numbers(typed):
    assert number("Which entropy?", 2.0794, right="Yes.", hint="No.").answer(typed)
    assert CourseStep("Entropy", 5, answer=2.0794).right(typed)


@pytest.mark.parametrize(
    ("typed", "right"), [("0.639", True), ("0.647", True), ("0.637", False), ("0.65", False)]
)
def test_two_decimals_are_enough(typed, right):
    assert number("Which entropy?", 0.6431, right="Yes.", hint="No.").answer(typed) is right


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        *[("5,352", 5352), ("5352", 5352), ("-5,352", -5352), ("1,234,567", 1234567), ("12,345.5", 12345.5)],
        *[("1,448 / 2", 724), ("10,000 × 0,5", 5000), ("5,352", 5.352), ("12,345 %", 12345)],
    ],
)
def test_a_comma_may_separate_thousands_or_decimals(typed, answer):
    assert number("How many cells?", answer, right="Yes.", hint="No.").answer(typed)
    assert CourseStep("How many cells?", 5, answer=answer).right(typed)


@pytest.mark.parametrize("typed", ["0,352", "53,52", "5,3520", "5352,000", "5.352", "1,23,456", ",352"])
def test_other_commas_do_not_separate_thousands(typed):
    for answer in (352, 5352, 53520, 123456, 5352000):
        cells = number("How many cells?", answer, right="Yes.", hint="No.", tolerance=0.4)
        assert cells.answer(typed) is (typed == "5352,000" and answer == 5352)


@pytest.mark.parametrize("typed", ["1,448", "2,449"])
def test_a_wrong_number_with_a_thousands_comma_gets_the_hint(typed):
    cells = number("How many cells?", 1444.8, right="Yes.", hint="Count again.")
    assert not cells.answer(typed)
    assert cells.feedback == "Count again."


@pytest.mark.parametrize("typed", ["1,445", "1445"])
def test_a_rounded_number_with_a_thousands_comma_needs_decimals(typed):
    cells = number("How many cells?", 1444.8, right="Yes.", hint="Count again.")
    assert not cells.answer(typed)
    assert "decimal" in cells.feedback


def test_percent_may_be_asked_for():
    assert number("How many percent?", 33, right="Yes.", hint="No.").answer("33 %")


@pytest.mark.parametrize(
    "given", ["a third", "1/0", "1//3", "", "%", "nan", "log 0", "2 3", "log", "3*", "2**9"]
)
def test_what_is_no_number_is_answered_with_one_like_it(given):
    cells = number("How many cells?", 25, right="Yes.", hint="No.")
    assert not cells.answer(given)
    assert cells.feedback == "Please type a number, such as 12."
    assert not cells.is_attempt
    cells.answer("3")
    assert cells.is_attempt


def test_a_choice_without_an_option_is_no_attempt():
    row = choice("Which row?", [("A", "No."), ("B", "Yes.")], 1)
    assert not row.answer("")
    assert not row.is_attempt
    assert not row.answer("0")
    assert row.is_attempt


@pytest.mark.parametrize("lesson", sorted(EXERCISES))
def test_no_unreadable_answer_counts_in_the_exercises_of_a_lesson(lesson):
    for box in exercises(lesson).children:
        question = box.children[0]
        if question.typed:
            question.answer("five")
            assert question.feedback
            assert question.stored_state["attempted"] == []
            question.answer("-987654321")
            assert question.stored_state["attempted"] == [1]


@pytest.mark.parametrize("typed", ["0.66", ".66", "0,66", "66 %", "66%"])
def test_a_truncated_answer_gets_the_rounded_one(typed):
    share = number("Which share?", 2 / 3, right="Yes.", hint="Divide.")
    assert not share.answer(typed)
    assert share.feedback != "Divide."
    assert "0.67" in share.feedback
    assert share.is_attempt


@pytest.mark.parametrize(
    ("typed", "answer"), [("0.6", 2 / 3), ("0.7", 2 / 3), ("12", 12.345), ("67.5 %", 0.67512)]
)
def test_an_answer_with_too_few_decimals_is_told_so(typed, answer):
    tolerance = 0.00005 if "%" in typed else 0.005
    share = number("Which share?", answer, right="Yes.", hint="Divide.", tolerance=tolerance)
    assert not share.answer(typed)
    assert "decimal" in share.feedback


@pytest.mark.parametrize(
    ("typed", "answer", "places"),
    [("11", 11.2, "1 decimal place,"), ("12", 12.345, "2 "), ("0.8", 0.8375, "2 ")],
)
def test_no_more_decimals_are_required_than_are_right(typed, answer, places):
    share = number("Which number?", answer, right="Yes.", hint="Divide.")
    assert not share.answer(typed)
    assert f"at least {places}" in share.feedback


@pytest.mark.parametrize("typed", ["0.65", "0.5", "1", "0", "2", "0.76", "66", "1/2"])
def test_a_wrong_answer_is_not_called_rounded(typed):
    share = number("Which share?", 2 / 3, right="Yes.", hint="Divide.")
    assert not share.answer(typed)
    assert share.feedback == "Divide."


@pytest.mark.parametrize("given", ["1e9", "-1/3"])
def test_another_number_gets_the_hint(given):
    share = number("Which share?", 1 / 3, right="Yes.", hint="Count again.")
    assert not share.answer(given)
    assert share.feedback == "Count again."


def test_an_exercise_has_an_input_if_it_checks_an_answer():
    typed = number("Which entropy?", 0.5, right="Yes.", hint="No.")
    told = Exercise("Change the table.")
    assert (typed.typed, told.typed) == (True, False)
    assert not told.answer("0.5")
    assert told.feedback == ""
    told.say(True, "Done.")
    assert (told.solved, told.feedback) == (True, "Done.")
