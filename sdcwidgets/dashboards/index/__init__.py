"""Landing page with the story, the lessons, the tools, and a link to paste a table."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
