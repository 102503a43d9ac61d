"""Weights: how three terms become one risk, and why the best weights are the terms themselves."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
