"""Oganian and Domingo-Ferrer 2003: each number of section 4, its propositions, and laws."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets.core.bounds import intervals, published_equations
from sdcwidgets.core.risk.cell import (
    a_posteriori,
    expected,
    from_distribution,
    insider,
    rank,
    values_left,
    within_rounding,
)

nan = float("nan")

# Table 1. Our copy lacks eight numbers of activities 5 and 6 (all but x1 to x4); these are recalled, and meet
# every sum that is printed: x1 + x2 = 1537, x3 + x4 = 1251, and Table 2's row "5,6".
CELLS = np.array(
    [
        [80, 253, 54, 0, 0],
        [641, 3694, 2062, 746, 0],
        [592, nan, 329, nan, 1440],
        [57, nan, 946, nan, 2027],
        [78, 0, 890, 1719, 1743],
    ]
)
ROWS = np.array([387, 7143, 3898, 4281, 4430])
COLUMNS = np.array([1448, 4353, 4281, 4847, 5210])
# Table 2, with rows 5 and 6 combined.
TABLE_2 = np.array(
    [[80, 253, 54, 0, 0], [641, 3694, 2062, 746, 0], [649, 406, 1275, 2382, 3467], [78, 0, 890, 1719, 1743]]
)


def test_cell_suppression_of_section_4_1():
    lower, upper = intervals({(0, 1): CELLS, (0,): ROWS, (1,): COLUMNS})
    hidden = np.isnan(CELLS)
    assert list(zip(lower[hidden], upper[hidden], strict=True)) == [
        (0, 406),
        (1131, 1537),
        (0, 406),
        (845, 1251),
    ]
    assert values_left((lower[hidden], upper[hidden])).tolist() == [407] * 4
    np.testing.assert_array_equal(a_posteriori((lower, upper))[hidden].round(3), 0.115)
    assert np.isinf(a_posteriori((lower, upper))[~hidden]).all()
    assert round(expected((lower, upper), hidden), 3) == 0.115
    each = a_posteriori((lower, upper))
    chances = np.where(hidden, np.arange(hidden.size).reshape(hidden.shape), 0)
    wanted = (each[hidden] * chances[hidden]).sum() / chances.sum()
    for scale in (1, 7):
        assert expected((lower, upper), hidden, scale * chances) == pytest.approx(wanted)


def test_the_equations_that_are_printed_give_the_same():
    """H(x1 | x1 + x2 = 1537, x1 + x3 = 406) and so on, equation (4), without the numbers that are missing."""
    lower, upper = intervals({(0,): [1537, 1251], (1,): [406, 2382]})
    assert lower.tolist() == [[0, 1131], [0, 845]]
    assert upper.tolist() == [[406, 1537], [406, 1251]]


def test_table_2_and_its_misprint():
    """The cells give 1448 as the total of size 4; 1148 is printed, which the grand total 20139 excludes."""
    assert TABLE_2.sum(axis=1).tolist() == [387, 7143, 8179, 4430]
    assert TABLE_2.sum(axis=0).tolist() == [1448, 4353, 4281, 4847, 5210]
    assert TABLE_2.sum() == 20139
    assert 1148 + 4353 + 4281 + 4847 + 5210 != 20139
    np.testing.assert_array_equal(ROWS[[2, 3]].sum(), 8179)
    np.testing.assert_array_equal(np.nansum(CELLS[2:4, [0, 2, 4]], axis=0), TABLE_2[2, [0, 2, 4]])


def test_table_redesign_of_section_4_3():
    """Twelve unknowns: ten cells and their two row totals, of which only the sums are published."""
    sums = TABLE_2[2]
    bounds = intervals({(1,): sums, (0,): [nan, nan], (): sums.sum()})
    np.testing.assert_array_equal(bounds.lower, 0)
    np.testing.assert_array_equal(bounds.upper, [sums, sums])
    np.testing.assert_allclose(a_posteriori(bounds)[0], 1 / np.log2(sums + 1))


@pytest.mark.parametrize("base", [2, 3, 5, 10])
def test_rounding_of_section_4_2(base):
    counts = np.arange(60)
    published = (2 * counts + base) // (2 * base) * base
    lower, upper = within_rounding(published, base)
    assert np.all((lower <= counts) & (counts <= upper))
    for value in np.unique(published)[:-1]:  # the largest goes on beyond 60
        came_from = counts[published == value]
        where = published == value
        assert (lower[where][0], upper[where][0]) == (came_from.min(), came_from.max())
    assert np.allclose(a_posteriori((lower, upper))[published > 0], 1 / np.log2(base))


def test_the_insider_of_section_4_5_4():
    bounds = insider(([995], [1004]), 400, largest=True)
    assert (bounds.lower[0], bounds.upper[0]) == (401, 604)
    within = (bounds.upper[0] - bounds.lower[0]) / bounds.lower[0]
    assert 0.5 < within < 0.51  # "within 50 per cent"
    assert a_posteriori(bounds)[0] > a_posteriori(([0], [1004]))[0]


SHAPE = (3, 4, 3)
AXES = {"AS": (0, 1), "AR": (0, 2), "SR": (1, 2)}


def released(names, hidden=None):
    """Tables of O&DF section 4.5, with nan where suppressed or not released at all."""
    tables = {}
    for name, axes in AXES.items():
        size = tuple(SHAPE[a] for a in axes)
        tables[axes] = np.zeros(size) if name in names else np.full(size, nan)
        for cell in (hidden or {}).get(name, ()):
            tables[axes][cell] = nan
    return tables


def square(row, column):
    """The primary cell (0, 0) and three more at the corners of a rectangle."""
    return [(0, 0), (0, column), (row, 0), (row, column)]


@pytest.mark.parametrize(
    ("names", "equations", "expected_rank"),
    [(["AS"], 12, 12), (["AS", "AR"], 21, 18), (["AS", "AR", "SR"], 33, 24)],
)
def test_rank_of_one_two_and_three_linked_tables(names, equations, expected_rank):
    """Sections 4.5.1 to 4.5.3: nm; n (t + m - 1); and the five sets of dependent equations (10) to (13)."""
    n, m, t = SHAPE
    assert sum(int(np.prod([SHAPE[a] for a in AXES[name]])) for name in names) == equations
    assert rank(released(names)) == expected_rank
    assert expected_rank == {1: n * m, 2: n * (t + m - 1), 3: 33 - (n + m + t - 1)}[len(names)]


def test_constraint_matrices_of_tables_3_and_4():
    """A column for each z(a, s, r): AS sums it over 3 regions, AR over 4 sizes, SR over 3 activities."""
    ones, cells = {"AS": 3, "AR": 4, "SR": 3}, np.arange(36).reshape(SHAPE)
    for names in (["AS"], ["AS", "AR"], ["AS", "AR", "SR"]):
        matrix, right = published_equations(released(names))
        dense, printed = matrix.toarray(), []
        for name in names:
            summed = next(axis for axis in range(3) if axis not in AXES[name])
            for together in np.moveaxis(cells, summed, -1).reshape(-1, ones[name]):
                printed.append(np.isin(np.arange(36), together))
        assert dense.shape == (len(printed), 36)
        assert len(right) == len(printed)
        np.testing.assert_array_equal(dense, printed)


def test_the_dependent_equations_9_to_13():
    """Each of them is a sum of published values that is 0 for every table, and together they are all there are."""
    n, m, t = SHAPE
    z = np.random.default_rng(4).integers(0, 50, SHAPE)
    AS, AR, SR = (z.sum(axis=a) for a in (2, 1, 0))
    np.testing.assert_array_equal(AR.sum(axis=1) - AS.sum(axis=1), 0)  # (9) and (10), for each activity
    np.testing.assert_array_equal(SR.sum(axis=1) - AS.sum(axis=0), 0)  # (11), for each size
    np.testing.assert_array_equal(SR.sum(axis=0) - AR.sum(axis=0), 0)  # (12), for each region
    assert SR[-1, -1] - SR[:-1, :-1].sum() + AS[:, :-1].sum() - AR[:, -1].sum() == 0  # (13)
    assert rank(released(AXES)) == sum((n * m, n * t, m * t)) - (n + (m - 1) + (t - 1) + 1)


def test_up_to_n_m_t_less_1_suppressions_change_nothing():
    """Section 4.5.3: nine cells, the last size in AS, the last size and region in SR; a tenth frees something."""
    n, m, t = SHAPE
    hidden = {"AS": [(i, m - 1) for i in range(n)], "SR": [(j, t - 1) for j in range(m - 1)]}
    hidden["SR"] += [(m - 1, k) for k in range(t)]
    assert sum(map(len, hidden.values())) == n + m + t - 1
    assert rank(released(AXES, hidden)) == 24
    for cell in np.ndindex(n, t):
        assert rank(released(AXES, hidden | {"AR": [cell]})) == 23


def test_one_table_any_secondary_cells_lower_the_rank_alike():
    ranks = {rank(released(["AS"], {"AS": square(f, v)})) for f in (1, 2) for v in (1, 2, 3)}
    assert ranks == {12 - 4}


def test_proposition_1():
    """Two tables: the rank falls most if the secondary cells are in the same row of both."""
    found = {}
    for f, v, g, w in itertools.product((1, 2), (1, 2, 3), (1, 2), (1, 2)):
        hidden = {"AS": square(f, v), "AR": square(g, w)}
        found.setdefault(f == g, set()).add(rank(released(["AS", "AR"], hidden)))
    assert found == {True: {12}, False: {13}}


def test_propositions_2_and_3():
    """Three tables: 7 less with the same rows and columns everywhere, 4 less in the pattern of the text."""
    ranks = {}
    choices = itertools.product((1, 2), (1, 2, 3), (1, 2), (1, 2), (1, 2, 3), (1, 2))
    for a_as, s_as, a_ar, r_ar, s_sr, r_sr in choices:
        hidden = {"AS": square(a_as, s_as), "AR": square(a_ar, r_ar), "SR": square(s_sr, r_sr)}
        alike = (a_as == a_ar, s_as == s_sr, r_ar == r_sr)
        ranks.setdefault(sum(alike), set()).add(rank(released(AXES, hidden)))
    assert ranks[3] == {17}
    assert min(rank_ for alike in (0, 1, 2) for rank_ in ranks[alike]) > 17
    assert ranks[0] == {20}


@pytest.mark.parametrize("shape", [(3, 3, 3), (4, 3, 4), (4, 5, 3)])
def test_the_propositions_hold_in_tables_of_other_sizes(shape):
    """12 suppressions lower the rank by 4, and by one more for each pair of tables whose squares share a line."""
    n, m, t = shape
    rng = np.random.default_rng(7)

    def equations(hidden):
        rows = []
        for name, axes in AXES.items():
            for at in np.ndindex(*(shape[a] for a in axes)):
                if at not in hidden.get(name, ()):
                    place = [slice(None)] * 3
                    for a, i in zip(axes, at, strict=True):
                        place[a] = i
                    row = np.zeros(shape)
                    row[tuple(place)] = 1
                    rows.append(row.ravel())
        return int(np.linalg.matrix_rank(np.array(rows)))

    whole = equations({})
    assert whole == n * m + n * t + m * t - (n + m + t - 1)
    for _ in range(30):
        f, g = rng.integers(1, n, 2)
        v, h = rng.integers(1, m, 2)
        w, u = rng.integers(1, t, 2)
        hidden = {"AS": square(f, v), "AR": square(g, w), "SR": square(h, u)}
        assert whole - equations(hidden) == 4 + (f == g) + (v == h) + (w == u)


def test_what_each_suppression_does_to_the_rank_step_by_step():
    """Section 4.5.3: primary cells 0, 0, 1; then 0, 0, 1; then 0, 0, 1; then 0, 0, 1: 4 in all."""
    steps = [
        ("AS", (0, 0)), ("AR", (0, 0)), ("SR", (0, 0)),
        ("AS", (0, 2)), ("AS", (2, 0)), ("AS", (2, 2)),
        ("AR", (0, 2)), ("AR", (1, 0)), ("AR", (1, 2)),
        ("SR", (0, 1)), ("SR", (3, 0)), ("SR", (3, 1)),
    ]  # fmt: skip
    hidden = {"AS": [], "AR": [], "SR": []}
    ranks = [rank(released(AXES))]
    for name, cell in steps:
        hidden[name].append(cell)
        ranks.append(rank(released(AXES, hidden)))
    assert (-np.diff(ranks)).tolist() == [0, 0, 1] * 4


def test_a_suppression_that_keeps_the_rank_keeps_every_interval():
    """A cell of AS that AR implies may go: nothing becomes less certain (section 4.5.2)."""
    table = np.random.default_rng(3).integers(0, 9, SHAPE)
    whole = {(0, 1): table.sum(axis=2).astype(float), (0, 2): table.sum(axis=1)}
    fewer = {(0, 1): np.array(whole[0, 1]), (0, 2): whole[0, 2]}
    fewer[0, 1][0, 0] = nan
    assert rank(whole) == rank(fewer) == 18
    for left, right in zip(intervals(whole), intervals(fewer), strict=True):
        np.testing.assert_array_equal(left, right)


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=8), st.data())
def test_a_wider_interval_never_has_a_higher_risk(lower, data):
    low = np.array(lower)
    width = np.array([data.draw(st.integers(0, 50)) for _ in lower])
    more = np.array([data.draw(st.integers(0, 50)) for _ in lower])
    assert np.all(a_posteriori((low, low + width + more)) <= a_posteriori((low, low + width)))


@given(st.integers(1, 40))
def test_equally_likely_values_are_a_distribution(m):
    assert np.isclose(from_distribution(np.full(m, 1 / m)), a_posteriori(([0], [m - 1]))[0])


def test_a_cell_that_nothing_bounds_has_no_risk():
    assert a_posteriori(([0], [np.inf])).tolist() == [0]


def test_amounts_have_a_unit():
    assert values_left(([0.0], [1.0]), unit=0.01).tolist() == [101]


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: a_posteriori(([2], [1])), "contradict"),
        (lambda: a_posteriori(([nan], [1])), "is nan"),
        (lambda: a_posteriori(([0], [1]), unit=0), "above 0"),
        (lambda: from_distribution([0.5, 0.2]), "sum 1"),
        (lambda: insider(([0], [5]), 9), "own contribution"),
        (lambda: insider(([0], [5]), 3, largest=True), "larger than"),
        (lambda: expected(([0], [5]), [False]), "suppressed cell"),
        (lambda: within_rounding([4], 5), "multiple"),
    ],
)
def test_what_has_no_risk_is_said(act, words):
    with pytest.raises(ValueError, match=words):
        act()
