"""A total that differs from the sum of its parts by an unknown count is no doubt; a total that is wrong stays one."""

import pytest

from sdcwidgets.tables.io.previews import FilePreview
from sdcwidgets.tables.io.proposals import propose_layout

HEAD = "Area,m,f,x,All\n"


@pytest.mark.parametrize(
    "rows",
    [
        "A,20,11,..,73\nB,10,20,30,60\n",
        "A,20,11,c,73\nB,10,20,30,60\nAll,30,31,72,133\n",
        "A,20,11,..,73\nB,10,20,30,60\nC,10,..,30,60\n",
        "A,20,c,11,c\nB,10,20,30,60\nC,4,5,6,15\n",
        "A,20,7,11,c\nB,10,20,30,60\nC,4,5,6,15\n",
    ],
)
def test_an_unknown_count_accounts_for_the_difference(rows):
    doubts = propose_layout(HEAD + rows).doubts
    assert len(doubts) == 1
    assert "in place of counts" in doubts[0]


@pytest.mark.parametrize(
    "rows",
    [
        "A,20,11,..,73\nB,10,20,30,61\n",  # B has no unknown count
        "A,20,11,..,30\nB,10,20,30,60\n",  # an unknown count is not negative
        "A,20,11,42,73\nB,10,20,30,90\nC,1,2,3,..\n",
    ],
)
def test_a_wrong_total_stays_a_doubt(rows):
    assert any("sums to" in doubt for doubt in propose_layout(HEAD + rows).doubts)


def test_the_preview_asks_for_the_meaning_of_the_text_only():
    preview = FilePreview((HEAD + "A,20,11,..,73\nB,10,20,30,60\n").encode())
    (decision,) = [decision for decision in preview.decisions() if decision.is_open]
    (unknown,) = [answer for answer in decision.answers if answer.change["value"] == "unknown"]
    preview.change(dict(unknown.change))
    assert not preview.open_questions
    assert preview.reading.table.counts.tolist() == [[20, 11, 0], [10, 20, 30]]
    assert preview.reading.unknown == 1
    assert any("Measures use 0" in note for note in preview.reading.notes)
