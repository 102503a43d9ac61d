"""Chart of the page Explore: the third term over the size of a table."""

from sdcwidgets.plots.size_curve import SizeCurve, draw, prepare, sizes

__all__ = ["SizeCurve", "draw", "prepare", "sizes"]
