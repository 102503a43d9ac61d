"""Suppressing by hand: O&DF's figures, the numbers of two patterns, and links."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdcwidgets.core.bounds import intervals
from sdcwidgets.core.risk.cell import a_posteriori
from sdcwidgets.errors import InputError
from sdcwidgets.plots import suppression as plots
from sdcwidgets.studies.suppression import ODF, SOURCES, Suppressing, linked_pattern, suppress
from sdcwidgets.words import suppression as words

CELLS = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12)


def test_table_1_of_odf():
    found = suppress(Suppressing())
    assert found.lower[found.mask].tolist() == [0, 1131, 0, 845]
    assert found.upper[found.mask].tolist() == [406, 1537, 406, 1251]
    assert found.weakest == 407
    assert (found.unknowns, found.equations, found.rank) == (4, 4, 3)
    lines = ["".join(piece.text for piece in line) for line in words.equations(found)]
    assert lines == [
        "Activity 5: x₁ + x₂ = 3,898 − 592 − 329 − 1,440 = 1,537",
        "size 5: x₁ + x₃ = 4,353 − 253 − 3,694 = 406",
        "so 0 ≤ x₁ ≤ 406: 407 values, risk 1/log₂ m = 0.115",
    ]


def test_the_recalled_numbers_meet_every_printed_sum():
    assert ODF.counts.sum() == 20139
    assert ODF.counts.sum(axis=0).tolist() == [1448, 4353, 4281, 4847, 5210]
    assert (ODF.counts[2] + ODF.counts[3]).tolist() == [649, 406, 1275, 2382, 3467]


def test_too_narrow_and_the_optimisers_pattern():
    state = Suppressing(sensitive=((0, 2),))
    for cell in ((0, 0), (0, 2), (4, 0), (4, 2)):
        state = state.pressed(cell)
    found = suppress(state)
    assert (found.weakest, found.unknowns, found.rank) == (135, 8, 6)
    assert found.risk[0, 0].round(3) == 0.141
    assert "4 of 8 gaps keep fewer than 256 values" in words.weakest(found)
    best = found.best
    # 253 and 100 in column 5, 329 across: the box is cheapest, though x1 is no gap of the optimiser's before.
    assert (best.people, best.cells, best.narrowest, best.optimal) == (253 + 329 + 100, 3, 308, True)


@given(CELLS)
@settings(max_examples=25, deadline=None)
def test_bounds_are_those_of_linear_programming(cells):
    found = suppress(Suppressing(hidden=tuple(cells)))
    published = np.where(found.mask, np.nan, ODF.counts)
    bounds = intervals({(0, 1): published, (0,): ODF.counts.sum(axis=1), (1,): ODF.counts.sum(axis=0)})
    np.testing.assert_array_equal(found.lower, bounds.lower)
    np.testing.assert_array_equal(found.upper, bounds.upper)
    np.testing.assert_array_equal(found.risk, a_posteriori(bounds))
    assert found.rank <= min(found.unknowns, found.equations)
    assert words.weakest(found)
    assert Suppressing.from_state(found.state.to_state()) == found.state


def test_boxes_are_what_the_audit_says():
    state = Suppressing(hidden=(), sensitive=((0, 2),))
    boxes = suppress(state).boxes
    i, j = state.sensitive[0]
    for (row, column), people, left in zip(boxes.corners, boxes.people, boxes.left, strict=True):
        corners = ((i, j), (i, column), (row, j), (row, column))
        found = suppress(Suppressing(hidden=corners))
        assert found.values[i, j] == left
        assert people == sum(ODF.counts[cell] for cell in corners[1:])
    assert "boxes leave at least 256 values" in plots.prepare(suppress(state)).summary


def test_linked_tables():
    """Proposition 2: the same rows and columns lower the rank by 7, others by 4 (O&DF, section 4.5.3)."""
    alike = suppress(Suppressing(linked=linked_pattern(True))).links
    assert (alike.equations, alike.whole, alike.left) == ((12, 21, 33), (12, 18, 24), (8, 12, 17))
    assert suppress(Suppressing(linked=linked_pattern(False))).links.left == (8, 13, 20)
    assert suppress(Suppressing(linked=())).links.left == (12, 18, 24)


@pytest.mark.parametrize("source", sorted(SOURCES))
def test_every_table_can_be_chosen(source):
    found = suppress(Suppressing().at(source))
    assert found.state.source == source
    assert words.best_told(found)
    assert words.compared(found)
    plots.draw(plots.prepare(found))


@pytest.mark.parametrize(
    ("make", "words_"),
    [
        (lambda: Suppressing(source="nothing"), "no table"),
        (lambda: Suppressing(hidden=((9, 0),)), "outside of the table"),
        (lambda: Suppressing(linked=(("AA", 0, 0),)), "no cell"),
        (lambda: Suppressing.from_state({"version": 1}), "damaged"),
        (lambda: Suppressing.from_state({"version": 2}), "damaged"),
    ],
)
def test_bad_states_are_refused(make, words_):
    with pytest.raises(InputError, match=words_):
        make()
