"""The laws of the population risk, before and after protection."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sdcwidgets.core.information import conditional_entropy, entropy, hellinger
from sdcwidgets.core.risk import population as risk

SHAPES = st.tuples(st.integers(2, 4), st.integers(2, 4))
ROUND_OFF = 1e-12


def tables(shape, top=30):
    return hnp.arrays(np.int64, shape, elements=st.integers(0, top)).filter(lambda F: F.sum() > 0)


@st.composite
def pairs(draw):
    shape = draw(SHAPES)
    return draw(tables(shape)), draw(hnp.arrays(np.int64, shape, elements=st.integers(0, 30)))


weights = st.tuples(*[st.integers(0, 100)] * 3).filter(any).map(lambda w: np.array(w) / sum(w))
families = st.sampled_from(["h1", "h2", "h3"])
exponents = st.floats(0, 1)
variants = st.sampled_from(risk.VARIANTS)


@given(SHAPES.flatmap(tables), families, exponents)
def test_terms_are_between_0_and_1(F, third, epsilon):
    x = risk.terms(F, third=third, epsilon=epsilon)
    assert x.shape == (3,)
    assert np.all((x >= 0) & (x <= 1 + ROUND_OFF))


@given(pairs(), variants, families)
def test_terms_after_are_between_0_and_the_terms_before(pair, variant, third):
    F, G = pair
    y = risk.terms_after(F, G, variant=variant, third=third)
    assert np.all((y >= 0) & (y <= risk.terms(F, third=third) + ROUND_OFF))


@given(pairs(), st.randoms())
def test_the_order_of_cells_changes_nothing(pair, random):
    F, G = (x.ravel() for x in pair)
    order = list(range(len(F)))
    random.shuffle(order)
    assert risk.terms(F[order]) == pytest.approx(risk.terms(F), abs=ROUND_OFF)
    assert risk.terms_after(F[order], G[order]) == pytest.approx(risk.terms_after(F, G), abs=1e-11)


@given(pairs(), weights)
def test_protection_lowers_the_risk(pair, w):
    F, G = pair
    assert risk.r2_star(F, G) <= risk.r1_star(F) + ROUND_OFF
    assert risk.r2(F, G, w) <= risk.r1(F, w) + ROUND_OFF


@given(pairs())
def test_the_two_variants_share_the_second_term_before(pair):
    F, G = pair
    if G.sum() == 0:
        return
    information, uncertainty = (risk.terms_after(F, G, variant=v)[1] for v in risk.VARIANTS)
    # Where all people are in one cell the ratio is 0/0; then it counts whether G shows that cell as it is.
    same = np.array_equal(G > 0, F > 0)
    whole = risk.terms(F)[1] if entropy(F) > 0 or same else 0.0
    assert information + uncertainty == pytest.approx(whole, abs=1e-11)


@given(pairs())
def test_an_unchanged_table_keeps_its_risk_in_one_variant_and_has_none_in_the_other(pair):
    F, _ = pair
    before, after = risk.terms(F), risk.terms_after(F, F)
    assert after[0] == pytest.approx(before[0])
    assert after[1] == pytest.approx(before[1])
    assert risk.terms_after(F, F, variant="uncertainty")[1] == 0


@given(pairs(), weights)
def test_terms_are_the_printed_formulas(pair, w):
    F, G = pair
    K, N = F.size, F.sum()
    D, E = F == 0, G == 0
    H = -sum(c / N * math.log(c / N) for c in F.ravel() if c)
    third = -(N**-0.5) * math.log(1 / math.e * N**-0.5)
    assert risk.terms(F) == pytest.approx([D.sum() / K, 1 - H / math.log(K), third], abs=1e-11)
    both = (D & E).sum()
    first = (D.sum() / K) ** ((D | E).sum() / both) if both else 0
    if H > 0 and G.sum():
        second = (1 - H / math.log(K)) * (1 - conditional_entropy(F, G) / H)
    else:
        second = float(G.sum() > 0 and (D == E).all())  # all people in one cell: 0/0, as it is or changed
    assert risk.terms_after(F, G) == pytest.approx([first, second, third], abs=1e-11)
    assert risk.r2(F, G, w) == pytest.approx(np.dot(w, [first, second, third]), abs=1e-11)
    assert risk.r2_star(F, G) == pytest.approx(math.sqrt((first**2 + second**2 + third**2) / 3), abs=1e-11)


@given(SHAPES.flatmap(tables), weights)
def test_no_weights_of_length_1_give_more_than_the_weight_free_risk(F, w):
    w = w / np.linalg.norm(w)
    x = risk.terms(F)
    assert w @ x / math.sqrt(3) <= risk.r1_star(F) + ROUND_OFF
    assert x / np.linalg.norm(x) @ x / math.sqrt(3) == pytest.approx(float(risk.r1_star(F)))


@settings(max_examples=50)
@given(SHAPES.flatmap(tables), weights, families, st.sampled_from([1, -1]), st.sampled_from([None, 0, 1]))
def test_change_by_one_is_what_changing_each_cell_gives(F, w, third, step, axis):
    found = risk.change_by_one(F, w, step, third=third, axis=axis, undefined="nan")
    wanted = np.full(F.shape, np.nan)
    # A slice without people has no risk to change.
    known = np.broadcast_to(F.sum(axis=axis, keepdims=True) > 0, F.shape)
    for cell in np.ndindex(F.shape):
        G = F.copy()
        G[cell] += step
        if G[cell] >= 0 and known[cell]:
            risks = risk.r1(G, w, third=third, axis=axis, undefined="nan")
            wanted[cell] = risks if axis is None else risks[cell[1 - axis]]
    np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_change_by_one_refuses_other_steps_and_empty_tables():
    with pytest.raises(ValueError, match="1 or -1"):
        risk.change_by_one([1, 2], step=2)
    with pytest.raises(ValueError, match="N = 0"):
        risk.change_by_one([0, 0])


@settings(max_examples=30)
@given(pairs())
def test_many_slicings_at_once_are_each_slicing_alone(pair):
    F, G = pair
    replicates = np.stack([G, F, 0 * G])
    for axis, after in zip([1, 0, None], risk.after_slices(F, replicates, [1, 0, None]), strict=True):
        alone = np.stack([risk.terms_after(F, R, axis=axis, undefined="nan") for R in replicates])
        np.testing.assert_allclose(after.terms(), alone, atol=1e-12)
        other = [
            risk.terms_after(F, R, axis=axis, variant="uncertainty", undefined="nan") for R in replicates
        ]
        np.testing.assert_allclose(after.terms("uncertainty"), other, atol=1e-12)
        empty = F.sum(axis=axis) == 0
        lost = [np.where(empty, np.nan, hellinger(F, R, axis)) for R in replicates]
        np.testing.assert_allclose(after.hellinger, lost, atol=1e-12)
        left = [conditional_entropy(F, R, axis, undefined="nan") for R in replicates]
        np.testing.assert_allclose(after.entropy_left, left, atol=1e-12)


def test_blocks_of_replications_change_nothing():
    rng = np.random.default_rng(0)
    F, G = rng.integers(0, 9, (30, 40)), rng.integers(0, 9, (2, 150, 30, 40))
    (rows,) = risk.after_slices(F, G, [1])
    assert rows.zeros.shape == (2, 150, 30)
    np.testing.assert_allclose(rows.r2()[1, 149], risk.after_slices(F, G[1, 149], [1])[0].r2(), atol=1e-12)
    np.testing.assert_allclose(risk.r2(F, G, axis=-1), rows.r2(), atol=1e-12)


def test_both_sides_may_be_batches():
    rng = np.random.default_rng(1)
    F, G = rng.integers(1, 9, (4, 1, 2, 3)), rng.integers(0, 9, (5, 2, 3))
    y = risk.terms_after(F, G, axis=(-2, -1))
    assert y.shape == (4, 5, 3)
    np.testing.assert_allclose(y[3, 2], risk.terms_after(F[3, 0], G[2]))


def test_many_tables_are_each_table_alone():
    F = np.random.default_rng(2).integers(0, 4, (3000, 2, 7))
    x = risk.terms(F, axis=(1, 2), undefined="nan")
    for i in (0, 1234, 2999):
        np.testing.assert_allclose(x[i], risk.terms(F[i]))


def test_nothing_is_told_by_a_table_without_people():
    for variant in risk.VARIANTS:
        assert risk.terms_after([3, 0, 4], [0, 0, 0], variant=variant)[1] == 0
    assert risk.terms_after([3, 0, 4], [0, 0, 0])[0] == pytest.approx((1 / 3) ** 3)


@given(pairs(), variants, families)
def test_a_huge_table_is_assessed_from_its_populated_cells(pair, variant, third):
    F, G = (x.ravel() for x in pair)
    listed = (F > 0) | (G > 0)
    wanted = risk.terms(F, third=third), risk.terms_after(F, G, variant=variant, third=third)
    found = (
        risk.terms(F[F > 0], third=third, cells=F.size),
        risk.terms_after(F[listed], G[listed], variant=variant, third=third, cells=F.size),
    )
    np.testing.assert_allclose(found, wanted, atol=1e-12)
    assert risk.r1(F[F > 0], cells=F.size) == pytest.approx(float(risk.r1(F)))
    assert risk.r1_star(F[F > 0], cells=F.size) == pytest.approx(float(risk.r1_star(F)))
    assert risk.r2(F[listed], G[listed], cells=F.size) == pytest.approx(float(risk.r2(F, G)))
    assert risk.r2_star(F[listed], G[listed], cells=F.size) == pytest.approx(float(risk.r2_star(F, G)))


def test_undefined_risks_are_refused_or_told():
    F = [[0, 0], [3, 1]]
    with pytest.raises(ValueError, match="N = 0"):
        risk.terms(F, axis=1)
    with pytest.raises(ValueError, match="one cell"):
        risk.r1([5])
    with pytest.raises(ValueError, match="N = 0"):
        risk.r2(F, F, axis=1)
    with pytest.raises(ValueError, match="one cell"):
        risk.r2([5], [6])
    assert np.isnan(risk.terms(F, axis=1, undefined="nan")).tolist() == [[True] * 3, [False] * 3]
    assert np.isnan(risk.terms([5], undefined="nan")).all()
    assert np.isnan(risk.r2(F, F, axis=1, undefined="nan")).tolist() == [True, False]
    assert np.isnan(risk.r2([5], [6], undefined="nan"))
    assert np.isnan(risk.change_by_one(F, axis=1, undefined="nan")).tolist() == [[True] * 2, [False] * 2]


@pytest.mark.parametrize("bad", [[0.5, 0.5], [0.5, 0.6, -0.1], [0.3, 0.3, 0.3], [np.nan, 0.5, 0.5]])
def test_weights_are_checked(bad):
    with pytest.raises(ValueError, match="weights"):
        risk.r1([1, 2], bad)


def test_other_choices_are_checked():
    with pytest.raises(ValueError, match="table has 3 counts"):
        risk.r1([1, 2, 3], cells=2)
    with pytest.raises(ValueError, match="h1, h2, h3"):
        risk.terms([1, 2], third="h4")
    with pytest.raises(ValueError, match="from 0 to 1"):
        risk.terms([1, 2], epsilon=1.5)
    with pytest.raises(ValueError, match="information, uncertainty"):
        risk.r2([1, 2], [1, 2], variant="both")
    with pytest.raises(ValueError, match="end in the shape"):
        risk.after_slices([1, 2], [[1, 2, 3]])
    with pytest.raises(ValueError, match="N = 0"):
        risk.h1(0)
    with pytest.raises(ValueError, match="N = 0"):
        risk.h3([[0, 0], [1, 1]], axis=1)


@given(st.integers(1, 10**9), exponents)
def test_third_terms_fall_with_size(N, epsilon):
    for h in (risk.h1, risk.h2):
        assert 0 <= h(N + 1, epsilon) <= h(N, epsilon) + ROUND_OFF <= 1 + 2 * ROUND_OFF
    assert risk.h3([N, 0, N], epsilon) == pytest.approx(float(risk.h2(N, epsilon)))


def test_a_slice_of_one_populated_cell_keeps_its_risk_until_it_is_changed():
    """The ratio is 0/0; PSD 2014 sets the term to 0, against the thesis' own claim for G = F."""
    F = np.array([0, 5, 0])
    before = risk.terms(F)
    assert before[1] == 1
    for same in (F, 2 * F):
        np.testing.assert_allclose(risk.terms_after(F, same), before)
    for changed in ([0, 5, 1], [5, 0, 0], [0, 0, 0]):
        assert risk.terms_after(F, changed)[1] == 0
    for G in (F, [0, 5, 1], [0, 0, 0]):
        assert risk.terms_after(F, G, variant="uncertainty")[1] == 0
