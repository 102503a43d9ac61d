"""The layout of a file in which a release is written again."""

import io

import openpyxl

from sdcwidgets import Release
from sdcwidgets.tables.io.options import ReadOptions
from sdcwidgets.tables.io.reading import read_bytes


def test_a_table_that_begins_at_b2_keeps_its_layout():
    book = openpyxl.Workbook()
    sheet = book.active
    sheet["B2"] = "Residents of the county"
    lines = [["Area", "Men", "Women", "All"], ["A", 1, 2, 3], ["B", 3, 4, 7], ["County", 4, 6, 10]]
    for i, line in enumerate(lines, start=4):
        for j, value in enumerate(line, start=2):
            sheet.cell(i, j).value = value
    sheet["B9"] = "Source: register of residents"
    stream = io.BytesIO()
    book.save(stream)
    reading = read_bytes("county.xlsx", stream.getvalue(), how=ReadOptions(margins="drop"))
    layout = reading.as_read
    assert (layout.corner, layout.total_row, layout.total_column) == ("Area", "County", "All")
    assert layout.above == ("Residents of the county",)
    assert layout.below == ("Source: register of residents",)
    written = Release.of(reading.table).to_csv(as_read=layout)
    lines = [line for line in written.splitlines() if line]
    assert lines[0] == ",Residents of the county"
    assert lines[-2:] == [",County,4,6,10", ",Source: register of residents"]
