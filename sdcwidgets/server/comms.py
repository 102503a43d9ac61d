"""What passes between the widgets of a served page and its browser, inside the kernel.

Three things are other than in a notebook. Nothing is said until a page listens, which then asks for all widgets at
once; until then no state is written for nobody. A browser makes no widgets. And it sets what a widget is asked by
(`Widget.asks`), of any widget: those of ipywidgets, such as boxes, texts and layouts, are asked for nothing here.
"""

from __future__ import annotations

from typing import Any

import comm
import ipywidgets
from ipykernel.comm.comm import BaseComm
from ipykernel.kernelbase import Kernel
from ipywidgets.widgets import widget as of_ipywidgets

#: What names a widget, and what speaks of all of them.
WIDGET, ALL = "jupyter.widget", "jupyter.widget.control"

#: What stands in a page for a widget.
VIEW = "application/vnd.jupyter.widget-view+json"

_set_state = ipywidgets.Widget.set_state
_open = ipywidgets.Widget.open


class PageComm(BaseComm):
    """One widget's line to the page, silent until a page was heard."""

    #: Whether a page has asked for the widgets, or spoken to one.
    heard = False

    @property
    def kernel(self) -> object:  # type: ignore[override]
        """The kernel behind the line, once a page was heard.

        A widget asks its line for this before it says what has changed. So it must be known to every line from
        that moment on, those included that have never said anything.
        """
        return Kernel.instance() if PageComm.heard and Kernel.initialized() else None

    def publish_msg(self, *message: object, **parts: object) -> None:
        """Send a message, if there is somebody to hear it."""
        if self.kernel is not None:
            super().publish_msg(*message, **parts)

    def handle_msg(self, msg: dict[str, object]) -> None:
        """Take a message from the page."""
        if self.target_name == WIDGET:
            PageComm.heard = True
        super().handle_msg(msg)


def install() -> None:
    """Let the widgets of this kernel speak so; for a kernel that has started."""
    comm.create_comm = PageComm
    comm.get_comm_manager().register_target(WIDGET, _refuse)
    comm.get_comm_manager().register_target(ALL, _page_came)
    ipywidgets.Widget.open = _open_silently
    ipywidgets.Widget.set_state = _set_allowed_traits
    ipywidgets.Widget._repr_mimebundle_ = _mime_bundle


def _open_silently(widget: ipywidgets.Widget) -> None:
    """Give a widget its line; its state is written once there is somebody to read it."""
    if PageComm.heard or widget.comm is not None:
        _open(widget)
    else:
        named = {} if widget._model_id is None else {"comm_id": widget._model_id}
        widget.comm = PageComm(target_name=WIDGET, **named)


def _mime_bundle(widget: ipywidgets.Widget, **_: object) -> dict[str, object]:
    """Name a widget for the page; IPython would add words about all that is in it, and nobody reads those."""
    return {"text/plain": "", VIEW: {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}}


def _page_came(line: Any, message: object) -> None:
    """Listen to a page that asks for all widgets."""
    ipywidgets.Widget.handle_control_comm_opened(line, message)
    line.on_msg(lambda request: _tell_all(line, request["content"]["data"]))


def _tell_all(line: PageComm, request: object) -> None:
    """Answer a page that asks for the state of all widgets."""
    if not isinstance(request, dict) or request.get("method") != "request_states":
        return
    states: dict[str, object] = {}
    # A state may make a widget of its own as it is read, such as a layout that nobody had looked at.
    while remaining := [
        widget for widget in list(of_ipywidgets._instances.values()) if widget.model_id not in states
    ]:
        for widget in remaining:
            states[widget.model_id] = {
                "model_name": widget._model_name,
                "model_module": widget._model_module,
                "model_module_version": widget._model_module_version,
                "state": widget.get_state(),
            }
    PageComm.heard = True
    states, paths, buffers = of_ipywidgets._remove_buffers(states)
    line.send({"method": "update_states", "states": states, "buffer_paths": paths}, buffers=buffers)


def _set_allowed_traits(widget: object, state: object) -> None:
    """Let a browser set the traits by which it asks, and no others, whatever the widget is."""
    allowed = getattr(widget, "asks", ())
    if isinstance(state, dict) and (changes := {name: state[name] for name in allowed if name in state}):
        _set_state(widget, changes)


def _refuse(line: Any, message: object) -> None:
    """Make no widget for a browser."""
    line.close()
