"""A sheet is parsed once, and each reading of it gives the same rows."""

import io

import openpyxl
import pytest

from sdcwidgets.tables.io.formats import workbook
from sdcwidgets.tables.io.formats.workbook import Workbook


def _content(*rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.active.row_dimensions[2].hidden = True
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()


@pytest.fixture
def parsed(monkeypatch):
    """Names of the sheets that are parsed, in their order."""
    names, parse = [], Workbook._parsed
    monkeypatch.setattr(workbook, "_PARSED", workbook._ParsedSheets())
    monkeypatch.setattr(Workbook, "_parsed", lambda self, name: names.append(name) or parse(self, name))
    return names


def test_a_sheet_is_parsed_once_and_its_rows_are_not_shared(parsed):
    content = _content(["Area", "People"], ["A", 1], ["B", 2])
    first, second = Workbook(content), Workbook(content)
    rows = list(first.rows("Sheet"))
    rows[1][1] = 99
    assert list(second.rows("Sheet")) == [["Area", "People"], ["A", 1], ["B", 2]]
    assert second.hidden == first.hidden == {"row": {2}, "column": set()}
    assert parsed == ["Sheet"]


def test_other_workbooks_and_sheets_that_are_read_in_part_are_parsed(parsed):
    book, other = Workbook(_content(["A", 1], ["B", 2])), Workbook(_content(["A", 1], ["B", 3]))
    assert next(book.rows("Sheet")) == ["A", 1]
    assert [row[1] for row in book.rows("Sheet")] == [1, 2]
    assert [row[1] for row in other.rows("Sheet")] == [1, 3]
    assert len(parsed) == 3


def test_a_large_sheet_is_parsed_again(parsed, monkeypatch):
    monkeypatch.setattr(workbook, "_MOST_REPEATED", 3)
    book = Workbook(_content(["A", 1], ["B", 2]))
    assert list(book.rows("Sheet")) == list(book.rows("Sheet")) == [["A", 1], ["B", 2]]
    assert len(parsed) == 2
