import numpy as np
from stating import stating

from sdcwidgets.dashboards.who import charts as plots
from sdcwidgets.dashboards.who.result import compute
from sdcwidgets.dashboards.who.state import Search, WhoState

LAST = compute(WhoState(settings=Search("all"), position=19))


def test_the_line_falls_to_the_theorem():
    approach = plots.prepare(LAST)
    assert approach.seen.tolist() == list(range(1, 21))
    assert (approach.differences[0], approach.differences[-1], approach.end) == (0.5, 0, 20)
    assert approach.summary == stating("20", "0.000", "0.000")
    assert approach.to_frame().shape == (20, 3)


def test_single_people_come_to_the_theorem_where_cells_are_there_at_once():
    """One of the four in c3 moved, and each of them in one possibility: 1 - 1/4, then 1/2 - 1/4, 1/3 - 1/4, 0."""
    approach = plots.prepare(compute(WhoState(position=3)))
    assert approach.differences.tolist() == [0, 0, 0, 0]
    np.testing.assert_allclose(approach.personal, [3 / 4, 1 / 4, 1 / 4, 0])


def test_a_long_run_is_thinned_and_keeps_its_ends():
    found = compute(WhoState(settings=Search("all", "drawn"), position=999))
    approach = plots.prepare(found)
    assert len(approach.seen) == plots.MOST_POINTS
    assert (approach.seen[0], approach.seen[-1], approach.end, approach.noun) == (1, 1000, 1000, "draws")


def test_the_figure_shows_the_line_and_where_it_is():
    data = plots.draw(plots.prepare(LAST)).to_dict()["data"]
    for line, dot in zip(data[::2], data[1::2], strict=True):
        assert (line["x"][-1], line["y"][-1]) == (dot["x"][0], dot["y"][0]) == (20, 0)


def test_a_crowd_has_an_empty_chart():
    approach = plots.prepare(compute(WhoState((1000, 1), (999, 2))))
    assert approach.summary == stating("is empty")
    assert plots.draw(approach).to_dict()["data"][0]["x"] == []


def test_staying_and_moving_have_different_shades():
    shown = plots.heat_map(LAST.theorem, (0, 2, 4))
    assert shown["texts"] == [["–"] * 3, ["0.00", "0.50", "0.50"], ["0.00", "0.50", "0.50"]]
    assert (np.diag(shown["shade"]) <= 0).all()
    assert shown["shade"][1, 2] == 0.5
