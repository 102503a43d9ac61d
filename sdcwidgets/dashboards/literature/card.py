"""The data of a card, and the computation for its current example."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from itertools import product
from typing import Annotated, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from sdcwidgets._util.lines import text_lines
from sdcwidgets._util.parameters import Choices, Declared, Help, Label, Range
from sdcwidgets.dashboards.literature.picture import Picture
from sdcwidgets.tables import examples
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.texts import Line, Piece, people

#: The place beside the rows or below the columns of a table, and its heading.
Marks: TypeAlias = dict[str, object] | None

#: The cards and their examples as they are written.
DATA: dict[str, Any] = tomllib.loads(files(__package__).joinpath("cards.toml").read_text("utf-8"))

#: The tables with which cards begin, by name; some are a sample of another example.
EXAMPLES = {
    name: FrequencyTable(
        example["counts"], example["axes"] if "axes" in example else examples.load(example["of"]).axes
    )
    for name, example in DATA["examples"].items()
}

#: Sets of margins of a table with axes A, B and C.
MARGINS = ("A×B, B×C", "A×B, A×C", "A×C, B×C", "A×B, C", "A, B, C")


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
    rows, columns : sequence of str
    texts : list of list of str
    shade : list of list of float
        0 leaves a cell plain, 1 marks it most.
    title, row_name, column_name, hint : str
        As the card has them.
    """

    rows: Sequence[str]
    columns: Sequence[str]
    texts: list[list[str]]
    shade: list[list[float]]
    title: str = ""
    row_name: str = ""
    column_name: str = ""
    hint: str = ""


class Computed(NamedTuple):
    """What is computed for a card.

    Attributes
    ----------
    share : float
        What part of its greatest value the large number is.
    words : mapping of str to object
        What stands in the texts of the card by these names.
    cells : Cells, optional
    picture : Picture, optional
    row_marks, column_marks : dict, optional
        A title and what stands beside each row, or below each column, of the table.
    """

    share: float
    words: Mapping[str, object]
    cells: Cells | None = None
    picture: Picture | None = None
    row_marks: Marks = None
    column_marks: Marks = None


@dataclass(frozen=True)
class WorkedExample:
    """A card's example, worked out.

    Attributes
    ----------
    name, value : str
        What the large number is, and the number.
    share : tuple of (str, float)
        What part of its greatest value it is, in words and from 0 to 1.
    formula : list of Piece
        The formula with this example's numbers.
    steps : list of lines
        How it comes about, for the dialog.
    notice : str
        What to notice.
    code : str
        Python that computes the number.
    row_marks, column_marks, cells, picture
        As they are computed.
    """

    name: str
    value: str
    share: tuple[str, float]
    formula: Line
    steps: list[Line]
    notice: str
    code: str
    row_marks: Marks
    column_marks: Marks
    cells: Cells | None
    picture: Picture | None


@dataclass(frozen=True)
class Card:
    """A measure or a model of the literature.

    Attributes
    ----------
    name : str
        In links, in kebab-case.
    work : callable
        From a table and settings to what is computed; an InputError refuses a change.
    example : FrequencyTable
        The table it begins with; of one, two or three axes.
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
    about : str
        What the example is.
    number, value, share, formula, steps, notice, code
        The texts of what is worked out, with names in braces for what is computed.
    own : sequence of str
        Those of its steps that others like it do not have.
    cells, picture : mapping of str to str
        The texts of its second table and of its chart.
    controls : sequence of str
        The settings that can be turned on it.
    hint : str, optional
        The line below the example, where the usual one about people does not fit.
    most : int
        The most people that the example may have, so that it stays quick.
    """

    name: str
    work: Callable[[FrequencyTable, CardSettings], Computed]
    example: FrequencyTable
    title: str
    group: str
    question: str
    general: str
    limits: str
    reference: str
    about: str
    number: str
    value: str
    share: str
    formula: str
    steps: Sequence[str]
    notice: str
    code: str
    own: Sequence[str] = ()
    cells: Mapping[str, str] = field(default_factory=dict)
    picture: Mapping[str, str] = field(default_factory=dict)
    controls: Sequence[str] = ()
    hint: str | None = None
    most: int = 1_000_000

    def worked(self, table: FrequencyTable, settings: CardSettings) -> WorkedExample:
        """Return what is shown of a table."""
        done = self.work(table, settings)
        *down, across = (axis.name for axis in table.axes)
        words = {
            "settings": settings,
            "N": table.total,
            "people": people(table.total),
            "counts": table.counts.tolist(),
            "down": " × ".join(down),
            "across": across,
            **done.words,
        }

        def filled(text: str) -> str:
            return text.format(**words)

        def texts(parts: Mapping[str, str]) -> dict[str, Any]:
            return {part: filled(text) for part, text in parts.items()}

        words["formula"] = filled(self.formula)
        words["own"] = "\n".join(map(filled, self.own))
        return WorkedExample(
            filled(self.number),
            filled(self.value),
            (filled(self.share), done.share),
            [Piece(filled(self.formula))],
            text_lines(*(line for step in self.steps for line in filled(step).splitlines())),
            filled(self.notice),
            filled(self.code),
            done.row_marks,
            done.column_marks,
            done.cells and replace(done.cells, **texts(self.cells)),
            done.picture and replace(done.picture, **texts(self.picture)),
        )


def cells_of(table: FrequencyTable, texts: ArrayLike, shade: ArrayLike) -> Cells:
    """Return a second table in the layout of a table: the last axis goes across, all others down."""
    *down, across = table.axes
    shape = (-1, len(across))
    rows = [", ".join(labels) for labels in product(*down)]
    return Cells(rows, across.labels, np.reshape(texts, shape).tolist(), np.reshape(shade, shape).tolist())
