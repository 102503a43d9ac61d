"""The third term of one row of counts, and the printed tables beside it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stating import stating

from sdcwidgets import InputError
from sdcwidgets.core.risk.population import h1, h2
from sdcwidgets.dashboards.third_term.result import FUNCTIONS, compute, published_tables
from sdcwidgets.dashboards.third_term.state import ThirdTermSettings, ThirdTermState
from sdcwidgets.dashboards.third_term.texts import (
    at_size,
    erratum,
    explain,
    explain_published,
    headline,
    notice,
    readings,
)

rows = st.lists(st.integers(0, 1000), min_size=2, max_size=20).filter(any).map(tuple)
settings = st.builds(
    ThirdTermSettings, epsilon=st.sampled_from([0.0, 0.1, 0.5, 1.0]), people=st.integers(1, 10_000)
)


def text(lines):
    return " / ".join("".join(piece.text for piece in line) for line in lines)


@given(rows, settings)
def test_terms_are_between_0_and_1_and_in_order(counts, chosen):
    terms = compute(ThirdTermState(counts, chosen)).terms
    assert all(0 <= terms[name] <= 1 for name in FUNCTIONS)
    assert terms["h1"] <= terms["h2"] + 1e-12
    assert terms["h2"] <= terms["h3"] + 1e-12


@given(rows, settings)
def test_a_link_leads_back_to_the_row(counts, chosen):
    table = ThirdTermState(counts, chosen)
    assert ThirdTermState.from_state(table.to_state()) == table


def test_the_third_function_alone_fails_two_wishes():
    kept = {one.wish: dict(one.holds) for one in compute(ThirdTermState()).properties}
    every = dict.fromkeys(FUNCTIONS, True)
    assert [*kept.items()] == [
        (stating("0 and 1"), every),
        (stating("double"), every),
        (stating("one person"), every | {"h3": False}),
        (stating("ten people"), every | {"h3": False}),
    ]


def test_with_epsilon_0_no_function_tells_sizes_apart():
    result = compute(ThirdTermState(settings=ThirdTermSettings(epsilon=0)))
    assert set(result.terms.values()) == {1.0}
    assert [any(one.holds.values()) for one in result.properties] == [True, False, False, False]
    assert "no effect" in notice(result)


def test_one_printed_figure_differs_from_its_formula():
    tables = published_tables()
    ((row, column),) = np.argwhere(tables.differs).tolist()
    assert (tables.vectors[row], tables.columns[column]) == ((5,) * 10, ("h3", 0.3))
    assert tables.figures[row, column] == 0.9812
    assert round(tables.values[row, column], 4) == 0.9150
    told = erratum(tables)
    assert told.startswith("1 of the 600 published third terms differs")
    assert "F = (5 × 10) and ε = 0.3, the published h₃ is 0.9812, but the formula gives 0.9150" in told
    assert told.endswith("equals the value in the row above, (2 × 10).")
    assert text(explain_published(tables, row)).count("differ") == 1
    assert "differ" not in text(explain_published(tables, row - 1))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_explanation_ends_with_the_value(name):
    result = compute(ThirdTermState((0, 2, 4)))
    assert text(explain(result, name)).endswith(f"{result.terms[name]:.4f}")
    assert [one.text for one in readings(result)] == ["0.4082", "0.7740", "0.8994"]


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ((1,) * 10, "No cell"),
        ((0, 5), "h₃ equals h₂"),
        ((0, 1), "all three"),
        ((2, 3), "the total"),
    ],
)
def test_the_sentence_says_what_to_notice(counts, told):
    assert told in notice(compute(ThirdTermState(counts)))


@given(st.floats(0.1, 1))
def test_half_of_the_term_is_left_up_to_a_size(epsilon):
    for name, function in (("h1", h1), ("h2", h2)):
        half = compute(ThirdTermState().set(epsilon=epsilon, fan=name)).half
        assert function(half, epsilon) >= 0.5 - 1e-9
        assert function(half + 1, epsilon) < 0.5 + 1e-9


@pytest.mark.parametrize(
    ("epsilon", "told"),
    [
        (0, "does not affect"),
        (0.05, "hardly affects"),
        (0.5, "up to 28 people."),
    ],
)
def test_the_lead_says_up_to_which_size_a_table_is_small(epsilon, told):
    answer, reason = headline(compute(ThirdTermState().set(epsilon=epsilon)))
    assert told in reason
    assert f"{compute(ThirdTermState().set(epsilon=epsilon)).at['h2']:.3f}" in answer


def test_the_headline_states_the_chosen_function():
    answer, reason = headline(compute(ThirdTermState().set(fan="h1")))
    assert "0.100 (h₁)" in answer
    assert "h₁ is at least 0.5 for tables of up to 4 people." in reason
    row = compute(ThirdTermState().set(fan="h1", people=8))
    assert "h₁ is at least 0.5" in headline(row)[1]


def test_the_values_at_a_size_are_told():
    assert at_size(compute(ThirdTermState())).endswith(
        "ε = 0.5, the power function (h₁) is 0.1000 and the entropy function (h₂) is 0.3303."
    )


@pytest.mark.parametrize(
    ("counts", "told"),
    [((0, 0), "zero"), ((1,), "have 2 to 20"), ((1,) * 21, "have 2 to 20"), ((1, "2"), "category 2 is 2")],
)
def test_wrong_counts_say_what_would_be_right(counts, told):
    with pytest.raises(InputError, match=told):
        ThirdTermState(counts)


@pytest.mark.parametrize("saved", [{}, {"version": 0}, {"version": 1, "counts": 1, "settings": {}}])
def test_a_damaged_link_says_so(saved):
    with pytest.raises(InputError, match="link"):
        ThirdTermState.from_state(saved)
