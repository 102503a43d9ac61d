"""Cell suppression as a method: what is published cannot be unpicked."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdcwidgets import attacks
from sdcwidgets.errors import InputError
from sdcwidgets.methods.cell_suppression import CellSuppression
from sdcwidgets.table import FrequencyTable

RNG = np.random.default_rng(0)


@given(
    arrays(np.int64, st.tuples(st.integers(2, 4), st.integers(2, 4)), elements=st.integers(0, 12)),
    st.integers(2, 4),
)
@settings(max_examples=30, deadline=None)
def test_no_gap_can_be_filled(counts, least):
    if not counts.any():
        return
    table = FrequencyTable(counts)
    try:
        release = CellSuppression(threshold=least, width=1).release(table, RNG)
    except InputError:
        return  # which tables these are is the next test's matter
    small = (counts > 0) & (counts < least)
    assert np.all(np.isnan(release.cells[small]))
    finding = attacks.suppressed(release)
    assert finding.recovered == 0
    assert finding.score(table).contained == table.cells
    known = ~np.isnan(release.cells)
    np.testing.assert_array_equal(release.cells[known], counts[known])


def test_one_who_is_alone_in_a_gap_learns_no_other():
    table = FrequencyTable([[1, 1, 9, 7], [1, 1, 8, 9], [9, 8, 7, 8]])
    release = CellSuppression().release(table, RNG)
    own = attacks.Knowledge(known={("Row 1", "Column 1"): (1, 1)})
    finding = attacks.suppressed(release, own)
    gaps = np.isnan(release.cells)
    gaps[0, 0] = False
    assert not finding.exact[gaps].any()


def test_the_cost_may_be_cells_or_people():
    table = FrequencyTable(RNG.integers(0, 30, (6, 6)))
    by_people, by_cells = (CellSuppression(cost=cost).pattern(table) for cost in ("value", "cell"))
    assert by_cells.secondary.sum() <= by_people.secondary.sum()
    assert by_people.optimal
    assert by_cells.optimal


def test_what_cannot_be_protected_is_named():
    with pytest.raises(InputError, match='Row "Row 1", column "Column 1": no pattern protects'):
        CellSuppression(width=1000).release(FrequencyTable([[1, 5], [4, 8]]), RNG)
    with pytest.raises(InputError, match="leaves gaps"):
        CellSuppression().replicate(FrequencyTable([[1, 5], [4, 8]]), 1, RNG)
