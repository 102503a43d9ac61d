"""Attack lab: combine published numbers as an intruder, and see the remaining intervals of confidential counts."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
