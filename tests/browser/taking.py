"""Take a snapshot of a page: the markup of its header, lead and stage, which acts on nothing."""

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


def take(page, address):
    """Open a page and return its snapshot, with a line for each row and each widget."""
    page.goto(address)
    page.locator("sdc-first").wait_for(state="detached")
    settled(page)
    page.evaluate(QUIET)
    markup = page.locator(".sdc-page").evaluate(_TAKE)
    return re.sub(r"(?=<tr|<div class=\"lm-Widget)", "\n", markup).strip() + "\n"


def contents(markup):
    """Return the texts of a snapshot, and the values of its fields."""
    texts = [text.strip() for text in re.split(r"<[^>]*>", markup)]
    return [text for text in texts if text] + re.findall(r' value="([^"]*)"', markup)
