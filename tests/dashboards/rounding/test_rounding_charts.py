"""The solver's gap drawn."""

import numpy as np

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
