"""What stands above the counts: one line of labels or two, and rows that only look like one."""

import io

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusing import sentence
from stating import stating

from sdcwidgets import InputError
from sdcwidgets.tables.io.layouts import FileLayout, LayoutColumn, LayoutRow
from sdcwidgets.tables.io.previews import FilePreview
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.sources import Question, ReadOptions, read_block, read_csv, read_excel


def saved(text):
    """The bytes of a workbook with the cells of a text."""
    book = openpyxl.Workbook()
    for line in text.splitlines():
        book.active.append([int(cell) if cell.isdigit() else cell or None for cell in line.split(",")])
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def both(text):
    """What is said of a text, and of a workbook with its cells."""
    yield sentence(read_csv, text)
    yield sentence(read_excel, saved(text))


@pytest.mark.parametrize("corner", ["Region", ""])
@pytest.mark.parametrize(
    "first", ["(5),(7)", "(5),(5)", "/,12*", "12%,15%", "1 234 r,15p", "x,y", "k.A.,k.A."]
)
@pytest.mark.parametrize("apart", ["", "\n"])
def test_a_first_row_without_a_number_is_no_header(corner, first, apart):
    text = f"{corner},Men,Women\n{apart}North,{first}\nSouth,21,32\nEast,43,54\n"
    for said in both(text):
        assert said.startswith(f'Row "North", column "Men": "{first.split(",")[0]}" ')
    assert sentence(read_csv, "Table 1,2020\n" + text).startswith('Row "North", column "Men"')


@pytest.mark.parametrize("first", ["(5)", "x", "/"])
def test_a_first_row_without_a_number_in_a_table_of_one_column(first):
    assert sentence(read_csv, f"Region,People\nNorth,{first}\nSouth,21\nEast,54\n").startswith(
        f'Row "North", column "People": "{first}" '
    )


def test_two_cells_apart_from_a_table_of_two_columns_are_a_title():
    reading = read_csv("population,All usual residents\n\narea,People\nA,5\nB,6\n")
    assert (reading.table.rows.name, reading.table.total) == ("area", 11)
    assert reading.notes == (stating("1 line of text above", '("population")'),)


@pytest.mark.parametrize("second", ["South,21,32", "South,(21),(32)"])
def test_a_blank_first_row_is_no_name_of_the_rows(second):
    said = (
        'Row "North", column "Men": the cell is empty; write 0 if the cell has no people, or "North" into the first '
        "cell of the header if it names the rows."
    )
    assert set(both(f"Region,Men,Women\nNorth,,\n{second}\nEast,43,54\nWest,1,2\n")) == {said}
    two = ",Men,,Women,\nRegion,young,old,young,old\nNorth,,,,\nSouth,1,2,3,4\nEast,5,6,7,8\n"
    for heard in both(two):
        assert heard.startswith('Row "North", column "young": the cell is empty')


def test_names_of_rows_in_a_line_of_their_own_are_said():
    """As pandas writes them below columns of several levels."""
    text = "sex,f,f,m,m\nwork,a,b,a,b\narea,,,,\nNorth,1,2,3,4\nSouth,5,6,7,9\n"
    reading = read_csv(text)
    assert [axis.name for axis in reading.table.axes] == ["area", "sex", "work"]
    assert reading.notes == (stating('line "area"'),)
    one_to_one = read_csv("sex,f,m\nwork,b,a\nage,,\n9,2,1\n10,1,2\n").table
    assert [axis.name for axis in one_to_one.axes] == ["age", "sex", "work"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Region,A,B,C\nNorth,5,3,\nSouth,1,2,4\nEast,1,1,4\n", 'Row "North", column "C": the cell is empty'),
        ("Region,A,B,C\nNorth,5,3,\nSouth,1,2,\nEast,1,1,4\n", 'Row "North", column "C": the cell is empty'),
        ("Region,A,B,C\nNorth,5,3,\nSouth,1,2,\nEast,1,1,\n", 'Row "North", column "C": the cell is empty'),
        ("Region,A,B,C\nNorth,5,3,\nSouth,1,2,\n", 'Row "North", column "C": the cell is empty'),
        (
            "Region,A,B,\nNorth,1,2,\nSouth,3,4,9\nEast,1,1,\n",
            'Row "South" has 4 cells and the first line 3;',
        ),
    ],
)
def test_a_blank_last_cell_is_told_where_it_is(text, said):
    for heard in both(text):
        assert heard.startswith(said)
        assert heard.endswith(("people.", "(empty: zero).", "same number."))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "Region,A,B,C\nNorth,5,3\nSouth,1,2,3,4\nEast,1,1,1\n",
            'Row "North" has 3 cells and the first line 4;',
        ),
        ("Region,A,B,C\nNorth,5,3\nSouth,1,2\nEast,1,1\n", 'Row "North" has 3 cells and the first line 4;'),
        ("Region,A,B,C\nNorth,1,5,3\nSouth,1,2,3,4\n", 'Row "South" has 5 cells and the first line 4;'),
        ("Region,A,B\nNorth,1,5,3\nSouth,1,2,3\n", 'Row "North" has 4 cells and the first line 3;'),
    ],
)
def test_a_ragged_row_is_told_with_the_cells_of_the_first_line(text, said):
    assert sentence(read_csv, text).startswith(said)


def test_what_is_beside_the_counts_is_said():
    remark = "Region,A,B,Remark\nNorth,1,2,\nSouth,3,4,estimated\nEast,1,1,\n"
    for reading in (read_csv(remark), read_excel(saved(remark))):
        assert reading.table.total == 12
        assert reading.notes == (stating("omitted", "flags", '("estimated")'),)
    formulas = "Region,A,B,Total\nNorth,1,2,\nSouth,3,4,\n"  # saved without the values of its formulas
    reading = read_excel(saved(formulas))
    assert reading.table.total == 10
    assert reading.notes == (stating("omitted", 'column "Total"', "blank"),)


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("Region,Men,,Women,\n,young,old,young,old", ("Region", "Upper heading", "Column")),
        (",Men,,Women,\nRegion,young,old,young,old", ("Region", "Upper heading", "Column")),
        ("Sex,Men,,Women,\nRegion,young,old,young,old", ("Region", "Sex", "Column")),
        ("Sex,Men,Men,Women,Women\nRegion,young,old,young,old", ("Region", "Sex", "Column")),
        ("Region,Men,Men,Women,Women\n,young,old,young,old", ("Region", "Upper heading", "Column")),
    ],
)
def test_a_header_of_two_lines_is_two_axes(header, names):
    text = f"{header}\nNorth,1,2,3,4\nSouth,5,6,7,9\n"
    for reading in (read_csv(text), read_excel(saved(f"People by region\n\n{text}"))):
        assert tuple(axis.name for axis in reading.table.axes) == names
        assert [list(axis) for axis in reading.table.axes[1:]] == [["Men", "Women"], ["young", "old"]]
        assert reading.table.counts.tolist() == [[[1, 2], [3, 4]], [[5, 6], [7, 9]]]


@pytest.mark.parametrize(
    ("header", "names"),
    [
        (",Sex,,,\n,Men,,Women,\nRegion,young,old,young,old", ("Region", "Sex", "Column")),
        (",Men,,Women,\n,Age,,,\nRegion,young,old,young,old", ("Region", "Upper heading", "Age")),
        (",Sex,,,\n,Men,,Women,\n,Age,,,\nRegion,young,old,young,old", ("Region", "Sex", "Age")),
    ],
)
def test_a_heading_over_all_columns_names_the_line_below_it(header, names):
    text = f"{header}\nNorth,1,2,3,4\nSouth,5,6,7,9\n"
    for reading in (read_csv(text), read_excel(saved(text))):
        assert tuple(axis.name for axis in reading.table.axes) == names


def test_axes_without_names_are_called_by_where_they_stand():
    text = ",,Men,,Women,\n,,young,old,young,old\nN,A,1,2,3,4\nN,B,5,6,7,9\nS,A,5,6,7,9\nS,B,1,1,1,1\n"
    names = [axis.name for axis in read_csv(text).table.axes]
    assert names == ["Row", "Row 2", "Upper heading", "Column"]


def test_a_header_of_two_lines_with_more_labels_of_rows_and_a_total():
    text = (
        "Region,Area,Men,,Women,,Total\n,,young,old,young,old,\n"
        "N,A,1,2,3,4,10\nN,B,5,6,7,9,27\nS,A,5,6,7,9,27\nS,B,1,1,1,1,4\n"
    )
    reading = read_csv(text)
    assert (reading.table.shape, reading.table.total) == ((2, 2, 2, 2), 68)
    assert [axis.name for axis in reading.table.axes] == ["Region", "Area", "Upper heading", "Column"]
    assert reading.notes == (stating("omitted", 'column "Total" as sums'),)


def test_a_header_of_two_lines_that_is_no_two_axes_is_refused():
    text = "Region,Men,,Women,,\n,a,b,a,b,c\nNorth,1,2,3,4,5\nSouth,5,6,7,9,5\n"
    assert set(both(text)) == {
        'The header has two lines, and under "Men", "Women" are not the same labels; give each column a label of '
        "its own in one line."
    }


def test_marks_that_repeat_are_no_lower_labels():
    with pytest.raises(Question, match=r'^Row "North", column "A": "\(5\)" is text'):
        read_csv("Region,A,B,C,D\nNorth,(5),(6),(5),(6)\nSouth,1,2,3,4\nEast,5,6,7,9\n")
    with pytest.raises(Question, match=r'^Row "North", column "A": "\(5\)" is text'):
        read_csv("Region,A,A\nNorth,(5),(7)\nSouth,1,2\nEast,3,4\n")


MARKS = ["", "(5)", "x", "/", "12%", "k.A.", "-", "c", "..", "1-4", "5 r"]


@pytest.mark.slow
@settings(max_examples=300)
@given(st.data())
def test_a_row_with_a_mark_is_never_lost(data):
    """Whatever stands in its other cells, and wherever it is."""
    columns = data.draw(st.integers(2, 5))
    body = data.draw(st.lists(st.lists(st.integers(0, 30), min_size=columns, max_size=columns), min_size=2))
    row = data.draw(st.integers(0, len(body) - 1))
    body[row] = data.draw(
        st.lists(st.sampled_from([*MARKS, 7]), min_size=columns, max_size=columns).filter(
            lambda cells: any(isinstance(cell, str) and cell for cell in cells)
        )
    )
    lines = [[data.draw(st.sampled_from(["Region", ""])), *"ABCDE"[:columns]]]
    if data.draw(st.booleans()):
        lines.insert(0, ["People by region", *[""] * columns])
    if data.draw(st.booleans()):
        lines.append([])
    lines += [[f"Row {i}", *cells] for i, cells in enumerate(body)]
    text = "".join(",".join(map(str, line)) + "\n" for line in lines)
    with pytest.raises(InputError):
        read_csv(text, totals="keep")


CROSSTAB = "Sex,F,M\nAge,,\n{}\n"


@pytest.mark.parametrize("header", ["Sex", ""])
@pytest.mark.parametrize(
    "rows", ["0-14,3,4\n15-64,7,9\n65+,2,1", "14,3,4\n15,7,9\n16,2,1", "14,3,4\n15,7,9\nAll,10,13"]
)
def test_a_crosstab_pasted_from_a_notebook_names_both_axes(header, rows):
    text = CROSSTAB.format(rows).replace("Sex", header)
    for reading in (read_csv(text), read_block(text.replace(",", "\t")), read_excel(saved(text))):
        assert [axis.name for axis in reading.table.axes] == ["Age", header or "Column"]
        assert reading.table.counts[:2].tolist() == [[3, 4], [7, 9]]
        assert reading.notes[0] == stating('line "Age"')


@pytest.mark.parametrize("line", ["North,,", "5-9,,", "under 5,,", "Total,,", "n/a,,"])
def test_a_row_without_counts_is_refused_where_it_may_be_one(line):
    text = CROSSTAB.format("10-14,3,4\n15-64,7,9" if line != "North,," else "South,3,4\nEast,7,9")
    text = text.replace("Age,,", line)
    assert "the cell is empty; write 0 if the cell has no people" in sentence(read_csv, text)


@pytest.mark.parametrize(
    "text", ["Region,m,w\n,{0},{0}\nNord,5,7\nSüd,4,8\n", ",m,w\n,{0},{0}\nNord,5,7\nSüd,4,8\n"]
)
@pytest.mark.parametrize("unit", ["Number", "Anzahl", "Persons"])
def test_a_line_of_units_below_the_header_is_left_out(text, unit):
    for reading in (read_csv(text.format(unit)), read_excel(saved(text.format(unit)))):
        assert list(reading.table.columns) == ["m", "w"]
        assert reading.table.counts.tolist() == [[5, 7], [4, 8]]
        assert reading.notes == (stating("omitted", f'("{unit}")'),)


def test_a_line_of_units_tells_which_columns_are_percentages():
    text = "Region,Code,m,w,Total,Total\n,,Number,Number,Number,in %\nNord,a,5,7,12,50\nSüd,b,4,8,12,50\n"
    reading = read_csv(text)
    assert reading.table.counts.tolist() == [[5, 7], [4, 8]]
    assert stating('import omitted column "Total in %"', "percentages") in reading.notes
    alone = "Region,m,w\n,in %,in %\nNord,42,58\nSüd,33,67\n"
    assert "percentages" in sentence(read_csv, alone)


@pytest.mark.parametrize(
    "line", ["North,Number,Number", ",c,c", ",secret,secret", ",Number,Persons", "Gebiet,Männer,Frauen"]
)
def test_a_line_that_may_be_a_row_is_no_line_of_units(line):
    assert sentence(read_csv, f"Region,m,w\n{line}\nNord,5,7\nSüd,4,8\n")


IN_TWO_LINES = {
    "a blank corner": "Sex,,Unem-,Not in,\n,Employed,ployed,labour force,Retired\n",
    "a name of two lines": "Age,Never,Now,Divorced or,Widowed\ngroup,married,married,separated,again\n",
    "below the others": "Area,Single,Not in,Couple,Other\n,,labour force,,\n",
    "a title above": "Status of people,,,,\n,Employed,Unem-,Not in,Retired\n,,ployed,labour force,\n",
}


@pytest.mark.parametrize("head", IN_TWO_LINES.values(), ids=IN_TWO_LINES)
def test_headings_that_continue_in_the_line_below_are_joined(head):
    text = head + "North,120,13,40,9\nSouth,101,15,62,7\nWest,31,115,52,12\n"
    parts = {tuple(read_csv(text).table.axes[1]), tuple(read_excel(saved(text)).table.axes[1])}
    assert len(parts) == 1
    labels = " ".join(parts.pop())
    assert any(label in labels for label in ("Unemployed", "Never married", "Not in labour force"))
    proposal = propose_layout(text)
    assert proposal.layout.joined_rows
    assert proposal.reading.table == read_csv(text).table
    assert FileLayout.from_toml(proposal.layout.to_toml()) == proposal.layout


@pytest.mark.parametrize(
    "head",
    [
        "Area,Men,,Women,\n,single,married,single,married\n",
        "Area,Men,Men,Women,Women\n,single,married,single,married\n",
        ",Status,,,\nArea,single,married,divorced,other\n",
    ],
)
def test_groups_of_headings_are_not_joined(head):
    text = head + "North,120,13,40,9\nSouth,101,15,62,7\nWest,31,115,52,12\n"
    assert not propose_layout(text).layout.joined_rows


def test_a_line_over_other_headings_that_may_belong_to_them_is_a_question():
    text = "Area,Not In,Divorced Or\n,Labour Force,Separated\nNorth,120,13\nSouth,100,15\nWest,31,115\n"
    with pytest.raises(Question) as question:
        read_csv(text)
    assert question.value.doubt.question == "heading line"
    joined = FilePreview(text.encode())
    joined.change({"row": 1, "role": "join"})
    assert joined.reading.table.axes[1].labels == ("Not In Labour Force", "Divorced Or Separated")
    assert [row["role"] for row in joined.shown()["rows"][:3]] == ["join", "header", "count"]
    joined.change({"row": 1, "role": "other"})
    assert joined.reading.table.axes[1].labels == ("Labour Force", "Separated")


def test_a_joined_row_must_be_above_another_row_of_headings():
    columns = (LayoutColumn(1, "label", "Area"), LayoutColumn(2, "count", "n"))
    with pytest.raises(InputError, match="join"):
        FileLayout(columns, rows=(LayoutRow(1, "join", "x"),), header=1, first=2)


def test_a_line_below_a_heading_is_joined_by_the_answer_of_a_decision():
    preview = FilePreview(b"Area,Not In,Employed\n,Labour Force,\nNorth,120,13\nSouth,100,15\nWest,31,115\n")
    decision = next(decision for decision in preview.decisions() if decision.place == ("row", 2))
    preview.change(decision.answers[0].change)
    assert preview.reading.table.axes[1].labels == ("Not In Labour Force", "Employed")
    assert preview.decisions() == []


def test_a_blank_heading_has_the_text_of_the_line_above():
    """Cells of a header that are merged vertically have a text in the upper line only."""
    text = (
        "Enterprises by size,,,,\n,,,,(units)\nArea,All,Of which,,\n,,Large,Small,tiny\n"
        "Bath,602,401,201,57\nHull,754,510,244,81\nYork,1205,810,395,133\n"
    )
    with pytest.raises(Question) as asked:
        read_csv(text, how=ReadOptions(doubts="ask"))
    assert asked.value.doubt.question == "unknown unit"
    preview = FilePreview(text.encode())
    assert preview.reading.table.axes[0].labels == ("Bath", "Hull", "York")
    assert preview.reading.table.axes[1].labels == ("Large", "Small")
    assert any(
        '"tiny" is not included in the total "All"' in decision.text for decision in preview.decisions()
    )


@pytest.mark.parametrize(
    "blank", ["Code,Area,Total,Sex,\n,,,Men,Women\n", "Code,Area,Total,Men,Women\n,,,,\n"]
)
def test_merged_headings_of_labels_and_totals(blank):
    reading = read_csv(f"{blank}E1,Bath,10,4,6\nE2,Hull,12,5,7\nE3,York,33,11,22\n")
    assert reading.table.axes[1].labels == ("Men", "Women")
    assert reading.table.total == 55


IN_TWO_LANGUAGES = (
    "Municipality,Qatari,,Non-Qatari,,البلدية\n,قطري,,غير قطري,,\n,Men,Women,Men,Women,\n,ذكور,إناث,ذكور,إناث,\n"
    "Doha,694,849,295,553,الدوحة\nAl Rayyan,1041,1660,551,769,الريان\nAl Khor,177,579,258,309,الخور\n"
)


def test_a_line_of_headings_in_a_second_language_is_not_read():
    table = propose_layout(saved(IN_TWO_LANGUAGES)).reading.table
    assert table.shape == (3, 2, 2)
    labels = [axis.labels for axis in table.axes]
    assert labels == [("Doha", "Al Rayyan", "Al Khor"), ("Qatari", "Non-Qatari"), ("Men", "Women")]
    rows = IN_TWO_LANGUAGES.splitlines()
    text = "\n".join(row.rpartition(",")[0] for row in rows)
    without_the_last_column = read_excel(saved(text)).table
    assert [axis.labels for axis in without_the_last_column.axes] == labels
    assert without_the_last_column.total == table.total


def test_a_total_in_two_languages_is_omitted():
    for total in ("Insgesamt / Total", "合计 Total", "Σύνολο|Total"):
        reading = read_csv(f"Area,m,f\nBath,31,45\nHull,59,26\n{total},90,71\n")
        assert reading.table.axes[0].labels == ("Bath", "Hull")
    assert (
        len(read_csv("Area,m,f\nBath,31,45\nHull,59,26\nTotal / Rest,90,72\n", totals=False).table.axes[0])
        == 3
    )


@pytest.mark.parametrize("after", [True, False])
def test_the_names_of_areas_are_preferred_to_their_surveys(after):
    areas = {"Peru": "LFS - Encuesta Permanente", "Uruguay": "LFS - Encuesta Continua de Hogares"}
    names = ("Source", "Country", "Code") if not after else ("Country", "Source", "Code")
    lines = [",".join((*names, "Sex", "Persons"))]
    for k, (area, source) in enumerate(areas.items()):
        for sex, count in (("Male", 31 + 7 * k), ("Female", 48 - 3 * k)):
            pair = (area, source) if after else (source, area)
            lines.append(",".join((*pair, f"A{k}", sex, str(count))))
    table = read_csv("\n".join(lines)).table
    assert table.axes[0].name == names[0]  # The order of the file decides.
    assert table.axes[1].labels == ("Male", "Female")
