"""Numbers of the exercises that a few seeds draw, compared with recorded ones.

`test_exercises_recomputed.py` says why the answers are right; this test notices other ranges of the drawn numbers,
other likely wrong answers and other goals. After an intended change, `pytest --renew-snapshots
tests/teaching/lessons/test_recorded_exercises.py` writes the file anew.
"""

import json
import re
from pathlib import Path

from recording import differences

from sdcwidgets.teaching.lessons.drawn import EXERCISES, Task, draw

FILE = Path(__file__).parent / "recorded_exercises.json"

SEEDS = (1, 2, 3)


def numbers(text):
    return [
        float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text.replace("−", "-").replace(",", ""))
    ]


def drawn_numbers(exercise, seed):
    """Return the numbers of a question with its answers, or the start, solution and goals of a task."""
    drawn = draw(exercise, seed)
    if isinstance(drawn, Task):
        fixed = None if drawn.fixed_table is None else drawn.fixed_table.counts.tolist()
        start, solution = drawn.start.counts.tolist(), drawn.solution.tolist()
        return [start, solution, list(drawn.goals), sorted(drawn.measures), fixed]
    slips = [float(number) for number, _ in drawn.slips]
    return [numbers(drawn.text), float(drawn.answer), float(drawn.tolerance), slips, numbers(drawn.right)]


def test_drawn_numbers_are_recorded(pytestconfig):
    drawn = {
        str(lesson): [drawn_numbers(exercise, seed) for exercise in exercises for seed in SEEDS]
        for lesson, exercises in sorted(EXERCISES.items())
    }
    if pytestconfig.getoption("--renew-snapshots"):
        lines = ",\n".join(f"{json.dumps(lesson)}: {json.dumps(parts)}" for lesson, parts in drawn.items())
        FILE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
        return
    assert list(differences(json.loads(FILE.read_text("utf-8")), drawn)) == []
