"""Microdata risk: choose what an intruder may know, see who becomes unique, estimate, protect, and save."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
