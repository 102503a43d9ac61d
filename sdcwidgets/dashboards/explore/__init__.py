"""The risk explorer: see and edit a frequency table and its disclosure risk, live."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
