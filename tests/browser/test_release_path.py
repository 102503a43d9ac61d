"""The way of a methodologist from a confirmed file to the released files, in at most five clicks."""

import re

import pytest
from openpyxl import load_workbook
from playwright.sync_api import expect

from sdcwidgets.assessment.verdict.limits import ReleaseLimits
from sdcwidgets.dashboards.explore.texts import PROTECT
from sdcwidgets.dashboards.protect.headline import NEXT, QUESTION
from shared import begin_again, label

#: Maximum number of clicks on buttons, links and lists after the file was confirmed.
MOST_CLICKS = 5

AREAS = [f"Area {number}" for number in range(1, 11)]
JOBS = [f"Job {number}" for number in range(1, 12)]


def wide():
    lines = [[area, *(str((7 * i * i + 13 * j) % 41) for j in range(11))] for i, area in enumerate(AREAS)]
    return "\n".join(",".join(line) for line in [["Area", *JOBS], *lines])


def three_axes(*, empty=()):
    lines = ["Region,Sex,Age,Count"]
    for i, region in enumerate(["North", "South", "East"]):
        for j, sex in enumerate("fm"):
            for k, age in enumerate(["0–14", "15–64", "65+"]):
                count = (11 * i + 7 * j * j + 5 * k + i * k) % 23 + 1
                lines.append(f"{region},{sex},{age},{0 if (i, j, k) in empty else count}")
    return "\n".join(lines)


FILES = {
    "2 by 3": "Sex,Low,Middle,High\nf,3,12,1\nm,14,9,6\n",
    "10 by 11": wide(),
    "three axes": three_axes(),
    "empty cells": three_axes(empty=[(0, 1, 2), (1, 0, 0)]),
    "hierarchy": "Area,f,m,Total\nNorth,14,9,23\n  Ashby,3,1,4\n  Burton,11,8,19\nSouth,21,30,51\n  Corby,2,10,12\n"
    "  Derby,19,20,39\nTotal,35,39,74\n",
    "totals": "Age,Working,Studying,Looking,Total\n15–19,2,11,1,14\n20–24,7,4,3,14\n25–29,12,5,1,18\n30–34,9,1,2,12\n"
    "Total,30,21,7,58\n",
}


@pytest.fixture(scope="module")
def tolerated():
    """Return nothing: on its own server the project answers for every message."""
    return ()


def own(name):
    """Return a file as a page gets it."""
    return {"name": "own.csv", "mimeType": "text/csv", "buffer": FILES[name].encode()}


@pytest.mark.parametrize(("name", "rule"), [("three axes", ""), ("totals", "minimum-frequency")])
def test_a_file_of_explore_is_released_with_at_most_five_clicks(served, new_page, tmp_path, name, rule):
    page = new_page()
    page.goto(f"{served}voila/render/explore.ipynb")
    page.locator(".sdc-plot .main-svg").first.wait_for()
    page.get_by_label("File to open").set_input_files(own(name))
    page.get_by_role("button", name="Use this table").click()
    onward = page.get_by_role("link", name=PROTECT)
    onward.wait_for()
    page.get_by_role("button", name=re.compile("^Explain ")).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.wait_for_function("sessionStorage.getItem('sdc:table')")
    onward.click()
    page.get_by_text("“own.csv” was opened from Explore.").wait_for()
    expect_released(page, tmp_path, rule, clicks=1)


@pytest.fixture(scope="module")
def opened(served, kept_page):
    page = kept_page()
    page.goto(f"{served}voila/render/protect.ipynb")
    page.locator(".sdc-plot .main-svg").first.wait_for()
    return page


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        *((name, "") for name in FILES if name != "three axes"),
        # The method that the rule requires leaves all people of a group in one cell, which is accepted with a reason.
        ("empty cells", "minimum-frequency"),
    ],
)
def test_a_file_of_protect_is_released_with_one_click_less(opened, tmp_path, name, rule):
    page = begin_again(opened)
    page.get_by_label("File to open").set_input_files(own(name))
    page.get_by_role("button", name="Use this table").click()
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_enabled()
    expect_released(page, tmp_path, rule, clicks=1)  # as if it came from Explore


#: A file whose preview has to be confirmed.
WITH_QUESTION = b"Area;m;f;Total\nA;120;130;250\nB;230;410;640\nBremen;30;25;55\nTotal;350;540;890\n"


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (390, 844)])
def test_a_confirmed_table_shows_its_decision_with_the_focus(opened, width, height):
    page = begin_again(opened)
    page.set_viewport_size({"width": width, "height": height})
    page.get_by_label("File to open").set_input_files(
        {"name": "areas.csv", "mimeType": "text/csv", "buffer": WITH_QUESTION}
    )
    page.get_by_role("button", name="Use this table").click()
    question = page.get_by_role("heading", name=QUESTION)
    expect(question).to_be_focused()
    for part in (question, page.locator(".sdc-lead-answer")):
        expect(part).to_be_in_viewport(ratio=1)


def expect_released(page, tmp_path, rule, clicks):
    """Release the table on Protect, and look into the released file; so many clicks were made before."""
    ahead = page.locator(".sdc-lead-ahead")
    clicks += 1
    if rule:
        page.get_by_role("combobox", name="Rule", exact=True).select_option(rule)
    else:
        # The limits of an own table are shown at once, and each press of the button marks what is missing.
        for _ in range(2):
            ahead.click()
            expect(page.get_by_role("textbox", name=label(ReleaseLimits, "source"))).to_be_focused()
            expect(page.locator(".sdc-asked")).to_have_count(1)
            expect(page.locator(".sdc-asked")).to_have_count(0)
        page.keyboard.type("Panel, May 2026")
        page.get_by_role("spinbutton", name=label(ReleaseLimits, "smallest_count")).click()
        clicks += 1
        page.keyboard.press("Control+a")
        page.keyboard.type("3")
        page.keyboard.press("Enter")
    for words in ("limits", "source", "limit", "reason"):
        expect(ahead).not_to_have_text(NEXT[words])
    waits = re.compile("please wait|^Waiting|^Continue")
    while ahead.inner_text() not in (NEXT["save"], NEXT["unnamed"]):
        clicks += 1
        assert clicks < MOST_CLICKS, ahead.inner_text()
        before = ahead.inner_text()
        ahead.click()
        if before == NEXT["violation"]:
            expect(page.get_by_label("Reason", exact=True)).to_be_focused()
            page.keyboard.type("the fact is public")
            page.keyboard.press("Enter")
        expect(ahead).not_to_have_text(before)
        expect(ahead).not_to_have_text(waits, timeout=240_000)
    downloads = []
    page.on("download", lambda download: downloads.append(download))
    with page.expect_download() as saved:
        ahead.click()
    clicks += 1
    status = page.locator(".sdc-actions [role=status]")
    # The notice names the table, the report and the internal report.
    expect(status).to_have_text(re.compile(r"\.xlsx.*\.html.*\.html"))
    assert all(one.suggested_filename in status.inner_text() for one in downloads)
    assert clicks <= MOST_CLICKS
    saved.value.save_as(tmp_path / "released.xlsx")
    values = [value for line in load_workbook(tmp_path / "released.xlsx")["Table"].values for value in line]
    counts = [value for value in values if isinstance(value, int)]
    assert counts
    assert not {1, 2} & set(counts)
