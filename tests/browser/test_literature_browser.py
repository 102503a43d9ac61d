"""The literature gallery in a real browser: choose a card, change its example, read what follows."""

import re

import pytest
from playwright.sync_api import expect

from sdcwidgets.dashboards.literature.card import CardSettings
from shared import label, small_and_dark, tab

NOTEBOOK = "voila/render/literature.ipynb"


@pytest.fixture(scope="module")
def tolerated():
    """Extensions of JupyterLab that nobody needs may complain."""
    return ("The getter for the shared module is not a function",)


def opened(page, served):
    page.goto(f"{served}{NOTEBOOK}")
    measure(page).wait_for()
    return page


def measure(page):
    return page.get_by_role("combobox", name="Measure")


def answer(page):
    return page.get_by_title("Show the computation").first


def said(page, words):
    expect(page.locator(".sdc-lead-answer")).to_have_text(words)


def test_a_reader_goes_through_the_cards(served, page, axe):
    opened(page, served)
    said(page, "Rows that meet a scenario: 3 of 4.")
    page.locator(".sdc-plot .main-svg").first.wait_for()
    assert axe(page) == []

    # With the keyboard alone: the blue button goes to the next card.
    page.get_by_role("button", name="Next: Frank 1978: entropy loss").press("Enter")
    expect(page.get_by_role("heading", name="Frank 1978: entropy loss")).to_be_visible()
    tab(page, 1)
    expect(answer(page)).to_have_text("4.3944")  # of the table of the card before
    page.get_by_role("button", name="Load the example of this measure").click()
    expect(answer(page)).to_have_text("2.9444")
    cell = page.get_by_role("table", name="Example").get_by_role("textbox", name=re.compile("c1"))
    cell.fill("1")
    cell.press("Enter")
    expect(answer(page)).to_have_text("2.9957")  # log(1 + 1 + 3 + 15)
    answer(page).click()
    expect(page.get_by_role("dialog")).to_contain_text("log(1 + 1 + 3 + 15) = 2.9957")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Undo").click()
    expect(answer(page)).to_have_text("2.9444")

    measure(page).select_option("Fréchet bounds")
    tab(page, 0)
    found = page.get_by_role("table", name="Feasibility interval of the count of each cell")
    expect(found.get_by_role("row", name=re.compile("Young"))).to_contain_text("11–13")
    assert axe(page) == []

    page.get_by_role("radio", name="Tables that count a sample").check(force=True)
    measure(page).select_option("Elamir & Skinner 2006: matches")
    said(page, "Expected number of correct matches of sample uniques: 4.16.")
    page.get_by_role("checkbox", name="Random variation between cells").check()
    expect(page.locator(".sdc-lead-answer")).not_to_contain_text("4.16")

    measure(page).select_option("Skinner & Holmes 1993: log-normal")
    said(page, "Expected number of population uniques: 465.")
    tab(page, 2)
    expect(page.get_by_text("The model fits real cells better")).to_be_visible()
    page.get_by_role("spinbutton", name=label(CardSettings, "fraction")).fill("0.2")
    page.get_by_role("spinbutton", name=label(CardSettings, "fraction")).press("Enter")
    expect(page.locator(".sdc-lead-answer")).not_to_contain_text("465")
    assert small_and_dark(page, axe) == []
