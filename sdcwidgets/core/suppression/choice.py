"""Choose a pattern by a secret, so that a data user who runs the program cannot infer the counts from the pattern.

The cheapest pattern of a table is a function of its counts. A data user who runs the program on every table that fits
the published values keeps the tables that lead to the published pattern; often that is one table (minimality attack).
Here the costs are multiplied by random factors, and in about half of the draws some entries that are not sensitive are
suppressed as if they were (decoys). So many tables lead to the same pattern with some probability. In the others
the costs change little and there is no decoy, so that the median of what is suppressed stays close to the optimum.

References: Wong, Fu, Wang and Pei 2007, Minimality attack in privacy preserving data publishing.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .._arrays import Flags
from .problem import Problem

#: Maximum number of entries of a small table. A data user can enumerate the tables that fit a small one.
SMALL = 36

#: Probability that a pattern has no decoys and is close to the cheapest one: of a small table, and of a large one.
QUIET = (0.45, 0.55)

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
        likely = np.where(problem.usable & ~problem.primary, problem.weights**-POWER, 0.0)
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
