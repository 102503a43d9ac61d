"""Each page opens, computes in its kernel, shows no error in the console, and is accessible."""

import pytest
from playwright.sync_api import expect

from shared import PAGES, first_control, settled


@pytest.fixture(scope="module")
def tolerated():
    """Return nothing: no message in the console is expected."""
    return ()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_and_is_live(served, page, axe, name):
    page.goto(served + PAGES[name])
    page.locator(".sdc-page, .sdc-index").first.wait_for()
    settled(page)
    assert axe(page) == []
    if name == "landing":
        return
    undo = page.get_by_role("button", name="Undo", exact=True)
    expect(undo).to_be_disabled()
    control = first_control(page)
    control.press("Space" if control.get_attribute("type") == "checkbox" else "ArrowRight")
    # The button is enabled only after the kernel has computed the change.
    expect(undo).to_be_enabled()
