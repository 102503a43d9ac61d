"""The cell key lab: make a p-table, and see where the noise of every count comes from."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
