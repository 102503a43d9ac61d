"""What a browser may say to the widgets of its session, and what a session says to its browser."""

import json
import sys

import nbformat
import pytest

from serving import free_port, running
from visiting import Visitor, connected, get, kernel_of, message, packed, unpacked

SECRET = "told-by-an-error"

BROKEN = f"""
import sys
print("{SECRET}")
print("{SECRET}", file=sys.stderr)
raise RuntimeError("{SECRET}")
"""

#: A widget that fails, prints and asks for input when it is asked for something.
FAILING = f"""
import sys
import traitlets
from sdcwidgets.widgets.base import Widget

class Failing(Widget):
    asks = ("asked",)
    _esm = "export default {{}}"
    asked = traitlets.Dict().tag(sync=True)
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
one.observe(fail, "asked")
one
"""


@pytest.fixture(scope="module")
def failing(tmp_path_factory):
    """A server of two pages that fail: one as it opens, one as it is used."""
    folder, port = tmp_path_factory.mktemp("pages"), free_port()
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    for name, code in (("broken", BROKEN), ("failing", FAILING)):
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)], metadata=kernel)
        nbformat.write(book, folder / f"{name}.ipynb")
    serve = (
        f"from pathlib import Path; from sdcwidgets.server.app import serve; serve(Path({str(folder)!r}), "
    )
    address = f"http://127.0.0.1:{port}/"
    with running([sys.executable, "-c", serve + f"host='127.0.0.1', port={port})"], f"{address}health"):
        yield address, folder


def gives_away(text, folder):
    return [
        word for word in (SECRET, "Traceback", str(folder), "site-packages", "ipykernel_") if word in text
    ]


def test_a_page_that_fails_says_so_and_nothing_else(failing):
    address, folder = failing
    status, _, html = get(f"{address}voila/render/broken.ipynb")
    assert (status, gives_away(html, folder)) == (200, [])
    assert "could not be computed" in html


def test_what_fails_in_a_session_stays_there_and_nobody_is_asked_for_input(failing):
    address, folder = failing
    html = get(f"{address}voila/render/failing.ipynb")[2]
    with connected(address, kernel_of(html)) as channel:
        widget = Visitor(channel).widget(lambda state: "said" in state)
        data = {"method": "update", "state": {"asked": {"turn": 1}}, "buffer_paths": []}
        channel.send_binary(packed(message("comm_msg", {"comm_id": widget, "data": data})))
        last = message("kernel_info_request", {})
        channel.send_binary(packed(last))
        heard = []
        while not heard or heard[-1]["parent_header"].get("msg_id") != last["header"]["msg_id"]:
            heard.append(unpacked(channel.recv()))
        assert gives_away(json.dumps(heard, default=str), folder) == []
        assert not {"stream", "error", "input_request"} & {one["header"]["msg_type"] for one in heard}
        assert Visitor(channel).widgets[widget]["said"] in ("EOFError", "StdinNotImplementedError")


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
