"""Protection methods: one frozen dataclass per method, one module per family, and their registry.

Examples
--------
>>> import numpy as np
>>> from sdcwidgets.tables.table import FrequencyTable
>>> from sdcwidgets import methods
>>> from sdcwidgets.tables.table import Axis
>>> table = FrequencyTable([[1, 5], [7, 3]], [Axis("area", ("A", "B")), Axis("sex", ("f", "m"))])
>>> methods.get("conventional-rounding")(base=3).apply(table, np.random.default_rng(1)).counts
array([[0, 6],
       [6, 3]])
"""

from __future__ import annotations

from sdcwidgets._util.registry import import_modules
from sdcwidgets.methods.base import Method, available, get, register
from sdcwidgets.methods.protecting import method_of, protect
from sdcwidgets.methods.tabular import PostTabular, PreTabular

__all__ = ["Method", "PostTabular", "PreTabular", "available", "get", "method_of", "protect", "register"]

import_modules(__name__)


def __dir__() -> list[str]:
    """Return the public names; the modules of single methods are not part of the interface."""
    return sorted([*__all__, "cellkey", "targeted"])
