"""The result of an attack, compared with the counts that were attacked."""

import numpy as np

from sdcwidgets import Axis, FrequencyTable
from sdcwidgets.attacks import Finding
from sdcwidgets.attacks.base import Score


def test_a_score_counts_claimed_and_correct_values_and_bounds_that_hold():
    axis = Axis("Area", ("A", "B", "C", "D"))
    lower, upper = np.array([2.0, 0, 1, 6]), np.array([2.0, 9, 3, 8])
    likely = np.array([2.0, np.nan, 3, np.nan])
    finding = Finding(
        "own", (axis,), lower, upper, (lower, upper), likely, np.array([1, np.nan, 0.5, np.nan])
    )
    truth = FrequencyTable([2, 5, 1, 9], {"Area": axis.labels})
    assert finding.score(truth) == Score(4, 2, 1, 3)
