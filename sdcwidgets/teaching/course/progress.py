"""State of a course session: positions, answers and solutions of trainees.

The state is in memory only.

Trainees are anonymous. Each has the name of an animal or a number, and a browser is recognised by a random
token that it generated.
"""

from __future__ import annotations

import math
import random
import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, TypeGuard

from sdcwidgets._util.csv_writing import csv_text
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import unwritable
from sdcwidgets.teaching.course.course import Course, CourseStep
from sdcwidgets.teaching.course.goals import axes_of_map, title
from sdcwidgets.teaching.course.map_labels import labels
from sdcwidgets.teaching.lessons.typed_numbers import number_in

#: Names of trainees. Together with the numbers, there are more names than places.
_NAMES = """
badger bat bear beaver bee bison camel cat cobra crab crane crow deer dog dolphin donkey duck eagle eel elk
falcon ferret finch fox frog gecko goat goose hare hawk hedgehog heron horse ibis jackal jay kiwi koala lark
lemur lion lizard llama lynx magpie mole moose moth mouse newt otter owl panda parrot penguin pony puffin
rabbit raven robin salmon seal sheep snail sparrow spider squid stork swan tiger toad trout turtle viper
walrus wasp whale wolf wren yak zebra
"""
ANIMALS = tuple(_NAMES.split())

#: Maximum number of trainees. If one more joins, an absent trainee is removed.
MOST_TRAINEES = 200

#: Maximum number of trainees per address. A class may share one router, but must not occupy all places.
MOST_OF_ADDRESS = 100

#: Name of a removed participant in the map of solutions.
REMOVED = "(removed)"

#: Maximum length of an answer in characters, and of a text in an open step.
MOST_ANSWER, MOST_TEXT = 40, 300

#: Maximum number of dots of a map that have labels.
MOST_LABELS = 12

#: Maximum distance of a number on an axis of the map from the median, as a multiple of the usual distance.
MOST_SPREAD = 10

#: Values on both axes, name, whether the goal is met, and setting of a solution.
_Point = tuple[float, float, str, bool, str]

#: Coordinates of a dot in the picture, whether the goal is met, and whether the values are outside the axes.
_Position = tuple[float, float, bool, bool]

#: Answers by step as a browser sends them, which are not checked.
_Sent = Mapping[object, object]

_TOKEN = re.compile(r"[0-9a-f]{32}")


@dataclass
class Trainee:
    """One participant of a course session.

    Attributes
    ----------
    name : str
        An animal or a number.
    step : int
        Index of the current step, from 0.
    answers : dict of int to str
        Last answers by step.
    first : dict of int to str
        First answers by step.
    late : set of int
        Steps whose first answer came after the trainer had shown the correct answer.
    values : dict of int to (bool, dict, str)
        Result of the last check of each task: whether its goal is met, the quantities, and the setting in
        words.
    moved : set of int
        Steps that the participant left only because the trainer moved all participants.
    finished : bool
        Whether the participant finished the course without a text.
    here : int
        Number of open pages.
    address : str
        Network of the client, "" if unknown.
    """

    name: str
    step: int = 0
    answers: dict[int, str] = field(default_factory=dict)
    first: dict[int, str] = field(default_factory=dict)
    late: set[int] = field(default_factory=set)
    values: dict[int, tuple[bool, dict[str, float], str]] = field(default_factory=dict)
    moved: set[int] = field(default_factory=set)
    visited: set[int] = field(default_factory=set)
    finished: bool = False
    here: int = 0
    address: str = ""


class CourseProgress:
    """A course session with its trainees.

    Parameters
    ----------
    course : Course

    Attributes
    ----------
    trainees, former : dict of str to Trainee
        Current participants by token, and removed participants, whose answers stay in the charts.
    step : int
        Index of the step that the trainer shows, from 0.
    revealed : set of int
        Questions whose answers are shown.
    closed : set of int
        Questions whose answers were shown at least once. Later answers are counted apart.

    Examples
    --------
    >>> from sdcwidgets.teaching.course import read
    >>> progress = CourseProgress(read("frequency-tables-and-entropy"))
    >>> progress.join("0" * 32, "fox").name
    'fox'
    >>> progress.answer("0" * 32, 2, "3"), progress.answer("0" * 32, 2, "1")[0]
    ((True, 'Right. All six people of the row (0, 0, 6) are in one cell, so Anna is in this cell.'), False)
    """

    def __init__(self, course: Course) -> None:
        self.course = course
        self.trainees: dict[str, Trainee] = {}
        self.former: dict[str, Trainee] = {}
        self.step, self.since = 0, time.monotonic()
        self.revealed: set[int] = set()
        self.closed: set[int] = set()

    @property
    def seconds(self) -> float:
        """Seconds since the trainer selected the current step or restarted its timer."""
        return time.monotonic() - self.since

    def free(self) -> list[str]:
        """Return the available names."""
        taken = {trainee.name for trainee in self.trainees.values()}
        return [name for name in (*ANIMALS, *map(str, range(1, MOST_TRAINEES + 1))) if name not in taken]

    def join(
        self,
        token: object,
        name: object,
        step: object = 0,
        answers: object = None,
        address: str = "",
        late: object = None,
        first: object = None,
    ) -> Trainee:
        """Add a trainee with the data of their browser, or recognise a known one.

        Parameters
        ----------
        token : object
            Token of the browser. This and all other data of the browser are checked.
        name : object
            Name of the trainee.
        step : object
            Step that the browser shows.
        answers : object
            Last answers by step.
        late : object
            Answers after the correct one was shown, by step.
        first : object
            First answers by step.
        address : str
            Network of the client, "" if unknown.

        Raises
        ------
        InputError
            If the name is not available, or if the session is full.
        """
        if not isinstance(token, str) or not _TOKEN.fullmatch(token):
            raise InputError("This browser sent no valid token. Reload the page.")
        known = self.trainees.get(token) or self.former.get(token)
        if known is None or known.name != name:
            if name not in self.free():
                raise InputError("This name is taken. Choose another one.")
            if token not in self.trainees:
                self._make_place(address)
        trainee = known or Trainee(name, address=address)
        trainee.name = name
        if known is None and self._is_step(step):
            # After a restart the server does not know which steps before were visited.
            trainee.visited = set(range(step))
        # Moving the trainee to the end makes the least recent trainees the first.
        for among in (self.trainees, self.former):
            among.pop(token, None)
        self.trainees[token] = trainee
        self.go(token, step)
        self._restore(trainee, *map(_mapping, (answers, late, first)))
        return trainee

    def _restore(self, trainee: Trainee, answers: _Sent, late: _Sent, first: _Sent) -> None:
        """Record the answers that a browser has saved, unless the session has an answer."""
        for key, typed in answers.items():
            if not isinstance(key, str) or not re.fullmatch(r"\d{1,2}", key, re.ASCII):
                continue
            number = int(key)
            question = self._question(number)
            answer = _cleaned(question, typed) if question else None
            if question is None or answer is None or number in trainee.answers:
                continue
            # After the solution was shown, the time at which a browser saved its answer is unknown. After a restart,
            # the server does not know that the solution was shown, but the browser marks its answer as late.
            if number in self.closed or key in late:
                trainee.late.add(number)
            trainee.first[number] = _cleaned(question, first.get(key)) or answer
            trainee.answers[number] = answer

    def _make_place(self, address: str) -> None:
        """Remove the least recent absent trainee if a maximum is reached.

        Trainees of the same address are removed before others.
        """
        near = [token for token, trainee in self.trainees.items() if address and trainee.address == address]
        for among, most, words in (
            (
                near,
                MOST_OF_ADDRESS,
                "have joined from this network address, which is the maximum. Use another network",
            ),
            (list(self.trainees), MOST_TRAINEES, "have joined, and the session is full"),
        ):
            if len(among) >= most and among[0] in self.trainees:
                gone = next((token for token in among if not self.trainees[token].here), None)
                if gone is None:
                    raise InputError(f"{most} people {words}.")
                del self.trainees[gone]
                return

    def go(self, token: str, step: object) -> None:
        """Record the current step of a trainee."""
        if self._is_step(step):
            trainee = self.trainees[token]
            trainee.step = step
            trainee.visited.add(step)
            trainee.moved.discard(step)

    def _is_step(self, step: object) -> TypeGuard[int]:
        return type(step) is int and 0 <= step < len(self.course.steps)

    def finish(self, token: str) -> None:
        """Record that a trainee finished the course without a text."""
        self.trainees[token].finished = True

    def move_all(self) -> None:
        """Move the trainees with an open page to the current step.

        A lesson that a trainee left in this way is not completed.
        """
        for trainee in self.trainees.values():
            if trainee.here > 0:
                trainee.moved |= set(range(trainee.step, self.step))
                trainee.step = self.step
                trainee.visited.add(self.step)
                trainee.moved.discard(self.step)

    def answer(self, token: str, step: Any, typed: object) -> tuple[bool, str]:
        """Record an answer; return whether it is correct and the feedback."""
        question = self._question(step)
        if question is None:
            return False, "This step has no question."
        answer = _cleaned(question, typed)
        if answer is None:
            return False, _invalid(question)
        trainee = self.trainees[token]
        if step in self.closed and step not in trainee.answers:
            trainee.late.add(step)
        trainee.first.setdefault(step, answer)
        trainee.answers[step] = answer
        return self.feedback(step, answer)

    def feedback(self, step: int, answer: str) -> tuple[bool, str]:
        """Return whether a recorded answer is correct, and the feedback with the explanation or the hint."""
        question = self.course.steps[step]
        if question.kind == "text":
            return True, "Your text was sent to the trainer."
        right = question.right(answer)
        return right, f"Right. {question.why}".strip() if right else f"Not yet. {question.hint}".strip()

    def results(self, token: str) -> dict[int, list[str]]:
        """Return the answers and results of a trainee as sentences by step; empty if the token is unknown."""
        trainee = self.trainees.get(token)
        return (
            {}
            if trainee is None
            else {
                number: sentences
                for number in range(len(self.course.steps))
                if (sentences := self._sentences(trainee, number))
            }
        )

    def _sentences(self, trainee: Trainee, number: int) -> list[str]:
        """Return the answer of a trainee with its feedback, the text, or the result of a task."""
        step, answer = self.course.steps[number], trainee.answers.get(number)
        if answer is not None:
            if step.kind == "text":
                return [f"Your text: {answer}"]
            words = step.options[int(answer) - 1] if step.options else answer
            sentences = [f"Your answer: {words}", self.feedback(number, answer)[1]]
            if number in self.closed and not step.right(answer):
                sentences.append(f"Answer: {step.correct}. {step.why}".strip())
            return sentences
        if number in trainee.values and step.opening is not None:
            met, values, setting = trainee.values[number]
            goals = {goal.quantity for goal in step.goal}
            numbers = [
                f"{title(name, step.opening.page)} {_digits(value)}"
                for name, value in values.items()
                if name in goals
            ]
            state = ", ".join([*numbers, *([setting] if setting else [])])
            return [f"Your result: {state}", "The goal is met." if met else "The goal is not met yet."]
        return []

    def checked(self, token: str, step: int, met: bool, values: Mapping[str, float], setting: str) -> None:
        """Record the result of a check, unless an earlier state has met the goal."""
        trainee = self.trainees.get(token)
        if trainee is not None:
            before = trainee.values.get(step)
            if met or before is None or not before[0]:
                trainee.values[step] = (met, dict(values), setting)

    def show(self, step: object) -> None:
        """Select a step for the trainer view and restart its timer."""
        if self._is_step(step) and step != self.step:
            self.step = step
            self.begin()

    def reveal(self) -> bool:
        """Show answers of the current step, or hide them; return whether they are shown now."""
        self.revealed ^= {self.step}
        is_shown = self.step in self.revealed
        # Texts have no correct answer, so a text is never late.
        if is_shown and self.course.steps[self.step].kind == "question":
            self.closed.add(self.step)
        return is_shown

    def solution(self, step: int) -> dict[str, object]:
        """Return the correct answer to a question, "" for a task, and the explanation."""
        solved = self.course.steps[step]
        return {"step": step, "answer": solved.correct, "why": solved.why}

    def solutions(self) -> list[dict[str, object]]:
        """Return the solutions of all steps whose answers or explanations are shown."""
        return [
            self.solution(number)
            for number in sorted(self.revealed)
            if self.course.steps[number].kind in ("question", "task")
        ]

    def late(self) -> int:
        """Return the number of trainees who answered the current question only after the answer was shown."""
        return sum(self.step in trainee.late for trainee in self._everybody())

    def corrected(self) -> int:
        """Return the number of trainees whose first answer in the chart is wrong, and whose last answer is correct."""
        step = self.course.steps[self.step]
        return sum(
            not step.right(trainee.first[self.step]) and step.right(trainee.answers[self.step])
            for trainee in self._in_chart()
        )

    def _in_chart(self) -> list[Trainee]:
        """Return the trainees who answered the current question before the answer was shown."""
        return [
            trainee
            for trainee in self._everybody()
            if self.step in trainee.first and self.step not in trainee.late
        ]

    def remove_absent(self) -> None:
        """Remove the trainees without an open page; their names are free again, and their answers stay."""
        for token, trainee in list(self.trainees.items()):
            if trainee.here <= 0:
                del self.trainees[token]
                trainee.name = REMOVED
                if trainee.answers or trainee.values:
                    self.former[token] = trainee
        for token in list(self.former)[:-MOST_TRAINEES]:
            del self.former[token]

    def _everybody(self) -> list[Trainee]:
        return [*self.trainees.values(), *self.former.values()]

    def begin(self) -> None:
        """Restart the timer of the current step."""
        self.since = time.monotonic()

    def people(self) -> list[dict[str, object]]:
        """Return the trainees at each step: name, whether present, and whether done."""
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
                "moved": sum(self._was_moved(trainee, number) for trainee in every),
            }
            for number, step in enumerate(self.course.steps)
        ]

    def answers(self) -> list[dict[str, object]]:
        """Return the first answers to the current question: options in their order, and numbers by value.

        At most 12 numbers are returned, which are the most frequent ones.
        """
        step = self.course.steps[self.step]
        frequencies = Counter(trainee.first[self.step] for trainee in self._in_chart())
        if step.options:
            lines = [
                (words, frequencies[str(position)], step.right(str(position)))
                for position, words in enumerate(step.options, 1)
            ]
        else:
            lines = self._numbers(step, frequencies)
        most = max((count for _, count, _ in lines), default=0) or 1
        return [
            {"words": words, "count": count, "share": round(100 * count / most), "right": right}
            for words, count, right in lines
        ]

    def _numbers(self, step: CourseStep, frequencies: Counter[str]) -> list[tuple[str, int, bool]]:
        """Return the most frequent numbers by value: spelling, frequency, and whether it is correct.

        Equal numbers such as 0.25, 0,25 and 1/4 are counted together, under the most frequent spelling. All correct
        answers are equal, such as 1.3863, 1.39 and log 4.
        """
        alike: dict[tuple[float, bool], list[str]] = {}
        for words, _ in frequencies.most_common():
            right = step.right(words)
            value = step.answer if right and step.answer is not None else round(number_in(words)[0], 12)
            alike.setdefault((value, right), []).append(words)
        lines = [
            (value, same[0], sum(frequencies[words] for words in same), right)
            for (value, right), same in alike.items()
        ]
        frequent = sorted(lines, key=lambda line: -line[2])[:12]
        return [line[1:] for line in sorted(frequent, key=lambda line: line[0])]

    def texts(self) -> list[str]:
        """Return the texts that trainees wrote in the current step, without names."""
        written = [trainee.answers.get(self.step, "") for trainee in self._everybody()]
        return sorted(text for text in written if text)

    def map(self) -> dict[str, object] | None:
        """Return the solutions of the current task as points in a picture of 600 x 300."""
        step = self.course.steps[self.step]
        if not step.goal or step.opening is None:
            return None
        across, up = axes_of_map(step.goal, step.opening.page)
        points, complete = self._points(across, up)
        limits = {goal.quantity: goal.number for goal in step.goal}
        # Without a complete table, the limit of the goal determines its axis.
        from_x = complete if complete or across in limits else points
        from_y = complete if complete or up in limits else points
        lowest, highest = _ends([point[0] for point in from_x], limits.get(across))
        low, high = _ends([point[1] for point in from_y], limits.get(up))

        def x(value: float) -> float:
            inside = min(max(value, lowest), highest)
            return round(60 + 520 * (inside - lowest) / (highest - lowest), 1)

        def y(value: float) -> float:
            inside = min(max(value, low), high)
            return round(260 - 240 * (inside - low) / (high - low), 1)

        dots: dict[_Position, dict[str, list[str]]] = {}
        for x_value, y_value, name, met, setting in points:
            # Trainees with equal solutions share a point.
            outside = not (lowest <= x_value <= highest and low <= y_value <= high)
            dot = dots.setdefault((x(x_value), y(y_value), met, outside), {"names": [], "words": []})
            dot["names"].append(name)
            dot["words"].append(
                f"{name}: {across} {_digits(x_value)}, {up} {_digits(y_value)}{', ' if setting else ''}{setting}"
            )
        page = step.opening.page
        return {
            "across": title(across, page),
            "up": title(up, page),
            "ends": [_digits(end) for end in (lowest, highest, low, high)],
            "limit_x": x(limits[across]) if across in limits else None,
            "limit_y": y(limits[up]) if up in limits else None,
            "dots": _with_labels(dots),
            "people": len(points),
            "left": sum(self.step in trainee.values for trainee in self.former.values()),
            "met": sum(point[3] for point in points),
        }

    def _points(self, across: str, up: str) -> tuple[list[_Point], list[_Point]]:
        """Return the solutions of the current task as points, and those that determine the axes of the map."""
        points, complete = [], []
        for trainee in self._everybody():
            met, values, setting = trainee.values.get(self.step, (False, {}, ""))
            point = (values.get(across, math.nan), values.get(up, math.nan), trainee.name, met, setting)
            if math.isfinite(point[0]) and math.isfinite(point[1]):
                points.append(point)
                # Tables without the required total, such as half-finished edits, do not determine the axes.
                if _keeps_totals(self.course.steps[self.step], values):
                    complete.append(point)
        return points, complete

    def csv(self) -> str:
        """Return anonymous results as CSV, one row per trainee and step, in random order."""
        lines: list[list[object]] = [
            [
                "person",
                "step",
                "title",
                "first answer",
                "late",
                "answer",
                "right",
                "met",
                "setting",
                "quantities",
            ]
        ]
        people = self._everybody()
        random.SystemRandom().shuffle(people)
        for number, trainee in enumerate(people, 1):
            for index, step in enumerate(self.course.steps):
                first, answer = (answers.get(index, "") for answers in (trainee.first, trainee.answers))
                met, values, setting = trainee.values.get(index, (None, {}, ""))
                if answer or values:
                    right = _yes_or_no(step.right(answer)) if answer and step.kind == "question" else ""
                    numbers = "; ".join(f"{name} {value:.6g}" for name, value in values.items())
                    reached = "" if met is None else _yes_or_no(met)
                    late = _yes_or_no(index in trainee.late) if answer and step.kind == "question" else ""
                    begin = [number, index + 1, step.title]
                    lines.append([*begin, first, late, answer, right, reached, setting, numbers])
        return csv_text(lines, escape=True)

    def _question(self, step: object) -> CourseStep | None:
        if type(step) is not int or not 0 <= step < len(self.course.steps):
            return None
        question = self.course.steps[step]
        return question if question.kind in ("question", "text") else None

    def _done(self, trainee: Trainee, number: int) -> bool:
        step = self.course.steps[number]
        if step.kind == "question":
            return step.right(trainee.answers.get(number, ""))
        if step.kind == "text":
            return number in trainee.answers or trainee.finished
        if step.kind == "task":
            return trainee.values.get(number, (False,))[0]
        return trainee.step > number and number in trainee.visited and number not in trainee.moved

    def _was_moved(self, trainee: Trainee, number: int) -> bool:
        """Return whether a trainee was moved on from a step that is completed by going on."""
        goes_on = self.course.steps[number].kind in ("lesson", "dashboard", "talk")
        return goes_on and trainee.step > number and number in trainee.moved


def _mapping(sent: object) -> _Sent:
    return sent if isinstance(sent, dict) else {}


def _cleaned(step: CourseStep, typed: object) -> str | None:
    """Return a normalised answer, or None if it is invalid."""
    if not isinstance(typed, str) or len(typed) > (MOST_TEXT if step.written else MOST_ANSWER):
        return None
    if step.written:
        text = " ".join(typed.split())
        return None if not text or unwritable(text) else text
    if step.options:
        return typed if typed in map(str, range(1, len(step.options) + 1)) else None
    return " ".join(typed.split()) if number_in(typed) else None


def _invalid(question: CourseStep) -> str:
    """Return the message on an answer that is not recorded."""
    if question.written:
        return f"Please write a text of 1 to {MOST_TEXT} characters."
    if question.options:
        return "Please choose one of the options."
    return "Please type a number, such as 0.25 or 1/4."


def _with_labels(dots: Mapping[_Position, Mapping[str, list[str]]]) -> list[dict[str, object]]:
    """Return the dots of a map with their labels; many dots have none."""
    near = [(x, y, 6 + min(len(dot["names"]), 9), _names(dot["names"])) for (x, y, *_), dot in dots.items()]
    texts = labels(near) if len(near) <= MOST_LABELS else [None] * len(near)
    return [
        {
            "names": dot["names"],
            "words": "\n".join(dot["words"]),
            "x": x,
            "y": y,
            "met": met,
            "outside": outside,
            "label": label._asdict() if label else None,
        }
        for ((x, y, met, outside), dot), label in zip(dots.items(), texts, strict=True)
    ]


def _names(names: Sequence[str]) -> str:
    names = [name for name in names if name != REMOVED]
    more = f" +{len(names) - 3}" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def _yes_or_no(flag: bool) -> str:
    return "yes" if flag else "no"


def _digits(value: float) -> str:
    """Return a whole number with all its digits, and another number with three digits."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.3g}"


def _keeps_totals(step: CourseStep, values: Mapping[str, float]) -> bool:
    """Return whether the conditions of a goal on exact values, such as the total of a table, are met."""
    return all(goal.met(values) for goal in step.goal if goal.compared == "=")


def _ends(numbers: Sequence[float], limit: float | None) -> tuple[float, float]:
    """Return the limits of an axis for the bulk of numbers and a limit, with a margin.

    The axis of numbers that are not negative does not begin below 0, and the axis of whole numbers ends at whole
    numbers.
    """
    values = _bulk(numbers, limit)
    if limit is not None:
        values.append(limit)
    if not values:
        values = [0.0]
    lowest, highest = min(values), max(values)
    wide = (highest - lowest) or abs(lowest) or 1.0
    low, high = lowest - wide / 8, highest + wide / 8
    if lowest >= 0:
        low = max(low, 0.0)
    if all(float(value).is_integer() for value in values):
        return float(math.floor(low)), float(math.ceil(high))
    return low, high


def _bulk(numbers: Sequence[float], limit: float | None) -> list[float]:
    """Return the numbers without those that are far from the median."""
    if not numbers:
        return []
    middle = median(numbers)
    spread = median(abs(number - middle) for number in numbers)
    from_limit = 0.0 if limit is None else abs(limit - middle)
    usual = max(spread, abs(middle), from_limit) or 1.0
    return [number for number in numbers if abs(number - middle) <= MOST_SPREAD * usual]
