"""The command swap: records at risk exchange their areas, in files."""

import numpy as np
import pandas as pd
import pytest

from sdcwidgets.cli import main

PEOPLE = """\
id,region,town,home,age,job,must
001,N,Ash,h1,young,farmer,
002,N,Ash,h1,old,judge,
003,N,Ash,h2,young,farmer,
004,N,Ash,h2,old,farmer,
005,S,Date,h3,young,farmer,
006,S,Date,h3,old,nurse,1
007,S,Date,h4,young,nurse,0
008,S,Date,h4,old,farmer,
"""


@pytest.fixture
def files(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE, "utf-8")
    return path, tmp_path / "swapped.csv", tmp_path / "internal-moves.csv"


def swapped(files, *arguments):
    path, out, report = files
    given = [
        "--hierarchy",
        "region,town",
        "--risk",
        "job",
        "--k",
        "1",
        "--rate",
        "0",
        "--seed",
        "1",
        *arguments,
    ]
    assert (
        main(["microdata", "swap", str(path), *given, "-f", "-o", str(out), "--internal-report", str(report)])
        == 0
    )
    return pd.read_csv(out, dtype=str, keep_default_na=False), pd.read_csv(report, dtype=str, skiprows=1)


def in_file_order(records):
    """Return the records by their number, which only the agency keeps."""
    return records.sort_values("id", ignore_index=True)


def test_who_is_at_risk_moves_and_the_rest_of_the_file_stays(files, capsys):
    records, moves = swapped(files, "--similar", "age", "--keep", "id,home")
    records = in_file_order(records)
    before = pd.read_csv(files[0], dtype=str, keep_default_na=False)
    others = ["id", "home", "age", "job", "must"]
    pd.testing.assert_frame_equal(records[others], before[others])
    assert records.loc[1, ["region", "town"]].tolist() == ["S", "Date"]
    assert moves.loc[0, ["unit", "why", "level"]].tolist() == ["2", "risk", "region"]
    assert "2 units" in capsys.readouterr().err


def test_households_move_whole_and_forced_ones_are_named_by_their_label(files):
    records, moves = swapped(files, "--household", "home", "--forced", "must")
    assert records.groupby("home")["town"].nunique().max() == 1
    assert {"forced", "risk"} >= set(moves["why"])
    assert moves.loc[0, ["unit", "why"]].tolist() == ["h3", "forced"]
    assert moves["donor"].isin(["h1", "h2"]).all()


def test_who_finds_no_donor_is_in_the_report(files, capsys):
    _, moves = swapped(files, "--similar", "age,job")
    assert moves[["unit", "why"]].to_numpy().tolist() == [["2", "no donor"]]
    assert "without a possible partner: 1." in capsys.readouterr().err
    _, moves = swapped(files, "--similar", "age,job;age")
    assert moves["why"].tolist() == ["risk"]


@pytest.mark.parametrize(
    ("change", "arguments", "sentence"),
    [
        (
            ("002,N,", "002,,"),
            (),
            'Record 2 has no "region"',
        ),
        (
            ("nurse,1", "nurse,yes"),
            ("--forced", "must"),
            'Record 6 has "yes" as "must"; it must be 1, 0 or empty',
        ),
        (("", ""), ("--similar", "sex"), 'column "sex"'),
        (("", ""), ("--rate", "2"), "--rate"),
    ],
)
def test_bad_input_is_told_in_one_sentence_and_nothing_is_written(files, capsys, change, arguments, sentence):
    path, out, _ = files
    path.write_text(PEOPLE.replace(*change), "utf-8")
    given = [
        "microdata",
        "swap",
        str(path),
        "--hierarchy",
        "region,town",
        "--risk",
        "job",
        *arguments,
        "-o",
        str(out),
    ]
    assert main(given) == 2
    assert sentence in capsys.readouterr().err
    assert not out.exists()


def test_the_records_are_not_overwritten(files, capsys):
    path = str(files[0])
    assert main(["microdata", "swap", path, "--hierarchy", "town", "--risk", "job", "-o", path]) == 2
    assert "is the input file" in capsys.readouterr().err
    assert files[0].read_text("utf-8") == PEOPLE


def test_a_parquet_file_is_swapped_and_a_missed_rate_is_told(files, capsys):
    path, out, _ = files
    pd.read_csv(path, dtype=str, keep_default_na=False).to_parquet(path.with_suffix(".parquet"))
    found = []
    for file in (path, path.with_suffix(".parquet")):
        arguments = [
            "--hierarchy",
            "region,town",
            "--risk",
            "job",
            "--similar",
            "age,job",
            "--rate",
            "1",
            "--seed",
            "1",
        ]
        assert main(["microdata", "swap", str(file), *arguments, "--below", "yes", "-f", "-o", str(out)]) == 0
        found.append(out.read_text("utf-8"))
        told = capsys.readouterr().err
        assert "requires 8 units; this number was not reached" in told
    assert found[0] == found[1]


def households(seed):
    """Return a microdata file of 400 households, each in one town; one in four has a single member."""
    rng = np.random.default_rng(seed)
    size = rng.integers(1, 5, 400)
    house = np.repeat(rng.permutation(400), size)
    town = np.repeat(rng.choice(["A1", "A2", "B1", "B2"], 400), size)
    people = pd.DataFrame({"hid": house, "region": [name[0] for name in town], "town": town})
    people["age"] = rng.choice(["0-17", "18-64", "65+"], len(people))
    people["job"] = rng.choice(["none", "office", "farm", "judge"], len(people), p=[0.5, 0.3, 0.19, 0.01])
    return people.sample(frac=1, random_state=seed)


def test_the_household_number_is_removed_because_a_split_household_shows_who_moved(tmp_path, capsys):
    """Attack: a household in two towns has a member that was swapped; its number must not be published."""
    path, out = tmp_path / "hh.csv", tmp_path / "out.csv"
    households(1).to_csv(path, index=False)
    given = ["microdata", "swap", str(path), "--hierarchy", "region,town", "--risk", "age,job", "--seed", "1"]
    assert main([*given, "--rate", "0.02", "-o", str(out)]) == 0
    assert list(pd.read_csv(out)) == ["region", "town", "age", "job"]
    told = capsys.readouterr().err
    assert '"hid"' in told
    assert "--household" in told
    assert main([*given, "--rate", "0.02", "--household", "hid", "-f", "-o", str(out)]) == 0
    assert "--household" not in capsys.readouterr().err
    assert pd.read_csv(out).groupby("hid")["town"].nunique().max() == 1


def test_a_variable_that_does_not_follow_the_areas_stays(tmp_path):
    path, out = tmp_path / "hh.csv", tmp_path / "out.csv"
    people = households(2)
    rng = np.random.default_rng(3)
    people["income"] = rng.integers(0, 400, len(people))
    people.drop(columns="hid").to_csv(path, index=False)
    given = ["microdata", "swap", str(path), "--hierarchy", "region,town", "--risk", "age,job", "--seed", "1"]
    assert main([*given, "-o", str(out)]) == 0
    assert list(pd.read_csv(out)) == ["region", "town", "age", "job", "income"]
