"""How long the population behind a sample takes, each figure as a ratio to a stated baseline in `extra_info`."""

import itertools
import tracemalloc

import numpy as np

from sdcwidgets.core.estimate import fit_loglinear


def interacting(shape, people, seed=1):
    """A sample of a population in which every two axes depend on each other, and its two-way margins."""
    rng = np.random.default_rng(seed)
    pairs = list(itertools.combinations(range(len(shape)), 2))
    logs = np.zeros(shape)
    for pair in pairs:
        logs = logs + rng.normal(0, 0.8, [n if a in pair else 1 for a, n in enumerate(shape)])
    p = np.exp(logs)
    return rng.multinomial(people, (p / p.sum()).ravel()).reshape(shape), pairs


def test_all_two_way_interactions_of_140_000_cells(record):
    """Six axes and fifteen margins of 140,000 cells; the baseline is the second that it may take.

    Its memory, all that Python allocates, is noted as well. Aim: below 500 MB.
    """
    counts, pairs = interacting((10, 8, 7, 5, 10, 5), 1_000_000)
    tracemalloc.start()
    fit = fit_loglinear(counts, pairs)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert fit.converged
    print(f"\n{fit.iterations} cycles, {peak / 1e6:.0f} MB")
    record(lambda: fit_loglinear(counts, pairs), 1.0, rounds=5)
