"""Published values as linear constraints."""

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, Release
from sdcwidgets.attacks.knowledge import system

TABLE = FrequencyTable([3, 5], {"Sex": ["f", "m"]})


@pytest.mark.parametrize(("lower", "upper", "constraints"), [(0, np.inf, 2), (1, np.inf, 3), (0, 9, 3)])
def test_a_suppressed_value_without_bounds_is_no_constraint(lower, upper, constraints):
    values = {(0,): np.array([3.0, np.nan]), (): np.array(8.0)}
    low = {(0,): np.array([3.0, lower]), (): np.array(8.0)}
    high = {(0,): np.array([3.0, upper]), (): np.array(8.0)}
    release = Release(TABLE.axes, values, low, high)
    assert len(system([release], None).numbers) == constraints


def test_releases_without_placements_are_numbered_tables():
    releases = [Release.of(TABLE), Release.of(TABLE)]
    assert {number.source for number in system(releases, None).numbers} == {"Table 1", "Table 2"}
