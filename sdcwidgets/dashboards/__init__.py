"""Dashboards: one folder per page, each with `app()`, and what all pages share.

A folder has the name of its notebook. `state` holds the choices, `result` what is computed from them, `texts` and
`charts` show it, and `page` connects widgets to one study in `app()`. No page imports another.

>>> from sdcwidgets.dashboards import explore
>>> explore.app.__module__
'sdcwidgets.dashboards.explore.page'
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
