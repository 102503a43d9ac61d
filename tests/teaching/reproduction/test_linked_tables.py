"""Ranks of three linked tables, by O&DF and by `core.risk.cell`."""

import numpy as np
import pytest

from sdcwidgets.core.risk import cell
from sdcwidgets.teaching.reproduction import linked_tables, load
from sdcwidgets.teaching.reproduction.figure import REPRODUCES

SECTION = load("oganian2003")["section 4.5"]


def test_every_rank_and_bound_reproduces():
    figures = [*linked_tables.ranks(), *linked_tables.internal_intruder()]
    assert len(figures) == 22
    assert {figure.verdict for figure in figures} == {REPRODUCES}


def test_each_suppression_lowers_the_rank_by_the_sum_of_the_steps():
    steps = [step["decrease"] for step in SECTION["steps"]]
    assert len(steps) == 12
    assert sum(steps) == SECTION["all 12"] == 4


def published(suppressed):
    axes = {"A": 0, "S": 1, "R": 2}
    tables = {}
    for table in linked_tables.TABLES:
        values = np.zeros([SECTION["sizes"][axis] for axis in table])
        for name, row, column in suppressed:
            if name == table:
                values[row - 1, column - 1] = np.nan
        tables[axes[table[0]], axes[table[1]]] = values
    return tables


@pytest.mark.parametrize(("steps", "rank"), [(0, 24), (3, 23), (12, 20)])
def test_the_library_gives_the_same_ranks(steps, rank):
    suppressed = [(step["table"], *step["cell"]) for step in SECTION["steps"][:steps]]
    assert cell.rank(published(suppressed)) == rank


def test_the_same_rows_and_columns_in_all_tables_lower_the_rank_most():
    square = [(table, row, column) for table in linked_tables.TABLES for row in (1, 2) for column in (1, 2)]
    assert 24 - cell.rank(published(square)) == SECTION["largest"] == 7
