"""How many visitors come in, who is asked for a key, and what starts nothing."""

import sys
import time
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar

import pytest
import websocket

from sdcwidgets import InputError
from sdcwidgets.server.access_key import check_key, new_key
from sdcwidgets.server.visits import TooManyVisitors, Visits
from serving import free_port, running, serve
from visiting import (
    Visitor,
    connected,
    get,
    goodbye,
    health,
    kernel_of,
    message,
    packed,
    parents_until,
    unpacked,
)

EXPLORE = "voila/render/explore.ipynb"


def serving(*options):
    port = free_port()
    command = serve(port, *options)
    return running(
        command, f"http://127.0.0.1:{port}/sdcwidgets/static/plotly.min.js"
    ), f"http://127.0.0.1:{port}/"


@pytest.fixture(scope="module")
def small():
    """A server with room for two, one of them ready."""
    server, address = serving("--visitors", "2", "--preheat", "1")
    with server:
        yield address


def test_so_many_visits_and_no_more():
    visits = Visits(3, from_one=2)
    first = visits.begin("a")
    visits.begin("a")
    with pytest.raises(TooManyVisitors):
        visits.begin("a")
    visits.begin("b")
    with pytest.raises(TooManyVisitors):
        visits.begin("c")
    visits.end(first)
    visits.end(first)
    visits.begin("a")
    assert len(visits) == 3


@pytest.mark.slow
def test_a_full_server_says_so_calmly_and_has_room_again(small):
    """Takes more than 10 s of processor time, because a server starts and opens three pages."""
    pages = [get(small + EXPLORE) for _ in range(2)]
    assert [status for status, _, _ in pages] == [200, 200]
    status, headers, text = get(small + EXPLORE)
    assert (status, int(headers["Retry-After"]) > 0) == (503, True)
    assert "Server is full" in text
    assert f'http-equiv="refresh" content="{headers["Retry-After"]}"' in text
    assert get(small)[0] == 200
    assert health(small)["status"] == "full"
    assert goodbye(small, kernel_of(pages[0][2]), pages[0][1]) == 204
    assert get(small + EXPLORE)[0] == 200


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere sessions share nothing")
def test_what_sessions_share_is_nobody_s():
    """The page Tables holds 140 MB itself, and 120 MB more that are there once for all.

    Takes more than 10 s of processor time, because a server starts and opens its largest page.
    """
    server, address = serving("--memory", "200")
    with server:
        kernel = kernel_of(get(f"{address}voila/render/tables.ipynb")[2])
        with connected(address, kernel) as channel:
            widgets = Visitor(channel).widgets
            time.sleep(5)
            assert set(Visitor(channel).widgets) == set(widgets)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "headers"),
    [
        ("HEAD", {}),
        ("GET", {"Sec-Fetch-Dest": "image", "Sec-Fetch-Site": "cross-site"}),
        ("GET", {"Sec-Fetch-Dest": "iframe", "Sec-Fetch-Site": "cross-site"}),
        ("GET", {"Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "no-cors"}),
        ("GET", {"Sec-Fetch-Dest": "document", "Sec-Purpose": "prefetch;prerender"}),
        ("GET", {"X-Moz": "prefetch"}),
        ("GET", {"User-Agent": "Mozilla/5.0", "Accept": "image/webp,*/*;q=0.8"}),
        ("GET", {"User-Agent": "Mozilla/5.0", "Accept": "*/*"}),
        ("GET", {"Origin": "http://other.test"}),
        ("GET", {"X-Purpose": "preview"}),
    ],
    ids=[
        "HEAD",
        "a picture",
        "a frame",
        "a script",
        "ahead of its time",
        "an old Firefox",
        "a picture over http",
        "a script over http",
        "another site over http",
        "an old Safari",
    ],
)
def test_what_nobody_looks_at_starts_nothing(served, method, headers):
    before = health(served)["sessions"]
    status, _, text = get(served + EXPLORE, headers, method=method)
    assert (status, text) == (200, "") if method == "HEAD" else status == 403
    assert health(served)["sessions"] <= before  # a session of an earlier visitor may end meanwhile


@pytest.mark.slow
def test_a_visitor_who_comes_from_a_link_elsewhere_is_let_in(served):
    headers = {"Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "cross-site"}
    assert get(served + EXPLORE, headers)[0] == 200


@pytest.mark.slow
def test_the_landing_page_needs_no_kernel(served):
    before = health(served)["sessions"]
    for path in ("", "voila/render/index.ipynb"):
        status, _, html = get(served + path)
        assert (status, "explore.ipynb" in html, "kernelId" in html) == (200, True, False)
    assert health(served)["sessions"] == before


@pytest.mark.slow
def test_a_kernel_is_ready_for_whichever_page_is_asked_for_next():
    """Takes more than 10 s of processor time, because a server starts with two kernels."""
    server, address = serving("--preheat", "2")
    with server:
        until = time.monotonic() + 60
        while health(address)["ready"] < 2 and time.monotonic() < until:
            time.sleep(0.2)
        for page in ("explore", "weights"):
            _, _, html = get(f"{address}voila/render/{page}.ipynb")
            asked = message("kernel_info_request", {})
            with connected(address, kernel_of(html)) as channel:
                channel.send_binary(packed(asked))
                assert asked["header"]["msg_id"] in parents_until(channel, asked)
        assert health(address)["sessions"] == 2
        until = time.monotonic() + 60
        while health(address)["ready"] < 2 and time.monotonic() < until:
            time.sleep(0.2)
        assert health(address)["ready"] == 2


@pytest.fixture(scope="module")
def locked():
    server, address = serving("--key", "census-2026")
    with server:
        yield address


@pytest.mark.slow
def test_who_has_no_key_is_asked_for_it(locked):
    """Takes more than 10 s of processor time, because a server starts for this module's tests with a key."""
    address = locked
    status, _, text = get(address + EXPLORE)
    assert (status, "Enter the access key" in text) == (200, True)
    for path in ("", "voila/render/weights.ipynb"):
        assert "Enter the access key" in get(address + path)[2]
    visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    with visitor.open(f"{address}?key=census-2026", timeout=60) as answer:
        assert "Enter the access key" not in answer.read().decode()
        assert "HttpOnly" in answer.headers["Set-Cookie"]
        assert "SameSite=Lax" in answer.headers["Set-Cookie"]
    with visitor.open(address + EXPLORE, timeout=60) as answer:
        kernel = kernel_of(answer.read().decode())
    refused = connected(address, kernel)
    with pytest.raises(websocket.WebSocketBadStatusException, match="403"), refused:
        pass
    assert kernel not in get(f"{address}api/kernels/{kernel}")[2]


@pytest.mark.slow
@pytest.mark.parametrize(("typed", "status"), [("census-2026", 200), ("wrong", 401), ("", 401)])
def test_the_key_can_be_typed(locked, typed, status):
    _, headers, text = get(f"{locked}login?next=%2F%2Felsewhere.example")
    token = text.split('name="_xsrf" value="')[1].split('"')[0]
    form = urllib.parse.urlencode({"key": typed, "_xsrf": token}).encode()
    cookie = {"Cookie": headers["Set-Cookie"].split(";")[0]}
    told, _, text = get(f"{locked}login?next=%2F%2Felsewhere.example", cookie, method="POST", data=form)
    # It leads to the landing page, not to where the address would have led; without the cookie, to the question.
    assert (told, "The access key is wrong" in text) == (status, status != 200)
    assert "elsewhere" not in text or status != 200


def test_a_new_key_may_be_used_and_is_never_the_same():
    keys = {check_key(new_key()) for _ in range(20)}
    assert len(keys) == 20


@pytest.mark.slow
def test_even_quietly_the_address_and_its_key_are_told(capfd):
    port = free_port()
    command = [sys.executable, "-m", "sdcwidgets.cli", "serve", "-q", "--no-browser", "--port", str(port)]
    with running(
        [*command, "--key", "room-word"], f"http://127.0.0.1:{port}/sdcwidgets/static/plotly.min.js"
    ):
        pass
    assert f"http://localhost:{port}/?key=room-word" in capfd.readouterr().err


@pytest.mark.parametrize("key", ["", "short", "with space", "naïve-word", "a?b&c=d"])
def test_a_key_that_can_be_guessed_or_not_be_written_is_refused(key):
    with pytest.raises(InputError, match="at least 6"):
        check_key(key)


@pytest.mark.slow
def test_a_page_is_told_of_its_widgets_at_once(served):
    """By one question for all; a front end that gets no answer to it asks for each, and gives up on a slow machine.

    Takes 15 s where it is the first test of the server, which starts for it.
    """
    _, _, html = get(served + EXPLORE)
    content = {"comm_id": "all", "target_name": "jupyter.widget.control", "data": {}}
    opening = message("comm_open", content, metadata={"version": "1.0.0"})
    asked = message("comm_msg", {"comm_id": "all", "data": {"method": "request_states"}})
    with connected(served, kernel_of(html)) as channel:
        for item in (opening, asked):
            channel.send_binary(packed(item))
        while (told := unpacked(channel.recv()))["header"]["msg_type"] != "comm_msg":
            assert told["header"]["msg_type"] != "comm_close"
    assert told["content"]["data"]["method"] == "update_states"
    assert len(told["content"]["data"]["states"]) > 20
