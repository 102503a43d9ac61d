"""Widgets for notebooks and dashboards: grid, controls, charts, page; no disclosure control is computed here.

Examples
--------
Public names are loaded when they are first used:

>>> from sdcwidgets.widgets import Grid
>>> Grid.__module__
'sdcwidgets.widgets.grid'
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
