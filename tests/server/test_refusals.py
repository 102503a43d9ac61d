"""What a served dashboard gives away to someone who asks for more than the page."""

import json
import re
import time
import urllib.error
import urllib.request
import uuid
from contextlib import closing

import pytest
import websocket

from sdcwidgets.server.app import MESSAGE_LIMIT


def get(address: str) -> tuple[int, dict[str, str], str]:
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            return answer.status, dict(answer.headers), answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers), error.read().decode()


@pytest.fixture(scope="module")
def page(served):
    """The landing page as it is served: headers and HTML."""
    status, headers, html = get(served)
    assert status == 200
    return headers, html


def kernel_of(html: str) -> str:
    return re.search(r'dataset.kernelId = "([\w-]+)"', html)[1]


def message(kind: str, content: dict) -> dict:
    header = {
        "msg_id": uuid.uuid4().hex,
        "msg_type": kind,
        "session": "test",
        "username": "",
        "version": "5.3",
    }
    return {
        "header": header,
        "parent_header": {},
        "metadata": {},
        "content": content,
        "channel": "shell",
        "buffers": [],
    }


@pytest.mark.parametrize(
    "path",
    [
        "voila/tree",
        "voila/tree/",
        "voila/api/contents",
        "voila/api/contents/",
        "voila/api/contents/index.ipynb",
        "voila/files/index.ipynb",
        "voila/files/picture.png",
        "voila/files/..%2f..%2fpyproject.toml",
        "voila/render/",
        "voila/render/missing.ipynb",
        "voila/render/..%2fpyproject.toml",
        "voila/render/../pyproject.toml",
        "voila/static/",
        "voila/static/..%2f..%2f..%2fetc/passwd",
        "voila/templates/",
        "files/index.ipynb",
        "notebooks/index.ipynb",
        "api/contents",
        "api/kernels",
        "api/sessions",
        "api/terminals",
        "login",
        "metrics",
    ],
)
def test_nothing_but_pages_is_there(served, path):
    status, _, body = get(served + path)
    assert status in (400, 403, 404)
    assert "nbformat" not in body
    assert "Traceback" not in body


def test_nothing_can_be_posted_to_kernels(served):
    request = urllib.request.Request(f"{served}api/kernels", data=b"{}", method="POST")
    with pytest.raises(urllib.error.HTTPError) as refused, urllib.request.urlopen(request, timeout=60):
        pass
    refused.value.close()
    assert refused.value.code in (403, 404, 405)


def test_template_and_theme_cannot_be_chosen(served, page):
    _, html = page
    _, _, other = get(f"{served}?template=reveal&theme=JupyterLab%20Dark&voila-theme=dark")
    without_ids = [re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}", "", text) for text in (html, other)]
    assert without_ids[0] == without_ids[1]
    assert "reveal" not in other


def test_sources_are_stripped(page):
    _, html = page
    assert "import" not in re.sub(r"<script.*?</script>|<style.*?</style>", "", html, flags=re.DOTALL)
    assert "dashboards import" not in html


def test_page_names_no_other_host(page):
    _, html = page
    assert set(re.findall(r"https?://[\w.-]+", html)) <= {"http://www.w3.org"}


def test_page_says_what_it_may_load(page):
    headers, _ = page
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "script-src-attr 'none'" in policy


def parents_until(channel, asked):
    """Which messages were answered, up to the answer to the one that was asked last."""
    parents = []
    deadline = time.monotonic() + 30
    while asked["header"]["msg_id"] not in parents and time.monotonic() < deadline:
        parents.append(json.loads(channel.recv())["parent_header"].get("msg_id"))
    return parents


def test_code_sent_by_websocket_is_not_run(served, page, tmp_path):
    _, html = page
    trace = tmp_path / "was-here"
    address = served.replace("http", "ws") + f"api/kernels/{kernel_of(html)}/channels"
    channel = websocket.create_connection(address, timeout=30, origin=served.rstrip("/"))
    code = f"open({str(trace)!r}, 'w').close()"
    refused = [
        message(
            "execute_request", {"code": code, "silent": False, "store_history": False, "allow_stdin": False}
        ),
        message("complete_request", {"code": "pri", "cursor_pos": 3}),
        message("inspect_request", {"code": "print", "cursor_pos": 3, "detail_level": 0}),
        message("history_request", {"output": True, "raw": True, "hist_access_type": "tail", "n": 10}),
        message("debug_request", {"type": "request", "seq": 1, "command": "initialize", "arguments": {}}),
    ]
    asked = message("kernel_info_request", {})
    for item in (*refused, asked):
        channel.send(json.dumps(item))
    parents = parents_until(channel, asked)
    channel.close()
    # The question that is allowed was sent last and is answered, so the others had their turn.
    assert asked["header"]["msg_id"] in parents
    assert not {item["header"]["msg_id"] for item in refused} & set(parents)
    assert not trace.exists()


def test_a_foreign_page_gets_no_websocket(served, page):
    _, html = page
    address = served.replace("http", "ws") + f"api/kernels/{kernel_of(html)}/channels"
    with pytest.raises(websocket.WebSocketBadStatusException, match="403"):
        websocket.create_connection(address, timeout=30, origin="http://elsewhere.example")


@pytest.mark.parametrize(("size", "taken"), [(30_000_000, True), (MESSAGE_LIMIT, False)])
def test_a_large_file_comes_through_up_to_the_limit(served, page, size, taken):
    _, html = page
    address = served.replace("http", "ws") + f"api/kernels/{kernel_of(html)}/channels"
    asked = message("kernel_info_request", {})
    with closing(websocket.create_connection(address, timeout=30, origin=served.rstrip("/"))) as channel:
        try:
            for item in (message("comm_msg", {"comm_id": "nobody", "data": {"file": "x" * size}}), asked):
                channel.send(json.dumps(item))
            answered = asked["header"]["msg_id"] in parents_until(channel, asked)
        except (websocket.WebSocketException, OSError, ValueError):
            answered = False  # closed while it was sent, or instead of an answer
    assert answered == taken
