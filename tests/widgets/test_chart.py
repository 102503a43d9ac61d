import gzip
import json
from dataclasses import dataclass, field

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets.plots.style import figure
from sdcwidgets.widgets import plotlyjs
from sdcwidgets.widgets.chart import Chart, split


@dataclass
class Bars:
    """A picture for these tests: two bars."""

    heights: list
    kind: str = "bar"
    summary: str = "Two bars."
    made: list = field(default_factory=list)

    def to_frame(self):
        self.made.append(1)
        return pd.DataFrame({"Area": ["a", "b"], "N": [1000, 2], "R₁": [0.5, float("nan")]})


@figure
def draw(bars):
    # Values that are false are settings, too.
    line = {"width": 0, "dash": ""}
    trace = {
        "type": bars.kind,
        "name": "a",
        "x": [1, 2],
        "y": bars.heights,
        "showlegend": False,
        "line": line,
    }
    return {"data": [trace], "layout": {"height": 300, "template": None}}


def put_back(frame, arrays):
    whole = json.loads(json.dumps(frame))
    for path, value in arrays.items():
        *steps, last = [int(step) if step.isdigit() else step for step in path.split("/")]
        at = whole
        for step in steps:
            at = at[step] if isinstance(at, list) else at.setdefault(step, {})
        at[last] = value
    return whole


@given(st.lists(st.floats(0, 1), min_size=2, max_size=2))
def test_a_figure_is_its_frame_and_its_arrays(values):
    plain = draw.plain(Bars(values))
    whole = put_back(*split(plain))
    del plain["layout"]["template"]
    assert whole == plain
    assert whole["data"][0]["showlegend"] is False
    assert whole["data"][0]["line"] == {"width": 0, "dash": ""}


def test_new_numbers_leave_the_frame_alone():
    first, second = split(draw.plain(Bars([1, 2]))), split(draw.plain(Bars([3, 4])))
    assert first[0] == second[0]
    assert first[1] != second[1]


def test_numbers_are_made_only_when_looked_at():
    chart, first, second = Chart("A chart"), Bars([1, 2]), Bars([3, 4])
    chart.show(draw, first)
    assert not first.made
    chart._hear(chart, {"type": "numbers", "open": True}, [])
    assert chart.numbers == {
        "columns": ["Area", "N", "R₁"],
        "rows": [["a", "1,000", "0.5000"], ["b", "2", "–"]],
    }
    chart.show(draw, second)
    assert second.made


def test_a_chart_out_of_sight_is_drawn_when_it_comes_back():
    chart = Chart("A chart")
    chart.show(draw, Bars([1, 2]))
    chart._hear(chart, {"type": "seen", "view": "one", "seen": False}, [])
    chart.show(draw, Bars([3, 4], summary="Other bars."))
    assert chart.arrays["data/0/y"] == [1, 2]
    assert chart.summary == "Other bars."
    assert chart.old
    chart._hear(chart, {"type": "seen", "view": "one", "seen": True}, [])
    assert chart.arrays["data/0/y"] == [3, 4]
    assert not chart.old


def test_a_chart_out_of_sight_is_drawn_when_the_browser_asks():
    chart = Chart("A chart")
    chart.show(draw, Bars([1, 2]))
    chart._hear(chart, {"type": "seen", "view": "one", "seen": False}, [])
    chart._hear(chart, {"type": "draw"}, [])
    assert not chart.old
    chart.show(draw, Bars([3, 4]))
    assert chart.old
    chart._hear(chart, {"type": "draw"}, [])
    assert (chart.arrays["data/0/y"], chart.old) == ([3, 4], False)


def test_one_view_in_sight_is_enough():
    chart = Chart("A chart")
    chart._hear(chart, {"type": "seen", "view": "one", "seen": True}, [])
    chart._hear(chart, {"type": "seen", "view": "two", "seen": False}, [])
    chart.show(draw, Bars([1, 2]))
    assert chart.arrays["data/0/y"] == [1, 2]


def test_views_that_were_closed_are_forgotten():
    chart = Chart("A chart")
    for number in range(50):
        chart._hear(chart, {"type": "seen", "view": f"view {number}", "seen": True}, [])
        chart._hear(chart, {"type": "seen", "view": f"view {number}", "seen": False}, [])
    chart._hear(chart, {"type": "seen", "view": "new", "seen": True}, [])
    chart.show(draw, Bars([1, 2]))
    assert chart.arrays["data/0/y"] == [1, 2]


@pytest.mark.parametrize("view", [None, 7, ["one"]])
def test_a_view_without_a_name_is_not_noted(view):
    chart = Chart("A chart")
    chart._hear(chart, {"type": "seen", "view": view, "seen": False}, [])
    chart.show(draw, Bars([1, 2]))
    assert chart.arrays["data/0/y"] == [1, 2]


def test_the_kernel_sends_plotly_where_no_server_has_it(monkeypatch):
    sent = []
    chart = Chart("A chart")
    monkeypatch.setattr(chart, "send", lambda content, buffers=None: sent.append((content, buffers)))
    chart._hear(chart, {"type": "plotly"}, [])
    [(content, [source])] = sent
    assert content == {"type": "plotly"}
    assert gzip.decompress(source) == plotlyjs.source()


def test_a_trace_that_this_plotly_js_does_not_draw_is_refused():
    chart = Chart("A map")
    with pytest.raises(ValueError, match=r"bar, pie, scatter, .* heatmap"):
        chart.show(draw, Bars([1, 2], kind="heatmap"))
    assert chart.frame == {"data": [], "layout": {}}
