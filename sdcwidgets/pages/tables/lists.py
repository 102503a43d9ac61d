"""The lists from which a user of the table generator chooses population, variables and categories."""

from __future__ import annotations

from functools import partial
from typing import Any

import ipywidgets

from sdcwidgets.pages.tables.result import Desk
from sdcwidgets.pages.tables.state import NONE, Generator
from sdcwidgets.parameters import Parameter
from sdcwidgets.studies.base import Study
from sdcwidgets.widgets.actions import Fold
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.page import Text

POSITIONS = ("Rows", "Columns", "Third variable")


class QuestionLists(ipywidgets.VBox):
    """The lists from which a user chooses; they are built anew where what they offer changes."""

    def __init__(self, study: Study[Generator, Desk]) -> None:
        self._study = study
        self._built: object = None
        self._controls: list[Control] = []
        super().__init__()

    def show(self, state: Generator) -> None:
        """Show what is chosen."""
        offered = (id(state.own), state.by, state.population[0], state.grouped)
        if offered != self._built:
            self._built = offered
            self._build(state)
        gone = dict(state.left_out)
        for control in self._controls:
            kind, _, name = control.parameter.name.partition(" ")
            if kind == "by":
                k = int(name)
                control.show(state.by[k] if k < len(state.by) else NONE)
            elif kind in ("population", "category"):
                control.show(state.population[kind == "category"])
            elif kind == "grouped":
                control.show(name in state.grouped)
            else:
                control.show(control.parameter.label not in gone.get(name, ()))

    def _build(self, state: Generator) -> None:
        variables = {name: name for name in state.variables}
        self._controls = []
        spans = [
            self._control(
                Parameter(f"by {k}", str, NONE, label, choices=({NONE: "none"} if k else {}) | variables),
                partial(lambda at, value: self._study.put(self._study.state.spanned(at, value)), k),
            )
            for k, label in enumerate(POSITIONS)
            if k <= len(state.by)
        ]
        besides = {NONE: "everybody"} | {name: name for name in variables if name not in state.by}
        population = [
            self._control(
                Parameter("population", str, NONE, "People, by", choices=besides),
                lambda value: self._study.put(self._study.state.counted(value)),
            )
        ]
        if (chosen := state.population[0]) != NONE:
            categories = (*state.variables[chosen], *state.groups.get(chosen, {}))
            population.append(
                self._control(
                    Parameter(
                        "category", str, categories[0], chosen, choices={one: one for one in categories}
                    ),
                    lambda value: self._study.put(self._study.state.counted(chosen, value)),
                )
            )
        groups = [
            self._control(
                Parameter(f"grouped {name}", bool, False, f"{name} in broad groups"),
                partial(lambda at, on: self._study.put(self._study.state.put_into_groups(at, on)), name),
            )
            for name in state.by
            if name in state.groups
        ]
        shown = Fold("Some categories only", *(self._categories(state, name) for name in state.by))
        self.children = (*population, *spans, *groups, shown)

    def _categories(self, state: Generator, name: str) -> ipywidgets.VBox:
        switches = [
            self._control(
                Parameter(f"shown {name}", bool, True, label),
                partial(
                    lambda at, label, on: self._study.put(self._study.state.switched(at, label, on)),
                    name,
                    label,
                ),
            )
            for label in state.shown_categories(name)
        ]
        box = ipywidgets.Box(switches, layout={"flex_flow": "row wrap", "grid_gap": "2px 14px"})
        return ipywidgets.VBox([Text(f"{name}:"), box])

    def _control(self, parameter: Parameter, handler: Any) -> Control:
        control = Control(parameter)
        control.on_change(handler)
        self._controls.append(control)
        return control
