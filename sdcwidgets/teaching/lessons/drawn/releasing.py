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
        f"{people} people are in a cell of a large census. How likely is this cell to be 0 in a sample with the "
        f"fraction {fraction:g}?",
        missed,
        f"Yes, all {people} are missed: {1 - fraction:g} to the power of {people} = {missed:.4f}.",
        "Not yet. Each of them is missed with the same chance, and all of them must be.",
        (
            (1 - fraction, "This is for one person. All of them must be missed."),
            (1 - people * fraction, "Chances are multiplied here, not added."),
            (fraction**people, "This is the chance that all are drawn."),
        ),
    )


@ends(11)
def _stratified(rng: np.random.Generator) -> NumberQuestion:
    areas = rng.integers(1, 12, 4) * 100
    drawn = int(rng.choice([100, 200, 300]))
    share = drawn * areas[0] / areas.sum()
    return NumberQuestion(
        f"Areas A to D have {row_text(areas)} people. Of {drawn} people who are drawn, each area gets its share. "
        "How many are drawn in A? One decimal is enough.",
        float(share),
        f"Yes, {drawn} · {areas[0]}/{areas.sum()} = {share:.1f}.",
        "Not yet. The sampling fraction is the same in each area.",
        (
            (drawn / 4, "This is the same number for each area. Large areas get more."),
            (
                float(drawn * areas[0] / areas[1:].sum()),
                "You divided by the other areas. A is one of all four.",
            ),
        ),
        tolerance=0.06,
    )


@ends(11)
def _sample(rng: np.random.Generator) -> Task:
    sample = rng.choice([0, 2, 3, 4], 5)
    F = sample + rng.integers(0, 4, 5)
    return Task(
        f"The row {row_text(F)} is a population. Draw a sample of {sample.sum()} people by hand, in "
        "which nobody is alone in a cell.",
        row(F),
        sample,
        {"people": np.sum, "uniques": lambda f: (f == 1).sum(), "too many": lambda f: (f > F).sum()},
        (f"people = {sample.sum()}", "uniques = 0", "too many = 0"),
    )


@ends(12)
def _main_effects(rng: np.random.Generator) -> NumberQuestion:
    f = rng.integers(0, 9, (2, 2)) + np.array([[1, 0], [0, 1]])
    n, across, down = f.sum(), f[0].sum(), f[:, 1].sum()
    expected = float(_expected(f)[0, 1])
    return NumberQuestion(
        f"A sample has the rows {row_text(f[0])} and {row_text(f[1])}. What does a model of main "
        "effects expect in the first row, second column?",
        expected,
        f"Yes, {across} · {down} / {n} = {expected:.4g}.",
        "Not yet. Multiply the totals of the row and of the column, and divide by all people.",
        (
            (float(f[0, 1]), "This is what the sample has. The model knows the totals only."),
            (float(n / 4), "This spreads all people evenly. The totals are not alike."),
            (float(across * down), "Divide by the number of people, n."),
        ),
        tolerance=0.006,
    )


@ends(12)
def _urn(rng: np.random.Generator) -> NumberQuestion:
    coloured, black, draws = (int(rng.integers(*ends)) for ends in ((3, 15), (1, 4), (1, 6)))
    chance = black / (coloured + black + draws)
    return NumberQuestion(
        f"A Pólya urn holds {coloured} coloured balls and {black} black. {draws} times a ball was drawn, put back, and "
        "a coloured one added. How likely is the next one to be black? Type three decimals.",
        chance,
        f"Yes, {black} of {coloured + black + draws} balls.",
        "Not yet. How many balls are there now, and how many are black?",
        (
            (black / (coloured + black), "You forgot the balls that were added."),
            (black / (coloured + draws), "The black balls are in the urn, too."),
        ),
        tolerance=0.003,
    )


@ends(12)
def _unseen(rng: np.random.Generator) -> Task:
    n = int(rng.integers(12, 40))
    f = np.array([[0, n // 2], [n - n // 2, 0]])
    start = np.array([[0, 2], [2, n - 4]])
    limit = np.floor(8 * float(_expected(f + np.diag([0, 1]))[0, 0])) / 10
    return Task(
        f"Type a sample of {n} people with nobody in the first cell, where a model of main effects expects more than "
        f"{limit:g} people there.",
        row(start, ["Area 1", "Area 2"]),
        f,
        {"people": np.sum, "sampled": lambda f: f[0, 0], "expected": lambda f: float(_expected(f)[0, 0])},
        (f"people = {n}", "sampled = 0", f"expected > {limit:g}"),
    )


@ends(13)
def _matches(rng: np.random.Generator) -> NumberQuestion:
    f = rng.choice([1, 1, 2, 3], 5)
    F = f + rng.integers(0, 5, 5)
    unique = f == 1
    expected = float(tau2(f, F))
    return NumberQuestion(
        f"Five keys have {row_text(f)} records in the file, and {row_text(F)} people in the "
        "population. How large is τ₂?",
        expected,
        f"Yes, one over F for each key with f = 1: {expected:.4f}.",
        "Not yet. Look at the keys with one record only, and add one over F for each.",
        (
            (float((1 / F).sum()), "You took all keys. Only those that are unique in the file count."),
            (float((F[unique] == 1).sum()), "This is τ₁, the uniques of both. τ₂ counts lucky guesses, too."),
            (
                float(unique.sum()),
                "These are the uniques of the file. Most of them have doubles in the population.",
            ),
        ),
    )


@ends(13)
def _anonymous(rng: np.random.Generator) -> NumberQuestion:
    f, k = np.sort(rng.integers(1, 7, 6)), int(rng.integers(2, 6))
    below = f < k
    return NumberQuestion(
        f"Six keys have {row_text(f)} records. How many records are not {k}-anonymous?",
        int(f[below].sum()),
        f"Yes, those of the keys with fewer than {k} records.",
        f"Not yet. Add up the records of each key that has fewer than {k}.",
        (
            (int(below.sum()), "These are the keys. Each of them has f records."),
            (int(f[f <= k].sum()), f"A key with {k} records is {k}-anonymous."),
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
    return Task(
        f"These are the records of six age classes. Recode: move the records of a class to the one beside it, so that "
        f"every class with records has {k} or more. Move as few as you can.",
        row(f, ["Records"], [f"{10 * age}–{10 * age + 9}" for age in range(2, 8)]),
        joined,
        {
            "records": np.sum,
            "below k": lambda G: (G[G > 0] < k).sum(),
            "classes joined": lambda G: (G == 0).sum() == 1 == (f < G).sum(),
            "moved": lambda G: float(np.abs(np.cumsum(G - f)).sum()),
        },
        ("below k = 0", "classes joined = 1", f"records = {f.sum()}", f"moved <= {f[small]}"),
    )


@ends(14)
def _averaged(rng: np.random.Generator) -> NumberQuestion:
    variance, pairs = float(rng.integers(1, 9)), 10 * int(rng.integers(1, 11))
    error = sqrt(2 * variance / pairs)
    return NumberQuestion(
        f"Each number of a table has noise of its own, with the variance {variance:g}. A user takes the mean of "
        f"{pairs} differences of two such numbers. How large is its error, as a standard deviation?",
        error,
        f"Yes, the root of 2 · {variance:g}/{pairs} is {error:.4f}.",
        "Not yet. The variance of a difference is the sum of both; that of a mean is divided by how many there are.",
        (
            (sqrt(variance / pairs), "Both numbers of a difference have noise: the variances add."),
            (2 * variance / pairs, "This is the variance. Take the root."),
            (sqrt(2 * variance) / pairs, "The variance is divided by the number, so the error by its root."),
        ),
    )


@ends(14)
def _rule(rng: np.random.Generator) -> NumberQuestion:
    F = rng.choice([0, 0, 1, 2, 5, 8, 13, 40], 10)
    small, populated = float(small_cells(F)), int((F > 0).sum())
    return NumberQuestion(
        f"A user asks for the table {row_text(F)}. One rule looks at the share of its cells that hold "
        "one or two people. How large is it?",
        small,
        f"Yes, {small * 10:.0f} of 10 cells; and the mean cell size, which another rule looks at, is "
        f"{float(mean_cell_size(F)):g}.",
        "Not yet. Count the cells with 1 or 2, and divide by the number of all cells.",
        (
            (
                small * 10 / populated if populated else -1.0,
                "You forgot the zeros: empty cells are cells, too.",
            ),
            (float((F == 1).mean()), "Only ones? Twos are small, too."),
        ),
    )


@ends(14)
def _three(rng: np.random.Generator) -> Task:
    people = np.array([*rng.integers(20, 60, (2, 2)), rng.permutation([0, 1])])
    released = np.array([people.sum(axis=0), people[0], people[1]])
    start = people.copy()
    start[2] = 0
    areas = ["N", "S", "W"]
    return Task(
        "Three exact tables were released, above: everybody, the people of N, and those of S. Nobody released W. "
        "Type below what a reader knows of W.",
        row(start, areas, ["Women", "Men"]),
        people,
        {"numbers that do not fit": lambda G: (np.array([G.sum(axis=0), G[0], G[1]]) != released).sum()},
        ("numbers that do not fit = 0",),
        row(released, ["Everybody", *areas[:2]], ["Women", "Men"]),
    )
