import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets import methods
from sdcwidgets.arrangement import Arrangement
from sdcwidgets.assess import assess
from sdcwidgets.errors import InputError
from sdcwidgets.pages.protect.rows import rows
from sdcwidgets.pages.protect.state import ProtectState, axis_names, complete, improve, protect
from sdcwidgets.pages.protect.words import (
    answer,
    before_deciding,
    beside,
    next_act,
    notice_after,
    stages,
    steps,
    why_two,
)
from sdcwidgets.replications import KEPT, replicate
from sdcwidgets.search import Thresholds
from sdcwidgets.sources import Example
from sdcwidgets.studies.base import Study
from sdcwidgets.studies.links import decode, encode
from sdcwidgets.table import FrequencyTable


@pytest.fixture(scope="module")
def religion():
    return ProtectState.of_example("religion").set(replications=200)


def finished(state):
    first = protect(state)
    return [first, *improve(state, first)][-1]


def test_what_was_judged_stays_judged_until_another_table_comes():
    start = ProtectState.of_example("religion")
    assert not start.judged
    other = start.with_method("cell-key")
    assert other.judged
    back = other.with_method("random-rounding")
    assert back.method == start.method
    assert back.judged
    assert ProtectState.from_state(back.to_state()).judged
    assert not ProtectState.from_state(start.to_state()).judged
    assert ProtectState.from_state(start.to_state()).set(seed=5).judged
    sex = Example("sex")
    assert not back.with_table(sex.original, sex).judged
    assert not back.changed(table=sex.original, source=sex, arrangement=None).judged
    assert not start.changed(arrangement=Arrangement(("Religion",), ("Area",))).judged


def test_whose_the_thresholds_are():
    """They are called a person's own only once they were moved."""
    safe = ProtectState.of_example("religion").set(replications=20)
    assert not safe.own
    loose = safe.changed(thresholds=Thresholds(0.0, 1.0, 9.0))
    assert loose.own
    assert not safe.with_method("cell-key").own
    assert not ProtectState.from_state(safe.to_state()).own
    assert ProtectState.from_state(loose.to_state()).own
    result = protect(loose)
    assert "By your thresholds you are done" in notice_after(result, loose.thresholds)
    told = notice_after(result, loose.thresholds, own=False)
    assert "By the thresholds that the page begins with you are done" in told


@pytest.mark.parametrize("name", methods.available())
def test_the_screen_shows_the_numbers_of_assess(religion, name):
    state = religion.with_method(name)
    result = finished(state)
    after = assess(state.table, state.method, replications=200).after
    assert result.after.size == (1 if state.method.deterministic else 200)
    assert result.mean_risk == pytest.approx(float(after.whole.r2["information"].mean[0]))
    assert result.mean_loss == pytest.approx(float(after.whole.hellinger.mean[0]))
    first = protect(state.set(replications=1))
    assert result.risk == pytest.approx(first.mean_risk)
    assert result.loss == pytest.approx(first.mean_loss)
    np.testing.assert_array_equal(result.published.cells, after.first.cells)


def test_the_next_draw_is_the_next_replicate(religion):
    state = religion.with_parameter("base", 5)
    draws = state.method.replicate(state.table, 4, np.random.default_rng(1))
    for shown in range(4):
        result = finished(type(state)(**(vars(state) | {"shown": shown})))
        assert result.index == shown
        np.testing.assert_array_equal(result.published.cells, draws[shown])


@given(st.sampled_from(methods.available()), st.integers(0, KEPT - 1), st.floats(0, 1))
def test_a_link_brings_back_the_same_state(name, shown, limit):
    state = ProtectState.of_example("sex").with_method(name)
    state = ProtectState(**(vars(state) | {"shown": shown, "thresholds": Thresholds(after=limit)}))
    assert ProtectState.from_state(decode(encode(state))) == state


@pytest.mark.parametrize(
    "change",
    [
        {"method": "none such"},
        {"parameters": {"base": 99}},
        {"parameters": {"nonsense": 1}},
        {"parameters": 3},
        {"shown": -1},
        {"shown": 10**6},
        {"thresholds": [1, 2]},
        {"thresholds": ["a", "b", "c"]},
    ],
)
def test_a_wrong_link_is_refused(religion, change):
    saved = json.loads(json.dumps(religion.to_state())) | change
    with pytest.raises(InputError):
        ProtectState.from_state(saved)


def test_a_study_of_protection_ends_with_all_the_draws(religion):
    study = Study(religion.set(replications=3000), protect, improve)
    assert study.result.after.size == 3000


def test_what_does_not_decide_is_measured_a_moment_later(religion):
    """The mean of some measures follows once nothing moves; then it is that of all draws, made at once."""
    state = religion
    first = protect(state)
    later = first.run.later
    assert later
    assert [row.mean for row in rows(first)].count("…") == len(later)
    *_, last = improve(state, first)
    assert "…" not in [row.mean for row in rows(last)]
    assert [row.name for row in rows(last)] == [row.name for row in rows(first)]
    at_once = replicate(state.table, state.method, state.settings, last.measures)
    for one in last.measures:
        np.testing.assert_allclose(last.after.draws[one], at_once.draws[one], err_msg=one.label)
    whole = complete(first.after, last.measures)
    np.testing.assert_array_equal(whole.draws[later[0]], last.after.draws[later[0]][: whole.size])


def test_every_number_has_a_formula(religion):
    result = protect(religion)
    for row in rows(result):
        assert row.value
        assert all("".join(piece.text for piece in line) for line in row.lines())
    parts, formula = answer(result)
    assert "".join(piece.text for piece in formula).endswith(f"= {result.risk:.4f}")
    assert sum(part for _, part in parts) == pytest.approx(result.risk)
    assert f"{result.mean_risk:.4f}" in beside(result)


def test_the_decision_is_marked_among_the_steps(religion):
    result = protect(religion)
    limits = Thresholds(0.1, 0.5, 10)
    assert notice_after(result, limits).startswith("Step 15 of 15.")
    marked = [line for line in steps(result, limits) if line[0].role]
    assert len(marked) == 1
    assert marked[0][0].text.startswith("→ 15.")


def test_both_formulas_are_told_with_their_figures(religion):
    result = protect(religion)
    told = " ".join(line[0].text for line in why_two(result))
    for variant in ("information", "uncertainty"):
        assert f"{result.after.whole.r2[variant].mean[0]:.4f}" in told


def test_a_table_published_as_zeros_only_can_be_shown():
    state = ProtectState(FrequencyTable([[1, 1], [1, 0]])).with_parameter("base", 20).set(replications=20)
    result = protect(state)
    assert all(row.lines() for row in rows(result))


def test_the_verdict_is_about_the_draw_that_is_shown(religion):
    """Draw 12 is above T2 although the mean is below it: a quarter of the draws is."""
    result = finished(ProtectState(**(vars(religion.set(replications=1000)) | {"shown": 11})))
    limits = religion.thresholds
    assert (limits.after, limits.loss) == (0.215, 4.0)
    assert result.mean_risk < limits.after < result.risk
    assert f"{result.risk:.4f}" == "0.2172"
    told = notice_after(result, limits)
    assert "Step 8 of 15. Draw 12 leaves a risk of 0.2172" in told
    passing = int(result.passing(limits).sum())
    assert 700 < passing < 800
    assert f"{passing} of 1,000 draws keep T₂ and T₃" in told
    passed = next(k for k in range(20) if result.passing(limits)[k])
    other = finished(ProtectState(**(vars(religion.set(replications=1000)) | {"shown": passed})))
    assert f"Draw {passed + 1} may be released" in notice_after(other, limits)


def test_thresholds_begin_relative_to_the_table_and_loss_is_bounded(religion):
    small = ProtectState(FrequencyTable([[3, 1], [2, 4]]))
    assert small.thresholds.loss <= np.sqrt(10)
    assert small.thresholds.before < small.thresholds.after < small.risk_measure.before(small.table)
    assert small.thresholds.parameters(small.table, small.loss_measure)[2].range.high == pytest.approx(
        np.sqrt(10), abs=1e-3
    )
    moved = religion.changed(thresholds=Thresholds(0.1, 0.2, 30.0))
    edited = moved.changed(table=moved.table.with_count((0, 0), 7))
    assert edited.thresholds == moved.thresholds
    other = moved.changed(table=small.table, source=small.source)
    assert other.thresholds == small.thresholds
    across = moved.changed(loss="utility")
    assert (across.thresholds.before, across.thresholds.after) == (0.1, 0.2)
    assert across.thresholds.loss == 0.92


@pytest.mark.parametrize("loss", axis_names()[1])
@pytest.mark.parametrize("risk", axis_names()[0])
def test_any_pair_of_measures_decides(religion, risk, loss):
    state = religion.set(replications=20).changed(risk=risk, loss=loss)
    result = finished(state)
    told = notice_after(result, state.thresholds)
    assert told.startswith("Step ")
    assert result.passing(state.thresholds).shape == (20,)
    assert ProtectState.from_state(decode(encode(state))) == state


def test_a_table_of_zeros_is_never_released():
    state = ProtectState(FrequencyTable([[1, 1], [1, 0]])).with_parameter("base", 20).set(replications=50)
    result = finished(state.changed(shown=0, thresholds=Thresholds(0, 1, 10)))
    zeros = [k for k in range(50) if not result.run.kept(k).published.any()]
    assert zeros
    result = finished(state.changed(shown=zeros[0], thresholds=Thresholds(0, 1, 10)))
    assert "has only zeros, so it tells nothing: do not release it" in notice_after(result, state.thresholds)


def test_a_method_that_cannot_change_the_table_says_so():
    one_row = FrequencyTable([[5, 0, 9], [0, 0, 0]])
    state = ProtectState(one_row).with_method("record-swapping").set(replications=5)
    assert "Nobody can be swapped: all people are in one category" in notice_after(
        finished(state), state.thresholds
    )
    same = ProtectState(FrequencyTable([[5, 2], [3, 9]])).with_method("record-swapping").set(replications=5)
    same = same.with_parameter("strata", ("columns",))
    assert "Swapping changes no count" in notice_after(finished(same), same.thresholds)
    assert (finished(same).published.cells == [[5, 2], [3, 9]]).all()
    free = same.with_parameter("strata", ())
    assert "Swapping changes no count" not in notice_after(finished(free), free.thresholds)


def test_slices_with_all_people_in_one_cell_are_told():
    state = ProtectState(FrequencyTable([[5, 0, 0], [3, 9, 4]])).set(replications=5)
    told = " ".join(line[0].text for line in why_two(finished(state)))
    assert "All people are in one cell in 1 of Row" in told


def test_a_safe_table_may_be_released_as_it_is_and_an_uneven_one_may_not():
    safe = ProtectState(FrequencyTable([[5000, 5100], [4900, 5050]])).set(replications=20)
    result = protect(safe)
    assert before_deciding(result, safe.thresholds).startswith(
        "Step 4 of 15. The risk before protection, 0.0043, is below T₁ = 0.1: the true table can be released as it is."
    )
    told = [stage.told for stage in stages(result, safe.thresholds, judged=False)]
    assert told[1:] == ["not needed", "not needed", "not needed", "the true table can be released as it is"]
    for counts in ([[5000, 5100], [4900, 2]], [[3, 5000], [5000, 3]]):
        state = ProtectState(FrequencyTable(counts))
        assert protect(state.set(replications=20)).decided(state.thresholds).step != 4


def test_each_threshold_says_where_it_comes_from_and_whose_it_is(religion):
    for one in religion.thresholds.parameters(religion.table, religion.loss_measure):
        assert "your office sets it" in one.help
        assert "It begins at" in one.help
    assert "T₁, T₂ and T₃ are yours to set" in notice_after(protect(religion), religion.thresholds)


@pytest.mark.parametrize(
    ("method", "told"),
    [
        (
            methods.get("threshold-suppression")(),
            'Age "25" still shows everyone in one cell, "Look": who knows',
        ),
        (
            methods.get("simple-random-sampling")(fraction=1.0),
            'Age "25" still shows everyone in one cell, "Look"',
        ),
        (
            methods.get("conventional-rounding")(),
            'Age "25" no longer shows everyone in one cell. ',
        ),
    ],
)
def test_what_the_shown_draw_still_shows_is_said(method, told):
    table = FrequencyTable(
        [[0, 0, 1], [9, 4, 2], [8, 5, 3]], {"Age": ["25", "30", "35"], "Does": ["Work", "Study", "Look"]}
    )
    state = ProtectState(table, method=method).set(replications=20)
    assert told in notice_after(protect(state), state.thresholds)


def test_a_standard_error_that_nobody_could_see_is_not_shown():
    state = ProtectState(FrequencyTable([[5000, 5100], [4900, 5050]])).set(replications=200)
    found = rows(finished(state))
    left = next(row for row in found if row.strong)
    assert left.error == ""
    assert "error" not in " ".join(piece.text for line in left.lines() for piece in line)
    assert all(float(row.error) >= 1e-6 for row in found if row.error)
    assert any(row.error for row in found)


EVEN = FrequencyTable([[110, 120, 95], [121, 118, 101], [100, 99, 107], [127, 104, 102]])
ONE = FrequencyTable([[110, 120, 95], [121, 118, 101], [100, 99, 1], [127, 104, 102]])


def test_one_table_gets_one_verdict_however_it_came():
    fresh = ProtectState(ONE).thresholds
    safe = ProtectState(EVEN)
    assert safe.thresholds.before == 0.1 > fresh.before
    assert safe.with_table(ONE, safe.source).thresholds == fresh
    assert not safe.with_method("cell-key").with_table(EVEN.with_count((0, 0), 9), safe.source).judged
    typed = safe.edited(ONE.counts)
    assert (typed.thresholds.before, typed.thresholds.after) == (fresh.before, fresh.after)
    assert typed.edited(EVEN.counts).thresholds.before == 0.1
    own = safe.changed(thresholds=replace(safe.thresholds, before=0.05))
    assert own.edited(ONE.counts).thresholds.before == 0.05


def test_a_draw_that_shows_somebody_is_looked_at_before_it_is_saved():
    table = FrequencyTable([[34, 12, 5], [21, 18, 1], [0, 9, 0], [27, 4, 2]])
    state = replace(ProtectState(table, method=methods.get("conventional-rounding")()), judged=True)
    result = protect(state)
    thresholds = replace(state.thresholds, after=1.0)
    assert result.decided(thresholds).step == 15
    assert next_act(result, thresholds, judged=True)[1] == "judge"
    assert "still shows everyone in one cell" in stages(result, thresholds, judged=True)[-1].told
    told = notice_after(result, thresholds)
    assert told.index("still shows everyone") < told.index("may be released")
