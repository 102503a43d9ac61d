"""The documentation as the server shows it: no rule of accessibility broken, nothing cut off, search and live links."""

import pytest
from playwright.sync_api import expect

from serving import serving_docs

PAGES = (
    "index",
    "how/bring-a-table",
    "explain/compared",
    "lessons/02-protect-a-table",
    "pages",
    "gallery/methods",
    "gallery/attacks",
    "api/tables",
    "commands",
    "serving",
)


@pytest.fixture(scope="module")
def docs(site):
    with serving_docs(site) as root:
        yield f"{root}docs/"


@pytest.mark.parametrize(("scheme", "width"), [("light", 1366), ("dark", 390)])
def test_pages_break_no_rule_of_accessibility_and_fit(docs, new_page, axe, scheme, width):
    page = new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    for name in PAGES:
        page.goto(f"{docs}{name}.html")
        page.locator("h1").first.wait_for()
        assert axe(page, "html") == [], name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name


def test_what_is_looked_for_is_found_and_a_method_opens(docs, page, asked):
    page.goto(f"{docs}index.html")
    # The search hears keys: what is put into the field without one may come after it looked.
    page.get_by_role("textbox", name="Search").press_sequentially("averaging")
    expect(page.locator(".md-search-result__item").first).to_contain_text("averaging", ignore_case=True)
    page.goto(f"{docs}gallery/methods.html")
    page.locator("h2#random-rounding ~ p a", has_text="Try it").first.click()
    expect(page.get_by_role("radio", name="Random rounding", exact=True)).to_be_checked()
    assert all(address.startswith((docs.removesuffix("docs/"), "data:", "blob:", "ws:")) for address in asked)
