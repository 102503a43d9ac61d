"""Exercises of lessons with random numbers; the core computes their answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from string import ascii_uppercase
from typing import Any

import ipywidgets
import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.registry import import_modules
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.teaching.lessons.exercise import Exercise, NumberQuestion
from sdcwidgets.teaching.lessons.goal import Goal
from sdcwidgets.teaching.lessons.stored_state import count_edits
from sdcwidgets.widgets.binding import TYPED, edit_table, follow
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page_state.recomputation import Study

__all__ = ["EXERCISES", "LARGEST", "Counts", "Draw", "Task", "draw", "ends", "exercises", "row", "said"]

Counts = NDArray[np.int64]

#: Maximum count of a task, so that changes are checked without delay.
LARGEST = 1_000

#: Maximum number of attempts to draw valid numbers. Numbers are invalid if a slip is correct or a task is
#: solved at the start.
TRIES = 200

#: Maximum number of versions of an exercise whose results are restored after a reload.
MOST_VERSIONS = 1_000


@dataclass(frozen=True)
class Task:
    """Task in a table of counts, with goals that are checked automatically.

    Attributes
    ----------
    text : str
        Instructions; the goals are appended.
    start, solution : FrequencyTable, array of int
        Initial counts, and counts that meet the goals.
    measures : mapping of callable
        Functions of the counts, by the names that the goals use; a measure without a goal is only shown.
    goals : sequence of str
        Goals such as "risk < 0.2".
    fixed_table : FrequencyTable, optional
        Read-only table above the counts. If it has several rows, it is shown with its totals.
    hint : str
        Text below the counts.
    """

    text: str
    start: FrequencyTable
    solution: Counts
    measures: Mapping[str, Callable[[Counts], float]]
    goals: Sequence[str]
    fixed_table: FrequencyTable | None = None
    hint: str = TYPED

    def check(self, counts: Counts) -> tuple[bool, str]:
        """Return whether counts meet all goals, and the value of each measure.

        Raises
        ------
        InputError
            If all counts are zero, or if a count exceeds 1,000.
        """
        if counts.max() > LARGEST:
            raise InputError(f"A count in this exercise must not exceed {LARGEST:,}.")
        if not counts.any():
            raise InputError("All counts would be zero. At least one person must be counted.")
        wanted = [Goal.parse(goal) for goal in self.goals]
        values = {name: float(measure(np.squeeze(counts))) for name, measure in self.measures.items()}
        met = {True: list[str](), False: list[str]()}
        for goal in wanted:
            met[goal.met(values)].append(
                f"{goal.quantity} = {values[goal.quantity]:.4g} (goal: {goal.condition})"
            )
        headings = ((False, "Goals not met yet"), (True, "Goals met"))
        feedback = [f"{heading}: {'; '.join(met[key])}." for key, heading in headings if met[key]]
        without_goal = values.keys() - {goal.quantity for goal in wanted}
        others = [f"{name} = {value:.4g}" for name, value in values.items() if name in without_goal]
        if others:
            feedback.append(f"Without a goal: {'; '.join(others)}.")
        return not met[False], " ".join(feedback)


Draw = Callable[[np.random.Generator], NumberQuestion | Task]

#: Registered exercises by the number of their lesson.
EXERCISES: dict[float, list[Draw]] = defaultdict(list)


def ends(lesson: float) -> Callable[[Draw], Draw]:
    """Register an exercise of a lesson."""

    def add(drawn: Draw) -> Draw:
        EXERCISES[lesson].append(drawn)
        return drawn

    return add


def row_text(counts: Counts) -> str:
    """Return a row of counts as text.

    Examples
    --------
    >>> row_text(np.array([0, 2, 4]))
    '(0, 2, 4)'
    """
    return f"({', '.join(map(str, counts.tolist()))})"


def row(
    counts: Counts,
    rows: Sequence[str] = ("People",),
    columns: Sequence[str] = ascii_uppercase,
    name: str = "Counts",
) -> FrequencyTable:
    """Return counts as a table with one or more rows.

    Examples
    --------
    >>> row(np.array([0, 2, 4])).axes[1].labels
    ('A', 'B', 'C')
    """
    counts = np.atleast_2d(counts)
    return FrequencyTable(counts, {name: list(rows), "Cell": list(columns[: counts.shape[1]])})


def draw(exercise: Draw, seed: int) -> NumberQuestion | Task:
    """Return an exercise with the random numbers of a seed.

    Numbers are drawn again if a slip would be correct or a task would be solved at the start.

    Raises
    ------
    InputError
        If the seed is negative.

    Examples
    --------
    >>> question = draw(EXERCISES[1][0], seed=1)
    >>> question.check(f"{question.answer:.4f}")[0], question.check("0")[0]
    (True, False)
    """
    if seed < 0:
        raise InputError(f"The seed is {seed}; it must not be negative.")
    rng = np.random.default_rng(seed)
    return next(drawn for drawn in (exercise(rng) for _ in range(TRIES)) if _fair(drawn))


def _fair(drawn: NumberQuestion | Task) -> bool:
    if isinstance(drawn, Task):
        return not drawn.check(drawn.start.counts)[0] and drawn.check(np.atleast_2d(drawn.solution))[0]
    numbers = [drawn.answer, *(slip for slip, _ in drawn.slips)]
    return all(abs(number - other) > 3 * drawn.tolerance for number, other in combinations(numbers, 2))


def exercises(lesson: float, seed: int = 1) -> ipywidgets.VBox:
    """Return the exercises of a lesson.

    Parameters
    ----------
    lesson : float
        Number of the lesson, such as 1 or 1.5.
    seed : int
        Seed of the first numbers. Each version uses the next seed, so a group can work with the same numbers.

    Raises
    ------
    InputError
        If the lesson has no exercises, or if the seed is negative.

    Examples
    --------
    >>> first, second, third = exercises(1).children
    >>> first.children[0].mark
    'Version 1. Attempted: 0. Correct: 0.'
    >>> third.children[0].mark
    'Version 1. Solved: 0.'
    """
    if lesson not in EXERCISES:
        raise InputError(
            f"Lesson {lesson:g} has no exercises. Lessons with exercises are "
            f"{', '.join(f'{number:g}' for number in sorted(EXERCISES))}."
        )
    numbered = enumerate(EXERCISES[lesson], start=1)
    return ipywidgets.VBox([_exercise_box(number, exercise, seed) for number, exercise in numbered])


def _exercise_box(number: int, exercise: Draw, seed: int) -> ipywidgets.VBox:
    question, tried, right = Exercise(""), set[int](), set[int]()
    drawn, first = draw(exercise, seed), seed
    grids = _Grids(question, drawn) if isinstance(drawn, Task) else None

    def look(_: object = None) -> None:
        # The feedback follows each edit of a table, so an edited table is attempted only when it is solved.
        if question.solved or (question.feedback and question.is_attempt and not grids):
            tried.add(seed)
        if question.solved:
            right.add(seed)
        results = f"Solved: {len(right)}" if grids else f"Attempted: {len(tried)}. Correct: {len(right)}"
        question.mark = f"Version {seed}. {results}."
        question.stored_state = {
            "version": seed,
            "attempted": sorted(tried),
            "correct": sorted(right),
            "answer": question.last_answer,
            "counts": grids.changed_counts if grids else None,
        }

    def ask() -> None:
        drawn = draw(exercise, seed)
        check = drawn.check if isinstance(drawn, NumberQuestion) else None
        question.ask(f"Exercise {number}: {drawn.text}", check)
        if grids and isinstance(drawn, Task):
            grids.begin(drawn)
        look()

    def again() -> None:
        nonlocal seed
        seed += 1
        ask()

    def restore(state: dict[str, Any]) -> None:
        nonlocal seed
        versions = range(first, first + MOST_VERSIONS)
        tried.update(version for version in versions if version in state["attempted"])
        right.update(version for version in tried if version in state["correct"])
        if state["version"] in versions:
            seed = int(state["version"])
            ask()
        if grids and state["counts"]:
            grids.put(state["counts"])
        elif state["answer"]:
            question.answer(str(state["answer"]))

    ask()
    question.observe(look, ["feedback", "last_answer"])
    if grids:
        grids.on_change(look)
    question.on_again(again)
    question.on_restore(drawn.text, restore)
    children: list[ipywidgets.Widget] = [question]
    if grids:
        children += grids.widgets
    return ipywidgets.VBox(children)


class _Grids:
    """Table of a task with the read-only table above it."""

    def __init__(self, question: Exercise, task: Task) -> None:
        self._question, self._task = question, task
        self._fixed_grid, self._grid = (
            Grid(title="Fixed table", editable=False),
            Grid(title="Table to change in this exercise"),
        )
        self._study = Study(task.start, self._judged)
        edit_table(self._grid, self._study, lambda counts: self._study.state.with_counts(counts))
        follow(self._study, self._show)

    @property
    def widgets(self) -> tuple[Grid, ...]:
        return (self._grid,) if self._task.fixed_table is None else (self._fixed_grid, self._grid)

    @property
    def changed_counts(self) -> list[list[int]] | None:
        """The counts as nested lists, or None if they are the initial counts."""
        table = self._study.state
        return None if table == self._task.start else table.counts.tolist()

    def put(self, counts: list[list[int]]) -> None:
        """Set the counts as one edit."""
        self._grid.edit(count_edits(counts, self._grid.counts.shape))

    def on_change(self, handler: Callable[[object], None]) -> None:
        """Call the handler after each change of the counts."""
        self._study.observe(handler, "turn")

    def begin(self, task: Task) -> None:
        self._task = task
        self._study.begin(task.start)
        if task.fixed_table is not None:
            self._fixed_grid.show(task.fixed_table, hint="", **_totals(task.fixed_table))

    def _judged(self, table: FrequencyTable) -> tuple[FrequencyTable, bool, str]:
        """Return the table, whether its counts meet all goals, and the feedback."""
        is_met, feedback = self._task.check(table.counts)
        return table, is_met, feedback

    def _show(self, result: tuple[FrequencyTable, bool, str]) -> None:
        table, is_met, feedback = result
        start = self._task.start
        self._grid.show(table, start, hint=self._task.hint)
        if table == start:
            self._question.say(False, "")
        else:
            self._question.say(is_met, feedback)


def _totals(table: FrequencyTable) -> dict[str, Any]:
    """Return the margins of a grid with the totals of a table, or no margins for a single row."""
    if len(table.counts) == 1:
        return {"row_margin": None, "column_margin": None, "corner": None}
    return {
        "row_margin": {
            "title": "Total",
            "values": [f"{total:,}" for total in table.counts.sum(axis=1).tolist()],
        },
        "column_margin": {
            "title": "Total",
            "values": [f"{total:,}" for total in table.counts.sum(axis=0).tolist()],
        },
        "corner": {"text": f"{table.total:,}"},
    }


import_modules(__name__)
