"""Answers of a served lesson: they survive a reload, the landing page continues the lesson, and they can be deleted."""

import re
from urllib.parse import unquote

from playwright.sync_api import expect

from sdcwidgets.dashboards import notebook_pages
from shared import drawn_again, small_and_dark

LESSON = notebook_pages.lessons()[0].notebook


def answer(page, number, text):
    question = page.locator(".sdc-exercise").nth(number)
    question.get_by_role("textbox").fill(text)
    question.get_by_role("button", name="Check").click()
    expect(question.locator(".sdc-feedback")).not_to_be_empty()
    return question.locator(".sdc-feedback").inner_text()


def opened(page, address):
    page.goto(address)
    page.locator(".sdc-exercise").first.wait_for()
    return page.get_by_role("navigation", name="Parts of this lesson")


def start_again(parts):
    """Delete the answers of a lesson, after its question was declined once."""
    parts.get_by_role("button", name="Start again").click()
    keep = parts.get_by_role("button", name="Keep answers")
    expect(keep).to_be_focused()
    keep.press("Enter")
    again = parts.get_by_role("button", name="Start again")
    expect(again).to_be_focused()
    again.press("Enter")
    parts.get_by_role("button", name="Delete answers").click()


def test_answers_survive_a_reload_until_they_are_cleared(served, page, axe):
    address = f"{served}voila/render/{LESSON}"
    parts = opened(page, address)
    feedback = answer(page, 0, "4")
    page.locator(".sdc-exercise").nth(1).get_by_role("radio").nth(2).check()
    page.locator(".sdc-exercise").nth(1).get_by_role("button", name="Check").click()
    expect(parts.locator("summary")).to_contain_text(re.compile(r"2 of \d+"))

    parts = opened(page, address)
    first = page.locator(".sdc-exercise").first
    expect(first.get_by_role("textbox")).to_have_value("4")
    expect(first.locator(".sdc-feedback")).to_have_text(feedback)
    # What follows an answered question is shown, and a screen reader does not read out restored answers.
    expect(first.get_by_role("status")).to_have_count(0)
    expect(page.locator(".sdc-exercise").nth(1).get_by_role("radio").nth(2)).to_be_checked()
    expect(page.locator(".sdc-exercise").nth(2)).to_be_visible()
    parts.locator("summary").click()
    expect(parts.get_by_role("link").first).to_be_visible()
    assert axe(page, "#sdc-parts") == []

    page.goto(served)
    way = page.locator(".sdc-continue").get_by_role("link")
    expect(way).to_have_count(1)
    heading = unquote(way.get_attribute("href").partition("#")[2])
    way.click()
    page.locator(".sdc-exercise").nth(2).wait_for()
    expect(page.locator(f"[id='{heading}']")).to_be_in_viewport()

    # The button is in view before the list of parts is opened.
    parts = page.get_by_role("navigation", name="Parts of this lesson")
    expect(parts.locator("ol")).to_be_hidden()
    start_again(parts)
    expect(page.locator(".sdc-exercise").first.get_by_role("textbox")).to_have_value("")
    expect(page.locator(".sdc-exercise:visible")).to_have_count(1)


def test_an_empty_or_unreadable_answer_opens_no_next_part(served, page):
    parts = opened(page, f"{served}voila/render/{LESSON}")
    first = page.locator(".sdc-exercise").first
    field = first.get_by_role("textbox")
    for text in ("five", "", "  "):
        field.fill(text)
        first.get_by_role("button", name="Check").click()
        expect(first.locator(".sdc-feedback")).not_to_be_empty()
        expect(first.locator(".sdc-not-yet")).to_have_count(0)
        expect(page.locator(".sdc-exercise:visible")).to_have_count(1)
        expect(parts.locator("summary")).to_contain_text(re.compile(r"0 of \d+"))
    # A wrong number counts.
    answer(page, 0, "4")
    expect(first.locator(".sdc-not-yet")).to_have_count(1)
    expect(page.locator(".sdc-exercise").nth(1)).to_be_visible()
    # A question without a choice has no answer, either.
    second = page.locator(".sdc-exercise").nth(1)
    second.get_by_role("button", name="Check").click()
    expect(second.locator(".sdc-feedback")).not_to_be_empty()
    expect(parts.locator("summary")).to_contain_text(re.compile(r"1 of \d+"))


def test_a_reload_returns_to_the_place_in_the_lesson(served, page):
    parts = opened(page, f"{served}voila/render/{LESSON}")
    answer(page, 0, "4")
    second = page.locator(".sdc-exercise").nth(1)
    second.get_by_role("radio").nth(2).check()
    second.get_by_role("button", name="Check").click()
    third = page.locator(".sdc-exercise").nth(2)
    expect(third).to_be_visible()
    third.evaluate("(question) => question.scrollIntoView()")
    expect(third).to_be_in_viewport()
    before = third.bounding_box()["y"]
    page.reload()
    third.wait_for()
    expect(parts.locator("summary")).to_contain_text(re.compile(r"2 of \d+"))
    expect(third).to_be_in_viewport()
    assert abs(third.bounding_box()["y"] - before) < 60


def test_the_landing_page_breaks_no_rule_with_the_progress_of_a_lesson_and_of_the_tutorial(served, page, axe):
    opened(page, f"{served}voila/render/{LESSON}")
    answer(page, 0, "4")
    # The list of parts is drawn a moment after an answer, and stores the part to continue with.
    expect(page.locator("#sdc-parts > details > summary")).to_contain_text(": 1 of")
    page.goto(served)
    page.locator("label[for=anna-2]").click()
    page.reload()
    expect(page.locator(".sdc-continue").get_by_role("link")).to_be_visible()
    expect(page.get_by_role("button", name="Start again")).to_be_visible()
    expect(page.get_by_role("link", name="Continue with step")).to_be_visible()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        drawn_again(page)
        assert axe(page) == []
    assert small_and_dark(page, axe) == []


def test_the_landing_page_deletes_all_answers(served, page):
    opened(page, f"{served}voila/render/{LESSON}")
    answer(page, 0, "5")
    expect(page.locator("#sdc-parts > details > summary")).to_contain_text(": 1 of")
    page.goto(served)
    expect(page.locator(".sdc-continue")).to_have_count(1)
    page.locator("#clear-answers").click()
    expect(page.locator(".sdc-continue")).to_have_count(1)
    page.get_by_role("button", name="Keep answers").click()
    expect(page.locator(".sdc-continue")).to_have_count(1)
    expect(page.locator("#clear-answers")).to_be_focused()
    page.locator("#clear-answers").click()
    page.get_by_role("button", name="Delete answers").click()
    expect(page.locator(".sdc-continue")).to_have_count(0)
    expect(page.locator("#clear-answers")).to_be_hidden()
    assert page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('sdc:answers'))") == []


def opened_completely(page, address):
    """Open a lesson, and show all its parts without answers."""
    opened(page, address)
    skip = page.get_by_role("button", name="continue without an answer")
    page.locator(".sdc-exercise").last.wait_for(state="attached")
    while skip.count():
        skip.first.click()


def test_exercises_and_typed_counts_survive_a_reload(served, page):
    address = f"{served}voila/render/{LESSON}"
    opened_completely(page, address)
    drawn = page.locator(".sdc-exercise", has=page.get_by_role("button", name="New numbers"))
    first = drawn.first
    first.get_by_role("textbox").fill("9")
    first.get_by_role("button", name="Check").click()
    expect(first.locator(".sdc-feedback")).not_to_be_empty()
    version = first.locator("form .sdc-mute")
    first.get_by_role("button", name="New numbers").click()
    expect(version).to_contain_text("2")
    question = first.locator("p").first.inner_text()
    first.get_by_role("textbox").fill("8")
    first.get_by_role("button", name="Check").click()
    expect(first.locator(".sdc-feedback")).not_to_be_empty()
    attempts = version.inner_text()
    task = page.get_by_role("table", name="Table to change in this exercise").get_by_role("textbox").first
    row = page.get_by_role("table", name="Row of counts").first.get_by_role("textbox").first
    for cell in (task, row):
        cell.fill("7")
        cell.press("Enter")
        expect(cell).to_have_value("7")
    expect(drawn.last.locator(".sdc-feedback")).not_to_be_empty()
    judgement = drawn.last.locator(".sdc-feedback").inner_text()

    opened_completely(page, address)
    expect(version).to_have_text(attempts)
    expect(first.locator("p").first).to_have_text(question)
    expect(first.get_by_role("textbox")).to_have_value("8")
    expect(first.locator(".sdc-feedback")).not_to_be_empty()
    expect(drawn.last.locator(".sdc-feedback")).to_have_text(judgement)
    for cell in (task, row):
        expect(cell).to_have_value("7")
    # New numbers have no old answer.
    first.get_by_role("button", name="New numbers").click()
    expect(version).to_contain_text("3")
    expect(first.get_by_role("textbox")).to_have_value("")

    # The button is in view before the list of parts is opened.
    parts = page.get_by_role("navigation", name="Parts of this lesson")
    expect(parts.locator("ol")).to_be_hidden()
    start_again(parts)
    expect(page.locator(".sdc-exercise:visible")).to_have_count(1)
    opened_completely(page, address)
    expect(version).to_contain_text("1")
    expect(first.get_by_role("textbox")).to_have_value("")
    for cell in (task, row):
        expect(cell).not_to_have_value("7")


def test_number_boxes_of_a_lesson_are_inside_their_card_on_a_phone(served, new_page):
    page = new_page(viewport={"width": 390, "height": 844})
    opened_completely(page, f"{served}voila/render/{notebook_pages.lessons()[2].notebook}")
    boxes = page.locator(".sdc-lesson input[type=number]")
    boxes.first.wait_for()
    beyond = """inputs => inputs.map(input =>
        input.getBoundingClientRect().right - input.closest(".sdc-lesson").getBoundingClientRect().right)"""
    rest = boxes.evaluate_all(beyond)
    assert rest
    assert max(rest) < 0
