"""The server: Voila as it may be shown to strangers, and plotly.js for any Jupyter server."""

from __future__ import annotations

import sys

__all__ = ["skip_unused"]


#: What others import where it is installed, and do without where it is not.
_UNUSED = (
    # A grammar of URLs, which jsonschema builds for nbformat. Nothing here checks URLs, and it takes longer than
    # all else that a kernel imports.
    "rfc3987_syntax",
    # A debugger for each kernel: 10 MB, for code that nobody here may send.
    "debugpy",
)


def skip_unused() -> None:
    """Let imports of what is never used here fail, as if it were not installed."""
    for name in _UNUSED:
        sys.modules.setdefault(name, None)  # type: ignore[arg-type]


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    """Tell a Jupyter server where this package's extension is."""
    return [{"module": "sdcwidgets.server.extension"}]
