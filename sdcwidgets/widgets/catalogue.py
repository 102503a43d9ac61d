"""A list of things to open, under headings, one of them open."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import traitlets

from sdcwidgets.widgets.base import Widget, browser_side, style

__all__ = ["Catalogue"]


class Catalogue(Widget):
    """A group of radio buttons that looks like a list.

    Parameters
    ----------
    label : str
        What a screen reader calls the list.
    groups : mapping of str to sequence of (name, title)
        The items under each heading.
    chosen : str
        The name of the item that is open.
    """

    _esm = browser_side("catalogue")
    _css = style("catalogue")

    label = traitlets.Unicode().tag(sync=True)
    groups: traitlets.List[Any] = traitlets.List().tag(sync=True)
    chosen = traitlets.Unicode().tag(sync=True)

    def __init__(self, label: str, groups: Mapping[str, Sequence[tuple[str, str]]], chosen: str) -> None:
        plain = [[heading, [list(item) for item in items]] for heading, items in groups.items()]
        super().__init__(label=label, groups=plain, chosen=chosen)

    def on_choose(self, handler: Callable[[str], None]) -> None:
        """Call `handler(name)` when a person chooses another item."""
        names = {name for _, items in self.groups for name, _ in items}

        def choose(message: dict[str, Any], _: Any) -> None:
            name = message.get("name")
            if isinstance(name, str) and name in names:
                handler(name)

        self.hear("choose", choose)
