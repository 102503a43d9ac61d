"""The lines that explain a value state the numbers from which it is computed."""

import numpy as np
import pytest
from stating import stating

from sdcwidgets import FrequencyTable, measures
from sdcwidgets.core.changes import variance_between
from sdcwidgets.measures import Batch
from sdcwidgets.measures.settings import Settings

TABLE = FrequencyTable([[4, 6], [10, 0], [5, 5]], {"Area": "abc", "Sex": "mf"})


def told(measure, table, published=None):
    batch = Batch(table) if published is None else Batch(table, np.array([published]))
    return "\n".join("".join(piece.text for piece in line) for line in measure.explain(batch))


def test_the_variance_between_rows_is_told_before_and_after():
    published = [[5, 5], [9, 1], [5, 5]]
    measure = measures.get("between_variance")()
    before, after = (float(variance_between(np.array(cells)).between) for cells in (TABLE.counts, published))
    value = float(measure.values(Batch(TABLE, np.array([published])))[0, 0])
    lines = told(measure, TABLE, published)
    assert value == pytest.approx(1 - after / before)
    assert f"{before:.6g}" in lines
    assert f"{after:.6g}" in lines
    assert f"{value:.4f}" in lines


def test_the_limit_of_the_variance_between_rows_follows_its_value():
    alike = FrequencyTable([[50, 51], [51, 50]])
    before = float(variance_between(alike.counts).between)
    assert measures.get("between_variance")().greatest(alike) == pytest.approx(1 / before - 1)


@pytest.mark.parametrize(("counts", "cases", "changed"), [([[1, 9], [9, 9]], 1, 1), ([[1, 2], [9, 9]], 2, 2)])
def test_changed_small_counts_are_told_with_their_number(counts, cases, changed):
    measure = measures.get("small_changed")()
    assert f"{changed} of {cases}" in told(measure, FrequencyTable(counts), [[3, 3], [9, 9]])


def test_an_intruder_who_knows_people_can_empty_small_cells_where_none_is_empty():
    measure = measures.get("subtraction")(known=2)
    assert "can empty 2 cells with at most 2" in told(measure, FrequencyTable([[1, 2], [9, 9]]))
    assert "1 empty cell" in told(measure, FrequencyTable([[0, 2], [9, 9]]))


@pytest.mark.parametrize(("third", "argument"), [("h3", "(F, "), ("h1", "(39, ")])
def test_the_third_term_is_told_with_its_argument(third, argument):
    table = FrequencyTable([[4, 6], [10, 0], [9, 10]])
    assert argument in told(measures.get("r1")(third=third), table)


def test_the_second_version_of_a_residual_risk_is_named():
    first, other = measures.get("r2").lines(TABLE, Settings())
    assert first.particulars() == []
    assert other.particulars() != []


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        (
            "r1",
            ["K = 6", "N = 20", "1 empty", "1/6 = 0.1667", "1.4306", "1.7918", "0.2016", "0.5585", "0.2338"],
        ),
        ("r1_star", ["0.1667", "0.2016", "0.5585", "0.0278 + 0.0406 + 0.3120", "0.3561"]),
        ("r2", ["1 before", "2 after", "1 in both", "2 in at least", "0.0278", "0.3217", "0.1563", "0.1836"]),
        ("r2_uncertainty", ["0.0278", "0.2016", "0.0453", "0.5585", "0.0949"]),
        ("r2_star", ["0.0278", "0.1563", "0.5585", "0.3352"]),
        ("hellinger", ["1.2113 / 2", "0.7782", "4.5"]),
        ("utility", ["0.7782", "20", "0.8260"]),
        ("absolute_distance", ["4/6 = 0.6667", "6 cells"]),
        ("relative_distance", ["5 cells", "0.3786"]),
        ("cramers_v", ["0.6412", "0.6325", "−0.0087"]),
        ("variance_of_counts", ["7.86667", "7.2", "−8.47%"]),
        ("small_changed", ["2 of 2"]),
        ("wgad_star", ["0 of the 1"]),
        ("frank_scenario", ["0 of the 1"]),
        ("small_cells", ["1 to 2", "0 of 6"]),
        ("mean_cell_size", ["20/6 = 3.33"]),
        ("total_distance", ["N = 20", "M = 18", "2.00"]),
        ("subtotal_distance", ["2/2 = 1.000"]),
        ("chi_squared", ["8.22222", "7.2", "0.1243"]),
        ("between_variance", ["0.126667", "0.133333", "0.0526"]),
        ("signed_rank", ["1 counts increased", "3 counts decreased", "0.3173"]),
        ("rounding_probabilities", ["Base 3", "1: 0 of 3", "1.0 were", "2: 1 of 1", "0.7 were", "1.0000"]),
        ("flexible_risk", ["6 cells: 1 before", "1 in both", "2 in at least", "0.0278", "0.5585", "0.0887"]),
        ("subtraction", ["2 of the 20", "1 empty cell"]),
        ("frank_bound", ["5.3471", "13.8629"]),
        ("coalition", ["k = 1", "3 of 6"]),
    ],
)
def test_an_explanation_states_the_numbers_of_its_value(name, facts):
    table = FrequencyTable([[4, 1, 0], [2, 7, 6]])
    lines = told(measures.get(name)(), table, [[3, 0, 0], [3, 6, 6]])
    assert lines == stating(*facts)
