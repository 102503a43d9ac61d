"""Measures of what an intruder learns: figures in print, and what protection does to them."""

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, measures, methods
from sdcwidgets.measures import Batch

# Handbook, Table 5.3: marital status by hours.
TABLE_5_3 = FrequencyTable([[6, 0], [5, 1], [2, 2]])


def test_coalitions_of_the_handbook():
    """Lupp and Langsrud: |p| - k <= |c|; two cells disclose along hours, and one along status."""
    value = measures.get("coalition")(known=1).values(Batch(TABLE_5_3))
    assert value[0, 0] == pytest.approx(np.mean([[1, 0], [1, 0], [0, 1]]))
    assert measures.get("coalition")(known=0).before(TABLE_5_3) < measures.get("coalition")(known=2).before(
        TABLE_5_3
    )


def test_an_empty_line_does_not_raise_the_share_of_disclosive_cells():
    """A row of zeros and a row of one person, who is the coalition, disclose nothing about others."""
    table = FrequencyTable([[6, 0], [5, 1], [2, 2], [0, 0], [1, 0]])
    flags = [[1, 0], [1, 0], [0, 1], [0, 0], [0, 0]]  # the third of its column: two of its three people
    one = measures.get("coalition")(known=1)
    assert one.values(Batch(table), 0)[0].tolist() == np.mean(flags, axis=1).tolist()


def test_a_cell_counts_only_where_what_is_read_is_right():
    false = np.array([[[0, 6], [3, 3], [2, 2]]])
    assert measures.get("coalition")(known=1).values(Batch(TABLE_5_3, false))[0, 0] == 0


def test_stronger_rounding_may_disclose_more_to_a_coalition_but_makes_it_less_sure():
    """A 1 beside 40 is rounded to 0 with probability 1 − 1/b, and then the line reads as one cell."""
    table = FrequencyTable([[1, 40], [40, 40]])
    shares, widths = [], []
    for base in (2, 20):
        method = methods.get("random-rounding")(base=base)
        published, chance = method.distribution(table)
        share = measures.get("coalition")(known=1).values(Batch(table, published))[:, 0]
        cell = np.array([one[0, 0] == 0 for one in published])
        assert chance[cell].sum() == pytest.approx(1 - 1 / base)
        shares.append(float(chance @ share) * table.cells / 2)  # the row and the column of the 1 are alike
        lower, upper = method.release_from_cells(
            table, published[cell][0], np.random.default_rng(1)
        ).cell_bounds()
        widths.append(upper[0, 0] - lower[0, 0])
    assert shares == pytest.approx([0.5, 0.95])
    assert widths == [1, 19]


def test_frank_scenarios():
    table = FrequencyTable([[0, 1, 0], [1, 1, 0], [6, 1, 0], [2, 2, 0]])
    published = np.array([table.counts, [[0, 3, 0], [1, 1, 0], [6, 3, 0], [2, 2, 0]]])
    for scenario, kept in (("1", 0.0), ("2", 1.0), ("3", 0.5)):
        one = measures.get("frank_scenario")("rows", scenario)
        assert one.values(Batch(table, published))[:, 0].tolist() == [1.0, kept]


def test_each_slice_says_whether_its_scenario_is_still_seen():
    """1 where it is, 0 where it no longer is, and nothing where the slice never was one; the table has their mean."""
    table = FrequencyTable([[0, 1, 0], [1, 1, 0], [6, 1, 0], [2, 2, 0]])
    published = np.array([table.counts, [[0, 3, 0], [1, 1, 0], [6, 3, 0], [1, 2, 0]]])
    batch = Batch(table, published)
    for scenario, kept in (("1", [0, np.nan, np.nan, np.nan]), ("3", [np.nan, 1, 0, np.nan])):
        one = measures.get("frank_scenario")("rows", scenario)
        np.testing.assert_array_equal(one.values(batch, 0)[1], kept)
        np.testing.assert_array_equal(np.nanmean(one.values(batch, 0), axis=1), one.values(batch)[:, 0])
        assert np.isnan(one.values(batch, 1)).all()
    assert measures.get("frank_scenario")("Column", "1").values(batch, 1).shape == (2, 3)


def test_sap_and_franks_bound_by_slices():
    table = FrequencyTable([[2, 2], [0, 4]])
    assert measures.get("subtraction")(known=2).values(Batch(table), 0)[0].round(4).tolist() == [0.3333, 1.0]
    one = FrequencyTable([[0, 2, 4], [1, 1, 1]])
    assert measures.get("frank_bound")().values(Batch(one), 0)[0, 0].round(4) == 2.9444


def test_a_gap_hides_a_scenario():
    table = FrequencyTable([[6, 1], [3, 3]])
    published = np.array([[[6, np.nan], [3, 3]]])
    assert measures.get("frank_scenario")("rows", "3").values(Batch(table, published))[0, 0] == 0
