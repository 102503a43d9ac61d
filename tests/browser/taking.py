"""Take a snapshot of a page, and open a page whose snapshot is looked at before its scripts run.

A snapshot is the markup of header, lead and stage, which acts on nothing.
"""

import re

from shared import QUIET, settled

#: The state of fields, which is no part of markup, is written into attributes. Names that are new in each session are
#: replaced by numbers. Charts are left out, because their colours and their size do not follow the page.
_TAKE = """(page) => {
    const copy = page.cloneNode(true);
    const fields = "input, select, textarea, option";
    const live = page.querySelectorAll(fields);
    copy.querySelectorAll(fields).forEach((field, index) => {
        const { type, checked, selected, value } = live[index];
        if (field.localName === "option") field.toggleAttribute("selected", selected);
        else if (type === "checkbox" || type === "radio") field.toggleAttribute("checked", checked);
        else if (field.localName === "input") field.setAttribute("value", value);
        else if (field.localName === "textarea") field.textContent = value;
        if (type === "text" || type === "number") {
            field.readOnly = true;
            field.tabIndex = -1;
        } else if (field.localName !== "option") field.inert = true;
    });
    const seen = ".sdc-lead, .sdc-stage, :has(> .sdc-header)";
    for (const part of [...copy.children]) if (!part.matches(seen)) part.remove();
    const unseen =
        "dialog, noscript, script, [style*='display: none'], .sdc-menu-list, .sdc-hidden[aria-live], .sdc-skip";
    for (const part of copy.querySelectorAll(unseen)) part.remove();
    // Style sheets depend on the neighbours of an element, so what is hidden stays, without its contents.
    for (const part of copy.querySelectorAll("[hidden]")) part.replaceChildren();
    for (const part of copy.querySelectorAll("button, .sdc-menu-right summary")) part.inert = true;
    for (const part of copy.querySelectorAll("[tabindex='0']")) part.removeAttribute("tabindex");
    for (const plot of copy.querySelectorAll(".sdc-plot")) {
        const text = document.createElement("p");
        text.textContent = plot.getAttribute("aria-label");
        plot.className = "sdc-plot sdc-empty";
        for (const name of ["role", "aria-label"]) plot.removeAttribute(name);
        plot.replaceChildren(text);
    }
    for (const picture of copy.querySelectorAll(".sdc-people svg")) picture.replaceChildren();
    for (const part of copy.querySelectorAll(".sdc-old")) part.classList.remove("sdc-old");
    // Small type depends on the width of the window; the page sets it when the snapshot is shown.
    for (const grid of copy.querySelectorAll(".sdc-grid")) grid.classList.remove("sdc-small", "sdc-tight");
    const names = new Map();
    const number = (name) => names.get(name) ?? names.set(name, `n${names.size + 1}`).get(name);
    for (const part of copy.querySelectorAll("[id]")) part.id = number(part.id);
    for (const radio of copy.querySelectorAll("input[type=radio]")) radio.name = number(radio.name);
    for (const attribute of ["for", "list", "aria-labelledby", "aria-describedby", "aria-controls"])
        for (const part of copy.querySelectorAll(`[${attribute}]`)) {
            const known = part.getAttribute(attribute).split(" ").filter((name) => names.has(name)).map(number);
            if (known.length) part.setAttribute(attribute, known.join(" "));
            else part.removeAttribute(attribute);
        }
    const header = copy.querySelector(".sdc-header");
    header.after(document.createElement("slot"));
    header.parentNode.after(document.createComment("stage"));
    return copy.outerHTML;
}"""


def take(page):
    """Return the snapshot of an open page, with a line for each row and each widget."""
    page.locator("sdc-first").wait_for(state="detached")
    settled(page)
    page.evaluate(QUIET)
    markup = page.locator(".sdc-page").evaluate(_TAKE)
    return re.sub(r"(?=<tr|<div class=\"lm-Widget)", "\n", markup).strip() + "\n"


def contents(markup):
    """Return the texts of a snapshot, and the values of its fields."""
    texts = [text.strip() for text in re.split(r"<[^>]*>", markup)]
    return [text for text in texts if text] + re.findall(r' value="([^"]*)"', markup)


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


def taken_over(page, address):
    """Open a page, and return the boxes of its snapshot, those of what replaces it, and how far its parts shifted."""
    go_on = held(page, address, SHIFTS)
    assert style_of(page, ".sdc-stage .sdc-card", "display") != "none"
    before = page.evaluate(BOXES, True)
    go_on()
    page.locator("sdc-first").wait_for(state="detached")
    return before, page.evaluate(BOXES, False), sum(page.evaluate("shifts"))


def expect_in_place(page, before, after, shifts):
    """Compare the boxes of a snapshot with those of the page that replaced it, which is there only once."""
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
    assert shifts < 0.05
