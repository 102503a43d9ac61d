"""What passes between the widgets of a served page and its browser, inside the kernel.

Two things are other than in a notebook. A browser makes no widgets. And it sets what a widget is asked by
(`Widget.asks`), of any widget: those of ipywidgets, such as boxes, texts and layouts, are asked for nothing here.
"""

from __future__ import annotations

from typing import Any

import comm
import ipywidgets

__all__ = ["install"]

_set_state = ipywidgets.Widget.set_state


def install() -> None:
    """Let the widgets of this kernel speak so; for a kernel that has started."""
    comm.get_comm_manager().register_target("jupyter.widget", _refuse)
    comm.get_comm_manager().register_target(
        "jupyter.widget.control", ipywidgets.Widget.handle_control_comm_opened
    )
    ipywidgets.Widget.set_state = _set_what_is_asked


def _set_what_is_asked(widget: Any, state: Any) -> None:
    """Let a browser set the traits by which it asks, and no others, whatever the widget is."""
    allowed = getattr(widget, "asks", ())
    if isinstance(state, dict) and (asked := {name: state[name] for name in allowed if name in state}):
        _set_state(widget, asked)


def _refuse(line: Any, message: Any) -> None:
    """Make no widget for a browser."""
    line.close()
