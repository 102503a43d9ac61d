"""The verdict on the command line is the one of Python, and its exit code says what it is."""

import json
import shlex
from dataclasses import replace

import jsonschema
import pytest

from sdcwidgets import FrequencyTable, examples, methods
from sdcwidgets.assessment.verdict import available, judge, load
from sdcwidgets.cli import main
from sdcwidgets.cli._json import schema
from sdcwidgets.dashboards.protect.result import compute, improve
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.tables.release import Release
from sdcwidgets.widgets.page_state.links import decode, encode

RULE = """[rule]
name = "Ours"
source = "Disclosure panel, May 2026"
[limits]
risk = 0.9
[stops]
seed = false
[method]
name = "threshold-suppression"
zeros = true
"""


@pytest.fixture
def files(tmp_path):
    table = FrequencyTable(
        [[20, 30, 40], [0, 0, 7]], {"Area": ["Area 1", "Area 2"], "Does": ["Work", "Study", "In care"]}
    )
    (tmp_path / "table.csv").write_text(table.to_csv(), "utf-8")
    (tmp_path / "rule.toml").write_text(RULE, "utf-8")
    return table, str(tmp_path / "table.csv"), str(tmp_path / "rule.toml")


def test_a_gap_beside_a_total_that_gives_it_hides_no_row(files, capsys):
    table, path, rule = files
    applied = ["--method", "threshold-suppression", "--zeros", "true"]
    assert main(["assess", path, "--rules", rule, *applied, "--format", "json"]) == 3
    told = json.loads(capsys.readouterr().out)["verdict"]
    house = load(rule)
    assert told == judge(table, house.method.release(table, 1), house.limits).to_dict()
    assert told["answer"] == "not yet"
    assert told["stops"][0]["where"] == {"Area": "Area 2"}
    assert told["stops"][0]["sure"] is True


def test_nothing_is_written_while_a_stop_stands_and_an_accepted_one_is_told(files, tmp_path, capsys):
    _, path, rule = files
    out = tmp_path / "out.csv"
    assert main(["protect", path, "--rules", rule, "-o", str(out)]) == 3
    told = capsys.readouterr().err
    assert "Not yet: Area 2 still shows all people in one cell" in told
    assert "The table was not written" in told
    assert not out.exists()
    accept = ["--accept", "one-cell=it is known anyway", "--accept", "recalculable=a lesson"]
    assert main(["protect", path, "--rules", rule, "-o", str(out), *accept]) == 0
    told = capsys.readouterr().err
    assert "Accepted: Area 2 still shows all people in one cell, because it is known anyway." in told
    assert out.exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--accept", "one-cell=known"], "--accept needs release rules"),
        (["--rules", "RULE", "--accept", "one-cell"], "has no reason"),
        (["--rules", "RULE", "--accept", "one-cell="], "has no reason"),
        (["--rules", "RULE", "--accept", "risk=no matter"], "There is no violation 'risk' to accept"),
        (["--rules", "nothing.toml"], "nothing.toml"),
    ],
)
def test_what_is_wrong_is_said(files, capsys, arguments, told):
    _, path, rule = files
    arguments = [rule if one == "RULE" else one for one in arguments]
    assert main(["assess", path, *arguments]) == 2
    assert told in capsys.readouterr().err


def test_without_a_rule_nothing_is_decided(capsys):
    assert main(["assess", "example:religion", "--method", "random-rounding", "--replications", "5"]) == 0
    told = capsys.readouterr().out
    assert "0.231 to 0.2" in told
    assert "For a release decision" in told
    assert "--rules" in told
    assert "be released" not in told


@pytest.mark.parametrize("label", ["Area 2", "South West's", "a=b"])
def test_the_words_to_accept_a_violation_are_printed_and_work(label, tmp_path, capsys):
    table, rule, out = tmp_path / "table.csv", tmp_path / "rule.toml", tmp_path / "out.csv"
    table.write_text(f"Area,a,b,c\nA,20,30,40\n{label},0,7,0\n", "utf-8")
    rule.write_text('[rule]\nsource = "P"\n[limits]\nno-risk-limit = "x"\n[stops]\none-cell = 1\n', "utf-8")
    given = ["protect", str(table), "--rules", str(rule), "--method", "threshold-suppression", "-o", str(out)]
    assert main(given) == 3
    words = shlex.split(capsys.readouterr().err.partition("add ")[2].partition("\n")[0].rstrip("."))
    assert words[0] == "--accept"
    assert words[1].startswith("one-cell")
    assert main([*given, words[0], words[1].replace("REASON", "it is known")]) == 0
    assert out.exists()


def test_a_blocked_release_names_file_reason_and_internal_report_also_with_quiet(tmp_path, capsys):
    table, rule, out = tmp_path / "table.csv", tmp_path / "rule.toml", tmp_path / "out.csv"
    report = tmp_path / "internal.html"
    table.write_text("Area,a,b,c\nA,20,30,40\nB,0,7,0\n", "utf-8")
    rule.write_text('[rule]\nsource = "P"\n[limits]\nno-risk-limit = "x"\n[stops]\none-cell = 1\n', "utf-8")
    given = [
        "protect",
        str(table),
        "--rules",
        str(rule),
        "--method",
        "threshold-suppression",
        "-o",
        str(out),
        "-q",
    ]
    given += ["--internal-report", str(report)]
    assert main(given) == 3
    printed = capsys.readouterr().err
    for word in (str(table), "one-cell", str(report), "--force"):
        assert word in printed
    assert report.exists()
    assert main([*given, "--force", "--accept", "one-cell=it is known"]) == 0


@pytest.mark.parametrize("seed", [7, 3**32 + 1])
@pytest.mark.parametrize("name", available())
def test_page_and_command_line_and_python_agree(name, seed, capsys):
    table, rule = examples.load("religion"), load(name)
    method = rule.method or methods.get("random-rounding")()
    drawn = seed if method.seeded else None
    right = judge(table, method.release(table, seed), rule.limits, seed=drawn).to_dict()
    assert any(stop["kind"] == "seed" for stop in (*right["stops"], *right["told"])) == (drawn == 7)
    code = 3 if right["answer"] == "not yet" else 0
    asked = ["example:religion", "--rules", name, "--seed", str(seed)]
    # `assess` applies no method but the one that is named; `protect` applies the rule's.
    applied = ["--method", method.name]
    asked += [] if rule.method else applied
    assert main(["assess", *asked, *(applied if rule.method else []), "--format", "json"]) == code
    assert json.loads(capsys.readouterr().out)["verdict"] == right
    assert main(["protect", *asked]) == code
    assert right["sentence"] in capsys.readouterr().err
    state = ProtectState.of_example("religion").changed(method=method, limits=rule.limits).set(seed=seed)
    *_, page = compute(state), *improve(state, compute(state))
    near = {name: pytest.approx(right[name]) for name in ("risk_before", "risk_left", "loss")}
    assert page.verdict.to_dict() == right | near


SURVEY = "area,job,weight\nA,x,10.5\nA,y,20\nB,x,3.2\nB,x,1\n"


def test_a_survey_with_weights_is_not_silently_a_population(tmp_path, capsys):
    path = tmp_path / "survey.csv"
    path.write_text(SURVEY, "utf-8")
    assert main(["assess", str(path), "--by", "area,job"]) == 0
    told = capsys.readouterr().err
    assert "sampling weight" in told
    assert "(--weight)" in told
    assert "Sample lab" in told
    assert (
        main(
            [
                "protect",
                str(path),
                "--by",
                "area,job",
                "--weight",
                "weight",
                "--method",
                "conventional-rounding",
                "--base",
                "2",
            ]
        )
        == 0
    )
    shown = capsys.readouterr()
    assert shown.out.splitlines()[1:] == ['"A",10,20', '"B",4,0']
    assert "4 records" in shown.err
    assert main(["assess", str(path), "--by", "area", "--weight", "job"]) == 2
    assert 'column "job": "x" is not a weight' in capsys.readouterr().err


def test_a_table_that_is_published_beside_it_counts_at_every_door(tmp_path, capsys):
    """Cell suppression leaves each gap a choice; the whole row, published elsewhere, does not."""
    table = FrequencyTable(
        [[1, 9, 6, 14], [7, 2, 12, 8], [5, 11, 1, 9]], {"Area": ["A", "B", "C"], "Does": ["w", "x", "y", "z"]}
    )
    row = FrequencyTable(table.counts[:1], {"Area": ["A"], "Does": ["w", "x", "y", "z"]})
    for name, one in (("table", table), ("row", row)):
        (tmp_path / f"{name}.csv").write_text(one.to_csv(), "utf-8")
    rule = tmp_path / "rule.toml"
    rule.write_text(
        '[rule]\nsource = "Panel"\n[limits]\nsmallest-count = 3\n[method]\nname = "cell-suppression"\nthreshold = 3\n',
        "utf-8",
    )
    given = ["assess", str(tmp_path / "table.csv"), "--rules", str(rule), "--format", "json"]
    given += ["--method", "cell-suppression", "--threshold", "3"]
    given += ["--seed", str(3**32)]
    assert main(given) == 0
    assert json.loads(capsys.readouterr().out)["verdict"]["answer"] == "release"
    assert main([*given, "--published", str(tmp_path / "row.csv")]) == 3
    told = json.loads(capsys.readouterr().out)["verdict"]
    house = load(str(rule))
    release = house.method.release(table, 3**32)
    assert told == judge(table, release, house.limits, seed=3**32, others=[Release.of(row)]).to_dict()
    assert {stop["kind"] for stop in told["stops"]} == {"linked"}
    state = ProtectState(table, method=house.method, limits=house.limits, beside=(row,)).set(seed=3**32)
    first = compute(state)
    assert first.verdict.answer == "not yet"  # until it is checked
    assert [stop.to_dict() for stop in [*improve(state, first)][-1].verdict.stops] == told["stops"]
    assert ProtectState.from_state(decode(encode(state))) == state
    assert state.with_table(row, state.source).beside == ()
    out = tmp_path / "out.csv"
    written = ["protect", *given[1:4], "-o", str(out), "--published", str(tmp_path / "row.csv")]
    assert main(written) == 3
    assert not out.exists()
    assert main([*given, "--published", str(tmp_path / "none.csv")]) == 2
    assert "--published" in capsys.readouterr().err


def test_the_reasons_of_a_blocked_assessment_are_on_stderr_with_quiet(tmp_path, capsys):
    table = tmp_path / "small.csv"
    table.write_text("Area,m,f\na,1,1\nb,1,9\n", "utf-8")
    for form in ([], ["--json"]):
        assert main(["assess", str(table), "--rules", "minimum-frequency", "--quiet", *form]) == 3
        assert "small-count" in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["csv", "xlsx", "px"])
@pytest.mark.parametrize("method", ["random-rounding", "cell-suppression", "threshold-suppression"])
def test_a_protected_file_is_judged_as_protect_judges_it(method, ending, tmp_path, capsys):
    seed = ["--seed", str(2**90 + 12345678901)]
    table, out = tmp_path / "table.csv", tmp_path / f"out.{ending}"
    table.write_text("Area,x,y,z\na,1,9,8\nb,7,20,5\nc,6,5,30\nd,9,8,7\n", "utf-8")
    assert main(["protect", str(table), "--method", method, *seed, "-o", str(out)]) == 0
    capsys.readouterr()
    words = ["assess", str(table), "--protected", str(out), "--method", method, "--json"]
    assert main(words) == 0
    judged = json.loads(capsys.readouterr().out)
    original = FrequencyTable.from_csv(table)
    release = methods.get(method)().release(original, int(seed[1]))
    # The input has no totals, so its release has none; a PX file always has those that are no sums.
    cells = {name: {(0, 1): getattr(release, name)[0, 1]} for name in ("values", "lower", "upper", "symbols")}
    expected = judge(original, release if ending == "px" else replace(release, **cells, secondary=None))
    assert judged["verdict"]["risk_left"] == pytest.approx(expected.residual)
    assert judged["verdict"]["loss"] == pytest.approx(expected.loss)
    assert judged["protected"]["measures"]["r2"] == pytest.approx(expected.residual)
    jsonschema.Draft202012Validator(schema("assess")).validate(judged)


def test_changed_counts_of_an_unknown_method_imply_no_bounds(tmp_path, capsys):
    table, out = tmp_path / "table.csv", tmp_path / "out.csv"
    table.write_text("Area,x,y\na,10,9\nb,7,20\n", "utf-8")
    out.write_text("Area,x,y\nb,6,21\na,9,9\n", "utf-8")
    words = ["assess", str(table), "--protected", str(out), "--rules", "minimum-frequency", "--json"]
    assert main(words) == 3
    output = capsys.readouterr()
    kinds = {stop["kind"] for stop in json.loads(output.out)["verdict"]["stops"]}
    assert {"inference", "method"} <= kinds
    assert "--method" in output.err
    assert "--accept" in output.err
    assert "Python" not in output.err
    for text in ("Area,x,w\nb,6,21\na,9,9\n", "Place,x,y\nb,6,21\na,9,9\n"):
        out.write_text(text, "utf-8")
        assert main(words[:-3]) == 2
        assert "--protected" in capsys.readouterr().err


def test_an_asserted_file_is_not_called_an_original_table(tmp_path, capsys):
    table, rules = tmp_path / "table.csv", tmp_path / "rules.toml"
    table.write_text("Area,x,y\na,9,9\nb,6,21\n", "utf-8")
    for risk in (0.9, 0.001):
        rules.write_text(
            f'[rule]\nname = "P"\nsource = "P, 2026"\n[limits]\nrisk = {risk}\n[method]\nname = "random-rounding"\n'
        )
        words = ["assess", str(table), "--already-protected", "random-rounding", "--rules", str(rules)]
        assert main(words) == (0 if risk == 0.9 else 3)
        text = capsys.readouterr().out
        assert "before protection" not in text
        assert "original table" not in text
