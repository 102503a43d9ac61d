"""The explanation of the risk of a row, a column or the whole table."""

import pytest

from screens import inside
from sdcwidgets import assess, examples
from sdcwidgets.dashboards import explore
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.slice_bars import SliceBars


@pytest.mark.parametrize(("kind", "dialogs"), [("table", 1), ("row", 1), ("column", 1), ("cell", 0)])
def test_each_slice_is_explained_and_a_cell_is_ignored(kind, dialogs):
    app = explore.app()
    [page], grid, sent = inside(app, Page), inside(app, Grid)[0], []
    page.send = sent.append
    grid._hear(grid, {"type": "explain", "kind": kind, "index": 0}, [])
    assert [message["type"] for message in sent] == ["explain"] * dialogs


def test_a_bar_opens_the_explanation_of_its_row_and_the_last_bar_that_of_the_table():
    result = assess(examples.load("religion"))
    [page], explained = inside(explore.app(), Page), []
    page.explain = lambda title, *_: explained.append(title)
    bars = SliceBars(lambda: result, page)
    [chart] = inside(bars, Chart)
    numbers = {}
    for bar in range(len(result.rows) + 2):
        explained.clear()
        chart._hear(chart, {"type": "click", "points": [[0, bar]]}, [])
        numbers[bar] = list(explained)
    assert numbers.pop(len(result.rows) + 1) == []
    whole = numbers.pop(len(result.rows))
    assert len(whole) == 1
    assert all(len(titles) == 1 and titles != whole for titles in numbers.values())
