"""Long tables and one row a person: whose rows they are, who has no value, and what is said of both."""

from dataclasses import replace

import pandas as pd
import pytest
from refusing import sentence
from stating import stating

from sdcwidgets import FrequencyTable, InputError
from sdcwidgets.tables.io.sources import Question, ReadOptions, read_csv
from sdcwidgets.tables.io.sources.people import tabulate

TWICE = "Region,Sex,Persons\nNord,m,3\nNord,m,4\nNord,w,5\nSüd,m,1\nSüd,w,2\n"
BY = ReadOptions(by=("Region", "Sex"))


def test_a_combination_that_is_there_twice_makes_no_persons_of_counts():
    with pytest.raises(Question, match=r'^"Persons" contains whole numbers.*count: Persons or rows') as asked:
        read_csv(TWICE, how=BY)
    by, count = asked.value.choices
    assert (by.chosen, count.chosen) == (("Region", "Sex"), ())
    reading = read_csv(TWICE, how=replace(BY, count="Persons"))
    assert reading.table.counts.tolist() == [[7, 5], [1, 2]]
    assert reading.notes == ('Region "Nord", Sex "m" occurs 2 times in the file; the counts were added.',)
    more = read_csv(TWICE + "Süd,m,1\n", how=replace(BY, count="Persons"))
    assert "2 combinations occur more than once" in more.notes[0]
    people = read_csv(TWICE, how=replace(BY, count="rows"))
    assert (people.table.total, people.notes) == (5, ())
    summed = read_csv(TWICE + "Nord,w,6\n", how=ReadOptions(by=("Region",), count="Persons"))
    assert summed.notes[0] == (
        '2 combinations occur more than once, such as Region "Nord", Sex "m"; the counts of '
        "equal combinations were added."
    )


def test_without_saying_anything_the_same_is_offered():
    with pytest.raises(Question, match=r'Region "Nord", Sex "m" twice') as asked:
        read_csv(TWICE)
    by, count = asked.value.choices
    assert (by.chosen, list(by.options)) == (("Region", "Sex"), ["Region", "Sex", "Persons"])
    assert (count.chosen, list(count.options)) == ((), ["rows", "Persons"])
    with pytest.raises(Question, match=r'Region "Nord" twice'):
        read_csv("Region,Persons\nNord,3\nNord,4\nSüd,1\n")
    wide = "Region,Sex,a,b\nNord,m,1,2\nNord,m,3,4\nNord,w,5,6\nSüd,w,5,6\n"
    assert sentence(read_csv, wide) == stating('Region "Nord", Sex "m"', "twice")


def test_people_with_several_attributes_are_not_taken_for_cells():
    rows = "".join(f"{'ABC'[i % 3]},{20 + i % 29},{'xyz'[i // 9 % 3]},{1 + i % 4}\n" for i in range(90))
    reading = read_csv(f"Area,Age,Job,Rooms\n{rows}A,20,x,2\n", how=ReadOptions(by=("Area", "Age")))
    assert reading.notes == (stating("person: 91"),)


def test_years_of_a_long_table_are_no_persons_either():
    rows = "".join(f"{year},{area},{n}\n" for year in (2020, 2021, 2022) for area, n in (("A", 4), ("B", 9)))
    for counts in ("Persons", "Werte 2"):
        with pytest.raises(Question, match=f'"{counts}" contains whole numbers'):
            read_csv(f"Year,Area,{counts}\n{rows}", how=ReadOptions(by=("Area",)))


@pytest.mark.parametrize("name", ["Age", "Id", "Running", "Born"])
def test_ages_years_and_numbers_of_records_are_no_counts(name):
    values = {"Running": range(7, 17), "Born": range(1990, 2000)}.get(name, (3, 1, 4, 1, 5, 9, 2, 6, 5, 3))
    rows = "".join(f"{'AB'[i % 2]},{'cde'[i % 3]},{value}\n" for i, value in enumerate(values))
    reading = read_csv(f"Area,Job,{name}\n{rows}", how=ReadOptions(by=("Area", "Job")))
    assert (reading.table.total, reading.notes) == (10, ())


def test_a_column_that_few_rows_could_make_a_table_of_is_not_asked_about_but_told():
    rows = "".join(f"{'AB'[i % 2]},{1 + i % 3}\n" for i in range(30))
    reading = read_csv(f"Area,Children\n{rows}", how=ReadOptions(by=("Area",)))
    more = "".join(f"{'AB'[i % 2]},{1000 + 7.5 * (i % 29)},{i % 28 or '.'},{1 + i % 3}\n" for i in range(30))
    income = read_csv(f"Area,Earned,Age,Children\n{more}", how=ReadOptions(by=("Area",)))
    assert (income.table.total, income.notes) == (reading.table.total, reading.notes)
    assert (reading.table.total, reading.notes) == (30, (stating("person: 30"),))
    assert read_csv(f"Area,Children\n{rows}", how=ReadOptions(by=("Area",), count="rows")).notes == ()


@pytest.mark.parametrize("mark", ["", "NA", "n/a", "NULL", "NaN", ".", ".."])
def test_each_mark_of_a_missing_value_is_asked_about(mark):
    people = f"Sex,Job\nm,a\nw,{mark}\nw,b\nm,{mark} \n"
    how = ReadOptions(by=("Sex", "Job"), count="rows")
    named = f' ("{mark}")' if mark else ""
    assert sentence(read_csv, people, how=how).startswith(f'2 of 4 rows have no value in "Job"{named}; name')
    reading = read_csv(people, how=replace(how, missing="Unknown"))
    assert reading.table == FrequencyTable(
        [[1, 0, 1], [0, 1, 1]], {"Sex": "mw", "Job": ["a", "b", "Unknown"]}
    )
    assert (
        reading.notes[0] == f'2 of 4 rows have no value in "Job"{named}; these rows are counted as "Unknown".'
    )


def test_a_dash_is_missing_among_numbers_and_asked_about_in_no_text():
    ages = read_csv(
        "Sex,Age\nm,30\nw,-\nw,41\n", how=ReadOptions(by=("Age",), count="rows", missing="Unknown")
    )
    assert list(ages.table.axes[0]) == ["30", "41", "Unknown"]
    jobs = read_csv("Sex,Job\nm,a\nw,-\nw,b\n", how=ReadOptions(by=("Job",), count="rows"))
    assert list(jobs.table.axes[0]) == ["-", "a", "b"]
    assert jobs.notes == (stating('"-" in "Job" (1 row)', "category", "NA"),)


def test_a_person_without_a_value_is_no_note_below_the_table():
    how = ReadOptions(by=("Sex", "Job"), count="rows", missing="?")
    reading = read_csv("Sex,Job\nm,a\nw,\nw,b\n,b\n\nSource: x\n", how=how)
    assert reading.table.counts.tolist() == [[1, 0, 0], [0, 1, 1], [0, 1, 0]]
    assert reading.notes[-1] == stating("omitted 2 lines")


def test_blanks_that_are_taken_off_are_told():
    text = "Region,Job\nNord,a\nNord ,a\nNord,b\nSüd,a\nSüd,b \n"
    reading = read_csv(text, how=ReadOptions(by=("Region", "Job"), count="rows"))
    assert reading.table.shape == (2, 2)
    assert reading.notes == (stating("Blanks", "2 values"),)


def test_a_table_of_more_than_a_hundred_million_cells_is_refused():
    sizes = {"a": 1000, "b": 1000, "c": 101}
    columns = {name: pd.Categorical([0], categories=range(size)) for name, size in sizes.items()}
    with pytest.raises(InputError, match="101,000,000"):
        tabulate(pd.DataFrame(columns), list("abc"))


def test_rows_that_only_a_running_number_tells_apart_may_be_persons():
    rows = "".join(
        f"{100 + i},{('NO', 'SE', 'FI')[i % 3]},{'mf'[i % 2]},{20 + 7 * i % 50},{1 + i % 4}\n"
        for i in range(12)
    )
    with pytest.raises(Question, match="one row per person"):
        read_csv(f"idno,cntry,gndr,agea,hhmmb\n{rows}")
