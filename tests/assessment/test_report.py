"""What is handed over says what was done, and the public variant nothing that the release hides."""

import csv
import re
from dataclasses import replace
from html import unescape
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from openpyxl import load_workbook

from sdcwidgets import FrequencyTable, InputError, examples, methods, protect
from sdcwidgets._util.publication import FIRST_LINE, ORIGINAL
from sdcwidgets.assessment.report import Alternative, Report, write
from sdcwidgets.assessment.report.html import html
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.cli import main
from sdcwidgets.tables.release import Release

SEED = 123456789123456789
TABLE = FrequencyTable(
    [[20, 31, 44], [0, 0, 7], [1204, 5, 9]],
    {"Area": ["<b>Area 1</b>", "Area 2", "=1+1"], "Does": ["Work", "Study", "In care"]},
)
METHOD = methods.get("random-rounding")(base=3)


def report(**more):
    release = METHOD.release(TABLE, SEED)
    verdict = judge(
        TABLE, release, ReleaseLimits("Panel, May 2026", no_risk_limit="a test of stops"), seed=SEED
    )
    names = {stop.name: "it is known anyway" for stop in verdict.stops}
    given = {
        "verdict": verdict.accepting(names),
        "method": METHOD,
        "title": "Areas",
        "table": TABLE,
        "seed": SEED,
    }
    return Report(release, **given | more)


def test_the_public_report_holds_nothing_that_follows_from_the_original_counts():
    alternatives = [Alternative("a", 0.2, 1.0), Alternative("b", 0.1, 2.0, best=True, chosen=True)]
    full = report(alternatives=alternatives, read=["Line 7 was left out: 1204."], by_hand=3)
    assert html(full) == html(Report(full.release, method=METHOD, title="Areas"))
    assert sheets(full) == sheets(Report(full.release, method=METHOD, title="Areas"))


def sheets(one):
    book = load_workbook(BytesIO(one.workbook()))
    return {sheet.title: [*sheet.iter_rows(values_only=True)] for sheet in book.worksheets}


def test_the_internal_report_has_all_and_says_so_in_its_first_line_and_on_each_page(tmp_path):
    one = report(internal=True)
    page = html(one)
    assert FIRST_LINE in page.splitlines()[0]
    assert str(SEED) in page
    assert "Original counts" in page
    assert "Area 2 still shows all people in one cell" in page
    assert f"{one.verdict.residual:.4f}" in page
    assert re.search(r'@top-center \{ content: "Internal', page)
    with pytest.raises(InputError, match="pass the table"):
        html(report(internal=True, table=None))
    with pytest.raises(InputError, match=r"internal-report\.html"):
        write(one, tmp_path / "report.html")
    assert not [*tmp_path.iterdir()]


def test_labels_are_data_and_nothing_comes_from_elsewhere():
    page = html(report())
    assert "<b>Area 1</b>" not in page
    assert "&lt;b&gt;Area 1&lt;/b&gt;" in page
    assert not re.search(r"<script|<link|src=|https?:", page)


def test_reports_and_workbook_of_an_original_table_state_that_no_method_was_applied():
    table = examples.load("religion")
    verdict = judge(table, None, ReleaseLimits("Panel, May 2026", no_risk_limit="public counts", one_cell=0))
    original = Report(Release.of(table), verdict, table=table)
    assert ORIGINAL in html(original)
    assert ORIGINAL in html(replace(original, internal=True))
    book = load_workbook(BytesIO(original.workbook()))
    assert (book["Method"]["A1"].value, book["Method"]["B1"].value) == ("Method", ORIGINAL)
    assert ORIGINAL not in html(report())


def test_a_report_is_written_as_html_only(tmp_path):
    path = tmp_path / "report.html"
    write(Report(METHOD.release(TABLE, 1), title="Areas"), path)
    assert "Published table" in path.read_text("utf-8")
    with pytest.raises(InputError, match=r"ends in \.html"):
        write(report(), tmp_path / "report.pdf")


def test_the_command_line_writes_report_and_workbook(tmp_path):
    page, book = tmp_path / "r.html", tmp_path / "t.xlsx"
    given = ["protect", "example:religion", "--method", "conventional-rounding", "--base", "3"]
    assert main([*given, "--report", str(page), "-o", str(book)]) == 0
    assert "Religion by output area" in page.read_text("utf-8")
    sheet = load_workbook(book)["Table"]
    assert sheet["A1"].value == "Religion by output area"
    assert [cell.value for cell in sheet[4]][:3] == ["Area \\ Religion", "Christian", "Buddhist"]
    assert sheet["B5"].number_format == "#,##0"
    assert FrequencyTable.from_excel(book).counts.tolist() == (
        methods.get("conventional-rounding")(base=3).apply(examples.load("religion"), 1).counts.tolist()
    )


def test_a_workbook_holds_texts_as_texts_and_the_totals_own_name():
    nan = float("nan")
    release = Release(
        TABLE.axes, {(0, 1): np.where(TABLE.counts == 5, nan, TABLE.counts), (0,): [95, 7, 1218]}
    )
    sheet = load_workbook(BytesIO(Report(release, title="Areas").workbook("England and Wales")))["Table"]
    assert sheet["A6"].value == "=1+1"
    assert sheet["A6"].data_type == "s"
    assert sheet["C6"].value == "c"
    assert sheet["E3"].value == "England and Wales"
    assert sheet["A3"].font.bold


AS_SENT = """"Religion by area, 2011"
Source: the office

Area,All,Christian,None
Town B,9,5,4
"Hill, east",24,1,23
England and Wales,33,6,27

* includes Jedi
"Of 24 people in Hill, 23 have none"
"""


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_what_was_read_is_written_back_in_the_layout_it_came_in(ending, tmp_path):
    """Titles, order, the names of totals and footnotes are those of the input; a line with a true count is not."""
    source, out = tmp_path / "sent.csv", tmp_path / f"out.{ending}"
    source.write_text(AS_SENT, "utf-8")
    given = ["protect", str(source), "--method", "conventional-rounding", "--base", "5", "-o", str(out)]
    assert main([*given, "--margins", "drop"]) == 0
    if ending == "csv":
        rows = list(csv.reader(out.read_text("utf-8").splitlines()))
    else:
        cells = load_workbook(out)["Table"].iter_rows(values_only=True)
        rows = [[str(cell) for cell in row if cell is not None] for row in cells]
    rows = [row for row in rows if row and not row[0].startswith("Conventional rounding to base 5")]
    assert rows == [
        ["Religion by area, 2011"],
        ["Source: the office"],
        ["Area", "All", "Christian", "None"],
        ["Town B", "10", "5", "5"],
        ["Hill, east", "25", "0", "25"],
        ["England and Wales", "35", "5", "30"],
        ["* includes Jedi"],
        ["Totals are the sums of the published counts."],
    ]


def test_a_table_that_is_not_simple_is_written_in_the_usual_layout(tmp_path):
    path, out = tmp_path / "sent.csv", tmp_path / "out.csv"
    path.write_text("Area,Sex,Persons\nA,f,5\nA,m,6\nB,f,7\nB,m,2\n", "utf-8")
    given = [
        "protect",
        str(path),
        "--by",
        "Area,Sex",
        "--count",
        "Persons",
        "--method",
        "conventional-rounding",
    ]
    assert main([*given, "-o", str(out)]) == 0
    assert out.read_text("utf-8").startswith('"Area')


@pytest.mark.parametrize(
    ("make", "part"),
    [
        (lambda: Report(TABLE), "release"),
        (
            lambda: Report(METHOD.release(TABLE, 1), table=TABLE, method="random-rounding", internal=True),
            "method",
        ),
        (lambda: Report(METHOD.release(TABLE, 1), "released"), "verdict"),
        (lambda: Report(METHOD.release(TABLE, 1), table=[[1, 2]]), "table"),
        (lambda: write(METHOD.release(TABLE, 1), "y.html"), "report"),
        (lambda: write(Report(METHOD.release(TABLE, 1)), 3), "path"),
    ],
)
def test_a_wrong_argument_is_named(make, part):
    with pytest.raises(InputError, match=part):
        make()


SECRET = 183095072317404381220961637271945101993
SMALL = FrequencyTable([[20, 31], [7, 9]], {"Area": ["Bath", "Hull"], "Sex": ["men", "women"]})


def run(code, secret=None):
    """Run the code of a report as printed, with the secret as a user fills it in."""
    assert str(SECRET) not in code
    lines = code.splitlines()
    assert sum(line.startswith("seed = None  #") for line in lines) == 1
    names = {}
    exec(code if secret is None else code.replace("seed = None", f"seed = {secret}"), names)
    return names


@pytest.mark.parametrize("seed", [SECRET, None])
@pytest.mark.parametrize("source", ["", "my table.csv", "Census 2021, table 4"])
def test_the_code_of_the_internal_report_reproduces_the_release(seed, source, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    name = source if source.endswith(".csv") else "table.csv"
    Path(name).write_text("Area,men,women\nBath,20,31\nHull,7,9\n", "utf-8")
    method = METHOD if seed else methods.get("conventional-rounding")(base=5)
    release = method.release(SMALL, seed or 1)
    report = Report(release, method=method, table=SMALL, seed=seed, source=source, internal=True)
    assert report.code.startswith(f'file = "{name}"')
    assert run(report.code, seed)["release"] == report.release
    assert capsys.readouterr().out


def test_the_code_repeats_the_verdict_with_its_reasons(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    TABLE.to_csv("t.csv")
    release = METHOD.release(TABLE, SECRET)
    verdict = judge(TABLE, release, ReleaseLimits("Panel", no_risk_limit="a test"), seed=SECRET)
    verdict = verdict.accepting({stop.name: "it's known" for stop in verdict.stops})
    one = Report(release, verdict, METHOD, table=TABLE, seed=SECRET, file="t.csv", internal=True)
    assert run(one.code, SECRET)["release"] == release
    assert capsys.readouterr().out.strip() == verdict.sentence


def test_the_code_repeats_reading_options_and_new_names_of_axes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("long.csv").write_text("Area,Sex,Persons\nA,f,5\nA,m,6\nB,f,7\nB,m,2\n", "utf-8")
    options = {"by": ("Area", "Sex"), "count": "Persons"}
    table = FrequencyTable.from_csv("long.csv", **options).rename(Area="Town")
    release = METHOD.release(table, SECRET)
    one = Report(release, method=METHOD, table=table, source="long.csv", read_options=options, internal=True)
    assert run(one.code, SECRET)["release"] == release


def test_the_code_reads_a_workbook_and_an_example(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    SMALL.to_frame().to_excel("t.xlsx")
    options = {"sheet": "Sheet1"}
    one = Report(METHOD.release(SMALL, 1), method=METHOD, table=SMALL, file="t.xlsx", read_options=options)
    assert run(one.code, 1)["release"] == one.release
    religion = examples.load("religion")
    title = examples.get("religion").title
    two = Report(METHOD.release(religion, 1), method=METHOD, table=religion, title=title)
    assert run(two.code, 1)["release"] == two.release
    original = Report(Release.of(religion), judge(religion), table=religion, title=title)
    assert run(original.code)["release"] == Release.of(religion)


def test_the_code_of_weighted_records_has_a_variable_for_the_weight(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("table.csv").write_text("Area,Sex,weight\nA,f,5\nA,m,6\nB,f,7\nB,m,2\nB,m,4\n", "utf-8")
    table = FrequencyTable.from_csv("table.csv", by=["Area", "Sex"], weight="weight")
    one = Report(protect(table, METHOD, seed=SECRET), method=METHOD, table=table)
    assert run(one.code, SECRET)["release"] == one.release


def test_the_code_of_the_command_line_runs_as_printed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("long.csv").write_text("Area,Sex,Persons\nA,f,5\nA,m,6\nB,f,7\nB,m,2\n", "utf-8")
    given = ["protect", "long.csv", "--by", "Area,Sex", "--count", "Persons", "--method", "random-rounding"]
    given += ["--seed", str(SECRET), "-o", "out.csv", "--internal-report", "internal.html"]
    assert main(given) == 0
    page = Path("internal.html").read_text("utf-8")
    code = unescape(re.search(r"<pre><code>(.*?)</code></pre>", page, re.DOTALL)[1])
    again = run(code, SECRET)["release"]
    published = FrequencyTable.from_csv("out.csv")
    assert again.cells.tolist() == published.counts.tolist()


def test_without_a_method_the_code_has_no_release():
    assert run_nothing(Report(METHOD.release(SMALL, 1)).code) == {}


def run_nothing(code):
    """Return the names that a script defines."""
    names = {}
    exec(code, names)
    names.pop("__builtins__")
    return names


def test_the_widths_of_intervals_are_numbers_of_possible_counts():
    release = methods.get("conventional-rounding")(base=5).release(FrequencyTable([[11, 21], [31, 41]]), 1)
    lower, upper = release.cell_bounds(sharp=True)
    possible = {len(range(int(low), int(high) + 1)) for low, high in zip(lower.flat, upper.flat, strict=True)}
    [sentence] = [text for text in Report(release).conclusions if "possible counts" in text]
    stated = re.search(r"interval with ([\d to]+) possible counts", sentence)[1]
    assert {int(number) for number in stated.split(" to ")} == {min(possible), max(possible)}


def test_the_method_sheet_names_the_variable_and_no_line_is_repeated_as_its_total():
    table = FrequencyTable([[1, 40], [20, 30], [50, 60]], {"Age": ["a", "b", "c"], "Sex": ["f", "m"]})
    ages = methods.get("redesign")(axis="rows", together=(("a", "b", "c"),))
    one = Report(protect(table, ages), method=ages)
    assert ("Variable", "Age") in sheets(one)["Method"]
    # The files do not contain the variable that was removed.
    assert one.lines == [["Sex", "Count"], ["f", "71"], ["m", "130"], ["Total", "201"]]
    sexes = methods.get("redesign")(axis="columns", together=(("f", "m"),))
    one = Report(protect(table, sexes), method=sexes)
    assert dict(one.settings)["Variable"] == "Sex"
    assert ("Variable", "Sex") in sheets(one)["Method"]
    assert one.lines[0] == ["Age", "Count"]
    assert one.lines[-1] == ["Total", "201"]
