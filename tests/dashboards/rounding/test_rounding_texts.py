"""The rounding lab in words."""

import math

import numpy as np
import pytest
from stating import stating

from sdcwidgets import FrequencyTable
from sdcwidgets.dashboards.rounding import texts as words
from sdcwidgets.dashboards.rounding.result import compute, improve
from sdcwidgets.dashboards.rounding.state import METHODS, RoundingState

HANDBOOK = RoundingState.of_example("handbook-5-18")


def text(line):
    return "".join(piece.text for piece in line)


def with_method(state, method):
    return RoundingState(state.table, rounding=state.rounding, method=method)


def test_the_interval_has_its_numbers():
    found = compute(HANDBOOK.rounded(steps=1, published=15))
    assert (
        text(words.formula(found))
        == "a − (K + 1)·b + 1 = 15 − 10 + 1 = 6; a + (K + 1)·b − 1 = 15 + 10 − 1 = 24"
    )
    assert words.caption(found).endswith("published as 15. Method: Controlled rounding to base b = 5, K = 1.")
    assert words.notice(found) == stating("19 original", "6 to 24")


def test_where_the_handbooks_formula_is_too_narrow_both_are_told():
    told = words.notice(compute(HANDBOOK.rounded(steps=1, published=5)))
    assert "gives 9 as the upper bound" in told
    assert "original count of 14" in told


@pytest.mark.parametrize(("method", "width"), [("conventional", 5), ("random", 9), ("semi-controlled", 9)])
def test_each_method_has_its_interval(method, width):
    found = compute(with_method(HANDBOOK, method))
    assert found.interval[1] - found.interval[0] + 1 == width
    assert f"{width} original counts" in words.notice(found)
    assert str(found.interval[1]) in text(words.formula(found))
    assert len(words.explain(found)) >= 4


def test_notes_say_what_adds_up():
    found = compute(HANDBOOK)
    assert [one.name for one in found.roundings] == list(METHODS)
    assert words.note(found, found.roundings[0]).endswith("not the sums of their cells: 1 of 6.")
    assert "All 6" in words.note(found, found.roundings[3])


def test_side_by_side():
    readings = {one.label: (one.text, text(one.formula)) for one in words.compared(compute(HANDBOOK))}
    assert readings["Controlled"] == ("18", stating("maximum change 3"))
    assert "1 of 6 totals" in readings["Conventional"][1]
    assert "= 18." in text(words.explain_rounding(compute(HANDBOOK), 3)[2])


def test_what_is_printed_is_told_with_its_misprint():
    assert words.has_published_figures(HANDBOOK)
    assert not words.has_published_figures(HANDBOOK.rounded(base=3))
    told = words.published_comparison(compute(HANDBOOK))
    assert "11 of 12 numbers" in told[0]
    assert told[0] == stating("35", "Area C", "5", "32", "30")
    assert "each cell is one of the two" in told[1]
    assert "a distance of 22." in told[2]
    assert told[2].endswith("is 18.")


def test_runs_are_told():
    assert "The distance 18 is optimal" in words.solver_report(compute(HANDBOOK))
    state = RoundingState(FrequencyTable(np.random.default_rng(1).poisson(2, (6, 5, 5)))).rounded(base=3)
    results = [compute(state), *improve(state, compute(state))]
    assert all(words.solver_report(one) for one in results)
    for result in results:
        runs = result.runs
        distances = [f"{run.distance:,.0f}" for run in runs]
        told = words.solver_report(result)
        assert (f"distance of {distances[0]}" in told) == (len(runs) > 1) if runs else "RAPID" in told
    best = min(run.distance for run in results[-1].runs)
    assert f"{best:,.0f}" in words.solver_report(results[-1])


def test_code_runs():
    names = {}
    exec(words.as_code(HANDBOOK), names)
    rounded = names["controlled"](names["table"], base=5, steps=0)
    assert rounded.total == 40


@pytest.mark.parametrize(("base", "published"), [(3, 6), (5, 15), (5, 0), (10, 20)])
def test_the_a_posteriori_risk_of_random_rounding_follows_its_probabilities(base, published):
    result = compute(with_method(HANDBOOK.rounded(base=base, published=published), "random"))
    chances = [
        (count % base) / base if count < published else 1 - (count % base) / base
        for count in range(max(published - base + 1, 0), published + base)
    ]
    shares = [chance / sum(chances) for chance in chances]
    bits = -sum(share * math.log2(share) for share in shares)
    assert result.likely == pytest.approx(shares)
    told = words.a_posteriori_risk(result)
    assert f"{1 / bits:.3f}" in told
    assert f"{1 / math.log2(len(chances)):.3f}" in told
    controlled = with_method(result.state, "controlled")
    uniform = compute(controlled)
    assert f"{1 / bits:.3f}" not in words.a_posteriori_risk(uniform)
    assert uniform.likely == pytest.approx([1 / len(chances)] * len(chances))
