"""Combinations of labels without a row in a long file: their counts may be 0, or not published."""

import itertools

import numpy as np
import pytest

from sdcwidgets import InputError
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.options import Question, ReadOptions
from sdcwidgets.tables.io.previews import FilePreview
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.proposed_questions import read_or_propose
from sdcwidgets.tables.io.reading import read_csv

AREAS, AGES, SEXES = ["North", "South", "East", "West", "Mid"], ["0-24", "25-64", "65+"], ["Women", "Men"]


def long_text(seed, least=10, absent=4, zeros=0, mark=";", years=("2021",)):
    """Return a long table without a row for some combinations, and its counts."""
    random = np.random.default_rng(seed)
    counts = random.integers(least, 900, size=(len(AREAS), len(AGES), len(SEXES)))
    counts.flat[0] = least
    places = random.permutation(np.arange(1, counts.size))[: absent + zeros]
    counts.flat[places] = 0
    lines = [mark.join(("Area", "Age", "Sex", "Year", "Count"))]
    for number, key in enumerate(itertools.product(range(5), range(3), range(2))):
        if number not in places[:absent]:
            labels = AREAS[key[0]], AGES[key[1]], SEXES[key[2]]
            lines += [mark.join((*labels, year, str(counts[key]))) for year in years]
    return "\n".join(lines) + "\n", counts


def asked(text, **options):
    """Return the kind of the question that a text leads to, or its reading."""
    how = ReadOptions(**options)
    try:
        return read_or_propose(text, None, how, lambda: read_csv(text, how=how))
    except Question as question:
        return question.doubt.question


@pytest.mark.parametrize("mark", [";", ",", "\t"])
@pytest.mark.parametrize("seed", range(4))
def test_combinations_without_a_row_are_asked_about(seed, mark):
    text, counts = long_text(seed, mark=mark)
    assert asked(text) == "absent"
    reading = asked(text, empty="zero")
    assert reading.table.total == counts.sum()
    assert any("4 combinations without a row" in note for note in reading.notes)


def test_other_zeros_show_that_absent_combinations_are_not_zero():
    assert asked(long_text(0, least=1, zeros=2)[0]) == "absent"


@pytest.mark.parametrize("least", [1, 2])
def test_lists_with_counts_of_one_or_two_are_not_asked_about(least):
    text, counts = long_text(0, least=least)
    assert asked(text).table.total == counts.sum()


def test_a_complete_table_and_one_absent_combination_of_many_are_not_asked_about():
    for absent in (0, 1):
        text, counts = long_text(0, absent=absent)
        assert asked(text).table.total == counts.sum()


def test_districts_within_regions_are_not_asked_about():
    lines = [f"Region {k // 3},District {k},{sex},{20 + 7 * k}" for k in range(9) for sex in SEXES]
    assert asked("\n".join(["Region,District,Sex,Count", *lines])) != "absent"


def test_a_layout_states_that_absent_combinations_are_zero():
    text, counts = long_text(1)
    proposal = propose_layout(text)
    assert [one.question for one in proposal.questions.values()] == ["absent"]
    assert "" not in proposal.layout.texts
    answered = propose_layout(text, ReadOptions(empty="zero"))
    assert answered.doubts == ()
    assert answered.layout.texts == {}
    assert answered.layout.absent == "zero"
    assert read(text, answered.layout).doubts == ()
    assert read(text, answered.layout).table.total == counts.sum()


def test_the_preview_asks_until_the_answer_is_chosen():
    text, counts = long_text(2)
    preview = FilePreview(text.encode())
    (decision,) = preview.decisions()
    assert decision.is_open
    assert "Meaning of an empty cell" not in [setting["label"] for setting in preview.shown()["settings"]]
    preview.change(decision.answers[0].change)
    assert preview.open_questions == ()
    assert preview.reading.table.total == counts.sum()
    assert preview.layout().absent == "zero"
    assert preview.reading.unknown == 0
    preview.change(decision.answers[1].change)
    assert preview.layout().absent == "unknown"
    assert preview.reading.unknown == 4
    (note,) = preview.reading.notes
    assert note.startswith("The import read 4 combinations without a row as unknown counts.")


def test_empty_cells_and_absent_combinations_have_separate_meanings():
    text, _ = long_text(3)
    lines = text.splitlines()
    number = next(k for k, line in enumerate(lines[1:], start=1) if not line.endswith(";0"))
    lines[number] = lines[number].rpartition(";")[0] + ";"
    preview = FilePreview("\n".join(lines).encode())
    preview.change({"name": "meaning:", "value": "unknown"})
    assert preview.reading.unknown == 1
    assert [decision.text for decision in preview.decisions() if decision.is_open] != []
    preview.change({"name": "absent", "value": "zero"})
    assert preview.open_questions == ()
    assert preview.reading.unknown == 1
    preview.change({"name": "absent", "value": "unknown"})
    assert preview.reading.unknown == 5


@pytest.mark.parametrize("seed", range(30))
def test_no_drawn_file_with_absent_combinations_is_read_without_a_question(seed):
    random = np.random.default_rng(seed)
    years = ("2021", "2022")[: 1 + seed % 2]
    text, _ = long_text(
        seed, least=int(random.integers(3, 40)), absent=int(random.integers(2, 12)), years=years
    )
    options = {"only": (f"Year={years[-1]}",)} if seed % 2 else {}
    assert asked(text, **options) == "absent"
    with pytest.raises(InputError):
        read_csv(text, how=ReadOptions(**options))


def test_absent_combinations_have_a_meaning_before_a_mark_has_one():
    lines = [
        f"A{k};{sex};{'c' if (k, sex) == (2, 'f') else 11 + 7 * k + 5 * (sex == 'f')}"
        for k in range(8)
        for sex in "mf"
        if (k, sex) not in ((5, "m"), (6, "f"))
    ]
    preview = FilePreview("\n".join(["Area;Sex;Persons", *lines]).encode())
    answers = [answer.change for decision in preview.decisions() for answer in decision.answers]
    preview.change({"name": "absent", "value": "unknown"})
    assert {"name": "absent", "value": "unknown"} in answers
    assert not any("have no row" in decision.text for decision in preview.decisions() if decision.is_open)
    preview.change({"name": "meaning:c", "value": "unknown"})
    assert preview.reading.unknown == 3
