import io
import zipfile

import openpyxl
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from refusing import outcome, sentence
from stating import stating

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import MOST_PEOPLE
from sdcwidgets.tables.io.sources import (
    MAX_DASHBOARD_CELLS,
    MAX_DASHBOARD_COLUMNS,
    MAX_DASHBOARD_ROWS,
    Question,
    Reading,
    ReadOptions,
    read_block,
    read_bytes,
    read_csv,
    read_excel,
    read_frame,
)
from sdcwidgets.tables.table import Axis, FrequencyTable

SEX = FrequencyTable([[161, 141], [105, 94]], {"Area": ["Area 1", "Area 2"], "Column": ["Male", "Female"]})
PLAIN = "Area,Male,Female\nArea 1,161,141\nArea 2,105,94\n"


def test_a_text_file_is_no_workbook_and_a_missing_layout_is_no_table(tmp_path):
    (tmp_path / "t.csv").write_text(PLAIN)
    with pytest.raises(InputError, match=r"t\.csv.*from_csv"):
        FrequencyTable.from_excel(tmp_path / "t.csv")
    with pytest.raises(InputError, match="damaged"):
        FrequencyTable.from_excel(b"PK damaged")
    with pytest.raises(InputError, match=r"none\.toml.*path of a layout"):
        FrequencyTable.from_csv(PLAIN, layout=tmp_path / "none.toml")


def workbook(*sheets):
    """The bytes of a workbook with these (title, rows)."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for i, row in enumerate(rows, start=1):
            for j, value in enumerate(row, start=1):
                cell = sheet.cell(i, j)
                cell.value = value
                if isinstance(value, str):
                    cell.data_type = "s"
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n"])
def test_separators_and_line_ends(mark, end):
    assert read_csv(PLAIN.replace(",", mark).replace("\n", end)) == Reading(SEX)


def test_decimal_commas_below_a_title_do_not_separate_cells():
    lines = "".join(f"{area};{sex};{7 * n + 3};{n},05\n" for n, area in enumerate("ABCDEFGH") for sex in "mf")
    table = FrequencyTable.from_csv(
        f"Patients\nYear: 2022\n\nArea;Sex;Patients;Share\n{lines}".encode(), margins="drop", doubts="accept"
    )
    assert [axis.name for axis in table.axes] == ["Area", "Sex"]


def test_many_notes_with_commas_are_above_a_table_with_semicolons():
    notes = [f"Note {i}: the area, its name, and its code are those of the register" for i in range(14)]
    lines = ["Area;All;Women;Men", *(f"Area {i};{3 * i + 8};{i + 3};{2 * i + 5}" for i in range(30))]
    table = FrequencyTable.from_csv("\n".join([*notes, "", *lines]).encode())
    assert table.counts.tolist() == [[i + 3, 2 * i + 5] for i in range(30)]


def test_habits_of_other_programs():
    assert read_csv("sep=;\n" + PLAIN.replace(",", ";")) == Reading(SEX)
    assert read_csv(PLAIN.replace(",", ", ")) == Reading(SEX)
    assert read_csv(PLAIN.replace("Male", '" Male"')).table.columns.labels[0] == "Male"


@pytest.mark.parametrize("blank", [" ", "\t", "\u00a0", "  "])
def test_blanks_at_the_ends_of_labels_are_no_part_of_them(blank):
    text = f"{blank}Area ,A{blank},{blank}B\nNord{blank},5,7\nSüd,4,8\n"
    rows = [[f"Area{blank}", f"{blank}A", "B"], [f"Nord{blank}", 5, 7], ["Süd", 4, 8]]
    for table in (read_csv(text).table, read_excel(workbook(("x", rows))).table):
        assert table == FrequencyTable([[5, 7], [4, 8]], {"Area": ["Nord", "Süd"], "Column": ["A", "B"]})
    twice = 'Axis "Area" has the label "Nord" twice; labels must be different.'
    rows[2][0] = "Nord"
    assert sentence(read_csv, text.replace("Süd", "Nord")) == twice
    assert sentence(read_excel, workbook(("x", rows))) == twice
    table = FrequencyTable([[5, 7], [4, 8]], {"Area": ["Nord", f"Nord{blank}"], "Sex": ["m", "f"]})
    assert read_csv(table.to_csv()).table == table  # what was given in Python is kept


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_encodings(encoding):
    text = "Área;Männer;Frauen\nKöln;1;2\nSão Paulo;3;4\n"
    how = ReadOptions(encoding=encoding if encoding == "cp1252" else "")
    reading = read_bytes("städte.csv", text.encode(encoding), how=how)
    assert list(reading.table.rows) == ["Köln", "São Paulo"]
    assert reading.table.rows.name == "Área"
    assert bool(reading.notes) == (encoding == "cp1252")


def test_quoted_cells_and_thousands():
    reading = read_csv('Area,"Male, all ages",Female\n"A ""x""\nB","1,234",5\nC,6,"7,890,123"\n')
    assert reading.table.counts.tolist() == [[1234, 5], [6, 7890123]]
    assert reading.table.rows.labels == ('A "x"\nB', "C")
    assert reading.notes == (stating('"1,234"', "1234", "thousands"),)


def test_groups_of_two_digits_as_in_india():
    text = 'State,All,Rural,Urban\nA,"59,81,815","34,37,384","25,44,431"\nB,"1,07,020","98,010","9,010"\n'
    assert FrequencyTable.from_csv(text.encode()).counts.tolist() == [[3437384, 2544431], [98010, 9010]]


def test_points_for_thousands_beside_semicolons():
    assert read_csv("x;a;b\nA;1.234;2\nB;3;4.567\n").table.counts.tolist() == [[1234, 2], [3, 4567]]


@pytest.mark.parametrize(
    ("corner", "names"),
    [
        ("", ("Row", "Column")),
        ("Area", ("Area", "Column")),
        ("Column", ("Column", "Columns")),
        ("Area \\ Religion", ("Area", "Religion")),
        ("Area\\Religion", ("Area", "Religion")),
        ("\\ Religion", ("Row", "Religion")),
        ("C:\\\\x \\ Religion", ("C:\\x", "Religion")),
    ],
)
def test_the_top_left_cell_names_the_axes(corner, names):
    table = read_csv(f"{corner},a,b\nA,1,2\nB,3,4\n").table
    assert tuple(axis.name for axis in table.axes) == names


def test_one_column_of_counts_is_a_table_of_one_dimension():
    assert read_csv("Cell,F\nc1,0\nc2,2\nc3,4\n").table == FrequencyTable(
        [0, 2, 4], {"Cell": ["c1", "c2", "c3"]}
    )


def test_three_dimensions():
    text = "Status,Sex \\ Hours,more,less\nM,m,30,6\nM,f,14,3\nD,f,3,4\nD,m,2,2\n"
    table = read_csv(text).table
    assert table.slice(Status="D", Sex="m").counts.tolist() == [2, 2]
    assert [axis.name for axis in table.axes] == ["Status", "Sex", "Hours"]
    lost = read_csv(text.replace("D,m,2,2\n", ""), how=ReadOptions(empty="zero"))
    assert lost.notes == (stating("not", 'Status "D", Sex "m"', "0"),)
    assert lost.table.slice(Status="D", Sex="m").total == 0
    assert "twice" in sentence(read_csv, text + "D,m,2,2\n")
    assert 'Status "M", Sex "f", Hours "less": -3 is negative' in sentence(
        read_csv, text.replace("14,3", "14,-3")
    )


LABELS = ["<img src=x onerror=alert(1)>", "=1+1", "👩🏽‍🚒", "a" * 5000, " spaced ", "null", "nan", "2001"]


def test_labels_are_data():
    rows = [["", *LABELS], *([label, *range(len(LABELS))] for label in LABELS)]
    read = tuple(label.strip() for label in LABELS)
    how = ReadOptions(doubts="accept")
    assert read_excel(workbook(("x", rows)), totals=False, how=how).table.rows.labels == read
    table = FrequencyTable([range(len(LABELS))] * len(LABELS), {"a": LABELS, "b": LABELS})
    assert read_csv(table.to_csv()).table == table


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            PLAIN.replace("94", "-94"),
            'Row "Area 2", column "Female": -94',
        ),
        (PLAIN.replace("94", "9.4"), 'Row "Area 2", column "Female": 9.4 is not a whole number'),
        (PLAIN.replace("94", ""), 'Row "Area 2", column "Female": the cell is empty; write 0'),
        (PLAIN.replace("94", "few"), 'Row "Area 2", column "Female": "few" is text, but a count must be'),
        (PLAIN.replace("94", "NaN"), 'Row "Area 2", column "Female": NaN is not a count; a count must be'),
        (
            PLAIN.replace("94", "inf"),
            'Row "Area 2", column "Female": infinity is not a count of people; a count must be',
        ),
        (
            PLAIN.replace("94", "9" * 20),
            'Row "Area 2", column "Female": the count is too large; it must be at most',
        ),
        (
            PLAIN.replace("Area 2", "Area 1"),
            'Axis "Area" has the label "Area 1" twice; labels must be different.',
        ),
        (
            PLAIN.replace("Female", "Male"),
            'Axis "Column" has the label "Male" twice; labels must be different.',
        ),
        (PLAIN.replace("Area 2", " "), 'Label 2 of axis "Area" is blank; every category needs a label.'),
        (PLAIN.replace("Female", ""), 'Label 2 of axis "Column" is blank; every category needs a label.'),
        (
            PLAIN.replace("105,94", "105"),
            'Row "Area 2" has 2 cells and the first line 3; every row must have the same number',
        ),
        (
            PLAIN.replace("94", "94,3"),
            'Row "Area 2" has 4 cells and the first line 3; every row must have the same number',
        ),
        ("", "The table is empty; a table needs a row of column labels"),
        (" \n\n", "The table is empty; a table needs a row of column labels"),
        ("a,b,c\n", "The table has only one row or one column"),
        ("a\nb\nc\n", "The table has only one row or one column"),
        ("x,a\nA,5\n", "The table has one cell only; it needs at least two."),
        ("x,a,b\nA,0,0\nB,0,0\n", "All counts are 0; a table needs at least one person."),
        (f"x,a,b\nA,{MOST_PEOPLE},1\n", "9,007,199,254,740,992"),
    ],
)
def test_bad_text_is_told_in_one_sentence(text, said):
    assert said in sentence(read_csv, text)
    assert said in sentence(read_bytes, "table.csv", text.encode())


def test_a_ragged_row_is_shorter_or_longer():
    assert 'Row "Area 1" has 4 cells and the first line 3' in sentence(
        read_csv, "Area,Male,Female\nArea 1,1,2,3\nArea 2,1,2,3\n"
    )
    assert read_csv("Area,Male,Female,\nArea 1,161,141,\nArea 2,105,94,,\n").table == SEX


def test_many_large_counts_do_not_wrap_round():
    rows = "".join(f"r{i},{MOST_PEOPLE},{MOST_PEOPLE}\n" for i in range(3000))
    assert "to more" in sentence(read_csv, "x,a,b\n" + rows)


def test_the_most_cells():
    assert MAX_DASHBOARD_CELLS == 1_000_000
    assert sentence(read_csv, PLAIN, limit=3) == "The table has 4 cells; the maximum is 3."
    header = "x," + ",".join(f"c{j}" for j in range(1001))
    rows = "".join(f"\nr{i}," + "1," * 1000 + "1" for i in range(1000))
    assert "1,001,000 cells; the maximum is 1,000,000" in sentence(read_csv, header + rows)


@pytest.mark.slow
def test_the_most_rows_and_a_way_to_count_them():
    """A file of 400,000 rows is refused before its labels are looked at, and may be counted by its columns."""
    people = "Sex,Area\n" + "".join(f"{'MF'[i % 2]},A{i % 5}\n" for i in range(MAX_DASHBOARD_ROWS + 1))
    with pytest.raises(
        Question, match=r"more rows than a page can show; the maximum is 50,000.* \(by\)"
    ) as asked:
        read_csv(people)
    assert {choice.name for choice in asked.value.choices} == {"by", "count"}
    table = read_csv(people, how=ReadOptions(by=("Sex", "Area"))).table
    assert (table.shape, table.total) == ((2, 5), MAX_DASHBOARD_ROWS + 1)
    wide = ",".join(f"Q{j}" for j in range(30)) + "\n" + f"{'m,f,' * 14}m,f\n" * 45_000
    with pytest.raises(Question, match=r"more than 1,260,000 cells.* \(by\)") as asked:
        read_csv(wide, limit=MAX_DASHBOARD_CELLS)
    assert "Q7" in str(asked.value.choices)
    counted = read_csv(wide, limit=MAX_DASHBOARD_CELLS, how=ReadOptions(by=("Q7",))).table
    assert (counted.shape, counted.total) == ((1,), 45_000)
    bare = "".join(f"{i}\n" for i in range(MAX_DASHBOARD_ROWS + 2))
    assert "50,000" in sentence(read_csv, bare)
    rows = "Area,People\n" + "".join(f"A{i},1\n" for i in range(MAX_DASHBOARD_ROWS))
    for limit in (MAX_DASHBOARD_CELLS, None):
        assert read_csv(rows, limit=limit).table.cells == MAX_DASHBOARD_ROWS


def test_the_most_columns():
    """They are refused before their labels are looked at."""
    wide = ["A", *["1"] * MAX_DASHBOARD_COLUMNS]
    text = "\n".join([",".join(map(str, range(len(wide)))), ",".join(wide)])
    assert (
        sentence(read_csv, text) == "The table has more columns than a page can show; the maximum is 50,000."
    )
    assert sentence(read_csv, text, how=ReadOptions(by=("0",))) == sentence(read_csv, text)


@pytest.mark.parametrize("counts", ["People", "Observation"])
def test_labels_of_more_axes_than_a_table_has_are_refused(counts):
    names = [f"c{j}" for j in range(65)]
    rows = [[label * (i + 1) for i in range(65)] + ["3"] for label in "ab"]
    rows[0][1:40], rows[1][1:40] = rows[1][1:40], rows[0][1:40]
    rows += [[*rows[0][:j], "other", *rows[0][j + 1 :]] for j in range(65)]
    text = "\n".join(map(",".join, [[*names, counts], *rows]))
    assert sentence(read_csv, text).startswith("More than 64 columns contain labels.")
    assert sentence(read_csv, text, how=ReadOptions(by=tuple(names), count=counts)).endswith(
        "axes; the maximum is 64."
    )


ZIP = io.BytesIO()
with zipfile.ZipFile(ZIP, "w") as archive:
    archive.writestr("a.png", PLAIN)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"%PDF-1.7\n1 0 obj", "a PDF document"),
        (b"\x89PNG\r\n\x1a\n\0\0", "a picture"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "a picture"),
        (b"GIF89a", "a picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "a picture"),
        (ZIP.getvalue(), "a workbook"),
        (b"\x7fELF\x02\x01\x01", "a program"),
        (b"MZ\x90\x00\x03", "a program"),
        (b"a,b\n\0\x01\x02", "not text"),
        (bytes(range(256)), "not text"),
    ],
)
def test_what_is_no_table_at_all(content, what):
    for name in ("upload.csv", "upload.xlsx"):
        said = sentence(read_bytes, name, content)
        assert said.startswith(f'"{name}" is ')
        assert what in said
        assert ".xlsx workbook" in said


def test_from_csv_reads_a_workbook_by_its_content(tmp_path):
    content = workbook(("x", ROWS))
    (tmp_path / "t.xlsx").write_bytes(content)
    assert FrequencyTable.from_csv(tmp_path / "t.xlsx") == FrequencyTable.from_csv(content) == SEX


def test_the_content_decides_not_the_name():
    assert read_bytes("table.pdf", PLAIN.encode()).table == SEX
    assert read_bytes("table.csv", memoryview(workbook(("x", ROWS)))).table == SEX


ROWS = [["Area", "Male", "Female"], ["Area 1", 161, 141.0], ["Area 2", "105", 94]]


def test_a_workbook():
    assert read_excel(workbook(("x", ROWS))) == Reading(SEX)
    shifted = [[], [], *([None, *row, None] for row in ROWS), []]
    assert read_excel(workbook(("x", shifted))) == Reading(SEX)
    labelled = [["Year", 2001, 2011.0], ["a", 1, 2]]
    years = read_excel(workbook(("x", labelled)), how=ReadOptions(first_line="labels", only="Column=*")).table
    assert list(years.columns) == ["2001", "2011"]


THREE_HEADINGS = [
    ["Subdistrict", "Primary", None, None, "Secondary", None, None],
    [None, "Public", "Private", "Total", "Public", "Private", "Total"],
    [f"({i})" for i in range(1, 8)],
    ["A", 15, 14, 29, 29, 31, 60],
    ["B", 6, 7, 13, 14, 15, 29],
    ["C", 13, 11, 24, 31, 30, 61],
    ["All", 34, 32, 66, 74, 76, 150],
]


def test_numbers_of_columns_below_the_headings_are_no_axis():
    table = read_excel(workbook(("x", THREE_HEADINGS)), how=ReadOptions(doubts="accept")).table
    assert table.counts.tolist() == [[[15, 14], [29, 31]], [[6, 7], [14, 15]], [[13, 11], [31, 30]]]


def test_an_axis_that_another_one_determines_goes_with_its_totals():
    codes = [[cell.strip("()") + ")" for cell in row] if row[0] == "(1)" else row for row in THREE_HEADINGS]
    reading = read_excel(workbook(("x", codes)), how=ReadOptions(doubts="accept", margins="drop"))
    assert reading.table.total == 216
    assert len(reading.grand_totals) == reading.table.ndim


@pytest.mark.parametrize("names", [("2022", "2023"), ("2022", "Notes", "2023"), ("All", "Men", "Women")])
def test_sheets_with_the_same_labels_lead_to_a_question(names):
    def counts(sheet):
        return [
            [label, *(str(label_size + sheet) for label_size in (21, 34))] for label in ("North", "South")
        ]

    table = [["Area", "Working", "Studying"]]
    sheets = [
        (name, [["Only a text"]] if name == "Notes" else table + counts(i)) for i, name in enumerate(names)
    ]
    with pytest.raises(Question) as asked:
        read_excel(workbook(*sheets))
    [choice] = asked.value.choices
    assert choice.name == "sheet"
    assert set(choice.options) == {*names}
    for i, name in enumerate(names):
        if name != "Notes":
            expected = [[21 + i, 34 + i]] * 2
            assert read_excel(workbook(*sheets), name).table.counts.tolist() == expected
    accepted = read_excel(workbook(*sheets), how=ReadOptions(doubts="accept"))
    assert accepted.table.counts.tolist() == [[21, 34]] * 2


def test_sheets_with_the_same_labels_and_marks_lead_to_a_question():
    table = [["Area", "Working", "Studying"], ["North", 21, 34], ["South", "X", 28], ["West", 45, 31]]
    with pytest.raises(Question) as asked:
        read_excel(workbook(("Men", table), ("Women", table)))
    assert asked.value.doubt.question == "sheets"


@pytest.mark.parametrize(("names", "is_asked"), [(("2022", "2023"), True), (("Men", "Notes"), False)])
def test_sheets_of_years_with_labels_that_are_numbers_lead_to_a_question(names, is_asked):
    ages = [["Age", "1", "2", "3"], ["17", 21, 34, 55], ["18", 43, 28, 39], ["19", 31, 47, 26]]
    later = [[cell + 1 if isinstance(cell, int) else cell for cell in row] for row in ages]
    book = workbook(*zip(names, (ages, later), strict=True))
    how = ReadOptions(first_line="labels")
    if is_asked:
        with pytest.raises(Question) as asked:
            read_excel(book, how=how)
        assert asked.value.doubt.question == "sheets"
        assert set(asked.value.choices[0].options) == {*names}
    else:
        assert read_excel(book, how=how).table.total == 324
    assert read_excel(book, names[1], how=how).table.total == 324 + 9


def test_sheets_of_a_workbook():
    book = workbook(("Notes", [["x", "a"], ["A", 1], ["B", 2]]), ("Counts", ROWS))
    assert read_excel(book, "Counts") == Reading(SEX)
    assert read_excel(book).notes == ('The sheet "Notes", the first of 2, was read.',)
    assert sentence(read_excel, book, "Tables") == (
        'The workbook has no sheet "Tables"; it has "Notes", "Counts".'
    )


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "is empty"),
        (-94, "-94 is negative"),
        (9.4, "9.4 is not a whole number"),
        (True, '"True" is text'),
        ("few", '"few" is text'),
        (pd.Timestamp("2001-04-29").to_pydatetime(), '"2001-04-29 00:00:00" is text'),
        ("=1+1", '"=1+1" is text'),
        (1e20, "the count is too large"),
    ],
)
def test_bad_cells_of_a_workbook(value, said):
    rows = [*ROWS[:2], ["Area 2", 105, value]]
    assert sentence(read_excel, workbook(("x", rows))) == stating('Row "Area 2", column "Female": ', said)


def test_a_damaged_workbook():
    content = workbook(("x", ROWS))
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            new.writestr(name, b"<broken" if "sheet1" in name else old.read(name))
    for bad in (stream.getvalue(), content[:200], b"", b"PK\x03\x04"):
        assert "be read" in sentence(read_excel, bad)
    assert "no sheet" in sentence(read_excel, workbook(("x", ROWS)), "y")


def test_a_sheet_with_too_many_cells_is_not_unrolled():
    rows = [["x", *(f"c{j}" for j in range(200))], *([f"r{i}", *[1] * 200] for i in range(60))]
    assert "more than 10 cells" in sentence(read_excel, workbook(("x", rows)), limit=10)


def test_files(tmp_path):
    (tmp_path / "a.csv").write_text(PLAIN)
    (tmp_path / "a.xlsx").write_bytes(workbook(("x", ROWS)))
    assert FrequencyTable.from_csv(tmp_path / "a.csv") == SEX
    assert FrequencyTable.from_csv(str(tmp_path / "a.csv")) == SEX
    assert FrequencyTable.from_excel(tmp_path / "a.xlsx") == SEX
    assert FrequencyTable.from_csv(PLAIN.encode()) == SEX
    for missing in (tmp_path / "b.csv", tmp_path, "Area,Male", "a\0b"):
        assert "be read" in sentence(FrequencyTable.from_csv, missing)


def test_pasted_blocks():
    assert read_block(PLAIN.replace(",", "\t")) == Reading(SEX)
    reading = read_block("161\t141\n105\t94\n")
    assert reading.table == FrequencyTable(SEX.counts)
    assert reading.notes == (stating("are numbered"),)
    assert "is empty" in sentence(read_block, "")
    assert 'Row "3" has 1 cells and the first line 2' in sentence(read_block, "1\t2\n3\n")


def test_frames():
    frame = pd.DataFrame([[161, 141], [105, 94]], ["Area 1", "Area 2"], ["Male", "Female"])
    table = FrequencyTable.from_frame(frame)
    assert table == FrequencyTable(SEX.counts, {"Row": SEX.rows, "Column": SEX.columns})
    assert FrequencyTable.from_frame(frame["Male"]).axes == (Axis("Row", ("Area 1", "Area 2")),)
    frame.loc["Area 2", "Female"] = None
    assert 'Row "Area 2", column "Female": NaN' in sentence(FrequencyTable.from_frame, frame)
    two = pd.concat({"x": SEX.to_frame(), "y": SEX.to_frame()}, axis=1, names=["Year"])
    assert read_frame(two).table.axes == (SEX.rows, Axis("Year", ("x", "y")), SEX.columns)
    assert "is empty" in sentence(read_frame, pd.DataFrame())


PEOPLE = pd.DataFrame({"sex": list("mffmm"), "age": [10, 9, 10, 9, 10], "work": ["a", None, "b", "a", "a"]})


def test_records():
    table = FrequencyTable.from_records(PEOPLE, ["age", "sex"])
    assert table == FrequencyTable([[1, 1], [1, 2]], {"age": ["9", "10"], "sex": ["f", "m"]})
    assert FrequencyTable.from_records(PEOPLE.to_dict("records"), ["age", "sex"]) == table
    assert FrequencyTable.from_records(PEOPLE, columns=["sex"]).counts.tolist() == [2, 3]
    crossed = pd.crosstab(PEOPLE["age"], PEOPLE["sex"], margins=True)
    reading = read_frame(crossed)
    assert reading.table == table
    assert reading.notes == (stating("omitted", 'row "All"', 'column "All" as sums'),)


def test_records_with_missing_values():
    assert sentence(FrequencyTable.from_records, PEOPLE, ["sex", "work"]) == (
        stating('Column "work"', "1 record")
    )
    table = FrequencyTable.from_records(PEOPLE, ["work"], missing="Not stated")
    assert table == FrequencyTable([3, 1, 1], {"work": ["a", "b", "Not stated"]})


def test_records_keep_categories_with_nobody():
    kinds = pd.CategoricalDtype(["c", "b", "a"])
    assert FrequencyTable.from_records(
        PEOPLE.assign(work=PEOPLE["work"].fillna("b").astype(kinds)), ["work"]
    ) == (FrequencyTable([0, 2, 3], {"work": ["c", "b", "a"]}))


def test_records_that_cannot_be_counted():
    assert 'no column "x"' in sentence(FrequencyTable.from_records, PEOPLE, ["x"])
    assert "columns is empty" in sentence(FrequencyTable.from_records, PEOPLE, [])
    wide = pd.DataFrame({name: range(1000) for name in "abc"})
    assert "1,000,000,000 cells" in sentence(FrequencyTable.from_records, wide, list("abc"))


LONG = pd.DataFrame({"Area": ["a", "a", "b", "b"], "Sex": ["f", "m", "f", "m"], "Persons": [161, 141, 0, 7]})


def test_rows_that_look_like_counts_get_a_caution_with_the_right_function(caplog):
    assert FrequencyTable.from_records(LONG, ["Area", "Sex"]).total == 4
    assert caplog.messages == [stating('"Area", "Sex"', '"Persons"', "from_frame", "by=", "count=")]


@pytest.mark.parametrize(
    ("frame", "columns"),
    [
        (LONG.drop(columns="Persons"), ["Area", "Sex"]),
        (LONG.assign(Persons=[0, 1, 1, 0]), ["Area", "Sex"]),
        (LONG.assign(Persons=[0.5, 1, 2, 3]), ["Area", "Sex"]),
        (LONG.assign(Persons=[None, 1, 2, 3]), ["Area", "Sex"]),
        (LONG, ["Area"]),
        (LONG, ["Area", "Sex", "Persons"]),
        (LONG[:1], ["Area", "Sex"]),
    ],
)
def test_rows_that_may_be_people_get_no_caution(frame, columns, caplog):
    assert FrequencyTable.from_records(frame, columns).total == len(frame)
    assert caplog.messages == []


def test_an_argument_of_another_function_names_the_right_one():
    with pytest.raises(InputError) as error:
        FrequencyTable.from_records(LONG, by=["Area", "Sex"], count="Persons")
    assert str(error.value) == stating('"by", "count"', "columns=", "from_frame")


def test_values_of_several_kinds_are_counted():
    mixed = pd.DataFrame({"x": [1, "a", 1]}, dtype=object)
    assert FrequencyTable.from_records(mixed, ["x"]) == FrequencyTable([2, 1], {"x": ["1", "a"]})


def is_table_or_sentence(result):
    return result.endswith(".") if isinstance(result, str) else result.table.total > 0


@settings(max_examples=200)
@given(st.binary(max_size=300))
@example(b"\xef\xbb\xbf")
@example(b"\xff\xfe")
@example(b'"')
@example(b"x," + b"a" * 140_000 + b"\nA,1\n")
def test_any_bytes_are_a_table_or_a_sentence(content):
    assert is_table_or_sentence(outcome(read_bytes, "upload", content))


@settings(max_examples=200)
@example("0\n,0")
@example("x;a\nx;5")
@given(st.text("ab,;\t\n\r\"'\\ 019.-= totalé", max_size=60))
def test_any_text_is_a_table_or_a_sentence(text):
    assert is_table_or_sentence(outcome(read_bytes, "upload", text.encode()))
    assert is_table_or_sentence(outcome(read_block, text))


WHOLE = workbook(("x", ROWS))


@settings(max_examples=100)
@given(st.integers(0, len(WHOLE) - 1), st.binary(min_size=1, max_size=8))
def test_any_damage_to_a_workbook_is_a_table_or_a_sentence(position, damage):
    content = WHOLE[:position] + damage + WHOLE[position + len(damage) :]
    assert is_table_or_sentence(outcome(read_bytes, "upload.xlsx", content))


cells = st.lists(st.lists(st.integers(0, 10**9), min_size=2, max_size=4), min_size=2, max_size=4)


@pytest.mark.slow
@settings(max_examples=20)
@given(cells.filter(lambda rows: len({len(row) for row in rows}) == 1 and any(map(any, rows))))
def test_a_workbook_reads_back_equal(counts):
    table = FrequencyTable(
        counts, {"=a": [f"={i}" for i in range(len(counts))], "b": LABELS[: len(counts[0])]}
    )
    rows = [
        ["=a \\ b", *table.columns],
        *([label, *row] for label, row in zip(table.rows, counts, strict=True)),
    ]
    assert FrequencyTable.from_excel(workbook(("x", rows))) == table


def test_rows_with_gaps_may_be_left_out_where_others_have_all_counts():
    text = "Area,m,f\nA,12,c\nB,5,8\nC,3,9\n"
    with pytest.raises(Question, match=r"load the table with all counts, or .* \(flags: out\)") as asked:
        read_csv(text)
    (choice,) = asked.value.choices
    assert choice.name == "flags"
    assert "out" in choice.options
    reading = read_csv(text, how=ReadOptions(flags="out"))
    assert reading.table.counts.tolist() == [[5, 8], [3, 9]]
    assert any('"A"' in note for note in reading.notes)
    every = "Area,m,f\nA,12,c\nB,..,8\nC,3,c\n"
    assert "load a table with all counts" in sentence(read_csv, every, how=ReadOptions(flags="out"))


@pytest.mark.parametrize(
    ("columns", "counts"),
    [
        ({"a": ["x", None, "y"], "b": [3, None, 4]}, [3, 4]),
        ({"a": [""], "b": [""]}, None),
        ({"": [1, 2]}, None),
    ],
)
def test_a_blank_row_of_typed_cells_is_no_row(columns, counts):
    file = io.BytesIO()
    pd.DataFrame(columns).to_parquet(file)
    said = outcome(lambda: read_bytes("a", file.getvalue()).table.counts.tolist())
    assert said == counts if counts else said.startswith("The table has only one row")


def test_the_largest_table_of_a_page_is_read_first():
    """A page of SPSS begins with a summary of cases, which is a table of counts, too."""
    cases = (
        "<tr><td></td><td>Valid</td><td>Missing</td></tr><tr><td>Stage * Sex</td><td>60</td><td>3</td></tr>"
    )
    summary = f"<table>{cases}</table>"
    counts = "<tr><td>Stage I</td><td>13</td><td>25</td></tr><tr><td>Stage II</td><td>12</td><td>10</td></tr>"
    page = f"<html>{summary}<table><tr><td></td><td>Men</td><td>Women</td></tr>{counts}</table></html>"
    reading = read_bytes("page.html", page.encode())
    assert reading.table.counts.tolist() == [[13, 25], [12, 10]]
    assert any("Table 2" in note for note in reading.notes)
    chosen = read_bytes("page.html", page.encode(), how=ReadOptions(sheet="Table 1"))
    assert chosen.table.total == 63


def test_a_summary_is_not_read_in_place_of_a_table_that_cannot_be_read():
    book = openpyxl.Workbook()
    book.active.title = "Table"
    for row in (["", "Men", "Women"], ["I", 13, 25], ["", 12, 10], ["II", 11, 19]):
        book.active.append(row)
    summary = book.create_sheet("Summary")
    for row in (["", "Valid", "Missing"], ["Cases", 60, 3]):
        summary.append(row)
    content = io.BytesIO()
    book.save(content)
    with pytest.raises(InputError, match="blank"):
        read_excel(content.getvalue())
    assert read_excel(content.getvalue(), sheet="Summary").table.total == 63


def test_bars_separate_if_all_lines_have_the_same_number_of_them():
    text = "Area|Men, single, all|Women, single, all\nBath, Avon, UK|31|41\nHull, Humber, UK|59|26\n"
    reading = read_csv(text)
    assert reading.table.axes[1].labels == ("Men, single, all", "Women, single, all")
    assert reading.table.total == 157


def test_an_empty_count_of_a_long_file_is_asked_about_and_can_mean_zero():
    text = "region,age,n\nN,young,3\nN,old,\nS,young,1\nS,old,4\n"
    with pytest.raises(Question) as asked:
        read_csv(text)
    assert [choice.name for choice in asked.value.choices] == ["empty"]
    for how in (ReadOptions(empty="zero"), ReadOptions(empty="zero", by=("region", "age"), count="n")):
        reading = read_csv(text, how=how)
        assert reading.table.counts.tolist() == [[3, 0], [1, 4]]
        assert any("1 empty cell" in note for note in reading.notes)


def test_a_semicolon_in_a_label_separates_nothing():
    reading = read_bytes("a.csv", b"Area,Men,Women\nBath; Avon,1,2\nHull; Humber,3,4\nYork; North,5,6\n")
    assert reading.table.axes[0].labels == ("Bath; Avon", "Hull; Humber", "York; North")
    assert reading.table.counts.tolist() == [[1, 2], [3, 4], [5, 6]]
