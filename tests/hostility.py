"""What no page sends, and a visitor who sends it."""

import json
import random
import select
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import websocket

from visiting import Visitor, connected, frame, message, packed


def hostile(draw: random.Random, widgets: list[str]) -> bytes:
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
    # A frame that is none closes the connection, so that most are messages, which reach the kernel.
    (kind,) = draw.choices(["trait", "own", "content", "frame", "header"], [32, 32, 32, 1, 3])
    if kind == "trait":
        state = {draw.choice(["request", "value", "_esm", "children", "counts", "layout", "turn"]): value}
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


def heard(channel: websocket.WebSocket) -> None:
    """Take what was answered so far; what the server has closed is not sent to any more."""
    while select.select([channel.sock], [], [], 0)[0]:
        code, _ = channel.recv_data()
        if code == websocket.ABNF.OPCODE_CLOSE:
            raise websocket.WebSocketConnectionClosedException


@contextmanager
def attacked(served: str, kernel: str, number: int) -> Iterator[tuple[threading.Thread, list[int]]]:
    """Send so many seeded hostile messages to a session; gives the thread that does so and what it has sent."""
    stopped, sent = threading.Event(), []

    def attack() -> None:
        draw = random.Random(20260711)
        with connected(served, kernel) as channel:
            widgets = list(Visitor(channel).widgets)
        while len(sent) < number and not stopped.is_set():
            with (
                suppress(websocket.WebSocketException, OSError),
                connected(served, kernel, timeout=5) as channel,
            ):
                while len(sent) < number and not stopped.is_set():
                    channel.send_binary(hostile(draw, widgets))
                    sent.append(1)
                    heard(channel)

    attacker = threading.Thread(target=attack, daemon=True)
    attacker.start()
    try:
        yield attacker, sent
    finally:
        stopped.set()
        attacker.join(10)
