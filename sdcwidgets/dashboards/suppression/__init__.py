"""Suppression and linked tables: hide numbers by hand, and see what they still give away."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
