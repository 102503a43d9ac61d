"""What a page says of its large number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sdcwidgets._util.lines import Line
from sdcwidgets.widgets.studies.base import TableState


class Subject(NamedTuple):
    """What on a page a number is of, such as a card, a request or a cell.

    Attributes
    ----------
    key : object
        Two numbers are compared only if these are equal.
    title : str
        What it is called.
    """

    key: object
    title: str


@dataclass(frozen=True)
class Narration:
    """A number in words.

    Attributes
    ----------
    value, caption, notice : str
        The number, what it is, and what to notice in it.
    formula : list of Piece
        How it comes about, on one line.
    parts : sequence of (name, share of the bar)
        One for each role; `ends` says what the ends of the bar mean.
    explain : callable, optional
        Makes the explanation when somebody asks for it, as `Page.explain` takes it: its title, its lines, and more.
    of : TableState, optional
        What the number is of: numbers of two tables are not compared, and of other weights it is said.
    subject : Subject, optional
        Where on the page it is of: numbers of two places are not compared either.
    act : object
        What a person did last: as long as it stays the same, the number only gets better, and what has changed is
        told from where it stood before.
    cause : str
        What led to it, as the end of the line that tells the change.
    """

    value: str
    caption: str = ""
    notice: str = ""
    formula: Line = field(default_factory=list)
    parts: Sequence[tuple[str, float]] = ()
    ends: Sequence[str] = ()
    explain: Callable[[], tuple[Any, ...]] | None = None
    of: TableState | None = None
    subject: Subject | None = None
    act: object = None
    cause: str = ""
