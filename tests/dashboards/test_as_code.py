import numpy as np
import pytest

from sdcwidgets import FrequencyTable, methods
from sdcwidgets.assessment.assessment import assess
from sdcwidgets.dashboards.as_code import assess_code
from sdcwidgets.dashboards.protect.result import compute, improve
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.dashboards.protect.texts import protect_code
from sdcwidgets.widgets.page_state.table_state import TableState


def run(code):
    """Run the lines of a code and return the value of each expression line that is printed on a screen."""
    names = {}
    lines = code.split("\n")
    last = max(i for i, line in enumerate(lines) if line.startswith(("assess(", "method.")))
    exec("\n".join(lines[:last]), names)
    return names, eval(lines[last], names)


def states():
    religion = TableState.of_example("religion")
    edited = TableState(religion.table.with_count((5, 3), 9), religion.source)
    flat = TableState.of_example("thesis-3-6-1")
    own = TableState(FrequencyTable([[1, 2], [3, 4]], {"A & 'B'": ["x\ny", "<b>"], "C": ["1", "2"]}))
    return [religion, edited, TableState(flat.table.with_count((0, 0), 3), flat.source), own]


@pytest.mark.parametrize("state", states(), ids=lambda state: state.title)
def test_the_code_gives_the_numbers_of_the_screen(state):
    state = state.set(epsilon=0.7, weights=(0.2, 0.5, 0.3), third="h1")
    _, frame = run(assess_code(state))
    shown = assess(state.table, epsilon=0.7, weights=(0.2, 0.5, 0.3), third="h1")
    assert frame["r1"][0] == pytest.approx(float(shown.whole_slice.r1[0]))


@pytest.mark.parametrize("name", methods.available())
def test_the_code_gives_the_draw_that_is_shown(name):
    state = ProtectState.of_example("sex").with_method(name).set(replications=10, seed=4)
    state = ProtectState(**(vars(state) | {"shown": 2}))
    _, draw = run(protect_code(state))
    first = compute(state)
    np.testing.assert_array_equal(draw, [first, *improve(state, first)][-1].published.cells)


def test_a_large_table_is_read_from_its_file():
    state = TableState(FrequencyTable(np.ones((30, 30), dtype=int)))
    assert 'from_csv("your-table.csv")' in assess_code(state)
