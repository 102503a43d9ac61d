"""Microdata files with variable names: reading, sampling, risk assessment and protection.

The computations are in `sdcwidgets.core.microdata` and `sdcwidgets.core.risk.sample`, on arrays of category
codes.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
