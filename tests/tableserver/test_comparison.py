"""The comparison study: our hypercube beside the print, and what of the paper's conclusions holds."""

import numpy as np
import pytest

from sdcwidgets.tableserver import comparison


@pytest.fixture(scope="module")
def found():
    return comparison.compare(seed=1)


def test_the_tables_have_the_printed_shapes():
    for (original, _), cells in zip(comparison._tables(1).values(), (2457, 210, 585, 234), strict=True):
        assert original.cells == cells
    people = [original.total for original, _ in comparison._tables(1).values()]
    assert people[:2] == [854_539, 645_461]
    np.testing.assert_allclose(people[2:], [736_355, 96_656], rtol=0.01)


def test_the_printed_figures_stand_beside(found):
    assert len(found) == 20
    assert found.loc[(1, "original"), "risk printed"] == 0.318
    assert found.loc[(3, "RS"), "utility printed"] == found.loc[(3, "RS"), "utility"] == 1.0
    assert found["risk"].between(0, 1).all()


def test_swapping_leaves_as_much_of_the_risk_as_printed(found):
    for table in (1, 2, 3, 4):
        ratio = found.loc[(table, "RS"), "risk"] / found.loc[(table, "original"), "risk"]
        printed = found.loc[(table, "RS"), "risk printed"] / found.loc[(table, "original"), "risk printed"]
        assert ratio == pytest.approx(printed, abs=0.06)


def test_conclusions_are_tested_one_by_one(found):
    told = {one.statement: one for one in comparison.conclusions(found)}
    assert len(told) == 8
    assert told["Swapping regions does not change a table without regions."].holds
    assert told["Rounding has the lowest residual risk."].holds
    assert told["Rounding the table has a lower information loss than rounding the hypercube."].holds
    assert not all(one.holds for one in told.values())


@pytest.mark.parametrize("seed", [2, 3])
def test_that_risk_seems_to_rise_comes_from_the_printed_formula(seed):
    # A large count that was moved is alone at its new place: the formula divides its people by one cell that is there,
    # and not by the sixtieth of a cell that was to be expected.
    printed, conditional = (
        comparison.conclusions(comparison.compare(seed, conditional=one))[0] for one in (False, True)
    )
    assert printed.statement == conditional.statement == "Every method reduces the risk."
    assert printed.holds_for < printed.of
    assert conditional.holds


def test_rounding_changes_every_small_cell():
    small = comparison.small_cells(seed=1)
    assert (small[["RR", "RRP"]] == 1).all(axis=None)
    assert small.loc[3, "RS"] == 0


def test_the_cells_of_one_and_two_stand_beside_the_print():
    small = comparison.small_cells(seed=1)
    assert small["printed"].tolist() == [79, 16, 25, 13]  # Table 4
    of_table_2 = comparison.shapes(seed=1)[["1", "2"]].sum(axis=1)
    for number in (1, 2, 3, 4):
        assert small.loc[number, "cells of 1 and 2"] == of_table_2[number, "here"]
        assert small.loc[number, "printed"] == of_table_2[number, "printed"]


def test_the_four_tables_have_about_as_many_zeros_as_the_printed_ones():
    zeros = comparison.shapes(seed=1)["0"].to_dict()
    printed = [zeros[number, "printed"] for number in (1, 2, 3, 4)]
    assert printed == [1534, 49, 275, 84]  # Table 2
    np.testing.assert_allclose([zeros[number, "here"] for number in (1, 2, 3, 4)], printed, rtol=0.13)
