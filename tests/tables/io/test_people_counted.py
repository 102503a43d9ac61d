"""Files of people that are longer than any table: counted, and not kept."""

import pytest

from sdcwidgets import InputError
from sdcwidgets.tables.io.layout import long
from sdcwidgets.tables.io.options import ReadOptions
from sdcwidgets.tables.io.reading import read_bytes


def people(rows):
    return ("area,sex\n" + "".join(f"Area {k % 5},{'fm'[k % 2]}\n" for k in range(rows))).encode()


def test_people_may_have_more_rows_than_the_cells_of_a_table():
    reading = read_bytes("people.csv", people(20_000), limit=1_000, how=ReadOptions(by=("area", "sex")))
    assert reading.table.counts.tolist() == [[2_000, 2_000]] * 5
    table = people(20_000).replace(b",f", b",1").replace(b",m", b",2")
    with pytest.raises(InputError, match="There are more than 11,250 cells"):
        read_bytes("table.csv", table, limit=1_000, how=ReadOptions(by=("area",), count="sex"))


def test_people_who_differ_too_much_are_refused_before_they_fill_the_memory(monkeypatch):
    monkeypatch.setattr(long, "_MOST_COMBINATIONS", 9)
    with pytest.raises(InputError, match='more than 9 combinations of "area", "sex"'):
        read_bytes("people.csv", people(100), how=ReadOptions(by=("area", "sex")))
    monkeypatch.setattr(long, "_MOST_COMBINATIONS", 10)
    assert read_bytes("people.csv", people(100), how=ReadOptions(by=("area", "sex"))).table.total == 100


def test_a_number_of_the_person_is_not_asked_about_where_rows_have_a_weight():
    rows = "".join(f"{k},A{k % 3},{'fm'[k % 2]},{2 + k % 2}\n" for k in range(1, 40))
    content = f"person,area,sex,w\n{rows}".encode()
    assert read_bytes("a.csv", content, how=ReadOptions(by=("area", "sex"), weight="w")).table.total == 98
    with pytest.raises(InputError, match='"person" contains whole numbers'):
        read_bytes("a.csv", content, how=ReadOptions(by=("area", "sex")))
