"""A table of selectable numbers, each with a bar for its interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import traitlets

from sdcwidgets.widgets.base import STATIC, Widget


@dataclass(frozen=True)
class Spot:
    """A cell of a board.

    Attributes
    ----------
    text : str
    name : str
        Accessible name, which ends with the interval of the number.
    small : str
        Second line in small type.
    end : str
        Text at the right end of the second line.
    bar : tuple of float, optional
        Start and end of the bar as shares of the width; equal values give a dot.
    look : str
        "hidden", "narrow", "found", "ruled", "total", "wanted" or "", or several of them separated by spaces.
    badge : str
        Short mark before the text, such as a line number.
    pressed : bool, optional
        Whether the cell is selected; None if it is not selectable.
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
    """A table of cells with labels; arrow keys move between selectable cells.

    Parameters
    ----------
    title : str
        Accessible name of the table; with `show_title` it is also displayed.
    brief : bool
        Whether long labels are abbreviated to give more room to the numbers; the full label is in the tooltip.

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
        """Call `handler(row, column)` when a cell is selected."""
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
        """Show labels and cells, one sequence of cells per row."""
        with self.hold_sync():
            if title is not None:
                self.title = title
            self.frame = {"row_name": row_name, "rows": list(rows), "columns": list(columns), "note": note}
            self.spots = [[dict(vars(spot)) for spot in row] for row in spots]

    def press(self, row: int, column: int) -> None:
        """Select a cell; nothing happens if it is not selectable."""
        if self.spots[row][column]["pressed"] is not None:
            for handler in self._pressed:
                handler(row, column)

    def _hear_press(self, message: dict[str, object]) -> None:
        row, column = message.get("row"), message.get("column")
        if type(row) is not int or type(column) is not int:
            return
        if 0 <= row < len(self.spots) and 0 <= column < len(self.spots[row]):
            self.press(row, column)
