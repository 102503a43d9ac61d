import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from sdcwidgets import InputError, methods
from sdcwidgets.dashboards.who.method_average import average_over_tables, probability_of_table


def assignments(before, after):
    """Return the cell of each person, and every Y variable of two cells that leaves the most people in place."""
    people = np.repeat([0, 1], before)
    every = np.ones((0, len(people)), int)
    for chosen in itertools.combinations(range(len(people)), after[0]):
        one = np.ones(len(people), int)
        one[list(chosen)] = 0
        every = np.vstack([every, one])
    stays = (every == people).sum(axis=1)
    return people, every[stays == stays.max()]


def test_theorem_5_is_the_average_of_all_people_over_all_tables():
    """Random rounding to base 3 of (1, 1): four tables, of which those with people are enumerated person by person."""
    before = (1, 1)
    up = Fraction(1, 3)
    expected, weight = np.zeros((2, 2)), Fraction(0)
    for first, second in itertools.product((0, 1), repeat=2):
        after = (3 * first, 3 * second)
        if not any(after):
            continue
        probability = (up if first else 1 - up) * (up if second else 1 - up)
        total = sum(after)
        cells, every = assignments([n * total for n in before], [n * sum(before) for n in after])
        for i, j in itertools.product(range(2), repeat=2):
            expected[i, j] += float(probability) * np.mean(every[:, cells == i] == j)
        weight += probability
    found = average_over_tables(before, "random-rounding", True)
    assert found.is_exact
    assert found.channel == pytest.approx(expected / float(weight))
    assert found.mutual_information == pytest.approx(found.entropy - found.remaining_entropy)


def test_if_all_y_are_equally_likely_nothing_is_learnt():
    found = average_over_tables((0, 2, 4), "random-rounding", False)
    assert found.mutual_information == pytest.approx(0, abs=1e-12)


def test_replicates_take_the_place_of_many_tables():
    found = average_over_tables((900, 3000, 4, 10_000, 0, 7, 1, 88), "random-rounding", True)
    assert (found.is_exact, found.tables) == (False, 200)
    assert found.channel.sum(axis=1) == pytest.approx([1, 1, 1, 1, 0, 1, 1, 1])


def test_a_method_without_effect_on_one_row_says_so():
    with pytest.raises(InputError):
        average_over_tables((0, 2, 4), "record-swapping", True)


def test_the_probability_of_a_table_is_that_of_people_drawn_again():
    """PRAM of (0, 2, 4) with one in five drawn again, over all 3^6 ways in which people can be published."""
    before, after, shares = (0, 2, 4), (0, 2, 4), (0, 2 / 6, 4 / 6)
    redrawn = methods.get("post-randomisation")().redrawn
    people, exact = [1, 1, 2, 2, 2, 2], 0.0
    for published in itertools.product(range(3), repeat=6):
        if tuple(published.count(cell) for cell in range(3)) == after:
            chances = [
                (1 - redrawn) * (old == new) + redrawn * shares[new]
                for old, new in zip(people, published, strict=True)
            ]
            exact += math.prod(chances)
    found = probability_of_table(before, after, "post-randomisation")
    assert found.exact == pytest.approx(exact)
    # Given six people, Poisson counts with means 2 and 4 are multinomial with shares 1/3 and 2/3.
    assert found.poisson == pytest.approx(15 * (1 / 3) ** 2 * (2 / 3) ** 4)


def test_rounding_has_no_poisson_form_and_long_lists_have_no_probability():
    found = probability_of_table((0, 2, 4), (0, 3, 3), "random-rounding")
    assert (round(found.exact, 6), found.poisson) == (round(2 / 3 * 2 / 3, 6), None)
    assert probability_of_table((0, 2, 4), (0, 2, 4), "random-rounding").exact == 0
    assert probability_of_table((20,) * 30, (20,) * 30, "post-randomisation") is None
