import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdcwidgets.core._linear import equations, extremes, solve
from sdcwidgets.core.bounds import dobra_fienberg, frechet, intervals, margins_of, shuttle

TWO_WAY = arrays(np.int64, st.tuples(st.integers(1, 4), st.integers(1, 4)), elements=st.integers(0, 9))
THREE_WAY = arrays(
    np.int64, st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(1, 3)), elements=st.integers(0, 5)
)
DECOMPOSABLE = [
    [(0,), (1,), (2,)],
    [(0, 1), (2,)],
    [(0, 1), (1, 2)],
    [(0, 2), (0, 1)],
    [(0, 1), (1, 2), (2,)],
    [(0, 1, 2)],
]
PAIRS = [(0, 1), (0, 2), (1, 2)]


def every_table(shape, most):
    """All tables of this shape with counts up to `most`."""
    cells = itertools.product(range(most + 1), repeat=int(np.prod(shape)))
    return np.array(list(cells)).reshape(-1, *shape)


def extremes_among(tables, table, axes):
    """Bounds by looking at every table with the same margins."""
    fits = np.ones(len(tables), dtype=bool)
    for one in axes:
        others = tuple(a + 1 for a in range(table.ndim) if a not in one)
        wanted = margins_of(table, [one])[one]
        fits &= (tables.sum(axis=others) == wanted).reshape(len(tables), -1).all(axis=1)
    return tables[fits].min(axis=0), tables[fits].max(axis=0)


@given(TWO_WAY)
def test_frechet_bounds_hold_and_are_those_of_linear_programming(table):
    lower, upper = frechet(table.sum(axis=1), table.sum(axis=0))
    assert np.all((lower <= table) & (table <= upper))
    least, most = intervals(margins_of(table, [(0,), (1,)]))
    np.testing.assert_array_equal(lower, least)
    np.testing.assert_array_equal(upper, most)


@given(THREE_WAY, st.sampled_from(DECOMPOSABLE))
def test_decomposable_bounds_are_those_of_linear_programming(table, axes):
    published = margins_of(table, axes)
    lower, upper = dobra_fienberg(published)
    least, most = intervals(published)
    np.testing.assert_array_equal(lower, least)
    np.testing.assert_array_equal(upper, most)


@given(THREE_WAY)
def test_one_way_margins_give_frechet_bounds(table):
    published = margins_of(table, [(0,), (1,), (2,)])
    for left, right in zip(dobra_fienberg(published), frechet(*published.values()), strict=True):
        np.testing.assert_array_equal(left, right)


@given(THREE_WAY)
def test_the_shuttle_holds_the_table_and_what_linear_programming_leaves(table):
    published = margins_of(table, PAIRS)
    found = shuttle(published)
    least, most = intervals(published)
    assert np.all((found.lower <= least) & (least <= table) & (table <= most) & (most <= found.upper))
    assert np.all(np.diff(found.widths) < 0)
    assert found.widths[-1] == (found.upper - found.lower).sum()


def test_every_bound_is_attained_by_a_table():
    table = np.array([[[2, 0], [1, 1]], [[0, 1], [2, 0]]])
    tables = every_table((2, 2, 2), 3)
    for axes in (PAIRS, [(0, 1), (1, 2)]):
        least, most = extremes_among(tables, table, axes)
        lower, upper = intervals(margins_of(table, axes))
        np.testing.assert_array_equal(lower, least)
        np.testing.assert_array_equal(upper, most)


def test_the_shuttle_is_not_always_sharp():
    """Rows 1 and 2 minus columns 1 and 2 leave one cell: no single row or column shows it."""
    cells = np.array([[5, 3, 1, 1], [2, 6, 4, 1], [1, 1, 3, 2], [1, 1, 2, 3]], dtype=float)
    hidden = np.array([[1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 1, 1], [0, 0, 1, 1]], dtype=bool)
    published = margins_of(cells, [(0,), (1,)]) | {(0, 1): np.where(hidden, np.nan, cells)}
    found, (lower, upper) = shuttle(published), intervals(published)
    assert (found.lower[1, 2], found.upper[1, 2]) == (0, 9)
    assert lower[1, 2] == upper[1, 2] == 4


def test_rounds_stop_the_shuttle():
    table = np.arange(12).reshape(2, 2, 3) % 5
    published = margins_of(table, PAIRS)
    whole = shuttle(published)
    for rounds in range(len(whole.widths)):
        np.testing.assert_array_equal(shuttle(published, rounds).widths, whole.widths[: rounds + 1])


def test_axes_of_a_margin_may_come_in_any_order():
    table = np.arange(12).reshape(2, 2, 3)
    published = margins_of(table, [(0, 1), (1, 2)])
    turned = {(1, 0): published[(0, 1)].T, (2, 1): published[(1, 2)].T}
    for left, right in zip(dobra_fienberg(published), dobra_fienberg(turned), strict=True):
        np.testing.assert_array_equal(left, right)


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1))
def test_ends_within_ranges_are_those_of_a_program_for_each(seed):
    """Takes more than 10 s of processor time, because each of the examples solves ten linear programs."""
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(2, 4, 3))
    cells = rng.poisson(2, shape).astype(float)
    matrix, sums = equations(shape, {(a,): cells.sum(axis=a, keepdims=True) for a in range(3)})
    low, high = sums - rng.integers(0, 3, len(sums)), sums + rng.integers(0, 3, len(sums))
    lower, upper = np.zeros(cells.size), np.where(rng.random(cells.size) < 0.5, np.inf, cells.ravel() + 1)
    targets = rng.permutation(cells.size)[:5]
    found = extremes(matrix, (low, high), lower, upper, targets)
    for sign, ends in zip((1, -1), found, strict=True):
        for target, end in zip(targets, ends, strict=True):
            cost = np.eye(cells.size)[target] * sign
            assert end == pytest.approx(sign * solve(cost, matrix, (low, high), lower, upper).fun, abs=1e-6)


def test_a_batch_of_margins():
    lower, upper = frechet([[3, 2], [0, 5]], [[4, 1], [2, 3]])
    assert lower.tolist() == [[[2, 0], [1, 0]], [[0, 0], [2, 3]]]
    assert upper.tolist() == [[[3, 1], [2, 1]], [[0, 0], [2, 3]]]


def test_published_cells_that_leave_one_table():
    nan = float("nan")
    for whole in (True, False):
        lower, upper = intervals({(0, 1): [[nan, 2], [1, 3]], (0,): [5, nan]}, whole=whole)
        assert lower.tolist() == upper.tolist() == [[3, 2], [1, 3]]


def test_bounds_need_not_be_whole():
    """Each two of three unknowns sum to 1, so all are 1/2 among numbers, and none among whole numbers."""
    nan = float("nan")
    cells = np.zeros((2, 2, 2))
    cells[0, 0, 1] = cells[0, 1, 0] = cells[1, 0, 0] = nan
    published = {(0, 1, 2): cells, (0,): [nan, nan]} | {(a,): [1, nan] for a in range(3)}
    lower, upper = intervals(published, whole=False)
    np.testing.assert_allclose([lower[0, 0, 1], upper[0, 0, 1]], [0.5, 0.5])


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: frechet([1, 2]), "two or"),
        (lambda: frechet([1, 2], [2, 2]), "sums"),
        (lambda: frechet([1.5, 1.5], [3]), "whole"),
        (lambda: dobra_fienberg(margins_of(np.ones((2, 2, 2), int), PAIRS)), "not decomposable"),
        (lambda: dobra_fienberg({(0,): [1, float("nan")], (1,): [1]}), "unpublished"),
        (lambda: dobra_fienberg({(0, 1): [[5, 0]], (1, 2): [[0], [5]]}), "contradict"),
        (lambda: shuttle({(0,): [5, 0], (1,): [1, 1]}), "contradict"),
        (lambda: shuttle({(0,): [5, float("nan")]}), r"Cell \(1,\) is in no"),
        (lambda: shuttle({(0,): [5, 0], (2,): [5]}), "Every axis"),
        (lambda: shuttle({(0, 1): [5, 0]}), "one dimension per axis"),
        (lambda: shuttle({(0,): [0.5, 0]}), "whole numbers"),
        (lambda: shuttle({(0, 1): [[1, 1]], (1,): [2]}), "categories"),
        (lambda: intervals({(0, 1): [[1, 2]], (0,): [4]}), "contradict"),
        (lambda: intervals({(0, 1, 2): np.full((2, 2, 1), 2), (): 9}), "contradict"),
    ],
)
def test_what_cannot_be_bounded_is_said(act, words):
    with pytest.raises(ValueError, match=words):
        act()


def test_an_impossible_system_is_seen_by_the_program():
    """The row totals sum to 6 and the total is 7; the shuttle looks at one total at a time."""
    nan = float("nan")
    cells = [[nan, nan, 0], [nan, 0, nan], [0, nan, nan]]
    with pytest.raises(ValueError, match="contradict"):
        intervals({(0, 1): cells, (0,): [2, 2, 2], (1,): [2, 2, 2], (): 7})
