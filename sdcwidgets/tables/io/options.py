"""How a table is read: what a person may choose where a file doesn't say it, declared once for all faces.

The same names are flags of the command line, arguments in Python and controls on a screen.
"""

from __future__ import annotations

import csv
import itertools
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated, Any

from sdcwidgets._util import html_table
from sdcwidgets._util.docstrings import documented
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import counted, shortened
from sdcwidgets._util.parameters import Choices, Declared, Help, Label, declared
from sdcwidgets.tables.io.encodings import CHOICES
from sdcwidgets.tables.io.writers.as_read import AsRead
from sdcwidgets.tables.table import FrequencyTable

_log = logging.getLogger(__name__)

#: In place of the column that holds the counts: there is none, each row is a person.
ROWS = "rows"

#: In place of a choice: the file tells, or a person is asked.
FIND_OUT = "find out"

#: What can become of totals and of all else that is beside the counts, as every screen calls it.
LEFT_OUT = {"drop": "leave out", "keep": "keep"}


@dataclass(frozen=True)
class _Columns:
    """Names of columns of the file."""

    expected: str = "column names, separated by commas"

    def check(self, value: Any) -> tuple[str, ...]:
        """Return the names as a tuple."""
        names = (value,) if isinstance(value, str) else tuple(value)
        if not all(isinstance(name, str) for name in names):
            raise ValueError(value)
        return tuple(name for name in names if name)

    def parse(self, text: str) -> tuple[str, ...]:
        """Return the names in a line of CSV."""
        return self.check([name.strip() for name in next(csv.reader([text], skipinitialspace=True), [])])


@documented
@dataclass(frozen=True)
class ReadOptions(Declared):
    """How a table is read.

    Attributes
    ----------
    sheet : str
        The sheet of a workbook; the first that holds a table if not named.
    by : tuple of str
        The columns whose labels become the axes, for long tables and one row a person.
    count : str
        The column that holds the counts of a long table; "rows" counts the rows. So does "", unless a column that
        isn't named may hold counts: then it is asked.
    weight : str
        The column that says for how many people a row of a survey stands; the counts are their sums, rounded.
    only : tuple of str
        The one label of an axis that is read, as in "Year=2021"; "Year=*" keeps all, or sums over them.
    missing : str
        The label for people without a value in one of the columns; they are refused if it isn't named.
    first_line : {"ask", "labels", "counts", "bare"}
        What the numbers of a first line of numbers are.
    margins : {"ask", "drop", "keep"}
        What becomes of rows and columns that add others up, are parts of others, or hold percentages: those that
        are sure are left out and others are asked about, or all are left out, or all are kept.
    flags : {"ask", "off", "out"}
        What becomes of letters beside counts, such as "12 p": they are refused, or taken off; with "out" rows with
        a gap in place of a count are left out too.
    empty : {"ask", "zero"}
        What an empty cell among counts stands for, as in a pivot table: it is refused, or means nobody.
    marks : {"ask", "thousands", "decimals"}
        What the comma or point in numbers such as "5,000" is, where all numbers of a file are such.
    doubts : {"ask", "accept"}
        Whether a table with doubts is accepted, such as one with a line that hardly varies; see `alarms`. A
        total within rounding is left out then, and ranges that overlap need `margins`.
    encoding : str
        The encoding of a delimited text, such as "cp1250"; detected if not named.
    unit : int
        Number of people for which a count of 1 stands, as a layout will state. Only the layout multiplies the
        numbers; the reader itself reads them unchanged.
    """

    sheet: Annotated[str, Label("Sheet"), Help("Sheet of the workbook that is read.")] = ""
    by: Annotated[
        tuple[str, ...],
        _Columns(),
        Label("Count by"),
        Help(
            "Columns whose categories become the axes of the table, for a long table or a file with one row "
            "per person."
        ),
    ] = ()
    count: Annotated[
        str,
        Label("Counts in"),
        Help('Column that contains the counts of a long table. Enter "rows" if each row is one person.'),
    ] = ""
    weight: Annotated[
        str,
        Label("Weights in"),
        Help("Column of the sampling weights of a survey. Without weights, each row counts as one person."),
    ] = ""
    only: Annotated[
        tuple[str, ...],
        _Columns("categories with their axes, such as Year=2021, separated by commas"),
        Label("Only"),
        Help(
            "Category of an axis to read, such as Year=2021. Year=* reads all categories, or sums over them."
        ),
    ] = ()
    missing: Annotated[
        str,
        Label("Label of missing values"),
        Help(
            "Category in which people with a missing value are counted. Without this category, a file with "
            "missing values is rejected."
        ),
    ] = ""
    first_line: Annotated[
        str,
        Choices(
            {
                "ask": FIND_OUT,
                "labels": "column labels",
                "counts": "counts, after the label of the row",
                "bare": "counts in all columns",
            }
        ),
        Label("First line"),
        Help("Meaning of the numbers in the first line."),
    ] = "ask"
    margins: Annotated[
        str,
        Choices({"ask": FIND_OUT} | LEFT_OUT),
        Label("Totals, parts and percentages"),
        Help("Treatment of rows and columns that contain totals, parts of other lines, or percentages."),
    ] = "ask"

    flags: Annotated[
        str,
        Choices(
            {
                "ask": "reject the file",
                "off": "remove flags",
                "out": "remove flags, and omit rows with suppressed counts",
            }
        ),
        Label("Flags next to counts"),
        Help('Treatment of flags next to counts, such as "12 p", and of suppressed counts, such as "c".'),
    ] = "ask"
    empty: Annotated[
        str,
        Choices({"ask": "reject the file", "zero": "0"}),
        Label("Empty cells"),
        Help("Meaning of an empty cell among counts, for example in a pivot table."),
    ] = "ask"
    marks: Annotated[
        str,
        Choices({"ask": FIND_OUT, "thousands": "thousands: 5,000 people", "decimals": "decimals: 5 people"}),
        Label("Commas and points in numbers"),
        Help('Meaning of the comma or point in a number such as "5,000".'),
    ] = "ask"
    doubts: Annotated[
        str,
        Choices({"ask": FIND_OUT, "accept": "accept the table despite possible errors"}),
        Label("Treatment of possible errors in the table"),
        Help("Whether a table with possible errors, such as a row of nearly equal counts, is accepted."),
    ] = "ask"
    encoding: Annotated[
        str,
        Choices({"": FIND_OUT} | CHOICES),
        Label("Encoding"),
        Help("Encoding of a delimited text, such as a CSV file."),
    ] = ""
    unit: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.count not in ("", ROWS) and not self.by:
            raise InputError(
                f"The column of counts is {self.count!r}, but no columns are chosen as axes of the table. "
                "Choose the columns of the axes (by)."
            )
        if self.weight and (not self.by or self.column):
            raise InputError(
                f"The column of weights is {self.weight!r}, but only files with one row per person have "
                "weights. Choose the columns of the axes (by)."
            )
        if self.weight in self.by:
            raise InputError(
                f"The column {self.weight!r} cannot be both an axis and the weights. Choose it once."
            )
        if self.count in self.by:
            raise InputError(
                f"The column {self.count!r} cannot be both an axis and the counts. Choose it once."
            )

    @property
    def column(self) -> str:
        """The column that holds the counts, "" where each row is a person."""
        return "" if self.count == ROWS else self.count

    def with_totals(self, totals: bool | str) -> ReadOptions:
        """Return options with both ways to state what becomes of totals as one.

        Examples
        --------
        >>> ReadOptions().with_totals(False).margins, ReadOptions(margins="drop").with_totals(True).margins
        ('keep', 'drop')
        """
        if totals is True:
            return self
        return replace(self, margins="keep" if totals is False else totals)

    def changed(self) -> dict[str, object]:
        """Return what differs from the defaults."""
        values = {
            setting.name: (getattr(self, setting.name), setting.default) for setting in declared(ReadOptions)
        }
        return {name: value for name, (value, default) in values.items() if value != default}


@dataclass(frozen=True)
class Choice:
    """What can be chosen of one field of `ReadOptions`, for the file at hand.

    Attributes
    ----------
    name : str
        The field.
    options : mapping of str to str
        Values, each with the words that a person sees; none where any text may be written.
    chosen : tuple of str
        One, or several where several may be chosen.
    several : bool
    """

    name: str
    options: Mapping[str, str] = field(default_factory=dict)
    chosen: tuple[str, ...] = ()
    several: bool = False

    @property
    def label(self) -> str:
        """The words beside the control."""
        return next(setting.label for setting in declared(ReadOptions) if setting.name == self.name)

    def _repr_html_(self) -> str:
        most = html_table.MOST_ROWS
        rows = [
            ([value], [html_table.Cell(words), html_table.Cell("chosen" if value in self.chosen else "")])
            for value, words in itertools.islice(self.options.items(), most)
        ]
        more = [f"{len(self.options) - most:,} more."] if len(self.options) > most else []
        return html_table.of_lines(f"{self.label} ({self.name})", ["Value", "Means", ""], rows, more)


def choice_of(name: str, *chosen: str) -> Choice:
    """Return what can be chosen of a field with a list of values, whatever the file.

    Examples
    --------
    >>> choice_of("empty").options
    {'ask': 'reject the file', 'zero': '0'}
    """
    choices = next(setting.choices for setting in declared(ReadOptions) if setting.name == name)
    return Choice(name, {value: words for value, words in choices.items() if words != FIND_OUT}, chosen)


#: What a table counts if its file names nothing else.
PEOPLE = "people"


@dataclass(frozen=True)
class Reading:
    """A table that was read, and what a person should know of how: one sentence a note.

    Attributes
    ----------
    table : FrequencyTable
    notes : tuple of str
    choices : tuple of Choice
        What could have been read otherwise.
    totals : bool
        Whether there were totals, which are no cells of the table.
    grand_totals : tuple of tuple of str
        For each axis, the labels of totals over the whole axis that were left out; empty if there were none.
    as_read : AsRead or None
        Its layout, where it is a simple table.
    counted : str
        What is counted, such as "households".
    """

    table: FrequencyTable
    notes: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = field(default=(), compare=False)
    totals: bool = field(default=False, compare=False)
    grand_totals: tuple[tuple[str, ...], ...] = field(default=(), compare=False)
    as_read: AsRead | None = field(default=None, compare=False)
    counted: str = field(default=PEOPLE, compare=False)

    @property
    def summary(self) -> str:
        """The number of people, or of what is counted, and the number of categories of each axis.

        Examples
        --------
        >>> Reading(FrequencyTable([[161, 141], [105, 94]], {"Area": ["1", "2"], "Sex": ["m", "f"]})).summary
        '501 people in 4 cells: Area (2) × Sex (2).'
        """
        axes = " × ".join(f"{shortened(axis.name)} ({len(axis)})" for axis in self.table.axes)
        one = "person" if self.counted == PEOPLE else self.counted
        total = counted(self.table.total, one, self.counted)
        return f"{total} in {counted(self.table.cells, 'cell')}: {axes}."

    def logged_table(self) -> FrequencyTable:
        """Log each note as a warning, and return the table."""
        for note in self.notes:
            _log.warning(note)
        return self.table

    def _repr_html_(self) -> str:
        table = self.table
        return html_table.of_arrays(
            repr(table), table.axes, [table.counts], html_table.counted, notes=self.notes
        )


class NoCounts(InputError):
    """There are texts where counts should be: the rows may be people, or the columns may be chosen."""


class NoTable(InputError):
    """There is nothing that could be a table: no cells, or one line of them."""


class NoWorkbook(InputError):
    """The content is another file than a workbook, which was expected."""


class NoNumbers(NoCounts):
    """There are texts and no number."""


class Question(InputError):
    """What the file doesn't say and isn't guessed; the sentence ends with what to choose.

    Attributes
    ----------
    choices : tuple of Choice
    proposal : Proposal or None
        Layout that is proposed for the file, where `FrequencyTable` reads one.
    doubt : Doubt or None
        The doubt with its facts, if there is one.
    """

    def __init__(self, sentence: str, *choices: Choice) -> None:
        super().__init__(sentence)
        self.choices = choices
        self.proposal: object = None
        self.doubt: object = None


def with_controls(sentence: str) -> str:
    """Return a sentence with what a screen calls the ways of reading that it names; there it shows what to choose.

    Examples
    --------
    >>> with_controls("Choose what becomes of it (margins: drop or keep).")
    'Choose what becomes of it ("Totals, parts and percentages").'
    """
    for parameter in declared(ReadOptions):
        sentence = _named(parameter.name).sub(f'("{parameter.label}")', sentence)
    return sentence


def with_flags(sentence: str) -> str:
    """Return a sentence with the flag of the command line wherever it names a way of reading.

    Examples
    --------
    >>> with_flags("Choose what becomes of it (margins: drop or keep).")
    'Choose what becomes of it (--margins drop or keep).'
    """
    sentence = _named("doubts").sub("(--yes)", sentence)
    sentence = sentence.replace("open the file on the page Microdata", "use the command microdata")
    for parameter in declared(ReadOptions):
        sentence = _named(parameter.name).sub(partial(_flagged, parameter.flag), sentence)
    return sentence


def _flagged(flag: str, found: re.Match[str]) -> str:
    return f"({flag}{found[1] or ''})"


def _named(name: str) -> re.Pattern[str]:
    """Return what finds a way of reading in a sentence: "(by)", or "(margins: drop or keep)"; not inside a label."""
    return re.compile(rf"\({name}(?::( .*?))?\)(?=[\s.,;:]|$)")
