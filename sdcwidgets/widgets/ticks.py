"""Tick boxes for categories."""

from __future__ import annotations

from collections.abc import Sequence

import ipywidgets

from sdcwidgets._util.parameters import Parameter
from sdcwidgets.widgets.controls import Control

#: Maximum number of categories with tick boxes.
MOST_TICKED = 60


class Ticks(ipywidgets.Box):
    """A tick box per label; none if there are too many labels."""

    def __init__(self) -> None:
        self._labels: tuple[str, ...] | None = None
        self._boxes: dict[str, Control] = {}
        super().__init__(layout=ipywidgets.Layout(flex_flow="row wrap", grid_gap="2px 18px"))

    def show(self, labels: Sequence[str]) -> None:
        """Show tick boxes for these labels, all cleared; if the labels are the same as before, nothing changes."""
        if tuple(labels) == self._labels:
            return
        self._labels = tuple(labels)
        some = labels if len(labels) <= MOST_TICKED else ()
        controls = list(self._boxes.values())
        parameters = [Parameter("tick", bool, False, label) for label in some]
        for box, parameter in zip(controls, parameters, strict=False):
            box.become(parameter, False)
        controls += [Control(parameter) for parameter in parameters[len(controls) :]]
        self._boxes = dict(zip(some, controls, strict=False))
        self.children = tuple(self._boxes.values())

    def clear(self) -> None:
        """Clear all tick boxes."""
        for box in self._boxes.values():
            box.show(False)

    @property
    def ticked(self) -> list[str]:
        """Selected labels, in their order."""
        return [label for label, box in self._boxes.items() if box.value]
