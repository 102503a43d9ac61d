"""A report on paper, in dark, without a script and to a screen reader."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from sdcwidgets import FrequencyTable, examples, methods
from sdcwidgets.assessment.report import Alternative, Report
from sdcwidgets.assessment.report.html import html
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from shared import SHEET


def report(table, **more):
    method = methods.get("random-rounding")(base=3)
    release = method.release(table, 3**32)
    verdict = judge(
        table, release, ReleaseLimits("Panel, May 2026", no_risk_limit="a test of stops"), seed=3**32
    )
    verdict = verdict.accepting({stop.kind: "it is known anyway" for stop in verdict.stops})
    tried = [
        Alternative("Random rounding, base 3", 0.21, 3.0, best=True, chosen=True),
        Alternative("Swapping, 10 %", 0.2, 3.3, best=True),
        Alternative("Usual rounding", 0.22, 3.6),
    ]
    given = {
        "method": method,
        "title": "People by area",
        "table": table,
        "seed": 3**32,
        "alternatives": tried,
    }
    return Report(release, verdict, **given | more)


RNG = np.random.default_rng(1)
WIDE = FrequencyTable(
    RNG.integers(0, 2_000_000, (25, 30)),
    {
        "Local authority": [f"Upper Something {i}, with all its hamlets and farms" for i in range(25)],
        "Country of birth": [f"Bosnia and Herzegovina {i}" for i in range(30)],
    },
)
CUBE = FrequencyTable(
    RNG.integers(0, 90, (3, 4, 5)),
    {name: [f"{name} {i}" for i in range(n)] for name, n in (("Region", 3), ("Age", 4), ("Activity", 5))},
)
LONG = FrequencyTable(
    RNG.integers(0, 9, (2, 3)),
    {"Ort": ["Donaudampfschifffahrt" * 6, "b"], "Was": ["Gesellschaft" * 6, "y", "z"]},
)
TABLES = {"religion": examples.load("religion"), "wide": WIDE, "cube": CUBE, "long": LONG}


@pytest.fixture
def written(tmp_path):
    """Write a report and return its address."""

    def write(*given, **more):
        path = tmp_path / "report.html"
        path.write_text(html(report(*given, **more)), "utf-8")
        return path.as_uri()

    return write


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("internal", [False, True])
def test_no_table_is_cut_on_a_sheet_of_a4(written, new_page, name, internal):
    page = new_page(viewport={"width": int(SHEET), "height": 900})
    page.goto(written(TABLES[name], internal=internal))
    page.emulate_media(media="print")
    boxes = page.evaluate(
        "() => [...document.querySelectorAll('table, svg, pre, dl')].map((one) => one.getBoundingClientRect().right)"
    )
    assert boxes
    assert max(boxes) <= SHEET + 1
    assert page.evaluate("document.documentElement.scrollWidth") <= SHEET + 1
    # All that is published is on the paper, in one part or in several.
    shown = page.get_by_role("region", name="Published table").locator("thead th").all_inner_texts()
    assert {re.sub(r"\s+", " ", label) for label in shown} >= set(TABLES[name].axes[-1].labels)
    assert page.pdf(format="A4", prefer_css_page_size=True).startswith(b"%PDF")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("internal", [False, True])
def test_everyone_can_read_it_in_light_and_in_dark(written, new_page, axe, scheme, internal):
    page = new_page(viewport={"width": 390, "height": 700}, color_scheme=scheme)
    page.goto(written(TABLES["wide"], internal=internal))
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    colours = page.evaluate(
        """() => [...document.querySelectorAll("svg text, p, td, th, h1, .answer")].map((one) => {
            const { color, fill } = getComputedStyle(one);
            return one instanceof SVGElement ? fill : color;
        })"""
    )
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (luminance(paper) < 0.2) == (scheme == "dark")
    for colour in set(colours):
        light, dark = sorted((luminance(colour), luminance(paper)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, colour


def luminance(colour):
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    return np.dot(
        [0.2126, 0.7152, 0.0722], [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    )


def test_it_needs_no_script_and_nothing_from_elsewhere(written, new_page):
    page = new_page(java_script_enabled=False, offline=True)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    address = written(TABLES["religion"], internal=True)
    page.goto(address)
    expect(page.get_by_role("heading", level=1)).to_have_text("People by area")
    expect(page.get_by_text("the table needs no limit according to Panel, May 2026").first).to_be_visible()
    expect(page.get_by_role("img", name="Residual risk against information loss")).to_be_visible()
    assert asked == [address]
