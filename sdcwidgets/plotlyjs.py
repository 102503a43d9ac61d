"""The plotly.js that belongs to the installed plotly, found without importing plotly.

The server gives it to the browser; where there is no such server, a chart may ask its kernel for it.
"""

from __future__ import annotations

import gzip
from functools import cache
from importlib.metadata import version as installed_version
from importlib.util import find_spec
from pathlib import Path

__all__ = ["ROUTE", "compressed", "source", "version"]

#: Where the server offers it, below its base URL.
ROUTE = "sdcwidgets/static/plotly.min.js"


def version() -> str:
    """Return the version of the installed plotly, which names this plotly.js in caches."""
    return installed_version("plotly")


@cache
def source() -> bytes:
    """Return plotly.js, minified.

    >>> b"plotly.js v" in source()[:100]
    True
    """
    spec = find_spec("plotly")
    if spec is None or spec.origin is None:
        raise RuntimeError("plotly is not installed; `pip install plotly` puts it right.")
    return (Path(spec.origin).parent / "package_data" / "plotly.min.js").read_bytes()


@cache
def compressed() -> bytes:
    """Return plotly.js, minified and gzipped: about a third of the bytes."""
    return gzip.compress(source(), compresslevel=6, mtime=0)
