"""A question with a checked answer, for tutorials."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import traitlets

from sdcwidgets.lessons import STATIC
from sdcwidgets.widgets.base import Widget, browser_side, style

__all__ = ["Exercise", "choice", "number"]


class Exercise(Widget):
    """A question; `check` turns an answer into whether it is right and what to say about it."""

    _esm = browser_side("exercise", STATIC)
    _css = style("exercise", STATIC)

    question = traitlets.Unicode().tag(sync=True)
    options = traitlets.List(traitlets.Unicode()).tag(sync=True)
    feedback = traitlets.Unicode("").tag(sync=True)
    solved = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self, question: str, check: Callable[[str], tuple[bool, str]], options: Sequence[str] = ()
    ) -> None:
        super().__init__(question=question, options=list(options))
        self._check = check
        self.hear("answer", self._hear_answer)

    def _hear_answer(self, message: dict[str, Any], _: list[memoryview]) -> None:
        self.answer(str(message.get("answer", "")))

    def answer(self, given: str) -> bool:
        """Check an answer, show what there is to say about it, and return whether it is right."""
        with self.hold_sync():
            self.solved, self.feedback = self._check(given.strip())
        return self.solved


def number(question: str, answer: float, *, right: str, hint: str, tolerance: float = 0.005) -> Exercise:
    """Return a question whose answer is a number.

    Parameters
    ----------
    question, right, hint : str
        What is asked, what is said to a right answer, and what helps after a wrong one.
    answer, tolerance : float
        An answer is right if it is at most `tolerance` away. It may be typed as 0.25, 0,25, 1/4 or 25 %.

    Examples
    --------
    >>> exercise = number("What is H of (0, 2, 4)?", 0.6365, right="Yes.", hint="Use natural logarithms.")
    >>> exercise.answer("0,64"), exercise.answer("0.92"), exercise.feedback
    (True, False, 'Use natural logarithms.')
    """
    such_as = "12" if float(answer).is_integer() else "0.25 or 1/4"

    def check(given: str) -> tuple[bool, str]:
        percent = given.endswith("%")
        above, _, below = given.removesuffix("%").replace(",", ".").partition("/")
        try:
            value = float(above) / float(below or 1)
        except (ValueError, ZeroDivisionError):
            return False, f"Please type a number, such as {such_as}."
        # Some questions ask for a share, others for percent.
        meant = [value / 100, value] if percent else [value]
        return (True, right) if any(abs(one - answer) <= tolerance for one in meant) else (False, hint)

    return Exercise(question, check)


def choice(question: str, options: Sequence[tuple[str, str]], answer: int) -> Exercise:
    """Return a question with options, each with what is said to whoever takes it.

    Examples
    --------
    >>> exercise = choice("Which is riskier?", [("(3, 3)", "No: spread evenly."), ("(0, 6)", "Yes.")], 1)
    >>> exercise.answer("0"), exercise.answer("1")
    (False, True)
    """

    def check(given: str) -> tuple[bool, str]:
        if given not in map(str, range(len(options))):
            return False, "Please choose one of the answers."
        return int(given) == answer, options[int(given)][1]

    return Exercise(question, check, [words for words, _ in options])
