"""Titles, sources and notes of a file come back in its release, except those with a number that can be a count."""

import io

import numpy as np
import openpyxl
import pytest
from openpyxl import load_workbook

from sdcwidgets import FrequencyTable, Release, protect
from sdcwidgets.assessment.report import Report
from sdcwidgets.assessment.report.html import html
from sdcwidgets.tables.io.options import ReadOptions
from sdcwidgets.tables.io.previews import FilePreview
from sdcwidgets.tables.io.reading import read_bytes, read_csv
from sdcwidgets.tables.io.sources import File
from sdcwidgets.tables.io.writers.as_read import AsRead
from sdcwidgets.tables.io.writers.workbook import release_workbook
from tests.format_files import ods, ods_row

#: Lines with ages, days and numbers of notes, which are no counts of the table.
ABOVE = ("Table 3.2. Persons aged 25-64 by area, 1 January 2025", "Statistical Office")
BELOW = ("Notes", "1. Includes students.", "2. B includes C.", "Source: Register, 31 March 2025")

CUBE = [
    ["District", "Women", None, None, "Men", None, None],
    [None, "Low", "High", "Both", "Low", "High", "Both"],
    ["Centre", 61, 72, 133, 83, 94, 177],
    ["Harbour", 17, 206, 223, 218, 229, 447],
    ["Town", 78, 278, 356, 301, 323, 624],
]


def csv_file(above, body, below):
    lines = [*above, "", *body, "", *below]
    return "\n".join(f'"{line}"' if "," in line and line not in body else line for line in lines) + "\n"


def workbook(lines):
    book = openpyxl.Workbook()
    for line in lines:
        book.active.append(line)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def cells(content):
    return [list(row) for row in load_workbook(io.BytesIO(content))["Table"].iter_rows(values_only=True)]


def test_all_lines_without_a_hidden_count_come_back_in_their_order():
    reading = read_csv(csv_file(ABOVE, ["Area,m,f", "A,730,814", "B,927,7"], BELOW))
    release = protect(reading.table, "cell-suppression", seed=3)
    assert reading.as_read.withheld(release) == []
    assert reading.as_read.texts(release) == (ABOVE, BELOW)
    lines = release.to_csv(as_read=reading.as_read, margins=reading.totals).splitlines()
    assert [line.strip('"') for line in lines[:4]] == [*ABOVE, "", "Area,m,f"]
    column = [row[0] for row in cells(release_workbook(release, as_read=reading.as_read)) if row[0]]
    assert column[:2] == list(ABOVE)
    assert column[5:9] == list(BELOW)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (7, "7 people of B moved"),
        (7, "people who moved: 7.0"),
        (7, "seven people moved"),
        (7, "n=7"),
        (7, "（7）"),
        (7, "moved in 2020:7"),
        (21, "twenty-one people moved"),
        (31, "the 31st"),
        (37, "of ٣٧ people"),
        (1234, "1,234 people"),
        (1234, "1.234 Personen"),
        (1234, "1 234 personnes"),
        (1234, "1\u202f234 personnes"),
        (1234, "1'234 Personen"),
        (1234, "１２３４人"),
        (1234, "one thousand two hundred and thirty-four people"),
        (123456, "1,23,456 people"),
        (2021, "Persons in 2021"),
    ],
)
def test_a_line_with_a_suppressed_count_does_not_get_into_the_release(number, text):
    """An intruder reads all published files; the suppressed count is a count, a row total and a sub-total in turn."""
    shown = [[5000, 6000], [7000, 8000]]
    axes = {"Area": ["A", "B"], "Sex": ["m", "f"]}
    for place in [(0, 1), (0,), ()]:
        table = FrequencyTable(shown, axes)
        if place == (0, 1):
            counts = np.array(shown)
            counts[1, 1] = number
        elif place == (0,):
            counts = np.array(shown)
            counts[1] = [number - number // 2, number // 2]
        else:
            counts = np.array([[number - number // 2, 0], [number // 2, 0]])
        table = FrequencyTable(counts, axes)
        values = {
            margin: np.full(np.shape(sums), np.nan) for margin, sums in Release.of(table).values.items()
        }
        release = Release(table.axes, values)
        layout = AsRead("Area", ("A", "B"), ("m", "f"), above=("Areas", text), below=(text,), table=table)
        assert [withheld.line for withheld in layout.withheld(release)] == [text]
        assert number in layout.withheld(release)[0].numbers
        report = Report(release, title=layout.title(release), as_read=layout, table=table)
        published = [release.to_csv(as_read=layout), html(report)]
        published += [str(cells(report.workbook())), str(cells(release_workbook(release, as_read=layout)))]
        assert not any(text in file for file in published)
        assert all("Areas" in file for file in published)
        # What the release shows may be in its texts.
        assert layout.withheld(Release.of(table)) == []


@pytest.mark.parametrize(
    ("text", "is_withheld"),
    [("Persons aged 3 and over", True), ("Aged 3-4, 4 March 2011", False), ("Notes of 04.03.2011", False)],
)
def test_what_is_withheld_does_not_depend_on_the_counts(text, is_withheld):
    for count in (3, 4, 5):
        table = FrequencyTable([[count, 20], [30, 40]])
        layout = AsRead("Table 3", (), (), above=(text,), table=table)
        release = protect(table, "conventional-rounding", base=10)
        assert bool(layout.withheld(release)) is is_withheld


def test_a_line_does_not_disclose_that_rounding_changed_nothing():
    for counts in ([[3, 6], [9, 12]], [[4, 6], [9, 12]]):
        table = FrequencyTable(counts)
        layout = AsRead("", (), (), above=("Persons aged 3 and over",), table=table)
        assert layout.withheld(protect(table, "conventional-rounding", base=3))


def test_a_count_that_is_shown_in_another_cell_is_withheld_if_its_own_cell_is_suppressed():
    table = FrequencyTable([[7, 7], [20, 30]])
    values = {margin: np.array(sums, dtype=float) for margin, sums in Release.of(table).values.items()}
    values[0, 1] = np.array([[7, np.nan], [20, 30]])
    layout = AsRead("", (), (), above=("Of 7 people",), table=table)
    assert layout.withheld(Release(table.axes, values))[0].numbers == (7,)
    assert layout.withheld(Release.of(table)) == []


def test_sums_of_the_file_that_are_no_counts_of_the_table_are_withheld():
    text = "Area,m,f,All\nNorth,30,40,70\na,11,23,34\nb,19,17,36\nSouth,5,80,85\nCountry,35,120,155\n\nOf 70 in North\n"
    reading = read_bytes("areas.csv", text.encode(), how=ReadOptions(margins="drop", doubts="accept"))
    assert "North" not in reading.table.axes[0]
    release = protect(reading.table, "random-rounding", seed=3)
    assert reading.as_read.withheld(release)[0].numbers == (70,)
    assert "Of 70" not in release.to_csv(as_read=reading.as_read)


def test_a_withheld_line_can_be_put_back_edited_or_left_out():
    table = FrequencyTable([[1, 20], [30, 40]])
    layout = AsRead("", (), (), above=("People, 1 May",), below=("Of one person",), table=table)
    release = protect(table, "conventional-rounding", base=10)
    assert [withheld.line for withheld in layout.withheld(release)] == ["People, 1 May", "Of one person"]
    layout = layout.with_text("People, 1 May", "People, May").with_text("Of one person", "Of one person")
    assert layout.withheld(release) == []
    assert layout.texts(release) == (("People, May",), ("Of one person",))
    assert layout.title(release) == "People, May"
    assert layout.with_text("Of one person", "").texts(release)[1] == ()


def test_a_withheld_title_is_replaced_and_the_second_line_does_not_become_the_title():
    table = FrequencyTable([[1, 20], [30, 40]])
    layout = AsRead("", (), (), above=("People, 1 May", "Office"), table=table)
    release = protect(table, "conventional-rounding", base=10)
    rows = cells(release_workbook(release, "People by Row", as_read=layout))
    assert [rows[0][0], rows[1][0]] == ["People by Row", "Office"]


def test_a_cube_keeps_its_heading_lines_and_has_no_further_totals():
    content = workbook([["Education, 2024"], [], *CUBE[:2], *CUBE[2:], [], ["Source: office"]])
    reading = read_bytes("cube.xlsx", content, how=ReadOptions(margins="drop"))
    assert reading.table.shape == (2, 2, 2)
    original = cells(release_workbook(Release.of(reading.table), as_read=reading.as_read))
    body = [row for row in original if len([cell for cell in row if cell is not None]) > 1]
    assert body == CUBE
    without = [line[:3] + line[4:6] for line in CUBE[:-1]]
    reading = read_bytes("cube.xlsx", workbook([["Education"], *without]))
    release = protect(reading.table, "cell-key", seed=3)  # each total has its own noise
    rows = cells(release_workbook(release, as_read=reading.as_read))
    body = [row for row in rows if len([cell for cell in row if cell is not None]) > 1]
    assert [row[:1] for row in body] == [row[:1] for row in without]
    assert body[:2] == without[:2]
    assert (len(body), {len(row) for row in body}) == (len(without), {5})


def test_totals_in_merged_headings_and_on_one_axis_come_back():
    lines = [
        ["Area", "Women", None, "Men", None, "All"],
        [None, "Low", "High", "Low", "High", None],
        ["A", 61, 72, 83, 94, 310],
        ["B", 17, 206, 218, 229, 670],
    ]
    reading = read_bytes("a.xlsx", workbook(lines), how=ReadOptions(margins="drop", doubts="accept"))
    assert reading.table.shape == (2, 2, 2)
    rows = cells(release_workbook(Release.of(reading.table), as_read=reading.as_read))
    assert [row for row in rows if row[1] is not None] == lines
    reading = read_csv("People of 2024\nArea,Persons\nA,61\nB,72\n\nSource: office\n")
    written = Release.of(reading.table).to_csv(as_read=reading.as_read, margins=reading.totals)
    assert written.splitlines() == ["People of 2024", "Area,Persons", "A,61", "B,72", "", "Source: office"]


PX = """CHARSET="ANSI";
AXIS-VERSION="2013";
LANGUAGE="en";
TITLE="Citizens by area, age 15-74 and sex";
STUB="Area","Age";
HEADING="Sex";
VALUES("Area")="A","B";
VALUES("Age")="15-39","40-74";
VALUES("Sex")="m","f";
SOURCE="Office, 31 March 2025";
NOTE="Without 2 areas.";
DATA=
61 72
83 94
17 206
218 2;
"""


def test_a_px_file_keeps_title_source_notes_and_shape():
    reading = read_bytes("citizens.px", PX.encode())
    layout = reading.as_read
    assert layout.texts(Release.of(reading.table)) == (
        ("Citizens by area, age 15-74 and sex",),
        ("Source: Office, 31 March 2025", "Without 2 areas."),
    )
    release = protect(reading.table, "cell-suppression", seed=3)
    rows = [row[:4] for row in cells(release_workbook(release, as_read=layout)) if row[1] is not None]
    assert rows[0] == ["Area", "Age", "m", "f"]
    assert [row[:2] for row in rows[1:]] == [["A", "15-39"], ["A", "40-74"], ["B", "15-39"], ["B", "40-74"]]
    assert layout.withheld(release)[0].line == "Without 2 areas."
    assert AsRead.from_state(layout.to_state(), reading.table) == layout


BLOCKS = [
    ["Table 4. Employed persons by sex, age and district, 1 January 2025"],
    ["Statistical Office"],
    [],
    ["Age", "Centre", "Harbour", "Town"],
    ["Men"],
    ["15-24", 61, 72, 33],
    ["25-64", 183, 194, 77],
    ["Women"],
    ["15-24", 71, 82, 43],
    ["25-64", 283, 294, 87],
    [],
    ["Source: Register of persons"],
    ["1) Without members of the armed forces"],
]

HEADINGS = [
    ["Table 1. Firms by branch and size"],
    [None, "Small", None, "Large", None],
    ["Branch", "2022", "2023", "2022", "2023"],
    ["Trade", 120, 130, 20, 25],
    ["Crafts", 80, 85, 10, 12],
    ["Source: business register"],
]

WIDE = b"""Households by district and type

District;Single;Couple;Family;Commuters;All
Centre;412;331;208;57;951
Harbour;298;301;199;41;798
Town;150;120;88;12;358
Total;860;752;495;110;2107

Note: provisional results
Source: Household survey 2024
"""

TITLES = b"""Population by region and nationality
City office, 2024
Region,National,Foreign,Total
North,1200,130,1330
South,2300,410,2710
Bremen,300,25,325
Total,3500,540,4040
Source: City register
"""

#: A file that the preview reads, and its lines above and below the table.
OF_PREVIEWS = {
    "blocks.xlsx": (workbook(BLOCKS), [BLOCKS[0][0], BLOCKS[1][0]], [BLOCKS[-2][0], BLOCKS[-1][0]]),
    "headings.xlsx": (workbook(HEADINGS), [HEADINGS[0][0]], [HEADINGS[-1][0]]),
    "wide.csv": (
        WIDE,
        ["Households by district and type"],
        ["Note: provisional results", "Source: Household survey 2024"],
    ),
    "titles.csv": (
        TITLES,
        ["Population by region and nationality", "City office, 2024"],
        ["Source: City register"],
    ),
    "one.ods": (
        ods(
            ods_row("Deaths by cause and sex")
            + ods_row("Cause", "Men", "Women", "Both")
            + ods_row("Heart", 61, 72, 133)
            + ods_row("Cancer", 83, 94, 177)
            + ods_row("All causes", 144, 166, 310)
            + ods_row("Source: civil registers")
        ),
        ["Deaths by cause and sex"],
        ["Source: civil registers"],
    ),
}


@pytest.mark.parametrize("name", OF_PREVIEWS)
def test_title_source_and_notes_of_a_file_with_a_preview_come_back(name):
    content, above, below = OF_PREVIEWS[name]
    source = File.from_input(content, name)
    reading = source.with_layout(FilePreview(content).layout()).read()
    assert (reading.as_read.above, reading.as_read.below) == (tuple(above), tuple(below))
    release = protect(reading.table, "conventional-rounding", seed=1)
    text = release.to_csv(as_read=reading.as_read, margins=reading.totals)
    assert [line.strip('"') for line in text.splitlines()[: len(above)]] == above
    report = Report(release, title=reading.as_read.title(release), as_read=reading.as_read)
    column = [row[0] for row in cells(report.workbook())]
    assert column[: len(above)] == above
    places = [column.index(line) for line in below]
    assert places == sorted(places)
    page = html(report)
    assert all(page.count(f">{line}<") == 1 for line in (*above, *below))
    if name != "one.ods":
        return
    # The heading and the total of the file, which its numbers confirm, come back, too.
    assert [row for row in cells(report.workbook()) if row[0] == "All causes"]


def test_a_total_of_a_layout_that_is_no_sum_is_no_total_of_the_release():
    reading = File.from_input(TITLES, "t.csv").with_layout(FilePreview(TITLES).layout()).read()
    text = protect(reading.table, "conventional-rounding", seed=1).to_csv(as_read=reading.as_read)
    assert not any(line.startswith("Bremen") for line in text.splitlines())


def test_a_line_on_thousands_does_not_come_back_if_the_counts_were_multiplied():
    content = b"People by area\n(in thousands)\nArea;m;f\nA;13;24\nB;31;47\nC;12;9\n"
    layout = FilePreview(content).layout()
    assert layout.unit == 1000
    reading = File.from_input(content, "thousands.csv").with_layout(layout).read()
    assert reading.as_read.above == ("People by area",)


def light(content, name="table.csv"):
    source = File.from_input(content, name)
    source = source.with_layout(FilePreview(content).layout())
    return source.light(source.read())


def test_categories_that_are_not_in_the_table_are_named_in_the_release():
    layout = light(TITLES).as_read
    assert layout.omitted == ("Bremen",)
    note = "Not in this table: Bremen."
    table = layout.table
    release = protect(table, "conventional-rounding", seed=1)
    report = Report(release, title="Areas", as_read=layout)
    assert note in release.to_csv(as_read=layout)
    assert note in [row[0] for row in cells(report.workbook())]
    assert note in html(report)
    # The link of a page has the labels, too.
    assert AsRead.from_state(layout.to_state(), table).omitted == ("Bremen",)


def test_a_column_of_other_figures_and_a_total_of_them_are_named():
    assert sorted(light(WIDE).as_read.omitted) == ["All", "Family"]


@pytest.mark.parametrize("meaning", ["zero", "leave out"])
def test_a_line_whose_mark_means_that_it_is_omitted_is_named(meaning):
    content = b"Cause;Men;Women;Both\nHeart;61;72;133\nCancer;83;94;177\nOther;x;27;28\nAll;145;193;338\n"
    preview = FilePreview(content)
    preview.change({"name": "meaning:x", "value": meaning})
    source = File.from_input(content, "causes.csv").with_layout(preview.layout())
    layout = source.light(source.read()).as_read
    names = set() if layout is None else set(layout.omitted)
    assert ("Other" in names) == (meaning == "leave out")
    assert "All" in names


def test_the_times_that_were_not_chosen_are_named():
    content = b"Year,Area,n\n2021,A,31\n2021,B,47\n2022,A,35\n2022,B,41\n"
    source = File.from_input(content, "years.csv")
    preview = FilePreview(content)
    preview.change({"name": "only:1", "value": "2022"})
    source = source.with_layout(preview.layout())
    assert source.light(source.read()).as_read.omitted == ("2021",)


def test_a_total_that_is_a_sum_and_a_footnote_are_not_named():
    content = b"Area;m;f;All\nA;31;47;78\nB;35;41;76\nTotal;66;88;154\nNote: provisional\n"
    assert light(content).as_read.omitted == ()
    source = File.from_input(content, "areas.csv")
    assert source.light(source.read()).as_read.omitted == ()


def test_the_label_of_a_total_of_the_release_and_a_label_with_a_count_are_not_named():
    layout = AsRead("", (), ()).with_omitted(["Total", "Abroad", "Unknown (n = 7)"])
    release = Release.of(FrequencyTable([1, 2]))
    assert layout.texts(release)[1] == ("Not in this table: Abroad and 1 more.",)
    many = AsRead("", (), ()).with_omitted([f"Region {k}" for k in "abcdefgh"]).texts(None)[1][0]
    assert many.endswith("Region f and 2 more.")
