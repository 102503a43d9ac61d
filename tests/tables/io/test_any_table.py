"""Tables as people have them: titles, notes, codes, totals, merged labels, long tables, records, pandas."""

import io
import zipfile
from dataclasses import replace

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusing import sentence
from stating import stating

from sdcwidgets import InputError, examples
from sdcwidgets.tables.io.formats import workbook as workbooks
from sdcwidgets.tables.io.sources import Question, ReadOptions, read_block, read_csv, read_excel, read_frame
from sdcwidgets.tables.io.writers.workbook import workbook
from sdcwidgets.tables.table import Axis, FrequencyTable

CUBE = FrequencyTable(
    np.arange(12).reshape(2, 3, 2) + 1, {"Area": ["a", "b"], "Age": ["0", "1", "2"], "Sex": ["m", "f"]}
)

NOMIS = """"QS208EW - Religion"
"ONS Crown Copyright Reserved [from Nomis on 12 May 2020]"

"population","All usual residents"
"units","Persons"
"date","2011"

"2011 output area","mnemonic","All categories: Religion","Has religion","Christian","Hindu","No religion"
"Area 1","E00000001",194,60,50,10,134
"Area 2","E00000002",101,33,30,3,68
"Area 3","E00000003",81,32,30,2,49
"Area 4","E00000004",91,42,30,12,49

"In order to protect against disclosure of personal information, records have been swapped"
"Source: 2011 Census, ONS"
"""


def sheet(*rows, title="Sheet"):
    book = openpyxl.Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    return book


def saved(book):
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def test_a_table_of_nomis():
    reading = read_csv(NOMIS, totals="drop")
    assert reading.table == FrequencyTable(
        [[50, 10, 134], [30, 3, 68], [30, 2, 49], [30, 12, 49]],
        {
            "2011 output area": ["Area 1", "Area 2", "Area 3", "Area 4"],
            "Column": ["Christian", "Hindu", "No religion"],
        },
    )
    assert reading.notes == (
        stating(
            "5 lines of text above",
            '("QS208EW - Religion" ...) and 2 lines',
            '("In order to protect against…records have been swapped"',
        ),
        stating("omitted", '"mnemonic", because "2011 output area"'),
        stating("omitted", 'column "All categories: Religion"', 'column "Has religion" as sums'),
    )


def test_a_workbook_with_a_cover_sheet_and_titles():
    book = sheet(["People by area"], ["Contents"], title="Cover")
    page = book.create_sheet("Counts")
    for row in (
        ["Table 1: people"],
        [],
        ["Area", "Yes", "No"],
        ["A", 1, 2],
        ["B", 3, 5],
        [],
        ["Source: census"],
    ):
        page.append(row)
    book.create_sheet("Empty")
    reading = read_excel(saved(book))
    assert reading.table == FrequencyTable([[1, 2], [3, 5]], {"Area": ["A", "B"], "Column": ["Yes", "No"]})
    assert 'The sheet "Counts", number 2 of 3, was read.' in reading.notes
    assert dict(reading.choices[0].options) == {name: name for name in ("Cover", "Counts", "Empty")}
    with pytest.raises(
        Question, match=r'^The sheet "Cover" contains no table; the others are "Counts", "Empty" \(sheet\)\.$'
    ) as asked:
        read_excel(saved(book), "Cover")
    assert asked.value.choices[-1].name == "sheet"
    page["B5"] = "few"
    with pytest.raises(Question, match=r'^In the sheet "Counts": Row "B", column "Yes": "few" is text'):
        read_excel(saved(book))
    book.remove(page)
    with pytest.raises(Question, match='sheets "Cover", "Empty"'):
        read_excel(saved(book))
    book.remove(book["Empty"])
    assert sentence(read_excel, saved(book)) == (
        "The table has only one row or one column; a table needs row labels, column labels and counts."
    )


@pytest.mark.parametrize(
    ("rows", "columns", "numbers"),
    [
        ((3,), (), [1]),
        ((3, 4, 9), (), [2]),
        ((), ("B",), [1]),
        ((5,), ("B", "C", "H"), [1, 2]),
        ((9,), ("H",), []),
    ],
)
def test_hidden_rows_and_columns_are_questions(rows, columns, numbers):
    book = sheet(["Area", "A", "B"], [], ["n", 5, 3], ["s", 1, 2], ["w", 9, 8])
    for row in rows:
        book.active.row_dimensions[row].hidden = True
    for column in columns:
        book.active.column_dimensions[column].hidden = True
    if numbers:
        with pytest.raises(Question) as asked:
            read_excel(saved(book))
        doubts = (asked.value.doubt, *asked.value.others)
        assert [len(doubt.facts["numbers"]) for doubt in doubts] == numbers
    reading = read_excel(saved(book), how=ReadOptions(doubts="accept"))
    assert reading.table.total == 28
    assert len(reading.notes) == len(numbers)


def test_merged_labels_and_headings():
    book = sheet(
        [None, None, "Men", None, "Women", None],
        ["Region", "Area", "young", "old", "young", "old"],
        ["North", "A", 1, 2, 3, 4],
        [None, "B", 15, 6, 7, 8],
        ["South", "A", 9, 10, 11, 12],
        [None, "B", 13, 14, 25, 16],
    )
    page = book.active
    for cells in ("C1:D1", "E1:F1", "A3:A4", "A5:A6"):
        page.merge_cells(cells)
    table = read_excel(saved(book)).table
    assert [list(axis) for axis in table.axes] == [
        ["North", "South"],
        ["A", "B"],
        ["Men", "Women"],
        ["young", "old"],
    ]
    assert table.slice({"Region": "South", "Area": "A"}).counts.tolist() == [[9, 10], [11, 12]]


def test_a_heading_over_all_columns_names_them():
    table = read_csv(",Religion,,\nArea,Christian,Hindu,None\nA,12,3,4\nB,1,2,9\n").table
    assert [axis.name for axis in table.axes] == ["Area", "Religion"]


def with_totals(counts, axes, first):
    """A table with a total on each axis, and one of the first two labels."""
    for k in range(counts.ndim):
        part = counts.take([0, 1], axis=k).sum(axis=k, keepdims=True)
        whole = counts.sum(axis=k, keepdims=True)
        pieces = (whole, part, counts) if first else (counts, whole)
        counts = np.concatenate(pieces, axis=k)
        axes[k] = ["Whatever", "Some", *axes[k]] if first else [*axes[k], "Whatever"]
    return counts


@settings(max_examples=40)
@given(st.integers(0, 2**31), st.booleans())
def test_totals_inside_any_axis_in_any_words(seed, first):
    counts = np.random.default_rng(seed).integers(1, 90, (3, 4, 3))
    axes = [[f"{name}{i}" for i in range(n)] for name, n in zip("abc", counts.shape, strict=True)]
    leaves = FrequencyTable(counts, dict(zip("ABC", axes, strict=True)))
    whole = FrequencyTable(with_totals(counts, axes, first), dict(zip("ABC", axes, strict=True)))
    reading = read_frame(whole.to_frame())
    assert reading.table == leaves
    lines = "".join(
        f"{','.join(axis[i] for axis, i in zip(axes, place, strict=True))},{count}\n"
        for place, count in np.ndenumerate(whole.counts)
    )
    assert read_csv(f"A,B,C,People\n{lines}").table == leaves
    by = read_csv(f"A,B,C,People\n{lines}", how=ReadOptions(by=("C", "A"), count="People"))
    assert by.table == leaves.marginal("C", "A")
    assert by.notes[-1] == stating('"B"')


@settings(max_examples=60)
@given(st.integers(0, 2**31))
def test_a_table_without_totals_loses_nobody(seed):
    rng = np.random.default_rng(seed)
    counts = rng.poisson(rng.gamma(1.0, 5.0, size=rng.integers(2, 9, 2)))
    counts[0, 0] += 1
    text = "Area,x" + ",x".join(map(str, range(counts.shape[1]))) + "\n"
    text += "".join(f"a{i}," + ",".join(map(str, row)) + "\n" for i, row in enumerate(counts.tolist()))
    try:
        reading = read_csv(text)
    except Question:  # small numbers add up or determine an axis by accident; then a person is asked
        reading = read_csv(text, totals="keep", how=ReadOptions(doubts="accept"))
    assert reading.table.total == counts.sum()


def test_a_first_line_of_numbers_is_asked():
    text = "Area 1,161,141\nArea 2,105,94\n"
    assert sentence(read_csv, text).startswith(
        'The first line, "Area 1", "161", "141", contains numbers: choose'
    )
    assert read_csv(text, how=ReadOptions(first_line="labels")).table.total == 199
    assert read_csv(text, how=ReadOptions(first_line="counts")).table.total == 501
    assert read_csv("161,141\n105,94\n", how=ReadOptions(first_line="bare")).table.total == 501
    assert read_block("161\t141\n105\t94\n").table.total == 501
    assert "first line" in sentence(read_block, text.replace(",", "\t"))


LONG = "Area,Sex,Persons\nA,m,5\nA,f,6\nB,m,7\nB,f,2\n"


def test_long_tables():
    table = FrequencyTable([[5, 6], [7, 2]], {"Area": ["A", "B"], "Sex": ["m", "f"]})
    assert read_csv(LONG).table == table
    assert read_csv(LONG, how=ReadOptions(by=("Sex", "Area"), count="Persons")).table == table.marginal(
        "Sex", "Area"
    )
    assert FrequencyTable.from_csv(LONG, by="Area", count="Persons").counts.tolist() == [11, 9]
    title = read_csv("Census\n" + LONG + "Source: x\n", how=ReadOptions(by=("Area", "Sex"), count="Persons"))
    assert (title.table, title.notes) == (
        table,
        (stating("omitted 1 line"), stating("omitted", "1 line")),
    )
    for how, said in (
        (
            ReadOptions(by=("Area",), count="People"),
            'no column "People"',
        ),
        (ReadOptions(by=("Area",), count="Sex"), 'Row 2 (Area "A"), column "Sex": "m" is text'),
    ):
        assert said in sentence(read_csv, LONG, how=how)
    lost = read_csv(
        LONG.replace("A,f", "A,"), how=ReadOptions(by=("Sex",), count="Persons", missing="Unknown")
    )
    assert lost.table == FrequencyTable([12, 6, 2], {"Sex": ["m", "Unknown", "f"]})
    assert "value in" in sentence(
        read_csv, LONG.replace("A,f", "A,"), how=ReadOptions(by=("Sex",), count="Persons")
    )
    assert "be both" in sentence(ReadOptions, by=("Sex",), count="Sex")
    assert "as axes" in sentence(ReadOptions, count="Sex")


def test_one_row_a_person():
    people = "id,Area,Age\n" + "".join(f"{i},{'AB'[i % 2]},{i % 12}\n" for i in range(24))
    table = read_csv(people, how=ReadOptions(by=("Area", "Age"))).table
    assert list(table.columns) == [str(i) for i in range(12)]
    assert table.counts.sum() == 24
    with pytest.raises(Question) as asked:
        read_csv("Area,Sex\nA,m\nB,f\nB,m\n")
    assert [choice.name for choice in asked.value.choices] == ["by", "count"]
    assert list(asked.value.choices[0].options) == ["Area", "Sex"]


@pytest.mark.parametrize(
    ("gap", "said"),
    [
        ("c", "marks a count that was not published"),
        ("..", "marks a count that was not published"),
        ("<5", "marks a count that was not published"),
        ("1-4", "marks a count that was not published"),
        ("-", "may mean"),
    ],
)
def test_a_published_table_with_gaps_is_refused_with_that_reason(gap, said):
    assert f'Row "A", column "b": "{gap}" {said}' in sentence(read_csv, f"Area,a,b\nA,1,{gap}\nB,3,4\n")
    assert said in sentence(read_csv, f"Area,a,b\nA,{gap},{gap}\nB,3,4\n")


PEOPLE = pd.DataFrame({"sex": list("mffmmf"), "age": [10, 9, 10, 9, 10, 9], "work": list("abbaab")})


@pytest.mark.parametrize(
    "frame",
    [
        pd.crosstab(PEOPLE.age, PEOPLE.sex, margins=True),
        pd.crosstab([PEOPLE.age, PEOPLE.work], PEOPLE.sex, margins=True),
        pd.crosstab(PEOPLE.age, [PEOPLE.sex, PEOPLE.work], margins=True),
    ],
)
def test_what_pandas_tabulates_is_read(frame):
    stream = io.BytesIO()
    frame.to_excel(stream)
    names = [name for name in (*frame.index.names, *frame.columns.names)]
    table = FrequencyTable.from_records(PEOPLE, names)
    for reading in (read_frame(frame), read_csv(frame.to_csv()), read_excel(stream.getvalue())):
        assert reading.table.total == 6
        assert sorted(reading.table.shape) == sorted(table.shape)


@pytest.mark.parametrize(
    "names", [("Area",), ("Area", "Sex"), ("Area", "Age", "Sex"), ("Age", "Area", "Sex")]
)
def test_what_a_frame_writes_is_read_back(names):
    table = CUBE.marginal(*names)
    frame, stream = table.to_frame(), io.BytesIO()
    frame.to_excel(stream)
    for read in (read_csv(frame.to_csv()).table, read_excel(stream.getvalue()).table):
        assert read.axes[:-1] == table.axes[:-1]
        assert list(read.axes[-1]) == list(table.axes[-1])
        np.testing.assert_array_equal(read.counts, table.counts)


def test_labels_that_no_file_can_hold_are_refused():
    for label in ("a\ud800", "\x07", "a\0", "\uffff"):
        assert "which files" in sentence(Axis, "Area", ("x", label))


def test_rows_are_people_only_where_nothing_says_otherwise():
    ages = "".join(
        f"{area},{age},{n}\n" for n, (area, age) in enumerate((a, g) for a in "ABC" for g in ("0-17", "18+"))
    )
    text = "Area,Age,Persons\n" + ages
    with pytest.raises(Question, match='"Persons" contains whole numbers') as asked:
        read_csv(text, how=ReadOptions(by=("Area", "Age")))
    assert [choice.name for choice in asked.value.choices] == ["by", "count"]
    assert read_csv(text, how=ReadOptions(by=("Area", "Age"), count="Persons")).table.total == 15
    assert read_csv(text, how=ReadOptions(by=("Area", "Age"), count="rows")).table.total == 6
    table = "Table 1\nArea,0-17,18+\nA,1,5\nB,7,3\nC,2,2\nSource: x\n"
    with pytest.raises(Question, match=r'"0-17" contains whole numbers.*count: a column or rows'):
        read_csv(table, how=ReadOptions(by=("Area",)))
    people = "Area,Sex,Age\nA,M,34\nB,F,25\nA,M,51\nC,M,34\nA,F,30\n"
    assert (
        read_csv(people, how=ReadOptions(by=("Area", "Sex"))).table.total == 5
    )  # two rows with the same labels
    numbered = "Id,Area,Sex,Age\n" + "".join(
        f"P{i},{line}\n" for i, line in enumerate(people.splitlines()[1:])
    )
    assert read_csv(numbered, how=ReadOptions(by=("Area", "Sex"))).table.total == 5


def test_a_column_that_says_what_a_person_has_holds_no_counts():
    text = "Area,Sex,Age\nA,M,34\nB,F,25\nA,F,51\nC,M,34\n"
    with pytest.raises(Question, match='"Age" does not contain counts') as asked:
        read_csv(text)
    assert {choice.name: list(choice.options) for choice in asked.value.choices} == {
        "by": ["Area", "Sex", "Age"],
        "count": ["rows", "Age", "Area", "Sex"],
    }
    with pytest.raises(Question, match='"Age"'):
        read_csv("Area,Sex,Age,Income\nA,M,34,2000\nB,F,25,1000\nA,F,51,3000\n")
    assert read_csv(text, how=ReadOptions(by=("Area", "Sex"), count="rows")).table.total == 4
    assert read_csv(text, how=ReadOptions(by=("Area", "Sex"), count="Age", empty="zero")).table.total == 144


def test_age_groups_are_labels_of_a_long_table():
    lines = "".join(
        f"{a},{s},{g},{n}\n"
        for n, (a, s, g) in enumerate((a, s, g) for a in "AB" for s in "mf" for g in ("0-17", "18-64", "65+"))
    )
    table = read_csv("Area,Sex,Age,N\n" + lines).table
    assert table.shape == (2, 2, 3)
    assert table.axes[2] == Axis("Age", ("0-17", "18-64", "65+"))
    assert table.total == 66
    people = "Id,Area,Age group,Score\n1,A,35-54,2000\n2,B,18-34,1000\n3,A,35-54,3000\n"
    with pytest.raises(
        Question, match=r'"35-54" .* if this is a group of people, choose the columns to count by'
    ):
        read_csv(people)
    with pytest.raises(InputError, match="marks a count that was not published"):
        read_csv("Area,M,F\nA,1-4,12\nB,5-9,30\nC,5-9,31\n")


def test_three_decimals_of_nought_may_be_thousands():
    text = "Area;M;F\nA;5,000;1,000\nB;2,000;0,000\n"
    with pytest.raises(Question, match='"5,000" may be 5 or 5000') as asked:
        read_csv(text)
    assert [choice.name for choice in asked.value.choices] == ["marks"]
    assert read_csv(text, how=ReadOptions(marks="decimals")).table.counts.tolist() == [[5, 1], [2, 0]]
    assert read_csv(text, how=ReadOptions(marks="thousands")).table.counts.tolist() == [
        [5000, 1000],
        [2000, 0],
    ]
    assert read_csv(text.replace("0,000", "12")).table.counts.tolist() == [[5000, 1000], [2000, 12]]
    assert read_csv(text.replace("2,000", "2,345")).table.counts.tolist() == [[5000, 1000], [2345, 0]]
    long = "Area;Sex;N\nA;m;5,000\nA;f;1,000\nB;m;2,000\n"
    with pytest.raises(Question, match="may be 5 or 5000"):
        read_csv(long, how=ReadOptions(by=("Area",), count="N"))
    by = ReadOptions(by=("Area",), count="N", marks="decimals")
    assert read_csv(long, how=by).table.counts.tolist() == [6, 2]


@pytest.mark.parametrize("count", ["1.234", '"1,234"', '"1,234,567"'])
def test_decimals_that_were_asked_for_are_never_read_as_thousands(count):
    with pytest.raises(InputError, match=r"whole number|thousands\.$"):
        read_csv(f"A,x,y\na,{count},5\nb,{count},2\n", how=ReadOptions(marks="decimals"))


def test_a_frame_may_be_a_long_table_or_one_row_a_person():
    frame = pd.DataFrame({"Area": ["A", "A", "B"], "Sex": ["m", "f", "m"], "N": [3, 4, 5]})
    long = FrequencyTable.from_frame(frame, by=("Area", "Sex"), count="N")
    assert long.axes[1].labels == ("f", "m")  # sorted, because a combination has no row
    assert long.counts.tolist() == [[4, 3], [0, 5]]
    people = FrequencyTable.from_frame(frame[["Area", "Sex"]], by="Area")
    assert people.counts.tolist() == [2, 1]


def test_python_says_what_was_decided(caplog):
    FrequencyTable.from_csv("Area,m,f,All\nA,1,2,3\nB,4,5,9\n")
    assert caplog.messages == [stating("omitted", 'column "All" as sums')]


def test_a_table_is_written_to_a_path(tmp_path):
    table = FrequencyTable([[1, 2], [3, 4]])
    assert table.to_csv(tmp_path / "table.csv") == (tmp_path / "table.csv").read_text("utf-8")
    assert FrequencyTable.from_csv(tmp_path / "table.csv") == table


def test_a_column_of_text_may_be_one_row_a_person():
    with pytest.raises(InputError, match="columns to"):
        read_csv("id,sex,region\n1,2,North\n2,1,South\n")


def test_what_a_mark_was_taken_for_can_be_chosen_otherwise():
    text = "Area;M;F\nA;1.000;1.234\nB;2.000;17\n"
    for how, note in (
        (ReadOptions(), stating('"1.000"', "1000", "thousands")),
        (ReadOptions(by=("Area",), count="F"), stating('"1.234"', "1234", "thousands")),
    ):
        reading = read_csv(text, how=how)
        assert note in reading.notes
        [marks] = [choice for choice in reading.choices if choice.name == "marks"]
        assert (list(marks.options), marks.chosen) == (["thousands", "decimals"], ("thousands",))
    with pytest.raises(InputError, match=r"1\.234 is not a whole number"):
        read_csv(text, how=ReadOptions(marks="decimals"))
    reading = read_csv(text.replace("1.234", "3.000"), how=ReadOptions(marks="decimals"))
    assert reading.table.counts.tolist() == [[1, 3], [2, 17]]
    assert stating('"1.000"', "1", "decimals") in reading.notes
    sure = read_csv("Area;M;F\nA;1.234.000;1.000\nB;2.000;17\n")
    assert "marks" not in [choice.name for choice in sure.choices]
    assert read_csv("Area;M;F\nA;1000.0;12\nB;2;17\n").notes == ()


def test_people_without_a_value_are_asked_about_and_what_was_chosen_stays():
    people = "id,sex,region\n1,m,North\n2,w,\n3,w,South\n"
    how = ReadOptions(by=("sex", "region"), count="rows")
    with pytest.raises(
        Question, match=r'1 of 3 rows has .* "region"; name a category .*\(missing\)'
    ) as asked:
        read_csv(people, how=how)
    by, count, missing = asked.value.choices
    assert (by.chosen, count.chosen) == (("sex", "region"), ("rows",))
    assert (missing.label, missing.options) == (stating("missing values"), {})
    assert read_csv(people, how=replace(how, missing="Unknown")).table.counts.tolist() == [
        [1, 0, 0],
        [0, 1, 1],
    ]


@pytest.mark.parametrize("name", ["religion", "thesis-3-6-1", "handbook-5-2"])
def test_a_workbook_of_a_table_of_any_number_of_axes_is_read_back(name):
    table = examples.load(name)
    assert FrequencyTable.from_excel(workbook({"protected": table.to_frame()})) == table


def test_percentages_are_no_counts():
    text = "Region;A;B;C\nNorth;12,5 %;37,5 %;50,0 %\nSouth;10,1 %;20,2%;69,7 %\n"
    assert sentence(read_csv, text) == (stating("percentages", '("12,5 %"'))
    assert sentence(read_csv, "Region,A,B\nNorth,12%,15\nSouth,3,4\n") == (
        'Row "North", column "A": "12%" is a percentage; load counts instead of percentages.'
    )


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("A,12,38,50,100\nB,10,20,70,100\nC,33,33,34,100\n", "Every row sums to 100"),
        ("A,12,38,50,100\nB,10,20,70,100\nC,33,33,33,99\n", "Every row sums to about 100"),
        ("A,12,38,50,100\nB,40,22,20,82\nC,48,40,30,118\n", "Every column sums to 100"),
        ("A,12,38,50,100\nB,10,20,70,100\n", None),
        ("A,12,38,50,100\nB,10,20,70,100\nC,33,33,31,97\n", None),
    ],
)
def test_lines_that_all_sum_to_100_are_said(text, note):
    reading = read_csv("Region,x,y,z,Total\n" + text)
    told = [said for said in reading.notes if "percentages" in said]
    assert told == ([stating(f"{note}", "percentages")] if note else [])
    own = FrequencyTable([[50, 50], [40, 60], [30, 70]], {"Area": list("abc"), "Sex": ["m", "f"]})
    assert read_csv(own.to_csv()).notes == ()


def test_sheets_are_looked_through_until_that_was_enough_for_a_visitor(monkeypatch):
    book = sheet(["notes"], title="first")
    book.create_sheet("second").append(["notes"])
    content = saved(book)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        size = archive.getinfo("xl/worksheets/sheet1.xml").file_size
    for most, tried in ((size - 1, ["first"]), (size, ["first", "second"])):
        monkeypatch.setattr(workbooks, "_MOST_TRIED", most)
        assert [*workbooks.Workbook(content, 100).tried()] == tried
        assert [*workbooks.Workbook(content).tried()] == ["first", "second"]


@pytest.mark.parametrize(
    "names", [("Notes", "Counts"), ("Counts", "Notes"), ("Notes", "Zones"), ("Zones", "Notes")]
)
def test_the_sheet_with_numbers_is_reported_if_no_sheet_can_be_read(names):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name in names:
        lines = [["About"], ["the method"]] if name == "Notes" else [["Area", "m", "f"], ["A", 1, -3]]
        page = book.create_sheet(name)
        for line in lines:
            page.append(line)
    counts = next(name for name in names if name != "Notes")
    assert sentence(read_excel, saved(book)) == stating(f'"{counts}"', '"A"', '"f"', "-3")
