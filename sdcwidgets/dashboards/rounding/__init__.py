"""The page Rounding: four rounding methods for one table, additivity, and a reader's conclusion."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
