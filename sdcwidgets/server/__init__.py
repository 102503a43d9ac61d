"""The server: Voila as it may be shown to strangers, and plotly.js for any Jupyter server."""

from __future__ import annotations

import sys

__all__ = ["skip_url_grammar"]


def skip_url_grammar() -> None:
    """Keep jsonschema from building a grammar of URLs that nothing here checks.

    nbformat imports jsonschema, which imports rfc3987_syntax where it is installed, which takes more of a
    kernel's start than all else together. jsonschema does without when the import fails.
    """
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    """Tell a Jupyter server where this package's extension is."""
    return [{"module": "sdcwidgets.server.extension"}]
