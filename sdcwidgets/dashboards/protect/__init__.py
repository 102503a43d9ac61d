"""Protect: the table before and after protection, residual risk, information loss, and a map of alternatives."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
