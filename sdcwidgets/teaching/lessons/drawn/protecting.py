"""Exercises on methods: rounding, cell keys, swapping, PRAM and suppression."""

from math import log
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.core.fixed_sums import among_tables
from sdcwidgets.core.risk.cell import a_posteriori, within_rounding
from sdcwidgets.core.utility import hellinger
from sdcwidgets.methods import Method, get
from sdcwidgets.teaching.lessons.drawn import Counts, Task, ends, row, row_text
from sdcwidgets.teaching.lessons.exercise import NumberQuestion


def _method(name: str, **settings: object) -> Method:
    method: Method = cast(Any, get(name))(**settings)
    return method


def _chances(name: str, largest: int, **settings: object) -> NDArray[np.float64]:
    """Return the matrix of probabilities P(published count | original count)."""
    chances = _method(name, **settings).transition(largest)
    assert chances is not None
    return chances


@ends(2)
def _upper(rng: np.random.Generator) -> NumberQuestion:
    base = int(rng.choice([3, 5, 10]))
    true = int(rng.integers(1, 4 * base))
    up = true - true % base + base
    chance = float(_chances("random-rounding", true + base, base=base)[true, up])
    return NumberQuestion(
        f"The count {true} is rounded at random to base {base}, and is right on average. "
        f"How likely is {up} to be published?",
        chance,
        f"Yes, {true % base} of {base} steps lie behind it: {chance:.4f}.",
        "Not yet. How far is the count on its way from its lower neighbour to its upper one?",
        (
            (1 - chance, "This is the chance of the lower neighbour. The nearer one is the more likely."),
            (0.5, "With ½ each, the published count would not be right on average."),
        ),
    )


@ends(2)
def _behind(rng: np.random.Generator) -> NumberQuestion:
    base, times = int(rng.choice([3, 5, 10])), int(rng.integers(1, 20))
    published = base * times
    chances = _chances("random-rounding", published + 2 * base, base=base)
    behind = int((chances[:, published] > 0).sum())
    return NumberQuestion(
        f"Random rounding to base {base} published {published}. How many true counts are possible?",
        behind,
        f"Yes, {published - base + 1} to {published + base - 1}.",
        "Not yet. Which is the smallest true count that may become this number, and which the largest?",
        (
            (
                2 * base + 1,
                f"{published - base} and {published + base} are multiples of {base}: they stay as they are.",
            ),
            (base, "It may have been rounded down, too: count on both sides."),
            (behind - 1, "The number itself is possible, too."),
        ),
    )


@ends(2)
def _small(rng: np.random.Generator) -> Task:
    F = rng.permutation([1, 2, *rng.integers(0, 3, 2), *rng.integers(10, 30, 2)])
    G = np.where((F == 1) | (F == 2), 3, F)
    limit = np.ceil(110 * float(hellinger(F, G))) / 100
    return Task(
        f"Change this row until no count is 1 or 2, and lose no more than HD = {limit:g}.",
        row(F),
        G,
        {"ones and twos": lambda G: ((G == 1) | (G == 2)).sum(), "loss": lambda G: float(hellinger(F, G))},
        ("ones and twos = 0", f"loss <= {limit:g}"),
    )


@ends(3)
def _apart(rng: np.random.Generator) -> NumberQuestion:
    F = rng.integers(1, 30, 4)
    nearest = _method("conventional-rounding", base=5).apply
    cells, total = (nearest(row(counts), rng).counts.sum() for counts in (F, np.array([F.sum(), 0])))
    return NumberQuestion(
        f"The row {row_text(F)} and its total {F.sum()} are rounded to the nearest multiple of 5. "
        "How far are the published cells together from the published total?",
        abs(cells - total),
        f"Yes, the cells make {cells}, and {total} is published.",
        "Not yet. Round each cell, add what you get, and round the total 5 by 5 too.",
        (
            (abs(cells - F.sum()), "You took the true total. It is published rounded, too."),
            (abs(F.sum() - total), "This is how far the total was rounded. Round each cell, too."),
        ),
    )


@ends(3)
def _farthest(rng: np.random.Generator) -> NumberQuestion:
    base, K = int(rng.choice([3, 5, 10])), int(rng.integers(1, 3))
    published = base * int(rng.integers(5, 12))
    true = np.arange(published, published + 9 * base)
    # Neighbours of a count are the multiples below and above it, and K more on each side.
    reached = true // base * base - K * base <= published
    most = int(true[reached].max())
    return NumberQuestion(
        f"A controlled rounding to base {base} took K = {K} more multiples on each side. {published} is published. "
        "How large may the true count be?",
        most,
        f"Yes, {published} + {K + 1} · {base} − 1 = {most}.",
        "Not yet. With K more multiples a count may be less than (K + 1) · base away.",
        (
            (most + 1, "One too many: the count is less than (K + 1) · base away."),
            (published + base - 1, "This is for K = 0. Each step of K adds one base."),
            (published + K * base - 1, "You forgot the neighbour itself: it is K + 1 multiples."),
        ),
    )


@ends(3)
def _controlled(rng: np.random.Generator) -> Task:
    F = rng.integers(1, 30, 5)
    F[4] += -F.sum() % 5
    low, rest = F // 5 * 5, F % 5
    G = low.copy()
    G[np.argsort(-rest, kind="stable")[: rest.sum() // 5]] += 5
    return Task(
        f"Round each count of the row {row_text(F)} to a multiple of 5 beside it, so that the cells "
        f"still make {F.sum()}.",
        row(F),
        G,
        {
            "not rounded": lambda G: (G % 5 > 0).sum(),
            "largest change": lambda G: np.abs(G - F).max(),
            "people": np.sum,
        },
        ("not rounded = 0", "largest change < 5", f"people = {F.sum()}"),
    )


@ends(4)
def _cell_key(rng: np.random.Generator) -> NumberQuestion:
    tenths = rng.integers(1, 10, 3)
    keys, total, key = tenths / 10, tenths.sum() / 10, tenths.sum() % 10 / 10
    return NumberQuestion(
        f"Three people of a cell have the record keys {', '.join(map(str, keys))}. What is its cell key?",
        key,
        f"Yes, they make {total:.1f}, and without the whole number {key:.1f}.",
        "Not yet. Add the keys, and leave out what is before the decimal point.",
        (
            (total, "You forgot to leave out what is before the decimal point."),
            (total / 3, "This is their mean. The keys are added."),
        ),
    )


@ends(4)
def _published(rng: np.random.Generator) -> NumberQuestion:
    true, D = int(rng.integers(3, 40)), 2
    V = float(rng.choice([1.0, 1.5, 2.0]))
    chances = _chances("cell-key", true + D, D=D, V=V)[true, true - D : true + D + 1]
    ends_at = np.round(chances.cumsum(), 2)
    key = float(rng.integers(1, 100)) / 100 - 0.005
    noise = int(np.searchsorted(ends_at, key)) - D
    keys = "; ".join(
        f"{step:+d}: to {end:.2f}" for step, end in zip(range(-D, D + 1), ends_at, strict=True)
    ).replace("-", "−")
    return NumberQuestion(
        f"The p-table says for a count of {true} up to which cell key each noise goes: {keys}. "
        f"The cell key is {key:.3f}. Which number is published?",
        true + noise,
        f"Yes, {true} {'+' if noise >= 0 else '−'} {abs(noise)} = {true + noise}.",
        "Not yet. Find the first noise whose end is above the cell key, and add it to the count.",
        (
            (true, "That is the true count. Here the noise is not 0."),
            (true - noise, "You took the noise away. It is added."),
            (noise, "That is the noise. Add it to the count."),
        ),
    )


@ends(4)
def _ptable(rng: np.random.Generator) -> Task:
    half = int(rng.integers(10, 45))
    steps = np.array([-2, -1, 0, 1, 2])
    return Task(
        "Make a row of a p-table: type how many of 100 cell keys get each noise. The noise must be right on average, "
        f"and have the variance {2 * half / 100:g}.",
        row(np.array([0, 0, 100, 0, 0]), ["Cell keys"], ["−2", "−1", "0", "+1", "+2"]),
        np.array([0, half, 100 - 2 * half, half, 0]),
        {
            "keys": np.sum,
            "mean": lambda G: (steps * G).sum() / G.sum(),
            "variance": lambda G: (steps**2 * G).sum() / G.sum() - ((steps * G).sum() / G.sum()) ** 2,
        },
        ("keys = 100", "mean = 0", f"variance = {2 * half / 100:g}"),
    )


@ends(5)
def _expected(rng: np.random.Generator) -> NumberQuestion:
    F, a = rng.integers(2, 20, 4), float(rng.choice([0.1, 0.2, 0.3]))
    channel = np.where(np.eye(4) > 0, 1 - a, a / 3)
    after = float((F @ channel)[0])
    return NumberQuestion(
        f"{row_text(F)} people have the jobs A to D. PRAM keeps a job with the chance {1 - a:g}, and "
        f"makes it each of the three others with the chance {a:g}/3. How many people are expected in A?",
        after,
        f"Yes, {F[0]} · {1 - a:g} + {F[1:].sum()} · {a:g}/3 = {after:.4g}.",
        "Not yet. Add those of A who stay and those of the other jobs who come.",
        (
            (F[0] * (1 - a), "You forgot those who come to A from other jobs."),
            (F[0] * (1 - a) + F[1:].sum() * a, "Only one third of those who leave another job come to A."),
        ),
        tolerance=0.011,
    )


@ends(5)
def _same(rng: np.random.Generator) -> NumberQuestion:
    F, a = rng.integers(1, 12, 4), float(rng.choice([0.2, 0.4, 0.6]))
    N = F.sum()
    channel = (1 - a) * np.eye(4) + a * F / N
    stay = float(channel[0, 0])
    return NumberQuestion(
        f"{row_text(F)} people have the jobs A to D. With the chance {a:g} an answer is drawn anew, "
        "each person's answer "
        "being as likely as any other. How likely is an answer A to stay A? Type three decimals.",
        stay,
        f"Yes, {1 - a:g} + {a:g} · {F[0]}/{N} = {stay:.4f}, and the counts stay the same on average.",
        "Not yet. It stays if it is not touched, or if A is drawn again.",
        (
            (1 - a, "An answer that is drawn anew may be A again."),
            (1 - a + a / 4, "The four jobs are not equally likely: what is drawn is a person's answer."),
        ),
        tolerance=0.003,
    )


@ends(5)
def _swap(rng: np.random.Generator) -> Task:
    quiet = rng.integers(3, 9, (2, 3))
    i, j = rng.choice(3, 2, replace=False)
    quiet[0, i] = 0
    F = quiet.copy()
    F[0, i] += 1
    F[1, i] -= 1
    F[0, j] -= 1
    F[1, j] += 1
    across, down = F.sum(axis=0), F.sum(axis=1)
    return Task(
        "Somebody has a job that nobody else in their town has. Swap the homes of two people, so that no count is 1. "
        "The totals of towns and jobs stay.",
        row(F, ["Ash", "Birch"]),
        quiet,
        {
            "ones": lambda G: (G == 1).sum(),
            "totals changed": lambda G: (G.sum(axis=0) != across).sum() + (G.sum(axis=1) != down).sum(),
            "people swapped": lambda G: np.abs(G - F).sum() / 2,
        },
        ("ones = 0", "totals changed = 0", "people swapped = 2"),
    )


@ends(6)
def _above(rng: np.random.Generator) -> NumberQuestion:
    base = int(rng.choice([3, 5]))
    small = base * int(rng.integers(4, 30))
    large = small + base * int(rng.integers(1, 4))
    bounds = within_rounding([small, large], base)
    most = int(bounds.upper[1] - bounds.lower[0])
    return NumberQuestion(
        f"Two tables differ by a strip between two boundaries. Rounded to the nearest multiple of {base} they say "
        f"{large} and {small}. How many people may live in the strip, at most?",
        most,
        f"Yes, {bounds.upper[1]:.0f} − {bounds.lower[0]:.0f} = {most}.",
        "Not yet. The larger number may have been rounded down, and the smaller one up.",
        (
            (large - small, "Both are rounded: the true counts may be further apart."),
            (large - small + base // 2, "Only one of them? Both may have been rounded."),
        ),
    )


@ends(6)
def _gap(rng: np.random.Generator) -> NumberQuestion:
    values = int(rng.integers(3, 200))
    risk = float(a_posteriori(([0], [values - 1]))[0])
    return NumberQuestion(
        f"A reader must think of {values} values for a hidden number, each as likely. What is its risk? "
        "Type three decimals.",
        risk,
        f"Yes, 1/log₂ {values} = {risk:.4f}.",
        "Not yet. How many yes/no questions is the number away? One over that.",
        (
            (1 / log(values), "You took ln. Yes/no questions are counted with log₂."),
            (
                1 / values,
                "That is the chance of a guess. The risk is one over the number of yes/no questions.",
            ),
            (risk**-1, "These are the questions. The risk is one over that."),
        ),
        tolerance=0.002,
    )


@ends(6)
def _hide(rng: np.random.Generator) -> Task:
    values = rng.integers(10, 90, (3, 3))
    i, j = rng.integers(0, 3, 2)
    first = np.zeros((3, 3), dtype=np.int64)
    first[i, j] = 1
    square = np.zeros((3, 3), dtype=np.int64)
    square[np.ix_([i, (i + 1) % 3], [j, (j + 1) % 3])] = 1
    areas, cells = [f"Area {k}" for k in (1, 2, 3)], [*"ABC"]

    def computed(gaps: Counts) -> float:
        hidden = gaps > 0
        low, high = np.where(hidden, 0, values), np.where(hidden, values.sum(), values)
        known: dict[tuple[int, ...], Any] = {(k,): (values.sum(axis=1 - k),) * 2 for k in (0, 1)}
        sums = [[int(cell)] for cell in np.flatnonzero(hidden)]
        return float(among_tables((3, 3), known | {(0, 1): (low, high)}, sums).sum()) if sums else 0.0

    return Task(
        f"The totals of the table above are published, and the number of {areas[i]}, {cells[j]} is hidden: a 1 below. "
        "Type more ones, so that no hidden number can be computed. Hide no more than four.",
        row(first, areas, cells),
        square,
        {"gaps computed": computed, "gaps": lambda G: (G > 0).sum(), "first gap": lambda G: G[i, j] > 0},
        ("gaps computed = 0", "gaps <= 4", "first gap = 1"),
        row(values, areas, cells),
    )
