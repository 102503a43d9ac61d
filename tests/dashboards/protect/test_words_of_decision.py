"""The decision states what was accepted, the limits that it keeps, and the versions that were saved."""

import re
from dataclasses import replace

from screens import control, inside
from sdcwidgets import FrequencyTable, methods, protect
from sdcwidgets.assessment.report.script import script_of
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.assessment.verdict.rule_file import read
from sdcwidgets.dashboards import protect as page_of_protect
from sdcwidgets.dashboards.protect import headline
from sdcwidgets.dashboards.protect.controls import FROM_FILE, HERE, take_rule
from sdcwidgets.dashboards.protect.headline import for_learning
from sdcwidgets.dashboards.protect.release import OTHER_VERSION, ReleaseCard
from sdcwidgets.dashboards.protect.result import compute
from sdcwidgets.dashboards.protect.state import ProtectState, with_secret_seed
from sdcwidgets.tables.io.sources import InMemorySource
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.page_state.recomputation import Study

AXES = {"Area": ["A", "B", "C"], "Work": ["x", "y", "z"]}
#: All people of two areas are in one cell.
DISCLOSED = FrequencyTable([[12, 0, 0], [0, 30, 0], [9, 15, 21]], AXES)

RULE = """
[rule]
name = "Rule of the office"
source = "Panel of the office"

[limits]
smallest-count = 4
"""


def state_of(table, **limits):
    start = ProtectState(table, method=methods.get("random-rounding")(base=3))
    return with_secret_seed(start.changed(limits=ReleaseLimits("Panel", **limits), protects=True))


def test_the_tick_box_and_the_decision_state_the_number_of_accepted_violations():
    state = state_of(DISCLOSED, smallest_count=3)
    verdict = compute(state).deciding
    stops = headline.to_accept(verdict)
    number = verdict.number(stops[0].kind)
    assert number > 1
    assert f" {number} " in headline.tick_words(verdict)
    kinds = {stop.kind for stop in verdict.stops}
    result = compute(state.changed(accepted=tuple((kind, "public") for kind in kinds)))
    accepted = len(result.deciding.accepted)
    assert result.deciding.answer == "release"
    assert f"with {accepted} accepted violations – " in headline.answer(result)
    assert re.search(r"smallest published count \d+ \(without zeros; minimum 3\)\. ", headline.answer(result))


def test_the_script_accepts_a_kind_in_one_line():
    state = state_of(DISCLOSED, smallest_count=3)
    kinds = {stop.kind for stop in compute(state).deciding.stops}
    study = Study(state.changed(accepted=tuple((kind, "public") for kind in kinds)), compute)
    code = script_of(ReleaseCard(study, list).report(internal=True))
    (line,) = (line for line in code.splitlines() if line.startswith("accepted = "))
    assert eval(line.partition(" = ")[2]) == dict.fromkeys(kinds, "public")


def test_the_information_loss_is_stated_with_its_limit():
    table = FrequencyTable([[12, 7, 5], [4, 30, 8], [9, 15, 21]], AXES)
    assert "the limit is 12" in headline.because(compute(state_of(table, loss=12.0)))
    assert "scale from 0 to" in headline.because(compute(state_of(table, risk=0.9)))


def test_small_totals_of_the_file_are_counted():
    table = FrequencyTable([[1, 0, 1], [14, 30, 8], [9, 15, 21]], AXES)
    state = state_of(table, risk=0.99).with_method("conventional-rounding")
    state = state.changed(method=methods.get("conventional-rounding")(base=2, margins="sums"))
    result = compute(state)
    numbers = [value for line in result.release.lines() for value in line if value in (1, 2)]
    words = headline._published_small_counts(result)
    assert words.startswith(f"{len(numbers)} ") if numbers else words == ""


def test_a_suppression_that_suppresses_nothing_needs_no_secret_seed():
    table = FrequencyTable([[5, 9], [7, 6]], {"Area": ["A", "B"], "Sex": ["f", "m"]})
    limits = ReleaseLimits("Panel, May 2026", smallest_count=3)
    for name in ("cell-suppression", "threshold-suppression"):
        method = methods.get(name)()
        result = compute(ProtectState(table, method=method, limits=limits, protects=True).set(seed=1))
        assert result.deciding.answer == "release"
        assert for_learning(result) == ""
        release = protect(table, method, seed=1)
        assert not release.has_guessable_seed
        # The footnote does not state which counts are suppressed.
        assert [note for note in release.notes if method.summary()[1:] in note] == []
        assert judge(table, release, limits, seed=1).answer == "release"


def test_another_version_of_a_saved_table_is_warned_of(monkeypatch):
    study = Study(state_of(DISCLOSED, no_risk_limit="a test", one_cell=0), compute)
    card = ReleaseCard(study, list)
    monkeypatch.setattr(card._table, "file", lambda *_: None)
    card._xlsx()
    assert OTHER_VERSION not in card._words.value
    study.put(study.state.with_method("cell-key"))
    card.show(study.result)
    assert OTHER_VERSION in card._words.value
    study.undo()
    card.show(study.result)
    assert OTHER_VERSION not in card._words.value


def test_a_rule_from_a_file_is_selected_with_its_name():
    screen = page_of_protect.app()
    (page,) = inside(screen, Page)
    take_rule(page._study, read(RULE, "rules.toml"))
    way = control(screen, "Rule")
    assert (way.value, way.parameter.choices[FROM_FILE]) == (FROM_FILE, "Rule of the office")
    own = read(RULE, "rules.toml").limits
    take_rule(
        page._study,
        replace(read(RULE, "rules.toml"), limits=replace(own, source=f"{own.source}, changed {HERE}")),
    )
    assert FROM_FILE not in way.parameter.choices


def test_a_table_without_a_published_count_in_its_cells_is_no_plain_yes():
    table = FrequencyTable([[2, 1, 0, 9], [1, 2, 2, 1], [0, 2, 1, 2]])
    method = methods.get("cell-suppression")(threshold=3)
    state = state_of(table, smallest_count=3).changed(method=method, protects=True)
    result = compute(state)
    assert result.deciding.answer == "release"
    assert result.deciding.has_only_totals
    assert headline.answer(result).startswith("Yes, but no cell has a published count above 0 – ")
    assert "10 of 12 counts" in headline.answer(result)
    rounded = compute(state.changed(method=methods.get("conventional-rounding")(base=5), protects=True))
    assert not rounded.deciding.has_only_totals


def test_a_loss_above_its_scale_has_no_scale():
    rows = ["20224213", "20212022", "13220231", "23310100", "21224000", "00103201"]
    table = FrequencyTable([list(map(int, row)) for row in rows])
    method = methods.get("cell-suppression")(threshold=12, width=20, choice="optimal")
    state = state_of(table, smallest_count=3).changed(method=method, protects=True)
    result = compute(state)
    most = result.loss_measure.greatest(table)
    assert result.deciding.loss > most
    assert "on a scale" not in headline.because(result)
    (line,) = [line for line in result.loss_measure.explain(result.replicate) if "√N" in str(line)]
    assert "no maximum" in str(line)
    small = compute(state.changed(method=methods.get("random-rounding")(base=3), protects=True))
    assert "on a scale" in headline.because(small)


def test_the_names_of_saved_files_separate_public_from_internal_files(monkeypatch):
    state = state_of(FrequencyTable([[12, 31, 15], [22, 25, 16], [14, 18, 17]], AXES), smallest_count=3)
    names = []
    monkeypatch.setattr(Actions, "file", lambda self, name, content, title="": names.append(name))
    card = ReleaseCard(Study(state, compute), list)
    card.save()
    assert [name.startswith("internal-") for name in names] == [False, False, True]
    assert "data-users" in names[1]


def test_a_new_table_that_meets_the_limits_is_proposed_without_the_method_of_the_previous_table():
    state = state_of(DISCLOSED, smallest_count=3).with_method("cell-key")
    table = FrequencyTable([[12, 31, 15], [22, 25, 16], [14, 18, 17]], AXES)
    new = state.with_table(table, InMemorySource("Another table"))
    assert new.limits == state.limits
    result = compute(new)
    assert result.is_original
    assert headline.answer(result).startswith("Yes – the original table")


def test_without_limits_the_headline_states_first_what_is_missing():
    state = ProtectState(DISCLOSED)
    assert headline.answer(compute(state)).startswith("No limit is set yet. ")
    limited = state.changed(limits=ReleaseLimits(risk=0.5))
    assert headline.answer(compute(limited)).startswith("The source of the limits is not stated yet. ")
