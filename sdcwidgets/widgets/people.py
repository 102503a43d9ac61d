"""People as dots in their cells, in the original or in a possible table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import traitlets

from sdcwidgets._util.errors import InputError
from sdcwidgets.widgets.base import STATIC, Labelled

#: Maximum number of dots with the number of their person; otherwise dots are small and have no number.
NUMBERED = 60


class PeopleRow(Labelled):
    """A row of cells with one dot per person, or per copy of a person.

    A dot that has moved to another cell is orange and square, and it is listed for screen readers.

    Parameters
    ----------
    label : str
        Accessible name of the row.
    threads : bool
        Whether lines connect each dot with its position in the row above, on the same card.

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
            Names of the cells.
        where : sequence of int
            Current cell of each dot.
        before : sequence of int
            Earlier cell of each dot (default: no dot has moved).
        copies : int
            Number of consecutive dots per person.

        Raises
        ------
        InputError
            If a cell does not exist, or the two sequences have different lengths.
        """
        before = where if before is None else before
        if len(before) != len(where) or not all(0 <= cell < len(names) for cell in (*where, *before)):
            raise InputError(
                "The arguments where and before must have one cell number per dot, from 0 to "
                f"{len(names) - 1}."
            )
        dots: list[list[list[int]]] = [[] for _ in names]
        for dot, (now, then) in enumerate(zip(where, before, strict=True)):
            dots[now].append([dot, dot // copies + 1, then])
        with self.hold_sync():
            self.numbered = len(where) <= NUMBERED
            self.cells = [
                {
                    "name": name,
                    "words": _words(names, cell, here, self.numbered),
                    # Identifier of the dot, its number, whether it has moved, and its title.
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
    """Return the people in a cell, or the number of those who moved if there are many."""
    summary = f"{names[cell]}: {len(dots)} dot{'' if len(dots) == 1 else 's'}."
    if named:
        return " ".join([summary, *(f"{_title(names, cell, who, then)}." for _, who, then in dots)])
    came = sum(then != cell for _, _, then in dots)
    return f"{summary} {came} of these people moved to this cell." if came else summary
