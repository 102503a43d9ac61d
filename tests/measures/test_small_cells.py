"""Share of cells with small published counts, and the mean cell size."""

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, assess, examples, measures, methods
from sdcwidgets.assessment.verdict import ReleaseLimits
from sdcwidgets.core.risk.census import mean_cell_size, small_cells

RELIGION = examples.load("religion")


def test_both_are_those_of_the_original_table():
    small, mean = measures.get("small_cells")(), measures.get("mean_cell_size")()
    assert small.before(RELIGION) == pytest.approx(float(small_cells(RELIGION.counts)))
    assert (
        mean.before(RELIGION)
        == pytest.approx(float(mean_cell_size(RELIGION.counts)))
        == pytest.approx(27.21, abs=5e-3)
    )


def test_the_threshold_sets_what_is_small():
    table = FrequencyTable([[0, 1, 2], [3, 4, 9]])
    shares = [measures.get("small_cells")(threshold=threshold).before(table) for threshold in (2, 3, 4, 5)]
    np.testing.assert_allclose(shares, np.arange(1, 5) / 6)


def test_rounding_leaves_no_small_count():
    whole = assess(RELIGION, "random-rounding", base=3, replications=5, measures=["small_cells"]).after.whole
    assert whole.small_cells.mean == 0


def test_each_slice_has_its_own_value():
    after = assess(RELIGION, methods.get("barnardisation")(), replications=2, measures=["small_cells"]).after
    assert len(after.slices["Area"]["small_cells"].mean) == 10
    before = assess(RELIGION, measures=["mean_cell_size"])
    np.testing.assert_allclose(before.slices["Area"]["mean_cell_size"], RELIGION.counts.mean(axis=1))


def test_the_share_can_be_a_limit_of_a_release():
    limits = ReleaseLimits("Office, 2026", risk=0.1, risk_measure="small_cells")
    assert limits.decides
    assert measures.get("small_cells")().within(0.05, 0.1)
