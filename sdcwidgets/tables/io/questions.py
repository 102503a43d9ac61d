"""Doubts about a sheet that a user must settle, and the question for each doubt."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import NamedTuple

from sdcwidgets._util.errors import InputError
from sdcwidgets.tables.io.options import ROWS, Choice, Question

#: Question of each doubt.
QUESTIONS: Mapping[str, str] = tomllib.loads(files(__package__).joinpath("questions.toml").read_text("utf-8"))

#: Doubts whether each row is a person; the doubts of `NO_COUNTS` are about files without counts.
NO_COUNTS = ("people", "records")
PERSONS = (*NO_COUNTS, "persons", "heading", "rows")

#: Doubts about a label that may be a total, or a part of others.
SUMS = (
    "sum",
    "again",
    "indented",
    "part",
    "all",
    "outside",
    "inside",
    "larger",
    "near sum",
    "outsized",
    "named part",
)


#: Doubts about hidden parts of a workbook.
HIDDEN = ("hidden rows", "hidden columns", "hidden sheet", "hidden sheets")


class Doubt(NamedTuple):
    """A doubt about a sheet: the key of its question in `QUESTIONS`, the values in the question, and the choices."""

    question: str
    facts: Mapping[str, object]
    choices: tuple[Choice, ...]

    @property
    def sentence(self) -> str:
        """The question with its values."""
        return QUESTIONS[self.question].format(**self.facts)

    @property
    def statement(self) -> str:
        """The question without the choices, as a sentence."""
        template = QUESTIONS[self.question]
        start = "{where}: " if template.startswith("{where}: ") else ""
        statement = template.removeprefix(start).partition(": ")[0].partition("; ")[0]
        return f"{(start + statement).format(**self.facts).rstrip('.')}."


def doubt(question: str, *choices: Choice, **facts: object) -> Doubt:
    """Return a doubt with its choices and the values in its question."""
    return Doubt(question, facts, choices)


def ask(doubts: Iterable[Doubt]) -> None:
    """Raise the question of the first doubt, if there is a doubt.

    Examples
    --------
    >>> ask([doubt("no value", gaps="1 of 3 rows has no value")])
    Traceback (most recent call last):
        ...
    sdcwidgets.tables.io.options.Question: 1 of 3 rows has no value; name a category for missing values (missing).
    """
    every = tuple(doubts)
    for first in every[:1]:
        question = Question(first.sentence, *first.choices)
        question.doubt, question.others = first, every[1:]
        raise question


def offering(error: InputError, *choices: Choice) -> Question:
    """Convert an error to a question with the same text and more choices."""
    return Question(str(error), *getattr(error, "choices", ()), *choices)


def by_and_count(
    by: Iterable[str],
    chosen: tuple[str, ...] = (),
    counts: Iterable[str] | None = None,
    counted: tuple[str, ...] = (),
) -> tuple[Choice, Choice]:
    """Return the choices of the columns to count by and of the column with the counts.

    Parameters
    ----------
    by : iterable of str
        The columns to choose from.
    chosen : tuple of str
        The columns to count by that are selected first.
    counts : iterable of str, optional
        The columns that may have the counts; default: `by`.
    counted : tuple of str
        The column with the counts that is selected first.
    """
    names = {name: name for name in by if name}
    of = names if counts is None else {name: name for name in counts if name}
    return Choice("by", names, chosen, several=True), Choice(
        "count", {ROWS: "each row is one person"} | of, counted
    )
