"""What a file leaves open of its counts and is asked: which column holds them, and what a mark in them separates."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from sdcwidgets.errors import InputError
from sdcwidgets.formats.base import Row
from sdcwidgets.formats.how import ROWS, Choice, How, Question
from sdcwidgets.formats.layout.cells import flag_beside, is_blank, is_number, label_of
from sdcwidgets.formats.layout.gaps import gap_in
from sdcwidgets.formats.layout.words import says
from sdcwidgets.labels import count_in, counted, listed, quoted

__all__ = [
    "Written",
    "ask_flag",
    "ask_heading",
    "ask_records",
    "ask_rows",
    "ask_twice",
    "flags_choice",
    "holds_no_counts",
    "refuse_compact_pivot",
    "says_counts",
]

#: A whole number, or a number below 1,000 with three decimals that are all 0.
_EITHER = re.compile(r"[1-9]\d{0,2}[.,]000")
_NOUGHT = re.compile(r"0[.,]000")

#: Of fewer rows counts may rise by one by chance.
_MANY = 5

#: Digits in groups of three.
_GROUPS = re.compile(r"[1-9]\d{0,2}(?:[.,]\d{3})+")


class Written:
    """The counts of a file as they are written: whether a mark in all of them may stand before decimals.

    >>> written = Written()
    >>> [written.read(cell, How()) for cell in ("5,000", "1,000")], written.doubt
    (['5,000', '1,000'], '5,000')
    >>> Written().read("5,000", How(marks="decimals")), Written().read("1,234", How(marks="decimals"))
    (5.0, 1.234)
    """

    def __init__(self) -> None:
        self.doubt: str | None = None
        self._marked: str | None = None
        self._several = False
        self._sure = False
        self._flags: Counter[str] = Counter()

    def read(self, cell: Any, how: How) -> Any:
        """Return the cell, as a number where its mark was said to stand before decimals, and without a flag."""
        marks = how.marks
        if how.flags != "ask" and (flagged := flag_beside(cell)):
            cell = flagged[0]
            self._flags[flagged[1]] += 1
        if not isinstance(cell, str):
            self._sure = True
            return cell
        text = cell.strip()
        if _GROUPS.fullmatch(text):
            whole, *rest = re.split("[.,]", text)
            self._marked = self._marked or text
            self._several = self._several or len(rest) > 1
            if marks == "decimals":
                if len(rest) > 1:
                    raise InputError(
                        f"{quoted(text)} has {len(rest)} marks, so they stand before thousands and no decimals; choose "
                        "thousands."
                    )
                return float(f"{whole}.{rest[0]}")
        if _EITHER.fullmatch(text):
            self.doubt = self.doubt or text
            return cell
        if text and not _NOUGHT.fullmatch(text):
            self._sure = True  # another number tells what the mark is
        return cell

    def ask(self, marks: str) -> None:
        """Ask what the mark is, where nothing tells it."""
        if self.doubt is None or self._sure or marks != "ask":
            return
        few = self.doubt[:-4]
        raise Question(
            f"{quoted(self.doubt)} may be {few} or {few}000, as every count of the file is written so: choose what the "
            "mark separates (marks: thousands or decimals).",
            _marks(self.doubt),
        )

    def told(self, how: How) -> tuple[tuple[str, ...], tuple[Choice, ...]]:
        """Return how the first number with a mark was read, and the choice to read it otherwise.

        >>> written = Written()
        >>> [written.read(cell, How()) for cell in ("1.000", "1.234")], written.told(How())[0]
        (['1.000', '1.234'], ('"1.000" was read as 1000: the mark separates thousands.',))
        """
        notes: tuple[str, ...] = ()
        if self._flags:
            many = counted(self._flags.total(), "count")
            notes = (f"Beside {many} stood a flag ({listed(sorted(self._flags))}), which was taken off.",)
        chosen = () if how.flags == "ask" else (flags_choice(how.flags),)
        if self._marked is None:
            return notes, chosen
        taken = "decimals" if how.marks == "decimals" else "thousands"
        note = f"{quoted(self._marked)} was read as {_as(self._marked, taken)}: the mark separates {taken}."
        return (*notes, note), chosen if self._several else (*chosen, _marks(self._marked, taken))


def ask_flag(where: str, cell: str) -> Question:
    """Return what is asked of a count with a flag beside it."""
    return Question(
        f"{where}: {quoted(cell)} may be a count with a flag beside it: choose whether flags are taken off "
        "(flags: off, or out, which leaves rows with gaps out too).",
        flags_choice(),
    )


def flags_choice(*chosen: str) -> Choice:
    """Return what can become of flags beside counts."""
    options = {"ask": "refuse them", "off": "take them off", "out": "take them off, leave rows with gaps out"}
    return Choice("flags", options, chosen)


def _marks(text: str, *chosen: str) -> Choice:
    """Return what the mark of a number may separate."""
    options = {taken: f"{taken}: {_as(text, taken)} people" for taken in ("thousands", "decimals")}
    return Choice("marks", options, chosen)


def _as(text: str, taken: str) -> str:
    """Return a number such as "5,000" with its mark taken for one or the other."""
    if taken == "thousands":
        return re.sub("[.,]", "", text)
    return text.replace(",", ".").rstrip("0").rstrip(".")


def ask_rows(header: Sequence[str], rows: Sequence[Row], wanted: Sequence[int]) -> bool:
    """Ask whether each row is a person, where a column that was not chosen may hold the counts of a table.

    It may where its heading says so, and where rows are the cells of a table by the columns with labels; one in
    which every row has a label of its own tells a person's record or a table's row alike, and is left aside unless
    it was chosen. Ages, incomes, years and running numbers are no counts.

    Returns
    -------
    bool
        Whether a column of whole numbers is left that isn't asked about, so that it must be said what was counted.
    """
    columns = [[row[j] if j < len(row) else None for row in rows] for j in range(len(header))]
    numbers = [j for j, column in enumerate(columns) if j not in wanted and _are_counts(column)]
    years = [j for j in numbers if not says_counts(header[j]) and _are_years(columns[j])]
    counts = [
        j
        for j in numbers
        if header[j]
        and j not in years
        and not holds_no_counts(header[j])
        and (says_counts(header[j]) or not _are_numbered(columns[j]))
    ]
    if not counts or len(rows) < 2:
        return False
    labels = [
        [label_of(cell).strip() for cell in column]
        for j, column in enumerate(columns)
        if j in years or not (j in numbers or any(map(is_number, column)))
    ]
    chosen = [[label_of(row[j]).strip() for row in rows] for j in wanted]
    telling = [*chosen, *(column for column in labels if len(set(column)) < len(rows))]
    different = len(set(zip(*telling, strict=True)))
    said = [j for j in counts if says_counts(header[j])]
    # Most cells of a table have a row of their own, and most have one; what people have seldom fills a table.
    filled = 4 * different >= math.prod(len(set(column)) for column in telling) and 2 * different > len(rows)
    if not (different == len(rows) or said or filled):
        return True
    names = [header[j] for j in (counts if different == len(rows) else said or counts)]
    once = "Each row is there once and " if different == len(rows) else ""
    raise Question(
        f"{once}{quoted(names[0])} holds whole numbers: choose whether it holds the counts, or "
        f"each row is one person (count: {names[0] if len(names) == 1 else 'a column'} or {ROWS}).",
        Choice("by", {name: name for name in header if name}, tuple(header[j] for j in wanted), several=True),
        Choice("count", {ROWS: "each row is a person"} | {name: name for name in names}),
    )


def ask_twice(where: str, names: Sequence[str], column: str) -> Question:
    """Return what is asked of a long table in which a combination is there twice."""
    return Question(
        f"{where} is there twice: choose columns to count by (by), and whether {quoted(column)} holds counts, which "
        f"are then added up, or each row is one person (count: {column} or {ROWS}).",
        Choice("by", {name: name for name in (*names, column)}, tuple(names), several=True),
        Choice("count", {ROWS: "each row is a person", column: column}),
    )


def ask_heading(headings: Sequence[Sequence[str]], names: Sequence[str | None]) -> None:
    """Ask whether each row is a person, where the columns of numbers say that they hold what a person has."""
    said = [heading[-1].strip() for heading in headings]
    if not said or not all(map(holds_no_counts, said)):
        return
    known = [name for name in names if name]
    raise Question(
        f"The column {quoted(said[0])} says that it holds no counts: choose columns to count by (by), and which "
        f"column holds the counts, if one does (count: a column or {ROWS}).",
        Choice("by", {name: name for name in (*known, *said)}, several=True),
        Choice("count", {ROWS: "each row is a person"} | {name: name for name in (*said, *known)}),
    )


def ask_records(headings: Sequence[Sequence[str]], names: Sequence[str | None]) -> None:
    """Ask what to count by where headings are those of files with one record a person, such as IPUMS'."""
    said = [heading[-1].strip() for heading in headings]
    known = [*(str(name) for name in names if name), *said]
    telling = [name for name in known if says("record", name)]
    if len(telling) < 2:
        return
    raise Question(
        f"The columns {listed(telling)} are those of records, one row a person, whose values are codes: choose columns "
        f"to count by (by), each row being one person (count: {ROWS}), or open the file where records are read.",
        Choice("by", {name: name for name in known[:60]}, several=True),
        Choice("count", {ROWS: "each row is a person"} | {name: name for name in known[:60]}, (ROWS,)),
    )


def refuse_compact_pivot(names: Sequence[str | None], labels: Sequence[Sequence[str]]) -> None:
    """Refuse a pivot table in compact form, in which labels of several fields stand in one column."""
    first = [row[0].strip() for row in labels]
    if len(names) == 1 and says("pivot", names[0] or "") and len(set(first)) < len(first):
        raise InputError(
            f"This is a pivot table in compact form: the column {quoted(names[0])} holds labels of several fields, one "
            "below the other. In the spreadsheet choose the layout as a table with all labels repeated, and load that."
        )


def holds_no_counts(heading: str) -> bool:
    """Return whether the heading of a column says that it holds what a person has.

    >>> holds_no_counts("Age"), holds_no_counts("Persons")
    (True, False)
    """
    return says("own", heading)


def says_counts(heading: str) -> bool:
    """Return whether a heading, or a unit, says that its numbers are counts.

    >>> says_counts("Persons"), says_counts("Euro")
    (True, False)
    """
    return says("count", heading) or says("people", heading)


def _are_years(column: Sequence[Any]) -> bool:
    """Return whether all numbers of a column may be years."""
    counts = [count_in(cell) for cell in column if not is_blank(cell)]
    return all(isinstance(count, int) and 1800 <= count <= 2100 for count in counts)


def _are_numbered(column: Sequence[Any]) -> bool:
    """Return whether a column numbers many rows, one after the other."""
    counts = [count_in(cell) for cell in column]
    return len(counts) >= _MANY and all(
        isinstance(one, int) and isinstance(other, int) and other == one + 1
        for one, other in itertools.pairwise(counts)
    )


def _are_counts(column: Sequence[Any]) -> bool:
    """Return whether a column holds counts, or gaps in their place, and nothing else."""
    cells = [cell for cell in column if not is_blank(cell)]
    kinds = [not isinstance(count_in(cell), str) for cell in cells]
    return any(kinds) and all(kind or gap_in(cell) for kind, cell in zip(kinds, cells, strict=True))
