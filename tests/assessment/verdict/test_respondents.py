"""Sums of weights are judged by their respondents: one person of weight 20 is one person, at every door."""

import copy
import html
import json
import pickle
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from sdcwidgets import InputError, methods, protect
from sdcwidgets.assessment.report import Report
from sdcwidgets.assessment.report.html import html as html_of
from sdcwidgets.assessment.verdict import ReleaseLimits, judge, load
from sdcwidgets.cli import main
from sdcwidgets.dashboards.protect.headline import because
from sdcwidgets.dashboards.protect.result import compute
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.tables.io.sources import File
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.page_state.links import decode, encode

LINES = ["area,job,w", "A,x,20", *["A,y,5"] * 6, *["B,x,7"] * 4, *["B,y,0.5"] * 9]
LIMITS = ReleaseLimits("an office", smallest_count=3)


@pytest.fixture
def survey(tmp_path):
    path = tmp_path / "survey.csv"
    path.write_text("\n".join(LINES), "utf-8")
    return path


def read(path):
    return FrequencyTable.from_csv(path, by=("area", "job"), weight="w")


def test_a_table_of_weights_knows_its_respondents(survey):
    table = read(survey)
    assert table.counts.tolist() == [[20, 30], [28, 4]]
    assert table.respondents.counts.tolist() == [[1, 6], [4, 9]]
    assert table.marginal("job").respondents.counts.tolist() == [5, 15]
    assert table.slice(area="B").respondents.counts.tolist() == [4, 9]
    assert table.with_count((0, 0), 21).respondents == table.respondents
    assert (
        copy.deepcopy(table)
        == table
        == pickle.loads(pickle.dumps(table))
        != FrequencyTable(table.counts, table.axes)
    )
    assert FrequencyTable.from_csv(survey, by=("area", "job")).respondents is None


def test_one_respondent_of_weight_20_is_below_3_at_every_door(survey, tmp_path, capsys):
    table, words = (
        read(survey),
        "area A, job x is based on fewer than 3 respondents (number of respondents: 1)",
    )
    verdict = judge(table, None, LIMITS)
    assert verdict.answer == "not yet"
    assert words in " ".join(stop.words for stop in verdict.stops)
    named = ["--by", "area,job", "--weight", "w", "--rules", "minimum-frequency"]
    applied = ["--method", "conventional-rounding", "--base", "3"]
    assert main(["assess", str(survey), *named, *applied, "--format", "json"]) == 3
    told = json.loads(capsys.readouterr().out)["verdict"]
    rule, method = load("minimum-frequency"), methods.get("conventional-rounding")(base=3)
    assert told == judge(table, method.release(table, 1).made_by(method), rule).to_dict()
    assert words in [stop["words"] for stop in told["stops"]]
    report, internal = tmp_path / "report.html", tmp_path / "internal.html"
    assert (
        main(
            [
                "protect",
                str(survey),
                *named,
                *applied,
                "--report",
                str(report),
                "--internal-report",
                str(internal),
            ]
        )
        == 3
    )
    assert words in capsys.readouterr().err
    assert not report.exists()  # a table that must not be released has no report for data users
    assert words[1:] in internal.read_text("utf-8")
    assert "by=('area', 'job'), weight='w'" in html.unescape(internal.read_text("utf-8"))
    capsys.readouterr()
    source = File.from_input(survey.read_bytes(), "survey.csv").choose(by=("area", "job"), weight="w")
    reading = source.read()
    state = ProtectState(reading.table, source.light(reading)).changed(method=method, limits=rule.limits)
    assert words in [stop.words for stop in compute(state).verdict.stops]
    again = ProtectState.from_state(decode(encode(state)))
    assert again.table == table
    assert compute(again).verdict.to_dict() == compute(state).verdict.to_dict()


def test_weights_of_one_axis_keep_their_respondents(survey):
    table = FrequencyTable.from_csv(survey, by="job", weight="w")
    assert ProtectState(table).table.respondents.counts.tolist() == [[5, 15]]


def test_what_is_merged_is_judged_with_all_its_respondents(survey):
    table = read(survey)
    merged = Release.of(FrequencyTable([[20 + 28, 30 + 4]], {"area": ["A or B"], "job": ["x", "y"]}))
    merged = Release(merged.axes, merged.values, merged=dict(area={"A": "A or B", "B": "A or B"}))
    assert merged.regroup(table).respondents.counts.tolist() == [[5, 15]]
    assert judge(table, merged, LIMITS).answer == "release"


def test_all_but_one_respondent_is_told_whatever_they_weigh():
    """Who is alone in A, x knows that, and reads that all others of A are in y."""
    table = FrequencyTable([[20, 30, 0], [28, 40, 50], [9, 9, 9]]).with_respondents(
        [[1, 6, 0], [4, 9, 8], [3, 4, 5]]
    )
    limits = ReleaseLimits("an office", no_risk_limit="a test of respondents", all_but_one=3)
    (stop,) = [one for one in judge(table, None, limits).stops if one.kind == "all-but-one"]
    assert stop.words == "Row 1 shows all but one respondent in one cell"
    assert "(7 respondents)" in stop.why
    assert stop.people == 7


@given(st.integers(0, 10**6))
def test_no_published_weight_of_few_respondents_is_released(seed):
    rng = np.random.default_rng(seed)
    people = rng.poisson(2.5, (3, 3))
    if not people.any():
        return
    weights = np.where(people, np.maximum(1, people * rng.integers(1, 40, (3, 3))), 0)
    table = FrequencyTable(weights).with_respondents(people)
    method = methods.get(rng.choice(["cell-suppression", "threshold-suppression", "conventional-rounding"]))()
    release = method.release(table, 1)
    verdict = judge(table, release, LIMITS)
    sums = {(0, 1): people, (0,): people.sum(axis=1), (1,): people.sum(axis=0), (): people.sum()}
    few = any(
        np.any((np.nan_to_num(release.values[kept]) > 0) & (sums[kept] > 0) & (sums[kept] < 3))
        for kept in release.values
    )
    assert any(stop.kind == "small-count" for stop in verdict.stops) == few


def test_cell_suppression_of_weights_suppresses_counts_of_few_respondents(survey):
    table, rule = read(survey), load("minimum-frequency")
    release = protect(table, rule.method, seed=0x9E3779B97F4A7C15F39CC0605CEDC834)
    assert np.isnan(release.cells[0, 0])
    verdict = judge(table, release, rule)
    assert verdict.answer == "release"
    assert any("respondents" in note for note in release.notes)


def test_without_a_minimum_counts_of_few_respondents_are_reported(survey):
    limits = ReleaseLimits("an office", risk=0.9)
    source = File.from_input(survey.read_bytes(), "survey.csv").choose(by=("area", "job"), weight="w")
    reading = source.read()
    rounding = methods.get("conventional-rounding")(base=3)
    state = ProtectState(reading.table, source.light(reading)).changed(
        method=rounding, limits=limits, protects=True
    )
    result = compute(state)
    (stop,) = [stop for stop in result.deciding.reported if stop.kind == "small-count"]
    assert "(number of respondents: 1)" in stop.words
    assert "small-count" not in [stop.kind for stop in result.deciding.stops]
    words = because(result)
    assert "1 count based on 1 or 2 respondents is published" in words
    assert "No published count is 1 or 2" not in words


def test_axes_with_codes_keep_the_respondents_of_a_table(survey):
    table = read(survey)
    coded = [replace(axis, codes=tuple(f"{k}1" for k in range(len(axis)))) for axis in table.axes]
    assert table.rearranged(coded, lambda counts: counts).respondents.counts.tolist() == [[1, 6], [4, 9]]


ESTIMATES = FrequencyTable([[20, 0], [8, 31], [40, 57]]).with_respondents([[2, 0], [4, 6], [5, 9]])


def test_each_file_states_that_its_numbers_are_weighted_estimates():
    statement = "weighted estimates from 26 respondents"
    for method in methods.available():
        if methods.get(method).samples:
            continue
        try:
            release = protect(ESTIMATES, method, seed=3**60)
        except InputError:
            continue
        assert [note for note in release.notes if statement in note] == [release.notes[0]], method
        assert statement in release.to_csv(), method
        assert statement in html_of(Report(release)), method
        (sheet, *_) = load_workbook(BytesIO(Report(release).workbook())).worksheets
        assert any(statement in str(cell.value) for row in sheet for cell in row), method
    assert statement in html_of(Report(Release.of(ESTIMATES)))
    assert not Release.of(FrequencyTable([1, 2])).notes


def test_no_text_calls_a_weighted_estimate_an_exact_count():
    release = protect(ESTIMATES, "redesign", axis="rows", zeros=False)
    limits = ReleaseLimits("Panel", smallest_count=3)
    verdict = judge(ESTIMATES, release, limits)
    report = Report(release, verdict, title="Jobs", table=ESTIMATES, internal=True)
    text = html_of(report)
    assert "exact counts of 3" not in text
    assert "are exact" not in text
    assert "smallest published count" not in " ".join([*verdict.lines, verdict.sentence])
    assert "infer the weighted estimates of" in text
    assert "at least 5 respondents" in verdict.sentence
