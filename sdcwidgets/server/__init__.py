"""Public web server built on Voila, and an extension that serves plotly.js."""

from __future__ import annotations

import sys

__all__ = ["skip_unused"]


#: Optional dependencies of other packages that kernels do without.
_UNUSED = (
    # nbformat loads this grammar of URLs through jsonschema. No URL is validated in a kernel, and the import
    # takes longer than all other imports together.
    "rfc3987_syntax",
    # A debugger takes 10 MB per kernel, and visitors cannot run code.
    "debugpy",
)


def skip_unused() -> None:
    """Block the import of optional packages that a kernel never uses.

    Importing one of them raises ImportError, as if the package were not installed.
    """
    for name in _UNUSED:
        sys.modules.setdefault(name, None)  # type: ignore[arg-type]


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "sdcwidgets.server.extension"}]
