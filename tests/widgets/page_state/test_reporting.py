"""The report of a page repeats how its file was read, and has no file name as its title."""

import io
import json
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook

from sdcwidgets import methods
from sdcwidgets.tables.io.layouts import FileLayout, LayoutColumn
from sdcwidgets.tables.io.sources import File
from sdcwidgets.widgets.page_state.reporting import report_on
from sdcwidgets.widgets.page_state.table_state import TableState

CONTENT = b"Area,Sex,Persons\nA,f,5\nA,m,6\nB,f,7\nB,m,2\n"


def test_the_code_of_the_report_reads_the_file_of_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("long.csv").write_bytes(CONTENT)
    source = File.from_input(CONTENT, "long.csv").choose(by=("Area", "Sex"), count="Persons")
    reading = source.read()
    method = methods.get("random-rounding")(base=3)
    release = method.release(reading.table, 7)
    state = TableState(reading.table, source.light(reading))
    names = {}
    exec(report_on(state, release, method, seed=7).code.replace("seed = None", "seed = 7"), names)
    assert names["release"].cells.tolist() == release.cells.tolist()


def states_of(source):
    """Return the state of a file on its page, and the state on a page that got it by a link."""
    reading = source.read()
    state = TableState(reading.table, source.light(reading))
    return state, TableState.from_state(json.loads(json.dumps(state.to_state())))


def run(state):
    release = methods.get("random-rounding")(base=3).release(state.table, 7)
    names = {}
    code = report_on(state, release, methods.get("random-rounding")(base=3), seed=7).code
    exec(code.replace("seed = None", "seed = 7"), names)
    return names["table"], names["release"].cells.tolist() == release.cells.tolist()


def book_of_two_sheets():
    book = Workbook()
    book.active.append(["Notes"])
    sheet = book.create_sheet("Long table")
    for line in (["Area", "Code", "Sex", "Persons"], ["A", 1, "f", 5], ["A", 1, "m", 6], ["B", 2, "f", 7]):
        sheet.append(line)
    sheet.append(["B", 2, "m", 2])
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


LAYOUT = FileLayout(
    (
        LayoutColumn(1, "label", "Area"),
        LayoutColumn(2, "other", "Code"),
        LayoutColumn(3, "label", "Sex"),
        LayoutColumn(4, "count", "Persons"),
    ),
    first=2,
    header=1,
    sheet="Long table",
)


@pytest.mark.parametrize("chosen", ["options", "layout"])
def test_the_code_of_the_report_has_the_sheet_and_columns_of_a_workbook(tmp_path, monkeypatch, chosen):
    monkeypatch.chdir(tmp_path)
    content = book_of_two_sheets()
    Path("own.xlsx").write_bytes(content)
    source = File.from_input(content, "own.xlsx")
    options = {"sheet": "Long table", "by": ("Sex", "Area"), "count": "Persons"}
    source = source.choose(**options) if chosen == "options" else source.with_layout(LAYOUT)
    for state in states_of(source):
        assert run(state) == (state.table, True)


def test_arguments_of_a_link_that_are_not_valid_are_ignored():
    source = File.from_input(CONTENT, "long.csv").choose(by=("Area", "Sex"), count="Persons")
    saved = states_of(source)[0].to_state()
    assert TableState.from_state(saved).source.read_arguments == source.read_arguments
    for wrong in (
        {"read": {"by": 5}},
        {"read": {"other": 1}},
        {"read": 3},
        {"layout": "= = ="},
        {"layout": 7},
    ):
        again = TableState.from_state(saved | wrong)
        assert again.source.read_arguments == {}


def test_the_title_of_a_release_is_of_the_table_and_not_of_its_file():
    own = b"Jobs by sex\n,Low,High\nf,3,4\nm,5,6\n"
    cases = {CONTENT: "People by Area and Sex", own: "Jobs by sex"}
    for content, title in cases.items():
        source = File.from_input(content, "anna-17.csv")
        source = source.choose(by=("Area", "Sex"), count="Persons") if content == CONTENT else source
        for state in states_of(source):
            method = methods.get("random-rounding")(base=3)
            report = report_on(state, method.release(state.table, 7), method, seed=7)
            sheets = load_workbook(io.BytesIO(report.workbook())).worksheets
            values = [value for sheet in sheets for line in sheet.values for value in line]
            assert report.title == values[0] == title
            assert not any("anna" in str(value) for value in values)
