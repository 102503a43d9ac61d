"""Disclosure control of frequency tables that one can touch.

Importing the package costs nothing: what it names is loaded at first use.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from sdcwidgets import aliases

if TYPE_CHECKING:
    from sdcwidgets import (
        attacks,
        core,
        dashboards,
        examples,
        magnitude,
        measures,
        methods,
        microdata,
        search,
        sources,
        tableserver,
        tabulate,
        widgets,
    )
    from sdcwidgets.assess import Assessment, assess
    from sdcwidgets.attacks import Finding
    from sdcwidgets.errors import InputError
    from sdcwidgets.magnitude import MagnitudeTable
    from sdcwidgets.methods import Method, protect
    from sdcwidgets.release import Release
    from sdcwidgets.table import Axis, FrequencyTable

aliases.install()

__version__ = "0.1.0"

__all__ = [
    "Assessment",
    "Axis",
    "Finding",
    "FrequencyTable",
    "InputError",
    "MagnitudeTable",
    "Method",
    "Release",
    "assess",
    "attacks",
    "core",
    "dashboards",
    "examples",
    "magnitude",
    "measures",
    "methods",
    "microdata",
    "protect",
    "search",
    "sources",
    "tableserver",
    "tabulate",
    "widgets",
]

#: Where the names are that are no modules themselves.
_PLACES = {
    "Assessment": "assess",
    "Axis": "table",
    "Finding": "attacks",
    "FrequencyTable": "table",
    "InputError": "errors",
    "MagnitudeTable": "magnitude",
    "Method": "methods",
    "Release": "release",
    "assess": "assess",
    "protect": "methods",
}


class _Package(ModuleType):
    """The package; `assess` is the function, also when the module of that name has been loaded."""

    def __setattr__(self, name: str, value: object) -> None:
        if name == "assess" and isinstance(value, ModuleType):
            value = value.assess
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'sdcwidgets' has no attribute {name!r}")
    module = import_module(f"sdcwidgets.{_PLACES.get(name, name)}")
    if name in _PLACES:
        globals()[name] = getattr(module, name)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted(__all__)
