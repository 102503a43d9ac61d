"""The page Cell key: a p-table, and the source of the noise of each count."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
