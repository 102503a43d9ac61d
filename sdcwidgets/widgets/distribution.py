"""Distributions over the same categories, as bars that can be dragged, changed by keys, or typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import traitlets

from sdcwidgets._util.errors import InputError
from sdcwidgets.widgets.base import STATIC, Widget

#: Possible shares at the top of the axis.
_CEILINGS = (0.1, 0.2, 0.5, 1.0)


class Distribution(Widget):
    """Rows of counts with a bar for the share of each category, and an axis.

    A change by the user calls the handlers of `on_change` with all counts; they must `show` the resulting counts.

    Parameters
    ----------
    names : sequence of str
        Names of the rows, such as P and Q; a bar is called "P, category 2".
    most : int
        Maximum count.
    """

    _esm = STATIC / "distribution.js"
    _css = STATIC / "distribution.css"

    asks = ("request",)

    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    most = traitlets.Int().tag(sync=True)
    counts: traitlets.List[Any] = traitlets.List().tag(sync=True)
    shares: traitlets.List[Any] = traitlets.List().tag(sync=True)
    ceiling = traitlets.Float(1.0).tag(sync=True)
    request = traitlets.Dict().tag(sync=True)
    problem = traitlets.Unicode("").tag(sync=True)
    turn = traitlets.Int(0).tag(sync=True)
    answered = traitlets.Int(0).tag(sync=True)

    def __init__(self, names: Sequence[str], most: int) -> None:
        super().__init__(names=list(names), most=most)
        self._changed: list[Callable[[list[tuple[int, ...]]], None]] = []
        self.observe(lambda change: self._ask(change.new), "request")

    def on_change(self, handler: Callable[[list[tuple[int, ...]]], None]) -> None:
        """Call `handler(rows)` with all counts after a change; the widget shows an InputError of the handler."""
        self._changed.append(handler)

    def show(self, *rows: Sequence[int]) -> None:
        """Show counts, one sequence per name."""
        with self.hold_sync():
            self.counts = [list(row) for row in rows]
            self.shares = [[count / sum(row) for count in row] for row in rows]
            self.ceiling = ceiling(max(max(row) for row in self.shares))
            self.problem = ""
            self.turn += 1

    def _ask(self, request: dict[str, object]) -> None:
        rows, turn = request.get("counts"), request.get("turn")
        size = len(self.counts[0]) if self.counts else 0
        if type(turn) is not int or not isinstance(rows, list) or len(rows) != len(self.counts):
            return
        if not all(isinstance(row, list) and len(row) == size for row in rows):
            return
        with self.hold_sync():
            self.answered, self.problem = turn, ""
            try:
                for handler in self._changed:
                    handler([tuple(row) for row in rows])
            except InputError as error:
                self.problem = str(error)
            # The browser shows the requested counts; the new turn makes it show the resulting ones.
            self.turn += 1


def ceiling(most: float) -> float:
    """Return the share at the top of the axis: a round number not below the largest share.

    Examples
    --------
    >>> ceiling(0.04), ceiling(0.308), ceiling(0.5), ceiling(0.51)
    (0.1, 0.5, 0.5, 1.0)
    """
    return next(top for top in _CEILINGS if top >= most)
