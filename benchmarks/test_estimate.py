"""How long the population behind a sample takes, each figure as a ratio to a stated baseline in `extra_info`."""

import itertools
import tracemalloc

import numpy as np

from sdcwidgets import examples
from sdcwidgets.core.estimate import (
    draw_populations,
    fit_loglinear,
    sample_risk,
    sample_urn,
    simple_random_samples,
    urn_theta,
)
from sdcwidgets.core.estimate.matches import main_effects
from sdcwidgets.dashboards.sample.result import compute
from sdcwidgets.dashboards.sample.state import SampleState


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


def a_sample():
    F = examples.load("religion").counts
    f = simple_random_samples(F, 245, 1, np.random.default_rng(7))[0]
    return f, int(F.sum())


def test_a_thousand_populations_of_a_log_linear_model_and_their_risk(record, seconds):
    """Table 2, one sample: draws and R2; the baseline draws the same numbers with numpy alone. Aim: at most 3."""
    f, N = a_sample()
    p, rng = main_effects(f).ravel() / f.sum(), np.random.default_rng(1)
    baseline = seconds(lambda: rng.multinomial(N - f.sum(), p, size=1000))
    record(lambda: sample_risk(f, draw_populations(f, N, 1000, rng)), baseline)


def test_a_thousand_populations_of_the_urn_and_their_risk(record, seconds):
    """Table 2, one sample: draws and R2; the baseline draws the gamma, multinomial and uniform numbers. Aim: 3."""
    f, N = a_sample()
    rng, theta = np.random.default_rng(1), float(urn_theta(f, N))
    shapes = np.append(f[f > 0], theta)
    new = round(1000 * (N - f.sum()) * theta / (theta + f.sum()))

    def numpy_alone():
        shares = rng.standard_gamma(shapes, size=(1000, shapes.size))
        rng.multinomial(N - f.sum(), shares / shares.sum(axis=1, keepdims=True))
        rng.random((2, new))
        rng.permuted(np.broadcast_to(np.flatnonzero(f == 0), (1000, int((f == 0).sum()))), axis=1)

    baseline = seconds(numpy_alone)
    record(lambda: sample_risk(f, draw_populations(f, N, 1000, rng, model="urn")), baseline)


def test_the_fast_urn_against_the_one_drawn_ball_by_ball(record, seconds):
    """1,000 populations; the baseline draws one population ball by ball in plain numpy, a thousand times."""
    f, N = a_sample()
    rng, theta = np.random.default_rng(1), float(urn_theta(f, N))

    def one_by_one():
        cells = f.ravel().astype(float)
        empty = list(rng.permutation(np.flatnonzero(cells == 0)))
        for _ in range(N - int(f.sum())):
            weights = np.append(cells, theta)
            cell = rng.choice(weights.size, p=weights / weights.sum())
            cells[empty.pop() if cell == cells.size and empty else min(cell, cells.size - 1)] += 1

    record(lambda: sample_urn(f, theta, N, 1000, rng), 1000 * seconds(one_by_one, 2), rounds=10)


def test_the_first_cloud_of_the_sample_lab(record):
    """A moved fraction: a new sample, all models fitted, the first clouds; the baseline is its 150 ms."""
    state = SampleState.of_example("religion")
    fractions = iter(np.linspace(0.05, 0.5, 60).round(3).tolist())
    record(lambda: compute(state.sampled(fraction=next(fractions))), 0.15, rounds=30)
