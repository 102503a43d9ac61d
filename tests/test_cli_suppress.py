"""`sdcwidgets suppress`: contributions in, a table with gaps out."""

from pathlib import Path

import pandas as pd
import pytest

from sdcwidgets.cli import main

#: One large contributor in a, x; two and more of one size elsewhere.
CELLS = {
    ("a", "x"): [90, 5], ("a", "y"): [40, 35, 30], ("b", "x"): [50, 45, 40], ("b", "y"): [60, 55, 50],
    ("c", "x"): [80, 75, 70], ("c", "y"): [30, 25, 20],
}  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    lines, firm = ["Area,Kind,firm,turnover"], 0
    for (area, kind), amounts in CELLS.items():
        for amount in amounts:
            firm += 1
            lines.append(f"{area},{kind},{firm},{amount}")
    (tmp_path / "firms.csv").write_text("\n".join(lines), "utf-8")
    (tmp_path / "areas.csv").write_text("label,parent\na,north\nb,north\nc,south\n", "utf-8")
    (tmp_path / "gap.csv").write_text("label,parent\na,north\nb,north\n", "utf-8")
    (tmp_path / "sums.csv").write_text(
        "Area,Kind,turnover\na,x,95\na,y,105\nb,x,135\nb,y,165\nc,x,225\nc,y,76\n", "utf-8"
    )
    (tmp_path / "costs.csv").write_text("Area,Kind,cost\nb,x,9999\nb,y,9999\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def published():
    """Return the amounts that were written, nan where the mark of a gap stands."""
    return pd.read_csv("public.csv", na_values={"amount": "c"}).set_index(["Area", "Kind"])["amount"]


def told(*more):
    return ["suppress", "firms.csv", "--by", "Area,Kind", "--holder", "firm", "--amount", "turnover", *more]


@pytest.mark.parametrize(
    "rule",
    [["dominance", "--n", "1", "--k", "75"], ["p-percent", "--p", "10"], ["pq", "--p", "10", "--q", "80"]],
)
def test_what_a_rule_calls_sensitive_is_a_gap_and_is_protected(folder, capsys, rule):
    assert main(told("--rule", *rule, "-o", "public.csv")) == 0
    out = capsys.readouterr().out
    assert "Gaps: 1 sensitive, 3 more that protect them" in out
    assert "No pattern costs less." in out
    assert Path("public.csv").read_text("utf-8").count(",c\n") == 4
    public = published()
    assert public.isna().sum() == 4
    assert pd.isna(public["a", "x"])
    assert public["Total", "Total"] == 800


def test_costs_and_sub_totals_change_the_pattern(folder):
    def gaps(*more):
        assert main(told("--rule", "dominance", "--k", "75", "-o", "public.csv", *more)) == 0
        public = published()
        return set(public[public.isna()].index)

    plain, own = gaps("--cost", "cell"), gaps("--costs", "costs.csv")
    assert len(plain) == len(own) == 4
    assert not {("b", "x"), ("b", "y")} & own
    assert gaps("--hierarchy", "Area=areas.csv") == {("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--published", "sums.csv"], 'Row "c", column "y": the contributions sum to 75, the amount is 76'),
        (["--hierarchy", "Area=gap.csv"], 'Label "c" of axis "Area" has no place in the hierarchy'),
        (["--hierarchy", "Area"], "names no file"),
        (["--hierarchy", "Area=costs.csv"], "has 3 columns; a hierarchy has two"),
        (["--hierarchy", "Area=none.csv"], "none.csv cannot be read"),
        (["--costs", "areas.csv"], 'has no column "Area"'),
        (["--published", "costs.csv"], 'has no column "turnover"'),
        (["--rule", "pq", "--n", "2"], "does not take n"),
    ],
)
def test_bad_input_is_one_sentence(folder, capsys, more, said):
    """Contributions that don't add up, a hierarchy with a gap, files that are something else; nothing is written."""
    assert main(told("-o", "public.csv", *more)) == 2
    error = capsys.readouterr().err.strip()
    assert said in error
    assert error.count("\n") == 0
    assert not (folder / "public.csv").exists()


def test_an_amount_that_is_no_number_is_told(folder, capsys):
    (folder / "firms.csv").write_text("Area,Kind,firm,turnover\na,x,1,much\n", "utf-8")
    assert main(told()) == 2
    assert "Contribution 1 is 'much'" in capsys.readouterr().err
