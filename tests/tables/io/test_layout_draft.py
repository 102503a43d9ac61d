"""Layouts to begin with, where the reader proposes none."""

from dataclasses import replace

import pytest

from sdcwidgets import InputError
from sdcwidgets.tables.io.layout_draft import LayoutDraft, file_rows, first_layout


def roles(text):
    return [column.role for column in first_layout(text.encode()).columns]


def test_numbers_are_counts_and_texts_are_labels():
    assert roles("Area,Men,Women\nA,1,2\nB,3,4\n") == ["label", "count", "count"]


def test_a_last_column_that_adds_up_is_a_total_also_beside_suppressed_counts():
    text = "District,Measles,Listeriosis,All\nAshby,5,2,7\nBrockton,c,c,22\nCarrow,7,5,12\nDenholm,5,4,9\n"
    assert roles(text) == ["label", "count", "count", "total"]


def test_a_last_column_that_does_not_add_up_holds_counts():
    assert roles("District,Measles,Listeriosis,Flu\nAshby,5,2,7\nCarrow,7,5,13\n")[-1] == "count"


def test_a_file_without_a_table_is_refused():
    with pytest.raises(InputError):
        first_layout(b"one\ntwo\n")


def test_a_repeated_row_of_counts_is_an_error_and_rows_of_people_are_added():
    assert first_layout(b"Area,Men,Women\nA,1,2\nB,3,4\n").repeated == "error"
    assert first_layout(b"Area,Sex\nA,m\nB,f\n").repeated == "sum"


def test_a_blank_repeats_the_nearest_label_above():
    content = b"Area,Sex,People\nBath,Men,1\n,Women,2\nHull,Men,3\n,Women,4\n"
    layout = first_layout(content)
    area = replace(layout.columns[0], role="label", fill=True)
    draft, rows = LayoutDraft(layout), file_rows(content)
    assert [draft.label(row, area, rows) for row in (2, 3, 4, 5)] == ["Bath", "Bath", "Hull", "Hull"]
    assert draft.label(3, replace(area, fill=False), rows) == ""
