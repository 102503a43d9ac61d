"""Tables of counts or amounts, their axes and hierarchies, published tables, and how they are read and written."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
