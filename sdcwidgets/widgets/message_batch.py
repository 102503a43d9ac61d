"""Message batches: all effects of one change are sent to the browser in one message.

Each message is signed, forwarded by the server and parsed by the browser, which takes milliseconds regardless of its
size.
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
    """Bytes by path: a trait and keys in it."""


#: Sends all pending changes, keyed by widget id, in order; returns False if no front end is connected.
BatchSend = Callable[[dict[str, Change]], bool]


class _Batch:
    """The message batch of a kernel: pending changes, if it is open, and the function that sends them."""

    def __init__(self) -> None:
        self.waiting: dict[BatchedWidget, Change] | None = None
        self.send_batch: BatchSend = lambda changes: False

    def send(self) -> None:
        """Send the pending changes."""
        waiting = {
            widget: change for widget, change in (self.waiting or {}).items() if widget.comm is not None
        }
        if self.waiting is not None:
            self.waiting = {}
        # If one change cannot be encoded, such as half a surrogate pair, the other changes are still sent.
        if len(waiting) > 1:
            with suppress(ValueError, TypeError):
                if self.send_batch({widget.comm.comm_id: change for widget, change in waiting.items()}):
                    return
        failed: Exception | None = None
        for widget, (state, binary) in waiting.items():
            message = {"method": "update", "state": state, "buffer_paths": [list(path) for path in binary]}
            try:
                widget.send_now(message, list(binary.values()))
            except (ValueError, TypeError) as error:
                failed = error
        if failed is not None:
            raise failed


_BATCH = _Batch()


class BatchedWidget(ipywidgets.Widget):
    """A widget whose changes join the open message batch; its traits are plain values and bytes."""

    def send_now(self, message: Mapping[str, object], buffers: list[object] | None = None) -> None:
        """Send a message at once."""
        super()._send(message, buffers=buffers)

    def _send(self, message: dict[str, Any], buffers: list[object] | None = None) -> None:
        waiting = _BATCH.waiting
        if waiting is None or message["method"] == "echo_update":
            self.send_now(message, buffers)
        elif message["method"] == "update":
            before = waiting.pop(self, Change({}, {}))
            now = dict(zip(map(tuple, message["buffer_paths"]), buffers or [], strict=True))
            replaced = {*message["state"], *(name for name, *_ in now)}
            state = {name: value for name, value in before.state.items() if name not in replaced}
            binary = {path: value for path, value in before.binary.items() if path[0] not in replaced}
            # A widget that changes again moves to the end, so a control is acknowledged after everything it triggered.
            waiting[self] = Change(state | message["state"], binary | now)
        else:
            _BATCH.send()  # the message may refer to pending changes
            self.send_now(message, buffers)


@contextmanager
def batched() -> Iterator[None]:
    """Collect all changes in this context, and send them at its end as one message; inner contexts have no effect."""
    if _BATCH.waiting is not None:
        yield
        return
    _BATCH.waiting = {}
    try:
        yield
    finally:
        try:
            _BATCH.send()
        finally:
            _BATCH.waiting = None


def send_batches_with(send_batch: BatchSend) -> None:
    """Set the function that sends batches."""
    _BATCH.send_batch = send_batch
