"""Hidden rows, columns and sheets of workbooks lead to a question if they hold a part of a table, or another one."""

import io
import zipfile

import openpyxl
import pytest

from sdcwidgets.cli import main
from sdcwidgets.tables.io.options import Question, ReadOptions
from sdcwidgets.tables.io.previews import IS_RIGHT, FilePreview
from sdcwidgets.tables.io.reading import read_excel

ROWS = [["Area", "Men", "Women"], ["Bath", 31, 45], ["Hull", 27, 38], ["York", 44, 52]]
LONG = [["Area", "Sex", "n"], ["Bath", "m", 31], ["Bath", "f", 45], ["Hull", "m", 27], ["Hull", "f", 38]]


def workbook(change, rows=ROWS, **sheets):
    book = openpyxl.Workbook()
    for title, lines in {"Counts": rows, **sheets}.items():
        sheet = book.create_sheet(title)
        for line in lines:
            sheet.append(line)
    del book["Sheet"]
    change(book)
    stream = io.BytesIO()
    book.save(stream)
    return without_size(stream.getvalue())


def without_size(content):
    """Return a workbook in which rows and columns of the size 77 have the size 0, which openpyxl does not write."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            new.writestr(
                name, old.read(name).replace(b'ht="77"', b'ht="0"').replace(b'width="77"', b'width="0"')
            )
    return stream.getvalue()


def hide_row(book, number=3):
    book["Counts"].row_dimensions[number].hidden = True


def flatten_row(book):
    book["Counts"].row_dimensions[3].height = 77


def hide_column(book, name="C"):
    book["Counts"].column_dimensions[name].hidden = True


def narrow_column(book):
    book["Counts"].column_dimensions["C"].width = 77


def hide_sheet(book, name="Counts"):
    book[name].sheet_state = "hidden"


@pytest.mark.parametrize(
    ("content", "question"),
    [
        (workbook(hide_row), "hidden rows"),
        (workbook(flatten_row), "hidden rows"),
        (workbook(hide_column), "hidden columns"),
        (workbook(narrow_column), "hidden columns"),
        (workbook(hide_column, LONG), "hidden columns"),
        (workbook(hide_sheet, Notes=[["Source: register"]]), "hidden sheet"),
        (workbook(lambda book: hide_sheet(book, "Old"), Old=ROWS), "hidden sheets"),
    ],
)
def test_hidden_parts_of_a_table_lead_to_a_question(content, question, tmp_path, capsys):
    with pytest.raises(Question) as asked:
        read_excel(content)
    assert asked.value.doubt.question == question
    accepted = read_excel(content, how=ReadOptions(doubts="accept"))
    assert any("hidden" in note for note in accepted.notes)
    (tmp_path / "t.xlsx").write_bytes(content)
    assert main(["assess", str(tmp_path / "t.xlsx")]) == 2
    assert "hidden" in capsys.readouterr().err


@pytest.mark.parametrize(
    "content",
    [
        workbook(lambda book: None),
        workbook(lambda book: hide_row(book, 5), [*ROWS, ["Source: register"]]),
        workbook(lambda book: hide_column(book, "H")),
        workbook(lambda book: hide_sheet(book, "Old"), Old=[]),
        workbook(lambda book: hide_sheet(book, "List"), List=[["Bath"], ["Hull"], ["York"]]),
    ],
)
def test_hidden_parts_outside_of_a_table_are_no_question(content):
    assert read_excel(content).table.total == 237


def test_the_sheet_that_is_chosen_may_be_hidden():
    content = workbook(hide_sheet, Other=[["Area", "Men"], ["Leeds", 3], ["Bury", 4]])
    assert read_excel(content, "Counts").table.total == 237


@pytest.mark.parametrize(
    ("change", "place"), [(hide_row, ("row", 3)), (hide_column, ("column", 3)), (hide_sheet, ("file", 0))]
)
def test_a_hidden_part_is_a_decision_of_the_preview(change, place):
    preview = FilePreview(workbook(change, Notes=[["Source: register"]]))
    (decision,) = [decision for decision in preview.decisions() if decision.is_open]
    assert decision.place == place
    words = "Counts" if place[0] == "file" else IS_RIGHT
    (answer,) = [answer for answer in decision.answers if answer.words == words]
    preview.change(dict(answer.change))
    assert not preview.open_questions
    assert preview.reading.table.total == 237


def test_a_hidden_column_that_is_not_read_is_no_decision():
    preview = FilePreview(workbook(hide_column))
    preview.change({"column": 3, "role": "other"})
    assert not preview.open_questions


def test_each_hidden_part_is_a_decision():
    def change(book):
        hide_row(book)
        hide_column(book)
        hide_sheet(book, "Old")

    preview = FilePreview(workbook(change, Old=ROWS))
    places = [decision.place for decision in preview.decisions() if decision.is_open]
    assert places == [("row", 3), ("column", 3), ("file", 0)]
