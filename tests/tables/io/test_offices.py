"""What offices and spreadsheets do to a table: flags, pivots, hidden sheets, ages taken for dates, records of codes."""

import io

import openpyxl
import pandas as pd
import pytest
from refusing import sentence
from stating import stating

from sdcwidgets.tables.io.options import ReadOptions
from sdcwidgets.tables.io.sources import Question, read_csv, read_excel
from sdcwidgets.tables.table import FrequencyTable


def book(*sheets):
    """The bytes of a workbook with these (title, rows, state)."""
    made = openpyxl.Workbook()
    made.remove(made.active)
    for title, rows, state in sheets:
        sheet = made.create_sheet(title)
        for row in rows:
            sheet.append(row)
        sheet.sheet_state = state
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


SHOWN, HIDDEN = [["Area", "m", "f"], ["A", 1, 2], ["B", 3, 5]], [["Area", "m", "f"], ["A", 9, 9], ["B", 9, 9]]


def test_the_visible_sheet_is_read_and_a_hidden_one_is_told():
    content = book(("old", HIDDEN, "hidden"), ("new", SHOWN, "visible"))
    accepted = ReadOptions(doubts="accept")
    reading = read_excel(content, how=accepted)
    assert reading.table.total == 11
    assert reading.notes[-1] == 'The sheet "new", number 2 of 2, was read.'
    content = book(("notes", [["Source: us"]], "visible"), ("old", HIDDEN, "veryHidden"))
    assert read_excel(content, how=accepted).notes[-1] == 'The sheet "old" is hidden.'


def test_flags_beside_counts_are_asked_about_and_taken_off():
    text = "Area,m,f\nA,12 p,7\nB,5,9(e)\n"
    with pytest.raises(Question, match=r"may be a count with a flag: .*\(flags: off, or out") as asked:
        read_csv(text)
    assert [choice.name for choice in asked.value.choices] == ["flags"]
    reading = read_csv(text, how=ReadOptions(flags="off"))
    assert reading.table.counts.tolist() == [[12, 7], [5, 9]]
    assert reading.notes == ('A flag next to 2 counts ("e", "p") was removed.',)


@pytest.mark.parametrize("gap", [":", "c", "..", "x"])
def test_rows_with_gaps_are_left_out_where_that_is_chosen(gap):
    text = f"Area,m,f\nA,12,7\nB,{gap},9\nC,4,4\n"
    assert "marks an unpublished count" in sentence(read_csv, text)
    reading = read_csv(text, how=ReadOptions(flags="out"))
    assert reading.table.counts.tolist() == [[12, 7], [4, 4]]
    assert reading.notes == (stating("omitted 1 row", '"B"'),)


def test_a_rounded_number_is_refused():
    said = sentence(read_csv, "Area,m,f\nA,1.2E+05,3\nB,4,5\n")
    assert said.startswith('Row "A", column "m": the number was rounded')


def test_ages_that_were_taken_for_dates_are_told():
    reading = read_csv("Age,m,f\n0,3,4\n4-Jan,5,6\n5-9,2,1\n10-14,8,7\n")
    assert reading.notes[0].startswith('"4-Jan" stands among ranges such as "5-9": a spreadsheet takes ages')


@pytest.mark.parametrize("corner", ["Row Labels", "Zeilenbeschriftungen", "Étiquettes de lignes"])
def test_a_pivot_table_in_compact_form_is_named(corner):
    said = sentence(read_csv, f"{corner},n\nNorth,8\nm,5\nf,3\nSouth,6\nm,2\nf,4\nGrand Total,14\n")
    assert "labels of several fields" in said
    flat = read_csv(f"{corner},m,f,Grand Total\nNorth,5,3,8\nSouth,2,4,6\nGrand Total,7,7,14\n")
    assert flat.table.counts.tolist() == [[5, 3], [2, 4]]


def test_microdata_of_codes_are_asked_about():
    text = "YEAR,SERIAL,PERNUM,PERWT,SEX,AGE\n2021,1,1,12,1,34\n2021,1,2,13,2,33\n2021,2,1,9,2,71\n"
    with pytest.raises(Question, match=r'"SERIAL", "PERNUM", "PERWT".* suggest a file of records') as asked:
        read_csv(text)
    assert [choice.name for choice in asked.value.choices] == ["by", "count"]
    assert read_csv(text, how=ReadOptions(by=("SEX",), count="rows")).table.counts.tolist() == [1, 2]


@pytest.mark.parametrize("total", ["Total", "Both"])
def test_a_row_left_out_for_a_gap_takes_the_totals_with_it(total):
    text = f"Area,m,f,All\nA,12,7,19\nB,c,9,21\nC,4,4,8\n{total},28,20,48\n"
    reading = read_csv(text, how=ReadOptions(flags="out"))
    assert reading.table.counts.tolist() == [[12, 7], [4, 4]]
    assert reading.notes[:2] == (
        stating("omitted 1 row", '"B"'),
        stating("omitted", f'totals "{total}"'),
    )
    kept = read_csv(text, how=ReadOptions(flags="out", margins="keep"))
    assert kept.table.counts.tolist() == [[12, 7, 19], [4, 4, 8], [28, 20, 48]]


PIVOT = "Area,m,f\nA,12,\nB,,9\nC,4,4\n"


def test_empty_cells_of_a_pivot_are_asked_about():
    with pytest.raises(Question, match=r"the cell is empty; .* \(empty: zero\)") as asked:
        read_csv(PIVOT)
    assert [choice.name for choice in asked.value.choices] == ["empty"]
    reading = read_csv(PIVOT, how=ReadOptions(empty="zero"))
    assert reading.table.counts.tolist() == [[12, 0], [0, 9], [4, 4]]
    assert reading.notes == ("2 empty cells were read as 0.",)
    assert [choice.chosen for choice in reading.choices] == [("zero",)]
    frame = pd.DataFrame([[12, None], [3, 9]], ["A", "B"], ["m", "f"])
    assert FrequencyTable.from_frame(frame, empty="zero").counts.tolist() == [[12, 0], [3, 9]]


def test_a_row_or_column_without_counts_is_no_zero():
    for text in ("Area,m,f\nNorth,,\nA,12,3\nB,1,9\n", "Area,m,f\nA,12,\nB,1,\n"):
        assert "empty: zero" not in sentence(read_csv, text)
    assert '"North", column "m": the cell is empty' in sentence(
        read_csv, "Area,m,f\nA,12,3\nNorth,,\nB,1,\n", how=ReadOptions(empty="zero")
    )


def test_formulas_saved_without_values_are_called_so():
    rows = [["Area", "m", "f", "All"], ["A", 1, 2, "=B2+C2"], ["B", 3, 5, "=B3+C3"]]
    reading = read_excel(book(("a", rows, "visible")))
    assert reading.table.total == 11
    assert reading.notes[0] == stating("omitted", 'column "All": the formulas')
    rows[2][1] = "=1+2"
    assert "a formula that was saved without its value" in sentence(read_excel, book(("a", rows, "visible")))
