"""Choose a pattern by a secret, so that a data user who runs the program cannot infer the counts from the pattern.

The cheapest pattern of a table is a function of its counts. A data user who runs the program on every table that fits
the published values keeps the tables that lead to the published pattern; often that is one table (minimality attack).
Here the costs are multiplied by random factors, and in about half of the draws some entries that are not sensitive are
suppressed as if they were (decoys). So many tables lead to the same pattern with some probability. In the others
the costs change little and there is no decoy, so that the median of what is suppressed stays close to the optimum.

In a small table a pattern is drawn again if too few other tables could lead to it (`unhidden`).

References: Wong, Fu, Wang and Pei 2007, Minimality attack in privacy preserving data publishing.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from .._arrays import Flags, Floats
from .problem import Problem

#: Maximum number of entries of a small table. A data user can enumerate the tables that fit a small one.
SMALL = 36

#: Maximum number of draws of a pattern for a small table.
DRAWS = 8

#: Maximum number of other tables that are looked at. A sensitive entry that is not sensitive in such a table must be a
#: decoy there: at most this many, each at most this much above the largest sensitive value, so that decoys are likely.
OTHERS, MOST_DECOYS, NEAR = 60, 2, 2

#: Probability that a pattern has no decoys and is close to the cheapest one: of a small table, and of a large one.
QUIET = (0.45, 0.6)

#: Standard deviation of the logarithm of the random factors of costs without decoys: of a small table, and of a large
#: one; and with decoys.
QUIET_SPREAD, SPREAD = (0.15, 0.1), 0.7

#: Expected number of decoys: this many, and this many for each sensitive entry.
DECOYS, DECOYS_PER_SENSITIVE = 1.5, 0.75

#: Factor of the cost of the dearest entry, the grand total, so that random costs do not suppress it.
DEAREST = 10.0

#: Maximum probability that an entry is a decoy. It falls with this power of the cost: small counts are likely decoys.
MOST_LIKELY, POWER = 0.5, 3.0


def disguised(problem: Problem, secret: int) -> tuple[Problem, Flags]:
    """Return the problem with random costs and decoys, and which entries are decoys.

    A pattern that protects the returned problem also protects the given one.

    Parameters
    ----------
    problem : Problem
    secret : int
        Anybody who knows it can undo what the choice hides. The same secret gives the same result.

    Returns
    -------
    Problem
        Decoys are marked as sensitive, and must keep two values.
    ndarray of bool
    """
    rng, entries = np.random.default_rng(secret), len(problem.values)
    factors, chance = rng.standard_normal(entries), rng.random(entries)
    decoys = np.zeros(entries, dtype=bool)
    large = int(entries > SMALL)
    spread = QUIET_SPREAD[large]
    if rng.random() >= QUIET[large]:
        spread = SPREAD
        possible = problem.usable & ~problem.primary & ~problem.expensive
        likely = np.where(possible, problem.weights**-POWER, 0.0)
        expected = DECOYS + DECOYS_PER_SENSITIVE * problem.primary.sum()
        decoys = chance * likely.sum() < expected * likely
        decoys &= chance < MOST_LIKELY
    weights = problem.weights * np.exp(spread * factors)
    # The number of all people, or the amount of all, is often known from elsewhere.
    weights[problem.weights == problem.weights.max()] *= DEAREST
    return with_decoys(replace(problem, weights=weights), decoys), decoys


def with_decoys(problem: Problem, decoys: Flags) -> Problem:
    """Return the problem with further entries that must be suppressed and keep two values."""
    return replace(problem, primary=problem.primary | decoys, width=np.where(decoys, 1.0, problem.width))


def unhidden(problem: Problem, suppressed: Flags, protects: Callable[[Floats, Flags], Flags | None]) -> int:
    """Return how many sensitive values agree in all tables that are likely to lead to this pattern.

    Parameters
    ----------
    problem : Problem
    suppressed : ndarray of bool
        A pattern that protects it.
    protects : callable
        Called with the values of another table and the pattern; returns the sensitive entries of that table, or None
        if the pattern does not protect them.

    Returns
    -------
    int
    """
    waiting = problem.primary.copy()
    near = problem.values[problem.primary].max(initial=0) + NEAR
    for values in itertools.islice(others(problem, suppressed), OTHERS):
        if not waiting.any():
            break
        if not (waiting & (values != problem.values)).any():
            continue
        sensitive = protects(values, suppressed)
        if sensitive is None or not sensitive.any():
            continue
        decoys = problem.primary & ~sensitive
        if (decoys & problem.expensive).any():
            continue
        if decoys.sum() <= MOST_DECOYS and values[decoys].max(initial=0) <= near:
            waiting &= values == problem.values
    return int(waiting.sum())


def others(problem: Problem, suppressed: Flags) -> Iterator[Floats]:
    """Yield the values of other tables with the same published values, those with small changes first."""
    places = np.flatnonzero(suppressed)
    moves = _moves(np.asarray(problem.relations.matrix[:, places].todense()))
    found: dict[bytes, Floats] = {}
    steps = (-3, -2, -1, 1, 2, 3)
    combined = [step * move for move in moves for step in steps]
    for one, other in itertools.combinations(moves, 2):
        combined += [a * one + b * other for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2)]
    for change in combined:
        values = problem.values.copy()
        values[places] += change
        if (values[places] >= np.maximum(problem.floor[places], 0)).all():
            found[values.tobytes()] = values
    yield from sorted(found.values(), key=lambda values: float(np.abs(values - problem.values).sum()))


def _moves(matrix: Floats) -> list[Floats]:
    """Return whole changes of the suppressed entries that change no sum: a basis by elimination."""
    rows, pivots = matrix.astype(np.float64), list[int]()
    for column in range(rows.shape[1]):
        rest = rows[len(pivots) :, column]
        if not len(rest) or np.abs(rest).max() < 1e-9:
            continue
        at = len(pivots) + int(np.argmax(np.abs(rest)))
        rows[[len(pivots), at]] = rows[[at, len(pivots)]]
        rows[len(pivots)] /= rows[len(pivots), column]
        for row in range(len(rows)):
            if row != len(pivots):
                rows[row] -= rows[row, column] * rows[len(pivots)]
        pivots.append(column)
    moves = []
    for free in sorted(set(range(rows.shape[1])) - set(pivots)):
        move = np.zeros(rows.shape[1])
        move[free] = 1
        move[pivots] = -rows[: len(pivots), free]
        if np.allclose(move, np.rint(move)):
            moves.append(np.rint(move))
    return moves
