"""The solver's gap drawn."""

from dataclasses import replace

import numpy as np
import pytest

from sdcwidgets import FrequencyTable
from sdcwidgets.dashboards.rounding import charts as plots
from sdcwidgets.dashboards.rounding.result import compute, improve
from sdcwidgets.dashboards.rounding.state import RoundingState


def test_distance_and_bound_of_each_run_are_drawn():
    state = RoundingState(FrequencyTable(np.random.default_rng(1).poisson(2, (6, 5, 5)))).rounded(base=3)
    first = compute(state)
    found = [first, *improve(state, first)][-1]  # the first run may be proved the best at once
    assert found.runs
    picture = plots.prepare(found)
    above, below = plots.draw.plain(picture)["data"]
    assert above["y"] == [run.distance for run in found.runs]
    assert below["y"] == [run.bound for run in found.runs]
    assert picture.names[0] == "first rounding"
    assert picture.to_frame()["gap"].tolist() == [run.gap for run in found.runs]
    assert f"{len(found.runs)} run" in picture.summary
    plots.draw(picture)


def test_no_run_yet_is_told():
    picture = plots.Closing((), ())
    assert "No run" in picture.summary
    plots.draw(picture)


def test_the_line_of_possible_values_is_a_little_longer_than_they_are():
    low, high = plots.draw_ways.plain(plots.Destinations(4, 5, {"up": {5: 0.8, 0: 0.2}}))["layout"]["xaxis"][
        "range"
    ]
    assert -1.5 < low < 0
    assert 5 < high < 6.5


def test_the_most_likely_original_count_of_random_rounding_is_the_published_value():
    state = RoundingState.of_example("handbook-5-18").rounded(base=5, published=15)
    random = plots.prepare_original_counts(compute(replace(state, method="random")))
    assert random.counts == list(range(11, 20))
    assert random.to_frame()["probability"].sum() == pytest.approx(1)
    assert random.to_frame()["probability"].idxmax() == random.counts.index(15)
    assert "20.0%" in random.summary
    assert plots.draw_original_counts.plain(random)["data"][0]["x"] == random.counts
    equal = plots.prepare_original_counts(compute(replace(state, method="controlled")))
    assert "11.1%" in equal.summary
