"""Exercises on methods: rounding, cell keys, swapping, PRAM and suppression."""

from math import log
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.assessment.search import pareto_front
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
        f"Unbiased random rounding to base {base} is applied to the count {true}. What is the "
        f"probability that {up} is published?",
        chance,
        f"Yes, {true % base} divided by the base {base} is {chance:.4f}.",
        "Not yet. Divide the difference between the count and the next lower multiple of the base by the "
        "base.",
        (
            (
                1 - chance,
                "Your answer is the probability of rounding down to the next lower multiple. The nearer "
                "multiple is more likely.",
            ),
            (
                0.5,
                "If both multiples had the probability ½, the expected published count would differ from "
                "the original count.",
            ),
        ),
    )


@ends(2)
def _behind(rng: np.random.Generator) -> NumberQuestion:
    base, times = int(rng.choice([3, 5, 10])), int(rng.integers(1, 20))
    published = base * times
    chances = _chances("random-rounding", published + 2 * base, base=base)
    behind = int((chances[:, published] > 0).sum())
    return NumberQuestion(
        f"Random rounding to base {base} has published {published}. How many original counts are possible?",
        behind,
        f"Yes, {published - base + 1} to {published + base - 1}.",
        "Not yet. What are the smallest and the largest original count that can be rounded to this number?",
        (
            (
                2 * base + 1,
                f"{published - base} and {published + base} are multiples of {base}, so rounding does not "
                f"change these counts.",
            ),
            (
                base,
                "The original count may be smaller or larger than the published count. Count the "
                "possible values on both sides.",
            ),
            (behind - 1, "The published count itself is also a possible original count."),
        ),
    )


@ends(2)
def _small(rng: np.random.Generator) -> Task:
    F = rng.permutation([1, 2, *rng.integers(0, 3, 2), *rng.integers(10, 30, 2)])
    G = np.where((F == 1) | (F == 2), 3, F)
    limit = np.ceil(110 * float(hellinger(F, G))) / 100

    def small_counts(published: Counts) -> float:
        return float(((published == 1) | (published == 2)).sum())

    def loss(published: Counts) -> float:
        return float(hellinger(F, published))

    return Task(
        f"Change this row until no count is 1 or 2. The information loss HD must be at most {limit:g}.",
        row(F),
        G,
        {"small counts": small_counts, "loss": loss},
        ("small counts = 0", f"loss <= {limit:g}"),
    )


@ends(2.5)
def _true_share(rng: np.random.Generator) -> NumberQuestion:
    F = rng.permutation([1, 1, 2, *rng.integers(0, 3, 3), *rng.integers(5, 30, 2)])
    G = F.copy()
    for cell in rng.choice(8, 4, replace=False):
        G[cell] = max(0, G[cell] + rng.choice([-1, 1]))
    small = (G == 1) | (G == 2)
    while not small.any():
        G[int(rng.integers(8))] = 1
        small = (G == 1) | (G == 2)
    true = int((small & (F == G)).sum())
    share = true / int(small.sum())
    original = int(((F == 1) | (F == 2)).sum())
    return NumberQuestion(
        f"The row F = {row_text(F)} is published as G = {row_text(G)}. How large is DR, the share of the published "
        "ones and twos that are true?",
        share,
        f"Yes, {true} of {int(small.sum())} published ones and twos are true: {share:.4f}.",
        "Not yet. Count the ones and twos of G, and then those of them that F has in the same cell.",
        (
            (true / original, "You divided by the number of ones and twos of F. Divide by those of G."),
            (
                float((F == G).mean()),
                "You compared all cells. DR is about the cells in which a 1 or a 2 is published.",
            ),
        ),
    )


def _settings(rng: np.random.Generator) -> tuple[NDArray[np.float64], NDArray[np.float64], str]:
    """Return the residual risk and the information loss of five settings, and both as text."""
    risk = np.sort(rng.choice(np.arange(180, 232), 5, replace=False))[::-1] / 1000
    loss = np.sort(rng.choice(np.arange(50, 600, 7), 5, replace=False)) / 100
    for _ in range(2):
        first = int(rng.integers(4))
        risk[[first, first + 1]] = risk[[first + 1, first]]
    order = rng.permutation(5)
    risk, loss = risk[order], loss[order]
    words = "; ".join(
        f"{name}: risk {left:.3f}, loss {lost:.2f}"
        for name, left, lost in zip("ABCDE", risk, loss, strict=True)
    )
    return risk, loss, words


@ends(2.5)
def _front(rng: np.random.Generator) -> NumberQuestion:
    risk, loss, words = _settings(rng)
    optimal = int(pareto_front(risk, loss).sum())
    reason = "No setting beats another one."
    if optimal < len(risk):
        reason = "Each other setting has more risk and more loss than one of these."
    return NumberQuestion(
        f"Five settings have these residual risks and information losses. {words}. How many of them are "
        "Pareto-optimal?",
        optimal,
        f"Yes, {optimal}. {reason}",
        "Not yet. Strike out each setting for which another one has less risk and less loss. Count the rest.",
        (
            (
                5 - optimal,
                "You counted the settings that another one beats. Count those that no other one beats.",
            ),
            (1, "A single setting is not best. More than one of them is beaten by no other setting."),
        ),
    )


@ends(2.5)
def _choice(rng: np.random.Generator) -> Task:
    risk, loss, words = _settings(rng)
    T2 = float(np.sort(risk)[int(rng.integers(2, 4))]) + 0.0005
    T3 = float(np.sort(loss)[int(rng.integers(2, 4))])
    right = (pareto_front(risk, loss) & (risk < T2) & (loss <= T3)).astype(np.int64)

    def errors(answers: Counts) -> float:
        return float((answers != right).sum())

    return Task(
        f"Five settings have these residual risks and information losses. {words}. The residual risk must be below "
        f"{T2:.4f}, and the loss at most {T3:.2f}. Type 1 for each Pareto-optimal setting within both limits, and 0 "
        "for each other setting.",
        row(np.ones(5, dtype=np.int64), ["Suitable"]),
        right,
        {"wrong cells": errors},
        ("wrong cells = 0",),
    )


@ends(3)
def _apart(rng: np.random.Generator) -> NumberQuestion:
    F = rng.integers(1, 30, 4)
    nearest = _method("conventional-rounding", base=5).apply
    cells, total = (nearest(row(counts), rng).counts.sum() for counts in (F, np.array([F.sum(), 0])))
    return NumberQuestion(
        f"The row {row_text(F)} and its total {F.sum()} are rounded to the nearest multiple "
        "of 5. What is the difference between the sum of the published cells and the "
        "published total?",
        abs(cells - total),
        f"Yes, the sum of the published cells is {cells}, and the published total is {total}.",
        "Not yet. Round each cell and add the results. Then round the total, and compare both.",
        (
            (abs(cells - F.sum()), "You used the original total. The published total is also rounded."),
            (
                abs(F.sum() - total),
                "Your answer is the rounding error of the total. Round each cell as well.",
            ),
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
        f"Controlled rounding to base {base} allows K = {K} additional multiples on each "
        f"side. The published count is {published}. What is the largest possible original "
        "count?",
        most,
        f"Yes, {published} + {K + 1} · {base} − 1 = {most}.",
        "Not yet. With K additional multiples, the original count differs from the published count by less "
        "than (K + 1) · base.",
        (
            (
                most + 1,
                "Your answer is too large by 1: the original count differs from the published count by less "
                "than (K + 1) · base.",
            ),
            (
                published + base - 1,
                "Your answer is correct for K = 0. Each additional multiple increases the largest possible "
                "original count by the base.",
            ),
            (
                published + K * base - 1,
                "Count K + 1 multiples: the adjacent multiple is always allowed, and K additional multiples "
                "are allowed.",
            ),
        ),
    )


@ends(3)
def _controlled(rng: np.random.Generator) -> Task:
    F = rng.integers(1, 30, 5)
    F[4] += -F.sum() % 5
    low, rest = F // 5 * 5, F % 5
    G = low.copy()
    G[np.argsort(-rest, kind="stable")[: rest.sum() // 5]] += 5

    def unrounded_cells(published: Counts) -> float:
        return float((published % 5 > 0).sum())

    def largest_change(published: Counts) -> float:
        return float(np.abs(published - F).max())

    return Task(
        f"Round each count of the row {row_text(F)} to one of the two nearest multiples of 5, "
        f"so that the sum of the cells remains {F.sum()}.",
        row(F),
        G,
        {"unrounded cells": unrounded_cells, "largest change": largest_change, "people": np.sum},
        ("unrounded cells = 0", "largest change < 5", f"people = {F.sum()}"),
    )


@ends(4)
def _cell_key(rng: np.random.Generator) -> NumberQuestion:
    tenths = rng.integers(1, 10, 3)
    keys, total, key = tenths / 10, tenths.sum() / 10, tenths.sum() % 10 / 10
    return NumberQuestion(
        f"Three people of a cell have the record keys {', '.join(map(str, keys))}. What is the cell key of "
        f"this cell?",
        key,
        f"Yes, the sum of the keys is {total:.1f}, and the fractional part of this sum is {key:.1f}.",
        "Not yet. Add the record keys, and remove the digits before the decimal point.",
        (
            (total, "You forgot to remove the digits before the decimal point."),
            (
                total / 3,
                "Your answer is the mean of the record keys. The cell key is computed from the sum "
                "of the record keys.",
            ),
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
        f"For a count of {true}, the p-table has these noise values, each with its upper limit of the cell key: "
        f"{keys}. The cell key is {key:.3f}. Which count is published?",
        true + noise,
        f"Yes, {true} {'+' if noise >= 0 else '−'} {abs(noise)} = {true + noise}.",
        "Not yet. Find the first noise value whose upper limit is above the cell key, and "
        "add it to the count.",
        (
            (true, "Your answer is the original count. For this cell key, the noise is not 0."),
            (
                true - noise,
                "You subtracted the noise from the original count. Add the noise to the original count.",
            ),
            (noise, "Your answer is the noise. The published count is the original count plus the noise."),
        ),
    )


@ends(4)
def _ptable(rng: np.random.Generator) -> Task:
    half = int(rng.integers(10, 45))
    noise = np.array([-2, -1, 0, 1, 2])

    def mean(keys: Counts) -> float:
        return float((noise * keys).sum() / keys.sum())

    def variance(keys: Counts) -> float:
        return float((noise**2 * keys).sum() / keys.sum() - mean(keys) ** 2)

    return Task(
        "Create a row of a p-table: type how many of 100 cell keys get each noise value. The "
        f"noise must have mean 0 and variance {2 * half / 100:g}.",
        row(np.array([0, 0, 100, 0, 0]), ["Cell keys"], ["−2", "−1", "0", "+1", "+2"]),
        np.array([0, half, 100 - 2 * half, half, 0]),
        {"keys": np.sum, "mean": mean, "variance": variance},
        ("keys = 100", "mean = 0", f"variance = {2 * half / 100:g}"),
    )


@ends(5)
def _expected(rng: np.random.Generator) -> NumberQuestion:
    F, a = rng.integers(2, 20, 4), float(rng.choice([0.1, 0.2, 0.3]))
    channel = np.where(np.eye(4) > 0, 1 - a, a / 3)
    after = float((F @ channel)[0])
    return NumberQuestion(
        f"The counts of the jobs A to D are {row_text(F)}. PRAM keeps a job with probability "
        f"{1 - a:g}, and changes it to each of the three others with probability {a:g}/3. "
        "What is the expected count of job A?",
        after,
        f"Yes, {F[0]} · {1 - a:g} + {F[1:].sum()} · {a:g}/3 = {after:.4g}.",
        "Not yet. Add the expected number of people who keep A and of people who change to A.",
        (
            (F[0] * (1 - a), "You did not count the people who change from other jobs to job A."),
            (
                F[0] * (1 - a) + F[1:].sum() * a,
                "Of the people who leave another job, only one third change to job A.",
            ),
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
        f"The counts of the jobs A to D are {row_text(F)}. With probability {a:g}, a job is "
        "replaced by the job of a person drawn at random. What is the probability that job A remains job A? "
        "Round to three decimals.",
        stay,
        f"Yes, the probability is {1 - a:g} + {a:g} · {F[0]}/{N} = {stay:.4f}. With this "
        "replacement, the expected counts equal the original counts.",
        "Not yet. Job A remains job A if it is not replaced, or if it is replaced by job A.",
        (
            (1 - a, "A person whose job A is replaced may get job A again."),
            (
                1 - a + a / 4,
                "The four jobs are not equally likely, because the method draws a random "
                "person, not a random job.",
            ),
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

    def ones(counts: Counts) -> float:
        return float((counts == 1).sum())

    def totals_changed(counts: Counts) -> float:
        return float((counts.sum(axis=0) != across).sum() + (counts.sum(axis=1) != down).sum())

    def people_swapped(counts: Counts) -> float:
        return float(np.abs(counts - F).sum() / 2)

    return Task(
        "One person has a job that nobody else in the same town has. Swap the towns of two "
        "people, so that no count is 1. The totals of towns and jobs must not change.",
        row(F, ["Ash", "Birch"]),
        quiet,
        {"ones": ones, "totals changed": totals_changed, "people swapped": people_swapped},
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
        "Two tables cover areas that differ by a strip of land. Their counts, rounded to the "
        f"nearest multiple of {base}, are {large} and {small}. What is the maximum number of "
        "people in the strip?",
        most,
        f"Yes, {bounds.upper[1]:.0f} − {bounds.lower[0]:.0f} = {most}.",
        "Not yet. The larger count may have been rounded down, and the smaller count rounded up.",
        (
            (
                large - small,
                "Both counts are rounded, so the original counts may differ by more than the rounded counts.",
            ),
            (large - small + base // 2, "Both counts may have been rounded, not only one of the two."),
        ),
    )


@ends(6)
def _alone(rng: np.random.Generator) -> NumberQuestion:
    strip = rng.permutation([1, *rng.integers(0, 4, 5)])
    F = strip + rng.integers(20, 90, 6)
    unique, total = int((strip == 1).sum()), int(strip.sum())
    return NumberQuestion(
        f"The people of an area are counted in six categories: {row_text(F)}. For new boundaries without a strip of "
        f"land, the counts are {row_text(F - strip)}. In how many categories is exactly one person of the strip?",
        unique,
        f"Yes, the differences are {row_text(strip)}.",
        "Not yet. Subtract the second row from the first, cell by cell. Count the differences of 1.",
        (
            (total, "Your answer is the number of people in the strip. Count the differences of 1."),
            (
                int((strip == 0).sum()),
                "Your answer is the number of categories without people of the strip. Count the differences of 1.",
            ),
            (
                int((strip > 0).sum()),
                "Your answer is the number of categories with people of the strip. Count the differences of 1.",
            ),
        ),
    )


@ends(6)
def _publish_again(rng: np.random.Generator) -> Task:
    strip = rng.permutation([1, 2, 0, *rng.integers(3, 7, 2)])
    F = strip + rng.integers(20, 90, 5)
    start = F - strip
    solution = np.where(strip == 1, F, np.where(strip == 2, F - 3, start))

    def small_differences(counts: Counts) -> float:
        return float(np.isin(F - counts, [1, 2]).sum())

    def counts_above_fixed_row(counts: Counts) -> float:
        return float((counts > F).sum())

    def people_changed(counts: Counts) -> float:
        return float(np.abs(counts - start).sum())

    return Task(
        "The fixed row was published last year. The row below it is for new boundaries, without a strip of land. "
        "Change the new row, so that no difference of the two rows is 1 or 2. Change it by at most 2 people in total, "
        "and let no count be larger than in the fixed row.",
        row(start, ["New boundaries"]),
        solution,
        {
            "small differences": small_differences,
            "counts above fixed row": counts_above_fixed_row,
            "people changed": people_changed,
        },
        ("small differences = 0", "counts above fixed row = 0", "people changed <= 2"),
        row(F, ["Old boundaries"]),
    )


@ends(6.5)
def _rectangle(rng: np.random.Generator) -> NumberQuestion:
    (a, b), (c, d) = rng.integers(1, 60, (2, 2)).tolist()
    bounds = range(max(0, a - d), min(a + b, a + c) + 1)
    values = len(bounds)
    too_small: tuple[tuple[float, str], ...] = ()
    if a > d:
        too_small = ((bounds[-1] + 1, "You started at 0. But x₄ is 0 or more, so x₁ cannot be 0."),)
    return NumberQuestion(
        "Four suppressed cells form a rectangle: x₁ and x₂ in one row, and x₃ and x₄ below them. A data user can "
        f"compute x₁ + x₂ = {a + b}, x₃ + x₄ = {c + d}, x₁ + x₃ = {a + c} and x₂ + x₄ = {b + d}. Each count is 0 or "
        "more. How many values of x₁ are possible?",
        values,
        f"Yes, {bounds[0]} to {bounds[-1]}.",
        "Not yet. x₁ is at most the smaller of its two sums. For the smallest value of x₁, make x₄ as small as "
        "possible.",
        (
            (
                max(a + b, a + c) + 1,
                "You used the larger sum. Neither x₂ nor x₃ can be below 0, so use the smaller sum.",
            ),
            (values - 1, "Count both ends of the interval."),
            *too_small,
        ),
    )


@ends(6.5)
def _gap(rng: np.random.Generator) -> NumberQuestion:
    values = int(rng.integers(3, 200))
    risk = float(a_posteriori(([0], [values - 1]))[0])
    return NumberQuestion(
        f"A suppressed count has {values} possible values, all equally likely. Its risk is 1 "
        "divided by the number of yes/no questions needed to find it. What is this risk? "
        "Type three decimals.",
        risk,
        f"Yes, 1/log₂ {values} = {risk:.4f}.",
        "Not yet. First compute the number of yes/no questions, which is log₂ of the number of possible "
        "values. The risk is 1 divided by this number.",
        (
            (
                1 / log(values),
                "You used the natural logarithm. The number of yes/no questions is log₂ of "
                "the number of possible values.",
            ),
            (
                1 / values,
                "Your answer is the probability of a correct guess. The risk is 1 divided by the "
                "number of yes/no questions.",
            ),
            (
                risk**-1,
                "Your answer is the number of yes/no questions. The risk is 1 divided by this number.",
            ),
        ),
        tolerance=0.002,
    )


@ends(6.5)
def _hide(rng: np.random.Generator) -> Task:
    values = rng.integers(10, 90, (3, 3))
    i, j = rng.integers(0, 3, 2)
    first = np.zeros((3, 3), dtype=np.int64)
    first[i, j] = 1
    square = np.zeros((3, 3), dtype=np.int64)
    square[np.ix_([i, (i + 1) % 3], [j, (j + 1) % 3])] = 1
    areas, cells = [f"Area {k}" for k in (1, 2, 3)], ["A", "B", "C"]

    def computed(gaps: Counts) -> float:
        hidden = gaps > 0
        low, high = np.where(hidden, 0, values), np.where(hidden, values.sum(), values)
        known: dict[tuple[int, ...], Any] = {(k,): (values.sum(axis=1 - k),) * 2 for k in (0, 1)}
        sums = [[int(cell)] for cell in np.flatnonzero(hidden)]
        return float(among_tables((3, 3), known | {(0, 1): (low, high)}, sums).sum()) if sums else 0.0

    def suppressed(marks: Counts) -> float:
        return float((marks > 0).sum())

    def is_first_suppressed(marks: Counts) -> float:
        return float(marks[i, j] > 0)

    return Task(
        f"The upper table has the counts and their totals. All totals are published, and the count of {areas[i]}, "
        f"{cells[j]} is suppressed. It is marked by 1 in the lower table. Suppress further cells by typing 1 there, "
        f"so that no suppressed cell can be recalculated. Suppress at most four cells in total.",
        row(first, areas, cells, "Suppressed"),
        square,
        {
            "recalculable cells": computed,
            "suppressed cells": suppressed,
            "first suppressed cell": is_first_suppressed,
        },
        ("recalculable cells = 0", "suppressed cells <= 4", "first suppressed cell = 1"),
        row(values, areas, cells, "Counts"),
        "To suppress a cell, type 1 and press Enter. Framed 1 = suppressed. Striped 0 = published.",
    )
