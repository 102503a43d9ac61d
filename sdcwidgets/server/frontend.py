"""The front end of a served page: a script and its style sheet, bundled from `js/frontend`.

The script shows the outputs of a notebook and connects its widgets with their kernel. It has the classes of boxes,
texts and anywidgets. If a page has other widgets, the script loads Voila's own front end.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sdcwidgets.server.cached_files import OwnScript

#: Routes of the script and of the style sheet, below the base URL.
ROUTE, STYLE_ROUTE = "sdcwidgets/static/frontend.js", "sdcwidgets/static/frontend.css"

_FOLDER = Path(__file__).parents[1] / "static" / "frontend"


@cache
def script() -> OwnScript:
    """Return the script."""
    return OwnScript(_FOLDER / "index.js")


@cache
def style() -> OwnScript:
    """Return the style sheet."""
    return OwnScript(_FOLDER / "index.css")
