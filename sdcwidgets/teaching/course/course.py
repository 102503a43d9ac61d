"""Courses and their steps: lessons, dashboards, questions, tasks and talks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sdcwidgets._util.errors import InputError
from sdcwidgets.teaching.lessons.goal import Goal
from sdcwidgets.teaching.lessons.typed_numbers import number_in


class CourseFaults(InputError):
    r"""All faults of a course, one per line.

    Attributes
    ----------
    faults : tuple of str
        One sentence per fault.

    Examples
    --------
    >>> str(CourseFaults(["a.toml, line 1: a course needs a title.", "a.toml, line 3: a step needs a title."]))
    'a.toml, line 1: a course needs a title.\na.toml, line 3: a step needs a title.'
    """

    def __init__(self, faults: Sequence[str] = ()) -> None:
        super().__init__(" ".join(faults))
        self.faults = tuple(faults)

    def __str__(self) -> str:
        return "\n".join(self.faults)


@dataclass(frozen=True)
class Opening:
    """Page and state in which a step begins.

    Attributes
    ----------
    page : str
        Name of a dashboard or a lesson.
    state : str
        State of a shared link; "" for the default state.
    part : str
        Heading in a lesson; "" for the beginning.
    tab : int
        Index of the open tab, from 0.
    """

    page: str
    state: str = ""
    part: str = ""
    tab: int = 0


@dataclass(frozen=True)
class CourseStep:
    """One step of a course.

    Attributes
    ----------
    title, text : str
        Title, and instructions for trainees.
    minutes : int
    opening : Opening or None
    goal : tuple of Goal
        Conditions of a task, all of which must be met.
    solution : Opening or None
        State that meets the conditions.
    options : tuple of str
        Options of a multiple-choice question.
    answer : float or None
        Correct number, or number of the correct option, from 1.
    tolerance : float
        Maximum absolute error of a correct number.
    why : str
        Explanation that is shown after a correct answer, or when the goal of a task is met.
    hint, note : str
        Hint for trainees, and note for the trainer only.
    written : bool
        Whether trainees write a text, which has no correct answer.
    """

    title: str
    minutes: int
    text: str = ""
    opening: Opening | None = None
    goal: tuple[Goal, ...] = ()
    solution: Opening | None = None
    options: tuple[str, ...] = ()
    answer: float | None = None
    tolerance: float = 0.005
    why: str = ""
    hint: str = ""
    note: str = ""
    written: bool = False

    @property
    def kind(self) -> str:
        """Type of the step: "task", "question", "text", "lesson", "dashboard" or "talk".

        Examples
        --------
        >>> CourseStep("Coffee", 15).kind
        'talk'
        """
        if self.goal:
            return "task"
        if self.answer is not None:
            return "question"
        if self.written:
            return "text"
        if self.opening is None:
            return "talk"
        return "lesson" if self.opening.page[:1].isdigit() else "dashboard"

    @property
    def can_be_revealed(self) -> bool:
        """Whether the trainer can show answers, texts or the explanation of a task."""
        return self.kind in ("question", "text") or (self.kind == "task" and bool(self.why))

    @property
    def correct(self) -> str:
        """Correct answer to a question, "" without a question.

        Examples
        --------
        >>> CourseStep("H", 2, answer=2, options=("one", "two")).correct
        'two'
        >>> CourseStep("People", 2, answer=2449).correct
        '2,449'
        """
        if self.answer is None:
            return ""
        return self.options[int(self.answer) - 1] if self.options else f"{self.answer:,g}"

    def right(self, typed: str) -> bool:
        """Return whether an answer is correct.

        A number can be typed as 0.25, 0,25, 1/4, 25 %, 0.5 × 0.5 or log 8.

        Examples
        --------
        >>> step = CourseStep("H", 2, answer=0.25)
        >>> [step.right(typed) for typed in ("0.25", "1/4", "25 %", "0.3", "a quarter")]
        [True, True, True, False, False]
        >>> CourseStep("H", 2, answer=0.875).right("0.88")
        True
        """
        if self.answer is None:
            return False
        if self.options:
            return typed.strip() == f"{self.answer:.0f}"
        values = number_in(typed)
        return any(abs(value - self.answer) <= self.tolerance + 1e-9 for value in values)


@dataclass(frozen=True)
class Course:
    """A course.

    Attributes
    ----------
    title, about : str
    language : str
        Language of the course texts as an HTML language code; the interface is English.
    minutes : int
        Available time. The total time of the steps, including breaks, must not exceed it.
    steps : tuple of CourseStep
    """

    title: str
    minutes: int
    steps: tuple[CourseStep, ...] = field(default=())
    about: str = ""
    language: str = "en"

    def __post_init__(self) -> None:
        taken = sum(step.minutes for step in self.steps)
        if taken > self.minutes:
            raise InputError(
                f"The steps take {taken} minutes in total, but the course has only {self.minutes} minutes."
            )
