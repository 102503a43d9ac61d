"""`sdcwidgets attack`: what a reader finds out from what a method publishes."""

import json

import pytest

from sdcwidgets.cli import main

#: The handbook's Table 5.18.
POPULATION = "Area,Male,Female\nA,1,0\nB,3,3\nC,12,20\n"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "population.csv"
    path.write_text(POPULATION, "utf-8")
    return str(path)


def test_what_is_hidden_without_secondary_cells_is_found_again(file, capsys):
    assert main(["attack", file, "--method", "threshold-suppression", "--attack", "suppression"]) == 0
    out = capsys.readouterr().out
    assert "The attack names the count of 6 of 6 cells: 6 right, 0 wrong." in out
    assert "= 1" in out


def test_as_json_what_is_not_known_is_none(file, capsys):
    told = ["attack", file, "--method", "threshold-suppression", "--threshold", "20", "--format", "json"]
    assert main(told) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["score"]["contained"] == 6
    assert found["counts"][0]["cell"] == ["A", "Male"]
    assert found["counts"][0]["likely"] is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--method", "random-rounding", "--attack", "guessing"], "There is no attack 'guessing'"),
        (["--method", "random-rounding", "--attack", "means"], "There are no means"),
    ],
)
def test_what_cannot_be_attacked_is_told_in_one_sentence(file, capsys, words, said):
    assert main(["attack", file, *words]) == 2
    assert said in capsys.readouterr().err
