"""Requests that no browser sends cost the server nothing, and the log says nothing of them."""

import socket
import sys
import time
import urllib.parse
from contextlib import suppress
from urllib.parse import urlsplit

import psutil
import pytest

from sdcwidgets.server.app import BODY_SECONDS
from serving import free_port, running
from visiting import get

KEY = "census-2026"


@pytest.fixture(scope="module")
def locked():
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
    with running(command, f"http://127.0.0.1:{port}/sdcwidgets/static/plotly.min.js"):
        yield f"http://127.0.0.1:{port}/"


def memory(served):
    port = urlsplit(served).port
    with_port = (one for one in psutil.net_connections("tcp") if one.laddr and one.laddr.port == port)
    return (
        psutil.Process(next(one.pid for one in with_port if one.status == psutil.CONN_LISTEN))
        .memory_info()
        .rss
    )


def plain(served):
    place = urlsplit(served)
    return socket.create_connection((place.hostname, place.port), timeout=30)


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


def test_a_body_that_does_not_end_is_given_up(locked):
    with plain(locked) as wire:
        wire.sendall(b"POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nkey=")
        start = time.monotonic()
        assert wire.recv(1000) == b""
        assert time.monotonic() - start < BODY_SECONDS + 10


@pytest.mark.parametrize("path", ["?key=%ff%fe", "voila/render/explore.ipynb?key=%ff", "login?next=%ff"])
def test_an_address_that_is_no_text_is_refused_quietly(locked, capfd, path):
    status, _, text = get(locked + path)
    assert (status, "<html" in text) == (400, True)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("path", ["login", "", "nothing", "voila/static/x", "voila/labextensions/x"])
def test_a_form_that_cannot_be_read_is_refused_quietly(locked, capfd, path):
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    assert 400 <= get(locked + path, kind, method="POST", data=b"--x\r\nno form")[0] < 500
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("to", ["/%0d%0aX-A:b", "/%0aX", "/a%09b", "http://[", "/%7f", "/%E2%80%A8a"])
def test_nobody_is_led_to_what_is_no_address(locked, capfd, to):
    _, headers, text = get(f"{locked}login")
    token = text.split('name="_xsrf" value="')[1].split('"')[0]
    form = urllib.parse.urlencode({"key": KEY, "_xsrf": token}).encode()
    cookie = {"Cookie": headers["Set-Cookie"].split(";")[0]}
    status, headers, _ = get(f"{locked}login?next={to}", cookie, method="POST", data=form)
    assert (status, "X-A" in headers) == (400, False)
    assert get(f"{locked}login?key={KEY}&next={to}")[0] == 400
    assert capfd.readouterr().err == ""
