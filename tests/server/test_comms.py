"""What a browser may say to the widgets of its session, and what a session says to its browser."""

import asyncio
import json
import sys
import threading
import time
from types import SimpleNamespace

import ipywidgets
import nbformat
import pytest
from ipykernel.comm import CommManager
from ipykernel.comm.comm import BaseComm
from ipykernel.kernelbase import Kernel

from sdcwidgets.server import comms, rendering
from sdcwidgets.server.channels import MOST_UNSENT
from sdcwidgets.widgets.page_state.stopping import STOPPED
from serving import free_port, memory, running
from visiting import Visitor, connected, get, kernel_of, message, packed, unpacked

SECRET = "told-by-an-error"

BROKEN = f"""
import sys
print("{SECRET}")
print("{SECRET}", file=sys.stderr)
raise RuntimeError("{SECRET}")
"""

#: Holds more memory than a session may.
GREEDY = """
import time
held = bytearray(450 * 2**20)
held[::4096] = bytes(1) * len(held[::4096])
time.sleep(30)
"""

#: A widget that computes without an end when it is asked for something.
ENDLESS = """
import traitlets
from sdcwidgets import InputError
from sdcwidgets.widgets.page_state.stopping import stoppable
from sdcwidgets.widgets.base import Widget

class Endless(Widget):
    asks = ("request",)
    _esm = "export default {}"
    request = traitlets.Dict().tag(sync=True)
    said = traitlets.Unicode().tag(sync=True)

    @traitlets.observe("request")
    def compute(self, change):
        try:
            with stoppable():
                while True:
                    sum(range(1000))
        except InputError as error:
            self.said = str(error)

Endless()
"""

#: A widget that fails, prints and asks for input when it is asked for something.
FAILING = f"""
import sys
import traitlets
from sdcwidgets.widgets.base import Widget

class Failing(Widget):
    asks = ("request",)
    _esm = "export default {{}}"
    request = traitlets.Dict().tag(sync=True)
    said = traitlets.Unicode().tag(sync=True)

def fail(_):
    try:
        input("{SECRET}")
    except Exception as problem:
        one.said = type(problem).__name__
    print("{SECRET}", flush=True)
    print("{SECRET}", file=sys.stderr, flush=True)
    raise RuntimeError("{SECRET}")

one = Failing()
one.observe(fail, "request")
one
"""

#: A widget that takes its time when it is asked for something.
SLOW = """
import time
import traitlets
from sdcwidgets.widgets.base import Widget

class Slow(Widget):
    asks = ("request",)
    _esm = "export default {}"
    request = traitlets.Dict().tag(sync=True)

one = Slow()
one.observe(lambda _: time.sleep(4), "request")
one
"""

#: A widget of eight million letters.
LONG = """
import traitlets
from sdcwidgets.widgets.base import Widget

class Long(Widget):
    _esm = "export default {}"
    said = traitlets.Unicode().tag(sync=True)

Long(said="x" * 2**23)
"""


@pytest.fixture(scope="module")
def failing(tmp_path_factory):
    """A server of pages that fail as they open or are used, that are slow as they are used, and that are long."""
    folder, port = tmp_path_factory.mktemp("pages"), free_port()
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    for name, code in (
        ("broken", BROKEN),
        ("greedy", GREEDY),
        ("large", "held = bytearray(4 * 2**30)"),
        ("failing", FAILING),
        ("slow", SLOW),
        ("long", LONG),
        ("endless", ENDLESS),
    ):
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)], metadata=kernel)
        nbformat.write(book, folder / f"{name}.ipynb")
    serve = (
        f"from pathlib import Path; from sdcwidgets.server.app import Limits, serve; serve(Path({str(folder)!r}), "
        f"host='127.0.0.1', port={port}, limits=Limits(memory=400))"
    )
    address = f"http://127.0.0.1:{port}/"
    with running([sys.executable, "-c", serve], f"{address}health"):
        yield address, folder


def gives_away(text, folder):
    return [
        word for word in (SECRET, "Traceback", str(folder), "site-packages", "ipykernel_") if word in text
    ]


@pytest.mark.slow
def test_a_page_that_fails_says_so_and_nothing_else(failing):
    address, folder = failing
    status, _, html = get(f"{address}voila/render/broken.ipynb")
    assert (status, gives_away(html, folder)) == (200, [])
    assert "could not be computed" in html


@pytest.mark.slow
def test_a_page_that_needs_too_much_memory_as_it_opens_says_so(failing):
    html = get(f"{failing[0]}voila/render/greedy.ipynb")[2]
    assert "This session used more than 400 MB of memory, so it was ended." in html
    assert "could not be computed" not in html


@pytest.mark.slow
def test_a_page_that_asks_for_far_too_much_memory_says_so(failing):
    html = get(f"{failing[0]}voila/render/large.ipynb")[2]
    assert "needs more memory than this server allows for one session" in html
    assert "could not be computed" not in html


@pytest.mark.slow
def test_what_fails_in_a_session_stays_there_and_nobody_is_asked_for_input(failing):
    address, folder = failing
    html = get(f"{address}voila/render/failing.ipynb")[2]
    with connected(address, kernel_of(html)) as channel:
        widget = Visitor(channel).widget(lambda state: "said" in state)
        data = {"method": "update", "state": {"request": {"turn": 1}}, "buffer_paths": []}
        channel.send_binary(packed(message("comm_msg", {"comm_id": widget, "data": data})))
        last = message("kernel_info_request", {})
        channel.send_binary(packed(last))
        heard = []
        while not heard or heard[-1]["parent_header"].get("msg_id") != last["header"]["msg_id"]:
            heard.append(unpacked(channel.recv()))
        assert gives_away(json.dumps(heard, default=str), folder) == []
        assert not {"stream", "error", "input_request"} & {one["header"]["msg_type"] for one in heard}
        assert Visitor(channel).widgets[widget]["said"] in ("EOFError", "StdinNotImplementedError")


@pytest.mark.slow
def test_a_page_is_told_how_long_it_has_been_waiting_for_an_answer(failing):
    """As when its session hangs."""
    address, _ = failing
    kernel = kernel_of(get(f"{address}voila/render/slow.ipynb")[2])

    def waiting():
        return json.loads(get(f"{address}api/kernels/{kernel}")[2])["waiting"]

    told = []
    later = threading.Timer(2, lambda: told.append((waiting(), time.monotonic())))
    with connected(address, kernel) as channel:
        visitor = Visitor(channel)
        start = time.monotonic()
        later.start()
        visitor.move(visitor.widget(lambda state: "request" in state), 1)
        later.join()
        ((seconds, now),) = told
        assert 0 < seconds <= now - start + 0.05  # it is told in tenths
        assert waiting() == 0


@pytest.mark.slow
def test_what_a_page_does_not_take_is_bounded_and_its_connection_closed(failing):
    """A page asks for everything again and again and reads nothing."""
    address, _ = failing
    kernel = kernel_of(get(f"{address}voila/render/long.ipynb")[2])
    before, connections = memory(address), 1
    opening = {"comm_id": "all", "target_name": "jupyter.widget.control", "data": {}}
    asked = {"comm_id": "all", "data": {"method": "request_states"}}
    with connected(address, kernel) as channel:
        channel.send_binary(packed(message("comm_open", opening, metadata={"version": "1.0.0"})))
        for _ in range(40):  # each a message of its own: a kernel answers the same one once
            channel.send_binary(packed(message("comm_msg", asked)))
        until = time.monotonic() + 60
        while connections and time.monotonic() < until:
            connections = json.loads(get(f"{address}api/kernels/{kernel}")[2])["connections"]
            time.sleep(0.05)
    assert connections == 0
    # All that was asked for is five times as much, and waits in the server while it is busy.
    while (held := memory(address) - before) >= 3 * MOST_UNSENT and time.monotonic() < until:
        time.sleep(0.05)
    assert held < 3 * MOST_UNSENT
    assert get(f"{address}health")[0] == 200


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "state"),
    [
        ("HTMLModel", {"value": "<b>forged</b>", "description": "forged"}),
        ("VBoxModel", {"children": [], "box_style": "danger"}),
        ("LayoutModel", {"width": "1px", "display": "none"}),
        ("AnyModel", {"_esm": "alert(1)", "layout": "IPY_MODEL_x", "_view_name": "x", "tooltip": "x"}),
    ],
)
def test_a_browser_changes_no_widget_but_by_what_it_asks(served, model, state):
    html = get(f"{served}voila/render/explore.ipynb")[2]
    with connected(served, kernel_of(html)) as channel:
        visitor = Visitor(channel)
        there = [name for name, one in visitor.widgets.items() if one["_model_name"] == model]
        assert there
        for name in there:
            data = {"method": "update", "state": state, "buffer_paths": []}
            channel.send_binary(packed(message("comm_msg", {"comm_id": name, "data": data})))
        assert Visitor(channel).widgets == visitor.widgets


@pytest.mark.slow
def test_a_browser_makes_no_widgets(served):
    html = get(f"{served}voila/render/explore.ipynb")[2]
    state = {
        "_model_module": "@jupyter-widgets/controls",
        "_model_module_version": "2.0.0",
        "_model_name": "HTMLModel",
        "_view_module": "@jupyter-widgets/controls",
        "_view_module_version": "2.0.0",
        "_view_name": "HTMLView",
        "value": "forged",
    }
    content = {
        "comm_id": "forged",
        "target_name": "jupyter.widget",
        "data": {"state": state, "buffer_paths": []},
    }
    opening = message("comm_open", content, metadata={"version": "2.1.0"})
    with connected(served, kernel_of(html)) as channel:
        before = set(Visitor(channel).widgets)
        channel.send_binary(packed(opening))
        assert set(Visitor(channel).widgets) == before


@pytest.fixture
def session(monkeypatch):
    """A kernel's widgets as they are served, and all that is said of them."""
    told = []
    for name in ("open", "_widget_construction_callback"):
        monkeypatch.setattr(ipywidgets.Widget, name, getattr(ipywidgets.Widget, name))
    # A served kernel has the manager of ipykernel. Without a kernel, package `comm` has one of its own, unless
    # another test has imported a kernel before.
    manager = CommManager()
    monkeypatch.setattr(comms.comm, "get_comm_manager", lambda: manager)
    monkeypatch.setattr(comms.comm, "create_comm", comms.comm.create_comm)
    monkeypatch.setattr(comms.PageComm, "heard", False)
    monkeypatch.setattr(Kernel, "initialized", classmethod(lambda _: True))
    monkeypatch.setattr(Kernel, "instance", classmethod(lambda _: "a kernel"))
    monkeypatch.setattr(
        BaseComm, "publish_msg", lambda line, kind, data=None, **_: told.append((line.comm_id, kind, data))
    )
    # Widgets of earlier tests, whose states may not be serialisable, are no part of this session.
    monkeypatch.setattr(comms, "_WIDGETS", type(comms._WIDGETS)())
    comms.install()
    yield manager, told
    for one in comms._open_widgets():
        one.close()


def asked_for_all(manager):
    opening = {"comm_id": "page", "target_name": comms.ALL, "data": {}}
    manager.comm_open(None, None, {"content": opening, "metadata": {"version": "1.0.0"}})
    manager.comm_msg(None, None, {"content": {"comm_id": "page", "data": {"method": "request_states"}}})


@pytest.mark.parametrize("without", [False, True])
def test_a_session_says_nothing_until_a_page_asks_and_then_everything_once(session, monkeypatch, without):
    """What is said of widgets costs as much as all else of a page, and nobody would hear it.

    Replacing the method of ipywidgets only saves time.
    """
    if without:
        monkeypatch.setattr(ipywidgets.Widget, "open", comms._open)
    manager, told = session
    text = ipywidgets.HTML("early")
    text.value = "late"
    assert told == []
    asked_for_all(manager)
    [(name, kind, data)] = told
    assert (name, kind, data["method"]) == ("page", "comm_msg", "update_states")
    assert data["states"][text.model_id]["state"]["value"] == "late"
    assert data["states"][text.layout.model_id]["state"]["_model_name"] == "LayoutModel"


def test_a_widget_that_was_silent_says_what_changes_once_a_page_listens(session):
    manager, told = session
    text = ipywidgets.HTML("early")
    asked_for_all(manager)
    told.clear()
    text.value = "changed"
    assert told == [
        (text.model_id, "comm_msg", {"method": "update", "state": {"value": "changed"}, "buffer_paths": []})
    ]
    later = ipywidgets.HTML("made later")
    assert ("comm_open", later.model_id) in [(kind, name) for name, kind, _ in told]


def test_a_page_that_speaks_to_a_widget_is_heard_too(session):
    manager, told = session
    text = ipywidgets.HTML("early")
    manager.comm_msg(None, None, {"content": {"comm_id": text.model_id, "data": {"method": "request_state"}}})
    assert [(name, kind) for name, kind, _ in told if name == text.model_id] == [(text.model_id, "comm_msg")]


def test_a_page_sets_no_trait_of_a_widget_that_lists_none(session):
    manager, _ = session
    text = ipywidgets.HTML("early")
    for data in ({"method": "update", "state": {"value": "set", "_view_name": "Other"}}, None, "update"):
        manager.comm_msg(None, None, {"content": {"comm_id": text.model_id, "data": data}, "buffers": []})
    assert (text.value, text._view_name) == ("early", "HTMLView")


def test_states_carry_bytes_apart(session, monkeypatch):
    manager, _ = session
    told = []
    monkeypatch.setattr(
        BaseComm, "publish_msg", lambda line, kind, data=None, buffers=None, **_: told.append((data, buffers))
    )
    picture = ipywidgets.Image(value=b"bytes")
    asked_for_all(manager)
    [(data, buffers)] = told
    assert data["buffer_paths"] == [[picture.model_id, "state", "value"]]
    assert buffers == [b"bytes"]


@pytest.mark.slow
def test_what_follows_from_a_change_reaches_the_page(served):
    """A session is idle again after a change, whether or not it said anything."""
    html = get(f"{served}voila/render/explore.ipynb")[2]
    with connected(served, kernel_of(html)) as channel:
        visitor = Visitor(channel)
        visitor.move(visitor.slider("ε"), 0.31)
        assert len(visitor.followed) >= 3
        # What it said itself is not said back to it.
        assert visitor.methods == {"update"}


@pytest.mark.slow
def test_a_page_whose_session_does_not_answer_says_so():
    class Silent(rendering.PageRenderer):
        def __init__(self):
            self._path = "silent.ipynb"

        async def _generate(self, *_):
            yield "<main><div>", None
            raise RuntimeError("The kernel does not answer.")

    kernels = SimpleNamespace(get_kernel=lambda kernel_id: None, end_reasons={})

    async def read():
        return [piece async for piece in Silent().pieces(kernels, "")]

    start, end = asyncio.run(read())
    assert start == "<main><div>"
    assert rendering.BROKEN in end


@pytest.mark.slow
def test_work_without_an_end_is_stopped_and_the_page_goes_on(failing):
    address, _ = failing
    _, headers, html = get(f"{address}voila/render/endless.ipynb")
    kernel = kernel_of(html)
    cookie = headers["Set-Cookie"].split(";")[0]
    told = {"Cookie": cookie, "X-XSRFToken": cookie.split("=", 1)[1]}

    def stop(**headers):
        return get(f"{address}api/kernels/{kernel}/interrupt", headers["of"], method="POST", data=b"")[0]

    with connected(address, kernel) as channel:
        visitor = Visitor(channel)
        widget = visitor.widget(lambda state: "said" in state)
        # Where nothing is done, nothing is stopped.
        assert stop(of=told) == 204
        later = threading.Timer(0.5, stop, kwargs={"of": told})
        later.start()
        assert 0.3 < visitor.move(widget, 1) < 20
        later.join()
        assert Visitor(channel).widgets[widget]["said"] == STOPPED
        # Without the token of the page a foreign one could ask for it.
        assert stop(of={}) == 403
