"""Explore: view and edit a frequency table, and see its disclosure risk."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
