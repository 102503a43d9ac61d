"""A sheet on its way to a table: a frozen value that goes through stages, each of which says what it decided."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from sdcwidgets.tables.io.formats.base import Rows
from sdcwidgets.tables.io.options import Choice, ReadOptions
from sdcwidgets.tables.io.questions import Doubt, ask


@dataclass(frozen=True)
class TableSheet:
    """The cells of a sheet, and what is known of where its table is.

    Attributes
    ----------
    rows : list of list
        The cells; a blank row is empty.
    typed : bool
        Whether a cell's type says whether it is a number, as in a workbook or a frame.
    own : bool
        Whether `FrequencyTable.to_csv` wrote it, so that it is taken as it is.
    width : int
        How many cells most rows with counts have; in the end how wide the table is.
    head, body : tuple of int
        The lines of the header from the top, and the rows with counts.
    index_names : int or None
        The line that names the axes of the rows, as pandas writes it.
    units : tuple of str
        What stands in a line of units below the header, for each column.
    """

    rows: Rows
    typed: bool = False
    own: bool = False
    width: int = 0
    head: tuple[int, ...] = ()
    body: tuple[int, ...] = ()
    index_names: int | None = None
    units: tuple[str, ...] = ()

    def lines(self, numbers: Iterable[int]) -> Rows:
        """Return some of the rows."""
        return [self.rows[i] for i in numbers]


class Decisions(NamedTuple):
    """What a stage did: the sentences that say so, what could have been read otherwise, and what it leaves open."""

    notes: Iterable[str] = ()
    choices: Iterable[Choice] = ()
    doubts: Iterable[Doubt] = ()


State = TypeVar("State")


def settled(
    stages: Iterable[Callable[[State, ReadOptions], tuple[State, Decisions]]], state: State, how: ReadOptions
) -> tuple[State, list[str], list[Choice]]:
    """Take a sheet through stages; what one leaves open is asked before the next.

    Raises
    ------
    Question
        The first doubt.
    """
    notes, choices = list[str](), list[Choice]()
    for stage in stages:
        state, decided = stage(state, how)
        ask(decided.doubts)
        notes += decided.notes
        choices += decided.choices
    return state, notes, choices
