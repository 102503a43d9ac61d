"""Places of the measures of an assessment, all measures of a table and a method, and reasons for undefined measures."""

import math

import pytest

from sdcwidgets import FrequencyTable, InputError, assess, examples, measures, methods

RELIGION = examples.load("religion")
FEW = {"replications": 3}


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (lambda found: found.whole.r2, 'assessment.after.whole["r2"]'),
        (lambda found: found.rows["hellinger"], 'assessment.after.slices["Area"]["hellinger"]'),
        (lambda found: found.whole.gad_star_area, 'assessment.after.whole["gad_star_area"]'),
        (lambda found: found.after.whole.r1, 'assessment.whole["r1"]'),
        (lambda found: found.after.slices["Area"]["subtraction"], 'assessment.slices["Area"]["subtraction"]'),
        (lambda found: found.whole.ones_and_twos, "small"),
        (lambda found: found.whole.subtraction, "measures="),
    ],
)
def test_a_measure_that_is_elsewhere_has_its_place_in_the_message(value, place):
    with pytest.raises(InputError) as error:
        value(assess(RELIGION, "random-rounding", **FEW))
    assert place in str(error.value)


def test_an_assessment_without_a_method_has_no_results_after_protection():
    assessment = assess(RELIGION)
    with pytest.raises(InputError, match="method"):
        _ = assessment.after.whole
    assert not hasattr(assessment, "after")
    assert assessment.after_protection is None


@pytest.mark.parametrize("method", [None, *methods.available()])
@pytest.mark.parametrize("table", [examples.load("sex"), FrequencyTable([3, 1, 0, 5])])
def test_all_measures_are_computed_for_each_method_and_are_in_the_frame(method, table):
    every = assess(table, method, measures="all", **FEW)
    columns = set(every.to_frame().columns)
    assert {"x1", "r1", "subtraction", "frank_bound"} <= columns
    computed = dict(every.whole.measures)
    if method is not None:
        computed |= {name: estimate.mean for name, estimate in every.after.whole.estimates.items()}
        samples = methods.get(method).samples
        assert ("estimated_risk" in computed) == samples
    undefined = {name for name, value in computed.items() if math.isnan(value)}
    reasons = dict(every.whole.reasons)
    if method is not None:
        reasons |= every.after.whole.reasons
    assert set(reasons) == undefined | set(every.omitted)
    assert all(reasons.values())
    # Each measure has a value or a reason, in one frame.
    summary = every.summary()
    assert not summary.measure.duplicated().any()
    assert ((summary.reason != "") == summary.value.isna()).all()
    rows = " ".join(summary.measure)
    assert all(name in rows for name in measures.available())
    assert set(summary.measure) == set(computed) | set(every.omitted)
    by_name = summary.set_index("measure")
    if method is None:
        assert every.whole.reasons["estimated_risk"]
        assert by_name.table["hellinger"] == "after"
    else:
        error = every.after.whole.hellinger.error
        assert by_name.error["hellinger"] == pytest.approx(error, nan_ok=True)


def test_a_summary_of_requested_measures_contains_only_computed_measures():
    chosen = assess(RELIGION, "random-rounding", measures=["hellinger"], **FEW)
    assert chosen.omitted == {}
    assert {"hellinger"} == set(chosen.summary().query("table == 'after'").measure)
