"""An option that has no effect is an error with one sentence, before anything is written."""

import pytest

from sdcwidgets.cli import main

TABLE = "Area,m,f\na,5,6\nb,7,8\nc,3,4\n"
PEOPLE = "area,sex,age\na,m,30\na,f,31\nb,m,30\nb,f,40\nb,f,41\na,f,32\n"
FIRMS = "Area,Kind,firm,turnover\na,x,1,10\na,y,2,20\nb,x,3,30\nb,y,4,5\na,x,5,7\na,x,6,8\n"

SUPPRESS = ["suppress", "firms.csv", "--by", "Area,Kind", "--contributor", "firm", "--amount", "turnover"]
PROTECT = ["protect", "table.csv", "--method"]

#: Calls with an option that has no effect, and the option.
CALLS = [
    (["assess", "table.csv", "--sheet", "x"], "--sheet"),
    (["protect", "table.csv", "--sheet", "x", "--method", "random-rounding", "-o", "out.csv"], "--sheet"),
    (["assess", "example:religion", "--margins", "drop"], "--margins"),
    (["assess", "example:religion", "--layout", "table.toml"], "layout"),
    (["assess", "table.csv", "--missing", "X"], "--missing"),
    (["assess", "table.csv", "--count", "rows"], "--count"),
    (["assess", "table.csv", "--weight", "w"], "weights"),
    (["assess", "table.csv", "--replications", "5"], "--replications"),
    (["assess", "table.csv", "--seed", "5"], "--seed"),
    (["assess", "table.csv", "--suppressed", "mean"], "--suppressed"),
    (["assess", "table.csv", "--variant", "uncertainty"], "--variant"),
    (["assess", "table.csv", "--subtraction-known", "3"], "--subtraction-known"),
    (["assess", "table.csv", "--accept", "risk=x"], "--accept"),
    (["assess", "table.csv", "--already-protected", "random-rounding"], "--already-protected"),
    (["assess", "table.csv", "--base", "5"], "--base"),
    (["assess", "table.csv", "--set", "base=5"], "--set"),
    ([*PROTECT, "random-rounding", "--rate", "0.1"], "--rate"),
    ([*PROTECT, "random-rounding", "--hierarchy", "Area=detected"], "--hierarchy"),
    ([*PROTECT, "random-rounding", "--tables", "Area"], "--tables"),
    ([*PROTECT, "random-rounding", "--costs", "table.csv"], "--costs"),
    ([*PROTECT, "random-rounding", "--frozen", "table.csv"], "--frozen"),
    ([*PROTECT, "random-rounding", "--record-key", "x"], "--record-key"),
    ([*PROTECT, "random-rounding", "--moves", "internal.csv"], "--moves"),
    ([*PROTECT, "random-rounding", "--file-type", "px"], "--file-type"),
    ([*PROTECT, "random-rounding", "--file-type", "px", "-o", "out.csv"], "--file-type"),
    ([*PROTECT, "random-rounding", "--subtraction-known", "3"], "--subtraction-known"),
    ([*PROTECT, "cell-key", "--record-key", "x", "--identity", "y"], "--identity"),
    ([*PROTECT, "cell-key", "--p-table", "p.csv", "--D", "3"], "--D"),
    ([*PROTECT, "random-rounding", "--lead-string", "."], "--lead-string"),
    ([*SUPPRESS, "--lead-string", "."], "--lead-string"),
    ([*PROTECT, "random-rounding", "--suppress-below", "10"], "--suppress-below"),
    ([*PROTECT, "random-rounding", "--write-p-table", "q.csv"], "--write-p-table"),
    ([*PROTECT, "cell-key", "--largest-record-key", "255"], "--largest-record-key"),
    ([*SUPPRESS, "--q", "3"], "q"),
    ([*SUPPRESS, "--choice", "optimal", "--seed", "11"], "--seed"),
    ([*SUPPRESS, "--costs", "costs.csv", "--cost", "cell"], "--cost"),
    (["microdata", "people.csv", "--keys", "area,sex", "--costs", "sex=3"], "--costs"),
    (["microdata", "people.csv", "--keys", "area,sex", "--known", "1"], "--known"),
    (["microdata", "people.csv", "--keys", "area,sex", "--threshold", "0.1"], "--threshold"),
    (["microdata", "people.csv", "--keys", "area,sex", "--keep", "order"], "--keep"),
    (["microdata", "people.csv", "--keys", "area,sex", "--blanks", "any"], "--blanks"),
    (["microdata", "people.csv", "--keys", "area,sex", "--pram-within"], "--pram-within"),
    (["microdata", "people.csv", "--keys", "area,sex", "--seed", "5"], "--seed"),
    (
        ["microdata", "people.csv", "--keys", "area", "--suppress", "--keep", "order", "--costs", "sex=3"],
        "--keep",
    ),
    (["tables", "people.csv", "--by", "area", "--json", "-o", "out.csv"], "--json"),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with a file of each kind, as the current one."""
    from sdcwidgets.methods import cellkey

    for name, text in (("table", TABLE), ("people", PEOPLE), ("firms", FIRMS)):
        (tmp_path / f"{name}.csv").write_text(text, "utf-8")
    (tmp_path / "p.csv").write_text(cellkey.to_csv(cellkey.p_table(3, 1.0)), "utf-8")
    (tmp_path / "costs.csv").write_text("Area,Kind,cost\na,x,3\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("call", "option"), CALLS, ids=[" ".join(call) for call, _ in CALLS])
def test_an_option_without_effect_is_an_error(call, option, folder, capsys):
    before = sorted(path.name for path in folder.iterdir())
    assert main(call) == 2
    output = capsys.readouterr()
    assert output.out == ""
    # The size of a table that was read may precede the error.
    sentence = output.err.strip().splitlines()[-1]
    assert option in sentence
    assert sorted(path.name for path in folder.iterdir()) == before


def test_a_variance_that_the_noise_cannot_have_is_reported(folder, capsys):
    assert main([*PROTECT, "cell-key", "--V", "50", "--D", "2", "-o", "out.csv"]) == 0
    assert "at most 2, not V = 50" in capsys.readouterr().err


def test_an_assessment_without_limits_is_explained_once(folder, capsys):
    assert main(["assess", "table.csv"]) == 0
    assert capsys.readouterr().out.count("limits") == 1
