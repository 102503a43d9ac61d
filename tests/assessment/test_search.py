from dataclasses import dataclass

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets import examples, methods
from sdcwidgets._util.parameters import declared
from sdcwidgets.assessment import search
from sdcwidgets.assessment.assessment import Settings, assess
from sdcwidgets.assessment.search import STEPS, candidates, pareto_front, sweep
from sdcwidgets.methods.describing import describe


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
    np.testing.assert_allclose(last[tried[2]].whole_slice.r2.mean, alone.whole_slice.r2.mean)


def test_there_are_fifteen_steps():
    assert len(STEPS) == 15


class Slow:
    """Methods that take a time of their own for each draw, and the order in which they draw."""

    def __init__(self, monkeypatch):
        self.now, self.log = 0.0, []
        slow = self

        class Timed(search.Run):
            def __init__(self, *given, **named):
                super().__init__(*given, **named, clock=lambda: slow.now)

        monkeypatch.setattr(search, "Run", Timed)

    def method(self, name, seconds):
        slow = self

        @dataclass(frozen=True)
        class Sleepy(methods.Method):
            """Keeps every count, slowly."""

            label: str

            def replicate(self, table, size, rng):
                slow.now += size * seconds
                slow.log.append((self.label, size))
                return np.broadcast_to(table.counts, (size, *table.shape)).copy()

        return Sleepy(name)


def test_a_sweep_shares_its_time(monkeypatch):
    slow = Slow(monkeypatch)
    tried = [slow.method("slow", 0.01), slow.method("quick", 1e-5), slow.method("slower", 0.03)]
    found = sweep(examples.load("sex"), Settings(replications=200), tried)
    first = [next(found) for _ in tried]
    # Each has a point after its first moment, and none has waited for another one's two hundred draws.
    assert [point.method.label for point in first] == ["slow", "quick", "slower"]
    assert first[1].size == 200
    assert all(1 <= point.size < 10 for point in (first[0], first[2]))
    assert slow.now < 0.2
    rest = [point for point in found if point is not None]
    assert [(point.method.label, point.size) for point in rest] == [("slow", 200), ("slower", 200)]


def test_yes_and_no_axes_and_matrices_are_turned_where_they_make_a_difference():
    table = examples.load("religion")
    tried = candidates(table=table)
    swapping = [method for method in tried if method.name == "record-swapping"]
    assert {method.axis for method in swapping} == {"rows", "columns"}
    # Within categories of the other axis swapping would change nothing.
    assert {method.strata for method in swapping} == {()}
    noise = [method for method in tried if method.name == "stochastic-perturbation"]
    assert {method.invariant for method in noise} == {False, True}
    assert len({method.matrix for method in noise}) == 3
    assert len(set(map(describe, tried))) == len(tried)
