"""The extension of any Jupyter server: plotly.js by URL, which a browser fetches once for all pages."""

from __future__ import annotations

from typing import Any

from jupyter_server.utils import url_path_join

from sdcwidgets import plotlyjs
from sdcwidgets.server.kept import KeptHandler


def handlers(base_url: str) -> list[tuple[str, type[KeptHandler], dict[str, Any]]]:
    """Return the routes that every server with this package offers."""
    return [(url_path_join(base_url, plotlyjs.ROUTE), KeptHandler, {"script": plotlyjs})]


def _load_jupyter_server_extension(server: Any) -> None:
    """Add the routes to a running Jupyter server."""
    server.web_app.add_handlers(".*$", handlers(server.web_app.settings["base_url"]))
