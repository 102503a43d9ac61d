"""The simulation study in a notebook: it runs, can be stopped, and goes on."""

from io import StringIO

import pandas as pd

from sdcwidgets.teaching.lessons.study import run_study
from sdcwidgets.teaching.reproduction.sample_study import SampleStudy


def test_a_pressed_button_runs_the_study_and_shows_its_table():
    study = SampleStudy(samples=2, populations=2)
    actions, told, shown = run_study(study).children
    assert shown.value == ""
    actions._press(0)
    assert "32 of 32 populations" in told.value
    assert shown.value.count("<tr") == 15
    assert not actions.working
    actions._press(0)
    assert "32 of 32" in told.value


def test_a_small_study_shows_no_error_of_generated_populations():
    study = SampleStudy(samples=2, populations=2)
    actions, _, results = run_study(study).children
    actions._press(0)
    (table,) = pd.read_html(StringIO(results.value))
    assert table.columns.tolist() == ["population", "fraction", "risk", "here", "print", "error"]
    generated = table["population"] != "Real table"
    assert (table["error"][generated] == "–").all()
    assert (table["error"][~generated] != "–").all()
    assert table["here"].tolist() == study.result()["mean"].round(4).tolist()


def test_what_a_file_holds_is_shown_at_once(tmp_path):
    path = tmp_path / "study.json"
    *_, _ = SampleStudy(samples=2, populations=2, path=path).run()
    _, told, shown = run_study(SampleStudy(samples=2, populations=2, path=path)).children
    assert "32 of 32" in told.value
    assert "Real table" in shown.value
