"""Public web server built on Voila, and an extension that serves plotly.js."""

from __future__ import annotations

import sys

__all__ = ["skip_unused"]


#: Optional dependencies of other packages that kernels do without.
_UNUSED = (
    # The server loads this grammar of URLs through nbformat and jsonschema, and validates no URL. Without it, the
    # imports of the server take 0.6 of the processor time.
    "rfc3987_syntax",
    # A debugger takes 27 MB in a kernel, and visitors cannot run code. Without it, the imports of ipykernel take 0.66
    # of the processor time.
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
