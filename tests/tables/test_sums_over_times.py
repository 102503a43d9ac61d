"""Totals over years count the same people several times, so files of a release do not have them."""

import io

import pytest
from openpyxl import load_workbook

from sdcwidgets import FrequencyTable, protect
from sdcwidgets.assessment.report import Report
from sdcwidgets.assessment.report.html import html
from sdcwidgets.cli import main
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.tables.io.sources import File
from sdcwidgets.tables.sums_over_times import without_sums_over_times
from sdcwidgets.widgets.page_state.reporting import report_on

COUNTS = [[[310, 350], [590, 550]], [[420, 470], [120, 180]]]
AXES = {"Area": ["A", "B"], "Sex": ["f", "m"], "Year": ["2021", "2022"]}
TABLE = FrequencyTable(COUNTS, AXES)


def test_all_totals_over_years_are_left_out_and_no_other_total():
    without = without_sums_over_times(protect(TABLE, "conventional-rounding", base=10))
    assert sorted(without.values) == [(0, 1, 2), (0, 2), (1, 2), (2,)]
    other = protect(
        FrequencyTable(COUNTS[0], {"Area": ["A", "B"], "Sex": ["f", "m"]}), "conventional-rounding"
    )
    assert without_sums_over_times(other) is other


def test_reports_and_workbooks_have_totals_over_areas_only():
    release = protect(TABLE, "conventional-rounding", base=10)
    report = Report(release, title="People by area, sex and year", table=TABLE, method=release.method)
    sheet = load_workbook(io.BytesIO(report.workbook()))["Table"]
    lines = [[cell for cell in row if cell is not None] for row in sheet.iter_rows(values_only=True)]
    head = next(line for line in lines if "2021" in line)
    assert head[-1] == "2022"
    assert ["Total", "Total", 1440, 1550] in lines
    page = html(report)
    assert 'Totals over "Year"' in page.replace("&#34;", '"')
    assert f"{TABLE.total:,}" not in page


@pytest.mark.parametrize("ending", ["csv", "px"])
def test_files_of_the_command_line_have_no_total_over_years(ending, tmp_path, capsys):
    path, out = tmp_path / "years.csv", tmp_path / f"out.{ending}"
    body = [f"{area},{year},{n}" for area, n in (("A", 310), ("B", 590)) for year in (2021, 2022)]
    path.write_text("\n".join(["Area,Year,n", *body]) + "\n", "utf-8")
    command = [
        "--by",
        "Area,Year",
        "--count",
        "n",
        "--yes",
        "--method",
        "conventional-rounding",
        "--base",
        "10",
    ]
    assert main(["protect", str(path), *command, "-o", str(out)]) == 0
    assert "1800" not in out.read_text("utf-8")


def test_a_total_over_years_that_the_file_has_comes_back():
    content = b"Deaths,2021,2022,Total\nA,310,350,660\nB,590,550,1140\nTotal,900,900,1800\n"
    source = File.from_input(content, "deaths.csv").choose(doubts="accept", margins="drop")
    reading = source.read()
    state = ProtectState(reading.table).with_table(reading.table, source.light(reading))
    release = protect(reading.table, "conventional-rounding", base=10)
    report = report_on(state, release)
    assert report.public_release.values.keys() == release.values.keys()


def test_a_total_over_areas_brings_back_no_total_over_years():
    content = b"Deaths,2021,2022\nA,310,350\nB,590,550\nTotal,900,900\n"
    source = File.from_input(content, "deaths.csv").choose(
        first_line="labels", margins="drop", only=("Column=*",)
    )
    reading = source.read()
    state = ProtectState(reading.table).with_table(reading.table, source.light(reading))
    report = report_on(state, protect(reading.table, "conventional-rounding", base=10))
    assert sorted(report.public_release.values) == [(0, 1), (1,)]
    assert "1,800" not in html(report)
