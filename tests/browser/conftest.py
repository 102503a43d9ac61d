"""What every browser test needs: a Chromium, pages that tolerate no error, notebooks served by Voila."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import nbformat
import pytest
from playwright.sync_api import Error, expect, sync_playwright

import serving
from shared import addresses_of

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP *.test 127.0.0.1",
)
#: What a page is opened with.
USUAL = {"viewport": {"width": 1366, "height": 1000}, "reduced_motion": "reduce"}
#: A cold kernel on a busy machine; nothing waits this long when all is well.
PATIENCE = 60
#: What a plain Voila itself writes to the console: its template asks a CDN for an icon font, and it loads
#: every extension of JupyterLab that is installed.
TOLERATED = ("favicon.ico", "cdn.jsdelivr.net", "The getter for the shared module is not a function")

#: Every rule of axe-core is asked, also those that are new, but for the contrast of 7 : 1: ours is 4.5 : 1.
BROKEN_RULES = """async (where) => {
    const asked = axe.getRules().filter(({ ruleId }) => ruleId !== "color-contrast-enhanced");
    const rules = Object.fromEntries(asked.map(({ ruleId }) => [ruleId, { enabled: true }]));
    const { violations } = await axe.run(where, { resultTypes: ["violations"], rules });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, html, any, all, none }) =>
        `${id}: ${target} ${html} ${JSON.stringify([...any, ...all, ...none][0])}`));
}"""


#: Slows a page down as a busy machine does, so that a test which reads too early fails: the messages of a server come
#: one by one (a crowd is not delayed), and frames and short timers come late.
SLOW_PAGE = """(pause) => {
    const timer = setTimeout;
    const frame = requestAnimationFrame;
    function delayed(listener, socket) {
        const waiting = [];
        function next() {
            do {
                listener.call(socket, waiting.shift());
            } while (waiting.length > 20);
            if (waiting.length > 0) {
                timer(next, pause);
            }
        }
        return (event) => {
            waiting.push(event);
            if (waiting.length === 1) {
                timer(next, pause);
            }
        };
    }
    globalThis.WebSocket = class extends WebSocket {
        set onmessage(listener) {
            super.onmessage = listener && delayed(listener, this);
        }
        get onmessage() {
            return super.onmessage;
        }
        addEventListener(type, listener, ...options) {
            super.addEventListener(type, type === "message" ? delayed(listener, this) : listener, ...options);
        }
    };
    globalThis.setTimeout = (call, wait = 0, ...values) => timer(call, Math.max(wait, pause), ...values);
    globalThis.requestAnimationFrame = (call) => frame(() => timer(() => call(performance.now()), pause));
}"""


def pytest_collection_modifyitems(items):
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker("browser")


#: The pages that are open, and what their consoles showed.
_VISITS = []


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Keep what a browser test that fails leaves, and name the folder in its report."""
    outcome = yield
    report = outcome.get_result()
    if report.failed and report.when in ("setup", "call"):
        folder = evidence(item)
        report.sections.append(("Browser", f"Screenshots, console and logs of the servers are in {folder}"))


def evidence(item):
    """Write screenshots, the console and the logs of all servers into a folder of the test, and return the folder."""
    name = re.sub(r"[^\w.-]+", "-", item.nodeid.removeprefix("tests/browser/"))[:150]
    folder = item.config.rootpath / "test-results" / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    lines = [line for _, console in _VISITS for line in console]
    (folder / "console.txt").write_text("\n".join(lines) + "\n", "utf-8")
    pages = [page for opened_pages, _ in _VISITS for page in opened_pages if not page.is_closed()]
    for number, page in enumerate(pages, 1):
        try:
            page.screenshot(path=folder / f"page{number}.png", timeout=10_000)
        except Error as error:  # a page that crashed, or never stops drawing
            (folder / f"page{number}.txt").write_text(f"{page.url}\n{error}\n", "utf-8")
    for number, log in enumerate(serving.LOGS.values(), 1):
        if log.exists():
            shutil.copy(log, folder / f"server{number}.log")
    return folder


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture(scope="session")
def chromium(missing):
    """A Chromium for the whole run: $CHROMIUM, or the first that the system has."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if path is None:
        missing(
            "Chromium is missing. Install it (on Debian and Ubuntu `apt-get install chromium`), or set the variable "
            "CHROMIUM to its path."
        )
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def tolerated():
    """Pieces of console messages that do not fail a test; a test module may override it."""
    return TOLERATED


@pytest.fixture(scope="session")
def visitor(chromium):
    """One who has been here before: what the browser has loaded and compiled once, it keeps."""
    return chromium.new_context(**USUAL)


@pytest.fixture(scope="session")
def pause(pytestconfig):
    """Milliseconds by which pages are slowed down; see `SLOW_PAGE`."""
    return pytestconfig.getoption("--slow-pages")


@contextmanager
def visits(visitor, tolerated, pause):
    """Open pages until the block is left; no console may have told an error then.

    The first is the visitor's, who forgets all but what was loaded; each other one is of somebody who is new.
    """
    opened_pages, errors, console = [], [], []
    _VISITS.append((opened_pages, console))

    def opened(**options):
        known = not visitor.pages and options.keys() <= {"viewport"}
        page = (visitor if known else visitor.browser.new_context(**USUAL | options)).new_page()
        page.set_viewport_size((USUAL | options)["viewport"])
        opened_pages.append(page)
        page.set_default_timeout(PATIENCE * 1000)
        if pause:
            page.add_init_script(f"({SLOW_PAGE})({pause})")
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("pageerror", lambda error: console.append(f"error: {error}"))
        page.on("console", lambda message: console.append(f"{message.type}: {told(message)}"))
        page.on("console", lambda message: errors.append(told(message)) if message.type == "error" else None)
        return page

    yield opened
    _VISITS.remove((opened_pages, console))
    for context in {page.context for page in opened_pages}:
        if context != visitor:
            context.close()
            continue
        forget_storage(context)
        context.clear_cookies()
        context.clear_permissions()
    assert [error for error in errors if not any(piece in error for piece in tolerated)] == []


def forget_storage(context):
    """Close the pages of a context, and then clear what they stored.

    While a page is open, a message that arrives late can store again what was cleared.
    """
    addresses = [urlsplit(page.url) for page in context.pages]
    for page in context.pages:
        page.close()
    blank = context.new_page()
    browser = context.new_cdp_session(blank)
    for origin in {f"{address.scheme}://{address.netloc}" for address in addresses if address.netloc}:
        browser.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "local_storage"})
    blank.close()


@pytest.fixture(scope="session")
def visiting(visitor, pause):
    """Return what opens pages until its block is left, for fixtures with a page for each of their parameters."""
    return lambda tolerated: visits(visitor, tolerated, pause)


@pytest.fixture
def new_page(visitor, tolerated, pause):
    """Open pages for one test; an error in any console fails it at its end."""
    with visits(visitor, tolerated, pause) as opened:
        yield opened


@pytest.fixture(scope="module")
def kept_page(visitor, tolerated, pause):
    """Open a page that the tests of a module share, since opening one takes longer than most of what is done on it.

    An error in its console fails the last of them. `shared.begin_again` makes it for each what it was at first.
    """
    with visits(visitor, tolerated, pause) as opened:
        yield opened


def told(message):
    return f"{message.text} ({message.location.get('url', '')})"


@pytest.fixture
def page(new_page):
    """One page of 1366 by 1000 pixels."""
    return new_page()


@pytest.fixture
def asked(page):
    """Every address that the page asks for."""
    return addresses_of(page)


@pytest.fixture(scope="session")
def voila(tmp_path_factory):
    """A plain Voila that serves a folder of notebooks: the folder and the address."""
    folder = tmp_path_factory.mktemp("notebooks")
    port = free_port()
    log = (folder.parent / "voila.log").open("w+")
    serving.LOGS[f"http://127.0.0.1:{port}"] = folder.parent / "voila.log"
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    server = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "voila",
            str(folder),
            f"--port={port}",
            "--no-browser",
            "--Voila.ip=127.0.0.1",
        ],
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        env=environment,
    )
    try:
        wait_for(f"http://127.0.0.1:{port}/", server, log)
        yield folder, f"http://127.0.0.1:{port}"
    finally:
        # Its kernels are in its process group and go with it.
        os.killpg(server.pid, signal.SIGTERM)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()
        log.close()


def wait_for(address, server, log):
    """Return when a server answers; fail with what it wrote if it ends or stays silent."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    log.seek(0)
    pytest.fail(f"Voila did not answer at {address}. It wrote:\n{log.read()[-2000:]}")


@pytest.fixture(scope="session")
def notebook(voila):
    """Write a notebook with these cells and return its address."""
    folder, address = voila
    written = iter(range(10_000))

    def write(code):
        cells = [nbformat.v4.new_code_cell(cell) for cell in ([code] if isinstance(code, str) else code)]
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
        name = f"page{next(written)}.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), folder / name)
        return f"{address}/voila/render/{name}"

    return write


@pytest.fixture(scope="session")
def axe(missing):
    """Ask axe-core what is wrong with a page: its violations of any severity, as readable lines."""
    file = Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js"
    if not file.exists():
        missing("axe-core is missing. Install it with `npm ci`.")
    script = file.read_text("utf-8")

    def violations(page, within="body"):
        if not page.evaluate("() => 'axe' in globalThis"):
            page.evaluate(script)
        return page.evaluate(BROKEN_RULES, within)

    return violations
