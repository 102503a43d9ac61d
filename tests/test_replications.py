from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdcwidgets import FrequencyTable, InputError, assess, examples, methods
from sdcwidgets.core.information import hellinger
from sdcwidgets.core.risk import population
from sdcwidgets.replications import replicate

WEIGHTS = (0.2, 0.5, 0.3)
TABLE = FrequencyTable(
    [[8, 1, 0, 3], [0, 2, 0, 7], [5, 1, 0, 12]], {"Area": ["A", "B", "C"], "Kind": ["p", "q", "r", "s"]}
)
RELIGION = examples.load("religion")


def mean_and_error(values):
    return values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(len(values))


@pytest.mark.parametrize("name", methods.available())
@pytest.mark.parametrize("variant", population.VARIANTS)
def test_estimates_are_those_of_a_plain_loop(name, variant):
    method = methods.get(name)()
    after = replicate(RELIGION, method, 12, 3, weights=WEIGHTS, third="h1", epsilon=0.4)
    drawn = method.replicate(RELIGION, 12, np.random.default_rng(3))
    options = {"variant": variant, "third": "h1", "epsilon": 0.4}
    for part, counts, published in [
        (after.slices["Area"], RELIGION.counts, drawn),
        (after.slices["Religion"], RELIGION.counts.T, drawn.transpose(0, 2, 1)),
        (after.whole, RELIGION.counts.reshape(1, -1), drawn.reshape(12, 1, -1)),
    ]:
        every = [list(zip(counts, draw, strict=True)) for draw in published]
        terms = np.array([[population.terms_after(F, G, **options) for F, G in pairs] for pairs in every])
        distances = np.array([[hellinger(F, G) for F, G in pairs] for pairs in every])
        for estimate, values in [
            (part.terms[variant], terms),
            (part.r2[variant], terms @ WEIGHTS),
            (part.r2_star[variant], np.sqrt((terms**2).sum(axis=2) / 3)),
            (part.hellinger, distances),
            (part.utility, 1 - distances / np.sqrt(counts.sum(axis=1))),
        ]:
            for found, wanted in zip(estimate, mean_and_error(values), strict=True):
                np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(after.draws.r2[variant], (terms @ WEIGHTS)[:, 0])
    np.testing.assert_allclose(after.draws.hellinger, distances[:, 0])
    assert after.first == RELIGION.with_counts(drawn[0])


@pytest.mark.parametrize("name", ["random-rounding", "record-swapping"])
def test_chunks_do_not_show(name, monkeypatch):
    method = methods.get(name)()
    whole = replicate(RELIGION, method, 50, 9, weights=WEIGHTS)
    monkeypatch.setattr("sdcwidgets.replications.CHUNK", 7 * RELIGION.cells)
    parts = replicate(RELIGION, method, 50, 9, weights=WEIGHTS)
    assert parts.first == whole.first
    np.testing.assert_array_equal(parts.draws.hellinger, whole.draws.hellinger)
    for a, b in [(parts.whole, whole.whole), (parts.slices["Area"], whole.slices["Area"])]:
        for name, column in a.columns().items():
            np.testing.assert_allclose(column, b.columns()[name], rtol=1e-9, atol=1e-12)


def test_small_cells():
    # Rounding to base 2 changes every 1 and keeps every 2.
    after = replicate(
        FrequencyTable([1, 1, 2, 2, 8]), methods.get("random-rounding")(base=2), 4000, 1, weights=WEIGHTS
    )
    assert after.small_changed.mean == 0.5
    # None, one or two of the ones go up to 2, with 1/4, 1/2, 1/4: two of two, three or four 2s are true.
    exact = 1 / 4 * 1 + 1 / 2 * 2 / 3 + 1 / 4 * 1 / 2
    assert abs(after.small_ratio.mean - exact) < 4.5 * after.small_ratio.error
    none = replicate(FrequencyTable([5, 8]), methods.get("barnardisation")(), 10, 1, weights=WEIGHTS)
    assert np.isnan(none.small_changed.mean)
    assert none.small_ratio == (0, 0)


def test_group_disclosure_with_and_without_following_people():
    table = FrequencyTable([[30, 0, 9], [0, 4, 9], [0, 0, 9]])
    after = replicate(table, methods.get("record-swapping")(rate=0.2), 3000, 1, weights=WEIGHTS)
    rows, columns = after.disclosed["Row"], after.disclosed["Column"]
    assert (rows.gad_cases, columns.gad_cases) == (1, 2)
    assert rows.gad is not None
    assert columns.gad is not None
    # In its row the 9 may be others than before; in a column people cannot be replaced.
    assert rows.gad.mean <= rows.gad_star.mean
    assert columns.gad == columns.gad_star
    assert 0 < columns.gad.mean < 1
    rounded = replicate(table, methods.get("random-rounding")(), 10, 1, weights=WEIGHTS)
    assert rounded.disclosed["Row"].gad is None
    assert rounded.disclosed["Row"].gad_star.mean == 1


def test_a_single_replication_has_no_error():
    after = replicate(TABLE, methods.get("random-rounding")(), 1, 1, weights=WEIGHTS)
    assert np.isnan(after.whole.r2["information"].error).all()
    assert np.isnan(after.small_changed.error)
    np.testing.assert_allclose(after.whole.hellinger.mean, hellinger(TABLE.counts, after.first.counts))


def test_where_nobody_is_nothing_is_defined():
    after = assess(TABLE, "random-rounding", replications=20).after
    column = after.slices["Kind"]
    assert np.isnan(column.r2["information"].mean).tolist() == [False, False, True, False]
    assert np.isnan(column.utility.mean).tolist() == [False, False, True, False]
    assert after.to_dict()["slices"]["Kind"][2]["r2_information"] is None
    alone = replicate(FrequencyTable([5, 2, 1]), methods.get("random-rounding")(), 20, 1, weights=WEIGHTS)
    assert alone.slices == {}
    assert alone.disclosed == {}


@settings(max_examples=20, deadline=None)
@given(
    counts=arrays(np.int64, st.sampled_from([(2, 3), (3, 2, 2)]), elements=st.integers(0, 9)),
    name=st.sampled_from(methods.available()),
)
def test_risk_left_is_at_most_the_risk_before_and_means_lie_within_bounds(counts, name):
    before = assess(FrequencyTable(counts), methods.get(name)(), replications=8)
    for part, after in [(before.whole, before.after.whole)] + [
        (before.slices[axis], before.after.slices[axis]) for axis in before.slices
    ]:
        defined = ~np.isnan(part.r1)
        assert len(after) == len(part)
        assert (after.r2["information"].mean <= part.r1 + 1e-9)[defined].all()
        assert (after.r2_star["information"].mean <= part.r1_star + 1e-9)[defined].all()
        for variant in population.VARIANTS:
            assert (after.terms[variant].mean[defined] >= 0).all()
            assert (after.terms[variant].mean[defined] <= 1 + 1e-12).all()


def test_assess_takes_a_method_or_its_name_and_tells_everything():
    by_name = assess(RELIGION, "random-rounding", replications=30, seed=5)
    by_value = assess(RELIGION, methods.get("random-rounding")(base=3), replications=30, seed=5)
    assert by_name.to_dict() == by_value.to_dict()
    told = json.loads(json.dumps(by_name.to_dict(), allow_nan=False))["after"]
    assert told["method"] == {"name": "random-rounding", "base": 3}
    assert told["replications"] == 30
    assert np.array(told["first"]).shape == (10, 9)
    frame = by_name.to_frame()
    assert len(frame) == 1 + 10 + 9
    assert frame.loc[0, "hellinger"] == told["table"]["hellinger"]
    assert frame.loc[1, "r2_uncertainty_error"] == told["slices"]["Area"][0]["r2_uncertainty_error"]
    assert "after" not in assess(RELIGION).to_dict()
    with pytest.raises(InputError, match="no method 'magic'"):
        assess(RELIGION, "magic")
