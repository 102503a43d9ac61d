"""A visitor who sends anything at all harms nobody else; and what a visitor uploads is written nowhere."""

import json
import os
import random
import statistics
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
import websocket

from serving import free_port, running
from visiting import Visitor, connected, frame, get, kernel_of, message, packed

EXPLORE = "voila/render/explore.ipynb"
HOSTILE = 10_000

CELL = "What nobody else calls a cell: Zwiebelkuchenhausen"


def hostile(draw, widgets):
    """One message that no page sends: unknown, huge, malformed, out of order, or of a wrong type."""
    junk = [
        None,
        True,
        -1,
        10**30,
        1e308,
        "x",
        "\ud800",
        "<img src=x onerror=alert(1)>",
        [],
        [[]],
        {},
        {"value": {}},
    ]
    kinds = ["comm_msg", "comm_open", "comm_close", "execute_request", "input_reply", "shutdown", "x" * 30]
    methods = ["update", "custom", "request_state", "request_states", "echo_update", "", None]
    name = draw.choice([*widgets, "all", "nobody", ""])
    value = draw.choice([*junk, "y" * draw.choice([10, 1000, 100_000])])
    kind = draw.choice(["trait", "own", "content", "frame", "header"])
    if kind == "trait":
        state = {draw.choice(["asked", "value", "_esm", "children", "counts", "layout", "turn"]): value}
        data = {"method": draw.choice(methods), "state": state, "buffer_paths": draw.choice([[], [["x"]], 3])}
        return packed(message("comm_msg", {"comm_id": name, "data": data}))
    if kind == "own":
        asked = {
            "type": draw.choice(["edit", "undo", "state", "restore", "bring", "file", "link", "go", 7]),
            "turn": value,
        }
        asked |= dict.fromkeys(["cells", "state", "table", "name", "text", "to", "option", "index"], value)
        return packed(message("comm_msg", {"comm_id": name, "data": {"method": "custom", "content": asked}}))
    if kind == "content":
        content = {"comm_id": name, "target_name": draw.choice(["jupyter.widget", "x", 3]), "data": value}
        return packed(message(draw.choice(kinds), content))
    if kind == "header":
        header = json.dumps(
            message(draw.choice(kinds), {})["header"] | {"session": value, "date": value}
        ).encode()
        return frame(
            b"shell", header, b"{}", b"{}", draw.choice([b"{}", b"null", b"[" * 500, b"\xff\xfe", b""])
        )
    return draw.randbytes(draw.choice([0, 8, 60, 500]))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_ten_thousand_hostile_messages_do_not_slow_another_visitor(served):
    pages = [kernel_of(get(served + EXPLORE)[2]) for _ in range(2)]
    stopped = threading.Event()
    sent = []

    def attack():
        draw = random.Random(20260711)
        with connected(served, pages[0]) as channel:
            widgets = list(Visitor(channel).widgets)
        while len(sent) < HOSTILE and not stopped.is_set():
            with (
                suppress(websocket.WebSocketException, OSError),
                connected(served, pages[0], timeout=5) as channel,
            ):
                while len(sent) < HOSTILE and not stopped.is_set():
                    channel.send_binary(hostile(draw, widgets))
                    sent.append(1)

    attacker = threading.Thread(target=attack, daemon=True)
    with connected(served, pages[1]) as channel:
        visitor = Visitor(channel)
        slider = visitor.slider("ε")
        alone = sorted(visitor.move(slider, 0.3 + 0.01 * step) for step in range(20))
        attacker.start()
        beside, until = [], time.monotonic() + 150
        while attacker.is_alive() and time.monotonic() < until:
            beside.append(visitor.move(slider, 0.3 + 0.01 * (len(beside) % 40)))
        stopped.set()
    attacker.join(10)
    assert len(sent) == HOSTILE
    assert len(beside) > 20
    beside.sort()
    # 300 ms, or what the machine itself takes now when nobody attacks.
    assert beside[int(0.95 * len(beside))] < max(0.3, 5 * statistics.median(alone))
    assert get(f"{served}health")[0] == 200


def files_below(*folders):
    return {Path(place) / name for folder in folders for place, _, names in os.walk(folder) for name in names}


@pytest.mark.parametrize("name", ["tmp", "a-name-so-long-that-no-socket-of-unix-can-be-in-it"])
def test_an_upload_leaves_no_file(tmp_path, name):
    home, temporary = tmp_path / "home", tmp_path / name
    home.mkdir()
    temporary.mkdir()
    notebooks = Path(__file__).parents[2] / "notebooks"
    port = free_port()
    command = [sys.executable, "-m", "sdcwidgets.cli", "serve", "--no-browser", "--port", str(port)]
    environment = os.environ | {"HOME": str(home), "TMPDIR": str(temporary)}
    address = f"http://127.0.0.1:{port}/"
    with running(command, f"{address}health", env=environment):
        before = files_below(notebooks)
        with connected(address, kernel_of(get(address + EXPLORE)[2])) as channel:
            visitor = Visitor(channel)
            source = visitor.widget(lambda state: "kinds" in state)
            visitor.say(
                source,
                {"type": "given", "kind": "file", "name": "ours.csv"},
                f",A,B\n{CELL},1,2\nother,3,4\n".encode(),
            )
            assert CELL in json.dumps(Visitor(channel).widgets)
            written = files_below(home, temporary)
            assert files_below(notebooks) == before
            assert not [file for file in written if file.is_file() and CELL.encode() in file.read_bytes()]
    assert not [file for file in files_below(home, temporary) if "kernel" in file.name or "ours" in file.name]
