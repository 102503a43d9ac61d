"""The microdata page in a real browser: keys, recoding, PRAM, suppression, files in and out."""

import re

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

from sdcwidgets.dashboards.microdata.state import KINDS
from shared import begin_again, tab

NOTEBOOK = "voila/render/microdata.ipynb"
KEYS = ["household size", "age", "sex", "citizenship"]


def chart(page, words):
    """Return the chart of the keys that says so."""
    return page.get_by_role(
        "img", name=re.compile(f"^Number of unique records by number of key variables.*{words}")
    )


@pytest.fixture(scope="module")
def opened(served, kept_page):
    page = kept_page()
    page.goto(f"{served}{NOTEBOOK}")
    page.locator(".sdc-lead-answer").wait_for()
    return page


@pytest.fixture
def microdata(opened):
    begin_again(opened)
    tab(opened, 0)
    expect(chart(opened, "With 4 key variables, 399 of 2,500 records")).to_be_visible()
    return opened


def sharing(frame, keys):
    """How many records may have the key of each, a missing value standing for any: all compared with all."""
    codes = np.column_stack([pd.factorize(frame[key])[0] for key in keys])
    found = np.zeros(len(codes), dtype=int)
    for row, code in enumerate(codes):
        found[row] = ((codes == code) | (codes < 0) | (code < 0)).all(axis=1).sum()
    return found


def saved(page, button):
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    return download.value


def test_a_statistician_adds_a_key_recodes_suppresses_and_saves(microdata, axe, tmp_path):
    page = microdata
    expect(page.locator(".sdc-lead-answer")).to_contain_text(re.compile(r"399\D+14"))
    expect(page.get_by_role("table", name="Records of the microdata file")).to_be_in_viewport()
    expect(page.get_by_role("list", name="Riskiest records")).to_contain_text("other record")
    assert axe(page) == []
    tab(page, 1)
    expect(page.get_by_role("list", name="True and estimated numbers of correct matches")).to_contain_text(
        "True values"
    )
    assert axe(page) == []
    page.get_by_role("radio", name="Main effects").check(force=True)

    # A key is added with the keyboard, and everything falls apart further.
    page.get_by_role("checkbox", name="status (7)").focus()
    page.keyboard.press("Space")
    expect(chart(page, "With 5 key variables, [5-9]")).to_be_visible()
    page.keyboard.press("Space")
    expect(chart(page, "With 4 key variables, 399 of 2,500")).to_be_visible()

    # The top of age as one: fewer are unique.
    tab(page, 2)
    page.get_by_role("combobox", name="Variable to recode").select_option("age")
    page.get_by_role("combobox", name="Recoding").select_option("top coding")
    begins = page.get_by_role("spinbutton", name=KINDS["top"].asks)
    begins.fill("30")
    begins.press("Enter")
    expect(chart(page, r"With 4 key variables, (\d\d?\d?) of 2,500(?<!399 of 2,500)")).to_be_visible()

    # Or cut where one types it.
    page.get_by_role("combobox", name="Recoding").select_option("cuts")
    begins = page.get_by_role("textbox", name=KINDS["cuts"].asks)
    begins.fill("18, 65")
    begins.press("Enter")
    expect(page.get_by_role("checkbox", name="age (3)")).to_be_checked()
    page.get_by_role("combobox", name="Recoding").select_option("top coding")
    begins = page.get_by_role("spinbutton", name=KINDS["top"].asks)
    begins.fill("30")
    begins.press("Enter")
    expect(page.get_by_role("checkbox", name="age (31)")).to_be_checked()

    # Categories put together by ticking.
    page.get_by_role("combobox", name="Variable to recode").select_option("region")
    page.get_by_role("combobox", name="Recoding").select_option("merged categories")
    for name in ("Tyrol", "Vorarlberg"):
        page.get_by_role("checkbox", name=name).check()
    page.get_by_role("button", name="Merge selected").click()
    expect(page.get_by_role("checkbox", name="Tyrol + Vorarlberg")).to_be_visible()
    assert axe(page) == []

    # PRAM makes matches wrong, and is taken back.
    page.get_by_role("combobox", name="Variable to recode").select_option("citizenship")
    drawn = page.get_by_role("spinbutton", name=re.compile("PRAM probability"))
    drawn.fill("0.3")
    drawn.press("Enter")
    expect(page.get_by_text(re.compile("PRAM changed the key of"))).to_be_visible()
    drawn.fill("0")
    drawn.press("Enter")
    expect(page.get_by_text(re.compile("PRAM changed"))).to_have_count(0)

    # Suppression to k, counted again from the file that is saved.
    page.get_by_role("checkbox", name="Suppress values until the file is k-anonymous").check()
    expect(page.get_by_text(re.compile("^The file is 3-anonymous")).first).to_be_visible()
    path = tmp_path / "protected.csv"
    saved(page, "Save protected file (CSV)").save_as(path)
    frame = pd.read_csv(path)
    assert len(frame) == 2500
    assert sharing(frame, KEYS).min() >= 3
    assert "Tyrol + Vorarlberg" in set(frame["region"])
    report = saved(page, "Save internal report (TXT)").path().read_text("utf-8-sig")
    assert "age was recoded, with top coding from 30" in report
    assert "from sdcwidgets.microdata import population, sample" in report
    assert "The file is 3-anonymous" in report
    assert axe(page) == []
    tab(page, 3)
    expect(
        page.get_by_text(re.compile("^Tables with the greatest loss|.*age: 98 categories became"))
    ).to_be_visible()
    assert axe(page) == []


def test_a_file_of_ones_own_and_the_riskiest_records_with_their_reason(microdata, axe, tmp_path):
    rng = np.random.default_rng(1)
    people = pd.DataFrame(
        {
            "Größe <b>": rng.choice(["1", "2", "3+"], 400),
            "job": rng.choice([*"abcdefgh", None], 400),
            "town": rng.choice(list("xyz"), 400),
            "weight": rng.uniform(5, 30, 400).round(1),
        }
    )
    people.to_csv(tmp_path / "mine.csv", index=False)
    page = microdata
    tab(page, 4)
    page.get_by_label("Microdata file to open").set_input_files(tmp_path / "mine.csv")
    expect(page.get_by_text('"weight" is used as the sampling weight.')).to_be_visible()
    expect(page.get_by_role("checkbox", name="Größe <b> (3)")).to_be_checked()
    expect(page.get_by_text("The population is unknown.")).to_be_visible()
    tab(page, 0)
    page.get_by_role("radio", name="DIS-SUDA score").check(force=True)
    expect(page.get_by_text(re.compile("^The DIS-SUDA score estimates"))).to_be_visible()
    tab(page, 4)
    page.get_by_label("Microdata file to open").set_input_files(
        {"name": "wrong.csv", "mimeType": "text/csv", "buffer": b"%PDF-1.7"}
    )
    expect(page.get_by_text("is a PDF document")).to_be_visible()
    expect(page.get_by_role("checkbox", name="Größe <b> (3)")).to_be_checked()
    assert axe(page) == []


def test_of_forty_samples_the_estimates_stand_beside_the_truth(microdata):
    page = microdata
    tab(page, 1)
    page.get_by_role("radio", name="Main effects").check(force=True)
    page.get_by_role("button", name="Draw 40 samples").click()
    chart = page.get_by_role(
        "img", name=re.compile(r"^Estimates of τ₁ and τ₂ compared with true values\. Means of 40 samples")
    )
    expect(chart).to_be_visible()
    chart.scroll_into_view_if_needed()
    # The line on which an estimate is right, and a point for each sample by both scalings.
    dots = chart.locator(".scatterlayer .trace .points")
    expect(dots.locator("path.point")).to_have_count(80)
    said = chart.get_attribute("aria-label")
    truth, ours, theirs = map(
        float,
        re.search(r"τ₂ is ([\d.]+),.* ([\d.]+) with λ = μ/π and ([\d.]+) with λ = μ\.", said).groups(),
    )
    assert 0 < truth < ours < theirs

    # They belong to these keys: with others they are gone.
    page.get_by_role("checkbox", name=re.compile("^sex")).uncheck()
    expect(chart).to_have_count(0)
