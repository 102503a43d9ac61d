"""The rounding lab in a real browser: sliders, keys, a pressed number, one's own table."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from sdcwidgets import methods
from shared import begin_again, label, tab


@pytest.fixture(scope="module")
def tolerated():
    """Return nothing: on its own server the project answers for every message."""
    return ()


@pytest.fixture(scope="module")
def opened(served, kept_page):
    page = kept_page(viewport={"width": 1366, "height": 768})
    page.goto(f"{served}voila/render/rounding.ipynb")
    page.locator(".sdc-lead-answer", has_text="changes 4 to 5").wait_for()
    return page


@pytest.fixture
def rounding(opened):
    return begin_again(opened)


def answer(page):
    return page.get_by_role(
        "button", name=re.compile("^Original counts of a published value|^Possible original counts")
    )


def test_sliders_move_the_tables_and_the_interval(rounding, axe):
    page = rounding
    tab(page, 1)
    expect(answer(page)).to_have_text("11 to 19")
    answer(page).scroll_into_view_if_needed()
    expect(answer(page)).to_be_in_viewport(ratio=0.9)
    steps = page.get_by_role("slider", name="Steps K")
    steps.focus()
    steps.press("ArrowRight")
    expect(answer(page)).to_have_text("6 to 24")
    base = page.get_by_role("slider", name=label(methods.get("random-rounding"), "base"))
    base.focus()
    base.press("ArrowLeft")
    base.press("ArrowLeft")
    expect(page.get_by_role("spinbutton", name=label(methods.get("random-rounding"), "base"))).to_have_value(
        "3"
    )
    expect(answer(page)).to_have_text("10 to 20")
    expect(page.get_by_text("Comparison with the SDC handbook")).to_be_hidden()
    expect(page.locator(".sdc-lead-answer")).to_contain_text("4 to 6 with probability 1/3")
    page.get_by_role("button", name="Load handbook example").click()
    expect(answer(page)).to_have_text("6 to 24")
    tab(page, 2)
    expect(
        page.get_by_text(re.compile("^Table 5.19 of the handbook, conventional rounding: 11 of 12"))
    ).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 1366
    assert axe(page) == []


def test_a_number_is_pressed_by_keyboard_and_a_count_is_edited(rounding):
    page = rounding
    tab(page, 0)
    page.get_by_role("button", name="Conventional, Area A, Male: 0, original 1").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    tab(page, 1)
    expect(answer(page)).to_have_text("18 to 22")
    tab(page, 0)
    field = page.get_by_role("textbox", name="Area C, Female", exact=True)
    field.fill("27")
    field.press("Enter")
    expect(page.get_by_role("button", name="Conventional, Area C, Female: 25, original 27")).to_be_visible()
    expect(page.get_by_text("Comparison with the SDC handbook")).to_be_hidden()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Conventional, Area C, Female: 20, original 20")).to_be_visible()


def test_ones_own_table_of_25_rows(rounding):
    page = rounding
    tab(page, 0)
    page.get_by_role("button", name="Open another table").click()
    rng = np.random.default_rng(4)
    head = "Ward\t" + "\t".join(f"Group {k}" for k in "ABCDEF")
    rows = [f"Ward {k + 1}\t" + "\t".join(map(str, rng.poisson(6, 6))) for k in range(25)]
    page.get_by_role("button", name="Paste").click()
    page.get_by_role("textbox", name="Copied cells").fill("\n".join([head, *rows]))
    page.get_by_role("button", name="Check this table").click()
    page.get_by_role("button", name="Use this table").click()
    expect(page.get_by_role("button", name=re.compile("^Controlled, Ward 25, Group F: "))).to_be_attached()
    tab(page, 3)
    expect(page.get_by_text(re.compile("is optimal: the solver has proved"))).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 1366
