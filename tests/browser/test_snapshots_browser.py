"""Snapshots of pages: they are what the pages show, are read without scripts, and are replaced in place."""

import re
from html import unescape

import pytest

from sdcwidgets.dashboards import notebook_pages
from sdcwidgets.server.snapshots import FOLDER
from shared import PAGES
from taking import contents, take
from visiting import snapshot_of

NAMES = [entry.name for entry in notebook_pages.dashboards()]

#: Pages for tests of the way in which a server sends a snapshot, which is the same for all pages.
SOME = ("explore", "protect", "who", "literature")

#: The boxes of what is seen of lead and stage.
BOXES = """(first) => {
    const root = first ? globalThis.firstRoot : document.getElementById("rendered_cells");
    const parts = `.sdc-header, .sdc-lead, .sdc-lead h1, .sdc-lead-answer, .sdc-lead-why, .sdc-lead-ahead, .sdc-stage,
        .sdc-stage .sdc-card, .sdc-stage .sdc-title, .sdc-stage .sdc-control, .sdc-stage .sdc-grid :is(table, th, td),
        .sdc-stage .sdc-board :is(table, th, td), .sdc-stage .sdc-plot,
        .sdc-stage .sdc-people li, .sdc-stage .sdc-track`;
    return [...root.querySelectorAll(parts)].filter((part) => part.checkVisibility()).map((part) => {
        const { left, top, width, height } = part.getBoundingClientRect();
        return [part.tagName, left, top, width, height];
    });
}"""

#: What comes with the HTML stands in a tree that is closed to scripts; a test looks into it.
PEEK = """const internals = HTMLElement.prototype.attachInternals;
HTMLElement.prototype.attachInternals = function () {
    const found = internals.call(this);
    globalThis.firstRoot = found.shadowRoot;
    return found;
};"""

SHIFTS = """globalThis.shifts = [];
new PerformanceObserver((list) => {
    for (const one of list.getEntries()) shifts.push(one.value);
}).observe({ type: "layout-shift", buffered: true });"""


@pytest.fixture(scope="module")
def tolerated():
    """Return nothing: on its own server the project answers for every message."""
    return ()


def held(page, address, before=""):
    """Open a page whose scripts are kept back, and return what lets them go."""
    waiting = []
    page.add_init_script(PEEK + before)
    page.route("**/frontend.js*", lambda route: waiting.append(route))
    page.goto(address, wait_until="commit")
    return lambda: waiting.pop().continue_()


def style_of(page, selector, name):
    """Return how a part of what comes with the HTML looks."""
    page.wait_for_function("selector => globalThis.firstRoot?.querySelector(selector)", arg=selector)
    look = "([selector, name]) => getComputedStyle(firstRoot.querySelector(selector))[name]"
    return page.evaluate(look, [selector, name])


@pytest.mark.parametrize("name", NAMES)
def test_a_snapshot_is_what_its_page_shows(served, page, pytestconfig, name):
    """`make snapshots` writes the snapshots with this test."""
    markup = take(page, served + PAGES[name])
    file = FOLDER / f"{name}.html"
    if pytestconfig.getoption("--renew-snapshots"):
        FOLDER.mkdir(exist_ok=True)
        file.write_text(markup, "utf-8")
    assert file.is_file(), "This page has no snapshot; run `make snapshots` and commit the file."
    saved = contents(file.read_text("utf-8"))
    assert saved == contents(markup), (
        "The snapshot is not what the page shows; run `make snapshots` and commit it."
    )


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


@pytest.mark.parametrize(
    ("name", "size"),
    [(name, {"width": 1366, "height": 1000}) for name in NAMES]
    + [(name, {"width": 390, "height": 844}) for name in ("explore", "protect")],
    ids=lambda value: value if isinstance(value, str) else value["width"],
)
def test_it_is_taken_over_where_it_stands(served, new_page, name, size):
    page = new_page(viewport=size)
    if size["width"] == 390:
        # A slow phone paints a page in parts while it is parsed.
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 8})
    go_on = held(page, f"{served}voila/render/{name}.ipynb", SHIFTS)
    assert style_of(page, ".sdc-stage .sdc-card", "display") != "none"
    before = page.evaluate(BOXES, True)
    go_on()
    page.locator("sdc-first").wait_for(state="detached")
    after = page.evaluate(BOXES, False)
    assert [one[0] for one in before] == [one[0] for one in after]
    apart = [
        (was, now)
        for was, now in zip(before, after, strict=True)
        if any(abs(a - b) > 2 for a, b in zip(was[1:], now[1:], strict=True))
    ]
    assert apart == []
    assert page.locator("h1:visible").count() == page.locator(".sdc-lead").count() == 1
    assert page.locator(".sdc-stage").count() == 1
    assert page.get_by_text("Starting the dashboard").count() == 0
    # A person sees none below 0.1 (web.dev/articles/cls); which frames a browser paints in between is its own affair.
    assert sum(page.evaluate("shifts")) < 0.05


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
