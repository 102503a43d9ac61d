"""Each page, opened once: its snapshot is what it shows, and everyone can use it, at any size, in the dark, on paper.

Nothing comes from elsewhere, and a page that decides something hands over a report.
"""

import itertools
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect
from tab_order import reversed_controls

from sdcwidgets.server.snapshots import FOLDER
from shared import (
    BESIDE,
    HEARD,
    PAGES,
    QUIET,
    SHEET,
    addresses_of,
    begin_again,
    choose,
    drawn_again,
    first_control,
    settled,
    small_and_dark,
)
from taking import contents, expect_in_place, take, taken_over

#: What is wider than the place it has, by class; what scrolls by itself is asked of its own insides only.
CUT = """() => [...document.querySelectorAll(".sdc-card, .card, .sdc-control, .sdc-actions, .sdc-header")]
    .filter((node) => node.offsetParent && node.scrollWidth > node.clientWidth + 1
        && !["auto", "scroll"].includes(getComputedStyle(node).overflowX))
    .map((node) => `${node.className}: ${node.scrollWidth} > ${node.clientWidth}`)"""


#: Numbers and labels of tables that a part of the page cuts off.
LOST = """() => [...document.querySelectorAll(":is(.sdc-grid, .sdc-board, .anna) :is(td, th)")].filter((cell) => {
    const { right, width } = cell.getBoundingClientRect();
    let part = cell.parentElement;
    while (part !== document.body && (getComputedStyle(part).overflowX === "visible"
        || part.getBoundingClientRect().right > right - 1)) part = part.parentElement;
    return width && part !== document.body;
}).map((cell) => cell.innerText)"""

#: Words of the heads of tables that go on in the next line.
BROKEN = """() => [...document.querySelectorAll("thead :is(th, td)")].flatMap((head) => {
    const texts = document.createTreeWalker(head, NodeFilter.SHOW_TEXT);
    const broken = [];
    while (texts.nextNode()) for (const { 0: word, index } of texts.currentNode.data.matchAll(/\\p{L}{3,}/gu)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        const lines = [...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top));
        if (new Set(lines).size > 1) broken.push(word);
    }
    return broken;
})"""

#: Cells whose arrow of a change has no room beside the number.
OVER = """() => [...document.querySelectorAll(".sdc-texts td:is(.sdc-up, .sdc-down)")]
    .filter((cell) => parseFloat(getComputedStyle(cell).paddingRight) < 10).map((cell) => cell.innerText)"""

#: The answer, or the line at the foot of the window that says it.
IN_SIGHT = """() => [...document.querySelectorAll(".sdc-big, .sdc-pinned b")].some((node) => {
    const { top, bottom, height } = node.getBoundingClientRect();
    return height && top >= -height / 10 && bottom <= innerHeight + height / 10;
})"""

#: Charts that are not as wide as their box.
MISFIT = """() => [...document.querySelectorAll(".sdc-plot:not(.sdc-old)")].flatMap((plot) => {
    const wide = plot.clientWidth, drawn = plot.querySelector(".main-svg")?.width.baseVal.value;
    return !wide || !drawn || Math.abs(wide - drawn) < 2 ? [] : [`${plot.ariaLabel.slice(0, 40)}: ${drawn} in ${wide}`];
})"""

#: Numbers and names at the axes of charts that their box cuts.
OUT = """() => [...document.querySelectorAll(".sdc-plot .main-svg :is(.xtick, .ytick) text")].filter((text) => {
    const box = text.closest(".main-svg").getBoundingClientRect(), tick = text.getBoundingClientRect();
    const wide = tick.left < box.left - 2 || tick.right > box.right + 2;
    return text.checkVisibility() && (wide || tick.top < box.top - 2 || tick.bottom > box.bottom + 2);
}).map((text) => text.textContent)"""

#: The ends of axes that keep to the scale of another: they stay, however often the box is another one.
SCALES = """() => [...document.querySelectorAll(".sdc-plot")].map((plot) => plot._fullLayout)
    .filter((layout) => layout?.yaxis?.scaleanchor).map(({ xaxis, yaxis }) => [xaxis.range, yaxis.range])"""

#: Numbers of boards that are not seen.
BLANK = """() => [...document.querySelectorAll(".sdc-board td")]
    .filter((cell) => cell.checkVisibility() && cell.textContent.trim() && !cell.innerText.trim())
    .map((cell) => cell.textContent)"""

#: Pictures on the stage that go on below the window, or an answer that is not in it.
BELOW = """() => [...document.querySelectorAll(".sdc-lead-answer, .sdc-stage .sdc-plot")]
    .map((part) => part.getBoundingClientRect().bottom).filter((bottom) => bottom < 0 || bottom > innerHeight)"""

#: Numbers without separators, with a hyphen for a minus, or not at the right of a cell; a year is none of them.
NUMBERS = """() => {
    const wrong = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const { parentElement: part, data } = texts.currentNode;
        if (!part.checkVisibility({ visibilityProperty: true }) || part.closest("script, style, pre, code")) continue;
        const long = data.match(/(?<![\\p{L}\\d.,_])\\d{4,}(?!\\d)/gu) || [];
        const hyphen = /(?<![\\p{L}\\d])-[\\d.]/u.test(data);
        if (hyphen || long.some((digits) => !/^(19|20)..$/.test(digits))) wrong.push(data);
        const cell = part.closest("td");
        if (!cell || !/^[−+]?[\\d,.]+%?$/.test(cell.innerText.trim())) continue;
        const range = document.createRange();
        range.selectNodeContents(texts.currentNode);
        const [text, box] = [range.getBoundingClientRect(), cell.getBoundingClientRect()];
        if (text.width > 1 && text.left - box.left < box.right - text.right - 4) wrong.push(`at the left: ${data}`);
    }
    return wrong;
}"""

#: Texts of less than 13 pixels, also in charts and pictures.
TINY = """() => {
    const tiny = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const { parentElement: part, data } = texts.currentNode;
        if (!data.trim() || !part.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        if (part.closest("script, style, .sdc-hidden")) continue;
        const { a = 1, b = 0 } = part.ownerSVGElement?.getScreenCTM() ?? {};
        const size = parseFloat(getComputedStyle(part).fontSize) * Math.hypot(a, b);
        const range = document.createRange();
        range.selectNodeContents(texts.currentNode);
        if (size < 12.99 && range.getBoundingClientRect().width > 1) tiny.push(`${size} px: ${data.slice(0, 40)}`);
    }
    return tiny;
}"""

#: Sliders that are too narrow for a hand, and more than one "?" in a card.
CONTROLS = """() => {
    const asked = [...document.querySelectorAll(".sdc-why button")].filter((one) => one.checkVisibility());
    const cards = asked.map((one) => one.closest(".sdc-tabpanel > *, .sdc-card"));
    const sliders = [...document.querySelectorAll("input[type=range]")].filter((one) => one.checkVisibility());
    return [
        ...asked.filter((_, index) => cards.indexOf(cards[index]) < index).map((one) => one.ariaLabel),
        ...sliders.map((one) => one.getBoundingClientRect().width).filter((width) => width < 200),
    ];
}"""


LAPTOP = {"width": 1366, "height": 768}

#: Pages that decide something.
DECIDING = (
    "protect",
    "suppression",
    "rounding",
    "cell_key",
    "microdata",
    "tables",
    "explore",
    "sample",
)

each_dashboard = pytest.mark.parametrize(
    "visited", [name for name in PAGES if name != "landing"], indirect=True
)


@pytest.fixture(scope="module")
def tolerated():
    """Return nothing: on its own server the project answers for every message."""
    return ()


@pytest.fixture(scope="module", params=PAGES)
def visited(request, served, visiting, tolerated, pytestconfig):
    """Return a page with its name, the addresses that it asked for, and what was seen as it replaced its snapshot."""
    name = request.param
    with visiting(tolerated) as open_page:
        page = open_page()
        addresses = addresses_of(page)
        replaced = None
        if name == "landing" or pytestconfig.getoption("--renew-snapshots"):
            page.goto(served + PAGES[name])
        else:
            replaced = taken_over(page, served + PAGES[name])
        page.locator(".sdc-page, .sdc-index").first.wait_for()
        settled(page)
        yield SimpleNamespace(page=page, name=name, addresses=addresses, replaced=replaced)


def said_twice(page):
    """Return the controls whose description says their name again."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    words = [
        [node.get(part, {}).get("value", "") for part in ("role", "name", "description")] for node in nodes
    ]
    controls = (
        "button",
        "DisclosureTriangle",
        "slider",
        "spinbutton",
        "combobox",
        "checkbox",
        "radio",
        "tab",
    )
    return [name for role, name, more in words if role in controls and more and more in name]


#: What was said, but for the notice of a busy machine that a page still computes.
NEWS = "heard.filter((words) => !words.startsWith('Computing …'))"


def speaks_once(page):
    """Change something by key and take it back by key: what is new is said once, and Undo keeps the focus."""
    answer, why = page.locator(".sdc-lead-answer"), page.locator(".sdc-lead-why")
    undo = page.get_by_role("button", name="Undo", exact=True)
    control = first_control(page)
    before = [answer.inner_text(), why.inner_text()]
    page.evaluate(HEARD)
    control.press("Space" if control.get_attribute("type") == "checkbox" else "ArrowRight")
    expect(undo).to_be_enabled()
    page.evaluate(QUIET)
    after = [answer.inner_text(), why.inner_text()]
    undo.press("Enter")
    expect(answer).to_have_text(before[0])
    expect(undo).to_be_disabled()
    page.evaluate(QUIET)
    # Where the answer is the same as before, what is said below it.
    new = 0 if after[0] != before[0] else 1
    assert page.evaluate(NEWS) == ([after[new], before[new]] if after[new] != before[new] else [])
    expect(undo).to_be_focused()


def blue_button_speaks_once(page):
    """Press the blue button by key: one thing is said, or the focus goes where the answer is."""
    ahead = page.locator(".sdc-lead-ahead")
    if not ahead.is_visible():
        return
    page.evaluate(HEARD)
    ahead.press("Enter")
    moved = "document.activeElement.matches('[role=tab], dialog *, input, textarea')"
    went = f"{NEWS}.length || {moved}"
    page.wait_for_function(went)  # a film is heard where it stops
    page.evaluate(QUIET)
    if page.evaluate(moved):
        expect(page.locator(":focus")).to_be_in_viewport()
        assert page.evaluate(NEWS) == []
    else:
        assert len(page.evaluate(NEWS)) == 1


@each_dashboard
def test_a_snapshot_is_what_its_page_shows(visited, pytestconfig):
    """`make snapshots` writes the snapshots with this test."""
    markup = take(visited.page)
    file = FOLDER / f"{visited.name}.html"
    if pytestconfig.getoption("--renew-snapshots"):
        FOLDER.mkdir(exist_ok=True)
        file.write_text(markup, "utf-8")
    assert file.is_file(), "This page has no snapshot; run `make snapshots` and commit the file."
    saved = contents(file.read_text("utf-8"))
    assert saved == contents(markup), (
        "The snapshot is not what the page shows; run `make snapshots` and commit it."
    )


@each_dashboard
def test_it_is_taken_over_where_it_stands(visited):
    expect_in_place(visited.page, *visited.replaced)


def test_it_fits_in_any_window_and_on_paper(visited, axe):
    """A page is looked at as it opens, small and dark, at each width, before a projector, and on paper."""
    page, name = visited.page, visited.name
    page.set_viewport_size(LAPTOP)
    settled(page)
    title = page.get_by_role("heading", level=1)
    assert title.bounding_box()["y"] < 300
    answer = page.locator(".sdc-big").count()
    assert not answer or page.evaluate(IN_SIGHT)
    assert axe(page) == []
    assert small_and_dark(page, axe) == []
    page.emulate_media(color_scheme="light")
    found, scales = {}, page.evaluate(SCALES)
    if (more := page.locator("summary[aria-label=More]")).count():
        more.click()
    projector = page.get_by_role("button", name="Projector view")
    # 1093 and 911 pixels are a window of 1366 at 125 % and 150 %; 390 are a phone.
    widths = {"as usual": (1366, 1093, 911, 1920, 390), "projector": (1366, 911)}
    for mode in widths:
        if mode == "projector" and projector.count():
            projector.click()
            page.keyboard.press("Escape")
        for width in widths[mode]:
            page.set_viewport_size({"width": width, "height": 768})
            drawn_again(page)
            page.wait_for_function(f"!({MISFIT})().length")
            found[mode, width] = page.evaluate(CUT) + page.evaluate(BROKEN) + page.evaluate(CONTROLS)
            found[mode, width] += page.evaluate(OUT)
            if name == "landing" or (name == "explore" and width > 390):  # their examples need no scrolling
                found[mode, width] += page.evaluate(LOST)
            if mode == "as usual" and width in (1366, 390):
                found[mode, width] += reversed_controls(page) + page.evaluate(TINY)
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found[mode, width].append("the page")
            if answer and page.locator(".sdc-big").first.bounding_box()["width"] < 200:
                found[mode, width].append("no room for the answer")
    assert {look: cut for look, cut in found.items() if cut} == {}
    if projector.count():
        # A projector of 1280 x 720 at 150 %: the answer and the picture; the bar comes when the pointer is at the top.
        page.set_viewport_size({"width": 853, "height": 480})
        page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
        page.mouse.move(400, 400)
        page.wait_for_function(f"!({BELOW})().length")
        if name in ("rounding", "third_term"):  # one card drives the picture: it stands in a line above it
            for slider in page.get_by_role("slider").and_(page.locator(BESIDE)).all():
                expect(slider).to_be_in_viewport(ratio=1)
        expect(page.locator(".sdc-header")).to_have_css("opacity", "0")
        page.mouse.move(400, 8)
        expect(page.locator(".sdc-header")).to_have_css("opacity", "1")
        page.mouse.move(400, 400)
        if (ahead := page.locator(".sdc-lead-ahead")).is_visible():
            ahead.click(trial=True)  # nothing that is hidden is in its way
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    if answer:
        page.wait_for_function(IN_SIGHT)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1000})
    page.wait_for_function(f"!({MISFIT})().length")
    assert page.evaluate(SCALES) == scales
    assert page.evaluate(LOST) == []
    assert page.evaluate(OVER) == []
    assert page.evaluate(BLANK) == []
    for chart in page.locator(".sdc-plot").all():
        if chart.is_visible():
            chart.locator(".main-svg").first.wait_for()
    pressed = ".sdc-value, .sdc-big, .sdc-number, .sdc-word, .sdc-key *, .sdc-measures *, .sdc-board *"
    assert page.locator(f".sdc-page button:visible:not({pressed})").all_inner_texts() == []
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.set_viewport_size(LAPTOP)
    page.evaluate("scrollTo(0, 0)")
    if name != "landing":
        page.mouse.move(400, 8)  # the bar comes
        choose(page, "More", "Projector view")
        page.keyboard.press("Escape")


@each_dashboard
def test_it_speaks_once_and_its_tabs_are_alike(visited, axe):
    """Something is changed, all tabs are opened, and the blue button is pressed: each is said once, in every tab."""
    page = visited.page
    page.set_viewport_size(LAPTOP)
    speaks_once(page)
    for tab in page.get_by_role("tab").all():
        tab.click()
        expect(tab).to_have_attribute("aria-selected", "true")
        settled(page)
        assert page.evaluate(NUMBERS) + page.evaluate(TINY) + page.evaluate(CONTROLS) + said_twice(page) == []
        assert axe(page, ".sdc-tabpanel") == []
    blue_button_speaks_once(page)


def test_nothing_comes_from_elsewhere(served, visited):
    # data: and blob: addresses have no host; they are the page's own.
    assert {urlsplit(address).netloc for address in visited.addresses} - {""} == {urlsplit(served).netloc}


@pytest.mark.parametrize("visited", DECIDING, indirect=True)
def test_each_tool_that_decides_hands_over_a_report(visited, axe, tmp_path):
    page = begin_again(visited.page)
    if visited.name == "tables":
        # The page opens with a refused request, on which there is no report.
        page.locator(".sdc-lead-ahead").click()
        page.get_by_role("table", name="Published table").wait_for()
    if visited.name == "protect":
        button = page.get_by_role("button", name="Save internal report (HTML)")
    else:
        menu = page.get_by_text("Share", exact=True)
        if menu.count():
            menu.click()
        button = page.get_by_role("button", name="Report", exact=True)
    with page.expect_download() as saved:
        button.click()
    path = tmp_path / "handed.html"
    saved.value.save_as(path)
    assert saved.value.suggested_filename.endswith(".html")
    assert "report" in saved.value.suggested_filename
    page.goto(path.as_uri())
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert axe(page) == []
    page.emulate_media(media="print")
    page.set_viewport_size({"width": int(SHEET), "height": 900})
    boxes = page.evaluate(
        "() => [...document.querySelectorAll('table, svg, pre')].map((one) => one.getBoundingClientRect().right)"
    )
    assert max(itertools.chain(boxes, [0])) <= SHEET + 1
