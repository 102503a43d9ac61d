"""Columns with labels, and the names of axes above, beside and below them."""

import pytest

from sdcwidgets import InputError
from sdcwidgets.tables.io.layout.parts import _columns_of_labels
from sdcwidgets.tables.io.reading import read_csv


@pytest.mark.parametrize(
    ("header", "below", "columns"),
    [
        (["Area", "m", "f"], [], (["Area", None], 1, False)),
        (["Area\\Sex", "m", "f"], [], (["Area", "Sex"], 1, True)),
        # pandas writes the name of the columns above the last column with labels.
        (["", "Sex", "m", "f"], ["Area", "Age", "", ""], (["Area", "Age", "Sex"], 2, False)),
        (["Sex", "m", "f", "x"], ["Area", "", "", ""], (["Area", "Sex"], 1, False)),
        (["Sex", "m", "f", "x"], ["", "", "", ""], ([None, "Sex"], 1, False)),
    ],
)
def test_names_of_axes_and_number_of_columns_with_labels(header, below, columns):
    assert _columns_of_labels(header, below, [["a", 1, 2]], len(header)) == columns


def test_a_table_of_pandas_names_all_axes():
    table = read_csv(",Sex,m,f\nArea,Age,,\na,x,1,2\na,y,3,4\nb,x,5,6\nb,y,7,8\n").table
    assert [axis.name for axis in table.axes] == ["Area", "Age", "Sex"]
    assert table.counts.tolist() == [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]


#: A pivot table: departments with sub-totals in lines of their own, and a grand total.
PIVOT = (
    "Abteilung,Standort,m,w\nEinkauf,Ulm,21,22\n,Bonn,4,5\nEinkauf Ergebnis,,25,27\n"
    "Lager,Ulm,57,90\n,Bonn,13,20\nLager Ergebnis,,70,110\nGesamtergebnis,,95,137\n"
)


def test_sub_totals_of_a_pivot_table_are_no_categories():
    table = read_csv(PIVOT).table
    assert [axis.labels for axis in table.axes] == [("Einkauf", "Lager"), ("Ulm", "Bonn"), ("m", "w")]
    assert table.counts.tolist() == [[[21, 22], [4, 5]], [[57, 90], [13, 20]]]


def test_a_sub_total_beside_labels_that_name_each_row_is_no_category():
    text = "Land,Kreis,a,b\nNord,01 Kiel,21,22\n,02 Ulm,4,5\nNord zusammen,,25,27\n"
    table = read_csv(text).table
    assert table.axes[0].labels == ("01 Kiel", "02 Ulm")
    assert table.counts.tolist() == [[21, 22], [4, 5]]


def test_a_line_with_one_label_that_is_no_sum_is_rejected():
    with pytest.raises(InputError, match="Einkauf Ergebnis"):
        read_csv(PIVOT.replace("Ergebnis,,25,27", "Ergebnis,,25,26"))
