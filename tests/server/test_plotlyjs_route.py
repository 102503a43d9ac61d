"""plotly.js by URL: the same file from the project's own server and from any Jupyter server."""

import gzip
import json
import subprocess
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


#: Prints the handlers that loading the extension adds to a Jupyter server, and the settings that it changes.
_CHANGES = """
import json, sys
from jupyter_server.serverapp import ServerApp

server = ServerApp(jpserver_extensions={}, root_dir=sys.argv[1], port=int(sys.argv[2]), log_level="CRITICAL")
server.initialize(argv=["--no-browser", "--allow-root"], find_extensions=False)
settings = dict(server.web_app.settings)
routers = [rule.target for rule in server.web_app.default_router.rules[:-1]]
before = [id(rule) for router in routers for rule in router.rules]
server.extension_manager.add_extension("sdcwidgets.server", enabled=True)
assert server.extension_manager.load_extension("sdcwidgets.server") is not False
routers = [rule.target for rule in server.web_app.default_router.rules[:-1]]
rules = [rule for router in routers for rule in router.rules if id(rule) not in before]
now = server.web_app.settings
changed = [name for name in {*settings, *now} if settings.get(name) is not now.get(name)]
print(json.dumps({"added": [rule.matcher.regex.pattern for rule in rules], "changed": changed}))
"""


def test_the_extension_changes_nothing_of_another_server_and_adds_one_address(tmp_path):
    command = [sys.executable, "-c", _CHANGES, str(tmp_path), str(free_port())]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 0, ran.stderr
    changes = json.loads(ran.stdout.splitlines()[-1])
    assert changes == {"added": [f"/{plotlyjs.ROUTE}$"], "changed": []}
