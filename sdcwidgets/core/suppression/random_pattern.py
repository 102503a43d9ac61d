"""Random choice of a pattern by a secret, which prevents inference from the pattern itself.

The cheapest pattern is a function of the counts. A data user can compute it for every table that agrees with
the published values and keep the tables that lead to the published pattern. Often only one table remains
(minimality attack). Here the costs are multiplied by random factors. In about half of the replicates, some
entries that are not sensitive are suppressed as well (decoys). Many tables then lead to the same pattern with
positive probability. In the other replicates the costs change little and there are no decoys, so that the
median suppressed total stays close to the optimum.

For a small table of counts, the module `certificate` has another choice.

References: Wong, Fu, Wang and Pei 2007, Minimality attack in privacy preserving data publishing.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .._arrays import Flags
from .certificate import SMALL
from .problem import Problem

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


def with_decoys(problem: Problem, decoys: Flags, width: float = 1.0) -> Problem:
    """Return the problem with decoys: further entries to suppress, with intervals of at least this width."""
    return replace(problem, primary=problem.primary | decoys, width=np.where(decoys, width, problem.width))
