"""A dry run ends with the exit status and the message of the real run, and writes nothing."""

import re
from pathlib import Path

import pytest

from sdcwidgets.cli import main

FILES = {
    "table.csv": "Area,Female,Male\nArea 1,181,12\nArea 2,17,1\nArea 3,83,30\n",
    "people.csv": "id,region,age,job\n1,N,old,x\n2,N,young,y\n3,S,young,x\n4,S,old,y\n5,N,young,x\n6,S,old,y\n",
    "firms.csv": "Area,Kind,firm,turnover\na,x,1,90\na,y,2,80\nb,x,3,60\nb,y,4,40\n",
    "tree.csv": "category,parent\nArea 1,North\nArea 2,North\nArea 3,South\n",
}
TABLE = ["protect", "table.csv", "--seed", str(3**60), "-o", "out.csv"]
ROUND = [*TABLE, "--method", "random-rounding"]
SUPPRESS = [*TABLE, "--method", "cell-suppression"]
THRESHOLD = [*TABLE, "--method", "threshold-suppression"]
FIRMS = ["suppress", "firms.csv", "--by", "Area,Kind", "--contributor", "firm", "--amount", "turnover"]
SWAP = ["microdata", "swap", "people.csv", "--risk", "age", "-o", "out.csv", "--seed", str(3**60)]

#: Wrong combinations of options, and releases that the rules block: call, exit status.
CALLS = [
    ([*THRESHOLD, "--hierarchy", "Area=tree.csv"], 2),
    ([*SUPPRESS, "--hierarchy", "Region=tree.csv"], 2),
    ([*SUPPRESS, "--hierarchy", "Area=none.csv"], 2),
    ([*SUPPRESS, "--costs", "none.csv"], 2),
    ([*SUPPRESS, "--frozen", "none.csv"], 2),
    ([*SUPPRESS, "--published", "none.csv"], 2),
    ([*ROUND, "--published", "none.csv"], 2),
    ([*ROUND, "--frozen", "table.csv"], 2),
    ([*ROUND, "--record-key", "id"], 2),
    ([*SUPPRESS, "--tables", "A,B"], 2),
    ([*SUPPRESS, "--hierarchy", "Area=tree.csv", "--additive"], 2),
    ([*SUPPRESS, "--hierarchy", "Area=tree.csv", "--rules", "minimum-frequency"], 2),
    ([*SUPPRESS, "--tables", "Area", "--internal-report", "internal.html"], 2),
    ([*ROUND, "--moves", "internal.csv"], 2),
    ([*ROUND, "--rules", "minimum-frequency"], 3),
    ([*SUPPRESS, "--published", "table.csv"], 3),
    (ROUND, 0),
    ([*SUPPRESS, "--hierarchy", "Area=tree.csv"], 0),
    ([*FIRMS, "--rule", "pq", "--n", "2", "-o", "out.csv"], 2),
    ([*FIRMS, "--tables", "A,B", "-o", "out.csv", "--seed", str(3**60)], 2),
    (["microdata", "people.csv", "--keys", "age", "--recode", "town=top:3", "-o", "out.csv"], 2),
    ([*SWAP, "--hierarchy", "town"], 2),
    (["tables", "people.csv", "--by", "region", "--rule", "people=9", "-o", "out.csv", "--seed", "5"], 2),
]


@pytest.mark.parametrize(("call", "status"), CALLS, ids=[" ".join(call) for call, _ in CALLS])
def test_a_dry_run_ends_like_the_real_run(call, status, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text, "utf-8")
    assert main([*call, "--dry-run"]) == status
    dry = capsys.readouterr()
    assert {path.name for path in Path().iterdir()} == {*FILES}
    assert main(call) == status
    real = capsys.readouterr()
    if status:
        assert dry.err.splitlines() == real.err.splitlines()
    assert ("out.csv" in dry.out) == (status == 0)
    written = re.findall(r"^Written: (.*)$", real.err, re.MULTILINE)
    assert written == (["out.csv"] if status == 0 else [])
    assert Path("out.csv").exists() == (status == 0)


def test_a_folder_without_permission_is_reported_before_any_work(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("table.csv").write_text(FILES["table.csv"], "utf-8")
    Path("closed").mkdir()
    # Root may write into each folder, so the answer of the system is replaced.
    monkeypatch.setattr("os.access", lambda path, mode: Path(path).name != "closed")
    for dry in ([], ["--dry-run"]):
        assert (
            main(["protect", "table.csv", "--method", "random-rounding", "-o", "closed/out.csv", *dry]) == 2
        )
        error = capsys.readouterr().err
        assert "may write" in error
        assert len(error.splitlines()) == 1
