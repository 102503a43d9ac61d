"""What a visitor did survives a reload, the way back, another dashboard, a dead kernel and a stopped server."""

import os
import signal

import psutil
import pytest
from playwright.sync_api import expect

from serving import free_port, running, serve
from shared import QUIET

EXPLORE, PROTECT = "voila/render/explore.ipynb", "voila/render/protect.ipynb"


@pytest.fixture(scope="module")
def tolerated():
    """What a browser itself says of a kernel or a server that is gone."""
    return (
        "Failed to load resource",
        "WebSocket connection",
        "ERR_CONNECTION",
        "Connection lost",
        "Failed to fetch",
    )


def opened(page, address):
    page.goto(address)
    ready(page)


#: Fills the tab's memory but for so many characters.
FULL = """(left) => {
    sessionStorage.clear();
    let size = 0;
    for (let part = 2 ** 24; part >= 1; part /= 2) {
        try { sessionStorage.setItem("other", "x".repeat(size + part)); size += part; } catch { /* too much */ }
    }
    sessionStorage.setItem("other", "x".repeat(size - (left ?? 0)));
}"""


def ready(page):
    page.locator(".sdc-grid tbody input").first.wait_for()
    page.locator(".sdc-big").first.wait_for()


def cell(page):
    return page.locator(".sdc-grid tbody input").first


def change(page, count):
    before = page.locator(".sdc-big").first.inner_text()
    cell(page).fill(count)
    cell(page).press("Enter")
    expect(page.locator(".sdc-big").first).not_to_have_text(before)
    page.wait_for_function("count => Object.values(sessionStorage).length > 0", arg=count)
    page.evaluate(QUIET)  # a change is handed over a moment later
    return page.locator(".sdc-big").first.inner_text()


def test_reload_and_back_find_what_was_there(served, page):
    opened(page, served + EXPLORE)
    risk = change(page, "40")
    page.reload()
    ready(page)
    expect(page.locator(".sdc-big").first).to_have_text(risk)
    expect(cell(page)).to_have_value("40")
    page.goto("about:blank")
    page.go_back()
    ready(page)
    expect(cell(page)).to_have_value("40")


def test_what_a_tab_cannot_keep_is_told(served, page):
    opened(page, served + EXPLORE)
    lost = page.get_by_text(
        "This browser tab cannot save your table. After reloading, the page shows the example again."
    )
    page.evaluate(FULL)
    change(page, "40")
    expect(lost).to_be_visible()
    assert page.evaluate("Object.keys(sessionStorage)") == ["other"]
    page.evaluate("sessionStorage.removeItem('other')")
    change(page, "3")
    expect(lost).to_have_count(0)
    page.reload()
    ready(page)
    expect(cell(page)).to_have_value("3")
    # What fits once and not twice: the state of this page, and no table for others.
    size = page.evaluate("Math.max(...Object.values(sessionStorage).map((text) => text.length))")
    page.evaluate(FULL, size * 3 // 2)
    change(page, "90")
    page.get_by_text(
        "This browser tab cannot save your table. After opening another page, the page shows the example again."
    ).wait_for()


def test_the_table_goes_along_and_there_is_a_way_back(served, page):
    opened(page, served + EXPLORE)
    example = cell(page).input_value()
    change(page, "40")
    page.get_by_role("link", name="open this table in Protect").click()
    ready(page)
    page.get_by_text("was opened from Explore.").wait_for()
    expect(cell(page)).to_have_value("40")
    page.get_by_role("button", name="Show the example").click()
    expect(cell(page)).to_have_value(example)
    expect(page.get_by_text("was opened from")).to_have_count(0)
    page.goto(served)
    page.get_by_role("button", name="Delete my table").click()
    assert page.evaluate("sessionStorage.length") == 0
    # The story brings a table, too: it is where the page begins, with a task and nothing to undo.
    page.get_by_role("link", name="Measure the disclosure risk", exact=True).click()
    expect(page.get_by_role("complementary", name="Tutorial")).to_contain_text("Step 2 of 4")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    # But it is nobody's own: it does not go along, there is nothing to forget, and one's own table is asked for.
    change(page, "5")
    page.goto(served)
    expect(page.get_by_role("button", name="Delete my table")).to_be_hidden()
    page.get_by_role("link", name="Paste your own table").click()
    expect(page.get_by_role("textbox", name="Copied cells")).to_be_focused()
    page.keyboard.press("Escape")
    expect(cell(page)).to_have_value(example)


def test_another_tab_begins_anew(served, new_page):
    first, second = new_page(), new_page()
    opened(first, served + EXPLORE)
    change(first, "40")
    opened(second, served + EXPLORE)
    expect(cell(second)).not_to_have_value("40")


def kernels_of(port):
    listening = (one for one in psutil.net_connections("tcp") if one.status == psutil.CONN_LISTEN)
    server = next(one.pid for one in listening if one.laddr.port == port)
    below = psutil.Process(server).children(recursive=True)
    return [one for one in below if one.children() == [] and len(one.threads()) > 3]


@pytest.mark.parametrize(
    ("sign", "words"),
    [
        (signal.SIGKILL, "This session ended unexpectedly."),
        (signal.SIGSTOP, "This session stopped responding, so it was ended."),
    ],
)
def test_a_kernel_that_is_dead_or_stopped_is_told_and_one_button_starts_again(page, sign, words):
    port = free_port()
    command = serve(port)
    address = f"http://127.0.0.1:{port}/"
    with running(command, f"{address}health"):
        opened(page, address + EXPLORE)
        risk = change(page, "40")
        for kernel in kernels_of(port):
            os.kill(kernel.pid, sign)
        alert = page.get_by_role("alert").filter(has_text=words)
        alert.wait_for()
        assert page.locator(".sdc-main").evaluate("node => node.inert")
        page.get_by_role("button", name="Restart session").click()
        page.wait_for_function("!document.querySelector('.sdc-gone')")
        ready(page)
        expect(page.locator(".sdc-big").first).to_have_text(risk)
        expect(cell(page)).to_have_value("40")


def test_a_stopped_server_is_told_and_found_again(page):
    port = free_port()
    command = serve(port)
    address = f"http://127.0.0.1:{port}/"
    with running(command, f"{address}health"):
        opened(page, address + EXPLORE)
        risk = change(page, "40")
    page.get_by_role("alert").filter(has_text="Cannot reach the server.").wait_for()
    page.get_by_role("button", name="Restart session").click()
    page.get_by_role("alert").filter(has_text="Cannot reach the server yet").wait_for()
    expect(page.locator(".sdc-big").first).to_have_text(risk)
    with running(command, f"{address}health"):
        page.get_by_role("button", name="Restart session").click()
        page.wait_for_function("!document.querySelector('.sdc-gone')")
        ready(page)
        expect(page.locator(".sdc-big").first).to_have_text(risk)


def test_a_session_that_does_not_answer_is_told_until_it_does(served, page):
    opened(page, served + EXPLORE)
    told = {"connections": 1, "waiting": 13.1}
    page.route("**/api/kernels/*", lambda route: route.fulfill(json=told))
    alert = page.get_by_role("alert").filter(has_text="Computing …")
    alert.wait_for()
    expect(alert.get_by_role("button", name="Restart session")).to_be_visible()
    with page.expect_request("**/interrupt") as asked:
        alert.get_by_role("button", name="Stop").click()
    assert asked.value.response().status == 204
    assert not page.locator(".sdc-main").evaluate("node => node.inert")
    told["waiting"] = 0
    alert.wait_for(state="hidden")
