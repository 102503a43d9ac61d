"""The page Literature: one short card per published measure, with an example that users can change."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
