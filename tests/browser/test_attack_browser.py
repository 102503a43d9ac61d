"""The attack lab in a real browser: numbers are pointed at until a person is found, with the keyboard alone too."""

import re

import pytest
from playwright.sync_api import expect

from shared import begin_again, small_and_dark, tab

OLD, NEW = "Area A, boundaries of 1991 (Table 5.5)", "Area A, boundaries of 2001 (Table 5.4)"


@pytest.fixture(scope="module")
def tolerated():
    """Return nothing: on its own server the project answers for every message."""
    return ()


@pytest.fixture(scope="module")
def opened(served, kept_page):
    page = kept_page(viewport={"width": 1366, "height": 768})
    page.goto(f"{served}voila/render/attack.ipynb")
    page.get_by_role("table", name=OLD).wait_for()
    return page


@pytest.fixture
def played(opened):
    """Return the page as it opens: the first subtraction is saved."""
    return begin_again(opened)


@pytest.fixture
def lab(played):
    """Return the page at the beginning of the first case."""
    case = played.get_by_label("Attack case", exact=True)
    case.select_option("linked")
    played.get_by_role("table", name=OLD).wait_for(state="detached")
    case.select_option("boundaries")
    expect(possible(played, "More than 30")).to_have_text("0 to 55")
    return played


def number(page, table, place):
    return page.get_by_role("table", name=table).get_by_role("button", name=f"{table}, {place}:")


def possible(page, row):
    """What the table that nobody published says of women of these hours."""
    table = page.get_by_role("table", name="Unpublished counts: strip")
    return table.get_by_role("row", name=row).get_by_role("cell").last


def answer(page):
    return page.locator(".sdc-lead-answer")


def test_the_question_the_areas_and_a_first_subtraction_are_in_the_first_view(played):
    expect(played.get_by_role("heading", level=1)).to_be_in_viewport()
    expect(number(played, OLD, "More than 30, Female")).to_be_in_viewport()
    expect(played.locator(".sdc-areas")).to_be_in_viewport()
    expect(played.locator(".sdc-saved-lines")).to_contain_text("49 − 49 = 0")
    expect(played.locator(".sdc-place:not(.sdc-filled)")).to_have_count(2)
    for place in played.locator(".sdc-place").all():
        expect(place).to_be_in_viewport()
    expect(possible(played, "15 or less")).to_have_text("0")
    expect(possible(played, "15 or less")).to_be_in_viewport()
    expect(played.get_by_text("100 of 100 points")).to_be_in_viewport()


def test_two_numbers_close_the_bounds_and_a_trainee_finds_her(lab):
    expect(possible(lab, "More than 30")).to_have_text("0 to 55")
    number(lab, OLD, "More than 30, Female").click()
    expect(number(lab, OLD, "More than 30, Female")).to_have_attribute("aria-pressed", "true")
    number(lab, NEW, "More than 30, Female").click()
    expect(answer(lab)).to_contain_text("55 − 54 = 1. More than 30: 1;")
    expect(possible(lab, "More than 30")).to_have_text("1")
    lab.get_by_role("button", name="Next: save this combination").click()
    for hours in ("16-30", "15 or less"):
        number(lab, OLD, f"{hours}, Female").click()
        number(lab, NEW, f"{hours}, Female").click()
        expect(possible(lab, hours)).to_have_text("0")
        lab.get_by_role("button", name="Next: save this combination").click()
    lab.get_by_role("button", name="More than 30", exact=True).click()
    expect(answer(lab)).to_contain_text("combinations prove")
    tab(lab, 3)
    expect(lab.get_by_role("button", name="Your score: 100")).to_be_visible()


def test_with_the_keyboard_alone(lab):
    number(lab, OLD, "More than 30, Male").focus()
    lab.keyboard.press("ArrowRight")
    lab.keyboard.press("Enter")
    expect(number(lab, OLD, "More than 30, Female")).to_be_focused()
    lab.keyboard.press("Tab")
    expect(number(lab, NEW, "More than 30, Male")).to_be_focused()
    lab.keyboard.press("ArrowRight")
    lab.keyboard.press("Space")
    expect(possible(lab, "More than 30")).to_have_text("1")
    first = lab.get_by_role("button", name=f"{OLD}, More than 30, Female: + 55", exact=True)
    expect(first).to_have_text("+ 55")
    taken = lab.get_by_role("button", name=f"{NEW}, More than 30, Female: − 54", exact=True)
    expect(taken).to_have_text("− 54")
    keep = lab.get_by_role("button", name="Next: save this combination")
    keep.focus()
    for _ in range(2):  # the second costs nothing
        lab.keyboard.press("Enter")
    used = lab.get_by_role("button", name=f"{NEW}, More than 30, Female: ✓ 54", exact=True)
    expect(used).to_have_text("✓ 54")
    expect(lab.get_by_role("tab").nth(3)).to_be_focused()
    expect(lab.get_by_role("button", name="Show a hint (10 points)")).to_be_in_viewport()
    expect(lab.get_by_role("button", name="Your score: 100")).to_be_visible()
    tab(lab, 0)
    expect(lab.get_by_role("table", name=re.compile("^Saved combinations"))).to_be_visible()


def test_rounding_keeps_the_attack_from_finding_her(lab):
    tab(lab, 1)
    lab.get_by_role("radio", name="Rounded to base 5").check(force=True)
    number(lab, OLD, "More than 30, Female").click()
    number(lab, NEW, "More than 30, Female").click()
    expect(possible(lab, "More than 30")).to_have_text("0 to 4")
    lab.get_by_role("button", name="Clear this combination").click()
    lab.get_by_role("button", name="Next: show the cost of a hint").click()
    lab.get_by_role("button", name="Show a hint (10 points)").click()
    expect(lab.locator(".sdc-lead-why")).to_contain_text("90 points.")


def test_a_trainee_attacks_a_table_of_their_own(lab):
    lab.get_by_label("Attack case", exact=True).select_option("own")
    number(lab, "Your table", "Single, Total").click()
    number(lab, "Your table", "Single, Male").click()
    expect(answer(lab)).to_contain_text("4 − 3 = 1")
    lab.get_by_role("button", name="Next: save this combination").click()
    lab.get_by_role("button", name="1", exact=True).click()
    expect(answer(lab)).to_contain_text("combinations prove")
    lab.get_by_role("button", name="Paste").click()
    lab.get_by_label("Copied cells").fill("Area\tx\ty\tz\nA\t1\t7\t5\nB\t6\t2\t9\nC\t8\t9\t30")
    lab.get_by_role("button", name="Check this table").click()
    lab.get_by_role("button", name="Use this table").click()
    expect(number(lab, "Your table", "C, z")).to_have_text("30")
    expect(lab.get_by_text("The agency suppressed 2 small counts (1 or 2) of your table")).to_be_visible()


def test_everyone_can_read_the_lines_of_the_machine(lab, axe):
    tab(lab, 2)
    lab.get_by_role("button", name="Start the automated attack").click()
    lab.get_by_role("table", name="Combinations of the automated attack").wait_for()
    assert axe(lab) == []
    assert small_and_dark(lab, axe) == []
