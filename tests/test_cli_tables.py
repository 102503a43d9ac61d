"""The table generator on the command line: tables, refusals, and bad input in one sentence."""

import numpy as np
import pandas as pd
import pytest
from openpyxl import load_workbook

from sdcwidgets import hypercube
from sdcwidgets.cli import main
from sdcwidgets.tableserver import TableServer


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
    server = TableServer(hypercube.hypercube(), count="Count", key="Key")
    release = server.request(["Age", "Citizenship"], {"Region": ["Region 1"]})
    assert told.out == release.to_csv()
    assert release.notes[-1] in told.err


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
    assert "does not span" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["hypercube", "--by", "Income"], "There is no variable"),
        (["hypercube", "--by", "Age", "--where", "Sex=x"], "has no category"),
        (["hypercube", "--by", ""], "needs one or more different variables"),
        (["hypercube", "--by", "Age", "--where", "1=1; DROP TABLE records"], "is no selection"),
        (["hypercube", "--by", "Age", "--where", "Sex=Male' OR '1'='1"], "is no selection"),
        (["hypercube", "--by", "Age", "--where", "Sex=Male) UNION SELECT 1 --"], "has no category"),
        (["hypercube", "--by", "Age", "--where", "Sex"], "is no selection"),
        (["hypercube", "--by", "Age", "--rule", "speed=1"], "There is no rule 'speed'"),
        (["hypercube", "--by", "Age", "--rule", "people=none"], "must be a whole number"),
        (["hypercube", "--by", "Age,Citizenship"], "Refused (after)"),
        (["hypercube", "--by", "Age", "--groups", "Sex"], "Sex has no groups"),
        (["hypercube", "--by", "Age", "--method", "record-swapping"], "as a whole"),
        (["hypercube", "--by", "Age", "--method", "none", "--base", "3"], "belongs to a method"),
        (["no-such.parquet", "--by", "Age"], "There is no file"),
    ],
)
def test_bad_input_is_told_in_one_sentence(arguments, says, capsys):
    assert main(["tables", *arguments]) == 2
    told = capsys.readouterr()
    assert says in told.err
    assert told.out == ""
    assert len(told.err.strip().splitlines()) == 1
