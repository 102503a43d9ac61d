"""Layouts to begin with, where the reader proposes none."""

import pytest

from sdcwidgets import InputError
from sdcwidgets.tables.io.layout_draft import first_layout


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
