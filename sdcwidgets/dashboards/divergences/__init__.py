"""Divergences: how far apart two distributions are, and the inequalities that tie the distances together."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
