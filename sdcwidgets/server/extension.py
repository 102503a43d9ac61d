"""Extension of any Jupyter server: one route for plotly.js, shared by all pages.

The extension is enabled wherever the package is installed, so it changes nothing else of a server.
"""

from __future__ import annotations

from typing import Any

from jupyter_server.utils import url_path_join

from sdcwidgets.server.cached_files import CachedFileHandler
from sdcwidgets.widgets import plotlyjs


def handlers(base_url: str) -> list[tuple[str, type[CachedFileHandler], dict[str, object]]]:
    """Return the route of plotly.js below a base URL."""
    return [(url_path_join(base_url, plotlyjs.ROUTE), CachedFileHandler, {"script": plotlyjs})]


def _load_jupyter_server_extension(server: Any) -> None:
    """Add the route of plotly.js to a running Jupyter server."""
    server.web_app.add_handlers(".*$", handlers(server.web_app.settings["base_url"]))
