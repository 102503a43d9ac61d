"""The same dashboard elsewhere: a plain Voila on one notebook, and a Jupyter server's `/voila/render/`."""

import shutil
import sys
from pathlib import Path

import pytest

import sdcwidgets
from sdcwidgets.dashboards import DASHBOARDS
from serving import free_port, running

NOTEBOOKS = Path(sdcwidgets.__file__).parent.parent / "notebooks"


def plain_voila(notebook: Path, port: int) -> tuple[list[str], str]:
    address = f"http://127.0.0.1:{port}/"
    options = [f"--port={port}", "--Voila.ip=127.0.0.1", "--no-browser"]
    return [sys.executable, "-m", "voila", str(notebook), *options], address


def jupyter_server(notebook: Path, port: int) -> tuple[list[str], str]:
    options = [f"--ServerApp.port={port}", "--ServerApp.base_url=/user/me/", "--IdentityProvider.token="]
    options += ["--no-browser", "--allow-root", f"--ServerApp.root_dir={notebook.parent.parent}"]
    address = f"http://127.0.0.1:{port}/user/me/voila/render/notebooks/{notebook.name}"
    return [sys.executable, "-m", "jupyter_server", *options], address


@pytest.fixture
def tolerated():
    """Return what these hosts cause: CDNs, extensions that nobody needs, no plotly.js in plain Voila."""
    return (
        "cdn.jsdelivr.net",
        "cdnjs.cloudflare.com",
        "The getter for the shared module is not a function",
        "voila/files/sdcwidgets/static/plotly.min.js",
    )


@pytest.mark.parametrize("dashboard", DASHBOARDS, ids=lambda dashboard: dashboard.name)
@pytest.mark.parametrize("host", [plain_voila, jupyter_server], ids=lambda host: host.__name__)
def test_dashboard_opens_and_draws(host, dashboard, page, tmp_path):
    folder = tmp_path / "notebooks"
    shutil.copytree(NOTEBOOKS, folder)
    command, address = host(folder / dashboard.notebook, free_port())
    with running(command, address):
        page.goto(address)
        page.locator(".sdc-page").wait_for()
        page.locator(".sdc-plot .main-svg").first.wait_for()
        assert page.locator(".sdc-plot .main-svg").first.bounding_box()["width"] > 100
        page.close()
