"""The third term: when is a table small? Three functions, their properties, and their printed values."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
