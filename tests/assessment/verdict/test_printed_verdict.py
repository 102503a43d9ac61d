"""A verdict that is printed shows its decision and its reasons."""

from sdcwidgets import examples
from sdcwidgets.assessment.verdict import ReleaseLimits, judge


def test_a_printed_verdict_has_its_lines():
    verdict = judge(examples.load("religion"), limits=ReleaseLimits("Panel", risk=0.2))
    assert str(verdict).splitlines() == list(verdict.lines)
    assert verdict.answer == "not yet"
