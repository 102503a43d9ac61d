"""What is recommended is what an exhaustive search over the same settings finds."""

import asyncio
import threading
from dataclasses import fields, replace

import numpy as np
import pytest

from screens import inside, named
from sdcwidgets import FrequencyTable, InputError, compare, methods
from sdcwidgets import protect as protect_table
from sdcwidgets.assessment import recommending
from sdcwidgets.assessment.recommending import DRAWS, is_mostly_zero
from sdcwidgets.assessment.replications import replicate
from sdcwidgets.assessment.search import candidates, sweep
from sdcwidgets.assessment.verdict import ReleaseLimits, judge, load
from sdcwidgets.dashboards import protect
from sdcwidgets.dashboards.page_heads import page_for
from sdcwidgets.dashboards.protect import headline, page
from sdcwidgets.dashboards.protect.recommended import USUAL, of_limits, promise, recommended
from sdcwidgets.dashboards.protect.result import compute, improve
from sdcwidgets.dashboards.protect.state import ProtectState, with_secret_seed
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.offers import Offers
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.page_state.recomputation import Study

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
    points = [point for point in points if not is_mostly_zero(point)]
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


def test_figures_of_a_random_setting_are_means():
    """The page shows one replicate, whose loss is another one."""
    state = state_of(TUTORIAL)
    points = points_of(state)
    for offer in recommended(state, points):
        (point,) = (point for point in points if point.method == offer.method)
        is_mean = offer.offer.figures.startswith(f"means of {point.size}")
        assert is_mean != offer.method.deterministic


def test_the_tutorial_ends_with_a_small_base():
    """Bases 3 to 15 pass and lose less than base 20, which leaves eleven zeros and one 20."""
    state = state_of(TUTORIAL)
    first = recommended(state, points_of(state))[0]
    assert first.offer.against == ""
    assert first.method == methods.get("conventional-rounding")(base=3)


@pytest.mark.slow
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


def test_a_setting_that_leaves_mostly_zeros_is_not_recommended():
    state = state_of(TUTORIAL)
    wide = methods.get("conventional-rounding")(base=20)
    points = points_of(state)
    assert is_mostly_zero(next(point for point in points if point.method == wide))
    for one in recommended(state, points):
        cells = one.method.release(state.table, SEED).cells
        assert 2 * (cells == 0).sum() <= max(cells.size, 2 * (state.table.counts == 0).sum())


def test_usual_bases_come_before_a_base_with_less_information_loss():
    rng = np.random.default_rng(2)
    state = state_of(rng.poisson(rng.gamma(1, 4, (3, 4))))
    points = points_of(state, ("conventional-rounding", "random-rounding"))
    offers = recommended(state, points)
    assert any(not offer.violations for offer in offers)
    assert {offer.method.base for offer in offers if not offer.violations} <= {3, 5, 10}


@pytest.mark.parametrize(
    ("labels", "merged"),
    [(["0-4", "5-9", "10-14", "15+"], True), (["Positive", "Negative", "Invalid", "Not determined"], False)],
)
def test_only_categories_with_an_order_are_merged_by_a_recommendation(labels, merged):
    counts = [[1, 9, 4], [7, 4, 8], [6, 1, 9], [5, 8, 4]]
    table = FrequencyTable(counts, {"Result": labels, "Area": ["a", "b", "c"]})
    state = ProtectState(table).set(replications=20, seed=SEED).changed(limits=LIMITS)
    tried = [*candidates(("conventional-rounding",), table), *of_limits(state)]
    points = {one.method: one for one in sweep(table, state.settings, tried) if one is not None}
    merging = [one.method for one in recommended(state, list(points.values())) if one.method.merges]
    assert bool(merging) == merged


def test_a_variable_is_not_removed_by_a_recommendation_if_another_method_passes():
    counts = np.array([[0, 4, 2], [1, 16, 7], [0, 5, 1], [3, 8, 6]])
    table = FrequencyTable(counts, {"Age": ["0-17", "18-34", "35-64", "65+"], "Area": ["a", "b", "c"]})
    state = ProtectState(table).set(replications=20, seed=SEED).changed(limits=LIMITS)
    removing = [
        method for method in of_limits(state) if method.merges and 1 in method.release(table, 1).shape
    ]
    points = sweep(table, state.settings, [*candidates(("conventional-rounding",), table), *removing])
    offers = recommended(state, [one for one in points if one is not None])
    assert removing
    assert any(not one.violations for one in offers)
    assert not any(one.method in removing for one in offers)


def state_and_offers_without_ages():
    """Return a state with a large minimum count, and recommendations of which one merges all ages and passes."""
    axes = {"Age": ["0-17", "18-34", "35-64", "65+"], "Area": ["a", "b", "c"]}
    table = FrequencyTable([[1, 7, 6], [1, 6, 1], [6, 1, 8], [7, 8, 7]], axes)
    limits = ReleaseLimits("Panel, May 2026", smallest_count=13)
    state = ProtectState(table).set(replications=20, seed=SEED).changed(limits=limits)
    merging = methods.get("redesign")(axis="rows", smallest=13)
    tried = [merging, *(methods.get("conventional-rounding")(base=base) for base in (3, 5))]
    points = [one for one in sweep(table, state.settings, tried) if one is not None]
    return state, recommended(state, points)


def test_the_primary_button_does_not_apply_a_recommendation_that_removes_a_variable():
    state, offers = state_and_offers_without_ages()
    assert offers[0].removed == ("Age",)
    assert "no longer has the variable Age" in offers[0].offer.promise
    result = compute(state)
    assert headline.next_step(result, 100, offers[:1], 10).kind == "choose"
    assert headline.next_step(result, 100, [offers[0]._replace(removed=())], 10).kind == "take"


@pytest.mark.parametrize("method", [None, methods.get("cell-suppression")()])
def test_a_comparison_replaces_only_the_method_with_which_the_page_begins(monkeypatch, method):
    monkeypatch.setattr(page.RiskMap, "sweep", lambda _: None)
    state, offers = state_and_offers_without_ages()
    if method is not None:
        state = state.changed(method=method)
    assert headline.is_chosen(state) == (method is not None)
    assert not offers[0].violations
    for removed in (("Age",), ()):
        screen = page._Screen(Study(state, compute, improve), page_for("protect", led=True))
        screen.whole()
        screen._compare(state)
        screen._all_offers = [offers[0]._replace(removed=removed)]
        is_applied = method is None and not removed
        assert screen._take_best() == is_applied
        assert (screen._study.state.method == offers[0].method) == is_applied


def test_a_chosen_method_that_needs_a_seed_and_a_reason_is_completed_before_others_are_compared():
    table = FrequencyTable([[31, 0, 0], [40, 2, 16], [14, 18, 1], [5, 6, 7]])
    suppression = methods.get("cell-suppression")(threshold=3)
    state = ProtectState(table).changed(limits=LIMITS).changed(method=suppression)
    result = compute(state)
    assert {stop.kind for stop in result.deciding.stops} == {"one-cell", "seed"}
    assert headline.next_step(result, 0, [], 10).kind == "seed"
    secret = compute(with_secret_seed(state))
    step = headline.next_step(secret, 0, [], 10)
    assert (step.kind, step.words) == ("tick", headline.NEXT["violation"])
    # Nobody chose the method with which the page begins.
    assert headline.next_step(compute(ProtectState(table).changed(limits=LIMITS)), 0, [], 10).kind == "sweep"
    # A count below the minimum needs another setting instead of a reason.
    strict = secret.state.changed(limits=replace(LIMITS, smallest_count=15))
    strict = strict.changed(method=methods.get("random-rounding")(base=5))
    assert headline.next_step(compute(strict), 0, [], 10).kind == "sweep"


def test_suppression_with_a_threshold_below_the_minimum_is_not_recommended():
    state = state_of(TUTORIAL)
    below, at = (methods.get("threshold-suppression")(threshold=threshold) for threshold in (2, 3))
    points = [*points_of(state, ("conventional-rounding",)), *sweep(state.table, state.settings, [below, at])]
    offered = [one.method for one in recommended(state, points)]
    assert below not in offered


def three_axes(shape, mean, seed=1):
    """Return a table with three axes and many small counts."""
    rng = np.random.default_rng(seed)
    return FrequencyTable(rng.poisson(rng.gamma(1, mean, shape)))


#: Methods whose settings are compared quickly.
QUICK = ("cell-key", "conventional-rounding", "random-rounding", "redesign", "threshold-suppression")


@pytest.mark.parametrize(
    ("table", "limits"),
    [
        (three_axes((6, 2, 5), 4), LIMITS),
        (three_axes((4, 3, 4), 4), LIMITS),
        pytest.param(three_axes((6, 2, 5), 0.7), LIMITS, id="few people"),
        (three_axes((4, 3, 4), 1, 2), ReleaseLimits("Panel", smallest_count=5)),
        (three_axes((4, 3, 4), 4), ReleaseLimits("Panel", smallest_count=3, loss=1.5)),
        (three_axes((6, 2, 5), 1), ReleaseLimits("Panel", smallest_count=3, loss=1.5)),
    ],
)
def test_each_step_of_the_button_removes_violations_until_the_release_or_the_limits(table, limits):
    state = ProtectState(table).set(replications=20, seed=SEED).changed(limits=limits, protects=True)
    tried = [*of_limits(state), *candidates(QUICK, table)]
    tried = [method for method in dict.fromkeys(tried) if not method.is_slow_for(table)]
    points = [one for one in sweep(table, state.settings, tried) if one is not None]
    offers = recommended(state, list({one.method: one for one in points}.values()))
    result = compute(state)
    for _ in range(4):
        assert all(
            one.violations <= headline.violations_of(result) for one in headline.no_worse(result, offers)
        )
        step = headline.next_step(result, 100, offers, 10)
        before = headline.violations_of(result)
        if step.kind == "take":
            method = headline.offered(result, offers).method
        elif step.kind == "choose":
            # The person selects a setting of the list that removes a variable.
            method = min((one for one in offers if one.removed), key=lambda one: one.violations).method
        else:
            break
        result = compute(result.state.changed(method=method, shown=0))
        assert headline.violations_of(result) < before
    if step.kind == "tick":
        assert before <= headline.FEW_VIOLATIONS
        reasons = tuple((stop.name, "the fact is public") for stop in result.deciding.stops)
        step = headline.next_step(compute(result.state.changed(accepted=reasons)), 100, offers, 10)
    if limits.loss is None:
        assert step.kind == "save"
        merges = [one for one in offers if one.method.merges]
        assert any(one.violations == 0 for one in merges)
    else:
        # No setting keeps this limit, and the one with the fewest violations fails by it alone.
        assert (step.kind, {stop.kind for stop in result.deciding.stops}) == ("review", {"loss"})


def test_a_comparison_computes_slow_methods_last():
    state = state_of(np.ones((31, 10), dtype=int)).set(replications=2)
    tried = [methods.get("controlled-rounding")(), *candidates(("conventional-rounding",), state.table)]
    assert [method.is_slow_for(state.table) for method in tried] == [True] + [False] * (len(tried) - 1)
    points = list(sweep(state.table, state.settings, tried))
    assert [point.method.name for point in points].index("controlled-rounding") == len(tried) - 1


def test_a_recommendation_with_more_violations_than_now_is_not_shown():
    state = state_of([[1, 0], [0, 1]])
    offers = recommended(state, points_of(state, ("threshold-suppression", "barnardisation")))
    result = compute(state)
    number = headline.violations_of(result)
    more = [offer._replace(violations=number + 1) for offer in offers]
    assert headline.no_worse(result, more) == []
    assert headline.offered(result, more) is None
    assert headline.next_step(result, 100, more, 10).kind == "review"
    assert headline.next_step(result, 100, more, 10, comparing=True).kind == "comparing"
    fewer = [offer._replace(violations=number - 1) for offer in offers]
    assert headline.next_step(result, 100, fewer, 10).kind == "take"


def test_where_nothing_passes_the_offers_say_what_is_against_them():
    state = state_of([[1, 0], [0, 1]])
    offers = recommended(state, points_of(state, ("threshold-suppression", "barnardisation")))
    assert offers
    assert all(one.offer.against for one in offers)


def test_rules_that_require_a_method_recommend_no_other_one():
    rule = load("minimum-frequency")
    state = state_of(TUTORIAL).changed(limits=rule.limits, required=rule.method, method=rule.method)
    points = points_of(state, (*NAMES, "redesign"))
    assert recommended(state, points) == []
    result = compute(state)
    assert result.deciding.answer == "not yet"
    # Few violations are accepted, or else other methods are compared under the limits of the rules.
    assert headline.next_step(result, 0, [], 10).kind == "tick"
    strict = compute(state.changed(limits=replace(rule.limits, risk=0.0)))
    assert headline.next_step(strict, 0, [], 10).kind == "depart"
    other = compute(state.changed(method=methods.get("random-rounding")()))
    assert headline.next_step(other, 0, [], 10).kind == "required"
    assert headline.next_step(compute(strict.state.changed(required=None)), 0, [], 10).kind == "sweep"
    assert headline.to_accept(result.deciding)


def test_settings_for_teaching_only_are_not_recommended():
    state = state_of(TUTORIAL)
    optimal = methods.get("controlled-rounding")(choice="optimal")
    points = [
        replicate(state.table, method, state.settings) for method in (optimal, replace(optimal, base=5))
    ]
    assert recommended(state, points) == []
    comparison = compare(state.table, [optimal, replace(optimal, choice="secret")])
    limits = ReleaseLimits("Panel", no_risk_limit="a test", one_cell=0, recalculable=False)
    assert comparison.recommended(limits).choice == "secret"


@pytest.mark.slow
def test_recommendations_are_computed_beside_the_events_of_the_page(monkeypatch):
    """With 1,000 cells, a page answered no event for 12 seconds while it computed recommendations."""
    begun, released = threading.Event(), threading.Event()

    def slowly(state, points):
        begun.set()
        assert released.wait(60)
        return recommended(state, points)

    async def visit():
        screen = protect.app(FrequencyTable([[1, 9], [7, 4]]))
        (lead,), study = inside(screen, Lead), inside(screen, Page)[0]._study
        study.put(study.state.set(replications=3, seed=3**33))
        monkeypatch.setattr(page, "recommended", slowly)
        study.change(limits=ReleaseLimits("Panel", smallest_count=3, one_cell=0, risk=0.05))
        lead._hear(lead, {"type": "next"}, [])
        while not begun.is_set():
            await asyncio.sleep(0.001)
        # The page still answers, and shows what it waits for.
        study.change(limits=ReleaseLimits("Panel", smallest_count=3, one_cell=0, risk=0.051))
        assert study.state.limits.risk == 0.051
        assert lead.ahead.endswith("please wait")
        released.set()
        while lead.ahead.endswith("please wait"):
            await asyncio.sleep(0.001)
        (cards,) = inside(screen, Offers)
        assert cards.offers

    asyncio.run(asyncio.wait_for(visit(), 100))


@pytest.mark.parametrize("margins", ["own", "sums"])
@pytest.mark.parametrize("name", [name for name in methods.available() if name != "redesign"])
def test_a_promise_of_equal_counts_is_true_for_two_tables_of_the_same_people(name, margins):
    counts = np.random.default_rng(3).integers(1, 9, (3, 4, 2))
    axes = {"Area": list("abc"), "Age": list("defg"), "Sex": list("hi")}
    detailed = FrequencyTable(counts, axes)
    small = FrequencyTable(counts.sum(2), dict(list(axes.items())[:2]))
    method = methods.get(name)()
    if "margins" in {item.name for item in fields(method)}:
        method = replace(method, margins=margins)
    first, second = (protect_table(table, method, seed=5).values[0, 1] for table in (detailed, small))
    # The cell key method needs the record keys of people, which two tables of counts do not have.
    if "equal in every table." in promise(method):
        assert first.tolist() == second.tolist()
    if "may be different" in promise(method) and method.deterministic:
        assert first.tolist() != second.tolist()
