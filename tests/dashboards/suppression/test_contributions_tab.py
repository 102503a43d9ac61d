import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from screens import ask
from sdcwidgets.dashboards.suppression.contributions_tab import (
    contributions_to_a_cell,
    insider_text,
    rule_readings,
)
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.readings import Readings

USUAL = {"n": 1, "k": 75, "p": 10, "q": 50, "t": 0.5}


def answers(amounts, **settings):
    return [quantity.text for quantity in rule_readings(np.array(amounts), **USUAL | settings)]


def test_the_insider_of_odf_learns_401_to_604():
    sentence = insider_text(np.array([600, 400, 0]), 10)
    for number in ("995", "1,004", "400", "401", "604"):
        assert number in sentence


@given(
    st.lists(st.integers(0, 500), min_size=2, max_size=6).filter(any), st.integers(1, 99), st.integers(1, 49)
)
def test_the_rules_are_those_of_the_handbook(amounts, k, p):
    descending = sorted(amounts, reverse=True)
    total, rest = sum(amounts), sum(descending[2:])
    dominant, p_percent, pq, _ = answers(amounts, k=k, p=p)
    assert (dominant == "sensitive") == (100 * descending[0] > k * total)
    assert (p_percent == "sensitive") == (100 * rest < p * descending[0])
    assert (pq == "sensitive") == (50 * rest < p * descending[0])


def test_the_entropy_rule_compares_with_equal_contributions():
    assert answers([60, 40])[3] == "not sensitive"  # 0.971
    assert answers([99, 1])[3] == "sensitive"  # 0.081
    assert answers([7])[3] == "sensitive"


def test_an_edit_and_a_control_change_the_answers():
    page = Page()
    sent = []
    page.send = sent.append
    parts, _ = contributions_to_a_cell(page)
    grid = next(part for part in parts if isinstance(part, Grid))
    readings = next(part for part in parts if isinstance(part, Readings))
    k = next(part for part in parts if isinstance(part, Control) and part.parameter.name == "k")
    assert readings.rows[0]["text"] == "not sensitive"
    readings._hear(readings, {"type": "explain", "index": 3}, [])
    assert "0.9710" in str(sent[-1])
    ask(k, 55.0)
    assert readings.rows[0]["text"] == "sensitive"
    grid.edit([(0, 2, "400")])
    assert readings.rows[0]["text"] == "not sensitive"
    grid.edit([(0, 0, "0"), (0, 1, "0"), (0, 2, "0")])
    assert "at least one contribution" in grid.problems[0][2]
    assert grid.counts.tolist() == [[600, 400, 400, 0, 0, 0]]


@given(st.lists(st.integers(0, 500), min_size=2, max_size=6).filter(any), st.integers(1, 50))
def test_the_largest_contribution_is_always_in_its_interval(amounts, base):
    sentence = insider_text(np.array(amounts), base)
    largest, second = sorted(amounts, reverse=True)[:2]
    found = re.search(r"largest contribution is from ([\d,]+) to ([\d,]+) ", sentence)
    assert (found is not None) == (largest > second > 0)
    if found is not None:
        low, high = (int(number.replace(",", "")) for number in found.groups())
        assert second < low <= largest <= high


@pytest.mark.parametrize(("amounts", "fact"), [((5, 0), "no second"), ((500, 500), "as large")])
def test_without_a_larger_contributor_nothing_is_claimed(amounts, fact):
    assert fact in insider_text(np.array(amounts), 10)
