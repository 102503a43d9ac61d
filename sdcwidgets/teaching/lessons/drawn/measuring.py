"""Exercises on measures: entropy, risk, information loss and residual uncertainty."""

from collections.abc import Callable
from math import log, sqrt

import numpy as np

from sdcwidgets.core.assignment import count, expected_channel
from sdcwidgets.core.information import conditional_entropy, entropy
from sdcwidgets.core.risk.population import r1, r2, terms, terms_after
from sdcwidgets.core.utility import hellinger, utility
from sdcwidgets.teaching.lessons.drawn import Counts, Task, ends, row, row_text
from sdcwidgets.teaching.lessons.exercise import NumberQuestion


def _counts(rng: np.random.Generator, cells: int = 4, zeros: int = 1) -> Counts:
    """Return counts of 1 to 12, of which `zeros` are 0."""
    counts = rng.integers(1, 13, cells)
    counts[rng.choice(cells, zeros, replace=False)] = 0
    return counts


def _moved(start: Counts) -> Callable[[Counts], float]:
    """Return a function that computes the number of people who moved from the cells at the start."""

    def moved(counts: Counts) -> float:
        return float(np.abs(counts - start).sum() / 2)

    return moved


def _loss(original: Counts) -> Callable[[Counts], float]:
    """Return a function that computes the information loss HD of a published row."""

    def loss(published: Counts) -> float:
        return float(hellinger(original, published))

    return loss


@ends(1)
def _entropy(rng: np.random.Generator) -> NumberQuestion:
    F = _counts(rng)
    H = float(entropy(F))
    return NumberQuestion(
        f"How large is the entropy H, in nats, of the row {row_text(F)}?",
        H,
        f"Yes, {H:.4f}. The empty cell adds nothing.",
        "Not yet. For each cell with people, compute its share p times log (1/p). Add the results.",
        (
            (
                H / log(2),
                "You used log₂, which gives the entropy in bits. Use the natural logarithm, the key ln, for "
                "nats.",
            ),
            (
                H / log(10),
                "You used the key log, which has base 10. H is in nats, so use the natural "
                "logarithm, the key ln.",
            ),
        ),
    )


@ends(1)
def _guess(rng: np.random.Generator) -> NumberQuestion:
    F = _counts(rng, 5, 2)
    N, largest = int(F.sum()), int(F.max())
    return NumberQuestion(
        f"A person is in one of the cells of the row {row_text(F)}. What is the probability that your best guess "
        "of the cell is correct?",
        largest / N,
        f"Yes, {largest} of the {N} people are in the largest cell: {largest / N:.4f}.",
        "Not yet. Guess the cell with most people, and divide its count by the number of all people.",
        (
            (
                1 / 5,
                "You used the number of cells. The guess is better, because the cells have different counts.",
            ),
            (
                1 / 3,
                "You used the number of cells with people. The guess is better, because these cells have different "
                "counts.",
            ),
        ),
    )


@ends(1)
def _uncertain(rng: np.random.Generator) -> Task:
    F = _counts(rng, 4, 2) + np.array([9, 0, 0, 0])
    N = int(F.sum())
    even = np.full(4, N // 4)
    even[: N % 4] += 1
    limit = np.floor(50 * float(entropy(F) + entropy(even))) / 100

    def left(G: Counts) -> float:
        return float(entropy(G))

    return Task(
        f"Move people between cells until the entropy H of this row is above {limit:g}. Keep the total of {N} people.",
        row(F),
        even,
        {"entropy": left, "people": np.sum},
        (f"entropy > {limit:g}", f"people = {N}"),
    )


@ends(1.5)
def _unevenness(rng: np.random.Generator) -> NumberQuestion:
    F = _counts(rng, 5, 2)
    H, x = float(entropy(F)), float(terms(F)[1])
    return NumberQuestion(
        f"The row {row_text(F)} has H = {H:.4f}. How much is the unevenness, 1 − H / log K?",
        x,
        f"Yes, 1 − {H:.4f}/{log(5):.4f} = {x:.4f}.",
        "Not yet. Divide H by log K, where K is the number of cells, and subtract the result from 1.",
        (
            (
                1 - H / log(3),
                "You did not count the empty cells. The number of cells K includes empty cells, so K is 5.",
            ),
            (1 - H / log(F.sum()), "You used N, the number of people, instead of K, the number of cells."),
            (1 - x, "Your answer is H / log K. The unevenness is 1 minus this result."),
        ),
    )


@ends(1.5)
def _combined(rng: np.random.Generator) -> NumberQuestion:
    F = _counts(rng, 5, 2)
    parts = np.round(terms(F), 4)
    weights = np.array([(0.1, 0.8, 0.1), (0.2, 0.5, 0.3), (0.3, 0.6, 0.1), (0.5, 0.2, 0.3)][rng.integers(4)])
    R = float(weights @ parts)
    zeros, unevenness, size = parts
    first, second, third = weights
    return NumberQuestion(
        f"The row {row_text(F)} has zeros {zeros:.4f}, unevenness {unevenness:.4f} and small size {size:.4f}. The "
        f"weights of these parts are {first:g}, {second:g} and {third:g}. How large is the risk R₁?",
        R,
        f"Yes, {first:g} × {zeros:.4f} + {second:g} × {unevenness:.4f} + {third:g} × {size:.4f} = {R:.4f}.",
        "Not yet. Multiply each part by its weight, and add the three results.",
        (
            (float(parts.mean()), "You used equal weights. Multiply each part by its own weight."),
            (
                float(parts.sum()),
                "You added the parts without their weights. Multiply each part by its weight first.",
            ),
        ),
    )


@ends(1.5)
def _spread(rng: np.random.Generator) -> Task:
    F = _counts(rng, 4, 2) + np.array([9, 0, 0, 0])
    N = int(F.sum())
    even = np.full(4, N // 4)
    even[: N % 4] += 1
    limit = np.ceil(50 * float(r1(F) + r1(even))) / 100

    def risk(G: Counts) -> float:
        return float(r1(G))

    return Task(
        f"Move people between cells until the risk R₁ of this row is below {limit:g}. Keep "
        f"the total of {N} people.",
        row(F),
        even,
        {"risk": risk, "people": np.sum},
        (f"risk < {limit:g}", f"people = {N}"),
    )


@ends(7)
def _stays(rng: np.random.Generator) -> NumberQuestion:
    F, G = rng.integers(2, 10, (2, 3))
    while not 0 < F.sum() - G[0] - G[1] < F[2]:
        F, G = rng.integers(2, 10, (2, 3))
    G[2] = F.sum() - G[0] - G[1]
    stay = float(expected_channel(F, G)[2, 2])
    return NumberQuestion(
        f"F = {row_text(F)} is published as G = {row_text(G)}, and as many people as possible "
        "stay in their cell. What is the probability that a person in cell C of F is also in "
        "cell C of G?",
        stay,
        f"Yes, {min(F[2], G[2])} of the {F[2]} people of cell C stay: {stay:.4f}.",
        "Not yet. Divide the smaller of the two counts of cell C, before and after protection, by the count "
        "before protection.",
        (
            (
                G[2] / F.sum(),
                "You divided by N, the number of all people. Divide by the original count of cell C.",
            ),
            (
                1 - stay,
                "Your answer is the probability that a person leaves cell C. Subtract this "
                "probability from 1.",
            ),
        ),
    )


@ends(7)
def _ways(rng: np.random.Generator) -> NumberQuestion:
    F, G = (np.bincount(rng.integers(0, 3, 6), minlength=3) for _ in range(2))
    ways = count(F, G)
    return NumberQuestion(
        f"F = {row_text(F)} is published as G = {row_text(G)}. People may have moved between "
        "any cells. How many Y variables, which are assignments of people to published cells, are possible?",
        ways,
        f"Yes, 720 divided by the orders within each published cell is {ways}.",
        "Not yet. Six people can be ordered in 720 ways. Divide 720 by the number of orders within each "
        "published cell.",
        (
            (
                720,
                "Your answer is 6!, the number of orders of six people. Divide 6! by the number of orders "
                "within each published cell.",
            ),
            (
                count(F, G, closest=True),
                "Your answer is the number of Y variables with the fewest moves. The question is "
                "about all Y variables.",
            ),
        ),
    )


@ends(7)
def _clue(rng: np.random.Generator) -> Task:
    F = rng.integers(4, 13, 3)
    moved, N = int(F.min() // 2), int(F.sum())
    G = F + moved * np.array([1, -1, 0])
    limit = np.floor(90 * float(conditional_entropy(F, G))) / 100

    def uncertainty(published: Counts) -> float:
        return float(conditional_entropy(F, published))

    return Task(
        f"The row {row_text(F)} will be published after protection. Move at most {moved} "
        "people, so that the remaining uncertainty of a data user, H(X|Y), is above "
        f"{limit:g}.",
        row(F),
        G,
        {"uncertainty": uncertainty, "moved": _moved(F), "people": np.sum},
        (f"uncertainty > {limit:g}", f"moved <= {moved}", f"people = {N}"),
    )


@ends(8)
def _distance(rng: np.random.Generator) -> NumberQuestion:
    F = _counts(rng, 3)
    G = F + rng.integers(0, 4, 3)
    HD = float(hellinger(F, G))
    return NumberQuestion(
        f"F = {row_text(F)} is published as G = {row_text(G)}. How large is the Hellinger distance HD?",
        HD,
        f"Yes, the root of half of {2 * HD**2:.4f}, the sum of the squares, is {HD:.4f}.",
        "Not yet. Take the square roots of the counts, and square the differences of these roots. Add the "
        "squares, halve the sum, and take the square root.",
        (
            (HD * sqrt(2), "You forgot to halve the sum before you took the square root."),
            (HD**2, "You forgot to take the square root of the halved sum."),
            (
                float(np.abs(F - G).sum()),
                "You used the differences of the counts. HD uses the differences of their square roots.",
            ),
        ),
    )


@ends(8)
def _utility(rng: np.random.Generator) -> NumberQuestion:
    F = _counts(rng, 4)
    G = rng.permutation(F)
    HD, similarity, N = float(hellinger(F, G)), float(utility(F, G)), int(F.sum())
    return NumberQuestion(
        f"A table of 4 cells and {N} people has HD = {HD:.4f}. How large is the utility of the table?",
        similarity,
        f"Yes, 1 − {HD:.4f}/√{N} = {similarity:.4f}.",
        "Not yet. Divide HD by the square root of the number of people, and subtract the result from 1.",
        (
            (1 - HD / N, "You divided by N, the number of people. The maximum of HD is √N, so divide by √N."),
            (
                1 - HD / 2,
                "You divided by √K, with K the number of cells. Divide by √N, with N the number of people.",
            ),
            (
                1 - similarity,
                "Your answer is HD/√N, the information loss as a share of its maximum. The "
                "utility is 1 minus this share.",
            ),
        ),
    )


@ends(8)
def _where(rng: np.random.Generator) -> Task:
    F = np.sort(rng.integers([1, 2, 40, 60], [3, 6, 60, 90]))
    moved = int(rng.integers(3, 7))
    G = F + moved * np.array([0, 0, 1, -1])
    limit = np.ceil(110 * float(hellinger(F, G))) / 100
    return Task(
        f"Move {moved} people of this row to other cells, so that the information loss HD is "
        f"at most {limit:g}.",
        row(F),
        G,
        {"loss": _loss(F), "moved": _moved(F), "people": np.sum},
        (f"loss <= {limit:g}", f"moved = {moved}", f"people = {F.sum()}"),
    )


@ends(9)
def _percent(rng: np.random.Generator) -> NumberQuestion:
    cells, part = int(rng.integers(150, 400)), int(rng.integers(11, 40))
    share = 100 * part / cells
    return NumberQuestion(
        f"A paper reports that {part} of {cells} cells have a count of 1. Which percentage of the cells is "
        f"this? Type two decimals.",
        share,
        f"Yes, {share:.2f} %. With one decimal, the paper must state {share:.1f} %.",
        "Not yet. Divide the number of cells with a count of 1 by the number of all cells, and multiply by "
        "100.",
        (
            (
                100 * part / (cells - part),
                "You divided by the number of cells with other counts. Divide by the number of all cells.",
            ),
            (
                cells / part,
                "You divided the number of all cells by the number of cells with a count of 1. "
                "Divide the other way round.",
            ),
        ),
        tolerance=0.0051,
    )


@ends(9)
def _errors(rng: np.random.Generator) -> NumberQuestion:
    printed, error = round(rng.uniform(0.3, 0.8), 4), round(rng.uniform(0.001, 0.004), 4)
    ours = round(printed + error * rng.uniform(1, 3), 4)
    away = (ours - printed) / error
    return NumberQuestion(
        f"A paper reports the mean {printed:.4f}, and a recomputation gives {ours:.4f}. The "
        f"standard error of each mean is {error:.4f}. By how many standard errors of their "
        "difference do the means differ?",
        away / sqrt(2),
        f"Yes, {away / sqrt(2):.2f}. A difference of up to about 2 standard errors can be random.",
        "Not yet. The standard error of a difference is the square root of the sum of both "
        "squared standard errors.",
        (
            (
                away,
                "You used the standard error of one mean. The standard error of the "
                "difference is √2 times as large.",
            ),
            (
                away / 2,
                "You added the two standard errors. Add their squares instead, which "
                "gives the factor √2, not 2.",
            ),
        ),
        tolerance=0.01,
    )


@ends(9)
def _slip(rng: np.random.Generator) -> Task:
    right = rng.integers(12, 99, (3, 3))
    wrong, (i, j) = right.copy(), rng.integers(0, 3, 2)
    wrong[i, j] = int(str(right[i, j])[::-1])
    down, across = right.sum(axis=1), right.sum(axis=0)

    def nonadditive_totals(counts: Counts) -> float:
        return float((counts.sum(axis=1) != down).sum() + (counts.sum(axis=0) != across).sum())

    def cells_changed(counts: Counts) -> float:
        return float((counts != wrong).sum())

    return Task(
        "This table was copied with its totals, but two digits of one count were exchanged by mistake. "
        "Correct this count.",
        row(
            wrong,
            [
                f"{name}, total {total}"
                for name, total in zip(("Area 1", "Area 2", "Area 3"), down, strict=True)
            ],
            [f"{name}, total {total}" for name, total in zip("ABC", across, strict=True)],
        ),
        right,
        {"nonadditive totals": nonadditive_totals, "cells changed": cells_changed},
        ("nonadditive totals = 0", "cells changed = 1"),
    )


@ends(10)
def _factor(rng: np.random.Generator) -> NumberQuestion:
    F = rng.integers(1, 13, 4)
    G = np.roll(F, 1)
    x, H, remaining = float(terms(F)[1]), float(entropy(F)), float(conditional_entropy(F, G))
    thesis, paper = (float(terms_after(F, G, variant=name)[1]) for name in ("information", "uncertainty"))
    return NumberQuestion(
        f"Before protection x₂ = {x:.4f} and H(X) = {H:.4f}; after it H(X|Y) = {remaining:.4f}. "
        "How large is the second term of R₂ by the formula of the thesis? Type three decimals.",
        thesis,
        f"Yes, {x:.4f} · (1 − {remaining:.4f}/{H:.4f}) = {thesis:.4f}.",
        "Not yet. The thesis multiplies x₂ by 1 − H(X|Y)/H(X).",
        (
            (
                paper,
                "Your answer is the formula of PSD 2014, x₂ · H(X|Y)/H(X). The formula of the thesis "
                "has 1 minus this factor.",
            ),
            (
                x,
                "Your answer is the term before protection. The published row leaves a part of the "
                "uncertainty.",
            ),
        ),
        tolerance=0.0006,
    )


@ends(10)
def _size(rng: np.random.Generator) -> NumberQuestion:
    N = int(rng.integers(4, 60))
    x = float(terms([N, 0])[2])
    return NumberQuestion(
        f"How large is the third term of R₁, h₂(N) = −N^(−½) · log (N^(−½)/e), for N = {N}?",
        x,
        f"Yes, (1 + ½ · log {N})/√{N} = {x:.4f}.",
        "Not yet. First compute N^(−½). Divide this number by e, and take the logarithm of the result.",
        (
            (
                N**-0.5,
                "Your answer is N^(−½) = 1/√N. Multiply it by −log(N^(−½)/e).",
            ),
            ((log(N) / 2) * N**-0.5, "You forgot to divide by e: log (N^(−½)/e) = log N^(−½) − 1."),
            ((1 + log(N)) / N, "You used N^(−1). Use N^(−½), the square root."),
        ),
    )


@ends(10)
def _agree(rng: np.random.Generator) -> Task:
    F = rng.integers(5, 16, 3)

    def psd(G: Counts) -> float:
        return float(r2(F, G))

    def thesis(G: Counts) -> float:
        return float(r2(F, G, variant="uncertainty"))

    def apart(G: Counts) -> float:
        return float(abs(psd(G) - thesis(G)))

    ways = [
        F + times * step
        for times in range(1, 3)
        for step in np.array([[1, -1, 0], [0, 1, -1], [2, -1, -1], [-2, 1, 1]])
    ]
    solution = min(ways, key=apart)
    limit = np.ceil(120 * apart(solution)) / 100
    return Task(
        f"The original counts are F = {row_text(F)}. The table is published unchanged, and the two published formulas "
        "of the residual risk R₂ give different results. Move people in the published table, which is below, until "
        f"the two residual risks differ by at most {limit:g}.",
        row(F, ["Published"]),
        solution,
        {
            "difference": apart,
            "people": np.sum,
            "residual risk of PSD 2014": psd,
            "residual risk of the thesis": thesis,
        },
        (f"difference <= {limit:g}", f"people = {F.sum()}"),
    )
