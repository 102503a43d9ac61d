"""The script in an internal report writes the file that was released."""

import io
from pathlib import Path

import openpyxl
import pytest
from openpyxl import load_workbook

from screens import ask, button, control, inside
from sdcwidgets.assessment.report.script import PUBLISHED_FILE
from sdcwidgets.dashboards import protect as protect_page
from sdcwidgets.dashboards.protect.page import PUBLISH_SUB_TOTALS
from sdcwidgets.dashboards.protect.release import ReleaseCard
from sdcwidgets.dashboards.protect.state import with_secret_seed
from sdcwidgets.methods.cell_suppression import CellSuppression
from sdcwidgets.tables.io.options import ReadOptions
from sdcwidgets.tables.io.sources import File
from sdcwidgets.widgets.page import Page

CUBE = [
    ["Persons aged 25-64, 2024"],
    [],
    ["District", "Women", None, "Men", None],
    [None, "Low", "High", "Low", "High"],
    ["Centre", 61, 72, 83, 1],
    ["Harbour", 17, 206, 218, 229],
    [],
    ["Source: Register, 31 March 2025"],
]
NESTED = [
    ["Persons by area, census 2021"],
    ["Area", "Employed", "Retired", "Total"],
    ["Country", 630, 332, 962],
    ["North", 320, 151, 471],
    ["Aster", 120, 51, 171],
    ["Birk", 200, 100, 300],
    ["South", 310, 181, 491],
    ["Colm", 150, 180, 330],
    ["Dorn", 160, 1, 161],
    [],
    ["Source: Census 2021"],
]


def workbook(lines):
    book = openpyxl.Workbook()
    for line in lines:
        book.active.append(line)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def opened(content, how=None):
    """Return the page with a file, and its study."""
    screen = protect_page.app()
    (page,) = inside(screen, Page)
    study = page._study
    source = File.from_input(content, "own.xlsx").choose(**({} if how is None else how.changed()))
    reading = source.read()
    study.load(study.state.with_table(reading.table, source.light(reading)))
    return screen, study


def run(code, seed):
    exec(code.replace("seed = None", f"seed = {seed}"), {})


def rows(content):
    return [list(row) for row in load_workbook(io.BytesIO(content))["Table"].iter_rows(values_only=True)]


@pytest.mark.parametrize("method", [CellSuppression(), None])
def test_the_script_writes_the_cube_that_the_page_saves(tmp_path, monkeypatch, capsys, method):
    monkeypatch.chdir(tmp_path)
    content = workbook(CUBE)
    Path("own.xlsx").write_bytes(content)
    screen, study = opened(content)
    if method is not None:
        study.change(method=method)
    ask(control(screen, "Rule"), "minimum-frequency")
    study.put(with_secret_seed(study.state))
    study.change(texts=((CUBE[-1][0], "Source: Register"),))
    report = ReleaseCard(study, list).report(internal=True)
    run(report.code, study.state.settings.seed)
    written = rows(Path(PUBLISHED_FILE).read_bytes())
    assert written == rows(report.workbook())
    assert ["Source: Register"] in [row[:1] for row in written]
    assert capsys.readouterr().out.strip() == study.result.verdict.sentence


def test_the_script_of_suppression_with_sub_totals_prints_the_verdict_and_writes_the_file(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    content = workbook(NESTED)
    Path("own.xlsx").write_bytes(content)
    screen, study = opened(content, ReadOptions(margins="drop"))
    ask(control(screen, "Rule"), "minimum-frequency")
    on, place = button(screen, PUBLISH_SUB_TOTALS)
    on._press(place)
    study.put(with_secret_seed(study.state.changed(method=CellSuppression())))
    report = ReleaseCard(study, list).report(internal=True)
    run(report.code, study.state.settings.seed)
    assert capsys.readouterr().out.strip() == study.result.verdict.sentence
    written = rows(Path(PUBLISHED_FILE).read_bytes())
    assert written == rows(report.workbook())
    assert [row[0] for row in written if row[0] in ("Country", "North", "Aster", "South")] == [
        "Country",
        "North",
        "Aster",
        "South",
    ]
    assert max(map(len, report.code.splitlines())) < 400
