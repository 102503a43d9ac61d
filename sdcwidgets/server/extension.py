"""The extension of any Jupyter server: plotly.js by URL, and messages that do not wait for each other.

A browser fetches plotly.js once for all pages.
"""

from __future__ import annotations

from typing import Any

from jupyter_server.utils import url_path_join

from sdcwidgets.server.kept import CachedFileHandler
from sdcwidgets.widgets import plotlyjs

#: Where a Jupyter server keeps its class of connections to kernels.
CONNECTION = "kernel_websocket_connection_class"


def handlers(base_url: str) -> list[tuple[str, type[CachedFileHandler], dict[str, object]]]:
    """Return the routes that every server with this package offers."""
    return [(url_path_join(base_url, plotlyjs.ROUTE), CachedFileHandler, {"script": plotlyjs})]


def at_once(connection: type[Any]) -> type[object]:
    """Return a class of connections between a page and its kernel that sends each message as soon as it is there.

    Many short messages answer one change of a slider; TCP would keep one back until the receipt of the last has come,
    which takes 40 ms.
    """

    class AtOnce(connection):
        """A connection that waits for no receipts."""

        def connect(self) -> object:
            self.websocket_handler.set_nodelay(True)
            return super().connect()

    return AtOnce


def _load_jupyter_server_extension(server: Any) -> None:
    """Add the routes to a running Jupyter server, and let it send messages at once."""
    settings = server.web_app.settings
    server.web_app.add_handlers(".*$", handlers(settings["base_url"]))
    settings[CONNECTION] = at_once(settings[CONNECTION])
