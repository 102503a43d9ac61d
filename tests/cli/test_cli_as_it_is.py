"""`assess FILE --rules RULE` judges the file as it is; `protect --published` judges with what is already published."""

import json

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, methods
from sdcwidgets.assessment.verdict import available, judge, load
from sdcwidgets.cli import main
from sdcwidgets.tables.release import Release

RULE = """[rule]
source = "Disclosure panel, May 2026"
[limits]
no-risk-limit = "lines only"
[stops]
one-cell = 1
"""
METHOD = '[method]\nname = "conventional-rounding"\nbase = 3\n'
#: No line has everyone in one cell, and nothing else is asked for.
FULL = FrequencyTable([[5, 6], [7, 8]], {"Area": ["A", "B"], "Does": ["w", "x"]})
ONES = FrequencyTable(np.ones((3, 4), dtype=int))


@pytest.fixture
def file(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else content.to_csv(), "utf-8")
        return str(path)

    return write


def assessed(capsys, *arguments):
    """Return the exit code, and what is printed as JSON."""
    code = main(["assess", *arguments, "--format", "json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", [name for name in available() if load(name).method])
def test_a_raw_table_of_ones_is_never_released_because_a_rule_names_a_method(name, file, capsys):
    code, printed = assessed(capsys, file("ones.csv", ONES), "--rules", name)
    assert (code, printed["verdict"]["answer"]) == (3, "not yet")
    assert "after" not in printed  # no method was applied


def test_a_method_that_the_rule_requires_is_shown_or_asserted(file, capsys):
    table, rule = file("table.csv", FULL), file("rule.toml", RULE + METHOD)
    code, printed = assessed(capsys, table, "--rules", rule)
    assert code == 3
    assert [stop["kind"] for stop in printed["verdict"]["stops"]] == ["method"]
    assert main(["assess", table, "--rules", rule]) == 3
    out = capsys.readouterr().out
    assert "require the method conventional-rounding" in out
    assert "was applied" in out
    asserted = ["--already-protected", "conventional-rounding"]
    code, printed = assessed(capsys, table, "--rules", rule, *asserted)
    assert (code, printed["verdict"]["answer"]) == (0, "release")
    assert printed["verdict"]["asserted"] == "conventional-rounding"
    assert "conventional-rounding" in printed["verdict"]["sentence"]
    assert assessed(capsys, table, "--rules", rule, "--already-protected", "random-rounding")[0] == 3
    # An assertion lifts the requirement only: what the file discloses stays a violation.
    lone = file("lone.csv", FrequencyTable([[5, 6], [0, 8]]))
    code, printed = assessed(capsys, lone, "--rules", rule, *asserted)
    assert (code, {stop["kind"] for stop in printed["verdict"]["stops"]}) == (3, {"one-cell"})


def test_without_a_method_in_the_rule_the_file_itself_decides(file, capsys):
    table, rule = file("table.csv", FULL), file("rule.toml", RULE)
    code, printed = assessed(capsys, table, "--rules", rule)
    assert (code, printed["verdict"]) == (0, judge(FULL, None, load(rule).limits).to_dict())
    assert assessed(capsys, file("lone.csv", FrequencyTable([[5, 6], [0, 8]])), "--rules", rule)[0] == 3


def test_a_rule_without_limits_releases_nothing(file, capsys):
    rule = file("rule.toml", '[rule]\nsource = "Panel"\n')
    code, printed = assessed(capsys, file("table.csv", FULL), "--rules", rule)
    assert (code, printed["verdict"]["answer"]) == (3, "compare only")


def test_a_method_that_assess_applies_is_named(file, capsys):
    table, rule = file("table.csv", FULL), file("rule.toml", RULE + METHOD)
    method = load(rule).method
    given = [table, "--rules", rule, "--method", "conventional-rounding", "--base", "3"]
    code, printed = assessed(capsys, *given)
    right = judge(FULL, method.release(FULL, 1), load(rule).limits)
    assert printed["verdict"] == right.to_dict()
    assert code == (0 if right.answer == "release" else 3)
    main(["assess", *given])
    assert "judge FILE after conventional-rounding" in capsys.readouterr().out
    # Another method, or another setting of it, is not what the rule requires.
    for other in (["--method", "random-rounding"], ["--method", "conventional-rounding", "--base", "5"]):
        code, printed = assessed(capsys, table, "--rules", rule, *other)
        assert code == 3
        assert "method" in {stop["kind"] for stop in printed["verdict"]["stops"]}


def test_a_check_without_seed_does_not_judge_the_seed(capsys):
    """The replicates of `assess` have a fixed seed; the release will have a secret one."""
    given = ["example:religion", "--rules", "minimum-frequency", "--method", "cell-suppression"]
    for seed, guessable in (([], False), (["--seed", "7"], True)):
        _, printed = assessed(capsys, *given, *seed)
        assert ("seed" in {stop["kind"] for stop in printed["verdict"]["stops"]}) is guessable


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--already-protected", "conventional-rounding"], "--rules"),
        (["--rules", "RULE", "--already-protected", "no-method"], "no-method"),
        (
            ["--rules", "RULE", "--already-protected", "cell-key", "--method", "cell-key"],
            "--already-protected",
        ),
    ],
)
def test_an_assertion_that_means_nothing_is_refused(arguments, words, file, capsys):
    rule = file("rule.toml", RULE + METHOD)
    arguments = [rule if argument == "RULE" else argument for argument in arguments]
    assert main(["assess", file("table.csv", FULL), *arguments]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("name", ["conventional-rounding", "random-rounding", "cell-suppression", "cell-key"])
def test_an_exact_table_beside_its_protected_version_is_a_violation(name, file, tmp_path, capsys):
    """Attack: read the original count from the other table. No rule is needed to refuse that."""
    table = FrequencyTable(
        [[1, 9, 6, 14], [7, 2, 12, 8], [5, 11, 1, 9]], {"Area": ["A", "B", "C"], "Does": ["w", "x", "y", "z"]}
    )
    path, out = file("table.csv", table), tmp_path / "out.csv"
    given = ["protect", path, "--method", name, "-o", str(out)]
    assert main([*given, "--published", path]) == 3
    assert not out.exists()
    assert "another table" in capsys.readouterr().err
    assert main(given) == 0
    assert out.exists()
    accept = ["--accept", "linked=a test"]
    assert main([*given[:-1], str(tmp_path / "more.csv"), "--published", path, *accept]) == 0


def test_exact_totals_beside_a_rounded_table_are_no_violation(file):
    table = FrequencyTable([[14, 9, 6], [7, 22, 12]], {"Area": ["A", "B"], "Does": ["w", "x", "y"]})
    totals = FrequencyTable(table.counts.sum(axis=1), {"Area": ["A", "B"]})
    given = ["protect", file("table.csv", table), "--method", "random-rounding", "--base", "3"]
    assert main([*given, "--published", file("totals.csv", totals)]) == 0


def test_gaps_with_sub_totals_are_judged_beside_other_tables(file, tmp_path, capsys):
    counts = [[1, 9, 8], [7, 20, 5], [6, 5, 30], [9, 8, 7]]
    table = FrequencyTable(counts, {"Area": [*"abcd"], "Age": [*"xyz"]})
    path = file("table.csv", table)
    sides = file("sides.csv", "Area,Part\na,north\nb,north\nc,south\nd,south\n")
    given = ["protect", path, "--method", "cell-suppression", "--hierarchy", f"Area={sides}"]
    given += ["--force", "--seed", str(3**44), "-o"]
    assert main([*given, str(tmp_path / "alone.csv")]) == 0
    ages = file("ages.csv", FrequencyTable(table.counts.sum(axis=0), {"Age": [*"xyz"]}))
    assert main([*given, str(tmp_path / "fine.csv"), "--published", ages]) == 0
    capsys.readouterr()
    row = file("row.csv", FrequencyTable(counts[:1], {"Area": ["a"], "Age": [*"xyz"]}))
    for beside in (path, row):
        assert main([*given, str(tmp_path / "out.csv"), "--published", beside]) == 3
        assert "Area a, Age x" in capsys.readouterr().err
        assert not (tmp_path / "out.csv").exists()
    sums = FrequencyTable([[8, 29, 13], [15, 13, 37]], {"Area": ["north", "south"], "Age": [*"xyz"]})
    north = file("sums.csv", sums)
    assert (
        main([*given, str(tmp_path / "joint.csv"), "--published", north]) == 0
    )  # these are published anyway
    accept = ["--published", path, "--accept", "linked=a test"]
    assert main([*given, str(tmp_path / "out.csv"), *accept]) == 0
    assert (tmp_path / "out.csv").read_text("utf-8") == (tmp_path / "alone.csv").read_text("utf-8")


def test_a_detected_hierarchy_is_judged_beside_the_same_exact_table(file, tmp_path):
    counts = [[10, 12, 19], [1, 9, 8], [9, 3, 11], [9, 8, 7]]
    path = file("table.csv", FrequencyTable(counts, {"Area": ["north", "a", "b", "c"], "Age": [*"xyz"]}))
    given = ["protect", path, "--method", "cell-suppression", "--hierarchy", "Area=detected"]
    given += ["-o", str(tmp_path / "out.csv")]
    assert main([*given, "--published", path]) == 3
    assert main(given) == 0


def test_protected_cells_that_another_table_gives_are_named():
    release = methods.get("conventional-rounding")(base=3).release(FULL, 1)
    limits = load("minimum-frequency").limits
    stops = [
        stop
        for stop in judge(FULL, release, limits, others=[Release.of(FULL)]).stops
        if stop.kind == "linked"
    ]
    assert {stop.where for stop in stops} == {
        (("Area", area), ("Does", does)) for area in ("A", "B") for does in ("w", "x")
    }
