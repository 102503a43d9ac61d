"""The first lesson in a real browser: a question is answered, a count is typed, a person is found."""

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

import sdcwidgets
from sdcwidgets.teaching.lessons.drawn import EXERCISES, draw

LESSON = next((Path(sdcwidgets.__file__).parent.parent / "tutorials").glob("01-*.ipynb"))


@pytest.fixture
def lesson(voila, page):
    folder, address = voila
    shutil.copy(LESSON, folder)
    page.goto(f"{address}/voila/render/{LESSON.name}")
    page.locator(".sdc-lesson").last.wait_for()
    return page


def test_a_learner_answers_plays_and_reads(lesson, axe):
    page = lesson

    # A question with a number: wrong, then right, by keyboard alone.
    question = page.locator(".sdc-exercise").filter(has_text="How many of them can you rule out")
    field = page.get_by_role("textbox", name=re.compile("How many of them can you rule out"))
    field.fill("4")
    field.press("Enter")
    expect(question.get_by_role("status")).to_contain_text("Not yet")
    field.fill("5")
    field.press("Enter")
    expect(question.get_by_role("status")).to_contain_text("Yes. Five cells are 0")

    # A question with options.
    options = page.get_by_role("group", name=re.compile("Which row tells you for sure"))
    question = page.locator(".sdc-exercise").filter(has=options)
    options.get_by_role("radio", name="(2, 2, 2)").check()
    question.get_by_role("button", name="Check").click()
    expect(question.get_by_role("status")).to_contain_text("all three are equally likely")
    options.get_by_role("radio", name="(0, 0, 6)").check()
    question.get_by_role("button", name="Check").click()
    expect(question.get_by_role("status")).to_contain_text("Nothing is left to guess")

    # A row: the picture and the numbers follow what is typed, and Control+Z takes it back.
    row = page.locator(".sdc-lesson").filter(has_text="Entropy H").first
    cell = row.get_by_role("textbox", name="People, A")
    cell.fill("3")
    cell.press("Enter")
    expect(row.get_by_role("img", name="A: 3, B: 2, C: 4")).to_be_visible()
    expect(row.get_by_role("status").filter(has_text="Entropy")).to_contain_text("Entropy H: 1.0609")
    cell.press("Control+z")
    expect(row.get_by_role("img", name="A: 0, B: 2, C: 4")).to_be_visible()

    # The game: two questions find a person among four equal cells.
    game = page.locator(".sdc-guessing").first
    game.get_by_role("checkbox", name="A, 4 people").check()
    game.get_by_role("checkbox", name="B, 4 people").check()
    game.get_by_role("button", name="Ask").click()
    expect(game.get_by_role("status")).to_contain_text(re.compile(r"\b2\b.*cells"))
    game.locator("input:enabled").first.check()
    game.get_by_role("button", name="Ask").click()
    expect(game.get_by_role("status")).to_contain_text("after 2 questions")
    expect(game.get_by_role("button", name="Next person")).to_be_focused()

    # The exercises at the end: a slip gets its sentence, other numbers come, and a task is done in a grid.
    numbers = draw(EXERCISES[1][0], 1)
    exercise = page.locator(".sdc-exercise").filter(
        has_text="How large is the entropy H, in nats, of the row"
    )
    field = exercise.get_by_role(
        "textbox", name=re.compile("How large is the entropy H, in nats, of the row")
    )
    field.fill(f"{numbers.slips[0][0]:.4f}")
    field.press("Enter")
    expect(exercise.get_by_role("status")).to_have_text(numbers.slips[0][1])
    field.fill(f"{numbers.answer:.4f}")
    field.press("Enter")
    expect(exercise).to_contain_text("Version 1. Attempted: 1. Correct: 1.")
    exercise.get_by_role("button", name="New numbers").click()
    expect(exercise).to_contain_text(draw(EXERCISES[1][0], 2).text)
    expect(exercise.get_by_role("status")).to_be_empty()
    expect(field).to_have_value("")
    task = page.locator(".sdc-exercise").filter(has_text="until the entropy")
    grid = page.get_by_role("table", name="Table to change in this exercise")
    drawn = draw(EXERCISES[1][2], 1)
    counts = drawn.start.counts.copy()
    for place, count in enumerate(drawn.solution):
        cell = grid.get_by_role("textbox", name=f"People, {'ABCD'[place]}")
        cell.fill(str(count))
        cell.press("Enter")
        # The grid is drawn with what is judged; what is typed before that would be drawn over.
        counts[0, place] = count
        expect(task.get_by_role("status")).to_have_text(drawn.check(counts)[1])
    expect(task.get_by_role("status")).to_have_class(re.compile("sdc-right"))
    expect(task.get_by_role("status")).not_to_contain_text("not met")

    # axe takes what a plain Voila has scrolled out of sight for hidden; on a tall screen all is in sight. The page
    # around the lesson is Voila's, and has no landmarks; the corners of tables are pandas' (our server mends them),
    # and nbconvert gives headings of the same words the same id.
    page.set_viewport_size({"width": 1366, "height": 20_000})
    page.wait_for_function(
        "[...document.querySelectorAll('.sdc-lesson')].every((one) => one.getBoundingClientRect().bottom < innerHeight)"
    )
    of_others = ("region:", "empty-table-header:", "duplicate-id:")
    assert [line for line in axe(page) if not line.startswith(of_others)] == []

    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 683, "height": 900})
    # Voila lays the cells out a moment after the window has changed.
    page.wait_for_function(
        "[...document.querySelectorAll('.sdc-lesson, .sdc-exercise, .sdc-guessing, .sdc-readout')]"
        ".every(node => node.getBoundingClientRect().right <= innerWidth)"
    )


def test_sliders_below_a_row_change_it(served, page):
    page.goto(f"{served}voila/render/01b-from-entropy-to-risk.ipynb")
    page.locator(".sdc-exercise").last.wait_for(state="attached")
    more = page.get_by_role("button", name="continue without an answer")
    while more.first.is_visible():
        more.first.click()
    copies = page.get_by_role("spinbutton", name="copies of")
    row = page.locator(".sdc-lesson").filter(has=copies)
    copies.fill("10")
    copies.press("Enter")
    expect(row.get_by_role("img", name="A: 10, B: 10, C: 20, D: 40")).to_be_visible()


def test_served_it_shows_what_its_code_prints_though_the_code_is_folded(served, page):
    page.goto(f"{served}voila/render/{LESSON.name}")
    printed = page.get_by_role("table").filter(has_text="Area 10").first
    expect(printed.get_by_role("row", name="Area 6")).to_contain_text("129")
    expect(page.locator("pre", has_text="display(religion.to_frame())").first).to_be_hidden()


@pytest.mark.parametrize("number", [*(f"{number:02}" for number in range(1, 16)), "01b", "02b", "06b", "14b"])
def test_a_lesson_breaks_no_rule_and_its_wide_tables_scroll_by_keyboard(served, page, axe, number):
    lesson = next(LESSON.parent.glob(f"{number}-*.ipynb"))
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{served}voila/render/{lesson.name}")
    page.locator(".sdc-exercise").last.wait_for(state="attached")
    more = page.get_by_role("button", name="continue without an answer")
    while more.first.is_visible():
        more.first.click()
    expect(page.get_by_role("heading", name="What you can do now")).to_be_visible()
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    if number == "10":
        wide = page.get_by_role("region", name="Table 1", exact=True)
        wide.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function("document.activeElement.scrollLeft > 0")
