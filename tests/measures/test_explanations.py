"""The lines that explain a value state the numbers from which it is computed."""

import numpy as np
import pytest

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
