"""The rounding lab: one table rounded in four ways, what adds up, and what a reader concludes."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
