import numpy as np
import pytest
from stating import stating

from sdcwidgets.dashboards.divergences import charts as plots
from sdcwidgets.dashboards.divergences.result import compute
from sdcwidgets.dashboards.divergences.state import PRESETS, DivergencesState


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize(("about", "size"), [("pair", 7), ("one", 5)])
def test_the_upper_bar_is_never_longer(name, about, size):
    pairs = plots.prepare(compute(PRESETS[name]), about)
    lesser, greater = (trace["x"] for trace in plots.draw(pairs).to_dict()["data"][:2])
    assert len(lesser) == size
    assert all(short <= long + 1e-12 for short, long in zip(lesser, greater, strict=True))
    assert max(greater) <= 1
    assert pairs.summary.startswith(f"In {size} of {size} inequalities")
    assert (pairs.to_frame()["difference"] >= 0).all()


def test_an_infinite_side_is_a_full_bar_and_a_word():
    figure = plots.draw(plots.prepare(compute(PRESETS["opposite"]), "pair")).to_dict()
    assert [trace["x"][0] for trace in figure["data"][:2]] == [0.8, 1]
    assert figure["data"][1]["customdata"][0] == "D(P‖Q) = infinite"
    assert "Hellinger distance" in plots.prepare(compute(PRESETS["opposite"]), "pair").summary


def test_the_limit_is_drawn_and_told():
    limit = plots.limit(compute(DivergencesState()))
    assert "D(P‖Q)/χ² = 0.5000" in limit.summary
    assert list(limit.to_frame()) == [
        stating("original difference"),
        "D(P‖Q)/χ²",
        "D(Q‖P)/χ²",
        "HD²/χ²",
    ]
    assert len(plots.draw(limit).to_dict()["data"]) == 3


@pytest.mark.parametrize(("name", "told"), [("equal", "are equal"), ("opposite", "χ² is infinite")])
def test_without_a_way_the_chart_says_why(name, told):
    limit = plots.limit(compute(PRESETS[name]))
    figure = plots.draw(limit).to_dict()
    assert told in limit.summary
    assert told in figure["layout"]["annotations"][0]["text"]
    assert limit.to_frame().empty


def test_what_is_infinite_leaves_a_gap():
    figure = plots.draw(plots.limit(compute(PRESETS["one"]))).to_dict()
    (gap,) = {k for trace in figure["data"] for k, y in enumerate(trace["y"]) if y is None}
    assert gap == 0


def test_moves_are_told_by_the_size_of_the_cell():
    moves = plots.moves(3)
    assert moves.summary == stating("Hellinger distance", "1.225", "1,000", "0.034")
    assert moves.to_frame()["number of people in the cell"].tolist() == list(plots.SIZES)
    heights = plots.draw(moves).to_dict()["data"][2]["y"]
    assert np.all(np.diff(heights) < 0)
