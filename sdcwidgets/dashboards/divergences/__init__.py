"""The page Divergences: the distances between two distributions, and inequalities between these distances."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
