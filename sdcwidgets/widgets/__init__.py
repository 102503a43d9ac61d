"""What one can see and touch; no arithmetic of disclosure control is done here.

Its parts are loaded when they are named:

>>> from sdcwidgets.widgets import Grid
>>> Grid.__module__
'sdcwidgets.widgets.grid'
"""

from importlib import import_module
from typing import Any

#: The parts that a notebook of one's own may use, and where they are.
_PLACES = {
    "Chart": "chart",
    "Control": "controls",
    "Dashboard": "dashboard",
    "Grid": "grid",
    "Page": "page",
    "SourceBar": "source",
}

__all__ = ["Chart", "Control", "Dashboard", "Grid", "Page", "SourceBar"]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
