"""The same dashboards elsewhere: a plain Voila, on one notebook or on all, and a Jupyter server's `/voila/render/`."""

import re
import shutil
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

import sdcwidgets
from serving import free_port, running

NOTEBOOKS = Path(sdcwidgets.__file__).parent.parent / "notebooks"


def plain_voila(folder: Path, port: int) -> tuple[list[str], str]:
    options = [f"--port={port}", "--Voila.ip=127.0.0.1", "--no-browser"]
    address = f"http://127.0.0.1:{port}/"
    return [sys.executable, "-m", "voila", str(folder), *options], f"{address}voila/render/"


def jupyter_server(folder: Path, port: int) -> tuple[list[str], str]:
    options = [f"--ServerApp.port={port}", "--ServerApp.base_url=/user/me/", "--IdentityProvider.token="]
    options += ["--no-browser", "--allow-root", f"--ServerApp.root_dir={folder.parent}"]
    address = f"http://127.0.0.1:{port}/user/me/voila/render/notebooks/"
    return [sys.executable, "-m", "jupyter_server", *options], address


@pytest.fixture(scope="module")
def tolerated():
    """Return what these hosts cause: CDNs, extensions that nobody needs, no plotly.js in plain Voila."""
    return (
        "cdn.jsdelivr.net",
        "cdnjs.cloudflare.com",
        "The getter for the shared module is not a function",
        "sdcwidgets/static/plotly.min.js",
    )


@pytest.fixture(scope="module", params=[plain_voila, jupyter_server], ids=lambda host: host.__name__)
def host(request, tmp_path_factory):
    """Return where a server shows a copy of the notebooks."""
    folder = tmp_path_factory.mktemp("host") / "notebooks"
    shutil.copytree(NOTEBOOKS, folder)
    command, address = request.param(folder, free_port())
    with running(command, f"{address}none.ipynb"):
        yield address


def drawn(page):
    """Wait until a page shows its answer, and the first of its charts if it has one."""
    page.locator(".sdc-page :is(.sdc-big, .sdc-number, .sdc-value, .sdc-grid td)").first.wait_for()
    for chart in page.locator(".sdc-plot").all()[:1]:
        # A chart is drawn when it comes into sight.
        chart.scroll_into_view_if_needed()
        chart.locator(".main-svg").first.wait_for()
        assert chart.locator(".main-svg").first.bounding_box()["width"] > 100


def test_a_page_without_sliders_opens_and_draws(host, page):
    """What differs between hosts is the same for all pages; the next test of a host opens one with sliders."""
    page.goto(f"{host}suppression.ipynb")
    drawn(page)


def test_one_notebook_in_plain_voila_has_no_way_that_is_closed(page):
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    options = [f"--port={port}", "--Voila.ip=127.0.0.1", "--no-browser"]
    command = [sys.executable, "-m", "voila", str(NOTEBOOKS / "explore.ipynb"), *options]
    with running(command, f"{address}none"):
        page.goto(address)
        drawn(page)
        links = page.locator(".sdc-page a[href]:visible").evaluate_all(
            "nodes => nodes.map((node) => node.href)"
        )
        assert [link for link in set(links) if not page.request.get(link).ok] == []
        # Panel fits the width of a page to its content, which has none.
        page.locator(".sdc-page").evaluate("(node) => { node.parentElement.style.width = 'fit-content'; }")
        assert page.locator(".sdc-page").bounding_box()["width"] >= 320
        page.close()


def test_the_dashboards_of_one_notebook_each_restore_their_own_link(notebook, new_page):
    first = "from sdcwidgets.dashboards import divergences, explore\nexplore.app()"
    page = new_page()
    page.goto(notebook([first, "divergences.app()", "explore.app()"]))
    for one in (page, new_page()):
        if one is not page:
            one.goto(page.url)
        fields = one.get_by_role("textbox", name="Area 6, Muslim", exact=True)
        fields.nth(1).wait_for()
        distance = one.get_by_role("button", name=re.compile("^Hellinger distance between P and Q"))
        if one is page:
            for field, count in ((fields.first, "14"), (fields.last, "9")):
                field.fill(count)
                field.press("Enter")
            one.get_by_role("combobox", name="Example", exact=True).nth(1).select_option(
                "Distributions without a common category"
            )
            expect(distance).to_have_text("1.0000")
            menus = one.locator("summary[aria-label=Share]").all()
            for name, menu in zip(("explore", "divergences", "explore-2"), menus, strict=True):
                menu.click()
                one.get_by_role("button", name="Copy link").click()
                one.wait_for_url(re.compile(f"state-{name}="))
                dialog = one.get_by_role("dialog", name="The link works on this computer only")
                dialog.wait_for()
                one.keyboard.press("Escape")
                expect(dialog).to_have_count(0)
        expect(fields.first).to_have_value("14")
        expect(fields.last).to_have_value("9")
        expect(distance).to_have_text("1.0000")


def test_what_follows_from_one_change_is_one_message(host, page):
    frames = []
    page.on(
        "websocket", lambda channel: channel.on("framereceived", lambda frame: frames.append(bytes_of(frame)))
    )
    page.goto(f"{host}protect.ipynb")
    drawn(page)
    answer = page.locator(".sdc-big").first
    slider = page.get_by_role("slider", name="Rounding base b")
    slider.focus()
    for _ in range(2):  # the browser side of the bundle may come after the first
        was = answer.text_content()
        frames.clear()
        slider.press("ArrowRight")
        expect(answer).not_to_have_text(was)
    # Better numbers may follow a moment later; the first that brings the answer brings all that goes with it.
    text = answer.text_content().encode()
    first = next(frame for frame in frames if text in frame)
    assert all(part in first for part in (b'"changes"', b'"answered"', b'"after"', b'"why"'))


def bytes_of(frame):
    """Return a frame of a websocket, which is text or bytes, as bytes."""
    return frame.encode() if isinstance(frame, str) else frame
