"""A visitor without a browser: asks for a page, opens its websocket and speaks Jupyter's protocol."""

import json
import re
import socket
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import pairwise
from urllib.parse import urlsplit

import websocket

PROTOCOL = "v1.kernel.websocket.jupyter.org"
EXPLORE = "voila/render/explore.ipynb"


def get(
    address: str, headers: dict[str, str] | None = None, timeout: float = 60, **options
) -> tuple[int, dict[str, str], str]:
    """Return status, headers and text of an answer, whatever it is."""
    request = urllib.request.Request(address, headers=headers or {}, **options)
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return answer.status, dict(answer.headers), answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers), error.read().decode()


def kernel_of(html: str) -> str:
    """Return the id of the kernel behind a page."""
    return re.search(r'dataset.kernelId = "([\w-]+)"', html)[1]


def goodbye(served: str, kernel: str, headers: dict[str, str], timeout: float = 60) -> int:
    """Return the status when one says that nobody needs a session any more, as its page does when it is closed."""
    cookie = headers["Set-Cookie"].split(";")[0]
    told = {"Cookie": cookie, "X-XSRFToken": cookie.split("=", 1)[1]}
    return get(f"{served}voila/api/shutdown/{kernel}", told, timeout, method="POST", data=b"")[0]


@contextmanager
def connected(served: str, kernel: str, **options) -> Iterator[websocket.WebSocket]:
    """Open the websocket of a page as its front end does, until the block is left."""
    address = served.replace("http", "ws") + f"api/kernels/{kernel}/channels?session_id={uuid.uuid4()}"
    settings = {"timeout": 30, "origin": served.rstrip("/"), "subprotocols": [PROTOCOL]} | options
    place = urlsplit(address)
    with closing(
        socket.create_connection((place.hostname, place.port), timeout=settings["timeout"])
    ) as plain:
        channel = websocket.create_connection(address, socket=plain, **settings)
        yield channel
        channel.close()


def message(kind: str, content: dict, channel: str = "shell", metadata: dict | None = None) -> dict:
    """Return a message of a front end."""
    header = {
        "msg_id": uuid.uuid4().hex,
        "msg_type": kind,
        "session": "test",
        "username": "",
        "version": "5.3",
    }
    return {"header": header, "metadata": metadata or {}, "content": content, "channel": channel}


def packed(message: dict, *buffers: bytes) -> bytes:
    """Return a message as one frame of the protocol."""
    parts = [
        json.dumps(part).encode() for part in (message["header"], {}, message["metadata"], message["content"])
    ]
    return frame(message["channel"].encode(), *parts, *buffers)


def frame(*parts: bytes) -> bytes:
    """Return a frame with these parts, whatever they are."""
    edges = [8 * (len(parts) + 2)]
    for part in parts:
        edges.append(edges[-1] + len(part))
    return b"".join(number.to_bytes(8, "little") for number in (len(edges), *edges)) + b"".join(parts)


def unpacked(data: bytes) -> dict:
    """Return the message in a frame; what a closed connection gives instead of one is an error."""
    if not data:
        raise websocket.WebSocketConnectionClosedException("The server has closed the connection.")
    number = int.from_bytes(data[:8], "little")
    edges = [int.from_bytes(data[8 * i + 8 : 8 * i + 16], "little") for i in range(number)]
    parts = [data[start:end] for start, end in pairwise(edges)]
    names = ("header", "parent_header", "metadata", "content")
    read = {name: json.loads(part) for name, part in zip(names, parts[1:5], strict=True)}
    return read | {"channel": parts[0].decode(), "buffers": parts[5:]}


def parents_until(channel: websocket.WebSocket, asked: dict, seconds: float = 30) -> list[str]:
    """Return which messages were answered, up to the answer to the one that was asked last."""
    parents: list[str] = []
    deadline = time.monotonic() + seconds
    while asked["header"]["msg_id"] not in parents and time.monotonic() < deadline:
        parents.append(unpacked(channel.recv())["parent_header"].get("msg_id"))
    return parents


class Visitor:
    """A page without a browser: it knows its widgets, moves a slider and waits for the answer.

    `followed` names the widgets that changed with what was done last, and `methods` how they were said to.
    """

    def __init__(self, channel: websocket.WebSocket) -> None:
        self.channel = channel
        self.widgets: dict[str, dict] = {}
        self.turn = 0
        self.followed: set[str] = set()
        self.methods: set[str] = set()
        content = {"comm_id": uuid.uuid4().hex, "target_name": "jupyter.widget.control", "data": {}}
        channel.send_binary(packed(message("comm_open", content, metadata={"version": "1.0.0"})))
        asked = {"comm_id": content["comm_id"], "data": {"method": "request_states"}}
        channel.send_binary(packed(message("comm_msg", asked)))
        states = None  # a lesson may have no widgets
        while states is None:
            told = unpacked(channel.recv())
            if told["header"]["msg_type"] == "comm_msg":
                states = told["content"]["data"].get("states")
        self.widgets = {name: one["state"] for name, one in states.items()}

    def widget(self, fits: Callable[[dict], bool]) -> str:
        """Return the name of the first widget whose state fits."""
        return next(name for name, state in self.widgets.items() if fits(state))

    def slider(self, label: str) -> str:
        """Return the name of the control with a label."""
        return self.widget(lambda state: label in str(state.get("spec", {}).get("label", "")))

    def move(self, slider: str, value: float) -> float:
        """Move a slider and return the seconds until all that follows was sent."""
        self.turn += 1
        state = {"request": {"value": value, "turn": self.turn}}
        return self._done(slider, {"method": "update", "state": state, "buffer_paths": []})

    def say(self, widget: str, content: dict, *buffers: bytes) -> float:
        """Send a message of a widget's own, and return the seconds until its kernel is done with it."""
        return self._done(widget, {"method": "custom", "content": content}, *buffers)

    def _done(self, widget: str, data: dict, *buffers: bytes) -> float:
        sent = message("comm_msg", {"comm_id": widget, "data": data})
        self.followed.clear()
        self.methods.clear()
        start = time.perf_counter()
        self.channel.send_binary(packed(sent, *buffers))
        while True:
            told = unpacked(self.channel.recv())
            if told["header"]["msg_type"] == "comm_open":  # what a tab holds is made when it is opened
                self.widgets[told["content"]["comm_id"]] = told["content"]["data"].get("state", {})
            mine = told["parent_header"].get("msg_id") == sent["header"]["msg_id"]
            method = told["content"].get("data", {}).get("method")
            if mine and method is not None:
                self.methods.add(method)
            if mine and method == "update":
                self.followed.add(told["content"]["comm_id"])
            if mine and told["content"].get("execution_state") == "idle":
                return time.perf_counter() - start


def health(served: str) -> dict[str, int]:
    """Return what a server says of itself."""
    return json.loads(get(f"{served}health")[2])


def sessions(served: str) -> int:
    """Return how many sessions a server has."""
    return int(health(served)["sessions"])


def come_and_go(served: str, page: str = "voila/render/explore.ipynb", *, patient: bool = True) -> None:
    """Open a page, move its slider, and say goodbye as a page does; or hang up while it still comes."""
    if not patient:
        place = urlsplit(served)
        with closing(socket.create_connection((place.hostname, place.port), timeout=30)) as plain:
            plain.sendall(f"GET /{page} HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
            plain.recv(100)
        return
    _, headers, html = get(served + page)
    kernel = kernel_of(html)
    with connected(served, kernel, timeout=120) as channel:
        visitor = Visitor(channel)
        visitor.move(visitor.slider("ε"), 0.4)
    goodbye(served, kernel, headers)


def snapshot_of(served: str, address: str = EXPLORE) -> tuple[str, str]:
    """Return the snapshot in the HTML of a page, and the whole HTML."""
    html = get(served + address)[2]
    return (re.findall(r"<sdc-first.*?</sdc-first>", html, re.DOTALL) or [""])[0], html
