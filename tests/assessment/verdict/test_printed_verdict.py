"""A verdict that is printed shows its decision and its reasons."""

import numpy as np

from sdcwidgets import examples, protect
from sdcwidgets.assessment.verdict import ReleaseLimits, judge


def test_a_printed_verdict_has_its_lines():
    verdict = judge(examples.load("religion"), limits=ReleaseLimits("Panel", risk=0.2))
    assert str(verdict).splitlines() == list(verdict.lines)
    assert verdict.answer == "not yet"


def test_a_violation_is_accepted_by_an_argument_or_by_an_option():
    verdict = judge(examples.load("religion"), limits=ReleaseLimits("Panel", risk=0.2))
    assert "accepted=" in str(verdict)
    assert "--accept" not in str(verdict)
    command = "\n".join(verdict.command_lines)
    assert "--accept" in command
    assert "accepted=" not in command
    assert len(verdict.command_lines) == len(verdict.lines)


def test_each_kept_limit_has_the_value_of_the_table():
    table = examples.load("religion")
    release = protect(table, "random-rounding", base=5, seed=3**60)
    verdict = judge(table, release, ReleaseLimits("Panel", smallest_count=5, risk=0.9, loss=1000, one_cell=0))
    counts = release.values.values()
    smallest = min(np.min(values[values > 0]) for values in counts)
    kept_count, kept_risk, kept_loss = verdict.limits_kept
    assert f" {smallest:.0f} (" in kept_count
    assert f"{verdict.residual:.4f}" in kept_risk
    assert "1000" in kept_loss
    assert verdict.to_dict()["limits_kept"] == list(verdict.limits_kept)


def test_a_limit_that_is_violated_or_accepted_is_not_called_kept():
    table = examples.load("religion")
    release = protect(table, "random-rounding", base=5, seed=3**60)
    limits = ReleaseLimits("Panel", smallest_count=10, risk=0.9, one_cell=0)
    verdict = judge(table, release, limits)
    assert "small-count" in {stop.kind for stop in verdict.stops}
    assert len(verdict.limits_kept) == 1
    assert len(verdict.accepting({"small-count": "panel of May"}).limits_kept) == 1


def test_a_verdict_says_that_protection_hardly_lowers_the_risk():
    table = examples.load("religion")
    release = protect(table, "random-rounding", base=3, seed=3**60)
    limits = ReleaseLimits("Panel", risk=0.9, one_cell=0, seed=False)
    hardly = judge(table, release, limits, values=(judge(table).before * 0.99, 1.0))
    clearly = judge(table, release, limits, values=(judge(table).before * 0.9, 1.0))
    assert hardly.answer == clearly.answer == "release"
    assert hardly.effect in hardly.lines
    assert clearly.effect not in clearly.lines
