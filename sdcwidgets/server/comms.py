"""Comm layer of a served page, inside its kernel.

It differs from a notebook in three ways. First, the kernel sends nothing until the page requests the state of
all widgets, and it does not serialise state before that. Second, a browser cannot create widgets. Third, a
browser can set only the traits that a widget lists in `Widget.asks`; widgets of ipywidgets, for example boxes
and layouts, list none.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakSet

import comm
import ipywidgets
from ipykernel.comm.comm import BaseComm
from ipykernel.kernelbase import Kernel

from sdcwidgets.widgets.message_batch import without_bytes

#: Comm targets of one widget and of the control channel.
WIDGET, ALL = "jupyter.widget", "jupyter.widget.control"

#: Parts of a widget's state that name its class in the browser (protocol of Jupyter widgets, version 2).
_MODEL = ("_model_name", "_model_module", "_model_module_version")

_open = ipywidgets.Widget.open

#: The widgets of this kernel, from when they are constructed.
_WIDGETS: WeakSet[ipywidgets.Widget] = WeakSet()


class PageComm(BaseComm):
    """Comm of one widget, silent until the page has sent a message."""

    #: Whether a page has requested the widgets or sent a message to one.
    heard = False

    @property
    def kernel(self) -> object:  # type: ignore[override]
        """The kernel, or None until the page has sent a message.

        A widget checks this property of its comm before it sends a change. The flag is therefore shared by
        all comms.
        """
        return Kernel.instance() if PageComm.heard and Kernel.initialized() else None

    def publish_msg(self, *message: object, **parts: object) -> None:
        """Send a message if a page is connected."""
        if self.kernel is not None:
            super().publish_msg(*message, **parts)

    def handle_msg(self, msg: dict[str, Any]) -> None:
        """Handle a message from the page, unless it sets traits of a widget that lists none in `asks`."""
        if self.target_name == WIDGET:
            PageComm.heard = True
            widget = next((widget for widget in _WIDGETS if widget.comm is self), None)
            data = msg["content"].get("data")
            sets = not isinstance(data, dict) or data.get("method") == "update"
            if sets and not getattr(widget, "asks", ()):
                return
        super().handle_msg(msg)


def install() -> None:
    """Replace the comm layer of ipywidgets in the running kernel."""
    comm.create_comm = PageComm
    comm.get_comm_manager().register_target(WIDGET, _refuse)
    comm.get_comm_manager().register_target(ALL, _page_came)
    ipywidgets.Widget.on_widget_constructed(_WIDGETS.add)
    # The method is public, but no hook. With ipywidgets' own method, building the page Explore takes 1.6 times the
    # processor time, because it serialises the state of each widget for a page that is not yet connected.
    ipywidgets.Widget.open = _open_silently


def _open_silently(widget: ipywidgets.Widget) -> None:
    """Create the comm of a widget; serialise the state only if a page is connected."""
    if PageComm.heard or widget.comm is not None:
        _open(widget)
    else:
        widget.comm = PageComm(target_name=WIDGET)


def _page_came(line: Any, message: object) -> None:
    line.on_msg(lambda request: _tell_all(line, request["content"]["data"]))


def _tell_all(line: Any, request: object) -> None:
    """Send the state of all widgets to a page that requests it."""
    if not isinstance(request, dict) or request.get("method") != "request_states":
        return
    states: dict[str, object] = {}
    # Serialising a widget may create further widgets, for example a layout that is created on first access.
    while remaining := [widget for widget in _open_widgets() if widget.model_id not in states]:
        for widget in remaining:
            state = widget.get_state()
            states[widget.model_id] = {
                **{part.removeprefix("_"): state[part] for part in _MODEL},
                "state": state,
            }
    PageComm.heard = True
    stripped, binary = without_bytes(states)
    paths = [list(path) for path in binary]
    line.send(
        {"method": "update_states", "states": stripped, "buffer_paths": paths}, buffers=list(binary.values())
    )


def _open_widgets() -> list[ipywidgets.Widget]:
    return [widget for widget in _WIDGETS if widget.comm is not None]


def _refuse(line: Any, message: object) -> None:
    """Close a comm by which a browser tries to create a widget."""
    line.close()
