"""Risk-utility map: residual risk against information loss, with the replicates of each setting."""

from __future__ import annotations

from sdcwidgets.plots.risk_utility.drawing import LINES, draw, ranges
from sdcwidgets.plots.risk_utility.map import Map, prepare

__all__ = ["LINES", "Map", "draw", "prepare", "ranges"]
