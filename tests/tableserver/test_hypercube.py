"""The synthetic hypercube has the printed shape and totals, the stated margins, and no impossible people."""

import numpy as np
import pytest

from sdcwidgets import InputError
from sdcwidgets.tableserver import hypercube
from sdcwidgets.tableserver.tabulate import KEYS

#: Shlomo, Antal and Elliot 2015, Table 1: percentage of cells with these counts.
PRINTED = {(0, 0): 92.4, (1, 1): 1.6, (2, 2): 0.9, (3, 5): 1.2, (6, 8): 0.7, (9, 10): 0.3, (11, 10**9): 3.0}


@pytest.fixture(scope="module")
def cells():
    return hypercube.hypercube()


def test_it_has_the_printed_shape_and_totals(cells):
    people = hypercube.expected()
    assert people.size == 245_700
    np.testing.assert_allclose(people.sum(axis=(1, 2, 3, 4, 5, 6)), [854_539, 645_461], rtol=1e-9)
    np.testing.assert_allclose(people.sum(axis=(0, 2, 3, 4, 5, 6)), [736_355, 763_645], rtol=1e-6)
    assert cells["Count"].sum() == 1_500_000
    assert cells.groupby("Region", observed=True)["Count"].sum().tolist() == [854_539, 645_461]


def test_cells_are_as_sparse_as_the_printed_ones(cells):
    counts = np.append(cells["Count"], np.zeros(245_700 - len(cells), dtype=int))
    for (low, high), printed in PRINTED.items():
        share = 100 * np.mean((counts >= low) & (counts <= high))
        assert share == pytest.approx(printed, abs=0.8), (low, high)


def test_stated_margins_are_reached():
    people = hypercube.expected()
    by_work = people.sum(axis=(0, 1, 4, 5, 6))
    np.testing.assert_allclose(by_work[7] / by_work[7].sum(), [0.80, 0.036, 0.009, 0.01, 0.145], atol=1e-9)
    by_region = people.sum(axis=(1, 2, 3, 4, 5))
    np.testing.assert_allclose(
        by_region[0] / by_region[0].sum(), [0.908, 0.038, 0.013, 0.039, 0.002], atol=1e-9
    )


def test_nobody_is_impossible(cells):
    children = cells[cells["Age"].isin(["0-4", "5-9", "10-14"])]
    assert set(children["Employment"]) == {"Student or child"}
    assert set(children["Education"]) == {"Not applicable"}
    assert "Not applicable" not in set(cells[cells["Employment"] == "Employed"]["Occupation"])


def test_a_seed_gives_the_same_people_and_keys(cells):
    assert hypercube.hypercube(seed=1).equals(cells)
    assert not hypercube.hypercube(seed=2).equals(cells)
    assert cells["Key"].between(0, KEYS - 1).all()
    assert cells["Key"].nunique() > 0.99 * len(cells)


def test_nobody_at_all_is_refused():
    with pytest.raises(InputError, match="at least 1"):
        hypercube.hypercube(people=0)
