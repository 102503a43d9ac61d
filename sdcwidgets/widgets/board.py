"""A table of numbers to point at: each cell may be pressed, and says in a bar what its number can still be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import traitlets

from sdcwidgets.widgets.base import STATIC, Widget


@dataclass(frozen=True)
class Spot:
    """One cell of a board.

    Attributes
    ----------
    text : str
        What stands in it.
    name : str
        What a screen reader calls it; it ends with what the number can be.
    small : str
        A second line in small letters.
    end : str
        Text at the other end of that line.
    bar : tuple of float, optional
        Where the bar begins and ends, as shares of the width; equal ends are a dot.
    look : str
        "hidden", "narrow", "found", "ruled", "total", "wanted" or "", several separated by spaces.
    badge : str
        A short mark before the text, such as the number of a line.
    pressed : bool, optional
        Whether it is chosen; None is a cell that cannot be pressed.
    """

    text: str
    name: str = ""
    small: str = ""
    end: str = ""
    bar: tuple[float, float] | None = None
    look: str = ""
    badge: str = ""
    pressed: bool | None = None


class Board(Widget):
    """A table of spots with labels; arrows move among those that can be pressed.

    Parameters
    ----------
    title : str
        What a screen reader calls the table; `show_title` also writes it above.
    brief : bool
        Whether long labels are cut in their middle, so that there is room for the numbers; whoever points at one
        or hears it has the whole.

    Examples
    --------
    >>> board = Board("Published")
    >>> board.on_press(lambda row, column: print("pressed", row, column))
    >>> board.show("Sex", ["Male"], ["All", "None"], [[Spot("3", pressed=False), Spot("0")]])
    >>> board.press(0, 0)
    pressed 0 0
    >>> board.press(0, 1)
    """

    _esm = STATIC / "board.js"
    _css = STATIC / "board.css"

    title = traitlets.Unicode().tag(sync=True)
    show_title = traitlets.Bool(True).tag(sync=True)
    brief = traitlets.Bool(False).tag(sync=True)
    frame = traitlets.Dict().tag(sync=True)
    spots: traitlets.List[Any] = traitlets.List().tag(sync=True)

    def __init__(self, title: str, *, show_title: bool = True, brief: bool = False) -> None:
        super().__init__(title=title, show_title=show_title, brief=brief)
        self._pressed: list[Callable[[int, int], None]] = []
        self.hear("press", lambda message, _: self._hear_press(message))

    def on_press(self, handler: Callable[[int, int], None]) -> None:
        """Call `handler(row, column)` when a spot is pressed."""
        self._pressed.append(handler)

    def show(
        self,
        row_name: str,
        rows: Sequence[str],
        columns: Sequence[str],
        spots: Sequence[Sequence[Spot]],
        note: str = "",
        title: str | None = None,
    ) -> None:
        """Show labels and spots, a row each."""
        with self.hold_sync():
            if title is not None:
                self.title = title
            self.frame = {"row_name": row_name, "rows": list(rows), "columns": list(columns), "note": note}
            self.spots = [[dict(vars(spot)) for spot in row] for row in spots]

    def press(self, row: int, column: int) -> None:
        """Press a spot; one that cannot be pressed does nothing."""
        if self.spots[row][column]["pressed"] is not None:
            for handler in self._pressed:
                handler(row, column)

    def _hear_press(self, message: dict[str, object]) -> None:
        row, column = message.get("row"), message.get("column")
        if type(row) is not int or type(column) is not int:
            return
        if 0 <= row < len(self.spots) and 0 <= column < len(self.spots[row]):
            self.press(row, column)
