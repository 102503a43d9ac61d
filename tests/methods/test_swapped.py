"""Columns of records that disclose the area of a person after a swap."""

import numpy as np
import pandas as pd
import pytest

from sdcwidgets.methods.swapped import shows_area


@pytest.mark.parametrize(
    ("blocks", "shows"),
    [
        ([5, 4], False),  # fewer than ten records
        ([5, 5], True),
        ([10, 10, 10, 10], True),  # one exception per 20 values
        ([8, 8, 8, 8, 8], False),
    ],
)
def test_values_show_the_area_if_their_order_follows_the_areas(blocks, shows):
    """Areas alternate from block to block of ascending values; the records are in another order."""
    area = np.repeat(np.arange(len(blocks)) % 2, blocks)
    order = np.random.default_rng(1).permutation(len(area))
    sizes = pd.Series(order / 4, name="size")
    assert shows_area(sizes, area[order]) == shows
    assert not shows_area(sizes.where(order > 0), area[order])


@pytest.mark.parametrize(
    ("values", "shows"),
    [
        ([1, 2, 3, 5], False),
        ([1, 2, 3, 5, 8], True),
        ([8, 5, 3, 2, 1], True),
        ([1, 2, 3, 8, 5], False),
        ([1, 2, 3, 5, 5], False),
        ([0.5, 1.5, 2.5, 3.5, 4.5], False),  # an amount is no identifier
    ],
)
def test_whole_numbers_that_increase_with_the_position_identify_records(values, shows):
    area = np.arange(len(values)) % 2
    assert shows_area(pd.Series(values, name="number"), area) == shows
