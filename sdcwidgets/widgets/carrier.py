"""The widget that brings what follows from one change to the browser; it shows nothing."""

from __future__ import annotations

from sdcwidgets.widgets.base import Widget, browser_side
from sdcwidgets.widgets.bundle import Change, carry_by


class Carrier(Widget):
    """Brings the changed traits of many widgets in one message, once its browser side has said that it is there."""

    _esm = browser_side("carrier")

    def __init__(self) -> None:
        super().__init__()
        self.hear("ready", lambda *_: carry_by(self.carry))

    def carry(self, changes: dict[str, Change]) -> bool:
        """Send changes by the id of the widget that each is of; false where there is no browser side any more."""
        if self.comm is None:
            return False
        told = [[one, state, list(map(list, binary))] for one, (state, binary) in changes.items()]
        buffers = [value for _, binary in changes.values() for value in binary.values()]
        self.send_now({"method": "custom", "content": {"type": "changes", "changes": told}}, buffers)
        return True


_CARRIERS: list[Carrier] = []


def carrier() -> Carrier:
    """Return the one carrier of this kernel."""
    if not _CARRIERS or _CARRIERS[0].comm is None:
        _CARRIERS[:] = [Carrier()]
    return _CARRIERS[0]
