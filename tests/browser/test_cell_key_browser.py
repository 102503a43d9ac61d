"""The cell key lab in a real browser: sliders, keys, a pressed count, a p-table of a file, one's own table."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from sdcwidgets.methods.cellkey import handbook_example, to_csv
from sdcwidgets.methods.cellkey.method import CellKey
from shared import begin_again, label, tab


@pytest.fixture(scope="module")
def tolerated():
    """Return nothing: on its own server the project answers for every message."""
    return ()


@pytest.fixture(scope="module")
def opened(served, kept_page):
    page = kept_page(viewport={"width": 1366, "height": 768})
    page.goto(f"{served}voila/render/cell_key.ipynb")
    page.locator(".sdc-plot .main-svg").first.wait_for()
    return page


@pytest.fixture
def cell_key(opened):
    return begin_again(opened)


def check(page, name):
    return page.get_by_role("button", name=re.compile(f"^{name}: "))


def test_a_slider_moves_the_p_table_and_what_is_infeasible_is_told(cell_key, axe):
    page = cell_key
    expect(page.locator(".sdc-big").first).to_be_in_viewport(ratio=0.9)
    tab(page, 3)
    expect(check(page, "Maximum variance")).to_have_text("1")
    slider = page.get_by_role("slider", name="Variance V")
    slider.focus()
    slider.press("ArrowRight")
    expect(check(page, "Maximum variance")).to_have_text("1.05")
    box = page.get_by_role("spinbutton", name=label(CellKey, "js"))
    box.fill("3")
    box.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="4 or more")).to_be_visible()
    expect(check(page, "Counts that are never published")).to_have_text("none")
    page.get_by_role("button", name="Undo").click()
    expect(check(page, "Maximum variance")).to_have_text("1")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1366
    assert axe(page) == []


def test_a_count_is_pressed_by_keyboard_and_its_noise_followed(cell_key):
    page = cell_key
    answer = page.get_by_role("button", name=re.compile("^Original and published count"))
    tab(page, 0)
    page.get_by_role("button", name=re.compile("^Area 2, Hindu: published")).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    tab(page, 2)
    expect(answer).to_have_text(re.compile("^130 → "))
    published = answer.inner_text()
    page.get_by_role("button", name="Select next person in this cell").click()
    expect(page.get_by_text(re.compile("^Person 2 has the record key"))).to_be_visible()
    expect(answer).to_have_text(published)
    page.get_by_role("button", name="Next: request the count 20 times").click()
    expect(page.get_by_text(re.compile(r"^All 21 requests returned "))).to_be_visible()
    tab(page, 3)
    check(page, "Mean noise").click()
    expect(page.get_by_role("dialog", name="Noise values in one row of the p-table")).to_contain_text(
        "Σ v·p = 0.000000"
    )
    page.keyboard.press("Escape")


def test_the_ring_of_who_is_followed_is_whole(cell_key):
    cut = """(ring) => {
        const { left, top, right, bottom } = ring.getBoundingClientRect();
        const wide = parseFloat(getComputedStyle(ring).outlineOffset) + parseFloat(getComputedStyle(ring).outlineWidth);
        for (let part = ring.parentElement; part !== document.body; part = part.parentElement) {
            const box = part.getBoundingClientRect(), { overflowX, overflowY } = getComputedStyle(part);
            if ((overflowX !== "visible" && (left - wide < box.left || right + wide > box.right))
                || (overflowY !== "visible" && (top - wide < box.top || bottom + wide > box.bottom)))
                return part.className;
        }
        return "";
    }"""
    assert cell_key.locator(".sdc-followed").evaluate(cut) == ""


def test_a_p_table_is_opened_and_a_wrong_one_refused(cell_key):
    page = cell_key
    tab(page, 3)
    chooser = page.locator('input[type=file][accept^=".csv"]')
    table = {"name": "p.csv", "mimeType": "text/csv", "buffer": to_csv(handbook_example()).encode()}
    chooser.set_input_files(table)
    expect(check(page, "Mean noise")).to_have_text("+0.200 at 2")
    chooser.set_input_files({"name": "x.csv", "mimeType": "text/csv", "buffer": b"a,b\n1,2\n"})
    expect(page.get_by_role("status").filter(has_text="has no column")).to_be_visible()
    expect(check(page, "Mean noise")).to_have_text("+0.200 at 2")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export p-table (CSV)").first.click()
    assert download.value.path().read_text() == to_csv(handbook_example())


def test_ones_own_table_of_25_rows(cell_key):
    page = cell_key
    rng = np.random.default_rng(4)
    head = "Ward\t" + "\t".join(f"Group {k}" for k in "ABCDEF")
    rows = [f"Ward {k + 1}\t" + "\t".join(map(str, rng.poisson(6, 6))) for k in range(25)]
    tab(page, 0)
    page.get_by_role("button", name="Paste").click()
    page.get_by_role("textbox", name="Copied cells").fill("\n".join([head, *rows]))
    page.get_by_role("button", name="Check this table").click()
    page.get_by_role("button", name="Use this table").click()
    expect(page.get_by_role("button", name=re.compile("^Ward 25, Group F: published"))).to_be_attached()
    expect(page.get_by_text(re.compile("^[0-9]+ of 32 published totals are not the sums"))).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 1366
