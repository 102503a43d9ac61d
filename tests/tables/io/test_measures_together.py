"""Measures that do not count the same people, beside each other in one table, are noticed by their numbers."""

import json

import numpy as np
import pytest

from sdcwidgets import FrequencyTable
from sdcwidgets.tables.io.options import Question, ReadOptions
from sdcwidgets.tables.io.plausibility import alarms
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.reading import read_csv

VOTES = np.array([[685, 657, 177], [371, 368, 106], [4797, 6454, 975], [1203, 811, 290]])


def text(*, electors, of_text=False):
    """Return a table with the columns of electors, valid votes and parties, in a language without known words."""
    valid = VOTES.sum(axis=1)
    lines = ["Ou;" + "qua;" * of_text + "Bli;Dro;A;B;C"]
    for k, (votes, total) in enumerate(zip(VOTES, valid, strict=True)):
        note = ("x;", ";")[k % 2] * of_text
        lines.append(f"P{k};{note}{electors[k]};{total};" + ";".join(map(str, votes)))
    return "\n".join(lines) + "\n"


def test_a_column_that_no_total_includes_and_that_is_larger_is_asked_about():
    table = text(electors=[2430, 1352, 19562, 4001])
    with pytest.raises(Question) as raised:
        FrequencyTable.from_csv(table)
    assert raised.value.doubt.question == "larger"
    assert raised.value.doubt.facts["label"] == "Bli"
    assert read_csv(table, how=ReadOptions(margins="drop")).table.total == VOTES.sum()
    kept = read_csv(table, how=ReadOptions(margins="keep"))
    assert any("Dro" in note for note in kept.notes)


def test_a_smaller_column_beside_a_total_may_be_a_category():
    table = text(electors=[24, 1352, 19, 401])
    with pytest.raises(Question) as raised:
        FrequencyTable.from_csv(table)
    assert raised.value.doubt.question == "added"
    accepted = read_csv(table, how=ReadOptions(doubts="accept")).table
    assert accepted.axes[1].labels == ("Bli", "A", "B", "C")


def test_a_proposed_layout_leaves_larger_columns_out():
    proposal = propose_layout(text(electors=[2430, 1352, 19562, 4001], of_text=True))
    assert [column.heading for column in proposal.layout.of_role("count")] == ["A", "B", "C"]


def test_two_votes_of_the_same_people_are_an_alarm():
    second = VOTES[:, [1, 2, 0]]
    counts = np.stack([VOTES, second], axis=2)
    axes = {"Area": "PQRS", "Party": "ABC", "Vote": ["first", "second"]}
    assert "same" in [one.question for one in alarms(FrequencyTable(counts, axes))]
    counts[0, 0, 1] += 1
    assert "same" not in [one.question for one in alarms(FrequencyTable(counts, axes))]


@pytest.mark.parametrize("per_cell", [1, 2])
def test_rows_that_are_equally_many_in_each_cell_are_no_people(per_cell):
    rows = [f"{area},{sex},{k}" for area in "ABC" for sex in ("f", "m") for k in range(per_cell)]
    table = "Area,Sex,Unit\n" + "\n".join(rows) + "\n"
    how = ReadOptions(by=("Area", "Sex"), count="rows")
    if per_cell == 1:
        assert read_csv(table, how=how).table.total == 6
        return
    with pytest.raises(Question) as raised:
        read_csv(table, how=how)
    assert raised.value.doubt.question == "equal"
    assert read_csv(table + "A,f,9\n", how=how).table.total == 13


def test_one_of_several_contents_of_pxweb_is_chosen():
    columns = [{"code": "r", "text": "Region", "type": "d"}, {"code": "s", "text": "Sex", "type": "d"}]
    columns += [{"code": name, "text": name, "type": "c"} for name in ("Persons", "Households")]
    data = [
        {"key": [region, sex], "values": [str(7 * k + 3), str(2 * k + 1)]}
        for k, (region, sex) in enumerate((r, s) for r in "AB" for s in "mf")
    ]
    content = json.dumps({"columns": columns, "comments": [], "data": data}).encode()
    with pytest.raises(Question) as raised:
        read_csv(content)
    assert {choice.name for choice in raised.value.choices} >= {"only"}
    assert read_csv(content, how=ReadOptions(only=("Contents=Persons",))).table.total == 54
