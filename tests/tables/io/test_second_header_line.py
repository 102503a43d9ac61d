"""Files of records whose second line has the questions of a survey, and is not a person."""

import random

import pytest

from sdcwidgets import FrequencyTable
from sdcwidgets.tables.io.options import Question, ReadOptions
from sdcwidgets.tables.io.previews import FilePreview
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.reading import read_bytes

NAMES = "id,date,Q1,Q2"
QUESTIONS = "Response,Date of entry,What is your sex?,Where do you study?"


def _people(number: int = 60) -> list[str]:
    draw = random.Random(3)
    return [
        f"{k},2024-02-{draw.randrange(1, 29):02},{draw.choice('fm')},{draw.choice(['Arts', 'Law', 'Science'])}"
        for k in range(1, number + 1)
    ]


@pytest.mark.parametrize("by", [("Q1",), ("Q1", "Q2")])
def test_a_line_of_questions_is_not_counted_as_a_person_silently(by):
    content = "\n".join([NAMES, QUESTIONS, *_people()]).encode()
    with pytest.raises(Question) as raised:
        read_bytes("survey.csv", content, how=ReadOptions(by=by, count="rows"))
    assert raised.value.doubt.question == "second header"
    accepted = read_bytes("survey.csv", content, how=ReadOptions(by=by, count="rows", doubts="accept"))
    assert accepted.table.total == 61


def test_the_proposal_has_the_doubt_about_a_line_of_questions():
    proposal = propose_layout(
        "\n".join([NAMES, QUESTIONS, *_people()]), ReadOptions(by=("Q1", "Q2"), count="rows")
    )
    assert "second header" in {doubt.question for doubt in proposal.questions.values()}


def test_the_preview_offers_to_skip_a_line_of_questions():
    preview = FilePreview("\n".join([NAMES, QUESTIONS, *_people()]).encode())
    preview.change({"name": "by:Q1", "value": "yes"})
    decisions = [decision for decision in preview.decisions() if decision.place == ("row", 2)]
    assert preview.reading.table.total == 61
    assert len(decisions) == 1
    preview.change(decisions[0].answers[0].change)
    assert preview.reading.table.total == 60
    assert not [decision for decision in preview.decisions() if decision.place == ("row", 2)]


def test_a_layout_that_skips_the_line_of_questions_reads_the_people(tmp_path):
    path = tmp_path / "survey.csv"
    path.write_text("\n".join([NAMES, QUESTIONS, *_people()]), encoding="utf-8")
    layout = tmp_path / "layout.toml"
    layout.write_text(
        'version = 1\nheader = 1\nfirst = 3\nrepeated = "sum"\n'
        + "".join(
            f'[[columns]]\nnumber = {k}\nheading = "{name}"\nrole = "{"label" if name == "Q1" else "other"}"\n'
            for k, name in enumerate(NAMES.split(","), start=1)
        ),
        encoding="utf-8",
    )
    assert FrequencyTable.from_csv(path, layout=layout).total == 60


def test_a_first_person_with_common_answers_is_counted():
    people = _people()
    table = read_bytes(
        "survey.csv", "\n".join([NAMES, *people]).encode(), how=ReadOptions(by=("Q1",), count="rows")
    ).table
    assert table.total == 60


def test_a_first_person_with_one_rare_answer_is_counted():
    people = ["0,2024-02-01,m,Theology", *_people()]
    table = read_bytes(
        "survey.csv", "\n".join([NAMES, *people]).encode(), how=ReadOptions(by=("Q2",), count="rows")
    ).table
    assert table.total == 61
