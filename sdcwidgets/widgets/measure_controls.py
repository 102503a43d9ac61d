"""Controls of the settings of single measures, created from declarations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sdcwidgets import measures
from sdcwidgets.widgets.binding import reveal
from sdcwidgets.widgets.controls import Controls
from sdcwidgets.widgets.page_state.recomputation import Study


class MeasureControls(Controls[tuple[str, str]]):
    """Controls of the settings of the selected measures, connected to a study; hidden if there are none.

    Parameters
    ----------
    study : Study
    chosen : callable
        Returns the names of the selected measures.
    """

    def __init__(self, study: Study[Any, Any], chosen: Callable[[], tuple[str, ...]]) -> None:
        super().__init__(self._put, layout={"display": "none"})
        self._study, self._chosen = study, chosen
        study.observe(lambda _: self._follow(), "turn")
        self._follow()

    def _follow(self) -> None:
        own = {
            (name, item.name): item
            for name in dict.fromkeys(self._chosen())
            for item in measures.get(name).own_settings()
        }
        reveal(own, self)
        settings = self._study.state.settings
        self.show(own, lambda key: getattr(measures.get(key[0]).of(settings), key[1]))

    def _put(self, key: tuple[str, str], value: object) -> None:
        settings = self._study.state.settings.with_own(key[0], **{key[1]: value})
        self._study.change(gesture=" ".join(key), settings=settings)
