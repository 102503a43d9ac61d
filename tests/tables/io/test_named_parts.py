"""Labels that may be parts of another label, if no total shows whether they are."""

import pytest

from sdcwidgets.tables.io.options import Question, ReadOptions
from sdcwidgets.tables.io.previews import FilePreview
from sdcwidgets.tables.io.reading import read_csv

EMPLOYED = "Area,Employed,Employed part-time,Unemployed\nBath,310,45,31\nHull,590,126,43\nYork,470,98,57\n"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        (EMPLOYED, "Employed part-time"),
        ("Powiat,Zatrudnieni,w tym kobiety\nA,310,45\nB,590,126\nC,470,98\n", "w tym kobiety"),
        (
            "Sector,Men,Women\nForeigners,590,300\nForeigners (EU),90,45\nNationals,470,560\n",
            "Foreigners (EU)",
        ),
    ],
)
def test_a_label_that_may_be_a_part_is_asked_about(text, label):
    with pytest.raises(Question) as raised:
        read_csv(text)
    assert raised.value.doubt.question == "named part"
    assert raised.value.doubt.facts["label"] == label
    table = read_csv(text, how=ReadOptions(doubts="accept")).table
    assert label in [*table.axes[0].labels, *table.axes[1].labels]


def test_counts_can_show_that_a_label_is_no_part():
    larger = EMPLOYED.replace(",310,45,", ",310,345,")
    assert len(read_csv(larger).table.axes[1]) == 3
    total = "Sex,Old,Old and ill,Young,Total\nm,31,14,17,62\nf,25,9,13,47\n"
    assert len(read_csv(total).table.axes[1]) == 3


def test_the_preview_omits_or_reads_a_label_that_may_be_a_part():
    preview = FilePreview(EMPLOYED.encode())
    (decision,) = [decision for decision in preview.decisions() if decision.is_open]
    words = [answer.words for answer in decision.answers]
    assert words == ['Omit "Employed part-time"', 'Read "Employed part-time"']
    preview.change(decision.answers[0].change)
    assert preview.open_questions == ()
    assert preview.reading.table.axes[1].labels == ("Employed", "Unemployed")
    preview.change(decision.answers[1].change)
    assert preview.reading.table.total == 1770
    preview = FilePreview(EMPLOYED.encode())
    preview.change(preview.decisions()[0].answers[1].change)
    assert preview.open_questions == ()


def test_columns_that_may_not_be_added_and_a_part_of_one_are_both_asked_about():
    preview = FilePreview((EMPLOYED + "Leeds,720,156,83\nDerby,640,171,66\n").encode())
    first, second = (decision for decision in preview.decisions() if decision.is_open)
    assert "are read as categories" in first.text
    assert next(answer.words for answer in second.answers) == 'Omit "Employed part-time"'
