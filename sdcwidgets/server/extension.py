"""The extension of any Jupyter server: plotly.js by URL, which a browser fetches once for all pages."""

from __future__ import annotations

import asyncio
from typing import Any

from jupyter_server.auth.decorator import allow_unauthenticated
from jupyter_server.utils import url_path_join
from tornado.web import RequestHandler

from sdcwidgets import plotlyjs

_A_YEAR = 365 * 24 * 3600


class PlotlyHandler(RequestHandler):
    """Serve the installed plotly.js, gzipped once and kept.

    It is the same public file for everyone, so it asks nobody who they are. A URL that names the version
    (`?v=`) never changes its content and is cached for good; another one is asked for again each time.
    """

    SUPPORTED_METHODS = ("GET", "HEAD")

    def compute_etag(self) -> str:
        """Name the content by its version; hashing five megabytes a request would only say the same."""
        return f'"{plotlyjs.version()}"'

    @allow_unauthenticated
    async def get(self) -> None:
        """Answer with the file, or with 304 where the browser has it."""
        named = self.get_query_argument("v", "") == plotlyjs.version()
        self.set_header("Content-Type", "text/javascript; charset=utf-8")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Cache-Control", f"public, max-age={_A_YEAR}, immutable" if named else "no-cache")
        self.set_header("Vary", "Accept-Encoding")
        self.set_etag_header()
        if self.check_etag_header():
            self.set_status(304)
            return
        if "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
            self.write(await asyncio.to_thread(plotlyjs.compressed))
        else:
            self.write(await asyncio.to_thread(plotlyjs.source))

    head = get


def handlers(base_url: str) -> list[tuple[str, type[RequestHandler]]]:
    """Return the routes that every server with this package offers."""
    return [(url_path_join(base_url, plotlyjs.ROUTE), PlotlyHandler)]


def _load_jupyter_server_extension(server: Any) -> None:
    """Add the routes to a running Jupyter server."""
    server.web_app.add_handlers(".*$", handlers(server.web_app.settings["base_url"]))
