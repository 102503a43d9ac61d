"""Undo goes back as far as memory allows, whatever the size of a step."""

import numpy as np
import pytest

from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.page_state.history import MOST_BYTES, History, size
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.page_state.table_state import TableState


@pytest.mark.parametrize(
    ("side", "least", "most"), [(3, 900, 1000), (300, 10, MOST_BYTES // (8 * 300 * 300))]
)
def test_small_steps_are_kept_longer_than_large_ones(side, least, most):
    study = Study(TableState(FrequencyTable(np.ones((side, side), dtype=int))), lambda state: state)
    counts = np.ones((side, side), dtype=int)
    for step in range(1000):
        counts[0, 0] = step + 2
        study.change(table=study.state.table.with_counts(counts))
    assert least <= len(study._past) <= most
    study.undo()
    assert study.state.table.counts[0, 0] == 1000
    study.redo()
    assert study.state.table.counts[0, 0] == 1001


def test_one_step_larger_than_all_memory_is_kept():
    steps = History(most=1000)
    steps.push(np.zeros(10))
    steps.push(np.zeros(10_000))
    assert (len(steps), size(steps.last)) == (1, 80_000)
