"""Files with one row per person lead to a question, also if a column of numbers could be counts."""

import random

import pytest

from sdcwidgets.tables.io.options import Question
from sdcwidgets.tables.io.reading import read_csv

RANDOM = random.Random(3)

PATIENTS = "Nr,Tid,Køn,Farve,Tal\n" + "".join(
    f"{k},2026-01-{1 + k % 28:02} {k % 24:02}:{k % 60:02},{RANDOM.choice('mk')},{RANDOM.choice('rgb')},{k * 7 % 90}\n"
    for k in range(1, 81)
)
CODED = "ID,A1,A2,A3\n" + "".join(
    f"{5000 + 3 * k},{RANDOM.choice('12')},{RANDOM.choice('12345')},{k * 7 % 90}\n" for k in range(100)
)


@pytest.mark.parametrize(("text", "columns"), [(PATIENTS, ("Køn", "Farve")), (CODED, ("A1", "A2"))])
def test_records_are_asked_about(text, columns):
    with pytest.raises(Question) as raised:
        read_csv(text)
    assert raised.value.doubt.question == "records"
    assert all(column in raised.value.doubt.facts["columns"] for column in columns)


def test_areas_with_their_regions_are_no_records():
    lines = "".join(f"E{k:03},Area {k},Region {k // 10},{k * 37 % 900}\n" for k in range(80))
    with pytest.raises(Question) as raised:
        read_csv("Code,Name,Region,Persons\n" + lines)
    assert raised.value.doubt.question == "determined"


def test_small_counts_of_many_areas_are_counts():
    lines = "".join(f"Area {k},{k % 3},{k % 5},{k % 7}\n" for k in range(100))
    assert read_csv("Area,Men,Women,Children\n" + lines).table.cells == 300
