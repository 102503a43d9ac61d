"""Cell suppression as a method: what is published cannot be unpicked."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdcwidgets import InputError, attacks
from sdcwidgets.assessment.search import sweep
from sdcwidgets.cli import main
from sdcwidgets.measures.settings import Settings
from sdcwidgets.methods.cell_suppression import CellSuppression
from sdcwidgets.tables.table import FrequencyTable

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
    finding = attacks.suppression(release)
    assert finding.recovered == 0
    assert finding.score(table).contained == table.cells
    # A reader knows that a gap is no zero.
    assert release.cell_bounds().upper[np.isnan(release.cells)].min(initial=9) > 1
    known = ~np.isnan(release.cells)
    np.testing.assert_array_equal(release.cells[known], counts[known])


def test_one_who_is_alone_in_a_gap_learns_no_other():
    table = FrequencyTable([[1, 1, 9, 7], [1, 1, 8, 9], [9, 8, 7, 8]])
    release = CellSuppression().release(table, RNG)
    own = attacks.Knowledge(known={("Row 1", "Column 1"): (1, 1)})
    finding = attacks.suppression(release, own)
    gaps = np.isnan(release.cells)
    gaps[0, 0] = False
    assert not finding.exact[gaps].any()


def test_the_cost_may_be_cells_or_people():
    table = FrequencyTable(np.random.default_rng(0).integers(0, 30, (6, 6)))
    outside = [
        CellSuppression(cost=cost, coalition=0, choice="optimal").pattern(table) for cost in ("value", "cell")
    ]
    inside = [CellSuppression(cost=cost, choice="optimal").pattern(table) for cost in ("value", "cell")]
    for by_people, by_cells in (outside, inside):
        assert by_cells.secondary.sum() <= by_people.secondary.sum()
    assert all(pattern.optimal for pattern in outside)


def test_what_cannot_be_protected_is_named():
    with pytest.raises(InputError, match='Row "Row 1", column "Column 1": no pattern protects'):
        CellSuppression(width=1000).release(FrequencyTable([[1, 5], [4, 8]]), RNG)
    with pytest.raises(InputError, match="suppresses cells"):
        CellSuppression().apply(FrequencyTable([[1, 5], [4, 8]]), RNG)


def test_ones_alone_with_each_other_are_known_since_a_gap_is_no_zero():
    """Two gaps of a row whose total is 2 are both 1, if a zero would have been published."""
    with pytest.raises(InputError, match="pattern protects"):
        CellSuppression(width=1).release(FrequencyTable([[1, 1], [1, 1]]), RNG)
    release = CellSuppression(width=1).release(FrequencyTable([[1, 1, 9], [1, 1, 8], [9, 8, 7]]), RNG)
    gaps = np.isnan(release.cells)
    lower, upper = release.cell_bounds()
    assert (upper[gaps] > lower[gaps]).all()


def test_a_large_table_gets_a_good_pattern_and_a_bound():
    table = FrequencyTable(RNG.integers(0, 40, (20, 20)))
    pattern = CellSuppression().pattern(table)
    assert pattern.least <= pattern.cost
    release = CellSuppression().release(table, RNG)
    lower, upper = release.cell_bounds()
    gaps = np.isnan(release.cells)
    small = (table.counts > 0) & (table.counts < 3)
    assert gaps[small].all()
    assert (upper[small] - lower[small] >= 2).all()
    assert (upper[gaps] > lower[gaps]).all()


def test_a_table_without_small_counts_stays_as_it_is():
    table = FrequencyTable([[5, 6], [7, 8]])
    assert "no cell" in CellSuppression().no_effect_reason(table)
    assert CellSuppression().release(table, RNG).plain
    assert not CellSuppression(threshold=6).no_effect_reason(table)


@pytest.mark.parametrize("coalition", [0, 1, 2])
@pytest.mark.parametrize("shape", [(3,), (2, 2), (2, 1, 2)])
def test_a_table_of_nobody_stays_as_it_is(shape, coalition):
    table = FrequencyTable(np.zeros(shape, dtype=int))
    release = CellSuppression(coalition=coalition).release(table, RNG)
    assert not release.cells.any()


def test_a_sweep_leaves_out_what_protects_nothing():
    table = FrequencyTable([[1, 5], [4, 8]])
    tried = [CellSuppression(), CellSuppression(width=1000), CellSuppression(threshold=2)]
    found = [point for point in sweep(table, Settings(replications=2), tried) if point is not None]
    assert {point.method for point in found} == {tried[0], tried[2]}


def test_the_command_line_says_it_in_one_sentence(tmp_path, capsys):
    path = tmp_path / "table.csv"
    path.write_text("Area,x,y\nA,1,5\nB,4,8\n", "utf-8")
    assert main(["protect", str(path), "--method", "cell-suppression", "--width", "900"]) == 2
    told = capsys.readouterr()
    assert "lower threshold" in told.err
    # The line before describes the table that was read.
    assert told.err.strip().count("\n") == 1
    assert not told.out


def test_gaps_of_sums_of_weights_hold_for_outsiders_only():
    weights = FrequencyTable([[20, 30], [28, 4]]).with_respondents([[1, 6], [4, 9]])
    assert "against external" in (CellSuppression().private_note(weights) or "")
