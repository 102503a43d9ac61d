"""Measures of disclosure risk, information loss and utility: a definition each, one registry.

From a definition come a measure's line on the screens, its column in a data frame, the axes of the risk-utility
map, the unit of a threshold, `--measure` of the command line, and the laws that its tests check.

>>> from sdcwidgets import examples, measures
>>> religion = examples.load("religion")
>>> r1 = measures.get("r1")()
>>> r1.title, r1.direction, round(r1.before(religion), 4)
('Risk before, R₁', 'risk', 0.2315)
"""

from __future__ import annotations

from sdcwidgets.measures.base import Direction, Measure, Need, available, get, register, shown
from sdcwidgets.measures.batch import Batch

# isort: split
# In the order of the screens.
from sdcwidgets.measures import risk

# isort: split
from sdcwidgets.measures import loss

# isort: split
from sdcwidgets.measures import census

# isort: split
from sdcwidgets.measures import sample

# isort: split
from sdcwidgets.measures import intruder

__all__ = [
    "Batch",
    "Direction",
    "Measure",
    "Need",
    "available",
    "census",
    "get",
    "intruder",
    "loss",
    "register",
    "risk",
    "sample",
    "shown",
]
