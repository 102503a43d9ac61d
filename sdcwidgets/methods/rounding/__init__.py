"""Rounding: every published count is a multiple of the base."""

from __future__ import annotations

from sdcwidgets.methods.rounding.controlled import ControlledRounding, controlled, protection_interval
from sdcwidgets.methods.rounding.single import (
    ConventionalRounding,
    RandomRounding,
    SemiControlledRounding,
    SmallCellAdjustment,
)

__all__ = [
    "ControlledRounding",
    "ConventionalRounding",
    "RandomRounding",
    "SemiControlledRounding",
    "SmallCellAdjustment",
    "controlled",
    "protection_interval",
]
