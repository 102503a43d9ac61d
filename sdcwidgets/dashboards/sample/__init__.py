"""Page Sample: estimate the disclosure risk of a table from a sample."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
