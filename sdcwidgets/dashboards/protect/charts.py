"""Chart of the page Protect: the risk of each slice before and after protection."""

from sdcwidgets.plots.residual import NAMES, draw, prepare

__all__ = ["NAMES", "draw", "prepare"]
