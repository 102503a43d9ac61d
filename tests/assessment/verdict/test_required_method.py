"""Release rules that require a method, and releases of this method, of other methods, and of unknown methods."""

import pytest

from sdcwidgets import Release, examples, methods, protect
from sdcwidgets.assessment import verdict
from sdcwidgets.assessment.verdict import ReleaseLimits, judge

RELIGION = examples.load("religion")
RULE = verdict.load("minimum-frequency")
SEED = 3**60


def kinds(judged):
    return {stop.kind for stop in judged.stops}


def test_a_release_by_the_required_method_has_no_violation_of_the_method():
    release = protect(RELIGION, RULE.method, seed=SEED)
    assert release.method == RULE.method
    for judged in (
        judge(RELIGION, release, RULE, seed=SEED),
        judge(RELIGION, release, RULE.limits, required=RULE.method, seed=SEED),
    ):
        assert "method" not in kinds(judged)


def test_frozen_cells_do_not_change_the_method_of_a_release():
    publish = [{axis.name: "Total" for axis in RELIGION.axes}]
    release = protect(RELIGION, RULE.method, frozen=publish, seed=SEED)
    assert "method" not in kinds(judge(RELIGION, release, RULE, seed=SEED))


def test_rules_that_require_a_method_block_other_methods_and_other_settings():
    rounded = protect(RELIGION, "random-rounding", base=5, seed=SEED)
    (stop,) = [stop for stop in judge(RELIGION, rounded, RULE, seed=SEED).stops if stop.kind == "method"]
    assert "random-rounding" in stop.why
    other = protect(RELIGION, RULE.method.name, threshold=5, seed=SEED)
    (stop,) = [stop for stop in judge(RELIGION, other, RULE, seed=SEED).stops if stop.kind == "method"]
    assert "threshold 3" in stop.why
    assert "threshold 5" in stop.why


@pytest.mark.parametrize("release", [None, Release.of(RELIGION)])
def test_a_required_method_cannot_be_shown_without_the_method_of_the_release(release):
    judged = judge(RELIGION, release, RULE)
    (stop,) = [stop for stop in judged.stops if stop.kind == "method"]
    assert "other settings" not in stop.why
    assert "method" not in kinds(judge(RELIGION, release, RULE, asserted=RULE.method.name))


def test_limits_alone_require_no_method():
    rounded = protect(RELIGION, "random-rounding", base=5, seed=SEED)
    assert "method" not in kinds(judge(RELIGION, rounded, RULE.limits, seed=SEED))


def test_the_method_of_a_release_is_in_no_file_and_in_no_comparison():
    release = methods.get("random-rounding")(base=5).release(RELIGION, SEED)
    assert release.method == methods.get("random-rounding")(base=5)
    assert "RandomRounding" not in release.to_csv() + repr(release) + release.to_px() + release.to_json_stat()


def test_the_sentence_counts_the_violations_of_all_kinds():
    limits = ReleaseLimits("Panel", smallest_count=3, risk=0.01, one_cell=0)
    judged = judge(RELIGION, limits=limits)
    number = sum(judged.number(kind) for kind in kinds(judged))
    assert kinds(judged) == {"small-count", "risk"}
    assert f" {number - 1} " in judged.sentence


def test_the_reason_of_a_limit_is_a_sentence_and_an_original_table_has_no_residual_risk():
    limits = ReleaseLimits("Panel", risk=0.01, loss=0.01, one_cell=0, seed=False)
    (original,) = judge(RELIGION, limits=limits).stops
    assert original.why.startswith("The ")
    assert "residual" not in original.why.lower()
    release = protect(RELIGION, "random-rounding", base=5, seed=SEED)
    for stop in judge(RELIGION, release, limits).stops:
        assert stop.why.startswith("The ")


def test_a_printed_violation_names_the_argument_of_python():
    judged = judge(RELIGION, limits=ReleaseLimits("Panel", risk=0.01, one_cell=0))
    (line,) = [line for line in judged.lines if line.startswith("Stop: ")]
    assert 'accepted={"risk": "REASON"}' in line
    assert "--accept" not in line
