"""A layout reports what it reads, omits and multiplies, and which hidden rows and columns it uses."""

import io

import openpyxl
import pytest

from sdcwidgets.cli import main
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.layouts import FileLayout, LayoutColumn, LayoutHeading

ROWS = [["Area", "m", "check", "f"], ["A", 3, 0, 1], ["B", 4, 0, 5], ["C", 2, 1, 6]]


def workbook(row=0, column=""):
    book = openpyxl.Workbook()
    for line in ROWS:
        book.active.append(line)
    if row:
        book.active.row_dimensions[row].hidden = True
    if column:
        book.active.column_dimensions[column].hidden = True
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def layout(check="count"):
    roles = ("label", "count", check, "count")
    columns = [
        LayoutColumn(j, role, name) for j, (role, name) in enumerate(zip(roles, ROWS[0], strict=True), 1)
    ]
    return FileLayout(tuple(columns), first=2, header=1, headings=(LayoutHeading("Sex", 1),))


@pytest.mark.parametrize(
    ("row", "column", "check", "is_noted"),
    [
        (0, "", "count", False),
        (3, "", "count", True),
        (0, "C", "count", True),
        (0, "C", "other", False),
        (1, "", "count", False),
    ],
)
def test_hidden_parts_that_a_layout_uses_are_noted(row, column, check, is_noted):
    notes = read(workbook(row, column), layout(check)).notes
    assert any("hidden" in note for note in notes) == is_noted


def test_the_command_line_prints_the_decisions_of_a_layout(tmp_path, capsys):
    (tmp_path / "t.xlsx").write_bytes(workbook(column="C"))
    (tmp_path / "t.toml").write_text(layout("other").to_toml(), "utf-8")
    assert main(["assess", str(tmp_path / "t.xlsx"), "--layout", str(tmp_path / "t.toml")]) == 0
    printed = capsys.readouterr().err
    assert '"check"' in printed
    assert "hidden" not in printed


def test_a_higher_level_is_noted_since_its_sub_totals_are_not_protected():
    text = "District,Town,People\nCoast,A,20\nCoast,B,2\nInland,C,40\n"
    columns = (
        LayoutColumn(1, "level", "District", of=2),
        LayoutColumn(2, "label", "Town"),
        LayoutColumn(3, "count", "People"),
    )
    notes = read(text, FileLayout(columns, first=2, header=1)).notes
    assert [note for note in notes if "District" in note and "sub-totals" in note] == [notes[0]]
