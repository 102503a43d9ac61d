"""Lessons state how to check the numbers of their exercises: the named widgets show the answers."""

import re

import pytest

from sdcwidgets.teaching.lessons.drawn import EXERCISES, draw
from sdcwidgets.teaching.lessons.loss import live_loss
from sdcwidgets.teaching.lessons.pairs import live_pair
from sdcwidgets.teaching.lessons.protection import live_count
from sdcwidgets.teaching.lessons.row import live_row

SEEDS = range(1, 31)


def rows(text):
    """Return the rows of counts in a text."""
    return [[int(count) for count in row.split(",")] for row in re.findall(r"\((\d+(?:, \d+)+)\)", text)]


def type_rows(grid, counts):
    """Type rows of counts into a grid."""
    grid.edit([(i, j, str(count)) for i, row in enumerate(counts) for j, count in enumerate(row)])


def value(readout, label):
    (text,) = (reading["text"] for reading in readout.readings if reading["label"].startswith(label))
    return float(text)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("index", "label"), [(0, "Entropy H"), (1, "Probability that the best guess")])
def test_the_row_of_lesson_1_shows_entropy_and_guess(seed, index, label):
    question = draw(EXERCISES[1][index], seed)
    (row,) = rows(question.text)
    grid, readout = live_row([0, 2, 4], show=["guess", "entropy"]).children
    type_rows(grid, [[count for count in row if count]])
    assert value(readout, label) == pytest.approx(question.answer, abs=6e-5)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("index", [0, 1])
def test_the_row_of_lesson_15_shows_the_parts_of_the_risk(seed, index):
    question = draw(EXERCISES[1.5][index], seed)
    (row,) = rows(question.text)
    lesson = live_row([3, 2, 1], ["zeros", "unevenness", "size", "risk"], ["weights", "empty"])
    grid, readout, _, empty = lesson.children
    type_rows(grid, [[count for count in row if count]])
    empty.request = {"value": 2, "turn": 1}
    zeros, unevenness, size = (value(readout, label) for label in ("Zeros", "Unevenness", "Small size"))
    if index == 0:
        assert unevenness == pytest.approx(question.answer, abs=6e-5)
    else:
        weights = re.search(r"parts are ([\d.]+), ([\d.]+) and", question.text).groups()
        first, second = (float(weight) for weight in weights)
        risk = size + first * (zeros - size) + second * (unevenness - size)
        assert risk == pytest.approx(question.answer, abs=2e-4)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_sliders_of_lesson_2_show_the_probability(seed):
    question = draw(EXERCISES[2][0], seed)
    base, true, up = (int(number) for number in re.findall(r"\d+", question.text))
    number, setting, readout = live_count("random-rounding", "base", 2).children
    lower = max(0, true - 20 + base - 1) // base * base if true > 20 else 0
    setting.value, number.value = base, true - lower
    labels = {reading["label"]: float(reading["text"]) for reading in readout.readings}
    assert labels.get(f"Published as {up - lower}", 0) == pytest.approx(question.answer, abs=6e-5)


@pytest.mark.parametrize("base", [3, 5, 10])
def test_the_sliders_of_lesson_2_show_each_possible_original_count(base):
    number, setting, readout = live_count("random-rounding", "base", 2).children
    setting.value, possible = base, 0
    for count in range(21):
        number.value = count
        labels = {reading["label"]: float(reading["text"]) for reading in readout.readings}
        possible += labels.get(f"Published as {base}", 0) > 0
    assert possible == 2 * base - 1


@pytest.mark.parametrize("seed", SEEDS)
def test_the_rows_of_lesson_7_show_who_stays(seed):
    question = draw(EXERCISES[7][0], seed)
    grid, channel, _ = live_pair([0, 2, 4], [0, 3, 3]).children
    type_rows(grid, rows(question.text))
    assert float(channel.texts[2][2]) == pytest.approx(question.answer, abs=6e-5)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_rows_of_lesson_8_show_the_distance(seed):
    question = draw(EXERCISES[8][0], seed)
    grid, readout = live_loss([0, 2, 40], [0, 3, 39]).children
    type_rows(grid, rows(question.text))
    assert value(readout, "Hellinger") == pytest.approx(question.answer, abs=6e-5)
