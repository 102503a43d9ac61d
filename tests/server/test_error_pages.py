"""What a served dashboard gives away to someone who asks for more than the page."""

import re
import urllib.error
import urllib.request

import pytest
import websocket

from sdcwidgets.server.app import MESSAGE_LIMIT
from serving import Log
from visiting import connected, get, kernel_of, message, packed, parents_until


@pytest.fixture(scope="module")
def page(served):
    """A page as it is served: headers and HTML."""
    status, headers, html = get(f"{served}voila/render/explore.ipynb")
    assert status == 200
    return headers, html


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
    ],
)
def test_nothing_but_pages_is_there(served, path):
    status, _, body = get(served + path)
    assert status in (400, 403, 404)
    assert "nbformat" not in body
    assert "Traceback" not in body


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "TRACE", "FOO"])
@pytest.mark.parametrize(
    "path", ["explore.ipynb", "sdcwidgets/static/plotly.min.js", "interrupt", "channels"]
)
def test_a_refusal_is_a_page_of_this_project(served, page, path, method):
    path = path if "." in path else f"api/kernels/{kernel_of(page[1])}/{path}"
    status, _, html = get(served + path, method=method, data=b"" if method in ("POST", "PUT") else None)
    assert status in (400, 403, 404, 405)
    assert "<h1" in html


def test_nothing_can_be_posted_to_kernels(served):
    request = urllib.request.Request(f"{served}api/kernels", data=b"{}", method="POST")
    with pytest.raises(urllib.error.HTTPError) as refused, urllib.request.urlopen(request, timeout=60):
        pass
    refused.value.close()
    assert refused.value.code in (403, 404, 405)


def test_template_and_theme_cannot_be_chosen(served):
    _, _, html = get(f"{served}voila/render/explore.ipynb?other=reveal")
    _, _, other = get(
        f"{served}voila/render/explore.ipynb?template=reveal&theme=JupyterLab%20Dark&voila-theme=dark"
    )
    without_ids = [
        re.sub(r'[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}|nonce="[^"]+"|0x[0-9a-f]+', "", text)
        for text in (html, other)
    ]
    assert without_ids[0] == without_ids[1]
    assert "reveal" not in other


def test_sources_are_stripped(page):
    _, html = page
    assert "import" not in re.sub(r"<script.*?</script>|<style.*?</style>", "", html, flags=re.DOTALL)
    assert "dashboards import" not in html


def test_page_names_no_other_host(page):
    _, html = page
    assert set(re.findall(r"https?://[\w.-]+", html)) <= {"http://www.w3.org"}


def test_a_page_names_no_place_in_memory_and_no_path(page):
    _, html = page
    assert not re.findall(r"0x[0-9a-f]{6,}|object at|site-packages|/home/|/tmp/", html)


def test_page_says_what_it_may_load(page):
    headers, _ = page
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "script-src-attr 'none'" in policy
    assert "'unsafe-inline'" not in policy.split("script-src ")[1].split(";")[0]


def test_only_scripts_that_carry_the_word_of_the_answer_may_run(served, page):
    headers, html = page
    word = re.search(r"'nonce-([\w-]+)'", headers["Content-Security-Policy"])[1]
    inline = re.findall(r"<script(?![^>]*\b(?:src|type)=)([^>]*)>", html)
    assert inline
    assert {re.search(r'nonce="([\w-]+)"', tag)[1] for tag in inline} == {word}
    again = get(f"{served}voila/render/explore.ipynb")[1]["Content-Security-Policy"]
    assert word not in again


def test_an_answer_does_not_say_what_answers(served):
    for path in ("", "health", "nothing", "voila/static/voila.js", "voila/templates/lab/static/index.css"):
        _, headers, _ = get(served + path)
        assert "Server" not in headers
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_cookies_stay_on_this_site(served, page):
    assert "SameSite=Lax" in page[0]["Set-Cookie"]
    assert "Secure" not in page[0]["Set-Cookie"]


@pytest.mark.parametrize("name", ["a-b-c-d-e", "x%0aforged", "..%2f..", "%00", "1" * 400])
def test_only_a_kernel_can_be_shut_down(served, page, name):
    cookie = page[0]["Set-Cookie"].split(";")[0]
    told = {"Cookie": cookie, "X-XSRFToken": cookie.split("=", 1)[1]}
    assert get(f"{served}voila/api/shutdown/{name}", told, method="POST", data=b"")[0] in (400, 404)


@pytest.mark.parametrize(
    "path",
    [
        f"voila/{folder}/{rest}"
        for folder in ("templates/lab/static", "static", "labextensions", "api/themes", "templates")
        for rest in (
            "",
            "x",
            "%00",
            "..",
            "../..",
            "lab",
            "lab/static",
            "..%2f..%2fx",
            "a/b/c",
            "%ff",
            "x" * 5000,
        )
    ],
    ids=lambda path: path[:40],
)
def test_a_file_that_is_not_there_is_not_an_error_of_the_server(served, path):
    assert get(served + path)[0] in (400, 403, 404, 405)


def test_code_sent_by_websocket_is_not_run(served, page, tmp_path):
    _, html = page
    trace = tmp_path / "was-here"
    code = f"open({str(trace)!r}, 'w').close()"
    refused = [
        message(
            "execute_request", {"code": code, "silent": False, "store_history": False, "allow_stdin": False}
        ),
        message("complete_request", {"code": "pri", "cursor_pos": 3}),
        message("inspect_request", {"code": "print", "cursor_pos": 3, "detail_level": 0}),
        message("history_request", {"output": True, "raw": True, "hist_access_type": "tail", "n": 10}),
        message("shutdown_request", {"restart": False}),
        message("shutdown_request", {"restart": False}, channel="control"),
        message("debug_request", {"type": "request", "seq": 1, "command": "initialize", "arguments": {}}),
    ]
    asked = message("kernel_info_request", {})
    with connected(served, kernel_of(html)) as channel:
        for item in (*refused, asked):
            channel.send_binary(packed(item))
        parents = parents_until(channel, asked)
    # The question that is allowed was sent last and is answered, so the others had their turn.
    assert asked["header"]["msg_id"] in parents
    assert not {item["header"]["msg_id"] for item in refused} & set(parents)
    assert not trace.exists()


def test_a_foreign_page_gets_no_websocket(served, page):
    _, html = page
    foreign = connected(served, kernel_of(html), origin="http://elsewhere.example")
    with pytest.raises(websocket.WebSocketBadStatusException, match="403"), foreign:
        pass


@pytest.mark.slow
@pytest.mark.parametrize(("size", "taken"), [(30_000_000, True), (MESSAGE_LIMIT, False)])
def test_a_large_file_comes_through_up_to_the_limit(served, page, size, taken):
    _, html = page
    asked, log = message("kernel_info_request", {}), Log(served)
    with connected(served, kernel_of(html)) as channel:
        try:
            for item in (message("comm_msg", {"comm_id": "nobody", "data": {"file": "x" * size}}), asked):
                channel.send_binary(packed(item))
            answered = asked["header"]["msg_id"] in parents_until(channel, asked)
        except (websocket.WebSocketException, OSError, ValueError):
            answered = False  # closed while it was sent, or instead of an answer
    assert answered == taken
    assert ("was closed: more than 67,108,864 bytes in a message" in log.text()) != taken
