import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stating import stating

from sdcwidgets.dashboards.weights import charts as plots
from sdcwidgets.dashboards.weights.result import compute
from sdcwidgets.dashboards.weights.state import WeightsState


@pytest.fixture(scope="module")
def worked():
    return compute(WeightsState.of_example("thesis-3-6-1"))


def test_every_point_of_the_picture_is_where_it_should_be(worked):
    octant = plots.prepare(worked, 45)
    for points in (octant.lattice, octant.arcs, octant.best, octant.chosen):
        assert np.linalg.norm(points, axis=-1) == pytest.approx(1)
        assert points.min() >= -1e-12
    assert octant.heights.max() <= np.linalg.norm(octant.x)
    # What is left of x beside its foot stands upright on the line of the weights.
    assert (octant.x - octant.foot) @ octant.chosen == pytest.approx(0, abs=1e-12)


def test_the_areas_of_the_terms_add_up_to_the_risk(worked):
    picture = plots.weighted_terms(worked)
    *rectangles, line = plots.draw_terms(picture).to_dict()["data"]
    edges = [(trace["x"][0] - trace["width"] / 2, trace["x"][0] + trace["width"] / 2) for trace in rectangles]
    assert np.ravel(edges) == pytest.approx([0, 0.1, 0.1, 0.9, 0.9, 1])
    assert [trace["y"][0] for trace in rectangles] == pytest.approx(worked.x, abs=1e-5)
    assert sum(trace["width"] * trace["y"][0] for trace in rectangles) == pytest.approx(
        line["y"][0], abs=1e-5
    )
    assert line["y"][0] == pytest.approx(worked.means["weighted"], abs=1e-5)
    assert picture.to_frame()["weight times term"].sum() == pytest.approx(picture.risk)
    assert f"= {picture.risk:.3f}" in picture.summary


@given(st.floats(0, 90), st.lists(st.floats(0, 1), min_size=3, max_size=3))
def test_a_projection_makes_nothing_longer(azimuth, point):
    assert np.linalg.norm(plots.project(point, azimuth)) <= np.linalg.norm(point) + 1e-9


def test_the_picture_is_flat_and_tells_its_numbers(worked):
    octant = plots.prepare(worked, 30)
    figure = plots.draw(octant).to_dict()
    assert {trace["type"] for trace in figure["data"]} == {"scatter"}
    assert [trace["name"] for trace in figure["data"] if trace.get("showlegend", True)] == [
        "Terms x",
        "w·x as length",
        "Maximum of w·x",
        "Your weights",
    ]
    assert "54.2°, and w·x is 0.5505." in octant.summary
    assert octant.summary.endswith("is ‖x‖ = 0.9419.")
    assert octant.to_frame()["w·x"].round(4).tolist()[1:] == [0.9419, 0.5505]


def test_the_bars_are_the_means_of_the_published_tables(worked):
    picture = plots.bars(worked)
    figure = plots.draw(picture).to_dict()
    assert [trace["name"] for trace in figure["data"]] == [
        "Weighted mean w·x",
        "Geometric mean",
        stating("mean square", "R₁*"),
    ]
    named = figure["layout"]["yaxis"]["ticktext"]
    assert named[0] == "Religion by output area"
    assert len(set(named)) == len(named)
    assert max(name.count("<br>") for name in named) == 1
    assert not any("Turnover" in name for name in named)  # no counts of people
    assert len(picture.to_frame()) == len(figure["data"][0]["x"]) == len(worked.examples.names)
    assert "is 0 for" in picture.summary
