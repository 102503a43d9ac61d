"""What tests do with a page: begin again on one that they share, and look at it as others see it."""

from typing import Any

from sdcwidgets._util.parameters import declared
from sdcwidgets.dashboards import notebook_pages

#: The address of each page.
PAGES = {entry.name: f"voila/render/{entry.notebook}" for entry in notebook_pages.dashboards()} | {
    "landing": ""
}

#: A4 between its margins of 15 mm, in CSS pixels.
SHEET = (210 - 30) / 25.4 * 96

#: The controls beside a stage.
BESIDE = ".sdc-stage :is(input[type=range], input[type=radio]:checked, input[type=checkbox], select)"


def label(kind: Any, name: str) -> str:
    """The label of a declared setting, which names its control on every page."""
    return next(one.label for one in declared(kind) if one.name == name)


_UNDO = """async () => {
    const undo = [...document.querySelectorAll(".sdc-actions button")].find((one) => one.textContent === "Undo");
    while (undo.ariaDisabled !== "true") {
        undo.click();
        await new Promise((done) => setTimeout(done, 50));
    }
    scrollTo(0, 0);
}"""

#: Keeps what the live regions of the page say from now on.
HEARD = """() => {
    const live = "[aria-live]:not([aria-live=off]), [role=status]:not([aria-live=off]), [role=alert]";
    globalThis.hearing?.disconnect();
    globalThis.heard = [];
    globalThis.hearing = new MutationObserver((changes) => {
        const parts = new Set(changes.filter(({ addedNodes }) => addedNodes.length)
            .map(({ target }) => target.closest(live)));
        for (const part of parts) if (part?.innerText.trim()) heard.push(part.innerText.trim());
    });
    hearing.observe(document.body, { subtree: true, childList: true });
}"""


def first_control(page):
    """Return the first control beside a stage that changes a number: own limits begin with nothing set."""
    controls = page.locator(BESIDE).locator("visible=true")
    return controls.nth(page.get_by_role("combobox", name="Rule", exact=True).count())


def addresses_of(page):
    """Return a list of every address that a page asks for from now on."""
    addresses = []
    page.on("request", lambda request: addresses.append(request.url))
    page.on("websocket", lambda channel: addresses.append(channel.url))
    return addresses


def begin_again(page):
    """Take back what a test before did, and return the page."""
    page.keyboard.press("Escape")
    page.evaluate(_UNDO)
    return page


def tab(page, number):
    """Open a tab of a page, counted from 0."""
    page.get_by_role("tab").nth(number).click()


def choose(page, menu, name):
    """Press a button in one of the menus of the tool bar: "Share" or "More"."""
    page.locator(f"summary[aria-label={menu}]").click()
    page.get_by_role("button", name=name).click()


def drawn_again(page):
    """Wait until a page looks as its size and its colours ask for."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def small_and_dark(page, axe):
    """Return what is wrong with a page at twice the size, which leaves it half the width, in dark colours."""
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 683, "height": 500})
    drawn_again(page)
    wide = (
        ["wider than the window"]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth")
        else []
    )
    return wide + axe(page)


#: Ends when nothing of the page has changed for a moment.
QUIET = """() => new Promise((done) => {
    let timer = setTimeout(done, 700);
    new MutationObserver(() => {
        clearTimeout(timer);
        timer = setTimeout(done, 700);
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
})"""


def box(locator):
    """Return the place and size of an element, also if its page replaces it meanwhile."""
    locator.wait_for()
    for _ in range(100):
        place = locator.bounding_box()
        if place is not None:
            return place
        locator.page.wait_for_timeout(50)
    raise AssertionError(f"{locator} is not visible for long enough to be measured")


def until(page, something):
    """Wait until something that is not of the page is true."""
    for _ in range(600):
        if something():
            return
        page.wait_for_timeout(100)


def settled(page):
    """Wait until a page shows its numbers, and the charts in sight are drawn."""
    if page.locator(".sdc-index").count() == 0:
        page.locator(".sdc-page :is(.sdc-big, .sdc-number, .sdc-value, .sdc-grid td)").first.wait_for()
    page.wait_for_function(
        """() => [...document.querySelectorAll(".sdc-plot")].every((plot) => {
            const { top, bottom, width } = plot.getBoundingClientRect();
            return !width || bottom < 0 || top > innerHeight || plot.querySelector(".main-svg");
        })"""
    )
