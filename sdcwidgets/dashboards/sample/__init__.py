"""The sample lab: how sure can one be of the risk of a table when only a sample was seen."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
