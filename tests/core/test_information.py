"""The laws of entropy and of the divergences (thesis, section 3.3), and its printed example."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sdcwidgets.core import information as info

CELLS = st.integers(2, 8)
counts = CELLS.flatmap(lambda k: hnp.arrays(np.int64, k, elements=st.integers(0, 60))).filter(
    lambda F: F.sum() > 0
)


@st.composite
def count_pairs(draw, top=60):
    k = draw(CELLS)
    table = hnp.arrays(np.int64, k, elements=st.integers(0, top)).filter(lambda F: F.sum() > 0)
    return draw(table), draw(table)


@st.composite
def distribution_pairs(draw):
    F, G = draw(count_pairs())
    return F / F.sum(), G / G.sum()


def plainly(F, G):
    """(3.6.5), term by term, as printed."""
    p, q = F / F.sum(), G / G.sum()
    m = np.minimum(F * G.sum(), G * F.sum()) / (F.sum() * G.sum())
    s = 1 - m.sum()

    def part(x, y):
        return -sum(a * np.log(a / b) for a, b in zip(x, y, strict=True) if a > 1e-13)

    return part(m, q) + part(p - m, np.full(len(p), s)) + part(q - m, q)


def test_worked_example():
    F, G = [0, 2, 4], [0, 3, 3]
    assert round(float(info.entropy(F)), 4) == 0.6365
    assert round(float(info.hellinger(F, G)), 4) == 0.2940


@given(counts)
def test_entropy_is_between_0_and_log_k(F):
    assert 0 <= info.entropy(F) <= np.log(len(F)) + 1e-12


@given(counts, st.randoms())
def test_entropy_does_not_depend_on_the_order_of_cells_on_zeros_or_on_scale(F, random):
    order = list(range(len(F)))
    random.shuffle(order)
    H = info.entropy(F)
    assert info.entropy(F[order]) == pytest.approx(H, abs=1e-12)
    assert info.entropy([*F, 0, 0]) == pytest.approx(H, abs=1e-12)
    assert info.entropy(7 * F) == pytest.approx(H, abs=1e-12)


def test_entropy_of_one_populated_cell_is_exactly_0():
    tables = np.zeros((500, 4), dtype=int)
    tables[:, 2] = np.arange(1, 501)
    assert not info.entropy(tables, axis=1).any()


@given(count_pairs())
def test_conditional_entropy_is_the_printed_formula(pair):
    assert info.conditional_entropy(*pair) == pytest.approx(plainly(*pair), abs=1e-10)


@given(count_pairs())
def test_conditional_entropy_is_at_most_the_entropy(pair):
    F, G = pair
    assert 0 <= info.conditional_entropy(F, G) <= info.entropy(F) + 1e-12


@given(counts, st.integers(1, 10**6), st.integers(1, 10**6))
def test_conditional_entropy_of_a_proportional_table_is_exactly_0(F, a, b):
    assert info.conditional_entropy(a * F, b * F) == 0


@given(count_pairs())
def test_conditional_entropy_stays_true_where_n_times_m_passes_2_to_53(pair):
    F, G = pair
    big = info.conditional_entropy(F * 10**9, G * 10**9)
    assert big == pytest.approx(float(info.conditional_entropy(F, G)), abs=1e-11)


def test_conditional_entropy_batches_over_either_side():
    rng = np.random.default_rng(0)
    F, G = rng.integers(1, 9, (4, 1, 2, 5)), rng.integers(1, 9, (3, 2, 5))
    H = info.conditional_entropy(F, G, axis=(-2, -1))
    assert H.shape == (4, 3)
    assert H[1, 2] == pytest.approx(plainly(F[1, 0].ravel(), G[2].ravel()))
    by_column = info.conditional_entropy(F[0, 0], G, axis=-2)
    assert by_column.shape == (3, 5)
    assert by_column[2, 4] == pytest.approx(plainly(F[0, 0, :, 4], G[2, :, 4]))


def test_a_table_without_people_is_refused_or_told():
    with pytest.raises(ValueError, match="N = 0"):
        info.entropy([[0, 0], [1, 2]], axis=1)
    with pytest.raises(ValueError, match="M = 0"):
        info.conditional_entropy([1, 2], [0, 0])
    told = info.conditional_entropy([[1, 2], [2, 1]], [[0, 0], [1, 1]], axis=1, undefined="nan")
    assert np.isnan(told).tolist() == [True, False]
    with pytest.raises(ValueError, match="undefined must"):
        info.conditional_entropy([1, 2], [1, 2], undefined="zero")


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ([-1, 2], "0 or more"),
        ([np.nan, 1], "0 or more"),
        ([np.inf, 1], "finite"),
        (["a"], "numbers"),
        ([], "no cells"),
    ],
)
def test_counts_are_checked(bad, message):
    with pytest.raises(ValueError, match=message):
        info.entropy(bad)


def test_shapes_that_do_not_match_are_refused():
    with pytest.raises(ValueError, match="same table"):
        info.conditional_entropy([1, 2, 3], [1, 2])


@given(count_pairs(), st.integers(0, 60))
def test_hellinger_on_counts_is_a_bounded_metric(pair, seed):
    F, G = pair
    other = np.random.default_rng(seed).integers(0, 60, len(F))
    distance = info.hellinger(F, G)
    assert 0 <= distance <= np.sqrt((F.sum() + G.sum()) / 2) + 1e-12
    assert distance == info.hellinger(G, F)
    assert info.hellinger(F, F) == 0
    assert distance <= info.hellinger(F, other) + info.hellinger(other, G) + 1e-12


@given(distribution_pairs())
def test_divergences_are_0_or_more_and_0_for_equals(pair):
    p, q = pair
    for D in (
        info.relative_entropy,
        info.chi_squared,
        info.total_variation,
        info.squared_hellinger,
        info.lp_distance,
    ):
        assert D(p, q) >= 0
        assert D(p, p) == pytest.approx(0, abs=1e-12)


@given(distribution_pairs())
def test_named_divergences_are_f_divergences(pair):
    p, q = pair
    assert info.squared_hellinger(p, q) == pytest.approx(
        float(info.f_divergence(p, q, lambda x: 1 - np.sqrt(x), slope=0.0)), abs=1e-12
    )
    assert info.total_variation(p, q) == pytest.approx(float(info.lp_distance(p, q, order=1)), abs=1e-12)
    support = (p > 0) & (q > 0)
    if np.all(support == (p > 0)):
        assert info.relative_entropy(p, q) == pytest.approx(
            float(np.sum(p[support] * np.log(p[support] / q[support]))), abs=1e-12
        )
    else:
        assert info.relative_entropy(p, q) == np.inf == info.chi_squared(p, q)


@given(distribution_pairs())
def test_twice_the_squared_hellinger_is_at_most_the_relative_entropy(pair):
    assert 2 * info.squared_hellinger(*pair) <= info.relative_entropy(*pair) + 1e-12


@given(distribution_pairs())
def test_hellinger_and_total_variation_bound_each_other(pair):
    h, v = info.hellinger_distance(*pair), info.total_variation(*pair) / 2
    assert h**2 - 1e-12 <= v <= h * np.sqrt(2) + 1e-12


@given(distribution_pairs())
def test_relative_entropy_is_at_most_log_one_plus_chi_squared(pair):
    assert info.relative_entropy(*pair) <= np.log1p(info.chi_squared(*pair)) + 1e-12


@given(counts, st.floats(1.01, 20))
def test_entropy_is_bounded_below_by_every_norm(F, order):
    p = F / F.sum()
    norm = float(np.sum(p**order) ** (1 / order))
    H = info.entropy(F)
    assert order / (order - 1) * np.log(1 / norm) - 1e-9 <= H
    assert -np.log(p.max()) - 1e-12 <= H


@given(counts)
def test_entropy_and_relative_entropy_to_the_uniform_sum_to_log_k(F):
    uniform = np.full(len(F), 1 / len(F))
    assert info.relative_entropy(F / F.sum(), uniform) + info.entropy(F) == pytest.approx(np.log(len(F)))


@pytest.mark.parametrize(
    ("f", "curvature", "slope"),
    [
        (lambda x: x * np.log(x), 1.0, np.inf),
        (lambda x: 1 - np.sqrt(x), 0.25, 0.0),
        (lambda x: -np.log(x), 1.0, 0.0),
    ],
)
def test_near_q_every_divergence_is_half_its_curvature_times_chi_squared(f, curvature, slope):
    q = np.array([0.1, 0.2, 0.3, 0.4])
    direction = np.array([1, -2, 3, -2]) / 100
    errors = []
    for step in (1e-1, 1e-2, 1e-3):
        p = q + step * direction
        errors.append(abs(info.f_divergence(p, q, f, slope=slope) / info.chi_squared(p, q) - curvature / 2))
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 1e-3


@given(distribution_pairs(), st.floats(1, 30), st.floats(1, 30))
def test_lp_distances_fall_with_the_order(pair, a, b):
    low, high = sorted((a, b))
    assert info.lp_distance(*pair, order=high) <= info.lp_distance(*pair, order=low) + 1e-9
    assert info.lp_distance(*pair, order=np.inf) == np.max(np.abs(pair[0] - pair[1]))


def test_divergences_refuse_what_they_cannot_say():
    with pytest.raises(ValueError, match="Pass slope"):
        info.f_divergence([0.5, 0.5], [1, 0], np.abs)
    with pytest.raises(ValueError, match="p must have the sum 1"):
        info.relative_entropy([2, 4], [0.5, 0.5])
    with pytest.raises(ValueError, match="1 or more"):
        info.lp_distance([1, 0], [0, 1], order=0.5)


def test_many_distributions_diverge_like_each_of_them():
    p = np.array([[0.2, 0.3, 0.5], [0.6, 0.4, 0.0]])
    q = np.array([[0.0, 0.5, 0.5], [0.1, 0.0, 0.9]])
    for distance in (info.total_variation, info.squared_hellinger, info.relative_entropy, info.chi_squared):
        assert distance(p, q, axis=1).tolist() == [distance(*pair) for pair in zip(p, q, strict=True)]
