"""The Y variables in a real browser: step, play, draw and read them, with the keyboard alone too."""

import re

import pytest
from playwright.sync_api import expect

from shared import small_and_dark, tab

NOTEBOOK = "voila/render/who.ipynb"


@pytest.fixture(scope="module")
def tolerated():
    """Extensions of JupyterLab that nobody needs may complain."""
    return ("The getter for the shared module is not a function",)


def opened(page, served):
    page.goto(f"{served}{NOTEBOOK}")
    page.get_by_role("button", name="Play all 4 possibilities").wait_for()
    return page


def test_a_trainee_steps_plays_and_averages(served, new_page, axe):
    # Who likes less motion gets a slower film.
    page = opened(new_page(reduced_motion="no-preference"), served)
    answer = page.get_by_role("button", name=re.compile("^Remaining uncertainty of the intruder"))
    tab(page, 1)
    expect(answer).to_have_text("0.3183")
    expect(page.locator(".sdc-lead-answer")).to_contain_text("4 assignments")
    box = page.get_by_role("spinbutton", name="Possibility")
    possible = page.get_by_role("list", name="Y: possible published cells of the people")
    told = page.get_by_text("Person 5 moved from c₃ to c₂.", exact=True)

    # With the keyboard alone: Tab from the number to Next, and on.
    box.focus()
    for name in ("First", "Previous", "Next"):
        page.keyboard.press("Tab")
        expect(page.get_by_role("button", name=name)).to_be_focused()
    page.keyboard.press("Enter")
    expect(box).to_have_value("2")
    page.keyboard.press("Enter")
    expect(told).to_be_visible()
    expect(possible.get_by_role("listitem").nth(1)).to_contain_text("Person 5, who was in c₃.")
    moved = possible.locator(".sdc-moved")
    expect(moved).to_have_text(["5"])
    assert moved.evaluate("dot => getComputedStyle(dot).borderRadius") == "3px"

    box.fill("9")
    box.press("Enter")
    expect(
        page.get_by_text("There is no possibility with the number 9; the last number is 4.")
    ).to_be_visible()
    expect(box).to_have_value("3")

    page.get_by_role("radio", name="All 20").check(force=True)
    expect(answer).to_have_text("0.6365")
    page.get_by_role("combobox", name="Speed of playing").select_option("fast")
    expect(page.get_by_role("button", name="Play", exact=True)).to_have_count(0)  # the blue button plays
    page.get_by_role("button", name="Play all 20 possibilities").click()
    expect(box).to_have_value("20")
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)
    tab(page, 0)
    for title in ("Average", "Probability of each published cell, by original cell"):
        row = page.get_by_role("table", name=title).get_by_role("row").nth(2)
        expect(row.get_by_role("cell")).to_have_text(["0.00", "0.50", "0.50"])
    assert axe(page) == []

    tab(page, 1)
    answer.click()
    expect(page.get_by_role("dialog")).to_contain_text("−(2/6·log(2/6) + 4/6·log(4/6)) = 0.6365")
    page.keyboard.press("Escape")
    tab(page, 0)
    page.get_by_role("button", name="Draw one possibility at random").click()
    expect(page.get_by_role("spinbutton", name="Draw", exact=True)).to_have_value("1")
    assert small_and_dark(page, axe) == []


#: Distances in pixels between the ends of the lines and the centres of the published people, by person.
LINES = """row => {
  const card = row.closest(".sdc-card");
  const paths = [...card.querySelectorAll("svg path[d*=' C']")];
  const box = paths[0].ownerSVGElement.getBoundingClientRect();
  const ends = paths.map((path) => Number(path.getAttribute("d").match(/ ([\\d.]+) 71/)[1]) + box.left);
  const centres = [...row.querySelectorAll("i")].map((dot) => {
    const { left, width } = dot.getBoundingClientRect();
    return left + width / 2;
  });
  const sorted = (numbers) => numbers.toSorted((one, other) => one - other);
  const [first, second] = [sorted(ends), sorted(centres)];
  return first.length === second.length ? first.map((end, place) => Math.abs(end - second[place])) : [Infinity];
}"""


def test_lines_end_at_the_people_after_people_have_moved(served, new_page):
    page = opened(new_page(reduced_motion="no-preference"), served)
    row = page.get_by_role("list", name="Y: possible published cells of the people")
    assert row.count() == 1
    for counts in ((0, 2, 4), (0, 3, 3)):
        for place, count in enumerate(counts):
            cell = page.get_by_role("textbox", name=f"G, published, c{'₁₂₃'[place]}")
            cell.fill(str(count))
            cell.press("Enter")
        expect(row.get_by_role("listitem").nth(1).locator("i")).to_have_count(counts[1])
        page.wait_for_timeout(500)  # the movement of the people takes 0.2 s
        assert max(row.evaluate(LINES)) < 1
