"""The risk-utility map: the risk left against the information lost, each method and setting a cloud of draws."""

from __future__ import annotations

from sdcwidgets.plots.risk_utility.drawing import LINES, draw
from sdcwidgets.plots.risk_utility.map import Map, prepare

__all__ = ["LINES", "Map", "draw", "prepare"]
