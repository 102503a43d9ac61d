"""Suppression: suppress cells by hand, check disclosure, and compare with the optimal pattern and linked tables."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
