"""What the tests of a module do between them with a page that they share."""

_UNDO = """async () => {
    const undo = [...document.querySelectorAll(".sdc-actions button")].find((one) => one.textContent === "Undo");
    while (!undo.disabled) {
        undo.click();
        await new Promise((done) => setTimeout(done, 50));
    }
    scrollTo(0, 0);
}"""


def begin_again(page):
    """Take back what a test before did, and return the page."""
    page.keyboard.press("Escape")
    page.evaluate(_UNDO)
    return page
