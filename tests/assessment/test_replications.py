from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from refusing import outcome

from sdcwidgets import FrequencyTable, InputError, assess, examples, methods
from sdcwidgets.assessment.replications import STORED_REPLICATES, Run, replicate, run
from sdcwidgets.assessment.replications.run import REMEMBERED
from sdcwidgets.core.information import hellinger
from sdcwidgets.core.risk import population
from sdcwidgets.measures import Batch
from sdcwidgets.measures.census import GAD, WGAD, GADStar, SmallChanged
from sdcwidgets.measures.loss import Hellinger
from sdcwidgets.measures.risk import R2, R2Uncertainty
from sdcwidgets.measures.settings import Settings

WEIGHTS = (0.2, 0.5, 0.3)
TABLE = FrequencyTable(
    [[8, 1, 0, 3], [0, 2, 0, 7], [5, 1, 0, 12]], {"Area": ["A", "B", "C"], "Kind": ["p", "q", "r", "s"]}
)
RELIGION = examples.load("religion")
ROUNDING = methods.get("random-rounding")()


def drawn(size, seed):
    return Settings(WEIGHTS, replications=size, seed=seed)


def mean_and_error(values, method):
    if len(values) == 1:
        # The error of one replicate is unknown if a secret chooses the replicate.
        return values[0], np.full_like(values[0], np.nan if method.seeded else 0.0)
    return values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(len(values))


@pytest.mark.parametrize("name", methods.available())
@pytest.mark.parametrize("variant", population.VARIANTS)
def test_estimates_are_those_of_a_plain_loop(name, variant):
    method = methods.get(name)()
    after = replicate(
        RELIGION, method, Settings(WEIGHTS, "h1", 0.4, replications=12, seed=3, suppressed="mean")
    )
    size = 1 if method.deterministic else 12
    raw = method.replicate(RELIGION, size, np.random.default_rng(3))
    draws = Batch(RELIGION, raw).filled  # suppressed cells count as the mean of all suppressed counts
    options = {"variant": variant, "third": "h1", "epsilon": 0.4}
    for part, counts, published in [
        (after.slices["Area"], RELIGION.counts, draws),
        (after.slices["Religion"], RELIGION.counts.T, draws.transpose(0, 2, 1)),
        (after.whole_slice, RELIGION.counts.reshape(1, -1), draws.reshape(size, 1, -1)),
    ]:
        every = [list(zip(counts, draw, strict=True)) for draw in published]
        terms = np.array([[population.terms_after(F, G, **options) for F, G in pairs] for pairs in every])
        distances = np.array([[hellinger(F, G) for F, G in pairs] for pairs in every])
        for estimate, values in [
            (part[{"information": "r2", "uncertainty": "r2_uncertainty"}[variant]], terms @ WEIGHTS),
            (
                part[{"information": "r2_star", "uncertainty": "r2_star_uncertainty"}[variant]],
                np.sqrt((terms**2).sum(axis=2) / 3),
            ),
            (part.hellinger, distances),
            (part.utility, 1 - distances / np.sqrt(counts.sum(axis=1))),
        ]:
            for found, wanted in zip(estimate, mean_and_error(values, method), strict=True):
                np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(
        after.draws[{"information": R2, "uncertainty": R2Uncertainty}[variant](WEIGHTS, "h1", 0.4)],
        (terms @ WEIGHTS)[:, 0],
    )
    np.testing.assert_allclose(after.draws[Hellinger()], distances[:, 0])
    drawn = after.first.regroup(RELIGION.with_counts(raw[0])).counts if method.merges else raw[0]
    np.testing.assert_array_equal(after.first.cells, drawn)


@pytest.mark.parametrize("name", ["random-rounding", "record-swapping"])
def test_chunks_do_not_show(name, monkeypatch):
    method = methods.get(name)()
    whole = replicate(RELIGION, method, drawn(50, 9))
    monkeypatch.setattr("sdcwidgets.assessment.replications.run.CHUNK", 7 * RELIGION.cells)
    parts = replicate(RELIGION, method, drawn(50, 9))
    assert parts.first == whole.first
    np.testing.assert_array_equal(parts.draws[Hellinger()], whole.draws[Hellinger()])
    for a, b in [(parts.whole_slice, whole.whole_slice), (parts.slices["Area"], whole.slices["Area"])]:
        for name, column in a.columns().items():
            np.testing.assert_allclose(column, b.columns()[name], rtol=1e-9, atol=1e-12)


def test_small_cells():
    # Rounding to base 2 changes every 1 and keeps every 2.
    after = replicate(FrequencyTable([1, 1, 2, 2, 8]), methods.get("random-rounding")(base=2), drawn(4000, 1))
    assert after.whole_slice[SmallChanged()].mean == 0.5
    # None, one or two of the ones go up to 2, with 1/4, 1/2, 1/4: two of two, three or four 2s are true.
    exact = 1 / 4 * 1 + 1 / 2 * 2 / 3 + 1 / 4 * 1 / 2
    assert abs(after.small_ratio.mean - exact) < 4.5 * after.small_ratio.error
    none = replicate(FrequencyTable([5, 8]), methods.get("barnardisation")(), drawn(10, 1))
    assert np.isnan(none.whole_slice[SmallChanged()].mean)
    assert np.isnan(none.small_ratio.mean)


def test_group_disclosure_with_and_without_following_people():
    table = FrequencyTable([[30, 0, 9], [0, 4, 9], [0, 0, 9]])
    after = replicate(table, methods.get("record-swapping")(rate=0.2), drawn(3000, 1))
    of = after.whole_slice
    # In its row the 9 may be others than before; in a column people cannot be replaced.
    assert of[GAD("Row")].mean <= of[GADStar("Row")].mean
    np.testing.assert_equal(of[GAD("Column")], of[GADStar("Column")])
    assert 0 < of[GAD("Column")].mean < 1
    assert np.isnan(of[WGAD("Row")].mean)
    rounded = replicate(table, methods.get("random-rounding")(), drawn(10, 1)).whole_slice
    assert GAD("Row") not in rounded.estimates
    assert rounded[GADStar("Row")].mean == 1


def test_a_single_replication_has_no_error():
    after = replicate(TABLE, methods.get("random-rounding")(), drawn(1, 1))
    assert np.isnan(after.whole_slice.r2.error).all()
    assert np.isnan(after.whole_slice[SmallChanged()].error)
    np.testing.assert_allclose(after.whole_slice.hellinger.mean, hellinger(TABLE.counts, after.first.cells))


def test_where_nobody_is_nothing_is_defined():
    after = assess(TABLE, "random-rounding", replications=20).after
    column = after.slices["Kind"]
    assert np.isnan(column.r2.mean).tolist() == [False, False, True, False]
    assert np.isnan(column.utility.mean).tolist() == [False, False, True, False]
    assert after.to_dict()["slices"]["Kind"][2]["r2"] is None
    alone = replicate(FrequencyTable([5, 2, 1]), methods.get("random-rounding")(), drawn(20, 1))
    assert alone.slices == {}
    assert GADStar("Row") not in alone.whole_slice.estimates


@settings(max_examples=20, deadline=None)
@given(
    counts=arrays(np.int64, st.sampled_from([(2, 3), (3, 2, 2)]), elements=st.integers(0, 9)),
    name=st.sampled_from(methods.available()),
)
def test_risk_left_is_at_most_the_risk_before_and_means_lie_within_bounds(counts, name):
    before = outcome(lambda: assess(FrequencyTable(counts), methods.get(name)(), replications=8))
    if isinstance(before, str):
        why = {"cell-suppression": "pattern protects", "redesign": "another axis"}
        assert why[name] in before
        return
    for part, after in [(before.whole_slice, before.after.whole_slice)] + [
        (before.slices[axis], before.after.slices[axis]) for axis in before.slices
    ]:
        defined = ~np.isnan(part.r1)
        assert len(after) == len(part)
        assert (after.r2.mean <= part.r1 + 1e-9)[defined].all()
        assert (after.r2_star.mean <= part.r1_star + 1e-9)[defined].all()
        for variant in population.VARIANTS:
            assert (
                after[{"information": "r2", "uncertainty": "r2_uncertainty"}[variant]].mean[defined] >= 0
            ).all()
            assert (
                after[{"information": "r2", "uncertainty": "r2_uncertainty"}[variant]].mean[defined]
                <= 1 + 1e-12
            ).all()


def test_assess_takes_a_method_or_its_name_and_tells_everything():
    by_name = assess(RELIGION, "random-rounding", replications=30, seed=5)
    by_value = assess(RELIGION, methods.get("random-rounding")(base=3), replications=30, seed=5)
    assert by_name.to_dict() == by_value.to_dict()
    told = json.loads(json.dumps(by_name.to_dict(), allow_nan=False))["after"]
    assert told["method"] == {"name": "random-rounding", "base": 3, "margins": "sums"}
    assert told["replications"] == 30
    assert np.array(told["first"]).shape == (10, 9)
    frame = by_name.to_frame()
    assert len(frame) == 1 + 10 + 9
    assert frame.loc[0, "hellinger"] == told["table"]["hellinger"]
    assert frame.loc[1, "r2_uncertainty_error"] == told["slices"]["Area"][0]["r2_uncertainty_error"]
    assert "after" not in assess(RELIGION).to_dict()
    with pytest.raises(InputError, match="no method 'magic'"):
        assess(RELIGION, "magic")


class Slow:
    """A clock, and a method that takes ten milliseconds by it for each draw, and some time for any number."""

    def __init__(self, per_draw=0.01, at_once=0.0):
        self.now, self.drawn, self.per_draw, self.at_once = 0.0, [], per_draw, at_once

    def time(self):
        return self.now

    def method(self):
        clock = self

        @dataclass(frozen=True)
        class Sleepy(methods.Method):
            """Keeps every count, slowly."""

            def replicate(self, table, size, rng):
                clock.now += clock.at_once + size * clock.per_draw
                clock.drawn.append(size)
                return np.broadcast_to(table.counts, (size, *table.shape)).copy()

        return Sleepy()


def test_a_first_draw_tells_how_many_fit():
    clock = Slow()
    run = Run(TABLE, clock.method(), drawn(1000, 1), clock=clock.time)
    run.draw_for(0.05)
    assert clock.drawn == [1, 4]
    assert clock.now == pytest.approx(0.05)
    run.draw_for(0.04)
    assert sum(clock.drawn) == run.size == 9
    run.draw_for(0.001)
    assert run.size == 10  # at least one each time, so that it ends
    quick = Slow(per_draw=1e-5)
    run = Run(TABLE, quick.method(), drawn(1000, 1), clock=quick.time)
    run.draw_for(0.05)
    assert run.done
    assert quick.drawn == [1, 999]


def test_all_draws_are_made_at_once_where_they_took_little_the_last_time():
    clock, took = Slow(per_draw=1e-5), {}
    method = clock.method()
    for _ in range(2):
        run = Run(TABLE, method, drawn(1000, 1), took=took, clock=clock.time)
        run.draw_for(0.05)
    assert clock.drawn == [1, 999, 1000]
    clock.per_draw = 0.01
    run = Run(TABLE, method, drawn(10, 1), took=took, clock=clock.time)
    run.draw_for(0.05)
    assert clock.drawn[3:] == [1, 4]  # of so many draws nothing is known yet
    Run(TABLE, method, drawn(1000, 1), took=took, clock=clock.time).draw_for(0.05)
    run = Run(TABLE, method, drawn(1000, 1), took=took, clock=clock.time)
    run.draw_for(0.05)
    assert clock.drawn[6:] == [1, 4]  # it was slow once, and is no longer trusted


def test_what_draws_took_is_remembered_of_the_last_kinds_only():
    clock, took = Slow(per_draw=1e-5), {}
    method = clock.method()
    for size in (*range(2, REMEMBERED + 2), 2, REMEMBERED + 2):
        Run(TABLE, method, drawn(size, 1), took=took, clock=clock.time).draw_for(0.05)
    remembered = [wanted for _, _, wanted in took]
    assert remembered == [*range(4, REMEMBERED + 2), 2, REMEMBERED + 2]  # 3 is longest ago; 2 came again


def test_many_draws_are_made_together_where_that_costs_little():
    clock = Slow(per_draw=1e-4, at_once=0.05)
    run = Run(TABLE, clock.method(), drawn(1000, 1), clock=clock.time)
    while not run.done:
        run.draw_for(0.04)
    assert clock.drawn[:4] == [1, 2, 4, 8]
    assert len(clock.drawn) < 15  # by one draw each, it would be a thousand


def test_twice_as_many_of_a_very_slow_method_are_not_tried():
    clock = Slow(per_draw=2.0)
    run = Run(TABLE, clock.method(), drawn(5, 1), clock=clock.time)
    while not run.done:
        run.draw_for(0.04)
    assert clock.drawn == [1] * 5


def test_a_method_that_leaves_nothing_to_chance_draws_once():
    run = Run(TABLE, methods.get("conventional-rounding")(), drawn(1000, 1))
    run.draw_for(0.05)
    assert run.done
    assert run.size == run.wanted == 1
    assert run.result().whole_slice.hellinger.error == 0


@pytest.mark.parametrize("name", methods.available())
def test_what_says_that_it_leaves_nothing_to_chance_does_so(name):
    method = methods.get(name)()
    one, other = method.replicate(RELIGION, 2, np.random.default_rng(1))
    assert np.array_equal(one, other, equal_nan=method.suppresses) == method.deterministic


def test_the_first_draws_are_kept():
    run = Run(TABLE, methods.get("random-rounding")(), drawn(150, 4))
    run.draw(30)
    run.draw()
    draws = methods.get("random-rounding")().replicate(TABLE, 150, np.random.default_rng(4))
    for index in (0, 29, 30, STORED_REPLICATES - 1):
        np.testing.assert_array_equal(run.stored(index).published[0], draws[index])
    assert run.stored(STORED_REPLICATES) is None


def test_equal_draws_are_equal_results():
    first, second, third = (replicate(RELIGION, ROUNDING, drawn(3, seed)) for seed in (1, 1, 2))
    assert first == second
    assert first != third


def test_later_measures_are_computed_in_short_steps_with_the_same_values(monkeypatch):
    monkeypatch.setattr(run, "PART", 2 * TABLE.cells)  # two replicates
    later = (Hellinger(), GAD(), SmallChanged())
    whole, divided = (Run(TABLE, ROUNDING, drawn(7, 5), measures=[R2()], later=later) for _ in range(2))
    for one in (whole, divided):
        one.draw()
    monkeypatch.setattr(run, "PART", 7 * TABLE.cells)
    whole.catch_up()
    monkeypatch.setattr(run, "PART", 2 * TABLE.cells)
    steps = divided.catching_up()
    next(steps)
    assert not set(later) & divided.result().draws.keys()
    assert sum(1 for _ in steps) == len(later) * 4 - 1
    for measure in later:
        np.testing.assert_array_equal(divided.result().draws[measure], whole.result().draws[measure])
        np.testing.assert_allclose(
            divided.result().whole_slice[measure], whole.result().whole_slice[measure], rtol=1e-12
        )
