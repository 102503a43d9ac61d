"""The printed figures of PSD 2014 that depend on a protection method: HD of Tables 3 to 5, DR of Table 6.

R2 of the same tables, and where print and formula disagree, is in `test_replications_published`.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from sdcwidgets import examples, methods
from sdcwidgets.core.information import hellinger

PSD = json.loads((Path(__file__).parent / "data" / "psd2014.json").read_text())
METHODS = {
    "random_rounding": methods.get("random-rounding")(base=3),
    "record_swapping": methods.get("record-swapping")(rate=0.1, axis="Area"),
}
OURS, THEIRS = 4000, 1000
PARTS = {"rows": 2, "columns": 1, "table": (1, 2)}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["travel", "sex", "religion"])
def test_hellinger_distances_of_tables_3_to_5(name, method, part):
    table, printed = examples.load(name), np.array(PSD[name]["HD"][part][method])
    drawn = METHODS[method].replicate(table, OURS, np.random.default_rng(2014))
    distances = hellinger(table.counts, drawn, axis=PARTS[part])
    # Both means are of draws; half a unit of the last printed digit comes on top.
    error = distances.std(axis=0) * np.sqrt(1 / OURS + 1 / THEIRS)
    assert (np.abs(distances.mean(axis=0) - printed) <= 4 * error + 0.5e-4).all()


#: PSD 2014, Table 6; the country of birth table is not printed.
SMALL_CELLS_UNCHANGED = {
    ("travel", "random_rounding"): 0,
    ("sex", "random_rounding"): 0,
    ("religion", "random_rounding"): 0,
    ("travel", "record_swapping"): 0.7444,
    ("sex", "record_swapping"): 0,
    ("religion", "record_swapping"): 0.7004,
}


@pytest.mark.parametrize(("name", "method"), SMALL_CELLS_UNCHANGED)
def test_dr_of_table_6(name, method):
    table, printed = examples.load(name), SMALL_CELLS_UNCHANGED[name, method]
    drawn = METHODS[method].replicate(table, OURS, np.random.default_rng(6))
    small = (drawn == 1) | (drawn == 2)
    ratio = (small & (drawn == table.counts)).sum(axis=(1, 2)) / np.maximum(small.sum(axis=(1, 2)), 1)
    error = ratio.std() * np.sqrt(1 / OURS + 1 / THEIRS)
    assert abs(ratio.mean() - printed) <= 4 * error + 0.5e-4
