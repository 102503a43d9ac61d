"""Words of the screens and their entries."""

import pytest

from sdcwidgets import measures
from sdcwidgets._util.formula_lines import Line
from sdcwidgets._util.parameters import declared
from sdcwidgets.assessment.search import STEPS, Thresholds, step_of
from sdcwidgets.measures.settings import Settings
from sdcwidgets.tables.examples import load
from sdcwidgets.widgets.texts.glossary import WORD, all_words, entry, linked


def words(line: Line) -> list[str]:
    return [piece.text for piece in line if piece.role == WORD]


@pytest.mark.parametrize("name", measures.available())
def test_every_measure_opens_its_entry_where_it_is_named(name):
    cls = measures.get(name)
    for one in cls.lines(load("religion"), Settings()):
        opened = [entry(word) for word in words(linked(one.title))]
        assert any(cls.label in found.meaning or found.word in (cls.symbol, cls.label) for found in opened)


def test_the_list_of_words_opens_each_of_them():
    listed = [words(line) for line in all_words()]
    assert all(len(one) == 1 and entry(one[0]).word == one[0] for one in listed)
    assert len({one[0] for one in listed}) == len(listed)


@pytest.mark.parametrize("threshold", ["T₁", "T₂", "T₃"])
def test_the_step_of_a_threshold_is_the_same_in_its_entry_and_at_its_field(threshold):
    (label,) = (one.label for one in declared(Thresholds) if threshold in one.label)
    number = step_of(threshold)
    assert "a threshold" in STEPS[number - 1]
    assert f"(step {number})" in label
    assert f"step {number} of 15" in entry(threshold).meaning


def test_no_entry_only_says_its_word_again():
    for line in all_words():
        word, told = line[0].text, line[1].text
        assert told.removeprefix(": ").rstrip(".") != word
        assert len(told) > 25
