"""Microdata, hierarchies and a priori files of τ-ARGUS, also as pytauargus writes them."""

import pandas as pd
import pytest

from sdcwidgets import FrequencyTable, InputError, MagnitudeTable, protect
from sdcwidgets.cli import main
from sdcwidgets.microdata import read_microdata
from sdcwidgets.microdata.reading import read_records
from sdcwidgets.tables.hierarchy import from_hrc
from sdcwidgets.tables.io.formats.argus import read_rda, records_as_csv
from sdcwidgets.tables.io.sources.contributions import read_contributions, read_hierarchy

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
