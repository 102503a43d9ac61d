"""What a progress remembers, what a board shows of it, and what hostile trainees change: nothing."""

import csv
import io
import json
from contextlib import suppress
from itertools import combinations
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stating import stating

from sdcwidgets import InputError
from sdcwidgets.server.course_session import CourseSession
from sdcwidgets.teaching.course import parse, read
from sdcwidgets.teaching.course.map_labels import LETTER, LINE
from sdcwidgets.teaching.course.progress import MOST_OF_ADDRESS, MOST_TRAINEES, CourseProgress

TEXT = """
title = "T"
minutes = 20
[[step]]
title = "=cmd|' /C calc'!A0"
minutes = 5
text = "How much?"
answer = 0.25
hint = "Think."
why = "A quarter."
[[step]]
title = "Choose"
minutes = 5
options = ["one", "two"]
answer = 2
[[step]]
title = "Do"
minutes = 5
page = "protect"
goal = ["risk < 0.2", "loss < 3"]
solution = "protect"
why = "By swapping."
[[step]]
title = "End"
minutes = 5
"""
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)


def token(number):
    return f"{number:032x}"


@pytest.fixture
def progress():
    return CourseProgress(parse(TEXT))


def test_two_cannot_be_the_same_animal_and_one_who_returns_can(progress):
    progress.join(token(1), "fox")
    with pytest.raises(InputError, match="is taken"):
        progress.join(token(2), "fox")
    assert "fox" not in progress.free()
    assert progress.join(token(1), "fox", 2).step == 2
    assert progress.join(token(1), "owl").name == "owl"
    assert progress.join(token(2), "fox")


@pytest.mark.parametrize(
    "name", ["<b>fox</b>", "=1+1", "\ud800", "x" * 1_000_000, "201", "0", "", None, 3, ["fox"]]
)
def test_a_name_is_one_of_those_that_are_offered(progress, name):
    with pytest.raises(InputError):
        progress.join(token(1), name)
    assert progress.trainees == {}


def test_a_full_room_forgets_who_went_first_and_nobody_who_is_here():
    progress = CourseProgress(read("protecting-census-tables"))
    names = progress.free()
    for number, name in enumerate(names[:MOST_TRAINEES]):
        progress.join(token(number), name, address=f"192.0.2.{number % 3}")
    assert len(progress.trainees) == MOST_TRAINEES
    with pytest.raises(InputError, match="is taken"):
        progress.join(token(499), names[0])
    assert len(progress.trainees) == MOST_TRAINEES  # who is refused pushes nobody out
    progress.join(token(500), names[-1], address="198.51.100.1")
    assert token(0) not in progress.trainees
    assert len(progress.trainees) == MOST_TRAINEES
    for one in progress.trainees.values():
        one.here = 1
    with pytest.raises(InputError, match="200 people"):
        progress.join(token(501), names[0])


def test_answers_are_counted_and_right_or_not(progress):
    for number, (name, said, right) in enumerate(
        [("fox", "0.25", True), ("owl", "1/4", True), ("yak", "4", False), ("cat", "=1+1", False)]
    ):
        progress.join(token(number), name)
        assert progress.answer(token(number), 0, said)[0] is right
    assert {(one["words"], one["count"], one["right"]) for one in progress.answers()} == {
        ("0.25", 2, True),  # and 1/4, which is the same number
        ("4", 1, False),
    }
    assert progress.answer(token(0), 0, "5") == (False, "Not yet. Think.")
    assert progress.answer(token(0), 0, "0.25") == (True, "Right. A quarter.")
    # A course that says no reason says at least that.
    assert progress.answer(token(0), 1, "2") == (True, "Right.")
    assert progress.answer(token(0), 0, "5")[0] is False
    assert progress.people()[0]["done"] == 1
    assert progress.answer(token(0), 2, "5")[1] == stating("no question")


def test_what_a_browser_kept_comes_back_after_a_restart(progress):
    kept = {"0": "0.25", "1": "7", "2": "1", "x": "1", "99": "1"}
    trainee = progress.join(token(1), "fox", 3, kept)
    assert (trainee.step, trainee.answers) == (3, {0: "0.25"})
    progress.answer(token(1), 0, "0.5")
    # What the progress knows already is not put back.
    assert progress.join(token(1), "fox", 3, kept).answers == {0: "0.5"}


def test_the_map_has_a_dot_for_each_and_keeps_a_solution_that_was_found(progress):
    progress.show(2)
    for number, name in enumerate(("fox", "owl", "yak")):
        progress.join(token(number), name)
    progress.checked(token(0), 2, False, {"risk": 0.3, "loss": 2}, "<b>")
    progress.checked(token(1), 2, True, {"risk": 0.1, "loss": 2}, "")
    progress.checked(token(1), 2, False, {"risk": 0.4, "loss": 9}, "")
    progress.checked(token(2), 2, False, {"loss": 9}, "")
    progress.checked(token(9), 2, True, {"risk": 0, "loss": 0}, "")
    dots = {name: dot for dot in progress.map()["dots"] for name in dot["names"]}
    assert {name: dot["met"] for name, dot in dots.items()} == {"fox": False, "owl": True}
    assert dots["owl"]["x"] == dots["fox"]["x"]
    assert dots["owl"]["y"] > progress.map()["limit_y"] > dots["fox"]["y"]  # down is less risk
    assert all(60 <= dot["x"] <= 580 and 20 <= dot["y"] <= 260 for dot in dots.values())


def test_who_found_the_same_shares_a_dot(progress):
    progress.show(2)
    for number, name in enumerate(("fox", "owl", "yak", "cat", "bee")):
        progress.join(token(number), name)
        progress.checked(token(number), 2, name != "bee", {"risk": 0.1, "loss": 2}, name.upper())
    found = progress.map()
    assert [(dot["names"], dot["met"]) for dot in found["dots"]] == [
        (["fox", "owl", "yak", "cat"], True),
        (["bee"], False),
    ]
    assert (found["met"], found["people"]) == (4, 5)
    assert all(
        f"{name}: loss 2, risk 0.1, {name.upper()}" in found["dots"][0]["words"] for name in ("fox", "cat")
    )


def test_an_unfinished_edit_does_not_stretch_the_map():
    progress = CourseProgress(read("frequency-tables-and-entropy"))
    number = next(
        k for k, step in enumerate(progress.course.steps) if step.goal and step.opening.page == "who"
    )
    progress.show(number)
    points = {"fox": (2, 4, 6), "owl": (2, 1, 6), "yak": (1, 1.252e9, 60), "cat": (3, 1.252e9, 6)}
    for place, (name, (changed, assignments, people)) in enumerate(points.items()):
        progress.join(token(place), name)
        values = {"changed": changed, "assignments": assignments, "people": people}
        progress.checked(token(place), number, assignments == 4, values, "")
    drawn = progress.map()
    lowest, highest, low, high = (float(end.replace(",", "")) for end in drawn["ends"])
    assert 0 <= lowest < highest <= 5
    assert 0 <= low < high <= 10
    assert all(end.isdigit() for end in drawn["ends"])
    dots = {name: dot for dot in drawn["dots"] for name in dot["names"]}
    assert {name: dot["outside"] for name, dot in dots.items()} == {
        "fox": False,
        "owl": False,
        "yak": True,
        "cat": True,
    }
    # The outlier is at the edge, with its value.
    assert dots["yak"]["y"] == 20
    assert "1,252,000,000" in dots["yak"]["words"]


def test_an_unfinished_edit_alone_does_not_stretch_the_map():
    progress = CourseProgress(read("frequency-tables-and-entropy"))
    number = next(
        k for k, step in enumerate(progress.course.steps) if step.goal and step.opening.page == "who"
    )
    progress.show(number)
    progress.join(token(0), "fox")
    progress.checked(token(0), number, False, {"changed": 1, "assignments": 20_475, "people": 7}, "")
    drawn = progress.map()
    assert float(drawn["ends"][3]) < 10
    assert [dot["outside"] for dot in drawn["dots"]] == [True]


def test_the_trainer_begins_the_clock_again(progress):
    progress.since -= 600  # what was prepared before anybody came
    assert progress.seconds > 599
    progress.show(0)
    assert progress.seconds > 599
    progress.begin()
    assert progress.seconds < 60


def test_the_file_names_nobody_and_holds_no_formula(progress):
    for number, name in enumerate(("fox", "owl")):
        progress.join(token(number), name)
        progress.answer(token(number), 0, "0.25")
        progress.checked(token(number), 2, True, {"risk": 0.1}, "=1+1")
    text = progress.csv()
    lines = list(csv.reader(io.StringIO(text)))
    assert len(lines) == 5
    assert not any(word in text for word in ("fox", "owl", token(0), token(1)))
    assert not any(cell.startswith(("=", "+", "-", "@")) for line in lines for cell in line)


@given(JSON, JSON, JSON, JSON, JSON)
def test_whatever_is_said_a_room_stays_as_it_is_or_knows_one_more(who, name, step, answers, given):
    progress = CourseProgress(parse(TEXT))
    progress.join(token(1), "fox")
    for said in (who, token(2)):
        with suppress(InputError):
            progress.join(said, name, step, answers)
    progress.go(token(1), step)
    progress.answer(token(1), step, given)
    progress.show(step)
    assert len(progress.trainees) <= 2
    json.dumps([progress.people(), progress.answers(), progress.map(), progress.csv()])


def test_one_address_cannot_take_all_places():
    progress = CourseProgress(parse(TEXT))
    progress.join("f" * 32, "fox", address="203.0.113.1")
    names = iter([name for name in progress.free() if name != "owl"])
    for number in range(MOST_OF_ADDRESS):
        progress.join(f"{number:032x}", next(names), address="192.0.2.7").here = 1
    with pytest.raises(InputError, match="100 people have joined from this network address"):
        progress.join("e" * 32, next(names), address="192.0.2.7")
    assert progress.join("d" * 32, "owl", address="203.0.113.1").name == "owl"
    # Who left that address makes place for the next from there, and nobody else does.
    progress.trainees[f"{3:032x}"].here = 0
    progress.join("e" * 32, next(names), address="192.0.2.7")
    assert f"{3:032x}" not in progress.trainees
    assert {"f" * 32, "d" * 32, "e" * 32} <= {*progress.trainees}


def test_one_address_cannot_take_all_websockets():
    """Pages that never say who they are take no place, and yet others could not come in."""
    taught = CourseSession(read("frequency-tables-and-entropy"), "a key", "an address")
    pages = 0
    while not taught.is_full("192.0.2.1"):
        taught.trainees.add(Mock(address="192.0.2.1"))
        pages += 1
    assert pages >= 2 * MOST_OF_ADDRESS  # each has the progress and a page
    assert not taught.is_full("192.0.2.2")
    while not taught.is_full("192.0.2.2"):
        taught.trainees.add(Mock(address="192.0.2.2"))
    assert taught.is_full("192.0.2.3")


def test_answers_after_the_solution_are_counted_apart(progress):
    number = next(k for k, step in enumerate(progress.course.steps) if step.kind == "question")
    progress.show(number)
    progress.join("a" * 32, "fox")
    progress.join("b" * 32, "owl")
    progress.answer("a" * 32, number, "1")
    assert progress.reveal()
    solution = progress.solution(number)
    step = progress.course.steps[number]
    right = str(step.answer)
    assert solution["why"] == step.why
    progress.answer("a" * 32, number, right)
    progress.answer("b" * 32, number, right)
    assert sum(line["count"] for line in progress.answers()) == 1
    assert progress.late() == 1
    # Hiding the answers does not open the question again.
    assert not progress.reveal()
    progress.answer("b" * 32, number, "1")
    assert sum(line["count"] for line in progress.answers()) == 1
    rows = list(csv.DictReader(io.StringIO(progress.csv())))
    assert sorted(row["late"] for row in rows) == ["no", "yes"]


def test_the_last_answer_decides_completion_before_and_after_the_solution(progress):
    """A participant whose screen states "Right." has completed the question in the trainer view."""
    for number, name in enumerate(("fox", "owl", "yak")):
        progress.join(token(number), name)
    progress.answer(token(0), 0, "5")
    progress.reveal()
    for number in (0, 1):
        assert progress.answer(token(number), 0, "0.25")[0]
    progress.answer(token(2), 0, "5")
    assert progress.people()[0]["done"] == 2
    assert progress.answer(token(2), 0, "0.25")[0]
    assert progress.people()[0]["done"] == 3
    # The answers after the solution are counted apart all the same.
    assert [(line["words"], line["count"]) for line in progress.answers()] == [("5", 1)]
    assert (progress.late(), progress.corrected()) == (2, 1)


def test_the_chart_counts_first_answers_and_states_the_corrections(progress):
    for number, name in enumerate(("fox", "owl", "yak")):
        progress.join(token(number), name)
    for number, typed in ((0, "2"), (0, "3"), (0, "0.25"), (1, "0.25"), (1, "7"), (2, "2"), (2, "3")):
        progress.answer(token(number), 0, typed)
    counts = {line["words"]: line["count"] for line in progress.answers()}
    assert counts == {"2": 2, "0.25": 1}
    assert progress.corrected() == 1
    rows = list(csv.DictReader(io.StringIO(progress.csv())))
    assert sorted((row["first answer"], row["answer"], row["right"]) for row in rows) == [
        ("0.25", "7", "no"),
        ("2", "0.25", "yes"),
        ("2", "3", "no"),
    ]
    # The browser keeps the first answer, and brings it to a server that was restarted.
    again = CourseProgress(progress.course)
    again.join(token(0), "fox", 0, {"0": "0.25"}, first={"0": "2", "1": "9", "x": "1", "2": "1"})
    assert [(line["words"], line["count"]) for line in again.answers()] == [("2", 1)]
    assert again.corrected() == again.people()[0]["done"] == 1


def test_the_explanation_of_a_task_is_shown_and_closes_nothing(progress):
    progress.show(2)
    assert progress.reveal()
    assert progress.closed == set()
    assert progress.solution(2) == {"step": 2, "answer": "", "why": "By swapping."}


def test_a_late_answer_stays_late_after_a_restart_of_the_server(progress):
    """The new session does not know that the answer was shown, but the browser does."""
    progress.join(token(1), "fox", 1, {"0": "0.25"}, late={"0": "0.25"})
    progress.join(token(2), "owl", 1, {"0": "0.25"}, late={"x": "", "7": "1"})
    progress.join(token(3), "yak", 1, {"0": "0.25"}, late=["0"])
    assert progress.late() == 1
    assert sum(line["count"] for line in progress.answers()) == 2


def test_a_late_answer_stays_late_when_the_page_is_opened_again(progress):
    progress.join(token(1), "fox")
    progress.join(token(2), "owl")
    progress.reveal()
    progress.answer(token(1), 0, "0.25")
    progress.join(token(1), "fox", 1, {"0": "0.25"})
    # An answer that the server did not receive before the answer was shown is late, too.
    progress.join(token(2), "owl", 1, {"0": "1/4"})
    assert (progress.answers(), progress.late()) == ([], 2)
    rows = list(csv.DictReader(io.StringIO(progress.csv())))
    assert [row["late"] for row in rows] == ["yes", "yes"]


def test_a_written_text_is_shown_without_names_and_has_no_correct_answer():
    step = '[[step]]\ntitle = "End"\nminutes = 5\nwritten = true\n'
    progress = CourseProgress(parse(f'title = "T"\nminutes = 5\n{step}'))
    assert progress.course.steps[0].kind == "text"
    for number, name in enumerate(("fox", "owl")):
        progress.join(token(number), name)
    assert not progress.answer(token(0), 0, "  ")[0]
    assert not progress.answer(token(0), 0, "x" * 301)[0]
    assert not progress.answer(token(0), 0, "\ud800")[0]
    assert progress.answer(token(0), 0, " Small  tables. ")[0]
    assert progress.texts() == ["Small tables."]
    # A text that is written after the texts were shown is not late.
    assert progress.reveal()
    assert progress.answer(token(1), 0, "Rows with zeros.")[0]
    assert progress.texts() == ["Rows with zeros.", "Small tables."]
    assert progress.people()[0]["done"] == 2
    rows = list(csv.DictReader(io.StringIO(progress.csv())))
    assert {(row["right"], row["late"]) for row in rows} == {("", "")}
    assert progress.join(token(0), "fox", 0, {"0": "Other."}).answers == {0: "Small tables."}


def test_steps_that_a_trainee_skipped_are_not_completed():
    talks = "".join(f'[[step]]\ntitle = "{name}"\nminutes = 5\n' for name in "ABCD")
    progress = CourseProgress(parse('title = "T"\nminutes = 20\n' + talks))
    progress.join(token(1), "fox")
    progress.go(token(1), 3)
    assert [step["done"] for step in progress.people()] == [1, 0, 0, 0]
    # After a restart of the server, a browser that was at a later step joins there.
    progress.join(token(2), "owl", 2)
    assert [step["done"] for step in progress.people()] == [2, 1, 0, 0]


def test_a_wrong_answer_has_the_right_one_in_the_handout_after_it_was_shown(progress):
    progress.join(token(1), "fox")
    progress.answer(token(1), 0, "9")
    assert len(progress.results(token(1))[0]) == 2
    progress.reveal()
    assert progress.course.steps[0].correct in progress.results(token(1))[0][2]


def test_a_trainee_who_left_is_removed_and_the_name_is_free(progress):
    progress.join("a" * 32, "fox").here = 1
    progress.join("b" * 32, "owl")
    assert "owl" not in progress.free()
    progress.remove_absent()
    assert [trainee.name for trainee in progress.trainees.values()] == ["fox"]
    assert "owl" in progress.free()


def test_the_answers_of_who_is_removed_stay_without_a_name(progress):
    for number, name in enumerate(("fox", "owl", "yak")):
        progress.join(token(number), name).here = number % 2
        progress.answer(token(number), 0, "4")
        progress.checked(token(number), 2, True, {"risk": 0.1, "loss": 2}, "")
    progress.answer(token(0), 0, "0.25")
    progress.remove_absent()
    assert [trainee.name for trainee in progress.trainees.values()] == ["owl"]
    assert [line["count"] for line in progress.answers()] == [3]
    assert progress.corrected() == 1
    assert len({row["person"] for row in csv.DictReader(io.StringIO(progress.csv()))}) == 3
    progress.show(2)
    drawn = progress.map()
    assert (drawn["met"], drawn["people"], drawn["left"]) == (3, 3, 2)
    assert not any("removed" in dot["label"]["text"] for dot in drawn["dots"] if dot["label"])
    assert not any(name in json.dumps(drawn) for name in ("fox", "yak"))
    # Somebody else takes the name, and the participant who returns has the answers and another name.
    progress.join(token(7), "fox")
    with pytest.raises(InputError, match="is taken"):
        progress.join(token(0), "fox")
    assert progress.join(token(0), "cat", 0, {"0": "9"}).answers == {0: "0.25"}
    assert progress.map()["people"] == 3
    assert "fox" not in progress.free()


def test_labels_of_the_map_do_not_overlap(progress):
    progress.show(2)
    places = [(0.1, 2), (0.101, 2.01), (0.1, 2.05), (0.3, 9), (0.3, 8.9), (0.2, 5), (0.2, 5.02)]
    for number, (risk, loss) in enumerate(places):
        progress.join(token(number), ["bear", "beaver", "fox", "donkey", "dolphin", "yak", "cat"][number])
        progress.checked(token(number), 2, True, {"risk": risk, "loss": loss}, "")
    labels = [dot["label"] for dot in progress.map()["dots"] if dot["label"]]
    assert len(labels) >= 6
    boxes = []
    for label in labels:
        wide = LETTER * len(label["text"])
        left = label["x"] - (wide if label["anchor"] == "end" else 0)
        boxes.append((left, label["y"] - LINE, left + wide, label["y"]))
    for one, other in combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    assert all(box[0] >= -60 and box[2] <= 760 for box in boxes)


def test_answers_that_are_equal_to_the_right_one_are_one_bar_and_bars_are_in_order(progress):
    step = progress.course.steps[0]
    typed = ("0.25", "1/4", "0,2501", "log 4", "0.1", "0.1", "0.1")
    for number, (name, words) in enumerate(
        zip(("fox", "owl", "yak", "cat", "bee", "bat", "elk"), typed, strict=True)
    ):
        progress.join(token(number), name)
        progress.answer(token(number), 0, words)
    assert step.right("0,2501")
    lines = [(line["words"], line["count"], line["right"]) for line in progress.answers()]
    assert lines == [("0.1", 3, False), ("0.25", 3, True), ("log 4", 1, False)]


def test_who_was_moved_has_not_completed_a_lesson():
    progress = CourseProgress(read("frequency-tables-and-entropy"))
    lesson = next(k for k, step in enumerate(progress.course.steps) if step.kind == "lesson")
    for number, name in enumerate(("fox", "owl", "yak")):
        progress.join(token(number), name, lesson).here = 1
    progress.trainees[token(2)].here = 0
    progress.go(token(0), lesson + 1)
    progress.show(lesson + 2)
    progress.move_all()

    def counts():
        line = progress.people()[lesson]
        return line["done"], line["moved"]

    assert [progress.trainees[token(number)].step for number in range(3)] == [lesson + 2, lesson + 2, lesson]
    assert counts() == (1, 1)
    # The page of the moved participant says again where it is.
    progress.join(token(1), "owl", lesson + 2)
    assert counts() == (1, 1)
    # A participant who returns and goes on has completed the lesson.
    progress.go(token(1), lesson)
    progress.go(token(1), lesson + 1)
    assert counts() == (2, 0)


def test_a_text_is_never_late_and_the_course_is_completed_without_a_text():
    step = '[[step]]\ntitle = "End"\nminutes = 5\nwritten = true\n'
    progress = CourseProgress(parse(f'title = "T"\nminutes = 9\n{step}'))
    for number, name in enumerate(("fox", "owl", "yak")):
        progress.join(token(number), name)
    progress.reveal()
    progress.answer(token(0), 0, "A text.")
    assert [row["late"] for row in csv.DictReader(io.StringIO(progress.csv()))] == [""]
    assert progress.people()[0]["done"] == 1
    progress.finish(token(1))
    assert progress.people()[0]["done"] == 2
    assert progress.texts() == ["A text."]
