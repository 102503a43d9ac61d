"""The decisions about how a file is read: its open doubts, each with the changes of a layout that settle it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.tables.io.layout.contents import axes_doubts
from sdcwidgets.tables.io.layout.totals import totals_out
from sdcwidgets.tables.io.layouts import FileLayout
from sdcwidgets.tables.io.plausibility import alarms
from sdcwidgets.tables.io.questions import SUMS, Doubt
from sdcwidgets.tables.table import FrequencyTable

#: Maximum number of cells of a table in which sums of lines are searched after each change.
_MOST_CELLS = 100_000

#: Doubts of the reader that do not concern a table read with a layout, or that `alarms` checks again in each table.
OF_TABLES = (
    "absent",
    "empty",
    "gap",
    "dash",
    "time",
    "overlap",
    "mostly empty",
    "even",
    "determined",
    "combined",
    "groups",
    "world",
    "second header",
    "blank label",
)

#: Doubts of the reader about texts in place of counts.
OF_TEXTS = ("empty", "gap", "dash")

#: Doubts about the sheet of a workbook, or the file of an archive, that is read.
OF_SHEETS = ("files", "sheets", "hidden sheet", "hidden sheets")

#: Keys of a layout that the answer to a doubt of the reader changes; any other doubt is about the structure.
_KEYS: Mapping[str, Sequence[str]] = {
    "encoding": ("encoding",),
    "absent": ("absent",),
    "thousands": ("unit",),
    "decimal counts": ("unit", "rounded"),
    "unknown unit": ("counted",),
    "other figures": ("counted",),
    "mark": ("thousands", "decimal"),
    "gap": ("texts",),
    "empty": ("texts",),
    "dash": ("texts",),
    "flag": ("flags",),
    "heading line": ("rows", "header"),
    "decimals": ("columns", "rows", "rounded"),
    "hidden rows": ("rows", "sheet"),
    "hidden sheet": ("sheet",),
    "hidden sheets": ("sheet",),
    "twice": (),
    "equal": (),
    "wrong total": (),
    "rate": (),
    "repeated": ("columns", "rows"),
}
_OF_COLUMNS = ("unread", "hidden columns", "decimal records")
_STRUCTURE = ("columns", "headings", "rows", "first", "header", "sheet", "delimiter")

#: A place in a file: "row" or "column" with its number, or ("file", 0).
Place = tuple[str, int]


class Reply(NamedTuple):
    """A change of the layout that a decision offers, and whether the layout has it already."""

    words: str
    change: Mapping[str, object]
    chosen: bool = False


@dataclass(frozen=True)
class Decision:
    """A doubt about a file that a user must settle.

    Attributes
    ----------
    text : str
    place : tuple of str and int
    answers : tuple of Reply
        Empty if a role at the place settles the doubt.
    several : str
        Name of a choice of several answers, each of which is chosen or not; "" if there is one answer.
    is_confirmed : bool
        Whether the user selected the answer that the layout has already.
    """

    text: str
    place: Place = ("file", 0)
    answers: tuple[Reply, ...] = ()
    several: str = ""
    is_confirmed: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the decision must still be made; one of several answers makes it, and so does a confirmation."""
        if self.is_confirmed:
            return False
        return not self.several or not any(answer.chosen for answer in self.answers)

    @property
    def words(self) -> str:
        """The decision, with the answer that the layout has."""
        chosen = [answer.words for answer in self.answers if answer.chosen]
        if len(chosen) != 1 or self.several:
            return self.text
        return f"{self.text} The table is read with the answer {quoted(chosen[0])}."

    def shown(self) -> dict[str, object]:
        """Return the decision as plain values for a page."""
        kind, number = self.place
        return {
            "text": self.text,
            "several": self.several,
            "open": self.is_open,
            "place": "" if kind == "file" else f"{kind}-{number}",
            "answers": [
                {"words": answer.words, "change": dict(answer.change), "chosen": answer.chosen}
                for answer in self.answers
            ],
        }


def table_doubts(table: FrequencyTable, with_sums: bool) -> list[Doubt]:
    """Return the doubts about a table that was read with the current layout.

    Parameters
    ----------
    table : FrequencyTable
    with_sums : bool
        Whether lines that may be totals are searched. A table that was detected without a doubt has no such lines.

    Returns
    -------
    list of Doubt

    Examples
    --------
    >>> table = FrequencyTable([[31, 35], [59, 55]], {"Area": ["A", "B"], "Year": ["2021", "2022"]})
    >>> [doubt.question for doubt in table_doubts(table, with_sums=True)]
    ['time']
    """
    doubts = [*alarms(table), *axes_doubts(table.axes)]
    if with_sums and table.cells <= _MOST_CELLS:
        with suppress(InputError):  # the totals of such a table are not known
            doubts += totals_out(table.counts, table.axes, ask=True, doubts=True)[2].doubts
    named = {doubt.facts.get("label") for doubt in doubts if doubt.question == "near sum"}
    others = [d for d in doubts if d.question == "near sum" or not named or d.facts.get("label") not in named]
    return list({d.statement: d for d in others}.values())


def is_open(question: Doubt | None, proposed: FileLayout, now: FileLayout) -> bool:
    """Return whether a doubt about a proposed layout still concerns the current layout.

    Parameters
    ----------
    question : Doubt or None
        None for a doubt without facts.
    proposed : FileLayout
    now : FileLayout

    Returns
    -------
    bool

    Examples
    --------
    >>> from dataclasses import replace
    >>> from sdcwidgets.tables.io.layouts import LayoutColumn
    >>> layout = FileLayout((LayoutColumn(1, "label", "Area"), LayoutColumn(2, "count", "n")), header=1, first=2)
    >>> thousands = Doubt("thousands", {}, ())
    >>> is_open(thousands, layout, layout), is_open(thousands, layout, replace(layout, unit=1000))
    (True, False)
    """
    label = question.facts.get("label") if question is not None and question.question in SUMS else None
    if isinstance(label, str) and is_omitted(label, proposed):
        return is_omitted(label, now)
    if question is not None and question.question in _OF_COLUMNS:
        return _is_open_on_columns(question, proposed, now)
    keys = _STRUCTURE if question is None else _KEYS.get(question.question, _STRUCTURE)
    return all(getattr(proposed, key) == getattr(now, key) for key in keys)


def _is_open_on_columns(question: Doubt, proposed: FileLayout, now: FileLayout) -> bool:
    """Return whether a doubt about some columns still concerns the current layout."""
    if question.question == "hidden columns":
        hidden = question.facts["numbers"]
        assert isinstance(hidden, tuple)
        of_hidden = [[c.role for c in layout.columns if c.number in hidden] for layout in (proposed, now)]
        return proposed.sheet == now.sheet and of_hidden[0] == of_hidden[1]
    if not now.of_role("count"):
        return False  # Each row is counted as one person.
    if question.question == "unread":
        roles = [{c.number: c.role for c in layout.columns} for layout in (proposed, now)]
        number = int(str(question.facts["column"]))
        return roles[0].get(number) == roles[1].get(number)
    return (proposed.unit, proposed.rounded) == (now.unit, now.rounded)


def is_omitted(label: str, layout: FileLayout) -> bool:
    """Return whether a layout omits the lines with a label as totals."""
    for column in layout.columns:
        if label in column.left_out or (column.role in ("total", "other") and column.heading == label):
            return True
    return any(row.role == "total" and row.label == label for row in layout.rows)


def label_answers(label: str, column: int, omitted: bool) -> tuple[Reply, ...]:
    """Return the answers that omit or read the lines with a label of a column of labels."""
    name = f"label:{column}"
    change = {"name": name, "value": label}
    return (
        Reply(f"Omit {quoted(label)}", {**change, "role": "omit"}, chosen=omitted),
        Reply(f"Read {quoted(label)}", {**change, "role": "read"}, chosen=not omitted),
    )


def column_answers(name: str, column: int, omitted: bool) -> tuple[Reply, ...]:
    """Return the answers that omit or read a column of counts."""
    return (
        Reply(f"Omit {quoted(name)}", {"column": column, "role": "total"}, chosen=omitted),
        Reply(f"Read {quoted(name)}", {"column": column, "role": "count"}, chosen=not omitted),
    )


def by_answers(names: Iterable[str], chosen: Iterable[str]) -> tuple[Reply, ...]:
    """Return an answer for each column by which people can be counted; a second choice of a column removes it."""
    return tuple(
        Reply(name, {"name": f"by:{name}", "value": "no" if name in chosen else "yes"}, chosen=name in chosen)
        for name in names
    )


def setting_answers(name: str, options: Iterable[tuple[str, str]], chosen: str) -> tuple[Reply, ...]:
    """Return an answer for each option of a setting."""
    return tuple(
        Reply(words, {"name": name, "value": value}, chosen=value == chosen) for value, words in options
    )
