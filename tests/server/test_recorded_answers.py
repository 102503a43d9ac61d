"""Answers of the server to requests that need no session, compared with a recorded file.

Other tests say why an answer is right; this one notices any other change of a status, a header, a link or a form. After
an intended change, `pytest --renew-snapshots tests/server/test_recorded_answers.py` writes the file anew, and its
differences are read before a commit.
"""

import asyncio
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from tornado.httpclient import AsyncHTTPClient
from voila.app import Voila

from sdcwidgets.server import app, logs, visits
from sdcwidgets.teaching.course import read
from serving import free_port

FILE = Path(__file__).parent / "recorded_answers.txt"

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"

KEY, TRAINER = "access-key-0123456789", "trainer-key-0123456789"

#: The token that a form and a cookie must share.
TOKEN = "0123456789abcdef0123456789abcdef"

#: Options of servers.
SERVERS = {
    "local": {"host": "127.0.0.1"},
    "key": {"host": "0.0.0.0", "key": KEY, "limits": app.Limits(visitors=3, per_address=2, memory=300)},
    "course": {"host": "127.0.0.1", "trainer": TRAINER},
    "proxy": {"host": "127.0.0.1", "proxy": "tables.example.org"},
}

KERNEL = "api/kernels/01234567-89ab-cdef-0123-456789abcdef"

#: Requests to each server: method, path, body and further headers.
REQUESTS = [
    ("GET", "", None, {}),
    ("GET", f"?key={KEY}", None, {}),
    ("GET", "?key=wrong", None, {}),
    ("HEAD", "", None, {}),
    ("GET", "voila/render/index.ipynb", None, {}),
    ("GET", "explore.ipynb", None, {}),
    ("GET", "explore.ipynb?lang=en", None, {}),
    ("GET", "health", None, {}),
    ("GET", "metrics", None, {}),
    ("GET", "login", None, {}),
    ("POST", "login", f"key={KEY}", {}),
    ("POST", "login", f"key={KEY}&_xsrf={TOKEN}", {"Cookie": f"_xsrf={TOKEN}"}),
    ("POST", "login", f"key=wrong&_xsrf={TOKEN}", {"Cookie": f"_xsrf={TOKEN}"}),
    ("POST", "login?next=https://example.org/", f"key={KEY}&_xsrf={TOKEN}", {"Cookie": f"_xsrf={TOKEN}"}),
    ("GET", "course", None, {}),
    ("GET", "course/board", None, {}),
    ("GET", f"course/board?trainer={TRAINER}", None, {}),
    ("GET", "course/board?trainer=wrong", None, {}),
    ("GET", "course/handout.html", None, {}),
    ("GET", f"course/board/handout.html?trainer={TRAINER}", None, {}),
    ("GET", f"course/board/solutions.html?trainer={TRAINER}", None, {}),
    ("GET", f"course/board/board.csv?trainer={TRAINER}", None, {}),
    ("GET", "course/board/board.csv", None, {}),
    ("GET", KERNEL, None, {}),
    ("POST", f"{KERNEL}/interrupt", "", {}),
    ("GET", f"{KERNEL}/channels", None, {}),
    ("POST", "voila/api/shutdown/01234567-89ab-cdef-0123-456789abcdef", "", {}),
    ("GET", "voila/static/missing.js", None, {}),
    ("GET", "voila/templates/lab/static/../../x", None, {}),
    ("GET", "voila/labextensions/missing.js", None, {}),
    ("GET", "missing", None, {}),
    ("PUT", "health", "", {}),
    ("GET", "health", None, {"Host": "other.example.org"}),
    ("GET", "health", None, {"Host": "tables.example.org", "X-Forwarded-For": "192.0.2.7"}),
    ("GET", "", None, {"Cookie": "key=wrong"}),
    ("GET", "health", None, {"Authorization": f"token {KEY}"}),
]

#: Headers that this project sets; versions of other packages differ in further ones.
HEADERS = {
    "Cache-Control",
    "Content-Disposition",
    "Content-Security-Policy",
    "Content-Type",
    "Location",
    "Referrer-Policy",
    "Retry-After",
    "Set-Cookie",
}

#: Memory, numbers of processes and sessions, versions, ports, words of the security policy, and values of cookies.
VARYING = re.compile(
    r"""(?<=megabytes )\d+|(?<=memory_mb": )\d+|(?<=sessions": )\d+|(?<=processes": )\d+"""
    r"""|(?<=processes )\d+|(?<=sessions )\d+|(?<=sessions_max )\d+"""
    r"""|(?<=version=")[^"]+|(?<=version": ")[^"]+|(?<=\?v=)\w+"""
    r"""|(?<=localhost:)\d+|(?<=127\.0\.0\.1:)\d+|(?<=127-0-0-1-)\d+|(?<=nonce-)[^']+|(?<==)"?2\|[^;]+|(?<=expires=)[^;]+"""
)


@pytest.fixture
def started(monkeypatch):
    """Return a function that starts a server within the running loop."""
    loop = SimpleNamespace(run_in_executor=lambda *_: None, add_callback=lambda *_, **__: None)
    monkeypatch.setattr(app, "IOLoop", SimpleNamespace(current=lambda: loop))
    monkeypatch.setattr(visits, "memory", lambda: 4 * 2**30)
    monkeypatch.setattr(logs, "start", lambda **_: None)
    servers = []

    def listen(self):
        servers.append((self, self.app.listen(self.port, "127.0.0.1")))

    monkeypatch.setattr(Voila, "listen", listen)

    def start(name):
        options = dict(SERVERS[name])
        if name == "course":
            options["course"] = read("frequency-tables-and-entropy")
        app.serve(NOTEBOOKS, port=free_port(), **options)
        servers[-1][0].welcome()
        return servers[-1]

    return start


def facts(response):
    """Return the status, headers, headings, links and forms of an answer."""
    known = [(name, value) for name, value in response.headers.get_all() if name in HEADERS]
    headers = (f"{name}: {value.replace('UTF-8', 'utf-8')}" for name, value in known if "_xsrf" not in value)
    body = response.body.decode() if response.body else ""
    headings = re.findall(r"<h1[^>]*>(.*?)</h1>", body, re.DOTALL)
    forms = re.findall(r"(?:action|method|name)=\"([^\"]*)\"", body)
    short = body if not body.startswith("<") and len(body) < 2000 else ""
    lines = [
        str(response.code),
        *sorted(headers),
        *headings,
        " ".join(sorted(set(forms))),
        *short.splitlines(),
    ]
    return [f"    {VARYING.sub('…', line.strip())}" for line in lines if line.strip()]


async def answers(name, start):
    """Return the answers of one server as lines."""
    server, listening = start(name)
    client, lines = AsyncHTTPClient(force_instance=True), []
    try:
        for method, path, body, headers in REQUESTS:
            address = f"http://127.0.0.1:{server.port}/{path}"
            options = {"follow_redirects": False, "raise_error": False}
            response = await client.fetch(address, method=method, body=body, headers=headers, **options)
            more = "".join(f" [{key}: {value}]" for key, value in headers.items())
            lines += [f"{name}: {method} /{path}{more}{f' {body}' if body else ''}", *facts(response)]
    finally:
        client.close()
        listening.stop()
        await server.kernel_manager.shutdown_all()
        shutil.rmtree(server.connection_dir)
    return lines


@pytest.mark.parametrize("name", SERVERS)
def test_a_server_answers_as_recorded(name, started, pytestconfig):
    lines = asyncio.run(answers(name, started))
    file = FILE.with_stem(f"{FILE.stem}_{name}")
    if pytestconfig.getoption("--renew-snapshots"):
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return
    known = file.read_text("utf-8").splitlines()
    assert [pair for pair in zip(known, lines, strict=False) if pair[0] != pair[1]] == []
    assert len(known) == len(lines)
