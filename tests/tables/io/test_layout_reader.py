"""Files that are read with a layout: headings, records, titles and notes, and limits."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets import InputError
from sdcwidgets.tables.io import layout_reader
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.layouts import FileLayout, LayoutColumn, LayoutHeading, LayoutRow


def test_a_year_below_merged_headings_is_chosen_alone():
    text = "Area,men,,women,\n,2022,2023,2022,2023\nA,1,2,3,4\nB,5,6,7,8\n"
    columns = (
        LayoutColumn(1, "label", "Area"),
        LayoutColumn(2, "other", "men"),
        LayoutColumn(3, "count"),
        LayoutColumn(4, "other", "women"),
        LayoutColumn(5, "count"),
    )
    headings = (LayoutHeading("Sex", 1, fill=True), LayoutHeading("Year", 2))
    layout = FileLayout(columns, first=3, header=1, headings=headings)
    table = read(text, layout).table
    assert table.axes[1].labels == ("men", "women")
    assert table.counts.ravel().tolist() == [2, 4, 6, 8]


@given(st.lists(st.tuples(st.sampled_from(["a", " a", "b", "Total"]), st.sampled_from("xy")), min_size=1))
def test_records_are_counted_as_their_labels_occur(records):
    columns = (LayoutColumn(1, "label", "Area", left_out=("Total",)), LayoutColumn(2, "label", "Sex"))
    layout = FileLayout(columns, header=1, first=2, repeated="sum")
    text = "Area,Sex\n" + "".join(f"{area},{sex}\n" for area, sex in records)
    expected = Counter((area.strip(), sex) for area, sex in records if area != "Total")
    if not expected:
        with pytest.raises(InputError, match="no row of counts"):
            read(text, layout)
        return
    table = read(text, layout).table
    counts = {
        (area, sex): int(table.counts[i, j])
        for i, area in enumerate(table.axes[0])
        for j, sex in enumerate(table.axes[1])
        if table.counts[i, j]
    }
    assert counts == expected


def test_title_and_notes_of_a_long_file_are_stored(monkeypatch):
    monkeypatch.setattr(layout_reader, "_FIRST_ROWS", 20)
    monkeypatch.setattr(layout_reader, "_LAST_ROWS", 5)
    rows = "".join(f"Area {k},{k + 1}\n" for k in range(100))
    columns = (LayoutColumn(1, "label", "Area"), LayoutColumn(2, "count", "n"))
    layout = FileLayout(columns, rows=(LayoutRow(104, "other", "Source: register"),), header=3, first=4)
    reading = read(f"Residents\n\nArea,n\n{rows}Source: register\n", layout, texts=True)
    assert reading.table.cells == 100
    assert reading.as_read.above == ("Residents",)
    assert reading.as_read.below == ("Source: register",)


def test_a_table_with_too_many_cells_is_refused_before_all_rows_are_read():
    def rows():
        yield "Area,n\n"
        for k in range(50):
            yield f"Area {k},1\n"
        yield "Area x,none\n"

    columns = (LayoutColumn(1, "label", "Area"), LayoutColumn(2, "count", "n"))
    with pytest.raises(InputError, match="maximum of 40"):
        read("".join(rows()), FileLayout(columns, header=1, first=2), limit=40)


_AREAS = LayoutColumn(1, "label", "Area", categories=("Bath", "Hull", "York"), left_out=("Total",))
_COUNTS = (_AREAS, LayoutColumn(2, "count", "n"))


def test_a_category_without_a_row_is_an_error_and_no_zero():
    text = "Area,n\nBath,302\nHull,199\nTotal,501\n"
    layout = FileLayout(_COUNTS, header=1, first=2)
    with pytest.raises(
        InputError, match='no row has "York" of "Area"; remove it from categories, or set absent'
    ):
        read(text, layout)
    assert read(text, replace(layout, absent="zero")).table.counts.tolist() == [302, 199, 0]
    assert read(text, replace(layout, absent="unknown")).table.unknown.tolist() == [False, False, True]


def test_a_category_whose_row_is_omitted_is_no_error():
    text = "Area,n\nBath,302\nHull,199\nYork,c\n"
    layout = FileLayout(_COUNTS, header=1, first=2, texts={"c": "leave out"})
    assert read(text, layout).table.unknown.tolist() == [False, False, True]
    text = "Area,Year,n\nBath,2021,302\nHull,2021,199\nYork,2020,5\n"
    columns = (_AREAS, LayoutColumn(2, "label", "Year", only="2021"), LayoutColumn(3, "count", "n"))
    reading = read(text, FileLayout(columns, header=1, first=2))
    assert reading.table.counts.ravel().tolist() == [302, 199, 0]
    assert [note for note in reading.notes if "York" in note]


def test_a_heading_of_rows_without_rows_is_an_error():
    columns = (LayoutColumn(1, "label"), LayoutColumn(2, "count"))
    rows = (LayoutRow(1, "block", "men"), LayoutRow(2, "block", "women"))
    with pytest.raises(InputError, match='no row has "men" of "Sex"'):
        read("men,\nwomen,\nA,3\nB,4\n", FileLayout(columns, rows=rows, first=1, blocks="Sex"))


def test_records_without_a_category_have_a_note():
    columns = (replace(_AREAS, left_out=()), LayoutColumn(2, "label", "Sex"))
    layout = FileLayout(columns, header=1, first=2, repeated="sum")
    reading = read("Area,Sex\nBath,m\nHull,f\n", layout)
    assert reading.table.total == 2
    assert [note for note in reading.notes if "York" in note]
