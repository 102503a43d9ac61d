"""Headings of columns in a file that is read with a layout."""

from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.layouts import FileLayout, LayoutColumn, LayoutHeading


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
