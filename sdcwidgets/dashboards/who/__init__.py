"""Where did everyone go? The Y variables: step through them, average them, and see what is left to know."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
