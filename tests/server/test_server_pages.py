"""Which requests the pages of a server accept, and its health report, without a server."""

import asyncio
from types import SimpleNamespace

import pytest
from tornado.httputil import HTTPHeaders
from tornado.web import HTTPError

from sdcwidgets.server import pages
from sdcwidgets.server.pages import (
    METRICS,
    Health,
    HostMismatch,
    Metrics,
    PublicAddress,
    ServedPage,
    is_loopback,
)

DOCUMENT = {"Sec-Fetch-Dest": "document"}
BROWSER = {"User-Agent": "Mozilla/5.0", "Accept": "text/html"}


@pytest.mark.parametrize(
    ("headers", "accepted"),
    [
        (DOCUMENT, True),
        ({"Sec-Fetch-Dest": "empty"}, False),
        ({"Sec-Fetch-Dest": "empty", "Accept": "text/html"}, False),
        (BROWSER, True),
        (BROWSER | {"Accept": "*/*"}, False),
        (BROWSER | {"Origin": "http://a"}, False),
        ({"User-Agent": "curl/8", "Accept": "*/*"}, True),
        (DOCUMENT | {"Sec-Purpose": "prefetch;prerender"}, False),
        (DOCUMENT | {"Purpose": "prefetch"}, False),
        (DOCUMENT | {"X-Purpose": "preview"}, False),
        (DOCUMENT | {"X-Moz": "prefetch"}, False),
    ],
)
def test_only_navigations_start_a_page(headers, accepted):
    handler = SimpleNamespace(request=SimpleNamespace(headers=HTTPHeaders(headers)))
    if accepted:
        ServedPage.check_asked_for(handler)
    else:
        with pytest.raises(HTTPError) as refused:
            ServedPage.check_asked_for(handler)
        assert refused.value.status_code == 403


@pytest.mark.parametrize(
    ("name", "proxy", "known"),
    [
        ("localhost", "", True),
        ("LOCALHOST", "", True),
        ("127.0.0.1", "", True),
        ("[::1]", "", True),
        ("203.0.113.5", "", False),
        ("evil.example", "", False),
        ("", "", False),
        ("Office.example", "office.Example", True),
        ("evil.example", "office.example", False),
        ("localhost", "office.example", True),
    ],
)
def test_requests_name_this_machine_or_its_proxy(name, proxy, known):
    request = SimpleNamespace(host_name=name)
    assert HostMismatch(proxy).match(request) == (None if known else {})
    assert is_loopback(name.lower().strip("[]")) is (known and "office" not in name.lower())


@pytest.mark.parametrize(
    ("headers", "address", "scheme"),
    [
        ({}, "127.0.0.1", "http"),
        ({"X-Forwarded-For": "203.0.113.5"}, "203.0.113.5", "http"),
        ({"X-Forwarded-For": "198.51.100.7, 203.0.113.5:443"}, "203.0.113.5", "http"),
        ({"X-Forwarded-For": "nonsense"}, "0.0.0.0", "http"),
        ({"X-Forwarded-Proto": "http, HTTPS"}, "127.0.0.1", "https"),
        ({"X-Forwarded-Proto": "ftp"}, "127.0.0.1", "http"),
    ],
)
def test_a_proxy_states_the_address_and_the_scheme(headers, address, scheme):
    request = SimpleNamespace(headers=HTTPHeaders(headers), remote_ip="127.0.0.1", protocol="http")
    assert PublicAddress().match(request) is None
    assert (request.remote_ip, request.protocol) == (address, scheme)


class Visits(list):
    most = 3


def handler_of(kind, visits=1, address="127.0.0.1", user=None, keys=False):
    """Return a handler of a server with some visits, and what it sends."""

    class Handler(kind):
        kernels = SimpleNamespace(visits=Visits([None] * visits), ready=["spare", "spare"])
        request = SimpleNamespace(remote_ip=address)
        identity_provider = SimpleNamespace(auth_enabled=keys)
        current_user = user

        def __init__(self):
            self.headers, self.sent = {}, None

        def set_header(self, name, value):
            self.headers[name] = value

        def finish(self, sent=None):
            self.sent = sent

    return Handler()


@pytest.fixture
def processes(monkeypatch):
    monkeypatch.setattr(pages, "_processes", lambda: (5, 300 * 2**20))


@pytest.mark.parametrize(("visits", "status"), [(0, "ok"), (2, "ok"), (3, "full"), (4, "full")])
def test_the_health_report_counts_sessions(visits, status, processes):
    handler = handler_of(Health, visits)
    asyncio.run(handler.get())
    report = handler.sent
    assert (report["status"], report["sessions"], report["most_sessions"]) == (status, visits, 3)
    assert (report["ready"], report["processes"], report["memory_mb"]) == (2, 5, 300)
    assert handler.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("address", "user", "keys", "accepted"),
    [
        ("127.0.0.1", None, True, True),
        ("::1", None, False, True),
        ("203.0.113.5", None, True, False),
        ("203.0.113.5", "guest", True, True),
        ("203.0.113.5", "guest", False, False),
        (None, None, True, False),
    ],
)
def test_the_health_report_is_for_this_machine_or_with_the_key(address, user, keys, accepted, processes):
    handler = handler_of(Health, address=address, user=user, keys=keys)
    if accepted:
        asyncio.run(handler.get())
        assert handler.sent
    else:
        with pytest.raises(HTTPError) as refused:
            asyncio.run(handler.get())
        assert refused.value.status_code == 403


def test_metrics_are_the_numbers_of_the_report(processes):
    report, metrics = handler_of(Health), handler_of(Metrics)
    asyncio.run(report.get())
    asyncio.run(metrics.get())
    values = dict(line.split(" ") for line in metrics.sent.splitlines() if not line.startswith("#"))
    version = report.sent["version"]
    assert values == {name: str(report.sent[key]) for key, name, _ in METRICS} | {
        f'sdcwidgets_info{{version="{version}"}}': "1"
    }
    gauges = [
        line for line in metrics.sent.splitlines() if line.startswith("# TYPE") and line.endswith(" gauge")
    ]
    assert len(gauges) == len(METRICS) + 1
    assert "version=0.0.4" in metrics.headers["Content-Type"]
