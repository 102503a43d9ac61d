"""Find the widgets of a dashboard, and ask them what a browser would ask."""

from collections.abc import Mapping
from typing import Any, TypeVar

from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.controls import Control

T = TypeVar("T")


def inside(widget: Any, kind: type) -> list[Any]:
    """All widgets of a kind, in the order of the page."""
    found = [widget] if isinstance(widget, kind) else []
    for child in getattr(widget, "children", ()):
        found += inside(child, kind)
    return found


def control(screen: Any, name: str) -> Control:
    """The first control of the parameter with this name, or of a category with this label."""
    controls = inside(screen, Control)
    return next(one for key in ("name", "label") for one in controls if getattr(one.parameter, key) == name)


def button(screen: Any, words: str) -> tuple[Actions, int]:
    """The row of buttons with one whose label contains these words, and the place of that button."""
    return next(
        (row, place)
        for row in inside(screen, Actions)
        for place, label in enumerate(row.labels)
        if words in label
    )


def named(parts: Mapping[str, T], words: str) -> T:
    """The only part whose name contains these words."""
    [part] = [part for name, part in parts.items() if words in name]
    return part


def ask(widget: Control, value: Any) -> None:
    """Choose a value in a control."""
    widget.request = {"value": value}
