"""Times are never added up in silence: one is chosen, or all are by a choice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusing import sentence
from stating import stating

from sdcwidgets.tables.io.options import ReadOptions
from sdcwidgets.tables.io.sources import Question, read_csv

WIDE = "Area,{},{}\nA,10,40\nB,20,38\n"
LONG = "Area,Sex,Year,Persons\n" + "".join(
    f"{area},{sex},{year},{i + 3 * j + 7 * k + 1}\n"
    for i, area in enumerate("AB")
    for j, sex in enumerate("mf")
    for k, year in enumerate((2021, 2022, 2023))
)


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("2023Q1", "2023Q2"),
        ("Y2021", "Y2022"),
        ("2023-Q1", "2023-Q2"),
        ("Q1 2023", "Q2 2023"),
        ("1. Quartal 2023", "2. Quartal 2023"),
        ("3º trimestre 2023", "4º trimestre 2023"),
        ("March 2023", "June 2023"),
        ("Jan-Mar 2023", "Apr-Jun 2023"),
        ("2021M01", "2021M02"),
        ("Jan 2021", "Feb 2021"),
        ("2021-01", "2021-02"),
        ("2020/21", "2021/22"),
        ("2023T1", "2023T2"),
    ],
)
def test_columns_that_are_times_are_asked_about(first, last):
    text = WIDE.format(first, last)
    with pytest.raises(Question, match=r'^"Column" has times .*\(only: Column=') as asked:
        read_csv(text)
    [choice] = asked.value.choices
    assert list(choice.options) == ["Column=*", f"Column={first}", f"Column={last}"]
    one = read_csv(text, how=ReadOptions(only=f"Column={last}"))
    assert one.table.counts.tolist() == [40, 38]
    assert one.notes == (f'Only "{last}" of "Column" was read.',)
    assert [choice.name for choice in one.choices] == ["only"]
    assert read_csv(text, how=ReadOptions(only="Column=*")).table.total == 108


def test_years_of_birth_are_categories_by_a_choice():
    text = "Year of birth,m,f\n1990,5,6\n1991,4,3\n"
    with pytest.raises(Question, match="has times"):
        read_csv(text)
    assert read_csv(text, how=ReadOptions(only="Year of birth=*")).table.total == 18


def test_a_long_table_is_not_added_up_over_years():
    with pytest.raises(Question, match=r'^"Year" has times') as asked:
        read_csv(LONG, how=ReadOptions(by=("Area",), count="Persons"))
    assert [choice.name for choice in asked.value.choices] == ["only", "by", "count"]
    one = read_csv(LONG, how=ReadOptions(by=("Area",), count="Persons", only="Year=2022"))
    assert one.table.counts.tolist() == [8 + 11, 9 + 12]
    both = read_csv(LONG, how=ReadOptions(by=("Area", "Sex"), count="Persons", only=("Year=2022", "Sex=m")))
    assert both.table.counts.tolist() == [[8], [9]]


@given(st.sampled_from("AB"), st.sampled_from("mf"), st.sampled_from(("2021", "2022", "2023")))
def test_slices_of_all_labels_make_up_the_whole(area, sex, year):
    def total(*only):
        return read_csv(LONG, how=ReadOptions(by=("Area", "Sex"), count="Persons", only=only)).table.total

    assert sum(total(f"Year={one}") for one in (2021, 2022, 2023)) == total("Year=*")
    assert total(f"Year={year}", f"Area={area}", f"Sex={sex}") > 0


def test_what_is_not_there_is_refused_with_what_is():
    text = WIDE.format("2023Q1", "2023Q2")
    assert sentence(read_csv, text, how=ReadOptions(only="Sex=m")) == stating('axis "Sex"', "not")
    assert 'Its labels are "2023Q1", "2023Q2"' in sentence(
        read_csv, text, how=ReadOptions(only="Column=2024")
    )
    assert "write the argument only as Year=2021" in sentence(read_csv, text, how=ReadOptions(only="2023Q1"))
    assert "not exist" in sentence(
        read_csv, LONG, how=ReadOptions(by=("Area",), count="Persons", only="Time=1")
    )
    assert "row has" in sentence(
        read_csv, LONG, how=ReadOptions(by=("Area",), count="Persons", only="Year=1")
    )


def test_one_label_of_the_only_axis_is_no_table():
    text = "Area,People\nNorth,5261\nSouth,3246\nTotal,8507\n"
    assert sentence(read_csv, text, how=ReadOptions(only=("Area=North",))) == (
        "The table has one cell only; it needs at least two."
    )
