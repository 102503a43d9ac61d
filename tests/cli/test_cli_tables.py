"""The table generator on the command line: tables, refusals, and bad input in one sentence."""

import re

import numpy as np
import pandas as pd
import pytest
from openpyxl import load_workbook
from stating import stating

from sdcwidgets._util.csv_writing import csv_text
from sdcwidgets._util.publication import FIRST_LINE
from sdcwidgets.cli import main
from sdcwidgets.tableserver import Rules, TableServer, hypercube


@pytest.fixture
def records(tmp_path):
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(
        {"Area": rng.choice(["N", "E"], 3000), "Sex, at birth": rng.choice(["f", "m"], 3000)}
    ).assign(Key=rng.integers(10**9, size=3000))
    path = tmp_path / "records.csv"
    frame.to_csv(path, index=False)
    return path


def test_it_prints_what_the_server_releases(capsys):
    assert main(["tables", "hypercube", "--by", "Age,Citizenship", "--where", "Region=Region 1"]) == 0
    told = capsys.readouterr()
    server = TableServer(hypercube.hypercube(), Rules(before=0), count="Count", key="Key")
    release = server.request(["Age", "Citizenship"], {"Region": ["Region 1"]})
    assert told.out == csv_text(release.lines())
    assert "base 3: " in told.err
    assert release.notes[-1] in told.err
    assert "checked together" in told.err


def test_who_has_no_value_is_told_to_the_agency_only(tmp_path, capsys):
    path, out = tmp_path / "people.csv", tmp_path / "out.csv"
    path.write_text("Area,Age\n" + "N,23\nN ,.\nS,NA\nS,41\nS,\n" * 40, "utf-8")
    rules = ["--rule", "before=0", "--rule", "people=1", "--seed", "1"]
    assert main(["tables", str(path), "--by", "Area,Age", *rules, "-o", str(out)]) == 0
    told = capsys.readouterr().err
    assert "40 values" in told
    assert (
        'Internal: 120 of 200 rows have no value in "Age" ("." or "NA" or an empty cell); these rows are counted '
        'as "(missing)".\n'
    ) in told
    published = out.read_text("utf-8")
    assert "Area \\ Age,23,41,(missing),Total" in published
    assert "no value" not in published


def test_a_file_of_records(records, capsys, tmp_path):
    where = ["--where", "Area=N", "--rule", "people=100", "--rule", "before=0"]
    arguments = ["tables", str(records), "--by", '"Sex, at birth"', *where]
    assert main([*arguments, "--method", "cell-key", "--D", "4", "--key", "Key"]) == 0
    first = capsys.readouterr().out
    assert first.startswith('"Sex, at birth",')
    out = tmp_path / "table.xlsx"
    assert main([*arguments, "-o", str(out)]) == 0
    assert load_workbook(out).sheetnames == ["table", "metadata"]
    assert main([*arguments, "--seed", "3", "-o", str(tmp_path / "table.csv")]) == 0
    assert "Total" in (tmp_path / "table.csv").read_text("utf-8")


def test_a_method_before_tabulation(capsys):
    asked = ["tables", "hypercube", "--by", "Region,Sex", "--stage", "before", "--rule", "after=1"]
    assert main([*asked, "--method", "record-swapping", "--axis", "Region"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].split(",")[-1] == "1500000"
    assert main([*asked, "--groups", "Age"]) == 2
    assert "variable of" in capsys.readouterr().err


def test_noise_follows_from_a_secret_that_is_told_or_given(records, tmp_path, capsys):
    asked = ["tables", str(records), "--by", "Area", "--rule", "people=1", "--rule", "before=0"]
    drawn, told_of = set(), r"--seed (\d+) reproduces"
    for _ in range(2):
        assert main(asked) == 0
        told = capsys.readouterr()
        seed = re.search(told_of, told.err)[1]
        assert 2**90 < int(seed) < 2**128
        drawn.add(seed)
        path = tmp_path / "secret"
        path.write_text(f"{seed}\n", encoding="utf-8")
        for given in (["--seed", seed], ["--secret-file", str(path)]):
            assert main([*asked, *given]) == 0
            again = capsys.readouterr()
            assert again.out == told.out
            assert seed not in again.err
    assert len(drawn) == 2
    for drawing_nothing in (["--key", "Key"], ["--method", "none", "--rule", "before=1"]):
        assert main([*asked, *drawing_nothing]) == 0
        assert "seed" not in capsys.readouterr().err
    assert main(["tables", "hypercube", "--by", "Age,Citizenship", "--where", "Region=Region 1"]) == 0
    assert "are public" in capsys.readouterr().err


def test_after_a_refusal_the_seed_is_told_too_if_it_had_a_part_in_it(records, capsys):
    source = ["tables", str(records), "--rule", "before=0"]
    asked = [*source, "--by", "Area"]
    assert main([*asked, "--rule", "after=0"]) == 2
    told = capsys.readouterr()
    seed = re.search(r"seed was (\d+); use --seed \1 for", told.err)[1]
    assert "Refused (after)" in told.err
    assert "The residual disclosure risk of a table must be at most T₂ = 0." in told.err
    assert told.out == ""
    assert main([*asked, "--rule", "after=0", "--seed", seed]) == 2
    assert seed not in capsys.readouterr().err
    # No count and nothing drawn was looked at.
    assert main([*source, "--rule", "dimensions=1", "--by", 'Area,"Sex, at birth"']) == 2
    assert "seed" not in capsys.readouterr().err


def test_three_command_lines_no_longer_give_a_person_away(tmp_path, capsys):
    # 5013 - 2545 - 2467 = 1: the one person of area W is a woman.
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"Area": ["N"] * 5013 + ["S"] * 4990 + ["W"], "Sex": "f"})
    frame.loc[frame.index[:-1], "Sex"] = rng.choice(["f", "m"], len(frame) - 1)
    path = tmp_path / "people.csv"
    frame.to_csv(path, index=False)
    for where in ("", "Area=N", "Area=S"):
        assert main(["tables", str(path), "--by", "Sex", "--where", where]) == 0
        told = capsys.readouterr()
        numbers = [int(line.split(",")[1]) for line in told.out.splitlines()[1:3]]
        assert {number % 3 for number in numbers} == {0}
        assert "checked together" in told.err
    assert main(["tables", str(path), "--by", "Sex", "--rule", "before=0.5"]) == 2
    assert "--rule before has no effect" in capsys.readouterr().err


@pytest.fixture
def generator(records, tmp_path, capsys):
    policy = tmp_path / "policy.toml"
    policy.write_text(
        '[rule]\nsource = "Panel"\n[limits]\nrisk = 0.1\n[generator]\npolicy = "public"\npeople = 10\n'
        '[generator.groups]\nArea = "areas.csv"\n',
        "utf-8",
    )
    (tmp_path / "areas.csv").write_text("label,parent\nN,All\nE,All\n", "utf-8")
    folder = tmp_path / "made"
    assert (
        main(
            ["tables", "init", str(folder), "--source", str(records), "--key", "Key", "--policy", str(policy)]
        )
        == 0
    )
    told = capsys.readouterr()
    assert "public: Each count of a table gets noise" in told.err
    assert "[limits] and [stops]" in told.err
    return folder


def test_a_generator_answers_remembers_and_tells_its_log(generator, capsys, tmp_path):
    ask = ["tables", str(generator), "--by", 'Area,"Sex, at birth"']
    assert main(ask) == 0
    first = capsys.readouterr().out
    assert main([*ask, "-o", str(tmp_path / "out.xlsx")]) == 0
    assert load_workbook(tmp_path / "out.xlsx")["metadata"]["B1"].value == "records.csv"
    assert main(ask) == 0
    assert capsys.readouterr().out == first
    assert main(["tables", str(generator), "--by", "Area", "--groups", "Area:1"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("All,")
    assert main(["tables", str(generator), "--by", "Income"]) == 2
    assert main(["tables", str(generator), "--by", "Area", "--groups", "Area:2"]) == 2
    assert "has 1 levels" in capsys.readouterr().err
    assert main(["tables", "log", str(generator)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 8
    assert lines[0] == FIRST_LINE
    assert sum("error: " in line for line in lines) == 2
    assert main(["tables", str(generator), "--by", "Area", "--seed", "1"]) == 2
    assert "has its own policy, record keys and secret" in capsys.readouterr().err


def test_users_are_let_in_and_out(generator, capsys):
    assert main(["tables", "users", str(generator), "--add", "ann"]) == 0
    assert re.search(r"key of ann is \S{32}\.", capsys.readouterr().err)
    assert main(["tables", "users", str(generator)]) == 0
    assert capsys.readouterr().out == "ann\n"
    assert main(["tables", "users", str(generator), "--remove", "bob"]) == 2
    assert 'there is no user "bob"' in capsys.readouterr().err


def test_a_secret_does_not_stand_in_the_file(records, tmp_path, capsys):
    out = tmp_path / "table.csv"
    assert main(["tables", str(records), "--by", "Area", "--rule", "before=0", "-o", str(out)]) == 0
    seed = re.search(r"--seed (\d+)", capsys.readouterr().err)[1]
    assert seed not in out.read_text("utf-8")


@pytest.mark.parametrize(
    ("content", "says"),
    [("hunter2", "holds no seed"), ("-1", "holds no seed"), ("", "holds no seed")],
)
def test_a_secret_file_without_a_seed_is_refused_and_not_repeated(records, tmp_path, capsys, content, says):
    path = tmp_path / "keys"
    path.write_text(content, encoding="utf-8")
    assert main(["tables", str(records), "--by", "Area", "--secret-file", str(path)]) == 2
    told = capsys.readouterr().err
    assert says in told
    assert not content or content not in told.replace(str(path), "").replace(" - 1", "")
    assert main(["tables", str(records), "--by", "Area", "--secret-file", str(path), "--seed", "1"]) == 2
    assert "use one of them" in capsys.readouterr().err


def test_weights_are_said_not_to_count(tmp_path, capsys):
    path = tmp_path / "sample.csv"
    frame = pd.DataFrame({"Area": ["N", "E"] * 1000, "Weight": [1.5, 12.25] * 1000})
    frame.to_csv(path, index=False)
    asked = ["tables", str(path), "--by", "Area", "--method", "none"]
    assert main(asked) == 0
    told = capsys.readouterr()
    assert told.err == stating('weight "Weight"', "not used")
    assert told.out.splitlines()[-1].endswith("2000")
    assert main([*asked, "--count", "Weight"]) == 2
    assert "whole numbers" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["hypercube", "--by", "Income"], "no variable"),
        (["hypercube", "--by", "Age", "--where", "Sex=x"], "has no category"),
        (["hypercube", "--by", ""], "different variables"),
        (["hypercube", "--by", "Age", "--where", "1=1; DROP TABLE records"], "a selection"),
        (["hypercube", "--by", "Age", "--where", "Sex=Male' OR '1'='1"], "a selection"),
        (["hypercube", "--by", "Age", "--where", "Sex=Male) UNION SELECT 1 --"], "has no category"),
        (["hypercube", "--by", "Age", "--where", "Sex"], "a selection"),
        (["hypercube", "--by", "Age", "--rule", "speed=1"], 'there is no rule "speed"'),
        (["hypercube", "--by", "Age", "--rule", "people=none"], "whole number"),
        (["hypercube", "--by", "Age,Citizenship", "--rule", "after=0.01"], "Refused (after)"),
        (["hypercube", "--by", "Age", "--groups", "Sex"], '"Sex" has no broader categories'),
        (["hypercube", "--by", "Age", "--method", "record-swapping"], "a whole"),
        (["hypercube", "--by", "Age", "--method", "none", "--base", "3"], "is a setting of a method"),
        (["no-such.parquet", "--by", "Age"], "There is no file"),
    ],
)
def test_bad_input_is_told_in_one_sentence(arguments, says, capsys):
    assert main(["tables", *arguments]) == 2
    told = capsys.readouterr()
    assert says in told.err
    assert told.out == ""
    assert len(told.err.strip().splitlines()) == 1
