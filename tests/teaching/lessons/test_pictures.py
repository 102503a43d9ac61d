"""Drawings of the lessons: their descriptions have the numbers, and their texts are escaped."""

from itertools import pairwise

import numpy as np
import pytest

from sdcwidgets import InputError
from sdcwidgets.core.assignment import expected_channel
from sdcwidgets.teaching.lessons.pictures import cell_key_steps, keys_by_frequency, moves, urn_steps

NOISE = [(-1, 0.3), (0, 0.7), (1, 1.0)]


@pytest.mark.parametrize(
    ("keys", "published"), [((0.9, 0.3, 0.6), 4), ((0.1, 0.05, 0.1), 2), ((0.2, 0.1, 0.0), 3)]
)
def test_the_noise_is_that_of_the_cell_key(keys, published):
    drawing = cell_key_steps(dict(zip("ABC", keys, strict=True)), NOISE)
    assert drawing.description.endswith(f"published as {published}.")


def test_names_are_escaped():
    drawing = cell_key_steps({"<b>": 0.5}, [(0, 1.0)])
    assert "<b>" not in drawing._repr_svg_()
    assert "&lt;b&gt;" in drawing.shapes


def test_arrows_move_the_expected_numbers_of_people():
    before, after = (6, 2, 4), (3, 5, 4)
    people = np.array(before)[:, None] * expected_channel(before, after)
    assert people.sum(axis=0).tolist() == list(after)
    assert moves(before, after).description == "From A: 3 to A, 3 to B. From B: 2 to B. From C: 4 to C."


def test_an_urn_gets_one_ball_at_each_draw():
    first, coloured, black = urn_steps("BA", 2).description.split(". ")
    assert first == "Urn: A, B and 2 black"
    assert coloured == "After a ball A: A, A, B and 2 black"
    assert black == "After a black ball: A, B, C and 2 black."


def test_each_key_is_in_one_circle():
    rng = np.random.default_rng(1)
    f = rng.integers(1, 5, 300)
    F = f + rng.integers(0, 40, 300)
    words = keys_by_frequency(f, F).description.split()
    numbers = [int(word) for word, after in pairwise(words) if after == "keys"]
    assert sum(numbers) == 300


@pytest.mark.parametrize(
    "draw",
    [
        lambda: cell_key_steps({}, NOISE),
        lambda: cell_key_steps({"A": 0.5}, [(0, 0.4)]),
        lambda: moves([1, 2], [3]),
        lambda: moves([1, 2], [2, 2]),
        lambda: urn_steps("", 1),
        lambda: urn_steps("AB", 0),
        lambda: keys_by_frequency([0], [1]),
        lambda: keys_by_frequency([2], [1]),
    ],
)
def test_what_cannot_be_drawn_is_an_error(draw):
    with pytest.raises(InputError):
        draw()
