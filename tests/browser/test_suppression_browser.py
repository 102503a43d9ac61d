"""Suppressing by hand in a real browser: a press moves every interval, with the mouse and with the keyboard alone."""

import re

import pytest
from playwright.sync_api import expect

from sdcwidgets.dashboards.suppression.state import SuppressionSettings
from sdcwidgets.methods.cell_suppression import CellSuppression
from shared import begin_again, label, tab


@pytest.fixture(scope="module")
def tolerated():
    """Return nothing: on its own server the project answers for every message."""
    return ()


@pytest.fixture(scope="module")
def opened(served, kept_page):
    page = kept_page(viewport={"width": 1366, "height": 768})
    page.goto(f"{served}voila/render/suppression.ipynb")
    spot(page, "5, size 5").wait_for()
    return page


@pytest.fixture
def unsolved(opened):
    """Return the page as it opens: one suppressed cell, which is recalculable."""
    return begin_again(opened)


@pytest.fixture
def suppressing(unsolved):
    """Return the page with the published pattern of O&DF Table 1."""
    for number in (2, 3, 4):
        unsolved.locator(".sdc-lead-ahead").click()
        expect(suppressed(unsolved)).to_have_count(number)
    return unsolved


def suppressed(page):
    table = page.get_by_role("table", name="Published table")
    return table.get_by_role("button", name=re.compile(": suppressed,"))


def spot(page, name):
    table = page.get_by_role("table", name="Published table")
    return table.get_by_role("button", name=re.compile(f"^{name}:"))


def test_the_first_view_has_a_recalculable_cell_its_equation_and_the_table(unsolved):
    for part in (".sdc-big", ".sdc-equation", ".sdc-lead-ahead"):
        expect(unsolved.locator(part).first).to_be_in_viewport()
    expect(unsolved.locator(".sdc-equation")).to_have_text("3,898 − 592 − 329 − 1,437 − 1,440 = 100")
    expect(unsolved.get_by_role("row", name=re.compile("^Total"))).to_be_in_viewport()
    expect(spot(unsolved, "5, size 5")).to_have_attribute("aria-pressed", "true")
    expect(suppressed(unsolved)).to_have_count(1)


def test_the_optimiser_is_the_step_after_a_pattern_by_hand(suppressing):
    expect(suppressing.locator(".sdc-big").first).to_contain_text("407 possible values")
    suppressing.locator(".sdc-lead-ahead").click()
    expect(suppressing.locator(".sdc-lead-ahead")).to_be_hidden()
    expect(suppressing.locator(".sdc-big").first).to_contain_text("Yes")


def test_a_press_changes_the_intervals_the_risk_and_the_rank(suppressing):
    expect(spot(suppressing, "5, size 7")).to_have_accessible_name(
        re.compile("^5, size 7: .*x₂.* 407 .* 1,131 to 1,537, risk 0.115")
    )
    tab(suppressing, 1)
    expect(suppressing.get_by_text(re.compile("4 equations of rank 3 for 4 unknowns"))).to_be_visible()
    spot(suppressing, "5, size 5").click()
    expect(spot(suppressing, "5, size 7")).to_have_accessible_name(
        re.compile("^5, size 7: .*x₁.*known, 1,437, risk ∞")
    )
    expect(suppressing.locator(".sdc-big").first).to_contain_text("can recalculate")
    expect(
        suppressing.get_by_text(
            "The totals give 4 equations of rank 3 for 3 unknowns. The equations determine all suppressed cells."
        )
    ).to_be_visible()
    spot(suppressing, "2,3, size 5").click()
    spot(suppressing, "2,3, size 7").wait_for()
    suppressing.get_by_role("button", name="Undo").click()
    suppressing.get_by_role("button", name="Undo").click()
    expect(suppressing.locator(".sdc-big").first).to_contain_text("407 possible values")


def test_with_the_keyboard_alone(suppressing):
    # One stop for the whole table; arrows move within it.
    spot(suppressing, "2,3, size 4").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        suppressing.keyboard.press(key)
    expect(spot(suppressing, "5, size 5")).to_be_focused()
    suppressing.keyboard.press("Space")
    expect(suppressing.locator(".sdc-big").first).to_contain_text("can recalculate")
    expect(spot(suppressing, "5, size 5")).to_be_focused()
    expect(spot(suppressing, "5, size 5")).to_have_attribute("aria-pressed", "false")
    suppressing.keyboard.press("Enter")
    expect(suppressing.locator(".sdc-big").first).to_contain_text("407 possible values")
    tab(suppressing, 2)
    take = suppressing.get_by_role("button", name="Apply the optimal pattern", exact=True)
    take.focus()
    suppressing.keyboard.press("Enter")
    # A secret chooses the pattern, so that its figures differ; it always passes.
    expect(suppressing.locator(".sdc-big").first).to_contain_text("Yes")
    expect(spot(suppressing, "5, size 5")).to_have_attribute("aria-pressed", "true")


def test_what_one_gap_is_supposed_to_be_tells_the_others(suppressing):
    tab(suppressing, 1)
    box = suppressing.get_by_role("spinbutton", name="Assumed value of x₁")
    box.fill("100")
    box.press("Enter")
    chart = suppressing.get_by_role(
        "img", name=re.compile("If x₁ is 100, all 3 other suppressed cells are known")
    )
    chart.scroll_into_view_if_needed()
    expect(chart.get_by_text("x₂ = 1,437")).to_be_visible()
    expect(chart.get_by_text("sum 406")).to_be_visible()


def test_a_hierarchy_the_reason_of_the_optimiser_and_another_table(suppressing):
    slider = suppressing.get_by_role("slider", name=label(SuppressionSettings, "group"))
    slider.focus()
    slider.press("ArrowRight")
    expect(spot(suppressing, "5 to 6, size 5")).to_be_visible()
    tab(suppressing, 1)
    expect(suppressing.get_by_text("size 5, 5 to 6: x₁ + x₃ = 406")).to_be_visible()
    tab(suppressing, 2)
    suppressing.get_by_role("button", name="Explain the optimal pattern").click()
    expect(suppressing.get_by_role("dialog")).to_contain_text(re.compile(r"592 \(5, size 4\).*5, size 5"))
    suppressing.keyboard.press("Escape")
    suppressing.get_by_role("button", name="Open another table").click()
    suppressing.get_by_label("Example", exact=False).first.select_option("handbook-5-1")
    gap = spot(suppressing, "Single, Female")
    expect(gap).to_have_accessible_name(re.compile("^Single, Female: .*x₁.*known, 1, risk ∞, sensitive$"))
    suppressing.get_by_role("button", name="Apply the optimal pattern", exact=True).click()
    expect(gap).to_have_accessible_name(re.compile("suppressed, x., .* values, 1 to "))


def test_a_dot_of_the_chart_is_a_pattern(suppressing):
    tab(suppressing, 3)
    chart = suppressing.get_by_role("img", name=re.compile("^Possible values and cost"))
    chart.scroll_into_view_if_needed()
    dots = chart.locator(".scatterlayer .trace").nth(1).locator(".point")
    dots.first.wait_for()
    before = suppressing.locator(".sdc-big").first.text_content()
    dots.first.click(force=True)
    expect(suppressing.locator(".sdc-big").first).not_to_have_text(before)


def test_what_is_kept_in_print_is_spared_by_the_optimiser(suppressing):
    tab(suppressing, 2)
    expect(suppressing.get_by_role("slider", name=label(CellSuppression, "coalition"))).to_have_count(0)
    suppressing.get_by_role("radio", name="Keep published").check(force=True)
    spot(suppressing, "5, size 7").click()
    expect(spot(suppressing, "5, size 7")).to_have_accessible_name("5, size 7: 1,437, kept published")
    expect(spot(suppressing, "5, size 7")).to_have_attribute("aria-pressed", "true")
    suppressing.get_by_role("button", name="Apply the optimal pattern", exact=True).click()
    expect(spot(suppressing, "5, size 7")).to_have_accessible_name("5, size 7: 1,437, kept published")
