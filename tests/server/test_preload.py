"""The fork server imports what pages need, so that a session need not."""

import subprocess
import sys

import pytest

from sdcwidgets.dashboards.page_heads import DASHBOARDS

IMPORTED = "import sys, sdcwidgets.server.preload; print(*sys.modules)"


@pytest.mark.slow
def test_the_module_of_each_page_is_imported():
    run = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True, check=True)
    names = {*run.stdout.split()}
    assert {f"sdcwidgets.dashboards.{page.name}.page" for page in DASHBOARDS} <= names
    assert {"scipy.optimize", "pandas", "plotly.graph_objects"} <= names
