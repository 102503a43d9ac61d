"""Suppression by hand: the equations that recalculate a cell are true, and the steps lead to a protected table."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stating import stating

from sdcwidgets.dashboards.suppression import by_hand, texts
from sdcwidgets.dashboards.suppression.result import compute
from sdcwidgets.dashboards.suppression.state import ODF_PATTERN, SuppressionState
from sdcwidgets.tables.io.sources import InMemorySource
from sdcwidgets.tables.table import FrequencyTable


def value_of(equation):
    """Return both sides of an equation, the first one computed."""
    left, right = equation.replace(",", "").replace("−", "-").split(" = ")
    signs = re.findall(r"([-+]?) ?(\d+)", left)
    return sum(int(number) * (-1 if sign == "-" else 1) for sign, number in signs), int(right)


def with_gaps(counts, hidden):
    state = SuppressionState(FrequencyTable(counts), InMemorySource())
    state = replace(state, hidden=tuple(hidden), sensitive=(), frozen=())
    return compute(state.require(reader="sums"))


def test_the_page_opens_with_one_cell_that_its_row_and_its_column_disclose():
    result = compute(by_hand.opening())
    assert result.known == [(2, 1)]
    assert texts.equation(result) == ["3,898 − 592 − 329 − 1,437 − 1,440 = 100"]
    assert [line.name for line in by_hand.single_unknown(result, (2, 1), set())] == ["Activity 5", "size 5"]
    answer, reason, tone = texts.lead(result)
    assert (answer, reason, tone) == (stating("100"), stating("Activity 5", "size 5"), "stop")


def test_the_totals_that_disclose_a_cell_are_named_if_there_are_such():
    one = with_gaps([[1, 4, 5], [6, 7, 8], [9, 3, 2]], [(0, 0), (1, 0)])
    assert one.known == [(0, 0), (1, 0)]
    assert texts.lead(one)[1] == stating("Row 1")
    assert " or " not in texts.lead(one)[1]
    # Two counts with the sum 0 disclose two more, although each total has two suppressed cells.
    together = with_gaps([[3, 4, 5], [0, 0, 8], [9, 3, 2]], [(0, 0), (0, 1), (1, 0), (1, 1)])
    assert (0, 0) in together.known
    assert "Row" not in texts.lead(together)[1]


def test_each_step_suppresses_a_cell_until_the_table_is_protected():
    state, steps = by_hand.opening(), []
    while (cell := by_hand.next_cell(compute(state))) is not None:
        steps.append([status for _, status in by_hand.steps(compute(state))])
        state = state.changed(hidden={*state.hidden, cell})
    assert state.hidden == ODF_PATTERN
    assert [status.index("stop") for status in steps] == [0, 1, 2]
    result = compute(state)
    assert by_hand.is_rectangle(result)
    assert by_hand.steps(result)[-1][1] == "now"
    assert not result.known
    assert result.best.people < sum(result.secondary_counts)


def test_three_cells_of_a_rectangle_need_two_equations():
    result = compute(SuppressionState(hidden=ODF_PATTERN[:3]))
    equations = by_hand.recalculations(result, (2, 1))
    assert [equation.cell for equation in equations] == [(2, 3), (2, 1)]
    assert all(left == right for left, right in map(value_of, texts.equation(result)))


def test_other_tables_have_no_steps():
    result = with_gaps([[1, 9, 8], [7, 20, 5], [6, 5, 30]], [(0, 0)])
    assert by_hand.steps(result) == []
    assert by_hand.next_cell(result) is None


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_each_equation_is_true_and_uses_only_published_or_earlier_values(data):
    shape = data.draw(st.tuples(st.integers(2, 4), st.integers(2, 4)))
    counts = data.draw(
        st.lists(st.integers(0, 40), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])
    )
    cells = [(i, j) for i in range(shape[0] + 1) for j in range(shape[1] + 1)][:-1]
    hidden = data.draw(st.sets(st.sampled_from(cells), min_size=1, max_size=6))
    result = with_gaps(np.array(counts).reshape(shape), sorted(hidden))
    for cell in hidden:
        known = set()
        for equation in by_hand.recalculations(result, cell):
            left, right = value_of(equation.text)
            assert left == right == result.state.sheet.full[equation.cell]
            assert hidden.intersection(equation.line.cells) - known == {equation.cell}
            known.add(equation.cell)
        if known:
            assert cell in known
            assert result.values[cell] == 1


@pytest.mark.parametrize("hidden", [ODF_PATTERN, ()])
def test_a_cell_that_is_no_longer_disclosed_has_no_sequence(hidden):
    result = compute(replace(SuppressionState(), hidden=hidden))
    assert by_hand.recalculations(result, (2, 1)) == []
