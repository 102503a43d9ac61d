"""Connect a study to widgets: one change gives one result, and each view is updated once."""

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
from sdcwidgets.widgets.page_state.recomputation import Study

#: Hint below a row of editable counts.
TYPED = "To edit a count, type a number and press Enter. Striped = zero. Framed = count of 1 or 2."

R = TypeVar("R")

#: A part of a page: its widgets, and a function that updates them with a result.
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
    """Return the widgets of a part, after connecting them to the study."""
    widgets, view = part
    follow(study, view)
    return widgets


def changing_choice(
    name: str, label: str, change: Callable[[Any], None]
) -> tuple[Control, Callable[[dict[str, str], str], None]]:
    """Return a control with variable choices, and a function that shows choices and a value in it."""
    control = Control(Parameter(name, str, "", label, choices={"": ""}), look="buttons")
    control.on_change(change)

    def show(choices: dict[str, str], value: str) -> None:
        control.become(Parameter(name, str, value, label, choices=choices), value)

    return control, show


def parameter_of(cls: type, name: str) -> Parameter:
    """Return one declared parameter of a class."""
    return next(parameter for parameter in declared(cls) if parameter.name == name)


def settings_control(study: Study[Any, Any], name: str, of: str = "settings", **look: Any) -> Control:
    """Return the control of a setting of a study, connected in both directions; `of` is the field of the settings."""
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
    """Apply the edits of a grid to a study, by `edited` or to its table; the keys of the grid undo and redo."""

    def put(counts: Whole) -> None:
        study.put(edited(counts) if edited else study.state.edited(counts, grid.settled))

    grid.on_edit(put)
    grid.on_undo(study.undo)
    grid.on_redo(study.redo)


def showing(*pieces: ipywidgets.Widget | tuple[Any, ...]) -> Part[Any]:
    """Return widgets, one below the other, that show a result.

    A piece is a fixed widget, another part, or a tuple such as (text, function of the result) or (chart, drawing,
    function of the result).
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
    """Show widgets, or hide them completely."""
    for widget in widgets:
        widget.layout.display = None if visible else "none"
