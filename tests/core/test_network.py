"""Flows give the intervals that linear programs give."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from scipy.optimize import linprog

from sdcwidgets.core import _network
from sdcwidgets.core._network import Network
from sdcwidgets.core.suppression import Tree, audit, of_shape, of_trees, with_margins

TABLES = arrays(np.int64, st.tuples(st.integers(1, 4), st.integers(1, 4)), elements=st.integers(0, 9))


def plain(matrix, right, ceilings):
    """Two linear programs for each unknown; none where nothing bounds it."""
    found = []
    for k in range(matrix.shape[1]):
        for sign in (1, -1):
            cost = np.zeros(matrix.shape[1])
            cost[k] = sign
            solved = linprog(cost, A_eq=matrix, b_eq=right, bounds=[(0, one) for one in ceilings])
            found.append(sign * solved.fun if solved.status == 0 else np.inf)
    return found[::2], found[1::2]


@given(TABLES, st.data(), st.sampled_from([1, 0.5, 0.01]), st.booleans())
@settings(max_examples=60, deadline=None)
def test_flows_and_linear_programs_agree(counts, data, unit, bounded):
    full = with_margins(counts) * unit
    hidden = data.draw(arrays(bool, full.shape))
    ceiling = full + unit * data.draw(arrays(np.int64, full.shape, elements=st.integers(0, 5)))
    if not bounded:
        ceiling = np.full(full.shape, np.inf)
    relations = of_shape(counts.shape)
    lower, upper = audit(relations, full, hidden, ceiling=ceiling)
    gaps = hidden.ravel()
    matrix = relations.matrix.toarray()
    right = -matrix @ np.where(gaps, 0, full.ravel())
    if gaps.any():
        least, most = plain(matrix[:, gaps], right, ceiling.ravel()[gaps])
        np.testing.assert_allclose(lower[gaps], least, atol=1e-6)
        np.testing.assert_allclose(upper[gaps], most, atol=1e-6)


def test_a_bound_that_is_not_quite_whole_is_not_cut_off():
    full = with_margins(np.array([[0, 0, 2], [9, 9, 9]])) * 0.01
    lower, upper = audit(of_shape((2, 3)), full, np.ones(full.shape, dtype=bool), ceiling=full)
    np.testing.assert_allclose(lower, 0, atol=1e-12)
    np.testing.assert_allclose(upper, full.ravel())


@pytest.mark.parametrize("unit", [10**6, 10**9, 10**12])
def test_large_numbers_have_the_intervals_of_small_ones(unit):
    """Above 2^30 there are no flows of whole numbers any more, but linear programs."""
    full = with_margins(np.array([[5, 3, 0], [2, 4, 7], [1, 1, 6]]))
    hidden = np.zeros(full.shape, dtype=bool)
    hidden[:2, :2] = hidden[1:3, 2] = True
    small, large = (audit(of_shape((3, 3)), full * one, hidden) for one in (1, unit))
    np.testing.assert_allclose(np.array(large) / unit, np.array(small), rtol=1e-6)


def test_a_table_of_two_axes_is_a_network_and_one_of_three_is_none():
    assert Network.of(of_shape((3, 4)).matrix) is not None
    assert Network.of(of_shape((2, 2, 2)).matrix) is None
    both = of_trees([Tree([2, 2, 3, -1]), Tree([2, 2, 3, -1])])
    assert Network.of(both.lean.matrix) is None


TREE = Tree([4, 4, 5, 5, 6, 6, 7, -1])  # four areas in two regions, in a country, in all


@given(arrays(np.int64, (4, 2), elements=st.integers(0, 6)), st.data(), st.booleans())
@settings(max_examples=30, deadline=None)
def test_one_hierarchy_is_a_network_and_what_is_implied_changes_nothing(counts, data, turned):
    trees = [Tree.flat(2), TREE] if turned else [TREE, Tree.flat(2)]
    relations = of_trees(trees)
    full = with_margins(counts.T if turned else counts, trees)
    assert Network.of(relations.lean.matrix) is not None
    rank = np.linalg.matrix_rank
    assert rank(relations.lean.matrix.toarray()) == rank(relations.matrix.toarray())
    hidden = data.draw(arrays(bool, full.shape))
    gaps = hidden.ravel()
    lower, upper = audit(relations, full, hidden)
    matrix = relations.matrix.toarray()
    if gaps.any():
        right = -matrix @ np.where(gaps, 0, full.ravel())
        least, most = plain(matrix[:, gaps], right, np.full(gaps.sum(), np.inf))
        np.testing.assert_allclose(lower[gaps], least, atol=1e-6)
        np.testing.assert_allclose(upper[gaps], most, atol=1e-6)


def test_sums_that_follow_from_others_must_agree_with_them():
    relations = of_trees([TREE, Tree.flat(2)])
    full = with_margins(np.arange(8).reshape(4, 2), [TREE, Tree.flat(2)])
    hidden = np.zeros(full.shape, dtype=bool)
    hidden[:4] = True
    full[4, 2] += 1  # the total of a region, which its kinds do not add up to
    with pytest.raises(ValueError, match="contradict"):
        audit(relations, full, hidden)


@pytest.mark.parametrize(
    "matrix", [[[2, 1], [1, 1]], [[1, 1], [1, 1]], [[1, 1, 0], [0, 1, 1], [1, 0, 1]], [[1, 1]]]
)
def test_what_is_no_network_is_told(matrix):
    """Numbers other than 1, two unknowns in the same two sums, three sums that no signs fit, one sum."""
    assert Network.of(sparse.csr_array(np.array(matrix, dtype=float))) is None


def test_the_cheapest_way_back():
    """Of a 2 x 2 table within margins: to raise a cell, two others fall and the opposite one rises."""
    full = of_shape((2, 2)).matrix
    network = Network.of(full)
    can = np.ones(9, dtype=bool)
    costs = np.array([1.0, 1, 100, 1, 1, 100, 100, 100, 100])
    price, ring = network.way(0, 1, (can, can), costs)
    assert price == 3
    assert sorted(ring.tolist()) == [1, 3, 4]
    price, ring = network.way(0, 1, (can, np.zeros(9, dtype=bool)), costs)
    assert price > 100  # by the totals, which rise with it
    assert np.isinf(network.way(0, 1, (~can, ~can), costs)[0])


@given(st.integers(2, 5), st.integers(2, 5), st.sampled_from([1, -1]), st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_small_networks_have_the_flows_of_scipy(rows, columns, sign, seed):
    """The pattern of a table depends on the flow, not only on its value."""
    rng = np.random.default_rng(seed)
    tails, heads = np.repeat(np.arange(rows), columns), np.tile(rows + np.arange(columns), rows)
    network = Network(tails, heads)
    network.allow(rng.integers(0, 6, len(tails)).astype(float), rng.integers(0, 6, len(tails)).astype(float))
    arc, limit = int(rng.integers(len(tails))), float(rng.choice([1, 2, 5, 100]))
    assert network.nodes <= _network.SMALL
    value, change = network.push(arc, sign, limit)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_network, "SMALL", 0)
        expected = network.push(arc, sign, limit)
    assert value == expected[0]
    np.testing.assert_array_equal(change, expected[1])
