"""Microdata: select key variables, find unique records, estimate the risk, and protect and save the file."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
