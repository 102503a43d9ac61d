"""Options for reading a table, the result of reading, and questions about options.

Each option is declared once. It is an option of the command line, an argument in Python and a control on a page.
"""

from __future__ import annotations

import csv
import itertools
import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Self

from sdcwidgets._util import html_table
from sdcwidgets._util.docstrings import documented
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import PEOPLE, counted, counted_units, shortened
from sdcwidgets._util.parameters import Choices, Declared, Help, Label, declared
from sdcwidgets.tables.io.encodings import CHOICES, name_of_encoding
from sdcwidgets.tables.io.writers.as_read import AsRead
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    from sdcwidgets.tables.io.assumptions import Assumption
    from sdcwidgets.tables.io.questions import Doubt
    from sdcwidgets.tables.sub_totals import SubTotals

_log = logging.getLogger(__name__)

#: Name of the column of counts for a file without such a column, in which each row is one person.
ROWS = "rows"

#: Description of the default of an option: the value is detected, or the import raises a question.
FIND_OUT = "find out"

#: Choices for totals, parts of other lines and percentages, with their texts on pages.
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
    """Options for reading a table.

    Attributes
    ----------
    sheet : str
        The sheet of a workbook; default: the first sheet with a table.
    by : tuple of str
        The columns whose labels become the axes, for a long table or a file with one row per person.
    count : str
        The column with the counts of a long table; "rows" counts the rows. The default "" also counts the rows, and
        raises a question if one of the other columns may have counts.
    weight : str
        The column with the weight of each person of a survey. The counts are the rounded sums of weights.
    only : tuple of str
        The only label of an axis that is read, as in "Year=2021"; "Year=*" keeps all labels, or sums over them.
    missing : str
        The label for people with a missing value. Without this label, a file with missing values is rejected.
    first_line : {"ask", "labels", "counts", "bare"}
        Meaning of the numbers in the first line: labels of columns, counts after the label of the row, or counts in
        all columns.
    margins : {"ask", "drop", "keep"}
        Treatment of totals, of parts of other lines, and of percentages. The default omits certain ones, and raises a
        question about others; "drop" omits all of them, and "keep" reads all of them.
    flags : {"ask", "off", "out"}
        Treatment of letters next to counts, such as "12 p". The default rejects the file, "off" removes the letters,
        and "out" also omits rows with a suppressed count.
    empty : {"ask", "zero", "dashes"}
        Meaning of an empty cell among counts, as in a pivot table. The default rejects the file; "zero" reads 0, and
        "dashes" also reads a dash as 0.
    level : str
        The level that is read if a column states the level of each row, such as 3 for municipalities.
    largest : {"ask", "drop", "keep"}
        Treatment of a label that is larger than all other labels of its axis together: it is the total of a larger
        area, which is omitted, or a category.
    decimals : {"ask", "thousands", "round"}
        Meaning of numbers with decimals in place of counts: thousands of people, or estimates that are rounded.
    marks : {"ask", "thousands", "decimals"}
        Meaning of the comma or point in numbers such as "5,000", if no other number of the file settles it.
    doubts : {"ask", "accept"}
        Whether a table with possible errors is accepted, for example a line of nearly equal counts; see `alarms`. Then,
        a total that is rounded is also omitted; ranges that overlap still need `margins`.
    encoding : str
        The encoding of a delimited text, such as "cp1250"; it is detected by default.
    unit : int
        Number of people of a count of 1, for a proposed layout. Only the layout multiplies the counts; the other
        functions read them unchanged.
    """

    sheet: Annotated[
        str, Label("Sheet"), Help("Sheet of the workbook, or file of the archive, that is read.")
    ] = ""
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
        Choices({"ask": "reject the file", "zero": "0", "dashes": "0, and dashes are also 0"}),
        Label("Empty cells"),
        Help("Meaning of an empty cell among counts, and of a combination of labels without a row."),
    ] = "ask"
    level: Annotated[
        str,
        Label("Level of the rows"),
        Help("Level that is read if a column states the level of each row, such as 3 for municipalities."),
    ] = ""
    largest: Annotated[
        str,
        Choices(
            {
                "ask": FIND_OUT,
                "drop": "omit the label as a total",
                "keep": "read the label as a category",
            }
        ),
        Label("Label larger than all others"),
        Help("Treatment of a label whose counts are larger than the counts of all other labels together."),
    ] = "ask"
    decimals: Annotated[
        str,
        Choices({"ask": FIND_OUT, "thousands": "thousands", "round": "estimates, which are rounded"}),
        Label("Numbers with decimals"),
        Help("Meaning of numbers with decimals in place of counts."),
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
        if isinstance(self.encoding, str):
            object.__setattr__(self, "encoding", name_of_encoding(self.encoding))
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
        """The column with the counts; "" if each row is one person."""
        return "" if self.count == ROWS else self.count

    def with_totals(self, totals: bool | str) -> ReadOptions:
        """Return the options with `margins` set from the argument `totals` of the functions that read tables.

        Examples
        --------
        >>> ReadOptions().with_totals(False).margins, ReadOptions(margins="drop").with_totals(True).margins
        ('keep', 'drop')
        """
        if totals is True:
            return self
        return replace(self, margins="keep" if totals is False else totals)

    def changed(self) -> dict[str, object]:
        """Return the options that differ from the defaults."""
        values = {
            setting.name: (getattr(self, setting.name), setting.default) for setting in declared(ReadOptions)
        }
        return {name: value for name, (value, default) in values.items() if value != default}


@dataclass(frozen=True)
class Choice:
    """Values of one field of `ReadOptions` that a user can choose for a file.

    Attributes
    ----------
    name : str
        Name of the field.
    options : mapping of str to str
        Values with their texts on pages; empty if any text is allowed.
    chosen : tuple of str
        The chosen values; only one unless `several` is true.
    several : bool
        Whether several values can be chosen.
    """

    name: str
    options: Mapping[str, str] = field(default_factory=dict)
    chosen: tuple[str, ...] = ()
    several: bool = False

    @property
    def label(self) -> str:
        """The label of the control."""
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
    """Return the choice of a field whose values are the same for all files.

    Examples
    --------
    >>> choice_of("empty").options
    {'ask': 'reject the file', 'zero': '0', 'dashes': '0, and dashes are also 0'}
    """
    choices = next(setting.choices for setting in declared(ReadOptions) if setting.name == name)
    return Choice(name, {value: words for value, words in choices.items() if words != FIND_OUT}, chosen)


@dataclass(frozen=True)
class Reading:
    """A table that was read, with notes for the user.

    Attributes
    ----------
    table : FrequencyTable
    notes : tuple of str
        Sentences on decisions and doubts of the import.
    choices : tuple of Choice
        Options with which the file could be read differently.
    totals : bool
        Whether the file had totals, which are not cells of the table.
    grand_totals : tuple of tuple of str
        Labels of omitted totals over the whole axis, per axis; empty if there were none.
    as_read : AsRead or None
        Layout of the table in its file; None if the layout is not a simple one.
    counted : str
        Noun for the counted units, such as "households".
    doubts : tuple of Doubt
        Doubts about the axes that the file leaves open, which are checked after those about the numbers.
    assumptions : tuple of Assumption
        Decisions that no check of the file confirms, if the table is read after a question about the file.
    omitted : tuple of str
        Labels of omitted rows that are no categories of the table.
    levels : tuple of str
        Names of higher levels of the file whose totals are not in the table.
    sub_totals : tuple of SubTotals
        Totals of these levels by axis, without levels that do not group the categories of their axis.
    """

    table: FrequencyTable
    notes: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = field(default=(), compare=False)
    totals: bool = field(default=False, compare=False)
    grand_totals: tuple[tuple[str, ...], ...] = field(default=(), compare=False)
    as_read: AsRead | None = field(default=None, compare=False)
    counted: str = field(default=PEOPLE, compare=False)
    doubts: tuple[Doubt, ...] = field(default=(), compare=False)
    assumptions: tuple[Assumption, ...] = field(default=(), compare=False)
    omitted: tuple[str, ...] = field(default=(), compare=False)
    levels: tuple[str, ...] = field(default=(), compare=False)
    sub_totals: tuple[SubTotals, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if self.counted != PEOPLE:
            object.__setattr__(self, "table", self.table.with_unit(self.counted))

    def with_omitted(self, labels: Iterable[str]) -> Self:
        """Return the reading whose layout names labels of the file that are not in the table."""
        omitted = tuple(labels)
        if not omitted:
            return self
        layout = self.as_read or AsRead("", (), (), table=self.table)
        return replace(self, as_read=layout.with_omitted(omitted))

    @property
    def unknown(self) -> int:
        """Number of cells whose counts the file does not contain; their counts are 0."""
        return self.table.unknown_cells

    @property
    def summary(self) -> str:
        """Sentence with the number of counted units, and the number of categories of each axis.

        Examples
        --------
        >>> Reading(FrequencyTable([[161, 141], [105, 94]], {"Area": ["1", "2"], "Sex": ["m", "f"]})).summary
        '501 people in 4 cells: Area (2) × Sex (2).'
        """
        axes = " × ".join(f"{shortened(axis.name)} ({len(axis)})" for axis in self.table.axes)
        total = counted_units(self.table.total, self.counted)
        return f"{total} in {counted(self.table.cells, 'cell')}: {axes}."

    def logged_table(self) -> FrequencyTable:
        """Log each note and each assumption as a warning, and return the table."""
        for note in (*self.notes, *(assumption.sentence for assumption in self.assumptions)):
            _log.warning(note)
        return self.table

    def _repr_html_(self) -> str:
        table = self.table
        return html_table.of_arrays(
            repr(table), table.axes, [table.counts], html_table.counted, notes=self.notes
        )


class Remark(str):
    """A note on a decision of the import that a check of the file confirms, such as an omitted total."""


class RemarkOnColumns(Remark):
    """A remark on columns that name the same rows as another column, such as codes or provinces of areas."""


class RemarkOnRelease(Remark):
    """A remark that also concerns a release of the table, such as a line of text that the release repeats."""


class NoCounts(InputError):
    """The file has texts in place of counts; a user can choose columns to count by."""


class NoTable(InputError):
    """The sheet cannot be a table, because it has no cells or only one line of cells."""


class NoWorkbook(InputError):
    """The content is not a workbook, although a workbook was expected."""


class NoNumbers(NoCounts):
    """The sheet has texts but no number."""


class Question(InputError):
    """A user must choose an option, because the file is ambiguous; the message ends with the choices.

    Attributes
    ----------
    choices : tuple of Choice
        Options that answer the question.
    proposal : Proposal or None
        Layout that is proposed for the file, if a function of `FrequencyTable` read it.
    doubt : Doubt or None
        The doubt with the values in its question, if there is a doubt.
    assumptions : tuple of Assumption
        Decisions of the proposed layout that could also be wrong, and that no check of the file confirms.
    others : tuple of Doubt
        Doubts of the same check, which the answer also settles.
    reason : InputError or None
        Error of a sheet that leads to the question which sheet is read.
    """

    assumptions: tuple[Assumption, ...] = ()

    def __init__(self, sentence: str, *choices: Choice) -> None:
        super().__init__(sentence)
        self.choices = choices
        self.proposal: object = None
        self.doubt: object = None
        self.reason: InputError | None = None
        self.others: tuple[Doubt, ...] = ()


def with_controls(sentence: str) -> str:
    """Return a sentence in which each name of an option is replaced by the label of its control on a page.

    Examples
    --------
    >>> with_controls("Choose what becomes of it (margins: drop or keep).")
    'Choose what becomes of it ("Totals, parts and percentages").'
    """
    for parameter in declared(ReadOptions):
        sentence = _named(parameter.name).sub(f'("{parameter.label}")', sentence)
    return sentence


def with_flags(sentence: str) -> str:
    """Return a sentence in which each name of an option is replaced by the option of the command line.

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
    """Return a pattern that finds an option in a sentence, such as "(by)" or "(margins: drop or keep)"."""
    return re.compile(rf"\({name}(?::( .*?))?\)(?=[\s.,;:]|$)")
