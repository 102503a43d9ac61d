"""`sdcwidgets attack`: what a reader finds out from what a method publishes."""

import json

import pytest
from stating import stating

from sdcwidgets import FrequencyTable, methods, protect
from sdcwidgets.cli import main
from sdcwidgets.cli._protected import protecting_method

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
    assert out == stating("6 of 6", "6", "0")
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
        (["--method", "random-rounding", "--attack", "means"], "--attack means"),
    ],
)
def test_what_cannot_be_attacked_is_told_in_one_sentence(file, capsys, words, said):
    assert main(["attack", file, *words]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["csv", "xlsx", "px", "json"])
@pytest.mark.parametrize("method", ["random-rounding", "cell-suppression", "cell-key", "record-swapping"])
def test_a_protected_file_in_place_of_the_original_counts_is_reported(ending, method, tmp_path, capsys):
    out, again = str(tmp_path / f"out.{ending}"), ["--method", "conventional-rounding"]
    assert main(["protect", "example:religion", "--method", method, "--seed", str(3**57), "-o", out]) == 0
    assert protecting_method(out) == methods.get(method).title
    capsys.readouterr()
    for command in ("protect", "attack"):
        main([command, out, *again, "-q"])
        assert methods.get(method).title in capsys.readouterr().err


def test_a_file_of_original_counts_is_not_taken_for_a_protected_one(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("Area,Rounding,Swapping\nA,3,4\nB,5,6\n", "utf-8")
    assert protecting_method(str(path)) == protecting_method("-") == protecting_method("example:sex") == ""


@pytest.mark.parametrize("command", ["attack", "assess", "protect"])
def test_margins_of_a_method_are_not_the_margins_of_a_file(command, capsys):
    assert main([command, "example:sex", "--method", "cell-key", "--margins", "own"]) == 2
    assert "--method-margins own" in capsys.readouterr().err
    assert main([command, "example:sex", "--method", "cell-key", "--method-margins", "own"]) == 0


def test_a_release_with_a_secret_seed_is_attacked(file, tmp_path, capsys):
    secret = 3**60
    (tmp_path / "secret.txt").write_text(f"{secret}\n", "utf-8")
    release = protect(FrequencyTable.from_csv(file), "random-rounding", base=5, seed=secret)
    lower, upper = release.cell_bounds()
    for option in (["--seed", str(secret)], ["--secret-file", str(tmp_path / "secret.txt")]):
        command = ["attack", file, "--method", "random-rounding", "--base", "5", "--format", "json", *option]
        assert main(command) == 0
        counts = json.loads(capsys.readouterr().out)["counts"]
        assert [count["lower"] for count in counts] == lower.ravel().tolist()
        assert [count["upper"] for count in counts] == upper.ravel().tolist()
    assert main([*command, "--seed", "7"]) == 2


HIERARCHY = "category,parent\na,north\nb,north\nc,south\nd,south\n"
AREAS = "Area,x,y,z\na,1,9,8\nb,7,20,5\nc,6,5,30\nd,9,8,7\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "areas.csv").write_text(AREAS, "utf-8")
    (tmp_path / "tree.csv").write_text(HIERARCHY, "utf-8")
    return tmp_path


def attacked(capsys, *words):
    assert main(["attack", *words, "--attack", "suppression", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("ending", ["csv", "xlsx", "px", "json", "sdmx.csv"])
@pytest.mark.parametrize("method", ["threshold-suppression", "cell-suppression"])
def test_a_protected_file_is_attacked_without_the_original_counts(ending, method, file, tmp_path, capsys):
    out = str(tmp_path / f"out.{ending}")
    seed = ["--seed", str(3**60)]
    assert main(["protect", file, "--method", method, *seed, "-o", out]) == 0
    capsys.readouterr()
    outside, inside = attacked(capsys, out), attacked(capsys, file, "--method", method, *seed)
    assert (outside["method"], outside["seed"], outside["score"]) == (None, None, None)
    original = FrequencyTable.from_csv(file).counts.ravel()
    for count, known, true in zip(outside["counts"], inside["counts"], original, strict=True):
        assert count["cell"] == known["cell"]
        # The method is not used, so the bounds are wider or equal.
        upper = float("inf") if count["upper"] is None else count["upper"]
        assert count["lower"] <= known["lower"] <= true <= known["upper"] <= upper


def test_a_hierarchical_suppression_is_attacked_as_a_release_and_as_a_file(folder, capsys):
    hierarchy = ["--hierarchy", "Area=tree.csv"]
    options = ["--method", "cell-suppression", *hierarchy, "--seed", str(3**60)]
    assert main(["protect", "areas.csv", *options, "-o", "out.csv"]) == 0
    capsys.readouterr()
    release = attacked(capsys, "areas.csv", *options)
    assert release["score"]["contained"] == release["score"]["cells"] == 12
    assert attacked(capsys, "out.csv", *hierarchy)["counts"] == release["counts"]


def test_a_protected_file_with_sub_totals_asks_for_its_hierarchy(folder, capsys):
    options = ["--method", "cell-suppression", "--hierarchy", "Area=tree.csv", "--seed", str(3**60)]
    for ending in ("csv", "xlsx"):
        assert main(["protect", "areas.csv", *options, "-o", f"out.{ending}"]) == 0
        capsys.readouterr()
        assert main(["attack", f"out.{ending}", "--attack", "suppression"]) == 2
        assert "--hierarchy AXIS=FILE" in capsys.readouterr().err


def test_the_sub_totals_of_a_hierarchy_narrow_the_bounds(folder, capsys):
    text = "Area,x\na,c\nb,7\nc,c\nnorth,8\nTotal,50\n"
    (folder / "gap.csv").write_text(text, "utf-8")
    (folder / "two.csv").write_text("category,parent\na,north\nb,north\nc,\n", "utf-8")
    bounds = {
        count["cell"][0]: (count["lower"], count["upper"])
        for count in attacked(capsys, "gap.csv", "--hierarchy", "Area=two.csv")["counts"]
    }
    assert bounds == {"a": (1, 1), "b": (7, 7), "c": (42, 42)}


def test_an_attack_has_the_options_of_the_method(folder, capsys):
    (folder / "costs.csv").write_text("Area,Column,cost\na,y,1\n", "utf-8")
    method = ["--method", "cell-suppression", "--seed", str(3**60)]
    assert main(["attack", "areas.csv", *method, "--costs", "costs.csv"]) == 0
    assert main(["attack", "areas.csv", "--method", "random-rounding", "--additive"]) == 0
    capsys.readouterr()
    assert main(["attack", "areas.csv", "--method", "random-rounding", "--costs", "costs.csv"]) == 2
    assert "--costs" in capsys.readouterr().err
    for original in ("areas.csv", "example:religion"):
        assert main(["attack", original]) == 2
        assert "--method" in capsys.readouterr().err
