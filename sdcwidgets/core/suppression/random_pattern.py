"""Random choice of a pattern by a secret, which prevents inference from the pattern itself.

The cheapest pattern is a function of the counts. A data user can compute it for every table that agrees with
the published values and keep the tables that lead to the published pattern. Often only one table remains
(minimality attack). Here the costs are multiplied by random factors. In about half of the replicates, some
entries that are not sensitive are suppressed as well (decoys). Many tables then lead to the same pattern with
positive probability. In the other replicates the costs change little and there are no decoys, so that the
median suppressed total stays close to the optimum.

For a small table, a pattern is drawn again if too few other tables can lead to it (`unhidden`).

References: Wong, Fu, Wang and Pei 2007, Minimality attack in privacy preserving data publishing.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from .._arrays import Flags, Floats
from .problem import Problem

#: Maximum number of entries of a small table, for which a data user can enumerate the feasible tables.
SMALL = 36

#: Maximum number of draws of a pattern for a small table.
DRAWS = 8

#: Maximum number of other tables to examine. An entry that is sensitive here but not in the other table must be
#: a decoy there. Limits for likely decoys: their number, and their excess over the largest sensitive value.
OTHERS, MOST_DECOYS, NEAR = 60, 2, 2

#: Probability of a pattern without decoys that is close to the cheapest one, for a small and for a large table.
QUIET = (0.45, 0.6)

#: Standard deviation of the logarithm of random cost factors: without decoys (small table, large table), and
#: with decoys.
QUIET_SPREAD, SPREAD = (0.15, 0.1), 0.7

#: Expected number of decoys: constant, and number per sensitive entry.
DECOYS, DECOYS_PER_SENSITIVE = 1.5, 0.75

#: Factor of the cost of the most expensive entry (the grand total), so that it is not suppressed.
DEAREST = 10.0

#: Maximum probability of a decoy, and power of the cost by which it decreases: small counts are likely decoys.
MOST_LIKELY, POWER = 0.5, 3.0


def disguised(problem: Problem, secret: int) -> tuple[Problem, Flags]:
    """Return the problem with random costs and decoys, and a mask of the decoys.

    A pattern that protects the returned problem also protects the given one.

    Parameters
    ----------
    problem : Problem
        Problem with the true costs and sensitive entries.
    secret : int
        Seed of the random choice; anyone who knows it can undo the protection. Equal secrets give equal results.

    Returns
    -------
    Problem
        Problem in which decoys are sensitive and must keep at least two possible values.
    ndarray of bool
        Mask of the decoys.
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
    # The grand total is often known from other sources.
    weights[problem.weights == problem.weights.max()] *= DEAREST
    return with_decoys(replace(problem, weights=weights), decoys), decoys


def with_decoys(problem: Problem, decoys: Flags) -> Problem:
    """Return the problem with decoys: further entries to suppress, with at least two possible values."""
    return replace(problem, primary=problem.primary | decoys, width=np.where(decoys, 1.0, problem.width))


def unhidden(problem: Problem, suppressed: Flags, protects: Callable[[Floats, Flags], Flags | None]) -> int:
    """Count the sensitive values that are equal in all tables that are likely to lead to this pattern.

    Parameters
    ----------
    problem : Problem
        Problem that the pattern protects.
    suppressed : ndarray of bool
        Mask of the suppressed entries.
    protects : callable
        Function of the values of another table and the pattern. It returns the sensitive entries of that table,
        or None if the pattern does not protect them.

    Returns
    -------
    int
        Number of sensitive entries that the examined tables do not vary.
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
    """Yield other tables with the same published values, in ascending order of the change."""
    places = np.flatnonzero(suppressed)
    moves = _moves(np.asarray(problem.relations.matrix[:, places].todense()))
    found: dict[bytes, Floats] = {}
    steps = (-3, -2, -1, 1, 2, 3)
    combined = [step * move for move in moves for step in steps]
    for one, other in itertools.combinations(moves, 2):
        combined += [
            factor * one + other_factor * other
            for factor in (-2, -1, 1, 2)
            for other_factor in (-2, -1, 1, 2)
        ]
    for change in combined:
        values = problem.values.copy()
        values[places] += change
        if (values[places] >= np.maximum(problem.floor[places], 0)).all():
            found[values.tobytes()] = values
    yield from sorted(found.values(), key=lambda values: float(np.abs(values - problem.values).sum()))


def _moves(matrix: Floats) -> list[Floats]:
    """Return a basis of integer changes of the suppressed entries that keep all sums, by elimination."""
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
