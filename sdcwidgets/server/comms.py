"""What passes between the widgets of a served page and its browser, inside the kernel.

Three things are other than in a notebook. Nothing is said until a page listens, which then asks for everything at
once. A browser makes no widgets. And it sets what a widget is asked by (`Widget.asks`), of any widget: those of
ipywidgets, such as boxes, texts and layouts, are asked for nothing here.
"""

from __future__ import annotations

from typing import Any

import comm
import ipywidgets
from ipykernel.comm.comm import BaseComm

__all__ = ["PageComm", "install"]

_set_state = ipywidgets.Widget.set_state


class PageComm(BaseComm):
    """One widget's line to the page, silent until a page was heard."""

    #: Whether a page has said something.
    heard = False

    def publish_msg(self, *message: Any, **parts: Any) -> None:
        """Send a message, if there is somebody to hear it."""
        if PageComm.heard:
            super().publish_msg(*message, **parts)

    def handle_msg(self, msg: Any) -> None:
        """Take a message from the page."""
        PageComm.heard = True
        super().handle_msg(msg)


def install() -> None:
    """Let the widgets of this kernel speak so; for a kernel that has started."""
    comm.create_comm = PageComm
    comm.get_comm_manager().targets.pop("jupyter.widget", None)
    comm.get_comm_manager().register_target("jupyter.widget.control", _page_came)
    ipywidgets.Widget.set_state = _set_what_is_asked


def _page_came(line: Any, message: Any) -> None:
    """Answer a page that asks for all widgets."""
    PageComm.heard = True
    ipywidgets.Widget.handle_control_comm_opened(line, message)


def _set_what_is_asked(widget: Any, state: Any) -> None:
    """Let a browser set the traits by which it asks, and no others, whatever the widget is."""
    allowed = getattr(widget, "asks", ())
    if isinstance(state, dict) and (asked := {name: state[name] for name in allowed if name in state}):
        _set_state(widget, asked)
