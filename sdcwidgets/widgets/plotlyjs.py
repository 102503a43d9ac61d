"""The plotly.js that charts are drawn with: plotly's own build for bars, lines and points.

The server gives it to the browser; where there is no such server, a chart may ask its kernel for it.
"""

from __future__ import annotations

import gzip
import re
from functools import cache
from pathlib import Path

#: Where the server offers it, below its base URL.
ROUTE = "sdcwidgets/static/plotly.min.js"

#: The kinds of trace that this build draws.
TRACES = frozenset({"bar", "pie", "scatter"})

_FILE = Path(__file__).parent / "vendored" / "plotly-basic.min.js.gz"


@cache
def version() -> str:
    """Return the version that the file says of itself, which names it in caches.

    >>> version().count(".")
    2
    """
    match = re.search(rb"plotly\.js \(basic - minified\) v([\d.]+)", source()[:200])
    if match is None:
        raise RuntimeError(f"{_FILE.name} does not begin with its version; see the README beside it.")
    return match[1].decode()


@cache
def source() -> bytes:
    """Return plotly.js, minified.

    >>> b"plotly.js" in source()[:100]
    True
    """
    return gzip.decompress(compressed())


@cache
def compressed() -> bytes:
    """Return plotly.js, minified and gzipped, as it is kept and sent: a third of the bytes."""
    return _FILE.read_bytes()
