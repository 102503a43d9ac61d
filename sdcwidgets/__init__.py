"""Disclosure control of frequency tables that one can touch.

The public names are loaded at first use, so that importing the package costs no more than numpy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sdcwidgets import core, examples, methods
    from sdcwidgets.assess import Assessment, assess
    from sdcwidgets.errors import InputError
    from sdcwidgets.table import Axis, FrequencyTable

__version__ = "0.1.0"

__all__ = ["Assessment", "Axis", "FrequencyTable", "InputError", "assess", "core", "examples", "methods"]

_HOME = {
    "Assessment": "assess",
    "Axis": "table",
    "FrequencyTable": "table",
    "InputError": "errors",
    "assess": "assess",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"sdcwidgets.{_HOME[name]}"), name)
    if name in __all__:
        return import_module(f"sdcwidgets.{name}")
    raise AttributeError(f"module 'sdcwidgets' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
