"""The command line: numbers as text and as JSON, and one sentence for what is wrong."""

import io
import json
import os
import re
import subprocess
import sys

import pytest
from stating import stating

from sdcwidgets import __version__, assess, examples, measures
from sdcwidgets.cli import main
from sdcwidgets.measures.settings import Settings


@pytest.fixture
def religion(tmp_path):
    path = tmp_path / "religion.csv"
    path.write_text(examples.load("religion").to_csv(), "utf-8")
    return path


def test_json_is_the_assessment(religion, capsys):
    assert main(["assess", str(religion), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert round(told["table"]["r1"], 4) == 0.2315
    assert told.pop("verdict")["answer"] == "compare only"
    assert (told.pop("schema"), told.pop("version")) == ("sdcwidgets:assess:3", __version__)
    assert (told.pop("file"), told.pop("method"), told.pop("read")) == (str(religion), None, [])
    assert told == json.loads(json.dumps(assess(examples.load("religion")).to_dict()))


@pytest.mark.parametrize("method", ["random-rounding", "record-swapping", "simple-random-sampling"])
def test_all_measures_are_reported_and_the_omitted_ones_are_named(religion, method, capsys):
    call = ["assess", str(religion), "--method", method, "--replications", "5", "--measure", "all"]
    assert main([*call, "--json"]) == 0
    output = capsys.readouterr()
    result = json.loads(output.out)
    computed = {*result["table"], *result["after"]["table"]}
    assert {"subtraction", "frank_bound", "hellinger"} <= computed
    omitted = [line for line in output.err.splitlines() if line.startswith("Omitted measures")]
    assert len(omitted) == 1
    for name in measures.available():
        lines = measures.select(examples.load("religion"), Settings(), followed=True, names=(name,))
        assert any(line.column in computed for line in lines) != bool(
            re.search(rf"\b{name}\b", omitted[0])
        ), name
    assert main(call) == 0
    text = capsys.readouterr().out
    assert all(measures.get(name).label in text for name in ("subtraction", "frank_bound"))


@pytest.mark.parametrize("command", ["assess", "compare"])
def test_all_measures_without_replicates(religion, tmp_path, command, capsys):
    protected = tmp_path / "protected.csv"
    assert main(["protect", str(religion), "--method", "random-rounding", "-o", str(protected)]) == 0
    capsys.readouterr()
    options = {
        "assess": ["--protected", str(protected)],
        "compare": ["--method", "random-rounding", "--set", "base=3", "--replications", "5"],
    }
    assert main([command, str(religion), *options[command], "--measure", "all", "--json"]) == 0
    output = capsys.readouterr()
    result = json.loads(output.out)
    values = result["protected"]["measures"] if command == "assess" else result["settings"][0]["measures"]
    assert {"r2", "hellinger", "coalition", "flexible_risk"} <= set(values)
    assert ("subtraction" in result.get("table", {})) == (command == "assess")
    assert "estimated_risk" in output.err


@pytest.mark.parametrize("name", measures.available())
def test_the_example_of_each_measure_can_be_run(name, religion, capsys):
    assert main(["list", "measures", name]) == 0
    example = capsys.readouterr().out.rpartition("Example: sdcwidgets ")[2]
    call = example.replace("table.csv", str(religion)).split()
    assert main([*call, *(["--replications", "3"] if "--method" in call else [])]) == 0


def test_text_has_a_line_for_every_slice(religion, capsys):
    assert main(["assess", str(religion)]) == 0
    table, told, verdict = capsys.readouterr().out.split("\n\n")
    assert "release decision" in verdict.splitlines()[-1]
    lines = table.splitlines()
    assert len(lines) == 1 + 1 + 10 + 9
    assert any("Area 6" in line and "0.5460" in line for line in lines)
    assert told.startswith("x1, x2, x3: ")
    assert "(R₁)" in told


def test_settings_are_flags(religion, capsys):
    flags = ["--weights", "0.2,0.6,0.2", "--third", "h1", "--epsilon", "0.25"]
    assert main(["assess", str(religion), "--format", "json", *flags]) == 0
    settings = {"weights": (0.2, 0.6, 0.2), "third": "h1", "epsilon": 0.25}
    expected = assess(examples.load("religion"), **settings).to_dict()
    assert json.loads(capsys.readouterr().out)["table"] == expected["table"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["assess", "{file}", "--epsilon", "2"], "is 2.*from 0 to 1"),
        (["assess", "{file}", "--third", "h9"], "h9.*one of h1, h2, h3"),
        (["assess", "{file}", "--weights", "1,1,1"], "Weights is 1,1,1"),
        (["assess", "no-such-file.csv"], "no-such-file.csv"),
        (["assess", "{folder}"], "is a directory"),
        (["assess", "{bad}"], "-3"),
        (["serve", "--port", "0"], "port is 0.*from 1 to 65535"),
        (["serve", "--preheat", "-1"], "--preheat is -1"),
        (["serve", "--visitors", "0"], "--visitors is 0; it must be 1 or more"),
        (["serve", "--memory", "10"], "--memory is 10; it must be 200 or more"),
        (["serve", "--key", "a b"], "'a b' is not valid; it must have at least 6 letters"),
        (["serve", "--key", "census-2026", "--no-key"], "exclude each other"),
    ],
)
def test_bad_input_is_told_in_one_sentence(arguments, says, religion, tmp_path, capsys):
    bad = tmp_path / "bad.csv"
    bad.write_text(",A,B\nx,-3,-1\ny,-2,-5\n", "utf-8")
    places = {"file": religion, "folder": tmp_path, "bad": bad}
    assert main([argument.format(**places) for argument in arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert re.search(says, told.err)


@pytest.mark.parametrize("arguments", [["assess"], ["frobnicate"], ["assess", "x.csv", "--format", "xml"]])
def test_a_mistyped_command_is_told_in_one_sentence(arguments, capsys):
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_taken_port_is_told_in_one_sentence(put_back, served, capsys):
    port = served.rstrip("/").rpartition(":")[2]
    assert main(["serve", "--no-browser", "--port", port]) == 2
    assert "in use; choose another with --port" in capsys.readouterr().err


LONG = "Area,Sex,Persons\nA,m,5\nA,f,6\nB,m,7\nB,f,2\n"


def test_how_a_file_is_read_are_flags(tmp_path, capsys, monkeypatch):
    path = tmp_path / "long.csv"
    path.write_text(LONG, "utf-8")
    assert main(["assess", str(path), "--by", "Area", "--count", "Persons", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["table"]["people"] == 20
    assert main(["assess", str(path), "--by", "Area,Sex"]) == 2
    assert capsys.readouterr().err == stating('"Persons"', "(--count Persons or rows)")
    assert main(["assess", str(path), "--by", "Area,Sex", "--count", "rows", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["table"]["people"] == 4
    assert main(["assess", str(path), "--by", "Age"]) == 2
    assert capsys.readouterr().err == stating('no column "Age"', '"Area", "Sex", "Persons"')
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"Area,x,y\nA,1,2\nB,3,4\n")))
    assert main(["assess", "-", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["table"]["people"] == 10
    assert main(["assess", "example:sex", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["table"]["people"] == 2449


def test_what_is_not_sure_is_asked_by_its_flag(tmp_path, capsys):
    path = tmp_path / "numbers.csv"
    path.write_text("Area 1,161,141\nArea 2,105,94\n", "utf-8")
    assert main(["assess", str(path)]) == 2
    assert "choose whether they are labels or counts (--first-line labels" in capsys.readouterr().err
    assert main(["assess", str(path), "--first-line", "counts", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["table"]["people"] == 501


def test_the_version(capsys):
    with pytest.raises(SystemExit) as left:
        main(["--version"])
    assert left.value.code == 0
    assert capsys.readouterr().out == f"sdcwidgets {__version__}\n"


@pytest.mark.slow
@pytest.mark.parametrize("command", ["assess", "protect"])
def test_a_console_without_the_letters_and_a_reader_who_leaves(tmp_path, command):
    path = tmp_path / "a.csv"
    rows = "".join(f"日本 {i},1,2\n" for i in range(6_000))
    path.write_text("Área \\ Größe,ж,b\n" + rows, "utf-8")
    flags = ["--method", "conventional-rounding"] if command == "protect" else []
    run = [sys.executable, "-m", "sdcwidgets.cli", command, str(path), *flags]
    environment = os.environ | {"PYTHONIOENCODING": "cp1252"}
    whole = subprocess.run(run, capture_output=True, env=environment, check=True)
    assert "日本 5999".encode() in whole.stdout
    notes = whole.stderr.splitlines()
    assert len(notes) == (3 if command == "protect" else 1)
    with subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as left:
        left.stdout.readline()
        left.stdout.close()
        assert left.stderr.read().splitlines() == notes


@pytest.mark.parametrize("name", ["r1", "r1_star"])
def test_a_measure_of_the_true_counts_beside_a_method(religion, capsys, name):
    assert main(["assess", str(religion), "--method", "random-rounding", "--measure", name]) == 0
    told = capsys.readouterr().out
    assert "0.2315" in told or name != "r1"
    assert name.replace("-", "_") in told


def test_a_folder_that_cannot_be_written_is_told(capsys):
    assert main(["study", "microdata", "/proc/x", "--samples", "1"]) == 2
    assert "/proc/x" in capsys.readouterr().err.splitlines()[-1]


def test_every_choice_is_asked_by_its_flag(tmp_path, capsys):
    path = tmp_path / "table.csv"
    path.write_text("Area,M,F\nA,1,2\nB,3,4\nTown,4,6\n", "utf-8")
    assert main(["assess", str(path)]) == 2
    assert "choose whether to omit it as a total (--margins drop or keep)" in capsys.readouterr().err
    path.write_text(LONG.replace("A,f", "A,"), "utf-8")
    assert main(["assess", str(path), "--by", "Area,Sex", "--count", "Persons"]) == 2
    assert "name a category for missing values (--missing)" in capsys.readouterr().err
    path.write_text("Area,Sex\nA,m\nB,f\n", "utf-8")
    assert main(["assess", str(path)]) == 2
    assert "choose the columns to count by (--by)" in capsys.readouterr().err


OVERLAP = "Age,m,f\n15-24,312,275\n20-29,290,301\n30-39,410,388\n"
CODES = "Area,Code,m,f\nA,10115,310,290\nB,10117,75,71\nC,10119,1204,1311\nD,10178,88,75\n"
NEAR_TOTAL = "Area,m,f,x\nA,3121,4072,1293\nB,2809,2588,931\nNation,5932,6657,2224\n"


def test_a_doubt_stops_with_status_2_and_is_accepted_by_a_flag(tmp_path, capsys):
    path, out = tmp_path / "areas.csv", tmp_path / "out.csv"
    path.write_text(CODES, "utf-8")
    assert main(["protect", str(path), "--method", "random-rounding", "-o", str(out)]) == 2
    printed = capsys.readouterr()
    assert "--yes" in printed.err
    assert "Code" in printed.err.splitlines()[0]
    assert (printed.out, out.exists()) == ("", False)
    assert main(["assess", str(path), "--yes", "--format", "json"]) == 0
    printed = capsys.readouterr()
    assert "Code" in "".join(json.loads(printed.out)["read"])


def test_a_rejected_file_is_shown_with_its_proposed_layout(tmp_path, capsys):
    path = tmp_path / "words.csv"
    path.write_text("Area,a,b\nx,1,many\ny,2,5\nz,4,3\n", "utf-8")
    assert main(["assess", str(path)]) == 2
    shown = capsys.readouterr().err
    assert "many" in shown.splitlines()[0]
    assert "--layout" in shown
    assert main(["assess", str(path), "--yes"]) == 2


def test_yes_never_counts_people_twice(tmp_path, capsys):
    path = tmp_path / "ages.csv"
    path.write_text(OVERLAP, "utf-8")
    assert main(["assess", str(path), "--yes"]) == 2
    assert "--margins" in capsys.readouterr().err
    path.write_text(NEAR_TOTAL, "utf-8")
    assert main(["assess", str(path), "--yes", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["table"]["people"] == 14814


@pytest.mark.parametrize("command", [["assess"], ["protect", "--method", "random-rounding", "--seed", "1"]])
def test_a_file_with_a_doubt_is_shown_and_read_with_its_layout(command, tmp_path, capsys):
    path, layout = tmp_path / "areas.csv", tmp_path / "areas.toml"
    path.write_text(NEAR_TOTAL, "utf-8")
    assert main([*command, str(path)]) == 2
    shown = capsys.readouterr().err
    assert "--layout" in shown
    rows = [line.split(" | ") for line in shown.splitlines() if " | " in line]
    assert [role.strip() for role in rows[0][1:]] == ["label", "count", "count", "count"]
    assert [row[0].strip() for row in rows[1:]] == ["heading", "2", "3", "not read"]
    assert main([command[0], str(path), "--show-layout"]) == 0
    printed = capsys.readouterr()
    assert printed.err.startswith("14,814 people in 6 cells")
    layout.write_text(printed.out, "utf-8")
    assert main([*command, str(path), "--layout", str(layout)]) == 0
    assert capsys.readouterr().err.startswith("14,814 people in 6 cells")
    path.write_text(NEAR_TOTAL.replace("m,f,x", "m,f,y"), "utf-8")
    assert main([*command, str(path), "--layout", str(layout)]) == 2
    assert '"y"' in capsys.readouterr().err


def test_a_layout_excludes_other_ways_of_reading(tmp_path, capsys):
    path, layout = tmp_path / "areas.csv", tmp_path / "areas.toml"
    path.write_text(NEAR_TOTAL, "utf-8")
    main(["assess", str(path), "--show-layout"])
    layout.write_text(capsys.readouterr().out, "utf-8")
    assert main(["assess", str(path), "--layout", str(layout), "--margins", "drop", "--yes"]) == 2
    assert "--margins, --yes" in capsys.readouterr().err
    assert main(["assess", "example:religion", "--layout", str(layout)]) == 2
    assert main(["assess", "example:religion", "--show-layout"]) == 2


def test_a_letter_has_no_layout_to_accept(tmp_path, capsys):
    path = tmp_path / "letter.txt"
    text = "Ottawa, November 3\n\nDear Dr. Meier,\n\nYou get 3 tables, ready soon,\nby November 20. The fee is $412.\n"
    path.write_text(text, "utf-8")
    for option in ("--show-layout", "--yes"):
        assert main(["assess", str(path), option]) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.endswith(".\n")


def test_counts_with_percentages_in_brackets_are_accepted_as_counts(tmp_path, capsys):
    path = tmp_path / "trial.csv"
    path.write_text(
        "Characteristic,Control,Treated\nStage I,158 (40.3),116 (45.0)\nStage II,102 (26.0),55 (21.3)\n",
        "utf-8",
    )
    assert main(["assess", str(path)]) == 2
    capsys.readouterr()
    assert main(["assess", str(path), "--yes"]) == 0
    printed = capsys.readouterr().err
    assert "431 people" in printed
    assert "158 (40.3)" in printed


def test_a_long_file_is_shown_with_its_first_and_last_rows(tmp_path, capsys):
    path = tmp_path / "areas.csv"
    rows = [f"Area {i},{3000 + 37 * i},{2900 + 53 * i % 700}" for i in range(300)]
    sums = [sum(int(row.split(",")[k]) for row in rows) + k for k in (1, 2)]
    path.write_text("\n".join(["Area,m,f", *rows, f"Nation,{sums[0]},{sums[1]}", ""]), "utf-8")
    assert main(["assess", str(path)]) == 2
    rows = [line for line in capsys.readouterr().err.splitlines() if " | " in line or "..." in line]
    assert len(rows) == 1 + 12 + 1 + 4


def test_a_total_within_rounding_is_answered_by_what_becomes_of_totals(tmp_path, capsys):
    path = tmp_path / "areas.csv"
    path.write_text(NEAR_TOTAL, "utf-8")
    assert main(["assess", str(path)]) == 2
    assert "--margins" in capsys.readouterr().err
    assert main(["assess", str(path), "--margins", "drop", "--format", "json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["table"]["people"] == 14814
    assert printed.err.startswith("14,814 people in 6 cells")
