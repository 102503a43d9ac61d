"""Two distributions: the inequalities of thesis section 3.3 as laws, the limit of chi-squared, the state."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sdcwidgets import InputError
from sdcwidgets.dashboards.divergences.result import compute, move_one
from sdcwidgets.dashboards.divergences.state import PRESETS, DistanceSettings, DivergencesState
from sdcwidgets.dashboards.divergences.texts import READ, explain, formula, notice, number


@st.composite
def pairs(draw):
    size = draw(st.integers(2, 8))
    rows = st.lists(st.integers(0, 60), min_size=size, max_size=size).filter(any)
    settings = DistanceSettings(order=draw(st.sampled_from([1, 1.5, 2, 7, 20])))
    return DivergencesState(tuple(draw(rows)), tuple(draw(rows)), settings)


@given(pairs())
def test_no_inequality_is_ever_broken(pair):
    result = compute(pair)
    assert len(result.inequalities) == 12
    assert [one.name for one in result.inequalities if not one.slack >= 0] == []
    assert all(0 < one.full < np.inf for one in result.inequalities)


@given(pairs())
def test_a_distance_is_0_only_between_equal_distributions(pair):
    result = compute(pair)
    same = np.allclose(result.p, result.q, rtol=0, atol=1e-12)
    assert {name for name, value in result.distances.items() if value < 1e-12} == (
        set(result.distances) if same else set()
    )


@given(pairs())
def test_identities_with_the_even_distribution(pair):
    size = len(pair.before)
    result = compute(DivergencesState(pair.before, (1,) * size))
    assert result.distances["D(P‖Q)"] == pytest.approx(np.log(size) - result.entropies["H(P)"], abs=1e-9)
    assert result.distances["χ²"] == pytest.approx(size * np.sum(result.p**2) - 1, abs=1e-9)


@given(pairs())
@example(DivergencesState((0, 0, 1), (21, 60, 1)))
def test_divergences_over_chi_squared_reach_their_limits(pair):
    result = compute(pair)
    if (approach := result.approach) is not None:
        # The third term of each series: what is left is less than how far P's largest share is from Q's.
        some = result.q > 0
        far = approach.steps[-1] * np.abs(result.p[some] / result.q[some] - 1).max()
        for name, limit in approach.limits.items():
            assert approach.ratios[name][-1] == pytest.approx(limit, rel=far + 1e-3)


def test_there_is_no_approach_where_chi_squared_is_infinite_or_nothing_is_left():
    assert compute(PRESETS["opposite"]).approach is None
    assert compute(PRESETS["equal"]).approach is None


def test_orders_1_and_20_are_near_total_variation_and_the_greatest_difference():
    one, twenty = (
        compute(DivergencesState(settings=DistanceSettings(order=order))).distances for order in (1, 20)
    )
    assert one["Lp"] == pytest.approx(one["TV"])
    assert twenty["Lp"] == pytest.approx(twenty["Lmax"], rel=0.04)


def test_a_move_matters_to_hellinger_by_the_size_of_the_cell():
    found = move_one(np.array([0, 1, 10, 100, 1000]))
    assert found["people"] == pytest.approx([2] * 5)
    assert found["hellinger"].round(3).tolist() == [0.707, 0.293, 0.109, 0.035, 0.011]
    assert found["chi squared"].round(3).tolist() == [1.0, 0.5, 0.091, 0.01, 0.001]


@given(pairs())
def test_a_link_leads_back_to_the_pair(pair):
    assert DivergencesState.from_state(pair.to_state()) == pair


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ((0, 0), (1, 1), "Every count of P would be zero"),
        ((1, 1), (1, -1), "Q, category 2 is -1"),
        ((1, 1.5), (1, 1), "P, category 2 is 1.5"),
        ((1, 10_001), (1, 1), "from 0 to 10,000"),
        ((1, 1), (1, 1, 1), "both must have the same"),
        ((1,), (1,), "from 2 to 8"),
        ((1, True), (1, 1), "P, category 2 is True"),
    ],
)
def test_wrong_counts_say_which_and_what_would_be_right(before, after, told):
    with pytest.raises(InputError, match=told):
        DivergencesState(before, after)


@pytest.mark.parametrize(
    "saved", [{}, {"version": 2}, {"version": 1, "before": 3}, {"version": 1, "settings": 1}]
)
def test_a_damaged_link_says_so(saved):
    with pytest.raises(InputError, match="link"):
        DivergencesState.from_state(saved)


def test_categories_are_added_empty_and_left_out_at_the_end():
    assert DivergencesState().resized(4).before == (0, 2, 4, 0)
    assert DivergencesState().resized(2).after == (0, 3)
    with pytest.raises(InputError, match="would be zero"):
        DivergencesState((0, 0, 4), (1, 1, 1)).resized(2)


def text(lines):
    return ["".join(piece.text for piece in line) for line in lines]


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("symbol", ["HD", *READ])
def test_every_explanation_ends_with_the_number_that_is_shown(name, symbol):
    result = compute(PRESETS[name])
    lines = text(explain(result, symbol))
    assert lines[-1].endswith(f"= {number(result.distances[symbol])}")
    assert len(lines) == len(result.p) + 4
    assert text([formula(result, symbol)])[0].endswith(f"= {number(result.distances[symbol])}")


def test_numbers_are_put_into_a_formula():
    result = compute(DivergencesState())
    assert text([formula(result, "D(P‖Q)")]) == [
        "D(P‖Q) = Σ p·log(p/q) = 0.333·log(0.333/0.500) + 0.667·log(0.667/0.500) = 0.0566"
    ]
    assert text([formula(result, "Lp")]) == [
        "L2 = (Σ |p − q|^2)^(1/2) = (|0.333 − 0.500|^2 + |0.667 − 0.500|^2)^(1/2) = 0.2357"
    ]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("equal", "same distribution"),
        ("opposite", "Categories 1 and 2 are only in P, categories 3 and 4 are only in Q"),
        ("one", "Categories 2, 3 and 4 are in Q but not in P, so D(Q‖P) is infinite"),
        ("near", "D(P‖Q)/χ² is"),
    ],
)
def test_the_sentence_says_what_to_notice(name, told):
    assert told in notice(compute(PRESETS[name]))
    assert "Category 1 is in P but not in Q" in notice(compute(DivergencesState((1, 1), (0, 1))))
