"""A course as a value: its steps in order, each a lesson, a dashboard, a question, a task by doing, or a talk."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from sdcwidgets._util.errors import InputError
from sdcwidgets.teaching.lessons.goal import Goal


@dataclass(frozen=True)
class Opening:
    """Where a step happens.

    Attributes
    ----------
    page : str
        The name of a dashboard or a lesson.
    state : str
        What Share wrote, "" for how the page begins.
    part : str
        The heading of a lesson, "" for its beginning.
    tab : int
        The number of the tab that is open, from 0.
    """

    page: str
    state: str = ""
    part: str = ""
    tab: int = 0


@dataclass(frozen=True)
class CourseStep:
    """One step of a course; what is empty is not there.

    Attributes
    ----------
    title, text : str
        What it is called, and what a trainee is told.
    minutes : int
    opening : Opening or None
    goal : tuple of Goal
        All of them met is the end of a task by doing.
    solution : Opening or None
        A state in which they are.
    options : tuple of str
        The answers of a question that offers some.
    answer : float or None
        The right number, or the place of the right option, from 1.
    tolerance : float
        So far away is a number still right.
    why : str
        What is said once a question is answered.
    hint, note : str
        A note is for the trainer only.
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

    @property
    def kind(self) -> str:
        """What it is: "task", "question", "lesson", "dashboard" or "talk".

        >>> CourseStep("Coffee", 15).kind
        'talk'
        """
        if self.goal:
            return "task"
        if self.answer is not None:
            return "question"
        if self.opening is None:
            return "talk"
        return "lesson" if self.opening.page[:1].isdigit() else "dashboard"

    def right(self, typed: str) -> bool:
        """Whether an answer is right; a number may be typed as 0.25, 0,25, 1/4 or 25 %.

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
        Of its own text, as HTML names languages; the interface is English.
    minutes : int
        The time there is; the steps take no more, breaks included.
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
                f"The steps take {taken} minutes, and the course has {self.minutes}; shorten some."
            )


def number_in(typed: str) -> tuple[float, ...]:
    """Return what a number that was typed may mean: none, one, or two where it has a percent sign.

    >>> number_in("1/4"), number_in("25 %"), number_in("1e999"), number_in("x")
    ((0.25,), (0.25, 25.0), (), ())
    """
    match = re.fullmatch(r"([-−]?[\d.,]{1,20})(?:/([\d.,]{1,20}))?\s*(%?)", typed.strip())
    if not match:
        return ()
    try:
        above, below = (
            float((part or "1").replace(",", ".").replace("−", "-")) for part in match.groups()[:2]
        )
        value = above / below
    except (ValueError, ZeroDivisionError):
        return ()
    return (value / 100, value) if match[3] else (value,)
