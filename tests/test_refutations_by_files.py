"""Programs that try to refute promises of the documents with the files that commands write, and their exit status."""

import csv
import io
import itertools
import re
import zipfile

import numpy as np
import pandas as pd
import pytest
from sampling import one_of
from scipy.optimize import Bounds, LinearConstraint, milp

from sdcwidgets import FrequencyTable, methods, protect
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.cli import main
from sdcwidgets.core.additive import adjusted
from sdcwidgets.tables.release import made_additive
from sdcwidgets.tableserver import Rules, TableServer
from sdcwidgets.tableserver.rules import Refusal
from sdcwidgets.tableserver.tabulate import Tabulator

SECRET = str(271828182845904523536)
RULE = """[rule]
name = "Panel"
source = "Panel, May 2026"
[limits]
smallest-count = 3
no-risk-limit = "a test"
[stops]
one-cell = 1
all-but-one = 3
"""


def write(path, counts):
    columns = [f"k{j}" for j in range(np.shape(counts)[1])]
    lines = [["Area", *columns], *([f"A{i}", *row] for i, row in enumerate(np.asarray(counts).tolist()))]
    path.write_text("\n".join(",".join(map(str, line)) for line in lines) + "\n", "utf-8")
    return ["protect", str(path), "--first-line", "labels", "--margins", "keep", "--seed", SECRET]


def contents(path):
    """Return the bytes of a file; of a workbook those of its parts, without its creation time."""
    if path.suffix != ".xlsx":
        return path.read_bytes()
    with zipfile.ZipFile(path) as book:
        return {name: book.read(name) for name in sorted(book.namelist()) if name != "docProps/core.xml"}


def test_original_tables_with_the_same_release_have_the_same_public_files(tmp_path, capsys):
    """An intruder who runs the command on each table that fits finds no further difference."""
    files = {}
    for name, counts in (("one", [[4, 7, 0], [9, 1, 12]]), ("other", [[2, 5, 1], [8, 0, 13]])):
        folder = tmp_path / name
        folder.mkdir()
        command = write(folder / "table.csv", counts)
        command += ["--method", "conventional-rounding", "--method-margins", "sums"]
        for ending in ("csv", "xlsx", "px", "json", "sdmx.csv"):
            report = ["--report", str(folder / f"{ending}.html")]
            assert main([*command, *report, "-o", str(folder / f"table_.{ending}")]) == 0
        capsys.readouterr()
        assert main(command) == 0
        files[name] = {path.name: contents(path) for path in folder.iterdir() if path.name != "table.csv"}
        files[name]["standard output"] = capsys.readouterr().out
    assert len(files["one"]) == 11
    assert files["one"] == files["other"]


@pytest.mark.parametrize(
    "method", one_of(2, ["random-rounding", "cell-suppression", "conventional-rounding", "cell-key"])
)
def test_a_blocked_command_publishes_nothing(tmp_path, capsys, method):
    rule = tmp_path / "rule.toml"
    rule.write_text(RULE, "utf-8")
    blocked = 0
    for seed in range(12):
        counts = np.random.default_rng(seed).poisson(0.7, (4, 3))
        command = [*write(tmp_path / "table.csv", counts), "--method", method, "--rules", str(rule)]
        if method == "cell-suppression":
            command += ["--non-hierarchical", "rows,columns"]
        report, output = tmp_path / "report.html", tmp_path / "out.csv"
        status = main([*command, "--report", str(report), "-o", str(output), "--force"])
        written = [path.exists() for path in (report, output)]
        assert written == [status == 0] * 2
        capsys.readouterr()
        if status:
            blocked += 1
            # 2: no suppression pattern protects the table.
            assert main(command) == status
            assert status == 3 or method == "cell-suppression"
            assert capsys.readouterr().out == ""
        for path in (report, output):
            path.unlink(missing_ok=True)
    assert blocked


def roundings(shape, base, largest):
    """Yield all tables of a shape with the roundings of their cells and totals, rounded one by one."""
    tables = np.array(list(itertools.product(range(largest + 1), repeat=int(np.prod(shape))))).reshape(
        -1, *shape
    )
    parts = [tables, tables.sum(axis=2), tables.sum(axis=1), tables.sum(axis=(1, 2))]
    rounded = [base * ((part + base // 2) // base) for part in parts]
    yield from zip(tables, *rounded, strict=True)


@pytest.mark.slow
def test_all_tables_behind_an_adjusted_release_are_in_its_stated_intervals():
    """`--additive` states the largest change of a value; the intruder lists all tables with this file."""
    base, releases = 5, {}
    for counts, cells, rows, columns, total in roundings((2, 2), base, 7):
        values = {(0, 1): cells, (0,): rows, (1,): columns, (): np.asarray(total)}
        before = tuple(np.concatenate([np.ravel(part) for part in values.values()]).tolist())
        releases.setdefault(before, (values, []))[1].append(counts)
    files, exact = {}, 0
    for values, tables in releases.values():
        after = adjusted({margin: part.astype(float) for margin, part in values.items()}, base).cells
        sums = {(0, 1): after, (0,): after.sum(axis=1), (1,): after.sum(axis=0), (): after.sum()}
        most = max(int(np.abs(sums[margin] - part).max()) for margin, part in values.items())
        files.setdefault((after.tobytes(), most), []).extend(tables)
    method = methods.get("conventional-rounding")(base=base, margins="own")
    for (cells, most), tables in list(files.items())[::7]:
        before = method.release(FrequencyTable(tables[0]), 1)
        release = made_additive(before, base, method.conclusions)
        assert release.cells.tolist() == np.frombuffer(cells, dtype=np.int64).reshape(2, 2).tolist()
        assert not most or str(most) in re.findall(r"\d+", release.notes[0])
        frame = release.intervals()
        low, high = (frame[side].to_numpy().reshape(2, 2) for side in ("lower", "upper"))
        assert (low <= np.min(tables, axis=0)).all()
        assert (np.max(tables, axis=0) <= high).all()
        exact += int(((np.min(tables, axis=0) == np.max(tables, axis=0)) & (low != high)).sum())
    assert exact == 0


def test_adjusted_cell_keys_publish_small_counts_and_the_command_says_so(tmp_path, capsys):
    """The p-table never publishes counts from 1 to js, but the adjustment of `--additive` can."""
    counts = np.random.default_rng(0).poisson(4, (4, 5))
    keys = ["--method", "cell-key", "--D", "5", "--V", "3", "--js", "2"]
    command = [*write(tmp_path / "table.csv", counts), *keys]
    assert main(command) == 0
    without = capsys.readouterr()
    assert not re.search(r"(^|,)[12](,|$)", without.out.partition("\n\n")[0], re.MULTILINE)
    assert main([*command, "--additive"]) == 0
    adjusted_ = capsys.readouterr()
    assert re.search(r",[12](,|$)", adjusted_.out, re.MULTILINE)
    assert "from 1 to 2" in adjusted_.err
    assert "from 1 to 2" not in without.err


@pytest.mark.parametrize("method", ["simple-random-sampling", "stratified-sampling"])
def test_a_sample_of_everybody_is_judged_as_the_original_table(method):
    table = FrequencyTable([[2, 1], [0, 3]])
    release = protect(table, method, fraction=0.99, seed=int(SECRET))
    assert np.array_equal(release.cells, table.counts)
    limits = ReleaseLimits("Panel", smallest_count=3, one_cell=1, reading="sure")
    assert judge(table, release, limits).answer != "release"
    frame = release.intervals()
    assert (frame["lower"] == frame["upper"]).all()


def bounds(entries, leaves, known=()):
    """Return the smallest and the largest sum of each suppressed entry; all counts are whole."""
    rows = np.zeros((len(entries) + len(known), leaves))
    low, high = np.zeros(len(rows)), np.full(len(rows), np.inf)
    for at, (places, value) in enumerate([*entries, *known]):
        rows[at, places] = 1
        low[at], high[at] = (1, np.inf) if value is None else (value, value)
    result = {}
    for places, value in entries:
        if value is None:
            ends = []
            for sign in (1, -1):
                objective = np.zeros(leaves)
                objective[places] = sign
                found = milp(
                    objective,
                    constraints=LinearConstraint(rows, low, high),
                    integrality=np.ones(leaves),
                    bounds=Bounds(0, 500),
                )
                ends.append(round(sign * found.fun))
            result[tuple(places)] = tuple(ends)
    return result


@pytest.mark.slow
@pytest.mark.parametrize("number", range(6))
def test_no_respondent_computes_a_suppressed_entry_of_a_table_with_sub_totals(tmp_path, number):
    """The message of the command names external intruders, and each respondent who knows their own counts."""
    rng = np.random.default_rng([7, number])
    counts = rng.poisson(rng.choice([2, 4]) * rng.gamma(1.2, 1 / 1.2, (5, 3))) + np.eye(5, 3, dtype=int)
    above = {f"A{i}": "North" if i < 2 else "South" for i in range(5)}
    areas = tmp_path / "areas.csv"
    areas.write_text("label,parent\n" + "".join(f"{one},{other}\n" for one, other in above.items()), "utf-8")
    output = tmp_path / "out.csv"
    options = [
        "--method",
        "cell-suppression",
        "--hierarchy",
        f"Area={areas}",
        "--non-hierarchical",
        "columns",
    ]
    assert main([*write(tmp_path / "table.csv", counts), *options, "-o", str(output)]) == 0
    places = np.arange(15).reshape(5, 3)
    entries = []
    for area, kind, value in [
        row for row in csv.reader(io.StringIO(output.read_text("utf-8"))) if len(row) == 3
    ][1:]:
        rows = [i for i in range(5) if area in ("Total", f"A{i}", above[f"A{i}"])]
        columns = [j for j in range(3) if kind in ("Total", f"k{j}")]
        entries.append(
            (places[np.ix_(rows, columns)].ravel().tolist(), int(value) if value.isdecimal() else None)
        )
    assert any(value is None for _, value in entries)
    assert all(low < high for low, high in bounds(entries, 15).values())
    for own in np.flatnonzero(counts.ravel() == 1).tolist():
        # The respondent is alone in the own cell, and knows its count. Small counts of others are protected.
        for suppressed, (low, high) in bounds(entries, 15, [([own], 1)]).items():
            people = counts.ravel()[list(suppressed)].sum()
            if people < 3 and not (people == 1 and own in suppressed):
                assert low < high


def test_reasons_of_a_refused_table_do_not_depend_on_the_counts():
    """An intruder who compares the refusals of two data sets finds no difference beyond the rule."""
    texts = {}
    for seed in range(12):
        rng = np.random.default_rng(seed)
        size = int(rng.integers(8, 30))
        records = pd.DataFrame(
            {
                "Area": ["N", "E", "S", *rng.choice(list("NES"), size)],
                "Sex": ["f", "m", "f", *rng.choice(["f", "m"], size)],
                "Job": ["a", "b", "c", *rng.choice(list("abc"), size)],
                "Key": rng.integers(10**9, size=size + 3),
            }
        )
        server = TableServer(
            Tabulator.open(records, key="Key"), Rules(), methods.get("random-rounding")(base=3)
        )
        for names in (["Area"], ["Area", "Sex"], ["Area", "Sex", "Job"]):
            refusal = server.request(names)
            if isinstance(refusal, Refusal):
                said = (refusal.reason, refusal.required, refusal.advice)
                texts.setdefault((tuple(names), refusal.rule), set()).add(said)
    assert texts
    assert all(len(said) == 1 for said in texts.values())


def test_the_order_of_records_does_not_change_the_saved_file(tmp_path, capsys):
    """An intruder who knows the order of the original file learns nothing from the order of the saved one."""
    rng = np.random.default_rng(3)
    people = pd.DataFrame(
        {
            "sex": rng.choice(list("mw"), 120),
            "town": rng.choice(list("abcd"), 120, p=[0.5, 0.3, 0.15, 0.05]),
            "job": rng.choice(list("xyz"), 120),
        }
    )
    saved = []
    for frame in (people, people.iloc[rng.permutation(120)], people.sort_values(["job", "town", "sex"])):
        source, output = tmp_path / "people.csv", tmp_path / "saved.csv"
        frame.to_csv(source, index=False)
        command = ["microdata", str(source), "--keys", "sex,town,job", "--suppress", "--seed", SECRET]
        assert main([*command, "-o", str(output), "--force"]) == 0
        saved.append(output.read_text("utf-8"))
    capsys.readouterr()
    assert saved[0].count("\n") == 121
    assert saved[0] == saved[1] == saved[2]
