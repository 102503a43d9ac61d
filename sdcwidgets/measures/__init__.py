"""Measures of disclosure risk, information loss and utility, each defined in one class, and their registry.

The definition of a measure provides its line in the interface, its column in a data frame, the axes of the
risk-utility map, the unit of a threshold, `--measure` of the command line, and the laws that the tests check.

Examples
--------
>>> from sdcwidgets.tables import examples
>>> from sdcwidgets import measures
>>> religion = examples.load("religion")
>>> r1 = measures.get("r1")()
>>> r1.title, r1.direction, round(r1.before(religion), 4)
('Disclosure risk before protection (R₁)', 'risk', 0.2315)
"""

from __future__ import annotations

from sdcwidgets._util.formula_lines import Line, Piece, text_lines
from sdcwidgets._util.registry import import_modules
from sdcwidgets.measures.base import Direction, Measure, Need, available, get, register, select
from sdcwidgets.measures.batch import Batch

__all__ = [
    "Batch",
    "Direction",
    "Line",
    "Measure",
    "Need",
    "Piece",
    "available",
    "get",
    "register",
    "select",
    "text_lines",
]

import_modules(__name__)


def __dir__() -> list[str]:
    """Return the public names; the modules of single measures are not part of the interface."""
    return __all__
