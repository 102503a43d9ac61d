"""What stands indented below others is a part of them, however it is indented and whatever file it is in."""

import io

import numpy as np
import openpyxl
import pandas as pd
import pytest
from openpyxl.styles import Alignment
from stating import stating

from sdcwidgets import InputError
from sdcwidgets.tables.io.options import Question, ReadOptions
from sdcwidgets.tables.io.sources import read_csv, read_frame

BEFORE = [
    "  ",
    "\u00a0\u00a0",
    "\t",
    "- ",
    "– ",
    "-",
    "* ",
    "· ",
    "• ",
    ">> ",
    "> ",
    "-> ",
    "..",
    "......",
    "…",
    "  - ",
    "__",
    "+ ",
]
LABELS, INSIDE = ("Under 15", "In school", "In care", "15-64", "65+"), (False, True, True, False, False)
COUNTS = np.array([[50, 40], [30, 20], [9, 8], [70, 80], [20, 33]])


def rows(before, counts=COUNTS):
    return [
        [before * part + label, *map(int, row)]
        for label, part, row in zip(LABELS, INSIDE, counts, strict=True)
    ]


def as_csv(before, counts=COUNTS):
    return "Age,m,f\n" + "".join(f"{label},{m},{f}\n" for label, m, f in rows(before, counts)), ReadOptions()


def as_quoted_csv(before, counts=COUNTS):
    return "Age;m;f\n" + "".join(
        f'"{label}";{m};{f}\n' for label, m, f in rows(before, counts)
    ), ReadOptions()


def as_long(before, counts=COUNTS):
    lines = "".join(f'"{label}",m,{m}\n"{label}",f,{f}\n' for label, m, f in rows(before, counts))
    return "Age,Sex,n\n" + lines, ReadOptions(by=("Age", "Sex"), count="n")


def as_pasted(before, counts=COUNTS):
    lines = "".join(f"{label}\tm\t{m}\n{label}\tf\t{f}\n" for label, m, f in rows(before, counts))
    return "Age\tSex\tn\n" + lines, ReadOptions(by=("Age", "Sex"), count="n")


def as_columns(before, counts=COUNTS):
    head, *lines = zip(*rows(before, counts), strict=True)
    text = "\n".join(
        ",".join(map(str, line))
        for line in zip(("Sex", "m", "f"), *zip(head, *lines, strict=True), strict=True)
    )
    return text + "\n", ReadOptions()


def as_workbook(before, counts=COUNTS):
    book = openpyxl.Workbook()
    book.active.append(["Age", "m", "f"])
    for k, row in enumerate(rows("", counts)):
        book.active.append(row)
        book.active.cell(k + 2, 1).alignment = Alignment(indent=int(INSIDE[k]))
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue(), ReadOptions()


def as_frame(before, counts=COUNTS):
    return pd.DataFrame(counts, index=[row[0] for row in rows(before)], columns=["m", "f"]), ReadOptions()


FILES = [(make, before) for make in (as_csv, as_quoted_csv, as_long, as_frame) for before in BEFORE]
FILES += [(as_pasted, before) for before in BEFORE if before != "\t"]
FILES += [(as_workbook, "")] + [(as_columns, before) for before in BEFORE if before.strip()]


def opened(content, how):
    return read_frame(content, how=how) if isinstance(content, pd.DataFrame) else read_csv(content, how=how)


@pytest.mark.parametrize(("make", "before"), FILES)
def test_parts_that_are_not_all_are_asked_about_and_left_out_or_kept(make, before):
    content, how = make(before)
    with pytest.raises(Question, match='In school" is indented as a part of "Under 15"') as asked:
        opened(content, how)
    assert [choice.name for choice in asked.value.choices] == ["margins"]
    dropped = opened(content, ReadOptions(**(how.changed() | {"margins": "drop"})))
    assert dropped.table.total == COUNTS[[0, 3, 4]].sum()
    assert "are indented" in dropped.notes[-1]
    kept = opened(content, ReadOptions(**(how.changed() | {"margins": "keep"})))
    assert kept.table.total == COUNTS.sum()
    assert "than once" in kept.notes[-1]


@pytest.mark.parametrize(("make", "before"), FILES)
def test_parts_that_are_all_leave_out_what_they_add_up_to(make, before):
    counts = COUNTS.copy()
    counts[0] = counts[1] + counts[2]
    reading = opened(*make(before, counts))
    assert reading.table.total == counts[1:].sum()
    assert any("Under 15" in note and "sums of" in note for note in reading.notes)


def test_parts_of_parts_are_left_out_with_them():
    text = (
        "Age,m,f\n0-64,90,80\n  0-14,50,40\n    0-4,20,10\n    5-9,30,30\n  of which 60-64,3,2\n65+,20,33\n"
    )
    dropped = read_csv(text, totals="drop").table
    assert (list(dropped.rows), dropped.total) == (["0-64", "65+"], 223)
    whole = text.replace("90,80", "57,45").replace("of which 60-64,3,2", "15-64,7,5")
    assert list(read_csv(whole).table.rows) == ["0-4", "5-9", "15-64", "65+"]


def test_sums_may_stand_below_their_parts():
    text = "Area,m,f\n  a,3,4\n  b,5,6\nNorth,{}\n  a,1,2\n  d,5,5\nSouth,{}\n"
    whole = read_csv(text.format("8,10", "6,7"), how=ReadOptions(doubts="accept"))
    assert list(whole.table.rows) == ["North: a", "b", "South: a", "d"]
    with pytest.raises(Question, match='Row "North: a" is indented as a part of "North"'):
        read_csv(text.format("18,20", "16,17"))
    assert list(read_csv(text.format("18,20", "16,17"), totals="drop").table.rows) == ["North", "South"]


@pytest.mark.parametrize(
    "labels", [("  5", " 10", "100"), (" 100+", "65-99", "15-64", "  <15"), ("  a", "  b", "  cd")]
)
def test_labels_whose_ends_or_beginnings_stand_below_each_other_are_no_outline(labels):
    lines = [f"{label},{50 // (k + 1)},{40 // (k + 1)}\n" for k, label in enumerate(labels)]
    reading = read_csv("Age,m,f\n" + "".join(lines))
    assert (reading.table.shape[0], reading.notes) == (len(labels), ())


def test_a_total_that_agrees_without_them_answers():
    reading = read_csv(as_csv("- ")[0] + "Total,140,153\n")
    assert reading.table.total == 293
    assert reading.notes == (
        stating("omitted", 'row "Total"', "sums"),
        stating('import omitted row "- In school"', 'row "- In care"'),
    )


def test_headings_between_rows_are_left_out_and_said():
    text = "Age,m,f\nGroup,,\n  Under 15,503,401\n  15-64,701,802\nMore,,\n  65+,203,337\n"
    reading = read_csv(text)
    assert reading.table.shape == (3, 2)
    assert reading.notes[0] == stating('import omitted "Group"')
    with pytest.raises(InputError, match="is empty"):
        read_csv(text.replace("  65+", "65+"))


def test_a_total_that_agrees_with_them_says_that_they_are_no_parts():
    assert read_csv(as_csv("- ")[0] + "Total,179,181\n").table.total == 360


@pytest.mark.parametrize(
    "text",
    [
        "Area,m,f\nNorth,10,12\n South,15,14\nEast,3,4\n",
        "Age,n\n-4,9\n> 65,3\n5-65,20\n",
        "Sex,n\nMen,9\nWomen,8\n- unknown -,3\n",
        "Total,n,k\n - A,5,3\n - B,9,4\n",
    ],
)
def test_a_blank_or_a_dash_alone_makes_no_part(text):
    assert read_csv(text).notes == ()


def test_the_same_label_below_two_others_is_named_with_them():
    text = "Age,A,B\nTotal:,30,40\n  Male:,10,25\n    0-4,4,10\n    5+,6,15\n"
    text += "  Female:,20,15\n    0-4,5,10\n    5+,15,5\n"
    with pytest.raises(Question) as asked:
        read_csv(text)
    assert str(asked.value) == stating("Male", "0-4", "doubts")
    reading = read_csv(text, how=ReadOptions(doubts="accept"))
    assert list(reading.table.rows) == ["Male: 0-4", "Male: 5+", "Female: 0-4", "Female: 5+"]
    assert reading.table.total == 70
