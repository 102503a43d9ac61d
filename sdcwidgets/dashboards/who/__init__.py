"""Page Who: step through possible original tables, average them, and measure the remaining uncertainty."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
