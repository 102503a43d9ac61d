import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets import examples, methods
from sdcwidgets.assess import Settings, assess
from sdcwidgets.parameters import declared
from sdcwidgets.search import STEPS, Thresholds, candidates, pareto_front, sweep, verdict


def points():
    return st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=30)


@given(points())
def test_a_point_is_on_the_front_if_and_only_if_nothing_beats_it(pairs):
    risk, loss = zip(*pairs, strict=True)
    for i, best in enumerate(pareto_front(risk, loss)):
        beaten = any(
            risk[j] <= risk[i] and loss[j] <= loss[i] and (risk[j] < risk[i] or loss[j] < loss[i])
            for j in range(len(pairs))
        )
        assert best != beaten


@given(points())
def test_there_is_always_a_best_point(pairs):
    assert pareto_front(*zip(*pairs, strict=True)).any()


def test_every_method_is_tried_at_its_defaults_and_within_its_bounds():
    tried = candidates()
    assert {method.name for method in tried} == set(methods.available())
    for name in methods.available():
        assert methods.get(name)() in tried
    for method in tried:
        for parameter in declared(type(method)):
            parameter.check(getattr(method, parameter.name))
    assert len(tried) == len(set(tried)) >= 30


def test_a_sweep_gives_the_same_numbers_as_one_assessment():
    table, settings = examples.load("sex"), Settings(replications=50, seed=3)
    tried = candidates(["random-rounding"])
    found = [point for point in sweep(table, settings, tried) if point is not None]
    last = {point.method: point for point in found}
    assert list(last) == tried
    alone = assess(table, tried[2], replications=50, seed=3).after
    np.testing.assert_allclose(
        last[tried[2]].whole.r2["information"].mean, alone.whole.r2["information"].mean
    )


@pytest.mark.parametrize(
    ("before", "after", "loss", "step"),
    [(0.05, 0.5, 9, 4), (0.3, 0.25, 1, 8), (0.3, 0.2, 9, 12), (0.3, 0.2, 1, 15)],
)
def test_the_decision_falls_at_the_step_that_the_thesis_gives(before, after, loss, step):
    reached, words = verdict(Thresholds(before=0.1, after=0.215, loss=4), before, after, loss)
    assert reached == step
    assert words.endswith(".")


def test_a_risk_equal_to_a_threshold_is_not_below_it():
    assert verdict(Thresholds(0.1, 0.2, 4), 0.1, 0.2, 4)[0] == 8


def test_there_are_fifteen_steps():
    assert len(STEPS) == 15
