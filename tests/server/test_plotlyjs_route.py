"""plotly.js by URL: the same file from the project's own server and from any Jupyter server."""

import gzip
import json
import sys
from importlib.metadata import distribution
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from sdcwidgets.widgets import plotlyjs
from serving import free_port, running

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def jupyter(tmp_path_factory):
    """A Jupyter server at a base URL of its own, that loads what is installed and nothing else is told."""
    port = free_port()
    folder = tmp_path_factory.mktemp("jupyter")
    options = [
        f"--ServerApp.port={port}",
        "--ServerApp.base_url=/user/me/",
        "--IdentityProvider.token=secret",
    ]
    options += ["--no-browser", f"--ServerApp.root_dir={folder}", "--allow-root"]
    address = f"http://127.0.0.1:{port}/user/me/"
    with running([sys.executable, "-m", "jupyter_server", *options], f"{address}api"):
        yield address


@pytest.fixture(params=["served", "jupyter"])
def server(request):
    return request.getfixturevalue(request.param)


def test_compressed_for_good_when_the_version_is_named(server):
    address = f"{server}{plotlyjs.ROUTE}?v={plotlyjs.version()}"
    with urlopen(Request(address, headers={"Accept-Encoding": "gzip"}), timeout=60) as answer:
        body = answer.read()
        assert answer.headers["Content-Encoding"] == "gzip"
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.headers["Content-Type"].startswith("text/javascript")
    assert gzip.decompress(body) == plotlyjs.source()
    assert len(body) < len(plotlyjs.source()) / 2.5


def test_asked_again_when_the_version_is_not_named(server):
    with urlopen(f"{server}{plotlyjs.ROUTE}", timeout=60) as answer:
        assert answer.headers["Cache-Control"] == "no-cache"
        assert answer.read() == plotlyjs.source()
        etag = answer.headers["Etag"]
    again = Request(f"{server}{plotlyjs.ROUTE}", headers={"If-None-Match": etag})
    with pytest.raises(HTTPError, match="304") as unchanged:
        urlopen(again, timeout=60)
    unchanged.value.close()


def test_the_jupyter_extension_is_installed():
    recorded = [file for file in distribution("sdcwidgets").files or [] if file.name == "sdcwidgets.json"]
    told = json.loads(Path(recorded[0].locate()).read_text("utf-8"))
    assert told == {"ServerApp": {"jpserver_extensions": {"sdcwidgets.server": True}}}
