"""Workbooks of Excel 97 to 2003: cells, hidden parts, indents, dates, and workbooks that cannot be read."""

import datetime
import io
import struct

import pytest
import xlwt
from refusing import outcome

from sdcwidgets import FrequencyTable, InputError
from sdcwidgets.microdata.reading import read_microdata_bytes
from sdcwidgets.tables.io.formats.old_workbook import OldWorkbook
from sdcwidgets.tables.io.options import ReadOptions
from sdcwidgets.tables.io.reading import read_bytes, read_excel

ROWS = [["Area", "m", "f"], ["A", 3, 1], ["B", 0, 5]]


def saved(book):
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def book(*sheets):
    """Return a workbook with sheets of a name and rows."""
    made = xlwt.Workbook()
    for name, rows in sheets:
        sheet = made.add_sheet(name)
        for i, row in enumerate(rows):
            for j, cell in enumerate(row):
                if cell is not None:
                    sheet.write(i, j, cell)
    return made


def test_a_sheet_is_read_like_one_of_an_xlsx_workbook():
    content = saved(book(("notes", [["Notes"]]), ("counts", ROWS)))
    for reading in (read_excel(content), read_bytes("t.xls", content), read_excel(content, "counts")):
        assert reading.table == FrequencyTable([[3, 1], [0, 5]], {"Area": ["A", "B"], "Column": ["m", "f"]})
    assert 'no sheet "x"' in outcome(read_excel, content, "x")


def test_hidden_sheets_are_read_last_and_hidden_columns_are_reported():
    made = book(("old", ROWS), ("new", ROWS))
    made.get_sheet(0).visibility = 1
    made.set_active_sheet(1)
    made.get_sheet(1).col(1).hidden = True
    made.get_sheet(1).row(2).hidden = True
    reading = read_excel(saved(made), how=ReadOptions(doubts="accept"))
    assert sum("hidden" in note for note in reading.notes) == 3
    file = OldWorkbook(saved(made))
    assert list(file.tried()) == ["new", "old"]
    assert "hidden" in file.remark("old")[-1]


def test_merged_headings_indents_and_dates():
    made = book(("a", []))
    sheet = made.get_sheet(0)
    sheet.write_merge(0, 1, 0, 0, "Area")
    sheet.write_merge(0, 0, 1, 2, "2020")
    sheet.write(1, 1, "m")
    sheet.write(1, 2, True)
    sheet.write(2, 0, "Sum")
    sheet.write(3, 0, "Part", xlwt.easyxf("alignment: indent 2"))
    sheet.write(4, 0, datetime.date(2020, 3, 1), xlwt.easyxf(num_format_str="YYYY-MM-DD"))
    sheet.write(4, 1, 2.5)
    rows = list(OldWorkbook(saved(made)).rows("a"))
    assert rows == [
        ["Area", "2020"],
        [None, "m", True],
        ["Sum"],
        ["    Part"],
        [datetime.datetime(2020, 3, 1), 2.5],
    ]


def encrypted(content):
    """Return the workbook with a record FILEPASS in place of its second record."""
    start = content.index(struct.pack("<HHH", 0x0809, 16, 0x0600)) + 20
    return content[:start] + struct.pack("<H", 0x002F) + content[start + 2 :]


def test_a_workbook_with_a_password_is_refused_in_one_sentence():
    content = saved(book(("a", ROWS)))
    newer = b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le") * 20
    for locked in (encrypted(content), newer):
        assert "password" in outcome(read_bytes, "t.xls", locked)
    document = b"\xd0\xcf\x11\xe0" + "WordDocument".encode("utf-16-le")
    assert "word processor" in outcome(read_bytes, "t.doc", document)


def test_a_large_workbook_is_refused_on_a_page():
    with pytest.raises(InputError, match="at most"):
        OldWorkbook(b"\xd0\xcf\x11\xe0" * 2_600_000, limit=1).names()


def test_records_of_a_workbook_are_microdata():
    content = saved(book(("a", [["town", "age"], ["x", 5], ["y", 7]])))
    assert read_microdata_bytes("t.xls", content).file.variables.keys() == {"town", "age"}
