"""The verdict on a printed figure."""

import pytest

from sdcwidgets.teaching.reproduction.figure import (
    DIFFERS,
    NEITHER,
    REPRODUCES,
    VERDICTS,
    WITHIN_ERROR,
    Figure,
)


def figure(printed, recomputed, **more):
    return Figure("a paper", "Table 1", "R1", "a table", printed, recomputed, **more)


@pytest.mark.parametrize("recomputed", [0.63651, 0.63645, 0.63655])
def test_a_figure_reproduces_up_to_its_last_digit_and_halves_go_either_way(recomputed):
    assert figure(0.6365, recomputed).verdict == REPRODUCES


@pytest.mark.parametrize("recomputed", [0.63644, 0.63656, 0.6375])
def test_a_figure_beyond_its_last_digit_differs(recomputed):
    assert figure(0.6365, recomputed).verdict == DIFFERS


def test_the_number_of_printed_digits_counts():
    assert figure(35, 30, digits=0).verdict == DIFFERS
    assert figure(62.4, 62.434, digits=1).verdict == REPRODUCES


def test_chance_is_given_four_standard_errors():
    assert figure(0.7, 0.7399, error=0.01).verdict == WITHIN_ERROR
    assert figure(0.7, 0.7401, error=0.01).verdict == DIFFERS


def test_a_second_formula_is_asked_too():
    assert figure(0.0295, 0.0265, other=0.18).verdict == NEITHER
    # The figure is the other formula's: that is for a person to see, not to be passed over.
    assert figure(0.18, 0.0265, other=0.18).verdict == DIFFERS
    assert figure(0.0265, 0.0265, other=0.18).verdict == REPRODUCES


def test_an_erratum_is_said_only_of_a_figure_that_differs():
    assert figure(0.9812, 0.9150, erratum="row above").verdict == "print is wrong: row above"
    assert figure(0.9150, 0.9150, erratum="row above").verdict == REPRODUCES


def test_the_difference_is_the_print_minus_what_is_recomputed():
    assert figure(35, 30).difference == 5


def test_every_verdict_is_in_the_list():
    assert len(set(VERDICTS)) == 5


def test_a_figure_from_rounded_figures_differs_by_their_rounding_too():
    assert figure(-1.03, -1.02, digits=2).verdict == DIFFERS
    assert figure(-1.03, -1.02, digits=2, input_rounding=0.01).verdict == REPRODUCES
    assert figure(-1.04, -1.02, digits=2, input_rounding=0.01).verdict == DIFFERS
