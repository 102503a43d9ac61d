"""Words of the screens and their entries."""

import pytest

from sdcwidgets import measures
from sdcwidgets.examples import load
from sdcwidgets.lines import Line
from sdcwidgets.settings import Settings
from sdcwidgets.words.glossary import WORD, all_words, entry, linked


def words(line: Line) -> list[str]:
    return [piece.text for piece in line if piece.role == WORD]


@pytest.mark.parametrize("name", measures.available())
def test_every_measure_opens_its_entry_where_it_is_named(name):
    cls = measures.get(name)
    for one in cls.lines(load("religion"), Settings()):
        opened = [entry(word) for word in words(linked(one.title))]
        assert any(cls.label in found.meaning or found.word == cls.symbol for found in opened)


def test_the_list_of_words_opens_each_of_them():
    listed = [words(line) for line in all_words()]
    assert all(len(one) == 1 and entry(one[0]).word == one[0] for one in listed)
    assert len({one[0] for one in listed}) == len(listed)
