"""Marks are what plotly itself takes, and say when they are pointed at what they are told to say."""

import numpy as np
import plotly.graph_objects as go

from sdcwidgets.plots import marks


def test_plotly_takes_every_mark_with_all_that_is_its_own():
    chart = marks.plot(
        [
            marks.bars([1, 2], [3, 4], "red", across=True, edge=("blue", 1)),
            marks.line(np.array([1, 2]), (3, 4), "red", 1, "dot", shape="hv", marker={"size": 8}),
            marks.dots([1], [2], "red", 9, "star", edge=("blue", 2), marker={"opacity": 0.5}),
            marks.dots([1], [2], "red", 9, text=["a"], at="top center", textfont={"size": 14}),
        ],
        200,
        legend={"y": 1.0},
        xaxis={"title": "N"},
        annotations=[marks.note(1, 2, "here")],
    )
    bars, line, star, words = go.Figure(chart).data
    assert (bars.orientation, bars.marker.line.color) == ("h", "blue")
    assert (line.mode, line.line.shape, line.marker.size) == ("lines+markers", "hv", 8)
    assert (star.mode, star.marker.opacity, star.marker.line.width) == ("markers", 0.5, 2)
    assert (words.mode, words.textposition, words.textfont.size) == ("markers+text", "top center", 14)


def test_a_legend_brings_its_room_unless_another_is_given():
    assert marks.plot([], 200, legend=True)["layout"]["margin"] == marks.ROOM
    given = marks.plot([], 200, legend=True, margin={"t": 1})["layout"]
    assert (given["margin"], given["showlegend"]) == ({"t": 1}, True)
    assert marks.plot([], 200)["layout"]["showlegend"] is False


def test_a_mark_says_what_it_is_told_to_say():
    said, silent, plotly = (marks.line([1], [2], "red", hover=hover) for hover in ("%{y}", "", None))
    assert said["hovertemplate"] == "%{y}<extra></extra>"
    assert silent["hoverinfo"] == "skip"
    assert not {"hovertemplate", "hoverinfo"} & set(plotly)


def test_what_is_no_finite_number_is_left_out():
    assert marks.numbers([0.1234567, np.nan, np.inf], 3) == [0.123, None, None]
