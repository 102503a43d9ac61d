"""Protect and compare as a person meets it; controls are found by their accessible names."""

import re

import pytest
from openpyxl import load_workbook
from playwright.sync_api import expect

from sdcwidgets import assess, examples, methods
from sdcwidgets.measures.risk import R2
from shared import begin_again

RELIGION = examples.load("religion")


@pytest.fixture(scope="module")
def tolerated():
    """Return nothing: on its own server the project answers for every message."""
    return ()


@pytest.fixture(scope="module")
def opened(served, kept_page):
    page = kept_page()
    page.goto(f"{served}voila/render/protect.ipynb")
    page.locator(".sdc-plot .main-svg").first.wait_for()
    return page


@pytest.fixture
def protector(opened):
    page = begin_again(opened)
    page.get_by_role("button", name="Clear").click()
    return page


def shows(page, method, **settings):
    """Wait until the large number is the risk left in the first draw of this method."""
    after = assess(RELIGION, method, replications=1, **settings).after
    expected = f"{after.whole.r2['information'].mean[0]:.4f}"
    page.wait_for_function(
        "text => document.querySelector('.sdc-big')?.textContent === text", arg=expected, timeout=15_000
    )


def test_a_method_and_its_settings_are_turned_and_everything_follows(protector):
    rounding = methods.get("random-rounding")
    shows(protector, rounding())
    slider = protector.get_by_role("slider", name="Rounding base b")
    slider.focus()
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    shows(protector, rounding(base=5))
    protector.get_by_role("button", name="Roll again").click()
    shows(protector, rounding(base=5), seed=2)
    protector.get_by_label("Method", exact=True).select_option("record-swapping")
    shows(protector, "record-swapping", seed=2)
    protector.get_by_role("button", name="Undo").click()
    shows(protector, rounding(base=5), seed=2)


def test_a_sweep_fills_the_map_and_a_click_goes_back_to_a_setting(protector):
    box = protector.get_by_role("spinbutton", name="Replications")
    box.fill("20")
    box.press("Enter")
    protector.get_by_text("Mean of 20 draws:").wait_for()
    protector.get_by_role("button", name="Sweep all methods").click()
    chart = protector.locator(".sdc-plot").first
    protector.get_by_role("button", name="Stop the sweep").wait_for()
    # More than a hundred settings: seconds, or minutes where the machine has other things to do.
    protector.get_by_role("button", name="Sweep all methods").wait_for(timeout=240_000)
    assert re.search(r"of (\d+) settings", chart.get_attribute("aria-label"))
    points = chart.locator(".scatterlayer .trace").nth(0).locator(".point")
    assert points.count() >= 30
    # A dot tells its name also where the line of a threshold lies upon it.
    mean = "node => [node.data[0].customdata[5], node.data[0].y[5].toFixed(3)]"
    name, risk = chart.evaluate(mean)
    limit = protector.get_by_role("spinbutton", name="Risk left, T₂ (step 6)")
    limit.fill(risk)
    limit.press("Enter")
    chart.get_by_text(f"T₂ {float(risk):g}", exact=True).wait_for()
    points.nth(5).hover(force=True)
    expect(chart.locator(".hoverlayer")).to_contain_text(name)
    before = protector.locator(".sdc-big").text_content()
    points.nth(5).click(force=True)
    protector.wait_for_function(
        "before => document.querySelector('.sdc-big').textContent !== before", arg=before, timeout=15_000
    )
    # The keyboard goes to a setting, too, and finds what passes first.
    listed = protector.get_by_role("combobox", name="Go to a setting")
    expect(listed.locator("option:checked")).to_contain_text(name)  # the list follows when nothing moves
    listed.focus()
    protector.keyboard.press("Home")
    first = listed.locator("option").first.text_content()
    assert first.startswith("keeps T₂ and T₃: ")
    expect(listed.locator("option:checked")).to_have_text(first)
    expect(chart).to_have_attribute(
        "aria-label", re.compile(re.escape(f"{first.split(': ', 1)[1]}, on average"))
    )


def test_draws_are_looked_at_and_saved(protector, tmp_path):
    protector.get_by_role("button", name="Next draw").click()
    protector.get_by_text("Draw 2 of 1,000 is shown").wait_for()
    with protector.expect_download() as saved:
        protector.get_by_role("button", name="Protected table as CSV").click()
    table = type(RELIGION).from_csv(saved.value.path())
    assert table.axes == RELIGION.axes
    assert not (table.counts % 3).any()
    with protector.expect_download() as saved:
        protector.get_by_role("button", name="Protected table as XLSX").click()
    protected = tmp_path / saved.value.suggested_filename
    saved.value.save_as(protected)
    assert type(RELIGION).from_excel(protected, sheet="protected") == table
    # What is published and nothing else; the true counts are in a file of another name.
    assert load_workbook(protected).sheetnames == ["protected"]
    with protector.expect_download() as saved:
        protector.get_by_role("button", name="Comparison with the true counts").click()
    assert saved.value.suggested_filename.startswith("confidential")
    saved.value.save_as(tmp_path / "comparison.xlsx")
    assert type(RELIGION).from_excel(tmp_path / "comparison.xlsx", sheet="TRUE COUNTS") == RELIGION


DOT = """() => {
    const plot = document.querySelector(".sdc-plot"), layout = plot._fullLayout;
    const cloud = layout.shapes.find((shape) => shape.type === "path" && shape.path.includes("H"));
    const [, left, y, right] = cloud.path.split("M")[NUMBER].match(/([^,]+),([^H]+)H(.+)/);
    const box = plot.getBoundingClientRect();
    return [
        box.left + layout._size.l + layout.xaxis.d2p((Number(left) + Number(right)) / 2),
        box.top + layout._size.t + layout.yaxis.d2p(Number(y)),
    ];
}"""


def test_a_click_on_a_dot_shows_that_draw(protector):
    protector.get_by_text("1,000 draws:").wait_for()
    draws = assess(RELIGION, "random-rounding").after.draws[R2()]
    # The dot that lies farthest from the mean is in nobody's way.
    number = int(abs(draws[:60] - draws.mean()).argmax())
    protector.locator(".sdc-plot").first.scroll_into_view_if_needed()
    protector.mouse.click(*protector.evaluate(DOT.replace("NUMBER", str(number + 1))))
    protector.get_by_text(f"Draw {number + 1} of 1,000 is shown").wait_for()
    protector.wait_for_function(
        "text => document.querySelector('.sdc-big').textContent === text", arg=f"{draws[number]:.4f}"
    )


def test_no_cloud_stays_after_clear(protector):
    chart = protector.locator(".sdc-plot").first
    protector.get_by_label("Method", exact=True).select_option("record-swapping")
    shows(protector, "record-swapping")
    clouds = """() => [...document.querySelectorAll('.sdc-plot')[0].querySelectorAll('.shapelayer path')]
        .filter((path) => path.getAttribute('d').length > 200).length"""
    chart.scroll_into_view_if_needed()
    protector.wait_for_function(f"({clouds})() === 2")
    protector.get_by_role("button", name="Clear").click()
    protector.wait_for_function(f"({clouds})() === 1")


def test_thresholds_decide_and_the_steps_are_named(protector):
    box = protector.get_by_role("spinbutton", name="Risk left, T₂ (step 6)")
    box.fill("0.2")
    box.press("Enter")
    protector.get_by_role("status").filter(has_text="Step 8 of 15").wait_for()
    protector.get_by_role("button", name="The 15 steps").click()
    protector.get_by_role("dialog").get_by_text("→ 8.").wait_for()
    protector.keyboard.press("Escape")
    protector.get_by_role("button", name="Why two formulas?").click()
    protector.get_by_role("dialog").get_by_text("PSD 2014 (5):").wait_for()


def test_the_way_begins_before_the_decision_and_says_what_comes_next(protector):
    path = protector.get_by_role("list", name="The way to a release, in 15 steps")
    here = path.locator("[aria-current=step]")
    expect(here).to_have_accessible_name(re.compile("^Protect, step 5, you are here: Random rounding"))
    expect(protector.get_by_role("status").filter(has_text="Step 5 of 15.")).to_be_visible()
    expect(protector.get_by_text("may be released")).to_have_count(0)
    protector.get_by_role("button", name="Next: judge draw 1").press("Enter")
    expect(here).to_have_accessible_name(re.compile("^Choose and release, 13–15, you are here"))
    protector.get_by_role("button", name="Next: save what is published").press("Enter")
    expect(protector.get_by_role("button", name="Protected table as CSV")).to_be_focused()
    box = protector.get_by_role("spinbutton", name="Risk left, T₂ (step 6)")
    box.fill("0.2")
    box.press("Enter")
    expect(here).to_have_accessible_name(
        re.compile("^Judge the risk left, 6–8, stopped here: 0.2142, not below")
    )
    protector.get_by_role("button", name="Next: choose another setting").press("Enter")
    expect(protector.get_by_label("Method", exact=True)).to_be_focused()
    protector.get_by_role("button", name="Reset").click()
    expect(here).to_have_accessible_name(re.compile("^Protect, step 5"))


def test_a_threshold_line_is_dragged(protector):
    protector.get_by_text("1,000 draws:").wait_for()  # from here on the map stands still
    chart = protector.locator(".sdc-plot").first
    line = chart.locator(".shapelayer path[data-index='1']")
    line.scroll_into_view_if_needed()
    box, before = (
        line.bounding_box(),
        protector.get_by_role("spinbutton", name="Risk left, T₂ (step 6)").input_value(),
    )
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    protector.mouse.move(x, y)
    protector.mouse.down()
    protector.mouse.move(x, y + 40, steps=8)
    protector.mouse.up()
    protector.wait_for_function(
        "before => [...document.querySelectorAll('input[type=number]')].every((box) => box.value !== before)",
        arg=before,
        timeout=15_000,
    )


def test_what_comes_back_into_sight_is_shown_also_where_it_is_as_it_was(protector):
    chart = protector.get_by_role("img", name=re.compile("Risk before and after"))
    numbers = protector.get_by_role("button", name=re.compile("^Risk left, R₂: "))
    chart.scroll_into_view_if_needed()
    expect(chart).not_to_have_class(re.compile("sdc-old"))
    numbers.scroll_into_view_if_needed()
    expect(numbers).to_be_visible()
    before = numbers.inner_text()
    slider = protector.get_by_role("slider", name="Rounding base b")
    slider.scroll_into_view_if_needed()
    slider.focus()
    for key, base in (("ArrowRight", 4), ("ArrowLeft", 3)):
        slider.press(key)
        shows(protector, methods.get("random-rounding")(base=base))
    numbers.scroll_into_view_if_needed()
    expect(numbers).to_be_visible()
    expect(numbers).to_have_text(before)
    chart.scroll_into_view_if_needed()
    expect(chart).not_to_have_class(re.compile("sdc-old"))
    slider.scroll_into_view_if_needed()
    slider.press("ArrowRight")
    numbers.scroll_into_view_if_needed()
    expect(numbers).not_to_have_text(before)
