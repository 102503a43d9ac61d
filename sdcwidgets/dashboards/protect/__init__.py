"""Protect and compare: the table before and after, the risk left, the information lost, the map of alternatives."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
