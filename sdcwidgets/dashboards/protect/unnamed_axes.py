"""Axes whose names are not in the file, and which a user names before the release."""

from __future__ import annotations

from functools import partial

import ipywidgets

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import and_more, quoted, shortened
from sdcwidgets._util.parameters import Parameter
from sdcwidgets.dashboards.protect.result import ProtectResult, ProtectStudy
from sdcwidgets.tables.axis import Axis
from sdcwidgets.widgets.binding import reveal
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.page import Text, card

#: Maximum number of axes with a field for the name.
MOST_AXES = 8

#: Maximum length of the name of an axis, in characters.
LONGEST_NAME = 100


class UnnamedAxes:
    """Card with a warning about invented names of axes, and a field for each name."""

    def __init__(self, study: ProtectStudy) -> None:
        self._study = study
        self._words = Text()
        self._fields: list[Control] = []
        self._axes: list[Axis] = []
        self._list = ipywidgets.VBox([])
        self.box = card("Names of axes", self._words, self._list)
        self.box.add_class("sdc-hand").add_class("sdc-withheld")
        reveal(False, self.box)

    def show(self, result: ProtectResult) -> None:
        """Show the warning once the release is permitted."""
        axes = result.state.unnamed_axes
        is_shown = bool(axes) and result.deciding.answer == "release"
        reveal(is_shown, self.box)
        if not is_shown:
            return
        self._axes = axes[:MOST_AXES]
        names = and_more([quoted(axis.name) for axis in axes], MOST_AXES)
        self._words.show(
            f"The file does not name each axis, so the program invented {names}. Released files can contain an "
            "invented name. Enter the name of the axis before you save the files."
        )
        for k, axis in enumerate(self._axes):
            if k == len(self._fields):
                self._add_field(k)
            labels = and_more([shortened(label) for label in axis.labels], 3)
            self._fields[k].offer(axis.name, label=f"Name of the axis with {labels}")
            reveal(True, self._fields[k])
        reveal(False, *self._fields[len(self._axes) :])

    def _add_field(self, k: int) -> None:
        field = Control(Parameter("axis_name", str, "", "Name of the axis"))
        field.on_change(partial(self._rename, k))
        self._fields.append(field)
        self._list.children = (*self._list.children, field)

    def _rename(self, k: int, name: str) -> None:
        name = name.strip()[:LONGEST_NAME]
        if not name:
            raise InputError("The name of the axis is blank; enter a name.")
        if name != self._axes[k].name:
            self._study.put(self._study.state.with_axis_name(self._axes[k].name, name))
