"""The invisible widget that sends a message batch to the browser."""

from __future__ import annotations

from sdcwidgets.widgets.base import STATIC, Widget
from sdcwidgets.widgets.message_batch import Change, send_batches_with


class BatchSender(Widget):
    """Send the changed traits of many widgets in one message, as soon as its front end reports that it is ready."""

    _esm = STATIC / "batch_sender.js"

    def __init__(self) -> None:
        super().__init__()
        self.hear("ready", lambda *_: send_batches_with(self.send_batch))

    def send_batch(self, changes: dict[str, Change]) -> bool:
        """Send changes by widget id; return False if no front end is connected any more."""
        if self.comm is None:
            return False
        rows = [[widget_id, state, list(map(list, binary))] for widget_id, (state, binary) in changes.items()]
        buffers = [value for _, binary in changes.values() for value in binary.values()]
        self.send({"type": "changes", "changes": rows}, buffers)
        return True


_SENDERS: list[BatchSender] = []


def batch_sender() -> BatchSender:
    """Return the one batch sender of this kernel."""
    if not _SENDERS or _SENDERS[0].comm is None:
        _SENDERS[:] = [BatchSender()]
    return _SENDERS[0]
