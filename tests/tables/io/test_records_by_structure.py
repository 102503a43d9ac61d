"""Files with one row per person whose identifiers, codes and coordinates look like a table."""

import random

import pytest

from sdcwidgets import FrequencyTable
from sdcwidgets.tables.io.options import ReadOptions
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.questions import Doubt
from sdcwidgets.tables.io.sources import Question


def _rows(draw: random.Random) -> list[list[object]]:
    """Return rows with an identifier, a date, three codes, and coordinates."""
    ids = draw.sample(range(100_000, 999_999), 120)
    return [
        [
            number,
            f"{draw.randrange(1, 29):02}/{draw.randrange(1, 13):02}/2025",
            draw.choice([1, 2]),
            draw.choice([3, 7, 11, 20]),
            draw.choice([1, 2, 9]),
            round(draw.uniform(40, 41), 5),
        ]
        for number in ids
    ]


HEADER = ["Key", "Day", "Sex", "State", "Status", "Latitude"]


def _text(columns: list[str]) -> str:
    rows = _rows(random.Random(7))
    chosen = [HEADER.index(name) for name in columns]
    return "\n".join(
        ",".join(map(str, row)) for row in [columns, *([row[j] for j in chosen] for row in rows)]
    )


@pytest.mark.parametrize("columns", [["Key", "Sex", "State", "Status"], HEADER], ids=["codes", "coordinates"])
def test_records_lead_to_the_choice_of_columns(columns):
    text = _text(columns)
    proposal = propose_layout(text)
    assert not proposal.layout.of_role("count")
    assert any(one.question == "records" for one in proposal.questions.values())
    with pytest.raises(Question) as raised:
        FrequencyTable.from_csv(text)
    assert isinstance(raised.value.doubt, Doubt)
    assert {"by", "count"} <= {choice.name for choice in raised.value.choices}


def test_records_are_counted_by_the_chosen_columns():
    from sdcwidgets.tables.io.reading import read_csv

    how = ReadOptions(by=("Sex", "State"), count="rows")
    reading = read_csv(_text(HEADER), how=how)
    assert (reading.table.total, reading.table.shape) == (120, (2, 4))


@pytest.mark.parametrize("heading", ["People", "Count"])
@pytest.mark.parametrize("step", [7, -7])
def test_evenly_spaced_counts_below_a_heading_of_counts_are_counts(heading, step):
    counts = [100 + step * i for i in range(12)]
    rows = "".join(f"Town{i},County{i % 5},{count}\n" for i, count in enumerate(counts))
    proposal = propose_layout(f"Municipality,County,{heading}\n{rows}")
    assert proposal.reading.table.total == sum(counts)
    assert proposal.layout.columns[2].role == "count"


def test_numbers_of_rows_are_no_counts():
    rows = "".join(f"Town{i},County{i % 5},{i + 1}\n" for i in range(12))
    proposal = propose_layout(f"Municipality,County,No\n{rows}")
    assert proposal.layout is None or proposal.layout.columns[2].role != "count"
