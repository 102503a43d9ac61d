"""Every exercise at the end of a lesson, worked from its text alone: by formulas that share no code with the checks."""

import math
import re
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import linprog

from sdcwidgets import InputError
from sdcwidgets.dashboards import notebook_pages
from sdcwidgets.teaching.lessons.drawn import EXERCISES, Task, draw

SEEDS = range(200)


def numbers(text):
    """Return the numbers that stand in a text."""
    return [float(one) for one in re.findall(r"[-−]?\d+(?:\.\d+)?", text.replace("−", "-"))]


def rows(text):
    """Return the rows of counts that stand in a text."""
    return [[int(one) for one in row.split(",")] for row in re.findall(r"\((\d+(?:, \d+)+)\)", text)]


def entropy(counts):
    total = sum(counts)
    return -sum(c / total * math.log(c / total) for c in counts if c)


def unevenness(counts):
    return 1 - entropy(counts) / math.log(len(counts))


def third(people):
    return (1 + math.log(people) / 2) / math.sqrt(people)


def risk(counts):
    return 0.1 * counts.count(0) / len(counts) + 0.8 * unevenness(counts) + 0.1 * third(sum(counts))


def left(before, after):
    """H(X|Y) where as many stay as can, and who leaves a cell goes where people are missing."""
    total = sum(before)
    missing = [max(g - f, 0) for f, g in zip(before, after, strict=True)]
    joint = {}
    for i, f in enumerate(before):
        gone = max(f - after[i], 0)
        for j, more in enumerate(missing):
            people = (f - gone if i == j else 0) + (gone * more / sum(missing) if more else 0)
            if people:
                joint[i, j] = people / total
    arrived = {j: sum(p for (_, y), p in joint.items() if y == j) for _, j in joint}
    return -sum(p * math.log(p / arrived[j]) for (_, j), p in joint.items())


def distance(before, after):
    return math.sqrt(sum((math.sqrt(f) - math.sqrt(g)) ** 2 for f, g in zip(before, after, strict=True)) / 2)


def orders(counts):
    return math.factorial(sum(counts)) // math.prod(map(math.factorial, counts))


def nearest(count):
    return 5 * math.floor(count / 5 + 0.5)


def apart(text):
    (row,) = rows(text)
    return abs(sum(map(nearest, row)) - nearest(sum(row)))


def published(text):
    asked = numbers(text)
    true, ends, key = int(asked[0]), asked[2:12:2], asked[11]
    return true + next(noise for noise, end in zip(range(-2, 3), ends, strict=True) if key < end)


def errors(text):
    printed, ours, error = numbers(text)
    return (ours - printed) / (error * math.sqrt(2))


def stays(text):
    before, after = rows(text)
    return min(before[2], after[2]) / before[2]


def stays_drawn(text):
    (row,) = rows(text)
    share = float(re.search(r"probability ([\d.]+)", text)[1])
    return 1 - share + share * row[0] / sum(row)


def pram(text):
    (row,) = rows(text)
    stay, leave = numbers(text)[4:6]
    return row[0] * stay + sum(row[1:]) * leave / 3


def strip(text):
    base, large, small = numbers(text)
    return (large + base // 2) - (small - base // 2)


def expected(text):
    first, second = rows(text)
    return sum(first) * (first[1] + second[1]) / sum(first + second)


def urn(text):
    coloured, black, drawn = numbers(text)
    return black / (coloured + black + drawn)


def rare(text):
    few, of = rows(text)
    return sum(1 / people for records, people in zip(few, of, strict=True) if records == 1)


def below(text):
    (row,) = rows(text)
    least = int(re.search(r"not (\d+)-anonymous", text)[1])
    return sum(one for one in row if one < least)


def missed(text):
    people, fraction = numbers(text)[0], numbers(text)[-1]
    return (1 - fraction) ** people


def combined(text):
    zeros, unevenness, size, *weights = numbers(text)[len(rows(text)[0]) :]
    return sum(part * weight for part, weight in zip((zeros, unevenness, size), weights, strict=True))


def true_share(text):
    before, after = rows(text)
    small = [(f, g) for f, g in zip(before, after, strict=True) if g in (1, 2)]
    return sum(f == g for f, g in small) / len(small)


def points(text):
    """Return risk and loss of each setting that stands in a text."""
    return [(float(r), float(h)) for r, h in re.findall(r"risk (\d+\.\d+), loss (\d+\.\d+)", text)]


def optimal(text):
    """Return for each setting whether no other one has less risk and less loss."""
    every = points(text)
    return [not any(r < risk and h < loss for r, h in every) for risk, loss in every]


def possible_totals(text):
    """Count the totals of two cells and a total that each differ from the published counts by at most D."""
    D, a, b, total = (int(number) for number in numbers(text)[:4])
    pairs = ((x, y) for x in range(max(a - D, 0), a + D + 1) for y in range(max(b - D, 0), b + D + 1))
    return len({x + y for x, y in pairs if abs(x + y - total) <= D})


def alone(text):
    """Count the cells in which the two rows differ by one person."""
    old, new = rows(text)
    return sum(f - g == 1 for f, g in zip(old, new, strict=True))


def rectangle(text):
    """Count the values of the first of four suppressed cells, by trying all of them."""
    first_row, second_row, first_column, second_column = (int(one) for one in re.findall(r"= (\d+)", text))
    others = [(x, first_row - x, first_column - x) for x in range(first_row + 1)]
    return sum(min(x2, x3, second_row - x3, second_column - x2) >= 0 for _, x2, x3 in others)


ANSWERS = {
    "_alone": alone,
    "_rectangle": rectangle,
    "_mean_utility": lambda text: (lambda released, requests, u, _: released / requests * u)(*numbers(text)),
    "_possible_totals": possible_totals,
    "_guess": lambda text: max(rows(text)[0]) / sum(rows(text)[0]),
    "_combined": combined,
    "_true_share": true_share,
    "_front": lambda text: sum(optimal(text)),
    "_entropy": lambda text: entropy(rows(text)[0]),
    "_unevenness": lambda text: unevenness(rows(text)[0]),
    "_upper": lambda text: (lambda base, true, up: (true - up + base) / base)(*numbers(text)),
    "_behind": lambda text: 2 * numbers(text)[0] - 1,
    "_apart": apart,
    "_farthest": lambda text: (lambda base, k, number: number + (k + 1) * base - 1)(*numbers(text)),
    "_cell_key": lambda text: round(10 * sum(numbers(text))) % 10 / 10,
    "_published": published,
    "_expected": pram,
    "_same": stays_drawn,
    "_above": strip,
    "_gap": lambda text: 1 / math.log2(numbers(text)[0]),
    "_stays": stays,
    "_ways": lambda text: orders(rows(text)[1]),
    "_distance": lambda text: distance(*rows(text)),
    "_utility": lambda text: (lambda _, people, lost: 1 - lost / math.sqrt(people))(*numbers(text)),
    "_percent": lambda text: (lambda part, cells: 100 * part / cells)(*numbers(text)[:2]),
    "_errors": errors,
    "_factor": lambda text: (lambda x, before, after: x * (1 - after / before))(*numbers(text)),
    "_size": lambda text: third(numbers(text)[-1]),
    "_missed": missed,
    "_stratified": lambda text: (
        rows(text)[0][0] * float(re.search(r"sample of (\d+)", text)[1]) / sum(rows(text)[0])
    ),
    "_main_effects": expected,
    "_urn": urn,
    "_matches": rare,
    "_anonymous": below,
    "_averaged": lambda text: (lambda variance, pairs: math.sqrt(2 * variance / pairs))(*numbers(text)),
    "_mean_of_occurring": lambda text: sum(rows(text)[0]) / sum(one > 0 for one in rows(text)[0]),
    "_coefficients": lambda text: 2 + int(numbers(text)[0]) - 1,
    "_rule": lambda text: sum(one in (1, 2) for one in rows(text)[0]) / len(rows(text)[0]),
}


def gaps_computed(values, gaps):
    """Count the gaps that have one value only, where each number is 0 or more and all totals are printed."""
    places = np.argwhere(gaps > 0)
    if not len(places):
        return 0
    rows_of = [(places[:, axis] == k).astype(float) for axis in (0, 1) for k in range(3)]
    hidden = np.where(gaps > 0, values, 0)
    sums = [float(one) for one in (*hidden.sum(axis=1), *hidden.sum(axis=0))]

    def end(place, sign):
        cost = np.zeros(len(places))
        cost[place] = sign
        return sign * linprog(cost, A_eq=rows_of, b_eq=sums, bounds=(0, None)).fun

    return sum(end(k, 1) > end(k, -1) - 0.5 for k in range(len(places)))


def totals(labels):
    return [int(re.search(r"total (\d+)", label)[1]) for label in labels]


def done(name, task, G):
    """Judge counts by what the text asks for; the first is what the grid began with."""
    F = task.start.counts
    asked, flat, begun = numbers(task.text), G.ravel().tolist(), F.ravel().tolist()
    if name == "_spread":
        limit = float(re.search(r"below ([\d.]+\d)", task.text)[1])
        return sum(flat) == sum(begun) and risk(flat) < limit
    if name == "_uncertain":
        limit = float(re.search(r"above ([\d.]*\d)", task.text)[1])
        return sum(flat) == sum(begun) and entropy(flat) > limit
    if name == "_choice":
        below = float(re.search(r"below ([\d.]+\d)", task.text)[1])
        most = float(re.search(r"at most ([\d.]+\d)", task.text)[1])
        suitable = [
            best and r < below and h <= most
            for best, (r, h) in zip(optimal(task.text), points(task.text), strict=True)
        ]
        return flat == [int(one) for one in suitable]
    if name == "_small":
        return not {1, 2} & {*flat} and distance(begun, flat) <= float(
            re.search(r"at most ([\d.]+\d)", task.text)[1]
        )
    if name == "_controlled":
        near = all(g % 5 == 0 and abs(g - f) < 5 for f, g in zip(begun, flat, strict=True))
        return near and sum(flat) == sum(begun)
    if name == "_ptable":
        mean = sum(step * g for step, g in zip(range(-2, 3), flat, strict=True))
        spread = sum(step**2 * g for step, g in zip(range(-2, 3), flat, strict=True))
        return sum(flat) == 100 and mean == 0 and spread == round(100 * asked[-1])
    if name == "_swap":
        same = (G.sum(axis=0) == F.sum(axis=0)).all() and (G.sum(axis=1) == F.sum(axis=1)).all()
        return bool(same) and 1 not in flat and np.abs(G - F).sum() == 4
    if name == "_hide":
        known = task.fixed_table.counts
        (first,) = np.argwhere(F)
        return (G > 0).sum() <= 4 and G[tuple(first)] > 0 and gaps_computed(known, G) == 0
    if name == "_clue":
        most, limit = asked[-2], asked[-1]
        moved = sum(abs(f - g) for f, g in zip(begun, flat, strict=True)) / 2
        return sum(flat) == sum(begun) and moved <= most and left(begun, flat) > limit
    if name == "_where":
        moved = sum(abs(f - g) for f, g in zip(begun, flat, strict=True)) / 2
        return sum(flat) == sum(begun) and moved == asked[0] and distance(begun, flat) <= asked[-1]
    if name == "_slip":
        down, across = (totals(axis.labels) for axis in task.start.axes)
        (changed,) = np.argwhere(G != F) if (G != F).sum() == 1 else [None]
        fits = G.sum(axis=1).tolist() == down and G.sum(axis=0).tolist() == across
        return fits and changed is not None
    if name == "_agree":
        (row,) = rows(task.text)
        assert row == begun
        away = 0.8 * unevenness(row) * abs(1 - 2 * left(row, flat) / entropy(row))
        return sum(flat) == sum(row) and away <= asked[-1]
    if name == "_sample":
        fits = all(g <= f for f, g in zip(begun, flat, strict=True))
        return fits and sum(flat) == asked[-1] and 1 not in flat
    if name == "_unseen":
        a, b, c, _ = flat
        return a == 0 and sum(flat) == asked[0] and (a + b) * (a + c) / sum(flat) > asked[1]
    if name == "_recode":
        least = int(re.search(r"has at least (\d+)", task.text)[1])
        (small,) = (k for k, f in enumerate(begun) if f < least)
        beside = [k for k in (small - 1, small + 1) if 0 <= k < 6]
        joined = [
            [f + begun[small] * (k == to) - f * (k == small) for k, f in enumerate(begun)] for to in beside
        ]
        return flat in joined
    if name == "_only_counts":
        D = int(re.search(r"D = (\d+)", task.text)[1])
        ((a, b, total),) = task.fixed_table.counts
        far = [abs(flat[0] - a), abs(flat[1] - b), abs(sum(flat) - total)]
        return max(far) <= D
    if name == "_publish_again":
        published = task.fixed_table.counts.ravel().tolist()
        differences = [f - g for f, g in zip(published, flat, strict=True)]
        changed = sum(abs(f - g) for f, g in zip(begun, flat, strict=True))
        return not {1, 2} & {*differences} and min(differences) >= 0 and changed <= 2
    if name == "_same_people":
        mean, people = (float(one) for one in re.search(r"cells is (\d+) .* stays (\d+)", task.text).groups())
        return sum(flat) == people and mean * sum(one > 0 for one in flat) == people and flat.count(1) == 1
    assert name == "_three", f"work {name} here, from its text alone"
    everybody, north, south = task.fixed_table.counts
    return (np.array([north, south, everybody - north - south]) == G).all()


EVERY = [(lesson, exercise) for lesson, all_ in sorted(EXERCISES.items()) for exercise in all_]


@pytest.mark.parametrize(
    "exercise", [one for _, one in EVERY if one.__name__ in ANSWERS], ids=lambda one: one.__name__
)
def test_the_answer_is_the_one_that_the_text_asks_for(exercise):
    for seed in SEEDS:
        question = draw(exercise, seed)
        answer = ANSWERS[exercise.__name__](question.text)
        assert question.check(repr(answer))[0], (seed, question.text, answer, question.answer)
        decimals = {"One": 1, "two": 2, "three": 3}
        asked = re.search(r"(One|two|three) decimals?", question.text)
        rounded = f"{answer:.{decimals[asked[1]] if asked else 2}f}"
        assert question.check(rounded)[0], (seed, question.text, rounded)
        assert question.check(rounded.replace(".", ","))[0]
        for slip, sentence in question.slips:
            for typed in (repr(float(slip)), f"{slip:.3f}", f"{slip:.2f}"):
                assert not question.check(typed)[0], (seed, question.text, typed)
            assert question.check(repr(float(slip))) == (False, sentence)


def test_a_share_of_the_other_cells_gets_its_own_hint():
    [exercise] = [one for _, one in EVERY if one.__name__ == "_percent"]
    for seed in SEEDS:
        question = draw(exercise, seed)
        part, cells = numbers(question.text)[:2]
        right, hint = question.check(repr(100 * part / (cells - part)))
        assert not right
        assert hint in [sentence for _, sentence in question.slips]


@pytest.mark.slow
@pytest.mark.parametrize(
    "exercise", [one for _, one in EVERY if one.__name__ not in ANSWERS], ids=lambda one: one.__name__
)
def test_a_task_is_met_by_what_its_text_asks_for_and_by_nothing_else(exercise):
    judged = {True: 0, False: 0}
    seeds = SEEDS[
        : 30 if exercise.__name__ == "_hide" else None
    ]  # each of its checks asks a solver twice a gap
    for seed in seeds:
        task = draw(exercise, seed)
        assert isinstance(task, Task)
        rng, start = np.random.default_rng(seed), task.start.counts
        solution = np.reshape(task.solution, start.shape)
        tried = [start, solution]
        for counts in (start, solution):
            for _ in range(3):  # one or two of them another way
                other = counts.copy().ravel()
                one, two = rng.choice(other.size, 2, replace=False)
                step = rng.integers(1, 4)
                other[one] += step
                other[two] -= min(step, other[two]) * rng.integers(0, 2)
                tried.append(other.reshape(start.shape))
        for counts in tried:
            try:
                met = task.check(counts)[0]
            except InputError:
                continue
            assert met == done(exercise.__name__, task, counts), (seed, task.text, counts.tolist())
            judged[met] += 1
        assert done(exercise.__name__, task, solution)
        assert not done(exercise.__name__, task, start)
    assert min(judged.values()) >= len(seeds)


def test_every_exercise_is_worked():
    names = [exercise.__name__ for _, exercise in EVERY]
    lessons = len([*notebook_pages.folder("tutorials").glob("*.ipynb")])
    assert len({*names}) == len(names) == 3 * lessons
    assert {*ANSWERS} < {*names}
    assert len(ANSWERS) == 2 * lessons, "a question is worked in `ANSWERS`, a task in `done`"
    assert all(a <= b for a, b in pairwise(lesson for lesson, _ in EVERY))
