"""Layouts as values and TOML files, and files that are read with them."""

import json
import re
from dataclasses import replace

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets import InputError
from sdcwidgets.tables.io.layout_draft import first_layout
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.layouts import (
    COLUMN_ROLES,
    FileLayout,
    LayoutColumn,
    LayoutHeading,
    LayoutRow,
    layout_schema,
)

GRID = "Sex by area, 2021\n;Men;;Women;\nArea;0-14;15+;0-14;15+\n" + (
    "Bath;1.302;5;7;12\nHull;199;-;31;8\nAll;1.501;5;38;20\nSource: us\n"
)

LAYOUT = FileLayout(
    columns=(
        LayoutColumn(1, "label", "Area", left_out=("All",)),
        *(LayoutColumn(k, "count", heading) for k, heading in enumerate(["0-14", "15+"] * 2, start=2)),
    ),
    headings=(LayoutHeading("Sex", 2, fill=True), LayoutHeading("Age", 3)),
    rows=(LayoutRow(7, "other", "Source: us"),),
    first=4,
    header=3,
    delimiter=";",
    thousands=".",
    texts={"-": "zero"},
)


def test_a_table_of_three_axes_is_read_with_a_layout():
    table = read(GRID, LAYOUT).table
    assert [(axis.name, axis.labels) for axis in table.axes] == [
        ("Area", ("Bath", "Hull")),
        ("Sex", ("Men", "Women")),
        ("Age", ("0-14", "15+")),
    ]
    assert table.counts.tolist() == [[[1302, 5], [7, 12]], [[199, 0], [31, 8]]]


def test_encoding_unit_and_path(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes("Gebiet;Personen (1000)\nKöln;1,5\nUlm;0,25\n".encode("utf-16-le"))
    columns = (LayoutColumn(1, "label", "Gebiet"), LayoutColumn(2, "count", "Personen (1000)"))
    layout = FileLayout(
        columns, first=2, header=1, encoding="utf-16-le", delimiter=";", decimal=",", unit=1000
    )
    assert read(path, layout).table.counts.tolist() == [1500, 250]
    with pytest.raises(InputError):
        read(path, replace(layout, unit=10))
    with pytest.raises(InputError):
        read(path, replace(layout, encoding="ascii"))


PEOPLE = "id,area,region,sex,w\n1,Bath,South,m,1.5\n2,Bath,South,,2.25\n3,Hull,North,f,1\n"
PERSON_COLUMNS = (
    LayoutColumn(1, "other", "id"),
    LayoutColumn(4, "label", "sex", renamed={"": "unknown"}),
    LayoutColumn(2, "label", "area"),
    LayoutColumn(3, "level", "region", of=2),
)


def test_people_are_counted_and_weighted():
    unweighted = FileLayout(
        (*PERSON_COLUMNS, LayoutColumn(5, "other", "w")), first=2, header=1, repeated="sum"
    )
    table = read(PEOPLE, unweighted).table
    assert [axis.name for axis in table.axes] == ["sex", "area"]
    assert table.counts.tolist() == [[0, 1], [1, 0], [1, 0]]
    weighted = replace(unweighted, columns=(*PERSON_COLUMNS, LayoutColumn(5, "weight", "w")))
    table = read(PEOPLE, weighted).table
    assert table.counts.tolist() == [[0, 1], [2, 0], [2, 0]]
    assert table.respondents.counts.tolist() == [[0, 1], [1, 0], [1, 0]]


CHANGED = {
    "heading": ("15+;0-14;15+", "16+;0-14;15+"),
    "column more": ("Bath;1.302;5;7;12", "Bath;1.302;5;7;12;9"),
    "row more": ("All;", "York;3;4;5;6\nAll;"),
    "text in place of a count": ("31;8", "31;c"),
    "other thousands": ("1.302", "1,302"),
    "decimals": ("199", "19.9"),
    "row twice": ("Hull;199", "Bath;199"),
    "row without label": ("Hull;199", ";199"),
    "blank count": ("31;8", "31;"),
    "no note": ("Source: us\n", ""),
    "negative": ("199", "-199"),
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_file_that_has_changed_is_refused_in_one_sentence(name):
    before, after = CHANGED[name]
    assert before in GRID
    with pytest.raises(InputError) as raised:
        read(GRID.replace(before, after, 1), LAYOUT)
    sentence = str(raised.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert "row" in sentence or "column" in sentence


def test_a_category_that_the_layout_does_not_state_is_refused():
    stated = replace(LAYOUT.columns[0], categories=("Hull", "Bath"))
    layout = replace(LAYOUT, columns=(stated, *LAYOUT.columns[1:]))
    assert read(GRID, layout).table.axes[0].labels == ("Hull", "Bath")
    with pytest.raises(InputError):
        read(GRID.replace("Bath", "York"), layout)


@pytest.mark.parametrize(
    "changed", ["Bath,North,m,2\n4,Hull,North,m,1\n", "Bath,South,m,2\n4,Hull,South,m,1\n"]
)
def test_a_level_or_a_code_belongs_to_its_column(changed):
    text = PEOPLE + "3," + changed
    with pytest.raises(InputError):
        read(
            text,
            FileLayout((*PERSON_COLUMNS, LayoutColumn(5, "other", "w")), first=2, header=1, repeated="sum"),
        )


WRONG = {
    "unknown key": LAYOUT.to_toml().replace("delimiter", "delimeter"),
    "unknown key of a column": LAYOUT.to_toml().replace("left_out", "leave_out"),
    "version": LAYOUT.to_toml().replace("version = 1", "version = 2"),
    "no version": LAYOUT.to_toml().replace("version = 1", ""),
    "type": LAYOUT.to_toml().replace("first = 4", 'first = "4"'),
    "role": LAYOUT.to_toml().replace('role = "other"', 'role = "note"'),
    "meaning": LAYOUT.to_toml().replace('"zero"', '"nobody"'),
    "no role": LAYOUT.to_toml().replace('role = "other"', ""),
    "column twice": LAYOUT.to_toml().replace("number = 3", "number = 2"),
    "no TOML": "first: 4",
    "list": LAYOUT.to_toml().replace("[[columns]]", "[columns]", 1),
    "version true": LAYOUT.to_toml().replace("version = 1", "version = true"),
    "first 0": LAYOUT.to_toml().replace("first = 4", "first = 0"),
    "large first": LAYOUT.to_toml().replace("first = 4", f"first = {10**23}"),
    "number 0": LAYOUT.to_toml().replace("number = 3", "number = 0"),
    "unit 0": LAYOUT.to_toml().replace("first = 4", "first = 4\nunit = 0"),
    "decimal": LAYOUT.to_toml().replace("first = 4", 'first = 4\ndecimal = "xx"'),
    "thousands": re.sub("(?m)^thousands = .*\n", "", LAYOUT.to_toml()).replace(
        "first = 4", 'first = 4\nthousands = "1"'
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_layout_that_is_wrong_is_refused_in_one_sentence(name):
    with pytest.raises(InputError) as raised:
        FileLayout.from_toml(WRONG[name])
    assert str(raised.value).endswith(".")
    assert "\n" not in str(raised.value)


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
columns = st.builds(
    LayoutColumn,
    number=st.integers(2, 10**6),
    role=st.sampled_from(sorted(set(COLUMN_ROLES) - {"level", "code", "count", "weight"})),
    heading=texts,
    categories=st.lists(texts, max_size=3).map(tuple),
    renamed=st.dictionaries(texts, texts, max_size=2),
    fill=st.booleans(),
)


@given(
    st.lists(columns, unique_by=lambda column: column.number, max_size=4),
    st.dictionaries(texts, st.sampled_from(["zero", "unknown", "leave out"]), max_size=3),
    st.text(st.characters(categories=["P", "S", "Z"]), max_size=8),
)
def test_a_layout_survives_its_toml_file(others, meanings, thousands):
    layout = FileLayout((LayoutColumn(1, "label"), *others), texts=meanings, thousands=thousands)
    assert FileLayout.from_toml(layout.to_toml()) == layout


def test_the_schema_agrees_with_the_reader_of_layouts():
    jsonschema = pytest.importorskip("jsonschema")
    tomllib = pytest.importorskip("tomllib")
    validator = jsonschema.Draft202012Validator(layout_schema())
    jsonschema.Draft202012Validator.check_schema(json.loads(json.dumps(layout_schema())))
    assert validator.is_valid(tomllib.loads(LAYOUT.to_toml()))
    for name in set(WRONG) - {"no TOML", "list", "column twice"}:
        assert not validator.is_valid(tomllib.loads(WRONG[name])), name


def test_errors_of_a_layout_name_the_text_and_all_keys():
    with pytest.raises(InputError, match='first of the layout is the text "4"; it must be a whole number'):
        FileLayout.from_toml(WRONG["type"])
    with pytest.raises(InputError, match="known keys: version, columns, headings, rows, first"):
        FileLayout.from_toml(WRONG["unknown key"])


@pytest.mark.parametrize("path", [False, True])
def test_a_text_has_no_sheet(path, tmp_path):
    source = "Area,n\nBath,3\nHull,4\n"
    if path:
        (tmp_path / "t.csv").write_text(source)
        source = tmp_path / "t.csv"
    columns = (LayoutColumn(1, "label", "Area"), LayoutColumn(2, "count", "n"))
    with pytest.raises(InputError, match="no sheets, so it has no sheet"):
        read(source, FileLayout(columns, header=1, first=2, sheet="x"))


@pytest.mark.parametrize("of", [1, "Region"])
def test_a_code_names_its_column_by_number_or_heading(of):
    columns = (
        LayoutColumn(1, "label", "Region"),
        LayoutColumn(2, "code", "Code", of=of),
        LayoutColumn(3, "count", "People"),
    )
    layout = FileLayout(columns, first=2, header=1)
    assert layout.columns[1].of == 1
    assert FileLayout.from_toml(layout.to_toml().replace("of = 1", f"of = {json.dumps(of)}")) == layout
    assert read("Region,Code,People\nNorth,n,3\nSouth,s,4\n", layout).table.total == 7


@pytest.mark.parametrize(
    ("make", "part"),
    [
        (lambda: LayoutColumn(2, "code", of=-1), "of"),
        (lambda: LayoutColumn(2, "code", of=1.0), "of"),
        (lambda: LayoutColumn("2", "label"), "number"),
        (lambda: LayoutColumn(2, "label", categories="ab"), "categories"),
        (lambda: LayoutColumn(2, 3), "role"),
        (lambda: LayoutRow(2, "other", label=3), "label"),
        (lambda: LayoutHeading("Sex", row="1"), "row"),
        (lambda: FileLayout((LayoutColumn(1, "label"),), first="2"), "first"),
        (lambda: FileLayout((LayoutColumn(1, "label"),), texts=["-"]), "texts"),
        (lambda: FileLayout(LayoutColumn(1, "label")), "columns"),
        (lambda: FileLayout(({"number": 1, "role": "label"},)), "columns"),
        (
            lambda: FileLayout((LayoutColumn(1, "label", "Area"), LayoutColumn(2, "code", of="Region"))),
            "Region",
        ),
    ],
)
def test_a_layout_in_python_with_a_wrong_type_names_the_key(make, part):
    with pytest.raises(InputError, match=part):
        make()


def test_a_total_that_a_layout_keeps_is_noted():
    text = "Area,m,f,x\nA,3121,4072,1293\nB,2809,2588,931\nNation,5932,6657,2224\n"
    counts = (LayoutColumn(k, "count", heading) for k, heading in zip((2, 3, 4), "mfx", strict=True))
    layout = FileLayout(
        (LayoutColumn(1, "label", "Area"), *counts), (LayoutHeading("Sex", 1),), first=2, header=1
    )
    (note,) = read(text, layout).notes
    assert "Nation" in note
    out = replace(layout.columns[0], left_out=("Nation",))
    (wrong,) = read(text, replace(layout, columns=(out, *layout.columns[1:]))).notes
    assert "5,932" in wrong


@pytest.mark.parametrize("limit", [3, 4, None])
def test_a_table_may_have_as_many_cells_as_are_allowed(limit):
    content = b"Area,Men,Women\nA,1,2\nB,3,4\n"
    layout = first_layout(content)
    if limit == 3:
        with pytest.raises(InputError):
            read(content, layout, limit=limit)
    else:
        assert read(content, layout, limit=limit).table.cells == 4


BLOCKS = (
    "Population,,\nArea,0-14,15+\nMales,,\nBath,3,4\nHull,5,6\nFemales,,\nBath,7,8\nHull,9,1\nSource: us,,\n"
)


def layout_of_blocks(**changed):
    counts = (LayoutColumn(2, "count", "0-14"), LayoutColumn(3, "count", "15+"))
    rows = (
        LayoutRow(3, "block", "Males"),
        LayoutRow(6, "block", "Females"),
        LayoutRow(9, "other", "Source: us"),
    )
    values = {"columns": (LayoutColumn(1, "label", "Area"), *counts), "rows": rows, "first": 3, "header": 2}
    return FileLayout(**{**values, "headings": (LayoutHeading("Age", 2),), "blocks": "Sex", **changed})


def test_rows_that_are_headings_of_the_rows_below_are_an_axis():
    table = read(BLOCKS, layout_of_blocks()).table
    assert [axis.name for axis in table.axes] == ["Sex", "Area", "Age"]
    assert table.counts.tolist() == [[[3, 4], [5, 6]], [[7, 8], [9, 1]]]
    layout = layout_of_blocks()
    assert FileLayout.from_toml(layout.to_toml()) == layout
    named = (replace(layout.rows[0], categories=("m",)), *layout.rows[1:])
    assert read(BLOCKS, replace(layout, rows=named)).table.axes[0].labels == ("m", "Females")


def test_rows_above_the_first_heading_of_rows_are_refused():
    layout = layout_of_blocks()
    with pytest.raises(InputError, match="row 4"):
        read(BLOCKS, replace(layout, rows=(LayoutRow(3, "other", "Males"), *layout.rows[1:])))
    with pytest.raises(InputError):
        layout_of_blocks(rows=(LayoutRow(3, "block", "Males", ("a", "b")),))


def test_totals_that_are_not_the_sums_are_noted():
    columns = (LayoutColumn(1, "label", "Area", left_out=("All",)), LayoutColumn(2, "count", "m"))
    columns += (LayoutColumn(3, "count", "f"), LayoutColumn(4, "total", "both"))
    layout = FileLayout(columns, (LayoutHeading("Sex", 1),), first=2, header=1)
    text = "Area,m,f,both\nBath,300,210,{}\nHull,150,99,249\nYork,41,77,118\nAll,{},386,877\n"
    assert read(text.format(510, 491), layout).notes == ()
    (column,) = read(text.format(511, 491), layout).notes
    assert "511" in column
    (row,) = read(text.format(510, 490), layout).notes
    assert "490" in row


def test_a_part_that_is_skipped_ends_before_the_next_block():
    text = BLOCKS.replace("Source", "Total,,\nBath,10,12\nHull,14,7\nOther,,\nBath,1,2\nHull,3,4\nSource")
    rows = (LayoutRow(3, "block", "Males"), LayoutRow(6, "block", "Females"), LayoutRow(9, "skip", "Total"))
    rows += (LayoutRow(12, "block", "Other"), LayoutRow(15, "other", "Source: us"))
    table = read(text, layout_of_blocks(rows=rows)).table
    assert table.axes[0].labels == ("Males", "Females", "Other")
    assert table.total == 53


def test_the_heading_of_a_block_can_be_above_the_headings_of_columns():
    text = "Males,,\nArea,0-14,15+\nBath,3,4\nFemales,,\nArea,0-14,15+\nBath,7,8\n"
    rows = (LayoutRow(1, "block", "Males"), LayoutRow(4, "block", "Females"), LayoutRow(5, "other", "Area"))
    table = read(text, layout_of_blocks(rows=rows)).table
    assert [axis.labels for axis in table.axes] == [("Males", "Females"), ("Bath",), ("0-14", "15+")]
    assert table.counts.tolist() == [[[3, 4]], [[7, 8]]]


def test_sums_of_weights_are_rounded_on_request():
    layout = FileLayout(
        (LayoutColumn(1, "label", "Area"), LayoutColumn(2, "count", "n")), first=2, header=1, decimal="."
    )
    text = "Area,n\nBath,3.4\nHull,12.51\n"
    with pytest.raises(InputError, match=r"3\.4"):
        read(text, layout)
    assert read(text, replace(layout, rounded=True)).table.counts.tolist() == [3, 13]


def test_respondents_of_labels_that_are_split_stay_with_their_cells():
    text = "Group,w\nf b,1.5\nm a,2\nm a,2\nm b,4\nf a,3\n"
    columns = (LayoutColumn(1, "label", "Group", split=True), LayoutColumn(2, "weight", "w"))
    table = read(text, FileLayout(columns, first=2, header=1, repeated="sum")).table
    assert [axis.labels for axis in table.axes] == [("f", "m"), ("b", "a")]
    assert (table.counts.tolist(), table.respondents.counts.tolist()) == ([[2, 3], [4, 4]], [[1, 1], [1, 2]])


def test_two_columns_of_counts_need_an_axis_of_headings():
    counts = (LayoutColumn(2, "count", "Men"), LayoutColumn(3, "count", "Women"))
    with pytest.raises(InputError, match=r"2 columns of counts.*\[\[headings\]\]"):
        FileLayout(columns=(LayoutColumn(1, "label", "Area"), *counts), header=1, first=2)
    assert FileLayout(columns=(LayoutColumn(1, "label", "Area"), counts[0]), header=1, first=2).headings == ()


@pytest.mark.parametrize(("unit", "counts"), [(1000, [1500, 2250]), (1, None)])
def test_a_number_of_a_workbook_has_decimals_in_a_larger_unit_only(tmp_path, unit, counts):
    book = openpyxl.Workbook()
    for row in (["Area", "n"], ["Bath", 1.5], ["Hull", 2.25]):
        book.active.append(row)
    book.save(tmp_path / "areas.xlsx")
    columns = (LayoutColumn(1, "label", "Area"), LayoutColumn(2, "count", "n"))
    layout = FileLayout(columns, first=2, header=1, unit=unit)
    if counts is None:
        with pytest.raises(InputError, match=r"1\.5"):
            read(tmp_path / "areas.xlsx", layout)
    else:
        assert read(tmp_path / "areas.xlsx", layout).table.counts.tolist() == counts


def test_texts_that_are_read_as_zero_or_omitted_leave_a_note():
    columns = (LayoutColumn(1, "label", "Area"), LayoutColumn(2, "count", "n"))
    layout = FileLayout(columns, header=1, first=2, texts={"": "zero", "x": "leave out"})
    reading = read("Area,n\nA,3\nB,\nC,x\nD,\nE,5\n", layout)
    assert reading.table.counts.tolist() == [3, 0, 0, 5]
    assert ["2 cells" in reading.notes[0], '"x"' in reading.notes[1]] == [True, True]


def test_a_second_row_without_labels_is_named_by_its_number():
    columns = (LayoutColumn(1, "count", "m"), LayoutColumn(2, "count", "f"))
    layout = FileLayout(columns, (LayoutHeading("Sex", 1),), header=1, first=2)
    with pytest.raises(InputError) as refused:
        read("m,f\n3,4\n5,6\n", layout)
    assert "row 3 is" in str(refused.value)


@pytest.mark.parametrize(("area", "cells"), [("Hull", "1 cell"), ("York", "")])
def test_an_omitted_row_whose_labels_stay_in_the_table_is_a_stated_zero(area, cells):
    text = f"Area,Sex,n\nBath,m,5\nBath,f,4\nHull,m,7\n{area},f,.\n"
    columns = (
        LayoutColumn(1, "label", "Area"),
        LayoutColumn(2, "label", "Sex"),
        LayoutColumn(3, "count", "n"),
    )
    reading = read(text, FileLayout(columns, first=2, header=1, texts={".": "leave out"}))
    assert sorted(reading.table.counts[1]) == [0, 7]
    stated = [note for note in reading.notes if " 0, " in note]
    assert len(stated) == bool(cells)
    assert all(cells in note for note in stated)


def test_counts_of_a_row_that_is_not_read_are_unknown():
    text = b"Area,Sex,People\nA,m,12\nA,f,31\nB,m,\nB,f,25\n"
    columns = (
        LayoutColumn(1, "label", "Area"),
        LayoutColumn(2, "label", "Sex"),
        LayoutColumn(3, "count", "People"),
    )
    layout = FileLayout(columns, first=2, header=1, rows=(LayoutRow(4, "other", "B"),))
    assert read(text, layout).unknown == 1
    assert read(text, replace(layout, rows=(), texts={"": "leave out"})).unknown == 1
    below = b"Area,Sex,People\nA,m,\nA,f,31\nB,m,7\nB,f,25\n"
    assert read(below, replace(layout, rows=(), first=3)).unknown == 1
    assert read(text, replace(layout, rows=(), texts={"": "zero"})).unknown == 0


def test_an_unknown_count_is_reported_and_the_rest_of_its_row_is_read():
    text = "Area,Men,Women,Total\nBath,3,x,9\nHull,4,7,11\n"
    columns = (
        LayoutColumn(1, "label", "Area"),
        LayoutColumn(2, "count", "Men"),
        LayoutColumn(3, "count", "Women"),
        LayoutColumn(4, "total", "Total"),
    )
    layout = FileLayout(columns, (LayoutHeading("Sex", 1),), header=1, first=2, texts={"x": "unknown"})
    reading = read(text, layout)
    assert reading.table.counts.tolist() == [[3, 0], [4, 7]]
    assert reading.unknown == 1
    (note,) = reading.notes
    assert note.startswith('The import read 1 cell with "x" as an unknown count.')
    assert FileLayout.from_toml(layout.to_toml()) == layout
    with pytest.raises(InputError, match='must be "zero" or "unknown"'):
        replace(layout, absent="leave out")
