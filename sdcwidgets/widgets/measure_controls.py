"""The controls of the settings that single measures have, all made from declarations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets

from sdcwidgets import measures
from sdcwidgets.parameters import Parameter
from sdcwidgets.studies.base import Study
from sdcwidgets.widgets.controls import Control


class MeasureControls(ipywidgets.Box):
    """The own settings of the measures that are chosen, bound to a study whose state has `settings`; hidden if none.

    Parameters
    ----------
    study : Study
    chosen : callable
        Returns the names of these measures.
    """

    def __init__(self, study: Study[Any, Any], chosen: Callable[[], tuple[str, ...]]) -> None:
        super().__init__(layout={"display": "none"})
        self._study, self._chosen = study, chosen
        self._controls: dict[tuple[str, str], Control] = {}
        study.observe(lambda _: self._follow(), "turn")
        self._follow()

    def _follow(self) -> None:
        own = {
            (name, item.name): item
            for name in dict.fromkeys(self._chosen())
            for item in measures.get(name).own_settings()
        }
        if own.keys() != self._controls.keys():
            self._controls = {key: self._control(key[0], item) for key, item in own.items()}
            self.children = tuple(self._controls.values())
            self.layout.display = None if own else "none"
        for (measure, setting), control in self._controls.items():
            control.show(getattr(measures.get(measure).of(self._study.state.settings), setting))

    def _control(self, measure: str, item: Parameter) -> Control:
        def put(value: object) -> None:
            settings = self._study.state.settings.with_own(measure, **{item.name: value})
            self._study.change(gesture=f"{measure} {item.name}", settings=settings)

        control = Control(item)
        control.on_change(put)
        return control
