"""Binding a study to what shows it: one change, one result, each view drawn once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import ipywidgets

from sdcwidgets._util.arrays import Whole
from sdcwidgets._util.parameters import Parameter, declared
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.message_batch import batched
from sdcwidgets.widgets.studies.base import Study

#: What is said below a row of counts that is typed.
TYPED = "Type another number in a cell and press Enter. Striped: nobody. Framed: one or two people."

R = TypeVar("R")

#: What a part of a page consists of: its widgets, and the view that shows a result in them.
Part = tuple[tuple[ipywidgets.Widget, ...], Callable[[R], None]]


def follow(study: Study[Any, R], *views: Callable[[R], None]) -> None:
    """Call each view with the result of the study, now and after each change."""

    def show(result: R) -> None:
        with batched():
            for view in views:
                view(result)

    study.observe(lambda _: show(study.result), "turn")
    show(study.result)


def followed(study: Study[Any, R], part: Part[R]) -> tuple[ipywidgets.Widget, ...]:
    """Return the widgets of a part, which follow the study from now on."""
    widgets, view = part
    follow(study, view)
    return widgets


def changing_choice(
    name: str, label: str, change: Callable[[Any], None]
) -> tuple[Control, Callable[[dict[str, str], str], None]]:
    """Return a control whose choices may be others after each change, and what shows choices and value in it."""
    control = Control(Parameter(name, str, "", label, choices={"": ""}), look="buttons")
    control.on_change(change)

    def show(choices: dict[str, str], value: str) -> None:
        control.become(Parameter(name, str, value, label, choices=choices), value)

    return control, show


def parameter_of(cls: type, name: str) -> Parameter:
    """Return one declared parameter of a class."""
    return next(parameter for parameter in declared(cls) if parameter.name == name)


def settings_control(study: Study[Any, Any], name: str, of: str = "settings", **look: Any) -> Control:
    """Return the control of one of the settings in the state of a study, bound both ways; `of` is the field."""
    settings = getattr(study.state, of)
    control = Control(parameter_of(type(settings), name), getattr(settings, name), **look)

    def put(value: object) -> None:
        if of == "settings":
            changed = study.state.set(**{name: value})
        else:
            changed = study.state.changed(**{of: replace(getattr(study.state, of), **{name: value})})
        study.put(changed, gesture=name)

    control.on_change(put)
    study.observe(lambda _: control.show(getattr(getattr(study.state, of), name)), "turn")
    return control


def edit_table(grid: Grid, study: Study[Any, Any], edited: Callable[[Whole], object] | None = None) -> None:
    """Let the edits of a grid change the state of a study, its table or as `edited` says; its keys undo and redo."""
    grid.on_edit(lambda counts: study.put(edited(counts) if edited else study.state.edited(counts)))
    grid.on_undo(study.undo)
    grid.on_redo(study.redo)


def showing(*pieces: ipywidgets.Widget | tuple[Any, ...]) -> Part[Any]:
    """Return widgets below each other that show a result.

    A piece is a widget that stays as it is; or one with what it shows, (text, words of the result) or
    (chart, drawing, picture of the result); or another part.
    """
    widgets: list[ipywidgets.Widget] = []
    for piece in pieces:
        first = piece[0] if isinstance(piece, tuple) else piece
        widgets += first if isinstance(first, tuple) else [first]

    def show(result: Any) -> None:
        for piece in pieces:
            match piece:
                case (tuple(), view):
                    view(result)
                case (widget, *drawing, make):
                    widget.show(*drawing, make(result))

    return tuple(widgets), show


def reveal(visible: object, *widgets: ipywidgets.DOMWidget) -> None:
    """Show widgets, or leave no room for them."""
    for widget in widgets:
        widget.layout.display = None if visible else "none"
