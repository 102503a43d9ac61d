"""The way through a page: its stages, where one is, and what comes next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import traitlets

from sdcwidgets.widgets.base import Labelled, browser_side, style
from sdcwidgets.words import Stage

__all__ = ["Path"]


class Path(Labelled):
    """Stages beside each other; each leads to the card with the class `sdc-at-` and its place.

    Parameters
    ----------
    label : str
        What a screen reader calls the list.
    """

    _esm = browser_side("path")
    _css = style("path")

    stages: traitlets.List[Any] = traitlets.List().tag(sync=True)
    ahead = traitlets.Unicode().tag(sync=True)
    goal = traitlets.Unicode().tag(sync=True)

    def show(self, stages: Sequence[Stage], ahead: str, goal: str = "") -> None:
        """Show the stages.

        Parameters
        ----------
        stages : sequence of Stage
        ahead : str
            What the button says that leads on, "" for none; `goal` is the place that it leads to. Without one it
            sends "next".
        """
        with self.hold_sync():
            self.stages = [stage._asdict() for stage in stages]
            self.ahead, self.goal = ahead, goal
