"""Data of a card, and its computation for an example."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from itertools import product
from typing import Annotated, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from sdcwidgets._util.formula_lines import text_lines
from sdcwidgets._util.parameters import Choices, Declared, Help, Label, Range
from sdcwidgets.dashboards.literature.picture import Picture
from sdcwidgets.tables import examples
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.texts import Line, Piece, people

#: Title and values of an additional column or row of a table.
Marks: TypeAlias = dict[str, object] | None

#: Content of cards.toml.
DATA: dict[str, Any] = tomllib.loads(files(__package__).joinpath("cards.toml").read_text("utf-8"))

#: Example tables by name; some are a sample of another example.
EXAMPLES = {
    name: FrequencyTable(
        example["counts"], example["axes"] if "axes" in example else examples.load(example["of"]).axes
    )
    for name, example in DATA["examples"].items()
}

#: Selectable sets of margins of a table with axes A, B and C.
MARGINS = ("A×B, B×C", "A×B, A×C", "A×C, B×C", "A×B, C", "A, B, C")


@dataclass(frozen=True)
class CardSettings(Declared):
    """Settings of all cards; each card uses some of them."""

    slices: Annotated[
        str,
        Choices({"rows": "Rows", "columns": "Columns"}),
        Label("Slices"),
        Help("Each row or each column of the table is checked separately."),
    ] = "rows"
    chance: Annotated[
        float,
        Range(0, 1, 0.01),
        Label("Probability q that a person is known"),
        Help("Probability that a person is known to the intruder before the release."),
    ] = 0.5
    known: Annotated[
        int,
        Range(0, 20),
        Label("Number of people known to the intruder (m)"),
        Help("Number of people in the table who are known to the intruder."),
    ] = 4
    margins: Annotated[
        str,
        Choices({name: name for name in MARGINS}),
        Label("Published margins"),
        Help("The selected margins of the table are published, but the cells are not."),
    ] = "A×B, B×C"
    rounds: Annotated[
        int,
        Range(0, 6),
        Label("Maximum number of rounds of the algorithm"),
        Help("The shuttle algorithm stops after this number of rounds."),
    ] = 6
    fraction: Annotated[
        float,
        Range(0.01, 1, 0.01),
        Label("Sampling fraction p"),
        Help("Share of the people of the population who are in the sample, n/N."),
    ] = 0.1
    effect: Annotated[
        bool,
        Label("Random variation between cells"),
        Help(
            "If this option is on, the expected counts of the cells vary randomly around the log-linear "
            "model."
        ),
    ] = False
    shape: Annotated[
        float,
        Range(0.1, 20, 0.1),
        Label("Shape parameter v of the random variation"),
        Help(
            "With a smaller v, the expected counts vary more. The parameter has no effect if the random "
            "variation is off."
        ),
    ] = 9.1


@dataclass(frozen=True)
class Cells:
    """A second table on a card, with results per cell or per pair of counts.

    Attributes
    ----------
    rows, columns : sequence of str
    texts : list of list of str
    shade : list of list of float
        Shading from 0 (none) to 1 (darkest).
    title, row_name, column_name, hint : str
        Texts of the card.
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
    """Computed values of a card.

    Attributes
    ----------
    share : float
        The main number as a share of its maximum.
    words : mapping of str to object
        Values for the names in braces in the texts of the card.
    cells : Cells, optional
    picture : Picture, optional
    row_marks, column_marks : dict, optional
        Title and values of an additional column or row of the table.
    """

    share: float
    words: Mapping[str, object]
    cells: Cells | None = None
    picture: Picture | None = None
    row_marks: Marks = None
    column_marks: Marks = None


@dataclass(frozen=True)
class WorkedExample:
    """Results of a card for its example.

    Attributes
    ----------
    name, value : str
        Label of the main number, and the number.
    share : tuple of (str, float)
        Label of the share of its maximum, and the share from 0 to 1.
    formula : list of Piece
        The formula with the numbers of this example.
    steps : list of lines
        Steps of the computation, for the dialog.
    notice : str
        The most important fact.
    code : str
        Python code that computes the number.
    row_marks, column_marks, cells, picture
        As in Computed.
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
        Name in links, in kebab-case.
    work : callable
        Computes the values for a table and settings; raises InputError for input that the card cannot use.
    example : FrequencyTable
        Initial table, with one, two or three axes.
    title : str
        Authors and year.
    group : str
        Kind of table.
    question : str
        The question that the measure answers.
    general : str
        Formula in symbols.
    limits : str
        Limitations of the measure.
    reference : str
    about : str
        Description of the example.
    number, value, share, formula, steps, notice, code
        Texts of the results, with names in braces for computed values.
    own : sequence of str
        Steps that a card with `like` does not share with the other card.
    cells, picture : mapping of str to str
        Texts of the second table and of the chart.
    controls : sequence of str
        Names of the settings that the card uses.
    hint : str, optional
        Line below the example; the default is about people.
    most : int
        Maximum number of people in the example, which limits the time.
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
        """Return the results for a table."""
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
        steps = "\n".join(map(filled, self.steps)).splitlines()
        return WorkedExample(
            filled(self.number),
            filled(self.value),
            (filled(self.share), done.share),
            [Piece(filled(self.formula))],
            text_lines(*steps),
            filled(self.notice),
            filled(self.code),
            done.row_marks,
            done.column_marks,
            done.cells and replace(done.cells, **texts(self.cells)),
            done.picture and replace(done.picture, **texts(self.picture)),
        )


def cells_of(table: FrequencyTable, texts: ArrayLike, shade: ArrayLike) -> Cells:
    """Return a second table in the layout of a table, with the last axis as columns and all others as rows."""
    *down, across = table.axes
    shape = (-1, len(across))
    rows = [", ".join(labels) for labels in product(*down)]
    return Cells(rows, across.labels, np.reshape(texts, shape).tolist(), np.reshape(shade, shape).tolist())
