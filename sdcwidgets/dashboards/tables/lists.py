"""Lists from which data users choose the population, variables and categories of a table."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial

import ipywidgets

from sdcwidgets._util.parameters import Parameter
from sdcwidgets.dashboards.tables.result import TablesResult
from sdcwidgets.dashboards.tables.state import NONE, TablesState
from sdcwidgets.widgets.actions import Fold
from sdcwidgets.widgets.binding import reveal
from sdcwidgets.widgets.controls import Control, Controls
from sdcwidgets.widgets.page import Text
from sdcwidgets.widgets.page_state.recomputation import Study

POSITIONS = ("Rows", "Columns", "Third variable")


class QuestionLists(ipywidgets.VBox):
    """Lists for a request; controls are reused, so that they keep the focus."""

    def __init__(self, study: Study[TablesState, TablesResult]) -> None:
        self._study = study
        self._groups = Controls[str](lambda name, on: self._turn(TablesState.put_into_groups, name, on))
        self._switches: dict[str, Controls[str]] = {}
        self._categories = ipywidgets.VBox()
        self._besides = self._list(lambda value: study.state.counted(value))
        self._category = self._list(lambda value: study.state.counted(study.state.population[0], value))
        self._spans = [
            self._list(partial(lambda at, value: study.state.spanned(at, value), k))
            for k in range(len(POSITIONS))
        ]
        fold = Fold("Select categories", self._categories)
        super().__init__([self._besides, self._category, *self._spans, self._groups, fold])

    def show(self, state: TablesState) -> None:
        """Show the selected request."""
        chosen, category = state.population
        names = tuple(state.variables)
        besides = {NONE: "all people"} | {name: name for name in names if name not in state.by}
        _offer(self._besides, "Population by", besides, chosen)
        if chosen:
            labels = (*state.variables[chosen], *state.groups.get(chosen, {}))
            _offer(self._category, chosen, dict(zip(labels, labels, strict=True)), category)
        reveal(chosen, self._category)
        for k, control in enumerate(self._spans):
            choices = ({NONE: "none"} if k else {}) | dict(zip(names, names, strict=True))
            _offer(control, POSITIONS[k], choices, state.by[k] if k < len(state.by) else NONE)
            reveal(k <= len(state.by), control)
        groups = {
            name: Parameter("switch", bool, False, f"{name} in groups")
            for name in state.by
            if name in state.groups
        }
        self._groups.show(groups, state.grouped.__contains__)
        self._show_categories(state)

    def _show_categories(self, state: TablesState) -> None:
        if tuple(self._switches) != state.by:
            layout = {"flex_flow": "row wrap", "grid_gap": "2px 14px"}
            turns = {name: partial(self._turn, TablesState.switched, name) for name in state.by}
            self._switches = {name: Controls(turn, layout=layout) for name, turn in turns.items()}
            parts = [(Text(f"{name}:"), switches) for name, switches in self._switches.items()]
            self._categories.children = tuple(itertools.chain(*parts))
        gone = dict(state.left_out)
        for name, switches in self._switches.items():
            labels = state.shown_categories(name)
            visible = set(labels) - set(gone.get(name, ()))
            parameters = {label: Parameter("switch", bool, False, label) for label in labels}
            switches.show(parameters, visible.__contains__)

    def _turn(self, change: Callable[..., TablesState], *values: object) -> None:
        self._study.put(change(self._study.state, *values))

    def _list(self, change: Callable[[str], TablesState]) -> Control:
        control = Control(Parameter("list", str, NONE, "", choices={NONE: ""}))
        control.on_change(lambda value: self._study.put(change(value)))
        return control


def _offer(control: Control, label: str, choices: dict[str, str], value: str) -> None:
    control.become(Parameter("list", str, NONE, label, choices=choices), value)
