"""What commands print as JSON keeps to the schemas that are shipped; --quiet and completion in a shell."""

import json
import os
import subprocess
import sys
import tomllib

import jsonschema
import pytest
from sampling import one_of
from stating import stating

from sdcwidgets import propose_layout
from sdcwidgets.cli import main
from sdcwidgets.cli._json import VERSIONS, schema
from sdcwidgets.cli.listing import KINDS
from sdcwidgets.tables.io.layouts import layout_schema


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("Area,Sex\n" + "A,m\nA,f\nB,m\n" * 400, "utf-8")
    return str(path)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("Area,m,f,Total\nA,12,3,15\nB,7,9,16\nC,0,21,21\n", "utf-8")
    return str(path)


@pytest.fixture
def suppressed(tmp_path):
    path = tmp_path / "suppressed.csv"
    path.write_text("Area,m,f,Total\nA,12,c,15\nB,7,9,16\nC,0,21,21\n", "utf-8")
    return str(path)


@pytest.fixture
def firms(tmp_path):
    path = tmp_path / "firms.csv"
    path.write_text(
        "Area,Kind,firm,turnover\na,x,1,90\na,x,2,9\na,y,3,80\na,y,4,70\nb,x,5,60\nb,x,6,50\nb,y,7,40\nb,y,8,30\n",
        "utf-8",
    )
    return str(path)


def printed(capsys, *words):
    assert main([*words, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


CALLS = [
    ("assess", "TABLE"),
    ("assess", "example:religion", "--method", "random-rounding", "--replications", "5"),
    ("assess", "TABLE", "--rules", "minimum-frequency", "--accept", "one-cell=known"),
    ("attack", "TABLE", "--method", "random-rounding"),
    ("attack", "TABLE", "--method", "cell-suppression"),
    ("attack", "SUPPRESSED", "--attack", "suppression"),
    ("compare", "TABLE", "--methods", "random-rounding,cell-key", "--defaults-only", "--replications", "5"),
    ("compare", "example:religion", "--rules", "fifteen-steps", "--methods", "random-rounding"),
    ("compare", "example:religion", "--rules", "minimum-frequency", "--methods", "random-rounding"),
    ("list", "rules"),
    ("list", "methods", "cell-key"),
    ("microdata", "PEOPLE", "--keys", "Area,Sex"),
    ("microdata", "PEOPLE", "--keys", "Area,Sex", "--suppress", "--k", "5"),
    ("protect", "TABLE", "--method", "random-rounding"),
    ("protect", "TABLE", "--method", "cell-suppression"),
    ("protect", "PEOPLE", "--by", "Area,Sex", "--method", "cell-suppression", "--tables", "Area;Sex"),
    ("suppress", "FIRMS", "--by", "Area,Kind", "--contributor", "firm", "--amount", "turnover"),
    ("study", "sample-paper", "--samples", "2", "--populations", "2"),
    ("tables", "PEOPLE", "--by", "Area,Sex", "--seed", "1"),
    ("tables", "PEOPLE", "--by", "Area", "--method", "none"),
    ("tables", "hypercube", "--by", "Age,Citizenship", "--where", "Region=Region 1"),
]


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_what_is_printed_keeps_to_its_schema(call, table, suppressed, people, firms, capsys):
    files = {"TABLE": table, "SUPPRESSED": suppressed, "PEOPLE": people, "FIRMS": firms}
    words = [files.get(word, word) for word in call]
    has_format = words[0] not in ("list", "microdata", "protect", "suppress")
    status = main([*words, *(["--format", "json"] if has_format else ["--json"])])
    assert status in (0, 3)
    told = json.loads(capsys.readouterr().out)
    shape = schema(words[0])
    jsonschema.Draft202012Validator(shape).validate(told)
    assert told["schema"] == shape["$id"] == f"sdcwidgets:{words[0]}:{VERSIONS[words[0]]}"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(shape).validate(told | {"unknown": 1})


def test_compare_recommends_no_other_method_than_the_required_one(tmp_path, capsys):
    rules = tmp_path / "rules.toml"
    rules.write_text(
        '[rule]\nname = "Panel"\nsource = "Panel, May 2026"\n[limits]\nloss = 9.0\n[stops]\none-cell = 0\n'
        '[method]\nname = "random-rounding"\nbase = 5\n'
    )
    words = ["compare", "example:religion", "--rules", str(rules), "--defaults-only", "--replications", "5"]
    told = printed(capsys, *words, "--methods", "conventional-rounding,random-rounding")
    assert told["recommended"] is None
    assert "Random rounding, base 5" in told["reason"]
    rules.write_text(rules.read_text().replace("base = 5", "base = 3"))
    told = printed(capsys, *words, "--methods", "conventional-rounding,random-rounding")
    assert (told["recommended"]["name"], told["recommended"]["base"]) == ("random-rounding", 3)


@pytest.mark.parametrize("command", VERSIONS)
def test_schemas_are_shipped_and_printed(command, capsys):
    jsonschema.Draft202012Validator.check_schema(schema(command))
    assert main(["list", "schemas", command]) == 0
    assert json.loads(capsys.readouterr().out) == schema(command)


def test_json_says_what_was_decided_and_by_which_method(table, people, capsys):
    told = printed(capsys, "assess", table, "--method", "random-rounding", "--replications", "5")
    assert told["read"] == [stating("omitted", 'column "Total" as sums')]
    assert told["after"]["method"]["name"] == "random-rounding"
    told = printed(capsys, "attack", table, "--method", "random-rounding", "--base", "5")
    assert (told["method"]["base"], told["seed"]) == (5, 1)
    told = printed(capsys, "tables", people, "--by", "Area", "--method", "none")
    cells = {one["cell"][0]: one["value"] for one in told["counts"]}
    assert cells == {"A": 800, "B": 400, "Total": 1200}
    assert main(["tables", people, "--by", "Area", "--format", "json", "-o", "x.csv"]) == 2
    assert "leave out -o" in capsys.readouterr().err


def test_quiet_says_what_is_wrong_and_a_seed(table, people, capsys):
    assert main(["assess", table, "--quiet"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["assess", table]) == 0
    assert "people in" in capsys.readouterr().err
    assert main(["assess", "nowhere.csv", "--quiet"]) == 2
    assert "be read" in capsys.readouterr().err
    assert main(["tables", people, "--by", "Area", "--quiet"]) == 0
    [line] = capsys.readouterr().err.splitlines()
    assert "random seed" in line


@pytest.mark.parametrize(
    ("typed", "offered"),
    one_of(
        4,
        [
            ("sdcwidgets as", {"assess "}),
            ("sdcwidgets assess --meth", {"--method "}),
            ("sdcwidgets assess t.csv --method random-rounding --ba", {"--base "}),
            ("sdcwidgets list ", set(KINDS)),
            ("sdcwidgets list m", {"methods", "measures"}),
            ("sdcwidgets protect t.csv --method random-r", {"random-rounding "}),
            ("sdcwidgets microdata sw", {"swap "}),
            ("sdcwidgets microdata swap people.csv --hi", {"--hierarchy "}),
            ("sdcwidgets tables users gen --re", {"--replace", "--remove"}),
            ("sdcwidgets course handout --so", {"--solutions "}),
        ],
    ),
)
def test_a_shell_completes_commands_and_flags(typed, offered, tmp_path):
    out = tmp_path / "offered"
    known = {"COMP_LINE": typed, "COMP_POINT": str(len(typed)), "_ARGCOMPLETE_STDOUT_FILENAME": str(out)}
    asked = os.environ | known | {"_ARGCOMPLETE": "1", "_ARGCOMPLETE_IFS": "\n"}
    code = "from sdcwidgets.cli import main; main()"
    subprocess.run([sys.executable, "-c", code], env=asked, check=False, timeout=60, capture_output=True)
    assert offered <= set(out.read_text().split("\n"))


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        (["--method", "random-rounding", "--set", "base=3,5,10"], [3, 5, 10]),
        (["--methods", "random-rounding", "--set", "base=4"], [4]),
        (["--methods", "random-rounding,redesign", "--set", "base=3,5", "--defaults-only"], [3, 5, None]),
    ],
)
def test_compare_has_the_values_of_set(words, settings, capsys):
    assert main(["compare", "example:sex", *words, "--replications", "2", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [row["method"].get("base") for row in printed["settings"]] == settings


def test_compare_combines_settings_and_takes_a_list_as_one_value(capsys):
    call = ["compare", "example:sex", "--replications", "2", "--json", "--methods"]
    assert main([*call, "cell-key", "--set", "D=2,3", "--set", "V=0.5,1"]) == 0
    rows = json.loads(capsys.readouterr().out)["settings"]
    assert [(row["method"]["D"], row["method"]["V"]) for row in rows] == [(2, 0.5), (2, 1), (3, 0.5), (3, 1)]
    assert main([*call, "stochastic-perturbation", "--set", "matrix=1,0,0;0,1,0;0,0.5,0.5"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["settings"]
    assert row["method"]["matrix"] == [[1, 0, 0], [0, 1, 0], [0, 0.5, 0.5]]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--set", "base=3"], "--methods"),
        (["--methods", "random-rounding", "--set", "bse=3"], "base"),
        (["--methods", "random-rounding", "--set", "base=1,3"], "--set base"),
        (["--methods", "random-rounding", "--set", "base=3", "--set", "base=5"], "base"),
        (["--methods", "random-rounding", "--set", "base"], "NAME=VALUE"),
        (["--methods", "random-rounding", "--base", "3,5"], "--set base"),
        (["--methods", "random-rounding", "--base=3"], "--set base"),
    ],
)
def test_compare_rejects_a_wrong_setting_in_one_sentence(words, named, capsys):
    assert main(["compare", "example:sex", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert named in printed.err
    assert printed.err.count("\n") == 1


def test_the_schema_of_layout_files_is_printed(capsys):
    assert main(["list", "schemas", "layout"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads(json.dumps(layout_schema()))
    layout = propose_layout("Area,Men,Women\nBath,31,40\nHull,59,61\n").layout
    jsonschema.Draft202012Validator(printed).validate(tomllib.loads(layout.to_toml()))


def test_each_output_in_json_has_a_schema_and_a_call():
    assert {call[0] for call in CALLS} == {*VERSIONS}
    for name, version in VERSIONS.items():
        shape = schema(name)
        jsonschema.Draft202012Validator.check_schema(shape)
        assert shape["$id"] == f"sdcwidgets:{name}:{version}"
        if name not in ("list", "study"):
            assert {"schema", "version", "file"} <= {*shape["required"]}


def test_json_of_protected_data_has_what_the_file_has_and_no_suppressed_number(
    table, firms, tmp_path, capsys
):
    out, seed = str(tmp_path / "out.csv"), str(3**60)
    call = ["protect", table, "--method", "cell-suppression", "--set", "threshold=8", "--seed", seed]
    assert main([*call, "-o", out, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["output"] == out
    suppressed = [count for count in told["counts"] if count["symbol"]]
    assert suppressed
    assert all(count["value"] is None for count in suppressed)
    assert "seed" not in json.dumps(told)
    call = [
        "suppress",
        firms,
        "--by",
        "Area,Kind",
        "--contributor",
        "firm",
        "--amount",
        "turnover",
        "--seed",
        seed,
    ]
    assert main([*call, "--json", "-o", out, "--force"]) == 0
    told = json.loads(capsys.readouterr().out)
    with open(out, encoding="utf-8") as file:
        header, *lines = file.read().split()
    assert header == "Area,Kind,amount"
    published = [
        f"{','.join(amount['cell'])},{amount['symbol'] or amount['value']}" for amount in told["amounts"]
    ]
    assert published == lines
    assert any(amount["symbol"] == "c" for amount in told["amounts"])


def test_json_of_a_blocked_release_or_of_several_files_is_not_printed(table, capsys):
    call = ["protect", table, "--method", "random-rounding", "--json"]
    assert main([*call, "--rules", "census-cell-key"]) == 3
    assert capsys.readouterr().out == ""
    assert main([call[0], table, *call[1:]]) == 2
    assert capsys.readouterr().out == ""
