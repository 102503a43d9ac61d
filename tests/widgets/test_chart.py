import gzip
import json

import pandas as pd
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets import plotlyjs
from sdcwidgets.widgets.chart import Chart, split


def figure(values):
    return go.Figure(
        {"data": [{"type": "bar", "name": "a", "x": [1, 2], "y": values}], "layout": {"height": 300}}
    )


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
    plain = figure(values).to_dict()
    plain["layout"].pop("template", None)
    assert put_back(*split(plain)) == plain


def test_new_numbers_leave_the_frame_alone():
    first, second = split(figure([1, 2]).to_dict()), split(figure([3, 4]).to_dict())
    assert first[0] == second[0]
    assert first[1] != second[1]


def test_numbers_are_made_only_when_looked_at():
    made = []

    def numbers():
        made.append(1)
        return pd.DataFrame({"Area": ["a", "b"], "N": [1000, 2], "R₁": [0.5, float("nan")]})

    chart = Chart("A chart")
    chart.show(figure([1, 2]), "Two bars.", numbers)
    assert not made
    chart._hear(chart, {"type": "numbers", "open": True}, [])
    assert chart.numbers == {
        "columns": ["Area", "N", "R₁"],
        "rows": [["a", "1,000", "0.5000"], ["b", "2", "–"]],
    }
    chart.show(figure([3, 4]), "Two bars.", numbers)
    assert len(made) == 2


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
    heatmap = go.Figure({"data": [{"type": "heatmap", "z": [[1]]}]})
    with pytest.raises(ValueError, match="bar, pie, scatter, not heatmap"):
        chart.show(heatmap, "", pd.DataFrame)
    assert chart.frame == {"data": [], "layout": {}}
