"""The command line with a protection method: its flags come from its declaration."""

import csv
import io
import json
import re

import numpy as np
import pandas as pd
import pytest
from stating import stating

from sdcwidgets import FrequencyTable, assess, examples, methods
from sdcwidgets._util.csv_writing import csv_text
from sdcwidgets._util.publication import FIRST_LINE
from sdcwidgets.cli import main
from sdcwidgets.methods import cellkey
from sdcwidgets.tables.io import sources
from sdcwidgets.tables.io.sources.kinds import standard_input
from sdcwidgets.tables.io.writers.workbook import workbook

RELIGION = examples.load("religion")


@pytest.fixture
def religion(tmp_path):
    path = tmp_path / "religion.csv"
    path.write_text(RELIGION.to_csv(), "utf-8")
    return path


def totals_of(text, by):
    """The published totals of the categories of a."""
    head, *lines = [line for line in csv.reader(text.splitlines()) if line]
    down = len(by) - 1
    if by[-1] == "a":
        (total,) = [line for line in lines if line[:down] == ["Total"] * down]
        return dict(zip(head[down:-1], total[down:-1], strict=True))
    return {
        line[0]: line[-1] for line in lines if line[0] != "Total" and line[1:down] == ["Total"] * (down - 1)
    }


def protected(name, seed=1, **parameters):
    return methods.get(name)(**parameters).apply(RELIGION, np.random.default_rng(seed))


def test_a_file_without_rules_is_written_with_the_remark_that_no_limit_was_checked(
    religion, tmp_path, capsys
):
    out, internal = tmp_path / "out.csv", tmp_path / "internal.html"
    command = [
        "--method",
        "conventional-rounding",
        "--internal-report",
        str(internal),
        "--force",
        "-o",
        str(out),
    ]
    assert main(["protect", str(religion), *command]) == 0
    assert "no limit was checked" in capsys.readouterr().err
    assert "no release decision" in internal.read_text("utf-8")
    rules = tmp_path / "rules.toml"
    rules.write_text('source = "Panel"\n[limits]\nno-risk-limit = "the counts are public"\n', "utf-8")
    main(["protect", str(religion), *command, "--rules", str(rules)])
    assert "no limit was checked" not in capsys.readouterr().err
    assert main(["protect", "example:religion", *command]) == 0
    assert "no limit was checked" not in capsys.readouterr().err


@pytest.mark.parametrize("name", methods.available())
def test_every_method_protects_a_file(name, religion, tmp_path):
    out = tmp_path / "out.csv"
    assert main(["protect", str(religion), "--method", name, "--seed", "1", "-o", str(out)]) == 0
    release = methods.get(name)().release(RELIGION, np.random.default_rng(1))
    cells, _, notes = out.read_text("utf-8").partition("\n\n")
    assert cells + "\n" == (release.table().to_csv() if release.plain else csv_text(release.lines()))
    assert [line for (line,) in csv.reader(notes.splitlines())] == [*release.without_note_on_totals().notes]


def test_flags_of_a_method_are_its_parameters(religion, tmp_path, capsys):
    out = tmp_path / "out.csv"
    arguments = ["--method", "semi-controlled-rounding", "--base", "5", "--totals", "rows", "--seed", "7"]
    assert main(["protect", str(religion), *arguments, "-o", str(out)]) == 0
    expected = protected("semi-controlled-rounding", 7, base=5, totals="rows")
    assert FrequencyTable.from_csv(out, totals=False) == expected
    assert main(["protect", str(religion), *arguments]) == 0
    assert capsys.readouterr().out == expected.to_csv()
    matrix = ["--method", "stochastic-perturbation", "--matrix", "1,0;1,0", "--residual-base", "1"]
    assert main(["protect", str(religion), *matrix, "--invariant", "no", "--force", "-o", str(out)]) == 0
    down = np.where(RELIGION.counts > 0, RELIGION.counts - 1, 0)
    assert FrequencyTable.from_csv(out, totals=False) == RELIGION.with_counts(down)


def test_assess_with_a_method_in_json(religion, capsys):
    arguments = ["--method", "record-swapping", "--rate", "0.2", "--axis", "Area", "--replications", "20"]
    assert main(["assess", str(religion), *arguments, "--format", "json"]) == 0
    swapping = methods.get("record-swapping")(rate=0.2, axis="Area")
    expected = assess(RELIGION, swapping, replications=20).to_dict()
    told = json.loads(capsys.readouterr().out)
    assert told.pop("verdict")["answer"] == "compare only"
    assert told.pop("schema") == "sdcwidgets:assess:3"
    assert told.pop("method")["rate"] == 0.2
    assert {told.pop(name) is not None for name in ("version", "file", "read")} == {True}
    assert told == json.loads(json.dumps(expected))


def test_assess_with_a_method_in_text(religion, capsys):
    arguments = ["--method", "random-rounding", "--replications", "50", "--variant", "uncertainty"]
    assert main(["assess", str(religion), *arguments]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "r2_uncertainty" in lines[0]
    after = assess(RELIGION, "random-rounding", replications=50).after
    assert f"{after.whole_slice['r2_uncertainty'].mean[0]:.4f}" in lines[1]
    assert any("(DR): –" in line for line in lines)
    assert any(line.endswith("(1 and 2): 1.0000 ± 0.0000") for line in lines)
    assert any("(WGAD*), by Religion: –" in line for line in lines)
    assert "release decision" in lines[-1]
    assert not any("guessable" in line for line in lines)


def test_a_draw_is_not_to_be_tried_out_and_is_told_to_be_kept_secret(religion, capsys):
    drawn = set()
    for _ in range(2):
        assert main(["protect", str(religion), "--method", "random-rounding"]) == 0
        told = capsys.readouterr()
        seed = re.search(r"--seed (\d+) reproduces", told.err)[1]
        assert "can be averaged away" in told.err
        assert 3**57 < int(seed) < 2**128
        drawn.add(seed)
        assert main(["protect", str(religion), "--method", "random-rounding", "--seed", seed]) == 0
        again = capsys.readouterr()
        assert again.out == told.out
        assert seed not in again.err
    assert len(drawn) == 2
    assert main(["protect", str(religion), "--method", "conventional-rounding"]) == 0
    assert "seed" not in capsys.readouterr().err


def test_what_must_be_known_of_a_release_is_told(tmp_path, capsys):
    path = tmp_path / "table.csv"
    path.write_text("Area \\ Age,a,b,c,d\n6,7,4,8,1\n7,9,9,9,30\n8,7,8,9,20\n", "utf-8")
    assert main(["protect", str(path), "--method", "threshold-suppression"]) == 0
    told = capsys.readouterr().err
    assert told == stating("1 of 1", 'Row "6", column "d"')
    assert "c: confidential." in told
    assert main(["protect", str(path), "--method", "cell-suppression"]) == 0
    assert "recalculated" not in capsys.readouterr().err
    assert main(["protect", str(path), "--method", "simple-random-sampling"]) == 0
    assert "A sample of 12 of 121 people." in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_a_table_with_totals_is_published_with_the_totals_of_what_is_published(ending, tmp_path, capsys):
    path, out = tmp_path / "mine.csv", tmp_path / f"out.{ending}"
    path.write_text("Area,m,f,All\nA,161,141,302\nB,105,94,199\nTotal,266,235,501\n", "utf-8")
    arguments = ["--method", "random-rounding", "--base", "10", "--seed", "7"]
    assert main(["protect", str(path), *arguments, "-o", str(out)]) == 0
    assert "the sums" in capsys.readouterr().err
    table = FrequencyTable([[161, 141], [105, 94]], {"Area": ["A", "B"], "Columns": ["m", "f"]})
    counts = methods.get("random-rounding")(base=10).apply(table, np.random.default_rng(7)).counts
    source = sources.named(str(out))
    assert source.read().table.counts.tolist() == counts.tolist()
    whole = source.choose(margins="keep").read().table
    assert (whole.rows.labels, whole.columns.labels) == (("A", "B", "Total"), ("m", "f", "All"))
    assert whole.counts[-1, -1] == counts.sum()
    assert whole.counts[:2, -1].tolist() == counts.sum(axis=1).tolist()


@pytest.mark.parametrize("ending", ["px", "json", "sdmx.csv"])
def test_what_offices_exchange_is_written_by_its_ending(ending, religion, tmp_path):
    out = tmp_path / f"out.{ending}"
    assert main(["protect", str(religion), "--method", "random-rounding", "--seed", "7", "-o", str(out)]) == 0
    assert sources.named(str(out)).choose(margins="keep").read().table == protected("random-rounding", 7)


def test_a_workbook_is_written_by_its_ending_and_never_over_the_input(religion, tmp_path, capsys):
    out = tmp_path / "out.xlsx"
    arguments = ["--method", "random-rounding", "--seed", "7"]
    assert main(["protect", str(religion), *arguments, "-o", str(out)]) == 0
    assert FrequencyTable.from_excel(out, totals="drop") == protected("random-rounding", 7)
    before = out.read_bytes()
    capsys.readouterr()
    assert main(["protect", str(out), *arguments, "-o", str(tmp_path / "." / "out.xlsx")]) == 2
    assert "is the input file and is not overwritten" in capsys.readouterr().err
    assert out.read_bytes() == before
    assert main(["protect", str(religion), *arguments, "-o", str(tmp_path / "out.ods")]) == 2
    assert "ends in one of .csv, .xlsx, .px, .json, .sdmx.csv" in capsys.readouterr().err
    assert not (tmp_path / "out.ods").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["protect", "{file}", "--method", "magic"], "There is no method 'magic'; there are"),
        (
            ["protect", "{file}", "--method", "random-rounding", "--base", "1"],
            "base b is 1; it must be a whole",
        ),
        (
            ["protect", "{file}", "--method", "random-rounding", "--rate", "0.1"],
            "has no setting --rate; it has --base, --method-margins.",
        ),
        (
            ["protect", "{file}", "--method", "record-swapping", "--method-margins", "own"],
            "has no setting --method-margins; it has --rate",
        ),
        (["assess", "{file}", "--count", "People"], "--by"),
        (["assess", "{file}", "--epsilon", "2"], "--epsilon: "),
        (["assess", "{file}", "--rate", "0.1"], "--rate is a setting of a method"),
        (["protect", "{file}", "--method", "record-swapping", "--axis", "Age"], 'no axis "Age"'),
        (["protect", "{file}", "--method", "random-rounding", "--seed", "x"], "eed is x; it must be"),
        (
            ["protect", "{file}", "--method", "random-rounding", "-o", "{file}/out.csv"],
            "name a file in an existing folder",
        ),
        (["protect", "missing.csv", "--method", "random-rounding"], "missing.csv"),
    ],
)
def test_bad_input_is_told_in_one_sentence(arguments, says, religion, tmp_path, capsys):
    places = {"file": religion, "folder": tmp_path}
    assert main([argument.format(**places) for argument in arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert says in told.err
    assert len([line for line in told.err.splitlines() if " people in " not in line]) == 1
    assert "Traceback" not in told.err


def test_a_method_must_be_named(religion, capsys):
    assert main(["protect", str(religion)]) == 2
    assert "--method" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("method", "says"),
    [
        (
            "simple-random-sampling",
            "(default: 0.1)",
        ),
        ("threshold-suppression", "Threshold: a whole number from 2 to 20."),
    ],
)
def test_the_help_tells_every_flag_of_the_method_that_is_named(method, says, capsys):
    with pytest.raises(SystemExit):
        main(["protect", "--method", method, "--help"])
    told = capsys.readouterr().out
    assert says in " ".join(told.split())
    assert all(flag in told for flag in ("--seed", "--output"))
    assert "--matrix" not in told


def test_a_method_added_in_ten_lines_has_its_flags(religion, capsys, shift):
    assert main(["protect", str(religion), "--method", "shift", "--method-by", "4"]) == 0
    shifted = np.where(RELIGION.counts > 0, RELIGION.counts + 4, 0)
    assert capsys.readouterr().out == RELIGION.with_counts(shifted).to_csv()
    assert main(["protect", str(religion), "--method", "shift", "--method-by", "40"]) != 0
    assert "0 to 9" in capsys.readouterr().err


def test_who_was_moved_and_who_found_no_donor_is_told_to_the_one_who_protects(tmp_path, capsys):
    path, moves = tmp_path / "table.csv", tmp_path / "internal-moves.csv"
    path.write_text(
        FrequencyTable([[3, 9], [2, 1]], {"Area": ["n", "s"], "Sex": ["f", "m"]}).to_csv(), "utf-8"
    )
    arguments = [
        "protect",
        str(path),
        "--method",
        "targeted-record-swapping",
        "--rate",
        "0",
        "--strata",
        "Sex",
    ]
    assert main([*arguments, "--seed", "1", "--moves", str(moves)]) == 0
    told = capsys.readouterr()
    assert "without a possible partner: 1 of 6" in told.err
    assert "Donors" not in told.out
    assert moves.read_text("utf-8").splitlines()[:2] == [FIRST_LINE, "Area,Sex,to,why,alike"]
    assert "n,f,n,no donor,3" in moves.read_text("utf-8").splitlines()
    other = ["protect", str(path), "--method", "random-rounding", "--moves", str(moves), "--force"]
    assert main(other) == 2
    assert "no report" in capsys.readouterr().err


def test_the_same_people_have_the_same_noise_in_every_table_and_averaging_tells_nothing(
    tmp_path, capsys, monkeypatch
):
    rng = np.random.default_rng(1)
    n = 300
    columns = {name: rng.integers(0, 3, n) for name in "abc"}
    people = tmp_path / "people.csv"
    lines = ["id,a,b,c", *(f"{k},{columns['a'][k]},{columns['b'][k]},{columns['c'][k]}" for k in range(n))]
    people.write_text("\n".join(lines) + "\n", "utf-8")
    keyed = tmp_path / "keyed.csv"
    assert main(["microdata", "keys", str(people), "--identity", "id", "--seed", "5", "-o", str(keyed)]) == 0
    # With nine decimals, few of many people have the same key.
    assert all(re.search(r",0\.\d{9}$", line) for line in keyed.read_text("utf-8").splitlines()[1:])
    drawn = []
    for arguments in (
        [str(people)],
        [str(people), "--identity", "id"],
        [str(keyed), "--record-key", "record key"],
    ):
        seen = []
        for by in ("a,b", "a,c", "a,b,c", "b,a"):
            flags = ["--by", by, "--method", "cell-key", "--seed", "5"]
            assert main(["protect", *arguments, *flags]) == 0
            told = capsys.readouterr()
            assert "same noise" in told.err
            assert "1/n of" not in told.err
            seen.append(totals_of(told.out, by.split(",")))
        # One table or all of them: the published totals of a are the same, so their mean is as far off as each.
        assert all(one == seen[0] for one in seen)
        assert len(seen[0]) == 3
        drawn.append(seen[0])
    assert drawn[1] == drawn[2] != drawn[0]
    # So it is for a part of the people: --only says what the row of the whole table says.
    flags = ["--method", "cell-key", "--identity", "id", "--seed", "5"]
    assert main(["protect", str(people), "--by", "a,b", "--only", "c=1", *flags]) == 0
    part = totals_of(capsys.readouterr().out, ["a", "b"])
    apart = tmp_path / "part.csv"
    apart.write_text(
        "\n".join([lines[0], *(line for line in lines[1:] if line.endswith(",1"))]) + "\n", "utf-8"
    )
    assert main(["protect", str(apart), "--by", "a,b", *flags]) == 0
    assert totals_of(capsys.readouterr().out, ["a", "b"]) == part
    # And in a file of another format, or one that comes in by a pipe.
    rows = [line.split(",") for line in lines]
    (tmp_path / "people.xlsx").write_bytes(workbook({"people": rows}))
    whole = []
    for file in (people, tmp_path / "people.xlsx", "-"):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(people.read_bytes())))
        standard_input.cache_clear()
        assert main(["protect", str(file), "--by", "a,b", *flags]) == 0
        whole.append(capsys.readouterr().out)
    assert len(set(whole)) == 1
    standard_input.cache_clear()
    table = tmp_path / "table.csv"
    table.write_text(FrequencyTable([[30, 4], [7, 9]]).to_csv(), "utf-8")
    assert main(["protect", str(table), "--method", "cell-key", "--seed", "5"]) == 0
    assert "1/n of" in capsys.readouterr().err
    assert main(["protect", str(table), "--method", "cell-key", "--identity", "id"]) == 2
    assert "per person" in capsys.readouterr().err
    assert main(["protect", str(keyed), "--by", "a,b", "--method", "cell-key", "--record-key", "id"]) == 2
    assert "to below 1" in capsys.readouterr().err


def test_records_with_keys_have_the_same_release_in_python(tmp_path, capsys):
    rng = np.random.default_rng(4)
    people = pd.DataFrame({"a": rng.choice(["x", "y", "z"], 200), "b": rng.integers(0, 3, 200)})
    people["key"] = [f"{key:.9f}" for key in rng.random(200)]
    people.to_csv(tmp_path / "people.csv", index=False)
    secret = 0x8F3A1C5D9E2B47606B1D0C9FA4E7385
    flags = ["--by", "a,b", "--method", "cell-key", "--record-key", "key", "--seed", str(secret)]
    assert main(["protect", str(tmp_path / "people.csv"), *flags, "-o", str(tmp_path / "noisy.csv")]) == 0
    capsys.readouterr()
    p_table, keys = cellkey.p_table(D=3, V=1), people["key"].astype(float)
    release = cellkey.release_of_records(people, ["a", "b"], keys, p_table, secret=secret)
    assert (tmp_path / "noisy.csv").read_text("utf-8") == release.to_csv()


def test_record_keys_give_other_noise_with_another_secret_and_plain_keys_need_none(tmp_path, capsys):
    rng = np.random.default_rng(2)
    records = [(*rng.integers(0, 3, 2), f"{key:.9f}") for key in rng.integers(0, 10**9, 200) / 10**9]
    people = tmp_path / "people.csv"
    people.write_text(
        "\n".join(["a,b,key", *(",".join(map(str, record)) for record in records)]) + "\n", "utf-8"
    )
    secret = tmp_path / "secret.txt"
    secret.write_text(f"{3**63}\n", "utf-8")
    flags = ["protect", str(people), "--by", "a,b", "--method", "cell-key", "--record-key", "key"]
    published = {}
    for name, more in {
        "first": ["--seed", str(3**63)],
        "again": ["--secret-file", str(secret)],
        "other": ["--seed", str(3**63 + 1)],
        "drawn": [],
        "plain": ["--cell-keys", "plain"],
        "plain again": ["--cell-keys", "plain", "--seed", "3"],
    }.items():
        assert main([*flags, *more]) == 0
        written = capsys.readouterr()
        published[name] = written.out.split("\n\n")[0].splitlines()[:4]
        assert ("random seed" in written.err) == (name in ("drawn", "plain"))
    assert published["first"] == published["again"] != published["other"] != published["drawn"]
    # Plain keys are the sums of the record keys, as the R package cellKey computes them.
    counts, sums = np.zeros((3, 3), dtype=np.int64), np.zeros((3, 3))
    for a, b, key in records:
        counts[a, b] += 1
        sums[a, b] += round(float(key) * 1e9)
    p_table = methods.get("cell-key")().noise_table()
    noise = cellkey.noise(counts, sums % 10**9 / 10**9, p_table)
    rows = [[int(cell) for cell in line.split(",")[1:4]] for line in published["plain"][1:4]]
    assert rows == (counts + noise).tolist()
    assert published["plain"] == published["plain again"] != published["first"]


def test_weighted_people_are_published_as_sums_of_weights(tmp_path, capsys):
    """With a weight of 10 each every figure is ten times that of the people themselves."""
    rng = np.random.default_rng(1)
    lines = [f"{k},{rng.integers(0, 3)},{rng.integers(0, 3)},10" for k in range(200)]
    people = tmp_path / "people.csv"
    people.write_text("\n".join(["id,a,b,w", *lines]) + "\n", "utf-8")
    flags = ["--by", "a,b", "--method", "cell-key", "--seed", "5", "--identity", "id"]
    found = []
    for more in ([], ["--weight", "w"]):
        assert main(["protect", str(people), *flags, *more]) == 0
        told = capsys.readouterr()
        found.append([int(cell) for line in told.out.splitlines()[1:] for cell in line.split(",")[1:]])
    assert found[1] == [10 * one for one in found[0]]
    assert "mean weight" in told.err


def test_records_with_keys_have_no_cell_that_starts_a_formula(tmp_path):
    people, keyed = tmp_path / "people.csv", tmp_path / "keyed.csv"
    people.write_text('name,=cell\n"a\n=1+1",x\n=2+2,@y\n"\rb",-z\n', "utf-8", newline="")
    assert main(["microdata", "keys", str(people), "-o", str(keyed)]) == 0
    text = keyed.read_text("utf-8")
    rows = list(csv.reader(text.splitlines(keepends=True)))
    assert len(rows) == 4
    assert all(cell[:1] not in tuple("=@-+\r\t|%") for row in rows for cell in row)


@pytest.mark.slow
def test_whole_record_keys_and_a_p_table_of_whole_keys(tmp_path, capsys):
    rng = np.random.default_rng(2)
    records = pd.DataFrame({"a": rng.integers(0, 3, 90), "b": rng.integers(0, 2, 90)})
    records["key"] = rng.integers(0, 16, 90)
    people, p_table, public = (tmp_path / name for name in ("people.csv", "ptable.csv", "public.csv"))
    records.to_csv(people, index=False)
    design = cellkey.p_table(D=3, V=2)
    p_table.write_text(cellkey.to_whole_keys(design, 15), "utf-8")
    flags = ["protect", str(people), "--by", "a,b", "--method", "cell-key", "--record-key", "key"]
    whole = [*flags, "--cell-keys", "plain", "--p-table", str(p_table), "--largest-record-key", "15"]
    copy = ["--write-p-table", str(tmp_path / "copy.csv"), "--p-table-format", "whole-keys"]
    assert main([*whole, "--suppress-below", "18", *copy, "-o", str(public)]) == 0
    release = cellkey.release_of_records(
        records, ["a", "b"], "key", design, secret=None, largest_key=15, threshold=18
    )
    cells = pd.read_csv(public, index_col=0, na_values="c").iloc[:3, :2].to_numpy(dtype=float)
    np.testing.assert_array_equal(cells, release.cells)
    assert np.isnan(cells).any()
    assert (tmp_path / "copy.csv").read_text("utf-8") == p_table.read_text("utf-8")
    capsys.readouterr()
    whole = [*flags, "--largest-record-key", "15"]
    for wrong, named in [
        (flags, "--largest-record-key"),
        ([*flags, "--largest-record-key", "14"], "14"),
        ([*flags, "--largest-record-key", "0"], "from 1"),
        ([*whole, "--suppress-below", "0"], "--suppress-below"),
        ([*whole, "--suppress-below", "9", "--additive"], "--additive"),
        ([*whole, "--suppress-below", "9", "--margins", "sums"], "margins"),
        ([*whole, "--p-table-format", "whole-keys"], "--p-table-format"),
    ]:
        assert main(wrong) == 2
        assert named in capsys.readouterr().err
