import json
import re
from dataclasses import replace
from threading import Event
from urllib.parse import parse_qs

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stating import stating

from sdcwidgets import InputError, methods, protect
from sdcwidgets.assessment.assessment import assess
from sdcwidgets.assessment.replications import STORED_REPLICATES, replicate
from sdcwidgets.assessment.report.html import html
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.dashboards.protect import headline
from sdcwidgets.dashboards.protect.measured import axis_names, complete
from sdcwidgets.dashboards.protect.result import SUPPRESSED_AT_ONCE, compute, improve
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.dashboards.protect.texts import replicate_summary, rows, steps, why_two
from sdcwidgets.dashboards.story import link
from sdcwidgets.plots.residual import prepare
from sdcwidgets.tables import examples, release_intervals
from sdcwidgets.tables.io.sources import File
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.removed_axes import without_removed_axes
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.page_state.links import decode, encode
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.page_state.reporting import report_on, title_of


@pytest.fixture(scope="module")
def religion():
    return ProtectState.of_example("religion").set(replications=200)


def finished(state):
    first = compute(state)
    return [first, *improve(state, first)][-1]


@pytest.mark.parametrize("name", methods.available())
def test_the_screen_shows_the_numbers_of_assess(religion, name):
    state = religion.with_method(name)
    result = finished(state)
    after = assess(state.table, state.method, replications=200).after
    assert result.after.size == (1 if state.method.deterministic else 200)
    assert result.mean_risk == pytest.approx(float(after.whole_slice.r2.mean[0]))
    assert result.mean_loss == pytest.approx(float(after.whole_slice.hellinger.mean[0]))
    first = compute(state.set(replications=1))
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


@given(st.sampled_from(methods.available()), st.integers(0, STORED_REPLICATES - 1), st.floats(0, 1))
def test_a_link_brings_back_the_same_state(name, shown, limit):
    state = ProtectState.of_example("sex").with_method(name)
    limits = ReleaseLimits("a law", risk=limit, smallest_count=3)
    state = ProtectState(**(vars(state) | {"shown": shown, "limits": limits}))
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
        {"limits": [1, 2]},
        {"limits": {"risk": "a"}},
    ],
)
def test_a_wrong_link_is_refused(religion, change):
    saved = json.loads(json.dumps(religion.to_state())) | change
    with pytest.raises(InputError):
        ProtectState.from_state(saved)


def test_a_study_of_protection_ends_with_all_the_draws(religion):
    study = Study(religion.set(replications=3000), compute, improve)
    assert study.result.after.size == 3000


def test_what_does_not_decide_is_measured_a_moment_later(religion):
    """The mean of some measures follows once nothing moves; then it is that of all draws, made at once."""
    state = religion
    first = compute(state)
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
    result = compute(religion)
    for row in rows(result):
        assert row.value
        assert all("".join(piece.text for piece in line) for line in row.lines())
    assert f"{result.mean_risk:.4f}" in replicate_summary(result)


def test_both_formulas_are_told_with_their_figures(religion):
    result = compute(religion)
    told = " ".join(line[0].text for line in why_two(result))
    for variant in ("information", "uncertainty"):
        assert (
            f"{result.after.whole_slice[{'information': 'r2', 'uncertainty': 'r2_uncertainty'}[variant]].mean[0]:.4f}"
            in told
        )


def test_a_table_published_as_zeros_only_can_be_shown():
    state = ProtectState(FrequencyTable([[1, 1], [1, 0]])).with_parameter("base", 20).set(replications=20)
    result = compute(state)
    assert all(row.lines() for row in rows(result))


def test_slices_with_all_people_in_one_cell_are_told():
    state = ProtectState(FrequencyTable([[5, 0, 0], [3, 9, 4]])).set(replications=5)
    told = " ".join(line[0].text for line in why_two(finished(state)))
    assert "1 of Row" in told


def test_a_standard_error_that_nobody_could_see_is_not_shown():
    state = ProtectState(FrequencyTable([[5000, 5100], [4900, 5050]])).set(replications=200)
    found = rows(finished(state))
    left = next(row for row in found if row.strong)
    assert left.error == ""
    assert "error" not in " ".join(piece.text for line in left.lines() for piece in line)
    assert all(float(row.error) >= 1e-6 for row in found if row.error)
    assert any(row.error for row in found)


PANEL = ReleaseLimits("Disclosure panel, May 2026", no_risk_limit="a test of stops")


def test_without_a_source_the_page_only_compares(religion):
    result = compute(religion)
    assert result.deciding.answer == "compare only"
    assert headline.next_step(result, 1, [], 16).kind == "limits"
    assert headline.to_accept(result.deciding) == []
    told = headline.because(result) + result.deciding.sentence
    assert "be released" not in told
    assert religion.limits.missing in told


def test_a_limit_falls_with_its_measure(religion):
    asked = religion.changed(limits=replace(PANEL, risk=0.2, loss=2.5, smallest_count=3))
    other = asked.changed(loss="utility")
    assert (other.limits.risk, other.limits.loss, other.limits.smallest_count) == (0.2, None, 3)
    assert asked.changed(risk="r2_star").limits.risk is None
    assert asked.with_method("cell-key").limits == asked.limits


def test_an_acceptance_falls_with_table_method_and_draw(religion):
    accepted = religion.changed(limits=PANEL).changed(accepted=(("seed", "a lesson"),))
    assert compute(accepted).verdict.answer == "release"
    assert headline.next_step(compute(accepted), 1, [], 16).kind == "save"
    assert accepted.changed(arrangement=accepted.arrangement).accepted
    assert ProtectState.from_state(decode(encode(accepted))).accepted == accepted.accepted
    others = [
        accepted.with_method("cell-key"),
        accepted.with_parameter("base", 5),
        accepted.changed(shown=1),
        accepted.set(seed=5),
        accepted.edited(religion.table.with_count((0, 0), 7).counts),
    ]
    assert not any(state.accepted for state in others)


def test_the_verdict_is_about_the_draw_that_is_shown(religion):
    """Draw 12 is above the limit although the mean is below it: a quarter of the draws is."""
    limits = replace(PANEL, risk=0.215, loss=4.0, seed=False)
    state = religion.set(replications=1000).changed(limits=limits, shown=11)
    result = finished(state)
    assert result.mean_risk < 0.215 < result.risk
    assert result.verdict.sentence == stating("Not yet", "(0.2172)", "(0.215)")
    told = replicate_summary(result)
    passing = int(re.search(r"([0-9]+) of 1,000 replicates meet", told)[1])
    assert 700 < passing < 800
    marked = [line[0].text for line in steps(result) if line[0].role]
    assert [text[:4] for text in marked] == ["→ 8."]


@pytest.mark.parametrize("loss", axis_names()[1])
@pytest.mark.parametrize("risk", axis_names()[0])
def test_any_pair_of_measures_decides(religion, risk, loss):
    limits = replace(PANEL, risk=0.5, loss=0.5)
    state = religion.set(replications=20).changed(risk=risk, loss=loss, limits=limits)
    result = finished(state)
    assert result.verdict.risk_measure == state.risk_measure
    assert result.deciding.sentence.endswith(".")
    assert ProtectState.from_state(decode(encode(state))) == state


def test_a_table_of_zeros_is_never_released():
    state = ProtectState(FrequencyTable([[1, 1], [1, 0]]), limits=PANEL).with_parameter("base", 20)
    result = finished(state.set(replications=50))
    zeros = [k for k in range(50) if not result.run.stored(k).published.any()]
    found = finished(state.set(replications=50).changed(shown=zeros[0])).verdict
    assert found.sentence == stating("Not yet", "suppressed")


def test_a_method_that_cannot_change_the_table_says_so():
    state = (
        ProtectState(FrequencyTable([[5, 0, 9], [0, 0, 0]]))
        .with_method("record-swapping")
        .set(replications=5)
    )
    assert "one category" in headline.because(finished(state))


def test_a_safe_table_goes_out_as_it_is_and_one_that_shows_somebody_does_not():
    limits = replace(PANEL, risk=0.1, smallest_count=3)
    safe = ProtectState(FrequencyTable([[5000, 5100], [4900, 5050]]), limits=limits).set(replications=20)
    result = compute(safe)
    assert result.deciding.sentence == stating("Yes", "original table", "Disclosure panel, May 2026")
    assert headline.next_step(result, 1, [], 16).kind == "save"
    for counts in ([[5000, 5100], [4900, 2]], [[0, 5000], [5000, 5000]]):
        state = ProtectState(FrequencyTable(counts), limits=limits).set(replications=20)
        assert not compute(state).deciding.as_it_is


@pytest.mark.parametrize(
    ("method", "shows"),
    [
        (methods.get("threshold-suppression")(), True),
        (methods.get("simple-random-sampling")(fraction=1.0), True),
        (methods.get("conventional-rounding")(), False),
    ],
)
def test_nothing_says_release_while_a_row_shows_everyone_in_one_cell(method, shows):
    table = FrequencyTable(
        [[0, 0, 1], [9, 4, 2], [8, 5, 3]], {"Age": ["25", "30", "35"], "Does": ["Work", "Study", "Look"]}
    )
    state = ProtectState(table, method=method, limits=PANEL).set(replications=20, seed=3**32)
    verdict = compute(state).deciding
    assert (verdict.answer == "not yet") == shows
    if shows:
        assert verdict.sentence.startswith("Not yet: Age 25 still shows all people in one cell")
        assert "Look" in headline.because(compute(state))
        assert headline.to_accept(verdict)[0].where == (("Age", "25"),)


def test_the_blue_button_leads_to_the_end(religion):
    """It leads to the limits, and once a source and a limit are typed it makes a secret seed, and then saves."""
    state, kinds = religion, []
    for _ in range(6):
        act = headline.next_step(compute(state), 200, [], 16)
        kinds.append(act.kind)
        if act.kind == "limits":
            state = state.changed(limits=ReleaseLimits("Panel, May 2026", smallest_count=3))
        elif act.kind == "seed":
            state = state.set(seed=3**33)
        else:
            break
    assert kinds == ["limits", "seed", "save"]


def test_a_search_for_narrower_intervals_runs_beside_the_page(monkeypatch):
    may_end = Event()
    monkeypatch.setattr(release_intervals, "sharpened", lambda _, *bounds: may_end.wait(60) and bounds)
    state = ProtectState.of_example("religion").set(replications=10)
    state = state.changed(method=methods.get("record-swapping")(rate=0.5))
    state = state.changed(limits=ReleaseLimits("Panel, May 2026", risk=0.3))
    first = compute(state)
    assert not first.checked
    # The page judges the first result while the other thread still searches.
    assert [stop.kind for stop in first.verdict.stops if stop.kind != "seed"] == ["unchecked"]
    results = improve(state, first)
    assert not any(next(results).checked for _ in range(5))
    may_end.set()
    last = [*results][-1]
    assert last.checked
    assert last.settled
    assert {stop.kind for stop in last.verdict.stops} <= {"seed"}


def test_many_gaps_are_checked_beside_the_page_and_nothing_is_released_before():
    rng = np.random.default_rng(1)
    table = FrequencyTable(rng.poisson(rng.gamma(0.6, 6, size=(12, 10, 2))))
    method = methods.get("threshold-suppression")(zeros=True)
    state = ProtectState(table, method=method).set(replications=1)
    state = state.changed(limits=ReleaseLimits("Panel, May 2026", one_cell=0, smallest_count=3))
    first = compute(state)
    assert first.published.suppressed.sum() > SUPPRESSED_AT_ONCE
    assert first.verdict.answer == "not yet"
    assert [stop.kind for stop in first.verdict.stops if stop.kind in ("unchecked", "recalculable")] == [
        "unchecked"
    ]
    assert headline.next_step(first, 0, [], 18).kind == "wait"
    # Where another stop stands whatever the gaps say, there is no reason to wait, and it is told first.
    strict = compute(state.changed(limits=replace(state.limits, risk=0.01)))
    assert strict.verdict.stops[0].kind == "risk"
    assert headline.next_step(strict, 0, [], 18).kind == "sweep"
    assert headline.next_step(strict, 0, [], 18, comparing=True).kind == "comparing"
    last = [*improve(state, first)][-1]
    exact = judge(table, last.published, state.applied_limits)
    assert [stop.name for stop in last.verdict.stops if stop.kind != "seed"] == [
        stop.name for stop in exact.stops
    ]


def test_people_are_followed_if_the_setting_says_so(religion):
    state = religion.with_method("record-swapping").set(variant="followed")
    result = finished(state)
    assert result.risk_measure.name == "r2_followed"
    whole = result.after.whole_slice
    assert result.mean_risk == whole["r2_followed"].mean[0] < whole["r2"].mean[0]
    told = " ".join(line[0].text for line in why_two(result))
    assert f"{result.risk:.4f}" in told
    area = "Area"
    drawn = prepare(result.before.slices[area], result.after.slices[area], result.before.whole_slice, whole)
    assert "residual risk, people followed" in drawn.numbers


def test_a_method_without_moves_names_the_formula_of_the_thesis(religion):
    result = compute(religion.set(variant="followed"))
    whole = result.after.whole_slice
    assert whole["r2_followed"].mean[0] == pytest.approx(whole["r2"].mean[0])
    told = " ".join(line[0].text for line in why_two(result))
    assert result.after.method.title in told


def test_the_reason_names_a_violation_of_each_kind():
    state = ProtectState(examples.load("religion"))
    limits = replace(state.limits, source="x", mean_cell_size=30.0, no_risk_limit="only cell sizes count")
    result = finished(replace(state, limits=limits))
    kinds = {stop.kind for stop in result.deciding.stops}
    assert kinds == {"cell-size", "seed"}
    told = headline.because(result)
    assert all(stop.words in told + result.deciding.sentence for stop in result.deciding.stops)
    assert told.count(result.deciding.stops[0].words) == 0


def test_a_release_states_its_small_counts_if_no_minimum_count_is_set(religion):
    least = {"one_cell": 0, "recalculable": False, "linked": False, "seed": False}
    result = compute(religion.changed(limits=ReleaseLimits("Panel", risk=0.9, **least)))
    counts = religion.table.counts
    small = int(((counts == 1) | (counts == 2)).sum())
    assert result.deciding.as_it_is
    assert f"{small} counts of 1 or 2" in headline.because(result)
    rounded = religion.changed(limits=ReleaseLimits("Panel", risk=0.9, **least), protects=True)
    assert "of 1 or 2" not in headline.because(compute(rounded.with_method("random-rounding")))


def test_the_counts_of_further_violations_add_up():
    """The answer counts six further violations of the story: five small counts, and a guessable seed."""
    state = ProtectState.from_state(decode(parse_qs(link(3).partition("?")[2])["state"][0]))
    result = compute(state)
    verdict = result.deciding
    kinds = [stop.kind for stop in verdict.stops]
    assert [verdict.number(kind) for kind in dict.fromkeys(kinds)] == [1, 5, 1]
    assert "6 further" in verdict.sentence
    assert "4 other" in headline.because(result)


def test_a_later_minimum_count_raises_the_threshold_of_suppression():
    table = FrequencyTable([[1, 9, 4], [7, 4, 2], [6, 1, 9]])
    state = ProtectState(table, method=methods.get("cell-suppression")(threshold=3))
    raised = state.changed(limits=ReleaseLimits("Panel", smallest_count=5))
    assert raised.method.threshold == 5
    assert raised.changed(limits=ReleaseLimits("Panel", smallest_count=4)).method.threshold == 5
    # The required method of rules stays as it is.
    required = replace(state, required=state.method)
    assert required.changed(limits=ReleaseLimits("Panel", smallest_count=5)).method == state.method


def test_a_title_does_not_name_a_removed_variable():
    text = b"Persons by age and sex\n\nAge,m,f,Total\n0-9,31,35,66\n10+,59,58,117\nTotal,90,93,183\n"
    source = File.from_input(text, "persons.csv")
    reading = source.read()
    state = ProtectState(reading.table).with_table(reading.table, source.light(reading))
    merged = protect(state.table, "redesign", axis=state.table.axes[0].name, smallest=80)
    assert merged.removed_axes == ("Age",)
    unchanged = report_on(state, Release.of(state.table))
    assert unchanged.title == "Persons by age and sex"
    report = report_on(state, merged)
    assert "age" not in report.title.lower()
    assert "Persons by age and sex" not in html(report)
    untitled = ProtectState(state.table)
    assert "Age" not in title_of(untitled, merged)


@pytest.mark.parametrize("names", [("Age", "Area"), ("Age", "Sex", "Area"), ("Sex", "Age", "Area")])
def test_released_files_have_no_column_of_a_removed_variable(names, tmp_path):
    labels = {"Age": ["0-17", "18-34", "35+"], "Sex": ["m", "f"], "Area": ["a", "b", "c"]}
    axes = {name: labels[name] for name in names}
    shape = [len(categories) for categories in axes.values()]
    counts = np.arange(1, 1 + np.prod(shape)).reshape(shape)
    source = File.from_input(FrequencyTable(counts, axes).to_csv().encode(), "people.csv")
    reading = source.read()
    table = reading.table
    assert [axis.name for axis in table.axes] == list(names)
    state = ProtectState(table).with_table(table, source.light(reading))
    expected = counts.sum(axis=names.index("Age"))
    merged = protect(table, "redesign", axis="Age", smallest=int(expected.min()))
    assert merged.removed_axes == ("Age",)
    report = report_on(state, merged)
    (tmp_path / "released.xlsx").write_bytes(report.workbook())
    report.public_release.to_csv(tmp_path / "released.csv", as_read=report.as_read)
    for again in (
        FrequencyTable.from_csv(tmp_path / "released.csv"),
        FrequencyTable.from_excel(tmp_path / "released.xlsx", sheet="Table"),
    ):
        assert np.array_equal(again.counts, expected)
    assert "Age" not in report.lines[0]
    assert any('variable "Age"' in note for note in report.public_release.notes)


def test_a_table_whose_only_variable_is_merged_stays():
    merged = protect(FrequencyTable([3, 4], {"Age": ["0-17", "18+"]}), "redesign", smallest=7)
    assert merged.removed_axes == ("Age",)
    assert without_removed_axes(merged) is merged
