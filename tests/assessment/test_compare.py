"""Comparison of methods: one row per setting, the numbers of `assess`, and the settings of the page Protect."""

import re

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, InputError, assess, compare, examples, measures, methods
from sdcwidgets.assessment.recommending import ordered
from sdcwidgets.assessment.search import candidates
from sdcwidgets.assessment.verdict import ReleaseLimits, Rule, judge
from sdcwidgets.plots.risk_utility import prepare

TABLE = examples.load("sex")
ROUNDING = methods.get("random-rounding")


def test_a_comparison_has_the_numbers_of_single_assessments():
    chosen = [ROUNDING(base=3), methods.get("record-swapping")(rate=0.2)]
    comparison = compare(TABLE, chosen, replications=60, seed=4)
    frame = comparison.to_frame(errors=True)
    assert comparison.methods == tuple(chosen)
    for position, method in enumerate(chosen):
        whole = assess(TABLE, method, replications=60, seed=4).after.whole
        # The replicates come in parts of other sizes, so that sums differ in their last digit.
        assert frame["r2"].iloc[position] == pytest.approx(whole.r2.mean, abs=1e-12)
        assert frame["hellinger_error"].iloc[position] == pytest.approx(whole.hellinger.error, abs=1e-9)
        assert frame["replications"].iloc[position] == 60


def test_requested_measures_are_the_only_columns():
    frame = compare(TABLE, ["random-rounding"], replications=5, measures=["r2", "cramers_v"]).to_frame()
    assert list(frame.columns) == ["name", "replications", "r2", "cramers_v"]
    frame = compare(TABLE, "random-rounding", replications=5, measures="hellinger").to_frame()
    assert list(frame.columns) == ["name", "replications", "hellinger"]


def test_without_methods_all_candidates_are_compared_once():
    tried = candidates(["random-rounding", "conventional-rounding"], table=TABLE)
    comparison = compare(TABLE, [*tried, tried[0]], replications=3)
    assert comparison.methods == tuple(tried)
    assert comparison.to_frame().index.is_unique


def test_the_pareto_front_leaves_out_settings_that_another_one_dominates():
    comparison = compare(TABLE, [ROUNDING(base=base) for base in (2, 3, 5, 10, 20)], replications=100)
    frame = comparison.to_frame()
    for here, best in zip(frame.index, comparison.pareto_front(), strict=True):
        risk, loss = frame.loc[here, ["r2", "hellinger"]]
        dominated = (
            (frame.r2 <= risk) & (frame.hellinger <= loss) & ((frame.r2 < risk) | (frame.hellinger < loss))
        )
        assert best == (not dominated.any())


def test_settings_that_change_nothing_are_marked_and_not_on_the_pareto_front():
    table = examples.load("religion")
    suppression = methods.get("threshold-suppression")
    sample = methods.get("simple-random-sampling")
    tried = [sample(fraction=1.0), suppression(threshold=3), suppression(threshold=20), ROUNDING(base=3)]
    comparison = compare(table, tried, replications=5)
    frame = comparison.to_frame()
    assert frame["changes_nothing"].tolist() == [True, True, False, False]
    assert not comparison.pareto_front()[:2].any()
    assert (
        not prepare(comparison.points, (measures.get("r2")(), measures.get("hellinger")()), (None, None), 3)
        .best[:2]
        .any()
    )
    assert (frame["r1"] == assess(table).whole.r1).all()
    suppressed = suppression(threshold=3).release(table, 1)
    number = int(suppressed.recalculable[0, 1].sum())
    assert frame["recalculable_cells"].tolist()[:2] == [0, number]
    assert number == int(suppressed.suppressed.sum()) > 0
    with pytest.raises(InputError):
        compare(table, tried[:2], replications=5).recommended(ReleaseLimits("Panel", loss=9.0, one_cell=0))


def test_all_measures_of_a_comparison_are_columns():
    frame = compare(TABLE, ["random-rounding"], replications=3, measures="all").to_frame()
    assert {"r1", "cramers_v", "coalition"} <= set(frame.columns)


@pytest.mark.parametrize(
    ("wrong", "part"),
    [
        ({"methods": ["random-rounding"], "base": 5}, r'"random-rounding"\)\(base=5\)'),
        ({"methods": ["random-rounding"], "replication": 5}, "replications"),
        ({"methods": ["magic"]}, "magic"),
        ({"methods": []}, "at least one"),
        ({"methods": ["random-rounding"], "measures": ["r1"]}, "r1"),
        ({"methods": ["random-rounding"], "measures": ["nonsense"]}, "nonsense"),
        ({"methods": ["random-rounding"], "replications": 0}, "Replications"),
    ],
)
def test_wrong_arguments_are_refused(wrong, part):
    with pytest.raises(InputError, match=part):
        compare(TABLE, **wrong)


def test_settings_of_a_named_method_are_arguments_of_assess():
    by_name = assess(TABLE, "random-rounding", base=5, replications=20)
    by_object = assess(TABLE, ROUNDING(base=5), replications=20)
    assert by_name.after.method == ROUNDING(base=5)
    np.testing.assert_array_equal(by_name.after.whole.r2, by_object.after.whole.r2)
    with pytest.raises(InputError, match="base"):
        assess(TABLE, base=5)
    with pytest.raises(InputError, match="settings"):
        assess(TABLE, ROUNDING(base=5), base=3)


def test_the_recommended_setting_has_the_lowest_loss_of_those_that_pass():
    """Recomputed from the frame and from the verdict on single replicates."""
    rounding, swapping = methods.get("random-rounding"), methods.get("record-swapping")
    tried = [rounding(base=b) for b in (2, 3, 5, 10)] + [swapping(rate=0.2)]
    table = examples.load("religion")
    comparison = compare(table, tried, replications=50)
    for limits in (
        ReleaseLimits("Panel", risk=0.215, loss=4.0, one_cell=0),
        ReleaseLimits("Panel", risk=0.21, loss=9.0, one_cell=0),
        ReleaseLimits("Panel", risk=0.21, loss=9.0, smallest_count=3, one_cell=0),
    ):
        frame = comparison.to_frame()
        passing = []
        for method, (_, row) in zip(tried, frame.iterrows(), strict=True):
            within = row["r2"] < limits.risk and row["hellinger"] <= limits.loss
            releases = [
                method.release(table, np.random.default_rng((1, k) if k else 1)) for k in range(5 * within)
            ]
            if within and not any(judge(table, release, limits).stops for release in releases):
                passing.append((row["hellinger"], method))
        assert comparison.recommended(limits) == min(passing, key=lambda pair: pair[0])[1]


def test_each_setting_has_a_number_of_replicates_that_pass_or_a_reason():
    """Recomputed from the verdicts on single replicates."""
    rounding, swapping = methods.get("random-rounding"), methods.get("record-swapping")
    tried = [
        rounding(base=3),
        rounding(base=10),
        swapping(rate=0.2),
        methods.get("conventional-rounding")(base=5),
    ]
    comparison = compare(TABLE, tried, replications=20)
    limits = ReleaseLimits("Panel", risk=0.215, loss=4.5, smallest_count=3, one_cell=0)
    frame = comparison.judged(limits)
    means = comparison.to_frame()
    assert frame.index.tolist() == means.index.tolist()
    np.testing.assert_array_equal(frame[["risk", "loss"]], means[["r2", "hellinger"]])
    assert {0, 1, 5} >= set(frame.judged)
    for method, (_, row) in zip(tried, frame.iterrows(), strict=True):
        within = row["risk"] < limits.risk and row["loss"] <= limits.loss
        number = (1 if method.deterministic else 5) * within
        releases = [method.release(TABLE, np.random.default_rng((1, k) if k else 1)) for k in range(number)]
        verdicts = [judge(TABLE, release, limits) for release in releases]
        assert row["judged"] == number
        assert row["passed"] == sum(not verdict.stops for verdict in verdicts)
        first = next((verdict.stops[0].words for verdict in verdicts if verdict.stops), "")
        assert (row["reason"] == first) if within else "limit" in row["reason"]
    # The recommended setting passes in all replicates.
    if (frame.judged > 0).any() and (frame.passed == frame.judged)[frame.judged > 0].any():
        best = frame.iloc[tried.index(comparison.recommended(limits))]
        assert best["passed"] == best["judged"] > 0
    required = comparison.judged(Rule("Panel", limits, tried[0]))
    assert required.judged.tolist() == [frame.judged.iloc[0], 0, 0, 0]
    assert (required.reason[1:] != "").all()


def test_a_setting_that_changes_nothing_has_this_reason():
    table = FrequencyTable([[5, 10], [15, 20]])
    comparison = compare(
        table, [methods.get("conventional-rounding")(base=5), "record-swapping"], replications=5
    )
    frame = comparison.judged(ReleaseLimits("Panel", smallest_count=3))
    assert frame.judged.iloc[0] == 0
    assert "changes nothing" in frame.reason.iloc[0]
    with pytest.raises(InputError, match="int"):
        comparison.judged(3)


@pytest.mark.parametrize(
    ("limits", "word"),
    [
        (3, "int"),
        (ReleaseLimits("Panel", risk=0.01), "within the limits"),
        (ReleaseLimits("Panel", smallest_count=1000), "passes"),
        (ReleaseLimits("Panel", risk=0.5, risk_measure="flexible_risk"), "flexible_risk"),
    ],
    ids=str,
)
def test_no_recommendation_is_explained(limits, word):
    comparison = compare(examples.load("sex"), ["random-rounding", "conventional-rounding"], replications=5)
    with pytest.raises(InputError, match=word):
        comparison.recommended(limits)


def test_a_required_method_is_the_only_one_that_is_recommended():
    rounding = methods.get("random-rounding")
    table = examples.load("religion")
    comparison = compare(table, [rounding(base=3), rounding(base=5)], replications=20)
    limits = ReleaseLimits("Panel", loss=9.0, one_cell=0)
    assert comparison.recommended(limits) == rounding(base=3)
    assert comparison.recommended(Rule("Panel", limits)) == rounding(base=3)
    assert comparison.recommended(Rule("Panel", limits, rounding(base=5))) == rounding(base=5)


@pytest.mark.parametrize(
    ("limits", "required", "word"),
    [
        (ReleaseLimits("Panel", loss=9.0, one_cell=0), methods.get("cell-suppression")(), "not compared"),
        (
            ReleaseLimits("Panel", loss=9.0, one_cell=0),
            methods.get("random-rounding")(base=10),
            "not compared",
        ),
        (ReleaseLimits("Panel", loss=3.3, one_cell=0), methods.get("random-rounding")(base=5), "not within"),
        (ReleaseLimits("Panel", smallest_count=1000), methods.get("random-rounding")(base=5), "passes"),
    ],
    ids=["other method", "other setting", "loss", "smallest count"],
)
def test_no_other_method_replaces_a_required_one(limits, required, word):
    rounding = methods.get("random-rounding")
    comparison = compare(examples.load("religion"), [rounding(base=3), rounding(base=5)], replications=20)
    with pytest.raises(InputError, match=word):
        comparison.recommended(Rule("Panel", limits, required))


def test_ties_are_in_the_order_of_the_other_measure():
    risk, loss = measures.get("r2")(), measures.get("hellinger")()
    means = {risk: np.array([0.2, 0.1, 0.2]), loss: np.array([5.0, 9.0, 4.0])}
    assert ordered(means, risk, loss) == [1, 2, 0]
    assert ordered(means, loss, risk) == [2, 0, 1]


def test_a_failed_recommendation_states_the_value_and_the_limit():
    comparison = compare(TABLE, ["record-swapping", "redesign"], replications=20)
    with pytest.raises(InputError) as raised:
        comparison.recommended(ReleaseLimits("Panel", risk=0.001, loss=4.0))
    lowest = comparison.to_frame()["r2"].min()
    assert f"{lowest:.3g}" in str(raised.value)
    assert "0.001" in str(raised.value)


def test_a_violation_in_some_replicates_states_its_value_and_limit():
    comparison = compare(TABLE, ["record-swapping"], replications=50)
    mean = float(comparison.to_frame()["hellinger"].iloc[0])
    limits = ReleaseLimits(
        "Panel", no_risk_limit="test", loss=round(mean + 1e-4, 4), one_cell=0, all_but_one=0
    )
    with pytest.raises(InputError) as raised:
        comparison.recommended(limits)
    assert "replicates" in str(raised.value)
    assert re.search(rf"\d\.\d+, and your limit is {limits.loss}", str(raised.value))


def test_a_measure_that_was_not_compared_is_requested_in_compare():
    comparison = compare(examples.load("sex"), ["random-rounding"], replications=3)
    with pytest.raises(InputError, match=r'"r1".*compare\('):
        comparison.pareto_front("r1")


def test_an_assessment_in_place_of_a_table_names_its_table():
    with pytest.raises(InputError, match="an Assessment; pass its attribute table"):
        compare(assess(examples.load("sex")))


@pytest.mark.parametrize(("wrong", "right"), [("replication", "replications"), ("epsilom", "epsilon")])
def test_a_misspelt_argument_of_assess_is_no_setting_of_the_method(wrong, right):
    with pytest.raises(InputError, match=rf"'{wrong}'.* {right}\.$"):
        assess(FrequencyTable([[1, 2], [3, 4]]), "random-rounding", **{wrong: 5})
