"""What follows from one change, sent to the browser as one message instead of one a widget.

Each message is signed, passed on by the server, taken apart by the browser and drawn; that costs milliseconds, however
little it says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import ipywidgets


class Change(NamedTuple):
    """Changed traits of a widget."""

    state: dict[str, Any]
    """Plain values by trait."""
    binary: dict[tuple[str, ...], object]
    """Bytes, by the way to them: a trait, and keys in it."""


#: Sends changes by the id of the widget that each is of, in this order; false where nobody would hear it.
Carry = Callable[[dict[str, Change]], bool]


class _Bundle:
    """The one bundle of a kernel: what waits in it, if it is open, and what can send it."""

    def __init__(self) -> None:
        self.waiting: dict[Bundled, Change] | None = None
        self.carry: Carry = lambda changes: False

    def send(self) -> None:
        """Send what waits."""
        waiting = {one: change for one, change in (self.waiting or {}).items() if one.comm is not None}
        if self.waiting is not None:
            self.waiting = {}
        # What one of them cannot say, as half a character, must not keep the others from speaking.
        if len(waiting) > 1:
            with suppress(ValueError, TypeError):
                if self.carry({one.comm.comm_id: change for one, change in waiting.items()}):
                    return
        failed: Exception | None = None
        for one, (state, binary) in waiting.items():
            message = {"method": "update", "state": state, "buffer_paths": [list(path) for path in binary]}
            try:
                one.send_now(message, list(binary.values()))
            except (ValueError, TypeError) as error:
                failed = error
        if failed is not None:
            raise failed


_BUNDLE = _Bundle()


class Bundled(ipywidgets.Widget):
    """A widget whose changes go into the bundle while there is one; its traits are plain values and bytes."""

    def send_now(self, message: Mapping[str, object], buffers: list[object] | None = None) -> None:
        """Send a message by itself."""
        super()._send(message, buffers=buffers)

    def _send(self, message: dict[str, Any], buffers: list[object] | None = None) -> None:
        waiting = _BUNDLE.waiting
        if waiting is None or message["method"] == "echo_update":
            self.send_now(message, buffers)
        elif message["method"] == "update":
            before = waiting.pop(self, Change({}, {}))
            now = dict(zip(map(tuple, message["buffer_paths"]), buffers or [], strict=True))
            anew = {*message["state"], *(name for name, *_ in now)}
            state = {name: value for name, value in before.state.items() if name not in anew}
            binary = {path: value for path, value in before.binary.items() if path[0] not in anew}
            # Who says something again says it last: a control is answered after all that follows from it.
            waiting[self] = Change(state | message["state"], binary | now)
        else:
            _BUNDLE.send()  # the message may speak of what waits
            self.send_now(message, buffers)


@contextmanager
def bundled() -> Iterator[None]:
    """Keep what is sent in this context, and send it at its end as one message; a context inside is a part of it."""
    if _BUNDLE.waiting is not None:
        yield
        return
    _BUNDLE.waiting = {}
    try:
        yield
    finally:
        try:
            _BUNDLE.send()
        finally:
            _BUNDLE.waiting = None


def carry_by(carry: Carry) -> None:
    """Send bundles this way from now on."""
    _BUNDLE.carry = carry
