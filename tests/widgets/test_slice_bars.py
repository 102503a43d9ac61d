"""The explanation of the risk of a row, a column or the whole table."""

import pytest

from screens import inside
from sdcwidgets.dashboards import explore
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page import Page


@pytest.mark.parametrize(("kind", "dialogs"), [("table", 1), ("row", 1), ("column", 1), ("cell", 0)])
def test_each_slice_is_explained_and_a_cell_is_ignored(kind, dialogs):
    app = explore.app()
    [page], grid, sent = inside(app, Page), inside(app, Grid)[0], []
    page.send = sent.append
    grid._hear(grid, {"type": "explain", "kind": kind, "index": 0}, [])
    assert [message["type"] for message in sent] == ["explain"] * dialogs
