"""Guessing game: find a person's cell with as few yes/no questions as possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import ascii_uppercase

import numpy as np
import traitlets

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import generator
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.teaching.lessons import STATIC
from sdcwidgets.teaching.lessons.stored_state import StoredState


class Guessing(StoredState):
    """Game in which one person of a row of counts is hidden.

    A question selects cells. Its answer is whether the person is in one of them.

    Parameters
    ----------
    table : FrequencyTable
        A row of counts; each person is equally likely to be hidden.
    rng : numpy.random.Generator
    """

    _esm = STATIC / "guessing.js"
    _css = STATIC / "guessing.css"

    labels = traitlets.List(traitlets.Unicode()).tag(sync=True)
    counts = traitlets.List(traitlets.Int()).tag(sync=True)
    possible = traitlets.List(traitlets.Int()).tag(sync=True)
    message = traitlets.Unicode().tag(sync=True)
    score = traitlets.Unicode().tag(sync=True)
    turn = traitlets.Int(0).tag(sync=True)

    def __init__(self, table: FrequencyTable, rng: np.random.Generator) -> None:
        super().__init__(labels=list(table.columns.labels), counts=table.counts.tolist())
        self._table, self._rng = table, rng
        self._questions = 0
        self._total_questions = 0
        self._identified = 0
        self.hear("ask", lambda message, _: self._hear_ask(message.get("cells")))
        self.hear("next", lambda *_: self.hide())
        self.hide()
        self.on_restore(f"guessing {self.counts}", self._restore)

    @property
    def is_identified(self) -> bool:
        """Whether only one cell is possible."""
        return len(self.possible) == 1

    def hide(self) -> None:
        """Hide a random person of the row."""
        self._hidden = int(self._rng.choice(len(self.counts), p=self._table.counts / self._table.total))
        self._questions = 0
        message = (
            "One person is hidden in a cell of this row. Tick one or more cells, and ask whether the "
            "person is in one of them."
        )
        self._say([cell for cell, count in enumerate(self.counts) if count], message)

    def ask(self, cells: Iterable[int]) -> None:
        """Ask whether the hidden person is in one of these cells."""
        subset = set(self.possible) & set(cells)
        if self.is_identified:
            return
        if not subset or subset == set(self.possible):
            self._say(
                self.possible,
                "This question gives no information. Tick some of the remaining cells, but not all of them.",
            )
            return
        self._questions += 1
        hit = self._hidden in subset
        candidates = sorted(subset if hit else set(self.possible) - subset)
        message = f"{'Yes' if hit else 'No'}. The person is in one of {len(candidates)} remaining cells."
        if len(candidates) == 1:
            self._identified += 1
            self._total_questions += self._questions
            label = self.labels[candidates[0]]
            message = f"{'Yes' if hit else 'No'}. So it is {label}, after {_questions(self._questions)}."
        self._say(candidates, message)

    def _say(self, possible: Sequence[int], message: str) -> None:
        with self.hold_sync():
            self.possible, self.message = list(possible), message
            if self._identified:
                people = "1 person" if self._identified == 1 else f"{self._identified} people"
                mean = self._total_questions / self._identified
                self.score = f"{people} found, {mean:.2f} questions each on average."
                self.stored_state = {"identified": self._identified, "questions": self._total_questions}
            self.turn += 1

    def _restore(self, state: dict[str, object]) -> None:
        """Continue the tally of an earlier visit, with a newly hidden person."""
        identified, questions = state["identified"], state["questions"]
        if type(identified) is not int or type(questions) is not int or not 0 < identified <= questions:
            raise ValueError("The tally must be two positive whole numbers.")
        self._identified, self._total_questions = identified, questions
        self.hide()

    def _hear_ask(self, cells: object) -> None:
        if isinstance(cells, list) and all(type(cell) is int for cell in cells):
            self.ask(cells)


def guessing_game(counts: Sequence[int], seed: int | None = None) -> Guessing:
    """Return the game for a row of counts; equal seeds hide the same people.

    Raises
    ------
    InputError
        If fewer than two cells have people.

    Examples
    --------
    >>> game = guessing_game([4, 4, 4, 4], seed=1)
    >>> game.ask([0, 1])
    >>> game.ask(game.possible[:1])
    >>> game.is_identified, game.score
    (True, '1 person found, 2.00 questions each on average.')
    """
    if sum(count > 0 for count in counts) < 2:
        raise InputError("At least two cells must have people.")
    table = FrequencyTable(counts, {"Cell": list(ascii_uppercase[: len(counts)])})
    return Guessing(table, generator(seed))


def _questions(count: int) -> str:
    return "1 question" if count == 1 else f"{count} questions"
