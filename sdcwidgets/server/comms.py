"""Comm layer of a served page, inside its kernel.

It differs from a notebook in three ways. First, the kernel sends nothing until the page requests the state of
all widgets, and it does not serialise state before that. Second, a browser cannot create widgets. Third, a
browser can set only the traits that a widget lists in `Widget.asks`; widgets of ipywidgets, for example boxes
and layouts, list none.
"""

from __future__ import annotations

from typing import Any

import comm
import ipywidgets
from ipykernel.comm.comm import BaseComm
from ipykernel.kernelbase import Kernel
from ipywidgets.widgets import widget as of_ipywidgets

#: Comm targets of one widget and of the control channel.
WIDGET, ALL = "jupyter.widget", "jupyter.widget.control"

#: MIME type of a widget view.
VIEW = "application/vnd.jupyter.widget-view+json"

_set_state = ipywidgets.Widget.set_state
_open = ipywidgets.Widget.open


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

    def handle_msg(self, msg: dict[str, object]) -> None:
        """Handle a message from the page."""
        if self.target_name == WIDGET:
            PageComm.heard = True
        super().handle_msg(msg)


def install() -> None:
    """Replace the comm layer of ipywidgets in the running kernel."""
    comm.create_comm = PageComm
    comm.get_comm_manager().register_target(WIDGET, _refuse)
    comm.get_comm_manager().register_target(ALL, _page_came)
    ipywidgets.Widget.open = _open_silently
    ipywidgets.Widget.set_state = _set_allowed_traits
    ipywidgets.Widget._repr_mimebundle_ = _mime_bundle


def _open_silently(widget: ipywidgets.Widget) -> None:
    """Create the comm of a widget; serialise the state only if a page is connected."""
    if PageComm.heard or widget.comm is not None:
        _open(widget)
    else:
        named = {} if widget._model_id is None else {"comm_id": widget._model_id}
        widget.comm = PageComm(target_name=WIDGET, **named)


def _mime_bundle(widget: ipywidgets.Widget, **_: object) -> dict[str, object]:
    """Return the view of a widget without the text description that IPython adds."""
    return {"text/plain": "", VIEW: {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}}


def _page_came(line: Any, message: object) -> None:
    ipywidgets.Widget.handle_control_comm_opened(line, message)
    line.on_msg(lambda request: _tell_all(line, request["content"]["data"]))


def _tell_all(line: PageComm, request: object) -> None:
    """Send the state of all widgets to a page that requests it."""
    if not isinstance(request, dict) or request.get("method") != "request_states":
        return
    states: dict[str, object] = {}
    # Serialising a widget may create further widgets, for example a layout that is created on first access.
    remaining = list(of_ipywidgets._instances.values())
    while remaining:
        for widget in remaining:
            states[widget.model_id] = {
                "model_name": widget._model_name,
                "model_module": widget._model_module,
                "model_module_version": widget._model_module_version,
                "state": widget.get_state(),
            }
        instances = list(of_ipywidgets._instances.values())
        remaining = [widget for widget in instances if widget.model_id not in states]
    PageComm.heard = True
    states, paths, buffers = of_ipywidgets._remove_buffers(states)
    line.send({"method": "update_states", "states": states, "buffer_paths": paths}, buffers=buffers)


def _set_allowed_traits(widget: object, state: object) -> None:
    """Set only the traits that the widget allows a browser to set."""
    allowed = getattr(widget, "asks", ())
    if not isinstance(state, dict):
        return
    changes = {name: state[name] for name in allowed if name in state}
    if changes:
        _set_state(widget, changes)


def _refuse(line: Any, message: object) -> None:
    """Close a comm by which a browser tries to create a widget."""
    line.close()
