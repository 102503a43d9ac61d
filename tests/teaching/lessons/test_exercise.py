"""Numbers are taken as people type them."""

import pytest

from sdcwidgets.teaching.lessons.exercise import number


@pytest.mark.parametrize("given", ["1/3", "0.3333", "0,333", "33.3%", "33.3 %", " 1 / 3 "])
def test_a_share_may_be_a_fraction_or_percent(given):
    assert number("Which share?", 1 / 3, right="Yes.", hint="No.").answer(given)


def test_percent_may_be_asked_for():
    assert number("How many percent?", 33, right="Yes.", hint="No.").answer("33 %")


@pytest.mark.parametrize("given", ["a third", "1/0", "1/2/3", "", "%"])
def test_what_is_no_number_is_answered_with_one_like_it(given):
    cells = number("How many cells?", 25, right="Yes.", hint="No.")
    assert not cells.answer(given)
    assert cells.feedback == "Please type a number, such as 12."


@pytest.mark.parametrize("given", ["nan", "inf", "1e400", "-1/3"])
def test_another_number_gets_the_hint(given):
    share = number("Which share?", 1 / 3, right="Yes.", hint="Count again.")
    assert not share.answer(given)
    assert share.feedback == "Count again."
