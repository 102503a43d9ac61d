"""Requests that no browser sends cost the server nothing, and the log says nothing of them."""

import asyncio
import base64
import gc
import json
import logging
import re
import socket
import sys
import time
import urllib.parse
from contextlib import ExitStack, closing, suppress
from urllib.parse import urlsplit

import pytest
import websocket
from jupyter_server.services.kernels.websocket import KernelWebsocketHandler
from tornado.websocket import WebSocketClosedError

from sdcwidgets.server import frontend, logs
from sdcwidgets.server.access_key import WRONG
from sdcwidgets.server.app import REQUEST_SECONDS
from sdcwidgets.server.channels import Channels
from serving import Log, free_port, logged, memory, running, serve
from visiting import come_and_go, connected, get, kernel_of, sessions

KEY, PROXY = "census-2026", "dashboards.example.org"


@pytest.fixture(scope="module")
def locked(tmp_path_factory):
    """A server with a key."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "sdcwidgets.cli",
        "serve",
        "--no-browser",
        "--port",
        str(port),
        "--key",
        KEY,
    ]
    address = f"http://127.0.0.1:{port}/sdcwidgets/static/plotly.min.js"
    with logged(command, address, tmp_path_factory.mktemp("log") / "locked") as served:
        yield served


def plain(served):
    place = urlsplit(served)
    return socket.create_connection((place.hostname, place.port), timeout=30)


@pytest.mark.slow
@pytest.mark.parametrize("line", ["POST /login", "GET /nothing", "POST /api/kernels"])
def test_a_large_body_is_not_read(locked, line):
    before = memory(locked)
    with plain(locked) as wire:
        wire.sendall(f"{line} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000000\r\n\r\n".encode())
        with suppress(OSError):  # closed by the server
            for _ in range(80):
                wire.sendall(bytes(1_000_000))
        assert memory(locked) - before < 10e6
    assert get(f"{locked}health")[0] == 200


@pytest.mark.slow
def test_a_request_that_does_not_end_is_given_up(locked):
    """Neither a body that stops nor a head that comes a line a second keeps a connection."""
    start = time.monotonic()
    with plain(locked) as body, plain(locked) as head:
        body.sendall(b"POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nkey=")
        head.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        with suppress(OSError):  # closed by the server
            while time.monotonic() - start < REQUEST_SECONDS + 10:
                time.sleep(1)
                head.sendall(b"X-More: yes\r\n")
        assert time.monotonic() - start < REQUEST_SECONDS + 10
        assert body.recv(1000) == b""


@pytest.mark.slow
@pytest.mark.parametrize("path", ["?key=%ff%fe", "voila/render/explore.ipynb?key=%ff", "login?next=%ff"])
def test_an_address_that_is_no_text_is_refused_quietly(locked, path):
    log = Log(locked)
    status, _, text = get(locked + path)
    assert (status, "<html" in text) == (400, True)
    assert log.text() == ""


@pytest.mark.slow
@pytest.mark.parametrize("path", ["login", "", "nothing", "voila/static/x", "voila/labextensions/x"])
def test_a_form_that_cannot_be_read_is_refused_quietly(locked, path):
    log = Log(locked)
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    assert 400 <= get(locked + path, kind, method="POST", data=b"--x\r\nno form")[0] < 500
    assert log.text() == ""


NOBODY = "00000000-0000-0000-0000-000000000000"


@pytest.mark.slow
@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    "path",
    [
        "nothing",
        "voila/static/x.js",
        "voila/static/",
        "voila/static/%00",
        "voila/templates/lab/static/..%2fx",
        "voila/labextensions/x",
        "voila/api/themes/x",
        f"api/kernels/{NOBODY}",
        f"voila/api/shutdown/{NOBODY}",
        "voila/render/x.ipynb",
        "voila/render/explore.ipynb",
    ],
)
def test_every_refusal_is_a_page_of_this_project(locked, path, method):
    status, headers, text = get(locked + path, method=method, data=b"" if method == "POST" else None)
    if status >= 400:
        assert "sdcwidgets</title>" in text
        assert "All dashboards" in text
        assert headers["Content-Type"].startswith("text/html")
    else:
        assert "Enter the access key" in text


@pytest.mark.slow
@pytest.mark.parametrize("to", ["/%0d%0aX-A:b", "/%0aX", "/a%09b", "http://[", "/%7f", "/%E2%80%A8a"])
def test_nobody_is_led_to_what_is_no_address(locked, to):
    log = Log(locked)
    _, headers, text = get(f"{locked}login")
    token = text.split('name="_xsrf" value="')[1].split('"')[0]
    form = urllib.parse.urlencode({"key": KEY, "_xsrf": token}).encode()
    cookie = {"Cookie": headers["Set-Cookie"].split(";")[0]}
    status, headers, _ = get(f"{locked}login?next={to}", cookie, method="POST", data=form)
    assert (status, "X-A" in headers) == (400, False)
    assert get(f"{locked}login?key={KEY}&next={to}")[0] == 400
    assert log.text() == ""


@pytest.mark.slow
@pytest.mark.parametrize("how", ["", "login"])
def test_a_wrong_key_in_an_address_takes_as_long_as_one_that_is_typed(locked, how):
    start = time.monotonic()
    assert "Enter the access key" in get(f"{locked}{how}?key=wrong-key")[2]
    assert time.monotonic() - start >= WRONG


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", ["", "nothing", "voila/static/voila.js", "sdcwidgets/static/plotly.min.js", "health", "metrics"]
)
def test_a_server_of_this_machine_answers_to_no_other_name(served, path):
    log = Log(served)
    assert get(served + path, {"Host": "evil.example"})[0] == 403
    assert get(served + path, {"Host": "127.0.0.1.evil.example:80"})[0] == 403
    assert log.text() == ""


@pytest.mark.slow
@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8866", "127.0.0.1", "[::1]:8866"])
def test_it_answers_to_its_own_names(served, host):
    assert get(served, {"Host": host})[0] == 200


@pytest.mark.slow
@pytest.mark.parametrize("host", ["dashboards.example.org", "evil.example"])
def test_who_only_says_to_be_a_proxy_is_not_believed(served, host):
    assert get(served, {"Host": host, "X-Forwarded-For": "127.0.0.1"})[0] == 403


@pytest.fixture(scope="module")
def proxied():
    """A server behind a proxy, with one place for each address."""
    port = free_port()
    command = serve(port)
    command += ["--proxy", PROXY, "--per-address", "1"]
    with running(command, f"http://127.0.0.1:{port}/sdcwidgets/static/plotly.min.js"):
        yield f"http://127.0.0.1:{port}/"


def forwarded(address):
    return {"Host": PROXY, "X-Forwarded-For": address, "X-Forwarded-Proto": "https"}


@pytest.mark.slow
def test_it_answers_to_the_name_of_its_proxy_and_to_no_other(proxied):
    assert get(proxied, forwarded("192.0.2.1"))[0] == 200
    assert get(proxied, forwarded("192.0.2.1") | {"Host": f"{PROXY.upper()}:443"})[0] == 200
    assert get(proxied, forwarded("192.0.2.1") | {"Host": "evil.example"})[0] == 403


@pytest.mark.slow
def test_one_address_gets_so_many_sessions_and_the_next_one_its_own(proxied):
    page = f"{proxied}voila/render/explore.ipynb"
    status, headers, _ = get(page, forwarded("192.0.2.7"))
    assert status == 200
    assert "Secure" in headers["Set-Cookie"]
    status, headers, text = get(page, forwarded("192.0.2.7"))
    assert (status, "Retry-After" in headers, "Server is full" in text) == (503, True, True)
    assert get(page, forwarded("192.0.2.8"))[0] == 200


@pytest.mark.slow
def test_what_a_visitor_says_of_the_own_address_is_not_believed(proxied):
    """As nginx passes it on: what it was told itself stands last, and other headers are the visitor's."""
    page = f"{proxied}voila/render/explore.ipynb"
    others = [
        {"X-Real-Ip": "192.0.2.11"},
        {"X-Forwarded-For": "192.0.2.12, 192.0.2.10"},
        {"X-Scheme": "http"},
    ]
    answers = [get(page, forwarded("192.0.2.10") | said) for said in ({}, *others)]
    assert [status for status, *_ in answers] == [200, 503, 503, 503]
    assert all("Secure" in headers["Set-Cookie"] for _, headers, _ in answers[:1])


@pytest.mark.slow
def test_a_proxy_may_tell_a_port_and_a_scheme_in_any_writing(proxied):
    page = f"{proxied}voila/render/explore.ipynb"
    told = [
        f"{address}:{port}" for port in (1, 2) for address in ("203.0.113.5", "203.0.113.6", "[2001:db8::5]")
    ]
    answers = [get(page, forwarded(one) | {"X-Forwarded-Proto": "HTTPS"}) for one in told]
    assert [status for status, *_ in answers] == [200, 200, 200, 503, 503, 503]
    assert all("Secure" in headers["Set-Cookie"] for _, headers, _ in answers[:3])
    assert get(f"{proxied}health", forwarded("127.1"))[0] == 403


@pytest.mark.slow
def test_the_page_that_asks_for_the_key_sets_no_cookie_that_leaves_https():
    """Takes more than 10 s of processor time, because a server starts behind a proxy."""
    port = free_port()
    command = serve(port)
    address = f"http://127.0.0.1:{port}/"
    with running([*command, "--key", KEY, "--proxy", PROXY], f"{address}sdcwidgets/static/plotly.min.js"):
        for place in ("login", f"?key={KEY}", f"login?next=/&key={KEY}"):
            _, headers, _ = get(address + place, forwarded("192.0.2.7"))
            assert "Secure" in headers["Set-Cookie"]


@pytest.mark.slow
@pytest.mark.parametrize("more", [{}, {"X-Real-Ip": "127.0.0.1"}, {"X-Forwarded-For": "junk"}])
def test_a_monitor_elsewhere_is_told_nothing(proxied, more):
    for path in ("health", "metrics"):
        assert get(f"{proxied}{path}", forwarded("192.0.2.9") | more)[0] == 403
        assert get(f"{proxied}{path}")[0] == 200


@pytest.mark.slow
def test_metrics_are_the_numbers_of_the_health_report(served):
    status, headers, text = get(f"{served}metrics")
    assert (status, headers["Content-Type"]) == (200, "text/plain; version=0.0.4; charset=utf-8")
    metrics = dict(re.findall(r"^(sdcwidgets_\w+) (\d+)$", text, re.MULTILINE))
    report = json.loads(get(f"{served}health")[2])
    assert int(metrics["sdcwidgets_sessions_max"]) == report["most_sessions"]
    assert int(metrics["sdcwidgets_memory_megabytes"]) > 50
    assert f'sdcwidgets_info{{version="{report["version"]}"}} 1' in text
    assert text.count("# TYPE") == text.count("# HELP") == len(metrics) + 1


@pytest.mark.slow
def test_what_a_browser_keeps_says_nothing_of_the_key(locked):
    _, headers, _ = get(f"{locked}?key={KEY}")
    kept = headers["Set-Cookie"]
    inside = base64.b64decode(kept.split("|")[4].split(":", 1)[1] + "==")
    assert KEY.encode() not in inside
    assert KEY not in kept
    assert len(inside) >= 32


@pytest.mark.slow
def test_a_page_of_another_name_gets_no_websocket(served):
    kernel = kernel_of(get(f"{served}voila/render/explore.ipynb")[2])
    name = {"host": "evil.example", "origin": "http://evil.example"}
    with pytest.raises(websocket.WebSocketBadStatusException, match="403"), connected(served, kernel, **name):
        pass


@pytest.mark.slow
def test_with_a_key_any_name_will_do(locked):
    assert get(locked, {"Host": "evil.example"})[0] == 200


@pytest.mark.parametrize("late", [True, False])
def test_a_page_that_went_before_a_message_came_is_no_error(monkeypatch, late):
    reported = []

    def gone(*_):
        if not late:
            raise WebSocketClosedError

        async def fail():
            raise WebSocketClosedError

        return asyncio.ensure_future(fail())

    async def send():
        asyncio.get_running_loop().set_exception_handler(lambda _, told: reported.append(told))
        Channels.write_message(Channels.__new__(Channels), b"x", binary=True)
        for _ in range(3):  # until the loop has sent it
            await asyncio.sleep(0)
        gc.collect()

    monkeypatch.setattr(KernelWebsocketHandler, "write_message", gone)
    asyncio.run(send())
    assert not reported


@pytest.mark.slow
def test_a_server_at_work_writes_one_line(capfd):
    """None about pings, whose seconds Jupyter takes for milliseconds, nor about who hangs up while a page comes."""
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    command = serve(port)
    with running(command, f"{address}health"):
        come_and_go(address)
        for _ in range(3):
            come_and_go(address, patient=False)
        while sessions(address):
            time.sleep(0.1)
        written = capfd.readouterr()
    assert written.out == ""
    assert written.err == f"The dashboards are at http://localhost:{port}/ (Ctrl+C stops the server).\n"


@pytest.mark.slow
def test_who_reads_slowly_holds_a_piece_of_a_file_and_not_the_whole(served):
    place, before = urlsplit(served), memory(served)
    with ExitStack() as stack:
        for _ in range(40):
            slow = stack.enter_context(closing(socket.socket()))
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.connect((place.hostname, place.port))
            slow.sendall(f"GET /{frontend.ROUTE} HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
        # It is asked after all of them, so all of them have been heard.
        assert get(f"{served}health")[0] == 200
        assert memory(served) - before < 40 * 2**20


@pytest.mark.parametrize(
    ("name", "message", "sentence"),
    [
        ("sdcwidgets.server", "A websocket from 127.0.0.1 was closed: one too many.", "one too many"),
        ("asyncio", "Task %d holds a table.", "Error in asyncio."),
    ],
)
def test_the_same_sentence_is_written_so_often_and_then_no_more(put_back, capsys, name, message, sentence):
    """Whatever words it was made of that are not written."""
    logs.start(dev=False)
    for turn in range(100):
        logging.getLogger(name).error(message, *[turn] * message.count("%"))
    logs.log.warning("Something else.")
    written = capsys.readouterr().err.splitlines()
    assert len(written) <= 2 * logs.MOST_ALIKE + 1  # a new minute may have begun
    assert all(sentence in line for line in written[:-1])
    assert any("Further messages of this kind" in line for line in written)
    assert "Something else." in written[-1]


def test_the_log_holds_no_id_of_a_session(put_back, capsys):
    """Whose connection ends within its handshake leaves an error with its address."""
    logs.start(dev=False)
    session = "c242f891-0b5e-4c21-9d6f-00aa11bb22cc"
    logs.access_log.error("500 GET /api/kernels/%s/channels?key=word", session)
    written = capsys.readouterr().err
    assert written.endswith("500 GET /api/kernels/…/channels?…\n")
