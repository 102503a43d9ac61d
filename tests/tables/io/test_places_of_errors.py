"""Sentences about wrong cells and damaged files name the file, and the cell or line."""

import io
import zipfile

import openpyxl
import pytest

from sdcwidgets import InputError
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.reading import read_bytes, read_excel

PX = """CHARSET="ANSI";
AXIS-VERSION="2010";
TITLE="People by area";
STUB="Area";
HEADING="Sex";
VALUES("Area")="Bath","Hull";
VALUES("Sex")="m","f";
UNITS="persons";
DATA=
31 45
4x1 38;
"""


@pytest.mark.parametrize("text", ["1o5", "c"])
def test_a_text_in_place_of_a_count_has_its_cell(text):
    doubts = propose_layout(f"Area,m,f\nBath,31,45\nHull,27,{text}\nYork,44,52\n").doubts
    assert "(first in row 3, column 3)" in doubts[-1]


def test_a_wrong_value_of_a_px_file_has_its_line():
    with pytest.raises(InputError, match=r'"t\.px" has "4x1" in line 11, which is not a number'):
        read_bytes("t.px", PX.encode())


def damaged():
    book = openpyxl.Workbook()
    for row in [["Area", "m", "f"], ["Bath", 31, 45], ["Hull", 27, 38]]:
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    content = bytearray(stream.getvalue())
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        start = archive.getinfo("xl/worksheets/sheet1.xml").header_offset + 60
    content[start : start + 40] = bytes(40)
    return bytes(content)


def test_a_damaged_workbook_is_named(tmp_path):
    with pytest.raises(InputError, match=r'"dam\.xlsx" cannot be read'):
        read_bytes("dam.xlsx", damaged())
    (tmp_path / "dam.xlsx").write_bytes(damaged())
    with pytest.raises(InputError, match=r'"dam\.xlsx" cannot be read'):
        read_excel(tmp_path / "dam.xlsx")
