"""The residual risk of which the second term follows people."""

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, assess, examples, measures, methods
from sdcwidgets.core.followed import followed_people
from sdcwidgets.core.information import entropy
from sdcwidgets.core.risk.population import terms

RELIGION = examples.load("religion")
SWAPPED = methods.get("record-swapping")(rate=0.1, axis="Area")


@pytest.fixture(scope="module")
def assessment():
    return assess(RELIGION, SWAPPED, replications=30, variant="followed")


def second_terms(variant):
    frame = assess(RELIGION, SWAPPED, replications=30, variant=variant).after.to_frame()
    return frame.set_index("label")["y2"]


def test_religion_loses_15_percent_of_the_second_term():
    before = float(terms(RELIGION.counts)[1])
    assert second_terms("followed")["Table"] / before == pytest.approx(0.845, abs=1e-3)
    assert second_terms("information")["Table"] / before == pytest.approx(0.965, abs=2e-3)


@pytest.mark.parametrize("axis", [0, 1])
def test_each_slice_has_its_own_share(assessment, axis):
    counts = np.moveaxis(RELIGION.counts, axis, 0)
    people = followed_people(RELIGION.counts, SWAPPED.person_transition(RELIGION), axis)
    unevenness = np.array([terms(slice_)[1] for slice_ in counts])
    share = 1 - people.entropy_left / np.array([entropy(slice_) for slice_ in counts])
    frame = assessment.after.to_frame()
    rows = frame[frame["slice"] == RELIGION.axes[axis].name]
    np.testing.assert_allclose(rows["y2"], unevenness * share)


def test_the_measure_is_the_weighted_sum(assessment):
    whole = assessment.after.whole
    y1, y2, y3 = assessment.after.to_frame().loc[0, ["y1", "y2", "y3"]]
    assert whole.r2_followed.mean == pytest.approx(0.1 * y1 + 0.8 * y2 + 0.1 * y3)
    assert whole.r2_followed.mean < whole.r2.mean


@pytest.mark.parametrize("name", ["random-rounding", "targeted-record-swapping"])
def test_other_methods_have_the_risk_of_the_thesis(name):
    whole = assess(RELIGION, name, replications=5, variant="followed").after.whole
    assert whole.r2_followed == whole.r2
    assert whole.r2_star_followed == whole.r2_star


def test_a_slice_with_one_populated_cell_has_the_share_of_people_who_stay():
    table = FrequencyTable([[20, 0], [10, 10]], {"Area": "AB", "Sex": "fm"})
    after = assess(table, methods.get("record-swapping")(rate=0.2), replications=3, variant="followed").after
    stayed = followed_people(table.counts, after.method.person_transition(table), 0).stayed[0]
    frame = after.to_frame().set_index("label")
    assert frame.loc["A", "y2"] == pytest.approx(stayed) == pytest.approx(0.8, abs=0.01)


def test_it_is_computed_only_on_request():
    whole = assess(RELIGION, SWAPPED, replications=2).after.whole
    assert "r2_followed" not in whole.estimates
    assert "r2_followed" in measures.available()
    asked = assess(RELIGION, SWAPPED, replications=2, measures=["r2_followed"]).after.whole
    assert list(asked.estimates) == ["r2_followed"]


def test_no_swap_leaves_the_risk_before():
    after = assess(RELIGION, methods.get("record-swapping")(rate=0), replications=2, variant="followed").after
    assert after.whole.r2_followed.mean == pytest.approx(measures.get("r1")().before(RELIGION))
