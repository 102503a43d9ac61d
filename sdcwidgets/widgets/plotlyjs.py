"""The plotly.js library for charts: plotly's build for bars, lines and points.

The server of this project serves it; on other servers, a chart requests it from the kernel.
"""

from __future__ import annotations

import gzip
import re
from functools import cache
from pathlib import Path

#: Path on the server, below its base URL.
ROUTE = "sdcwidgets/static/plotly.min.js"

#: Traces that this build supports.
TRACES = frozenset({"bar", "pie", "scatter"})

_FILE = Path(__file__).parent / "vendored" / "plotly-basic.min.js.gz"


@cache
def version() -> str:
    """Return the version in the file, which is part of its address for caching.

    Examples
    --------
    >>> version().count(".")
    2
    """
    match = re.search(rb"plotly\.js \(basic - minified\) v([\d.]+)", source()[:200])
    if match is None:
        raise RuntimeError(f"{_FILE.name} does not begin with its version; see README.md in its folder.")
    return match[1].decode()


@cache
def source() -> bytes:
    """Return plotly.js, minified.

    Examples
    --------
    >>> b"plotly.js" in source()[:100]
    True
    """
    return gzip.decompress(compressed())


@cache
def compressed() -> bytes:
    """Return plotly.js, minified and gzipped, which reduces its size to a third."""
    return _FILE.read_bytes()
