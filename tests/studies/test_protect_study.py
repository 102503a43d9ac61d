import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets import methods
from sdcwidgets.assess import assess
from sdcwidgets.errors import InputError
from sdcwidgets.replications import KEPT
from sdcwidgets.search import Thresholds
from sdcwidgets.studies.base import Study
from sdcwidgets.studies.links import decode, encode
from sdcwidgets.studies.protect import ProtectState, improve, protect
from sdcwidgets.words.protect import after_formula, notice_after, rows, steps, why_two


@pytest.fixture(scope="module")
def religion():
    return ProtectState.of_example("religion").set(replications=200)


def finished(state):
    first = protect(state)
    return [first, *improve(state, first)][-1]


@pytest.mark.parametrize("name", methods.available())
def test_the_screen_shows_the_numbers_of_assess(religion, name):
    state = religion.with_method(name)
    result = finished(state)
    after = assess(state.table, state.method, replications=200).after
    assert result.after.size == (1 if state.method.deterministic else 200)
    assert result.risk == pytest.approx(float(after.whole.r2["information"].mean[0]))
    assert result.loss == pytest.approx(float(after.whole.hellinger.mean[0]))
    np.testing.assert_array_equal(result.published.cells, after.first.cells)


def test_the_next_draw_is_the_next_replicate(religion):
    state = religion.with_parameter("base", 5)
    draws = state.method.replicate(state.table, 4, np.random.default_rng(1))
    for shown in range(4):
        result = finished(type(state)(**(vars(state) | {"shown": shown})))
        assert result.index == shown
        np.testing.assert_array_equal(result.published.cells, draws[shown])


@given(st.sampled_from(methods.available()), st.integers(0, KEPT - 1), st.floats(0, 1))
def test_a_link_brings_back_the_same_state(name, shown, limit):
    state = ProtectState.of_example("sex").with_method(name)
    state = ProtectState(**(vars(state) | {"shown": shown, "thresholds": Thresholds(after=limit)}))
    assert ProtectState.from_state(decode(encode(state))) == state


@pytest.mark.parametrize(
    "change",
    [
        {"method": "none such"},
        {"parameters": {"base": 99}},
        {"parameters": {"nonsense": 1}},
        {"parameters": 3},
        {"shown": -1},
        {"shown": 10**6},
        {"thresholds": [1, 2]},
        {"thresholds": ["a", "b", "c"]},
    ],
)
def test_a_wrong_link_is_refused(religion, change):
    saved = json.loads(json.dumps(religion.to_state())) | change
    with pytest.raises(InputError):
        ProtectState.from_state(saved)


def test_a_study_of_protection_ends_with_all_the_draws(religion):
    study = Study(religion.set(replications=3000), protect, improve)
    assert study.result.after.size == 3000


def test_every_number_has_a_formula(religion):
    result = protect(religion)
    for row in rows(result):
        assert row.value
        assert all("".join(piece.text for piece in line) for line in row.lines())
    assert "".join(piece.text for piece in after_formula(result)).endswith(f"= {result.risk:.4f}")


def test_the_decision_is_marked_among_the_steps(religion):
    result = protect(religion)
    limits = Thresholds(0.1, 0.5, 10)
    assert notice_after(result, limits).startswith("Step 15 of 15.")
    marked = [line for line in steps(result, limits) if line[0].role]
    assert len(marked) == 1
    assert marked[0][0].text.startswith("→ 15.")


def test_both_formulas_are_told_with_their_figures(religion):
    result = protect(religion)
    told = " ".join(line[0].text for line in why_two(result))
    for variant in ("information", "uncertainty"):
        assert f"{result.after.whole.r2[variant].mean[0]:.4f}" in told


def test_a_table_published_as_zeros_only_can_be_shown():
    from sdcwidgets.table import FrequencyTable

    state = ProtectState(FrequencyTable([[1, 1], [1, 0]])).with_parameter("base", 20).set(replications=20)
    result = protect(state)
    assert all(row.lines() for row in rows(result))
