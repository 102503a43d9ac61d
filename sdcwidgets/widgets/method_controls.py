"""The selector of protection methods and the controls of the one that is chosen, all made from declarations."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Any

import ipywidgets
import numpy as np
from numpy.typing import NDArray

from sdcwidgets import methods
from sdcwidgets.errors import InputError
from sdcwidgets.methods import Method
from sdcwidgets.parameters import AxisNames, Parameter, StochasticMatrix, declared
from sdcwidgets.studies.base import Study
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page import Text, heading

__all__ = ["MethodControls", "shares", "weights"]


class MethodControls(ipywidgets.VBox):
    """A method and its parameters, bound to a study whose state has a `method`."""

    def __init__(self, study: Study[Any, Any]) -> None:
        titles = {name: methods.get(name).title for name in sorted(methods.available())}
        chosen = study.state.method
        self._study = study
        self._selector = Control(Parameter("method", str, chosen.name, "Method", choices=titles))
        self._selector.on_change(lambda name: study.put(study.state.with_method(name)))
        self._summary = Text()
        self._controls: dict[str, Control | _MatrixGrid] = {}
        self._kind: tuple[Any, ...] = ()
        super().__init__([self._selector, self._summary])
        study.observe(lambda _: self._follow(), "turn")
        self._follow()

    def _follow(self) -> None:
        method, table = self._study.state.method, self._study.state.table
        kind = (type(method), tuple(axis.name for axis in table.axes))
        if kind != self._kind:
            self._kind = kind
            self._controls = {one.name: self._control(one, method) for one in declared(type(method))}
            self.children = (self._selector, self._summary, *self._controls.values())
            self._summary.show(method.summary())
        self._selector.show(method.name)
        for name, control in self._controls.items():
            control.show(getattr(method, name))

    def _control(self, parameter: Parameter, method: Method) -> Control | _MatrixGrid:
        value = getattr(method, parameter.name)
        if isinstance(parameter.kind, StochasticMatrix):
            return _MatrixGrid(parameter, value, self._set)
        if isinstance(parameter.kind, AxisNames):
            control: Control = _AxisControl(parameter, value, self._study.state.table)
        else:
            control = Control(parameter, value)
        control.on_change(lambda new: self._set(parameter.name, new))
        return control

    def _set(self, name: str, value: Any) -> None:
        self._study.put(self._study.state.with_parameter(name, value), gesture=f"method {name}")


class _AxisControl(Control):
    """A choice of one of the axes of the table at hand, or of none where several may be chosen."""

    def __init__(self, parameter: Parameter, value: Any, table: Any) -> None:
        self._several = isinstance(parameter.kind, AxisNames) and parameter.kind.several
        options = {"none": "none"} if self._several else {}
        between = {axis.name: axis.name for axis in table.axes[1:-1]}
        options |= {"rows": table.axes[0].name} | between | {"columns": table.axes[-1].name}
        super().__init__(replace(parameter, kind=None, choices=options), self._word(value))

    def on_change(self, handler: Any) -> None:
        """Call `handler` with the name, or with a tuple of names where several may be chosen."""
        super().on_change(lambda word: handler(self._names(word)))

    def show(self, value: Any) -> None:
        """Show the axis that was chosen."""
        super().show(self._word(value))

    def _word(self, value: Any) -> str:
        return value if isinstance(value, str) else (value[0] if value else "none")

    def _names(self, word: str) -> Any:
        return ((word,) if word != "none" else ()) if self._several else word


class _MatrixGrid(ipywidgets.VBox):
    """A matrix of probabilities, edited as whole weights: each row is divided by its sum."""

    def __init__(self, parameter: Parameter, value: Any, change: Any) -> None:
        self._grid = Grid(title=parameter.label, hint=f"{parameter.help} Each row is divided by its sum.")
        self._grid.on_edit(lambda counts: change(parameter.name, shares(counts)))
        self._grid.add_class("sdc-compact").add_class("sdc-unmarked")
        super().__init__([heading(f"{parameter.label}, as weights"), self._grid])
        self.show(value)

    def show(self, value: Any) -> None:
        """Show another matrix."""
        if self._grid.counts is not None and _same(shares(self._grid.counts), value):
            return
        whole = weights(np.asarray(value))
        names = tuple(map(str, range(whole.shape[0]))), tuple(map(str, range(whole.shape[1])))
        self._grid.update(
            row_name="true", column_name="published", rows=names[0], columns=names[1], counts=whole
        )


def shares(whole: NDArray[np.int64]) -> tuple[tuple[float, ...], ...]:
    """Return each row divided by its sum.

    >>> shares(np.array([[1, 3], [2, 0]]))
    ((0.25, 0.75), (1.0, 0.0))
    """
    sums = whole.sum(axis=1, keepdims=True)
    if not sums.all():
        row = int(np.flatnonzero(sums == 0)[0])
        raise InputError(f"Row {row} has no weight; at least one weight of each row must be above 0.")
    return tuple(map(tuple, (whole / sums).tolist()))


def weights(matrix: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return small whole numbers that stand in each row as the probabilities do.

    >>> weights(np.array([[0.5, 0.5, 0], [0.9, 1 / 60, 1 / 12]]))
    array([[ 1,  1,  0],
           [54,  1,  5]])
    """
    rows = []
    for row in matrix.tolist():
        fractions = [Fraction(value).limit_denominator(1000) for value in row]
        # Probabilities that are no simple fractions are told to a millionth.
        common = min(lcm(*(one.denominator for one in fractions)), 1_000_000)
        rows.append([round(value * common) for value in fractions])
    return np.array(rows, dtype=np.int64)


def _same(one: Any, other: Any) -> bool:
    return np.shape(one) == np.shape(other) and bool(np.allclose(one, other, atol=1e-12))
