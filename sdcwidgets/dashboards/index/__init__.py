"""The landing page: a path from one person in a table to lessons, tools and one's own table."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
