"""What a sheet may leave open, and how it is asked: the list is read from top to bottom, and nothing else asks."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import NamedTuple

from sdcwidgets._util.errors import InputError
from sdcwidgets.tables.io.options import ROWS, Choice, Question

#: Each doubt with its question, in the order in which a sheet comes to them.
QUESTIONS: Mapping[str, str] = tomllib.loads(files(__package__).joinpath("questions.toml").read_text("utf-8"))


class Doubt(NamedTuple):
    """What a sheet leaves open: which of `QUESTIONS`, what it is about, and what can be chosen."""

    question: str
    facts: Mapping[str, object]
    choices: tuple[Choice, ...]

    @property
    def sentence(self) -> str:
        """The question with its facts."""
        return QUESTIONS[self.question].format(**self.facts)

    @property
    def statement(self) -> str:
        """The question without what can be chosen."""
        template = QUESTIONS[self.question]
        start = "{where}: " if template.startswith("{where}: ") else ""
        statement = template.removeprefix(start).partition(": ")[0].partition("; ")[0]
        return f"{(start + statement).format(**self.facts).rstrip('.')}."


def doubt(question: str, *choices: Choice, **facts: object) -> Doubt:
    """Return a doubt."""
    return Doubt(question, facts, choices)


def ask(doubts: Iterable[Doubt]) -> None:
    """Ask the first of these doubts, if there is one.

    Examples
    --------
    >>> ask([doubt("no value", gaps="1 of 3 rows has no value")])
    Traceback (most recent call last):
        ...
    sdcwidgets.tables.io.options.Question: 1 of 3 rows has no value; name a category for missing values (missing).
    """
    for first in doubts:
        question = Question(first.sentence, *first.choices)
        question.doubt = first
        raise question


def offering(error: InputError, *choices: Choice) -> Question:
    """Return a refusal with what can be chosen in its place."""
    return Question(str(error), *getattr(error, "choices", ()), *choices)


def by_and_count(
    by: Iterable[str],
    chosen: tuple[str, ...] = (),
    counts: Iterable[str] | None = None,
    counted: tuple[str, ...] = (),
) -> tuple[Choice, Choice]:
    """Return the choice of columns to count by, and of one with the counts, by default among the same ones."""
    names = {name: name for name in by if name}
    of = names if counts is None else {name: name for name in counts if name}
    return Choice("by", names, chosen, several=True), Choice(
        "count", {ROWS: "each row is one person"} | of, counted
    )
