"""Columns with labels, and the names of axes above, beside and below them."""

import pytest

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
