"""Records of people with names on everything: read them, sample them, see who is unique, and protect them.

The numbers are made in `sdcwidgets.core.microdata` and `sdcwidgets.core.risk.sample`, on arrays of codes.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
