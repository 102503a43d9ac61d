"""Content of the large number of a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sdcwidgets._util.formula_lines import Line
from sdcwidgets.widgets.page_state.table_state import TableState


class Subject(NamedTuple):
    """Part of a page that a number describes, such as a card, a request or a cell.

    Attributes
    ----------
    key : object
        Identifier; two numbers are compared only if their keys are equal.
    title : str
        Name of the part on the page.
    """

    key: object
    title: str


@dataclass(frozen=True)
class Narration:
    """A number with its explanation in words.

    Attributes
    ----------
    value, caption, notice : str
        The number, its name, and a remark on it.
    formula : list of Piece
        The formula with the numbers inserted, on one line.
    parts : sequence of (name, share of the bar)
        One part per role.
    ends : sequence of str
        Labels of the two ends of the bar.
    explain : callable, optional
        Returns the arguments of `Page.explain`: title, lines, and further content. It is called on request.
    of : TableState, optional
        Table and settings of the number. Numbers of different tables are not compared; a change of weights is reported.
    subject : Subject, optional
        Part of the page. Numbers of different parts are not compared.
    act : object
        Last action of the user. While it is the same, the number is only being refined, and a change is reported
        relative to the value before the action.
    cause : str
        Cause of the change, appended to the line that reports it.
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
