"""Tabs, each a question; one is open, and what it holds is made when it is opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import ipywidgets
import traitlets

from sdcwidgets.widgets.base import STATIC, Widget


class _TabBar(Widget):
    """The names of the tabs, as a screen reader and the arrow keys know them."""

    _esm = STATIC / "tabs.js"
    _css = STATIC / "tabs.css"

    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    opened = traitlets.Int(0).tag(sync=True)


class Tabs(ipywidgets.VBox):
    """Questions beside each other, and below them what answers the one that is open.

    Parameters
    ----------
    parts : mapping of str to callable
        What makes the widget of each; it is called once, when the tab is first opened.
    """

    def __init__(self, parts: Mapping[str, Callable[[], ipywidgets.Widget]]) -> None:
        self._names, self._parts = list(parts), list(parts.values())
        self._panels: dict[int, ipywidgets.Widget] = {}
        self._bar = _TabBar(names=list(parts))
        self._bar.hear("open", lambda message, _: self._hear(message.get("index")))
        self._panel = ipywidgets.VBox().add_class("sdc-tabpanel").add_class("sdc-card")
        super().__init__([self._bar, self._panel])
        self.add_class("sdc-tabs")
        self.turn_to(0)

    @property
    def opened(self) -> int:
        """Which tab is open."""
        return int(self._bar.opened)

    @property
    def count(self) -> int:
        """How many are offered."""
        return len(self._bar.names)

    def offer(self, count: int) -> None:
        """Offer the first so many only, all if there are not more; what is open stays open unless it is gone."""
        if self.opened >= count:
            self.turn_to(0)
        self._bar.names = self._names[:count]

    def turn_to(self, index: int) -> None:
        """Open a tab."""
        if index not in self._panels:
            self._panels[index] = self._parts[index]()
            self._panel.children = tuple(self._panels[position] for position in sorted(self._panels))
        for position, part in self._panels.items():
            part.layout.display = "" if position == index else "none"
        self._bar.opened = index

    def lead_to(self, index: int) -> None:
        """Open a tab, bring it into sight and give it the focus."""
        self.turn_to(index)
        self._bar.send({"type": "lead", "index": index})

    def _hear(self, index: object) -> None:
        if type(index) is int and 0 <= index < self.count:
            self.turn_to(index)
