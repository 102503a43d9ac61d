"""What a file leaves open of its counts and is asked: which column holds them, and what a mark in them separates."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Sequence

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import count_in, counted, listed, quoted
from sdcwidgets.tables.io.formats.base import Row
from sdcwidgets.tables.io.layout.cells import flag_beside, is_blank, is_number, label_of
from sdcwidgets.tables.io.layout.missing import missing_in
from sdcwidgets.tables.io.layout.words import says
from sdcwidgets.tables.io.options import ROWS, Choice, ReadOptions, choice_of
from sdcwidgets.tables.io.questions import Doubt, by_and_count, doubt

#: A whole number, or a number below 1,000 with three decimals that are all 0.
_EITHER = re.compile(r"[1-9]\d{0,2}[.,]000")
_NOUGHT = re.compile(r"0[.,]000")

#: Of fewer rows counts may rise by one by chance.
_MANY = 5

#: Digits in groups of three.
_GROUPS = re.compile(r"[1-9]\d{0,2}(?:[.,]\d{3})+")


class Written:
    """The counts of a file as they are written: whether a mark in all of them may stand before decimals.

    Examples
    --------
    >>> written = Written()
    >>> [written.read(cell, ReadOptions()) for cell in ("5,000", "1,000")], written.doubt
    (['5,000', '1,000'], '5,000')
    >>> Written().read("5,000", ReadOptions(marks="decimals")), Written().read("1,234", ReadOptions(marks="decimals"))
    (5.0, 1.234)
    """

    def __init__(self) -> None:
        self.doubt: str | None = None
        self._marked: str | None = None
        self._several = False
        self._sure = False
        self._flags: Counter[str] = Counter()

    def read(self, cell: object, how: ReadOptions) -> object:
        """Return the cell, as a number where its mark was said to stand before decimals, and without a flag."""
        marks = how.marks
        flagged = None if how.flags == "ask" else flag_beside(cell)
        if flagged:
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
                        f"{quoted(text)} has {len(rest)} marks, so the marks separate "
                        "thousands and not decimals; choose thousands."
                    )
                return float(f"{whole}.{rest[0]}")
        if _EITHER.fullmatch(text):
            self.doubt = self.doubt or text
            return cell
        if text and not _NOUGHT.fullmatch(text):
            self._sure = True  # another number tells what the mark is
        return cell

    def doubts(self, how: ReadOptions) -> list[Doubt]:
        """Return the doubt what the mark is, where nothing tells it."""
        if self.doubt is None or self._sure or how.marks != "ask":
            return []
        return [doubt("mark", _marks(self.doubt), text=quoted(self.doubt), few=self.doubt[:-4])]

    def decided(self, how: ReadOptions) -> tuple[tuple[str, ...], tuple[Choice, ...]]:
        """Return how the first number with a mark was read, and the choice to read it otherwise.

        Examples
        --------
        >>> written = Written()
        >>> [written.read(cell, ReadOptions()) for cell in ("1.000", "1.234")], written.decided(ReadOptions())[0]
        (['1.000', '1.234'], ('"1.000" was read as 1000: the mark separates thousands.',))
        """
        notes: tuple[str, ...] = ()
        if self._flags:
            many = counted(self._flags.total(), "count")
            notes = (f"A flag next to {many} ({listed(sorted(self._flags))}) was removed.",)
        chosen = () if how.flags == "ask" else (choice_of("flags", how.flags),)
        if self._marked is None:
            return notes, chosen
        taken = "decimals" if how.marks == "decimals" else "thousands"
        note = f"{quoted(self._marked)} was read as {_as(self._marked, taken)}: the mark separates {taken}."
        return (*notes, note), chosen if self._several else (*chosen, _marks(self._marked, taken))


def _marks(text: str, *chosen: str) -> Choice:
    """Return what the mark of a number may separate."""
    options = {taken: f"{taken}: {_as(text, taken)} people" for taken in ("thousands", "decimals")}
    return Choice("marks", options, chosen)


def _as(text: str, taken: str) -> str:
    """Return a number such as "5,000" with its mark taken for one or the other."""
    if taken == "thousands":
        return re.sub("[.,]", "", text)
    return text.replace(",", ".").rstrip("0").rstrip(".")


def rows_doubts(
    header: Sequence[str], rows: Sequence[Row], wanted: Sequence[int]
) -> tuple[bool, list[Doubt]]:
    """Return the doubt whether each row is a person, where a column that was not chosen may hold a table's counts.

    It may where its heading says so, and where rows are the cells of a table by the columns with labels; one in
    which every row has a label of its own tells a person's record or a table's row alike, and is left aside unless
    it was chosen. Ages, incomes, years and running numbers are no counts.

    Returns
    -------
    bool
        Whether a column of whole numbers is left that isn't asked about, so that it must be said what was counted.
    list of Doubt
    """
    columns = [[row[j] if j < len(row) else None for row in rows] for j in range(len(header))]
    counts, labels = _counts_and_labels(header, columns, wanted)
    if not counts or len(rows) < 2:
        return False, []
    once, filled = _cells_of_a_table(columns, wanted, labels)
    labelled = [j for j in counts if says_counts(header[j])]
    if not (once or labelled or filled):
        return True, []
    names = [header[j] for j in (counts if once else labelled or counts)]
    facts = {
        "once": "Each row is there once and " * once,
        "first": quoted(names[0]),
        "column": names[0] if len(names) == 1 else "a column",
    }
    return True, [doubt("rows", *by_and_count(header, tuple(header[j] for j in wanted), names), **facts)]


def _cells_of_a_table(
    columns: Sequence[Sequence[object]], wanted: Sequence[int], labels: Sequence[int]
) -> tuple[bool, bool]:
    """Return whether each row is there once by its labels, and whether rows are most cells of a table by them."""
    number = len(columns[0])
    texts = {j: [label_of(cell).strip() for cell in columns[j]] for j in {*wanted, *labels}}
    telling = [texts[j] for j in wanted] + [texts[j] for j in labels if len(set(texts[j])) < number]
    different = len(set(zip(*telling, strict=True)))
    # Most cells of a table have a row of their own, and most have one; what people have seldom fills a table.
    filled = 4 * different >= math.prod(len(set(column)) for column in telling) and 2 * different > number
    return different == number, filled


def _counts_and_labels(
    header: Sequence[str], columns: Sequence[Sequence[object]], wanted: Sequence[int]
) -> tuple[list[int], list[int]]:
    """Return the columns not chosen that may hold counts, as they number no rows, and those with labels or years."""
    counts, labels = [], []
    for j, (heading, column) in enumerate(zip(header, columns, strict=True)):
        if j in wanted or not _are_counts(column):
            if not any(map(is_number, column)):
                labels.append(j)
        elif not says_counts(heading) and _are_years(column):
            labels.append(j)
        elif heading and not holds_no_counts(heading) and (says_counts(heading) or not _are_numbered(column)):
            counts.append(j)
    return counts, labels


def twice_doubt(where: str, names: Sequence[str], column: str) -> Doubt:
    """Return what is asked of a long table in which a combination is there twice."""
    choices = by_and_count((*names, column), tuple(names), [column])
    return doubt("twice", *choices, where=where, heading=quoted(column), column=column)


def heading_doubts(headings: Sequence[Sequence[str]], names: Sequence[str | None]) -> list[Doubt]:
    """Return the doubt whether each row is a person, where columns of numbers say that they hold what a person has."""
    last_headings = [heading[-1].strip() for heading in headings]
    if not last_headings or not all(map(holds_no_counts, last_headings)):
        return []
    known = [name for name in names if name]
    return [
        doubt(
            "heading",
            *by_and_count((*known, *last_headings), (), (*last_headings, *known)),
            column=quoted(last_headings[0]),
        )
    ]


def records_doubts(headings: Sequence[Sequence[str]], names: Sequence[str | None]) -> list[Doubt]:
    """Return the doubt what to count by where headings are those of records, such as IPUMS'."""
    known = [*(str(name) for name in names if name), *(heading[-1].strip() for heading in headings)]
    telling = [name for name in known if says("record", name)]
    if len(telling) < 2:
        return []
    choices = by_and_count(known[:60], (), known[:60], (ROWS,))
    return [doubt("records", *choices, columns=listed(telling))]


def refuse_compact_pivot(
    names: Sequence[str | None], labels: Sequence[Sequence[str]], *, inside: bool = False
) -> None:
    """Refuse a pivot table in compact form, in which labels of several fields stand in one column.

    It is one where a label is there twice, or where a row adds up others `inside` of it.
    """
    first = [row[0].strip() for row in labels]
    if len(names) == 1 and says("pivot", names[0] or "") and (inside or len(set(first)) < len(first)):
        raise InputError(
            f"This is a pivot table in compact form: the column {quoted(names[0])} has the "
            "labels of several fields. In the spreadsheet program, choose the tabular form "
            "with repeated labels, and load that table."
        )


def holds_no_counts(heading: str) -> bool:
    """Return whether the heading of a column says that it holds what a person has.

    Examples
    --------
    >>> holds_no_counts("Age"), holds_no_counts("Persons")
    (True, False)
    """
    return says("own", heading)


def says_counts(heading: str) -> bool:
    """Return whether a heading, or a unit, says that its numbers are counts.

    Examples
    --------
    >>> says_counts("Persons"), says_counts("Euro")
    (True, False)
    """
    return says("count", heading) or says("people", heading)


def _are_years(column: Sequence[object]) -> bool:
    """Return whether all numbers of a column may be years."""
    counts = [count_in(cell) for cell in column if not is_blank(cell)]
    return all(isinstance(count, int) and 1800 <= count <= 2100 for count in counts)


def _are_numbered(column: Sequence[object]) -> bool:
    """Return whether a column numbers many rows, one after the other."""
    counts = [count_in(cell) for cell in column]
    return len(counts) >= _MANY and all(
        isinstance(count, int) and isinstance(other, int) and other == count + 1
        for count, other in itertools.pairwise(counts)
    )


def _are_counts(column: Sequence[object]) -> bool:
    """Return whether a column holds counts, or gaps in their place, and nothing else."""
    cells = [cell for cell in column if not is_blank(cell)]
    kinds = [not isinstance(count_in(cell), str) for cell in cells]
    return any(kinds) and all(kind or missing_in(cell) for kind, cell in zip(kinds, cells, strict=True))
