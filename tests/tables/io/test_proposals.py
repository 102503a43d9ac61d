"""Proposed layouts: a file is read with its proposal as the reader reads it, and a doubt carries a proposal."""

import itertools
from dataclasses import replace
from types import SimpleNamespace

import format_files
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from office_files import FILES, Invented

from sdcwidgets import FrequencyTable, InputError
from sdcwidgets.tables.io import formats
from sdcwidgets.tables.io.layout_of_reading import _ExplainedTable
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.layouts import FileLayout, LayoutColumn
from sdcwidgets.tables.io.options import Question, ReadOptions, with_flags
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.proposed_questions import read_or_propose
from sdcwidgets.tables.io.reading import read_bytes, read_csv
from sdcwidgets.tables.io.writers.workbook import workbook

TABLE = FrequencyTable([[3, 1], [0, 5]], {"Area": ["A", "B"], "Sex": ["m", "f"]})


def confident(content):
    """Return the reading of a content about which the reader is certain, or None."""
    try:
        return read_bytes("it", content)
    except InputError:
        return None


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_files_of_offices_are_read_with_their_proposals_as_without(file):
    content, must = file.make(Invented(4))
    content = content.encode() if isinstance(content, str) else content
    proposal = propose_layout(content, must.how)
    reading = confident(content)
    assert (reading is None) == bool(proposal.doubts) or must.how
    if must.counts is None:
        return
    layout = FileLayout.from_toml(proposal.layout.to_toml())
    assert layout == proposal.layout
    assert read(content, layout).table.counts.tolist() == must.counts.tolist()
    if reading is not None:
        assert read(content, layout).table == reading.table


@pytest.mark.parametrize("name", formats.available())
def test_a_file_of_each_format_is_read_with_its_proposal(name):
    content = format_files.FILES[name](TABLE)
    assert read(content, propose_layout(content).layout).table == read_bytes("a", content).table


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 5000), min_size=2, max_size=4), min_size=2, max_size=5).filter(
        lambda rows: len({len(row) for row in rows}) == 1
    ),
    st.sampled_from(",;\t"),
    st.booleans(),
    st.booleans(),
)
def test_a_written_table_is_read_with_its_proposal(counts, delimiter, titled, totals):
    rows = [["Area", *(f"Group {chr(97 + j)}" for j in range(len(counts[0])))]]
    rows += [[f"Area {chr(97 + i)}", *map(str, row)] for i, row in enumerate(counts)]
    if totals:
        rows = [[*row, "Total" if i == 0 else str(sum(counts[i - 1]))] for i, row in enumerate(rows)]
    lines = [delimiter.join(row) for row in rows]
    text = "\n".join([*(["Table 1. People by area", ""] if titled else []), *lines, ""])
    reading = confident(text.encode())
    if reading is None:
        return
    proposal = propose_layout(text)
    assert read(text, proposal.layout).table == reading.table
    assert proposal.doubts == ()


DOUBTFUL = "Area,m,f,x\nA,3121,4072,1293\nB,2809,2588,931\nNation,5932,6657,2224\n"


def test_a_proposal_never_counts_a_total_twice():
    proposal = propose_layout(DOUBTFUL)
    assert len(proposal.doubts) == 1
    assert read(DOUBTFUL, proposal.layout).table == read_csv(DOUBTFUL, totals="drop").table


def test_a_doubt_carries_a_proposal_and_a_layout_answers_it(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(DOUBTFUL)
    with pytest.raises(Question) as raised:
        FrequencyTable.from_csv(path)
    layout = raised.value.proposal.layout
    table = FrequencyTable.from_csv(path, layout=layout)
    assert table.axes[0].labels == ("A", "B")
    (tmp_path / "table.toml").write_text(layout.to_toml())
    assert FrequencyTable.from_csv(path, layout=tmp_path / "table.toml") == table


def test_a_layout_leaves_nothing_to_choose():
    layout = propose_layout(DOUBTFUL).layout
    with pytest.raises(InputError):
        FrequencyTable.from_csv(DOUBTFUL, layout=layout, margins="drop")
    with pytest.raises(InputError):
        FrequencyTable.from_csv(DOUBTFUL, layout="no-file.toml")
    with pytest.raises(InputError):
        FrequencyTable.from_csv(DOUBTFUL, layout={"version": 1})


def test_a_workbook_is_read_with_a_layout():
    content = format_files.FILES["xlsx"](TABLE)
    layout = propose_layout(content).layout
    assert FrequencyTable.from_excel(content, layout=layout) == FrequencyTable.from_excel(content)
    with pytest.raises(InputError):
        FrequencyTable.from_excel(content, "Sheet", layout=layout)


def test_what_is_no_table_has_no_proposal():
    proposal = propose_layout("a note\nand another one\n")
    assert proposal.layout is None
    assert len(proposal.doubts) == 1


def test_axes_that_a_person_orders_stay_in_this_order():
    text = "Area,Sex,Persons\nA,m,3\nA,f,4\nB,m,5\nB,f,6\n"
    columns = (LayoutColumn(2, "label", "Sex"), LayoutColumn(1, "label", "Area"))
    layout = FileLayout((*columns, LayoutColumn(3, "count", "Persons")), header=1, first=2)
    assert [axis.name for axis in FrequencyTable.from_csv(text, layout=layout).axes] == ["Sex", "Area"]


YEARS = "year,Area,Unit,Persons\n" + "".join(
    f"2021,{area},people,{n}\n" for area, n in zip("ABCD", (31, 75, 1204, 88), strict=True)
)
TOPICS = "Area;People;Households\n;number;number\nA;310;120\nB;75;31\nC;1204;560\n"


def test_another_year_is_not_added_up():
    layout = propose_layout(YEARS, ReadOptions(by=("Area",), count="Persons")).layout
    assert read(YEARS, layout).table.total == 1398
    for changed in (
        YEARS + "2022,A,people,33\n",
        YEARS.replace("2021,B", "2022,B"),
        YEARS + "2021,A,people,1\n",
    ):
        with pytest.raises(InputError):
            read(changed, layout)


def test_columns_that_are_exchanged_are_refused():
    layout = propose_layout(TOPICS).layout
    assert read(TOPICS, layout).table.total == 1589
    with pytest.raises(InputError):
        read(TOPICS.replace("People;Households", "Households;People"), layout)


@pytest.mark.parametrize("text", ["-", "c", "", ":", "<5"])
@pytest.mark.parametrize("total", [False, True])
def test_a_text_in_place_of_a_count_gets_a_layout_that_lacks_its_meaning(text, total):
    file = f"Area,Men,Women\nBath,3,{text}\nHull,4,7\nYork,2,6\n" + ("All,9,13\n" if total else "")
    proposal = propose_layout(file)
    assert [column.role for column in proposal.layout.columns] == ["label", "count", "count"]
    assert proposal.reading is None
    assert proposal.layout.texts == {}
    assert any('"zero"' in doubt for doubt in proposal.doubts)
    zero = read(file, replace(proposal.layout, texts={text: "zero"})).table
    assert zero.total == 22
    assert zero.counts.tolist() == [[3, 0], [4, 7], [2, 6]]
    omitted = read(file, replace(proposal.layout, texts={text: "leave out"})).table
    assert omitted.counts.tolist() == [[4, 7], [2, 6]]
    with pytest.raises(InputError):
        FrequencyTable.from_csv(file, layout=proposal.layout)


@pytest.mark.parametrize("text", ["-", "c"])
def test_a_text_in_place_of_a_count_is_a_question_with_one_doubt(text, tmp_path):
    rows = [["Area", "Men", "Women"], ["Bath", 3, 5], ["Hull", 4, text]]
    file = "\n".join(",".join(map(str, row)) for row in rows) + "\n"
    (tmp_path / "table.xlsx").write_bytes(workbook({"People": rows}))
    for call, source in (
        (FrequencyTable.from_csv, file),
        (FrequencyTable.from_excel, tmp_path / "table.xlsx"),
    ):
        with pytest.raises(Question) as raised:
            call(source)
        proposal = raised.value.proposal
        assert proposal.texts == (text,)
        assert len(proposal.doubts) == 1
        assert "row 3, column 3" in proposal.doubts[0]
        layout = replace(proposal.layout, texts={text: "zero"})
        assert call(source, layout=layout).total == 12


PEOPLE = "person,region,age,job,income\n" + "".join(
    f"P{number},{'North' if number % 3 else 'South'},{20 + number},{'ab'[number % 2]},{9000 + 37 * number}\n"
    for number in range(12)
)


def test_a_file_of_people_is_asked_what_to_count_by():
    with pytest.raises(Question) as raised:
        FrequencyTable.from_csv(PEOPLE)
    choices = {choice.name: choice for choice in raised.value.choices}
    assert set(choices) == {"by", "count"}
    assert set(choices["by"].options) == {"person", "region", "age", "job", "income"}
    assert len(raised.value.proposal.doubts) == 1
    assert "--by" in with_flags(str(raised.value))
    table = FrequencyTable.from_csv(PEOPLE, by=["region", "job"], count="rows")
    assert table.total == 12


def test_a_workbook_and_a_long_table_with_a_text_get_a_layout():
    long = "Area,Sex,Persons\nBath,m,3\nBath,f,-\nHull,m,4\nHull,f,7\n"
    layout = propose_layout(long, ReadOptions(by=("Area", "Sex"), count="Persons")).layout
    assert read(long, replace(layout, texts={"-": "zero"})).table.counts.tolist() == [[3, 0], [4, 7]]


@pytest.mark.parametrize("cell", ["few", "12%", "1.5", "-3"])
def test_a_cell_that_is_never_a_count_has_a_proposal_with_a_doubt(cell):
    proposal = propose_layout(f"Area,Men,Women\nBath,3,{cell}\nHull,4,7\nYork,2,6\n")
    assert proposal.layout is not None
    assert proposal.reading is None
    assert proposal.doubts


@pytest.mark.parametrize(
    ("row", "count", "is_note"),
    [
        (["A", "", ""], "", False),  # a person whose other values are missing
        (["A", "", ""], "Persons", True),  # a row without a count is no cell
        (["C", "", ""], "", True),  # no label of the table
        (["", "", "A"], "", True),  # not in a column of the table
        (["A", "m", ""], "", False),
        (["", "", ""], "", False),
    ],
)
def test_a_note_is_a_row_with_one_text_that_is_no_label(row, count, is_note):
    table = SimpleNamespace(
        rows=[row], _all_labels={"A", "B"}, _label=str, _at=lambda i, j: row[j] if i == 0 else ""
    )
    assert _ExplainedTable._is_note(table, 0, [0, 1], count) == is_note


TITLED = (
    "Households\n{unit}\n\n"
    "District,Men,Women,Total\nOst,12,15,27\nWest,3,{count},{row}\nTotal,15,{women},{total}\n\n"
    "Source: office\n"
)


@pytest.mark.parametrize(
    ("stated", "unit"), [("In thousands", 1000), ("1 000 000 persons in thousands", 1_000_000)]
)
def test_a_unit_above_the_table_is_part_of_the_proposed_layout(stated, unit):
    text = TITLED.format(unit=stated, count=4, row=7, women=19, total=34)
    proposal = propose_layout(text)
    assert proposal.layout.unit == unit
    assert proposal.layout.columns[0].left_out == ("Total",)
    assert len(proposal.doubts) == 1
    assert proposal.reading.table.total == 34 * unit
    with pytest.raises(Question):
        FrequencyTable.from_csv(text)


def test_each_column_of_whole_numbers_that_is_not_read_is_a_doubt():
    text = "Area,Men,Women,Households,Dwellings\nBath,204,950,800,1900\nHull,304,950,801,1901\nYork,304,150,180,7\n"
    doubts = propose_layout(text).doubts
    for name in ("Households", "Dwellings"):
        assert sum(f'"{name}"' in doubt for doubt in doubts) == 1


def test_a_layout_reads_the_thousands_of_a_column_that_is_not_read_yet():
    text = 'Area,Men,Women,Households\nBath,204,950,"1,800"\nHull,304,950,"2,800"\nYork,304,150,180\n'
    layout = propose_layout(text).layout
    assert layout.thousands == ","
    counted = tuple(
        replace(column, role="count") if column.number == 4 else column for column in layout.columns
    )
    assert read(text, replace(layout, columns=counted)).table.total == 2862 + 4780
    with pytest.raises(InputError, match='thousands = ","') as error:
        read(text, replace(layout, columns=counted, thousands=""))
    assert "row 2, column 4" in str(error.value)


def test_a_text_in_place_of_a_count_is_a_second_doubt_beside_the_unit():
    text = TITLED.format(unit="In thousands", count="-", row=3, women=15, total=30)
    proposal = propose_layout(text)
    assert (proposal.layout.unit, proposal.texts, len(proposal.doubts)) == (1000, ("-",), 2)
    table = FrequencyTable.from_csv(text, layout=replace(proposal.layout, texts={"-": "zero"}))
    assert table.counts.tolist() == [[12_000, 15_000], [3_000, 0]]


@pytest.mark.parametrize(("cell", "texts"), [("", {"": "zero"}), ("7", {})])
def test_only_a_file_with_an_empty_cell_gets_the_meaning_of_empty_cells(cell, texts):
    content = f"Area,m,f\nA,1,{cell}\nB,3,4\n".encode()
    assert dict(propose_layout(content, ReadOptions(empty="zero")).layout.texts) == texts
    assert dict(propose_layout(content).layout.texts) == {}


@pytest.mark.parametrize("first", [0, 1, 5])
@pytest.mark.parametrize("word", ["Suppressed", "n.a.", "geheim"])
def test_a_word_in_place_of_a_count_of_a_long_table_is_asked_about(first, word):
    rows = [(region, age) for region in ("North", "South") for age in ("0-4", "5-9", "10+")]
    lines = [f"{region},{age},{word if k == first else 10 + k}" for k, (region, age) in enumerate(rows)]
    proposal = propose_layout("\n".join(["Region,Age,Deaths", *lines]))
    assert f'"{word}"' in " ".join(proposal.doubts)
    assert proposal.reading is None
    assert proposal.layout.rows == ()
    assert [column.heading for column in proposal.layout.columns] == ["Region", "Age", "Deaths"]


#: Words and marks in place of counts.
WORDS = ("Suppressed", "geheim", "nicht verfügbar", "*", "..", "x")


def text_with_words(seed):
    """Return a table of up to three axes, with a word in place of some counts or of all counts of a label."""
    random = np.random.default_rng(seed)
    word, is_wide = WORDS[seed % len(WORDS)], seed % 3 == 0
    names = ["Region", "Age", "Cause"][: 2 + seed % 2 if is_wide else 1 + seed % 3]
    sizes = random.integers(3, 6, size=len(names))
    labels = [
        labels[:size]
        for labels, size in zip(
            (
                ["North", "South", "East", "West", "Mid"],
                ["0-4", "5-9", "10-14", "15-19", "20+"],
                list("ABCDE"),
            ),
            sizes,
            strict=False,
        )
    ]
    keys = list(itertools.product(*labels))
    axis = int(random.integers(len(names) - is_wide))
    label = labels[axis][random.integers(sizes[axis])]
    out = {key for key in keys if key[axis] == label} if seed % 2 else {keys[random.integers(len(keys))]}
    cells = {key: word if key in out else str(random.integers(3, 90)) for key in keys}
    if is_wide:
        rows = [[*names[:-1], *labels[-1]]]
        rows += [
            [*key, *(cells[*key, last] for last in labels[-1])] for key in itertools.product(*labels[:-1])
        ]
    else:
        rows = [[*names, "Deaths"], *([*key, cells[key]] for key in keys)]
    return "\n".join(map(";".join, rows)) + ("\nSource: office\n" if seed % 5 == 0 else "\n")


@pytest.mark.parametrize("seed", range(60))
def test_accepted_doubts_omit_no_line_with_a_word_in_place_of_a_count(seed):
    text, how = text_with_words(seed), ReadOptions(doubts="accept")
    with pytest.raises(InputError):
        read_or_propose(text, None, how, lambda: read_csv(text, how=how))


def test_a_text_in_place_of_a_count_beside_times_is_asked_about():
    """The rows are counts of two times, and none of them is a person."""
    lines = ["semester;subject;nationality;sex;value"]
    for year in ("WS 2021/22", "WS 2022/23"):
        for i, subject in enumerate(["Law", "Medicine", "Physics", "Music"]):
            for j, nationality in enumerate(["German", "foreign", "all"]):
                for k, sex in enumerate(["male", "female", "both"]):
                    count = (4013 + 317 * i + len(year) * (year > "WS 2022")) * (1, 2, 3)[j] * (2, 3, 5)[k]
                    is_hidden = (year, i, j, k) == ("WS 2022/23", 0, 1, 0)
                    lines.append(
                        ";".join([year, subject, nationality, sex, "." if is_hidden else str(count)])
                    )
    proposal = propose_layout("\n".join(lines).encode())
    assert proposal.texts == (".",)
    assert [column.heading for column in proposal.layout.of_role("count")] == ["value"]


def test_weights_of_records_are_no_decimal_counts():
    rows = "".join(
        f"P{k:05d},Prov {k % 6},{18 + k % 70},{'fm'[k % 2]},{40 + k * 0.37:.2f}\n" for k in range(90)
    )
    proposal = propose_layout("person_id,province,age,sex,weight\n" + rows)
    kinds = {one.question for one in proposal.questions.values()}
    assert "persons" in kinds
    assert "decimal counts" not in kinds


def test_the_first_heading_of_a_block_names_no_axis():
    text = (
        "Accidents by year\n\nÉv;Foot;Cycle;Összesen\nDied;;;\n2021;19;70;89\n2022;46;90;136\n2023;61;89;150\n"
        "Injured;;;\n2021;172;81;253\n2022;129;31;160\n2023;45;46;91\nÖsszesen;;;\n2021;191;151;342\n"
        "2022;175;121;296\n2023;106;135;241\n"
    )
    assert [axis.name for axis in propose_layout(text).reading.table.axes] == ["Block", "Év", "Column"]
