"""What is recommended is what an exhaustive search over the same settings finds."""

import numpy as np
import pytest

from screens import named
from sdcwidgets import FrequencyTable, InputError, methods
from sdcwidgets.assessment import recommending
from sdcwidgets.assessment.recommending import DRAWS
from sdcwidgets.assessment.search import candidates, sweep
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.dashboards.protect.recommended import USUAL, recommended
from sdcwidgets.dashboards.protect.state import ProtectState

#: The tutorial's table of 40 people.
TUTORIAL = [[2, 11, 0], [7, 4, 3], [0, 0, 1], [9, 1, 2]]

#: The settings of these are judged here; `benchmarks/recommended.py` judges those of all methods, on 21 tables.
NAMES = ("conventional-rounding", "random-rounding", "small-cell-adjustment", "threshold-suppression")

SEED = 3**33

#: No count of 1 or 2 is published.
LIMITS = ReleaseLimits("Disclosure panel, May 2026", smallest_count=3)


def state_of(counts):
    return ProtectState(FrequencyTable(counts)).set(replications=200, seed=SEED).changed(limits=LIMITS)


def points_of(state, names=NAMES):
    tried = candidates(names, state.table)
    found = {one.method: one for one in sweep(state.table, state.settings, tried) if one is not None}
    return list(found.values())


def passes(state, method):
    """Return whether nothing stands against the first replicates of a setting."""
    try:
        releases = [
            method.release(state.table, np.random.default_rng((SEED, k) if k else SEED))
            for k in range(1 if method.deterministic else DRAWS)
        ]
    except InputError:
        return False
    return all(
        not judge(state.table, one, state.applied_limits, settings=state.settings).stops for one in releases
    )


def loss_of(state, method):
    """Return the mean Hellinger distance of 200 replicates, by its formula."""
    drawn = method.replicate(state.table, 200, np.random.default_rng(SEED)).astype(float)
    away = (np.sqrt(drawn) - np.sqrt(state.table.counts)) ** 2
    return float(np.sqrt(away.reshape(200, -1).sum(axis=1) / 2).mean())


def tables(number):
    """Return the tutorial's table, and random ones of as many people."""
    rng = np.random.default_rng(1)
    others = (rng.poisson(rng.gamma(1, 4, rng.integers(2, 5, 2))) for _ in range(number))
    return [np.array(TUTORIAL), *others]


@pytest.mark.parametrize(
    "counts",
    [
        pytest.param(counts, marks=[pytest.mark.slow] * (k in (1, 2, 3)), id=f"{counts.shape}{k}")
        for k, counts in enumerate(tables(4))
    ],
)
def test_the_first_recommendation_loses_least_of_all_that_pass(counts):
    state = state_of(counts)
    points = points_of(state)
    passing = {point.method: loss for point in points if passes(state, point.method)
               for loss in [loss_of(state, point.method)] if loss > 0 and not point.method.suppresses}  # fmt: skip
    offers = {
        one.offer.title: one for one in recommended(state, [p for p in points if not p.method.suppresses])
    }
    best = named(offers, "information loss")
    assert bool(passing) == (best.offer.against == "")
    if passing:
        assert loss_of(state, best.method) == pytest.approx(min(passing.values()))
        usual = named(offers, "common in").method
        others = [loss for one, loss in passing.items() if one.name in USUAL and one.name != best.method.name]
        if others:
            assert loss_of(state, usual) == pytest.approx(min(others))


def test_the_tutorial_ends_with_a_small_base():
    """Bases 3 to 15 pass and lose less than base 20, which leaves eleven zeros and one 20."""
    state = state_of(TUTORIAL)
    first = recommended(state, points_of(state))[0]
    assert first.offer.against == ""
    assert first.method == methods.get("conventional-rounding")(base=3)


def test_few_settings_of_all_methods_are_judged_closely(monkeypatch):
    """Slow checks of all settings would take seconds, and a busy machine would recommend another setting."""
    state = state_of(TUTORIAL).set(replications=20)
    points = points_of(state, None)
    assert len({point.method.name for point in points}) > 10
    closely = []

    def counting(*arguments, **options):
        closely.append(options["closely"])
        return judge(*arguments, **options)

    monkeypatch.setattr(recommending, "judge", counting)
    first = recommended(state, points)[0]
    assert first.method == methods.get("conventional-rounding")(base=3)
    assert sum(closely) < len(closely) / 4


def test_a_setting_that_leaves_mostly_zeros_says_so():
    state = state_of(TUTORIAL)
    wide = methods.get("conventional-rounding")(base=20)
    least_risk = next(one for one in recommended(state, points_of(state)) if one.offer.title == "Least risk")
    assert least_risk.method == wide
    zeros = int((wide.release(state.table, 1).cells == 0).sum())
    assert f"{zeros} of 12" in least_risk.offer.promise


def test_where_nothing_passes_the_offers_say_what_is_against_them():
    state = state_of([[1, 0], [0, 1]])
    offers = recommended(state, points_of(state, ("threshold-suppression", "barnardisation")))
    assert offers
    assert all(one.offer.against for one in offers)
