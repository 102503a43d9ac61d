"""The table generator: the data user asks for tables at one door, the agency watches and decides at the other."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
