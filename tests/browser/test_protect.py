"""Protect and compare as a person meets it; controls are found by their accessible names."""

import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from openpyxl import load_workbook
from playwright.sync_api import expect

from sdcwidgets import FrequencyTable, assess, examples, methods
from sdcwidgets.assessment.verdict.limits import ReleaseLimits
from sdcwidgets.dashboards.protect.controls import BETTER_LESS
from sdcwidgets.dashboards.protect.headline import NEXT
from sdcwidgets.dashboards.protect.map import STOP, SWEEP
from sdcwidgets.dashboards.protect.recommended import USUAL
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.dashboards.story import link
from sdcwidgets.measures.risk import R2
from sdcwidgets.widgets.page_state.links import encode
from shared import QUIET, begin_again, drawn_again, label, tab, until

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
    tab(page, 0)
    page.get_by_role("button", name="Clear map").click()
    return page


def shows(page, method, **settings):
    """Wait until the lead says the risk left in the first draw of this method."""
    after = assess(RELIGION, method, replications=1, **settings).after
    expected = f"{after.whole_slice.r2.mean[0]:.3f}"
    expect(page.locator(".sdc-lead")).to_contain_text(expected)


def all_methods(page):
    more = page.get_by_role("button", name=re.compile(r"Show \d+ more methods"))
    if more.count():
        more.click()
    return page.get_by_label("Method", exact=True)


def test_a_method_and_its_settings_are_turned_and_everything_follows(protector):
    rounding = methods.get("random-rounding")
    shows(protector, rounding())
    slider = protector.get_by_role("slider", name=label(methods.get("random-rounding"), "base"))
    slider.focus()
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    shows(protector, rounding(base=5))
    tab(protector, 3)
    protector.get_by_role("button", name="Use another seed").click()
    shows(protector, rounding(base=5), seed=2)
    protector.get_by_role("radio", name=USUAL["record-swapping"]).check(force=True)
    shows(protector, "record-swapping", seed=2)
    all_methods(protector).select_option("barnardisation")
    shows(protector, "barnardisation", seed=2)
    protector.get_by_role("button", name="Undo").click()
    protector.get_by_role("button", name="Undo").click()
    shows(protector, rounding(base=5), seed=2)


def test_one_table_says_before_and_after_in_a_cell_and_each_alone(protector):
    shows(protector, methods.get("random-rounding")())
    cell = protector.locator(".sdc-grid tbody td").first
    expect(cell.locator("input")).to_have_value("181")
    expect(cell.locator(".sdc-after")).to_have_text(" → 180")
    look = protector.get_by_role("group", name="Show")
    look.get_by_text("Difference", exact=True).click()
    expect(cell).to_contain_text("−1")
    look.get_by_text("After", exact=True).click()
    expect(cell).to_contain_text("180")
    look.get_by_text("Before", exact=True).click()
    expect(cell.locator("input")).to_have_value("181")
    expect(protector.locator(".sdc-after")).to_have_count(0)
    look.get_by_text("Before → after").click()


def test_the_blue_button_does_the_next_thing_until_table_and_report_are_saved(protector, tmp_path):
    lead = protector.locator(".sdc-lead")
    ahead = lead.locator(".sdc-lead-ahead")
    expect(lead).not_to_contain_text("may be released")
    expect(ahead).to_have_text(NEXT["limits"])
    ahead.press("Enter")
    source = protector.get_by_role("textbox", name=label(ReleaseLimits, "source"))
    expect(source).to_be_focused()
    source.fill("Panel, May 2026")
    source.press("Enter")
    ahead.press("Enter")
    smallest = protector.get_by_role("slider", name=label(ReleaseLimits, "smallest_count"))
    box = protector.get_by_role("spinbutton", name=label(ReleaseLimits, "smallest_count"))
    expect(box).to_be_focused()
    expect(smallest).to_have_attribute("aria-valuetext", "no limit")
    expect(protector.get_by_role("spinbutton", name=BETTER_LESS["risk"])).to_have_value("")
    box.fill("3")
    box.press("Enter")
    expect(lead.locator(".sdc-lead-answer")).to_contain_text("(1)")
    expect(protector.get_by_role("button", name="Save table (XLSX)")).to_be_hidden()
    ahead.press("Enter")
    expect(lead.locator(".sdc-lead-answer")).to_contain_text("table meets")
    expect(lead.locator("[aria-current=step]")).to_contain_text("Release")
    with protector.expect_download() as saved:
        protector.get_by_role("button", name="Save table (XLSX)").click()
    saved.value.save_as(tmp_path / "protected.xlsx")
    book = load_workbook(tmp_path / "protected.xlsx")
    assert book.sheetnames == ["Table", "Method"]
    assert not (type(RELIGION).from_excel(tmp_path / "protected.xlsx", sheet="Table").counts % 3).any()
    with protector.expect_download() as saved:
        protector.get_by_role("button", name="Save internal report (HTML)").click()
    assert saved.value.suggested_filename.startswith("internal")
    saved.value.save_as(tmp_path / "report.html")
    assert "table meets" in (tmp_path / "report.html").read_text("utf-8")
    with protector.expect_download() as saved:
        protector.get_by_role("button", name="Save internal comparison (XLSX)").click()
    assert saved.value.suggested_filename.startswith("internal")
    box = protector.get_by_role("spinbutton", name=BETTER_LESS["risk"])
    box.fill("0.1")
    box.press("Enter")
    expect(lead.locator(".sdc-lead-answer")).to_contain_text("is above your limit (0.1")
    expect(ahead).to_have_text(NEXT["first"].format(len(methods.available())))
    tab(protector, 1)
    protector.get_by_role("button", name="Show the 15 steps of protection").click()
    protector.get_by_role("dialog").get_by_text("→ 8.").wait_for()


def test_a_sweep_fills_the_map_and_cards(protector):
    all_methods(protector)
    box = protector.get_by_role("spinbutton", name="Replications")
    box.fill("10")
    box.press("Enter")
    tab(protector, 0)
    protector.get_by_role("button", name=SWEEP).click()
    protector.get_by_role("button", name=STOP).wait_for()
    # More than a hundred settings: seconds, or minutes where the machine has other things to do.
    protector.get_by_role("button", name=SWEEP).wait_for(timeout=240_000)
    chart = protector.locator(".sdc-plot").first
    assert re.search(r"of (\d+) settings", chart.get_attribute("aria-label"))
    cards = protector.get_by_role("list", name="Recommended settings").get_by_role("listitem")
    expect(cards.first).to_be_visible()
    before = protector.locator(".sdc-lead").inner_text()
    cards.first.get_by_role("button").click()
    expect(protector.locator(".sdc-lead")).not_to_have_text(before)
    # The keyboard goes to a setting, too.
    listed = protector.get_by_role("combobox", name="Selected setting on the map")
    expect(listed.locator("option").first).to_contain_text("Random rounding")


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
    tab(protector, 3)
    protector.get_by_text("Mean of 1,000 replicates: ").wait_for()
    tab(protector, 0)
    draws = assess(RELIGION, "random-rounding").after.draws[R2()]
    # The dot that lies farthest from the mean is in nobody's way.
    number = int(abs(draws[:60] - draws.mean()).argmax())
    protector.locator(".sdc-plot").first.scroll_into_view_if_needed()
    protector.mouse.click(*protector.evaluate(DOT.replace("NUMBER", str(number + 1))))
    expect(protector.locator(".sdc-lead")).to_contain_text(f"{draws[number]:.3f}")


MEANS = """() => {
    const plot = document.querySelector(".sdc-plot"), layout = plot._fullLayout;
    const box = plot.getBoundingClientRect(), { x, y } = plot.data[0];
    return [...x].map((loss, i) => [
        box.left + layout._size.l + layout.xaxis.d2p(loss), box.top + layout._size.t + layout.yaxis.d2p(y[i]),
    ]).sort((one, other) => one[0] - other[0]);
}"""


def test_a_drag_on_the_map_changes_settings_and_the_table(protector):
    slider = protector.get_by_role("slider", name=label(methods.get("random-rounding"), "base"))
    slider.focus()
    for key in ("ArrowRight", "ArrowRight"):
        slider.press(key)
    protector.wait_for_function("document.querySelector('.sdc-plot').data[0].x.length === 3")
    expect(slider).to_have_value("5")
    chart = protector.locator(".sdc-plot").first
    chart.scroll_into_view_if_needed()
    first, *_, last = protector.evaluate(MEANS)
    protector.mouse.move(*last)
    protector.mouse.down()
    protector.mouse.move(*first, steps=8)
    expect(slider).to_have_value("3")  # while the pointer is still down
    protector.mouse.up()
    shows(protector, "random-rounding", base=3)
    chart.focus()
    chart.press("ArrowRight")
    expect(slider).to_have_value("4")
    shows(protector, "random-rounding", base=4)


#: The settings of the map that no other one beats, from the smallest to the largest loss, as positions in the window.
FRONT = """() => {
    const plot = document.querySelector(".sdc-plot"), layout = plot._fullLayout;
    const box = plot.getBoundingClientRect(), { x, y } = plot.data[0];
    const all = [...x].map((loss, i) => [loss, y[i]]).filter(([loss]) => loss > 0);
    const beats = ([loss, risk], other) => loss <= other[0] && risk <= other[1] && (loss < other[0] || risk < other[1]);
    const front = all.filter((point) => !all.some((other) => beats(other, point)));
    return front.sort((one, other) => one[0] - other[0]).map(([loss, risk]) => [
        box.left + layout._size.l + layout.xaxis.d2p(loss), box.top + layout._size.t + layout.yaxis.d2p(risk),
    ]);
}"""


def test_a_drag_is_followed_while_all_methods_are_compared(protector):
    protector.get_by_role("button", name=SWEEP).click()
    stop = protector.get_by_role("button", name=STOP)
    protector.wait_for_function("document.querySelector('.sdc-plot').data[0].x.length > 30")
    protector.locator(".sdc-plot").first.scroll_into_view_if_needed()
    table = protector.locator(".sdc-grid tbody").first
    first, *_, last = protector.evaluate(FRONT)
    protector.mouse.move(*last)
    protector.mouse.down()
    texts = []
    for position in (first, last, first):
        before = table.inner_text()
        protector.mouse.move(*position, steps=4)
        protector.wait_for_function(
            "before => document.querySelector('.sdc-grid tbody').innerText !== before", arg=before
        )
        texts.append(protector.locator(".sdc-lead").inner_text())
    expect(stop).to_be_visible()  # the comparison still runs
    protector.mouse.up()
    stop.click()
    assert len(set(texts)) > 1


LINE = """() => {
    const plot = document.querySelector(".sdc-plot"), layout = plot._fullLayout;
    const box = plot.getBoundingClientRect();
    return [
        box.left + layout._size.l + layout._size.w / 2,
        box.top + layout._size.t + layout.yaxis.d2p(layout.shapes[0].y0),
    ];
}"""


def test_a_limit_is_dragged_on_the_map(protector):
    protector.locator(".sdc-lead-ahead").click()
    # What undoes the test before may still be under way, and would take the limit with it.
    expect(protector.get_by_role("textbox", name=label(ReleaseLimits, "source"))).to_be_focused()
    box = protector.get_by_role("spinbutton", name=BETTER_LESS["risk"])
    expect(box).to_have_value("")
    box.fill("0.215")
    box.press("Enter")
    expect(protector.locator("[aria-current=step]")).not_to_contain_text("Release")
    protector.wait_for_function("document.querySelector('.sdc-plot')._fullLayout.shapes[0].visible === true")
    protector.locator(".sdc-plot").first.scroll_into_view_if_needed()
    x, y = protector.evaluate(LINE)
    protector.mouse.move(x, y)
    protector.mouse.down()
    protector.mouse.move(x, y - 20, steps=5)
    protector.mouse.up()
    expect(box).not_to_have_value("0.215")


def test_clear_leaves_the_chosen_setting_and_nothing_of_the_others(protector):
    slider = protector.get_by_role("slider", name=label(methods.get("random-rounding"), "base"))
    slider.focus()
    slider.press("ArrowRight")
    others = "document.querySelector('.sdc-plot')._fullLayout.shapes[3].path.includes('H')"
    protector.wait_for_function(others)
    protector.get_by_role("button", name="Clear map").click()
    protector.wait_for_function(f"!{others}")
    assert protector.evaluate("document.querySelector('.sdc-plot').data[0].x.length") == 1


#: Whether a part is in the first view, all of it.
WHOLE = """(selector) => {
    const { top, bottom, height } = document.querySelector(selector).getBoundingClientRect();
    return height > 0 && top >= 0 && bottom <= innerHeight;
}"""


#: Number of lines of the answer in large type.
LARGE_LINES = """() => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector(".sdc-lead-answer").firstChild);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
}"""


def test_the_headline_has_at_most_three_large_lines_on_a_phone(served, new_page):
    page = new_page(viewport={"width": 390, "height": 844})
    table = FrequencyTable(
        [[181, 5, 2], [30, 4, 1]], {"Area of residence": "AB", "Religion": ["Christian", "Other", "None"]}
    )
    limits = ReleaseLimits("Disclosure review panel, May 2026", smallest_count=3, risk=0.9, loss=9)
    for state in (
        ProtectState(table),
        ProtectState(table).changed(limits=limits),
        ProtectState(table).changed(limits=replace(limits, risk=0.001)),
        ProtectState(table).set(seed=2**40).changed(limits=limits),
    ):
        page.goto(f"{served}voila/render/protect.ipynb?state={encode(state)}")
        page.locator(".sdc-plot .main-svg").first.wait_for()
        assert 1 <= page.evaluate(LARGE_LINES) <= 3


def test_the_button_shows_source_and_minimum_count_on_a_phone(served, new_page):
    page = new_page(viewport={"width": 390, "height": 844})
    page.goto(f"{served}voila/render/protect.ipynb")
    page.locator(".sdc-plot .main-svg").first.wait_for()
    page.get_by_role("button", name=NEXT["limits"]).click()
    for part in (
        page.get_by_label("Source of the limits", exact=True),
        page.get_by_role("slider", name="Minimum published count"),
    ):
        expect(part).to_be_in_viewport(ratio=1)


def test_what_one_needs_is_in_the_first_view(served, new_page):
    """At 1366 x 768 the answer, limits, method, its main setting and a table of 10 x 9; at 1920 x 1080 the map, too."""
    page = new_page(viewport={"width": 1366, "height": 768})
    page.goto(f"{served}voila/render/protect.ipynb")
    page.locator(".sdc-plot .main-svg").first.wait_for()
    needed = [".sdc-lead-answer", ".sdc-lead-why", ".sdc-lead-ahead", ".sdc-grid table"]
    for width, height, more in ((1366, 768, []), (1920, 1080, [".sdc-plot", ".sdc-plot .main-svg"])):
        page.set_viewport_size({"width": width, "height": height})
        drawn_again(page)
        page.evaluate("scrollTo(0, 0)")
        for part in needed + more:
            assert page.evaluate(WHOLE, part), (width, part)
        for control in (
            page.get_by_role("combobox", name="Rule"),
            page.get_by_role("group", name="Common methods"),
            page.get_by_role("slider", name=label(methods.get("random-rounding"), "base")),
        ):
            box = control.bounding_box()
            assert box["y"] + box["height"] <= height
    # The name of the axis across is the lowest part of the map.
    (name,) = page.locator(".sdc-plot .xtitle").all()
    box = name.bounding_box()
    assert box["y"] + box["height"] <= 1080


#: Background of a button that is not filled.
TRANSPARENT = "rgba(0, 0, 0, 0)"


def background(button):
    return button.evaluate("(node) => getComputedStyle(node).backgroundColor")


def test_the_story_is_followed_by_the_blue_button_alone(served, new_page):
    """Anna's village: nothing but the blue button is pressed until the answer is yes and the files are saved."""
    page = new_page()
    page.goto(f"{served}voila/render/{link(3)}")
    page.locator(".sdc-plot .main-svg").first.wait_for()
    lead = page.locator(".sdc-lead")
    ahead, answer = lead.locator(".sdc-lead-ahead"), lead.locator(".sdc-lead-answer")
    pressed = []
    saved = []
    page.on("download", lambda one: saved.append(one.suggested_filename.rpartition(".")[2]))
    while "save" not in (words := ahead.inner_text()):
        assert "Yes" not in answer.inner_text()
        assert len(pressed) < 8, pressed
        assert words not in pressed, pressed
        pressed.append(words)
        ahead.click()
        expect(ahead).not_to_have_text(words, timeout=240_000)
    expect(answer).to_contain_text("table meets")
    expect(page.locator(".sdc-grid tr.sdc-hit")).to_have_count(0)
    # The task of the step is done, so the way to the next step is the filled button.
    onward = page.locator(".sdc-story").get_by_role("link", name="Step 4")
    assert background(onward) != TRANSPARENT
    assert background(ahead) == TRANSPARENT
    ahead.click()
    until(page, lambda: len(saved) == 3)
    assert sorted(saved) == ["html", "html", "xlsx"]


def test_no_two_names_on_the_map_cross(served, new_page):
    """Boxes as the browser drew them, on a table of 25 x 12 with all usual methods, at any width."""
    rng = np.random.default_rng(5)
    table = FrequencyTable(rng.poisson(rng.gamma(0.7, 9, size=(25, 12))))
    state = encode(ProtectState(table).set(replications=3))
    page = new_page(viewport={"width": 1366, "height": 900})
    page.goto(f"{served}voila/render/protect.ipynb?state={state}")
    page.locator(".sdc-plot .main-svg").first.wait_for()
    for name in (USUAL[key] for key in ("conventional-rounding", "cell-key", "record-swapping")):
        page.get_by_role("radio", name=name).check(force=True)
        page.evaluate(QUIET)
    for width in (1366, 1920, 700, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate(QUIET)
        # All of one picture: it may be drawn again at any time, with other names.
        boxes = page.locator(".sdc-plot .annotation-text").evaluate_all(
            "names => names.map((name) => name.getBoundingClientRect().toJSON())"
        )
        boxes = [box for box in boxes if box["width"]]
        assert boxes, width
        for a, b in combinations(boxes, 2):
            apart = (
                a["x"] + a["width"] <= b["x"]
                or b["x"] + b["width"] <= a["x"]
                or a["y"] + a["height"] <= b["y"] + 1
                or b["y"] + b["height"] <= a["y"] + 1
            )
            assert apart, (width, a, b)


@pytest.mark.parametrize("step", [2, 4])
def test_the_story_has_one_primary_way_to_the_next_step(served, new_page, step):
    """The main button of the page is not part of these steps, and would lead elsewhere."""
    page = new_page()
    page.goto(f"{served}voila/render/{link(step)}")
    bar, ahead = page.locator(".sdc-story"), page.locator(".sdc-lead-ahead")
    way = bar.locator(".sdc-primary")
    expect(way).to_have_count(1)
    assert way.inner_text() == bar.locator("a, button").last.inner_text()
    expect(ahead).to_be_hidden()
    if step == 4:
        way.click()
        # At the end, the first lesson is the next step, and the files can still be saved.
        expect(way).to_contain_text("Lesson 1")
        expect(ahead).to_be_visible()
        assert background(way) != TRANSPARENT
        assert background(ahead) == TRANSPARENT


def test_the_primary_button_leads_to_the_reason_first(served, new_page):
    """Missing counts are accepted with a reason, and the acceptance is kept when a secret seed is generated."""
    counts = [[12, 31, 15], [0, 25, 16], [14, 18, 17]]
    table = FrequencyTable(counts).with_unknown(np.array(counts) == 0)
    limits = ReleaseLimits("Panel, May 2026", smallest_count=3)
    state = ProtectState(table).changed(
        limits=limits, method=methods.get("random-rounding")(base=5), protects=True
    )
    page = new_page(viewport={"width": 1366, "height": 1000})
    page.goto(f"{served}voila/render/protect.ipynb?state={encode(state)}")
    page.locator(".sdc-plot .main-svg").first.wait_for()
    ahead, answer = page.locator(".sdc-lead-ahead"), page.locator(".sdc-lead-answer")
    if ahead.inner_text() == NEXT["seed"]:
        ahead.click()
    expect(ahead).to_have_text(NEXT["tick"])
    ahead.click()
    reason, box = page.get_by_label("Reason", exact=True), page.locator(".sdc-lead-tick input[type=checkbox]")
    expect(reason).to_be_focused()
    reason.fill("the register has no men of this area")
    ahead.click()
    expect(ahead).not_to_have_text(NEXT["tick"])
    expect(box).to_be_checked()
    if ahead.inner_text() == NEXT["seed"]:
        ahead.click()
    expect(answer).to_contain_text("Yes")


def test_an_unknown_count_is_shown_as_unknown_until_a_number_is_typed(served, new_page):
    table = FrequencyTable([[12, 31], [0, 25]]).with_unknown([[False, False], [True, False]])
    page = new_page()
    page.goto(f"{served}voila/render/protect.ipynb?state={encode(ProtectState(table))}")
    field, marked = page.get_by_label("Row 2, Column 1"), page.locator(".sdc-grid td.sdc-unknown")
    expect(field).to_have_value("..")
    expect(marked).to_have_count(1)
    expect(page.locator(".sdc-grid td.sdc-zero")).to_have_count(0)
    field.fill("0")
    field.press("Enter")
    expect(marked).to_have_count(0)
    expect(field).to_have_value("0")
