"""The order in which Tab visits the controls of a page, compared with their order on the screen."""

from typing import Any

#: Returns pairs of controls of which the second is visited later, but is above the first, or left of it on one line.
_REVERSED = """() => {
    const parts = ".sdc-card, .sdc-header, .sdc-lead, [role=tablist], [role=tabpanel]";
    const named = (node) => {
        const label = node.getAttribute("aria-labelledby");
        const name = node.ariaLabel || (label && document.getElementById(label)?.textContent) || node.textContent;
        return `${node.tagName.toLowerCase()} ${node.type || ""} ${(name || node.title).trim().slice(0, 60)}`;
    };
    const wrong = [];
    const reversed = (first, second) => {
        const [before, after] = [first, second].map((node) => node.getBoundingClientRect());
        const above = after.bottom <= before.top + 2 && after.left < before.right - 2;
        const middle = (after.top + after.bottom) / 2;
        return above || (middle > before.top && middle < before.bottom && after.right <= before.left + 2);
    };
    for (let k = 1; k < visited.length; k++) {
        const [before, after] = [visited[k - 1], visited[k]];
        const [from, to] = [before.closest(parts), after.closest(parts)];
        if (!from || !to || before.closest("table") || after.closest("table")) continue;
        if (from === to ? reversed(before, after) : !from.contains(to) && !to.contains(from) && reversed(from, to)) {
            wrong.push([named(before), named(after)]);
        }
    }
    return wrong;
}"""

_REMEMBER = """() => {
    const node = document.activeElement;
    if (node === document.body || globalThis.visited.includes(node)) return false;
    globalThis.visited.push(node);
    return true;
}"""


def reversed_controls(page: Any, most: int = 400) -> list[list[str]]:
    """Press Tab through a page, and return the pairs of controls in another order than on the screen."""
    page.evaluate(
        """() => {
            const first = [...document.querySelectorAll("a[href]")].find((link) => link.checkVisibility());
            globalThis.visited = [first];
            first.focus();
        }"""
    )
    for _ in range(most):
        page.keyboard.press("Tab")
        if not page.evaluate(_REMEMBER):
            break
    pairs: list[list[str]] = page.evaluate(_REVERSED)
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0);")
    return pairs
