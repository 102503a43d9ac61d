"""Exercises on samples, microdata and table generators."""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.core.estimate.loglinear import fit_loglinear
from sdcwidgets.core.risk.census import mean_cell_size, small_cells
from sdcwidgets.core.risk.sample import tau2
from sdcwidgets.teaching.lessons.drawn import Counts, Task, ends, row, row_text
from sdcwidgets.teaching.lessons.exercise import NumberQuestion


def _expected(sample: Counts) -> NDArray[np.float64]:
    """Return the expected counts of a main-effects model; 0 for undefined cells."""
    return fit_loglinear(sample, [(0,), (1,)]).expected


@ends(11)
def _missed(rng: np.random.Generator) -> NumberQuestion:
    people, fraction = int(rng.integers(2, 6)), int(rng.integers(2, 16)) / 50
    missed = (1 - fraction) ** people
    return NumberQuestion(
        f"A cell of a large census has {people} people. What is the probability that this "
        f"cell is 0 in a sample with the sampling fraction {fraction:g}?",
        missed,
        f"Yes, the probability that none of the {people} people is sampled: {1 - fraction:g} to the power of "
        f"{people} = {missed:.4f}.",
        "Not yet. Take the probability that one person is not sampled, and multiply it by itself once for "
        "each person in the cell.",
        (
            (
                1 - fraction,
                "Your answer is the probability that one person is not sampled. For a sample count of 0, no "
                "person of the cell may be sampled.",
            ),
            (
                1 - people * fraction,
                "You added the probabilities that the people are not sampled. Multiply these probabilities.",
            ),
            (fraction**people, "Your answer is the probability that all people of the cell are sampled."),
        ),
    )


@ends(11)
def _stratified(rng: np.random.Generator) -> NumberQuestion:
    areas = rng.integers(1, 12, 4) * 100
    drawn = int(rng.choice([100, 200, 300]))
    share = drawn * areas[0] / areas.sum()
    return NumberQuestion(
        f"Areas A to D have {row_text(areas)} people. A sample of {drawn} people is allocated "
        "in proportion to the areas. How many people of area A are sampled? Type one decimal.",
        float(share),
        f"Yes, {drawn} · {areas[0]}/{areas.sum()} = {share:.1f}.",
        "Not yet. The sampling fraction is the same in each area.",
        (
            (
                drawn / 4,
                "Your answer is the number for equal sample sizes. In proportional allocation, more people "
                "are sampled in larger areas.",
            ),
            (
                float(drawn * areas[0] / areas[1:].sum()),
                "You divided by the number of people in the other areas. Divide by the number of people in "
                "all four areas.",
            ),
        ),
        tolerance=0.06,
    )


@ends(11)
def _sample(rng: np.random.Generator) -> Task:
    sample = rng.choice([0, 2, 3, 4], 5)
    F = sample + rng.integers(0, 4, 5)

    def uniques(f: Counts) -> float:
        return float((f == 1).sum())

    def cells_above_population(f: Counts) -> float:
        return float((f > F).sum())

    return Task(
        f"The row {row_text(F)} is a population. Choose a sample of {sample.sum()} people by "
        "hand, in which no cell has exactly one person.",
        row(F),
        sample,
        {
            "people": np.sum,
            "uniques": uniques,
            "cells with more people in the sample than in the population": cells_above_population,
        },
        (
            f"people = {sample.sum()}",
            "uniques = 0",
            "cells with more people in the sample than in the population = 0",
        ),
    )


@ends(12)
def _main_effects(rng: np.random.Generator) -> NumberQuestion:
    f = rng.integers(0, 9, (2, 2)) + np.array([[1, 0], [0, 1]])
    n, across, down = f.sum(), f[0].sum(), f[:, 1].sum()
    expected = float(_expected(f)[0, 1])
    return NumberQuestion(
        f"A sample has the rows {row_text(f[0])} and {row_text(f[1])}. Which count does a "
        "main-effects model expect in the first row, second column?",
        expected,
        f"Yes, {across} · {down} / {n} = {expected:.4g}.",
        "Not yet. Multiply the total of the row by the total of the column, and divide by the number of all "
        "people.",
        (
            (
                float(f[0, 1]),
                "Your answer is the count of this cell in the sample. The model uses only the "
                "totals of rows and columns.",
            ),
            (
                float(n / 4),
                "Your answer is the count if all cells had the same count. The totals of rows and columns "
                "differ.",
            ),
            (
                float(across * down),
                "Divide the product of the totals by n, the number of people in the sample.",
            ),
        ),
        tolerance=0.006,
    )


@ends(12)
def _urn(rng: np.random.Generator) -> NumberQuestion:
    coloured, black, draws = (int(rng.integers(*ends)) for ends in ((3, 15), (1, 4), (1, 6)))
    chance = black / (coloured + black + draws)
    return NumberQuestion(
        f"A Pólya urn contains {coloured} coloured and {black} black balls. {draws} times, a ball was drawn "
        f"and put back together with one additional coloured ball. What is the probability "
        "that the next ball is black? Type three decimals.",
        chance,
        f"Yes, {black} of {coloured + black + draws} balls.",
        "Not yet. How many balls does the urn now contain, and how many of these balls are black?",
        (
            (black / (coloured + black), "You forgot the balls that were added to the urn."),
            (black / (coloured + draws), "You forgot that the black balls are also in the urn."),
        ),
        tolerance=0.003,
    )


@ends(12)
def _unseen(rng: np.random.Generator) -> Task:
    n = int(rng.integers(12, 40))
    f = np.array([[0, n // 2], [n - n // 2, 0]])
    start = np.array([[0, 2], [2, n - 4]])
    limit = np.floor(8 * float(_expected(f + np.diag([0, 1]))[0, 0])) / 10

    def sampled(sample: Counts) -> float:
        return float(sample[0, 0])

    def expected(sample: Counts) -> float:
        return float(_expected(sample)[0, 0])

    return Task(
        f"Type a sample of {n} people with a zero in the first cell, for which a main-effects "
        f"model expects more than {limit:g} people in that cell.",
        row(start, ["Area 1", "Area 2"]),
        f,
        {"people": np.sum, "sampled": sampled, "expected": expected},
        (f"people = {n}", "sampled = 0", f"expected > {limit:g}"),
    )


@ends(13)
def _matches(rng: np.random.Generator) -> NumberQuestion:
    f = rng.choice([1, 1, 2, 3], 5)
    F = f + rng.integers(0, 5, 5)
    unique = f == 1
    expected = float(tau2(f, F))
    return NumberQuestion(
        f"Five combinations of key values have {row_text(f)} records in the file, and "
        f"{row_text(F)} people in the population. How large is τ₂?",
        expected,
        f"Yes, the sum of 1/F over the combinations with f = 1 is {expected:.4f}.",
        "Not yet. For each combination with one record in the file, add 1/F, where F is the number of "
        "people in the population.",
        (
            (
                float((1 / F).sum()),
                "You used all combinations. Use only combinations with one record in the file.",
            ),
            (
                float((F[unique] == 1).sum()),
                "Your answer is τ₁, the number of sample uniques that are also population uniques. τ₂ is "
                "the expected number of correct matches, including correct guesses.",
            ),
            (
                float(unique.sum()),
                "Your answer is the number of records that are unique in the file. Most of them are "
                "not unique in the population.",
            ),
        ),
    )


@ends(13)
def _anonymous(rng: np.random.Generator) -> NumberQuestion:
    f, k = np.sort(rng.integers(1, 7, 6)), int(rng.integers(2, 6))
    below = f < k
    return NumberQuestion(
        f"Six combinations of key values have {row_text(f)} records. How many records are not {k}-anonymous?",
        int(f[below].sum()),
        f"Yes, the answer is the number of records in all combinations with fewer than {k} records.",
        f"Not yet. Add the numbers of records of all combinations with fewer than {k} records.",
        (
            (
                int(below.sum()),
                "Your answer is the number of combinations. The question asks for the number of records in "
                "these combinations.",
            ),
            (int(f[f <= k].sum()), f"A combination with {k} records is {k}-anonymous."),
        ),
    )


@ends(13)
def _recode(rng: np.random.Generator) -> Task:
    k = int(rng.integers(3, 6))
    f = rng.integers(k, 4 * k, 6)
    small = int(rng.integers(1, 5))
    f[small] = rng.integers(1, k)
    joined = f.copy()
    joined[small - 1] += joined[small]
    joined[small] = 0

    def below_k(counts: Counts) -> float:
        return float((counts[counts > 0] < k).sum())

    def classes_merged(counts: Counts) -> float:
        return float((counts == 0).sum() == 1 == (f < counts).sum())

    def moved(counts: Counts) -> float:
        return float(np.abs(np.cumsum(counts - f)).sum())

    return Task(
        "The row has the numbers of records of six age classes. Merge one class with a "
        f"neighbouring class, so that every class with records has at least {k}. Move as few "
        "records as possible.",
        row(f, ["Records"], [f"{10 * age}–{10 * age + 9}" for age in range(2, 8)]),
        joined,
        {
            "records": np.sum,
            "below k": below_k,
            "classes merged": classes_merged,
            "moved": moved,
        },
        ("below k = 0", "classes merged = 1", f"records = {f.sum()}", f"moved <= {f[small]}"),
    )


@ends(14)
def _averaged(rng: np.random.Generator) -> NumberQuestion:
    variance, pairs = float(rng.integers(1, 9)), 10 * int(rng.integers(1, 11))
    error = sqrt(2 * variance / pairs)
    return NumberQuestion(
        f"Each count of a table has independent noise with variance {variance:g}. A user "
        f"computes the mean of {pairs} differences between two such counts. What is the "
        "standard deviation of this mean?",
        error,
        f"Yes, the square root of 2 · {variance:g}/{pairs} is {error:.4f}.",
        "Not yet. The variance of a difference is the sum of both variances. The variance of "
        "a mean is divided by the number of differences.",
        (
            (
                sqrt(variance / pairs),
                "Both counts of a difference have noise, so the variance of the "
                "difference is the sum of the two variances.",
            ),
            (
                2 * variance / pairs,
                "Your answer is the variance of the mean. The standard deviation is the "
                "square root of this variance.",
            ),
            (
                sqrt(2 * variance) / pairs,
                "The variance is divided by the number of differences, so the standard deviation is divided "
                "by the square root of this number.",
            ),
        ),
    )


@ends(14)
def _rule(rng: np.random.Generator) -> NumberQuestion:
    F = rng.choice([0, 0, 1, 2, 5, 8, 13, 40], 10)
    small, populated = float(small_cells(F)), int((F > 0).sum())
    return NumberQuestion(
        f"A user requests the table {row_text(F)}. One rule limits the share of cells with a "
        "count of 1 or 2. How large is this share?",
        small,
        f"Yes, {small * 10:.0f} of 10 cells. Another rule limits the mean cell size, which is "
        f"{float(mean_cell_size(F)):g}.",
        "Not yet. Count the cells with a count of 1 or 2, and divide by the number of all cells.",
        (
            (
                small * 10 / populated if populated else -1.0,
                "You did not count the empty cells. The number of all cells includes empty cells.",
            ),
            (
                float((F == 1).mean()),
                "You counted only the cells with a count of 1. Cells with a count of 2 are also small cells.",
            ),
        ),
    )


@ends(14)
def _three(rng: np.random.Generator) -> Task:
    people = np.vstack([rng.integers(20, 60, (2, 2)), rng.permutation([0, 1])])
    released = np.array([people.sum(axis=0), people[0], people[1]])
    start = people.copy()
    start[2] = 0
    areas = ["N", "S", "W"]

    def wrong_counts(counts: Counts) -> float:
        return float((np.array([counts.sum(axis=0), counts[0], counts[1]]) != released).sum())

    return Task(
        "The fixed table shows three released tables with exact counts: of all people, of "
        "area N and of area S. Area W was not released. Type the counts of W that a data "
        "user can compute.",
        row(start, areas, ["Women", "Men"]),
        people,
        {"wrong counts": wrong_counts},
        ("wrong counts = 0",),
        row(released, ["Everybody", *areas[:2]], ["Women", "Men"]),
    )


@ends(14.5)
def _mean_utility(rng: np.random.Generator) -> NumberQuestion:
    requests = int(rng.integers(8, 21))
    released = int(rng.integers(requests // 2, requests - 1))
    utility = int(rng.integers(60, 96)) / 100
    mean = released / requests * utility
    return NumberQuestion(
        f"A policy releases {released} of {requests} requested tables. The mean utility of the released tables is "
        f"{utility:g}. A refused table has the utility 0. What is the mean utility of all requested tables?",
        mean,
        f"Yes, {released}/{requests} · {utility:g} = {mean:.4f}.",
        "Not yet. Add the utilities of all requested tables, and divide by the number of requests.",
        (
            (utility, "Your answer is the mean of the released tables. Refused tables have the utility 0."),
            (
                released / requests,
                "Your answer is the share of released tables. Multiply it by their utility.",
            ),
        ),
    )


@ends(14.5)
def _possible_totals(rng: np.random.Generator) -> NumberQuestion:
    D = int(rng.integers(2, 6))
    true = rng.integers(D + 1, 20, 2)
    cells = true + rng.integers(0, D + 1, 2)
    total = int(true.sum()) - int(rng.integers(0, D + 1))
    low, high = max(total - D, int(cells.sum()) - 2 * D), min(total + D, int(cells.sum()) + 2 * D)
    return NumberQuestion(
        f"Each published count differs from its original count by at most D = {D}. Two cells are published as "
        f"{cells[0]} and {cells[1]}, and their total as {total}. How many original totals are possible?",
        high - low + 1,
        f"Yes, the totals from {low} to {high}.",
        "Not yet. The total lies between its published count minus D and plus D. Each cell does so, too.",
        (
            (2 * D + 1, "You used the published total only. The published cells also limit the total."),
            (4 * D + 1, "You used the published cells only. The published total also limits the total."),
            (high - low, "You did not count both ends. From 3 to 5, there are 3 numbers."),
        ),
    )


@ends(14.5)
def _only_counts(rng: np.random.Generator) -> Task:
    D = int(rng.integers(2, 6))
    true = rng.integers(D + 1, 30, 2)
    released = np.array([*(true + D), true.sum() - D])

    def broken_limits(counts: Counts) -> float:
        every = np.array([*counts, counts.sum()])
        return float((np.abs(every - released) > D).sum())

    return Task(
        f"The fixed table has two published counts and their published total. Each of the three numbers differs from "
        f"its original count by at most D = {D}. Only one pair of original counts is possible. Type this pair.",
        row(released[:2]),
        true,
        {"broken limits": broken_limits},
        ("broken limits = 0",),
        row(released, columns=["A", "B", "Total"]),
    )


@ends(15)
def _mean_of_occurring(rng: np.random.Generator) -> NumberQuestion:
    F = rng.permutation(
        np.concatenate([rng.integers(1, 15, 5), np.zeros(int(rng.integers(1, 4)), dtype=int)])
    )
    mean = F.sum() / (F > 0).sum()
    return NumberQuestion(
        f"The keys of a full crossing have {row_text(F)} people in the population. A model with a constant only is "
        "fitted to the occurring cells of the population. How many people does it expect in each of them?",
        float(mean),
        f"Yes, {F.sum()} people in {(F > 0).sum()} occurring cells: {mean:.4g}.",
        "Not yet. Divide the number of people by the number of cells that are not empty.",
        (
            (
                float(F.mean()),
                "Your answer is the mean of all cells of the full crossing. The empty cells do not occur.",
            ),
            (float(F.sum()), "Your answer is the number of people. Divide by the number of occurring cells."),
        ),
    )


@ends(15)
def _coefficients(rng: np.random.Generator) -> NumberQuestion:
    regions, ages = int(rng.integers(3, 13)), int(rng.integers(20, 100))
    numeric = 1 + (regions - 1) + 1
    return NumberQuestion(
        f"A main-effects model has a constant, a region with {regions} categories and an age with {ages} values. "
        "Age enters as a number. How many parameters does the model have?",
        numeric,
        f"Yes: 1 for the constant, {regions - 1} for the region and 1 for the age.",
        "Not yet. Add 1 for the constant, one for each category of the region except one, and the coefficient "
        "of the age.",
        (
            (
                1 + (regions - 1) + (ages - 1),
                "You counted age as categories. As a number, age has one coefficient.",
            ),
            (numeric - 1, "Your answer has no constant."),
            (numeric + 1, "One category of the region needs no coefficient."),
        ),
    )


@ends(15)
def _same_people(rng: np.random.Generator) -> Task:
    mean, occurring = int(rng.integers(3, 7)), int(rng.integers(3, 5))
    people = mean * occurring
    start = np.zeros(6, dtype=np.int64)
    start[: occurring + 1] = (
        rng.multinomial(people - occurring - 1, np.full(occurring + 1, 1 / (occurring + 1))) + 1
    )
    solution = np.zeros(6, dtype=np.int64)
    solution[: occurring - 1] = (people - 1) // (occurring - 1)
    solution[0] += (people - 1) % (occurring - 1)
    solution[occurring - 1] = 1

    def mean_of_occurring(counts: Counts) -> float:
        return float(counts.sum() / (counts > 0).sum())

    def uniques(counts: Counts) -> float:
        return float((counts == 1).sum())

    return Task(
        f"The row has the numbers of people with six keys. Move people, so that the mean of the occurring "
        f"cells is {mean} and exactly one person is unique. The number of people stays {people}.",
        row(start),
        solution,
        {"people": np.sum, "mean": mean_of_occurring, "uniques": uniques},
        (f"people = {people}", f"mean = {mean}", "uniques = 1"),
    )
