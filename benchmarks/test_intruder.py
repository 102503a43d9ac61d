"""How long suppression and the intruder's bounds take; the baseline of each is the time that it may take."""

import numpy as np

from sdcwidgets.core.suppression import (
    Problem,
    audit,
    find_pattern,
    of_shape,
    small_union,
    with_margins,
)
from sdcwidgets.studies.attack import Intrusion, attempt
from sdcwidgets.studies.suppression import Suppressing, suppress


def problem(shape, primary, seed=1):
    """A skewed table whose smallest counts, so many of them, are sensitive."""
    rng = np.random.default_rng(seed)
    counts = rng.poisson(rng.gamma(0.7, 20, shape))
    full = with_margins(counts)
    values = full.ravel().astype(float)
    inner = np.zeros(full.shape, dtype=bool)
    inner[:-1, :-1] = counts > 0
    order = np.flatnonzero(inner.ravel())
    chosen = np.zeros(full.size, dtype=bool)
    chosen[order[np.argsort(values[order], kind="stable")[:primary]]] = True
    return Problem.of(of_shape(shape), values, chosen, width=5, union=small_union(values, 3))


def test_secondary_suppression_with_audit_of_ten_thousand_cells(record):
    """10^4 cells, 2,500 of them primary, each kept 6 values wide. Aim: 10 s on two cores."""
    asked = problem((100, 100), 2500)
    pattern = find_pattern(asked)
    assert asked.primary.sum() == 2500
    assert np.all((pattern.upper - pattern.lower)[asked.primary] >= 5 - 1e-6)
    record(lambda: find_pattern(asked), 10.0, rounds=1)


def test_the_cheapest_pattern_of_a_hundred_cells(record):
    """10 x 10 with 12 primary. Aim: 1 s."""
    asked = problem((10, 10), 12)
    assert find_pattern(asked, method="exact").optimal
    record(lambda: find_pattern(asked, method="exact"), 1.0, rounds=5)


def test_intervals_of_every_gap_of_a_hundred_cells(record):
    """The audit after a press, 30 gaps in 10 x 10. Aim: 150 ms from the press to the picture."""
    asked = problem((10, 10), 30)
    hidden = find_pattern(asked, method="heuristic").suppressed
    record(lambda: audit(asked.relations, asked.values, hidden), 0.15)


def test_a_press_on_the_suppression_page(record):
    """All numbers of the page after a press. Aim: 150 ms."""
    states = iter([Suppressing().pressed((i % 5, i // 5 % 5)) for i in range(400)])
    record(lambda: suppress(next(states)), 0.15)


def test_pointing_at_a_number_in_the_attack_lab(record):
    """All numbers of the lab after pointing. Aim: 100 ms."""
    attempt(Intrusion())
    record(lambda: attempt(Intrusion(line=(1, 7), kept=((3, 9), (5, 11)))), 0.1)
