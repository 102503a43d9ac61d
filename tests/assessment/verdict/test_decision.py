"""A verdict needs a source and a limit, and what protection does to the risk is said as it is."""

import re
import secrets
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets import FrequencyTable, examples, methods, protect
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.cli import main
from sdcwidgets.measures import available, get

TABLE = FrequencyTable([[20, 31, 44], [14, 25, 9]])


@pytest.mark.parametrize(
    ("limits", "decides"),
    [
        ({}, False),
        ({"smallest_count": 3}, True),
        ({"smallest_count": 1}, False),
        ({"risk": 0.2}, True),
        ({"risk": 1.0}, False),
        ({"risk_before": 0.3}, True),
        ({"risk_before": 1.0}, False),
        ({"loss": 4.0}, True),
        ({"loss_measure": "utility", "loss": 0.0}, False),
        ({"loss_measure": "utility", "loss": 0.8}, True),
        ({"no_risk_limit": "the counts are published already"}, True),
        ({"no_risk_limit": "  "}, False),
    ],
)
def test_a_verdict_needs_a_source_and_a_limit_or_a_reason_for_none(limits, decides):
    assert not ReleaseLimits("", **limits).decides
    named = ReleaseLimits("Panel, May 2026", **limits)
    assert named.decides == decides
    assert bool(named.missing) != decides
    release = methods.get("conventional-rounding")(base=5).release(TABLE, 1)
    answers = {judge(TABLE, one, named).answer for one in (None, release)}
    assert (answers == {"compare only"}) == (not decides)


def test_a_rule_that_limits_nothing_releases_nothing(tmp_path, capsys):
    table, rule, out = tmp_path / "table.csv", tmp_path / "rule.toml", tmp_path / "out.csv"
    table.write_text(TABLE.to_csv(), "utf-8")
    text = '[rule]\nsource = "Panel"\n[method]\nname = "conventional-rounding"\n'
    asked = ["protect", str(table), "--rules", str(rule), "-o", str(out)]
    rule.write_text(text, "utf-8")
    assert main(asked) == 3
    assert not out.exists()
    assert "For a release decision" in capsys.readouterr().err
    rule.write_text(f'{text}[limits]\nno-risk-limit = "nobody is counted"\n', "utf-8")
    assert main(asked) == 0
    assert out.exists()


def effect_of(before, left, measure="r2"):
    verdict = judge(TABLE, methods.get("conventional-rounding")(base=5).release(TABLE, 1))
    return replace(verdict, before=before, residual=left, risk_measure=get(measure)()).effect


@given(st.floats(0.001, 1), st.floats(0.001, 1))
def test_a_rise_is_a_rise_and_a_small_fall_is_hardly_any_protection(before, left):
    said = effect_of(before, left)
    numbers = [float(one) for one in re.findall(r"0\.\d+|1\.\d+", said)]
    hardly = "hardly changes" in said
    apart = not np.isclose(before, left, atol=5e-6, rtol=0)
    if apart:
        assert ("raises" in said) == (left > before)
        assert hardly == (0 <= (before - left) / before < 0.02)
        assert numbers == pytest.approx([before, left], abs=0.0006)
        assert numbers[0] != numbers[1]
    else:
        assert hardly or "raises" in said


def test_where_more_is_better_a_rise_of_the_measure_is_protection():
    name = "small_changed"
    assert get(name)().more_is_better
    assert effect_of(0.5, 0.6, name).startswith("Conventional rounding raises")
    assert "hardly changes" in effect_of(0.5, 0.505, name)
    assert effect_of(0.5, 0.495, name).startswith("Conventional rounding lowers")


def test_each_version_of_the_disclosure_risk_has_its_own_short_name():
    versions = [name for name in available() if (get(name).version_of or name) in ("r2", "r2_star")]
    effects = {effect_of(0.5, 0.4, name) for name in versions}
    assert len(effects) == len(versions) == 6
    assert all("," not in effect for effect in effects)


@pytest.mark.parametrize("method", ["random-rounding", "cell-key", "cell-suppression"])
def test_a_guessable_seed_of_protect_blocks_the_release_without_passing_the_seed_again(method):
    table = examples.load("religion")
    limits = ReleaseLimits("Panel", smallest_count=3)
    guessable = protect(table, method, seed=42)
    assert guessable.has_guessable_seed
    assert [stop.kind for stop in judge(table, guessable, limits).stops if stop.kind == "seed"] == ["seed"]
    # Passing the seed again lists no second violation, and passing another seed hides none.
    for seed in (42, 3**60):
        assert [stop.kind for stop in judge(table, guessable, limits, seed=seed).stops].count("seed") == 1
    assert "seed" not in {stop.kind for stop in judge(table, guessable, replace(limits, seed=False)).stops}
    unknown = methods.get(method)().release(table, 42)
    secret = protect(table, method, seed=secrets.randbits(128))
    for release in (unknown, secret):
        assert not release.has_guessable_seed
        assert "seed" not in {stop.kind for stop in judge(table, release, limits).stops}


def test_a_guessable_seed_of_a_suppression_selects_cells_and_gives_no_counts():
    table, limits = examples.load("religion"), ReleaseLimits("Panel", smallest_count=3)
    for name, selects in (("cell-suppression", True), ("random-rounding", False)):
        verdict = judge(table, protect(table, name, seed=42), limits, seed=42)
        (stop,) = (stop for stop in verdict.stops if stop.kind == "seed")
        assert ("selects the suppressed cells" in stop.words) == selects
        assert ("reconstruct the original counts" in stop.why) != selects


def test_no_seed_is_guessable_if_the_method_uses_none_and_no_file_states_that_it_is():
    table = examples.load("religion")
    assert not protect(table, "conventional-rounding", base=5, seed=42).has_guessable_seed
    release = protect(table, "random-rounding", base=5, seed=42)
    assert "guessable" not in release.to_csv() + repr(release) + release.to_px() + release.to_json_stat()
    assert release == replace(release, has_guessable_seed=False)


@pytest.mark.parametrize(("margins", "is_empty"), [("sums", True), ("own", False)])
def test_a_release_with_published_totals_is_not_empty(margins, is_empty):
    table = FrequencyTable([[6, 6], [6, 6]])
    release = methods.get("conventional-rounding")(base=20, margins=margins).release(table, 1)
    assert not release.cells.any()
    limits = ReleaseLimits("Panel, May 2026", smallest_count=3)
    assert ("empty" in [stop.kind for stop in judge(table, release, limits).stops]) is is_empty


def test_the_decision_names_each_value_with_the_limit_that_it_meets():
    table = FrequencyTable([[13, 12, 11], [14, 9, 16]], {"Area": ["A", "B"], "Level": ["x", "y", "z"]})
    limits = ReleaseLimits("Panel, May 2026", smallest_count=3, risk=0.5, loss=4, one_cell=0)
    release = protect(table, "conventional-rounding", base=3)
    original, protected = judge(table, None, limits).sentence, judge(table, release, limits).sentence
    assert "smallest published count 9 (without zeros; minimum 3)" in original
    assert "(maximum 0.5)" in original
    assert "(maximum 0.5), information loss" in protected
    assert "(maximum 4)" in protected
    no_limit = ReleaseLimits("Panel, May 2026", no_risk_limit="public counts", one_cell=0)
    assert "limits of" not in judge(table, None, no_limit).sentence


def test_the_sentence_names_the_limits_apart_from_values_without_a_limit():
    table = FrequencyTable([[30, 20], [40, 50]])
    release = protect(table, "conventional-rounding", base=5)
    first = judge(table, release, ReleaseLimits("Panel", smallest_count=3)).sentence
    met, other = first.split(" No limit was set for ")
    assert "minimum 3" in met
    assert "risk" not in met
    assert "loss" not in met
    assert other.startswith("residual risk (0.")
    assert "information loss (" in other
    whole = ReleaseLimits("Panel", smallest_count=3, risk=0.9, loss=9)
    sentence = judge(table, release, whole).sentence
    assert "maximum 0.9" in sentence
    assert "maximum 9" in sentence
    assert "No limit" not in sentence
    only_risk = judge(table, release, ReleaseLimits("Panel", risk=0.9)).sentence
    assert "No limit was set for information loss (" in only_risk
    assert (
        "No limit was set for risk (" in judge(table, None, ReleaseLimits("Panel", smallest_count=3)).sentence
    )
