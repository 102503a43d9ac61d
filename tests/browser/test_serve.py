"""`sdcwidgets serve` as a visitor meets it: nothing from elsewhere, in their colours."""

import threading
import urllib.request
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from urllib.parse import urlsplit

import pytest

from sdcwidgets.dashboards.page_heads import DASHBOARDS
from serving import free_port, running, serve
from shared import until
from visiting import sessions

LABEL = "<img src='data:,' onerror='window.acted = true'>"


@pytest.fixture(scope="module")
def tolerated():
    """Return nothing: on its own server the project answers for every message."""
    return ()


def test_landing_page_leads_to_every_dashboard(served, page):
    page.goto(served)
    for dashboard in DASHBOARDS:
        link = page.get_by_role("main").locator(f"a[href='{dashboard.notebook}']").first
        link.wait_for()
        with urllib.request.urlopen(link.evaluate("node => node.href"), timeout=60) as answer:
            assert answer.url.endswith(f"/voila/render/{dashboard.notebook}")


def test_what_came_as_one_file_is_not_asked_for_piece_by_piece(served, page, asked):
    page.goto(f"{served}voila/render/explore.ipynb")
    page.locator(".sdc-plot .main-svg").first.wait_for()
    names = [urlsplit(address).path.rsplit("/", 1)[-1] for address in asked]
    assert names.count("frontend.js") == 1
    # Nothing of Voila's own front end; and plotly.js, once there are charts, but not before.
    assert [name for name in names if "voila" in name and name.endswith(".js")] == []
    assert names.count("plotly.min.js") == 1
    assert names.index("plotly.min.js") > names.index("channels")


def test_the_page_is_described(served, page):
    page.goto(served)
    page.get_by_role("main").get_by_role("link").first.wait_for()
    assert page.locator("html").get_attribute("lang") == "en"
    assert "sdcwidgets" in page.title()
    assert page.get_by_role("main").count() == 1
    assert page.get_by_text("Starting the dashboard").count() == 0


def test_light_or_dark_as_the_visitor_likes(served, page):
    page.goto(served)
    page.get_by_role("main").get_by_role("link").first.wait_for()
    for scheme, ground in (("light", "rgb(245, 247, 249)"), ("dark", "rgb(20, 24, 28)")):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == ground


def test_a_tall_page_scrolls_as_a_document(served, new_page):
    page = new_page(viewport={"width": 420, "height": 200})
    page.goto(served)
    page.get_by_role("main").get_by_role("link").first.wait_for()
    page.mouse.move(100, 100)
    page.mouse.wheel(0, 400)
    page.wait_for_function("scrollY > 0")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_closed_page_ends_its_kernel(served, page):
    page.goto(f"{served}voila/render/weights.ipynb")
    page.locator("#rendered_cells .jupyter-widgets").first.wait_for()
    kernel = page.evaluate("document.body.dataset.kernelId")
    address = f"{served}api/kernels/{kernel}"
    assert page.request.get(address).status == 200
    page.goto("about:blank")
    ended = (page.request.get(address).status == 404 for _ in iter(lambda: page.wait_for_timeout(100), 0))
    assert any(islice(ended, 200))


def test_markup_in_a_label_cannot_act(served, chromium):
    context = chromium.new_context()
    page, told = context.new_page(), []
    page.on("console", lambda message: told.append(message.text))
    page.goto(served)
    page.get_by_role("main").get_by_role("link").first.wait_for()
    # What a label would do if it slipped through as markup.
    page.evaluate("markup => document.querySelector('main').insertAdjacentHTML('beforeend', markup)", LABEL)
    page.wait_for_function("document.querySelector('main img').complete")
    assert page.evaluate("window.acted") is None
    assert any("Content Security Policy" in text for text in told)
    context.close()


@pytest.mark.parametrize("end", ["", "#state=a-link"])
def test_a_full_server_is_asked_again_for_every_address(chromium, end):
    port = free_port()
    command = serve(port)
    address = f"http://127.0.0.1:{port}/"
    with running([*command, "--visitors", "1"], f"{address}health"):
        first, second = (chromium.new_context().new_page() for _ in range(2))
        for page in (first, second):
            page.set_default_timeout(60_000)  # a cold server on a busy machine
        first.goto(f"{address}voila/render/explore.ipynb")
        first.locator(".sdc-lead-answer").wait_for()
        second.goto(f"{address}voila/render/explore.ipynb{end}")
        second.get_by_role("heading", name="Server is full").wait_for()
        first.goto("about:blank")
        second.locator(".sdc-lead-answer").wait_for()
        assert second.url.endswith(end)
        second.close()


@contextmanager
def other_site(body):
    """Serve a page of somebody else, and give its port."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield site.server_port
        site.shutdown()


def test_what_another_page_loads_over_plain_http_starts_nothing(chromium):
    port = free_port()
    command = serve(port)
    at = f"http://room.test:{port}/voila/render/explore.ipynb"
    parts = (
        f"<img src='{at}'>",
        f"<img crossorigin src='{at}'>",
        f"<link rel=preload as=image href='{at}'>",
        f"<link rel=preload as=fetch crossorigin href='{at}'>",
        f"<link rel=modulepreload href='{at}'>",
    )
    own = f"http://127.0.0.1:{port}/"
    with running([*command, "--proxy", "room.test"], f"{own}health"):
        for part in parts:
            with other_site(f"<!doctype html>{part}") as other:
                page, asked = chromium.new_page(), []
                page.on("requestfinished", lambda one, asked=asked: asked.append(one.url))
                page.on("requestfailed", lambda one, asked=asked: asked.append(one.url))
                page.goto(f"http://other.test:{other}/", wait_until="commit")
                until(page, lambda asked=asked: at in asked)
                assert at in asked
                assert sessions(own) == 0, part
                page.close()
        page = chromium.new_page()
        page.goto(at)
        page.locator(".sdc-lead-answer").wait_for()
        assert sessions(own) == 1
        page.close()
