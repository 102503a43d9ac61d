"""`sdcwidgets suppress`: contributions in, a table with gaps out."""

from pathlib import Path

import pandas as pd
import pytest
from stating import stating

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


def told(*more, choice="optimal"):
    return [
        "suppress",
        "firms.csv",
        "--by",
        "Area,Kind",
        "--contributor",
        "firm",
        "--amount",
        "turnover",
        "--choice",
        choice,
        "--force",
        *more,
    ]


@pytest.mark.parametrize(
    "rule",
    [["dominance", "--n", "1", "--k", "75"], ["p-percent", "--p", "10"], ["pq", "--p", "10", "--q", "80"]],
)
def test_what_a_rule_calls_sensitive_is_a_gap_and_is_protected(folder, capsys, rule):
    assert main(told("--rule", *rule, "-o", "public.csv")) == 0
    out = capsys.readouterr().out
    assert "Suppressed cells: 1 primary, 3 secondary" in out
    assert "lower cost" in out
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


def test_linked_tables_of_amounts_share_their_total(folder, capsys):
    """One of kinds alone and one of areas alone: the cells of both are not in print."""
    assert (
        main(
            told("--rule", "dominance", "--n", "1", "--k", "35", "--tables", "Area;Kind", "-o", "public.csv")
        )
        == 0
    )
    public = published()
    assert len(public) == 4 + 3 - 1
    assert public["Total", "Total"] == 800
    assert public.isna().sum() == 2
    assert pd.isna(public["a", "Total"])
    assert "Suppressed cells: 1 primary, 1 secondary" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--totals", "sums.csv"], 'Row "c", column "y": the contributions sum to 75, the amount is 76'),
        (["--hierarchy", "Area=gap.csv"], 'Label "c" of axis "Area" is missing in the hierarchy'),
        (["--hierarchy", "Area"], "must be AXIS=FILE"),
        (["--tables", "Area;Year"], '"Year" is not an axis of the table'),
        (["--hierarchy", "Area=costs.csv"], "has 3 columns; a hierarchy has two"),
        (["--hierarchy", "Area=none.csv"], "none.csv"),
        (["--costs", "areas.csv"], 'has no column "Area"'),
        (["--totals", "costs.csv"], 'has no column "turnover"'),
        (["--rule", "pq", "--n", "2"], "settings n"),
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
    assert capsys.readouterr().err == stating('Line 2 of "firms.csv"', '"much"', '"turnover"')


def written(folder, text):
    (folder / "firms.csv").write_text(text, "utf-8")


def test_for_whom_the_gaps_hold_is_said_and_can_be_chosen(folder, capsys):
    """A diagonal of single firms: each recovers the other from the square."""
    lines = ["Area,Kind,firm,turnover", "a,x,1,10", "b,y,2,10"]
    lines += [
        f"{area},{kind},{area}{kind}{n},40"
        for area in "abc" for kind in "xyz" for n in range(4) if (area, kind) not in {("a", "x"), ("b", "y")}
    ]  # fmt: skip
    written(folder, "\n".join(lines))
    gaps = []
    for coalition, said in (
        ("0", "against external"),
        ("1", "against each contributor"),
        ("2", "any 2 contributors who"),
    ):
        assert main(told("--coalition", coalition, "-o", "public.csv")) == 0
        assert said in capsys.readouterr().out
        gaps.append(int(published().isna().sum()))
    assert gaps[0] == 4 < gaps[1] <= gaps[2]


def others(mark=","):
    """Three firms in each cell but the first, all alike."""
    places = [(area, kind) for area in "abc" for kind in "xyz" if (area, kind) != ("a", "x")]
    return [mark.join([area, kind, f"{area}{kind}{n}", "700"]) for area, kind in places for n in range(3)]


def test_semicolons_decimal_commas_and_blanks(folder, capsys):
    """Of two firms in the first cell "f1 " and "f1" are one, so that all of it is theirs."""
    for second, sensitive in (("f1 ", 1), ("f2", 0)):
        rows = ["Area;Kind;firm;turnover", "a;x;f1;1.000,5", f"a ;x;{second}; 2.000", *others(";")]
        written(folder, "\n".join(rows))
        assert main(told("-o", "public.csv", "--rule", "dominance", "--k", "75")) == 0
        out, err = capsys.readouterr()
        assert f"Suppressed cells: {sensitive} primary" in out
        assert ("2 values were" if sensitive else "1 value were") in err
        assert '"1.000,5" in "turnover"' not in err
        assert '"2.000" in "turnover" was read as 2000: the point separates thousands.' in err
        assert published()["Total", "Total"] == 3000.5 + 24 * 700


def test_who_is_unknown_is_not_one_firm(folder, capsys):
    rows = ["a,x,,50", "a,x,unknown,50", "a,x,Unknown,50", "a,x,NA,50", *others()]
    written(folder, "\n".join(["Area,Kind,firm,turnover", *rows]))
    assert main(told("--rule", "dominance", "--k", "80", "-o", "public.csv")) == 0
    assert "4 contributions" in capsys.readouterr().err
    assert published()["a", "x"] == 200


def test_a_category_called_total_is_one(folder, capsys):
    rows = [
        "Area,Kind,firm,turnover",
        *(f"{area},x,{n},5" for area, n in (("Total", 1), ("Total", 2), ("b", 3), ("b", 4))),
    ]
    written(folder, "\n".join(rows))
    assert main(told("--rule", "dominance", "--k", "75", "-o", "public.csv")) == 0
    assert published()["Total", "x"] == 10
    assert published()["Total (all)", "x"] == 20


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,x,1,1\n\na,y,2,much\n", 'Line 4 of "firms.csv" has "much" as "turnover"'),
        ("a,x,1,1\na,y,2,-3\n", 'Line 3 of "firms.csv" has "-3" as "turnover"'),
        ("a,x,1,1\na,y,2,\n", 'Line 3 of "firms.csv" has no "turnover"'),
        ("a,,1,1\n", 'Line 2 of "firms.csv" has no "Kind"'),
        (
            'a,x,1,"1,000"\na,y,2,7\n',
            'Line 2 of "firms.csv": "1,000" in "turnover" may be 1000 or 1. Choose the meaning',
        ),
        (
            'a,x,1,"1,5"\na,y,2,2.5\n',
            'line 3 of "firms.csv" has "2.5" in "turnover": both a point and a comma',
        ),
        ("a,x,1,1,5\n", 'Line 2 of "firms.csv" has 5 values'),
    ],
)
def test_bad_lines_are_told_by_their_number(folder, capsys, text, said):
    written(folder, "Area,Kind,firm,turnover\n" + text)
    assert main(told()) == 2
    assert said in capsys.readouterr().err


def test_a_thousand_is_one_where_it_is_said(folder, capsys):
    written(folder, 'Area,Kind,firm,turnover\na,x,1,"3,000"\na,x,2,"2,000"\nb,x,3,"6,000"\nb,x,4,"4,000"\n')
    for marks, total in (("thousands", 15000), ("decimals", 15)):
        main(told("--marks", marks, "--rule", "dominance", "--k", "75", "-o", "public.csv"))
        assert published()["Total", "Total"] == total


def test_a_workbook_and_a_hierarchy_of_tau_argus(folder, capsys):
    from sdcwidgets.tables.io.writers.workbook import workbook

    rows = [line.split(",") for line in Path("firms.csv").read_text("utf-8").splitlines()]
    rows[1:] = [[*row[:3], float(row[3])] for row in rows[1:]]
    Path("firms.xlsx").write_bytes(workbook({"firms": rows}))
    Path("areas.hrc").write_text("north\n@a\n@b\nsouth\n@c\n", "utf-8")
    arguments = ["--rule", "dominance", "--k", "75", "-o", "public.csv"]
    found = []
    for file, hierarchy in (("firms.csv", "areas.csv"), ("firms.xlsx", "areas.hrc")):
        assert main(["suppress", file, *told(*arguments, "--hierarchy", f"Area={hierarchy}")[2:]]) == 0
        found.append(Path("public.csv").read_text("utf-8"))
    assert found[0] == found[1]


def test_an_entry_of_costs_is_read_once(folder, capsys):
    Path("costs.csv").write_text("Area;Kind;cost\nb;x;1,5\nb;x;2\n", "utf-8")
    assert main(told("--costs", "costs.csv")) == 2
    assert 'Line 3 of "costs.csv" names the same cell as line 2; keep one of them.' in capsys.readouterr().err


def test_a_secret_chooses_the_pattern_and_a_lost_one_is_warned_of(folder, capsys):
    def written(*more):
        asked = told("--rule", "p-percent", "--p", "10", "-o", "public.csv", *more, choice="secret")
        assert main(asked) == 0
        return Path("public.csv").read_text("utf-8"), capsys.readouterr().err

    first, again, other = written("--seed", str(3**44)), written("--seed", str(3**44)), written()
    assert first == again
    assert "Warning" not in first[1]
    assert "no seed was" in other[1]
    assert published()["Total", "Total"] == 800
