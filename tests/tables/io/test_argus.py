"""Microdata, hierarchies and a priori files of τ-ARGUS, also as pytauargus writes them."""

from dataclasses import replace

import pandas as pd
import pytest

from sdcwidgets import FrequencyTable, InputError, MagnitudeTable, protect
from sdcwidgets.cli import main
from sdcwidgets.microdata import read_microdata
from sdcwidgets.microdata.reading import read_records
from sdcwidgets.tables.hierarchy import from_hrc
from sdcwidgets.tables.io.formats.argus import read_rda, records_as_csv
from sdcwidgets.tables.io.sources.contributions import read_apriori, read_contributions, read_hierarchy

RECORDS = {
    "area": ["a1", "a2", "b1", "b1", "b2"] * 4,
    "sex": ["f", "m", "f", "f", "m"] * 4,
    "size": [12.5, 100.0, 3.0, 40.25, 7.0] * 4,
    "firm": ["x", "y", "z", "x", "w"] * 4,
    "weight": [1.0, 2.0, 1.5, 1.0, 3.0] * 4,
}


@pytest.fixture
def files(tmp_path):
    """Return microdata that pytauargus 0.6.0 wrote, with a hierarchy whose lead string is a point."""
    micro = pytest.importorskip("pytauargus.micro")
    hierarchy = tmp_path / "area.hrc"
    hierarchy.write_text("A\n.a1\n.a2\nB\n.b1\n.b2\n", "utf-8")
    micro.micro_asc_rda(
        RECORDS,
        asc_filename=str(tmp_path / "people.asc"),
        rda_filename=str(tmp_path / "people.rda"),
        weight_var="weight",
        holding_var="firm",
        hrc={"area": str(hierarchy)},
        hierleadstring=".",
        missing={"sex": "m"},
    )
    return tmp_path


def test_microdata_of_pytauargus_are_read_as_they_were_written(files):
    for name in ("people.rda", "people.asc"):
        frame, _ = read_records(files / name)
        assert list(frame) == list(RECORDS)
        assert frame["area"].tolist() == RECORDS["area"]
        assert frame["sex"].fillna("").tolist() == ["f", "", "f", "f", ""] * 4
        assert frame["size"].astype(float).tolist() == RECORDS["size"]
    variables, separator = read_rda((files / "people.rda").read_text("utf-8"))
    assert separator == ""
    assert [variable.role for variable in variables] == [
        "category",
        "category",
        "amount",
        "contributor",
        "weight",
    ]
    assert (variables[0].lead, variables[1].missing) == (".", ("m",))
    assert read_microdata(files / "people.rda").file.records == 20


def test_tables_of_microdata_of_pytauargus(files, capsys):
    table = FrequencyTable.from_csv(files / "people.rda", by=["area"])
    assert table.counts.tolist() == [4, 4, 8, 4]
    amounts, _ = read_contributions(files / "people.rda", ["area"], "firm", "size")
    assert isinstance(amounts, MagnitudeTable)
    assert amounts.to_frame()["amount"].tolist() == [50.0, 400.0, 173.0, 28.0, 651.0]
    parents = {"A": "", "a1": "A", "a2": "A", "B": "", "b1": "B", "b2": "B"}
    assert read_hierarchy(files / "people.rda", axis="area") == parents
    assert read_hierarchy(files / "area.hrc", lead=".") == parents
    flags = ["--by", "area,sex", "--missing", "m", "--method", "cell-suppression", "--seed", str(3**60)]
    by_option = ["--hierarchy", f"area={files / 'area.hrc'}", "--lead-string", "."]
    printed = []
    for hierarchy in (by_option, ["--hierarchy", f"area={files / 'people.rda'}"]):
        assert main(["protect", str(files / "people.rda"), *flags, *hierarchy, "--threshold", "2"]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert "\nA," in printed[0]
    release = protect(
        FrequencyTable([[1, 5], [4, 4], [9, 3], [2, 2]], {"area": ["a1", "a2", "b1", "b2"], "sex": "fm"}),
        "cell-suppression",
        hierarchies={"area": files / "people.rda"},
        seed=3**60,
    )
    assert "A" in release.labels[0]


def test_hierarchies_of_pytauargus_are_read(tmp_path):
    hrc = pytest.importorskip("pytauargus.hrc")
    codes = {"region": ["A", "A", "B", "B"], "area": ["a1", "a2", "b1", "b2"]}
    for lead in ("@", "&&"):
        path = tmp_path / f"{lead}.hrc"
        hrc.write_hrc(codes, ["area", "region"], hrc_filename=str(path), hierleadstring=lead)
        parents = {"A": "", "a1": "A", "a2": "A", "B": "", "b1": "B", "b2": "B"}
        assert read_hierarchy(path, lead=lead) == parents


def test_free_format(tmp_path):
    path = tmp_path / "people.rda"
    path.write_text('<SEPARATOR> ";"\narea 2 9 99\n <RECODEABLE>\nsex 1\n <RECODEABLE>\n', "utf-8")
    path.with_suffix(".asc").write_text('"01";f\n 99;m\n9;f\n', "utf-8")
    assert records_as_csv(path) == b"area,sex\n01,f\n,m\n,f\n"


@pytest.mark.parametrize(
    ("metadata", "data", "named"),
    [
        ("", "x\n", "people.rda"),
        ("area\n", "x\n", "Line 1"),
        ("area one 2\n", "x\n", "position"),
        ("area 0 2\n", "x\n", "position"),
        ("<RECODEABLE>\narea 1 1\n", "x\n", "RECODEABLE"),
        ("area 1 1\narea 2 1\n", "xy\n", "twice"),
        ("area 1 1\nsex 3 2\n", "x yy\nx y\n", "Line 2"),
        ("<SEPARATOR> ,\narea 1\nsex 1\n", "x,y\nx\n", "Line 2"),
        ("<SPSS>\narea 1 1\n", "x\n", "SPSS"),
        ("area 1 1\n <RECODEABLE>\nn 3 1\n <FREQUENCY>\n", "x 1\n", "table"),
        ("area 1 1\n", None, "people.asc"),
    ],
)
def test_wrong_microdata_are_named(tmp_path, metadata, data, named):
    path = tmp_path / "people.rda"
    path.write_text(metadata, "utf-8")
    if data is not None:
        path.with_suffix(".asc").write_text(data, "utf-8")
    with pytest.raises(InputError, match=named):
        read_records(path)


def test_an_asc_file_without_metadata_is_read_as_text(tmp_path):
    (tmp_path / "people.asc").write_text("sex,age\nf,3\nm,4\n", "utf-8")
    assert list(read_records(tmp_path / "people.asc")[0]) == ["sex", "age"]


@pytest.mark.parametrize(
    ("text", "how", "named"),
    [
        ("A\n.a\n", {}, "lead"),
        ("A\n.a\n", {"lead": " "}, "blank"),
        ("A\n..a\n", {"lead": "."}, "2 levels"),
    ],
)
def test_a_wrong_lead_string_is_named(tmp_path, text, how, named):
    path = tmp_path / "area.hrc"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=named):
        read_hierarchy(path, **how)
    assert from_hrc("-5 to 0\n1 to 5\n") == {"-5 to 0": "", "1 to 5": ""}


def test_a_lead_string_needs_an_hrc_file(tmp_path):
    pd.DataFrame({"label": ["a"], "parent": ["A"]}).to_csv(tmp_path / "areas.csv", index=False)
    with pytest.raises(InputError, match="lead string"):
        read_hierarchy(tmp_path / "areas.csv", lead=".")
    (tmp_path / "people.rda").write_text("area 1 1\n", "utf-8")
    with pytest.raises(InputError, match="area"):
        read_hierarchy(tmp_path / "people.rda", axis="area")


COUNTS = [[40, 9, 8, 30], [7, 20, 5, 60], [6, 5, 30, 9], [9, 8, 7, 44]]
AXES = {"Area": ["a1", "a2", "b1", "b2"], "Age": list("wxyz")}
HIERARCHY = {"a1": "A", "a2": "A", "b1": "B", "b2": "B"}
SEED = 1237940039285380274899124224 + 11**20


def suppressed_cells(release):
    frame = release.suppression()
    return {tuple(row[:-1]): row[-1] for row in frame.itertuples(index=False, name=None) if row[-1]}


@pytest.mark.parametrize("how", [{}, {"hierarchies": {"Area": HIERARCHY}}, {"tables": [["Area"], ["Age"]]}])
def test_releases_state_primary_and_secondary_cells(how):
    release = protect(FrequencyTable(COUNTS, AXES), "cell-suppression", threshold=6, seed=SEED, **how)
    kinds = suppressed_cells(release)
    published = release.to_frame()
    missing = published[published["value"].isna()][["Area", "Age"]]
    assert set(kinds) == set(missing.itertuples(index=False, name=None))
    small = {("a2", "y"), ("b1", "x")} if "tables" not in how else set()
    assert {cell for cell, kind in kinds.items() if kind == "primary"} == small
    letters = {"primary": "u", "secondary": "m"}
    lines = [f"{area},{age},{letters[kind]}" for (area, age), kind in kinds.items()]
    assert release.to_hst().splitlines() == lines
    # Files for data users are the same without the kinds.
    assert release.to_csv() == replace(release, secondary=None).to_csv()
    assert "status" not in release.to_frame()


def test_other_releases_have_no_primary_cells():
    release = protect(FrequencyTable(COUNTS, AXES), "random-rounding", seed=SEED)
    for call in (release.suppression, release.to_hst):
        with pytest.raises(InputError, match="cell-suppression"):
            call()


def test_files_with_the_status_are_internal(tmp_path):
    release = protect(FrequencyTable(COUNTS, AXES), "cell-suppression", threshold=6, seed=SEED)
    for wrong, named in [("cells.hst", "internal"), ("internal.txt", "hst")]:
        with pytest.raises(InputError, match=named):
            release.to_hst(tmp_path / wrong)
    for separator in ("a", "", ";;", 1):
        with pytest.raises(InputError, match="separator"):
            release.to_hst(separator=separator)
    text = release.to_hst(tmp_path / "internal.hst", separator=";")
    assert (tmp_path / "internal.hst").read_text("utf-8") == text
    total = FrequencyTable(COUNTS, {"Area": ["Total", "b", "c", "d"], "Age": list("wxyz")})
    with pytest.raises(InputError, match="Total"):
        protect(total, "cell-suppression", threshold=60, seed=SEED, non_hierarchical=["Area"]).to_hst()


@pytest.mark.parametrize("linked", [False, True])
def test_the_command_line_writes_the_status(tmp_path, capsys, linked):
    table, hierarchy = FrequencyTable(COUNTS, AXES), tmp_path / "areas.csv"
    table.to_csv(tmp_path / "table.csv")
    pd.DataFrame({"label": list(HIERARCHY), "parent": list(HIERARCHY.values())}).to_csv(
        hierarchy, index=False
    )
    flags = ["protect", str(tmp_path / "table.csv"), "--method", "cell-suppression", "--threshold", "6"]
    flags += ["--hierarchy", f"Area={hierarchy}"] if linked else []
    how = {"hierarchies": {"Area": HIERARCHY}} if linked else {}
    release = protect(table, "cell-suppression", threshold=6, seed=SEED, **how)
    for ending in ("csv", "hst"):
        path = tmp_path / f"internal.{ending}"
        assert main([*flags, "--seed", str(SEED), "--internal-status", str(path)]) == 0
    assert (tmp_path / "internal.hst").read_text("utf-8") == release.to_hst()
    written = pd.read_csv(tmp_path / "internal.csv", skiprows=1)
    assert list(written) == ["Area", "Age", "count", "status"]
    kinds = {"U": "primary", "M": "secondary"}
    rows = written.itertuples(index=False, name=None)
    assert {row[:2]: kinds[row[3]] for row in rows if row[3] != "S"} == suppressed_cells(release)
    assert written.set_index(["Area", "Age"])["count"]["a2", "y"] == 5
    assert main([*flags, "--internal-status", str(tmp_path / "status.csv")]) == 2
    assert "internal" in capsys.readouterr().err


@pytest.mark.slow
def test_cells_that_are_set_by_hand(tmp_path):
    table, path = FrequencyTable(COUNTS, AXES), tmp_path / "cells.hst"
    path.write_text('"a1";w;u\nb1;y;p\nB;Total;p\n;z;c;1000\na1;w;pl;4;6\nb2;z;s\n', "utf-8")
    release = protect(
        table, "cell-suppression", threshold=6, seed=SEED, hierarchies={"Area": HIERARCHY}, apriori=path
    )
    kinds = suppressed_cells(release)
    assert kinds["a1", "w"] == "primary"
    assert not {("b1", "y"), ("B", "Total")} & set(kinds)
    intervals = release.intervals().set_index(["Area", "Age"])
    assert intervals.loc[("a1", "w"), "lower"] <= 36
    assert intervals.loc[("a1", "w"), "upper"] >= 46
    plain = protect(table, "cell-suppression", threshold=6, seed=SEED)
    path.write_text(plain.to_hst(), "utf-8")
    again = protect(table, "cell-suppression", threshold=6, seed=SEED, apriori=path)
    assert set(suppressed_cells(plain)) <= set(suppressed_cells(again))
    assert set(suppressed_cells(again).values()) >= {"primary"}


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("a1,w", "Line 1"),
        ("a1,w,q", "status"),
        ("a1,w,c", "cost"),
        ("a1,w,c,x", "number"),
        ("a1,w,c,0", "above 0"),
        ("a1,w,pl,3", "levels"),
        ("a9,w,u", "a9"),
        ("Total,Total,u", "grand total"),
        ("a2,y,s", "safe"),
        ("a2,y,p", "protected"),
        ("a1,w,u\na1,w,p", "protected"),
        ("a1,w,u\na1,w,s", "safe"),
    ],
)
def test_wrong_a_priori_files_are_named(tmp_path, line, named):
    path = tmp_path / "cells.hst"
    path.write_text(f"{line}\n", "utf-8")
    with pytest.raises(InputError, match=named):
        protect(FrequencyTable(COUNTS, AXES), "cell-suppression", threshold=6, seed=SEED, apriori=path)
    with pytest.raises(InputError, match="cell-suppression"):
        protect(FrequencyTable(COUNTS, AXES), "random-rounding", seed=SEED, apriori=path)


def test_amounts_that_are_unsafe_by_hand(tmp_path):
    records = [(area, kind, f"{area}{kind}{k}", 20 + k) for area in "abc" for kind in "xyz" for k in range(6)]
    table, path = MagnitudeTable.from_records(records, ["Area", "Kind"]), tmp_path / "cells.hst"
    assert not table.suppress("p-percent", p=10, seed=SEED).suppressed.any()
    path.write_text("a,x,u\nb,y,p\n", "utf-8")
    by_hand = read_apriori(path, dict(zip(["Area", "Kind"], table.labels, strict=True)))
    frame = table.to_frame(table.suppress("p-percent", p=10, seed=SEED, apriori=by_hand))
    assert frame.loc[("a", "x"), "suppressed"] == "primary"
    assert frame.loc[("b", "y"), "suppressed"] == ""
    assert (frame["suppressed"] == "secondary").sum() >= 3
    amount = frame.loc[("a", "x"), "amount"]
    assert frame.loc[("a", "x"), "lower"] <= 0.8 * amount
    assert frame.loc[("a", "x"), "upper"] >= 1.2 * amount
    firms = tmp_path / "firms.csv"
    pd.DataFrame(records, columns=["Area", "Kind", "firm", "size"]).to_csv(firms, index=False)
    status = tmp_path / "internal.csv"
    flags = ["suppress", str(firms), "--by", "Area,Kind", "--contributor", "firm", "--amount", "size"]
    flags += ["--apriori", str(path), "--seed", str(SEED), "--internal-status", str(status)]
    assert main(flags) == 0
    written = pd.read_csv(status, skiprows=1)
    assert written["status"].tolist() == [
        "SUM"[["", "primary", "secondary"].index(k)] for k in frame["suppressed"]
    ]
    path.write_text("a,x,u\na,x,p\n", "utf-8")
    assert main(flags) == 2


def test_tau_argus_reads_the_suppressed_cells(tmp_path, monkeypatch):
    """The engine of pytauargus 0.6.0 applies the written .hst file to a table of the same microdata."""
    monkeypatch.chdir(tmp_path)  # the engine writes its log into the current folder
    micro = pytest.importorskip("pytauargus.micro")
    arb = pytest.importorskip("pytauargus.arb")
    engine = pytest.importorskip("pytauargus.engine")
    batch = pytest.importorskip("pytauargus.batch")
    records = [
        (area, age)
        for area, row in zip(AXES["Area"], COUNTS, strict=True)
        for age, count in zip(AXES["Age"], row, strict=True)
        for _ in range(count)
    ]
    columns = {
        "Area": [area for area, _ in records],
        "Age": [age for _, age in records],
        "one": [1.0] * len(records),
    }
    micro.micro_asc_rda(columns, asc_filename=str(tmp_path / "m.asc"), rda_filename=str(tmp_path / "m.rda"))
    arb.micro_arb(
        arb_filename=str(tmp_path / "m.arb"),
        asc_filename=str(tmp_path / "m.asc"),
        explanatory_vars=["Area", "Age"],
        response_var="one",
        safety_rules="FREQ(2,10)",
        suppress="MOD(1,5,1,0,0)",
        output_names=[str(tmp_path / "out.csv")],
        output_type="2",
    )
    table = FrequencyTable.from_csv(tmp_path / "m.rda", by=["Area", "Age"])
    assert table.counts.tolist() == COUNTS
    release = protect(table, "cell-suppression", threshold=6, seed=SEED)
    lines = release.to_hst(tmp_path / "internal.hst").splitlines()
    change = batch.Apriory(file=str(tmp_path / "internal.hst"), tab_no=1, separator=",", ignore_error=False)
    stats = engine.run_batch(str(tmp_path / "m.arb")).apply_apriori(change)
    assert (stats["lines_read"], stats["lines_error"]) == (len(lines), 0)
    assert (stats["status_ok"], stats["status_err"]) == (len(lines), 0)
    assert len(lines) >= 4
