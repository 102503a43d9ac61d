"""The fork server imports what pages need, so that a session need not."""

import gc

from sdcwidgets.dashboards.page_heads import DASHBOARDS
from sdcwidgets.server import preload


def test_the_module_of_each_page_is_imported(monkeypatch):
    names = []
    monkeypatch.setattr(preload, "import_module", names.append)
    for name in ("skip_unused", "load_added", "_build_a_page"):
        monkeypatch.setattr(preload, name, lambda: None)
    for name in ("collect", "freeze"):
        monkeypatch.setattr(gc, name, lambda: None)
    preload.everything()
    assert {f"sdcwidgets.dashboards.{page.name}.page" for page in DASHBOARDS} <= {*names}
    assert {"scipy.optimize", "pandas", "plotly.graph_objects"} <= {*names}
