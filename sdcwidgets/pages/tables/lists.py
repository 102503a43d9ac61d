"""The lists from which a user of the table generator chooses population, variables and categories."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import ipywidgets

from sdcwidgets.pages.tables.result import Desk
from sdcwidgets.pages.tables.state import NONE, Generator
from sdcwidgets.parameters import Parameter
from sdcwidgets.studies.base import Study
from sdcwidgets.widgets.actions import Fold
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.live import reveal
from sdcwidgets.widgets.page import Text

POSITIONS = ("Rows", "Columns", "Third variable")


class QuestionLists(ipywidgets.VBox):
    """The lists from which a user chooses; what can stay does, so that it keeps the focus."""

    def __init__(self, study: Study[Generator, Desk]) -> None:
        self._study = study
        self._groups, self._shown = _Switches(), _Switches()
        self._besides = self._list(lambda value: study.state.counted(value))
        self._category = self._list(lambda value: study.state.counted(study.state.population[0], value))
        self._spans = [
            self._list(partial(lambda at, value: study.state.spanned(at, value), k))
            for k in range(len(POSITIONS))
        ]
        fold = Fold("Some categories only", self._shown)
        super().__init__([self._besides, self._category, *self._spans, self._groups, fold])

    def show(self, state: Generator) -> None:
        """Show what is chosen."""
        chosen, category = state.population
        names = tuple(state.variables)
        besides = {NONE: "everybody"} | {name: name for name in names if name not in state.by}
        _offer(self._besides, "People, by", besides, chosen)
        if chosen:
            labels = (*state.variables[chosen], *state.groups.get(chosen, {}))
            _offer(self._category, chosen, dict(zip(labels, labels, strict=True)), category)
        reveal(chosen, self._category)
        for k, control in enumerate(self._spans):
            choices = ({NONE: "none"} if k else {}) | dict(zip(names, names, strict=True))
            _offer(control, POSITIONS[k], choices, state.by[k] if k < len(state.by) else NONE)
            reveal(k <= len(state.by), control)
        self._show_groups(state)
        self._show_categories(state)

    def _show_groups(self, state: Generator) -> None:
        def made() -> list[ipywidgets.Widget]:
            return [
                self._groups.switch(
                    (name, ""),
                    f"{name} in broad groups",
                    partial(self._turn, Generator.put_into_groups, name),
                )
                for name in state.by
                if name in state.groups
            ]

        self._groups.offer((id(state.own), state.by), made)
        self._groups.show(lambda name, _: name in state.grouped)

    def _show_categories(self, state: Generator) -> None:
        def made() -> list[ipywidgets.Widget]:
            return [part for name in state.by for part in (Text(f"{name}:"), categories(name))]

        def categories(name: str) -> ipywidgets.Box:
            switches = [
                self._shown.switch((name, label), label, partial(self._turn, Generator.switched, name, label))
                for label in state.shown_categories(name)
            ]
            return ipywidgets.Box(switches, layout={"flex_flow": "row wrap", "grid_gap": "2px 14px"})

        self._shown.offer((id(state.own), state.by, state.grouped), made)
        gone = dict(state.left_out)
        self._shown.show(lambda name, label: label not in gone.get(name, ()))

    def _turn(self, change: Callable[..., Generator], *values: object) -> None:
        self._study.put(change(self._study.state, *values))

    def _list(self, change: Callable[[str], Generator]) -> Control:
        control = Control(Parameter("list", str, NONE, "", choices={NONE: ""}))
        control.on_change(lambda value: self._study.put(change(value)))
        return control


class _Switches(ipywidgets.VBox):
    """Switches, made anew where others are offered."""

    def __init__(self) -> None:
        super().__init__()
        self._offered: object = None
        self._controls: dict[tuple[str, str], Control] = {}

    def offer(self, offered: object, made: Callable[[], list[ipywidgets.Widget]]) -> None:
        if offered != self._offered:
            self._offered, self._controls = offered, {}
            self.children = made()

    def switch(self, of: tuple[str, str], label: str, turn: Callable[[bool], None]) -> Control:
        control = self._controls[of] = Control(Parameter("switch", bool, False, label))
        control.on_change(turn)
        return control

    def show(self, on: Callable[[str, str], bool]) -> None:
        for of, control in self._controls.items():
            control.show(on(*of))


def _offer(control: Control, label: str, choices: dict[str, str], value: str) -> None:
    control.become(Parameter("list", str, NONE, label, choices=choices), value)
