"""Tabs; the content of each is created when it is first opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import ipywidgets
import traitlets

from sdcwidgets.widgets.base import STATIC, Widget


class _TabBar(Widget):
    """Names of the tabs, with roles for screen readers and arrow keys."""

    _esm = STATIC / "tabs.js"
    _css = STATIC / "tabs.css"

    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    opened = traitlets.Int(0).tag(sync=True)


class Tabs(ipywidgets.VBox):
    """A row of tabs with a panel for the open one.

    Parameters
    ----------
    parts : mapping of str to callable
        Functions that create the content of each tab, called when the tab is first opened.
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
        """Index of the open tab."""
        return int(self._bar.opened)

    @property
    def count(self) -> int:
        """Number of visible tabs."""
        return len(self._bar.names)

    def offer(self, count: int) -> None:
        """Show only the first `count` tabs; the open tab stays open if it is one of them."""
        if self.opened >= count:
            self.turn_to(0)
        self._bar.names = self._names[:count]

    def create(self, index: int) -> None:
        """Create the content of a tab that was not opened yet, without opening the tab."""
        if index not in self._panels:
            self._panels[index] = self._parts[index]()
            self._panels[index].layout.display = "none"
            self._panel.children = tuple(self._panels[position] for position in sorted(self._panels))

    def turn_to(self, index: int) -> None:
        """Open a tab."""
        self.create(index)
        for position, part in self._panels.items():
            part.layout.display = "" if position == index else "none"
        self._bar.opened = index

    def lead_to(self, index: int) -> None:
        """Open a tab, scroll to it and focus it."""
        self.turn_to(index)
        self._bar.send({"type": "lead", "index": index})

    def _hear(self, index: object) -> None:
        if type(index) is int and 0 <= index < self.count:
            self.turn_to(index)
