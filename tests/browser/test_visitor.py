"""The visitor whom most browser tests share begins each test without stored values."""

import pytest

WRITES = "<script>setInterval(() => localStorage.setItem('name', 'bat'), 0)</script>"


@pytest.mark.parametrize("number", range(3))
def test_a_page_that_keeps_storing_leaves_nothing_for_the_next_test(new_page, number):
    page = new_page()
    page.route(
        "http://visitor.test/empty",
        lambda route: route.fulfill(body="<p>Nothing is stored.</p>", content_type="text/html"),
    )
    page.route("http://visitor.test/", lambda route: route.fulfill(body=WRITES, content_type="text/html"))
    page.goto("http://visitor.test/empty")
    assert page.evaluate("localStorage.length") == 0
    page.goto("http://visitor.test/")
    page.wait_for_function("localStorage.length === 1")
