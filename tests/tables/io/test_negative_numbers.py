"""Negative numbers: masks of unpublished counts, differences of counts, and other causes of questions."""

import pytest

from sdcwidgets import FrequencyTable
from sdcwidgets.tables.io.formats.base import of
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.previews import FilePreview
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.sources import Question

MASKED = "Area,Men,Women\nBath,310,290\nHull,-999,265\nYork,180,171\nLeeds,402,398\n"
DIFFERENCES = (
    "Area;Births;Deaths;Increase\nBath;310;290;20\nHull;245;265;-20\nYork;180;171;9\nRipon;80;97;-17\n"
)


def test_a_negative_number_is_a_text_in_place_of_a_count():
    with pytest.raises(Question) as raised:
        FrequencyTable.from_csv(MASKED)
    proposal = raised.value.proposal
    assert proposal.texts == ("-999",)
    made = FilePreview(MASKED.encode())
    answers = [
        reply.change
        for one in made.decisions()
        for reply in one.answers
        if "-999" in str(reply.change["name"])
    ]
    made.change(next(change for change in answers if change["value"] == "leave out"))
    assert made.reading.table.total == 310 + 290 + 180 + 171 + 402 + 398


def test_a_column_of_differences_is_not_read():
    proposal = propose_layout(DIFFERENCES)
    assert [column.role for column in proposal.layout.columns] == ["label", "count", "count", "other"]
    assert read(DIFFERENCES, proposal.layout).table.shape == (4, 2)
    with pytest.raises(Question) as raised:
        FrequencyTable.from_csv(DIFFERENCES)
    assert {"doubts", "by"} <= {choice.name for choice in raised.value.choices}


def test_names_beside_codes_are_proposed_as_a_table_or_as_people():
    rows = [
        f"{code},{area},{sex},{age},{count}"
        for (code, area), counts in {(7, "Bath"): (31, 45, 28, 60), (9, "Hull"): (77, 15, 52, 8)}.items()
        for (sex, age), count in zip([("m", "a"), ("m", "b"), ("f", "a"), ("f", "b")], counts, strict=True)
    ]
    text = "\n".join(["Id,District,Sex,Age,Number", *rows])
    assert propose_layout(text).reading.table.shape == (2, 2, 2)


def test_a_part_of_a_page_is_a_table():
    page = b"<div><table><tr><th>Area</th><th>Men</th></tr><tr><td>Bath</td><td>3</td></tr></table></div>"
    assert of(page).name == "html"
