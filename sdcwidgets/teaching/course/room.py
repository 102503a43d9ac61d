"""What a room of trainees has done: where everybody is, their answers, and who met a goal with what; in memory only.

Nobody has a name: a person is an animal or a number, and a browser is known again by random letters that it made.
"""

from __future__ import annotations

import math
import random
import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sdcwidgets._util.csv_writing import csv_text
from sdcwidgets._util.errors import InputError
from sdcwidgets.teaching.course.course import Course, CourseStep, number_in
from sdcwidgets.teaching.course.goals import MAPS

#: Who one can be, besides a number; there are always more names than places.
_NAMES = """
badger bat bear beaver bee bison camel cat cobra crab crane crow deer dog dolphin donkey duck eagle eel elk
falcon ferret finch fox frog gecko goat goose hare hawk hedgehog heron horse ibis jackal jay kiwi koala lark
lemur lion lizard llama lynx magpie mole moose moth mouse newt otter owl panda parrot penguin pony puffin
rabbit raven robin salmon seal sheep snail sparrow spider squid stork swan tiger toad trout turtle viper
walrus wasp whale wolf wren yak zebra
"""
ANIMALS = tuple(_NAMES.split())

#: So many people are in a room; the one who went first goes where one more comes.
MOST_TRAINEES = 200

#: So many of them from one address: the room of a class behind one router, and never all places.
MOST_OF_ADDRESS = 100

#: An answer has at most so many characters.
MOST_ANSWER = 40

_TOKEN = re.compile(r"[0-9a-f]{32}")


@dataclass
class Trainee:
    """One person of a room.

    Attributes
    ----------
    name : str
        An animal or a number.
    step : int
        Where they are, from 0.
    answers : dict of int to str
    values : dict of int to (bool, dict, str)
        Of each task the last that was checked: whether its goal is met, the quantities, and the setting in words.
    here : int
        How many of their pages are open.
    address : str
        From where they came, "" if that is not known.
    """

    name: str
    step: int = 0
    answers: dict[int, str] = field(default_factory=dict)
    values: dict[int, tuple[bool, dict[str, float], str]] = field(default_factory=dict)
    here: int = 0
    address: str = ""


class Room:
    """A course that is being taught.

    Parameters
    ----------
    course : Course

    Attributes
    ----------
    step : int
        Which step the trainer shows, from 0.
    revealed : set of int
        The questions whose answers may be seen.

    Examples
    --------
    >>> from sdcwidgets.teaching.course import read
    >>> room = Room(read("frequency-tables-and-entropy"))
    >>> room.join("0" * 32, "fox").name
    'fox'
    >>> room.answer("0" * 32, 2, "3"), room.answer("0" * 32, 2, "1")[0]
    ((True, 'Right. All six people of (0, 0, 6) are in one cell, so Anna is there too.'), False)
    """

    def __init__(self, course: Course) -> None:
        self.course = course
        self.trainees: dict[str, Trainee] = {}
        self.step, self.since = 0, time.monotonic()
        self.revealed: set[int] = set()

    @property
    def seconds(self) -> float:
        """How long the trainer has shown the present step."""
        return time.monotonic() - self.since

    def free(self) -> list[str]:
        """Return the names that nobody has."""
        taken = {trainee.name for trainee in self.trainees.values()}
        return [name for name in (*ANIMALS, *map(str, range(1, MOST_TRAINEES + 1))) if name not in taken]

    def join(
        self, token: object, name: object, step: object = 0, answers: object = None, address: str = ""
    ) -> Trainee:
        """Let somebody in, with what their browser has kept, or know them again.

        Raises
        ------
        InputError
            If the name is taken or none of those that are offered, or there is no place left.
        """
        if not isinstance(token, str) or not _TOKEN.fullmatch(token):
            raise InputError("This browser did not say who it is; load the page again.")
        known = self.trainees.get(token)
        if known is None or known.name != name:
            if name not in self.free():
                raise InputError("Somebody else is that already; please choose again.")
            if known is None:
                self._make_place(address)
        trainee = known or Trainee(name, address=address)
        trainee.name = name
        # Who was here last is the last to be forgotten.
        self.trainees.pop(token, None)
        self.trainees[token] = trainee
        self.go(token, step)
        for number, typed in (answers if isinstance(answers, dict) else {}).items():
            if (
                isinstance(number, str)
                and re.fullmatch(r"\d{1,2}", number, re.ASCII)
                and self._question(int(number))
            ):
                trainee.answers.setdefault(int(number), _cleaned(self.course.steps[int(number)], typed) or "")
        trainee.answers = {number: typed for number, typed in trainee.answers.items() if typed}
        return trainee

    def _make_place(self, address: str) -> None:
        """Forget who went first, where there are too many: of the same address before those of others."""
        near = [token for token, trainee in self.trainees.items() if address and trainee.address == address]
        for among, most, words in (
            (near, MOST_OF_ADDRESS, "come from this address already; another network has places left"),
            ([*self.trainees], MOST_TRAINEES, "are here, and the room is full"),
        ):
            if len(among) >= most and among[0] in self.trainees:
                gone = next((token for token in among if not self.trainees[token].here), None)
                if gone is None:
                    raise InputError(f"{most} people {words}.")
                del self.trainees[gone]
                return

    def go(self, token: str, step: object) -> None:
        """Note where somebody is."""
        if type(step) is int and 0 <= step < len(self.course.steps):
            self.trainees[token].step = step

    def answer(self, token: str, step: Any, typed: object) -> tuple[bool, str]:
        """Note an answer, and return whether it is right and what is said to it."""
        question = self._question(step)
        if question is None:
            return False, "This step has no question."
        answer = _cleaned(question, typed)
        if answer is None:
            return (
                False,
                "Please choose one." if question.options else "Please type a number, such as 0.25 or 1/4.",
            )
        self.trainees[token].answers[step] = answer
        right = question.right(answer)
        return right, f"Right. {question.why}".strip() if right else f"Not yet. {question.hint}".strip()

    def checked(self, token: str, step: int, met: bool, values: Mapping[str, float], setting: str) -> None:
        """Note what was checked of a task; who has met its goal once keeps the best that was found."""
        if (trainee := self.trainees.get(token)) is not None:
            before = trainee.values.get(step)
            if met or before is None or not before[0]:
                trainee.values[step] = (met, dict(values), setting)

    def show(self, step: object) -> None:
        """Let the trainer show a step; its clock begins."""
        if type(step) is int and 0 <= step < len(self.course.steps) and step != self.step:
            self.step = step
            self.begin()

    def begin(self) -> None:
        """Let the clock of the step begin again."""
        self.since = time.monotonic()

    def people(self) -> list[dict[str, object]]:
        """Return for each step who is there: name, whether a page is open, and whether the step is done."""
        every = sorted(self.trainees.values(), key=lambda trainee: (not trainee.here, trainee.name))
        return [
            {
                "title": step.title,
                "minutes": step.minutes,
                "people": [
                    {"name": trainee.name, "here": trainee.here > 0, "done": self._done(trainee, number)}
                    for trainee in every
                    if trainee.step == number
                ],
                "done": sum(self._done(trainee, number) for trainee in every),
            }
            for number, step in enumerate(self.course.steps)
        ]

    def answers(self) -> list[dict[str, object]]:
        """Return the answers to the question that the trainer shows, the most frequent numbers first."""
        step = self.course.steps[self.step]
        frequencies = Counter(
            trainee.answers[self.step] for trainee in self.trainees.values() if self.step in trainee.answers
        )
        if step.options:
            lines = [
                (words, frequencies[str(position)], step.right(str(position)))
                for position, words in enumerate(step.options, 1)
            ]
        else:
            # 0.25, 0,25 and 1/4 are one answer, named as most wrote it.
            alike: dict[tuple[float, bool], list[str]] = {}
            for words, _ in frequencies.most_common():
                alike.setdefault((round(number_in(words)[0], 12), step.right(words)), []).append(words)
            lines = [
                (same[0], sum(frequencies[words] for words in same), right)
                for (_, right), same in alike.items()
            ]
            lines = sorted(lines, key=lambda line: -line[1])[:12]
        most = max((count for _, count, _ in lines), default=0) or 1
        return [
            {"words": words, "count": count, "share": round(100 * count / most), "right": right}
            for words, count, right in lines
        ]

    def map(self) -> dict[str, object] | None:
        """Return everybody's last state of the task that the trainer shows, as dots in a picture of 600 x 300."""
        step = self.course.steps[self.step]
        if not step.goal or step.opening is None:
            return None
        across, up = MAPS[step.opening.page]
        points = []
        for trainee in self.trainees.values():
            if self.step in trainee.values:
                met, values, setting = trainee.values[self.step]
                point = (values.get(across, math.nan), values.get(up, math.nan), trainee.name, met, setting)
                if math.isfinite(point[0]) and math.isfinite(point[1]):
                    points.append(point)
        limits = {goal.quantity: goal.number for goal in step.goal}
        lowest, highest = _ends([point[0] for point in points], limits.get(across))
        low, high = _ends([point[1] for point in points], limits.get(up))

        def x(value: float) -> float:
            return round(60 + 520 * (value - lowest) / (highest - lowest), 1)

        def y(value: float) -> float:
            return round(260 - 240 * (value - low) / (high - low), 1)

        dots: dict[tuple[float, float, bool], dict[str, list[str]]] = {}
        for x_value, y_value, name, met, setting in points:
            # Who found the same shares a dot.
            dot = dots.setdefault((x(x_value), y(y_value), met), {"names": [], "words": []})
            dot["names"].append(name)
            dot["words"].append(
                f"{name}: {across} {x_value:.3g}, {up} {y_value:.3g}{', ' if setting else ''}{setting}"
            )
        return {
            "across": across,
            "up": up,
            "ends": [f"{end:.3g}" for end in (lowest, highest, low, high)],
            "limit_x": x(limits[across]) if across in limits else None,
            "limit_y": y(limits[up]) if up in limits else None,
            "dots": [
                dot
                | {"x": position[0], "y": position[1], "met": position[2], "words": "\n".join(dot["words"])}
                for position, dot in dots.items()
            ],
            "people": len(points),
            "met": sum(point[3] for point in points),
        }

    def csv(self) -> str:
        """Return what the room did as CSV, a line for each person and step, in no order and without names."""
        lines: list[list[object]] = [
            ["person", "step", "title", "answer", "right", "met", "setting", "quantities"]
        ]
        people = list(self.trainees.values())
        random.SystemRandom().shuffle(people)
        for number, trainee in enumerate(people, 1):
            for index, step in enumerate(self.course.steps):
                answer = trainee.answers.get(index, "")
                met, values, setting = trainee.values.get(index, (None, {}, ""))
                if answer or values:
                    right = "" if not answer else "yes" if step.right(answer) else "no"
                    numbers = "; ".join(f"{name} {value:.6g}" for name, value in values.items())
                    reached = "" if met is None else "yes" if met else "no"
                    lines.append([number, index + 1, step.title, answer, right, reached, setting, numbers])
        return csv_text(lines, escape=True)

    def _question(self, step: object) -> CourseStep | None:
        if type(step) is not int or not 0 <= step < len(self.course.steps):
            return None
        question = self.course.steps[step]
        return question if question.kind == "question" else None

    def _done(self, trainee: Trainee, number: int) -> bool:
        step = self.course.steps[number]
        if step.kind == "question":
            return step.right(trainee.answers.get(number, ""))
        if step.kind == "task":
            return trainee.values.get(number, (False,))[0]
        return trainee.step > number


def _cleaned(step: CourseStep, typed: object) -> str | None:
    """Return an answer as it is counted: the place of an option, or a number; None for anything else."""
    if not isinstance(typed, str) or len(typed) > MOST_ANSWER:
        return None
    if step.options:
        return typed if typed in map(str, range(1, len(step.options) + 1)) else None
    return " ".join(typed.split()) if number_in(typed) else None


def _ends(numbers: Sequence[float], limit: float | None) -> tuple[float, float]:
    """Return the ends of a scale for numbers and a limit, with some room."""
    numbers = [*numbers, *([] if limit is None else [limit])] or [0.0]
    wide = (max(numbers) - min(numbers)) or abs(numbers[0]) or 1.0
    return min(numbers) - wide / 8, max(numbers) + wide / 8
