"""The literature gallery: the measures of others, each a short card with an example to change."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
