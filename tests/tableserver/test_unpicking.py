"""Totals that would undo the protection of a cell are seen, in whatever order the tables are asked for."""

import numpy as np
import pandas as pd
import pytest

from sdcwidgets import methods
from sdcwidgets.release import Release
from sdcwidgets.tableserver import Refusal, Rules, TableServer
from sdcwidgets.tableserver.unpicking import unpicked
from sdcwidgets.tabulate import Query, Tabulator

ROUNDING = methods.get("random-rounding")(base=3)
OPEN = Rules(people=1, mean=0, small=1, before=0, after=1, utility=0)


def server(total_key, rules=OPEN):
    """A count of 1 and one of 100: both are rounded up, and their total, 101, as its key says."""
    # A key of 0 rounds up; the key of the total is the sum of those of its cells.
    frame = pd.DataFrame(
        {"Area": ["N", "N", "S"], "Sex": ["f", "m", "f"], "Count": [50, 50, 1], "Key": [0, 0, total_key]}
    )
    return TableServer(Tabulator.open(frame, count="Count", key="Key"), rules, ROUNDING)


def test_a_total_rounded_down_beside_cells_rounded_up_gives_a_one_away():
    # Published: 102 for 100, 3 for 1, and 99 for their total of 101.
    axes = server(0).request(["Area"]).axes
    release = Release.by_value(
        axes, {(0,): np.array([102, 3]), (): np.array(99)}, lambda x: ROUNDING.conclusions(x.astype(int)), []
    )
    assert unpicked(release, Query(["Area"]), [], 2)
    kept = Release.by_value(
        axes, {(0,): np.array([102, 3]), (): np.array(102)}, lambda x: ROUNDING.conclusions(x.astype(int)), []
    )
    assert not unpicked(kept, Query(["Area"]), [], 2)


def test_a_table_that_is_safe_by_itself_is_released_and_then_no_exact_total_undoes_it():
    # Exact areas 100 and 1 are never released; a total that is exact would leave 101 - 100 = 1.
    asked = server(0, Rules(**(vars(OPEN) | {"before": 0.2})))
    first = asked.request(["Area"])
    assert first.cells.tolist() == [102, 3]
    second = asked.request(["Sex"])
    for answer in (first, second):
        if not isinstance(answer, Refusal):
            low, high = answer.intervals(sharp=False)
            assert not np.any((low >= 1) & (high <= 2))
    assert not asked.log[1].exact


@pytest.mark.parametrize("seed", range(6))
def test_no_released_table_can_be_unpicked_with_any_exact_total(seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "Area": rng.choice(list("NESW"), 150, p=[0.55, 0.35, 0.08, 0.02]),
            "Sex": rng.choice(["f", "m"], 150),
            "Job": rng.choice(["a", "b", "c"], 150, p=[0.6, 0.38, 0.02]),
            "Key": rng.integers(10**9, size=150),
        }
    )
    asked = TableServer(Tabulator.open(frame, key="Key"), Rules(**(vars(OPEN) | {"before": 0.1})), ROUNDING)
    for by in (
        ["Area", "Sex"],
        ["Sex"],
        ["Job", "Area"],
        ["Area"],
        ["Job"],
        ["Sex", "Job"],
        ["Area", "Job", "Sex"],
    ):
        asked.request(by)
    exact = list(asked._exact.values())
    assert any(one.exact for one in asked.log) or exact == []
    for line in asked.log:
        if isinstance(line.answer, Release) and not line.exact:
            assert not unpicked(line.answer, line.query, exact, 2)
