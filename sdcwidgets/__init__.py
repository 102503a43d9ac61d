"""Disclosure control of frequency tables that one can touch.

Importing the package costs little more than numpy: scipy, pandas, plotly and ipywidgets are loaded at first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sdcwidgets import aliases

# Loaded now and not at first use: the function has its module's name, and the module would take its place.
from sdcwidgets.assess import Assessment, assess
from sdcwidgets.errors import InputError
from sdcwidgets.methods import protect
from sdcwidgets.table import Axis, FrequencyTable

# Its readers are what `FrequencyTable.from_csv` and its like call.
from sdcwidgets import sources  # isort: skip

if TYPE_CHECKING:
    from sdcwidgets import core, examples, methods

aliases.install()

__version__ = "0.1.0"

__all__ = [
    "Assessment",
    "Axis",
    "FrequencyTable",
    "InputError",
    "assess",
    "core",
    "examples",
    "methods",
    "protect",
    "sources",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return import_module(f"sdcwidgets.{name}")
    raise AttributeError(f"module 'sdcwidgets' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
