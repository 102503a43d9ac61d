"""Each tool that decides something hands over a report by one button."""

import io
import re
from dataclasses import replace
from importlib import import_module

import pytest
from openpyxl import Workbook, load_workbook

from screens import inside
from sdcwidgets import FrequencyTable, Release, methods
from sdcwidgets._util.publication import FIRST_LINE
from sdcwidgets.assessment.report.html import html
from sdcwidgets.dashboards.protect.result import compute as protected
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.dashboards.rounding import page as rounding
from sdcwidgets.dashboards.rounding.result import compute
from sdcwidgets.dashboards.rounding.state import RoundingState
from sdcwidgets.dashboards.tables.state import TablesState
from sdcwidgets.tables.io.sources import File
from sdcwidgets.tables.io.writers.workbook import release_workbook
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.page_state.reporting import SMALL_SEED, report_on

#: What each page's report is about; of these the true table is shown as it is, which only the house may see.
TOOLS = {
    "explore": "internal-report",
    "cell_key": "report",
    "microdata": "internal-report",
    "rounding": "report",
    "sample": "report",
    # The page opens with a suppressed cell that data users can compute.
    "suppression": "internal-report",
    "tables": "report",
}


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_hands_over_its_report(name):
    dashboard = import_module(f"sdcwidgets.dashboards.{name}")
    # The page Tables opens with a refused request, on which there is no report.
    screen = dashboard.app(TablesState().with_request()) if name == "tables" else dashboard.app()
    (page,) = inside(screen, Page)
    assert page.reports
    sent = []
    page.send = lambda message, buffers=None: sent.append((message, buffers))
    page._hear(page, {"type": "report"}, [])
    assert page.problem == ""
    ((message, (content,)),) = sent
    assert message["name"].startswith(f"{TOOLS[name]}-")
    text = content.decode("utf-8")
    assert "<h1>" in text
    assert "<script" not in text
    internal = message["name"].startswith("internal")
    assert (FIRST_LINE in text.splitlines()[0]) is internal
    assert (FIRST_LINE in text) is internal
    if name == "microdata":
        assert "Key variables: " in text
    else:
        assert "Published table" in text
        assert "What data users can infer" in text


@pytest.mark.parametrize("name", ["cell_key", "sample"])
def test_a_report_of_small_draws_says_that_their_seed_can_be_guessed(name):
    """These pages draw from a small number on the screen: an intruder who tries all numbers removes the protection."""
    made = []
    screen = import_module(f"sdcwidgets.dashboards.{name}").app()
    (page,) = inside(screen, Page)
    page.send = lambda message, buffers=None: made.append(buffers[0].decode("utf-8"))
    page._hear(page, {"type": "report"}, [])
    assert page.problem == ""
    assert SMALL_SEED in made[0]
    assert not re.search(r"[Ss]eed \d", made[0])


@pytest.mark.parametrize(
    ("method", "warned"), [("random", True), ("conventional", False), ("controlled", False)]
)
def test_a_report_of_random_rounding_says_so_too(method, warned):
    study = Study(RoundingState.of_example("handbook-5-18").changed(method=method), compute)
    assert (SMALL_SEED in rounding._report(study).release.notes) is warned


def workbook_of(*lines):
    book, content = Workbook(), io.BytesIO()
    for line in lines:
        book.active.append(line)
    book.save(content)
    return content.getvalue()


THREE_AXES = workbook_of(
    ["Employment by age and sex, 2025"],
    ["Source: office of Ashby"],
    [],
    ["Area", "Men", None, "Women", None],
    [None, "Young", "Old", "Young", "Old"],
    ["North", 12, 3, 8, 1],
    ["South", 7, 9, 2, 14],
    ["East", 5, 6, 7, 8],
    [],
    ["Note: preliminary"],
)


def test_a_released_table_has_the_texts_of_its_workbook_and_no_invented_names():
    """With two lines of labels the file name was the title, and a corner "Upper heading \\ Column" was added."""
    source = File.from_input(THREE_AXES, "jobs.xlsx")
    reading = source.read()
    state = ProtectState(reading.table, source.light(reading)).set(seed=3**33)
    # A table that was opened on another page has the same texts.
    for opened in (state, ProtectState.from_state(state.to_state())):
        result = protected(opened.changed(method=methods.get("redesign")()))
        report = report_on(opened, result.published, result.state.method, seed=3**33)
        table, method = load_workbook(io.BytesIO(report.workbook())).worksheets
        lines = list(table.values)
        assert [line[0] for line in lines[:3]] == [
            "Employment by age and sex, 2025",
            "Source: office of Ashby",
            None,
        ]
        assert lines[3] == (
            "Area",
            "Men",
            "Women",
        )  # Age has one category, so it is no variable of the release.
        assert "Note: preliminary" in [line[0] for line in lines]
        assert None not in [value for line in method.values for value in line]
        assert report.title == "Employment by age and sex, 2025"
        internal = html(replace(report, internal=True))
        assert "from_excel(file" in internal
        assert "jobs.xlsx" in internal
        assert "Upper heading \\ Column" not in internal


def test_a_workbook_without_a_source_has_one_blank_line_below_its_title():
    book = release_workbook(Release.of(FrequencyTable([[3, 4], [5, 6]])), "A title")
    values = list(load_workbook(io.BytesIO(book))["Table"].values)
    assert [line[0] for line in values[:4]] == ["A title", None, None, "Row 1"]
