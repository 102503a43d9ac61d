"""A question with a checked answer, for tutorials."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import traitlets

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import counted
from sdcwidgets.teaching.lessons import STATIC
from sdcwidgets.teaching.lessons.stored_state import StoredState
from sdcwidgets.teaching.lessons.typed_numbers import is_shortened, number_in, written_decimals

Check = Callable[[str], tuple[bool, str]]


@dataclass(frozen=True)
class NumberQuestion:
    """Question with a numeric answer.

    Attributes
    ----------
    text : str
        The question.
    answer, tolerance : float
        Correct answer, and its maximum absolute error.
    right, hint : str
        Feedback to a correct answer, and hint after a wrong one.
    slips : sequence of (float, str)
        Likely wrong answers, each with its feedback.
    """

    text: str
    answer: float
    right: str
    hint: str
    slips: Sequence[tuple[float, str]] = ()
    tolerance: float = 0.005

    def check(self, typed: str) -> tuple[bool, str]:
        """Return whether an answer is correct, and the feedback.

        The answer can be typed as 0.25, 0,25, 1/4, 25 %, 0.5 × 0.5 or log 8.

        Raises
        ------
        InputError
            If the text is not a number.
        """
        # Questions may ask for a proportion or for a percentage.
        meant = number_in(typed)
        if not meant:
            such_as = "12" if float(self.answer).is_integer() else "0.25 or 1/4"
            raise InputError(f"Please type a number, such as {such_as}.")

        def near(number: float) -> bool:
            # The addend prevents that floating-point error rejects 0.88 for 0.875.
            return any(abs(value - number) <= self.tolerance + 1e-9 for value in meant)

        if near(self.answer):
            return True, self.right
        slip = next((words for number, words in self.slips if near(number)), "")
        return False, slip or self._too_coarse(typed) or self.hint

    def _too_coarse(self, typed: str) -> str:
        """Return the feedback to a correct answer with too few or truncated decimals, "" for another answer."""
        most = max(0, math.ceil(-math.log10(2 * self.tolerance)))
        enough = (
            places
            for places in range(most)
            if abs(round(self.answer, places) - self.answer) <= self.tolerance + 1e-9
        )
        needed = next(enough, most)
        for number, places in written_decimals(typed):
            if not is_shortened(self.answer, number, places):
                continue
            if places >= needed:
                return f"Almost. Round the number instead of cutting it off: {self.answer:.{needed}f}."
            return f"Type at least {counted(needed, 'decimal place')}, rounded."
        return ""


class Exercise(StoredState):
    """Question whose answer is checked by the function `check`.

    Without `check`, the question has no input. The answer is given in another widget, and the feedback is set
    by `say`. If `check` raises an InputError, the answer does not count as an attempt.
    """

    _esm = STATIC / "exercise.js"
    _css = STATIC / "exercise.css"

    question = traitlets.Unicode().tag(sync=True)
    options = traitlets.List(traitlets.Unicode()).tag(sync=True)
    feedback = traitlets.Unicode("").tag(sync=True)
    solved = traitlets.Bool(False).tag(sync=True)
    typed = traitlets.Bool(True).tag(sync=True)
    is_attempt = traitlets.Bool(True).tag(sync=True)
    mark = traitlets.Unicode("").tag(sync=True)
    last_answer = traitlets.Unicode("")

    def __init__(self, question: str, check: Check | None = None, options: Sequence[str] = ()) -> None:
        super().__init__(question=question, options=list(options), typed=check is not None)
        self._check = check
        self._again: Callable[[], None] = lambda: None
        self.hear("answer", self._hear_answer)
        self.hear("again", lambda *_: self.again())

    def _hear_answer(self, message: dict[str, object], _: list[memoryview]) -> None:
        self.answer(str(message.get("answer", "")))

    def answer(self, typed: str) -> bool:
        """Check an answer, show the feedback, and return whether the answer is correct."""
        if self._check is not None:
            with self.hold_sync(), self.hold_trait_notifications():
                self.last_answer = typed
                try:
                    self.say(*self._check(typed.strip()))
                except InputError as error:
                    self.say(False, str(error), is_attempt=False)
        return self.solved

    def say(self, solved: bool, feedback: str, is_attempt: bool = True) -> None:
        """Show whether the exercise is solved, and the feedback."""
        with self.hold_sync():
            self.is_attempt, self.solved, self.feedback = is_attempt, solved, feedback

    def ask(self, question: str, check: Check | None = None) -> None:
        """Replace the question."""
        with self.hold_sync():
            self._check = check
            self.question, self.typed = question, check is not None
            self.say(False, "")
            self.last_answer = ""

    def on_again(self, draw: Callable[[], None]) -> None:
        """Show a button for new numbers, which calls `draw`; `mark` is its caption."""
        self._again = draw

    def again(self) -> None:
        """Replace the numbers of the question."""
        self._again()


def number(question: str, answer: float, *, right: str, hint: str, tolerance: float = 0.005) -> Exercise:
    """Return a question with a numeric answer.

    Parameters
    ----------
    question : str
        The question.
    right : str
        The feedback to a correct answer.
    hint : str
        The hint after a wrong answer.
    answer : float
        Correct answer. It can be typed as 0.25, 0,25, 1/4, 25 %, 0.5 × 0.5 or log 8.
    tolerance : float
        Maximum absolute error of an answer.

    Returns
    -------
    Exercise

    Examples
    --------
    >>> exercise = number("What is H of (0, 2, 4)?", 0.6365, right="Yes.", hint="Use natural logarithms.")
    >>> exercise.answer("0,64"), exercise.answer("0.92"), exercise.feedback
    (True, False, 'Use natural logarithms.')
    """
    return Exercise(question, NumberQuestion(question, answer, right, hint, tolerance=tolerance).check)


def choice(question: str, options: Sequence[tuple[str, str]], answer: int) -> Exercise:
    """Return a multiple-choice question; each option has its feedback.

    Examples
    --------
    >>> exercise = choice("Which is riskier?", [("(3, 3)", "No: spread evenly."), ("(0, 6)", "Yes.")], 1)
    >>> exercise.answer("0"), exercise.answer("1")
    (False, True)
    """

    def check(position: str) -> tuple[bool, str]:
        if position not in map(str, range(len(options))):
            raise InputError("Please choose one of the answers.")
        return int(position) == answer, options[int(position)][1]

    return Exercise(question, check, [words for words, _ in options])
