"""Snapshots are read without scripts, and are replaced in place; `test_every_page` compares them with their pages."""

import re
from html import unescape

import pytest

from sdcwidgets.dashboards import notebook_pages
from sdcwidgets.server.snapshots import FOLDER
from shared import PAGES
from taking import expect_in_place, held, style_of, taken_over
from visiting import snapshot_of

NAMES = [entry.name for entry in notebook_pages.dashboards()]

#: Pages for tests of the way in which a server sends a snapshot, which is the same for all pages.
SOME = ("explore", "protect", "who", "literature")


@pytest.fixture(scope="module")
def tolerated():
    """Return nothing: on its own server the project answers for every message."""
    return ()


def test_each_snapshot_is_of_a_page():
    assert sorted(file.stem for file in FOLDER.iterdir()) == sorted(NAMES)


@pytest.mark.parametrize("name", SOME)
def test_without_script_lead_and_stage_are_read_and_printed(served, new_page, name):
    page = new_page(java_script_enabled=False)

    def opened_up(route):
        told = route.fetch()
        route.fulfill(
            response=told, body=told.text().replace('shadowrootmode="closed"', 'shadowrootmode="open"')
        )

    page.route("**/voila/render/*", opened_up)
    page.goto(f"{served}voila/render/{name}.ipynb", wait_until="commit")
    page.locator(".sdc-stage").wait_for()
    sent = snapshot_of(served, PAGES[name])[0]
    question, answer, why = (
        unescape(re.sub("<[^>]*>", "", re.search(f"<{part}>(.*?)</{part[:2].strip()}", sent)[1]))
        for part in ("h1[^>]*", 'p class="sdc-lead-answer sdc-big"', 'p class="sdc-lead-why"')
    )
    for media in ("screen", "print"):
        page.emulate_media(media=media)
        assert page.locator("h1:visible").all_inner_texts() == [question]
        assert page.locator(".sdc-lead-answer").inner_text() == answer
        assert page.locator(".sdc-lead-why").inner_text() == why
        assert page.locator(".sdc-stage :is(td, p, .sdc-dots i, .sdc-share):visible").count() > 0
    assert page.get_by_text("Starting").is_hidden()
    fields = ":is(input, select, button):not(:disabled, [inert], [inert] *, [tabindex='-1'])"
    assert page.locator(f".sdc-page {fields}").count() == 0


@pytest.mark.parametrize("name", ["explore", "protect"])
def test_on_a_slow_phone_it_is_taken_over_where_it_stands_by_all_widgets(served, new_page, name):
    page = new_page(viewport={"width": 390, "height": 844})
    # A slow phone paints a page in parts while it is parsed, and may be busy for so long that what was looked for in
    # vain has come meanwhile.
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 8})
    expect_in_place(page, *taken_over(page, served + PAGES[name]))
    page.locator(".sdc-page :is(.sdc-big, .sdc-value)").first.wait_for()
    assert page.get_by_text("Error displaying widget").count() == 0


def test_what_a_tab_has_kept_is_not_covered_by_what_it_began_with(served, page):
    kept = "sessionStorage.setItem('sdc:table', JSON.stringify({ table: {}, here: '', at: 0 }))"
    go_on = held(page, f"{served}voila/render/explore.ipynb", kept)
    # Until its element is defined, the line about the start stands inside the first view.
    page.locator("sdc-first[data-frame]").wait_for()
    assert page.evaluate("firstRoot.querySelectorAll('.sdc-header').length") == 1
    assert page.evaluate("firstRoot.querySelectorAll('.sdc-lead, .sdc-stage').length") == 0
    go_on()
    page.locator(".sdc-stage .sdc-grid td").first.wait_for()


@pytest.mark.parametrize(("kept", "ground"), [("dark", "rgb(20, 24, 28)"), ("light", "rgb(245, 247, 249)")])
def test_a_snapshot_has_the_colours_that_were_chosen(served, new_page, kept, ground):
    page = new_page(color_scheme="light" if kept == "dark" else "dark")
    held(page, f"{served}voila/render/protect.ipynb", f"localStorage.setItem('sdcwidgets-theme', '{kept}')")
    assert style_of(page, ".sdc-page", "backgroundColor") == ground


def test_before_an_audience_it_is_large_from_the_beginning(served, page):
    held(page, f"{served}voila/render/protect.ipynb", "localStorage.setItem('sdcwidgets-projector', 'on')")
    assert style_of(page, ".sdc-lead-why", "display") == "none"
