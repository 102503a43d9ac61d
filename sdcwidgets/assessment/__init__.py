"""Assess a table: risk, information loss over replications, comparison of methods, release rules and reports."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
