"""Selector of protection methods, and controls of the selected method, created from declarations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import ipywidgets

from sdcwidgets import methods
from sdcwidgets._util.parameters import AxisNames, Groups, Parameter, Shares, StochasticMatrix, declared
from sdcwidgets.methods import Method
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.method_parts import GroupTicks, MatrixGrid
from sdcwidgets.widgets.page import Text
from sdcwidgets.widgets.page_state.recomputation import Study

#: Note on methods that publish fewer categories.
SPREAD = " For comparison with the original cells, each merged count is spread evenly over its original categories."


#: Kinds of settings with a control. Others, such as a p-table, are set in Python or on the command line.
KINDS = (AxisNames, Groups, Shares, StochasticMatrix)


class MethodControls(ipywidgets.VBox):
    """A method and its settings, connected to a study whose state has a `method`."""

    def __init__(self, study: Study[Any, Any]) -> None:
        titles = {name: methods.get(name).title for name in sorted(methods.available())}
        chosen = study.state.method
        self._study = study
        self._selector = Control(Parameter("method", str, chosen.name, "Method", choices=titles))
        self._selector.on_change(lambda name: study.put(study.state.with_method(name)))
        self._summary = Text()
        self._controls: dict[str, Control | MatrixGrid | GroupTicks] = {}
        self._kind: tuple[object, ...] = ()
        self._narrow = False
        super().__init__([self._selector, self._summary])
        study.observe(lambda _: self._follow(), "turn")
        self._follow()

    def narrow(self, narrow: bool) -> None:
        """Show only the first setting, without the list of methods and the description, or show everything."""
        self._narrow = narrow
        controls = list(self._controls.values())
        for widget in (self._selector, self._summary, *controls[1:]):
            widget.layout.display = "none" if narrow else ""

    def _follow(self) -> None:
        method, table = self._study.state.method, self._study.state.table
        kind = (type(method), tuple(axis.name for axis in table.axes))
        if kind != self._kind:
            self._kind = kind
            self._controls = {
                parameter.name: self._control(parameter, method)
                for parameter in declared(type(method))
                if parameter.kind is None or isinstance(parameter.kind, KINDS)
            }
            self.children = (self._selector, self._summary, *self._controls.values())
            self._summary.show(method.summary() + (SPREAD if method.merges else ""))
            self.narrow(self._narrow)
        self._selector.show(method.name)
        for name, control in self._controls.items():
            control.show(getattr(method, name))

    def _control(self, parameter: Parameter, method: Method) -> Control | MatrixGrid | GroupTicks:
        value = getattr(method, parameter.name)
        if isinstance(parameter.kind, StochasticMatrix):
            return MatrixGrid(parameter, self._study, self._set)
        if isinstance(parameter.kind, Groups):
            return GroupTicks(parameter, self._study, self._set)
        if isinstance(parameter.kind, AxisNames):
            control: Control = _AxisControl(parameter, value, self._study.state.table)
        else:
            control = Control(parameter, value)
        control.on_change(lambda new: self._set(parameter.name, new))
        return control

    def _set(self, name: str, value: object) -> None:
        self._study.put(self._study.state.with_parameter(name, value), gesture=f"method {name}")


class _AxisControl(Control):
    """A choice of an axis of the table, or of none if several axes are allowed."""

    def __init__(self, parameter: Parameter, value: object, table: FrequencyTable) -> None:
        self._several = isinstance(parameter.kind, AxisNames) and parameter.kind.several
        options = {"none": "none"} if self._several else {}
        between = {axis.name: axis.name for axis in table.axes[1:-1]}
        options |= {"rows": table.axes[0].name} | between | {"columns": table.axes[-1].name}
        super().__init__(replace(parameter, kind=None, choices=options), self._word(value))

    def on_change(self, handler: Callable[[Any], None]) -> None:
        """Call `handler` with the name, or with a tuple of names if several axes are allowed."""
        super().on_change(lambda word: handler(self._names(word)))

    def show(self, value: object) -> None:
        """Show the selected axis."""
        super().show(self._word(value))

    def _word(self, value: Any) -> str:
        if isinstance(value, str):
            return value
        return value[0] if value else "none"

    def _names(self, word: str) -> Any:
        if not self._several:
            return word
        return () if word == "none" else (word,)
