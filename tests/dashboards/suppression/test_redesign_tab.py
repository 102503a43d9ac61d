"""Merged rows on the page Suppression, against linear programs over the equations that O&DF prints."""

import math

import numpy as np
import pytest
from scipy.optimize import linprog

from screens import ask
from sdcwidgets import FrequencyTable, InputError, examples
from sdcwidgets.dashboards.suppression.redesign_tab import comparison, merged_rows, merging_rows
from sdcwidgets.dashboards.suppression.result import compute
from sdcwidgets.dashboards.suppression.state import SuppressionState
from sdcwidgets.widgets.board import Board
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.page import Text
from sdcwidgets.widgets.page_state.recomputation import Study

#: O&DF, Table 2, row 5,6, with its total.
PRINTED = [649, 406, 1275, 2382, 3467, 8179]


def values_of_printed_equations():
    """Return m of each of the twelve unknowns by linear programs over the eight equations of section 4.3."""
    equations, sums = [], []
    for start in (0, 6):
        row = np.zeros(12)
        row[start : start + 5], row[start + 5] = 1, -1
        equations.append(row)
        sums.append(0)
    for k, total in enumerate(PRINTED):
        row = np.zeros(12)
        row[[k, k + 6]] = 1
        equations.append(row)
        sums.append(total)
    possible = []
    for k in range(12):
        ends = [
            sign * linprog(sign * np.eye(12)[k], A_eq=np.array(equations), b_eq=sums, bounds=(0, None)).fun
            for sign in (1, -1)
        ]
        possible.append(round(ends[1]) - round(ends[0]) + 1)
    return possible


def test_the_risk_of_o_and_df_4_3_follows_from_its_equations():
    merged = merged_rows(examples.load("odf-1"), 2, 3)
    assert merged.counts.tolist() == PRINTED
    possible = values_of_printed_equations()
    assert possible[:6] == possible[6:]
    assert merged.risk == pytest.approx([1 / math.log2(m) for m in possible[:6]])


def test_a_merged_count_of_0_is_exact_disclosure():
    merged = merged_rows(FrequencyTable([[0, 3], [0, 1], [2, 2]]), 0, 1)
    assert merged.risk[0] == np.inf
    assert merged.risk[1] == pytest.approx(1 / math.log2(5))
    assert merged.published.counts.tolist() == [[0, 4], [2, 2]]
    with pytest.raises(InputError):
        merged_rows(FrequencyTable([[0, 3], [0, 1]]), 1, 1)


@pytest.mark.parametrize(
    ("suppressed", "rows"),
    [((), (0, 1)), (((2, 1),), (2, 1)), (((1, 0), (1, 2)), (1, 2)), (((0, 0), (2, 0)), (0, 2))],
)
def test_the_tab_opens_with_a_suppressed_row_and_a_neighbour(suppressed, rows):
    state = SuppressionState(FrequencyTable([[3, 4, 5], [1, 2, 6], [7, 1, 9]]), hidden=suppressed)
    study = Study(state, compute)
    parts, show = merging_rows(study)
    show(study.result)
    assert tuple(int(part.value) for part in parts if isinstance(part, Control)) == rows


def test_the_tab_merges_selected_rows_and_compares_with_suppression():
    study = Study(SuppressionState(), compute)
    parts, show = merging_rows(study)
    show(study.result)
    first, second = (part for part in parts if isinstance(part, Control))
    boards = [part for part in parts if isinstance(part, Board)]
    verdict = [part for part in parts if isinstance(part, Text)][1]
    assert (first.value, second.value) == ("2", "3")
    assert boards[0].spots[0][0]["end"] == "risk 0.107"
    assert boards[0].frame["rows"] == ["5", "6"]
    # Column size 5 has 407 values, as each suppressed cell of Table 1.
    assert verdict.value.count("0.115") == 2
    ask(second, "4")
    assert boards[1].spots[2][0]["text"] == f"{592 + 78}"
    ask(second, "2")
    assert "5" in second.problem
    merged = merged_rows(study.state.seen, 0, 1)
    told = comparison(merged, study.result)
    assert told.count("risk") == 2
    assert f"{merged.counts[int(np.argmax(merged.risk))] + 1:,.0f} possible" in told
