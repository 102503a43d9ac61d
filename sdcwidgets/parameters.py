"""Declare settings: the parts of `Annotated` for a field of a method, a measure or the state of a page.

Examples
--------
>>> from dataclasses import dataclass
>>> from typing import Annotated
>>> from sdcwidgets.parameters import Declared, Help, Label, Range
>>> @dataclass(frozen=True)
... class Rounding(Declared):
...     base: Annotated[int, Range(2, 20), Label("Rounding base"), Help("Counts become multiples of it.")] = 3
>>> Rounding(base=5)
Rounding(base=5)
"""

from sdcwidgets._util.parameters import (
    AxisNames,
    Choices,
    Declared,
    Groups,
    Help,
    Label,
    Range,
    Shares,
    StochasticMatrix,
)

__all__ = [
    "AxisNames",
    "Choices",
    "Declared",
    "Groups",
    "Help",
    "Label",
    "Range",
    "Shares",
    "StochasticMatrix",
]
