"""Weights: the Cauchy-Schwarz inequality, and the properties that each mean keeps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets import InputError
from sdcwidgets.core.risk import population
from sdcwidgets.dashboards.weights.result import MEANS, choices, compute, means
from sdcwidgets.dashboards.weights.state import WeightsState
from sdcwidgets.dashboards.weights.texts import READ, explain, explain_property, notice, parts, readings
from sdcwidgets.tables.table import FrequencyTable

shares = st.tuples(*[st.integers(0, 100)] * 3).filter(any).map(lambda w: tuple(np.array(w) / sum(w)))
tables = st.lists(st.integers(0, 50), min_size=2, max_size=8).filter(any)


def weighed(counts, weights=(0.1, 0.8, 0.1)):
    return compute(WeightsState(FrequencyTable(counts)).set(weights=weights))


def text(lines):
    return " / ".join("".join(piece.text for piece in line) for line in lines)


@given(tables, shares)
def test_no_weights_of_length_1_give_more_than_the_best(counts, weights):
    result = weighed(counts, weights)
    assert result.along <= result.best @ result.x + 1e-12
    assert np.linalg.norm(result.unit) == pytest.approx(1)
    assert np.linalg.norm(result.best) == pytest.approx(1)
    assert result.along == pytest.approx(result.means["length"] * np.cos(np.radians(result.angle)), abs=1e-6)


@given(tables, shares)
def test_the_means_are_those_of_the_core(counts, weights):
    result = weighed(counts, weights)
    assert result.means["weighted"] == pytest.approx(population.r1(counts, weights))
    assert result.means["rms"] == pytest.approx(population.r1_star(counts))
    assert result.means["geometric"] <= result.means["rms"] + 1e-12
    assert sum(share for _, share in parts(result)) == pytest.approx(result.means["rms"])


def test_the_best_choice_has_no_angle():
    result = weighed([0, 2, 4])
    best = weighed([0, 2, 4], choices(result.x)["best"])
    assert best.angle == pytest.approx(0, abs=1e-4)
    assert "same direction" in notice(best)
    assert "is 54°." in notice(result)


def test_the_root_mean_square_alone_keeps_every_wish():
    kept = {name: [one.holds[name] for one in weighed([0, 2, 4]).properties] for name in MEANS}
    assert kept == {
        "weighted": [True] * 6,
        "geometric": [False, True, False, True, True, False],
        "rms": [True] * 6,
        "length": [True, True, True, True, False, True],
    }


def test_a_weighted_mean_keeps_what_its_weights_let_it_keep():
    small, zeros = (
        [one.holds["weighted"] for one in weighed([0, 2], w).properties] for w in ((0, 0, 1), (1, 0, 0))
    )
    assert small == [False, False, True, False, True, True]
    assert zeros == [True, True, False, True, True, False]


def test_the_geometric_mean_is_0_as_soon_as_a_term_is():
    assert means([0, 0.9, 0.9], (0, 0, 1))["geometric"] == 0
    assert means([0, 0.9, 0.9], (0, 0, 1))["rms"] > 0.7


def test_the_examples_are_all_weighed():
    result = weighed([0, 2, 4])
    where = result.examples.names.index("religion")
    assert round(float(result.examples.means["weighted"][where]), 4) == 0.2315
    assert all(len(values) == len(result.examples.names) for values in result.examples.means.values())


@pytest.mark.parametrize("key", [*READ, "rms"])
def test_every_explanation_holds_the_number(key):
    result = weighed([0, 2, 4])
    shown = dict(zip(READ, readings(result), strict=True))
    wanted = f"{result.means['rms']:.4f}" if key == "rms" else shown[key].text
    assert wanted in text(explain(result, key))


def test_a_property_is_explained_by_its_tables():
    told = text(explain_property(weighed([0, 2, 4]).properties[0]))
    assert told.startswith("Tested on F = (0 × 9, 10) and F = (0 × 9, 1,000,000)")
    assert told.count("does not hold") == 1


@pytest.mark.parametrize(
    ("counts", "told"), [([0, 0], "one person"), ([5], "one cell only; it needs at least two")]
)
def test_a_table_without_terms_is_refused(counts, told):
    with pytest.raises(InputError, match=told):
        weighed(counts)
