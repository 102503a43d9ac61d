"""Tables with given margins, and sums of cells that such margins determine."""

import itertools
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdcwidgets.core.estimate.raking import rake, scale
from sdcwidgets.core.fixed_sums import among_tables


@pytest.mark.parametrize("tie", [1e-1, 1e-3, 1e-4])
def test_what_is_left_of_slow_steps_is_within_the_tolerance(tie):
    """The weaker two parts of a table are tied, the more steps it takes, and the less each of them does."""
    cells, margins = np.array([[1, tie], [tie, 1]]), {(0,): [3.0, 5.0], (1,): [4.0, 4.0]}
    near = rake(cells, margins, iterations=10**5, tolerance=1e-4)
    # Two margins and the ratio of the odds, which no step changes, determine the table.
    odds = near[0, 0] * near[1, 1] / near[0, 1] / near[1, 0]
    assert odds == pytest.approx(tie**-2)
    off = max(np.abs(near.sum(axis=1) - margins[0,]).max(), np.abs(near.sum(axis=0) - margins[1,]).max())
    assert off <= 1e-4 * 5
    exact = rake(cells, margins, iterations=10**6, tolerance=1e-12)
    assert np.abs(near - exact).max() <= 2e-4 * 5


@pytest.mark.parametrize(
    "margin", [{(0,): [3, 2, 1]}, {(1, 0): [[1, 1], [1, 1]]}, {(0, 0): [[1, 1], [1, 1]]}, {(0,): 5}]
)
def test_a_margin_that_does_not_fit_is_named(margin):
    with pytest.raises(ValueError, match=rf"Margin {re.escape(str(next(iter(margin))))} "):
        rake([[1, 1], [1, 2]], margin)


@given(arrays(np.int64, (2, 3), elements=st.integers(0, 2)), arrays(bool, (2, 3)), st.data())
@settings(max_examples=60, deadline=None)
def test_a_sum_is_determined_where_all_tables_that_fit_have_the_same(counts, hidden, data):
    lower, upper = np.where(hidden, 0, counts), np.where(hidden, 3, counts)
    rows = counts.sum(axis=1)
    wide = data.draw(arrays(bool, 2))
    known = {(0, 1): (lower, upper), (0,): (np.where(wide, 0, rows), np.where(wide, 18, rows))}
    sums = [list(chosen) for size in (1, 2, 3) for chosen in itertools.combinations(range(6), size)]
    ranges = [range(low, high + 1) for low, high in zip(lower.flat, upper.flat, strict=True)]
    every = np.array(list(itertools.product(*ranges))).reshape(-1, 2, 3)
    fits = every[((every.sum(axis=2) == rows) | wide).all(axis=1)].reshape(-1, 6)
    wanted = [len(np.unique(fits[:, chosen].sum(axis=1))) == 1 for chosen in sums]
    assert among_tables((2, 3), known, sums).tolist() == wanted


def test_the_number_of_cycles_has_a_limit():
    cells, margins = np.array([[1, 0.1], [0.1, 1]]), {(0,): np.array([3.0, 5.0]), (1,): np.array([4.0, 4.0])}
    is_converged, cycles = scale(cells.copy(), margins, 10_000, 1e-9)
    assert is_converged
    assert 1 < cycles < 10_000
    assert scale(cells.copy(), margins, cycles, 1e-9) == (True, cycles)
    assert scale(cells.copy(), margins, cycles - 1, 1e-9) == (False, cycles - 1)
