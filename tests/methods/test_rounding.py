from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdcwidgets import FrequencyTable, examples, methods

TABLES = arrays(np.int64, st.sampled_from([(7,), (3, 4), (2, 3, 4)]), elements=st.integers(0, 45))
BASES = st.integers(2, 20)
ROUNDINGS = ["random-rounding", "conventional-rounding", "semi-controlled-rounding"]


@pytest.mark.parametrize("name", ROUNDINGS)
@settings(max_examples=40, deadline=None)
@given(counts=TABLES, base=BASES, seed=st.integers(0, 99))
def test_results_are_multiples_of_the_base_within_one_base(name, counts, base, seed):
    method = methods.get(name)(base=base)
    rounded = method.replicate(FrequencyTable(counts), 5, np.random.default_rng(seed))
    assert (rounded % base == 0).all()
    assert (np.abs(rounded - counts) < base).all()


@pytest.mark.parametrize(("totals", "axis"), [("table", None), ("rows", 0), ("columns", -1)])
@settings(max_examples=40, deadline=None)
@given(counts=TABLES, base=BASES, seed=st.integers(0, 99))
def test_semi_controlled_totals_are_rounded_to_one_of_their_two_multiples(totals, axis, counts, base, seed):
    method = methods.get("semi-controlled-rounding")(base=base, totals=totals)
    rounded = method.replicate(FrequencyTable(counts), 5, np.random.default_rng(seed))

    others = None if axis is None else tuple(k for k in range(counts.ndim) if k != axis % counts.ndim)
    for replicate in rounded:
        error = (replicate - counts).sum(axis=others)
        assert (np.abs(error) < base).all()
        assert (error[counts.sum(axis=others) % base == 0] == 0).all()


def test_semi_controlled_rounding_draws_each_cell_of_a_class_equally_often():
    table = FrequencyTable([1, 1, 1, 1, 1, 1, 2, 2, 2])
    rounded = methods.get("semi-controlled-rounding")().replicate(table, 6000, np.random.default_rng(3))
    up = (rounded > 0).mean(axis=0)
    np.testing.assert_allclose(up, [1 / 3] * 6 + [2 / 3] * 3, atol=4.5 * 0.5 / np.sqrt(6000))
    # Two of the six ones and two of the three twos go up, every time.
    assert set((rounded[:, :6] > 0).sum(axis=1)) == {2}
    assert set((rounded[:, 6:] > 0).sum(axis=1)) == {2}


def test_conventional_rounding_of_the_handbook():
    # Handbook, Tables 5.18 and 5.19: base 5.
    table = FrequencyTable([0, 2, 3, 7, 8, 10, 12, 13])
    rounded = methods.get("conventional-rounding")(base=5).apply(table, np.random.default_rng(1))
    assert rounded.counts.tolist() == [0, 0, 5, 5, 10, 10, 10, 15]


def test_random_rounding_probabilities_of_the_handbook():
    # Handbook, section 5.5: 1 goes to 0 with 2/3, 2 to 3 with 2/3, 4 to 3 with 2/3, 5 to 6 with 2/3.
    matrix = methods.get("random-rounding")(base=3).transition(6)
    expected = {(0, 0): 1, (1, 0): 2 / 3, (1, 3): 1 / 3, (2, 0): 1 / 3, (2, 3): 2 / 3, (3, 3): 1}
    expected |= {(4, 3): 2 / 3, (4, 6): 1 / 3, (5, 3): 1 / 3, (5, 6): 2 / 3, (6, 6): 1}
    assert {(int(i), int(j)): pytest.approx(matrix[i, j]) for i, j in np.argwhere(matrix)} == expected


def test_axes_are_kept():
    table = examples.load("religion")
    protected = methods.get("random-rounding")(base=5).apply(table, np.random.default_rng(1))
    assert protected.axes == table.axes


class TestMarginsOfTheirOwn:
    """The handbook's Tables 5.18 (as it is), 5.19 (conventional) and 5.20 (at random), to base 5."""

    AXES = {"Area": ["Area A", "Area B", "Area C"], "Sex": ["Male", "Female"]}  # noqa: RUF012
    TABLE = FrequencyTable([[1, 0], [3, 3], [12, 20]], AXES)

    def test_table_5_19_but_for_a_misprint(self):
        release = methods.get("conventional-rounding")(base=5, margins="own").release(
            self.TABLE, np.random.default_rng(1)
        )
        assert release.cells.tolist() == [[0, 0], [5, 5], [10, 20]]
        assert release.marginal("Sex").tolist() == [15, 25]
        assert release.marginal() == 40
        # Row C is 32 people: 30 is nearest. The handbook prints 35.
        assert release.marginal("Area").tolist() == [0, 5, 30]
        assert not release.additive

    def test_table_5_20_is_one_of_the_tables_that_can_be_drawn(self):
        method = methods.get("random-rounding")(base=5, margins="own")
        printed = {(0, 1): [[0, 0], [5, 0], [10, 20]], (0,): [0, 5, 35], (1,): [15, 20], (): 40}
        found = {kept: np.zeros(np.shape(array), dtype=bool) for kept, array in printed.items()}
        for seed in range(200):
            release = method.release(self.TABLE, np.random.default_rng(seed))
            for kept, array in printed.items():
                found[kept] |= release.values[kept] == array
        assert all(seen.all() for seen in found.values())

    def test_a_margin_is_known_better_than_the_sum_of_its_cells(self):
        own = methods.get("random-rounding")(base=5, margins="own")
        release = own.release(self.TABLE, np.random.default_rng(1))
        assert release.bounds().upper - release.bounds().lower == 8
        added = methods.get("random-rounding")(base=5).release(self.TABLE, np.random.default_rng(1))
        assert added.additive
        assert added.bounds().upper - added.bounds().lower > 8
