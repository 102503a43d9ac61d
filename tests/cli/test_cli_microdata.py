"""The command for files of people: roles by guess or flag, and the file, report and script that come out."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from stating import stating

from sdcwidgets import microdata
from sdcwidgets._util.publication import FIRST_LINE
from sdcwidgets.cli import main


@pytest.fixture
def survey(tmp_path):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "hhid": np.repeat(np.arange(200), 2),
            "wgt": rng.uniform(20, 60, 400).round(2),
            "region": rng.choice(list("ABC"), 400),
            "age": rng.integers(0, 90, 400),
            "job": rng.choice(list("abcdefgh"), 400),
            "netIncome": rng.integers(0, 50_000, 400),
        }
    )
    path = tmp_path / "survey.csv"
    frame.to_csv(path, index=False)
    return path


def test_the_screen_shows_no_script_and_is_called_an_output(survey, tmp_path, capsys):
    report = tmp_path / "internal.txt"
    assert main(["microdata", str(survey), "--keys", "region,age,job", "--internal-report", str(report)]) == 0
    written = report.read_text("utf-8")
    capsys.readouterr()
    assert main(["microdata", str(survey), "--keys", "region,age,job"]) == 0
    shown = capsys.readouterr().out
    assert written.startswith(FIRST_LINE)
    assert "import " in written
    assert FIRST_LINE not in shown
    assert "import " not in shown
    assert shown.splitlines()[1:5] == written.splitlines()[1:5]


def test_the_file_the_report_and_a_script_that_does_it_again(survey, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    out, told, script = (tmp_path / name for name in ("out.csv", "internal-report.txt", "internal.py"))
    flags = ["--keys", "region,age,job", "--recode", "age=cuts:18,35,65", "--suppress", "--k", "4"]
    assert (
        main(
            [
                "microdata",
                "survey.csv",
                *flags,
                "-o",
                str(out),
                "--internal-report",
                str(told),
                "--script",
                str(script),
            ]
        )
        == 0
    )
    notes = capsys.readouterr().err
    assert '"wgt" is used as the sampling weight.' in notes
    assert notes == stating('"netIncome"', "sensitive")
    saved = pd.read_csv(out)
    assert list(saved.columns) == ["wgt", "region", "age", "job", "netIncome"]
    whole = saved.dropna(subset=["region", "age", "job"])
    assert whole.groupby(["region", "age", "job"]).size().min() >= 4
    assert "The file is 4-anonymous" in told.read_text("utf-8")
    space = {}
    # The script holds no secret; with that of this file it makes the same one.
    seed = re.search(r"--seed (\d+)", notes)[1]
    code = script.read_text("utf-8")
    assert seed not in code
    exec(code.replace("secrets.randbits(128)", seed), space)
    assert space["safe"].to_csv() == out.read_text("utf-8")


def test_flags_say_who_is_what(survey, capsys):
    flags = ["--keys", "region,job", "--weight", "", "--strata", "region", "--leave-out", "netIncome,age"]
    assert main(["microdata", str(survey), *flags]) == 0
    told, notes = capsys.readouterr()
    assert notes.splitlines() == [stating('"hhid"', "household number")]
    assert told == stating("hhid", "region", "netIncome, age")
    assert "weight:" not in told.partition("What was done")[0]
    assert "because of their roles: netIncome, age" in told


@pytest.mark.parametrize(("same", "number"), [(True, 3), (False, 1)])
def test_a_weight_of_one_household_alone_tells_who_lives_together(tmp_path, capsys, same, number):
    """Households of 2, 2, 2 and 1: the weight of a household is its own, or that of another one, too."""
    weights = [5.5, 5.5, 7.5, 7.5, 9.5, 9.5, 4.5] if same else [5.5, 5.5, 7.5, 7.5, 9.5, 8.5, 7.5]
    path = tmp_path / "homes.csv"
    pd.DataFrame({"hhid": [1, 1, 2, 2, 3, 3, 4], "wgt": weights, "sex": list("mfmfmfm")}).to_csv(
        path, index=False
    )
    assert main(["microdata", str(path), "--keys", "sex"]) == 0
    told = capsys.readouterr().out
    assert f"which identifies {number} of 3 households of two or more" in told


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (["--keys", "cats"], 'no variable "cats"'),
        (["--keys", "wgt"], "is the sampling weight"),
        (["--keys", "job", "--recode", "age"], "must be COLUMN=HOW"),
        (["--keys", "job", "--recode", "=cuts:18"], "must be COLUMN=HOW"),
        (["--keys", "job", "--recode", "age=cuts"], "must be COLUMN=HOW"),
        (["--keys", "job", "--recode", "age=cuts:"], "must be COLUMN=HOW"),
        (["--keys", "job", "--recode", "age=melt:3"], "quantiles"),
        (["--keys", "job", "--pram", "job"], "must be COLUMN=P"),
        (["--keys", "job", "--pram", "job=7"], "from 0 to 1"),
        (["--keys", "job", "--pram", "job=0.5,0.4"], "Row 0 of the matrix sums to 0.9"),
        (["--keys", "job", "--pram", "job=1,0;0,1"], "8 rows and columns"),
        (["--keys", "job", "--suppress", "--costs", "job=much"], "age 4"),
        (["--keys", "job", "--suppress", "--k", "1"], "k is 1"),
        (["--keys", "job", "--weight", "region"], "is text"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(survey, flags, says, capsys):
    assert main(["microdata", str(survey), *flags]) == 2
    assert says.lower() in capsys.readouterr().err.lower()


def test_the_keys_of_a_population_are_the_cells_of_a_model(survey, tmp_path, capsys):
    sample = pd.read_csv(survey)
    people = pd.concat([sample, sample.assign(age=(sample["age"] + 1) % 90)])
    population = tmp_path / "people.csv"
    people.to_csv(population, index=False)
    call = ["microdata", str(survey), "--keys", "region,age", "--numeric", "--population", str(population)]
    assert main([*call, "--model", "weighted", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    for estimates, cells, known in (
        ("estimates", "crossing", None),
        ("estimates_of_occurring_keys", "occurring", people),
    ):
        frame = microdata.modelled_risk(
            sample, ["region", "age"], "weighted", numeric="age", cells=cells, population=known, weight="wgt"
        )
        assert printed[estimates]["tau1"] == pytest.approx(frame["population_unique_weighted"].sum())
        assert printed[estimates]["tau2"] == pytest.approx(frame["match_weighted"].sum())
    assert main([*call, "--model", "weighted"]) == 0
    assert f"{printed['estimates_of_occurring_keys']['tau1']:.1f}" in capsys.readouterr().out
    assert main([*call, "--suppress"]) == 2
    assert "--suppress" in capsys.readouterr().err
