"""Wrong calls end with exit status 2 and one sentence that names the cause; nothing is written and nothing is lost."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from sampling import one_of

from sdcwidgets.cli import main

FILES = {
    "table.csv": "Area,Female,Male\nArea 1,181,12\nArea 2,17,1\nArea 3,83,30\n",
    "people.csv": "id,region,age,job\n1,N,old,x\n2,N,young,y\n3,S,young,x\n4,S,old,y\n5,N,young,x\n6,S,old,y\n",
    "firms.csv": "Area,Kind,firm,turnover\na,x,1,90\na,y,2,80\nb,x,3,60\nb,y,4,40\n",
    "negative.csv": "Area,a,b\nx,-3,-1\ny,-2,-5\n",
    "empty.csv": "",
    "binary.csv": "\x00\x01\x02\x03",
    "old.csv": "precious\n",
    "rules.toml": "[rule]\nname = 'x'\n[limits]\nsmallest-cont = 3\n",
    "secret.txt": "hunter2\n",
}
ROUND = ["--method", "random-rounding"]
FIRMS = ["suppress", "firms.csv", "--by", "Area,Kind", "--contributor", "firm", "--amount", "turnover"]
SWAP = ["microdata", "swap", "people.csv", "--hierarchy", "region", "--risk", "age"]

#: Calls, each with words that its message contains: what is wrong, or what would be right.
CALLS = [
    (["protct", "table.csv"], ["protct", "protect"]),
    (["protect"], ["FILE"]),
    (["protect", "table.csv"], ["--method"]),
    (["protect", "none.csv", *ROUND], ["none.csv", "no such file"]),
    (["protect", ".", *ROUND], ["directory"]),
    (["protect", "empty.csv", *ROUND], ["empty"]),
    (["protect", "binary.csv", *ROUND], ["binary.csv"]),
    (["protect", "negative.csv", *ROUND], ["-3"]),
    (["protect", "example:religon", *ROUND], ["religon", "religion"]),
    (["protect", "table.csv", "--method", "random-roundin"], ["random-roundin", "random-rounding"]),
    (["protect", "table.csv", *ROUND, "--base", "x"], ["--base", "x", "whole number"]),
    (["tables", "init", "new", "--source", "people.csv", "--in-place"], ["in place", "--key"]),
    (["suppress"], ["FILE, --by, --contributor and --amount are"]),
    (["assess"], ["FILE is"]),
    (["protect", "table.csv", *ROUND, "--base", "1"], ["--base", "1", "from 2"]),
    (["protect", "table.csv", *ROUND, "--base"], ["--base", "value"]),
    (["protect", "table.csv", *ROUND, "--set", "base"], ["base", "NAME=VALUE"]),
    (["protect", "table.csv", *ROUND, "--set", "bse=5"], ["bse", "base"]),
    (["protect", "table.csv", *ROUND, "--set", "base=5", "--base", "3"], ["base", "two values"]),
    (["protect", "table.csv", "--set", "base=5"], ["--method"]),
    (["protect", "table.csv", *ROUND, "--base", "3", "--base", "5"], ["--base", "twice"]),
    (
        ["protect", "table.csv", *ROUND, "--base", "3", "--method", "cell-key"],
        ["--method", "twice", "compare"],
    ),
    (["assess", "table.csv", *ROUND, *ROUND], ["--method", "twice"]),
    (["assess", "table.csv", "--margins", "drop", "--margins", "keep"], ["--margins", "twice"]),
    (["assess", "table.csv", "--json", "--format", "text"], ["--json", "--format"]),
    (["protect", "table.csv", *ROUND, "-o", "a.csv", "--output", "b.csv"], ["--output", "twice"]),
    (["protect", "table.csv", "negative.csv", *ROUND, "-o", "out"], ["negative.csv", "-3"]),
    (["protect", "table.csv", *ROUND, "--rate", "0.1"], ["--rate", "--base"]),
    (["protect", "table.csv", *ROUND, "--frce"], ["--frce", "--force"]),
    (["protect", "table.csv", *ROUND, "--seed", "-1"], ["--seed", "2^128"]),
    (["protect", "table.csv", *ROUND, "--secret-file", "secret.txt"], ["secret.txt", "seed"]),
    (
        ["protect", "table.csv", *ROUND, "--seed", "3", "--secret-file", "secret.txt"],
        ["--seed", "--secret-file"],
    ),
    (["protect", "table.csv", "--rules", "minimum"], ["minimum-frequency"]),
    (["assess", "table.csv", "--measure", "helinger"], ["helinger", "hellinger"]),
    (["protect", "table.csv", "--rules", "rules.toml"], ["rules.toml", "smallest-cont"]),
    (["protect", "table.csv", *ROUND, "--accept", "one-cell=known"], ["--accept", "--rules"]),
    (["protect", "table.csv", *ROUND, "--published", "none.csv"], ["--published", "none.csv"]),
    (["protect", "table.csv", *ROUND, "--hierarchy", "Area=x.csv"], ["--hierarchy", "cell-suppression"]),
    (["protect", "table.csv", *ROUND, "--record-key", "id"], ["--record-key", "cell-key"]),
    (["protect", "table.csv", *ROUND, "-o", "table.csv", "--force"], ["table.csv", "input"]),
    (["protect", "table.csv", *ROUND, "-o", "old.csv"], ["old.csv", "--force"]),
    (["protect", "table.csv", *ROUND, "-o", "none/out.csv"], ["none/out.csv", "existing folder"]),
    (["protect", "table.csv", *ROUND, "-o", "out.docx"], ["out.docx", ".xlsx"]),
    (["protect", "table.csv", *ROUND, "-o", "out.csv", "--report", "report.pdf"], ["report.pdf", ".html"]),
    (
        ["protect", "table.csv", *ROUND, "-o", "out.csv", "--internal-report", "all.html"],
        ["all.html", "internal"],
    ),
    (["protect", "table.csv", *ROUND, "-o", "out.csv", "--report", "out.csv"], ["out.csv", "two outputs"]),
    (["protect", "table.csv", *ROUND, "-o", "out.csv", "--moves", "internal.csv"], ["random-rounding"]),
    (["protect", "table.csv", "negative.csv", *ROUND], ["-o"]),
    (["protect", "table.csv", "negative.csv", *ROUND, "-o", "old.csv"], ["old.csv", "folder"]),
    (["protect", "people.csv", "--by", "region,town", *ROUND], ["town", "region"]),
    (["assess", "table.csv", "people.csv"], ["people.csv"]),
    (["assess", "table.csv", "--count", "Nope"], ["--count", "Nope", "--by"]),
    (["assess", "table.csv", "--measure", "risk"], ["risk"]),
    (["assess", "table.csv", "--format", "xml"], ["xml", "json"]),
    (
        ["assess", "table.csv", "--already-protected", "swapping", "--rules", "minimum-frequency"],
        ["swapping"],
    ),
    (["attack", "table.csv", *ROUND, "--attack", "guess"], ["guess", "linking"]),
    (["attack", "table.csv"], ["--method"]),
    (["list", "method"], ["method", "methods"]),
    (["list"], ["KIND", "methods", "policy"]),
    (["protect", "table.csv", "people.csv", *ROUND, "-o", "out.csv"], ["out.csv", "folder"]),
    (["protect", "table.csv", *ROUND, "-o", "out.txt"], ["out.txt", ".csv"]),
    (["list", "methods", "rounding"], ["random-rounding"]),
    (["protect", "table.csv", "--method", "random-roundin", "--base", "5"], ["nearest", "random-rounding"]),
    (["protect", "table.csv", "--method", "nothing", "--base", "5"], ["no method", "nothing"]),
    (["list", "rules", "minimum"], ["minimum-frequency"]),
    (["list", "methods", "--toml"], ["--toml", "minimum-frequency"]),
    (["list", "rules", "--toml"], ["--toml", "minimum-frequency"]),
    (["list", "examples", "nowhere"], ["nowhere", "religion"]),
    (["list", "schemas", "serve"], ["protect", "assess"]),
    (["compare", "none.csv"], ["none.csv"]),
    (["compare", "table.csv", "--methods", "rounding"], ["random-rounding"]),
    (["compare", "table.csv", "--methods", "cell-key,"], ["method"]),
    (["compare", "table.csv", "--measure", "r1"], ["r1"]),
    (["compare", "table.csv", "--replications", "1e9"], ["--replications", "100000"]),
    (["compare", "table.csv", "--rules", "minimum"], ["minimum-frequency"]),
    (["microdata", "people.csv"], ["--keys", "region", "job"]),
    (["microdata", "people.csv", "--keys", "town"], ["town"]),
    (["microdata", "people.csv", "--keys", "age", "--k", "many"], ["--k", "whole number"]),
    (
        ["microdata", "people.csv", "--keys", "age", "--internal-report", "report.txt"],
        ["report.txt", "internal"],
    ),
    (
        ["microdata", "people.csv", "--keys", "age", "--internal-report", "internal.html"],
        ["internal.html", ".txt"],
    ),
    (["microdata", "people.csv", "--keys", "age", "--report", "report.txt"], ["--internal-report"]),
    ([*SWAP, "-o", "out.csv", "--report", "moves.csv"], ["--internal-report"]),
    ([*SWAP, "-o", "out.csv", "--internal-report", "internal.html"], ["internal.html", ".csv"]),
    (["microdata", "people.csv", "--keys", "age", "-o", "people.csv", "-f"], ["people.csv", "input"]),
    (["microdata", "keys", "people.csv", "-o", "out.csv", "--identity", "person"], ["person", "id"]),
    (["microdata", "keys", "people.csv"], ["--output"]),
    (["microdata", "swap", "people.csv", "--hierarchy", "town", "--risk", "age", "-o", "out.csv"], ["town"]),
    (["suppress", "firms.csv", "--by", "Area,Kind", "--amount", "turnover"], ["--contributor"]),
    ([*FIRMS, "--rule", "nk"], ["nk", "dominance"]),
    ([*FIRMS, "--rule", "pq", "--n", "2", "-o", "out.csv"], ["n"]),
    ([*FIRMS, "--coalition", "7"], ["--coalition", "7"]),
    (["tables", "people.csv", "--by", "town"], ["town"]),
    (["tables", "people.csv", "--by", "region", "--rule", "speed=1"], ["speed"]),
    (["tables", "people.csv", "--by", "region", "--json", "-o", "out.csv"], ["--json", "-o"]),
    (["tables", "log", "table.csv"], ["table.csv"]),
    (["tables", "init", "made", "--source", "none.csv"], ["none.csv"]),
    (["course", "copy", "statistics"], ["statistics"]),
    (["serve", "--port", "eighty"], ["--port", "eighty", "whole number"]),
    (["serve", "--course", "none.toml"], ["none.toml"]),
    (["study", "two-way"], ["two-way", "three-way"]),
]


@pytest.mark.parametrize(("call", "words"), CALLS, ids=[" ".join(call) for call, _ in CALLS])
def test_a_wrong_call_ends_with_one_sentence(call, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text, "utf-8")
    try:
        status = main(call)
    except SystemExit as end:
        status = end.code
    printed = capsys.readouterr()
    assert status == 2
    assert printed.out == ""
    # The table that was read is described before what is wrong with the call.
    lines = [line for line in printed.err.splitlines() if " people in " not in line]
    assert len(lines) == 1, printed.err
    assert [word for word in words if word not in lines[0]] == [], lines[0]
    assert "Traceback" not in printed.err
    # One sentence: no full stop before the end, except within a name or a number.
    assert lines[0].endswith((".", ")")), lines[0]
    assert {path.name: path.read_text("utf-8") for path in Path().iterdir()} == FILES


@pytest.mark.parametrize(
    "call",
    [
        ["protect", "table.csv", *ROUND, "-o", ""],
        ["protect", "table.csv", *ROUND, "-o", f"{'x' * 300}.csv"],
        ["protect", "table.csv", *ROUND, "-o", "x\0.csv"],
        ["protect", "table.csv", *ROUND, "--rules", ""],
        ["protect", "table.csv", "--method", "cell-suppression", "--tables", ";"],
        ["assess", ""],
        [*FIRMS, "-o", "out.docx"],
        [*FIRMS, "-o", "out.txt"],
        ["microdata", "people.csv", "--keys", "age", "-o", "out.xlsx"],
        ["microdata", "keys", "people.csv", "-o", "out.xlsx"],
        ["microdata", "swap", "people.csv", "--hierarchy", "region", "--risk", "age", "-o", "out.xlsx"],
    ],
    ids=lambda call: " ".join(call)[:60],
)
def test_a_wrong_file_name_is_refused_before_any_work(call, tmp_path, monkeypatch, capsys):
    test_a_wrong_call_ends_with_one_sentence(call, [], tmp_path, monkeypatch, capsys)


@pytest.mark.parametrize(
    ("redirection", "status"),
    one_of(
        3, [("<&-", 2), ("< /dev/null", 2), (">&-", 0), (">/dev/full", 2), ("2>&-", 0), ("2>/dev/full", None)]
    ),
)
def test_closed_and_full_streams_end_without_traceback(redirection, status, tmp_path):
    (tmp_path / "table.csv").write_text(FILES["table.csv"], "utf-8")
    file = "-" if redirection.startswith("<") else "table.csv"
    command = f"{shlex.quote(sys.executable)} -m sdcwidgets.cli assess {file} {redirection}"
    ended = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "Traceback" not in ended.stderr + ended.stdout
    assert status is None or ended.returncode == status
    assert ended.stderr == "" or "<" in redirection or ended.stderr.splitlines()[-1].endswith(".")
    if redirection == "2>&-":
        assert "people in" not in ended.stdout  # the notes are not mixed with the result


@pytest.mark.parametrize("flag", ["--layout", "--show-layout"])
@pytest.mark.parametrize("command", ["microdata", "suppress"])
def test_commands_for_records_explain_why_they_have_no_layout(command, flag, capsys):
    words = ["people.csv", "--keys", "a"] if command == "microdata" else ["firms.csv", "--by", "a"]
    words += [] if command == "microdata" else ["--contributor", "b", "--amount", "c"]
    with pytest.raises(SystemExit) as end:
        main([command, *words, flag])
    assert end.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert "header row" in printed.err
