"""People as dots in their cells, under X or under a Y variable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import traitlets

from sdcwidgets._util.errors import InputError
from sdcwidgets.widgets.base import STATIC, Labelled

#: As many dots can carry the number of their person; more are small and have none.
NUMBERED = 60


class PeopleRow(Labelled):
    """A row of cells with a dot for each person, or copy of one.

    A dot in another cell than before is orange and square, and its cell names it for a screen reader.

    Parameters
    ----------
    label : str
        What a screen reader calls the row.
    threads : bool
        Whether a line leads to each dot from where it is in the row above, on the same card.

    Examples
    --------
    >>> row = PeopleRow("Y, a possibility")
    >>> row.show(("c1", "c2"), where=[1, 0, 1], before=[0, 0, 1])
    >>> [cell["words"] for cell in row.cells]
    ['c1: 1 dot. Person 2.', 'c2: 2 dots. Person 1, who was in c1. Person 3.']
    """

    _esm = STATIC / "people.js"
    _css = STATIC / "people.css"

    cells: traitlets.List[Any] = traitlets.List().tag(sync=True)
    numbered = traitlets.Bool(True).tag(sync=True)
    threads = traitlets.Bool(False).tag(sync=True)
    turn = traitlets.Int(0).tag(sync=True)

    def __init__(self, label: str, *, threads: bool = False) -> None:
        super().__init__(label)
        self.threads = threads

    def show(
        self, names: Sequence[str], where: Sequence[int], before: Sequence[int] | None = None, copies: int = 1
    ) -> None:
        """Show the dots.

        Parameters
        ----------
        names : sequence of str
            What the cells are called.
        where, before : sequence of int
            The cell of each dot, now and before; no dot has moved if `before` is not given.
        copies : int
            How many dots that follow each other stand for one person.

        Raises
        ------
        InputError
            If a cell does not exist, or the two sequences are not of the same length.
        """
        before = where if before is None else before
        if len(before) != len(where) or not all(0 <= cell < len(names) for cell in (*where, *before)):
            raise InputError(f"Each dot needs a cell, now and before, from 0 to {len(names) - 1}.")
        dots: list[list[list[int]]] = [[] for _ in names]
        for dot, (now, then) in enumerate(zip(where, before, strict=True)):
            dots[now].append([dot, dot // copies + 1, then])
        with self.hold_sync():
            self.numbered = len(where) <= NUMBERED
            self.cells = [
                {
                    "name": name,
                    "words": _words(names, cell, here, self.numbered),
                    # What a dot is, so that it can be followed; the number on it; whether it came; its title.
                    "dots": [
                        [dot, who, then != cell, _title(names, cell, who, then)] for dot, who, then in here
                    ],
                }
                for cell, (name, here) in enumerate(zip(names, dots, strict=True))
            ]
            self.turn += 1


def _title(names: Sequence[str], cell: int, who: int, then: int) -> str:
    return f"Person {who}" + (f", who was in {names[then]}" if then != cell else "")


def _words(names: Sequence[str], cell: int, dots: list[list[int]], named: bool) -> str:
    """Return who is in a cell, or of many how many came."""
    summary = f"{names[cell]}: {len(dots)} dot{'' if len(dots) == 1 else 's'}."
    if named:
        return " ".join([summary, *(f"{_title(names, cell, who, then)}." for _, who, then in dots)])
    came = sum(then != cell for _, _, then in dots)
    return f"{summary} {came} of them came from elsewhere." if came else summary
