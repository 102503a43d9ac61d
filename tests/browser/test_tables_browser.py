"""The table generator as a person meets it; controls are found by their accessible names."""

import io
import re

import pytest
from openpyxl import load_workbook
from playwright.sync_api import expect

from sdcwidgets.tableserver.rules import Rules
from shared import begin_again, label, small_and_dark, tab


@pytest.fixture(scope="module")
def tolerated():
    """Return nothing: on its own server the project answers for every message."""
    return ()


@pytest.fixture(scope="module")
def opened(served, kept_page):
    page = kept_page()
    page.goto(f"{served}voila/render/tables.ipynb")
    page.locator(".sdc-refusal").wait_for()
    return page


@pytest.fixture
def refused(opened):
    """Return the page as it opens: with a refused request."""
    return begin_again(opened)


@pytest.fixture
def generator(refused):
    page = refused
    page.get_by_label("Rows").select_option("Age")
    page.get_by_label("Population by").select_option("Region")
    page.get_by_label("Region", exact=True).wait_for()
    page.get_by_role("button", name="Request this table").click()
    page.get_by_text("Released: the counts are protected.").wait_for()
    return page


def test_the_user_asks_gets_a_table_and_takes_it_home(generator):
    generator.get_by_label("Third variable").select_option("Sex")
    generator.get_by_text("Age by Citizenship by Sex").wait_for()
    generator.get_by_role("button", name="Request this table").click()
    generator.get_by_label("Sex", exact=True).select_option("Female")
    with generator.expect_download() as saved:
        generator.get_by_role("button", name="Save table (XLSX)").click()
    book = load_workbook(io.BytesIO(saved.value.path().read_bytes()))
    assert book.sheetnames == ["table", "metadata"]
    assert ("Table", "Age by Citizenship by Sex") in list(book["metadata"].values)
    with generator.expect_download() as saved:
        generator.get_by_role("button", name="Save table (CSV)").click()
    assert "Population: Region,Region 1" in saved.value.path().read_text("utf-8-sig")


def test_the_first_view_is_a_refusal_with_its_rule(refused):
    for part in (".sdc-lead-answer", ".sdc-refusal", ".sdc-lead-ahead"):
        expect(refused.locator(part)).to_be_in_viewport()
    expect(refused.locator(".sdc-refusal")).to_contain_text("1,000")
    refused.locator(".sdc-lead-ahead").click()
    expect(refused.get_by_role("table", name="Published table")).to_be_visible()


def test_a_refused_request_says_its_rule(generator):
    generator.get_by_label("Rows").select_option("Sex")
    generator.get_by_label("Population by").select_option("Age")
    generator.get_by_label("Age", exact=True).select_option("100 and over")
    generator.get_by_role("button", name="Request this table").click()
    generator.get_by_text(re.compile("The rule is “minimum number of people in a table”")).wait_for()
    expect(generator.get_by_role("button", name="Answer: Refused")).to_be_visible()
    why = "A table needs at least 1,000 people. Select a larger population."
    expect(generator.get_by_text(why, exact=True)).to_be_visible()
    assert not generator.get_by_role("button", name="Save table (CSV)").is_visible()
    expect(generator.get_by_role("tab")).to_have_count(1)
    fold = generator.get_by_role("button", name="Select categories")
    expect(fold).to_have_attribute("aria-expanded", "false")
    fold.press("Enter")
    expect(fold).to_have_attribute("aria-expanded", "true")
    expect(generator.get_by_role("checkbox", name="Female")).to_be_visible()
    generator.get_by_role("button", name="Next: select all people").click()
    expect(generator.locator(".sdc-lead-answer")).to_contain_text("protected counts")
    ages = generator.get_by_role("table", name="Published table")
    expect(ages).to_be_visible()


def walk(page, name, key, seen):
    """Turn a list by a key, and see that something changed and that the list still has the focus."""
    choice = page.get_by_label(name, exact=True)
    value, before = choice.input_value(), seen.inner_text()
    choice.press(key)
    expect(choice).not_to_have_value(value)
    expect(seen).not_to_have_text(before)
    expect(choice).to_be_focused()


def test_a_list_that_is_walked_by_arrows_keeps_the_focus(generator):
    why = generator.locator(".sdc-lead-why")
    for name in ("Rows", "Rows", "Third variable", "Third variable", "Population by", "Population by"):
        walk(generator, name, "ArrowDown", why)
    for _ in range(2):
        walk(generator, "Columns", "ArrowUp", why)
    generator.get_by_role("radio", name="Data user").press("ArrowRight")
    tab(generator, 1)
    for key in ("ArrowDown", "ArrowUp"):
        walk(generator, "Method", key, generator.get_by_role("tabpanel"))


def test_the_agency_turns_a_rule_by_keyboard(generator, axe):
    generator.get_by_role("radio", name="Data user").focus()
    generator.keyboard.press("ArrowRight")
    line = re.compile(r"\d\. Age by Citizenship.*: (protected|refused: after)$")
    log = generator.get_by_role("button", name=line)
    said = generator.locator(".sdc-lead-answer")
    tab(generator, 3)
    expect(log).to_have_text("protected")
    tab(generator, 1)
    box = generator.get_by_role("spinbutton", name=label(Rules, "after"))
    box.fill("0.01")
    box.press("Enter")
    expect(said).to_contain_text("too high")
    tab(generator, 3)
    expect(log).to_have_text("refused: after")
    assert axe(generator) == []
    assert small_and_dark(generator, axe) == []
    generator.get_by_role("button", name="Undo").click()
    expect(log).to_have_text("protected")
