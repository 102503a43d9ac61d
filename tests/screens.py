"""Find the widgets of a dashboard, and ask them what a browser would ask."""

from typing import Any

from sdcwidgets.widgets.controls import Control


def inside(widget: Any, kind: type) -> list[Any]:
    """All widgets of a kind, in the order of the page."""
    found = [widget] if isinstance(widget, kind) else []
    for child in getattr(widget, "children", ()):
        found += inside(child, kind)
    return found


def control(screen: Any, label: str) -> Control:
    """The control with this label."""
    return next(one for one in inside(screen, Control) if one.spec["label"] == label)


def ask(widget: Control, value: Any) -> None:
    """Choose a value in a control."""
    widget.request = {"value": value}
