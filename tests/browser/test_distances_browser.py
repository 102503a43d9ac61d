"""Divergences, the third term and weights in a real browser: bars by hand and by key, and what is seen of them."""

import re

import pytest
from playwright.sync_api import expect

from sdcwidgets.dashboards.weights.page import AZIMUTH
from shared import tab


@pytest.fixture(scope="module")
def tolerated():
    """Return nothing: on its own server the project answers for every message."""
    return ()


@pytest.fixture
def opened(served, page):
    def opened(name):
        page.goto(f"{served}voila/render/{name}.ipynb")
        page.locator(":is(.sdc-plot .main-svg, .sdc-distribution .sdc-bars)").first.wait_for()
        return page

    return opened


def reading(page, name):
    return page.get_by_role("button", name=re.compile(f"^{re.escape(name)}: "))


def test_bars_are_dragged_stepped_and_typed_and_a_number_opens_its_formula(opened, axe):
    page = opened("divergences")
    page.get_by_label("Example").select_option("Example of Antal 2016")
    bar = page.get_by_role("slider", name="P, category 1", exact=True)
    answer = page.get_by_role("button", name=re.compile("^Hellinger distance between P and Q"))
    expect(answer).to_have_text("0.1200")
    expect(bar).to_have_attribute("aria-valuenow", "0")
    expect(page.locator(".sdc-lead-answer")).to_contain_text("is 0.120")

    bar.focus()
    for key in ("ArrowUp", "PageUp", "ArrowUp", "ArrowDown"):
        bar.press(key)
    expect(bar).to_have_attribute("aria-valuenow", "2")
    expect(bar).to_have_attribute("aria-valuetext", "2 people, 25.0 %")
    expect(reading(page, "Relative entropy of P with respect to Q")).to_have_text("infinite")
    expect(page.get_by_role("paragraph").filter(has_text="Category 1 is in P but not in Q")).to_be_visible()
    bar.press("Home")
    expect(answer).to_have_text("0.1200")

    box = page.get_by_role("spinbutton", name="Q, category 3, count", exact=True)
    box.fill("2.5")
    box.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="Q, category 3 is 2.5")).to_be_visible()
    expect(box).to_have_value("3")
    box.fill("1000")
    box.press("Enter")
    expect(page.get_by_role("slider", name="Q, category 3", exact=True)).to_have_attribute(
        "aria-valuenow", "1000"
    )

    page.get_by_label("Example").select_option("Distributions without a common category")
    expect(answer).to_have_text("1.0000")
    last = page.get_by_role("slider", name="Q, category 4", exact=True)
    place = last.bounding_box()
    page.mouse.move(place["x"] + place["width"] / 2, place["y"] + 30)
    page.mouse.down()
    for share in (0.5, 0.4, 0.75):
        page.mouse.move(place["x"] + place["width"] / 2, place["y"] + (1 - share) * place["height"])
    page.mouse.up()
    expect(last).to_have_attribute("aria-valuenow", re.compile("^1[123]$"))
    expect(page.get_by_role("spinbutton", name="Q, category 4, count", exact=True)).to_have_value(
        last.get_attribute("aria-valuenow")
    )
    assert axe(page) == []

    page.get_by_role("button", name="Next: load “Example of Antal 2016”").click()
    expect(answer).to_have_text("0.1200")
    reading(page, "Chi-squared").click()
    dialog = page.get_by_role("dialog", name="Computation of χ²")
    expect(dialog).to_contain_text("category 2: (0.333 − 0.500)²/0.500 = 0.0556")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()

    for number, chart in (
        (1, "Inequalities between distances, each as two bars"),
        (2, "Each divergence divided by chi-squared"),
        (3, "Distance after people are added to a cell"),
    ):
        tab(page, number)
        expect(page.get_by_role("img", name=re.compile(f"^{chart}"))).to_be_visible()
        assert axe(page) == []


def test_the_printed_figure_that_differs_is_seen(opened, axe):
    page = opened("third_term")
    tab(page, 2)
    expect(page.get_by_text("the published h₃ is 0.9812, but the formula gives 0.9150")).to_be_visible()
    tables = page.get_by_role("table", name="Tables A.1.1 and A.1.2 of the thesis")
    outlined = tables.locator(".sdc-best")
    expect(outlined).to_contain_text("0.9150")
    page.get_by_text("Published", exact=True).click()
    expect(outlined).to_contain_text("0.9812")
    tab(page, 0)
    cell = page.get_by_role("textbox", name="F, 1", exact=True)
    cell.fill("40")
    cell.press("Enter")
    expect(reading(page, "Power function of the number of people (h₁)")).to_have_text("0.1443")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1366
    assert axe(page) == []


def test_the_best_weights_reach_the_terms(opened, axe):
    page = opened("weights")
    tab(page, 1)
    expect(reading(page, "w·x for your weights, scaled to length 1")).to_have_text("0.5505")
    page.get_by_role("button", name="Next: set weights proportional to terms").click()
    expect(page.get_by_role("radio", name="Proportional")).to_be_checked()
    expect(reading(page, "w·x for your weights, scaled to length 1")).to_have_text("0.9419")
    tab(page, 0)
    page.get_by_role("slider", name=AZIMUTH.label).press("ArrowRight")
    expect(page.get_by_role("spinbutton", name=AZIMUTH.label)).to_have_value("46")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1366
    assert axe(page) == []
