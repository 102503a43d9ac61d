"""What a card of the gallery is, and what is worked out when its example changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated

from sdcwidgets.pages.literature.picture import Picture
from sdcwidgets.parameters import Choices, Declared, Help, Label, Range
from sdcwidgets.table import FrequencyTable
from sdcwidgets.words import Line, Piece

#: Sets of margins of a table with axes A, B and C: what they keep, and what neighbours among them share.
MARGINS: Mapping[str, tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]] = MappingProxyType(
    {
        "A×B, B×C": (((0, 1), (1, 2)), ((1,),)),
        "A×B, A×C": (((0, 1), (0, 2)), ((0,),)),
        "A×C, B×C": (((0, 2), (1, 2)), ((2,),)),
        "A×B, C": (((0, 1), (2,)), ((),)),
        "A, B, C": (((0,), (1,), (2,)), ((), ())),
    }
)


@dataclass(frozen=True)
class CardSettings(Declared):
    """All that can be turned on some card."""

    slices: Annotated[
        str,
        Choices({"rows": "Rows", "columns": "Columns"}),
        Label("Slices are"),
        Help("Each slice of the table is looked at by itself."),
    ] = "rows"
    chance: Annotated[
        float,
        Range(0, 1, 0.01),
        Label("Chance q"),
        Help("The chance of each person to be known to the intruder before."),
    ] = 0.5
    known: Annotated[
        int,
        Range(0, 20),
        Label("People known m"),
        Help("How many of the people in the table the intruder knows."),
    ] = 4
    margins: Annotated[
        str,
        Choices({name: name for name in MARGINS}),
        Label("Published margins"),
        Help("The tables that are published; the cells themselves are not."),
    ] = "A×B, B×C"
    rounds: Annotated[
        int, Range(0, 6), Label("Rounds"), Help("How many rounds of the algorithm are done.")
    ] = 6
    fraction: Annotated[
        float,
        Range(0.01, 1, 0.01),
        Label("Sample share p"),
        Help("The sampling fraction: which part of the population is in the sample, n/N."),
    ] = 0.1
    effect: Annotated[
        bool, Label("Cells have a random effect"), Help("Rates vary around the log-linear model.")
    ] = False
    shape: Annotated[
        float,
        Range(0.1, 20, 0.1),
        Label("Its shape v"),
        Help("The smaller, the more the rates vary; without the random effect it does nothing."),
    ] = 9.1


@dataclass(frozen=True)
class Cells:
    """A second table on a card: what follows for each cell, or for each pair of counts.

    Attributes
    ----------
    title : str
    names : tuple of (row name, column name)
    rows, columns : tuple of str
    texts : tuple of tuple of str
    shades : tuple of tuple of float
        0 leaves a cell plain, 1 marks it most.
    hint : str
    """

    title: str
    names: tuple[str, str]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    texts: tuple[tuple[str, ...], ...]
    shades: tuple[tuple[float, ...], ...]
    hint: str


@dataclass(frozen=True)
class Worked:
    """A card's example, worked out.

    Attributes
    ----------
    name, value : str
        What the large number is, and the number.
    share : tuple of (str, float)
        What part of its greatest value it is, in words and from 0 to 1.
    formula : list of Piece
        The formula with this example's numbers.
    steps : tuple of lines
        How it comes about, for the dialog.
    notice : str
        What to notice.
    code : str
        Python that computes the number.
    row_marks, column_marks : tuple of (str, tuple of str), optional
        A title and what stands beside each row, or below each column, of the table.
    cells : Cells, optional
    picture : Picture, optional
    """

    name: str
    value: str
    share: tuple[str, float]
    formula: Line
    steps: tuple[Line, ...]
    notice: str
    code: str
    row_marks: tuple[str, tuple[str, ...]] | None = None
    column_marks: tuple[str, tuple[str, ...]] | None = None
    cells: Cells | None = None
    picture: Picture | None = None


@dataclass(frozen=True)
class Card:
    """A measure or a model of the literature.

    Attributes
    ----------
    name : str
        In links, in kebab-case.
    title : str
        Its authors and year.
    group : str
        What kind of table it is for.
    question : str
        What it answers, in one plain sentence.
    general : str
        Its formula, in symbols.
    limits : str
        What to know before it is used, in one or two sentences.
    reference : str
    example : FrequencyTable
        The table it begins with; of one, two or three axes.
    about : str
        What the example is.
    controls : tuple of str
        The settings that can be turned on it.
    hint : str, optional
        The line below the example, where the usual one about people does not fit.
    work : callable
        From a table and settings to what is shown; an InputError refuses a change.
    most : int
        The most people that the example may have, so that it stays quick.
    """

    name: str
    title: str
    group: str
    question: str
    general: str
    limits: str
    reference: str
    example: FrequencyTable
    about: str
    work: Callable[[FrequencyTable, CardSettings], Worked]
    controls: tuple[str, ...] = ()
    hint: str | None = None
    most: int = 1_000_000


def line(text: str, role: str = "") -> Line:
    """Return a line of one piece."""
    return [Piece(text, role)]
